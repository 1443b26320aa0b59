"""What the systems' streams share: losses on the way there, blocks on the way back."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from .._body.objects import key_names, names_of
from ..errors import EncodeError
from ..losses import Losses, lose, untold
from ..model import Arguments, Content, Response, TextBlock, ThinkingBlock, ToolCallBlock
from ..model.accumulator import Accumulator
from ..model.events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    OpaqueEvent,
    StreamEvent,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from ..providers._state.facts import is_progress
from ._mapping import EXTRAS

__all__ = ["CUT", "IN_MESSAGE", "Blocks", "StreamLosses", "check_turn", "paired", "text_of"]

CUT: Final = "the stream ended before the answer did"
IN_MESSAGE: Final = (".message",)
"""The place of an answer's message, for the paths of losses."""


def text_of(block: Content) -> str:
    """Return the text that the deltas of a block carry, empty where it has none."""
    text = _TEXTS.get(type(block))
    return text(block) if text is not None else ""


def check_turn(event: StreamEvent, is_begun: bool, wire: str) -> None:
    """Refuse a second start, and what cannot be told before the start of an answer.

    Raises `EncodeError`.
    """
    kind = type(event)
    if (kind is StreamStart) is is_begun and kind not in _AT_ANY_TIME:
        wanted = "one start alone" if is_begun else "`StreamStart` first"
        when = "after" if is_begun else "before"
        reason = f"`{kind.__name__}` {when} the start of the stream, expected {wanted}"
        raise EncodeError(reason, wire=wire)


def paired(
    content: Sequence[Content], kinds: Iterable[type]
) -> tuple[list[Content | None], list[Content]]:
    """Return the next block of each kind, None where there is none, and the blocks that are left.

    The latter keep their order.
    """
    places: dict[type, deque[int]] = defaultdict(deque)
    for place, block in enumerate(content):
        places[type(block)].append(place)
    found = [places[kind].popleft() if places[kind] else None for kind in kinds]
    left = sorted(chain.from_iterable(places.values()))
    return [None if at is None else content[at] for at in found], [content[at] for at in left]


class StreamLosses:
    """The losses of one stream, beside those of its message."""

    def __init__(self, losses: Losses, wire: str, system: str) -> None:
        self._losses = losses
        self._wire = wire
        self._system = system
        self._before = len(losses or ())
        self._told: dict[tuple[str, str | None], set[str]] = {}

    def lose(
        self, what: str, path: str, why: str | None = None, keys: Collection[str] = ()
    ) -> None:
        """Record a loss, or raise `LossError`."""
        why = why or f"{self._system} has no place for it; left out"
        lose(self._losses, self._wire, path, what, why, self._before, keys=keys)

    def event(self, event: OpaqueEvent) -> None:
        """Report an event that only its own API knows, or keys of one: once for each name.

        Keys that no loss of the name has named yet are told, too.
        """
        if is_progress(event):
            return
        what = "extras" if event.beside else "opaque event"
        keys = key_names(event.raw) if event.beside else ()
        new = untold(self._told, (what, event.name), keys)
        if new is not None:
            self.lose(what, "$", _WHY[what], new)

    def failure(self, event: StreamFailure) -> None:
        """Report what an error has beside its message."""
        if event.status is not None or event.code is not None or event.body is not None:
            self.lose("error", "$", _WHY["error"])

    def response(self, response: Response) -> None:
        """Report what an answer has beside its message; its time is left to the writer."""
        lost = {
            "id": response.id,
            "serviceTier": response.service_tier,
            "alternatives": response.alternatives,
            "extras": response.extras,
        }
        for what, value in lost.items():
            if value:
                keys = names_of(response.extras or {}) if what == "extras" else ()
                self.lose(what, f"$.{what}", _WHY.get(what), keys)


class Blocks:
    """The canonical events of one answer, made of deltas of which only the kind is known.

    A block goes on until a delta of another kind comes. What was told wrongly so is `revised` when
    the whole answer is known, whose blocks count.
    """

    def __init__(self) -> None:
        self.total: Final = Accumulator()
        self.open: type | None = None
        """The type of the last block, None if it has ended."""
        self._out: list[StreamEvent] = []

    def taken(self) -> list[StreamEvent]:
        """Return the events since the last call."""
        out, self._out = self._out, []
        return out

    def send(self, event: StreamEvent) -> None:
        """Take in an event, and keep it for `taken`."""
        self.total.add(event)
        self._out.append(event)

    def start(self, response: Response) -> None:
        """Begin the answer."""
        self.send(StreamStart(response))

    def begin(self, block: Content) -> None:
        """Begin a block, which has no text yet."""
        self.open = type(block)
        empty = _EMPTIED.get(type(block))
        self.send(BlockStart(len(self.total.blocks), empty(block) if empty is not None else block))

    def grow(self, text: str) -> None:
        """Send more text of the open block."""
        assert self.open is not None
        self.send(_DELTAS[self.open](len(self.total.blocks) - 1, text))

    def whole(self, block: Content) -> None:
        """Send a block of which no delta has told."""
        self.begin(block)
        text = text_of(block) or _NONE.get(type(block))
        if text:
            self.grow(text)
        self.send(BlockEnd(len(self.total.blocks) - 1, block))
        self.open = None

    def end(self, content: Iterable[Content]) -> None:
        """Send the ends of all blocks, and the blocks of which no delta has told.

        If the answer has them in another order, the last one is `revised` too.
        """
        wanted = list(content)
        told = self.total.content()
        found, left = paired(wanted, map(type, told))
        order = []
        for index, (begun, known) in enumerate(zip(told, found, strict=True)):
            is_over = self.total.pieces[index] is None
            block = begun if known is None else known
            order.append(block)
            if not is_over:
                self.send(BlockEnd(index, block, _is_revised(begun, block)))
        for block in left:
            self.whole(block)
        if list(map(id, order + left)) != list(map(id, wanted)):
            ends = [event for event in self._out if type(event) is BlockEnd]
            for event in ends[-1:]:
                event.revised = True


def _is_revised(begun: Content, block: Content) -> bool:
    """Whether a block is not what its deltas said; the spaces of arguments do not count."""
    if type(begun) is ToolCallBlock and type(block) is ToolCallBlock:
        return begun.arguments != block.arguments
    return text_of(begun) != text_of(block)


_WHY: Final[Mapping[str, str]] = {
    "error": "an error is its message; its kind, status, code and body are left out",
    "opaque event": "an event or a delta of a kind that only another API knows; left out",
    "extras": EXTRAS,
}
_TEXTS: Final[Mapping[type, Callable[[Any], str]]] = {
    TextBlock: lambda block: str(block.text),
    ThinkingBlock: lambda block: str(block.thinking),
    ToolCallBlock: lambda block: bytes(block.arguments.text).decode(),
}
_AT_ANY_TIME: Final = frozenset({OpaqueEvent, StreamFailure})
_NONE: Final[Mapping[type, str]] = {ToolCallBlock: "{}"}
"""What the deltas of a block without text carry, as those of every provider do."""
_EMPTIED: Final[Mapping[type, Callable[[Any], Content]]] = {
    TextBlock: lambda _: TextBlock(""),
    ThinkingBlock: lambda _: ThinkingBlock(""),
    ToolCallBlock: lambda block: ToolCallBlock(block.id, block.name, Arguments(b"")),
}
"""What a block is before its deltas."""
_DELTAS: Final[Mapping[type, Callable[[int, str], StreamEvent]]] = {
    TextBlock: TextDelta,
    ThinkingBlock: ThinkingDelta,
    ToolCallBlock: ArgumentsDelta,
}
