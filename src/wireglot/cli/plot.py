"""Figures -> a picture: tokens over time, by model, and the calls of tools."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any, Final

from matplotlib.figure import Figure

from .._display.characters import visible
from ..errors import EncodeError
from .figures import Answers, Figures, by_number
from .output import written

__all__ = ["drawn"]

_MOST: Final = 12
_WIDTH: Final = 9.0
_KINDS: Final = (
    ("input from cache", "cache_read", "#a6cfe6"),
    ("input written to cache", "cache_write", "#5d9fd3"),
    ("input", "input", "#1f5f99"),
    ("output", "output", "#e08a2e"),
)
_CALLS: Final = (("succeeded", "#4c9f70"), ("failed", "#c8553d"))


def drawn(figures: Figures, path: str) -> None:
    """Draw the figures to a file, in the format of its extension.

    Raises `EncodeError` if nothing was counted, or matplotlib does not know the format, `OSError`
    if the file cannot be written.
    """
    name, times = figures.times()
    panels: list[tuple[float, Callable[[Any], None]]] = []
    if len(times) > 1:
        panels.append((3.0, lambda axes: _over_time(axes, name, times)))
    models = by_number(figures.models, "answers")[:_MOST]
    if any(sums.counted for _, sums in models):
        panels.append((0.8 + 0.4 * len(models), lambda axes: _by_model(axes, models)))
    tools = by_number(figures.tools, "calls")[:_MOST]
    if tools:
        panels.append((0.8 + 0.4 * len(tools), lambda axes: _by_tool(axes, tools)))
    if not panels:
        raise EncodeError("nothing to draw, expected at least one message", wire="plot")
    heights = [height for height, _ in panels]
    figure = Figure(figsize=(_WIDTH, sum(heights) + 0.4), layout="constrained")
    grid = figure.subplots(len(panels), 1, height_ratios=heights, squeeze=False)
    ending = os.path.splitext(path)[1][1:]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a name in characters that no font here has
        try:
            for axes, (_, draw) in zip(grid[:, 0], panels, strict=True):
                axes.spines[["top", "right"]].set_visible(False)
                draw(axes)
            with written(path if ending else f"{path}.png") as stream:
                figure.savefig(stream, format=ending.lower() or "png", dpi=144)
        except OverflowError as error:
            raise EncodeError(
                "numbers too large to draw, expected smaller ones", wire="plot"
            ) from error
        except ValueError as error:  # an unknown extension
            raise EncodeError(str(error), wire="plot") from error


def _over_time(axes: Any, name: str, times: dict[Any, Answers]) -> None:
    width = {"hour": 1 / 24, "day": 1.0}[name] * 0.9  # dates are counted in days
    below = [0] * len(times)
    for label, key, color in _KINDS:
        tokens = [getattr(sums.tokens, key) for sums in times.values()]
        axes.bar(list(times), tokens, width, below, color=color, label=label)
        below = [one + other for one, other in zip(below, tokens, strict=True)]
    axes.set_title(f"Tokens by {name} (UTC)", loc="left")
    axes.yaxis.set_major_formatter(_short)
    _legend(axes)


def _by_model(axes: Any, models: list[tuple[str, Answers]]) -> None:
    names = [_label(name) for name, _ in models]
    left = [0] * len(models)
    for label, key, color in _KINDS:
        tokens = [getattr(sums.tokens, key) for _, sums in models]
        axes.barh(names, tokens, 0.7, left, color=color, label=label)
        left = [one + other for one, other in zip(left, tokens, strict=True)]
    axes.invert_yaxis()
    axes.set_title("Tokens by model", loc="left")
    axes.xaxis.set_major_formatter(_short)
    _legend(axes)


def _by_tool(axes: Any, tools: list[tuple[str, Any]]) -> None:
    names = [_label(name) for name, _ in tools]
    failed = [calls.failed for _, calls in tools]
    good = [calls.calls - calls.failed for _, calls in tools]
    for left, counts, (label, color) in zip([None, good], [good, failed], _CALLS, strict=True):
        axes.barh(names, counts, 0.7, left, color=color, label=label)
    axes.invert_yaxis()
    axes.set_title("Calls by tool", loc="left")
    axes.xaxis.get_major_locator().set_params(integer=True)
    _legend(axes)


def _legend(axes: Any) -> None:
    """Put the legend above, behind the title, where no bar is."""
    place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.2}
    axes.legend(frameon=False, fontsize="small", ncols=4, columnspacing=1.0, **place)


def _label(name: str) -> str:
    """Return a name as a label that fits, and that is not read as a formula."""
    shown = visible(name).replace("$", r"\$")
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


def _short(number: float, _: object = None) -> str:
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:g}{unit}"
    return f"{number:g}"
