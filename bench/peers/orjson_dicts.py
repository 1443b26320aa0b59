"""Plain dicts with orjson."""

from __future__ import annotations

import orjson

from .dicts import DOES_LESS, native, translations, typed

__all__ = ["FLOOR", "IMPORT", "NATIVE", "REQUIREMENTS", "TRANSLATE", "TYPED"]

REQUIREMENTS = ("orjson==3.13.0",)
IMPORT = "import orjson"
FLOOR = DOES_LESS

NATIVE = native(orjson.loads, orjson.dumps)
TYPED = typed(orjson.dumps)
TRANSLATE = translations(orjson.loads, orjson.dumps)
