"""The real pydantic models read what we write, and write what we read.

pyagenity 0.3.6 stands for the versions with times as text, 10xscale-agentflow 0.10 for those with
seconds; the tests run with pyagenity 0.3.9 too. All of them are written in the syntax of Python
3.12, so that before it there is nothing to test.
"""

import json
import sys
import warnings
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Struct

import wireglot as wg
from tests.formats.pyagenity_documents import blocks, messages
from wireglot import testing
from wireglot.formats import pyagenity as pa

_MODULES = {
    "0.3.6": ("pyagenity.utils.message", "pyagenity.publisher.events"),
    "0.3.9": (
        "pyagenity.state.message",
        "pyagenity.state.message_block",
        "pyagenity.state.stream_chunks",
        "pyagenity.publisher.events",
    ),
    "agentflow": (
        "agentflow.core.state.message",
        "agentflow.core.state.message_block",
        "agentflow.core.state.stream_chunks",
        "agentflow.runtime.publisher.events",
    ),
}
__test__ = sys.version_info >= (3, 12)

every_package = pytest.mark.parametrize("package", ["pyagenity", "agentflow"])
agentflow_alone = pytest.mark.parametrize("package", ["agentflow"])
SOME = settings(max_examples=60)


@cache
def _real(package: str) -> Any:
    """Return the models of an installed package, by name, and the version that they are of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyagenity configures pydantic in its old way
        pytest.importorskip(package)
        for version, modules in _MODULES.items():
            try:
                found = [vars(import_module(name)) for name in modules if name.startswith(package)]
            except ImportError:
                continue
            if found:
                names = {name: held for held_in in found for name, held in held_in.items()}
                return SimpleNamespace(version=version, **names)
    raise AssertionError(f"no models in {package}")


def _built(real: Any, value: Any) -> Any:
    """Return the real model of an own value, made as a program would make it."""
    if isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        kind = getattr(real, type(value).__name__)
        return kind(**{n: _built(real, v) for n, v in fields.items() if v is not UNSET})
    if isinstance(value, list):
        return [_built(real, item) for item in value]
    if isinstance(value, wg.Media):
        return value.to_base64()
    return value


def _ordered(body: bytes | str) -> Any:
    return json.loads(body, object_pairs_hook=list)


# -- the laws -------------------------------------------------------------------------------------


@every_package
@SOME
@given(data=st.data())
def test_a_message_is_the_same_json_from_both(package: str, data: st.DataObject) -> None:
    real = _real(package)
    message = data.draw(messages(real.version))
    model = _built(real, message)
    theirs, ours = model.model_dump_json(), pa.encode(message)
    assert _ordered(ours) == _ordered(theirs)  # and the keys in the same order
    assert pa.decode(theirs, pa.Message) == message
    assert real.Message.model_validate_json(ours) == model


@every_package
@SOME
@given(data=st.data())
def test_a_block_of_every_kind_is_the_same_json_from_both(
    package: str, data: st.DataObject
) -> None:
    real = _real(package)
    block = data.draw(blocks(real.version))
    model = _built(real, block)
    theirs, ours = model.model_dump_json(), pa.encode(block)
    assert _ordered(ours) == _ordered(theirs)
    assert pa.decode(theirs, pa.ContentBlock) == block
    assert type(model).model_validate_json(ours) == model


@every_package
@SOME
@given(session=testing.sessions())
def test_the_models_read_any_session_that_we_write(
    package: str, session: list[wg.AgentMessage]
) -> None:
    real = _real(package)
    for message in pa.from_canonical(session, losses=[], version=real.version):
        body = pa.encode(message)
        made = _ordered(real.Message.model_validate_json(body).model_dump_json())
        if message.message_id is UNSET:
            made = [(key, value) for key, value in made if key != "message_id"]
        assert made == _ordered(body)


@every_package
@SOME
@given(data=st.data())
def test_what_the_models_wrote_comes_back_the_same_to_them_through_canonical_messages(
    package: str, data: st.DataObject
) -> None:
    real = _real(package)
    models = [_built(real, message) for message in data.draw(st.lists(messages(real.version)))]
    bodies = b"[%b]" % b",".join(model.model_dump_json().encode() for model in models)
    again = pa.encode(pa.decode(bodies))
    assert [real.Message.model_validate(part) for part in json.loads(again)] == models


# -- helpers --------------------------------------------------------------------------------------


@every_package
@SOME
@given(data=st.data())
def test_the_text_is_theirs(package: str, data: st.DataObject) -> None:
    real = _real(package)
    message = data.draw(messages(real.version))
    assert message.text(version=real.version) == _built(real, message).text()


@every_package
@pytest.mark.parametrize("as_type", ["image", "audio", "video", "document", "data"])
def test_media_is_attached_as_they_do(package: str, as_type: str) -> None:
    real = _real(package)
    ours = pa.Message(message_id=1, role="user", content=[], timestamp=None)
    theirs = real.Message(message_id=1, role="user", content=[], timestamp=None)
    ref = pa.MediaRef("url", "https://example.com/x")
    if as_type == "data":
        with pytest.raises(ValueError, match="nsupported media type: data"):
            ours.attach_media(ref, as_type)
        with pytest.raises(ValueError, match="nsupported media type: data"):
            theirs.attach_media(_built(real, ref), as_type)
        return
    ours.attach_media(ref, as_type)
    theirs.attach_media(_built(real, ref), as_type)
    assert real.Message.model_validate_json(pa.encode(ours)) == theirs


@every_package
def test_messages_of_text_and_of_results_are_made_as_they_make_them(package: str) -> None:
    real = _real(package)
    result = pa.ToolResultBlock("c1", {"k": [1]}, status="failed")
    pairs = [
        (pa.Message.text_message("hi"), real.Message.text_message("hi")),
        (
            pa.Message.text_message("hi", "system", "m1"),
            real.Message.text_message("hi", "system", "m1"),
        ),
        (
            pa.Message.tool_message([result], "m2", {"a": 1}),
            real.Message.tool_message([_built(real, result)], "m2", {"a": 1}),
        ),
    ]
    for ours, theirs in pairs:
        _check_alike(real, ours, theirs)


@agentflow_alone
def test_messages_of_media_are_made_as_they_make_them(package: str, tmp_path: Path) -> None:
    real = _real(package)
    url = "https://example.com/a.png"
    images = (
        {"image_url": url, "image_base64": "AAEC"},
        {"image_base64": "AAEC", "mime_type": "image/webp", "text": "this"},
    )
    for given_ in images:
        ours, theirs = pa.Message.image_message(**given_), real.Message.image_message(**given_)
        _check_alike(real, ours, theirs)
    text = pa.TextBlock("a")
    _check_alike(
        real,
        pa.Message.multimodal_message([text], "assistant", "m"),
        real.Message.multimodal_message([_built(real, text)], "assistant", "m"),
    )
    for name in ("a.png", "a.wav", "a.mp4", "a.pdf", "a.unheard-of"):
        path = tmp_path / name
        path.write_bytes(b"\0\1\2")
        ours = pa.Message.from_file(str(path), text="this")
        _check_alike(real, ours, real.Message.from_file(str(path), text="this"))


def _check_alike(real: Any, ours: pa.Message, theirs: Any) -> None:
    made = real.Message.model_validate_json(
        pa.encode(pa.from_canonical(pa.to_canonical([ours]), version=real.version)[0])
    )
    assert type(made.message_id) is type(theirs.message_id)
    assert type(made.timestamp) is type(theirs.timestamp)
    changes = {"message_id": 1, "timestamp": None}
    assert made.model_copy(update=changes) == theirs.model_copy(update=changes)


@every_package
@pytest.mark.parametrize("default", ["m1", "", 7, 0, None])
def test_ids_are_as_theirs_where_nothing_is_injected(package: str, default: Any) -> None:
    real = _real(package)
    ours, theirs = pa.generate_id(default, version=real.version), real.generate_id(default)
    assert type(ours) is type(theirs) is str
    assert (ours == default) is (theirs == default)


# -- streams --------------------------------------------------------------------------------------


@agentflow_alone
def test_chunks_of_a_stream_are_the_same_json_from_both(package: str) -> None:
    real = _real(package)
    message = pa.Message.text_message("a", "assistant", "m")
    for chunk in (
        pa.StreamChunk(message=message, thread_id="t", run_id="r", timestamp=2.5),
        pa.StreamChunk(pa.StreamEvent.ERROR, data={"reason": "x"}, metadata={}, timestamp=3.0),
    ):
        ours = pa.encode(chunk)
        theirs = real.StreamChunk.model_validate_json(ours).model_dump_json()
        assert _ordered(theirs) == _ordered(ours)
        assert pa.decode(theirs, pa.StreamChunk) == chunk
    state = real.AgentState(context=[real.Message.text_message("hi")])
    body = real.StreamChunk(event="state", state=state).model_dump_json()
    assert _ordered(pa.encode(pa.decode(body, pa.StreamChunk))) == _ordered(body)


@every_package
def test_events_are_the_same_json_from_both(package: str) -> None:
    real = _real(package)
    config = {"thread_id": "t", "run_id": "r", "user_id": 7, "timestamp": 5.0, "is_stream": True}
    given_ = (config, {"a": 1}, ["text", "tool_call"])
    models = [
        real.EventModel.default(*given_, node_name="n", extra={"x": 1}),
        real.EventModel.stream(config, "n", {"x": 1}),
        real.EventModel(
            event="tool_execution",
            event_type="error",
            content_blocks=[real.TextBlock(text="a")],
            is_error=True,
        ),
    ]
    for model in models:
        body = model.model_dump_json()
        assert _ordered(pa.encode(pa.decode(body, pa.EventModel))) == _ordered(body)
    if real.version != "agentflow":
        return
    types = [pa.ContentType.TEXT, pa.ContentType.TOOL_CALL]
    ours = [
        pa.EventModel.default(config, {"a": 1}, types, node_name="n", extra={"x": 1}),
        pa.EventModel.stream(config, "n", {"x": 1}),
    ]
    for event, model in zip(ours, models, strict=False):
        made = real.EventModel.model_validate_json(pa.encode(event))
        assert made.model_copy(update={"timestamp": 0}) == model.model_copy(update={"timestamp": 0})
