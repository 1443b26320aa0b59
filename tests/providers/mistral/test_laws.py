"""Laws of Mistral's wire, on conversations and bodies that nobody would write down."""

import gc
import json
import time
from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.providers.conversation import shows_no_image
from tests.providers.mistral.pieces import (
    API,
    CALL_A,
    HI,
    OTHER,
    PNG,
    RESULT_A,
    answer,
    batch,
    body,
    call,
    extras,
    judge,
    request,
    result,
    said,
    system,
    user,
)
from wireglot import testing

encode = wg.providers.mistral.encode_request
decode = wg.providers.mistral.decode_request
Transcript = wg.providers.mistral.Transcript

# Whatever clients send: blocks in the wrong place, blank texts, ids that clash, odd sources.

WORDS = st.sampled_from(("", " ", "\n", "x", " é😀", "\u2028"))
IDS = st.sampled_from(("a", "a_2", "aaaaaaaa1", "", "toolu_01"))
MARKS = st.sampled_from((None, None, None, wg.CacheMark()))
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
    signature=st.sampled_from((None, None, "s")),
    cache=MARKS,
    extras=st.sampled_from((None, None, extras(OTHER, k=1), extras("wireglot", k=1))),
)


def _media(kind: Any, **fields: Any) -> st.SearchStrategy[Any]:
    described = st.fixed_dictionaries(fields)
    return st.builds(
        lambda source, more, mark: kind(**source, **more, cache=mark), SOURCES, described, MARKS
    )


MEDIA = st.one_of(
    _media(wg.ImageBlock, detail=st.sampled_from((None, "low", "original"))),
    _media(wg.DocumentBlock, title=st.sampled_from((None, "t"))),
    st.builds(wg.DocumentBlock.from_text, st.sampled_from(("x", "é\n"))),
    _media(wg.AudioBlock, transcript=WORDS),
    _media(wg.VideoBlock, transcript=WORDS),
    _media(wg.DataBlock),
)
THINKING = st.builds(
    wg.ThinkingBlock,
    WORDS,
    st.sampled_from((None, "", "s")),
    st.booleans(),
    st.sampled_from((None, ["x"])),
)
CALLS = st.builds(wg.ToolCallBlock, IDS, st.sampled_from(("f", "a.b", "")), ARGUMENTS, cache=MARKS)
OPAQUE = st.just(wg.OpaqueBlock(OTHER, {"type": "x"}))
PLAIN = TEXTS | MEDIA | THINKING | st.builds(wg.ErrorBlock, WORDS) | st.builds(wg.AnnotationBlock)
RESULTS = st.builds(
    wg.ToolResultBlock,
    IDS,
    content=st.lists(PLAIN | OPAQUE, max_size=2),
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
        provider=st.sampled_from((None, "mistral")),
    ),
    st.builds(wg.SystemMessage, st.lists(TEXTS | THINKING, max_size=2) | CONTENT),
    st.builds(wg.ToolMessage, st.lists(RESULTS | TEXTS, max_size=3)),
    st.builds(lambda held: wg.ToolResultMessage(held.tool_call_id, content=held.content), RESULTS),
)
TOOLS = st.sampled_from(("f", "g", "a.b")).map(wg.Tool)
CONTRADICTIONS = (
    "no message with content, expected at least one",
    "an answer alone, expected a message of the user before it",
    "no model",
    "two tools named",
    "tool choice of mode",
    "tool parameters",
    "response format without",
    "opaque block that is not an object, expected a JSON object",
)


@settings(max_examples=150)
@given(st.lists(MESSAGES, min_size=1, max_size=6), st.lists(TOOLS, max_size=2))
def test_a_conversation_is_refused_or_the_api_accepts_it(
    messages: list[Any], tools: list[wg.Tool]
) -> None:
    _judge_unless_contradictory(request(*messages, tools=tools))


def _judge_unless_contradictory(given_request: wg.Request) -> None:
    try:
        made = encode(given_request, losses=[], repair=True)
    except wg.EncodeError as error:
        if not error.reason.startswith(CONTRADICTIONS):
            raise
        return
    judge(made)


@settings(max_examples=75)
@given(testing.requests())
def test_parameters_are_refused_or_the_api_accepts_them(given_request: wg.Request) -> None:
    given_request.model = "m"
    given_request.messages = [user("hi")]
    given_request.extras = None
    for tool in given_request.tools or []:
        tool.extras = None
    _judge_unless_contradictory(given_request)


