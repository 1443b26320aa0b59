"""Stream events -> the stream of Gemini's generateContent."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from ...framing import sse
from ...losses import Losses
from ...model import AssistantMessage, IdSource, Response, TextBlock, ThinkingBlock
from ...model.events import (
    BlockEnd,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from .._errors import json_object
from .._stream_writing import StreamEncoder as _StreamEncoder
from .._stream_writing import json_string
from .._writing import encode, shallow
from . import wire
from .errors import encode_error
from .request import DIALECTS
from .response_writing import AnswerWriter

__all__ = ["HELD", "StreamEncoder"]

HELD: Final = frozenset(
    {
        "functionCall",
        "functionResponse",
        "inlineData",
        "fileData",
        "executableCode",
        "codeExecutionResult",
        "toolCall",
        "toolResponse",
    }
)
_TEXT_KEYS: Final = frozenset({"text", "thought"})


def _apart(candidate: dict[str, Any]) -> dict[str, Any]:
    """Return a candidate with each text's signature in an empty part after it, as in streams."""
    content = candidate.get("content", {})
    parts: list[Any] = []
    for part in content.get("parts", ()):
        keys = shallow(part)
        parts.append(part)
        if keys.get("text") and "thoughtSignature" in keys and not keys.keys() & HELD:
            parts[-1] = {key: keys[key] for key in ("text", "thought") if key in keys}
            parts.append({**keys, "text": ""})
    return {**candidate, "content": {**content, "parts": parts}} if parts else candidate


class StreamEncoder(_StreamEncoder):
    """Events -> the event stream of `:streamGenerateContent?alt=sse`.

    Text is written as it comes, all else when its block ends; the last chunk has the finish reason.
    """

    WIRE: ClassVar[str] = "gemini"
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    FINAL: ClassVar[frozenset[type]] = frozenset({TextBlock, ThinkingBlock})

    def __init__(
        self,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses, dialect=dialect, ids=ids)
        self._begin(Response(AssistantMessage([])))

    def _begin(self, response: Response) -> None:
        """Prepare the bytes around each part."""
        # Losses of the response are reported at its end.
        writer = self._writer = AnswerWriter(response, [], self._dialect, self._ids)
        role = shallow(writer.content(0, response.message, [0])).get("role")
        index = writer.candidate_keys(0).get("index")
        after = b"]" + (b',"role":' + encode(role) if role is not None else b"") + b"}"
        after += b',"index":' + bytes(index) if index is not None else b""
        head = encode(writer.head())[1:-1]
        self._after = after + b"}]" + (b"," + head if head else b"") + b"}\n\n"
        self._after_text = b"}" + self._after
        writer._losses = self._losses

    def _on_start(self, event: StreamStart) -> bytes:
        self._begin(event.response)
        return b""

    def _on_text(self, event: TextDelta) -> bytes:
        return b"%b%b%b" % (_TEXT, json_string(event.text), self._after_text)

    def _on_thinking(self, event: ThinkingDelta) -> bytes:
        return b"%b%b%b" % (_THOUGHT, json_string(event.text), self._after_text)

    def _on_block_end(self, event: BlockEnd) -> bytes:
        block = event.block
        made = self._writer.part(block)
        if made is None:
            self._writer.lose_foreign(block)
            return b""
        if type(block) is TextBlock or type(block) is ThinkingBlock:
            made = {**shallow(made), "text": ""}
            if not made.keys() - _TEXT_KEYS:
                return b""
        # Arguments may hold line ends.
        return _PART + encode(made).replace(b"\n", b"\ndata: ") + self._after

    def _on_end(self, event: StreamEnd) -> bytes:
        response = event.response
        message = response.message
        writer = AnswerWriter(response, self._losses, self._dialect, self._ids)
        made: dict[str, Any] = {}
        if writer.has_candidates():
            is_bare = message.api == wire.API and not message.content
            last = [] if is_bare else [wire.Part("")]
            made["candidates"] = [
                writer.candidate(0, message, last),
                *(_apart(candidate) for candidate in writer.further()),
            ]
        return sse.encode(encode(writer.body(made)))

    def _on_failure(self, event: StreamFailure) -> bytes:
        error = event.error()
        if "error" not in (json_object(error.body or b"") or {}):
            error.body = None  # it is no chunk of a stream
        return sse.encode(encode_error(error))


_PART: Final = b'data: {"candidates":[{"content":{"parts":['
_TEXT: Final = _PART + b'{"text":'
_THOUGHT: Final = _PART + b'{"thought":true,"text":'
