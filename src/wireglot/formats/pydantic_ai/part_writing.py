"""Canonical blocks -> the parts of Pydantic AI's requests and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ... import model
from ..._objects import encode
from ...model import MediaBlock, RawJson
from .._frames import FrameWriter, json_text
from .._mapping import Keys, Where, spelled
from . import types as own
from .items import digest, file_of
from .reading import API, GEMINI, millis, result_content, stamp

__all__ = ["PartWriter", "but_request"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_OUTCOMES: Final = frozenset({"denied", "interrupted", "retried"})
_RESULT: Final = {"tool_kind": None, "retry": None}
_ANSWER: Final = {"id": None, "provider_name": None, "provider_details": None}


class PartWriter(FrameWriter):
    """Makes the parts of a user's content, of results, of answers."""

    _provider: str | None = None  # of the answer at hand, and its API
    _api: str | None = None

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
        made = file_of(block, keys)
        if made is None:
            self.lose("media source" if block.file_id is None else "fileId", where)
        elif getattr(block, "text", None) is not None and any(
            (block.data, block.url, block.file_id)
        ):
            self.lose("text", where, ".text")
        return made

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
        made = {
            "part_kind": "tool-return",
            "tool_name": result.tool_name or "",
            "tool_call_id": result.tool_call_id,
            "metadata": self.finite(result.details, where, ".details"),
            "outcome": outcome,
            **time,
            **_RESULT,
            **self._result_content(result, spelling, where),
        }
        return made | but_request(keys)

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
        made: dict[str, Any] = {
            "part_kind": "thinking",
            "content": block.thinking,
            "signature": block.signature,
            **_ANSWER,
        }
        if block.redacted:
            made |= {
                "id": spelling.get("id", "redacted_thinking"),
                "signature": block.signature or "",
            }
            if block.thinking:
                self.lose("redacted", where, ".redacted")
        return self._signed(made, keys, block, where)

    def _call(self, block: model.ToolCallBlock, where: Where) -> dict[str, Any]:
        keys, spelling = self.rest(block, where)
        args: Any = block.arguments.object_json() if "args" not in spelling else None
        if args is None:
            args = block.arguments.string_json()
        elif not block.arguments.text.strip():
            args = None
        made = {
            "part_kind": "tool-call",
            "tool_name": block.name,
            "args": args,
            "tool_call_id": block.id,
            "tool_kind": None,
            **_ANSWER,
        }
        return self._signed(made, keys, block, where)

    def _signed(self, made: dict[str, Any], keys: Keys, block: Any, where: Where) -> dict[str, Any]:
        """Return a part that names the provider of its data: else no provider gets them back.

        Google's signature of a call goes into the details of the part.
        """
        made = {**made, **keys}
        if type(block) is model.ToolCallBlock and block.signature is not None:
            if self._api == GEMINI:
                held = _keys(keys.get("provider_details", Raw(b"{}")))
                made["provider_details"] = {"thought_signature": block.signature, **held}
            else:
                self.lose("signature", where, ".signature")
        is_theirs = made["id"] or made["provider_details"] or made.get("signature")
        if is_theirs and "provider_name" not in keys:
            made["provider_name"] = self._provider
        return made

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


def _is_time(text: str, time: int) -> bool:
    try:
        return millis(text) == time
    except ValueError:
        return False


def but_request(keys: Keys) -> dict[str, Any]:
    """Return the unknown keys of a part, without those of the request that held it."""
    return {key: raw for key, raw in keys.items() if key != "(request)"}
