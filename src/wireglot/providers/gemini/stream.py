"""Stream events <-> the stream of Gemini's generateContent.

Each chunk is an answer with a piece of the content. The API sends no event that ends a stream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.decode import Decoded
from ..._body.encode import encode_json as encode
from ..._body.objects import is_object, shallow
from ...framing import sse
from ...model import OpaqueBlock, Response, TextBlock, ThinkingBlock, Usage
from ...model.events import (
    BlockEnd,
    CitationDelta,
    StreamEnd,
    StreamFailure,
    TextDelta,
    ThinkingDelta,
)
from .._across.usage import usage_of
from .._codecs.responses import ResponseCodec, says_error
from .._codecs.stream_decoder import StreamDecoder as _StreamDecoder
from .._codecs.stream_decoder import grow
from .._codecs.stream_encoder import StreamEncoder as _StreamEncoder
from .._codecs.stream_encoder import json_string
from .._state.decoding import Decoding
from .._state.rules import Rules
from . import blocks, wire
from .blocks import is_set
from .errors import decode_error, encode_error
from .frames import Framer
from .grounding import grown, sources
from .losses import RULES
from .partial import Partial
from .response import RESPONSES, ResponseWriter, read_counts, stop_reason

_TEXT_KEYS: Final = frozenset({"text", "thought"})
_HELD: Final = frozenset(
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
"""The keys of what a part may hold beside text."""

# -- chunks -> events --------------------------------------------------------------------------

_chunk = msgspec.json.Decoder(wire.Chunk).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode
_FIRST: Final = frozenset({"usageMetadata", "promptFeedback"})


class _Words(Struct):
    """An open text or thinking: its block's index, and the keys of its parts beside the text."""

    index: int
    is_thought: bool
    keys: dict[str, Any] = {}
    is_signed: bool = False
    """Whether an empty part with a signature has ended it: what follows is another."""


class _Growing(Struct):
    """A call whose arguments come in pieces."""

    index: int
    keys: dict[str, Any]
    call: dict[str, Any]
    arguments: Partial


class _Further(Struct):
    """A candidate after the first: its parts so far, and its other keys."""

    keys: dict[str, Any] = {}
    content: dict[str, Any] = {}
    parts: list[dict[str, Any]] = []
    is_ended: bool = False
    """Whether a text that follows begins a new part."""


