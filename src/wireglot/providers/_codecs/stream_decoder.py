"""What all stream decoders share: chunks -> frames -> canonical events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from copy import copy
from heapq import heappop
from typing import Any, ClassVar, Final, NoReturn, Protocol

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.decode import Decoded, read_text, source_of
from ..._body.encode import encode_json as encode
from ..._body.faults import FAULTS, located
from ..._body.objects import is_null, is_object
from ..._body.sdk import event_of
from ...errors import DecodeError, LimitError, ProviderError, StreamError, WireglotError
from ...framing._buffer import MAX_FRAME
from ...losses import Losses, lose
from ...model import (
    AnnotationRef,
    AssistantMessage,
    Content,
    IdSource,
    RawJson,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolNames,
    Usage,
)
from ...model.accumulator import Accumulator
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
from ...model.source import reading
from .._across.client_tools import RestoredEvents, restored, restored_message
from .._across.ids import call_prefix, named
from .._across.usage import totalled
from .._state.rules import Rules
from .framers import BEFORE
from .responses import ResponseCodec

_object = msgspec.json.Decoder(dict[str, Raw]).decode
_BROKEN = (WireglotError, msgspec.DecodeError, ValueError, RecursionError)
_SPACE: Final = str.maketrans("", "", " \t\r\n")
_NONE: Final = frozenset({"{}", "null"})
"""Arguments that are none, white space left out."""
_NOTHING: Final = _NONE | {""}
_MAY_BE_NONE: Final = _NONE | {"", "{", "n", "nu", "nul"}
_PAID: Final = 1024
"""By how many bytes a frame raises the budget: the counts of an answer are smaller."""
_LONGEST_NONE: Final = 64
"""The longest piece that may be part of such arguments: what is longer is not looked through."""


class Framer(Protocol):
    """A decoder that cuts chunks into frames."""

    def feed(self, chunk: bytes) -> list[Any]:
        """Return the frames that a chunk completes."""
        ...

    def close(self) -> list[Any]:
        """Return the frames that the end of the stream completes."""
        ...


class _Held(Struct):
    """The first arguments of a call, which may turn out to be none; `bare` is without spaces."""

    bare: str = ""
    pieces: list[str] = []


class StreamDecoder(ABC):
    """Bytes of one stream, in chunks of any size -> canonical events, and the message so far.

    After an exception the stream is over; `message` still has what came before it. Calls without
    ids get some: from `ids`, or from a hash of what came before them and their first bytes. With
    `names`, which the encoding of the request has filled, they get their names from it.
    """

    RULES: ClassVar[Rules]
    CODEC: ClassVar[ResponseCodec]
    """The codec of the answers that are not streamed."""
    LAST: ClassVar[str] = "its last event"
    """What ends an answer on the wire, as an error names it."""
    ENDS_CALLS: ClassVar[bool] = True
    """Whether the wire says where a call ends.

    Where it does not, a call whose arguments are a whole object ends when another block begins, and
    any other with the answer: some servers send the pieces of several calls in turns.
    """
    FRAMER: ClassVar[Any]
    """The `Framer` of the wire; its argument is the most bytes in one frame."""

    _answer: dict[str, Any]
    """The keys of the answer so far, on each wire."""
    # Few streams set these. CPython makes an object of more than 30 attributes much more slowly.
    _order: int = 0
    """How many calls have waited for their name."""
    _call_prefix: str = ""
    _made_ids: int = 0
    """How many calls came without an id."""
    _late: dict[int, list[str]] | None = None
    """By block, the arguments of a call to which something came after its end."""
    _budget: int = 256 * 1024
    """How many bytes of what frames add up to may still be read before the end; less is a debt."""
    _is_owing: bool = False
    """Whether the last of that was put off to the end."""
    _failure: ProviderError | None = None
    _error: WireglotError | None = None
    """The exception that ended the stream; after it there is no answer.

    It is raised again without its traceback, which would grow with every call.
    """

    def __init__(
        self,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        max_frame: int = MAX_FRAME,
        ids: IdSource | None = None,
        names: ToolNames | None = None,
    ) -> None:
        self._dialect = self.RULES.dialect(dialect)
        self._losses = losses
        self._ids = ids
        self._names: ToolNames = {} if names is None else names
        self._to_client = RestoredEvents(self._names)
        self._held: dict[int, _Held] = {}
        """The arguments that are held back, by the block of their call."""
        self._none: dict[int, None] = {}
        """Those blocks whose arguments are none if no more come."""
        self._unbegun: dict[int, Any] = {}
        """The calls of which more of the name may come, by their `order`; see `_begin_calls`."""
        self._named: list[int] = []
        """Those of them that have a name, as a heap."""
        self._framer: Framer = self.FRAMER(max_frame)
        self._total = Accumulator()
        self._out: list[StreamEvent] = []
        self._pieces = self._total.pieces
        self._seen = 0
        self._is_started = False
        self._is_complete = False
        """Whether the wire has said how the answer ended."""
        self._is_over = False
        """Whether `StreamEnd` or `StreamFailure` has been sent."""

    def feed(self, chunk: bytes | bytearray | memoryview) -> list[StreamEvent]:
        """Return the events that `chunk` completes.

        Bytes after the end of the answer are ignored. An event of an unknown kind is an
        `OpaqueEvent`.

        Raises `StreamError` for an invalid frame, `LimitError` for one that is too large. If there
        are events before that frame, they are returned, and the next call raises. `TypeError` for
        a chunk that is not bytes.
        """
        if self._is_over:
            return self._nothing()
        try:
            frames = self._framer.feed(chunk if type(chunk) is bytes else _bytes_of(chunk))
        except WireglotError as error:
            self._break(error)
        if len(frames) != 1:
            events = self._take(frames)
        else:  # as in most chunks
            events = self._out = []
            try:
                self._frame(frames[0])
            except _BROKEN as error:
                self._break_at(0, error)
            self._seen += 1
        return self._to_client(events) if self._names else events

    def feed_event(self, event: Any) -> list[StreamEvent]:
        """Return the events of one event of the API's own SDK: its object, or a dict (boto3).

        The end of the SDK's stream is `finish`, or `close`.

        Raises `TypeError` for any other object, `EncodeError` for what JSON cannot express, and
        otherwise as `feed` does.
        """
        if self._is_over:
            return self._nothing()
        named_event = event_of(event, self.RULES.wire)
        if named_event is None:
            return []
        events = self._take([self._as_frame(*named_event)])
        return self._to_client(events) if self._names else events

    def _as_frame(self, name: str, data: bytes) -> Any:
        """Return a frame of the wire."""
        return name.encode(), data

    def finish(self) -> list[StreamEvent]:
        """Return the events that only the end of the bytes completes.

        `StreamEnd` is among them unless `feed` has returned it; on a wire without a final event
        (Gemini) it never comes from `feed`. A stream that ended with a provider's error has no more
        events.

        Raises `StreamError` if the stream was cut, at once: events that came last are then lost.
        """
        if self._is_over:
            return self._nothing()
        body = getattr(self._framer, "body", b"")
        if body:
            self._out = []
            try:
                self._on_body(bytes(body).lstrip(BEFORE))
            except _BROKEN as error:
                self._break(error)
            return self._to_client(self._out) if self._names else self._out
        try:
            frames = self._framer.close()
        except WireglotError as error:
            self._break(error)
        out = self._take(frames)
        if self._error is not None:
            return self._nothing()
        if not self._is_over:
            try:
                if not self._is_complete:
                    raise StreamError(self._cut(), wire=self.RULES.wire)
                self._done()
            except _BROKEN as error:
                self._break(error)
        return self._to_client(out) if self._names else out

    def close(self) -> Response:
        """Return the whole answer.

        Raises `StreamError` if the stream was cut, `ProviderError` if it ended with an error.
        """
        self.finish()
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        response = self._total.response
        return restored(response, self._names) if self._names else response

    @property
    def made(self) -> int:
        """How many events the last call has made, or the one that runs has made so far."""
        return len(self._out)

    @property
    def error(self) -> WireglotError | None:
        """The exception that has ended the stream, which the next call raises."""
        return self._error

    @property
    def message(self) -> AssistantMessage:
        """The message so far."""
        message = self._total.message
        return restored_message(message, self._names) if self._names else message

    @abstractmethod
    def _frame(self, frame: Any) -> None:
        """Send the events of one frame."""

    @abstractmethod
    def _response(self) -> Response:
        """Return the whole answer without its content; called once `_is_complete`."""

    def _nothing(self) -> list[StreamEvent]:
        """Return no events, after the end. If an error ended the stream, raise it again."""
        if self._error is not None:
            raise self._error.with_traceback(None)
        return []

    def _take(self, frames: list[Any]) -> list[StreamEvent]:
        """Return the events of frames up to an error; raise it now only if there are none."""
        out = self._out = []
        frame: Any = None
        try:
            for frame in frames:
                if self._is_over:
                    break
                self._frame(frame)
        except _BROKEN as error:
            self._break_at(next(i for i, other in enumerate(frames) if other is frame), error)
        self._seen += len(frames)
        return out

    def _break_at(self, number: int, error: Exception) -> None:
        """End the stream with an error in a frame; raise it now only if there are no events."""
        ended = self._ended_by(error, f"$[{self._seen + number}]")
        if not self._out:
            raise ended from ended.__cause__

    def _break(self, error: Exception) -> NoReturn:
        """End the stream with an error, and raise it."""
        self._out = []
        ended = self._ended_by(error)
        late, self._out = self._out, []  # in the message, and too late for an event
        for event in late:
            if type(event) is BlockEnd:
                self._leave_out(f"$.message.content[{event.index}]")
        raise ended from ended.__cause__

    def _ended_by(self, error: Exception, frame: str = "$") -> WireglotError:
        """End the stream with an error, and return it as it is told; `frame` is the path to it."""
        self._is_over = True
        self._revise_last()
        if isinstance(error, StreamError | LimitError):
            self._error = error
            return error
        ended: WireglotError
        if isinstance(error, RecursionError):
            ended = LimitError("nested too deeply", wire=self.RULES.wire)
        elif isinstance(error, WireglotError):
            path = frame + error.path[1:]
            ended = StreamError(error.reason, wire=self.RULES.wire, path=path)
        else:
            reason, below = located(error)
            ended = StreamError(reason, wire=self.RULES.wire, path=frame + below)
        ended.__cause__ = error
        self._error = ended
        return ended

    def _on_body(self, data: bytes) -> None:
        """Send the events of JSON that came in place of a stream: an error, or a whole answer."""
        try:
            response = self.CODEC.decode_response(
                data, dialect=self._dialect, losses=self._losses, ids=self._ids
            )
        except ProviderError as error:
            self._fail(error)
            return
        if self._is_started:
            self._bad("answer within a stream, expected an event")
        message = response.message
        begun = replace(message, content=[], stop_reason=None, raw_stop_reason=None)
        self._start(replace(response, message=begun, alternatives=None))
        for block in message.content:
            self._whole(block)
        if message.usage is not None:
            self._update(message.usage)
        self._end_answer(response)

    def _cut(self) -> str:
        """Return the reason for a stream without its end."""
        return f"the stream ended before the answer did, expected {self.LAST}"

    def _bad(self, reason: str, path: str = "") -> NoReturn:
        raise DecodeError(reason, wire=self.RULES.wire, path="$" + path)

    def _read(self, kind: Any, data: bytes) -> Decoded:
        """Decode a frame's JSON as `kind`; keys without a field are set aside (see `Body`)."""
        return read_text(kind, data, self.RULES.wire, self._losses)

    def _read_with(self, read: Callable[[Decoded], Any], kind: Any, data: bytes) -> Any:
        """Decode JSON that was assembled from the stream, and return the result of `read`."""
        body = read_text(kind, data, self.RULES.wire, self._losses)
        token = reading.set(source_of(body.data))
        try:
            return read(body)
        finally:
            reading.reset(token)

    def _answered(self, whole: dict[str, Any]) -> Response:
        """Read an answer whose JSON was assembled from the stream, as if it had come whole."""
        response: Response = self._read_with(self._read_answer, self.CODEC.body, encode(whole))
        return response

    def _is_affordable(self) -> bool:
        """Whether what frames add up to may be read now; else it is read at the end.

        Reading it again with each frame would cost the square of the stream, if it grows.
        """
        self._budget += _PAID
        if self._is_owing or self._budget < 0:
            self._is_owing = self._budget < 0
        return not self._is_owing

    def _assembled(self, whole: dict[str, Any]) -> bytes:
        """Return the JSON that frames add up to, and take it from the budget."""
        data = encode(whole)
        self._budget -= len(data)
        return data

    def _read_answer(self, body: Decoded) -> Response:
        return self.CODEC.read(body, self._dialect)

    # -- events --------------------------------------------------------------------------------

    def _send(self, event: StreamEvent) -> None:
        self._total.add(event)
        self._out.append(event)

    def _start(self, response: Response) -> None:
        """Send the start, with what is known of the answer, unless it has been sent."""
        if not self._is_started:
            self._is_started = True
            response.id = response.id or None
            self._send(StreamStart(response))

    def _opaque(self, data: bytes, name: bytes | str = "") -> None:
        """Send a frame of an unknown kind, or with such a delta, as it came."""
        name = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
        self._out.append(OpaqueEvent(self.RULES.api, RawJson(data), name or None))

    def _beside(self, keys: dict[str, Any], name: bytes | str = "") -> None:
        """Send the unknown keys of an event that is known, if any, before the event itself."""
        if keys:
            name = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
            self._out.append(OpaqueEvent(self.RULES.api, RawJson(encode(keys)), name or None, True))

    def _apart(
        self, keys: Mapping[str, Any], told: frozenset[str], name: bytes | str, inside: str = ""
    ) -> dict[str, Any]:
        """Return the keys of an event that the answer can have from it; send the others beside it.

        Those are the `told` ones, which the answer has from other events: they would be lost there.
        `inside` is the key of the event that has the object with the keys.
        """
        odd = {
            key: value
            for key, value in keys.items()
            if key in told and not is_null(value) and not self._is_known(key, value)
        }
        self._beside({inside: odd} if inside and odd else odd, name)
        return {key: value for key, value in keys.items() if key not in told}

    def _is_known(self, key: str, value: Any) -> bool:
        """Whether a value says nothing: it is empty, or the answer has the same one."""
        if type(value) is not Raw:
            return False
        if memoryview(value).nbytes == 2:
            return bytes(value) in (b"[]", b"{}", b'""')
        own = self._answer.get(key)
        return type(own) is Raw and own == value

    def _open(self, block: Content) -> int:
        """Begin a block; return its index."""
        if self._named:
            self._begin_calls()
        index = len(self._total.blocks)
        if self._none:
            for before in [*self._none]:
                self._settle(before)
                if not self.ENDS_CALLS:  # what follows must not stand behind `{}`
                    self._end_whole_call(before)
        if index and not self.ENDS_CALLS:
            self._end_whole_call(index - 1)
        if type(block) is ToolCallBlock and not block.id:
            block.id = f"{self._prefix(block)}{self._made_ids}"
            self._made_ids += 1
        self._send(BlockStart(index, block))
        return index

    def _wait(self, call: Any) -> None:
        """Let a call wait, which has an `order`.

        Services send names late or in pieces. So a call waits for its first arguments, for another
        block or for the end.
        """
        call.order = self._order
        self._order += 1
        self._unbegun[call.order] = call

    def _begin_calls(self, last: Any = None) -> None:
        """Begin the blocks of the calls that have a name and wait; only those up to `last`, if any.

        Each costs the same, however many wait.
        """
        named, self._named = self._named, []  # a block that begins begins no call
        while named and (last is None or named[0] <= last.order):
            self._begin_call(self._unbegun.pop(heappop(named)))
        self._named = named

    def _begin_call(self, call: Any) -> None:
        """Begin the block of one of `_unbegun`, on the wires that have such calls."""
        raise NotImplementedError  # only a wire that fills `_unbegun` comes here, and has its own

    def _begin_last_calls(self) -> None:
        """Begin the calls that wait, before the end; a call without a name is an error."""
        self._begin_calls()
        if self._unbegun:
            self._bad("call without a name, expected one")

    def _prefix(self, *known: Any) -> str:
        """Return the prefix of the ids of calls, which is made when the first call needs it."""
        if not self._call_prefix:
            so_far = replace(self._total.response, message=self._total.message)
            self._call_prefix = call_prefix(self._ids, so_far, *known)
        return self._call_prefix

    def _identified(self, index: int, block: Any) -> Any:
        """Return a whole block with the id that it began with, whatever came later."""
        begun = self._total.blocks[index]
        if type(block) is ToolCallBlock and type(begun) is ToolCallBlock:
            block.id = begun.id
        return block

    def _text(self, index: int, text: str) -> None:
        pieces = self._pieces[index]
        if pieces is None:
            self._bad("delta after the end of its block, expected none")
        pieces.append(text)
        self._out.append(TextDelta(index, text))

    def _thinking(self, index: int, text: str) -> None:
        pieces = self._pieces[index]
        if pieces is None:
            self._bad("delta after the end of its block, expected none")
        pieces.append(text)
        self._out.append(ThinkingDelta(index, text))

    def _arguments(self, index: int, text: str) -> None:
        """Add to a call's arguments.

        A first `{}` or `null`, in however many pieces, waits until the call ends or another block
        begins: some services send it before the arguments themselves, and it would stand in front
        of them.
        """
        pieces = self._pieces[index]
        if pieces is None:
            self._grow_ended(index, text)
            return
        if not pieces:
            text = self._first_arguments(index, text)
            if not text:
                return
        pieces.append(text)
        self._out.append(ArgumentsDelta(index, text))

    def _first_arguments(self, index: int, text: str) -> str:
        """Return a call's first arguments, without those that are held back or were none."""
        block = self._total.blocks[index]
        if type(block) is ToolCallBlock and block.tool_type == "custom":  # text of any kind
            return text
        backlog = self._held.get(index)
        before = backlog.bare if backlog is not None else ""
        if len(text) <= _LONGEST_NONE and (bare := before + text.translate(_SPACE)) in _MAY_BE_NONE:
            backlog = self._held.setdefault(index, _Held())
            backlog.bare = bare
            backlog.pieces.append(text)
            if bare in _NONE:
                self._none[index] = None
            else:
                self._none.pop(index, None)
            return ""
        if backlog is None:
            return text
        if before == "{" and text.lstrip()[:1] == "}":
            backlog.bare, text = "{}", text.lstrip()[1:]
        if backlog.bare in _NONE:
            self._unheld(index)
        else:
            self._release(index)
        return text

    def _unheld(self, index: int) -> _Held:
        """Take the arguments of a call that were held back."""
        self._none.pop(index, None)
        return self._held.pop(index)

    def _release(self, index: int) -> None:
        """Send the arguments that were held back."""
        for piece in filter(None, self._unheld(index).pieces):
            self._send(ArgumentsDelta(index, piece))

    def _settle(self, index: int) -> None:
        """Complete the arguments of a call that gets no more: none, or blank ones, are `{}`."""
        held = self._held.get(index)
        if held is not None:
            if held.bare in ("", "null"):
                self._unheld(index)
            else:
                self._release(index)
        if not any(self._pieces[index] or ()):
            self._send(ArgumentsDelta(index, "{}"))

    def _end_whole_call(self, index: int) -> None:
        """End a call whose arguments are a whole object, before another block begins.

        They are looked through only this once, so that the cost of a long call does not grow.
        """
        block, pieces = self._total.blocks[index], self._pieces[index]
        if pieces and type(block) is ToolCallBlock and block.tool_type != "custom":
            try:
                _object("".join(pieces))
            except (msgspec.DecodeError, UnicodeError, RecursionError):
                return
            self._close_block(index)

    def _grow_ended(self, index: int, text: str = "") -> None:
        """Take something that came for a call after its end, which is in `_revise_calls`.

        White space behind the arguments says nothing. What comes behind none replaces them.
        """
        if self.ENDS_CALLS:
            self._bad("delta after the end of its block, expected none")
        late = self._late = self._late or {}
        pieces = late.get(index)
        if pieces is None:
            if text and text.translate(_SPACE) in _NOTHING:
                return
            before: Any = self._total.blocks[index]
            known = before.arguments.text.decode()
            pieces = late[index] = [] if text and known.translate(_SPACE) in _NONE else [known]
        pieces.append(text)

    def _revise_calls(self) -> None:
        """End the calls again to which something came after their end."""
        late, self._late = self._late or {}, None
        for index, pieces in late.items():
            call = self._identified(index, self._call_again(index, "".join(pieces)))
            self._send(BlockEnd(index, call, True))

    def _revise_last(self) -> None:
        """End those calls again before an error, which counts more than their faults."""
        late = self._late or {}
        for index in late:
            self._late = {index: late[index]}
            try:
                self._revise_calls()
            except FAULTS:
                self._leave_out(f"$.message.content[{index}]")

    def _call_again(self, index: int, arguments: str) -> Content:
        """Return all of a call that has begun, on the wires that do not end calls."""
        raise NotImplementedError  # only a wire whose calls have no end comes here, and has its own

    def _cite(self, index: int, ref: AnnotationRef) -> None:
        self._send(CitationDelta(index, ref))

    def _end(self, index: int, block: Content | None = None, revised: bool = False) -> None:
        """End a block, as `block` if the deltas do not carry all of it. No arguments are `{}`."""
        pieces = self._pieces[index]
        if pieces is not None:
            if type(self._total.blocks[index]) is ToolCallBlock:
                self._settle(index)
            whole = self._total.block(index) if block is None else self._identified(index, block)
            self._send(BlockEnd(index, whole, revised))

    def _whole(self, block: Any) -> int:
        """Begin and end a block that arrived complete."""
        kind = type(block)
        if kind is ToolCallBlock and not block.id:
            self._prefix(block)  # while all of the call is known
        index = self._open(_begun(block))
        if kind is TextBlock and block.text:
            self._text(index, block.text)
        elif kind is ThinkingBlock and block.thinking:
            self._thinking(index, block.thinking)
        elif kind is ToolCallBlock:
            self._arguments(index, block.arguments.text.decode())
        self._end(index, block)
        return index

    def _update(self, usage: Usage) -> None:
        told = copy(usage)  # the answer has its own
        told.total_tokens = told.summed()
        self._send(UsageUpdate(told))

    def _done(self) -> None:
        """End the open blocks and the answer."""
        self._end_blocks()
        self._end_answer(self._response())

    def _end_blocks(self) -> None:
        """End the open blocks."""
        if self._unbegun:
            self._begin_last_calls()
        for index, pieces in enumerate(self._pieces):
            if pieces is not None:
                self._close_block(index)
        if self._late:
            self._revise_calls()

    def _end_answer(self, response: Response) -> None:
        """End the answer, whose content the events have told."""
        message = response.message
        message.content = self._total.content()
        if message.usage is not None:
            message.usage = copy(message.usage)  # the start may have told it
        if message.stop_reason is StopReason.STOP and message.tool_calls():
            message.stop_reason = StopReason.TOOL_USE
        response.id = response.id or None
        if response.alternatives:  # the calls of the message got their ids when they began
            named(response, self._ids, self._call_prefix)
        self._is_over = True
        self._send(StreamEnd(totalled(response)))

    def _close_block(self, index: int) -> None:
        """End a block that the wire has not ended itself."""
        self._end(index)

    def _fail(self, error: ProviderError) -> None:
        """Send what has waited, and the provider's error, which counts more."""
        before = len(self._out)
        self._revise_last()
        try:
            self._tell_rest()
        except FAULTS:  # it is malformed, or more than may be read
            self._leave_out("$")
        for event in self._out[before:]:
            if type(event) is BlockEnd or type(event) is CitationDelta:
                event.cut = True
        self._failure = error
        self._is_over = True
        self._send(StreamFailure.of(error))

    def _tell_rest(self) -> None:
        """Send what has waited for more of its block, or for the end, before an error.

        A text or a thought ends, as its end tells its signature and its other keys. A call stays
        open. What has no block is a loss: calls without a name, and further answers.
        """
        self._begin_calls()
        for index in [*self._held]:
            self._release(index)
        for index, pieces in enumerate(self._pieces):
            if pieces is not None and type(self._total.blocks[index]) is not ToolCallBlock:
                self._end_early(index)
        if self._unbegun:
            self._leave_out(f"$.message.content[{len(self._total.blocks)}]")
        if self._has_further():
            self._leave_out("$.alternatives")
        if self._is_owing:
            self._tell_counts()

    def _end_early(self, index: int) -> None:
        """End a block before an error, which counts more than its faults."""
        try:
            self._close_block(index)
        except FAULTS:
            self._leave_out(f"$.message.content[{index}]")

    def _tell_counts(self) -> None:
        """Send the counts that have come."""
        raise NotImplementedError  # only a wire that puts them off comes here, and has its own

    def _has_further(self) -> bool:
        """Whether something has come of an answer beside the first."""
        return False

    def _leave_out(self, path: str) -> None:
        """Report what came before an error and cannot be told."""
        if self._losses is not None:
            why = self.RULES.why("unfinished")
            lose(self._losses, self.RULES.wire, path, "unfinished", why)


