"""PyAgenity's and 10xScale Agentflow's messages as Structs whose JSON is theirs.

One type reads all versions. They differ in `timestamp` (ISO 8601 text until 0.3.6, seconds after
it), and Agentflow has `parsed_content`, which is left out here while it is unset.

Source: pyagenity 0.3.6 (`utils/message.py`), 0.3.9 (`state/message.py`) and 10xscale-agentflow
0.10.1 (`core/state/message.py`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, ClassVar, Final, Literal, Self

from msgspec import UNSET, UnsetType, field

from ...errors import EncodeError, quoted, unknown
from ...model import Media
from ...model.media import odd_text
from .._constructors import Fresh, seconds
from .base import Model
from .contents import (
    AudioBlock,
    ContentBlock,
    DocumentBlock,
    ImageBlock,
    MediaRef,
    TextBlock,
    ToolResultBlock,
    VideoBlock,
)
from .system import WIRE

__all__ = ["Message", "Role", "TokenUsages", "Version", "generate_id"]

Role = Literal["user", "assistant", "system", "tool"]
Version = Literal["0.3.6", "0.3.9", "agentflow"]
"""pyagenity until 0.3.6, pyagenity from 0.3.7 on, and 10xscale-agentflow."""

IdType = Literal["string", "int", "bigint"]
MakeId = Callable[[str | int | None], str | int]


def generate_id(
    default_id: str | int | None = None,
    *,
    generated_id: str | int | Awaitable[str | int | None] | None = None,
    generated_id_type: IdType = "string",
    version: Version = "agentflow",
) -> str | int:
    """Return `generated_id` if it is set, else `default_id` if it is of the type, else a new id.

    The systems take `generated_id` and `generated_id_type` from their dependency injection. An
    awaitable is run. `""` and `0` count as unset, and a default of the other type is discarded.
    An `int` has 32 bits in Agentflow, 96 in pyagenity.
    """
    if isinstance(generated_id, Awaitable):
        generated_id = _awaited(generated_id)
    if generated_id:
        return generated_id
    kind = str if generated_id_type == "string" else int
    if default_id and isinstance(default_id, kind):
        return default_id
    import uuid

    new = uuid.uuid4()
    if generated_id_type == "int":
        return new.int >> (96 if version == "agentflow" else 32)
    return new.int >> 64 if generated_id_type == "bigint" else str(new)


def _awaited(value: Awaitable[str | int | None]) -> str | int | None:
    import asyncio

    async def waited() -> str | int | None:
        return await value

    return asyncio.run(waited())


class TokenUsages(Model):
    """Token counts of one answer.

    Whether `prompt_tokens` includes the cached ones depends on the converter: Anthropic's does not,
    all others do.
    """

    completion_tokens: int
    prompt_tokens: int
    total_tokens: int
    reasoning_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    image_tokens: int | None = 0
    audio_tokens: int | None = 0


class Message(Model, kw_only=True):
    """A message of any role, or with `delta` the new part of one.

    `tools_calls` are the calls as OpenAI writes them; only these go back to a model. `reasoning`
    repeats the reasoning blocks. The constructor fills in an id and the present time; a decoded
    message without them has none, and the next reader of its JSON makes some. `timestamp` is in
    seconds since the Unix epoch, text in 0.3.6; a `datetime` becomes seconds.
    """

    FRESH: ClassVar[Fresh] = {
        "message_id": lambda: generate_id(),
        "timestamp": time.time,
        "parsed_content": lambda: None,
    }

    message_id: str | int | UnsetType = UNSET
    role: Role
    content: list[ContentBlock]
    delta: bool = False
    tools_calls: list[dict[str, Any]] | None = None
    reasoning: str | None = None
    timestamp: float | str | UnsetType | None = UNSET
    metadata: dict[str, Any] = field(default_factory=dict)
    usages: TokenUsages | None = None
    raw: dict[str, Any] | None = None
    parsed_content: dict[str, Any] | UnsetType | None = UNSET

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field; see the constructor for a `datetime`."""
        super().__setattr__(name, seconds(value) if name == "timestamp" else value)

    @classmethod
    def text_message(
        cls,
        content: str,
        role: Role = "user",
        message_id: str | int | None = None,
        *,
        make_id: MakeId = generate_id,
    ) -> Self:
        """Return a message of one text block, with the present time."""
        return cls._made(role, [TextBlock(content)], make_id(message_id))

    @classmethod
    def tool_message(
        cls,
        content: Iterable[ContentBlock],
        message_id: str | int | None = None,
        meta: dict[str, Any] | None = None,
        *,
        make_id: MakeId = generate_id,
    ) -> Self:
        """Return a message of tool results, with the present time; errors are marked on blocks."""
        return cls._made("tool", list(content), make_id(message_id), meta)

    @classmethod
    def image_message(
        cls,
        *,
        image_url: str | None = None,
        image_base64: str | None = None,
        mime_type: str = "image/png",
        text: str | None = None,
        role: Role = "user",
        message_id: str | int | None = None,
        make_id: MakeId = generate_id,
    ) -> Self:
        """Return a message of an image, after `text` if there is any (Agentflow).

        Its time is the present. A URL wins over base64.

        Raises `EncodeError` if there is neither, or if one holds what belongs in the other.
        """
        if not image_url and not image_base64:
            raise EncodeError("no image, expected `image_url` or `image_base64`", wire=WIRE)
        if image_url:
            if (Media.from_base64(image_url).sniffed or "").startswith("image/"):
                reason = "base64 as `image_url`, expected a URL; pass it as `image_base64`"
                raise EncodeError(reason, wire=WIRE, path="$.image_url")
            media = MediaRef("url", url=image_url, mime_type=mime_type)
        else:
            data = Media.from_base64(image_base64 or "")
            if odd_text(data) is not None:
                reason = (
                    f"{quoted(image_base64)}, expected base64; pass a URL as `image_url`, "
                    "or use `Message.from_file(path)`"
                )
                raise EncodeError(reason, wire=WIRE, path="$.image_base64")
            media = MediaRef("data", data_base64=data, mime_type=mime_type)
        return cls._made(role, [*_said(text), ImageBlock(media)], make_id(message_id))

    @classmethod
    def multimodal_message(
        cls,
        content_blocks: Iterable[ContentBlock],
        role: Role = "user",
        message_id: str | int | None = None,
        *,
        make_id: MakeId = generate_id,
    ) -> Self:
        """Return a message of these blocks, with the present time (Agentflow)."""
        return cls._made(role, list(content_blocks), make_id(message_id))

    @classmethod
    def from_file(
        cls,
        file_path: str | os.PathLike[str],
        mime_type: str | None = None,
        text: str | None = None,
        role: Role = "user",
        message_id: str | int | None = None,
        *,
        make_id: MakeId = generate_id,
    ) -> Self:
        """Return a message of an inline file, after `text` if there is any (Agentflow).

        Its time is the present. Without `mime_type` the file's extension decides; any file but an
        image, a sound or a video is a document.

        Raises `EncodeError` if the file cannot be read.
        """
        import mimetypes

        known = mime_type or mimetypes.guess_type(file_path)[0] or "application/octet-stream"
        data = Media.from_file(file_path).to_bytes()
        media = MediaRef(
            "data",
            data_base64=Media.from_bytes(data),
            mime_type=known,
            size_bytes=len(data),
            filename=os.path.basename(os.fspath(file_path)),
        )
        kind = _MEDIA_BLOCKS.get(known.partition("/")[0]) if "/" in known else None
        block = kind(media) if kind is not None else DocumentBlock(media, text=None)
        return cls._made(role, [*_said(text), block], make_id(message_id))

    @classmethod
    def _made(
        cls,
        role: Role,
        content: list[ContentBlock],
        message_id: str | int,
        metadata: dict[str, Any] | None = None,
    ) -> Self:
        return cls(
            message_id=message_id,
            role=role,
            content=content,
            metadata=metadata or {},
        )

    def text(self, *, version: Version = "agentflow") -> str:
        """Return the text blocks and the outputs of tool results, joined without a separator.

        An output that is not text is written as JSON in Agentflow, even `null`; before it, skipped.
        """
        held: Any = self.content
        if held is None or type(held) is str:  # as programs may set it
            return held or ""
        texts = []
        for block in held:
            if type(block) is TextBlock:
                texts.append(block.text)
            elif type(block) is ToolResultBlock:
                texts.append(_told(block.output, version))
            elif type(block) is dict and version == "agentflow":  # as programs may put one there
                kind = block.get("type")
                if kind == "text":
                    texts.append(str(block.get("text", "")))
                elif kind == "tool_result":
                    texts.append(_told(block.get("output"), version))
        return "".join(texts)

    def attach_media(self, media: MediaRef, as_type: str) -> None:
        """Append `media` as a block: `image`, `audio`, `video` or `document`.

        Raises `EncodeError` for any other `as_type`.
        """
        kind = _MEDIA_BLOCKS.get(as_type)
        if kind is None:
            raise EncodeError(unknown("kind of media", as_type, _MEDIA_BLOCKS), wire=WIRE)
        held: Any = self.content
        if type(held) is str:
            self.content = [TextBlock(held), kind(media)]
        else:
            held.append(kind(media))


_MEDIA_BLOCKS: Final[dict[str, Callable[[MediaRef], Any]]] = {
    "image": ImageBlock,
    "audio": AudioBlock,
    "video": VideoBlock,
    "document": DocumentBlock,
}


def _said(text: str | None) -> list[ContentBlock]:
    return [TextBlock(text)] if text else []


def _told(output: Any, version: Version) -> str:
    """Return an output as text; a value that JSON cannot express is written as its `str`."""
    if type(output) is str:
        return output
    if version != "agentflow":
        return ""
    import json

    return json.dumps(output, default=str)
