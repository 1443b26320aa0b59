"""Stream events <-> the chunks of Chat Completions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from heapq import heappush
from itertools import accumulate, chain
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ..._body.decode import Decoded
from ..._body.encode import encode_json as encode
from ..._body.faults import FAULTS
from ...framing import sse
from ...losses import Losses, lose
from ...model import (
    AnnotationRef,
    Arguments,
    AssistantMessage,
    AudioBlock,
    Content,
    IdSource,
    ImageBlock,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from ...model.events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    CitationDelta,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from .._across.citations import lose_others
from .._across.usage import usage_of
from .._codecs.framers import Events
from .._codecs.responses import ResponseCodec, says_error
from .._codecs.simple import is_bare
from .._codecs.stream_decoder import StreamDecoder as _StreamDecoder
from .._codecs.stream_decoder import grow, grown_name, is_another
from .._codecs.stream_encoder import StreamEncoder as _StreamEncoder
from .._codecs.stream_encoder import json_string
from .._state.decoding import Decoding
from .._state.rules import Rules
from . import wire
from .blocks import DETAILS, BlockReader, Draft
from .dialects import SERVICES
from .errors import decode_error, encode_error
from .losses import RULES
from .partial import TEXTS, Choice, Part, images_apart, longer
from .response import RESPONSES, ResponseWriter, read_counts, with_cached

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_DONE: Final = b"[DONE]"

# -- chunks -> events ----------------------------------------------------------------------------

_chunk = msgspec.json.Decoder(wire.Chunk).decode
_NULL: Final = Raw(b"null")
_NOTHING: Final = wire.FunctionDelta()
_FIRST: Final = ("id", "created", "model")
_BESIDE_CALLS: Final = ("more", "inner")
"""Under these a call keeps what its end tells."""


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /v1/chat/completions` with `"stream": true` -> events.

    `[DONE]` ends it, or the end of the bytes once every choice has a finish reason. A block ends
    where another begins, but a call stays open until the end if its arguments are not whole.
    Another id under the same `index` begins another call. Further choices send no events; they are
    `alternatives` in the end.
    """

    RULES: ClassVar[Rules] = RULES
    CODEC: ClassVar[ResponseCodec] = RESPONSES
    LAST: ClassVar[str] = "`finish_reason`"
    ENDS_CALLS: ClassVar[bool] = False
    FRAMER: ClassVar[Any] = Events

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._blocks = BlockReader(Decoding(RULES, Decoded(None, b""), self._dialect))
        self._answer: dict[str, Any] = {}
        self._has_head = False  # whether the keys of the first chunk are known
        self._usage: Any = None
        self._counts: Usage | None = None  # those of `_usage`, if they have been sent
        self._choices: dict[int, Choice] = {}
        self._unfinished: set[int] = set()
        """The choices without a finish reason."""
        self._first: Choice | None = None

    def _frame(self, frame: sse.Event) -> None:
        data = frame[1]
        unknown: dict[int, dict[str, Raw]] = {}
        try:
            chunk = _chunk(data)
        except msgspec.DecodeError:
            if data.strip() in (b"", _DONE):
                self._on_done(data)
                return
            body = self._read(wire.Chunk, data)
            chunk, unknown = body.root, body.unknown
            keys = unknown.get(id(chunk), {})
            if says_error(keys):
                self._fail(decode_error(data))
                return
        first = self._first
        choices = chunk.choices
        if first is not None and not unknown and choices is not None and len(choices) == 1:
            choice = choices[0]
            delta = choice.delta
            if (  # most chunks: more of the first choice, and nothing beside it
                delta is not None
                and not choice.index
                and choice.finish_reason is None
                and choice.native_finish_reason is None
                and choice.logprobs is None
                and chunk.usage is None
                and not choice.content_filter_results
                and (choice.message is None or (first.parts and not first.takes_messages))
            ):
                now = first.now
                if (
                    now is not None
                    and now.kind == "content"
                    and delta.content
                    and delta.reasoning is None
                    and delta.reasoning_content is None
                    and delta.reasoning_text is None
                    and delta.tool_calls is None
                    and delta.refusal is None
                    and delta.annotations is None
                    and delta.function_call is None
                    and delta.audio is None
                    and delta.reasoning_details is None
                    and delta.name is None
                ):
                    self._text(now.index, delta.content)
                else:
                    self._keep(chunk)
                    self._on_delta(first, delta, unknown)
                return
        beside = unknown.get(id(chunk), {})
        stopped = _stopped(beside["x_groq"]) if "x_groq" in beside else None
        if choices is None and chunk.usage is None and stopped is None:  # an event of another kind
            if beside:
                self._opaque(data, frame[0])
            return
        self._on_chunk(chunk, unknown, data)
        if stopped is not None:
            self._fail(decode_error(encode({"error": stopped})))

    def _on_done(self, data: bytes) -> None:
        if data.strip() == _DONE and self._choices:
            self._is_complete = True
            self._done()

    def _keep(self, chunk: wire.Chunk) -> None:
        """Add what a chunk tells of the whole answer."""
        answer = self._answer
        if not self._has_head:
            for key in _FIRST:
                value = getattr(chunk, key)
                if value is not None and not answer.get(key):
                    answer[key] = value
            self._has_head = all(map(answer.get, _FIRST))
        if chunk.service_tier is not None:
            answer["service_tier"] = chunk.service_tier
        if chunk.system_fingerprint is not None:
            answer["system_fingerprint"] = chunk.system_fingerprint
        if chunk.provider is not None:
            answer["provider"] = chunk.provider

    def _on_chunk(self, chunk: wire.Chunk, unknown: dict[int, dict[str, Raw]], data: bytes) -> None:
        self._keep(chunk)
        if unknown:
            grow(self._answer, _said(unknown.get(id(chunk), {})))
        if chunk.choices and not self._is_started:
            self._start(self._begun())
        for choice in chunk.choices or ():
            if unknown and says_error(unknown.get(id(choice), {})):
                self._fail(decode_error(data))
                return
            self._on_choice(choice, unknown)
        usage = chunk.usage
        if usage is None and unknown and (groq := unknown.get(id(chunk), {}).get("x_groq")):
            usage = _inner(groq, "usage")
        if usage is not None and usage != self._usage:
            self._usage = usage
            if self._first is not None:
                counts = usage_of(Raw(encode(usage)), wire.API, wire.Usage, read_counts) or Usage()
                self._counts = with_cached(counts, self._answer.get("timings"))
                self._update(self._counts)

    def _begun(self) -> Response:
        """Return the answer as far as the first chunk describes it."""
        choice = {"index": 0, "message": {"role": "assistant"}}
        return self._answered(self._answer | {"choices": [choice]})

    # -- choices -------------------------------------------------------------------------------

    def _on_choice(self, choice: wire.ChoiceDelta, unknown: dict[int, dict[str, Raw]]) -> None:
        number = choice.index or 0
        if number < 0:
            self._bad("choice of a negative number, expected 0 or more", ".choices")
        state = self._choices.get(number)
        if state is None:
            state = self._choices[number] = Choice()
            self._unfinished.add(number)
            if number == 0:
                self._first = state
        if unknown:
            grow(state.keys, _said(unknown.get(id(choice), {})))
        if choice.native_finish_reason is not None:
            state.keys["native_finish_reason"] = choice.native_finish_reason
        if choice.content_filter_results:
            state.keys["content_filter_results"] = choice.content_filter_results
        if choice.logprobs is not None:
            state.logprobs = longer(state.logprobs, choice.logprobs)
        delta = choice.delta
        is_first = state.takes_messages or not state.parts
        if choice.message is not None and is_first and (delta is None or not _says(delta)):
            body = self._read(wire.Delta, bytes(choice.message))
            delta, unknown = body.root, unknown | body.unknown
            state.takes_messages = state.takes_messages or _says(delta)
        if delta is not None:
            if unknown:
                keys = _said(unknown.get(id(delta), {}))
                state.images += images_apart(keys)
                grow(state.message, keys)
            self._on_delta(state, delta, unknown)
        if choice.finish_reason is not None:
            state.keys["finish_reason"] = choice.finish_reason
            self._unfinished.discard(number)
            self._is_complete = not self._unfinished

    def _on_delta(
        self, state: Choice, delta: wire.Delta, unknown: dict[int, dict[str, Raw]]
    ) -> None:
        if delta.name is not None:
            state.message["name"] = delta.name
        thought, other = delta.reasoning, delta.reasoning_content
        for detail in delta.reasoning_details or ():
            self._on_detail(state, detail, unknown)
        if state.is_told:
            self._on_told(state, thought, other)
        elif thought and thought == other:
            self._say(state, "reasoning both", thought)
        else:
            if thought is not None:
                self._say(state, "reasoning", thought)
            if other is not None:
                self._say(state, "reasoning_content", other)
        if delta.reasoning_text is not None:
            self._say(state, "reasoning_text", delta.reasoning_text)
        if delta.content is not None:
            self._say(state, "content", delta.content)
        if delta.refusal is not None:
            self._say(state, "refusal", delta.refusal)
        if delta.annotations is not None:
            state.annotations = state.annotations or []
            state.annotations += delta.annotations
        if delta.audio is not None:
            self._on_voice(state, delta.audio, unknown)
        if delta.function_call is not None:
            self._on_function_call(state, delta.function_call, unknown)
        for call in delta.tool_calls or ():
            self._on_call(state, call, unknown)

    def _say(self, state: Choice, kind: str, text: str) -> None:
        """Add to the text of a kind; its part begins with the first character."""
        if not text:
            if kind != "refusal":
                state.empty[kind] = None
            return
        now = state.now
        if now is None or now.kind != kind:
            now = self._part(state, kind, self._block(kind))
        self._more(state, now, text)

    def _block(self, kind: str) -> Content:
        """Return an empty block of text or thinking."""
        if kind == "content":
            return TextBlock("")
        if kind == "refusal":
            return TextBlock("", extras=self._blocks.came_as("refusal"))
        keys = ("reasoning", "reasoning_content") if kind == "reasoning both" else (kind,)
        return self._blocks.thought("", *keys)

    def _part(
        self, state: Choice, kind: str, block: Content, keys: dict[str, Any] | None = None
    ) -> Part:
        """Begin a part, and end the text or thinking that is open."""
        index = -1
        pieces: list[str] | None = []
        if state is self._first:
            self._stop(state)
            index = self._open(block)
            pieces = self._total.pieces[index]
        assert pieces is not None
        part = Part(kind, index, pieces, keys or {})
        state.parts.append(part)
        state.by_index[index] = part
        state.now = part
        return part

    def _more(self, state: Choice, part: Part, text: str) -> None:
        if state is not self._first:
            part.pieces.append(text)
        elif part.kind == "content" or part.kind == "refusal":
            self._text(part.index, text)
        elif part.kind == "call" or part.kind == "function_call":
            self._arguments(part.index, text)
        else:
            self._thinking(part.index, text)

    def _stop(self, state: Choice) -> None:
        """End the text or thinking that is open."""
        now, state.now = state.now, None
        if now is not None and state is self._first:
            self._close_block(now.index)

    def _on_detail(
        self, state: Choice, detail: wire.DetailDelta, unknown: dict[int, dict[str, Raw]]
    ) -> None:
        now = state.now
        if (
            now is None
            or now.kind != "detail"
            or now.keys["type"] != detail.type
            or (now.keys.get("index") != detail.index and detail.index is not None)
        ):
            keys = {"type": detail.type}
            block: Any = self._blocks.detail(_detail_of(detail))
            now = self._part(state, "detail", block, keys)
        for key in ("index", "id", "format", "signature"):
            value = getattr(detail, key)
            if value is not None:
                now.keys[key] = value
        for key in ("text", "summary", "data"):
            text = getattr(detail, key)
            if text is None:
                continue
            if TEXTS.get(detail.type) == key:
                now.keys.setdefault(key, "")
                if text:
                    self._more(state, now, text)
                    state.is_told = True
            else:
                now.keys.setdefault(key, []).append(text)
        grow(now.keys, _said(unknown.get(id(detail), {})))

    def _on_told(self, state: Choice, thought: str | None, other: str | None) -> None:
        """Keep reasoning text that repeats the details, without an event."""
        for key, text in (("reasoning", thought), ("reasoning_content", other)):
            if text is not None:
                state.told.setdefault(key, []).append(text)

    def _on_voice(
        self, state: Choice, voice: wire.VoiceDelta, unknown: dict[int, dict[str, Raw]]
    ) -> None:
        grow(state.voice, _said(unknown.get(id(voice), {})))
        if voice.id is not None:
            state.voice["id"] = voice.id
        if voice.expires_at is not None:
            state.voice["expires_at"] = voice.expires_at
        if voice.transcript is not None:
            state.voice.setdefault("transcript", []).append(voice.transcript)
        if voice.data is not None:
            state.voice.setdefault("data", []).append(voice.data)

    def _on_function_call(
        self, state: Choice, call: wire.FunctionDelta, unknown: dict[int, dict[str, Raw]]
    ) -> None:
        part = state.legacy
        more = _said(unknown.get(id(call), {}))
        if part is None and not (call.name or call.arguments or more):  # it says nothing
            return
        if part is None or (
            call.name
            and is_another(("", part.name, part.is_begun or bool(part.pieces)), "", call.name)
        ):
            part = state.legacy = Part("function_call", -1, [], {"name": ""})
            self._wait_for(state, part)
        if call.name and not (part.is_begun or (part.pieces and part.name)):
            self._grow_name(part, call.name)
        grow(part.keys.setdefault("inner", {}), more)
        self._grow_call(state, part, call.arguments)

    def _grow_name(self, part: Part, name: str) -> None:
        if not part.name and part.order >= 0:
            heappush(self._named, part.order)
        part.keys["name"] = grown_name(part.name, name)

    def _grow_call(self, state: Choice, part: Part, text: str | None) -> None:
        """Add to the arguments of a call; its block begins with the first of them and a name."""
        if part.is_begun:
            if text:
                self._more(state, part, text)
            return
        if text:
            part.pieces.append(text)
        if state is self._first and part.pieces and part.name:
            self._begin_calls(part)

    def _on_call(
        self, state: Choice, call: wire.CallDelta, unknown: dict[int, dict[str, Raw]]
    ) -> None:
        number = call.index if call.index is not None else state.last_call or 0
        part = state.calls.get(number)
        function = call.function or call.custom or _NOTHING
        if (  # most fragments: more arguments of a call that has begun
            part is not None
            and part.is_begun
            and type(function) is wire.FunctionDelta
            and not call.id
            and not function.name
            and call.extra_content is None
            and not unknown
        ):
            if function.arguments:
                self._more(state, part, function.arguments)
            return
        if part is None or (
            (call.id or function.name) and self._is_another(part, call.id, function.name)
        ):
            keys = {"id": "", "type": call.type or "function", "name": ""}
            part = state.calls[number] = Part("call", -1, [], keys)
            self._wait_for(state, part)
            last = state.last_call
            state.last_call = number if last is None else max(number, last)
        if call.id or function.name or not part.is_begun:
            self._name_call(part, call, function.name)
        if unknown:
            for key, inner in (("more", call), ("inner", function)):
                self._keep_beside(part, key, _said(unknown.get(id(inner), {})))
        if call.extra_content is not None:
            self._keep_beside(part, "more", {"extra_content": call.extra_content})
        text = function.input if isinstance(function, wire.CustomDelta) else function.arguments
        self._grow_call(state, part, text)

    def _keep_beside(self, part: Part, key: str, keys: dict[str, Any]) -> None:
        """Keep keys of a call, or of its inner object."""
        grow(part.keys.setdefault(key, {}), keys)
        if keys and part.index >= 0 and self._pieces[part.index] is None:
            self._grow_ended(part.index)

    def _is_another(self, part: Part, call_id: str | None, name: str | None) -> bool:
        has_arguments = part.is_begun or bool(part.pieces)
        begun = (part.keys["id"], part.name, has_arguments)
        return is_another(begun, call_id or "", name or "")

    def _wait_for(self, state: Choice, part: Part) -> None:
        """Add a call, whose block begins once its name is known."""
        part.is_begun = False
        if state is self._first:
            self._stop(state)
            self._wait(part)
        else:
            state.now = None
            state.parts.append(part)

    def _name_call(self, part: Part, call: wire.CallDelta, name: str | None) -> None:
        """Take the id, the type and the name of a call from a fragment."""
        keys = part.keys
        keys["id"] = keys["id"] or call.id or ""
        if not part.is_begun and call.type:
            keys["type"] = call.type
        if name and not (part.is_begun or (part.pieces and part.name)):
            self._grow_name(part, name)

    def _begin_call(self, call: Part) -> None:
        assert self._first is not None
        keys = call.keys
        if call.kind == "function_call":
            block = self._blocks.legacy_call(wire.Function(call.name, Raw(b'""')), "")
        else:
            block = ToolCallBlock(keys["id"], keys["name"], Arguments(b""))
            if keys["type"] != "function":
                block.tool_type = keys["type"]
            if keys["type"] not in ("function", "custom"):
                block.extras = self._blocks.bound(type=keys["type"])
        index, before = self._open(block), call.pieces
        pieces = self._total.pieces[index]
        assert pieces is not None
        call.index, call.pieces, call.is_begun = index, pieces, True
        self._first.parts.append(call)
        self._first.by_index[index] = call
        for text in before:
            self._arguments(index, text)

    # -- the end -------------------------------------------------------------------------------

    def _close_block(self, index: int) -> None:
        assert self._first is not None
        part = self._first.by_index[index]
        if part.kind == "content":
            self._end(index)
            return
        if part.kind == "call" or part.kind == "function_call":
            self._settle(index)
        self._end(index, self._made_of([part])[0])

    def _call_again(self, index: int, arguments: str) -> Content:
        assert self._first is not None
        part = self._first.by_index[index]
        part.pieces[:] = [arguments]
        return self._made_of([part])[0]

    def _made_of(self, parts: list[Part]) -> list[Content]:
        """Return the blocks for these parts."""
        state = Choice()
        choice = {"message": state.message_json(parts)}
        whole = {"id": self._answer.get("id"), "choices": [choice]}
        return self._answered(whole).message.content

    def _done(self) -> None:
        first = self._first
        if first is None:
            self._bad("answer without choice 0, expected one", ".choices")
        if first.voice:
            self._stop(first)
            self._on_whole_voice()
        if first.annotations:
            self._on_annotations()
        if len(self._choices) > 1:
            self._begin_last_calls()
            if any(not part.is_begun and not part.name for part in self._further_parts()):
                self._bad("call without a name, expected one")
            if not self._response().alternatives:
                self._on_parts(first)
        self._stop(first)  # does nothing if it has ended
        super()._done()

    def _tell_rest(self) -> None:
        first = self._first
        if first is not None and first.annotations:
            try:
                if not self._on_annotations():
                    self._leave_out(f"$.message.content[{len(self._total.blocks)}]")
            except FAULTS:  # they are malformed; the provider's error counts more
                self._opaque(encode({"annotations": first.annotations}))
        super()._tell_rest()
        if first is not None and first.images:
            self._leave_out(f"$.message.content[{len(self._total.blocks)}]")
        if first is not None and first.voice:
            try:
                self._on_whole_voice()
            except FAULTS:
                self._leave_out(f"$.message.content[{len(self._total.blocks)}]")
        for index, part in first.by_index.items() if first is not None else ():
            if self._pieces[index] is not None and any(map(part.keys.get, _BESIDE_CALLS)):
                self._leave_out(f"$.message.content[{index}]")

    def _on_whole_voice(self) -> None:
        """Send the audio, whose pieces are one block."""
        for block in self._response().message.content:
            if type(block) is AudioBlock:
                self._whole(block)

    def _has_further(self) -> bool:
        return any(
            choice.parts or choice.voice or choice.annotations
            for choice in self._choices.values()
            if choice is not self._first
        )

    def _further_parts(self) -> Iterator[Part]:
        further = (choice for choice in self._choices.values() if choice is not self._first)
        return chain.from_iterable(choice.parts for choice in further)

    def _on_parts(self, first: Choice) -> None:
        """Send the further choices of an answer that came in parts; its first has been sent."""
        self._stop(first)
        for number in sorted(self._choices.keys() - {0}):
            for block in self._made_of(self._choices[number].parts):
                self._whole(block)

    def _on_annotations(self) -> bool:
        """Send the citations of the text, which are complete only at the end, if there is one."""
        assert self._first is not None
        texts = [part for part in self._first.parts if part.kind == "content"]
        content = self._response().message.content
        cited: Any = next((block for block in content if type(block) is TextBlock), None)
        if not texts or not cited.annotations:
            return False
        if len(texts) == 1:
            for ref in cited.annotations:
                self._cite(texts[0].index, ref)
            self._end(texts[0].index, cited)
            return True
        ends = [0, *accumulate(len(part.text) for part in texts)]
        for ref in cited.annotations:  # goes to the piece of the text in which it begins
            at = min(bisect_right(ends, ref.start or 0, 1), len(texts))
            self._cite(texts[at - 1].index, _moved(ref, ends[at - 1], ends[at]))
        return True

    def _response(self) -> Response:
        choices = [self._choices[number].json(number) for number in sorted(self._choices)]
        usage = self._usage if self._counts is None else None
        response = self._answered(self._answer | {"choices": choices, "usage": usage})
        if self._counts is not None:
            response.message.usage = self._counts
        return response