@settings(max_examples=75)
@given(testing.requests(), st.lists(testing.messages(), max_size=3), st.booleans())
def test_no_request_fails_in_another_way(
    given_request: wg.Request, messages: list[wg.Message], repair: bool
) -> None:
    given_request.model = "m"
    given_request.messages = [*messages, user("hi")]
    try:
        made = encode(given_request, losses=[], repair=repair)
    except wg.EncodeError:
        return
    decode(made)


@settings(max_examples=75)
@given(st.lists(MESSAGES, min_size=1, max_size=6))
def test_what_was_written_comes_back_the_same(messages: list[Any]) -> None:
    try:
        made = encode(request(*messages), losses=[], repair=True)
    except wg.EncodeError:
        return
    losses: list[wg.Loss] = []
    assert encode(decode(made), losses=losses) == made
    assert losses == []


@settings(max_examples=50)
@given(st.lists(MESSAGES, min_size=1, max_size=5))
def test_the_native_wires_change_nothing(messages: list[Any]) -> None:
    given_request = request(*messages)
    as_json = wg.json.decode(wg.json.encode(given_request), type=wg.Request)
    packed = wg.msgpack.decode(wg.msgpack.encode(given_request), type=wg.Request)
    assert _outcome(as_json) == _outcome(packed)


def _outcome(given_request: wg.Request) -> tuple[bytes | str, list[wg.Loss]]:
    losses: list[wg.Loss] = []
    try:
        return encode(given_request, losses=losses, repair=True), losses
    except wg.EncodeError as error:
        return str(error), losses


# A conversation that grows by whole exchanges.

EXCHANGES = st.one_of(
    st.sampled_from(("hi", "é")).map(lambda words: [user(words)]),
    st.just([user("see", wg.ImageBlock(data=PNG)), system("now")]),
    st.sampled_from(("a", "aaaaaaaa1")).map(
        lambda name: [answer("so", call(name)), batch(result("r", call_id=name))]
    ),
    st.just([answer(call(), call("b")), batch(result(), result(call_id="b")), user("and")]),
    st.just([answer("yes"), user("hi")]),
)


@settings(max_examples=50)
@given(st.lists(EXCHANGES, min_size=2, max_size=6), st.data())
def test_a_longer_conversation_starts_with_the_bytes_of_the_shorter(
    exchanges: list[list[wg.Message]], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(exchanges)))
    fields: dict[str, Any] = {"tools": [wg.Tool("f")], "temperature": 0.5}
    whole = encode(request(*chain.from_iterable(exchanges), **fields), losses=[])
    short = encode(request(*chain.from_iterable(exchanges[:k]), **fields), losses=[])
    assert short.endswith(b"}]}")
    assert whole.startswith(short[:-2])


def test_of_an_answer_at_the_end_the_prefix_alone_is_not_repeated() -> None:
    short = encode(request(user("hi"), answer("yes")))
    assert encode(request(user("hi"), answer("yes"), user("hi"))).startswith(
        short.removesuffix(b',"prefix":true}]}')
    )


@settings(max_examples=100)
@given(st.lists(MESSAGES, min_size=1, max_size=8))
@example([user("hi"), answer("x"), system("s"), answer("y"), user("hi")])
@example([user("hi"), answer(call()), batch(result()), answer(), system("s"), user("hi")])
@example([answer("x"), user(), answer()])
@example([system("s"), answer(), system("s")])
@example([user("hi"), system("s"), answer("x", wg.ThinkingBlock("", "s")), user("hi")])
def test_a_transcript_gives_the_same_bytes_and_losses(messages: list[Any]) -> None:
    transcript = Transcript(repair=True)
    for k, message in enumerate(messages):
        transcript.append(message)
        grown: list[wg.Loss] = []
        try:
            made: bytes | str = transcript.encode(losses=grown, model="m")
        except wg.EncodeError as error:
            made, grown = str(error), []
        whole, losses = _outcome(request(*messages[: k + 1]))
        assert made == whole
        if isinstance(whole, bytes):
            assert sorted(map(str, grown)) == sorted(map(str, losses))


