"""Laws of Bedrock's wire, on conversations and bodies that nobody would write down."""

import json
from itertools import chain
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.providers.bedrock.pieces import (
    API,
    CLAUDE,
    OTHER,
    PNG,
    answer,
    batch,
    call,
    judge,
    own,
    request,
    result,
    system,
    user,
)
from tests.providers.conversation import shows_no_image
from tests.providers.odd_requests import odd_requests
from wireglot import testing

encode = wg.providers.bedrock.encode_request
decode = wg.providers.bedrock.decode_request

SOME = settings(max_examples=60)
CONTRADICTIONS = ("no message with content, expected at least one", "two tools named")
REQUESTS = odd_requests(API, {"guardContent": {"text": {"text": "x"}}}).flatmap(
    lambda asked: st.sampled_from(
        (None, "m", "us.anthropic.claude-x-v1:0", CLAUDE, "arn:aws:bedrock:eu-west-1:1:prompt/x")
    ).map(lambda model: _for_model(asked, model))
)


def _for_model(asked: wg.Request, model: str | None) -> wg.Request:
    """Return a copy for a model, without keys that this API does not know, and would refuse."""
    made = wg.json.decode(wg.json.encode(asked), type=wg.Request)
    made.model = model
    parts: list[Any] = list(made.messages)
    while parts:
        part = parts.pop()
        if part.extras is not None:
            part.extras = {api: extra for api, extra in part.extras.items() if api != API} or None
        parts += getattr(part, "content", [])
    return made


@SOME
@given(REQUESTS)
@example(wg.Request([wg.SystemMessage([wg.ToolResultBlock("a")])], "m"))
def test_a_request_contradicts_itself_or_the_api_accepts_its_body(asked: wg.Request) -> None:
    body = _body_or_reason(asked, [], repair=True)
    if isinstance(body, str):
        assert body.startswith(CONTRADICTIONS)
    elif "messages" in json.loads(body):  # where there are none, the prompt is managed
        judge(body)


def _body_or_reason(
    asked: wg.Request, losses: list[wg.Loss], *, repair: bool = False
) -> bytes | str:
    try:
        return encode(asked, losses=losses, repair=repair)
    except wg.EncodeError as error:
        return error.reason


@SOME
@given(REQUESTS)
def test_what_was_written_comes_back_byte_for_byte(asked: wg.Request) -> None:
    body = _body_or_reason(asked, [], repair=True)
    path = wg.providers.bedrock.route(asked).path if asked.model is not None else None
    assert isinstance(body, str) or encode(decode(body, path)) == body


# A conversation that grows by whole exchanges; some of what is said comes to nothing.

EXCHANGES = st.sampled_from(
    (
        lambda: [user("hi")],
        lambda: [user(" ")],
        lambda: [answer("yes")],
        lambda: [answer("")],
        lambda: [answer(wg.ThinkingBlock("hm", "s"), api=OTHER)],
        lambda: [own(wg.ThinkingBlock("hm", "c2ln"), "yes")],
        lambda: [own(wg.ThinkingBlock("hm"), call()), batch(result("r"))],
        lambda: [user("see", wg.ImageBlock(data=PNG)), system("s")],
        lambda: [user(wg.DocumentBlock.from_text("x", "t"))],
        lambda: [user("x"), system("s"), user("y")],
        lambda: [
            answer(call("a"), call("b")),
            wg.ToolResultMessage("b", content=[wg.ImageBlock(data=PNG)]),
            batch(result()),
            user("and"),
        ],
    )
)
GROWING = st.lists(EXCHANGES.map(lambda made: made()), min_size=2, max_size=8)


@settings(max_examples=150)
@given(GROWING, st.sampled_from((None, CLAUDE)))
def test_a_transcript_gives_the_bytes_of_a_request(
    exchanges: list[list[Any]], model: str | None
) -> None:
    transcript = wg.providers.bedrock.Transcript()
    tools = [wg.Tool("f")]
    for i, exchange in enumerate(exchanges):
        for message in exchange:
            transcript.append(message)
        asked = request(*chain.from_iterable(exchanges[: i + 1]), model=model, tools=tools)
        lost: list[wg.Loss] = []
        expected: list[wg.Loss] = []
        whole = _body_or_reason(asked, expected)
        if isinstance(whole, str):
            assert whole == "no message with content, expected at least one"
            continue
        judge(whole)
        assert transcript.encode(losses=lost, model=model, tools=tools) == whole
        assert sorted(map(str, lost)) == sorted(map(str, expected))


@given(
    st.dictionaries(testing.texts(), testing.json_values(), max_size=3),
    st.sampled_from((None, 1)),
    st.booleans(),
)
def test_arguments_appear_byte_for_byte(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    body = encode(request(user("hi"), answer(call(arguments=text)), batch(result())))
    assert f'"name":"f","input":{text}}}'.encode() in body
    again: Any = decode(body)
    assert again.messages[1].content[0].arguments.text == text.encode()
    assert encode(again) == body


@given(testing.json_values(), st.sampled_from((None, 1)))
def test_json_in_a_result_comes_back_byte_for_byte(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    body = encode(request(answer(call()), batch(result("@")))).replace(
        b'{"text":"@"}', b'{"json":' + text.encode() + b"}"
    )
    assert encode(decode(body)) == body


@given(testing.media().filter(lambda media: not media.is_empty and shows_no_image(media)))
def test_inline_media_appear_byte_for_byte(media: wg.Media) -> None:
    body = encode(request(user(wg.ImageBlock(data=media, mime_type="image/png"))))
    slice_of_the_native_wire = wg.json.encode(media)
    assert b'"source":{"bytes":' + slice_of_the_native_wire + b"}}" in body
