"""Laws of Anthropic's encoder, on conversations that nobody would write down."""

import json
import time
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireglot as wg
from tests import strategies
from tests.providers.anthropic_wire import check_request
from tests.providers.conversation import (
    API,
    OTHER,
    answer,
    assistant,
    batch,
    call,
    extras,
    request,
    result,
    user,
)

encode = wg.providers.anthropic.encode_request

# Whatever clients send: blocks in the wrong place, blank texts, ids that clash, odd sources.

WORDS = st.sampled_from(("", " ", "\n", "x", "x ", " é😀", "\u2028"))
IDS = st.sampled_from(("a", "a_2", "a.b", "", "call_1"))
MARKS = st.sampled_from((None, None, None, wg.CacheMark(), wg.CacheMark("5m"), wg.CacheMark("1h")))
UNKNOWN = st.sampled_from(
    (None, None, extras(cache_control=None), extras(OTHER, k=1), extras("wireglot", k=1))
)
PNG = wg.Media.from_bytes(b"\x89PNG\r\n\x1a\n")
SOURCES = st.sampled_from(
    (
        {"data": PNG},
        {"data": wg.Media.from_base64("R0lGODlh")},
        {"data": wg.Media.from_bytes(b"%PDF-")},
        {"data": wg.Media.from_bytes(b"II*\0")},
        {"url": "https://x.org/a"},
        {"url": "data:image/png;base64,iVBORw0KGgo="},
        {"url": "data:text/plain,x"},
        {"url": "data:x"},
        {"url": "s3://a/b"},
        {"file_id": "f"},
        {},
    )
)
ARGUMENTS = st.sampled_from(("{}", '{"a":1e2}', "", "{", "[1]", '"x"', {"a": None}))
TEXTS = st.builds(
    wg.TextBlock,
    WORDS,
    annotations=st.sampled_from((None, None, [wg.AnnotationRef(url="u")])),
    cache=MARKS,
    extras=UNKNOWN,
)


def _media(kind: Any, **fields: Any) -> st.SearchStrategy[Any]:
    described = st.fixed_dictionaries(fields)
    return st.builds(
        lambda source, more, mark: kind(**source, **more, cache=mark), SOURCES, described, MARKS
    )


MEDIA = st.one_of(
    _media(wg.ImageBlock),
    _media(wg.DocumentBlock, title=st.sampled_from((None, "t"))),
    st.builds(wg.DocumentBlock.from_text, st.sampled_from(("x", "é\n"))),
    _media(wg.AudioBlock, transcript=WORDS),
    _media(wg.VideoBlock, transcript=WORDS),
    _media(wg.DataBlock),
)
THINKING = st.builds(
    wg.ThinkingBlock, WORDS, st.sampled_from((None, "", "s")), st.booleans(), extras=st.none()
)
CALLS = st.builds(wg.ToolCallBlock, IDS, st.sampled_from(("f", "a.b", "")), ARGUMENTS, cache=MARKS)
OPAQUE = st.sampled_from(
    (
        wg.OpaqueBlock(API, {"type": "container_upload", "file_id": "f"}),
        wg.OpaqueBlock(OTHER, {"type": "x"}),
    )
)
PLAIN = TEXTS | MEDIA | THINKING | st.builds(wg.ErrorBlock, WORDS) | st.builds(wg.AnnotationBlock)
RESULTS = st.builds(
    wg.ToolResultBlock,
    IDS,
    content=st.lists(PLAIN | OPAQUE.filter(lambda block: block.api == OTHER), max_size=2),
    is_error=st.booleans(),
    cache=MARKS,
)
CONTENT = st.lists(TEXTS | PLAIN | OPAQUE | CALLS | RESULTS, max_size=3)
MESSAGES = st.one_of(
    st.builds(wg.UserMessage, CONTENT, name=st.sampled_from((None, None, "n"))),
    st.builds(
        wg.AssistantMessage,
        st.lists(TEXTS | CALLS | THINKING, max_size=3) | CONTENT,
        api=st.sampled_from((None, API, OTHER)),
        provider=st.sampled_from((None, "anthropic")),
    ),
    st.builds(wg.SystemMessage, st.lists(TEXTS, max_size=2) | CONTENT),
    st.builds(wg.ToolMessage, st.lists(RESULTS | TEXTS, max_size=3)),
    st.builds(lambda held: wg.ToolResultMessage(held.tool_call_id, content=held.content), RESULTS),
)
TOOLS = st.sampled_from(("f", "g", "a.b")).map(wg.Tool)
REQUESTS = st.builds(
    wg.Request,
    st.lists(MESSAGES, min_size=1, max_size=6),
    model=st.just("m"),
    tools=st.lists(TOOLS | OPAQUE.filter(lambda t: t.api == OTHER), max_size=3, unique_by=repr),
    tool_choice=st.sampled_from((None, wg.ToolChoice(), wg.ToolChoice("required"))),
    parallel_tool_calls=st.sampled_from((None, True, False)),
    max_tokens=st.sampled_from((None, 1, 1024, 1025, 4096)),
    temperature=st.none() | st.floats(-1, 3),
    top_p=st.none() | st.floats(0, 1),
    thinking=st.none()
    | st.builds(
        wg.Thinking,
        st.none() | st.sampled_from(wg.ThinkingLevel),
        st.sampled_from((None, 0, 1024, 4096)),
        st.sampled_from((None, True, False)),
    ),
    response_format=st.sampled_from(
        (None, wg.ResponseFormat("json"), wg.ResponseFormat("json_schema", {"type": "object"}))
    ),
    cache=st.sampled_from((None, wg.CacheConfig(), wg.CacheConfig(ttl="1h"))),
    service_tier=st.sampled_from((None, "auto", "flex")),
)


