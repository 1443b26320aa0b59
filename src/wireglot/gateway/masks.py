"""What a provider says -> the same without the key that the gateway has for it.

Some providers repeat in an error the key that they were shown. It is not the client's.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from html import escape
from json import dumps
from typing import Final
from urllib.parse import quote

from ..errors import ProviderError

__all__ = ["Mask"]

_SHORTEST: Final = 16
"""Characters of a key that is looked for. `none` and the like are words of any text."""
_MASKED: Final = b"***"


class Mask:
    """Replaces a key with `***`: as it is, and as JSON, HTML and URLs escape it."""

    def __init__(self, key: str | None) -> None:
        forms = () if key is None or len(key) < _SHORTEST else _forms(key)
        self._forms = sorted({form.encode() for form in forms}, key=len, reverse=True)
        self._longest = max(map(len, self._forms), default=1)

    def __call__(self, data: bytes) -> bytes:
        """Return the bytes of a body without the key."""
        for form in self._forms:
            data = data.replace(form, _MASKED)
        return data

    def text(self, text: str) -> str:
        """Return a text without the key, such as the value of a header."""
        return self(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")

    def chunks(self, chunks: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        """Return the chunks of a body without the key, wherever they are cut."""
        return self._stream(chunks) if self._forms else chunks

    async def _stream(self, chunks: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        """Hold back only an end that may be the beginning of the key; no frame of text has one.

        A message of Bedrock's that had the key fails its checksum.
        """
        held = b""
        try:
            async with aclosing(chunks):
                async for chunk in chunks:
                    data = self(held + chunk if held else chunk)
                    end = self._end(data)
                    held = data[end:]
                    if end:
                        yield data[:end]
        except ProviderError:  # what came before is the client's
            if held:
                yield held
            raise
        if held:
            yield held

    def _end(self, data: bytes) -> int:
        """Return where the beginning of a key begins that the next chunk may complete."""
        end = len(data)
        if data.endswith(b"\n"):  # which no key has, and each frame of a text
            return end
        start = max(0, end - self._longest + 1)
        for form in self._forms:
            at = data.find(form[:1], start)
            while at >= 0 and not form.startswith(data[at:]):
                at = data.find(form[:1], at + 1)
            if at >= 0:
                end = min(end, at)
        return end


def _forms(key: str) -> list[str]:
    """Return how a key is written: as it is, and as PHP, .NET, Go, HTML and URLs escape it."""
    as_json = dumps(key)[1:-1]
    return [
        key,
        as_json,
        dumps(key, ensure_ascii=False)[1:-1],
        as_json.replace("/", "\\/"),
        _with_codes(key, "\"&'+<>`", "\\u{:04X}"),
        _with_codes(as_json, "&<>", "\\u{:04x}"),
        escape(key),
        quote(key, safe=""),
    ]


def _with_codes(text: str, escaped: str, form: str) -> str:
    return "".join(form.format(ord(c)) if c in escaped else c for c in text)
