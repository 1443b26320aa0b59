"""No time and no memory out of proportion: see `proportion.py`, which makes the shapes."""

import pytest

from tests.proportion import TARGETS, Shape, find, picked, shapes
from wireglot.framing import eventstream

_ONE_IN = 300


@pytest.mark.parametrize("target", TARGETS)
def test_no_cost_grows_faster_than_its_input(target: str) -> None:
    found = [
        find(target, shape)
        for shape in picked(target, 1 if target.endswith("written") else _ONE_IN)
    ]
    assert [each for each in found if not each.is_fine()] == []


# Shapes that once took time like the square of their size.
_KNOWN = [
    ("gemini stream, read", "citationMetadata"),
    ("gemini stream, read", "logprobsResult"),
    ("openai_chat stream, read", "logprobs"),
    ("openai_chat stream, read", "tool_calls"),
]


@pytest.mark.parametrize(("target", "key"), _KNOWN, ids=[" ".join(known) for known in _KNOWN])
def test_the_cost_of_a_frame_does_not_grow_with_those_before_it(target: str, key: str) -> None:
    with_key = [s for s in shapes(target) if f'"{key}"'.encode() in s.make(1)]
    assert with_key
    for shape in with_key[:4]:
        assert find(target, shape).is_fine()


_MISTRAL = (
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
    '"choices":[{"index":%s,"delta":{"content":"a"},"finish_reason":%s%s}]%s}\n\n'
)
_TOKEN = ',"logprobs":{"content":[{"token":"a","logprob":-0.1,"bytes":[97],"top_logprobs":[]}]}'
_USAGE = ',"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}'
_GEMINI = (
    'data: {"candidates":[{"index":%s,"content":{"role":"model","parts":[{"text":"a"}]},'
    '"finishReason":"STOP"}]}\n\n'
)
_ANTHROPIC = (
    'data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant",'
    '"model":"m","content":[],"stop_reason":null,"stop_sequence":null,'
    '"usage":{"input_tokens":1,"output_tokens":1}}}\n\n'
)
_COUNTS = (
    'data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},'
    '"usage":{"output_tokens":%s}}\n\n'
)
_GROWING_COUNTS = (
    'data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},'
    '"usage":{"output_tokens":1,%s}}\n\n'
)
_GROWING_KEYS = {"a key": '"k%s":0', "a key of an object": '"k":{"k%s":0}'}
_MISTRAL_GROWING = _MISTRAL % (0, "null", "", ',"usage":{"prompt_tokens":1,%s}')
_GROQ = _MISTRAL % (0, "null", "", ',"x_groq":%s')
_ITEM = (
    'data: {"type":"response.output_item.%s","output_index":%s,"item":{"type":"function_call",'
    '"call_id":"%s%s","name":"f","arguments":"{}"}}\n\n'
)


def _bedrock(kind: str, text: str) -> bytes:
    return eventstream.encode({":event-type": kind, ":message-type": "event"}, text.encode())


