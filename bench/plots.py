"""`python -m bench.plots`: `bench/results.json` -> figures for light and dark pages.

It runs in an environment of its own. The colours are of medium brightness, without a background.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")

import matplotlib.pyplot as plt

from .peers import FLOORS, PEERS
from .table import factor, grown

__all__: list[str] = []

_ROOT = Path(__file__).parents[1]
_IMAGES = _ROOT / "docs" / "images"
_GREY, _OURS, _OTHER, _FLOOR = "#808080", "#1f9e89", "#7a8fb8", "#b0a890"
_GAP = 1.45  # between names, on the logarithmic axis
_BARS = {
    "decode": "A stored session in, 400 messages",
    "request:anthropic": "Own messages to an Anthropic body, 400 messages",
    "translate:openai_chat:anthropic:1:tools": "An OpenAI chat body to an Anthropic one, 1 message",
    "translate:openai_chat:anthropic:400:tools": "The same, 400 messages",
    "image": "An OpenAI chat body with a 10 MB image to an Anthropic one",
}
_LOOK = {
    "axes.edgecolor": _GREY,
    "axes.labelcolor": _GREY,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.family": "sans-serif",
    "font.size": 9,
    "legend.frameon": False,
    "legend.labelcolor": _GREY,
    "savefig.transparent": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "wireglot",
    "text.color": _GREY,
    "xtick.color": _GREY,
    "ytick.color": _GREY,
}


def _bars(peers: dict[str, Any]) -> None:
    shown = {job: _standing(job, peers) for job in _BARS}
    heights = [len(standing) + 2 for standing in shown.values()]
    figure, axes = plt.subplots(
        len(shown), 1, figsize=(7.2, sum(heights) * 0.21), height_ratios=heights
    )
    for axis, (job, standing) in zip(axes, shown.items(), strict=True):
        names = [name for name, _, _ in standing]
        times = [value for _, value, _ in standing]
        axis.barh(names, times, color=[colour for _, _, colour in standing], height=0.7)
        axis.set_xscale("log")
        axis.set_xlim(min(times) / 1.5, max(times) * 2.2)
        axis.invert_yaxis()
        axis.set_title(_BARS[job], loc="left", color=_GREY, fontsize=9, fontweight="bold")
        axis.tick_params(length=0)
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.axvline(1, color=_GREY, linewidth=0.6)
        for place, value in enumerate(times):
            axis.text(value * 1.06, place, _times(value), va="center", fontsize=8)
    axes[-1].set_xlabel("times as long as wireglot takes, logarithmic; shorter is faster")
    _save(figure, "beside")


def _standing(job: str, peers: dict[str, Any]) -> list[tuple[str, float, str]]:
    """Return names, times and colours, fastest first."""
    out = [("wireglot", 1.0, _OURS)]
    for name, peer in peers.items():
        times = factor(job, peer["jobs"].get(job, {}))
        if times is not None:
            out.append((PEERS[name], times, _colour(name)))
    return sorted(out, key=lambda item: item[1])


def _colour(name: str) -> str:
    return _OURS if name not in PEERS else _FLOOR if name in FLOORS else _OTHER


def _times(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _growing(peers: dict[str, Any]) -> None:
    drawn = [
        (PEERS.get(name, name), side["seconds"], _colour(name))
        for name, side in grown(peers)
        if name != "memcpy"
    ]
    if not drawn:
        return
    figure, axis = plt.subplots(figsize=(7.2, 4.6))
    for name, seconds, colour in drawn:
        style = ":" if colour == _FLOOR else "--" if "anew" in name else "-"
        turns, totals = zip(*seconds, strict=True)
        width = 2 if colour == _OURS else 1.2
        axis.plot(turns, totals, color=colour, linestyle=style, linewidth=width)
    _label(axis, drawn)
    axis.set_xscale("log")
    axis.set_yscale("log")
    marks = sorted({turn for _, seconds, _ in drawn for turn, _ in seconds})
    axis.set_xticks(marks, [f"{turn:,}" for turn in marks])
    axis.set_xticks([], minor=True)
    axis.set_xlim(marks[0] * 0.95, marks[-1] * 2.6)
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_xlabel("turns")
    axis.set_ylabel("seconds in all")
    _save(figure, "growing")


def _label(axis: Any, drawn: list[tuple[str, list[list[float]], str]]) -> None:
    """Write each name at the end of its line, or above a name that is already there."""
    last = 0.0
    for name, seconds, colour in sorted(drawn, key=lambda line: line[1][-1][1]):
        turns, total = seconds[-1]
        last = max(total, last * _GAP)
        axis.text(turns * 1.05, last, name, va="center", fontsize=8, color=colour)


def _save(figure: Any, name: str) -> None:
    figure.tight_layout()
    path = _IMAGES / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None})
    path.write_text("".join(line.rstrip() + "\n" for line in path.read_text().splitlines()))
    print(path.relative_to(_ROOT))


def _main() -> None:
    _IMAGES.mkdir(exist_ok=True)
    peers = json.loads((_ROOT / "bench" / "results.json").read_text())["peers"]
    with plt.rc_context(_LOOK):
        _bars(peers)
        _growing(peers)


if __name__ == "__main__":
    _main()
