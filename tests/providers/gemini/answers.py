"""Literal answers of Gemini's wire, whole and in chunks, and what they say."""

from typing import Any

import wireglot as wg

try:
    from tests.oracles.gemini import check_response, check_stream
except ModuleNotFoundError:  # without the SDK the bytes are compared alone

    def check_response(body: bytes) -> None:
        """Accept everything."""

    def check_stream(data: bytes) -> None:
        """Accept everything."""


__all__ = ["BODY", "FINISH", "STREAM", "check_response", "check_stream", "chunks", "of", "part"]

FINISH = '"finishReason":"STOP","index":0'


def part(*parts: str, more: str = '"index":0') -> str:
    """Return a chunk with these parts."""
    content = f'"content":{{"parts":[{",".join(parts)}],"role":"model"}}'
    return f'{{"candidates":[{{{content},{more}}}]}}'


def chunks(*texts: str, end: str = "\n\n") -> bytes:
    """Return chunks as server-sent events."""
    return "".join(f"data: {text}{end}" for text in texts).encode()


def of(*content: Any, **fields: Any) -> wg.AssistantMessage:
    """Return an answer of this API."""
    blocks = [wg.TextBlock(each) if isinstance(each, str) else each for each in content]
    return wg.AssistantMessage(blocks, api="gemini-generate-content", **fields)


BODY = (
    b'{"candidates":[{"content":{"parts":[{"text":"Hmm","thought":true},'
    b'{"text":"Let me look.","thoughtSignature":"c2ln"},'
    b'{"functionCall":{"name":"look","args":{"at": "sky"}},"thoughtSignature":"bW9yZQ=="},'
    b'{"functionCall":{"name":"look","args":{"at": "sea"}}}],"role":"model"},'
    b'"finishReason":"STOP","index":0,"avgLogprobs":-0.25}],'
    b'"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":4,"totalTokenCount":17,'
    b'"cachedContentTokenCount":6,"thoughtsTokenCount":3},'
    b'"modelVersion":"gemini-x","responseId":"r1"}'
)
"""An answer that thinks, talks and calls."""

_HEAD = ',"modelVersion":"gemini-x","responseId":"r1"}'
_EARLY = ',"usageMetadata":{"promptTokenCount":10,"totalTokenCount":10}' + _HEAD
STREAM = chunks(
    part('{"text":"H","thought":true}')[:-1] + _EARLY,
    part('{"text":"mm","thought":true}')[:-1] + _EARLY,
    part('{"text":"Let me"}')[:-1] + _EARLY,
    part('{"text":" look."}')[:-1] + _EARLY,
    part('{"text":"","thoughtSignature":"c2ln"}')[:-1] + _EARLY,
    part(
        '{"functionCall":{"name":"look","args":{"at": "sky"}},"thoughtSignature":"bW9yZQ=="}',
        '{"functionCall":{"name":"look","args":{"at": "sea"}}}',
    )[:-1]
    + _EARLY,
    part('{"text":""}', more=FINISH + ',"avgLogprobs":-0.25')[:-1]
    + ',"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":4,"totalTokenCount":17,'
    '"cachedContentTokenCount":6,"thoughtsTokenCount":3}' + _HEAD,
    end="\r\n\r\n",
)
"""The same, as it streams."""