@settings(max_examples=60)
@given(
    st.dictionaries(testing.texts(), testing.json_values(), max_size=3),
    st.sampled_from((None, 1)),
    st.booleans(),
)
def test_arguments_come_and_go_byte_for_byte(value: Any, indent: int | None, plain: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=plain)
    made = encode(request(answer(call(arguments=text)), batch(result())))
    assert json.loads(made)["messages"][0]["tool_calls"][0]["function"]["arguments"] == text
    called: Any = decode(made).messages[0].content[0]
    assert called.arguments.text == text.encode()
    spliced = encode(decode(CALLED % json.dumps(text).encode()))
    assert spliced == CALLED % json.dumps(text).encode()


CALLED = body(HI, CALL_A, RESULT_A).replace(b"%", b"%%").replace(b'"{}"', b"%b")


@settings(max_examples=60)
@given(testing.media().filter(lambda media: not media.is_empty and shows_no_image(media)))
def test_inline_media_go_out_as_the_text_that_came(media: wg.Media) -> None:
    made = encode(request(user(wg.ImageBlock(data=media, mime_type="image/png"))))
    native: bytes = bytes(wg.json.encode(media))
    assert b'{"url":"data:image/png;base64,' + native[1:-1] + b'"}' in made


WHOLE = body(
    '{"role":"system","content":"x"}',
    said(
        '{"type":"text","text":"x"}',
        '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}',
        '{"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3"}}',
        '{"type":"document_url","document_url":"https://x.org"}',
    ),
    CALL_A,
    RESULT_A,
    said(
        '{"type":"thinking","thinking":[{"type":"text","text":"x"}],"closed":true}',
        role="assistant",
    ),
    HI,
    head='"temperature":1,"stop":"x","metadata":{"k":1},"tool_choice":"any","tools":[{"type":'
    '"function","function":{"name":"f","parameters":{}}}],"response_format":{"type":"json_object"}',
)
JUNK = st.sampled_from(
    (b"", b"null", b"1", b'""', b"[]", b"{}", b"1e999", b'"\\ud83d"', b"\xff", b",", b"[[[[")
)


@settings(max_examples=150)
@given(st.integers(0, len(WHOLE)), st.integers(0, 12), JUNK)
def test_a_damaged_body_is_a_request_or_one_error(start: int, length: int, junk: bytes) -> None:
    _survives(WHOLE[:start] + junk + WHOLE[start + length :])


@settings(max_examples=100)
@given(st.data())
def test_a_body_with_another_value_is_a_request_or_one_error(data: st.DataObject) -> None:
    root = json.loads(WHOLE)
    node, key = root, ""
    while True:
        key = data.draw(st.sampled_from(list(node) if isinstance(node, dict) else range(len(node))))
        if not isinstance(node[key], dict | list) or not node[key] or data.draw(st.booleans()):
            break
        node = node[key]
    node[key] = data.draw(testing.json_values())
    _survives(json.dumps(root).encode())


def _survives(data: bytes) -> None:
    try:
        given_request = decode(data, losses=[])
    except wg.DecodeError:
        return
    given_request.model = given_request.model or "m"
    try:
        encode(given_request, losses=[], repair=True)
    except wg.EncodeError:
        return


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_nesting_is_one_error(opening: str) -> None:
    data = body(HI, head=f'"x":{opening * 100_000}')
    with pytest.raises(wg.DecodeError):
        decode(data)


def _many_losses(n: int) -> wg.Request:
    return request(*[user(wg.AnnotationBlock(), "x") for _ in range(n)])


def _many_system_messages(n: int) -> wg.Request:
    return request(user("x"), *[m for _ in range(n) for m in (answer("x"), system("s"))], user("x"))


@pytest.mark.parametrize("shape", [_many_losses, _many_system_messages])
def test_time_grows_with_the_conversation_and_no_faster(
    shape: Callable[[int], wg.Request],
) -> None:
    small, large = shape(200), shape(1600)
    assert _seconds(large) < 45 * _seconds(small)  # eight times the size; squared it would be 64


def _seconds(given_request: wg.Request) -> float:
    times = []
    gc.collect()
    gc.disable()  # the heap of other tests is none of its business
    for _ in range(3):
        start = time.process_time()
        encode(given_request, losses=[])
        times.append(time.process_time() - start)
    gc.enable()
    return min(times)
