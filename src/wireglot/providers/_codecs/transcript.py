"""A growing conversation: each message is encoded once, and each request copies those bytes."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, ClassVar, Final, Self

from msgspec import Raw, Struct

from ..._body.encode import encode_json as encode
from ...capabilities import Capabilities
from ...errors import WireglotError
from ...losses import MOST_LOSSES, Loss, Losses, LossList, lost_so_far
from ...model import AssistantMessage, Message, Request, SystemMessage, Tool, ToolNames
from ...model.session import MESSAGES, canonical
from .._state.encoding import KeptTools, OutOfOrder
from .requests import RequestCodec

_SHAPING: Final = ("model", "tools", "thinking", "cache", "extras")
_MANY_LOSSES: Final = MOST_LOSSES // 2
"""With more, the whole is encoded: it may be refused for having too many."""
FAULTS: Final = (WireglotError, OutOfOrder, AttributeError, TypeError, ValueError, RecursionError)
"""What an encoding of a part may raise, where that of the whole says what is wrong."""


class Prefix(Struct, frozen=True):
    """The encoded messages of a conversation that no later message can change."""

    count: int = 0
    """How many messages those are."""
    sent: bytes = b""
    """The messages of the wire, joined by commas."""
    prompts: int = 0
    """How many leading system messages there are, which are encoded with each request."""
    lost: tuple[Loss, ...] = ()
    names: tuple[tuple[str, Any], ...] = ()
    """What they add to the caller's map of names."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Names of tools that had to change, and of which that has been told."""
    ids: dict[str, bool] = {}
    """The ids of their calls, on wires where all calls of a request must differ in them."""


def shape(request: Request) -> list[Any]:
    """Return the fields of a request on which the bytes of its messages may depend."""
    return [copy(getattr(request, name)) for name in _SHAPING]


def settled(
    codec: RequestCodec,
    request: Request,
    upto: int,
    before: Prefix,
    *,
    dialect: str,
    capabilities: Capabilities | None,
    has_names: bool,
    tools: KeptTools | None = None,
) -> Prefix | None:
    """Encode the messages before `upto`, an answer, that are not in `before`.

    Return None where a later message could change them. Raises one of `FAULTS`.
    """
    lost: list[Loss] = []
    names = ToolNames() if has_names else None
    writer = codec.writer(request, lost, dialect, capabilities, names)
    messages = writer.request.messages
    encoding = writer.encoding
    if tools is not None and tools.parts is not None:
        encoding.sent_names |= tools.sent_names
    elif encoding.takes.tools:  # else they are left out, and so are their names
        for tool in request.tools or ():
            if type(tool) is Tool:
                encoding.tool_name(tool.name, tool)
    of_tools = frozenset(encoding.sent_names)
    lost.clear()  # what is lost of the tools is told with each encoding
    encoding.sent_names |= before.renamed
    writer.open_calls.ids |= before.ids
    if not encoding.takes.system:  # the system prompt is a user's message, too
        return None
    if before.sent:
        writer.sent = [Raw(b"")]  # a placeholder, which is never written
    prompts = before.prompts
    start = before.count
    if start == 0 and writer.PROMPT_APART:
        while type(messages[start]) is SystemMessage:
            start += 1
        prompts = start
    wire_messages = writer.conversation(messages[start:upto])
    if not wire_messages or not writer.is_settled(wire_messages):
        return None
    made = encode(wire_messages)[1:-1]
    return Prefix(
        upto,
        b"%b,%b" % (before.sent, made) if before.sent else made,
        prompts,
        (*before.lost, *lost),
        (*before.names, *(names or {}).items()),
        tuple(
            (name, sent)
            for name, sent in encoding.sent_names.items()
            if name != sent and name not in of_tools
        ),
        writer.open_calls.ids,
    )