class StreamDecoder(_StreamDecoder):
    """The stream of `POST .../models/{model}:streamGenerateContent` -> events.

    It reads server-sent events, or the array that comes without `alt=sse`. No event ends the
    stream: it is complete when each candidate has a finish reason, or the prompt is blocked, and
    the bytes end. Consecutive parts of text are one block, with the signature that one of them has;
    an empty part with a signature ends the block.
    """

    RULES: ClassVar[Rules] = RULES
    CODEC: ClassVar[ResponseCodec] = RESPONSES
    LAST: ClassVar[str] = "`finishReason`"
    FRAMER: ClassVar[Any] = Framer

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._answer: dict[str, Any] = {}
        self._candidate: dict[str, Any] | None = None
        self._content: dict[str, Any] | None = None
        self._further: dict[int, _Further] = {}
        self._unfinished: set[int] = set()  # those of `_further` whose end has not come
        self._usage: Usage | None = None
        """The last counts, once they have been read."""
        self._words: _Words | None = None
        self._call: _Growing | None = None
        self._calls = blocks.Calls(makes_ids=False)
        self._unknown: dict[int, dict[str, Raw]] = {}

    def _frame(self, frame: Any) -> None:
        data = frame if type(frame) is bytes else frame[1]
        try:
            chunk: wire.Chunk = _chunk(data)
        except msgspec.DecodeError:
            body = self._read(wire.Chunk, data)
            chunk, self._unknown = body.root, body.unknown
            grow(self._answer, _set(self._unknown.get(id(chunk), {})))
        whole = self._answer
        if chunk.error is not None and is_set(chunk.error):
            if says_error({"error": chunk.error}):
                self._fail(decode_error(data))
                return
            whole["error"] = chunk.error
        if chunk.usage_metadata is not None:
            whole["usageMetadata"] = chunk.usage_metadata
            self._usage = None
        if chunk.model_version is not None:
            whole["modelVersion"] = chunk.model_version
        if chunk.response_id is not None and "responseId" not in whole:
            whole["responseId"] = chunk.response_id
        if chunk.create_time is not None:
            whole["createTime"] = chunk.create_time
        if chunk.prompt_feedback is not None or chunk.model_status is not None:
            self._keep(whole, chunk, chunk.__struct_fields__[5:7])
        if not self._is_started and (chunk.candidates or whole.keys() & _FIRST):
            self._begin(chunk.candidates)
        candidates = chunk.candidates
        if candidates:
            for number, candidate in enumerate(candidates):
                index = number if candidate.index is None else candidate.index
                if index:
                    self._another(index, candidate)
                else:
                    self._first(candidate)
        else:
            self._is_complete = self._has_finished()
        if chunk.usage_metadata is not None and self._is_complete:
            if self._usage is None:  # the start has not told it
                self._usage = usage_of(
                    chunk.usage_metadata, wire.API, wire.Usage, read_counts, "$.usageMetadata"
                )
            if self._usage is not None:
                self._update(self._usage)
        if self._unknown:
            self._unknown = {}

    def _begin(self, candidates: list[wire.PieceCandidate] | None) -> None:
        """Send the start, in which a candidate has only its index and its role."""
        if candidates:
            candidate = candidates[0]
            head: dict[str, Any] = {}
            if candidate.index is not None:
                head["index"] = candidate.index
            if candidate.content is not None:
                role = candidate.content.role
                head["content"] = {} if role is None else {"role": role}
            self._candidate = head
        response = self._response()
        self._usage = response.message.usage
        self._start(response)
        self._candidate = None

    # -- candidates ----------------------------------------------------------------------------

    def _first(self, candidate: wire.PieceCandidate) -> None:
        keys = self._candidate
        if keys is None:
            keys = self._candidate = {}
        if candidate.index is not None:
            keys["index"] = candidate.index
        unknown = self._unknown
        content = candidate.content
        if content is not None:
            if self._content is None:
                self._content = {}
            if content.role is not None:
                self._content["role"] = content.role
            if unknown:
                grow(self._content, _set(unknown.get(id(content), {})))
            for piece in content.parts or ():
                text = piece.text
                if (
                    text is None
                    or piece.thought_signature is not None
                    or piece.function_call is not None
                    or piece.inline_data is not None
                    or (unknown and id(piece) in unknown)
                ):
                    self._part(piece)
                elif text:
                    words = self._words
                    if (
                        words is None
                        or words.is_signed
                        or words.is_thought is not (piece.thought is True)
                    ):
                        words = self._begin_words(piece.thought is True)
                    if words.is_thought:
                        self._thinking(words.index, text)
                    else:
                        self._text(words.index, text)
        if (
            unknown
            or candidate.finish_message is not None
            or candidate.safety_ratings is not None
            or candidate.citation_metadata is not None
            or candidate.grounding_metadata is not None
            or candidate.url_context_metadata is not None
            or candidate.avg_logprobs is not None
            or candidate.logprobs_result is not None
            or candidate.token_count is not None
            or candidate.continuation_token is not None
        ):
            self._keep_candidate(keys, candidate)
        if candidate.finish_reason is not None:
            keys["finishReason"] = candidate.finish_reason
            self._is_complete = self._has_finished()

    def _another(self, index: int, candidate: wire.PieceCandidate) -> None:
        further = self._further.get(index)
        if further is None:
            further = self._further[index] = _Further()
            self._unfinished.add(index)
        if candidate.index is not None:
            further.keys["index"] = candidate.index
        content = candidate.content
        if content is not None:
            if content.role is not None:
                further.content["role"] = content.role
            grow(further.content, _set(self._unknown.get(id(content), {})))
            for piece in content.parts or ():
                _add_part(further, self._keys_of(piece))
        self._keep_candidate(further.keys, candidate)
        if candidate.finish_reason is not None:
            further.keys["finishReason"] = candidate.finish_reason
            self._unfinished.discard(index)
        self._is_complete = self._has_finished()

    def _keep_candidate(self, keys: dict[str, Any], candidate: wire.PieceCandidate) -> None:
        self._keep(keys, candidate, candidate.__struct_fields__[3:])
        grow(keys, _set(self._unknown.get(id(candidate), {})))

    def _keep(self, keys: dict[str, Any], part: Any, fields: tuple[str, ...]) -> None:
        """Keep fields of a part, which may tell more of an object that has come."""
        names = dict(zip(part.__struct_fields__, part.__struct_encode_fields__, strict=True))
        for name in fields:
            value = getattr(part, name)
            key = names[name]
            if value is None or not is_set(value):
                continue
            merge = _MERGE.get(key) if key in keys else None
            if merge is not None and is_object(value) and _is_object(keys[key]):
                keys[key] = merge(keys[key], value)
            else:
                grow(keys, {key: value})

    def _has_finished(self) -> bool:
        first = self._candidate
        if first is None and not self._further:
            feedback = self._answer.get("promptFeedback")
            if type(feedback) is Raw:  # decoded once, however many chunks follow
                feedback = self._answer["promptFeedback"] = _keys(feedback)
            reason = feedback.get("blockReason") if feedback is not None else None
            return type(reason) is dict or is_set(reason)
        return first is not None and "finishReason" in first and not self._unfinished

    # -- parts ---------------------------------------------------------------------------------

    def _keys_of(self, piece: wire.Piece) -> dict[str, Any]:
        return _set({**shallow(piece), **self._unknown.get(id(piece), {})})

    def _part(self, piece: wire.Piece) -> None:
        """Handle a part that is not plain text."""
        keys = self._keys_of(piece)
        call = keys.get("functionCall")
        if call is not None and self._is_partial(call):
            self._partial(keys)
            return
        if "text" in keys and not keys.keys() & _HELD:
            self._signed_words(keys)
        elif keys:
            self._end_words()
            self._whole(self._block(keys, self._calls))

    def _signed_words(self, keys: dict[str, Any]) -> None:
        """Handle a text with a signature or with unknown keys."""
        is_thought = bool(keys.get("thought"))
        words = self._words
        text = keys["text"]
        beside = {key: value for key, value in keys.items() if key not in _TEXT_KEYS}
        is_new = words is None or words.is_signed or words.is_thought is not is_thought
        if words is not None and "thoughtSignature" in beside:
            is_new = is_new or "thoughtSignature" in words.keys
        if words is None or is_new:
            if not text and not beside:
                return
            words = self._begin_words(is_thought)
        grow(words.keys, beside)
        if text:
            (self._thinking if is_thought else self._text)(words.index, text)
        elif "thoughtSignature" in beside:  # it signs the text before it, whose sources may follow
            words.is_signed = True

    def _begin_words(self, is_thought: bool) -> _Words:
        self._end_words()
        index = self._open(ThinkingBlock("") if is_thought else TextBlock(""))
        words = self._words = _Words(index, is_thought)
        return words

    def _end_words(self) -> None:
        words, self._words = self._words, None
        if words is None:
            return
        if not words.keys:
            self._end(words.index)
            return
        so_far: Any = self._total.block(words.index)
        keys: dict[str, Any] = {"text": so_far.thinking if words.is_thought else so_far.text}
        if words.is_thought:
            keys["thought"] = True
        block = self._block(keys | words.keys, self._calls)
        if type(block) is TextBlock:
            block.annotations = so_far.annotations
        self._end(words.index, block)

    def _is_partial(self, call: Raw) -> bool:
        """Whether a call is a piece of one."""
        if self._call is not None:
            return True
        keys = _keys(call)
        return is_set(keys.get("partialArgs")) or bytes(keys.get("willContinue", b"")) == b"true"

    def _partial(self, keys: dict[str, Any]) -> None:
        """Add a piece of a call; one without `willContinue` is the last."""
        body = self._read(wire.PartialCall, bytes(keys.pop("functionCall")))
        part: wire.PartialCall = body.root
        growing = self._call
        if growing is not None and part.name is not None:  # a new call; the last one never ended
            self._end_call()
            growing = None
        if growing is None:
            self._end_words()
            call = {key: value for key in ("name", "id") if (value := getattr(part, key))}
            begun: Any = replace(self._block({"functionCall": call}, self._calls), arguments="")
            growing = self._call = _Growing(self._open(begun), {}, call, Partial())
        grow(growing.keys, keys)
        grow(growing.call, _set(body.unknown.get(id(part), {})))
        if is_set(part.args):
            growing.call["args"] = part.args
        for argument in part.partial_args or ():
            growing.arguments.add(argument)
        if not part.will_continue:
            self._end_call()

    def _end_call(self) -> None:
        growing, self._call = self._call, None
        if growing is None:
            return
        begun: Any = self._total.block(growing.index)
        whole = {"args": Raw(growing.arguments.json()), **growing.call}
        keys = {"functionCall": whole, **growing.keys}
        block: Any = self._block(keys, blocks.Calls(makes_ids=False))  # `_calls` has its id already
        self._arguments(growing.index, block.arguments.text.decode())
        extras = begun.extras if block.extras is None else block.extras
        self._end(growing.index, replace(block, id=begun.id, extras=extras))

    def _block(self, keys: dict[str, Any], calls: blocks.Calls) -> Any:
        """Return the block for the wire's JSON of a part; `calls` are those before it."""

        def block(body: Decoded) -> Any:
            blocks.forget_nulls(body.unknown)
            decoding = Decoding(RULES, body, self._dialect)
            return blocks.content(body.root, decoding, calls, is_answer=True)[0]

        return self._read_with(block, wire.Content, encode({"parts": [keys]}))

    # -- the end -------------------------------------------------------------------------------

    def _tell_rest(self) -> None:
        self._cite_sources()
        super()._tell_rest()
        if self._call is not None:
            self._tell_call(self._call)

    def _tell_call(self, growing: _Growing) -> None:
        """Send the arguments of a call that has not ended, as an object that is still open."""
        whole = {"args": Raw(growing.arguments.json()), **growing.call}
        known = encode(whole["args"])
        if _keys(known):
            self._arguments(growing.index, known.decode().rstrip().removesuffix("}"))

    def _has_further(self) -> bool:
        return any(further.parts for further in self._further.values())

    def _done(self) -> None:
        self._cite_sources()
        super()._done()

    def _cite_sources(self) -> None:
        """Send the sources of the texts, whose places are known only at the end."""
        raw = (self._candidate or {}).get("groundingMetadata")
        if raw is not None:
            content = enumerate(self._total.content())
            texts = {index: block.text for index, block in content if type(block) is TextBlock}
            indexes = [*texts]
            for i, ref in sources(encode(raw), [*texts.values()]):
                self._cite(indexes[i], ref)

    def _close_block(self, index: int) -> None:
        if self._words is not None and self._words.index == index:
            self._end_words()
        elif self._call is not None and self._call.index == index:
            self._end_call()
        else:
            self._end(index)

    def _response(self) -> Response:
        whole = dict(self._answer)
        candidates: list[Any] = []
        if self._candidate is not None:
            first = dict(self._candidate)
            if self._content is not None:
                first["content"] = self._content
            candidates.append(first)
        for _, further in sorted(self._further.items()):
            candidates.append(_whole_of(further))
        if candidates:
            whole["candidates"] = candidates
        usage = self._usage
        if usage is not None and candidates:
            del whole["usageMetadata"]
        response = self._answered(whole)
        message = response.message
        if usage is not None and candidates:
            message.usage = usage
        if candidates:
            message.stop_reason = stop_reason(message.raw_stop_reason, self._total.blocks)
        return response


