"""The laws of the native wires, on values that nobody thought of."""

import contextlib
import copy
import json
import pickle
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wireglot as wg
from wireglot import testing as some

# Values are large, machines are slow, and a deadline would only say so.
laws = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)


@laws
@given(some.sessions())
def test_json_gives_back_the_session(session: list[wg.AgentMessage]) -> None:
    encoded = wg.json.encode(session)
    decoded = wg.json.decode(encoded)
    assert decoded == session
    assert wg.json.encode(decoded) == encoded


@laws
@given(some.sessions())
def test_messagepack_gives_back_the_session(session: list[wg.AgentMessage]) -> None:
    encoded = wg.msgpack.encode(session)
    decoded = wg.msgpack.decode(encoded)
    assert decoded == session
    assert wg.msgpack.encode(decoded) == encoded


@laws
@given(some.sessions())
def test_the_wires_agree(session: list[wg.AgentMessage]) -> None:
    text, packed = wg.json.encode(session), wg.msgpack.encode(session)
    from_text, from_packed = wg.json.decode(text), wg.msgpack.decode(packed)
    assert from_text == from_packed
    assert json.loads(wg.json.encode(from_packed)) == json.loads(text)
    assert wg.msgpack.encode(from_packed) == packed


@laws
@given(some.sessions())
def test_what_is_written_is_json_that_others_read(session: list[wg.AgentMessage]) -> None:
    encoded = wg.json.encode(session)
    entries = json.loads(encoded)
    roles = [getattr(message, "wire_role", message.role) for message in session]
    assert [entry["role"] for entry in entries] == roles
    spaced = msgspec.json.format(encoded, indent=1)  # `json` has no number for 1e999
    assert json.loads(wg.json.encode(wg.json.decode(spaced))) == entries


@laws
@given(some.requests() | some.responses())
def test_requests_and_responses_come_back_on_both_wires(value: Any) -> None:
    for wire in (wg.json, wg.msgpack):
        encoded = wire.encode(value)
        decoded = wire.decode(encoded, type(value))
        assert decoded == value
        assert wire.encode(decoded) == encoded


@laws
@given(some.sessions(), st.integers(0, 4))
def test_a_longer_session_starts_with_the_bytes_of_the_shorter_one(
    session: list[wg.AgentMessage], size: int
) -> None:
    assert wg.json.encode(session).startswith(wg.json.encode(session[:size])[:-1])


@laws
@given(some.sessions(), st.sampled_from([1, 2, 7, 64, 10_000]))
def test_lines_give_back_the_session_in_chunks_of_any_size(
    session: list[wg.AgentMessage], size: int
) -> None:
    lines = b"".join(wg.json.encode_lines(session))
    assert lines.count(b"\n") == len(session)
    chunks = (lines[at : at + size] for at in range(0, len(lines), size))
    assert list(wg.json.decode_lines(chunks)) == session


@laws
@given(some.arguments())
def test_arguments_keep_the_models_own_bytes(arguments: wg.Arguments) -> None:
    call = wg.ToolCallBlock("c", "n", arguments)
    from_text = wg.json.decode(wg.json.encode(call), wg.ToolCallBlock)
    assert from_text.arguments.text.strip(b" \t\r\n") == arguments.text.strip(b" \t\r\n")
    from_packed = wg.msgpack.decode(wg.msgpack.encode(call), wg.ToolCallBlock)
    assert from_packed.arguments.text == arguments.text


@laws
@given(some.media())
def test_media_keep_their_bytes(media: wg.Media) -> None:
    block = wg.DataBlock(data=media)
    for wire in (wg.json, wg.msgpack):
        decoded = wire.decode(wire.encode(block), wg.DataBlock)
        assert decoded.data == media
        assert decoded.data.to_base64() == media.to_base64()


@laws
@given(some.sessions())
def test_what_comes_off_a_read_only_view_is_the_same(session: list[wg.AgentMessage]) -> None:
    for wire in (wg.json, wg.msgpack):
        encoded = wire.encode(session)
        assert wire.decode(memoryview(encoded)) == session
        assert wire.decode(bytearray(encoded)) == session


@laws
@given(some.sessions())
def test_decoded_sessions_can_be_copied_and_pickled(session: list[wg.AgentMessage]) -> None:
    for wire in (wg.json, wg.msgpack):
        decoded = wire.decode(wire.encode(session))
        assert copy.deepcopy(decoded) == session
        assert pickle.loads(pickle.dumps(decoded)) == session


@laws
@given(some.sessions())
def test_nothing_session_only_reaches_an_llm(session: list[wg.AgentMessage]) -> None:
    decoded = wg.json.decode(wg.json.encode(session))
    expected = [message for message in session if isinstance(message, wg.Message)]
    assert [m for entry in decoded if (m := entry.as_llm()) is not None] == expected
    assert wg.llm_messages(decoded) == [wg.LlmMessage(message).message for message in expected]


@laws
@given(some.texts(surrogates=True))
@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_any_text_goes_out_whole_or_with_a_loss(wire: str, text: str) -> None:
    codec = getattr(wg, wire)
    losses: list[wg.Loss] = []
    encoded = codec.encode(wg.UserMessage([wg.TextBlock(text)]), losses=losses)
    decoded = codec.decode(encoded, wg.LlmMessage)
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert decoded.message.text() == whole
    assert bool(losses) == (whole != text)


@laws
@given(some.texts(surrogates=True))
def test_any_escaped_text_comes_in_whole_or_with_a_loss(text: str) -> None:
    data = json.dumps({"type": "text", "text": text})
    losses: list[wg.Loss] = []
    decoded = wg.json.decode(data, wg.TextBlock, losses=losses)
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert decoded.text == whole
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert bool(losses) == (whole != joined)


@laws
@given(st.binary(max_size=60))
def test_any_bytes_decode_or_are_a_decode_error(data: bytes) -> None:
    for wire in (wg.json, wg.msgpack):
        with contextlib.suppress(wg.DecodeError):
            assert isinstance(wire.decode(data), list)
