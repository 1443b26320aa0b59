"""How much input a decoder accepts."""

from __future__ import annotations

from msgspec import Struct

from .model.counting import MOST_VALUES

__all__ = ["DEFAULT_LIMITS", "Limits"]


class Limits(Struct, frozen=True):
    """Bounds on one document, or on one line of JSONL; input beyond them raises `LimitError`.

    `bytes` counts the input. `messages` counts the messages of a document. `blocks` counts content
    blocks, including those inside tool results, and the events of streams. `values` counts all keys
    and values, those of free data (`metadata`, `data`, tool arguments) included, before they are
    decoded: each may take 100 bytes of memory. `depth` counts nested
    arrays and objects. None leaves it to the C decoder's own guard, which stops at about 1,000 on
    CPython 3.11 and at up to 10,000 on later versions; a number costs one scan of the document.
    """

    bytes: int = 256 * 1024 * 1024
    messages: int = 100_000
    blocks: int = 1_000_000
    values: int = MOST_VALUES
    depth: int | None = None


DEFAULT_LIMITS = Limits()
