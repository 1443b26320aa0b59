"""Keys of other APIs' requests that Chat Completions has, too, and `Request` has no field for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SHARED: Final[Mapping[str, Mapping[str, str]]] = {
    "openai-responses": {
        "moderation": "moderation",
        "prompt_cache_key": "prompt_cache_key",
        "prompt_cache_options": "prompt_cache_options",
        "prompt_cache_retention": "prompt_cache_retention",
        "store": "store",
        "text.verbosity": "verbosity",
    },
    "mistral": {"prediction": "prediction", "prompt_cache_key": "prompt_cache_key"},
    "ollama": {
        "options.min_p": "min_p",
        "options.repeat_penalty": "repetition_penalty",
        "options.typical_p": "typical_p",
    },
}
"""API -> key there -> key here; dots lead to keys of inner objects.

Sources: openai 3.57, mistralai 3.7, ollama 0.6.
"""
