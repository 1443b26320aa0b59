"""Columns of every type that holds documents."""

from __future__ import annotations

import datetime
import tracemalloc
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import wireglot as wg
from wireglot.arrow.columns import documents

TEXTS = ["", "a", "twelve bytes", "thirteen byte", None, "Łódź" * 9]
BYTES = [None if text is None else text.encode() for text in TEXTS]
KINDS = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.int32(), pa.large_binary()),
]


def _read(column: Any) -> list[bytes | None]:
    return [None if document is None else bytes(document) for document in documents(column)]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_text_and_binary_of_every_type_are_documents(kind: Any) -> None:
    values = pa.array(BYTES, pa.binary())
    column = values.cast(pa.string()).cast(kind) if "binary" not in str(kind) else values.cast(kind)
    assert _read(column) == BYTES
    assert _read(column.slice(2, 3)) == BYTES[2:5]
    assert _read(column.slice(5)) == BYTES[5:]
    assert _read(column.slice(6)) == []


def test_a_column_of_nulls_and_an_empty_one_have_no_documents() -> None:
    assert _read(pa.array([None, None])) == [None, None]
    assert _read(pa.array([], pa.string())) == []
    assert _read(pa.array([], pa.string_view())) == []


def test_an_extension_type_is_read_as_what_it_stores() -> None:
    stored = pa.array(['{"a":1}', None])
    assert _read(pa.ExtensionArray.from_storage(pa.json_(), stored)) == [b'{"a":1}', None]


def test_of_a_dictionary_only_the_values_of_the_rows_are_read() -> None:
    column = pa.array([str(number) for number in range(100_000)]).dictionary_encode()
    few = column.slice(99_998)
    tracemalloc.start()
    try:
        assert _read(few) == [b"99998", b"99999"]
        assert tracemalloc.get_traced_memory()[1] < 50_000
    finally:
        tracemalloc.stop()


def test_structs_become_json_without_the_keys_of_others() -> None:
    column = pa.array([{"a": 1, "b": [{"c": "x"}, {"d": None}]}, None, {"b": [], "e": 2.5}])
    assert _read(column) == [b'{"a":1,"b":[{"c":"x"},{}]}', None, b'{"b":[],"e":2.5}']


def test_times_in_structs_are_texts() -> None:
    when = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
    column = pa.array([{"at": when, "on": when.date()}])
    assert _read(column) == [b'{"at":"2026-01-02T03:04:05+00:00","on":"2026-01-02"}']


def test_maps_are_objects_and_binary_in_structs_is_text() -> None:
    kind = pa.struct([("content", pa.binary()), ("metadata", pa.map_(pa.string(), pa.string()))])
    column = pa.array([{"content": "Łódź".encode(), "metadata": [("k", "v"), ("n", None)]}], kind)
    assert _read(column) == ['{"content":"Łódź","metadata":{"k":"v"}}'.encode()]


def test_a_value_without_json_is_the_fault_of_its_row() -> None:
    kind = pa.struct([("content", pa.binary())])
    first, second, third = documents(
        pa.array([{"content": b"a"}, {"content": b"\xff"}, None], kind)
    )
    assert (first, third) == (b'{"content":"a"}', None)
    assert isinstance(second, wg.DecodeError)
    assert second.reason.startswith("value without JSON, expected text, numbers, lists, structs: ")


def test_a_number_that_json_does_not_have_is_the_fault_of_its_row() -> None:
    column = pa.array([{"t": 0.5}, {"t": float("nan")}, {"t": None}])
    first, second, third = documents(column)
    assert (first, third) == (b'{"t":0.5}', b"{}")
    assert isinstance(second, wg.DecodeError)
    assert second.reason.endswith("nan is not a number of JSON")


def test_decimals_are_numbers() -> None:
    column = pa.array([{"a": Decimal("0.25"), "b": Decimal("7.00")}])
    assert _read(column) == [b'{"a":0.25,"b":7}']


def test_the_map_of_a_row_may_have_a_key_twice_which_is_its_fault() -> None:
    kind = pa.map_(pa.binary(), pa.string())
    first, second = documents(pa.array([[(b"a", "1")], [(b"a", "1"), (b"a", "2")]], kind))
    assert first == b'{"a":"1"}'
    assert isinstance(second, wg.DecodeError)


@pytest.mark.parametrize(
    "kind",
    [pa.large_list, pa.list_view, pa.large_list_view, lambda item: pa.list_(item, 1)],
    ids=["large", "view", "large view", "fixed size"],
)
def test_lists_of_any_type_are_read(kind: Any) -> None:
    item = pa.struct([("a", pa.int64())])
    assert _read(pa.array([[{"a": 1}], [{"a": None}]], kind(item))) == [b'[{"a":1}]', b"[{}]"]


def test_a_run_end_encoded_column_is_read() -> None:
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["a", "b"]))
    assert _read(runs) == [b"a", b"a", b"b"]


@pytest.mark.parametrize(
    "kind",
    [pa.int64(), pa.list_(pa.float32()), pa.dictionary(pa.int8(), pa.int64()), pa.timestamp("ms")],
    ids=str,
)
def test_a_column_of_numbers_has_no_documents(kind: Any) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        documents(pa.array([], kind))
    assert caught.value.reason == f"column of type {kind}, expected text, binary or nested data"


def test_a_document_is_a_slice_of_arrows_buffer() -> None:
    column = pa.array([b"abc", b"defg"], pa.binary())
    first, second = documents(column)
    assert isinstance(first, memoryview)
    assert isinstance(second, memoryview)
    assert second.obj is first.obj
