"""Two requests and the losses between them -> parameters that vanished without a loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import wireglot as wg
from tests.corpus.verdicts import Failure

__all__ = ["unset"]

_SAYS_NOTHING: Final[dict[str, tuple[Any, ...]]] = {
    "candidates": (1,),
    "frequency_penalty": (0,),
    "parallel_tool_calls": (True,),
    "presence_penalty": (0,),
    "temperature": (1,),
    "top_p": (1,),
    "response_format": (wg.ResponseFormat("text"),),
    "thinking": (wg.Thinking(), wg.Thinking(visible=True)),
    "tool_choice": (wg.ToolChoice(),),
}
"""Parameter -> the values that ask for the default, besides None, False and empty ones."""
_WORDS: Final = {"response_format": ("response format", "json mode", "json schema")}
"""Parameter -> how losses name it, if not by its own name."""
_APART: Final = frozenset({"messages", "tools", "extras", "model", "stream", "cache"})
"""Parameters that are checked elsewhere, are in the URL, or become marks on blocks."""


def unset(source: wg.Request, target: wg.Request, losses: list[wg.Loss]) -> Iterator[Failure]:
    """List the parameters of `source` that are not set in `target`, though no loss names them."""
    named = {loss.what.replace("_", " ") for loss in losses}
    paths = {loss.path for loss in losses}
    for name, key in zip(source.__struct_fields__, source.__struct_encode_fields__, strict=True):
        value = getattr(source, name)
        if name in _APART or not value or value in _SAYS_NOTHING.get(name, ()):
            continue
        words = _WORDS.get(name, (name.replace("_", " "),))
        told = f"$.{key}" in paths or any(what.startswith(words) for what in named)
        if getattr(target, name) is None and not told:
            yield Failure("drop", f"$.{name}", "the parameter is unset, and no loss says so", value)