def _set(keys: dict[str, Any]) -> dict[str, Any]:
    """Return the keys that are not null."""
    return {k: v for k, v in keys.items() if type(v) is not Raw or is_set(v)}


def _grown(old: Any, new: Raw) -> dict[str, Any]:
    """Merge an object into `old`, which is one or what this returned; lists are joined.

    Lists stay lists until the end of the stream, so that no frame costs more than the one before.
    """
    out: dict[str, Any] = _keys(old) if type(old) is Raw else old
    for key, value in _keys(new).items():
        before = out.get(key)
        if _is_list(value) and _is_list(before):
            items: list[Any] = _items(before) if type(before) is Raw else out[key]
            items += _items(value)
            out[key] = items
        else:
            out[key] = value
    return out


_MERGE: Final[Mapping[str, Callable[[Any, Raw], Any]]] = {
    "citationMetadata": _grown,
    "logprobsResult": _grown,
    "groundingMetadata": grown,
    "urlContextMetadata": grown,
}
"""Key -> how an object goes on in another chunk: with more in its lists, or told again as well."""


def _is_object(value: Any) -> bool:
    return type(value) is dict or (type(value) is Raw and is_object(value))


def _is_list(value: Any) -> bool:
    return type(value) is list or (type(value) is Raw and bytes(memoryview(value)[:1]) == b"[")


