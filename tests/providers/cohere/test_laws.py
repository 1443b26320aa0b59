"""Laws of Cohere's wire, on conversations and bodies that nobody would write down."""

import json
import random
from itertools import chain
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.providers.cohere.pieces import (
    API,
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
from tests.providers.odd_requests import odd_requests
from wireglot import testing

encode = wg.providers.cohere.encode_request
decode = wg.providers.cohere.decode_request

SOME = settings(max_examples=60)
CONTRADICTIONS = ("no message with content, expected at least one", "two tools named")


def _known(asked: wg.Request) -> wg.Request:
    """Take from a request the keys that this API does not know, and would refuse."""
    parts: list[Any] = list(asked.messages)
    while parts:
        part = parts.pop()
        if part.extras is not None:
            part.extras = {api: extra for api, extra in part.extras.items() if api != API} or None
        parts += getattr(part, "content", [])
    return asked


REQUESTS = odd_requests(API, {"type": "text", "text": "x"}).map(
    lambda asked: _known(wg.json.decode(wg.json.encode(asked), type=wg.Request))
)


@SOME
@given(REQUESTS)
def test_a_request_contradicts_itself_or_the_api_accepts_its_body(asked: wg.Request) -> None:
    reason = ""
    try:
        judge(encode(asked, losses=[], repair=True))
    except wg.EncodeError as error:
        reason = error.reason
    assert not reason or reason.startswith(CONTRADICTIONS)


@SOME
@given(REQUESTS)
def test_what_was_written_comes_back_byte_for_byte(asked: wg.Request) -> None:
    try:
        body = encode(asked, losses=[], repair=True)
    except wg.EncodeError:
        return
    assert encode(decode(body)) == body


@SOME
@given(testing.requests(), st.lists(testing.messages(), max_size=3), st.booleans())
def test_no_request_fails_in_another_way(
    asked: wg.Request, messages: list[wg.Message], repair: bool
) -> None:
    asked.model = "m"
    asked.messages = [*messages, user("hi")]
    try:
        body = encode(asked, losses=[], repair=repair)
    except wg.EncodeError:
        return
    decode(body)


# A conversation that grows by whole exchanges.

EXCHANGES = st.sampled_from(
    (
        lambda: [user("hi")],
        lambda: [system("s")],
        lambda: [answer("yes")],
        lambda: [own(wg.ThinkingBlock("hm"), "yes")],
        lambda: [answer(wg.ThinkingBlock("hm", "s"), "so", call(), api=OTHER), batch(result("r"))],
        lambda: [own(wg.ThinkingBlock("hm"), call()), batch(result())],
        lambda: [
            answer(call("a"), call("b")),
            wg.ToolResultMessage("b", content=[wg.ImageBlock(data=PNG)]),
            batch(result(wg.DocumentBlock.from_text("x", "t"))),
            user("and"),
        ],
    )
)
GROWING = st.lists(EXCHANGES.map(lambda made: made()), min_size=2, max_size=6)


@SOME
@given(GROWING, st.data())
def test_a_longer_conversation_starts_with_the_bytes_of_the_shorter(
    exchanges: list[list[wg.Message]], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(exchanges)))
    fields: dict[str, Any] = {"tools": [wg.Tool("f")], "seed": 1}
    whole = encode(request(*chain.from_iterable(exchanges), **fields))
    short = encode(request(*chain.from_iterable(exchanges[:k]), **fields))
    assert short.endswith(b"}]}")
    assert whole.startswith(short[:-2])


@SOME
@given(GROWING, st.booleans())
def test_a_transcript_gives_the_bytes_of_a_request(
    exchanges: list[list[wg.Message]], thinks: bool
) -> None:
    thinking = None if thinks else wg.Thinking(wg.ThinkingLevel.OFF)
    transcript = wg.providers.cohere.Transcript()
    for i, exchange in enumerate(exchanges):
        for message in exchange:
            transcript.append(message)
        made = transcript.encode(model="m", thinking=thinking)
        so_far = chain.from_iterable(exchanges[: i + 1])
        assert made == encode(request(*so_far, thinking=thinking))


@SOME
@given(
    st.dictionaries(testing.texts(), testing.json_values(), min_size=1, max_size=3),
    st.sampled_from((None, 1)),
    st.booleans(),
)
def test_arguments_appear_byte_for_byte(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    body = encode(request(answer(call("a", text)), batch(result())))
    written = json.loads(body)["messages"][0]["tool_calls"][0]["function"]["arguments"]
    assert written == text
    again = decode(body)
    assert again.messages[0].content[0].arguments.text == text.encode()
    assert encode(again) == body


@SOME
@given(testing.media().filter(lambda held: not held.is_empty))
def test_inline_images_appear_byte_for_byte(media: wg.Media) -> None:
    body = encode(request(user(wg.ImageBlock(data=media, mime_type="image/png"))))
    slice_of_the_native_wire = wg.json.encode(media)
    assert b'{"url":"data:image/png;base64,' + slice_of_the_native_wire[1:] + b"}" in body


NOTHING = (None, 0, "", [], {}, [None], {"a": 1}, "\ud83d", [[[]]], 1e300)


@SOME
@given(REQUESTS, st.integers(0, 2**32))
def test_a_broken_body_is_a_decode_error_or_a_request(asked: wg.Request, seed: int) -> None:
    try:
        body = encode(asked, losses=[], repair=True)
    except wg.EncodeError:
        return
    chance = random.Random(seed)
    wires = {_decoded_or_refused(_mutated(body, chance)) for _ in range(8)}
    assert wires <= {"", "cohere"}


def _decoded_or_refused(body: bytes) -> str:
    """Return the wire that an error names; what decodes is encoded again."""
    try:
        again = decode(body)
    except wg.DecodeError as error:
        return error.wire
    again.model = again.model or "m"
    try:
        encode(again, losses=[], repair=True)
    except wg.EncodeError as error:
        return error.wire
    return ""


def _mutated(body: bytes, chance: random.Random) -> bytes:
    """Cut or flip a byte, or put another value in the place of one."""
    at = chance.randrange(len(body))
    kind = chance.randrange(4)
    if kind == 0:
        return body[:at]
    if kind == 1:
        return body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :]
    value = json.loads(body)
    inner = value
    while True:
        key = chance.choice(list(inner) if isinstance(inner, dict) else list(range(len(inner))))
        if not isinstance(inner[key], dict | list) or not inner[key] or chance.random() < 0.2:
            inner[key] = chance.choice(NOTHING)
            return json.dumps(value).encode()
        inner = inner[key]
