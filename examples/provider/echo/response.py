"""Response <-> the body of the answer to `POST /v1/echo`.

The server has no prompt cache: all of `asked` is input.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from wireglot import AssistantMessage, Response, StopReason, Usage
from wireglot.providers._across.stops import stop_of
from wireglot.providers._codecs.responses import BaseResponseWriter, ResponseCodec
from wireglot.providers._state.decoding import Decoding
from wireglot.providers._state.rules import Rules

from . import blocks, wire
from .errors import decode_error
from .losses import RULES

_STOP_WORDS: Final = {
    "done": StopReason.STOP,
    "limit": StopReason.LENGTH,
    "calls": StopReason.TOOL_USE,
}


class ResponseWriter(BaseResponseWriter):
    """The encoder of one answer, whole or streamed."""

    RULES: ClassVar[Rules] = RULES
    STOP_WORDS = _STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = {stop: word for word, stop in _STOP_WORDS.items()}
    DEFAULT_STOP: ClassVar[str] = "done"

    def answer(self) -> Any:
        """Return the whole answer."""
        turn = blocks.turn("model", self.message.content, self.encoding)
        body = self.head() | {"turn": self.encoding.with_extras(turn, self.message)} | self.end()
        return self.with_answer_extras(body)

    def head(self) -> dict[str, Any]:
        """Return what is known before the content."""
        return {"id": self.id("a"), "model": self.message.model or ""}

    def end(self) -> dict[str, Any]:
        """Return what is known after the content."""
        if self.response.alternatives:
            self.encoding.lose("candidates", self.response)
        usage = self.message.usage or Usage()
        self.encoding.lose_foreign(usage)
        asked = usage.input + usage.cache_read + usage.cache_write
        return {"end": self.stop_word(self.message), "asked": asked, "said": usage.output}


def _answer(decoding: Decoding) -> Response:
    root: wire.Response = decoding.body.root
    if root.turn.role != "model":
        decoding.fail("expected `model`", root.turn, ".from")
    content = blocks.content(root.turn, decoding)
    message = AssistantMessage(content, api=wire.API, extras=decoding.extras(root.turn))
    decoding.unknown.pop(id(root.turn), None)  # the message has its own copy
    message.model = root.model
    message.raw_stop_reason = root.end
    message.stop_reason = stop_of(_STOP_WORDS, root.end, message.content)
    message.usage = Usage(input=root.asked, output=root.said)
    return Response(message, root.id, extras=decoding.answer_extras(root))


RESPONSES: Final = ResponseCodec(RULES, wire.Response, ResponseWriter, _answer, decode_error)
