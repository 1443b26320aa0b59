"""Move large media out of messages into a store, and back: the claim check.

    light = queue.check_in(messages, store)          # before the envelope
    messages = queue.check_out(light, store)         # after it

Inline data is replaced by a URL, `claim:sha256:HASH?size=BYTES&type=MIME/TYPE`; the rest of the
block stays as it was. A store keeps each content once, however often it is checked in. No provider
accepts such a URL: check messages out before you send them to a model.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar
from urllib.parse import quote, unquote

from msgspec import Struct
from msgspec.structs import replace

from .._body.fields import changed
from ..errors import ClaimError, DecodeError, EncodeError, LimitError, quoted
from ..model import LlmMessage, Media, MediaBlock
from ..model.place import place_of
from .envelope import WIRE
from .stores import Store

__all__ = ["Claim", "check_in", "check_out", "claims"]

T = TypeVar("T")

_SCHEME: Final = "claim:"
_URL: Final = re.compile(r"claim:sha256:([0-9a-f]{64})\?size=([0-9]{1,15})(?:&type=([!-~]+))?")
# The fields of the model that lead to blocks; these names are the same on the wire.
_INSIDE: Final = (
    "messages", "message", "alternatives", "content", "thumbnail", "block", "response",
)  # fmt: skip
_PLACED: Final = frozenset({ClaimError, EncodeError})  # errors that get the path of their block


class Claim(Struct, frozen=True):
    """An object in a store: its SHA-256 in hexadecimal, its size in bytes, its type if known."""

    sha256: str
    size: int
    mime_type: str | None = None

    @property
    def url(self) -> str:
        """The URL that represents it in a block. Raises `EncodeError` for a lone surrogate."""
        url = f"claim:sha256:{self.sha256}?size={self.size}"
        if not self.mime_type:
            return url
        try:
            return f"{url}&type={quote(self.mime_type, safe='/+')}"
        except UnicodeEncodeError as error:
            raise EncodeError("media type holds a lone surrogate", wire=WIRE) from error

    @classmethod
    def of(cls, block: MediaBlock) -> Claim | None:
        """Return the claim of a block, or None. Raises `ClaimError` for a malformed one."""
        if block.url is None or not block.url.startswith(_SCHEME):
            return None
        found = _URL.fullmatch(block.url)
        if found is None:
            raise ClaimError(
                f"claim {quoted(block.url)}, expected `{_SCHEME}` and a hash", wire=WIRE
            )
        sha256, size, type = found.groups()
        return cls(sha256, int(size), type and unquote(type))


def check_in(value: T, store: Store, *, over: int = 64_000) -> T:
    """Return `value` with a claim in place of all inline media of more than `over` bytes.

    `value` is what an envelope accepts, or a part of it, and is not changed. Media with broken
    base64 stay inline, because they have no bytes to store.

    Raises `EncodeError` if a file behind a media block cannot be read, or `value` is nested too
    deeply. Exceptions of the store are not caught; nothing has been replaced then.
    """
    digests: set[str] = set()

    def light(block: MediaBlock) -> MediaBlock:
        try:
            media = block.inline()
            if media is None or len(data := media.view()) <= over:
                return block
        except ClaimError:
            raise
        except DecodeError:
            return block
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in digests:
            store.put(sha256, data)
            digests.add(sha256)
        return replace(block, data=None, url=Claim(sha256, len(data), media.mime_type).url)

    try:
        return _replaced(value, light, "$")  # type: ignore[no-any-return]
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire=WIRE) from error


def check_out(value: T, store: Store, *, lazy: bool = False) -> T:
    """Return `value` with the media in place of their claims; `value` is not changed.

    With `lazy` each object is read when it is first used, and its errors are raised there: by an
    encoder as the cause of an `EncodeError`.

    Raises `ClaimError` if an object is missing, or is not what was checked in, `LimitError` if
    `value` is nested too deeply. Other exceptions of the store are not caught. Nothing has been
    replaced then.
    """
    had: dict[tuple[str, int], bytes] = {}  # an object may be claimed under several types

    def whole(block: MediaBlock) -> MediaBlock:
        claim = Claim.of(block)
        if claim is None:
            return block
        if lazy:
            media = Media.from_loader(lambda: _fetched(claim, store), claim.mime_type)
        else:
            object = claim.sha256, claim.size
            if object not in had:
                had[object] = _fetched(claim, store)
            media = Media.from_bytes(had[object], claim.mime_type)
        return replace(block, data=media, url=None)

    return _read(value, whole)  # type: ignore[no-any-return]


def claims(value: Any) -> Iterator[Claim]:
    """Return an iterator of the claims in `value`, in order.

    Raises `ClaimError` if a claim is malformed, `LimitError` if `value` is nested too deeply.
    """
    all_claims: list[Claim] = []

    def note(block: MediaBlock) -> MediaBlock:
        claim = Claim.of(block)
        if claim is not None:
            all_claims.append(claim)
        return block

    _read(value, note)
    return iter(all_claims)


def _read(value: Any, change: Callable[[MediaBlock], MediaBlock]) -> Any:
    try:
        return _replaced(value, change, "$")
    except RecursionError as error:
        raise LimitError("nested too deeply", wire=WIRE) from error


def _fetched(claim: Claim, store: Store) -> bytes:
    try:
        data = store.get(claim.sha256, claim.size + 1)
    except FileNotFoundError as error:
        raise ClaimError(f"object `{claim.sha256}` is missing from the store", wire=WIRE) from error
    if len(data) != claim.size or hashlib.sha256(data).hexdigest() != claim.sha256:
        raise ClaimError(
            f"object `{claim.sha256}` has changed, expected what was checked in", wire=WIRE
        )
    return data


def _replaced(value: Any, change: Callable[[MediaBlock], MediaBlock], path: str) -> Any:
    """Return `value` with its media blocks changed; parts without changes are shared."""
    kind = type(value)
    if kind is list:
        items = [_replaced(item, change, f"{path}[{i}]") for i, item in enumerate(value)]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    if kind is LlmMessage:
        message = _replaced(value.message, change, path)
        return value if message is value.message else LlmMessage(message, *place_of(value))
    if not isinstance(value, Struct):
        return value
    if isinstance(value, MediaBlock):
        try:
            value = change(value)
        except (ClaimError, EncodeError) as error:
            if type(error) not in _PLACED:  # of the store, and perhaps with fields of its own
                raise
            raise type(error)(error.reason, wire=error.wire, path=path) from error
    changes = {}
    for name in _INSIDE:
        part = getattr(value, name, None)
        if part is not None:
            new = _replaced(part, change, f"{path}.{name}")
            if new is not part:
                changes[name] = new
    return changed(value, changes)
