"""Stream events <-> the event stream of Mistral's chat completions.

Thoughts come as lists of parts, texts as strings. The API sends calls whole; fragments of them are
read too. Nothing says where one text ends and the next begins, so that two in a row become one.
"""

from __future__ import annotations

from heapq import heappush
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ..._body.decode import Decoded, slices_of
from ..._body.encode import encode_json as encode
from ..._body.objects import shallow, with_keys
from ...errors import DecodeError
from ...framing import sse
from ...model import (
    AssistantMessage,
    Content,
    OpaqueBlock,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from ...model.events import (
    BlockEnd,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from .._across.errors import json_object
from .._across.usage import usage_of
from .._codecs.framers import Events
from .._codecs.responses import ResponseCodec, says_error
from .._codecs.stream_decoder import StreamDecoder as _StreamDecoder
from .._codecs.stream_decoder import grow, grown_name, is_another
from .._codecs.stream_encoder import StreamEncoder as _StreamEncoder
from .._codecs.stream_encoder import json_string
from .._state.decoding import Decoding
from .._state.rules import Rules
from . import blocks, wire
from .errors import decode_error, encode_error
from .losses import RULES
from .response import (
    NO_ID,
    RESPONSES,
    ResponseWriter,
    answered_call,
    choice_keys,
    read_counts,
    stop,
)

# -- frames -> events --------------------------------------------------------------------------

_event = msgspec.json.Decoder(wire.Event).decode
_list = msgspec.json.Decoder(list[Raw]).decode
_string = msgspec.json.Decoder(str).decode
_NULL: Final = b"null"
_LAST: Final = b"[DONE]"
_NO_ARGUMENTS: Final[Any] = ""
_HEAD: Final = ("id", "created", "model")
_FAULTS: Final = ("error", "message", "detail")


class _Part(Struct):
    """An open text or thinking: its block index, its kind, and its keys other than the text."""

    index: int
    kind: str
    keys: dict[str, Any]


class _Call(Struct):
    """An open call: its block index, -1 until that has begun, and its JSON without the arguments.

    `pieces` are the arguments that came before its block has begun.
    """

    keys: dict[str, Any]
    function: dict[str, Any]
    index: int = -1
    is_object: bool = False
    order: int = -1
    pieces: list[str] = []

    @property
    def id(self) -> str:
        """The id that came with it so far."""
        return "" if self.keys["id"] in NO_ID else str(self.keys["id"])

    @property
    def name(self) -> str:
        """The name so far."""
        return str(self.function["name"])


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /v1/chat/completions` with `"stream": true` -> events.

    `[DONE]` ends it, or the end of the bytes once every candidate has a finish reason. A fragment
    of a call after that reason is an error. Further candidates send no events; they are
    `alternatives` in the end.
    """

    RULES: ClassVar[Rules] = RULES
    CODEC: ClassVar[ResponseCodec] = RESPONSES
    LAST: ClassVar[str] = "`finish_reason`"
    ENDS_CALLS: ClassVar[bool] = False
    FRAMER: ClassVar[Any] = Events

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._answer: dict[str, Any] = {}
        self._counts: dict[str, Any] | None = None
        self._choice: dict[str, Any] = {}
        self._message: dict[str, Any] = {}
        self._part: _Part | None = None
        self._takes_messages = False
        self._calls: dict[int, _Call] = {}
        self._numbers: dict[int | None, _Call] = {}
        self._others: dict[int, StreamDecoder] = {}
        self._unfinished = {0}
        """The numbers of the candidates whose end has not come."""

    def _frame(self, frame: sse.Event) -> None:
        name, data = frame
        if data == _LAST:
            self._on_last()
            return
        try:
            event = _event(data)
            body = None
        except msgspec.DecodeError:
            body = self._odd(name, data)
            if body is None:
                return
            event = body.root
        part = self._part
        if part is not None and len(event.choices) == 1 and body is None:
            choice = event.choices[0]
            delta = choice.delta
            if (  # most chunks: more of the open text or thinking, and nothing beside it
                choice.index == 0
                and delta is not None
                and choice.finish_reason is None
                and delta.tool_calls is None
                and choice.logprobs is None
                and choice.prompt_logprobs is None
                and event.usage is None
            ):
                content = delta.content
                if part.kind == "text" and type(content) is str:
                    if content:
                        self._text(part.index, content)
                    return
                if part.kind == "thinking" and (thought := _thought(content)):
                    self._keep(event)
                    self._thinking(part.index, thought)
                    return
        body = body or Decoded(event, data)
        with slices_of(data):
            self._on_event(event, Decoding(RULES, body, self._dialect))

    def _odd(self, name: bytes, data: bytes) -> Decoded | None:
        """Return a frame with unknown keys; None for one that is not part of the answer.

        A frame that holds an error ends the stream with a failure event.
        """
        try:
            return self._read(wire.Event, data)
        except DecodeError:
            keys = json_object(data)
            if keys is None or "choices" in keys:
                raise
            if name == b"error" or keys.get("object") == "error" or _is_fault(keys):
                self._fail(decode_error(data))
            elif keys:
                self._opaque(data, name)
            return None

    # -- events --------------------------------------------------------------------------------

    def _keep(self, event: wire.Event) -> None:
        """Add what a chunk tells of the whole answer."""
        for key in _HEAD:
            value = getattr(event, key)
            if value is not None and bytes(value) != _NULL:
                self._answer[key] = value

    def _on_event(self, event: wire.Event, decoding: Decoding) -> None:
        self._keep(event)
        if decoding.body.unknown:
            keys = decoding.body.unknown.get(id(event), {})
            if says_error(keys):
                self._fail(decode_error(decoding.body.data))
                return
            grow(self._answer, keys)
        if not self._is_started:
            self._start(self._response())
        for choice in event.choices:
            number = choice.index or 0
            one = self if number == 0 else self._other(number)
            one._on_choice(choice, decoding)
            if choice.finish_reason is not None:
                self._unfinished.discard(number)
        if event.choices:
            self._is_complete = not self._unfinished
        if event.usage is not None:
            self._counts = self._counts or {}
            grow(self._counts, event.usage)
            if self._is_affordable():
                self._tell_counts()

    def _tell_counts(self) -> None:
        said = Raw(self._assembled(self._counts or {}))
        self._update(usage_of(said, wire.API, wire.Usage, read_counts) or Usage())

    def _other(self, number: int) -> StreamDecoder:
        """Return the decoder of a further candidate; its events are discarded."""
        other = self._others.get(number)
        if other is None:
            other = self._others[number] = StreamDecoder(dialect=self._dialect)
            self._unfinished.add(number)
            other._call_prefix = f"{self._prefix()}{number}_"
        other._out = []
        return other

    def _on_choice(self, choice: wire.ChoiceDelta, decoding: Decoding) -> None:
        unknown, delta = decoding.body.unknown, choice.delta
        if unknown:
            keys = unknown.get(id(choice), {})
            whole = bytes(keys.get("message", _NULL))
            if whole != _NULL and self._is_in_place(delta):
                body = self._read(wire.Delta, whole)
                delta, unknown = body.root, unknown | body.unknown
                self._takes_messages = self._takes_messages or _has_piece(delta)
                keys = {key: value for key, value in keys.items() if key != "message"}
            elif whole != _NULL:  # which the deltas tell
                self._beside({"choices": [{"message": keys["message"]}]})
            grow(self._choice, keys)
        for key in ("logprobs", "prompt_logprobs"):
            given = getattr(choice, key)
            if given is not None:
                _join(self._choice.setdefault(key, {}), given)
        if delta is not None:
            if unknown:
                grow(self._message, unknown.get(id(delta), {}))
            content = delta.content
            if type(content) is str:
                self._on_text(content)
            else:
                for piece in content or ():
                    self._on_part(piece, decoding)
            for call in delta.tool_calls or ():
                self._on_call(call, unknown)
        if choice.finish_reason is not None:
            self._choice["finish_reason"] = choice.finish_reason
            self._shut()
            self._begin_last_calls()
            for index in self._calls:
                if self._pieces[index] is not None:
                    self._close_block(index)
            self._revise_calls()
            self._calls.clear()

    def _is_in_place(self, delta: wire.Delta | None) -> bool:
        """Whether a message that came is a piece of the answer, and does not repeat it."""
        is_first = self._takes_messages or not self._total.blocks
        return is_first and (delta is None or not _has_piece(delta))

    def _on_last(self) -> None:
        if not self._is_complete:
            self._bad(self._cut())
        self._done()

    # -- parts ---------------------------------------------------------------------------------

    def _on_text(self, text: str) -> None:
        if text:
            self._text(self._grow("text", TextBlock("")).index, text)

    def _on_part(self, piece: Any, decoding: Decoding) -> None:
        kind = type(piece)
        if kind is wire.Text:
            keys: dict[str, Any] = dict(decoding.body.unknown.get(id(piece), {}))
            if keys:
                grow(self._grow("text", TextBlock("")).keys, keys)
            self._on_text(piece.text)
            return
        block: Any = blocks.content([piece], decoding)[0]
        if type(block) is not ThinkingBlock:
            self._shut()
            self._whole(block)
            return
        keys = dict(decoding.body.unknown.get(id(piece), {}))
        if piece.signature is not None:
            keys["signature"] = piece.signature
        if piece.closed is not None:
            keys["closed"] = piece.closed
        is_open = self._part is not None and self._part.kind == "thinking"
        if block.thinking or "signature" in keys or (keys and is_open):
            is_open = True
            part = self._grow("thinking", ThinkingBlock(""))
            grow(part.keys, keys)
            if block.thinking:
                self._thinking(part.index, block.thinking)
        if piece.closed and is_open:
            self._shut()

    def _grow(self, kind: str, block: Content) -> _Part:
        """Return the open part of this kind; if there is none, end the other kind and begin one."""
        part = self._part
        if part is None or part.kind != kind:
            self._shut()
            part = self._part = _Part(self._open(block), kind, {})
        return part

    def _shut(self) -> None:
        """End the open text or thinking."""
        part = self._part
        self._part = None
        if part is None:
            return
        if not part.keys:
            self._end(part.index)
            return
        so_far: Any = self._total.block(part.index)
        text = so_far.text if part.kind == "text" else so_far.thinking
        piece: dict[str, Any] = {"type": "text", "text": text}
        if part.kind == "thinking":
            piece = {"type": "thinking", "thinking": [piece] if text else []}
        block = self._read_with(
            lambda body: blocks.content(body.root, Decoding(RULES, body, self._dialect))[0],
            list[wire.Part],
            encode([{**piece, **part.keys}]),
        )
        self._end(part.index, block)

    # -- calls ---------------------------------------------------------------------------------

    def _on_call(self, delta: wire.CallDelta, unknown: dict[int, dict[str, Raw]]) -> None:
        function = delta.function or wire.FunctionDelta()
        call = self._continued(delta, function)
        if call is None:
            self._shut()
            call = _Call({"id": delta.id}, {"name": function.name or ""})
            self._wait(call)
            if function.name:
                heappush(self._named, call.order)
            self._numbers[delta.index] = call
        else:
            if not call.id and delta.id not in NO_ID:
                call.keys["id"] = delta.id
            if function.name and call.index < 0 and not (call.pieces and call.name):
                if not call.name:
                    heappush(self._named, call.order)
                call.function["name"] = grown_name(call.name, function.name)
        if delta.type is not None:
            call.keys["type"] = delta.type
        beside, inner = unknown.get(id(delta), {}), unknown.get(id(function), {})
        grow(call.keys, beside)
        grow(call.function, inner)
        if call.index >= 0 and self._pieces[call.index] is None and (_says(beside) or _says(inner)):
            self._grow_ended(call.index)
        raw = function.arguments
        text = "" if raw is None or bytes(raw) == _NULL else self._argument(call, raw)
        if call.index >= 0:
            if text:
                self._arguments(call.index, text)
            return
        if text:
            call.pieces.append(text)
        if call.pieces and call.name:
            self._begin_calls(call)

    def _begin_call(self, call: _Call) -> None:
        call.index = self._open(ToolCallBlock(call.id, call.name, _NO_ARGUMENTS))
        self._calls[call.index] = call
        for text in call.pieces:
            self._arguments(call.index, text)

    def _argument(self, call: _Call, raw: Raw) -> str:
        """Return the text of a piece of arguments, or of an object that has them all."""
        first = bytes(memoryview(raw)[:1])
        if first == b'"':
            text: str = _string(raw)
            return text
        if first == b"{":
            call.is_object = True
            return bytes(raw).decode()
        self._bad("expected `str` or `object`", ".choices[0].delta.tool_calls")

    def _continued(self, delta: wire.CallDelta, function: wire.FunctionDelta) -> _Call | None:
        """Return the call that a delta continues, None if the delta begins one.

        A new id begins a call, whatever its `index`. Without an id, a name begins one, unless it is
        the name of the open call, or a piece of that (see `is_another`).
        """
        known = self._numbers.get(delta.index)
        if known is None and delta.index is None:
            if self._unbegun:
                known = self._unbegun[next(reversed(self._unbegun))]
            elif self._calls:
                known = self._calls[next(reversed(self._calls))]
        if known is None:
            return None
        call_id = "" if delta.id in NO_ID else str(delta.id)
        has_arguments = known.index >= 0 or bool(known.pieces)
        if has_arguments and not call_id and function.name and known.name:
            return None
        begun = (known.id, known.name, has_arguments)
        numbered = delta.index is not None
        is_new = is_another(begun, call_id, function.name or "", is_numbered=numbered)
        return None if is_new else known

    def _close_block(self, index: int) -> None:
        if index not in self._calls:
            self._shut()
            return
        self._settle(index)
        so_far: Any = self._total.block(index)
        self._end(index, self._call_again(index, so_far.arguments.text.decode()))

    def _grow_ended(self, index: int, text: str = "") -> None:
        if index not in self._calls:
            self._bad("delta after the end of its block, expected none")
        super()._grow_ended(index, text)

    def _call_again(self, index: int, arguments: str) -> Content:
        call = self._calls[index]
        given: Any = Raw(arguments.encode()) if call.is_object else arguments
        whole = {**call.keys, "function": {**call.function, "arguments": given}}
        block: Content = self._read_with(
            lambda body: answered_call(body.root, Decoding(RULES, body, self._dialect)),
            wire.ToolCall,
            encode(whole),
        )
        return block

    # -- the answer ----------------------------------------------------------------------------

    def _whole_choice(self, index: int) -> dict[str, Any]:
        said = {"role": "assistant", "content": "", **self._message}
        return {**self._choice, "index": index, "message": said}

    def _response(self) -> Response:
        others = [self._others[number] for number in sorted(self._others)]
        everyone = (self, *others)
        whole = {
            **self._answer,
            "choices": [one._whole_choice(index) for index, one in enumerate(everyone)],
            "usage": self._counts,
        }
        response = self._answered(whole)
        messages = (response.message, *(response.alternatives or ()))
        for one, message in zip(everyone, messages, strict=True):
            content = one._total.content()
            message.stop_reason = stop(message.raw_stop_reason, content)
            if one is not self:
                message.content = content
        return response

    def _has_further(self) -> bool:
        return any(other._total.blocks or other._unbegun for other in self._others.values())

    def _done(self) -> None:
        for other in self._others.values():
            other._begin_last_calls()
            for index, pieces in enumerate(other._total.pieces):
                if pieces is not None:
                    other._close_block(index)
        super()._done()


def _says(keys: dict[str, Raw]) -> bool:
    return any(bytes(value) != _NULL for value in keys.values())


def _has_piece(delta: wire.Delta) -> bool:
    return bool(delta.content or delta.tool_calls)


def _thought(content: wire.Content) -> str | None:
    """Return the text of content that is one piece of thinking, and no more; None for any other."""
    if type(content) is not list or len(content) != 1:
        return None
    piece: Any = content[0]
    if type(piece) is not wire.Thinking or len(piece.thinking) != 1:
        return None
    text: Any = piece.thinking[0]
    is_more = piece.signature is not None or piece.closed is not None
    return text.text if type(text) is wire.Text and not is_more else None


def _is_fault(keys: dict[str, Any]) -> bool:
    return any(keys.get(key) for key in _FAULTS)


def _join(known: dict[str, Any], more: dict[str, Any]) -> None:
    """Add the log probabilities of a delta: lists are concatenated."""
    for key, value in more.items():
        if bytes(memoryview(value)[:1]) == b"[":
            so_far = known.get(key)
            if type(so_far) is not list:
                so_far = known[key] = []
            so_far += _list(value)
        else:
            grow(known, {key: value})


# -- events -> frames --------------------------------------------------------------------------

_KIND: Final = "chat.completion.chunk"
_SENT: Final = 2  # the number of keys that deltas have sent already: the type, and the text
_THINKING: Final = b'[{"type":"thinking","thinking":[{"type":"text","text":'
_DONE: Final = b"data: [DONE]\n\n"


class StreamEncoder(_StreamEncoder):
    """Events -> the stream of `POST /v1/chat/completions`.

    All calls are written whole in one delta, that with the finish reason, as the API sends them:
    some clients number them by their place in the delta.
    """

    RULES: ClassVar[Rules] = RULES
    WRITER: ClassVar[Any] = ResponseWriter
    FINAL: ClassVar[frozenset[type]] = frozenset({OpaqueBlock, TextBlock, ThinkingBlock})
    ERROR_KEYS: ClassVar[tuple[str, ...]] = _FAULTS
    _answer: ResponseWriter

    def _use(self, response: Response) -> None:
        """Prepare what all chunks of the answer have in common."""
        super()._use(response)
        self._message = response.message
        self._calls: list[Any] = []
        self._numbers: dict[int, int] = {}
        """By block, the number of a call that has ended; the last chunk has them all."""
        self._told: set[int] = set()
        self._head = self._answer.head(_KIND)
        frame = self._frame({"content": Raw(b"@")}).replace(b"%", b"%%")
        before, _, after = frame.rpartition(b"@")
        self._text = b"%b%%b%b" % (before, after)
        self._thought = b"%b%b%%b%b%b" % (before, _THINKING, b"}]}]", after)

    def _frame(
        self,
        delta: Any,
        index: int = 0,
        word: str | None = None,
        more: Any = None,
        tail: Any = None,
    ) -> bytes:
        choice: dict[str, Any] = {"index": index, "delta": delta, "finish_reason": word}
        if more:
            choice = with_keys(choice, more)
        return sse.encode(encode({**self._head, "choices": [choice], **(tail or {})}))

    def _on_start(self, event: StreamStart) -> bytes:
        return self._frame({"role": "assistant", "content": ""})

    def _on_text(self, event: TextDelta) -> bytes:
        return self._text % json_string(event.text)

    def _on_thinking(self, event: ThinkingDelta) -> bytes:
        self._told.add(event.index)
        return self._thought % json_string(event.text)

    def _on_block_end(self, event: BlockEnd) -> bytes:
        block = event.block
        if type(block) is ToolCallBlock:
            self._numbers[event.index] = number = len(self._calls)
            self._calls.append(self._answer.call(block, self._message, number))
            return b""
        part = self._answer.part(block, self._message)
        key = "text" if type(block) is TextBlock else "thinking"
        if part is not None and (key == "text" or event.index in self._told):
            part = {**shallow(part), key: "" if key == "text" else []}
            if len(part) == _SENT:
                return b""
        return self._part(part, 0)

    def _end_again(self, event: BlockEnd) -> bool:
        number = self._numbers.get(event.index)
        if number is None or type(event.block) is not ToolCallBlock:
            return False
        self._calls[number] = self._answer.call(event.block, self._message, number)
        return True

    def _part(self, part: Any, index: int) -> bytes:
        """Return the frame of a part; a text without unknown keys becomes a string."""
        if part is None:
            return b""
        return self._frame({"content": part.text if type(part) is wire.Text else [part]}, index)

    def _on_end(self, event: StreamEnd) -> bytes:
        response = event.response
        writer = ResponseWriter(response, self._losses, self._dialect, self._ids)
        if writer.is_own() or not self._message.model:  # else all frames have the same head
            self._head = writer.head(_KIND)
        own, choices = writer.own_keys()
        out = b"".join(
            self._candidate(writer, index, message, choice_keys(choices, index))
            for index, message in enumerate(response.alternatives or (), 1)
        )
        delta = writer.with_own(_last_delta(self._calls), response.message)
        word = writer.stop_word(response.message)
        tail = {**own, "usage": writer.usage()}
        return out + self._frame(delta, 0, word, choice_keys(choices, 0), tail) + _DONE

    def _candidate(
        self, writer: ResponseWriter, index: int, message: AssistantMessage, keys: dict[str, Raw]
    ) -> bytes:
        """Return the frames of a further candidate."""
        out = [self._frame({"role": "assistant", "content": ""}, index)]
        calls: list[Any] = []
        for block in message.content:
            if type(block) is ToolCallBlock:
                calls.append(writer.call(block, message, len(calls)))
                continue
            out.append(self._part(writer.part(block, message), index))
        delta = writer.with_own(_last_delta(calls), message)
        word = writer.stop_word(message)
        out.append(self._frame(delta, index, word, keys))
        return b"".join(out)

    def _rest(self) -> bytes:
        return self._frame(_last_delta(self._calls)) if self._calls else b""

    def _on_failure(self, event: StreamFailure) -> bytes:
        return sse.encode(encode_error(self._error(event)), b"error")


def _last_delta(calls: list[Any]) -> dict[str, Any]:
    return {"content": "", "tool_calls": calls} if calls else {"content": ""}
