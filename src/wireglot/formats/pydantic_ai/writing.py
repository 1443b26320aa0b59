"""Canonical messages -> Pydantic AI's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ... import model
from ..._body.encode import encode_json as encode
from ...model import MediaBlock, RawJson
from ...providers._state.facts import called, name_in
from .._as_it_came import as_it_came, in_order, json_text, own_json
from .._mapping import Keys, Where, Writer, spelled
from .._records import write
from . import types as own
from .items import digest, file_of
from .reading import MEANT, PART, SAID, canonical, millis, result_content, signs_calls, stamp
from .system import API, SYSTEM, WIRE

__all__ = ["MessageWriter"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_count = msgspec.json.Decoder(int).decode
_WORDS: Final = {reason: word for word, reason in MEANT.items()}
_REQUEST: Final[dict[str, Any]] = {
    "timestamp": None,
    "instructions": None,
    "run_id": None,
    "conversation_id": None,
    "metadata": None,
    "state": "complete",
}
_RESPONSE: Final[dict[str, Any]] = {
    "model_id": None,
    "provider_url": None,
    "canonical_system": None,
    "run_id": None,
    "conversation_id": None,
    "workspace_ref": None,
    "history_digest": None,
    "failed_attempts": None,
    "state": "complete",
}
_SYSTEM: Final = {"dynamic_ref": None, "context_id": None, "scope": "conversation"}
_USAGE: Final[dict[str, Any]] = {
    "cache_write_1h_tokens": 0,
    "input_audio_tokens": 0,
    "cache_audio_read_tokens": 0,
    "output_audio_tokens": 0,
    "audio_seconds": 0.0,
    "details": {},
    "cost": None,
}

_OUTCOMES: Final = frozenset({"denied", "interrupted", "retried"})
_RESULT: Final = {"tool_kind": None, "retry": None}
_ANSWER: Final = {"id": None, "provider_name": None, "provider_details": None}


class _Piece(Struct):
    """A request made of one message.

    With `joins` it is a part of the request before; with `repeats` it has the same instructions.
    """

    request: Any
    joins: bool
    repeats: bool


def _piece(request: Any, message: Any) -> _Piece:
    """Return a request as the piece that a canonical message came as."""
    marks = spelled(message.extras, API)
    return _Piece(request, "joins" in marks, "repeats" in marks)


def _as_dict(request: own.ModelRequest) -> dict[str, Any]:
    """Return an unchanged request as a dict, like those that are made here."""
    keys: dict[str, Any] = _keys(write(request, WIRE))
    if isinstance(request.instructions, str):
        keys["instructions"] = request.instructions
    return keys | {"parts": request.parts}


class MessageWriter(Writer):
    """Makes Pydantic AI's messages of canonical ones."""

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = SYSTEM
    MESSAGE: ClassVar[Any] = own.ModelMessage
    CANONICAL: ClassVar[Any] = staticmethod(canonical)
    LOSSES: ClassVar[Mapping[str, str]] = {
        "order": "results are parts of their own, before what the user says; moved",
        "stopReason": "Pydantic AI has stop, length, content_filter, tool_call and error; left out",
        "api": "Pydantic AI has the provider, of which the API follows; left out",
        "timestamp": "Pydantic AI's times have years from 1 to 9999; left out",
        "total_tokens": "Pydantic AI adds them up itself; left out",
        "status": "Pydantic AI has outcomes of its own; left out",
        "fileId": "Pydantic AI asks which provider has the file; left out",
        "media source": "a file without data, URL or id; left out",
        "text": "a file has one source; left out",
        "tool": "a batch without a result leaves no message",
        "content": "Pydantic AI's tool results have results alone; left out",
        "opaque": "a block that belongs to another API; left out",
    }
    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        model.TextBlock: "text cache",
        model.ImageBlock: "data url file_id mime_type detail cache",
        model.AudioBlock: "data url file_id mime_type cache",
        model.VideoBlock: "data url file_id mime_type cache",
        model.DocumentBlock: "data url file_id mime_type text cache",
        model.DataBlock: "data url file_id mime_type cache",
        model.ThinkingBlock: "thinking signature redacted",
        model.ToolCallBlock: "id name arguments signature",
        model.ToolResultBlock: "tool_call_id tool_name content is_error status details",
        model.OpaqueBlock: "api raw",
        model.SystemMessage: "content timestamp metadata",
        model.UserMessage: "content timestamp",
        model.AssistantMessage: (
            "content stop_reason model provider usage timestamp api raw_stop_reason id metadata"
        ),
        model.ToolResultMessage: (
            "tool_call_id tool_name content is_error status details timestamp"
        ),
        model.ToolMessage: "content timestamp",
        model.ExtensionMessage: "kind data",
        model.Usage: "input output reasoning cache_read cache_write total_tokens",
    }

    _provider: str | None = None  # of the answer at hand, and its API
    _api: str | None = None

    def messages(self, entries: Iterable[Any]) -> list[Any]:
        """Return Pydantic AI's messages; the pieces of one request are one request again."""
        out: list[Any] = []
        parts: list[Any] | None = None
        last = None
        for item in super().messages(entries):
            if type(item) is not _Piece:
                parts = None
                out.append(item)
                continue
            request = item.request if type(item.request) is dict else _as_dict(item.request)
            if item.joins and parts is not None:
                parts += request["parts"]
                continue
            text = request.get("instructions")
            text = last if item.repeats else text if isinstance(text, str) else None
            last = text or last
            parts = [*request["parts"]]
            out.append(request | {"parts": parts} | ({"instructions": text} if text else {}))
        return [own_json(own.ModelRequest, item) if type(item) is dict else item for item in out]

    def _request(
        self, message: Any, parts: list[Any], keys: dict[str, Raw], **about: Any
    ) -> list[_Piece]:
        """Return a request of these parts, with the fields that it came with."""
        marks = spelled(message.extras, API)
        request: dict[str, Any] = {"parts": [_ordered(part) for part in parts]}
        if "joins" not in marks:
            if "request" in marks:
                about["timestamp"] = marks["request"]
            request |= {**_REQUEST, **about}
            request |= _keys(keys.get("(request)", Raw(b"{}")))
        return [_piece({"kind": "request", **request}, message)]

    # -- requests ----------------------------------------------------------------------------------

    def _system(self, message: model.SystemMessage, where: Where) -> list[_Piece]:
        keys, spelling = self.rest(message, where)
        time = self._time(message, where)
        texts = []
        for i, block in enumerate(message.content):
            if type(block) is not model.TextBlock:
                self.lose_block(block, (*where, i))
                continue
            self.lose_rest(block, (*where, i))
            self._uncached(block, (*where, i))
            texts.append(block.text)
        if "instructions" in spelling and len(texts) == 1 and not time and not message.metadata:
            return self._request(message, [], dict(keys), instructions=texts[0])
        made = {"part_kind": "system-prompt", **time, **_SYSTEM, **but_request(keys)}
        if message.metadata is not None or "metadata" not in keys:
            made["metadata"] = self.finite(message.metadata, where, ".metadata")
        return self._request(
            message, [{"content": text, **made} for text in texts or [""]], dict(keys)
        )

    def _user(self, message: model.UserMessage, where: Where) -> list[_Piece]:
        keys, spelling = self.rest(message, where)
        time = self._time(message, where)
        results = self._results(message.content, time, where)
        self.lose_order(message.content, where)
        blocks = [
            (i, block)
            for i, block in enumerate(message.content)
            if type(block) is not model.ToolResultBlock
        ]
        parts: list[Any] = [*results]
        items: list[Any] = []
        about = {**time, **but_request(keys)}
        for i, block in blocks:
            part = self._said(block, (*where, i), is_result=False)
            if part is None:
                continue
            kind = _part_kind(part)
            if kind in SAID:  # which is a part of its own
                if items:
                    parts.append(_prompt(items, about, spelling))
                    items = []
                parts.append(part)
            elif kind is not None:
                self.lose("opaque", (*where, i))
            else:
                items.append(part)
            cache = getattr(block, "cache", None)
            if cache is not None:
                items.append({"kind": "cache-point", "ttl": cache.ttl or "5m"})
        if items or not parts or (len(parts) == len(results) and but_request(keys)):
            parts.append(_prompt(items, about, spelling))
        return self._request(message, parts, dict(keys))

    def _result(self, message: model.ToolResultMessage, where: Where) -> list[_Piece]:
        keys = message.extras[API].keys if message.extras and API in message.extras else None
        part = self._result_of(message, self._time(message, where), where)
        return self._request(message, [part], _keys(keys.text) if keys is not None else {})

    def _batch(self, message: model.ToolMessage, where: Where) -> list[_Piece]:
        self.lose_rest(message, where)
        for i, block in enumerate(message.content):
            if type(block) is not model.ToolResultBlock:
                self.lose("content", (*where, i))
        made = self._results(message.content, self._time(message, where), where)
        if not made:
            self.lose("tool", where)
            return []
        return self._request(message, made, {})

    def _extension(self, message: model.ExtensionMessage, where: Where) -> list[_Piece]:
        data = message.data
        if not message.kind.startswith(PART) or not isinstance(data, dict):
            self.lose("extension", where)
            return []
        keys, _ = self.rest(message, where)
        kind = message.kind.removeprefix(PART)
        if kind == "request" and not data:
            return self._request(message, [], dict(keys))
        if data.get("part_kind") != kind or kind in own.KNOWN:
            self.lose("extension", where)
            return []
        return self._request(message, [self.finite(data, where, ".data")], dict(keys))

    # -- answers -----------------------------------------------------------------------------------

    def _usage(self, usage: model.Usage | None, where: Where) -> dict[str, Any]:
        if usage is None:
            usage = model.Usage()
        keys, _ = self.rest(usage, where)
        into = usage.input + usage.cache_read + usage.cache_write
        if usage.total_tokens not in (0, into + usage.output):
            self.lose("total_tokens", where, ".total_tokens")
        counts = {
            "input_tokens": into,
            "cache_write_tokens": usage.cache_write,
            "cache_read_tokens": usage.cache_read,
            "output_tokens": usage.output,
            "output_reasoning_tokens": usage.reasoning,
            **_USAGE,
        }
        if "input_tokens" in keys and (usage.input or _count(keys["input_tokens"]) >= into):
            keys = {key: raw for key, raw in keys.items() if key != "input_tokens"}  # counted anew
        return in_order(own.RequestUsage, {**counts, **keys})

    def _assistant(self, message: model.AssistantMessage, where: Where) -> list[Any]:
        keys, _ = self.rest(message, where)
        provider = message.provider or name_in(WIRE, message.api)
        if message.api is not None and called(WIRE, provider) != message.api:
            self.lose("api", where, ".api")
        self._provider, self._api = provider, message.api
        reason = message.stop_reason
        if reason is not None and reason not in _WORDS:
            self.lose("stopReason", where, ".stopReason")
        details: dict[str, Any] = _keys(keys.get("provider_details", Raw(b"{}")))
        if message.raw_stop_reason is not None:
            details = {"finish_reason": message.raw_stop_reason, **details}
        parts = []
        for i, block in enumerate(message.content):
            part = self._part(block, (*where, i))
            if part is not None:
                parts.append(_ordered(part))
        response = {
            "kind": "response",
            "parts": parts,
            "usage": self._usage(message.usage, (*where, ".usage")),
            "model_name": message.model,
            **self._time(message, where),
            "provider_name": provider,
            "provider_details": details or None,
            "provider_response_id": None if message.id is None else str(message.id),
            "finish_reason": _WORDS.get(reason) if reason is not None else None,
            "metadata": self.finite(message.metadata, where, ".metadata"),
            **_RESPONSE,
        }
        told = {key for key in ("finish_reason", "metadata") if response[key] is not None}
        others = keys.keys() - told - {"provider_details"}
        response |= {key: raw for key, raw in keys.items() if key in others}
        return [own_json(own.ModelResponse, response)]

    # -- content -----------------------------------------------------------------------------------

    def _time(self, message: Any, where: Where) -> dict[str, Any]:
        time = message.timestamp
        if time is None:
            return {}
        text = json_text(spelled(message.extras, API).get("timestamp"))
        if text is None or not _is_time(text, time):
            text = stamp(time)
        if text is None:
            self.lose("timestamp", where, ".timestamp")
            return {}
        return {"timestamp": text}

    def _uncached(self, block: Any, where: Where) -> None:
        if getattr(block, "cache", None) is not None:
            self.lose("cache", where, ".cache")

    def _media(self, block: Any, where: Where) -> dict[str, Any] | None:
        keys, _ = self.rest(block, where)
        file = file_of(block, keys)
        if file is None:
            self.lose("media source" if block.file_id is None else "fileId", where)
        elif getattr(block, "text", None) is not None and any(
            (block.data, block.url, block.file_id)
        ):
            self.lose("text", where, ".text")
        return file

    def _plain(self, block: model.TextBlock, where: Where) -> Any:
        """Return a text of a user's content, as an object if it came as one or has more keys."""
        keys, spelling = self.rest(block, where)
        if "kind" not in spelling and not keys:
            return block.text
        made = {"content": block.text, "metadata": None, "kind": "text-content"}
        return {**made, **keys}

    def _opaque(self, block: model.OpaqueBlock, where: Where) -> Any:
        self.lose_rest(block, where)
        if block.api == API and block.raw.text[:1] == b"{":
            return block.raw
        self.lose("opaque", where)
        return None

    def _said(self, block: Any, where: Where, *, is_result: bool) -> Any:
        """Return an item of a content; None if it has no place."""
        if type(block) is model.TextBlock:
            if is_result:
                self.lose_rest(block, where)
                return block.text
            return self._plain(block, where)
        if isinstance(block, MediaBlock):
            return self._media(block, where)
        if type(block) is model.OpaqueBlock and not is_result:
            return self._opaque(block, where)
        self.lose_block(block, where)
        return None

    # -- results -----------------------------------------------------------------------------------

    def _results(
        self, blocks: Iterable[model.Content], time: dict[str, Any], where: Where
    ) -> list[dict[str, Any]]:
        return [
            self._result_of(block, time, (*where, i))
            for i, block in enumerate(blocks)
            if type(block) is model.ToolResultBlock
        ]

    def _result_of(self, result: Any, time: dict[str, Any], where: Where) -> dict[str, Any]:
        keys, spelling = self.rest(result, where)
        outcome = "failed" if result.is_error else "success"
        if result.status is not None:
            if result.is_error and result.status in _OUTCOMES:
                outcome = result.status
            else:
                self.lose("status", where, ".status")
        part = {
            "part_kind": "tool-return",
            "tool_name": result.tool_name or "",
            "tool_call_id": result.tool_call_id,
            "metadata": self.finite(result.details, where, ".details"),
            "outcome": outcome,
            **time,
            **_RESULT,
            **self._result_content(result, spelling, where),
        }
        return part | but_request(keys)

    def _result_content(self, result: Any, spelling: Keys, where: Where) -> dict[str, Any]:
        items = []
        for i, block in enumerate(result.content):
            self._uncached(block, (*where, i))
            part = self._said(block, (*where, i), is_result=True)
            if part is not None:
                items.append(part if type(part) is str else RawJson.adopt(Raw(encode(part))))
        if not items:
            return {"content": ""}
        only = items[0] if len(items) == 1 else None
        if type(only) is str:
            if "content" not in spelling:
                return {"content": only}
            try:
                raw = RawJson(only)
            except ValueError:  # no longer JSON; below: read as texts or files
                return {"content": only}
            is_scalar = raw.text[:1] not in (b"{", b"[")
            made: dict[str, Any] = {"content": raw}
            if not is_scalar:
                made["content_file_digests"] = []
            if result_content(own.ToolReturnPart("", **made), {}) == [model.TextBlock(only)]:
                return made
            return {"content": only}
        files = {digest(item.text) for item in items if type(item) is RawJson}
        found = sorted(each for each in files if each is not None)
        return {"content": items if only is None else only, "content_file_digests": found}

    # -- answers -----------------------------------------------------------------------------------

    def _part(self, block: Any, where: Where) -> Any:
        """Return a part of an answer; None if it has no place."""
        make = self._BLOCKS.get(type(block))
        self._uncached(block, where)
        if make is not None:
            return make(self, block, where)
        if isinstance(block, MediaBlock):
            made = self._media(block, where)
            if made is not None and made["kind"] == "binary":
                return {"part_kind": "file", "content": made, **_ANSWER}
            if made is not None:
                self.lose("url" if block.url is not None else "fileId", where)
            return None
        self.lose_block(block, where)
        return None

    def _text(self, block: model.TextBlock, where: Where) -> dict[str, Any]:
        keys, _ = self.rest(block, where)
        made = {"part_kind": "text", "content": block.text, "citations": None, **_ANSWER}
        return self._signed(made, keys, block, where)

    def _thinking(self, block: model.ThinkingBlock, where: Where) -> dict[str, Any]:
        keys, spelling = self.rest(block, where)
        part: dict[str, Any] = {
            "part_kind": "thinking",
            "content": block.thinking,
            "signature": block.signature,
            **_ANSWER,
        }
        if block.redacted:
            part |= {
                "id": spelling.get("id", "redacted_thinking"),
                "signature": block.signature or "",
            }
            if block.thinking:
                self.lose("redacted", where, ".redacted")
        return self._signed(part, keys, block, where)

    def _call(self, block: model.ToolCallBlock, where: Where) -> dict[str, Any]:
        keys, spelling = self.rest(block, where)
        args: Any = block.arguments.object_json() if "args" not in spelling else None
        if args is None:
            args = block.arguments.string_json()
        elif not block.arguments.text.strip():
            args = None
        part = {
            "part_kind": "tool-call",
            "tool_name": block.name,
            "args": args,
            "tool_call_id": block.id,
            "tool_kind": None,
            **_ANSWER,
        }
        return self._signed(part, keys, block, where)

    def _signed(self, part: dict[str, Any], keys: Keys, block: Any, where: Where) -> dict[str, Any]:
        """Return a part that names the provider of its data: else no provider gets them back.

        Google's signature of a call goes into the details of the part.
        """
        part = {**part, **keys}
        if type(block) is model.ToolCallBlock and block.signature is not None:
            if signs_calls(self._api):
                held = _keys(keys.get("provider_details", Raw(b"{}")))
                part["provider_details"] = {"thought_signature": block.signature, **held}
            else:
                self.lose("signature", where, ".signature")
        is_theirs = part["id"] or part["provider_details"] or part.get("signature")
        if is_theirs and "provider_name" not in keys:
            part["provider_name"] = self._provider
        return part

    def _other(self, block: model.OpaqueBlock, where: Where) -> Any:
        made = self._opaque(block, where)
        if made is None or json_text(_keys(made.native()).get("part_kind")) is not None:
            return made
        self.lose("opaque", where)
        return None

    _BLOCKS: ClassVar[Mapping[type[Any], Any]] = {
        model.TextBlock: _text,
        model.ThinkingBlock: _thinking,
        model.ToolCallBlock: _call,
        model.OpaqueBlock: _other,
    }

    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        model.SystemMessage: as_it_came(_system, _piece),
        model.UserMessage: as_it_came(_user, _piece),
        model.AssistantMessage: as_it_came(_assistant),
        model.ToolResultMessage: as_it_came(_result, _piece),
        model.ToolMessage: _batch,
        model.ExtensionMessage: as_it_came(_extension, _piece),
    }


def _prompt(items: list[Any], about: dict[str, Any], spelling: Keys) -> dict[str, Any]:
    """Return a user's content as a part."""
    is_text = len(items) == 1 and type(items[0]) is str and "content" not in spelling
    return {"part_kind": "user-prompt", "content": items[0] if is_text else items, **about}


def _part_kind(item: Any) -> str | None:
    """Return the kind of an opaque part of a request or an answer, None for a content's item."""
    return json_text(_keys(item.native()).get("part_kind")) if type(item) is RawJson else None


def _ordered(part: Any) -> Any:
    """Return a part with its keys as Pydantic AI's own types write them."""
    if type(part) is not dict:
        return part
    return in_order(own.KNOWN.get(part["part_kind"], own.OtherPart), part)


def _is_time(text: str, time: int) -> bool:
    try:
        return millis(text) == time
    except ValueError:
        return False


def but_request(keys: Keys) -> dict[str, Any]:
    """Return the unknown keys of a part, without those of the request that held it."""
    return {key: raw for key, raw in keys.items() if key != "(request)"}
