"""Answers of the API as it would write them, each as a body and as a stream."""

__all__ = ["CALLING", "CALLING_STREAM", "DONE", "TALKING", "TALKING_STREAM", "frames"]

DONE = b"data: [DONE]\n\n"

TALKING = (
    b'{"id":"a-1","message":{"role":"assistant","content":['
    b'{"type":"thinking","thinking":"Paris?"},'
    b'{"type":"text","text":"It is 21 \\u00b0C. \\ud83d\\ude00"}],'
    b'"citations":[{"start":6,"end":11,"text":"21 \\u00b0C","sources":[{"type":"tool",'
    b'"id":"w:0","tool_output":{"title":"W","url":"https://w.example"}}],"content_index":1,'
    b'"type":"TEXT_CONTENT"}]},"finish_reason":"COMPLETE",'
    b'"usage":{"billed_units":{"input_tokens":8,"output_tokens":50},'
    b'"tokens":{"input_tokens":1394,"output_tokens":55,"reasoning_tokens":38},'
    b'"cached_tokens":1360},'
    b'"logprobs":[{"text":"It","token_ids":[1],"logprobs":[-0.5]},{"text":" is","token_ids":[2]}]}'
)
CALLING = (
    b'{"id":"a-2","message":{"role":"assistant","tool_plan":"I will look.","tool_calls":['
    b'{"id":"weather_1","type":"function","function":{"name":"weather",'
    b'"arguments":"{\\"city\\":\\"Paris\\", \\"n\\":1e2}"}},'
    b'{"id":"now_2","type":"function","function":{"name":"now","arguments":"{}"}}]},'
    b'"finish_reason":"TOOL_CALL","usage":{"billed_units":{"input_tokens":33,"output_tokens":22},'
    b'"tokens":{"input_tokens":1452,"output_tokens":33},"cached_tokens":144}}'
)


def frames(*events: tuple[str, str]) -> bytes:
    """Return a stream of events, each its type and the rest of its JSON."""
    return b"".join(
        f'event: {kind}\ndata: {{"type":"{kind}"{"," if rest else ""}{rest}}}\n\n'.encode()
        for kind, rest in events
    )


def start(answer_id: str) -> tuple[str, str]:
    message = '"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]'
    return "message-start", f'"id":"{answer_id}","delta":{{"message":{{{message}}}}}'


def content(kind: str, index: int = 0) -> tuple[str, str]:
    part = f'{{"type":"{kind}","{kind}":""}}'
    return "content-start", f'"index":{index},"delta":{{"message":{{"content":{part}}}}}'


def words(kind: str, text: str, index: int = 0, more: str = "") -> tuple[str, str]:
    part = f'{{"{kind}":"{text}"}}'
    return "content-delta", f'"index":{index},"delta":{{"message":{{"content":{part}}}}}{more}'


def ended(kind: str, index: int = 0) -> tuple[str, str]:
    return f"{kind}-end", f'"index":{index}'


def plan(text: str) -> tuple[str, str]:
    return "tool-plan-delta", f'"delta":{{"message":{{"tool_plan":"{text}"}}}}'


def call(call_id: str, name: str, index: int = 0) -> tuple[str, str]:
    made = f'{{"id":"{call_id}","type":"function","function":{{"name":"{name}","arguments":""}}}}'
    return "tool-call-start", f'"index":{index},"delta":{{"message":{{"tool_calls":{made}}}}}'


def arguments(text: str, index: int = 0) -> tuple[str, str]:
    made = f'{{"function":{{"arguments":"{text}"}}}}'
    return "tool-call-delta", f'"index":{index},"delta":{{"message":{{"tool_calls":{made}}}}}'


def end(delta: str) -> tuple[str, str]:
    return "message-end", f'"delta":{{{delta}}}'


TALKING_STREAM = (
    frames(
        start("a-1"),
        content("thinking"),
        words("thinking", "Par"),
        words("thinking", "is?"),
        ended("content"),
        content("text", 1),
        words("text", "It", 1, ',"logprobs":{"text":"It","token_ids":[1],"logprobs":[-0.5]}'),
        words("text", " is", 1, ',"logprobs":{"text":" is","token_ids":[2]}'),
        words("text", " 21 °C. 😀", 1),
        (
            "citation-start",
            '"index":0,"delta":{"message":{"citations":{"start":6,"end":11,"text":"21 °C",'
            '"sources":[{"type":"tool","id":"w:0","tool_output":{"title":"W",'
            '"url":"https://w.example"}}],"content_index":1,"type":"TEXT_CONTENT"}}}',
        ),
        ended("citation"),
        ended("content", 1),
        end(
            '"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":8,'
            '"output_tokens":50},"tokens":{"input_tokens":1394,"output_tokens":55,'
            '"reasoning_tokens":38},"cached_tokens":1360}'
        ),
    )
    + DONE
)
CALLING_STREAM = (
    frames(
        start("a-2"),
        plan("I will"),
        plan(" look."),
        call("weather_1", "weather"),
        arguments(r"{\"city\":\"Pa"),
        arguments(r"ris\", \"n\":1e2}"),
        ended("tool-call"),
        call("now_2", "now", 1),
        ended("tool-call", 1),
        end(
            '"finish_reason":"TOOL_CALL","usage":{"billed_units":{"input_tokens":33,'
            '"output_tokens":22},"tokens":{"input_tokens":1452,"output_tokens":33},'
            '"cached_tokens":144}'
        ),
    )
    + DONE
)
