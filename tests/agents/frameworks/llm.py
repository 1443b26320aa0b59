"""Simon Willison's `llm` with its plugin for Ollama, which lists the server's models by digest."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import llm


def _ollama(address: str, model: str) -> Any:
    os.environ["OLLAMA_HOST"] = address
    return llm.get_model(f"ollama/{model}")


MODELS: dict[str, Callable[[str, str], Any]] = {"llm_ollama": _ollama}


def run(model: Any, prompt: str, tools: list[Callable[..., str]]) -> str:
    return "".join(model.chain(prompt, tools=tools))