def _is_text(part: dict[str, Any]) -> bool:
    return "text" in part and not part.keys() & _HELD


def _add_part(further: _Further, keys: dict[str, Any]) -> None:
    """Add a part to a candidate; text continues the text before it, as a list of pieces."""
    if not _is_text(keys):
        if keys:
            further.parts.append(keys)
        return
    last = further.parts[-1] if further.parts and not further.is_ended else {}
    text = keys.pop("text")
    goes_on = (
        _is_text(last)
        and bool(last.get("thought")) is bool(keys.get("thought"))
        and not ("thoughtSignature" in last and "thoughtSignature" in keys)
    )
    if goes_on:
        last["text"].append(text)
        grow(last, keys)
    elif text or keys.keys() - _TEXT_KEYS:
        further.parts.append({"text": [text], **keys})
    else:
        return
    further.is_ended = not text and "thoughtSignature" in keys


def _whole_of(further: _Further) -> dict[str, Any]:
    """Return a candidate as an answer that is not a stream would hold it."""
    parts = [
        {**part, "text": "".join(part["text"])} if _is_text(part) else part
        for part in further.parts
    ]
    content = {**further.content, **({"parts": parts} if parts else {})}
    return {**further.keys, "content": content}


# -- events -> chunks --------------------------------------------------------------------------

