"""Laws of every dialect, on conversations that nobody would write down."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.providers.conversation import answer, assistant, call, shows_no_image, user
from tests.providers.odd_requests import odd_requests
from tests.providers.openai_responses.pieces import API, judge, own, request, spelled, text
from wireglot import testing

responses = wg.providers.openai_responses
ITEM = {"type": "item_reference", "id": "msg_1"}
CONTRADICTIONS = (
    "no message with content, expected at least one",
    "two tools named",
    "tool choice",
)
FEW = settings(max_examples=25)
every_dialect = pytest.mark.parametrize("dialect", responses.DIALECTS)

# Answers as the service gave them: reasoning and messages with ids, and items of its own.
IDS = st.sampled_from(("1", "2", "3"))
THOUGHTS = st.builds(
    lambda words, number, signature: wg.ThinkingBlock(
        words, signature, extras=spelled(id=f"rs_{number}")
    ),
    st.sampled_from(("", "x")),
    IDS,
    st.sampled_from((None, "e")),
)
ECHOES = st.builds(
    lambda words, number, goes_on: text(
        words,
        extras=spelled(
            {"message": {"phase": "commentary"}},
            message={"id": f"msg_{number}", "status": "completed"},
            next=goes_on,
        ),
    ),
    st.sampled_from(("", "x")),
    IDS,
    st.booleans(),
)
SEARCH = wg.OpaqueBlock(
    API,
    {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}},
)
OWN = st.lists(
    THOUGHTS | ECHOES | st.just(SEARCH) | st.sampled_from(("x", "")), min_size=1, max_size=4
).map(lambda content: own(*content))
ECHOED = st.lists(OWN | st.just(user("hi")), min_size=1, max_size=4)


def _odd() -> st.SearchStrategy[wg.Request]:
    return odd_requests(API, ITEM)


@every_dialect
@FEW
@given(data=st.data())
def test_a_request_contradicts_itself_or_the_oracle_accepts_its_body(
    dialect: str, data: st.DataObject
) -> None:
    asked = data.draw(_odd())
    for message in asked.messages:  # an answer's list of parts needs an id at OpenRouter
        for block in message.content:
            if dialect == "openrouter":
                block.extras = None
    body = _encoded(asked, dialect)
    if body is not None:
        judge(body, dialect)


def _encoded(asked: wg.Request, dialect: str) -> bytes | None:
    """Return the body; None for a request that contradicts itself, or of which nothing is left."""
    try:
        return responses.encode_request(asked, losses=[], dialect=dialect, repair=True)
    except wg.EncodeError as error:
        if not error.reason.startswith(CONTRADICTIONS):
            raise
        return None


@every_dialect
@FEW
@given(messages=ECHOED)
def test_answers_of_the_service_go_back_to_it(dialect: str, messages: list[Any]) -> None:
    asked = request(*messages)
    for message in asked.messages:
        for block in message.content:
            if block.extras is not None:
                block.extras[API].dialect = dialect
    body = _encoded(asked, dialect)
    if body is None:  # reasoning alone, which led to nothing
        return
    if dialect != "openrouter":
        judge(body, dialect)
    again = responses.decode_request(body, dialect=dialect)
    assert responses.encode_request(again, dialect=dialect) == body


@every_dialect
@FEW
@given(data=st.data())
def test_what_was_written_is_read_and_written_again(dialect: str, data: st.DataObject) -> None:
    body = _encoded(data.draw(_odd()), dialect)
    if body is None:
        return
    read = responses.decode_request(body, dialect=dialect)
    again = responses.encode_request(read, dialect=dialect)
    assert _without_nulls(json.loads(again)) == _without_nulls(json.loads(body))


@pytest.mark.parametrize("target", responses.DIALECTS)
@FEW
@given(data=st.data())
def test_what_came_in_one_dialect_goes_in_another(target: str, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(responses.DIALECTS))
    asked = data.draw(_odd() | ECHOED.map(lambda messages: request(*messages)))
    body = _encoded(asked, source)
    made = _encoded(responses.decode_request(body, dialect=source), target) if body else None
    if made is None:
        return
    again = responses.decode_request(made, dialect=target)
    assert responses.encode_request(again, losses=[], dialect=target)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [*map(_without_nulls, value)] if isinstance(value, list) else value


@FEW
@given(ECHOED, st.data())
def test_a_transcript_of_answers_gives_the_bytes_of_a_request(
    messages: list[Any], data: st.DataObject
) -> None:
    transcript = responses.Transcript()
    for message in messages:
        transcript.append(message)
        if data.draw(st.booleans()):
            _outcome(lambda losses: transcript.encode(losses=losses, model="m"))
    made = _outcome(lambda losses: transcript.encode(losses=losses, model="m"))
    assert made == _outcome(
        lambda losses: responses.encode_request(request(*messages), losses=losses)
    )


def _outcome(encode: Any) -> tuple[bytes | str, list[str]]:
    losses: list[wg.Loss] = []
    try:
        return encode(losses), sorted(map(str, losses))
    except wg.EncodeError as error:
        return str(error), []


@FEW
@given(
    st.dictionaries(testing.texts(), testing.json_values(), max_size=3),
    st.sampled_from((None, 1)),
    st.booleans(),
)
def test_arguments_are_the_models_own_text(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    words = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    body = responses.encode_request(request(assistant(call("a", words)), answer("a")))
    assert json.loads(body)["input"][0]["arguments"] == words
    read: Any = responses.decode_request(body).messages[0].content[0]
    assert read.arguments.text == words.encode()
    assert responses.encode_request(responses.decode_request(body)) == body


@FEW
@given(testing.media().filter(lambda media: not media.is_empty and shows_no_image(media)))
def test_inline_media_appear_byte_for_byte(media: wg.Media) -> None:
    asked = request(user(wg.ImageBlock(data=media, mime_type="image/png")))
    body = responses.encode_request(asked)
    slice_of_the_native_wire = wg.json.encode(media)[1:]
    assert b'"image_url":"data:image/png;base64,' + slice_of_the_native_wire + b"," in body
    assert responses.encode_request(responses.decode_request(body)) == body