def _moved(ref: AnnotationRef, before: int, end: int) -> AnnotationRef:
    """Return a citation of a longer text as one of the piece between two of its characters.

    A place that is none, or is not in the piece, is left out, and the end of one that is.
    """
    start, last = ref.start, end if ref.end is None else min(ref.end, end)
    if start is None or not before <= start <= last:
        return replace(ref, start=None, end=None)
    return replace(ref, start=start - before, end=ref.end and last - before)


def _says(delta: wire.Delta) -> bool:
    """Whether a delta holds a piece of the answer."""
    thought = (delta.reasoning_content, delta.reasoning, delta.reasoning_text)
    said = (delta.content, delta.refusal, *thought, delta.reasoning_details)
    return any(said) or any((delta.tool_calls, delta.function_call, delta.audio))


def _said(keys: dict[str, Raw]) -> dict[str, Any]:
    """Return the keys that are not null."""
    return {key: value for key, value in keys.items() if value != _NULL}


def _inner(raw: Raw, key: str) -> Any:
    try:
        keys = _keys(raw)
        return _keys(keys[key]) if key in keys and keys[key] != _NULL else None
    except msgspec.DecodeError:
        return None


def _stopped(groq: Raw) -> Raw | None:
    """Return the error for which Groq stopped a stream early (the SDK groq 1.7)."""
    try:
        keys = _keys(groq)
    except msgspec.DecodeError:
        return None
    return keys["error"] if says_error(keys) else None


