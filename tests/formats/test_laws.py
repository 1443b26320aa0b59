"""Laws that every format keeps, on conversations that nobody would write down."""

import copy
import json
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

import wireglot as wg
from wireglot import testing
from wireglot.model.place import PLACE

NAMES = [
    "phi_core",
    "pyagenity",
    "ravi",
    "operator_use",
    "langchain",
    "pydantic_ai",
    "mcp",
    "otel",
]
SOME = settings(max_examples=30)
every_format = pytest.mark.parametrize("name", NAMES)
# Each goes to the three behind it: all pairs would take the square of the time.
every_pair = pytest.mark.parametrize(
    ("name", "other"),
    [(name, (NAMES * 2)[i + far]) for i, name in enumerate(NAMES) for far in (1, 2, 3)],
)


def _format(name: str) -> Any:
    return import_module(f"wireglot.formats.{name}")


def _documents(name: str) -> st.SearchStrategy[list[Any]]:
    made: st.SearchStrategy[list[Any]] = import_module(
        f"tests.formats.{name}_documents"
    ).documents()
    return made


def test_every_format_is_here() -> None:
    assert list(wg.FORMATS) == NAMES


@every_format
@SOME
@given(data=st.data())
def test_a_document_comes_back_equal_through_its_bytes(name: str, data: st.DataObject) -> None:
    form = _format(name)
    document = data.draw(_documents(name))
    body = form.encode(document)
    again = form.decode(body, list[form.MESSAGE]) if body[:1] == b"[" else None
    if again is not None:
        assert again == document
        assert form.encode(again) == body
    assert form.to_canonical(document) == form.decode(body)


@every_format
@SOME
@given(data=st.data())
def test_a_document_comes_back_equal_through_canonical_messages(
    name: str, data: st.DataObject
) -> None:
    form = _format(name)
    document = data.draw(_documents(name))
    canonical = form.to_canonical(document)
    native = wg.json.encode(canonical)
    assert form.from_canonical(canonical) == document  # without a loss, or it would raise
    assert form.from_canonical(wg.json.decode(native)) == document
    assert form.from_canonical(wg.msgpack.decode(wg.msgpack.encode(canonical))) == document
    assert form.to_canonical(form.from_canonical(canonical)) == canonical
    assert wg.json.encode(canonical) == native  # nothing of it has been changed on the way


@every_pair
@settings(max_examples=25)
@given(data=st.data())
def test_a_document_goes_to_another_system_and_all_that_is_missing_is_a_loss(
    name: str, other: str, data: st.DataObject
) -> None:
    session = _format(name).to_canonical(data.draw(_documents(name)))
    _check_nothing_is_missing(_format(other), session, data)


@every_format
@settings(max_examples=100)
@given(testing.sessions(), st.data())
def test_all_that_is_missing_of_any_session_is_a_loss(
    name: str, session: list[wg.AgentMessage], data: st.DataObject
) -> None:
    _check_nothing_is_missing(_format(name), session, data)


def _check_nothing_is_missing(
    form: Any, session: list[wg.AgentMessage], data: st.DataObject
) -> None:
    """Change one thing in a session: the bytes must differ, or a loss speak of what was there."""
    spots = [spot for i, entry in enumerate(session) for spot in _spots(entry, f"$[{i}]", ())]
    before: list[wg.Loss] = []
    body = form.encode(copy.deepcopy(session), losses=before)
    if not spots:
        return
    path, i, steps = data.draw(st.sampled_from(spots))
    changed = copy.deepcopy(session)
    _change(changed[i], steps)
    after: list[wg.Loss] = []
    if form.encode(changed, losses=after) == body:
        # A loss of the whole that it is a part of speaks of it too.
        told = [loss for loss in [*before, *after] if f"{path}.".startswith(f"{loss.path}.")]
        told += [loss for loss in [*before, *after] if f"{path}[".startswith(f"{loss.path}[")]
        assert told, f"{path} changed, and nothing shows it"


def _spots(entry: Any, path: str, steps: tuple[Any, ...]) -> Iterator[tuple[str, int, Any]]:
    """List every field that is set: its path, the entry, and the steps that lead to it."""
    index = int(path[2:].partition("]")[0])
    names = zip(entry.__struct_fields__, entry.__struct_encode_fields__, strict=True)
    for info, (name, key) in zip(msgspec.structs.fields(entry), names, strict=True):
        value = getattr(entry, name)
        if name == "extras" or value is None or value is info.default:
            continue
        at = f"{path}.{key}"
        if name in PLACE:  # a loss is of the whole turn, or of all tags
            if value != []:
                yield at, index, (*steps, name)
            continue
        if isinstance(value, list) and value and isinstance(value[0], Struct):
            for i, item in enumerate(value):
                yield from _spots(item, f"{at}[{i}]", (*steps, name, i))
        elif isinstance(value, Struct) and name != "cache":
            yield from _spots(value, at, (*steps, name))
        elif value not in ([], {}):
            yield at, index, (*steps, name)


