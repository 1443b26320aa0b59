"""Laws of Gemini's encoder beyond those of all providers: Vertex, models, and what is spliced."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.providers.conversation import answer, assistant, batch, call, request, result, user
from tests.providers.odd_requests import odd_requests
from wireglot import testing

gemini = wg.providers.gemini
OWN = {"executableCode": {"language": "PYTHON", "code": "1"}}
SOME = settings(max_examples=60)


@SOME
@given(odd_requests(gemini.API, OWN))
def test_vertex_takes_what_is_written_for_it(asked: wg.Request) -> None:
    oracle = pytest.importorskip("tests.oracles.gemini")
    try:
        body = gemini.encode_request(asked, losses=[], dialect="vertex", repair=True)
    except wg.EncodeError:
        return
    oracle.check_request(body, "vertex")
    path = gemini.route(asked, dialect="vertex").path
    again = gemini.decode_request(body, path, dialect="vertex")
    assert gemini.encode_request(again, losses=[], dialect="vertex") == body


@SOME
@given(odd_requests(gemini.API, OWN), st.sampled_from(("gemini-3-flash", "gemini-3-pro")))
def test_the_contents_are_the_same_for_every_new_model(asked: wg.Request, model: str) -> None:
    asked.model = "gemini-3.1-pro-preview"
    try:
        body = gemini.encode_request(asked, losses=[], repair=True)
    except wg.EncodeError:
        return
    asked.model = model
    other = gemini.encode_request(asked, losses=[], repair=True)
    assert other[other.index(b'"contents":') :] == body[body.index(b'"contents":') :]


@SOME
@given(
    st.dictionaries(testing.texts(), testing.json_values(), max_size=3),
    st.sampled_from((None, 1)),
    st.booleans(),
)
def test_arguments_appear_byte_for_byte(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    given_request = request(user("hi"), assistant(call("a", text)), answer("a"))
    assert b'"args":' + text + b"," in gemini.encode_request(given_request)


@SOME
@given(testing.media().filter(lambda held: not held.is_empty))
def test_inline_media_appear_byte_for_byte(media: wg.Media) -> None:
    image = wg.ImageBlock(data=media, mime_type="image/png")
    asked = request(user(image), assistant(call("a")), batch(result("a", image)))
    slice_of_the_native_wire = wg.json.encode(media)
    part = b'"inlineData":{"data":' + slice_of_the_native_wire + b',"mimeType":"image/png"}'
    assert gemini.encode_request(asked).count(part) == 2
