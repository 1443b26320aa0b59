"""Stream events -> the chunks of Chat Completions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...framing import sse
from ...losses import Losses
from ...model import (
    AssistantMessage,
    AudioBlock,
    Content,
    ErrorBlock,
    IdSource,
    OpaqueBlock,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from ...model.events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from .._stream_writing import StreamEncoder as _StreamEncoder
from .._stream_writing import json_string
from .._writing import encode
from .errors import encode_error
from .request import DIALECTS
from .response_writing import AnswerWriter

__all__ = ["StreamEncoder"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_DONE: Final = b"[DONE]"
_SAID: Final = frozenset({"function", "custom"})
_CALL_KEYS: Final = _SAID | {"id", "type", "index"}
_SAID_KEYS: Final = frozenset({"name", "arguments", "input"})


def _text_key(detail: dict[str, Raw]) -> str:
    """Return the key of a detail that holds its text."""
    return "summary" if detail["type"] == Raw(b'"reasoning.summary"') else "text"


def _news(made: dict[str, Raw], was: dict[str, Raw], sent: frozenset[str]) -> dict[str, Raw]:
    """Return the keys of an object that its beginning did not have, except those `sent`."""
    return {key: raw for key, raw in made.items() if key not in sent and was.get(key) != raw}


class StreamEncoder(_StreamEncoder):
    """Events -> the stream of `POST /v1/chat/completions`, with the usage in its last chunk."""

    WIRE: ClassVar[str] = "openai_chat"
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS

    def __init__(
        self,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses, dialect=dialect, ids=ids)
        self._calls = 0
        self._sent: dict[str, str] = {}
        """The keys of the message that have been sent, each with an empty text."""
        self._templates: dict[int, bytes] = {}
        self._begun: dict[int, Content] = {}
        self._thought: set[int] = set()
        """The blocks of thinking that had deltas."""
        self._numbers: dict[int, int] = {}
        self._begin(Response(AssistantMessage([])))

    def _on_start(self, event: StreamStart) -> bytes:
        self._begin(event.response)
        return self._delta({"role": "assistant", "content": None})

    def _begin(self, response: Response) -> None:
        """Prepare what all chunks of the answer have in common."""
        self._writer = writer = AnswerWriter(response, self._losses, self._dialect, self._ids)
        self._quiet = AnswerWriter(response, [], self._dialect, self._ids)
        """Reports no losses: it writes again what has been written before."""
        self._is_own = writer.is_own()
        self._head: dict[str, Any] = {**writer.head(), "object": "chat.completion.chunk"}
        tier = writer.tier()
        if tier is not None:
            self._head["service_tier"] = tier
        for key, value in self._quiet.answer_keys().items():
            if key in ("system_fingerprint", "provider"):
                self._head[key] = value
        self._prefix = encode(self._head)[:-1].replace(b"%", b"%%")
        self._text = self._template(b'"content":%b')

    def _template(self, delta: bytes) -> bytes:
        """Return the template of a chunk, whose delta holds `%b` for each text to come."""
        return (
            b"data: %b" % self._prefix
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
        self._begun[event.index] = event.block
        return begin(self, event.index, event.block) if begin is not None else b""

    def _begin_text(self, index: int, block: TextBlock) -> bytes:
        key = self._writer.key_of(block)
        self._sent[key] = ""
        self._templates[index] = self._text if key == "content" else self._keyed(key)
        return b""

    def _begin_thinking(self, index: int, block: ThinkingBlock) -> bytes:
        keys = None if block.redacted else self._writer.keys_of(block, self._is_own)
        if keys is None:
            return b""
        if keys == ("",):
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
        detail = self._writer.detail(block)
        made = {k: v for k, v in _keys(encode(detail)).items() if k != "signature"}
        key = _text_key(made)
        made.pop(key, None)
        begun = encode(made)[:-1].replace(b"%", b"%%")
        delta = b'"reasoning_details":[' + begun + b',"%b":%%b}]' % key.encode()
        if self._writer._service.details:
            self._sent["reasoning"] = ""
            delta = b'"reasoning":%b,' + delta
        return self._template(delta)

    def _begin_call(self, index: int, block: ToolCallBlock) -> bytes:
        writer = self._writer
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

    def _fill(self, template: bytes, text: str) -> bytes:
        said = json_string(text)
        return template % ((said,) * template.count(b":%b"))

    def _on_block_end(self, event: BlockEnd) -> bytes:
        end = _END.get(type(event.block), StreamEncoder._end_other)
        return end(self, event.index, event.block)

    def _end_text(self, index: int, block: TextBlock) -> bytes:
        self._writer.lose_marks(block)
        self._writer.lose_foreign(block)
        return b""

    def _end_thinking(self, index: int, block: ThinkingBlock) -> bytes:
        if block.redacted:
            keys = self._writer.keys_of(block, self._is_own)
            return self._details([self._writer.detail(block)]) if keys == ("",) else b""
        template = self._templates.get(index)
        if template is None or self._begun[index].extras is None:  # else it has been reported
            self._writer.lose_foreign(block)
        if template is None:
            return b""
        if b'"reasoning_details":' not in template:
            if block.signature is not None:
                self._writer._lose("signature", block)
            return b""
        begun: Any = self._begun[index]
        detail = _keys(encode(self._writer.detail(block)))
        if index not in self._thought:  # a signature alone
            return self._details([detail])
        was = _keys(encode(self._quiet.detail(begun)))
        said = _text_key(detail)
        more = {k: v for k, v in detail.items() if k != said and was.get(k) != v}
        if not more:
            return b""
        return self._details([{k: detail[k] for k in ("type", "index") if k in detail} | more])

    def _details(self, details: list[Any]) -> bytes:
        self._sent["reasoning_details"] = ""
        return self._delta({"reasoning_details": details})

    def _end_call(self, index: int, block: ToolCallBlock) -> bytes:
        begun: Any = self._begun[index]
        if block.signature is not None and begun.signature is None:
            self._writer._lose("signature", block)
        number = self._numbers.get(index)
        if number is None:
            return b""
        made = _keys(encode(self._quiet.call(block, self._is_own)))
        if index not in self._templates:  # a custom tool's input, as a function's arguments
            function = {"arguments": _keys(made["function"])["arguments"]}
            return self._delta({"tool_calls": [{"index": number, "function": function}]})
        was = _keys(encode(self._quiet.call(begun, self._is_own)))
        more: dict[str, Any] = _news(made, was, _CALL_KEYS)
        for key in _SAID.intersection(made):
            inner = _news(_keys(made[key]), _keys(was[key]), _SAID_KEYS)
            if inner:
                more[key] = inner
        return self._delta({"tool_calls": [{"index": number, **more}]}) if more else b""

    def _end_other(self, index: int, block: Any) -> bytes:
        """Write a block that has no deltas."""
        writer = self._writer
        if type(block) is AudioBlock and (voice := writer.voice(block)) is not None:
            self._sent["audio"] = ""
            return self._delta({"audio": voice})
        if type(block) is ErrorBlock:
            writer._lose("error", block)
            self._sent["content"] = ""
            return self._text % json_string(block.message) if block.message else b""
        if type(block) is OpaqueBlock:
            if block.api != writer.API:
                writer._lose("opaque block", block)
                return b""
            if str(block.raw.value.get("type")).startswith("reasoning."):
                return self._details([block.raw])
        writer._lose("answer content", block)
        return b""

    # -- the end -------------------------------------------------------------------------------

    def _on_end(self, event: StreamEnd) -> bytes:
        response = event.response
        writer = AnswerWriter(response, self._losses, self._dialect, self._ids)
        own, others = writer.own_keys()
        own.pop("object", None)
        for other in others:
            other.pop("index", None)  # choices are numbered by their position
        if others and not response.alternatives:  # what came in parts is written as one choice
            others = [self._merged_keys(others)]
        left = {
            key: value
            for key, value in writer.spelled(dict(self._sent), response.message).items()
            if key not in self._sent
        }
        finish = self._choice(0, left, writer.finish(response.message), others)
        tier = writer.tier()
        if tier is not None:
            self._head["service_tier"] = tier
        if not self._head["model"]:  # it became known later
            self._head["model"] = response.message.model or ""
        out = [self._frame({**own, "choices": [finish]})]
        for i, message in enumerate(response.alternatives or (), 1):
            said = writer.message(message)
            for n, call in enumerate(said.get("tool_calls", ())):
                said["tool_calls"][n] = {**_keys(encode(call)), "index": n}
            out.append(self._frame({"choices": [self._choice(i, said, None, [])]}))
            last = self._choice(i, {}, writer.finish(message), others)
            out.append(self._frame({"choices": [last]}))
        if response.message.usage is not None:
            usage = writer.usage(response.message.usage)
            out.append(self._frame({"choices": [], "usage": usage}))
        return b"".join((*out, sse.encode(_DONE)))

    def _merged_keys(self, others: list[dict[str, Raw]]) -> dict[str, Raw]:
        """Return the keys of all choices; of two values under a key, the first."""
        merged: dict[str, Raw] = {}
        for other in others:
            if any(merged.get(key, value) != value for key, value in other.items()):
                self._lose_event("extras", "choices")
            merged = other | merged
        return merged

    def _choice(
        self, index: int, delta: dict[str, Any], finish: str | None, others: list[dict[str, Raw]]
    ) -> dict[str, Any]:
        made: dict[str, Any] = {
            "index": index,
            "delta": delta,
            "logprobs": None,
            "finish_reason": finish,
        }
        return made | (others[index] if index < len(others) else {})

    def _on_failure(self, event: StreamFailure) -> bytes:
        return sse.encode(encode_error(event.error()))


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
