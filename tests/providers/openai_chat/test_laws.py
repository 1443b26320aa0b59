"""Laws of every dialect, on conversations that nobody would write down."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.oracles import openai_chat as oracle
from tests.providers.conversation import answer, assistant, call, request, shows_no_image, user
from tests.providers.odd_requests import odd_requests
from wireglot import testing

chat = wg.providers.openai_chat
FILE = {"type": "file", "file": {"file_id": "f"}}
CONTRADICTIONS = (
    "no message with content, expected at least one",
    "two tools named",
    "tool choice",
    "tool parameters of another type, expected the JSON Schema of an object",
)
FEW = settings(max_examples=8)
every_dialect = pytest.mark.parametrize("dialect", chat.DIALECTS)


def _odd(dialect: str) -> st.SearchStrategy[wg.Request]:
    # A file of our own is a part that the oracle of a dialect without files would refuse.
    takes_files = dialect in ("openai", "azure", "openrouter", "generic")
    return odd_requests(chat.API, FILE if takes_files else {"type": "text", "text": "x"})


@every_dialect
@FEW
@given(data=st.data())
def test_a_request_contradicts_itself_or_the_oracle_accepts_its_body(
    dialect: str, data: st.DataObject
) -> None:
    body, refused = _encoded(data.draw(_odd(dialect)), dialect)
    if body is None:
        assert refused.startswith(CONTRADICTIONS)
    else:
        oracle.check_request(body, dialect)


def _encoded(asked: wg.Request, dialect: str) -> tuple[bytes | None, str]:
    """Return the body, or the reason why there is none."""
    try:
        return chat.encode_request(asked, losses=[], dialect=dialect, repair=True), ""
    except wg.EncodeError as error:
        return None, error.reason


@every_dialect
@FEW
@given(data=st.data())
def test_what_was_written_is_read_and_written_again(dialect: str, data: st.DataObject) -> None:
    body, _ = _encoded(data.draw(_odd(dialect)), dialect)
    if body is None:
        return
    again = chat.encode_request(chat.decode_request(body, dialect=dialect), dialect=dialect)
    assert _plain(json.loads(again)) == _plain(json.loads(body))


@pytest.mark.parametrize("target", chat.DIALECTS)
@FEW
@given(data=st.data())
def test_what_came_in_one_dialect_goes_in_another(target: str, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(chat.DIALECTS))
    body, _ = _encoded(data.draw(_odd(source)), source)
    if body is None:
        return
    read = chat.decode_request(body, dialect=source)
    read.model = read.model or "m"
    made, refused = _encoded(read, target)
    if made is None:
        assert refused == "no message with content, expected at least one"
    else:
        again = chat.decode_request(made, dialect=target)
        assert chat.encode_request(again, dialect=target)


def _plain(value: Any) -> Any:
    """Leave out nulls, and write a list of one text as that text: both say the same."""
    if isinstance(value, list):
        return [*map(_plain, value)]
    if not isinstance(value, dict):
        return value
    plain = {key: _plain(item) for key, item in value.items() if item is not None}
    content = plain.get("content")
    if isinstance(content, list) and len(content) == 1 and content[0].keys() == {"type", "text"}:
        plain["content"] = content[0]["text"]
    return plain


@FEW
@given(
    st.dictionaries(testing.texts(), testing.json_values(), max_size=3),
    st.sampled_from((None, 1)),
    st.booleans(),
)
def test_arguments_are_the_models_own_text(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    body = chat.encode_request(request(assistant(call("a", text)), answer("a")))
    sent = json.loads(body)["messages"][0]["tool_calls"][0]["function"]["arguments"]
    assert sent == text
    read = chat.decode_request(body).messages[0].content[0]
    assert read.arguments.text == text.encode()
    assert chat.encode_request(chat.decode_request(body)) == body


@FEW
@given(testing.media().filter(lambda media: not media.is_empty and shows_no_image(media)))
def test_inline_media_appear_byte_for_byte(media: wg.Media) -> None:
    body = chat.encode_request(request(user(wg.ImageBlock(data=media, mime_type="image/png"))))
    slice_of_the_native_wire = wg.json.encode(media)[1:]
    assert b'"url":"data:image/png;base64,' + slice_of_the_native_wire + b"}}" in body
    assert chat.encode_request(chat.decode_request(body)) == body
