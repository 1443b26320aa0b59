"""Recorded exchanges go through a Parquet file, and come back as the same bytes of native JSON."""

from __future__ import annotations

import io
from collections import defaultdict
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wireglot as wg
from tests.corpus.answers import read_answers
from tests.corpus.exchanges import read_corpus
from tests.traffic import FOLDERS, needs_traffic
from wireglot import arrow


def _native(kind: str, provider: Any, dialect: str, data: bytes) -> bytes | str:
    """Return the native JSON of a document, or what its decoder says."""
    losses: list[wg.Loss] = []
    try:
        if kind == "request":
            value = provider.decode_request(data, dialect=dialect, losses=losses)
        else:
            value = provider.decode_response(data, dialect=dialect, losses=losses)
        return wg.json.encode(value, losses=losses)
    except wg.WireglotError as error:
        return str(error)


@needs_traffic
@pytest.mark.parametrize("kind", ["request", "response"])
def test_recorded_documents_come_back_from_parquet(kind: str) -> None:
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    read = read_corpus if kind == "request" else read_answers
    recorded: dict[tuple[str, str], list[bytes]] = defaultdict(list)
    for sample in read(FOLDERS, dialects, "").samples:
        if getattr(sample, "kind", "request") == kind:
            recorded[sample.provider, sample.dialect].append(sample.data)
    count = 0
    for (name, dialect), bodies in recorded.items():
        kernel = arrow.decode(f"{name}:{dialect}", kind=kind, column="body")  # type: ignore[arg-type]
        file = io.BytesIO()
        pq.write_table(kernel(pa.table({"body": pa.array(bodies, pa.binary())})), file)
        rows = pq.read_table(file).to_pylist()
        for row, data in zip(rows, bodies, strict=True):
            error = row["error"]
            made = f"{error['wire']}: {error['reason']} - at `{error['path']}`" if error else None
            expected = _native(kind, wg.PROVIDERS[name], dialect, data)
            assert (made or row["document"].encode()) == expected
            assert row["body"] == data
            count += error is None
    assert count > 1000