def _bytes_of(chunk: Any) -> bytes:
    """Return a chunk of another type. `bytes` would make five zeros of 5."""
    if isinstance(chunk, bytes | bytearray | memoryview):
        return bytes(chunk)
    hint = "; `feed_event` takes the events of an SDK"
    if isinstance(chunk, str):
        hint = "; use those of the response as they come, or encode the text"
    raise TypeError(f"chunk of type `{type(chunk).__name__}`, expected bytes{hint}")


_NULL, _BRACE = b"n{"
"""The first bytes of null and of an object."""
_MERGED: Final = 3
"""How many levels of objects are put together: each is decoded once more."""


def grow(known: dict[str, Any], more: Mapping[str, Any], levels: int = _MERGED) -> None:
    """Add keys of a later frame to those of an object, and to those of the objects within.

    Of two values under one key the later counts, but for null: no key vanishes that came once. An
    object that has grown stays a dict, so that no frame costs more than the one before.
    """
    for key, value in more.items():
        so_far: Any = known.get(key)
        if so_far is not None and type(value) is Raw:
            if so_far == value:
                continue
            first = memoryview(value)[0]
            if first == _NULL:
                continue
            if levels and first == _BRACE:
                if type(so_far) is Raw and is_object(so_far):
                    so_far = known[key] = _object(so_far)
                if type(so_far) is dict:
                    grow(so_far, _object(value), levels - 1)
                    continue
        known[key] = value


def is_another(
    begun: tuple[str, str, bool], call_id: str, name: str, *, is_numbered: bool = True
) -> bool:
    """Whether a fragment begins another call than the one whose id, name and arguments it meets.

    `begun` says of that call whether it has arguments. Its id and its name may come late, and its
    name in pieces, as long as it has none; without a number such a piece is another call.
    """
    known_id, known_name, has_arguments = begun
    if call_id and known_id:
        return call_id != known_id
    if not name or not known_name:
        return False
    if call_id:
        return has_arguments or name != known_name
    return name != known_name if has_arguments else not is_numbered


def grown_name(known: str, more: str) -> str:
    """Return the name of a call after another fragment, which has more of it or repeats it."""
    return more if more.startswith(known) else known + more


def _begun(block: Any) -> Content:
    """Return a block as it is before its deltas."""
    made: Content = replace(block, **_NOTHING_YET.get(type(block), {}))
    return made


_NOTHING_YET: Final[Mapping[type, dict[str, Any]]] = {
    TextBlock: {"text": "", "annotations": None, "signature": None},
    ThinkingBlock: {"thinking": "", "signature": None, "details": None},
    ToolCallBlock: {"arguments": ""},
}
"""What deltas and the end of a block tell, by its type."""
