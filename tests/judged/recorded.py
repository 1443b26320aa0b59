"""Recorded requests -> what a fake of an API says to their translations.

Each request goes to every wire, at a host and for a model that are drawn by its id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import wireglot as wg
from tests.corpus.exchanges import Sample, read_corpus
from tests.judged.wires import ASKING
from tests.refusals import refused
from tests.refusals.hosts import HOSTS, faults

__all__ = ["recorded_cases"]


def recorded_cases(
    folders: Iterable[Path], wires: Iterable[str], draws: int = 1
) -> Iterator[tuple[str, str]]:
    """Yield the outcome of each recorded request at each of these wires, and its fault, or ""."""
    dialects = {name: provider.DIALECTS for name, provider in wg.PROVIDERS.items()}
    for sample in read_corpus(folders, dialects).samples:
        if sample.fault is None:
            for target in wires:
                for number in range(draws):
                    yield _judged(sample, target, Random(f"{sample.id}:{target}:{number}"))


def _judged(sample: Sample, target: str, random: Random) -> tuple[str, str]:
    host, model = random.choice(HOSTS[target]), random.choice(ASKING[target].MODELS)
    losses: list[wg.Loss] = []
    try:
        request = wg.PROVIDERS[sample.provider].decode_request(
            sample.data, sample.path, dialect=sample.dialect, losses=[]
        )
        request.model = model
        written = wg.PROVIDERS[target].encode_request(
            request, dialect=host, losses=losses, repair=True
        )
    except (wg.EncodeError, wg.DecodeError):
        return "refused", ""
    if sample.provider == target:  # in whatever form it came, it must not have got worse
        came, went = (_rows(target, host, model, each) for each in (sample.data, written))
        found = sorted(went - came)
    else:
        found = faults(target, host, model, written)
    if found:
        return "fault", f"{sample.id} -> {target} ({host}, {model}): {found[0]}"
    return ("with losses" if losses else "whole"), ""


def _set(value: Any) -> Any:
    """Return JSON without keys that are null, for which the rules do not look."""
    if isinstance(value, list):
        return [_set(each) for each in value]
    if isinstance(value, dict):
        return {key: _set(each) for key, each in value.items() if each is not None}
    return value


def _rows(wire: str, host: str, model: str, body: bytes) -> set[str]:
    """Return the rows of the table that a body breaks."""
    return {row.name for row, _ in refused(wire, host, model, _set(json.loads(body)))}