_PART: Final = b'data: {"candidates":[{"content":{"parts":['
_TEXT: Final = _PART + b'{"text":'
_THOUGHT: Final = _PART + b'{"thought":true,"text":'


class StreamEncoder(_StreamEncoder):
    """Events -> the event stream of `:streamGenerateContent?alt=sse`.

    Text is written as it comes, all else when its block ends; the last chunk has the finish reason.
    """

    RULES: ClassVar[Rules] = RULES
    WRITER: ClassVar[Any] = ResponseWriter
    CITES_LAST: ClassVar[bool] = True
    FINAL: ClassVar[frozenset[type]] = frozenset({OpaqueBlock, TextBlock, ThinkingBlock})
    _answer: ResponseWriter

    def _use(self, response: Response) -> None:
        """Prepare the bytes around each part."""
        super()._use(response)
        writer = self._answer
        role = writer.role(0)
        index = writer.candidate_keys(0).get("index")
        after = b"]" + (b',"role":' + encode(role) if role is not None else b"") + b"}"
        after += b',"index":' + bytes(index) if index is not None else b""
        head = encode(writer.head())[1:-1]
        self._after = after + b"}]" + (b"," + head if head else b"") + b"}\n\n"
        self._after_text = b"}" + self._after

    def _on_text(self, event: TextDelta) -> bytes:
        return b"%b%b%b" % (_TEXT, json_string(event.text), self._after_text)

    def _on_thinking(self, event: ThinkingDelta) -> bytes:
        return b"%b%b%b" % (_THOUGHT, json_string(event.text), self._after_text)

    def _on_citation(self, event: CitationDelta) -> bytes:
        return b""  # the last chunk has all of them

    def _on_block_end(self, event: BlockEnd) -> bytes:
        block = event.block
        part = self._answer.part(block)
        if part is None:
            return b""
        if type(block) is TextBlock or type(block) is ThinkingBlock:
            part = {**shallow(part), "text": ""}
            if not part.keys() - _TEXT_KEYS:
                return b""
        # Arguments may hold line ends.
        return _PART + encode(part).replace(b"\n", b"\ndata: ") + self._after

    def _on_end(self, event: StreamEnd) -> bytes:
        response = event.response
        message = response.message
        writer = ResponseWriter(response, self._losses, self._dialect, self._ids)
        body: dict[str, Any] = {}
        if writer.has_candidates():
            is_bare = message.api == wire.API and not message.content
            last = [] if is_bare else [wire.Part("")]
            body["candidates"] = [
                writer.candidate(0, message, last),
                *(_apart(candidate) for candidate in writer.further()),
            ]
        return sse.encode(encode(writer.whole(body)))

    def _on_failure(self, event: StreamFailure) -> bytes:
        return sse.encode(encode_error(self._error(event)))


def _apart(candidate: dict[str, Any]) -> dict[str, Any]:
    """Return a candidate with each text's signature in an empty part after it, as in streams."""
    content = candidate.get("content", {})
    parts: list[Any] = []
    for part in content.get("parts", ()):
        keys = shallow(part)
        parts.append(part)
        if keys.get("text") and "thoughtSignature" in keys and not keys.keys() & _HELD:
            parts[-1] = {key: keys[key] for key in ("text", "thought") if key in keys}
            parts.append({**keys, "text": ""})
    return {**candidate, "content": {**content, "parts": parts}} if parts else candidate
