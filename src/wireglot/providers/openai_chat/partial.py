"""The choices of a stream, as they grow -> the choices of an answer that is not streamed.

A file of its own, as it knows no events: it is the JSON that the chunks of `stream.py` add up to.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any, Final

import msgspec
from msgspec import Raw

from .._codecs.stream_decoder import grow

TEXTS: Final = {"reasoning.text": "text", "reasoning.summary": "summary"}
"""The key that holds the text of a detail, by the detail's type."""
_items = msgspec.json.Decoder(list[Raw]).decode


class Part:
    """A part of a message that grows: its kind, its block index, its text and its other keys."""

    __slots__ = ("index", "is_begun", "keys", "kind", "order", "pieces")

    def __init__(self, kind: str, index: int, pieces: list[str], keys: dict[str, Any]) -> None:
        self.kind: str = kind
        self.index: int = index
        self.pieces: list[str] = pieces
        self.keys: dict[str, Any] = keys
        self.is_begun: bool = True
        """Whether its block has begun; that of a call waits for the name."""
        self.order: int = -1
        """Its place among the calls that have waited, -1 for a part that has not."""

    @property
    def name(self) -> str:
        """The name of a call so far."""
        return str(self.keys["name"])

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)


class Choice:
    """One choice of the stream, as it adds up. Only the first choice sends events."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.now: Part | None = None
        """The text or thinking that is open."""
        self.by_index: dict[int, Part] = {}
        self.legacy: Part | None = None
        """The last deprecated `function_call`."""
        self.calls: dict[int, Part] = {}
        self.last_call: int | None = None
        """The highest number of a call."""
        self.empty: dict[str, None] = {}
        """The keys that came with an empty text, in order."""
        self.takes_messages = False
        """Whether the pieces come under `message`, in place of `delta`."""
        self.is_told = False
        """Whether details of reasoning have text: then the other keys of it only repeat them."""
        self.told: dict[str, list[str]] = {}
        """The pieces of those other keys."""
        self.voice: dict[str, Any] = {}
        self.annotations: list[Any] | None = None
        self.message: dict[str, Any] = {}
        self.images: list[Any] = []
        self.keys: dict[str, Any] = {}
        self.logprobs: dict[str, Any] | None = None

    def json(self, index: int) -> dict[str, Any]:
        """Return the choice as it would be in an answer that is not streamed."""
        choice = self.keys | {"index": index, "message": self.message_json(self.parts)}
        if self.logprobs is not None:
            choice["logprobs"] = self.logprobs
        return choice

    def message_json(self, parts: list[Part]) -> dict[str, Any]:
        """Return the message of an answer that has these parts."""
        message: dict[str, Any] = {"role": "assistant", **dict.fromkeys(self.empty, "")}
        message |= self.message
        texts: dict[str, list[str]] = {}
        for part in parts:
            if part.kind == "reasoning both":
                for key in ("reasoning", "reasoning_content"):
                    message.setdefault(key, "")
                    texts.setdefault(key, []).append(part.text)
            elif part.kind == "detail":
                message.setdefault("reasoning_details", []).append(_detail_json(part))
            elif part.kind == "call":
                message.setdefault("tool_calls", []).append(_call_json(part))
            elif part.kind == "function_call":
                said = {"name": part.name, "arguments": part.text}
                message["function_call"] = said | part.keys.get("inner", {})
            else:
                message.setdefault(part.kind, "")
                texts.setdefault(part.kind, []).append(part.text)
        for key, pieces in self.told.items():
            texts.setdefault(key, []).extend(pieces)
        message |= {key: "".join(pieces) for key, pieces in texts.items()}
        if self.voice:
            audio = message["audio"] = {"id": "", **self.voice}
            if "transcript" in audio:
                audio["transcript"] = "".join(audio["transcript"])
            if "data" in audio:
                audio["data"] = _joined(audio["data"])
        if self.images:
            message["images"] = self.images
        if self.annotations is not None:
            message["annotations"] = self.annotations
        return message


def images_apart(keys: dict[str, Any]) -> list[Any]:
    """Take the images of a delta out of its unknown keys: each delta has further ones."""
    try:
        images = _items(keys["images"]) if "images" in keys else []
    except msgspec.DecodeError:  # a key of another service
        return []
    keys.pop("images", None)
    return images


def longer(have: dict[str, Any] | None, more: dict[str, Raw]) -> dict[str, Any]:
    """Add the log probabilities of a chunk to `have`: lists under the same key are joined."""
    out = {} if have is None else have
    for key, value in more.items():
        so_far = out.get(key)
        if bytes(value)[:1] != b"[":
            grow(out, {key: value})
        elif type(so_far) is list:
            so_far += _items(value)
        else:
            out[key] = _items(value)
    return out


def _detail_json(part: Part) -> dict[str, Any]:
    key = TEXTS.get(part.keys["type"])
    made = {k: "".join(held) if type(held) is list else held for k, held in part.keys.items()}
    return made | ({key: part.text} if key in part.keys else {})


def _call_json(part: Part) -> dict[str, Any]:
    keys = part.keys
    key = "custom" if keys["type"] == "custom" else "function"
    text = "input" if key == "custom" else "arguments"
    said = {"name": keys["name"], text: part.text, **keys.get("inner", {})}
    return {"id": keys["id"], "type": keys["type"], key: said, **keys.get("more", {})}


def _joined(pieces: list[str]) -> str:
    """Return base64 that came in pieces, each of which may be padded."""
    if not any("=" in piece for piece in pieces[:-1]):
        return "".join(pieces)
    try:
        return b64encode(b"".join(map(b64decode, pieces))).decode()
    except ValueError:
        return "".join(pieces)
