"""Folders of recorded exchanges -> the request bodies to try, each once per wire."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.corpus.compare import parsed
from tests.corpus.wires import other_wire, path_of, reason_to_skip, spoken

__all__ = ["Corpus", "Sample", "exchanges", "read_corpus"]


class Sample(NamedTuple):
    """A body as it was recorded, with what its URL adds; `id` is that of the first exchange.

    `fault` is why it may not be a valid request: its own provider refused it, or it is not what was
    sent over the wire. None if there is no such reason.
    """

    id: str
    wire: str
    provider: str
    dialect: str
    path: str | None
    data: bytes
    model: str | None
    fault: str | None


class Corpus(NamedTuple):
    """The samples, the number of exchanges by wire, and of skipped ones by wire and reason."""

    samples: list[Sample]
    exchanges: Counter[str]
    skipped: Counter[tuple[str, str]]


def read_corpus(
    folders: Iterable[Path], dialects: Mapping[str, tuple[str, ...]], wire: str = ""
) -> Corpus:
    """Read every `.jsonl.gz` of folders, or only the exchanges of one wire or provider."""
    corpus = Corpus([], Counter(), Counter())
    samples: dict[tuple[object, ...], Sample] = {}
    for exchange in exchanges(folders):
        path = path_of(exchange.get("url"))
        provider, dialect = spoken(exchange["wire"], path, dialects)
        if wire not in ("", exchange["wire"], provider):
            continue
        corpus.exchanges[exchange["wire"]] += 1
        reason = other_wire(exchange["wire"]) or _reason(exchange.get("request"), path)
        if reason is not None:
            corpus.skipped[exchange["wire"], reason] += 1
            continue
        data = exchange["request"].encode(errors="surrogatepass")
        key = (exchange["wire"], provider, dialect, path, data)
        sample = Sample(exchange["id"], *key, exchange.get("model"), _fault(exchange))
        known = samples.setdefault(key, sample)
        if sample.fault is None and known.fault is not None:
            samples[key] = known._replace(fault=None)
    corpus.samples.extend(samples.values())
    return corpus


def exchanges(folders: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """Read the lines of every file of folders."""
    for folder in folders:
        for file in sorted(folder.glob("*.jsonl.gz")):
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                yield from map(json.loads, lines)


def _reason(request: Any, path: str | None) -> str | None:
    if request is None:
        return "no request was recorded"
    if not request.strip():
        return "the request is empty"
    try:
        body = parsed(request)
    except ValueError:
        return "no JSON"
    return reason_to_skip(body, path)


def _fault(exchange: dict[str, Any]) -> str | None:
    if exchange["status"] in (400, 422):
        return "its provider has refused it too"
    if exchange["fidelity"] == "sdk_dump":
        return "it is a dump of an SDK's object, which may hold what no wire has"
    if "/mock-" in exchange.get("source", ""):
        return "a mock, which was written by hand"
    is_claude = "claude" in (exchange.get("model") or "")
    if is_claude and exchange["wire"] == "bedrock" and '"s3Location"' in exchange["request"]:
        return "Claude takes a document in S3, and answers that there is none"
    return None
