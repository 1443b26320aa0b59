"""Answers of the server as it would write them, each as a body and as a stream."""

__all__ = ["CALLING", "CALLING_STREAM", "TALKING", "TALKING_STREAM", "done", "line", "lines"]

HEAD = '"model":"m:1","created_at":"2026-08-06T06:53:49.5Z"'
COUNTS = '"prompt_eval_count":21,"prompt_eval_duration":5,"eval_count":9,"eval_duration":7'

TALKING = (
    '{"model":"m:1","created_at":"2026-08-06T06:53:49.358473Z","message":{"role":"assistant",'
    '"content":"It is 21 °C. 😀","thinking":"Paris?"},"done":true,"done_reason":"stop",'
    '"total_duration":12,"load_duration":1,"prompt_eval_count":21,"prompt_eval_duration":5,'
    '"eval_count":9,"eval_duration":7,"logprobs":[{"token":"It","logprob":-0.5},'
    '{"token":" is","logprob":-0.25}]}'
).encode()
CALLING = (
    b'{"model":"m:1","created_at":"2026-08-06T06:53:49.5Z","message":{"role":"assistant",'
    b'"content":"Let me see.","tool_calls":[{"id":"call_a","function":{"index":0,'
    b'"name":"weather","arguments":{"city":"Paris", "n":1e2}}},'
    b'{"function":{"name":"now","arguments":{}}}]},"done":true,"done_reason":"stop",'
    b'"prompt_eval_count":21,"prompt_eval_duration":5,"eval_count":9,"eval_duration":7}'
)


def line(message: str, more: str = '"done":false') -> str:
    """Return a line of a stream; `message` is what its message holds beside the role."""
    comma = "," if message else ""
    return f'{{{HEAD},"message":{{"role":"assistant"{comma}{message}}},{more}}}'


def done(more: str = "", content: str = "") -> str:
    """Return the last line of a stream."""
    end = '"done":true,"done_reason":"stop"' + ("," if more else "") + more
    return line(f'"content":"{content}"', end)


def lines(*given: str) -> bytes:
    return b"".join(one.encode() + b"\n" for one in given)


TALKING_STREAM = lines(
    line('"content":"","thinking":"Par"'),
    line('"content":"","thinking":"is?"'),
    line('"content":"It"', '"done":false,"logprobs":[{"token":"It","logprob":-0.5}]'),
    line('"content":" is"', '"done":false,"logprobs":[{"token":" is","logprob":-0.25}]'),
    line('"content":" 21 °C. 😀"'),
    done('"total_duration":12,"load_duration":1,' + COUNTS).replace("49.5Z", "49.358473Z"),
)
CALLING_STREAM = lines(
    line('"content":"Let me"'),
    line('"content":" see."'),
    line(
        '"content":"","tool_calls":[{"id":"call_a","function":{"index":0,"name":"weather",'
        '"arguments":{"city":"Paris", "n":1e2}}}]'
    ),
    line('"content":"","tool_calls":[{"function":{"name":"now","arguments":{}}}]'),
    done(COUNTS),
)
