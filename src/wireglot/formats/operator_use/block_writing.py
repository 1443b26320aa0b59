"""Canonical content -> Operator-Use's: one content for each block, one list for several media."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ...errors import DecodeError, EncodeError
from ...model import Media, RawJson
from ...model.rawjson import adopt_arguments
from .._mapping import Keys, Where, Writer, inline, path_of, spelled
from .._records import read, unknown
from . import contents as own
from .block_reading import API, LISTS, SIGNATURE, WIRE
from .media import LISTS as LISTED
from .media import media_type, misread

__all__ = ["BlockWriter"]

# The APIs whose signatures Operator-Use sends back, of thinking and of calls. None: API not known.
_THINKING_SIGNERS: Final = frozenset({None, "anthropic-messages"})
_CALL_SIGNERS: Final = frozenset({None, "gemini-generate-content"})
# Provider -> API, if a message names no API. Operator-Use's own provider names are included.
_PROVIDERS: Final = {
    "amazon-bedrock": "bedrock-converse",
    "anthropic": "anthropic-messages",
    "antigravity": "gemini-generate-content",
    "azure": "openai-responses",
    "azure-openai": "openai-responses",
    "azure_openai": "openai-responses",
    "bedrock": "bedrock-converse",
    "codex": "openai-responses",
    "cohere": "cohere-chat-v2",
    "deepseek": "openai-chat",
    "gemini": "gemini-generate-content",
    "google": "gemini-generate-content",
    "google-vertex": "gemini-generate-content",
    "google_vertex": "gemini-generate-content",
    "groq": "openai-chat",
    "mistral": "mistral-chat",
    "ollama": "ollama-chat",
    "openai": "openai-responses",
    "vertex": "gemini-generate-content",
    "xai": "openai-chat",
}
# Other names of MIME types that can be detected from the bytes.
_ALIASES: Final = {
    "image/jpg": "image/jpeg",
    "audio/mp3": "audio/mpeg",
    "audio/wave": "audio/wav",
    "audio/x-wav": "audio/wav",
    "audio/x-flac": "audio/flac",
}
_LISTED: Final[dict[Any, Any]] = {block: kind for kind, (block, *_) in LISTS.items()}
# The key of the list for each block type without a spelling: in Operator-Use from the beginning.
_USUAL: Final[dict[Any, str]] = {model.ImageBlock: "images", model.AudioBlock: "audio"}
# Items that are not base64 begin like this. Base64 that begins so would be misread.
_NO_BASE64: Final = {"images": ("http",)}
_NO_OTHER_BASE64: Final = ("file:", "http")
# The URLs that may be written: none for sounds. A `file:` path must come from the session itself,
# since Operator-Use reads the file.
_URLS: Final = {"audio": (), "audios": ()}
_OTHER_URLS: Final = ("http",)
_NOTE: Final = "dimension_note"
_value = msgspec.json.Decoder().decode


class BlockWriter(Writer):
    """Makes Operator-Use's contents of canonical blocks."""

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = "Operator-Use"
    LOSSES: ClassVar[Mapping[str, str]] = {
        "arguments": "a call's arguments are a JSON object; written as an empty one",
        "cost": "there is no JSON for infinity; written as 0",
        "custom content": "custom messages hold texts and images; left out",
        "display": "only a session file says what is not displayed; left out",
        "document": "only files that came from Tau have a place; the text of one goes as text",
        "error": "errors have no place in content; the message goes as text",
        "firstKeptId": "a session file names it by its entry, which must be there; left out",
        "extension": "extensions have a place in session files alone; left out",
        "id": (
            "an entry has an id of its own, which no other has, and the other forms have none "
            "here; left out"
        ),
        "media source": (
            "images are base64 or begin with `http`, sounds are base64, and a `file:` path is "
            "read, so it must come from Operator-Use itself; left out"
        ),
        "meta": "what a channel says of a message stands in session files alone; left out",
        "mimeType": "the bytes tell the type, and these tell another; left out",
        "model": "only a session file names the model; left out",
        "order": "a result is its text, then an image, a sound and a film; moved",
        "provider": "only a session file names the provider; left out",
        "redacted thinking": "encrypted thinking has no place; left out",
        "session": "a file has one header, which stands first; left out",
        "signature": "thinking goes back to Anthropic, calls to Gemini, no other signs; left out",
        "stopReason": "there is no such stop reason; written as `stop`",
        "targetId": "the entry that is meant is not there; the leaf or label is left out",
        "timestamp": "times are in seconds, exact to the millisecond near our days; left out",
        "tool result content": "a result is one text; left out",
        "video": "only films that came from Tau have a place; left out",
    }
    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        model.TextBlock: "text",
        model.ImageBlock: "data url mime_type",
        model.AudioBlock: "data url mime_type",
        model.VideoBlock: "data url mime_type",
        model.DocumentBlock: "data url mime_type",
        model.ThinkingBlock: "thinking signature redacted",
        model.ToolCallBlock: "id name arguments kind signature metadata",
        model.ToolResultBlock: "tool_call_id tool_name content is_error metadata terminate",
        model.OpaqueBlock: "api raw",
    }

    def __init__(self, losses: Any) -> None:
        super().__init__(losses)
        self._signer: str | None = None
        """The API that the current message came from, None if not known."""

    def _signed_by(self, api: str | None, provider: str | None) -> None:
        """Record which API made the signatures of the current message."""
        self._signer = api or _PROVIDERS.get((provider or "").lower())

    # -- values --------------------------------------------------------------------------------

    def _finite(self, value: Any, where: Where, key: str) -> Any:
        """Return free-form data as it is. Raises `EncodeError` if JSON cannot express it."""
        if value is not None:
            self._json(value, where, key)
        return value

    def _json(self, value: Any, where: Where, key: str) -> RawJson:
        try:
            return RawJson.of(value)
        except EncodeError as error:
            raise EncodeError(error.reason, wire=WIRE, path=path_of(where) + key) from error

    # -- contents ------------------------------------------------------------------------------

    def _contents(
        self, blocks: Iterable[model.Content], where: Where, at: Iterable[int] | None = None
    ) -> list[own.Content]:
        """Return contents. `at` gives the blocks' indexes if they are not all of the message's."""
        made: list[own.Content] = []
        opened: tuple[Any, str] | None = None
        """The list that the next block of its kind may join, and its key."""
        numbered = enumerate(blocks) if at is None else zip(at, blocks, strict=True)
        for i, block in numbered:
            kind = type(block)
            here = (*where, i)
            if kind in _LISTED:
                opened = self._item(block, here, made, opened)
                continue
            opened = None
            make = self._BLOCKS.get(kind)
            if make is None:
                self.lose_block(block, here)
                continue
            part = make(self, block, here)
            if part is not None:
                made.append(part)
        return made

    def _item(
        self, block: Any, where: Where, made: list[Any], opened: tuple[Any, str] | None
    ) -> tuple[Any, str] | None:
        """Add a media block to the open list or to a new one, and return that list and its key."""
        spelling = spelled(block.extras, API)
        name = _value(spelling["list"]) if "list" in spelling else _USUAL.get(type(block))
        kind = _LISTED[type(block)]
        if name not in LISTS[kind][1]:
            self.lose_block(block, where)
            if type(block) is model.DocumentBlock and block.text is not None:
                made.append(own.TextContent(block.text))
            return None
        item = self._media(block, name, spelling, where)
        if item is None:
            return opened
        keys, _ = self.rest(block, where)
        if opened is not None and opened[1] == name and not keys and "apart" not in spelling:
            getattr(opened[0], name).append(item)
            return opened
        fields: dict[str, Any] = {}
        left = dict(keys)
        if kind is own.ImageContent:
            note = left.pop(_NOTE, spelling.get(_NOTE, UNSET))
            fields = {} if note is UNSET else {_NOTE: _value(note)}
        part = kind(**{name: [item]}, **fields, unknown=unknown(left))
        made.append(part)
        return part, name

    def _media(self, block: Any, name: str, spelling: Keys, where: Where) -> str | Media | None:
        kind = LISTS[_LISTED[type(block)]][2]
        media = inline(block)
        if media is None:
            url = block.url
            is_said = "url" in spelling and _value(spelling["url"]) == url
            if url is None or not (is_said or url.startswith(_URLS.get(name, _OTHER_URLS))):
                self.lose("media source", where)
                return None
            if block.mime_type is not None:
                self.lose("mimeType", where, ".mimeType")
            # What begins otherwise came in place of base64, and goes back there unchecked.
            return url if url.startswith(LISTED[name][1]) else Media.from_base64(url)
        held = misread(media, _NO_BASE64.get(name, _NO_OTHER_BASE64))
        if held is None:
            self.lose("media source", where)
            return None
        declared = media.mime_type if block.mime_type is None else block.mime_type
        told = (None, media.sniffed, media_type(media, kind))
        is_said = "mime_type" in spelling and _value(spelling["mime_type"]) == declared
        if not is_said and _ALIASES.get(declared or "", declared) not in told:
            self.lose("mimeType", where, ".mimeType")
        return held

    def _text(self, block: model.TextBlock, where: Where) -> own.TextContent:
        keys, _ = self.rest(block, where)
        return own.TextContent(block.text, unknown=unknown(keys))

    def _thinking(self, block: model.ThinkingBlock, where: Where) -> own.ThinkingContent | None:
        if block.redacted:
            self.lose("redacted thinking", where)
            return None
        keys, _ = self.rest(block, where)
        signature = block.signature or ""
        if signature and self._signer not in _THINKING_SIGNERS:
            self.lose("signature", where, ".signature")
            signature = ""
        return own.ThinkingContent(block.thinking, signature, unknown=unknown(keys))

    def _call(self, block: model.ToolCallBlock, where: Where) -> own.ToolCallContent:
        keys, _ = self.rest(block, where)
        args = block.arguments.object_json()
        if args is None:
            self.lose("arguments", where, ".arguments")
        metadata = self._finite(block.metadata, where, ".metadata")
        signature = block.signature
        if signature is not None and self._signer not in _CALL_SIGNERS:
            self.lose("signature", where, ".signature")
            signature = None
        if signature is not None:
            if metadata is not None and SIGNATURE in metadata:
                self.lose("metadata", where, ".metadata")
            metadata = {**(metadata or {}), SIGNATURE: signature}
        return own.ToolCallContent(
            block.id,
            block.name,
            block.kind,
            adopt_arguments(args if args is not None else Raw(b"{}")),
            UNSET if metadata is None else metadata,
            unknown=unknown(keys),
        )

    def _result(self, block: model.ToolResultBlock, where: Where) -> own.ToolResultContent:
        keys, spelling = self.rest(block, where)
        return self._result_of(block, keys, spelling, where)

    def _result_of(
        self, result: Any, keys: Keys, spelling: Keys, where: Where
    ) -> own.ToolResultContent:
        """Return the result content for a result block or a result message."""
        texts = []
        media: list[tuple[int, Any]] = []
        stage = 0
        for i, part in enumerate(result.content):
            at = (*where, i)
            name = _RESULT_MEDIA.get(_kind_of(part))
            if type(part) is not model.TextBlock and name not in spelling:
                self.lose("tool result content", at)
                continue
            order = _RESULT_ORDER.index(name)
            if order < stage:
                self.lose("order", at)
            stage = max(stage, order)
            if name is not None:
                media.append((i, part))
                continue
            texts.append(part.text)
            if self.rest(part, at)[0]:
                self.lose("extras", at, ".extras")
        said = {name: raw for name, raw in spelling.items() if name in _RESULT_MEDIA.values()}
        fields: dict[str, Any] = {name: None for name, raw in said.items() if raw == _NULL}
        for content in self._contents((p for _, p in media), where, [i for i, _ in media]):
            name = _RESULT_MEDIA[type(content)]
            if fields.get(name) is not None:
                self.lose("tool result content", where, ".content")
            else:
                fields[name] = content
        message = keys.get("terminate_message", spelling.get("terminate_message"))
        if message is not None:
            fields["terminate_message"] = _value(message)
        if result.tool_name is not None:
            fields["tool_name"] = result.tool_name
        elif "tool_name" in spelling:
            fields["tool_name"] = ""
        return own.ToolResultContent(
            result.tool_call_id,
            "\n".join(texts),
            result.is_error,
            self._finite(result.metadata, where, ".metadata") or {},
            result.terminate,
            **fields,
            unknown=unknown({k: raw for k, raw in keys.items() if k != "terminate_message"}),
        )

    def _opaque(self, block: model.OpaqueBlock, where: Where) -> own.Content | None:
        if block.api != API:
            self.lose("opaque", where)
            return None
        self.lose_rest(block, where)
        try:
            made: own.Content = read(own.Content, block.raw.text, WIRE)
        except DecodeError as error:
            path = f"{path_of(where)}.raw{error.path[1:]}"
            raise EncodeError(error.reason, wire=WIRE, path=path) from error
        return made

    def _error(self, block: model.ErrorBlock, where: Where) -> own.TextContent:
        self.lose("error", where)
        return own.TextContent(block.message)

    _BLOCKS: ClassVar[Mapping[type[Any], Any]] = {
        model.TextBlock: _text,
        model.ThinkingBlock: _thinking,
        model.ToolCallBlock: _call,
        model.ToolResultBlock: _result,
        model.OpaqueBlock: _opaque,
        model.ErrorBlock: _error,
    }


_NULL: Final = Raw(b"null")
_RESULT_MEDIA: Final[dict[Any, str]] = {
    own.ImageContent: "image",
    own.AudioContent: "audio",
    own.VideoContent: "video",
}
_RESULT_ORDER: Final = (None, *_RESULT_MEDIA.values())


def _kind_of(block: Any) -> type[Any] | None:
    """Return the type of content that a block is written as, or that an opaque block holds."""
    if type(block) is model.OpaqueBlock and block.api == API:
        try:
            return type(read(own.Content, block.raw.text, WIRE))
        except DecodeError:
            return None
    return _LISTED.get(type(block))
