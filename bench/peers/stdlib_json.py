"""Plain dicts with the standard library's `json`."""

from __future__ import annotations

import json
from typing import Any

from .dicts import DOES_LESS, native, translations, typed

__all__ = ["FLOOR", "IMPORT", "NATIVE", "REQUIREMENTS", "TRANSLATE", "TYPED"]

REQUIREMENTS: tuple[str, ...] = ()
IMPORT = "import json"
FLOOR = DOES_LESS

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _dumps(value: Any) -> bytes:
    return _encode(value).encode()


NATIVE = native(json.loads, _dumps)
TYPED = typed(_dumps)
TRANSLATE = translations(json.loads, _dumps)