def _detail_of(delta: wire.DetailDelta) -> Any:
    """Return a reasoning detail without its text."""
    detail: Any
    if delta.type == "reasoning.text":
        detail = wire.ReasoningText()
    elif delta.type == "reasoning.summary":
        detail = wire.ReasoningSummary("")
    elif delta.type == "reasoning.encrypted":
        detail = wire.ReasoningEncrypted("")
    else:
        return Raw(encode(delta))
    detail.id, detail.format, detail.index = delta.id, delta.format, delta.index
    return detail


# -- events -> chunks ----------------------------------------------------------------------------

_SAID: Final = frozenset({"function", "custom"})
_CALL_KEYS: Final = _SAID | {"id", "type", "index"}
_SAID_KEYS: Final = frozenset({"name", "arguments", "input"})


def _text_key(detail: dict[str, Raw]) -> str:
    """Return the key of a detail that holds its text."""
    return "summary" if detail["type"] == Raw(b'"reasoning.summary"') else "text"


def _inner_keys(message: AssistantMessage, key: str) -> dict[str, Raw] | None:
    """Return the unknown keys of an object in a message that came over this API."""
    extra = (message.extras or {}).get(wire.API)
    return _inner(Raw(extra.keys.text), key) if extra is not None else None


def _news(made: dict[str, Raw], was: dict[str, Raw], sent: frozenset[str]) -> dict[str, Raw]:
    """Return the keys of an object that its beginning did not have, except those `sent`."""
    return {key: raw for key, raw in made.items() if key not in sent and was.get(key) != raw}


