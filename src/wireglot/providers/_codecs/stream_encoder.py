"""What all stream encoders share: canonical events -> bytes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection
from typing import Any, ClassVar, Final, TypeAlias

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ..._body.faults import FAULTS
from ..._body.objects import is_null, is_object, key_names
from ..._body.refuse import errors
from ..._body.surrogates import mended_value
from ...errors import EncodeError, LossError, ProviderError, WireglotError
from ...framing import sse
from ...losses import Losses, lose, untold
from ...model import (
    AssistantMessage,
    Content,
    IdSource,
    OpaqueBlock,
    RawJson,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from ...model.accumulator import not_begun
from ...model.events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    CitationDelta,
    OpaqueEvent,
    StreamEnd,
    StreamEvent,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
    UsageUpdate,
)
from .._across.carried import OF_OTHERS, begun, end_of, further
from .._across.errors import json_object
from .._across.ids import OneToken, own_id
from .._state.facts import facts_of, is_progress
from .._state.rules import Rules

json_string: Callable[[str], bytes] = msgspec.json.Encoder().encode
"""The encoder of a delta's text. Raises `UnicodeEncodeError` for a lone surrogate."""

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_look_through: Final = msgspec.json.Encoder(enc_hook=id).encode
"""Encodes all strings of an event. Media, arguments and raw JSON, all bytes, become numbers."""

_TEXTS: Final = (TextDelta, ThinkingDelta, ArgumentsDelta)
_OF_BEGUN: Final = (*_TEXTS, CitationDelta, BlockEnd)
_OF_A_BLOCK: Final = frozenset({BlockStart, *_OF_BEGUN})
_Write: TypeAlias = Callable[[Any, Any], bytes]
_Writes: TypeAlias = dict[type, _Write]
_EVENTS: Final = {
    StreamStart: "_start",
    BlockStart: "_begin_block",
    TextDelta: "_on_text",
    ThinkingDelta: "_on_thinking",
    ArgumentsDelta: "_on_arguments",
    CitationDelta: "_on_citation",
    BlockEnd: "_end_block",
    UsageUpdate: "_on_usage",
    StreamEnd: "_last",
    StreamFailure: "_last",
    OpaqueEvent: "_on_opaque",
}
"""The methods of an encoder, by event."""
_Told: TypeAlias = tuple[Callable[[int, str], StreamEvent], Callable[[Any], str]]
_TOLD: Final[dict[type, _Told]] = {
    TextBlock: (TextDelta, lambda block: block.text),
    ThinkingBlock: (ThinkingDelta, lambda block: block.thinking),
    ToolCallBlock: (ArgumentsDelta, lambda block: block.arguments.text.decode()),
}
_NOTHING_TOLD: Final[_Told] = (TextDelta, lambda _: "")
"""What `_TOLD` has for a block type: the type of its deltas, and a function for its text."""
_OF_BLOCKS: Final = (BlockStart, CitationDelta, BlockEnd)
_PLACES: Final = ("$.message", "$.alternatives")
_DONE: Final = b"data: [DONE]\n\n"


def _placing(write: _Write) -> _Write:
    """Wrap the method for an event of a block: its losses and errors get the block's path."""

    def placed(encoder: StreamEncoder, event: Any) -> bytes:
        losses = encoder._losses
        known = len(losses) if losses is not None else 0
        try:
            return write(encoder, event)
        except WireglotError as error:
            error.path = _path(event, error.path)
            raise
        finally:
            if losses is not None and len(losses) > known:
                losses[known:] = [
                    replace(loss, path=_path(event, loss.path)) for loss in losses[known:]
                ]

    return placed


def _mending(write: _Write) -> _Write:
    """Wrap the method for an event that may change the encoder before its texts are encoded."""
    return lambda encoder, event: write(encoder, encoder._mended(event))


def _path(event: Any, path: str) -> str:
    """Return the path of a part, under the event's block unless it is a path in the answer."""
    if path.startswith(_PLACES):
        return path
    return f"$.message.content[{event.index}]{path.removeprefix('$')}"


def is_free(call: ToolCallBlock) -> bool:
    """Whether a call's input is free text, which a wire of JSON can wrap only once it is whole."""
    return call.tool_type == "custom"


