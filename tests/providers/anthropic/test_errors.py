"""What Anthropic's encoder refuses, and that it never fails in another way.

A request that the API would refuse is either mended with a loss, or an `EncodeError`. Nothing is
dropped in silence, and no other exception gets out.
"""

from typing import Any

import pytest

import wireglot as wg
from tests.oracles import OracleError
from tests.providers.anthropic.wire import check_request
from tests.providers.conversation import (
    API,
    OTHER,
    answer,
    assistant,
    batch,
    call,
    extras,
    own,
    request,
    result,
    system,
    text,
    user,
)

NO_CONTENT = "anthropic: no message with content, expected at least one - at `$.messages`"
NO_RESULT = "anthropic: tool call `a` has no result; add one, or pass repair=True - at `$."
NO_CALL = "anthropic: tool result `a` has no call before it; add one, or pass repair=True - at `$."
HI = user("hi")

REFUSED: dict[str, tuple[wg.Request, str]] = {
    "no model": (
        wg.Request([HI]),
        "anthropic: no model, expected its name; pass `model` - at `$.model`",
    ),
    "no message": (request(), NO_CONTENT),
    "messages without content": (request(user(" "), assistant("", "\n"), user()), NO_CONTENT),
    "a call that a user's text follows": (
        request(assistant("x", call("a")), HI),
        NO_RESULT + "messages[0].content[1]`",
    ),
    "a call at the end": (
        request(HI, assistant(call("a"))),
        NO_RESULT + "messages[1].content[0]`",
    ),
    "a call at the end, after a system prompt": (
        request(system("s"), HI, assistant(call("a"))),
        NO_RESULT + "messages[2].content[0]`",
    ),
    "a call whose id a later turn uses again": (
        request(assistant(call("a")), HI, assistant(call("a")), answer("a")),
        NO_RESULT + "messages[0].content[0]`",
    ),
    "one of two calls": (
        request(assistant(call("b"), call("a")), answer("b")),
        NO_RESULT + "messages[0].content[1]`",
    ),
    "one of two calls of the same id": (
        request(assistant(call("a"), call("a")), answer("a"), HI),
        NO_RESULT + "messages[0].content[1]`",
    ),
    "a result without a call": (request(HI, answer("a")), NO_CALL + "messages[1]`"),
    "a result in a batch without a call": (
        request(assistant(call("b")), batch(result("b"), result("a"))),
        NO_CALL + "messages[1].content[1]`",
    ),
    "a result in a user's message, after a system prompt": (
        request(system("s"), user("hi", result("a"))),
        NO_CALL + "messages[1].content[1]`",
    ),
    "a result before its call": (
        request(user(result("a")), assistant(call("a")), answer("a")),
        NO_CALL + "messages[0].content[0]`",
    ),
    "a second result of one call": (
        request(assistant(call("a")), answer("a"), answer("a")),
        NO_CALL + "messages[2]`",
    ),
    "a result a turn late": (
        request(assistant(call("a")), answer("a"), assistant("x"), answer("a")),
        NO_CALL + "messages[3]`",
    ),
}


