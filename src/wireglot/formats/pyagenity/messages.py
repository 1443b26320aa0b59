"""PyAgenity's messages <-> canonical ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ... import model
from ..._body.decode import as_given
from ...errors import DecodeError
from ...errors import unknown as unknown_name
from ...losses import Losses
from ...model import Arguments, RawJson
from .._mapping import Keys, Where, Writer, extras_of
from .._records import Record, read, unknown, write
from . import contents as own
from . import losses as tables
from .blocks import BlockWriter, blocks_of
from .calls import entry_of, paired, told_of, wants_entry
from .system import API, SYSTEM, WIRE
from .times import micros, millis, stamp_of, text_of
from .types import Message, Role, TokenUsages, Version
from .words import call_signer, is_apart, signs_calls, stop_reason_of, word_of

__all__ = ["MessageWriter", "Reader"]

# The spelling of a canonical block that was only in `tools_calls` or `reasoning`.
_NO_BLOCK: Final = {"block": False}
_Numbered = Sequence[tuple[int, model.Content]]
"""Blocks, each with its place in the content."""

_stamp: Callable[[Raw], float | str | None]
_stamp = msgspec.json.Decoder(float | str | None).decode
_entries: Callable[[Raw], list[dict[str, Any]] | None]
_entries = msgspec.json.Decoder(list[dict[str, Any]] | None).decode
_text: Callable[[Raw], str | None] = msgspec.json.Decoder(str | None).decode
_object: Callable[[Raw], dict[str, Any] | None]
_object = msgspec.json.Decoder(dict[str, Any] | None).decode
_value = msgspec.json.Decoder().decode
_flag = msgspec.json.Decoder(bool).decode


def _joined(thoughts: list[str]) -> str | None:
    """Return `reasoning` as it repeats the reasoning blocks."""
    return "".join(thoughts) or None


def _says_no_more(reasoning: str | None, thoughts: list[str]) -> bool:
    """Whether `reasoning` repeats blocks in one of the ways of the converters."""
    return not reasoning or reasoning in (*thoughts, "".join(thoughts), "\n".join(thoughts))


def _version_of(message: Message) -> Version:
    """Return the version that writes messages like this one."""
    if message.parsed_content is not UNSET:
        return "agentflow"
    return "0.3.6" if type(message.timestamp) is str else "0.3.9"


class Reader:
    """Makes canonical messages, one object for one call. Times without an offset are in `zone`."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._version: Version = "agentflow"

    def message(self, message: Message, path: str) -> model.Message:
        """Return the canonical message. Raises `DecodeError` with `path` in it."""
        self._version = _version_of(message)
        keys: dict[str, Any] = {}
        spelling: dict[str, Any] = {}
        fields: dict[str, Any] = {}
        if message.message_id is not UNSET:
            fields["id"] = message.message_id
        self._time(message, fields, spelling, path)
        mapping = _ROLES.get(message.role)
        if mapping is None:  # a program has set it
            raise DecodeError(
                unknown_name("role", message.role, _ROLES), wire=WIRE, path=f"{path}.role"
            )
        canonical: model.Message = mapping(self, message, fields, keys, spelling)
        extras = extras_of(API, message.unknown, keys, spelling)
        if self._version != "agentflow":
            extras = extras or {API: model.Extra(RawJson.adopt(Raw(b"{}")))}
            extras[API].dialect = self._version
        canonical.extras = extras
        return canonical

    def _time(
        self, message: Message, fields: dict[str, Any], spelling: dict[str, Any], path: str
    ) -> None:
        stamp = message.timestamp
        if stamp is None:
            return
        if stamp is UNSET:
            spelling["timestamp"] = None
            return
        try:
            fields["timestamp"] = found = millis(stamp, self._zone)
        except ValueError as error:
            path = f"{path}.timestamp"
            raise DecodeError(f"not a time: {error}", wire=WIRE, path=path) from error
        if stamp_of(found, self._version, self._zone) != stamp:
            spelling["timestamp"] = stamp

    # -- messages ------------------------------------------------------------------------------

    def _system(
        self,
        message: Message,
        fields: dict[str, Any],
        keys: dict[str, Any],
        spelling: dict[str, Any],
    ) -> model.Message:
        self._keep(message, keys)
        if message.delta:
            keys["delta"] = True
        metadata = message.metadata or None
        return model.SystemMessage(
            blocks_of(message.content, self._version), metadata=metadata, **fields
        )

    def _user(
        self,
        message: Message,
        fields: dict[str, Any],
        keys: dict[str, Any],
        spelling: dict[str, Any],
    ) -> model.Message:
        self._keep(message, keys)
        if any(type(block) is own.ToolResultBlock for block in message.content):
            spelling["together"] = True
        return model.UserMessage(
            blocks_of(message.content, self._version),
            delta=message.delta,
            metadata=message.metadata or None,
            **fields,
        )

    def _tool(
        self,
        message: Message,
        fields: dict[str, Any],
        keys: dict[str, Any],
        spelling: dict[str, Any],
    ) -> model.Message:
        self._keep(message, keys)
        content = blocks_of(message.content, self._version)
        metadata = dict(message.metadata)
        results = [block for block in content if type(block) is model.ToolResultBlock]
        if len(results) > 1:
            spelling["together"] = True
        elif results and type(metadata.get("function_name")) is str:
            results[0].tool_name = metadata.pop("function_name")
        return model.ToolMessage(content, delta=message.delta, metadata=metadata or None, **fields)

    def _keep(self, message: Message, keys: dict[str, Any]) -> None:
        """Keep the fields that only the canonical assistant's message has a place for."""
        for name in ("tools_calls", "reasoning", "usages", "raw", "parsed_content"):
            value = getattr(message, name)
            if value is not None and value is not UNSET:
                keys[name] = Raw(write(value, WIRE)) if isinstance(value, Record) else value

    def _assistant(
        self,
        message: Message,
        fields: dict[str, Any],
        keys: dict[str, Any],
        spelling: dict[str, Any],
    ) -> model.Message:
        content = self._answer(message, keys, spelling)
        calls = [block for block in content if type(block) is model.ToolCallBlock]
        metadata = dict(message.metadata)
        for name, key in _FROM_METADATA:
            if type(metadata.get(key)) is str:
                fields[name] = metadata.pop(key)
        word = fields.get("raw_stop_reason")
        parsed = message.parsed_content
        return model.AssistantMessage(
            content,
            stop_reason_of(word, has_calls=bool(calls)),
            usage=self._usage(message.usages, fields.get("provider")),
            api=call_signer() if any(call.signature is not None for call in calls) else None,
            delta=message.delta,
            parsed=parsed if parsed is not UNSET else None,
            raw=message.raw,
            metadata=metadata or None,
            **fields,
        )

    def _answer(
        self, message: Message, keys: dict[str, Any], spelling: dict[str, Any]
    ) -> list[model.Content]:
        """Return the content of an answer, with what is only in `reasoning` and `tools_calls`."""
        blocks = [block for block in message.content if type(block) is own.ToolCallBlock]
        entries = message.tools_calls or ()
        of_blocks, others, is_all = paired(blocks, entries)
        content = blocks_of(message.content, self._version)
        calls = [block for block in content if type(block) is model.ToolCallBlock]
        for call, entry in zip(calls, of_blocks, strict=True):
            if entry is not None:
                call.arguments = Arguments(entry.text)
                call.signature = entry.signature
        for entry in others:
            extras = extras_of(API, UNSET, None, _NO_BLOCK)
            call = model.ToolCallBlock(
                entry.id,
                entry.name,
                Arguments(entry.text),
                signature=entry.signature,
                extras=extras,
            )
            calls.append(call)
            content.append(call)
        expected = [entry_of(call, call.signature) for call in calls if wants_entry(call)]
        if message.tools_calls != (expected or None):
            (spelling if is_all else keys)["tools_calls"] = message.tools_calls
            if not is_all:
                spelling["calls"] = told_of(calls)

        thoughts = [block.summary for block in message.content if type(block) is own.ReasoningBlock]
        reasoning = message.reasoning
        if reasoning and not thoughts:
            extras = extras_of(API, UNSET, None, _NO_BLOCK)
            content.insert(0, model.ThinkingBlock(reasoning, extras=extras))
        elif reasoning != _joined(thoughts):
            says_more = not _says_no_more(reasoning, thoughts)
            (keys if says_more else spelling)["reasoning"] = reasoning
            if says_more:
                spelling["thoughts"] = thoughts
        return content

    def _usage(self, usage: TokenUsages | None, provider: str | None) -> model.Usage | None:
        if usage is None:
            return None
        read, written = usage.cache_read_input_tokens, usage.cache_creation_input_tokens
        cached = 0 if is_apart(provider) else read + written
        is_odd = cached > usage.prompt_tokens
        spelling = {"prompt_tokens": usage.prompt_tokens} if is_odd else {}
        if not usage.total_tokens and (usage.prompt_tokens or usage.completion_tokens):
            spelling["total_tokens"] = usage.total_tokens
        return model.Usage(
            usage.prompt_tokens if is_odd else usage.prompt_tokens - cached,
            usage.completion_tokens,
            usage.reasoning_tokens,
            read,
            written,
            usage.total_tokens,
            usage.image_tokens,
            usage.audio_tokens,
            extras=extras_of(API, usage.unknown, None, spelling),
        )