_COHERE = (
    'data: {"type":"message-start","id":"c","delta":{"message":{"role":"assistant"}}}\n\n'
    'data: {"type":"tool-plan-delta","delta":{"message":{"tool_plan":"Let me look it up."}}}\n\n'
)
_CALL = (
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
    '"choices":[{"index":0,"delta":{"content":"a","tool_calls":[{"index":%s,"id":"x%s","type":"function",'
    '"function":{"arguments":""}}]},"finish_reason":null}]}\n\n'
)
# What each of n frames says again, or changes, and the end of the stream has to gather.
_GATHERED = {
    "mistral: log probabilities": (
        "mistral stream, read",
        lambda n: (
            (_MISTRAL % (0, "null", _TOKEN, "")) * n
            + _MISTRAL % (0, '"stop"', "", _USAGE)
            + "data: [DONE]\n\n"
        ),
    ),
    "mistral: choices": (
        "mistral stream, read",
        lambda n: "".join(_MISTRAL % (i, '"stop"', "", "") for i in range(n)) + "data: [DONE]\n\n",
    ),
    "mistral: choices, each with counts": (
        "mistral stream, read",
        lambda n: (
            "".join(_MISTRAL % (i, '"stop"', "", _USAGE) for i in range(n)) + "data: [DONE]\n\n"
        ),
    ),
    "mistral: choices with unknown keys, to itself": (
        "mistral stream, to itself",
        lambda n: (
            "".join(_MISTRAL % (i, '"stop"', ',"more":1', "") for i in range(n))
            + "data: [DONE]\n\n"
        ),
    ),
    "mistral: calls that wait for a name": (
        "mistral stream, read",
        lambda n: "".join(_CALL % (i, i) for i in range(n)) + "data: [DONE]\n\n",
    ),
    "openai_chat: calls that wait for a name": (
        "openai_chat stream, read",
        lambda n: "".join(_CALL % (i, i) for i in range(n)) + "data: [DONE]\n\n",
    ),
    **{
        f"anthropic: counts with {what} more each": (
            "anthropic stream, read",
            lambda n, key=key: (
                _ANTHROPIC
                + "".join(_GROWING_COUNTS % (key % i) for i in range(n))
                + 'data: {"type":"message_stop"}\n\n'
            ),
        )
        for what, key in _GROWING_KEYS.items()
    },
    "anthropic: starts with another key each": (
        "anthropic stream, read",
        lambda n: "".join(_ANTHROPIC.replace('"id"', f'"k{i}":0,"id"') for i in range(n)),
    ),
    **{
        f"mistral: counts with {what} more each": (
            "mistral stream, read",
            lambda n, key=key: (
                "".join(_MISTRAL_GROWING % (key % i) for i in range(n))
                + _MISTRAL % (0, '"stop"', "", _USAGE)
            ),
        )
        for what, key in _GROWING_KEYS.items()
    },
    "openai_chat: Groq's counts, which grow": (
        "openai_chat stream, read",
        lambda n: "".join(_GROQ % f'{{"usage":{{"k{i}":0}}}}' for i in range(n)),
    ),
    "openai_chat: keys of Groq's, and chunks without": (
        "openai_chat stream, read",
        lambda n: (
            _GROQ % f'{{"k":[{",".join("0" * 9 * n)}]}}' + (_MISTRAL % (0, '"stop"', "", "")) * n
        ),
    ),
    "gemini: a blocked prompt whose keys grow": (
        "gemini stream, read",
        lambda n: "".join(f'data: {{"promptFeedback":{{"k{i}":0}}}}\n\n' for i in range(n)),
    ),
    "gemini: a large blocked prompt, and chunks that say nothing": (
        "gemini stream, read",
        lambda n: (
            f'data: {{"promptFeedback":{{"k":[{",".join("0" * 9 * n)}]}}}}\n\n'
            + 'data: {"modelVersion":"m"}\n\n' * n
        ),
    ),
    "bedrock: counts before the end, with a key more each": (
        "bedrock stream, read",
        lambda n: b"".join(
            _bedrock("metadata", f'{{"usage":{{"inputTokens":1}},"m":{{"k{i}":0}}}}')
            for i in range(n)
        ),
    ),
    "bedrock: ends with a key more each": (
        "bedrock stream, read",
        lambda n: b"".join(
            _bedrock("messageStop", f'{{"stopReason":"end_turn","m":{{"k{i}":0}}}}')
            for i in range(n)
        ),
    ),
    "openai_responses: calls that end with another id than they began": (
        "openai_responses stream, read",
        lambda n: "".join(
            _ITEM % ("added", i, "a", i) + _ITEM % ("done", i, "b", i) for i in range(n)
        ),
    ),
    "cohere: starts again and again": (
        "cohere stream, read",
        lambda n: (_COHERE * n) + 'data: {"type":"message-end","delta":{}}\n\n',
    ),
    "gemini: candidates that end at once": (
        "gemini stream, read",
        lambda n: "".join(_GEMINI % i for i in range(n)),
    ),
    "anthropic: counts that change": (
        "anthropic stream, read",
        lambda n: (
            _ANTHROPIC
            + "".join(_COUNTS % i for i in range(n))
            + 'data: {"type":"message_stop"}\n\n'
        ),
    ),
}


@pytest.mark.parametrize("name", _GATHERED)
def test_what_the_end_of_a_stream_gathers_costs_no_more_with_each_frame(name: str) -> None:
    target, text = _GATHERED[name]
    made = find(target, Shape(name, lambda n: text(n) if "bedrock" in name else text(n).encode()))
    assert made.is_fine()


def test_blocks_that_begin_and_do_not_end_cost_no_more_with_each() -> None:
    [shape] = [s for s in shapes("anthropic stream, read") if s.name == "frames 1..1, numbered"]
    assert find("anthropic stream, read", shape).is_fine()
