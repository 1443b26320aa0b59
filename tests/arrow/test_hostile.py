"""Columns that somebody else made: what is too large, and buffers that contradict themselves."""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import islice
from typing import Any

import pyarrow as pa
import pytest

import wireglot as wg
from tests.memory import within
from wireglot import arrow
from wireglot.arrow.columns import documents

CHAT = b'{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
TRANSLATED = '{"model":"m","stream":false,"messages":[{"role":"user","content":"Hi"}]}'
MIB = 1024 * 1024
translate = arrow.translate("openai_chat", "ollama")


def _errors(make: Callable[[], Any]) -> list[str | None]:
    """Return the errors of a column; pytest must not print one whose buffers are bad."""
    made = translate.array(make()).field("error").to_pylist()
    return [error and f"{error['kind']}: {error['reason']}" for error in made]


# -- what is too large -----------------------------------------------------------------------------

TOO_LONG = "LimitError: document of more than 268,435,456 bytes"
TOO_MANY = "LimitError: document of more than 4,000,000 values"


@pytest.mark.parametrize(
    "kind",
    [pa.binary(), pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int8(), pa.binary())],
    ids=str,
)
def test_a_document_of_over_256_mib_is_the_fault_of_its_row(kind: Any) -> None:
    column = pa.array([bytes(256 * MIB + 1), CHAT]).cast(kind)
    assert _errors(lambda: column) == [TOO_LONG, None]


def _list(kind: Any, *sizes: int) -> Any:
    """Return a column of lists, whose items are null and take no memory."""
    ends = [sum(sizes[:count]) for count in range(len(sizes) + 1)]
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.nulls(ends[-1], kind))


def _views(rows: int, items: int) -> Any:
    """Return a column of lists that are all the same one."""
    sizes, starts = pa.array([items] * rows, pa.int32()), pa.array([0] * rows, pa.int32())
    return pa.ListViewArray.from_arrays(starts, sizes, pa.nulls(items, pa.struct({"a": pa.null()})))


def _texts(size: int, items: int) -> Any:
    """Return a column of one list, whose items are all the same text."""
    text = pa.DictionaryArray.from_arrays(pa.array([0] * items, pa.int32()), ["x" * size])
    structs = pa.StructArray.from_arrays([text], names=["content"])
    return pa.ListArray.from_arrays(pa.array([0, items], pa.int32()), structs)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: _list(pa.struct({"a": pa.null()}), 20_000_000, 0), [TOO_MANY, b"[]"]),
        (lambda: _list(pa.struct(dict.fromkeys("abcde", pa.null())), 1_000_000), [TOO_MANY]),
        (lambda: _views(30, 4_000_001), [TOO_MANY] * 30),
        (lambda: _texts(MIB, 257), [TOO_LONG]),
    ],
    ids=["items", "fields", "lists that are the same", "texts that are the same"],
)
def test_nested_values_that_are_too_many_are_not_unpacked(
    make: Callable[[], Any], expected: list[str | bytes]
) -> None:
    column = make()
    found = within(20 * MIB, lambda: [*documents(column)])
    shown = [
        f"{type(d).__name__}: {d.reason}" if isinstance(d, wg.DecodeError) else d for d in found
    ]
    assert shown == expected


def test_nested_values_within_the_bounds_are_read_however_many_rows_have_them() -> None:
    sizes = [1, 70_000, 2] * 30
    column = _list(pa.struct({"a": pa.null()}), *sizes)
    assert [bytes(document).count(b"null") for document in documents(column)] == sizes


@pytest.mark.parametrize("kind", [pa.ListViewArray, pa.LargeListViewArray], ids=["view", "large"])
def test_views_of_the_same_items_are_not_copied_to_be_measured(kind: Any) -> None:
    rows, width = 256, pa.int64() if kind is pa.LargeListViewArray else pa.int32()
    items = pa.StructArray.from_arrays([pa.array(["x" * 10_000] * 300)], ["role"])
    places = pa.array([0] * rows, width), pa.array([300] * rows, width)
    column = kind.from_arrays(*places, items, mask=pa.array([False, True] * (rows // 2)))
    pool = pa.default_memory_pool()
    proxy = pa.proxy_memory_pool(pool)
    pa.set_memory_pool(proxy)
    try:
        found = documents(column)
        first, second = next(found), next(found)
    finally:
        pa.set_memory_pool(pool)
    assert isinstance(first, bytes)
    assert (len(first), second) == (3_003_601, None)
    assert proxy.max_memory() < 50 * MIB


def test_runs_of_a_large_value_are_not_unpacked() -> None:
    ends = pa.array([2, 2**31 - 1], pa.int32())
    column = pa.RunEndEncodedArray.from_arrays(ends, pa.array([b"a", b"b" * MIB]))
    found = within(10 * MIB, lambda: [*islice(documents(column.slice(1)), 3)])
    assert [bytes(document)[:2] for document in found] == [b"a", b"bb", b"bb"]
    assert [*map(bytes, documents(column.slice(1, 1)))] == [b"a"]


def test_a_batch_of_nulls_takes_no_memory() -> None:
    assert within(MIB, lambda: next(documents(pa.nulls(100_000_000)))) is None


def test_results_are_not_made_beyond_what_a_batch_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wireglot.arrow.kernels.MOST_TEXT", 5_000_000)
    body = CHAT.replace(b"Hi", b"x" * MIB)
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 5000, pa.int32()), [body])
    with pytest.raises(wg.LimitError, match="more than 2 GiB of text in one batch"):
        within(60 * MIB, lambda: translate(pa.record_batch({"document": column})))


# -- buffers that contradict themselves ------------------------------------------------------------


def _text(offsets: list[int], data: bytes, kind: Any = None, names: tuple[str, ...] = ()) -> Any:
    """Return a column with these offsets, which are written after Arrow has looked at them.

    With `names` it is one of structs of such texts.
    """
    width = "q" if kind == pa.large_binary() else "i"
    ends = bytearray(struct.calcsize(width) * len(offsets))
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(data)]
    column = pa.Array.from_buffers(kind or pa.binary(), len(offsets) - 1, buffers)
    if names:
        column = pa.StructArray.from_arrays([column] * len(names), [*names])
    struct.pack_into(f"<{len(offsets)}{width}", ends, 0, *offsets)
    return column