_FROM_METADATA: Final = (
    ("provider", "provider"),
    ("model", "model"),
    ("raw_stop_reason", "finish_reason"),
)
_ROLES: Final[Mapping[str, Any]] = {
    "system": Reader._system,
    "user": Reader._user,
    "assistant": Reader._assistant,
    "tool": Reader._tool,
}


class MessageWriter(Writer):
    """Makes PyAgenity's messages of canonical ones. Times of 0.3.6 are in `zone`.

    Without a version, a message is written in the version that it came in, or in Agentflow's if it
    came from elsewhere.
    """

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = SYSTEM
    LOSSES: ClassVar[Mapping[str, str]] = tables.LOSSES
    CARRIED: ClassVar[Mapping[type[Any], str]] = tables.CARRIED

    def __init__(self, losses: Losses, version: Version | None, zone: tzinfo) -> None:
        super().__init__(losses)
        self._wanted = version
        self._version: Version = version or "agentflow"
        self._zone = zone

    def _begin(self, message: Any, where: Where) -> tuple[dict[str, Raw], Keys]:
        """Report what is lost of a message, and choose the version that it is written in."""
        if self._wanted is None:
            extra = message.extras.get(API) if message.extras is not None else None
            dialect: Any = extra.dialect if extra is not None else None
            self._version = dialect if dialect in ("0.3.6", "0.3.9") else "agentflow"
        keys, spelling = self.rest(message, where)
        return dict(keys), spelling

    def _blocks(self, named: model.ToolResultBlock | None = None) -> BlockWriter:
        return BlockWriter(self, self._version, self._wanted is not None, named)

    def _message(
        self,
        role: Role,
        message: Any,
        content: list[own.ContentBlock],
        where: Where,
        spelling: Keys,
        **fields: Any,
    ) -> Message:
        """Return a message with the fields that all roles have."""
        own_message: Message = as_given(
            Message,
            message_id=UNSET if message.id is None else message.id,
            role=role,
            content=content,
            timestamp=self._time(message.timestamp, spelling, where),
            parsed_content=None if self._version == "agentflow" else UNSET,
            **fields,
        )
        return own_message

    def _put_back(self, message: Message, keys: dict[str, Raw], where: Where) -> Message:
        """Put back unknown keys, and the known ones that only an answer has a field for."""
        if not keys:
            return message
        if message.role == "system" and "delta" in keys:
            message.delta = _flag(keys.pop("delta"))
        if "tools_calls" in keys:
            message.tools_calls = _entries(keys.pop("tools_calls"))
        if "reasoning" in keys:
            message.reasoning = _text(keys.pop("reasoning"))
        if "usages" in keys:
            message.usages = read(TokenUsages, bytes(keys.pop("usages")), WIRE)
        if "raw" in keys:
            message.raw = _object(keys.pop("raw"))
        if "parsed_content" in keys:
            parsed = _object(keys.pop("parsed_content"))
            if self._version == "agentflow":
                message.parsed_content = parsed
            else:
                self.lose("parsed", where, ".extras")
        message.unknown = unknown(keys)
        return message

    def _time(
        self, time: int | None, spelling: Keys, where: Where
    ) -> float | str | UnsetType | None:
        original = _stamp(spelling["timestamp"]) if "timestamp" in spelling else UNSET
        if time is None:
            return UNSET if original is None else None
        is_text = self._version == "0.3.6"
        if original is not None and original is not UNSET and self._is_time(original, time):
            if self._wanted is None or is_text is (type(original) is str):
                return original
            exact = micros(original, self._zone)  # of another version: the same microsecond
            again = text_of(exact, self._zone) if is_text else exact / 1_000_000
            if again is not None:
                return again
        stamp = stamp_of(time, self._version, self._zone)
        if stamp is None or not self._is_time(stamp, time):
            self.lose("timestamp", where, ".timestamp")
        return stamp

    def _is_time(self, stamp: float | str, time: int) -> bool:
        try:
            return millis(stamp, self._zone) == time
        except ValueError:
            return False

    def _system(self, message: model.SystemMessage, where: Where) -> list[Message]:
        keys, spelling = self._begin(message, where)
        content = self._blocks().content(enumerate(message.content), where)
        made = self._message(
            "system", message, content, where, spelling, metadata=dict(message.metadata or {})
        )
        return [self._put_back(made, keys, where)]

    def _user(self, message: model.UserMessage, where: Where) -> list[Message]:
        """Return the message, after a message for each tool result: in it those are only text."""
        keys, spelling = self._begin(message, where)
        numbered = list(enumerate(message.content))
        results: _Numbered = []
        if "together" not in spelling:
            self.lose_order(message.content, where)
            results = [(i, block) for i, block in numbered if type(block) is model.ToolResultBlock]
            numbered = [
                (i, block) for i, block in numbered if type(block) is not model.ToolResultBlock
            ]
        messages = [self._tool_message(message, [part], where, spelling) for part in results]
        if numbered or keys or not messages:
            content = self._blocks().content(numbered, where)
            fields = {"delta": message.delta, "metadata": dict(message.metadata or {})}
            own_part = self._message("user", message, content, where, spelling, **fields)
            messages.append(self._put_back(own_part, keys, where))
        return _with_one_id(messages)

    def _batch(self, message: model.ToolMessage, where: Where) -> list[Message]:
        """Return a message for each result: of several in one message, a model gets only one."""
        keys, spelling = self._begin(message, where)
        numbered = list(enumerate(message.content))
        starts = [i for i, block in numbered if type(block) is model.ToolResultBlock]
        cuts = [0, *starts[1:]] if "together" not in spelling else [0]
        ends = [*cuts[1:], len(numbered)]
        messages = [
            self._tool_message(message, numbered[a:b], where, spelling)
            for a, b in zip(cuts, ends, strict=True)
        ]
        self._put_back(messages[0], keys, where)
        return _with_one_id(messages)

    def _tool_message(
        self, message: Any, numbered: _Numbered, where: Where, spelling: Keys
    ) -> Message:
        metadata = dict(message.metadata or {})
        results = [block for _, block in numbered if type(block) is model.ToolResultBlock]
        named = results[0] if len(results) == 1 else None
        if named is not None and named.tool_name is not None:
            metadata = self._with_function(metadata, named.tool_name, where)
        content = self._blocks(named).content(numbered, where)
        fields = {"delta": message.delta, "metadata": metadata}
        return self._message("tool", message, content, where, spelling, **fields)

    def _with_function(self, metadata: dict[str, Any], name: str, where: Where) -> dict[str, Any]:
        if "function_name" in metadata:
            self.lose("metadata key", where, ".metadata.function_name")
        others = {key: metadata[key] for key in metadata if key != "function_name"}
        return {"function_name": name, **others}

    def _result_message(self, message: model.ToolResultMessage, where: Where) -> list[Message]:
        keys, spelling = self._begin(message, where)
        metadata = dict(message.metadata or {})
        if message.tool_name is not None:
            metadata = self._with_function(metadata, message.tool_name, where)
        block = self._blocks().result_of(message, where)
        made = self._message("tool", message, [block], where, spelling, metadata=metadata)
        return [self._put_back(made, keys, where)]

    def _assistant(self, message: model.AssistantMessage, where: Where) -> list[Message]:
        keys, spelling = self._begin(message, where)
        blocks = self._blocks()
        content = blocks.content(enumerate(message.content), where, is_answer=True)
        raw = blocks.object_of(message.raw, "raw", where, ".raw")
        answer = self._message(
            "assistant",
            message,
            content,
            where,
            spelling,
            delta=message.delta,
            tools_calls=self._tools_calls(message, content, keys, spelling, where),
            reasoning=self._reasoning(message, content, keys, spelling, where),
            metadata=self._metadata(message, where),
            usages=self._usage(message.usage, message.provider, where),
            raw=raw,
        )
        if message.parsed is not None and self._version != "agentflow":
            self.lose("parsed", where, ".parsed")
        elif message.parsed is not None:
            answer.parsed_content = blocks.object_of(message.parsed, "parsed", where, ".parsed")
        return [self._put_back(answer, keys, where)]

    def _tools_calls(
        self,
        message: model.AssistantMessage,
        content: list[own.ContentBlock],
        keys: dict[str, Raw],
        spelling: Keys,
        where: Where,
    ) -> list[dict[str, Any]] | None:
        """Return the entries of the calls: the original ones if they still match the calls."""
        numbered = [
            (i, block)
            for i, block in enumerate(message.content)
            if type(block) is model.ToolCallBlock
        ]
        calls = [call for _, call in numbered]
        original = keys.pop("tools_calls", None)
        if original is not None:
            is_true = "calls" in spelling and _value(spelling["calls"]) == told_of(calls)
            entries = _entries(original)
        else:
            entries = _entries(spelling["tools_calls"]) if "tools_calls" in spelling else None
            is_true = "tools_calls" in spelling and _says(entries, calls, content)
        if is_true:
            self._lose_api(message, any(call.signature is not None for call in calls), where)
            return entries
        if original is not None:
            self.lose("extras", where, ".extras", ["tools_calls"])
        api = message.api
        is_signer = signs_calls(message.provider) if api is None else api == call_signer()
        entries = []
        for i, call in numbered:
            if not wants_entry(call):
                self._blocks().lose_entry(call, (*where, i))
                continue
            if call.signature is not None and not is_signer:
                self.lose("signature", (*where, i), ".signature")
            entries.append(entry_of(call, call.signature if is_signer else None))
        self._lose_api(message, any("thought_signature" in entry for entry in entries), where)
        return entries or None

    def _lose_api(self, message: model.AssistantMessage, is_signed: bool, where: Where) -> None:
        if message.api is not None and not (is_signed and message.api == call_signer()):
            self.lose("api", where, ".api")

    def _reasoning(
        self,
        message: model.AssistantMessage,
        content: list[own.ContentBlock],
        keys: dict[str, Raw],
        spelling: Keys,
        where: Where,
    ) -> str | None:
        """Return `reasoning`: the original text if it still matches the blocks."""
        thoughts = [block.summary for block in content if type(block) is own.ReasoningBlock]
        unread = keys.pop("reasoning", None)
        if unread is not None:
            if "thoughts" in spelling and _value(spelling["thoughts"]) == thoughts:
                return _text(unread)
            self.lose("extras", where, ".extras", ["reasoning"])
        all_thoughts = [
            block.thinking
            for block in message.content
            if type(block) is model.ThinkingBlock and not block.redacted
        ]
        if "reasoning" in spelling and all_thoughts == thoughts:  # each has a block that says it
            original = _text(spelling["reasoning"])
            if _says_no_more(original, thoughts):
                return original
        return _joined(all_thoughts)

    def _metadata(self, message: model.AssistantMessage, where: Where) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if message.provider is not None:
            fields["provider"] = message.provider
        if message.model is not None:
            fields["model"] = message.model
        word, reason = message.raw_stop_reason, message.stop_reason
        has_calls = any(type(block) is model.ToolCallBlock for block in message.content)
        if reason is not None and stop_reason_of(word, has_calls=has_calls) is not reason:
            if word is not None:
                self.lose("rawStopReason", where, ".rawStopReason")
            word = word_of(reason)
        if word is not None:
            fields["finish_reason"] = word
        others = message.metadata or {}
        for key in fields.keys() & others.keys():
            self.lose("metadata key", where, f".metadata.{key}")
        return {**fields, **{key: others[key] for key in others if key not in fields}}

    def _usage(
        self, usage: model.Usage | None, provider: str | None, where: Where
    ) -> TokenUsages | None:
        if usage is None:
            return None
        keys, spelling = self.rest(usage, (*where, ".usage"))
        cached = 0 if is_apart(provider) else usage.cache_read + usage.cache_write
        original = bytes(spelling.get("prompt_tokens", b""))
        if original == b"%d" % usage.input and usage.input < cached:
            cached = 0  # less than its cached part, as it came in: unchanged
        prompt, total = usage.input + cached, usage.total_tokens
        if not total and "total_tokens" not in spelling:
            total = prompt + usage.output
        counts: TokenUsages = as_given(
            TokenUsages,
            usage.output,
            prompt,
            total,
            usage.reasoning,
            usage.cache_write,
            usage.cache_read,
            usage.image_tokens,
            usage.audio_tokens,
            unknown=unknown(keys),
        )
        return counts

    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        model.SystemMessage: _system,
        model.UserMessage: _user,
        model.AssistantMessage: _assistant,
        model.ToolResultMessage: _result_message,
        model.ToolMessage: _batch,
    }


def _with_one_id(messages: list[Message]) -> list[Message]:
    """Keep the id on the first of the messages made of one; the reader gives the others theirs."""
    for further in messages[1:]:
        further.message_id = UNSET
    return messages


def _says(
    entries: list[dict[str, Any]] | None,
    calls: list[model.ToolCallBlock],
    content: list[own.ContentBlock],
) -> bool:
    """Whether entries beside these blocks would be read as these calls."""
    blocks = [block for block in content if type(block) is own.ToolCallBlock]
    of_blocks, others, is_all = paired(blocks, entries or ())
    read_calls: list[tuple[str, str, bytes, str | None]] = []
    for block, entry in zip(blocks, of_blocks, strict=True):
        if entry is None:
            read_calls.append((block.id, block.name, Arguments.of(block.args).text, None))
        else:
            read_calls.append((entry.id, entry.name, entry.text.encode(), entry.signature))
    read_calls += [(entry.id, entry.name, entry.text.encode(), entry.signature) for entry in others]
    return is_all and read_calls == [
        (call.id, call.name, call.arguments.text, call.signature) for call in calls
    ]
