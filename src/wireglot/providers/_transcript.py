"""A growing conversation: each message is encoded once, and each request copies those bytes."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, ClassVar, Final, Self

from msgspec import Raw

from .._objects import encode
from ..errors import WireglotError
from ..losses import Loss, Losses
from ..model import AssistantMessage, Message, Request, SystemMessage, ToolNames
from ..model.session import FLAT, bare_messages
from ._requests import RequestCodec
from ._turns import Disorder

__all__ = ["Transcript"]

_SHAPING: Final = ("model", "tools", "thinking", "cache", "extras")
"""The fields of a request on which the bytes of its messages may depend, on some wire."""
_FAULTS: Final = (WireglotError, Disorder, AttributeError, TypeError, ValueError, RecursionError)


class Transcript:
    """The requests of one conversation on this wire, with the bytes of `encode_request`.

    The messages before the last answer cannot change any more. They are encoded once, and the bytes
    are kept, until a request has another model, or other tools, thinking, cache or extras: these
    may change the bytes of any message. A message must not be changed after it was appended. A copy
    is a branch: messages that are appended to it are not appended to the original. `names` is
    filled as in `encode_request`; a branch fills the same.
    """

    CODEC: ClassVar[RequestCodec]

    def __init__(
        self,
        messages: Iterable[Message] = (),
        *,
        dialect: str | None = None,
        repair: bool = False,
        names: ToolNames | None = None,
    ) -> None:
        self._messages = list(messages)
        self._dialect = self.CODEC.rules.dialect(dialect)
        self._repair = repair
        self._names = names
        self._shape: list[Any] = []  # the fields that the kept bytes were made for
        self._forget()
        self._is_whole = False  # encode all each time: some message depends on later ones

    def _forget(self) -> None:
        self._sent = b""  # encoded messages, joined by commas
        self._settled = 0  # how many messages those are
        self._prompt: list[Message] | None = None  # leading system messages, kept apart
        self._lost: list[Loss] = []

    def __copy__(self) -> Self:
        """Return a branch: it has the same messages, and grows independently."""
        made = object.__new__(type(self))
        made.__dict__ |= self.__dict__
        made._messages = list(self._messages)
        made._lost = list(self._lost)
        return made

    def append(self, message: Any) -> None:
        """Add a message, the one in a session's entry, or another system's own message.

        Raises `EncodeError` for another system's value that is not a message.
        """
        if type(message) in FLAT:
            self._messages.append(message)
        else:
            self._messages += bare_messages([message])

    def encode(self, losses: Losses = None, **fields: Any) -> bytes:
        """Encode the conversation so far; `fields` are those of `Request`, such as `model`.

        Raises as `encode_request` does.
        """
        request = Request(list(self._messages), **fields)
        before = len(losses) if losses is not None else 0
        if not self._is_whole:
            try:
                return self._grown(request, losses)
            except _FAULTS:  # encoded as a whole, they are named as `encode_request` names them
                if losses is not None:
                    del losses[before:]
        return self.CODEC.encode_request(
            request, losses, dialect=self._dialect, repair=self._repair, names=self._names
        )

    def _grown(self, request: Request, losses: Losses) -> bytes:
        self._settle(request)
        if self._is_whole or (self._lost and losses is None):
            raise Disorder
        writer = self.CODEC.writer(request, losses, self._dialect, names=self._names)
        if self._sent:
            writer.sent = [Raw(self._sent)]
        tail = writer.request.messages[self._settled :]
        made = encode(self.CODEC.whole(writer, [*(self._prompt or ()), *tail]))
        if losses is not None:
            losses += self._lost
        return made

    def _settle(self, request: Request) -> None:
        """Encode the messages before the last answer that have not been encoded yet."""
        shape = [getattr(request, name) for name in _SHAPING]
        if shape != self._shape:
            self._forget()
            self._shape = [copy(value) for value in shape]
        messages = request.messages
        last = len(messages) - 1
        while last > self._settled and not _starts_turn(messages, last):
            last -= 1
        if last <= self._settled:
            return
        lost: list[Loss] = []
        writer = self.CODEC.writer(request, lost, self._dialect, names=self._names)
        messages = writer.request.messages
        lost.clear()  # what is lost of the tools is told with each encoding
        if not writer.writer.takes.system:  # the system prompt is a user's message, too
            self._is_whole = True
            return
        if self._sent:
            writer.sent = [Raw(b"")]  # a placeholder, which is never written
        start = self._settled
        if start == 0 and writer.PROMPT_APART:
            while type(messages[start]) is SystemMessage:
                start += 1
        wire_messages = writer.conversation(messages[start:last])
        if not wire_messages or not writer.is_settled(wire_messages):
            self._is_whole = True
            return
        if self._settled == 0 and start:
            self._prompt = messages[:start]
        self._sent += (b"," if self._sent else b"") + encode(wire_messages)[1:-1]
        self._lost += lost
        self._settled = last


def _starts_turn(messages: list[Message], index: int) -> bool:
    """Whether the message is an answer, and the one before it is not."""
    return (
        type(messages[index]) is AssistantMessage
        and type(messages[index - 1]) is not AssistantMessage
    )
