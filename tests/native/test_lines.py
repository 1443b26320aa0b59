"""JSON Lines: chunks of any size -> values, one by one; values -> one line each."""

from collections.abc import Iterator
from typing import Any

import pytest

import wireglot as wg
from tests.memory import within

LINES = (
    '{"role":"user","content":[{"type":"text","text":"é \u2028 🌊"}],"timestamp":1}\n'
    '{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"n",'
    '"arguments":{"a":"x\\ny"}}],"mood":"calm"}\n'
    '{"role":"extension","kind":"k","data":null}\n'
).encode()
VALUES = [
    wg.UserMessage([wg.TextBlock("é \u2028 🌊")], timestamp=1),
    wg.AssistantMessage(
        [wg.ToolCallBlock("c", "n", '{"a":"x\\ny"}')],
        extras={"wireglot": wg.Extra({"mood": "calm"})},
    ),
    wg.ExtensionMessage("k", None),
]


def _cut(data: Any, size: int) -> Iterator[Any]:
    return (data[at : at + size] for at in range(0, len(data), size))


@pytest.mark.parametrize("size", [1, 2, 7, 64, 10_000])
@pytest.mark.parametrize(
    "data",
    [
        LINES,
        LINES.replace(b"\n", b"\r\n"),
        b"\n\n" + LINES.replace(b"\n", b"\n\n") + b"\n",
        b"  \r\n" + LINES.replace(b"\n", b"\n \t\n"),
        LINES.removesuffix(b"\n"),
        b"\xef\xbb\xbf" + LINES,
        LINES.replace(b"}\n", b"} \n"),
    ],
    ids=[
        "LF",
        "CRLF",
        "blank lines",
        "lines of spaces",
        "no end of the last line",
        "a byte order mark",
        "spaces at the end of a line",
    ],
)
def test_lines_decode_in_chunks_of_any_size(data: bytes, size: int) -> None:
    assert list(wg.json.decode_lines(_cut(data, size))) == VALUES


@pytest.mark.parametrize("size", [1, 2, 7, 64, 10_000])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["no mark", "a byte order mark"])
def test_lines_decode_in_chunks_of_text(mark: str, size: int) -> None:
    assert list(wg.json.decode_lines(_cut(mark + LINES.decode(), size))) == VALUES


@pytest.mark.parametrize(
    "chunks",
    [
        LINES,
        bytearray(LINES),
        memoryview(LINES),
        LINES.decode(),
        [LINES],
        (LINES[:50], bytearray(LINES[50:90]), memoryview(LINES)[90:]),
        [b"", LINES, b"", b""],
    ],
    ids=["bytes", "a bytearray", "a view", "text", "a list", "mixed chunks", "empty chunks"],
)
def test_lines_decode_from_what_people_have(chunks: Any) -> None:
    assert list(wg.json.decode_lines(chunks)) == VALUES


@pytest.mark.parametrize("chunks", [b"", "", [], b"\n", b"\r\n \n"])
def test_no_lines_decode_to_nothing(chunks: Any) -> None:
    assert list(wg.json.decode_lines(chunks)) == []


def test_a_chunk_that_is_reused_does_not_change_what_was_decoded() -> None:
    def chunks() -> Iterator[bytearray]:
        buffer = bytearray(16)
        for chunk in _cut(LINES, 16):
            buffer[:] = chunk
            yield buffer
            buffer[:] = b"#" * len(buffer)

    assert list(wg.json.decode_lines(chunks())) == VALUES


def test_numbers_beyond_a_double_come_back_wherever_they_are_carried() -> None:
    data = (
        b'{"a":[1e400,\r1],"kind":"k","data":0,"role":"r"}\n'
        b'{"role":"user","content":[],"a":{"b":1e400,\r"c":1}}\n'
    )
    values = list(wg.json.decode_lines(data))
    written = b"".join(wg.json.encode_lines(values))
    assert written == (
        b'{"role":"r","kind":"k","data":0,"a":[1e400, 1]}\n'
        b'{"role":"user","content":[],"a":{"b":1e400, "c":1}}\n'
    )
    assert list(wg.json.decode_lines(written)) == values