@given(REQUESTS)
def test_a_request_is_refused_or_the_api_accepts_its_body(given_request: wg.Request) -> None:
    try:
        body = encode(given_request, [], repair=True)
    except wg.EncodeError:
        return
    check_request(body)


@given(strategies.requests(), st.lists(strategies.messages(), max_size=3), st.booleans())
def test_no_request_fails_in_another_way(
    given_request: wg.Request, messages: list[wg.Message], repair: bool
) -> None:
    given_request.model = "m"
    given_request.messages = [*messages, user("hi")]
    try:
        encode(given_request, [], repair=repair)
    except wg.EncodeError:
        return


@given(REQUESTS)
def test_the_same_request_gives_the_same_bytes_and_losses(given_request: wg.Request) -> None:
    native = wg.json.encode(given_request)
    once = _outcome(wg.json.decode(native, type=wg.Request))
    again = wg.msgpack.decode(wg.msgpack.encode(given_request), type=wg.Request)
    assert _outcome(again) == _outcome(again) == once
    assert _outcome(given_request)[0] == once[0]
    assert wg.json.encode(given_request) == native  # which encoding has not changed


def _outcome(given_request: wg.Request) -> tuple[bytes | str, list[wg.Loss]]:
    losses: list[wg.Loss] = []
    try:
        return encode(given_request, losses, repair=True), losses
    except wg.EncodeError as error:
        return str(error), losses


@given(REQUESTS)
def test_every_text_goes_out_or_is_lost(given_request: wg.Request) -> None:
    marked = wg.json.decode(wg.json.encode(given_request), type=wg.Request)
    texts = list(_texts(marked.messages, "$.messages"))
    for i, (_, block) in enumerate(texts):
        if not block.text.isspace() and block.text:
            block.text = f"word {i};{block.text}"
    losses: list[wg.Loss] = []
    try:
        body = encode(marked, losses, repair=True).decode()
    except wg.EncodeError:
        return
    for i, (path, block) in enumerate(texts):
        if block.text and not block.text.isspace():
            lost = any(path.startswith(loss.path) for loss in losses if loss.path != "$")
            assert f'"word {i};' in body or lost, path


def _texts(content: list[Any], path: str) -> Iterator[tuple[str, wg.TextBlock]]:
    for i, part in enumerate(content):
        if isinstance(part, wg.TextBlock):
            yield f"{path}[{i}]", part
        yield from _texts(getattr(part, "content", []), f"{path}[{i}].content")


# A conversation that grows by whole exchanges, without system messages, which may have to move.

EXCHANGES = st.one_of(
    st.sampled_from(("hi", "é")).map(lambda words: [user(words)]),
    st.sampled_from(("yes", "no.")).map(lambda words: [assistant(words)]),
    st.sampled_from(("a", "a.b")).map(
        lambda name: [assistant("so", call(name)), answer(name, "r")]
    ),
    st.just([assistant(call("a"), call("a")), batch(result("a"), result("a")), user("and")]),
    st.just([user("see", wg.ImageBlock(data=PNG))]),
)


@given(st.lists(EXCHANGES, min_size=2, max_size=6), st.data())
def test_a_longer_conversation_starts_with_the_bytes_of_the_shorter(
    exchanges: list[list[wg.Message]], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(exchanges)))
    fields: dict[str, Any] = {
        "tools": [wg.Tool("f")],
        "cache": wg.CacheConfig(),
        "thinking": wg.Thinking(wg.ThinkingLevel.HIGH),
    }
    whole = encode(request(*chain.from_iterable(exchanges), **fields))
    short = encode(request(*chain.from_iterable(exchanges[:k]), **fields))
    assert short.endswith(b"]}]}")
    assert whole.startswith(short[:-4])


@given(
    st.dictionaries(strategies.texts(), strategies.json_values(), max_size=3),
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


@given(strategies.media())
def test_inline_media_appear_byte_for_byte(media: wg.Media) -> None:
    body = encode(request(user(wg.ImageBlock(data=media, mime_type="image/png"))))
    slice_of_the_native_wire = wg.json.encode(media)
    assert b'"media_type":"image/png","data":' + slice_of_the_native_wire + b"}}" in body


def _many_losses(n: int) -> wg.Request:
    return request(
        *[message for _ in range(n) for message in (assistant(_FOREIGN, "x"), user("y"))]
    )


def _many_system_messages(n: int) -> wg.Request:
    return request(*[m for _ in range(n) for m in (user("x"), wg.SystemMessage.from_text("s"))])


def _one_id(n: int) -> wg.Request:
    return request(
        assistant(*[call("a") for _ in range(n)]), batch(*[result("a") for _ in range(n)])
    )


def _extras_in_one_turn(n: int) -> wg.Request:
    return request(*[user("x", extras=extras(k=1)) for _ in range(n)])


_FOREIGN = wg.ThinkingBlock("t", "s")


@pytest.mark.parametrize(
    "shape", [_many_losses, _many_system_messages, _one_id, _extras_in_one_turn]
)
def test_time_grows_with_the_conversation_and_no_faster(
    shape: Callable[[int], wg.Request],
) -> None:
    small, large = shape(200), shape(1600)
    assert _seconds(large) < 30 * _seconds(small)  # eight times the size; squared it would be 64


def _seconds(given_request: wg.Request) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        encode(given_request, [])
        times.append(time.perf_counter() - start)
    return min(times)
