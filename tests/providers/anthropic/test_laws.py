"""Laws of Anthropic's encoder, on conversations that nobody would write down."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import wireglot as wg
from tests.providers.conversation import answer, assistant, call, request, shows_no_image, user
from wireglot import testing

encode = wg.providers.anthropic.encode_request


@given(
    st.dictionaries(testing.texts(), testing.json_values(), max_size=3),
    st.sampled_from((None, 1)),
    st.booleans(),
)
def test_arguments_appear_byte_for_byte(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    given_request = request(assistant(call("a", text)), answer("a"))
    again = wg.json.decode(wg.json.encode(given_request), type=wg.Request)
    expected = b'{"type":"tool_use","id":"a","name":"f","input":' + text + b"}"
    assert expected in encode(given_request)
    assert expected in encode(again)


@given(testing.media().filter(lambda media: not media.is_empty and shows_no_image(media)))
def test_inline_media_appear_byte_for_byte(media: wg.Media) -> None:
    body = encode(request(user(wg.ImageBlock(data=media, mime_type="image/png"))))
    slice_of_the_native_wire = wg.json.encode(media)
    assert b'"media_type":"image/png","data":' + slice_of_the_native_wire + b"}}" in body