def test_values_come_as_soon_as_their_line_ends() -> None:
    taken = []

    def chunks() -> Iterator[bytes]:
        for line in LINES.splitlines(keepends=True):
            taken.append(line)
            yield line

    values = wg.json.decode_lines(chunks())
    assert taken == []
    for count in (1, 2, 3):
        assert next(values) == VALUES[count - 1]
        assert len(taken) == count


def test_lines_of_another_type_decode() -> None:
    data = b'{"role":"user","content":[]}\n{"role":"system","content":[]}'
    expected = [wg.UserMessage([]), wg.SystemMessage([])]
    assert list(wg.json.decode_lines(data, wg.Message)) == expected


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"{\n", "json: input data was truncated - at `line 1: $`"),
        (
            b'\n\n{"role":"user"}',
            "json: object missing required field `content` - at `line 3: $`",
        ),
        (
            b'{"role":"user","content":[]}\r\n{"role":"user","content":[{"type":"text","text":5}]}',
            "json: expected `str`, got `int` - at `line 2: $.content[0].text`",
        ),
        (b"[]\n", "json: expected `object`, got `array` - at `line 1: $`"),
        (b'\xef\xbb\xbf{"role":1}', "json: expected `str`, got `int` - at `line 1: $.role`"),
    ],
    ids=["broken", "after blank lines", "in the second line", "a list", "behind a mark"],
)
def test_an_error_names_the_line(data: bytes, text: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        list(wg.json.decode_lines(data))
    assert str(caught.value) == text
    assert isinstance(caught.value.__cause__, wg.DecodeError)


def test_what_came_before_an_error_has_been_yielded() -> None:
    values = wg.json.decode_lines(LINES + b"{\n" + LINES)
    assert [next(values), next(values), next(values)] == VALUES
    with pytest.raises(wg.DecodeError, match="line 4"):
        next(values)


@pytest.mark.parametrize("data", [b'{"a":"\\ud83d"}', '{"a":"\ud83d"}'], ids=["escaped", "in text"])
def test_a_lone_surrogate_in_a_line_is_an_error_or_a_loss(data: Any) -> None:
    with pytest.raises(wg.DecodeError, match="line 1"):
        list(wg.json.decode_lines(data, dict))
    losses: list[wg.Loss] = []
    assert list(wg.json.decode_lines(data, dict, losses=losses)) == [{"a": "\ufffd"}]
    assert [loss.what for loss in losses] == ["lone surrogate"]


@pytest.mark.parametrize("size", [1, 7, 100])
@pytest.mark.parametrize(
    ("half", "paths"),
    [("\\ud83d", ["byte 6", "byte 6"]), ("\ud83d", ["$", "$"])],
    ids=["escaped", "in text"],
)
def test_a_loss_in_a_line_names_the_line(half: str, paths: list[str], size: int) -> None:
    data = f'{{"a":"b"}}\n{{"a":"{half}"}}\n\n{{"a":"{half}"}}\n'
    with pytest.raises(wg.DecodeError) as caught:
        list(wg.json.decode_lines(_cut(data, size), dict))
    assert caught.value.path == f"line 2: {paths[0]}"
    losses: list[wg.Loss] = []
    assert len(list(wg.json.decode_lines(_cut(data, size), dict, losses=losses))) == 3
    assert [loss.path for loss in losses] == [f"line 2: {paths[0]}", f"line 4: {paths[1]}"]


# -- out ------------------------------------------------------------------------------------------


def test_each_value_is_one_line() -> None:
    values = wg.json.decode_lines(LINES)
    assert list(wg.json.encode_lines(values)) == LINES.splitlines(keepends=True)


def test_values_are_written_as_they_are_asked_for() -> None:
    def values() -> Iterator[wg.ExtensionMessage]:
        yield wg.ExtensionMessage("k", 1)
        pytest.fail("asked for a second value too early")

    lines = wg.json.encode_lines(values())
    assert next(lines) == b'{"role":"extension","kind":"k","data":1}\n'


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"], ids=["LF", "CR", "CRLF"])
def test_pretty_printed_slices_never_break_a_line(end: bytes) -> None:
    data = b"""[{"role": "assistant", "content": [
      {"type": "toolCall", "id": "c", "name": "n", "arguments": {
        "a": "x\\r\\ny",
        "b": [1]}},
      {"type": "opaque", "api": "x", "raw": {
        "c": 1}}], "mood": {
        "d": 1}}]"""
    [line] = wg.json.encode_lines(wg.json.decode(data.replace(b"\n", end)))
    space = b" " * len(end) + b" " * 8
    assert line == (
        b'{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{'
        + (space + b'"a": "x\\r\\ny",' + space + b'"b": [1]}},')
        + (b'{"type":"opaque","api":"x","raw":{' + space + b'"c": 1}}],"mood":{' + space)
        + b'"d": 1}}\n'
    )
    assert list(wg.json.decode_lines(line)) == wg.json.decode(data)


def test_an_error_on_the_way_out_names_the_line() -> None:
    values = [wg.ExtensionMessage("k", 1), wg.ExtensionMessage("k", object())]
    lines = wg.json.encode_lines(values)
    next(lines)
    with pytest.raises(wg.EncodeError) as caught:
        next(lines)
    assert str(caught.value) == "json: `object`, expected a type of the model - at `line 2: $.data`"


def test_a_lone_surrogate_on_the_way_out_is_an_error_or_a_loss() -> None:
    values = [wg.TextBlock("a"), wg.TextBlock("\ud83d")]
    with pytest.raises(wg.LossError, match=r"lone surrogate.* - at `line 2: \$\.text`"):
        list(wg.json.encode_lines(values))
    losses: list[wg.Loss] = []
    assert list(wg.json.encode_lines(values, losses=losses)) == [
        b'{"type":"text","text":"a"}\n',
        '{"type":"text","text":"\ufffd"}\n'.encode(),
    ]
    assert [loss.path for loss in losses] == ["line 2: $.text"]


# -- limits and memory ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 7, 64, 10_000])
def test_the_limit_of_bytes_holds_for_each_line(size: int) -> None:
    longest = max(map(len, LINES.splitlines()))
    limits = wg.Limits(bytes=longest)
    assert list(wg.json.decode_lines(_cut(LINES * 3, size), limits=limits)) == VALUES * 3
    limits = wg.Limits(bytes=longest - 1)
    with pytest.raises(wg.LimitError):
        list(wg.json.decode_lines(_cut(LINES, size), limits=limits))


def test_a_line_without_end_is_refused_before_it_is_all_in_memory() -> None:
    taken = 0

    def chunks() -> Iterator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield b" " * 1000

    with pytest.raises(wg.LimitError, match="line of more than 10,000 bytes"):
        list(wg.json.decode_lines(chunks(), limits=wg.Limits(bytes=10_000)))
    assert taken == 11


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_a_line_that_is_too_long_is_named(size: int) -> None:
    data = b"{}\n\n" + b'{"a":"%b"}\n' % (b"x" * 100)
    with pytest.raises(wg.LimitError) as caught:
        list(wg.json.decode_lines(_cut(data, size), dict, limits=wg.Limits(bytes=50)))
    assert caught.value.path == "line 3: $"


@pytest.mark.parametrize("limit", ["messages", "blocks"])
def test_the_limits_of_counts_hold_for_each_line(limit: str) -> None:
    line = b'{"role":"user","content":[{"type":"text","text":"a"}]}\n'
    limits = wg.Limits(**{limit: 1})
    assert len(list(wg.json.decode_lines(line * 5, limits=limits))) == 5
    with pytest.raises(wg.LimitError, match="line 1"):
        list(wg.json.decode_lines(line, limits=wg.Limits(**{limit: 0})))


@pytest.mark.parametrize("chunk", [100, 4096])
def test_a_long_stream_takes_the_memory_of_one_line(chunk: int) -> None:
    line = b'{"role":"user","content":[{"type":"text","text":"%b"}],"unknown":1}\n' % (b"x" * 1000)

    def chunks() -> Iterator[bytes]:
        pieces = list(_cut(line * 64, chunk))
        for _ in range(100):
            yield from pieces

    list(wg.json.decode_lines(line))  # builds what is built once
    # The stream is 6.8 MB long.
    assert within(300_000, lambda: sum(1 for _ in wg.json.decode_lines(chunks()))) == 6400


def test_a_long_output_takes_the_memory_of_one_line() -> None:
    message = wg.UserMessage([wg.TextBlock("x" * 1000)])
    messages = [message] * 5000  # whose output is 5 MB long
    assert within(100_000, lambda: sum(1 for _ in wg.json.encode_lines(messages))) == 5000