def _change(entry: Any, steps: tuple[Any, ...]) -> None:
    *way, last = steps
    for step in way:
        entry = entry[step] if isinstance(step, int) else getattr(entry, step)
    setattr(entry, last, _other(getattr(entry, last)))


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, wg.StopReason):
        return wg.StopReason.PAUSED if value is not wg.StopReason.PAUSED else wg.StopReason.STOP
    if isinstance(value, wg.model.ToolKind):
        return (
            wg.model.ToolKind.PLAN if value is not wg.model.ToolKind.PLAN else wg.model.ToolKind.WEB
        )
    if isinstance(value, int):
        return value + 1 if value < 2**53 else value - 1
    if isinstance(value, float):
        return value / 2 if value else 1.0
    if isinstance(value, str):
        return f"{value}~" if not value.endswith("~") else "text"
    if isinstance(value, wg.Media):
        return wg.Media.from_bytes(b"something else")
    if isinstance(value, wg.Arguments):
        return wg.Arguments('{"something":"else"}')
    if isinstance(value, wg.RawJson):
        return wg.RawJson('{"something":"else"}')
    if isinstance(value, Struct):
        return None
    if isinstance(value, list):
        return [*value, value[0]]
    return {"something": "else"}


@every_format
@SOME
@given(testing.sessions())
def test_a_longer_session_starts_with_the_bytes_of_the_shorter(
    name: str, session: list[wg.AgentMessage]
) -> None:
    form = _format(name)
    lines = [form.encode(session[:k], losses=[], **_lines(name)) for k in range(len(session) + 1)]
    assert all(b.startswith(a) for a, b in pairwise(lines))


def _lines(name: str) -> dict[str, Any]:
    return {} if name == "operator_use" else {"lines": True}


@every_format
@SOME
@given(data=st.data())
def test_what_is_broken_is_a_decode_error_and_nothing_else(name: str, data: st.DataObject) -> None:
    form = _format(name)
    document = data.draw(_documents(name).filter(bool))
    body = form.encode(document)
    cut = data.draw(st.integers(0, len(body)))
    junk = data.draw(st.sampled_from([b"", b"1", b"null", b'"', b"]", b"{", b"\xff", b'"type":7,']))
    for broken in (body[:cut], body[:cut] + junk + body[cut:]):
        try:
            form.decode(broken)
        except wg.DecodeError:
            pass


@every_format
def test_nesting_is_an_error_of_its_own(name: str) -> None:
    form = _format(name)
    with pytest.raises(wg.DecodeError):
        form.decode(b"[" * 100_000)
    with pytest.raises(wg.DecodeError):
        form.decode(b'{"role":' * 100_000)


@every_format
@pytest.mark.parametrize(
    "junk", [b"", b" ", b"nul", b'{"role":"user"', b"[1]", b'"text"', b"7", b"\xff\xfe", b"[[]]"]
)
def test_junk_is_a_decode_error(name: str, junk: bytes) -> None:
    if name == "operator_use" and not junk.strip():
        return  # a session file without lines
    with pytest.raises(wg.DecodeError):
        _format(name).decode(junk)


@every_format
def test_an_empty_list_is_an_empty_conversation(name: str) -> None:
    assert _format(name).decode(b"[]") == []
    assert _format(name).decode(_format(name).encode([])) == []


@pytest.mark.parametrize(
    "text", [b"", b"\n", b"\xef\xbb\xbf\r\n "], ids=["nothing", "a line", "a mark"]
)
def test_a_session_file_of_operator_use_without_lines_is_empty(text: bytes) -> None:
    assert wg.formats.operator_use.decode(text) == []
    assert (
        wg.formats.operator_use.decode(text, list[wg.formats.operator_use.SessionFileEntry]) == []
    )
    with pytest.raises(wg.DecodeError):
        wg.formats.operator_use.decode(text, wg.formats.operator_use.SessionHeader)


def test_json_is_what_json_says() -> None:
    assert json.loads(_format("phi_core").encode([])) == []
