"""Canonical messages -> PyAgenity's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ... import model
from ...model import Arguments
from .._mapping import Keys, Where
from .._records import read, unknown
from . import blocks as own
from .block_reading import API
from .block_writing import MEDIA, BlockWriter, Found
from .calls import entry_of, paired, told_of, wants_entry
from .reading import GEMINI, joined_thoughts, says_no_more
from .times import micros, millis, stamp_of, text_of
from .types import Message, Role, TokenUsages
from .words import is_apart, is_google, stop_reason_of, word_of

__all__ = ["WIRE", "MessageWriter"]

WIRE: Final = own.WIRE

_stamp: Callable[[Raw], float | str | None]
_stamp = msgspec.json.Decoder(float | str | None).decode
_entries: Callable[[Raw], list[dict[str, Any]] | None]
_entries = msgspec.json.Decoder(list[dict[str, Any]] | None).decode
_text: Callable[[Raw], str | None] = msgspec.json.Decoder(str | None).decode
_object: Callable[[Raw], dict[str, Any] | None]
_object = msgspec.json.Decoder(dict[str, Any] | None).decode
_value = msgspec.json.Decoder().decode
_flag = msgspec.json.Decoder(bool).decode


class MessageWriter(BlockWriter):
    """Makes PyAgenity's messages of canonical ones.

    Without a version, a message is written in the version that it came in, or in Agentflow's if it
    came from elsewhere.
    """

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = "PyAgenity"
    LOSSES: ClassVar[Mapping[str, str]] = {
        "signature": "PyAgenity has no place for it but on a call by Gemini; left out",
        "redacted": "PyAgenity has no place for thinking that nobody can read; left out",
        "arguments": "PyAgenity's block of a call holds an object; written as {}",
        "api": "PyAgenity says who answered, not over which API; left out",
        "rawStopReason": "PyAgenity has one word for both; the one for stopReason is written",
        "timestamp": "no time of this version says it exactly; the nearest, or null, is written",
        "status": "in PyAgenity a result is completed, failed, or neither; written as null",
        "annotation kind": "in PyAgenity an annotation is a citation or a note; written as a note",
        "error data": "in PyAgenity the data of an error is an object; left out",
        "raw": "in PyAgenity a raw response is an object; left out",
        "parsed": "Agentflow has a place for an object, older versions have none; left out",
        "text": "the text of a document is Agentflow's; left out",
        "remote call": "0.3.6 has no calls that a client runs; left out",
        "order": "a result among a user's blocks is only text; it stands before them, moved",
        "function name": "a message names the function of one result alone; left out",
        "metadata key": "a field of the message stands under this key; left out",
        "opaque": "PyAgenity has no such block; left out",
    }
    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        model.TextBlock: "text annotations",
        model.AnnotationRef: "url title file_id page index",
        model.ImageBlock: f"{MEDIA} alt_text bbox",
        model.AudioBlock: f"{MEDIA} transcript sample_rate channels",
        model.VideoBlock: f"{MEDIA} thumbnail",
        model.DocumentBlock: f"{MEDIA} text pages excerpt",
        model.DataBlock: MEDIA,
        model.ThinkingBlock: "thinking details",
        model.ToolCallBlock: "id name arguments tool_type signature",
        model.ToolResultBlock: "tool_call_id tool_name content is_error status",
        model.AnnotationBlock: "kind refs spans",
        model.ErrorBlock: "message code data",
        model.OpaqueBlock: "api raw",
        model.SystemMessage: "content timestamp id metadata",
        model.UserMessage: "content timestamp id delta metadata",
        model.AssistantMessage: (
            "content stop_reason model provider usage timestamp api raw_stop_reason id delta "
            "parsed raw metadata"
        ),
        model.ToolResultMessage: (
            "tool_call_id tool_name content is_error timestamp status id metadata"
        ),
        model.ToolMessage: "content timestamp id delta metadata",
        model.Usage: (
            "input output reasoning cache_read cache_write total_tokens image_tokens audio_tokens"
        ),
    }

    def _begin(self, message: Any, where: Where) -> tuple[dict[str, Raw], Keys]:
        """Report what is lost of a message, and choose the version that it is written in."""
        if self._wanted is None:
            extra = message.extras.get(API) if message.extras is not None else None
            came = extra.dialect if extra is not None else None
            self._version = came if came in ("0.3.6", "0.3.9") else "agentflow"
        self.named = None
        keys, spelling = self.rest(message, where)
        return dict(keys), spelling

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
        return Message(
            message_id=UNSET if message.id is None else message.id,
            role=role,
            content=content,
            timestamp=self._time(message.timestamp, spelling, where),
            parsed_content=None if self._version == "agentflow" else UNSET,
            **fields,
        )

    def _put_back(self, made: Message, keys: dict[str, Raw], where: Where) -> Message:
        """Put back unknown keys, and the known ones that only an answer has a field for."""
        if not keys:
            return made
        if made.role == "system" and "delta" in keys:
            made.delta = _flag(keys.pop("delta"))
        if "tools_calls" in keys:
            made.tools_calls = _entries(keys.pop("tools_calls"))
        if "reasoning" in keys:
            made.reasoning = _text(keys.pop("reasoning"))
        if "usages" in keys:
            made.usages = read(TokenUsages, bytes(keys.pop("usages")), WIRE)
        if "raw" in keys:
            made.raw = _object(keys.pop("raw"))
        if "parsed_content" in keys:
            parsed = _object(keys.pop("parsed_content"))
            if self._version == "agentflow":
                made.parsed_content = parsed
            else:
                self.lose("parsed", where, ".extras")
        made.unknown = unknown(keys)
        return made

    def _time(
        self, time: int | None, spelling: Keys, where: Where
    ) -> float | str | UnsetType | None:
        came = _stamp(spelling["timestamp"]) if "timestamp" in spelling else UNSET
        if time is None:
            return UNSET if came is None else None
        is_text = self._version == "0.3.6"
        if came is not None and came is not UNSET and self._is_time(came, time):
            if self._wanted is None or is_text is (type(came) is str):
                return came
            exact = micros(came, self._zone)  # of another version: the same microsecond
            made = text_of(exact, self._zone) if is_text else exact / 1_000_000
            if made is not None:
                return made
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
        content = self.content(enumerate(message.content), where)
        made = self._message(
            "system", message, content, where, spelling, metadata=dict(message.metadata or {})
        )
        return [self._put_back(made, keys, where)]

    def _user(self, message: model.UserMessage, where: Where) -> list[Message]:
        """Return the message, after a message for each tool result: in it those are only text."""
        keys, spelling = self._begin(message, where)
        found = list(enumerate(message.content))
        results: Found = []
        if "together" not in spelling:
            self.lose_order(message.content, where)
            results = [(i, block) for i, block in found if type(block) is model.ToolResultBlock]
            found = [(i, block) for i, block in found if type(block) is not model.ToolResultBlock]
        made = [self._tool_message(message, [part], where, spelling) for part in results]
        if found or keys or not made:
            content = self.content(found, where)
            fields = {"delta": message.delta, "metadata": dict(message.metadata or {})}
            own_part = self._message("user", message, content, where, spelling, **fields)
            made.append(self._put_back(own_part, keys, where))
        return _with_one_id(made)

    def _batch(self, message: model.ToolMessage, where: Where) -> list[Message]:
        """Return a message for each result: of several in one message, a model gets only one."""
        keys, spelling = self._begin(message, where)
        found = list(enumerate(message.content))
        starts = [i for i, block in found if type(block) is model.ToolResultBlock]
        cuts = [0, *starts[1:]] if "together" not in spelling else [0]
        ends = [*cuts[1:], len(found)]
        made = [
            self._tool_message(message, found[a:b], where, spelling)
            for a, b in zip(cuts, ends, strict=True)
        ]
        self._put_back(made[0], keys, where)
        return _with_one_id(made)

    def _tool_message(self, message: Any, found: Found, where: Where, spelling: Keys) -> Message:
        metadata = dict(message.metadata or {})
        results = [block for _, block in found if type(block) is model.ToolResultBlock]
        self.named = results[0] if len(results) == 1 else None
        if self.named is not None and self.named.tool_name is not None:
            metadata = self._with_function(metadata, self.named.tool_name, where)
        content = self.content(found, where)
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
        block = self.result_of(message, where)
        made = self._message("tool", message, [block], where, spelling, metadata=metadata)
        return [self._put_back(made, keys, where)]

    def _assistant(self, message: model.AssistantMessage, where: Where) -> list[Message]:
        keys, spelling = self._begin(message, where)
        content = self.content(enumerate(message.content), where, is_answer=True)
        raw = self.object_of(message.raw, "raw", where, ".raw")
        made = self._message(
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
            made.parsed_content = self.object_of(message.parsed, "parsed", where, ".parsed")
        return [self._put_back(made, keys, where)]

    def _tools_calls(
        self,
        message: model.AssistantMessage,
        content: list[own.ContentBlock],
        keys: dict[str, Raw],
        spelling: Keys,
        where: Where,
    ) -> list[dict[str, Any]] | None:
        """Return the entries of the calls: the original ones if they still match the calls."""
        found = [
            (i, block)
            for i, block in enumerate(message.content)
            if type(block) is model.ToolCallBlock
        ]
        calls = [call for _, call in found]
        kept = keys.pop("tools_calls", None)
        if kept is not None:
            is_true = "calls" in spelling and _value(spelling["calls"]) == told_of(calls)
            came = _entries(kept)
        else:
            came = _entries(spelling["tools_calls"]) if "tools_calls" in spelling else None
            is_true = "tools_calls" in spelling and _say(came, calls, content)
        if is_true:
            self._lose_api(message, any(call.signature is not None for call in calls), where)
            return came
        if kept is not None:
            self.lose("extras", where, ".extras")
        is_gemini = message.api == GEMINI or (message.api is None and is_google(message.provider))
        made = []
        for i, call in found:
            if not wants_entry(call):
                self.lose_entry(call, (*where, i))
                continue
            if call.signature is not None and not is_gemini:
                self.lose("signature", (*where, i), ".signature")
            made.append(entry_of(call, call.signature if is_gemini else None))
        self._lose_api(message, any("thought_signature" in entry for entry in made), where)
        return made or None

    def _lose_api(self, message: model.AssistantMessage, is_signed: bool, where: Where) -> None:
        if message.api is not None and not (is_signed and message.api == GEMINI):
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
        kept = keys.pop("reasoning", None)
        if kept is not None:
            if "thoughts" in spelling and _value(spelling["thoughts"]) == thoughts:
                return _text(kept)
            self.lose("extras", where, ".extras")
        said = [
            block.thinking
            for block in message.content
            if type(block) is model.ThinkingBlock and not block.redacted
        ]
        if "reasoning" in spelling and said == thoughts:  # each has a block that says it
            came = _text(spelling["reasoning"])
            if says_no_more(came, thoughts):
                return came
        return joined_thoughts(said)

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
        came = bytes(spelling.get("prompt_tokens", b""))
        if came == b"%d" % usage.input and usage.input < cached:
            cached = 0  # less than its cached part, as it came in: unchanged
        prompt, total = usage.input + cached, usage.total_tokens
        if not total and "total_tokens" not in spelling:
            total = prompt + usage.output
        return TokenUsages(
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

    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        model.SystemMessage: _system,
        model.UserMessage: _user,
        model.AssistantMessage: _assistant,
        model.ToolResultMessage: _result_message,
        model.ToolMessage: _batch,
    }


def _with_one_id(made: list[Message]) -> list[Message]:
    """Keep the id on the first of the messages made of one; the reader gives the others theirs."""
    for further in made[1:]:
        further.message_id = UNSET
    return made


def _say(
    entries: list[dict[str, Any]] | None,
    calls: list[model.ToolCallBlock],
    content: list[own.ContentBlock],
) -> bool:
    """Whether entries beside these blocks would be read as these calls."""
    blocks = [block for block in content if type(block) is own.ToolCallBlock]
    of_blocks, others, is_all = paired(blocks, entries or ())
    said: list[tuple[str, str, bytes, str | None]] = []
    for block, entry in zip(blocks, of_blocks, strict=True):
        if entry is None:
            said.append((block.id, block.name, Arguments.of(block.args).text, None))
        else:
            said.append((entry.id, entry.name, entry.text.encode(), entry.signature))
    said += [(entry.id, entry.name, entry.text.encode(), entry.signature) for entry in others]
    return is_all and said == [
        (call.id, call.name, call.arguments.text, call.signature) for call in calls
    ]
