"""Response <-> the JSON of the echo server, the body of the answer to `POST /v1/echo`."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from wireglot import AssistantMessage, IdSource, Losses, Response, StopReason, Usage
from wireglot.providers._answers import ResponseWriter, answer_bytes, answer_extras, stop_of
from wireglot.providers._ids import named
from wireglot.providers._reading import read_with
from wireglot.providers._writing import check_dialect

from . import wire
from .request import DIALECTS, BlockReader, BlockWriter

STOP_WORDS: Final = {
    "done": StopReason.STOP,
    "limit": StopReason.LENGTH,
    "calls": StopReason.TOOL_USE,
}


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    ids: IdSource | None = None,
) -> Response:
    """Decode an answer. The server has no prompt cache: all of `asked` is input.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "echo")
    return read_with(
        lambda body: named(answer(BlockReader(body, dialect)), ids),
        wire.Answer,
        data,
        "echo",
        losses,
    )


def encode_response(
    response: Response,
    losses: Losses = None,
    *,
    dialect: str = DIALECTS[0],
    ids: IdSource | None = None,
) -> bytes:
    """Encode `response` as the server would have sent it.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect, ids), response, losses)


def answer(reader: BlockReader) -> Response:
    """Return the response that a body stands for."""
    root: wire.Answer = reader.body.root
    message = reader.message(root.turn)
    if type(message) is not AssistantMessage:
        reader._fail("expected `model`", root.turn, ".from")
    reader._unknown.pop(id(root.turn), None)  # the message has its own copy
    message.model = root.model
    message.raw_stop_reason = root.end
    message.stop_reason = stop_of(STOP_WORDS, root.end, message.content)
    message.usage = Usage(input=root.asked, output=root.said)
    return Response(message, root.id, extras=answer_extras(reader, root))


class AnswerWriter(BlockWriter, ResponseWriter):
    """The encoder of one answer, whole or streamed."""

    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS = STOP_WORDS
    STOPS: ClassVar[dict[StopReason, str]] = {stop: word for word, stop in STOP_WORDS.items()}
    DEFAULT_STOP: ClassVar[str] = "done"

    def answer(self) -> Any:
        """Return the whole answer."""
        turn = self.turn("model", self._message.content)
        made = self.head() | {"turn": self._with_extras(turn, self._message)} | self.end()
        return self.with_answer_extras(made)

    def head(self) -> dict[str, Any]:
        """Return what is known before the content."""
        return {"id": self.id("a"), "model": self._message.model or ""}

    def end(self) -> dict[str, Any]:
        """Return what is known after the content."""
        if self._response.alternatives:
            self._lose("candidates", self._response)
        usage = self._message.usage or Usage()
        asked = usage.input + usage.cache_read + usage.cache_write
        return {"end": self.stop_word(self._message), "asked": asked, "said": usage.output}