def _view(length: int, buffer: int, start: int) -> Any:
    views = struct.pack("<i4siii4sii", length, CHAT[:4], buffer, start, len(CHAT), CHAT[:4], 0, 0)
    buffers = [None, pa.py_buffer(views), pa.py_buffer(CHAT)]
    return pa.Array.from_buffers(pa.binary_view(), 2, buffers)


def _indexed(index: int) -> Any:
    indices = pa.array([index, 0], pa.int32())
    return pa.DictionaryArray.from_arrays(indices, pa.array([CHAT]), safe=False)


SIZE = len(CHAT)


@pytest.mark.parametrize(
    "make",
    [
        lambda: _text([0, SIZE + 9, SIZE + 9, SIZE], CHAT).slice(0, 1),
        lambda: _text([SIZE, 0, SIZE], CHAT),
        lambda: _text([-9, 0, SIZE], CHAT),
        lambda: _text([2**40, 0, SIZE], CHAT, pa.large_binary()),
        lambda: _text([-(2**40), 0, SIZE], CHAT, pa.large_binary()),
        lambda: _view(SIZE, 1, 0),
        lambda: _view(SIZE, -1, 0),
        lambda: _view(SIZE, 2**31 - 1, 0),
        lambda: _view(SIZE, 0, 1),
        lambda: _view(SIZE, 0, -1),
        lambda: _view(-1, 0, 0),
        lambda: _view(-(2**31), 0, 0),
        lambda: _indexed(1),
        lambda: _indexed(-1),
        lambda: _indexed(2**31 - 1),
    ],
)
def test_a_row_that_is_not_in_the_buffers_is_a_fault(make: Callable[[], Any]) -> None:
    first, *others = _errors(make)
    assert first is not None
    assert first.startswith("DecodeError: malformed row of a column of type ")
    assert others in ([], [None])


@pytest.mark.parametrize("offsets", [[0, 9, 1], [1, 0, 1], [-1, 0, 1]])
def test_a_nested_column_that_is_not_in_its_buffers_is_refused(offsets: list[int]) -> None:
    with pytest.raises(wg.EncodeError, match="malformed column of type struct<a: string>: "):
        next(documents(_text(offsets, b"a", pa.string(), ("a",))))


def test_text_in_a_nested_row_that_is_not_utf_8_is_the_fault_of_the_row() -> None:
    texts = _text([0, 1, 2, 3], b"a\xffb", pa.string(), ("a",))
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), texts)
    first, second, third = documents(lists)
    assert (first, third) == (b'[{"a":"a"}]', b'[{"a":"b"}]')
    assert isinstance(second, wg.DecodeError)
    assert second.reason.startswith("value without JSON, ")


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_string(), pa.binary_view()], ids=str)
def test_a_column_without_buffers_for_its_rows_is_refused(kind: Any) -> None:
    rows = 77_777
    data = _stream(pa.nulls(rows, kind))
    lying = data.replace(struct.pack("<q", rows), struct.pack("<q", 10**12))
    with pytest.raises(wg.EncodeError) as caught:
        translate(pa.ipc.open_stream(lying).read_next_batch())
    assert caught.value.reason.startswith(f"malformed column of type {kind}: ")


def test_losses_of_an_earlier_kernel_that_are_malformed_are_refused() -> None:
    error = _text([0, 2**30, 1], b"a", pa.string(), ("kind", "wire", "reason", "path"))
    batch = pa.record_batch({"document": pa.array([CHAT, CHAT]), "error": error})
    with pytest.raises(wg.EncodeError, match="with the name of a kernel's, expected another name"):
        translate(batch)


def _stream(column: Any) -> bytes:
    stream = pa.BufferOutputStream()
    batch = pa.record_batch({"document": column})
    with pa.ipc.new_stream(stream, batch.schema) as writer:
        writer.write_batch(batch)
    return stream.getvalue().to_pybytes()


def test_a_batch_of_a_stream_whose_buffers_are_out_of_range_has_faults() -> None:
    data = _stream(pa.array([CHAT] * 2, pa.binary_view()))
    place = struct.pack("<i4sii", SIZE, CHAT[:4], 0, 0)
    assert data.count(place) == 1
    lying = data.replace(place, struct.pack("<i4sii", SIZE, CHAT[:4], 77, 0))
    made = translate(pa.ipc.open_stream(lying).read_all())
    (first, second) = made["error"].to_pylist()
    assert first["reason"].startswith("malformed row of a column of type binary_view: ")
    assert (second, made["translated"][1].as_py()) == (None, TRANSLATED)