class StreamEncoder(ABC):
    """Canonical events -> the bytes of one stream of this wire, frame by frame.

    A block ends before the next one begins, as the APIs' own streams have it and as many clients
    expect. The events of a block that begins before the last one has ended wait for that end.

    Ids that the wire needs and the answer does not have are made from one token of `ids`. Without
    it the token is a hash of `StreamStart`, which is the same for two answers if it says nothing
    that differs: Bedrock's says nothing at all. A service should give a source.
    """

    RULES: ClassVar[Rules]
    WRITER: ClassVar[Any]
    """The `ResponseWriter` of the wire."""
    CONTENT_TYPE: ClassVar[str] = "text/event-stream"
    """The `content-type` of the answer whose body the stream is."""
    FINAL: ClassVar[frozenset[type]] = frozenset(
        {OpaqueBlock, TextBlock, ThinkingBlock, ToolCallBlock}
    )
    """The kinds of blocks whose deltas are final: their end does not write the content again."""
    CITES_LAST: ClassVar[bool] = False
    """Whether the sources of texts are written at the end of the answer, not of their block."""
    OPENS_BESIDE: ClassVar[bool] = True
    """Whether a block may begin while one is open that an error breaks off."""
    ERROR_KEYS: ClassVar[tuple[str, ...]] = ("error",)
    """The keys by which clients of a stream know an error."""
    _WRITE: ClassVar[_Writes]
    _answer: Any
    """The `WRITER` of the answer, from the first event on."""
    _later: dict[int | None, list[StreamEvent]]
    """The events of the blocks that wait; set when the first of them begins."""
    _turns: deque[int]
    """Those blocks, in the order in which they have begun."""
    _latest: int | None
    """The block of the last event."""
    # Few streams set these. CPython makes an object of more than 30 attributes much more slowly.
    is_over: bool = False
    """Whether the end of the answer, or an error in its place, was written."""
    _expected: Response | None = None

    def __init__(
        self,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        self._dialect = self.RULES.dialect(dialect)
        self._losses = losses
        self._has_source = ids is not None
        self._ids = OneToken(ids, None)
        """The source for the answer's writers: one token, so that all of them make the same ids."""
        self._before = len(losses or ())
        """How many losses the list held before this stream."""
        self._lost_events: dict[tuple[str, str | None], set[str]] = {}
        """Loss and name of the event, which is of another API -> the keys that have been named."""
        self._reported: set[int] = set()  # blocks whose keys of other APIs have been reported
        self._beside: list[OpaqueEvent] = []  # the keys for the next frame
        self._blocks: set[int] = set()  # indexes of the blocks that have begun
        self._untold: set[int] = set()  # those whose text no delta has carried yet
        self._call_ids: dict[int, str] = {}  # index -> the id that a call has begun with
        self._taken_ids: set[str] = set()
        self._ended: set[int] = set()
        self._unwritten: set[int] = set()  # those of which something waits for an end
        self._write = _UNBEGUN

    def expect(self, response: Response) -> None:
        """Tell what is known of an answer before it begins, such as its time and its model.

        Responses begins an answer even if an error comes in its place.
        """
        self._expected = response

    def __init_subclass__(cls, **options: Any) -> None:
        """Note the method for each event, unbound: bound ones would make reference cycles."""
        super().__init_subclass__(**options)
        cls._WRITE = {kind: getattr(cls, name) for kind, name in _EVENTS.items()}
        for kind in _OF_BLOCKS:
            cls._WRITE[kind] = _placing(cls._WRITE[kind])
        for other in cls._WRITE.keys() - {*_TEXTS}:
            cls._WRITE[other] = _mending(cls._WRITE[other])

    def encode(self, event: StreamEvent) -> bytes:
        """Return the frames of an event, often none.

        If no delta carried the text of a block, the text is written when the block ends. After an
        exception the stream is over.

        Raises `LossError` if the wire cannot carry something and `losses` is None, `EncodeError`
        after the end, and for an event out of turn.
        """
        if self._untold and isinstance(event, _TEXTS) and event.text:
            self._untold.discard(event.index)
            event = self._mended(event)
        try:
            frames = self._write[type(event)](self, event)
        except UnicodeEncodeError:  # of a later delta, which changes nothing before it is encoded
            with errors(self.RULES.wire):
                return self._write[type(event)](self, self._without_surrogates(event))
        except LossError:
            if type(event) is not CitationDelta or not event.cut:
                raise
            return b""  # the provider's error follows, which has to reach the client
        except KeyError as error:
            if type(event) not in _EVENTS:
                kind = type(event).__name__
                reason = f"`{kind}`, expected an event of `StreamEvent`"
                raise EncodeError(reason, wire=self.RULES.wire) from error
            self._check(event, error)
            reason = (
                f"`{type(event).__name__}` of a block of another type, expected one for its type"
            )
            raise EncodeError(reason, wire=self.RULES.wire) from error
        except (WireglotError, AttributeError, TypeError, ValueError, RecursionError):
            with errors(self.RULES.wire):
                raise
        if not frames and type(event) in _OF_A_BLOCK:
            self._on_nothing(event)
        return frames

    def _on_nothing(self, event: Any) -> None:
        """Check an event that has written nothing, and note its block if something is in it."""
        index, kind = event.index, type(event)
        if index not in self._blocks or index in self._ended:
            self._check(event)
            if kind is not CitationDelta or not self.CITES_LAST:  # else it has been lost
                return
        elif kind is BlockStart:
            block = event.block
            if type(block) is TextBlock or (type(block) is ThinkingBlock and not block.redacted):
                return
        elif kind in _TEXTS and not event.text:
            return
        self._unwritten.add(index)

    def _mended(self, event: Any) -> Any:
        """Return an event without lone surrogates: once its encoding has begun, it is too late."""
        if self._losses is not None:
            try:
                _look_through(event)
            except UnicodeEncodeError:
                return self._without_surrogates(event)
            except (TypeError, ValueError, OverflowError, RecursionError):
                pass  # the encoder says better what is wrong
        return event

    def _without_surrogates(self, event: Any) -> Any:
        path = _path(event, "$") if hasattr(event, "index") else "$"
        values = {name: getattr(event, name) for name in event.__struct_fields__}
        return replace(
            event,
            **{k: mended_value(v, self.RULES.wire, path, self._losses) for k, v in values.items()},
        )

    def _check(self, event: StreamEvent, cause: Exception | None = None) -> None:
        """Refuse what there is nowhere to write: of a block that has not begun, or has ended."""
        if isinstance(event, _OF_BEGUN) and event.index not in self._blocks:
            raise EncodeError(not_begun(event), wire=self.RULES.wire) from cause
        if isinstance(event, _TEXTS) and event.text and event.index in self._ended:
            reason = "delta after the end of its block, expected none"
            raise EncodeError(reason, wire=self.RULES.wire) from cause

    def _use(self, response: Response) -> None:
        """Write what follows as parts of this answer."""
        self._answer = self.WRITER(response, self._losses, self._dialect, self._ids)

    def _begin_stream(self, event: StreamEvent) -> bytes:
        """Write the first event; where that is not the start, nothing is known of the answer."""
        if type(event) is not StreamStart:
            self._use(Response(AssistantMessage([])))
        self._write = self._WRITE
        return self._write[type(event)](self, event)

    def _start(self, event: StreamStart) -> bytes:
        if not self._has_source:
            self._ids = OneToken(None, event.response.id or event.response)
        self._use(event.response)
        return self._on_start(event)

    def _identified(self, event: Any) -> Any:
        """Return the event of a block; if that is a call, it has an id that no other has."""
        block, writer = event.block, self._answer
        if type(block) is not ToolCallBlock:
            return event
        call_id = self._call_ids.get(event.index)
        if call_id is None:
            if not block.id and not writer.CALL_ID:
                return event
            call_id = block.id or writer.item_id(writer.CALL_ID, event.index)
            call_id = own_id(call_id, event.index, self._taken_ids)
            self._call_ids[event.index] = call_id
        return event if call_id == block.id else replace(event, block=replace(block, id=call_id))

    def _begin_block(self, event: BlockStart) -> bytes:
        if len(self._blocks) > len(self._ended) and event.index not in self._blocks:
            return self._hold(event)
        if type(event.block) in OF_OTHERS:
            block = begun(event.block, self._answer.message.api, self.RULES.api)
            event = event if block is event.block else replace(event, block=block)
        self._blocks.add(event.index)
        self._untold.add(event.index)
        known = len(self._losses or ())
        frames = self._on_block_start(self._identified(event))
        self._lose_keys_once(event, known)
        return frames

    def _end_block(self, event: BlockEnd) -> bytes:
        if event.index not in self._blocks:
            self._check(event)
        if event.block.extras is not None or type(event.block) in OF_OTHERS:
            block = end_of(event.block, self._answer.message.api, self.RULES.api)
            event = event if block is event.block else replace(event, block=block)
        is_again = event.index in self._ended
        if is_again and self._end_again(self._identified(event)):
            return b""
        is_quiet = event.cut and self._losses is None
        is_revised = is_again or (event.revised and type(event.block) in self.FINAL)
        if is_revised and not is_quiet:
            lose(self._losses, self.RULES.wire, "$", "revision", self.RULES.why("revision"))
        if is_again:
            return b""
        frames = b""
        if event.index in self._untold:
            self._untold.discard(event.index)
            delta, text_of = _TOLD.get(type(event.block), _NOTHING_TOLD)
            text = text_of(event.block)
            if text:  # what a subclass does to frames, it does to all of those of the block
                frames = StreamEncoder.encode(self, delta(event.index, text))
        self._ended.add(event.index)
        known = len(self._losses or ())
        try:
            frames += self._on_block_end(self._identified(event))
        except LossError:
            if not event.cut:  # else the provider's error follows, which has to reach the client
                raise
        self._unwritten.discard(event.index)
        if self.CITES_LAST and (
            getattr(event.block, "annotations", None) or getattr(event.block, "refs", None)
        ):
            self._unwritten.add(event.index)
        if not is_quiet:
            self._lose_keys_once(event, known)
        return frames

    def _end_again(self, event: BlockEnd) -> bool:
        """Take a block that has ended before; whether the wire has not written it yet."""
        return False

    def _hold(self, event: BlockStart) -> bytes:
        """Let a block wait for the end of the open one."""
        if self._write is not _IN_TURN:
            self._later, self._turns = {}, deque()
        self._later[event.index] = [*self._beside, event]
        self._turns.append(event.index)
        self._blocks.add(event.index)
        self._latest = event.index
        self._beside, self._write = [], _IN_TURN
        return b""

    def _in_turn(self, event: Any) -> bytes:
        """Write an event while blocks wait; hold it if it belongs to one of them."""
        kind = type(event)
        if kind is OpaqueEvent:
            later = self._later.get(self._latest) if not event.beside else None
        else:
            self._latest = index = getattr(event, "index", None)
            if kind is BlockStart and index not in self._blocks:
                return self._hold(event)
            later = self._later.get(index)
        if later is not None:
            later += self._beside
            later.append(event)
            self._beside = []
            return b""
        frames = self._with_beside(event) if self._beside else self._WRITE[kind](self, event)
        if self._write is _BESIDE:  # which the next event decides
            self._write = _IN_TURN
        return frames + self._waiting_blocks() if kind is BlockEnd else frames

    def _waiting_blocks(self) -> bytes:
        """Return the blocks that have waited, up to one that is still open."""
        frames = []
        self._write = _BESIDE if self._beside else self._WRITE
        while self._later and len(self._blocks) - len(self._ended) == len(self._later):
            index = self._turns.popleft()
            self._unwritten.discard(index)
            for event in self._later.pop(index):
                frames.append(StreamEncoder.encode(self, event))
        if self._later:
            self._write = _IN_TURN
        return b"".join(frames)

    def _lose_keys_once(self, event: BlockStart | BlockEnd, known: int) -> None:
        """Report keys of another API that a block has, at its start or at its end.

        The wire's own method may have done so, in the losses after the first `known` ones.
        """
        losses = self._losses or []
        is_told = event.index in self._reported
        if len(losses) == known and (is_told or event.block.extras is None):
            return
        told = [i for i, loss in enumerate(losses[known:], known) if loss.what == "extras"]
        if is_told:
            for place in told[:1]:
                del losses[place]
        elif told:
            self._reported.add(event.index)
        elif event.block.extras is not None and self._answer.encoding.has_foreign_keys(event.block):
            self._reported.add(event.index)
            self._answer.encoding.lose_foreign(event.block)

    def _last(self, event: StreamEnd | StreamFailure) -> bytes:
        before = b""
        if isinstance(event, StreamEnd) and event.response.message.extras is not None:
            known = len(event.response.message.content)
            event = StreamEnd(further(event.response, self.RULES.api))
            for index, block in enumerate(event.response.message.content[known:], known):
                for told in (BlockStart(index, block), BlockEnd(index, block)):
                    before += StreamEncoder.encode(self, told)
        return before + self._ended_with(event)

    def _ended_with(self, event: StreamEnd | StreamFailure) -> bytes:
        if isinstance(event, StreamEnd):
            self._check_end(event.response.message.content)
            if event.response.message.name is not None:
                self._lose_name()
        known = len(self._losses or ())
        if isinstance(event, StreamEnd):
            frames = self._on_end(event)
        else:
            frames = self._before_failure() + self._on_failure(event)
        self.is_over = True
        self._write = _TOO_LATE
        if self._losses is not None and len(self._losses) > known:
            told = {*self._losses[self._before : known]}  # in this stream, before its end
            self._losses[known:] = [loss for loss in self._losses[known:] if loss not in told]
        return frames

    def _before_failure(self) -> bytes:
        """Return ended blocks that have waited, and what all still say; what else waits is a loss.

        Without a list of losses it is left out: the error that follows says that the answer is not
        complete, and must reach the client.
        """
        frames = b""
        if self._write is _IN_TURN and self.OPENS_BESIDE:
            self._write = self._WRITE
            beside, self._beside = self._beside, []  # of the error, which is told below
            for index in self._turns:
                frames += self._ended_block(index)
            self._beside = beside + self._beside
        try:
            frames += self._rest()
        except FAULTS:
            pass  # with a list of losses, those blocks are still in `_unwritten`
        if self._losses is not None:
            why = self.RULES.why("unfinished")
            for index in sorted(self._unwritten):
                path = f"$.message.content[{index}]"
                lose(self._losses, self.RULES.wire, path, "unfinished", why)
        return frames

    def _ended_block(self, index: int) -> bytes:
        """Return one of the blocks that wait, if it has ended."""
        frames = []
        events = self._later[index]
        if any(type(event) is BlockEnd for event in events):
            self._unwritten.discard(index)
            try:
                for event in events:
                    frames.append(StreamEncoder.encode(self, event))
            except FAULTS:
                self._unwritten.add(index)
        return b"".join(frames)

    def _rest(self) -> bytes:
        """Return what is written at the end of the answer of blocks that have ended, if any."""
        return b""

    def _lose_name(self) -> None:
        """Report the name of who speaks, on a wire that has no place for it."""
        for name, row, _ in self.RULES.plans[AssistantMessage].lost:
            if name == "name":
                self._lose_event(row, None)

    def _check_end(self, content: list[Content]) -> None:
        """Refuse an answer of which the events did not carry all blocks: they would be missing."""
        if self._blocks != self._ended or len(content) > len(self._ended):
            said = f"{len(self._ended)} of {max(len(self._blocks), len(content))} blocks"
            reason = f"end of the answer after {said}, expected `BlockEnd` of each"
            raise EncodeError(reason, wire=self.RULES.wire)

    def _too_late(self, _: StreamEvent) -> bytes:
        reason = "event after the end of the stream, expected none"
        raise EncodeError(reason, wire=self.RULES.wire)

    def close(self) -> bytes:
        """Return the bytes after the last event. Raises `EncodeError` if the answer has no end."""
        if not self.is_over:
            reason = "closed before the end of the answer, expected `StreamEnd` or `StreamFailure`"
            raise EncodeError(reason, wire=self.RULES.wire)
        return b""

    def _on_start(self, event: StreamStart) -> bytes:
        return b""

    def _on_block_start(self, event: BlockStart) -> bytes:
        return b""

    def _on_text(self, event: TextDelta) -> bytes:
        return b""

    def _on_thinking(self, event: ThinkingDelta) -> bytes:
        return b""

    def _on_arguments(self, event: ArgumentsDelta) -> bytes:
        return b""

    def _on_citation(self, event: CitationDelta) -> bytes:
        if event.index in self._ended:  # its block has been written, with what it cited
            lose(self._losses, self.RULES.wire, "$", "annotation", self.RULES.why("annotation"))
        return b""

    def _on_block_end(self, event: BlockEnd) -> bytes:
        return b""

    def _on_usage(self, event: UsageUpdate) -> bytes:
        return b""

    def _on_opaque(self, event: OpaqueEvent) -> bytes:
        if event.api != self.RULES.api:
            if event.beside and (is_null(event.raw.text) or _is_retold(event)):
                return b""
            if event.beside:
                self._lose_event("extras", event.name, key_names(event.raw))
            elif not is_progress(event):
                self._lose_event("opaque event", event.name)
            return b""
        if not event.beside:
            return self._as_it_came(event)
        self._beside.append(event)
        self._write = _BESIDE
        return b""

    def _lose_event(self, what: str, name: str | None, keys: Collection[str] = ()) -> None:
        """Report the loss of an event, or of its keys; once for events of one name.

        Keys that no loss of the name has named yet are told, too.
        """
        new = untold(self._lost_events, (what, name), keys)
        if new is not None:
            lose(self._losses, self.RULES.wire, "$", what, self.RULES.why(what), keys=new)

    def _with_beside(self, event: StreamEvent) -> bytes:
        """Write an event, and the keys that wait for the next frame into its frame."""
        data = self._WRITE[type(event)](self, event)
        if type(event) is StreamFailure:  # which is not an event of the answer, and has to be sent
            for keys in self._beside if self._losses is not None else ():
                self._lose_event("extras", keys.name, key_names(keys.raw))
            return data
        if not data:
            return data
        if self._write is _BESIDE:
            self._write = self._WRITE
        last = _DONE if data.endswith(_DONE) else b""  # which is not JSON
        frames = self._unframed(data.removesuffix(last))
        waiting, self._beside = self._beside, []
        trees: dict[int, dict[str, Any]] = {}
        by_name = {frame.name: at for at, frame in reversed([*enumerate(frames)])}
        for keys in waiting:
            at = by_name.get(keys.name, 0)
            if at not in trees:
                trees[at] = _keys(frames[at].raw.text)
            if _is_retold(keys):  # in place of none of the frame's own
                trees[at] |= _keys(keys.raw.text)
                continue
            displaced: list[str] = []
            _add(trees[at], Raw(keys.raw.text), displaced)
            if displaced:
                self._lose_event("extras", keys.name, displaced)
        for at, tree in trees.items():
            frames[at].raw = RawJson(encode(tree))
        return b"".join(map(self._framed, frames)) + last

    def _as_it_came(self, event: OpaqueEvent) -> bytes:
        """Return the frame of an event of this API."""
        return self._framed(event)

    def _framed(self, event: OpaqueEvent) -> bytes:
        """Return a frame of this wire."""
        return sse.encode(event.raw.text, (event.name or "").encode())

    def _unframed(self, data: bytes) -> list[OpaqueEvent]:
        """Return the events of frames: the inverse of `_framed`."""
        api = self.RULES.api
        frames = sse.Decoder().feed(data)
        return [OpaqueEvent(api, RawJson(data), name.decode() or None) for name, data in frames]

    def _error(self, event: StreamFailure) -> ProviderError:
        """Return the error of a failure, without its body if streams do not tell errors so."""
        error = event.error()
        if error.wire != self.RULES.wire:
            return error
        keys = json_object(error.body or b"") or {}
        if not any(keys.get(key) for key in self.ERROR_KEYS):
            error.body = None
        return error

    @abstractmethod
    def _on_end(self, event: StreamEnd) -> bytes: ...

    @abstractmethod
    def _on_failure(self, event: StreamFailure) -> bytes: ...


_UNBEGUN: Final[_Writes] = dict.fromkeys(_EVENTS, StreamEncoder._begin_stream)
_TOO_LATE: Final[_Writes] = dict.fromkeys(_EVENTS, StreamEncoder._too_late)
_BESIDE: Final[_Writes] = dict.fromkeys(_EVENTS, StreamEncoder._with_beside)
_IN_TURN: Final[_Writes] = dict.fromkeys(_EVENTS, StreamEncoder._in_turn)


def _is_retold(event: OpaqueEvent) -> bool:
    """Whether the answer has all of an event's keys again, later on."""
    retold = facts_of(event.api).retold
    return bool(retold) and event.raw.keys() <= retold


def _add(tree: dict[str, Any], more: Raw, displaced: list[str]) -> None:
    """Add keys to a frame, in its inner objects too; its own values win.

    `displaced` gets the keys for whose values there is no place. An object that gets keys becomes a
    dict, so that it is decoded once, however many events bring some.
    """
    for key, value in _keys(more).items():
        own: Any = tree.get(key)
        if own is None:
            tree[key] = value
        elif is_object(value) and isinstance(own, dict):
            _add(own, value, displaced)
        elif is_object(value) and is_object(own):
            tree[key] = _keys(own)
            _add(tree[key], value, displaced)
        elif isinstance(own, dict) or (bytes(own) != bytes(value) and not is_null(value)):
            displaced.append(key)