class StreamEncoder(_StreamEncoder):
    """Events -> the stream of `POST /v1/chat/completions`, with the usage in its last chunk."""

    RULES: ClassVar[Rules] = RULES
    WRITER: ClassVar[Any] = ResponseWriter
    CITES_LAST: ClassVar[bool] = True
    ERROR_KEYS: ClassVar[tuple[str, ...]] = ("error", "choices")
    _answer: ResponseWriter
    # As in the base, few streams set these.
    _quiet_answer: ResponseWriter | None = None
    _calls: int = 0
    _details_sent: int = 0
    _proof: tuple[int, ThinkingBlock] | None = None
    """The signature that came last, and its index, if a call after it has a place for it."""

    def __init__(
        self,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses=losses, dialect=dialect, ids=ids)
        self._service = SERVICES[self._dialect]
        self._written = 0
        """How many characters of the content belong to blocks that have ended."""
        self._texts: dict[int, tuple[TextBlock, int, list[AnnotationRef]]] = {}
        """The texts that have ended, the characters before each, and citations after its end."""
        self._sent: dict[str, str] = {}
        """The keys of the message that have been sent, each with an empty text."""
        self._templates: dict[int, bytes] = {}
        self._begun: dict[int, Content] = {}
        self._thought: set[int] = set()
        """The blocks of thinking that had deltas."""
        self._numbers: dict[int, int] = {}

    def _on_start(self, event: StreamStart) -> bytes:
        return self._template(b'"role":"assistant","content":null') % ()

    @property
    def _quiet(self) -> ResponseWriter:
        """A writer that reports no losses: it writes again what has been written before."""
        quiet = self._quiet_answer
        if quiet is None:
            response = self._answer.response
            quiet = self._quiet_answer = ResponseWriter(response, [], self._dialect, self._ids)
        return quiet

    def _use(self, response: Response) -> None:
        """Prepare what all chunks of the answer have in common."""
        super()._use(response)
        if self._quiet_answer is not None:
            self._quiet_answer = None
        writer = self._answer
        self._is_own = writer.is_own()
        self._head: dict[str, Any] = {**writer.head(), "object": "chat.completion.chunk"}
        tier = writer.tier()
        if tier is not None:
            self._head["service_tier"] = tier
        if response.extras is not None and wire.API in response.extras:
            for key, value in self._quiet.answer_keys().items():
                if key in ("system_fingerprint", "provider"):
                    self._head[key] = value
        self._prefix = sse.encode(encode(self._head))[:-3].replace(b"%", b"%%")
        self._text = self._template(b'"content":%b')

    def _template(self, delta: bytes) -> bytes:
        """Return the template of a chunk, whose delta holds `%b` for each text to come."""
        return (
            self._prefix
            + b',"choices":[{"index":0,"delta":{'
            + delta
            + b'},"logprobs":null,"finish_reason":null}]}\n\n'
        )

    def _delta(self, delta: dict[str, Any]) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
        return self._frame({"choices": [choice]})

    def _frame(self, keys: dict[str, Any]) -> bytes:
        return sse.encode(encode(self._head | keys))

    # -- blocks --------------------------------------------------------------------------------

    def _on_block_start(self, event: BlockStart) -> bytes:
        begin = _BEGIN.get(type(event.block))
        block = event.block
        if self._proof is not None:
            if type(block) is ToolCallBlock and block.signature is None:
                block = self._answer.blocks.signed(block, self._proof[1])
                self._proof = None
            self._lose_proof()
        self._begun[event.index] = block
        return begin(self, event.index, block) if begin is not None else b""

    def _lose_proof(self) -> None:
        """Report a signature after which no call came."""
        if self._proof is not None:
            path = f"$.message.content[{self._proof[0]}]"
            lose(self._losses, self.RULES.wire, path, "signature", self.RULES.why("signature"))
            self._proof = None

    def _begin_text(self, index: int, block: TextBlock) -> bytes:
        is_refusal = block.extras is not None and self._answer.blocks.refusal(block) is not None
        key = "refusal" if is_refusal else "content"
        self._sent[key] = ""
        self._templates[index] = self._text if key == "content" else self._keyed(key)
        return b""

    def _begin_thinking(self, index: int, block: ThinkingBlock) -> bytes:
        if block.redacted:
            return b""  # it is written whole, at its end
        blocks = self._answer.blocks
        keys = blocks.keys_of(block, self._is_own)
        if not keys:
            blocks.lose_thinking(block)
            return b""
        self._answer.lose_signatures(block, self._is_own)
        if keys == (DETAILS,):
            self._templates[index] = self._detailed(block)
            return b""
        self._templates[index] = self._keyed(*keys)
        again = any(key in self._sent for key in keys)
        self._sent |= dict.fromkeys(keys, "")
        if again and not self._is_own:
            return self._fill(self._templates[index], "\n\n")
        return b""

    def _keyed(self, *keys: str) -> bytes:
        return self._template(b",".join(b'"%b":%%b' % key.encode() for key in keys))

    def _detailed(self, block: ThinkingBlock) -> bytes:
        detail = self._answer.blocks.detail(block)
        keys = {k: v for k, v in _keys(encode(detail)).items() if k != "signature"}
        text_key = _text_key(keys)
        keys.pop(text_key, None)
        begun = encode(keys)[:-1].replace(b"%", b"%%")
        delta = b'"reasoning_details":[' + begun + b',"%b":%%b}]' % text_key.encode()
        if self._service.details:
            self._sent["reasoning"] = ""
            delta = b'"reasoning":%b,' + delta
        return self._template(delta)

    def _begin_call(self, index: int, block: ToolCallBlock) -> bytes:
        writer = self._answer
        if writer.is_legacy(block):
            self._sent["function_call"] = ""
            self._templates[index] = self._template(b'"function_call":{"arguments":%b}')
            return self._delta({"function_call": {"name": block.name, "arguments": ""}})
        self._numbers[index] = number = self._calls
        self._calls += 1
        self._sent["tool_calls"] = ""
        call = _keys(encode(writer.call(block, self._is_own, is_whole=False)))
        if block.tool_type != "custom" or writer.is_custom(block, self._is_own):
            key = (
                b'"custom":{"input":%b}'
                if block.tool_type == "custom"
                else b'"function":{"arguments":%b}'
            )
            self._templates[index] = self._template(
                b'"tool_calls":[{"index":%d,%b}]' % (number, key)
            )
        return self._delta({"tool_calls": [{"index": number, **call}]})

    # -- deltas --------------------------------------------------------------------------------

    def _on_text(self, event: TextDelta) -> bytes:
        return self._templates[event.index] % json_string(event.text)

    def _on_thinking(self, event: ThinkingDelta) -> bytes:
        template = self._templates.get(event.index)
        self._thought.add(event.index)
        return b"" if template is None else self._fill(template, event.text)

    def _on_arguments(self, event: ArgumentsDelta) -> bytes:
        template = self._templates.get(event.index)
        return b"" if template is None else template % json_string(event.text)

    def _on_citation(self, event: CitationDelta) -> bytes:
        """Keep a citation that comes after the end of its text; the last chunk has them all."""
        text = self._texts.get(event.index)
        if text is not None:
            text[2].append(event.ref)
            if self._answer.response.message.api != wire.API:  # else its end has it as it came
                lose_others(TextBlock("", annotations=[event.ref]), self._answer.encoding)
        return b""

    def _fill(self, template: bytes, text: str) -> bytes:
        said = json_string(text)
        return template % ((said,) * template.count(b":%b"))

    def _on_block_end(self, event: BlockEnd) -> bytes:
        end = _END.get(type(event.block), StreamEncoder._end_other)
        return end(self, event.index, event.block)

    def _end_text(self, index: int, block: TextBlock) -> bytes:
        self._texts[index] = block, self._written, []
        if is_bare(block):
            self._written += len(block.text)
            return b""
        self._answer.lose_beside(block)
        if self._answer.blocks.refusal(block) is None:
            self._written += len(block.text)
        proof = self._answer.proof(block, self._details_sent)
        return self._details([proof]) if proof is not None else b""

    def _end_thinking(self, index: int, block: ThinkingBlock) -> bytes:
        blocks = self._answer.blocks
        foreign = None
        if not self._is_own:
            foreign = blocks.foreign_detail(block, self._answer.message, self._details_sent)
        if block.redacted:
            if foreign is not None:
                return self._details([foreign])
            if blocks.keys_of(block, self._is_own) == (DETAILS,):
                return self._details([blocks.detail(block)])
            blocks.lose_thinking(block)
            return b""
        template = self._templates.get(index)
        if template is None or self._begun[index].extras is None:  # else it has been reported
            self._answer.encoding.lose_foreign(block)
        if template is None:
            return b""
        if foreign is not None:
            return self._details([foreign])
        if b'"reasoning_details":' not in template:
            if blocks.is_proof(block, self._answer.message):
                self._proof = index, block
            elif block.signature is not None:
                self._answer.encoding.lose("signature", block)
            return b""
        begun: Any = self._begun[index]
        detail = _keys(encode(self._answer.blocks.detail(block)))
        if index not in self._thought:  # a signature alone
            return self._details([detail])
        was = _keys(encode(self._quiet.blocks.detail(begun)))
        said = _text_key(detail)
        more = {k: v for k, v in detail.items() if k != said and was.get(k) != v}
        if not more:
            return b""
        return self._details([{k: detail[k] for k in ("type", "index") if k in detail} | more])

    def _details(self, details: list[Any]) -> bytes:
        self._sent["reasoning_details"] = ""
        self._details_sent += len(details)
        return self._delta({"reasoning_details": details})

    def _end_call(self, index: int, block: ToolCallBlock) -> bytes:
        begun: Any = self._begun[index]
        out = b""
        if block.signature is None and begun.signature is not None:
            block = replace(block, signature=begun.signature)
        elif block.signature is not None:
            proof = self._answer.proof(block, self._details_sent)
            if proof is not None:
                out = self._details([proof])
            elif begun.signature is None and not self._answer.is_signed(block):
                self._answer.encoding.lose("signature", block)
        number = self._numbers.get(index)
        if number is None:
            return out
        whole = _keys(encode(self._quiet.call(block, self._is_own)))
        if index not in self._templates:  # a custom tool's input, as a function's arguments
            function = {"arguments": _keys(whole["function"])["arguments"]}
            return out + self._delta({"tool_calls": [{"index": number, "function": function}]})
        was = _keys(encode(self._quiet.call(begun, self._is_own)))
        more: dict[str, Any] = _news(whole, was, _CALL_KEYS)
        for key in _SAID.intersection(whole):
            inner = _news(_keys(whole[key]), _keys(was[key]), _SAID_KEYS)
            if inner:
                more[key] = inner
        return out + self._delta({"tool_calls": [{"index": number, **more}]}) if more else out

    def _end_other(self, index: int, block: Any) -> bytes:
        """Write a block that has no deltas."""
        writer = self._answer
        if type(block) is AudioBlock and (voice := writer.voice(block)) is not None:
            self._sent["audio"] = ""
            return self._delta({"audio": voice})
        if type(block) is ImageBlock and (image := writer.image(block)) is not None:
            return self._delta({"images": [image]})
        draft = Draft()
        writer.blocks.add(block, draft, writer.message, is_own=self._is_own)
        if draft.details:
            return self._details(draft.details)
        out = b""
        for part in draft.parts:
            if type(part) is wire.Text:
                self._sent["content"] = ""
                self._written += len(part.text)
                out += self._text % json_string(part.text)
            else:
                writer.encoding.lose_whole(block)  # the content of a delta is a string
        return out

    # -- the end -------------------------------------------------------------------------------

    def _on_end(self, event: StreamEnd) -> bytes:
        self._lose_proof()
        response = event.response
        writer = ResponseWriter(response, self._losses, self._dialect, self._ids)
        own, others = writer.own_keys()
        own.pop("object", None)
        for other in others:
            other.pop("index", None)  # choices are numbered by their position
        if others and not response.alternatives:  # what came in parts is written as one choice
            others = [self._merged_keys(others)]
        sent, message = self._sent, response.message
        cited = self._cited()
        # OpenAI's own helper, `chat.completions.stream`, takes them only once.
        made: dict[str, Any] = {**sent, "annotations": cited} if cited else {**sent}
        left = {k: v for k, v in writer.spelled(made, message).items() if k not in sent}
        legacy = _inner_keys(message, "function_call") if "function_call" in sent else None
        if legacy:
            left["function_call"] = legacy
        finish = self._choice(0, left, writer.finish(message), others)
        tier = writer.tier()
        if tier is not None:
            self._head["service_tier"] = tier
        if not self._head["model"]:  # it became known later
            self._head["model"] = message.model or ""
        out = [self._frame({**own, "choices": [finish]})]
        for i, further in enumerate(response.alternatives or (), 1):
            delta = writer.whole(further)
            for n, call in enumerate(delta.get("tool_calls", ())):
                delta["tool_calls"][n] = {**_keys(encode(call)), "index": n}
            out.append(self._frame({"choices": [self._choice(i, delta, None, [])]}))
            last = self._choice(i, {}, writer.finish(further), others)
            out.append(self._frame({"choices": [last]}))
        if message.usage is not None:
            usage = writer.usage(message.usage)
            out.append(self._frame({"choices": [], "usage": usage}))
        return b"".join((*out, sse.encode(_DONE)))

    def _cited(self) -> list[Any]:
        """Return the annotations of the texts that have ended."""
        cited: list[Any] = []
        for block, before, late in self._texts.values():
            refs = [*(block.annotations or ()), *late]
            if refs:
                text = replace(block, annotations=refs)
                cited += self._answer.blocks.annotations(text, before)
        return cited

    def _rest(self) -> bytes:
        cited = self._cited()
        is_own = self._answer.response.message.api == wire.API
        for index, (block, _, late) in self._texts.items():
            # What else an answer of Chat cites are keys of it, which only its end brings.
            as_it_came = block.annotations or any(ref.url is None or ref.extras for ref in late)
            if not (is_own and as_it_came):
                self._unwritten.discard(index)
        return self._delta({"annotations": cited}) if cited else b""

    def _merged_keys(self, others: list[dict[str, Raw]]) -> dict[str, Raw]:
        """Return the keys of all choices; of two values under a key, the first."""
        merged: dict[str, Raw] = {}
        for other in others:
            replaced = [key for key, value in other.items() if merged.get(key, value) != value]
            if replaced:
                self._lose_event("extras", "choices", replaced)
            merged = other | merged
        return merged

    def _choice(
        self, index: int, delta: dict[str, Any], finish: str | None, others: list[dict[str, Raw]]
    ) -> dict[str, Any]:
        choice: dict[str, Any] = {
            "index": index,
            "delta": delta,
            "logprobs": None,
            "finish_reason": finish,
        }
        return choice | (others[index] if index < len(others) else {})

    def _on_failure(self, event: StreamFailure) -> bytes:
        body = encode_error(self._error(event), dialect=self._dialect)
        if not self._service.status_codes:
            return sse.encode(body)
        choice = self._choice(0, {"content": ""}, "error", [])
        return self._frame({**_keys(body), "choices": [choice]})


_BEGIN: Final[dict[type, Callable[[StreamEncoder, int, Any], bytes]]] = {
    TextBlock: StreamEncoder._begin_text,
    ThinkingBlock: StreamEncoder._begin_thinking,
    ToolCallBlock: StreamEncoder._begin_call,
}
_END: Final[dict[type, Callable[[StreamEncoder, int, Any], bytes]]] = {
    TextBlock: StreamEncoder._end_text,
    ThinkingBlock: StreamEncoder._end_thinking,
    ToolCallBlock: StreamEncoder._end_call,
}