@pytest.mark.parametrize(("given", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(given: wg.Request, message: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.providers.anthropic.encode_request(given)
    assert str(caught.value) == message
    assert not isinstance(caught.value, wg.LossError)


def test_a_file_that_cannot_be_read_is_refused_with_its_name() -> None:
    given = request(user(wg.ImageBlock(data=wg.Media.from_file("/nowhere/x.png"))))
    with pytest.raises(wg.EncodeError, match=r"^media: cannot read `/nowhere/x.png`: "):
        wg.providers.anthropic.encode_request(given)


def test_a_conversation_of_which_nothing_is_left_is_refused() -> None:
    losses: list[wg.Loss] = []
    with pytest.raises(wg.EncodeError) as caught:
        wg.providers.anthropic.encode_request(request(user(wg.DataBlock(data=b"x"))), losses=losses)
    assert str(caught.value) == NO_CONTENT
    assert [loss.path for loss in losses] == ["$.messages[0].content[0]"]


TOOL = wg.Tool("f")
MARK = wg.CacheMark()


def _sections(tools: bool, prompt: bool, messages: bool) -> wg.model.ManualCache:
    return wg.model.ManualCache(
        wg.model.CacheSections(cache_tools=tools, cache_system=prompt, cache_messages=messages)
    )


# All of this carries something that the wire has no place for.
UNCARRIED: dict[str, wg.Request] = {
    "a result in an answer": request(HI, assistant("x", result("a", "y"))),
    "top_logprobs": request(HI, top_logprobs=5),
    "a tool choice without tools": request(HI, tool_choice=wg.ToolChoice("required")),
    "extras of a tool of this API": request(
        HI,
        tools=[
            wg.OpaqueBlock(
                API,
                {"type": "web_search_20250305", "name": "web_search"},
                extras=extras(OTHER, k=1),
            )
        ],
    ),
    "a document as text and by URL": request(
        user(wg.DocumentBlock(text="x", url="https://x.org/a.pdf"))
    ),
    "redacted thinking with a text": request(
        HI, own(wg.ThinkingBlock("t", "s", redacted=True), "x")
    ),
    "a key of this API in two messages of a turn": request(
        user("x", extras=extras(k=1)), user("y", extras=extras(k=2))
    ),
}


@pytest.mark.parametrize("given", UNCARRIED.values(), ids=UNCARRIED)
def test_nothing_is_dropped_in_silence(given: wg.Request) -> None:
    with pytest.raises(wg.EncodeError):
        wg.providers.anthropic.encode_request(given)


# A system message between two answers goes as a user's, and is not to lose more on the way.
MOVED: dict[str, tuple[wg.SystemMessage, str, str]] = {
    "a result": (system("s", result("a", "y")), "tool result", "$.messages[2].content[1]"),
    "a call": (system("s", call("a")), "tool call", "$.messages[2].content[1]"),
    "a name": (system("s", name="n"), "name", "$.messages[2]"),
    "extras": (system("s", extras=extras(OTHER, k=1)), "extras", "$.messages[2]"),
}


@pytest.mark.parametrize(("message", "what", "path"), MOVED.values(), ids=MOVED)
def test_a_system_message_that_goes_as_a_users_loses_no_more_in_silence(
    message: wg.SystemMessage, what: str, path: str
) -> None:
    losses: list[wg.Loss] = []
    given = request(HI, assistant("x"), message, assistant("x"))
    check_request(wg.providers.anthropic.encode_request(given, losses=losses))
    assert [loss.path for loss in losses] == ["$.messages[2]", path]
    assert losses[0].what == "system place"
    assert losses[1].what.startswith(what)


def test_a_result_in_a_result_that_becomes_a_users_text_is_not_dropped_in_silence() -> None:
    losses: list[wg.Loss] = []
    given = request(HI, answer("a", result("b", "y")))
    body = wg.providers.anthropic.encode_request(given, losses=losses, repair=True)
    assert b'"y"' in body or losses


# The mark of each has a place: on the block before, or among the keys of the tool.
MARKED: dict[str, wg.Request] = {
    "of an empty text": request(user("hi", text("", cache=MARK))),
    "of an empty text in the system prompt": request(system("s", text("", cache=MARK)), HI),
    "of the tools, the last of which this API runs": request(
        HI,
        tools=[TOOL, wg.OpaqueBlock(API, {"type": "web_search_20250305", "name": "web_search"})],
        cache=wg.CacheConfig(strategy=_sections(True, False, False)),
    ),
}


@pytest.mark.parametrize("given", MARKED.values(), ids=MARKED)
def test_no_cache_mark_is_dropped_in_silence(given: wg.Request) -> None:
    losses: list[wg.Loss] = []
    body = wg.providers.anthropic.encode_request(given, losses=losses)
    assert body.count(b'"cache_control"') + len(losses) == 1


def _nested(depth: int) -> wg.ToolResultBlock:
    block = result("a")
    for _ in range(depth):
        block = result("a", block)
    return block


HALF = "\ud83d"
# Constructible, and nothing that the API would take as it stands.
ODD: dict[str, wg.Request] = {
    "a temperature that is no number": request(HI, temperature=float("nan")),
    "an infinite top_p": request(HI, top_p=float("inf")),
    "a choice of the model's that names a tool": request(
        HI, tools=[TOOL], tool_choice=wg.ToolChoice("auto", "f")
    ),
    "a forced call that names a tool": request(
        HI, tools=[TOOL], tool_choice=wg.ToolChoice("required", "f")
    ),
    "a choice of a tool that names none": request(
        HI, tools=[TOOL], tool_choice=wg.ToolChoice("tool")
    ),
    "a choice of no tool that names one": request(
        HI, tools=[TOOL], tool_choice=wg.ToolChoice("none", "f")
    ),
    "two tools of one name": request(HI, tools=[TOOL, wg.Tool("f", "another")]),
    **{
        f"a schema that is {schema}": request(
            HI, tools=[wg.Tool("f", parameters=wg.RawJson(schema))]
        )
        for schema in ("{}", "null", "[]", "true", '{"type":"array"}', '{"type":["object"]}')
    },
    "a system message after a blank user turn": request(user(" "), system("s"), assistant("x")),
    "a system message after an answer and a blank user turn": request(
        HI, assistant("x"), user(), system("s")
    ),
    "a system message before a blank answer": request(HI, system("s"), assistant(" "), HI),
    "white space with unknown keys": request(
        HI, assistant("x"), user(text(" ", extras=extras(citations=None)))
    ),
    "white space with unknown keys alone": request(user(text(" ", extras=extras(citations=None)))),
    "white space with a mark": request(user(text(" ", cache=MARK)), assistant("x")),
    "white space for a transcript": request(
        user(wg.AudioBlock(file_id="i", transcript=" ")), assistant("x")
    ),
    "white space at the end, after a text": request(HI, assistant("x", " ")),
    "white space at the end, after a text that ends in it": request(HI, assistant("x ", " ")),
    "an hour for the conversation, five minutes in it": request(
        user(text("x", cache=MARK)),
        cache=wg.CacheConfig(strategy=_sections(False, False, True), ttl="1h"),
    ),
    "an opaque block that is not an object": request(user(wg.OpaqueBlock(API, [1]), "hi")),
    "an opaque block that is not an object, with unknown keys": request(
        user(wg.OpaqueBlock(API, [1], extras=extras(k=1)), "hi")
    ),
    "an opaque tool that is not an object": request(HI, tools=[wg.OpaqueBlock(API, [1])]),
    "half an emoji": request(user(HALF)),
    "half an emoji beside unknown keys": request(user(text(HALF, extras=extras(citations=None)))),
    "half an emoji in a request with unknown keys": request(
        user(HALF), extras=extras(container="c")
    ),
    "half an emoji in an id": request(HI, assistant(call(HALF)), answer(HALF)),
    "half an emoji in a name": request(HI, assistant(call("a", name=HALF)), answer("a")),
    "half an emoji in a model": wg.Request([HI], model=HALF),
    "half an emoji in a URL": request(user(wg.ImageBlock(url="https://x.org/" + HALF), "hi")),
    "half an emoji in a data URL": request(
        user(wg.ImageBlock(url="data:image/png;base64," + HALF), "hi")
    ),
    "a result without a call whose id is half an emoji": request(HI, answer(HALF, "x")),
    "deep nesting, and a loss": request(
        HI, assistant(call("a")), batch(_nested(2000)), user(wg.DataBlock())
    ),
    "base64 that is not ASCII": request(
        user(wg.ImageBlock(data=wg.Media.from_base64(b"\xff"), mime_type="image/png"), "hi")
    ),
    "messages with their place in a session": request(*[HI]),  # type: ignore[list-item]
}


@pytest.mark.parametrize("given", ODD.values(), ids=ODD)
def test_what_the_api_would_refuse_is_mended_or_refused(given: wg.Request) -> None:
    assert _verdict(given) in ("refused", "accepted")


def _verdict(given: wg.Request) -> str:
    try:
        body = wg.providers.anthropic.encode_request(given, losses=[], repair=True)
    except wg.EncodeError:
        return "refused"
    try:
        check_request(body)
    except OracleError as error:
        return f"{body!r}: {error}"
    return "accepted"


def test_half_an_emoji_is_a_loss_with_its_path() -> None:
    losses: list[wg.Loss] = []
    given = request(HI, assistant("x", "y" + HALF), HI)
    body = wg.providers.anthropic.encode_request(given, losses=losses)
    assert '{"type":"text","text":"y\ufffd"}'.encode() in body
    assert [(loss.what, loss.path) for loss in losses] == [
        ("lone surrogate", "$.messages[1].content[1].text")
    ]


def test_a_value_of_another_type_is_refused_with_its_type() -> None:
    stray: Any = "hi"
    with pytest.raises(wg.EncodeError):
        wg.providers.anthropic.encode_request(request(wg.UserMessage([stray])))