def grown(
    codec: RequestCodec,
    request: Request,
    losses: Losses,
    before: Prefix,
    *,
    dialect: str,
    capabilities: Capabilities | None,
    names: ToolNames | None,
    tools: KeptTools | None = None,
) -> bytes:
    """Encode a request whose first messages are encoded already. Raises one of `FAULTS`.

    `tools` are those of the request as they were written before, or are kept for the next.
    """
    if (before.lost and losses is None) or len(before.lost) > _MANY_LOSSES:
        raise OutOfOrder
    if names is not None:
        names.update(before.names)
    writer = codec.writer(request, losses, dialect, capabilities, names)
    writer.encoding.kept_tools = tools
    writer.encoding.sent_names |= before.renamed
    if before.sent:
        writer.sent = [Raw(before.sent)]
        writer.lost = before.lost
        writer.open_calls.ids |= before.ids
    messages = writer.request.messages
    body = codec.whole(writer, [*messages[: before.prompts], *messages[before.count :]])
    if len(losses or ()) - writer.encoding.before > MOST_LOSSES:
        raise OutOfOrder  # those that were known were added without a count
    made = encode(body)
    if isinstance(losses, LossList):
        losses.check(writer.encoding.before, codec.rules.wire)
    return made


class Transcript:
    """The requests of one conversation on this wire, with the bytes of `encode_request`.

    The messages before the last answer cannot change any more. They are encoded once, and the bytes
    are kept, until a request has another model, or other tools, thinking, cache or extras: these
    may change the bytes of any message. A message must not be changed after it was appended. A copy
    is a branch: messages that are appended to it are not appended to the original. `capabilities`
    is what the model takes, if its name does not tell. `names` is filled as in `encode_request`; a
    branch fills the same.
    """

    CODEC: ClassVar[RequestCodec]

    def __init__(
        self,
        messages: Iterable[Message] = (),
        *,
        dialect: str | None = None,
        repair: bool = False,
        capabilities: Capabilities | None = None,
        names: ToolNames | None = None,
    ) -> None:
        self._messages = canonical(messages)
        self._dialect = self.CODEC.rules.dialect(dialect)
        self._repair = repair
        self._capabilities = capabilities
        self._names = names
        self._shape: list[Any] = []  # the fields that the kept bytes were made for
        self._settled = Prefix()
        self._is_whole = False  # encode all each time: some message depends on later ones

    def __copy__(self) -> Self:
        """Return a branch: it has the same messages, and grows independently."""
        made = object.__new__(type(self))
        made.__dict__ |= self.__dict__
        made._messages = list(self._messages)
        return made

    def append(self, message: Any) -> None:
        """Add a message, the one in a session's entry, or another system's own message.

        Raises `EncodeError` for another system's value that is not a message.
        """
        if type(message) in MESSAGES:
            self._messages.append(message)
        else:
            self._messages += canonical([message])

    def encode(self, *, losses: Losses = None, **fields: Any) -> bytes:
        """Encode the conversation so far; `fields` are those of `Request`, such as `model`.

        Raises as `encode_request` does.
        """
        request = Request(list(self._messages), **fields)
        before = 0
        if losses is not None:  # one call for a list
            before = len(losses) if losses.__class__ is list else lost_so_far(losses)
        if not self._is_whole:
            try:
                return self._grown(request, losses)
            except FAULTS:  # encoded as a whole, they are named as `encode_request` names them
                if losses is not None:
                    del losses[before:]
        return self.CODEC.encode_request(
            request,
            losses=losses,
            dialect=self._dialect,
            repair=self._repair,
            capabilities=self._capabilities,
            names=self._names,
        )

    def _grown(self, request: Request, losses: Losses) -> bytes:
        self._settle(request)
        if self._is_whole:
            raise OutOfOrder
        if self._names is not None:
            self._names.clear()
        return grown(
            self.CODEC,
            request,
            losses,
            self._settled,
            dialect=self._dialect,
            capabilities=self._capabilities,
            names=self._names,
        )

    def _settle(self, request: Request) -> None:
        """Encode the messages before the last answer that have not been encoded yet."""
        found = shape(request)
        if found != self._shape:
            self._settled = Prefix()
            self._shape = found
        messages = request.messages
        last = len(messages) - 1
        while last > self._settled.count and not _starts_turn(messages, last):
            last -= 1
        if last <= self._settled.count:
            return
        more = settled(
            self.CODEC,
            request,
            last,
            self._settled,
            dialect=self._dialect,
            capabilities=self._capabilities,
            has_names=self._names is not None,
        )
        if more is None:
            self._is_whole = True
        else:
            self._settled = more


def _starts_turn(messages: list[Message], index: int) -> bool:
    """Whether the message is an answer, and the one before it is not."""
    return (
        type(messages[index]) is AssistantMessage
        and type(messages[index - 1]) is not AssistantMessage
    )
