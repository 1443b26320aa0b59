"""phi-core's saved conversations, both ways, against literal bytes and literal messages."""

import json
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from wireglot.formats import phi_core as phi
from wireglot.model.base import UnknownKeys

USAGE = (
    '"usage":{"input":100,"output":5,"reasoning":2,"cache_read":10,"cache_write":3,'
    '"total_tokens":118}'
)
ANSWER = (
    '{"role":"assistant","content":[%s],"stopReason":"toolUse","model":"claude-x",'
    f'"provider":"anthropic",{USAGE},"timestamp":1754000000123}}'
)
CANONICAL_USAGE = wg.Usage(
    input=100, output=5, reasoning=2, cache_read=10, cache_write=3, total_tokens=118
)


def _answer(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.AssistantMessage(
        [*content],
        wg.StopReason.TOOL_USE,
        "claude-x",
        "anthropic",
        CANONICAL_USAGE,
        1754000000123,
        **more,
    )


def _unknown(**keys: Any) -> wg.Extras:
    return {"phi-core": wg.Extra(keys)}


BOTH_WAYS = {
    "a user's text": (
        '{"role":"user","content":[{"type":"text","text":"Où ?"}],"timestamp":1754000000000}',
        wg.UserMessage([wg.TextBlock("Où ?")], 1754000000000),
    ),
    "an image": (
        '{"role":"user","content":[{"type":"image","data":"R0lGODlh","mimeType":"image/gif"}],'
        '"timestamp":0}',
        wg.UserMessage([wg.ImageBlock.from_base64("R0lGODlh", "image/gif")], 0),
    ),
    "signed thinking": (
        ANSWER % '{"type":"thinking","thinking":"so","signature":"c2ln"}',
        _answer(wg.ThinkingBlock("so", "c2ln")),
    ),
    "thinking without a signature": (
        ANSWER % '{"type":"thinking","thinking":"so"}',
        _answer(wg.ThinkingBlock("so")),
    ),
    "a call, its arguments byte for byte": (
        ANSWER % '{"type":"toolCall","id":"c1","name":"plot","arguments":{"b": 1e2, "a":null}}',
        _answer(wg.ToolCallBlock("c1", "plot", '{"b": 1e2, "a":null}')),
    ),
    "a call whose arguments are a string": (
        ANSWER % '{"type":"toolCall","id":"c1","name":"plot","arguments":"{\\"half"}',
        _answer(wg.ToolCallBlock("c1", "plot", '{"half')),
    ),
    "an answer that failed": (
        '{"role":"assistant","content":[],"stopReason":"error","model":"","provider":"",'
        '"usage":{"input":0,"output":0,"reasoning":0,"cache_read":0,"cache_write":0,'
        '"total_tokens":0},"timestamp":7,"error_message":"overloaded"}',
        wg.AssistantMessage(
            [], wg.StopReason.ERROR, usage=wg.Usage(), timestamp=7, error_message="overloaded"
        ),
    ),
    "a tool result with a loop of its own": (
        '{"role":"toolResult","toolCallId":"c1","toolName":"sh","content":'
        '[{"type":"text","text":"1"}],"isError":true,"timestamp":8,"childLoopId":"l.2"}',
        wg.ToolResultMessage("c1", "sh", [wg.TextBlock("1")], True, 8, child_loop_id="l.2"),
    ),
    "a place in the session": (
        '{"role":"user","content":[],"timestamp":1,"turnId":{"loopId":"l.1","turnIndex":4},'
        '"nodeId":6,"parentId":5,"tags":[{"kind":"finding","text":"t","created_at_turn":3,'
        '"abandoned_node_ids":[2,1]}],"provenanceHint":{"kind":"memory-tier","tier":"long",'
        '"record_id":"r"}}',
        wg.UserMessage(
            [],
            1,
            turn_id=wg.model.TurnId("l.1", 4),
            node_id=6,
            parent_id=5,
            tags=[wg.model.Tag("finding", "t", 3, [2, 1])],
            provenance_hint=wg.model.HintMemoryTier("long", "r"),
        ),
    ),
    "unknown keys at every level": (
        '{"role":"assistant","content":[{"type":"text","text":"a","mood":1.5}],'
        '"stopReason":"stop","model":"m","provider":"bedrock","usage":{"input":1,"output":2,'
        '"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":0,"tier":"x"},'
        '"timestamp":9,"errorMessage":"lost by phi-core"}',
        wg.AssistantMessage(
            [wg.TextBlock("a", extras=_unknown(mood=1.5))],
            wg.StopReason.STOP,
            "m",
            "bedrock",
            wg.Usage(input=1, output=2, extras=_unknown(tier="x")),
            9,
            extras=_unknown(errorMessage="lost by phi-core"),
        ),
    ),
    "a turn id that is none costs the turn, not the message": (
        '{"role":"user","content":[],"timestamp":1,"turnId":{"loopId":"l"},"nodeId":"n5"}',
        wg.UserMessage([], 1, extras=_unknown(turnId={"loopId": "l"}, nodeId="n5")),
    ),
    "a place that has keys of its own, or numbers that phi-core has not, stays as it came": (
        '{"role":"user","content":[],"timestamp":1,"nodeId":18446744073709551616,'
        '"turnId":{"loopId":"l","turnIndex":-1},"tags":[{"kind":"lesson","text":"t",'
        '"created_at_turn":1,"abandoned_node_ids":[],"x":2}]}',
        wg.UserMessage(
            [],
            1,
            extras=_unknown(
                nodeId=2**64,
                turnId={"loopId": "l", "turnIndex": -1},
                tags=[
                    {
                        "kind": "lesson",
                        "text": "t",
                        "created_at_turn": 1,
                        "abandoned_node_ids": [],
                        "x": 2,
                    }
                ],
            ),
        ),
    ),
    "a loop below a result that is no text": (
        '{"role":"toolResult","toolCallId":"c","toolName":"t","content":[],"isError":false,'
        '"timestamp":1,"childLoopId":5}',
        wg.ToolResultMessage("c", "t", [], False, 1, extras=_unknown(childLoopId=5)),
    ),
    "an extension": (
        '{"role":"extension","kind":"status","data":null}',
        wg.ExtensionMessage("status", None),
    ),
    "an extension under a role of its own": (
        '{"role":"system","kind":"status","data":{"a":[1]},"at":2}',
        wg.ExtensionMessage(
            "status",
            {"a": [1]},
            {**_unknown(at=2), "wireglot": wg.Extra(UnknownKeys.of({"role": "system"}))},
        ),
    ),
    "a user's message that is none, and all an extension needs": (
        '{"role":"user","kind":"k","data":1,"content":"text"}',
        wg.ExtensionMessage(
            "k",
            1,
            {
                **_unknown(content="text"),
                "wireglot": wg.Extra(UnknownKeys.of({"role": "user"})),
            },
        ),
    ),
}


@pytest.mark.parametrize(("text", "message"), BOTH_WAYS.values(), ids=BOTH_WAYS)
def test_a_message_both_ways(text: str, message: Any) -> None:
    assert phi.decode(f"[{text}]") == [message]
    assert phi.encode([message]).decode() == f"[{text}]"
    assert phi.encode(phi.decode(text, phi.AgentMessage)).decode() == text
    assert phi.to_canonical([phi.decode(text, phi.AgentMessage)]) == [message]
    assert phi.from_canonical([message]) == [phi.decode(text, phi.AgentMessage)]


def test_one_message_alone_and_json_lines_are_read_too() -> None:
    texts = [text for text, _ in BOTH_WAYS.values()]
    messages = [message for _, message in BOTH_WAYS.values()]
    assert phi.decode(texts[0]) == messages[:1]
    assert phi.decode("\ufeff\n" + "\n\n".join(texts) + "\n") == messages
    assert phi.decode(json.dumps(json.loads(texts[0]), indent=2)) == messages[:1]
    assert phi.encode(messages, lines=True).decode() == "".join(f"{text}\n" for text in texts)
    with pytest.raises(wg.DecodeError) as caught:
        phi.decode(texts[0] + '\n{"role":"user"}')
    assert str(caught.value) == (
        "phi_core: object missing required field `content` - at `line 2: $`"
    )


def test_input_that_was_changed_is_written_as_it_is_now() -> None:
    text = (ANSWER % "").replace('"anthropic"', '"openai"').replace('"input":100', '"input":4')
    (message,) = phi.decode(text)
    message.usage.input = 100
    assert b'"input":110,' in phi.encode([message])
    message.usage.input, message.usage.cache_read = 4, 3
    assert b'"input":7,' in phi.encode([message])  # no longer less than what is cached of it


def test_a_provider_without_a_name_is_none() -> None:
    usage = wg.Usage(4, cache_read=3)
    for provider in (None, ""):
        body = phi.encode([wg.AssistantMessage([], provider=provider, usage=usage)])
        assert b'"input":4,' in body
        assert phi.decode(body)[0].usage.input == 4


def test_of_openai_and_google_the_input_has_the_cached_tokens_in_it() -> None:
    text = ANSWER % "" % ()
    inputs = {"openai": 90, "google": 90, "Anthropic": 100, "bedrock": 100}
    for provider, expected in inputs.items():
        body = text.replace('"anthropic"', f'"{provider}"')
        (message,) = phi.decode(body)
        assert message.usage.input == expected
        assert phi.encode([message]).decode() == f"[{body}]"


def test_less_input_than_cached_input_comes_home_as_it_was() -> None:
    text = (ANSWER % "").replace('"anthropic"', '"openai"').replace('"input":100', '"input":4')
    (message,) = phi.decode(text)
    assert message.usage.input == 4
    assert phi.encode([message]).decode() == f"[{text}]"


def test_the_documented_spelling_of_a_child_loop_is_read() -> None:
    text = (
        '{"role":"toolResult","toolCallId":"c","toolName":"t","content":[],"isError":false,'
        '"timestamp":1,"child_loop_id":"l"}'
    )
    (message,) = phi.decode(text)
    assert message == wg.ToolResultMessage("c", "t", [], False, 1, "l")
    assert (
        phi.encode([message]).decode() == "[" + text.replace("child_loop_id", "childLoopId") + "]"
    )


def test_as_printed_is_alphabetical_through_agent_message_and_declared_elsewhere() -> None:
    text = BOTH_WAYS["a place in the session"][0]
    assert phi.encode(phi.decode(f"[{text}]"), as_printed=True).decode() == (
        '[{"content":[],"nodeId":6,"parentId":5,"provenanceHint":{"kind":"memory-tier",'
        '"record_id":"r","tier":"long"},"role":"user","tags":[{"abandoned_node_ids":[2,1],'
        '"created_at_turn":3,"kind":"finding","text":"t"}],"timestamp":1,"turnId":'
        '{"loopId":"l.1","turnIndex":4}}]'
    )
    bare = phi.decode(BOTH_WAYS["a call, its arguments byte for byte"][0], phi.AssistantMessage)
    assert phi.encode(bare, as_printed=True).decode() == (
        ANSWER % '{"type":"toolCall","id":"c1","name":"plot","arguments":{"a":null,"b":100.0}}'
    )
    extension = phi.ExtensionMessage("k", {"b": 1, "a": 2})
    assert phi.encode([extension, phi.InputRejected("l", "r")], as_printed=True).decode() == (
        '[{"role":"extension","kind":"k","data":{"a":2,"b":1}},'
        '{"type":"InputRejected","loop_id":"l","reason":"r"}]'
    )
    losses: list[wg.Loss] = []
    assert (
        "\ufffd"
        in phi.encode(
            [wg.UserMessage([wg.TextBlock("\ud800")])], losses=losses, as_printed=True
        ).decode()
    )
    assert [loss.what for loss in losses] == ["lone surrogate"]
    broken = phi.ToolCallContent("c", "n", '{"a":1e999}')
    with pytest.raises(wg.EncodeError):
        phi.encode(broken, as_printed=True)


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"AgentEnd","loop_id":"l","messages":[%s],"usage":{"input":1,"output":2,'
        '"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":3},"timestamp":"t",'
        '"rejection":null}',
        '{"type":"TurnEnd","loop_id":"l","message":%s,"usage":{"input":1,"output":2,'
        '"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":3},"timestamp":"t",'
        '"tool_results":[{"role":"toolResult","toolCallId":"c","toolName":"t","content":[],'
        '"isError":false,"timestamp":1}]}',
        '{"type":"MessageStart","loop_id":"l","message":%s}',
        '{"type":"MessageUpdate","loop_id":"l","message":%s,"delta":{"Text":{"delta":"x"}}}',
        '{"type":"MessageEnd","loop_id":"l","message":%s}',
    ],
)
def test_as_printed_an_event_is_alphabetical_in_its_agent_messages_alone(text: str) -> None:
    event = phi.decode(text % '{"role":"user","content":[],"timestamp":1}', phi.AgentEvent)
    assert phi.encode(event, as_printed=True).decode() == (
        text % '{"content":[],"role":"user","timestamp":1}'
    )


def test_a_batch_becomes_a_message_for_each_result() -> None:
    batch = wg.ToolMessage(
        [
            wg.ToolResultBlock.from_text("c1", "one"),
            wg.ToolResultBlock("c2", "sh", [], True, child_loop_id="l.2"),
        ],
        5,
        turn_id=wg.model.TurnId("l.1", 0),
        node_id=3,
    )
    losses: list[wg.Loss] = []
    assert phi.encode([batch], losses=losses).decode() == (
        '[{"role":"toolResult","toolCallId":"c1","toolName":"","content":[{"type":"text",'
        '"text":"one"}],"isError":false,"timestamp":5,"turnId":{"loopId":"l.1","turnIndex":0},'
        '"nodeId":3},{"role":"toolResult","toolCallId":"c2","toolName":"sh","content":[],'
        '"isError":true,"timestamp":5,"childLoopId":"l.2","turnId":{"loopId":"l.1",'
        '"turnIndex":0}}]'
    )
    assert losses == []


def test_results_among_a_users_blocks_stand_before_the_rest() -> None:
    user = wg.UserMessage([wg.ToolResultBlock("c1"), wg.TextBlock("go on")], 5)
    assert phi.encode([user]).decode() == (
        '[{"role":"toolResult","toolCallId":"c1","toolName":"","content":[],"isError":false,'
        '"timestamp":5},{"role":"user","content":[{"type":"text","text":"go on"}],"timestamp":5}]'
    )


def test_what_is_not_set_is_written_as_what_says_nothing() -> None:
    made = phi.encode([wg.UserMessage([]), wg.AssistantMessage([]), wg.ToolResultMessage("c")])
    assert made.decode() == (
        '[{"role":"user","content":[],"timestamp":0},{"role":"assistant","content":[],'
        '"stopReason":"stop","model":"","provider":"","usage":{"input":0,"output":0,'
        '"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":0},"timestamp":0},'
        '{"role":"toolResult","toolCallId":"c","toolName":"","content":[],"isError":false,'
        '"timestamp":0}]'
    )


def test_a_data_url_is_inline() -> None:
    user = wg.UserMessage([wg.ImageBlock(url="data:image/webp;base64,UklGRg==")], 1)
    assert phi.encode([user]).decode() == (
        '[{"role":"user","content":[{"type":"image","data":"UklGRg==","mimeType":"image/webp"}],'
        '"timestamp":1}]'
    )


def _in_user(*content: wg.Content) -> list[wg.Message]:
    return [wg.UserMessage([*content], 1)]


LOST = {
    "the system prompt": ([wg.SystemMessage.from_text("be brief")], "$[0]", "system"),
    "a summary": ([wg.CompactionSummaryMessage("all")], "$[0]", "compactionSummary"),
    "a sound": (_in_user(wg.TextBlock("a"), wg.AudioBlock(url="u")), "$[0].content[1]", "audio"),
    "an image elsewhere": (
        _in_user(wg.ImageBlock(url="https://e/i")),
        "$[0].content[0]",
        "media source",
    ),
    "a broken data URL": (_in_user(wg.ImageBlock(url="data:x")), "$[0].content[0]", "media source"),
    "text beside results": (
        [wg.ToolMessage([wg.ToolResultBlock("c"), wg.TextBlock("a")], 1)],
        "$[0].content[1]",
        "content",
    ),
    "a batch of nothing": ([wg.ToolMessage([], 1)], "$[0]", "tool"),
    "a time before 1970": ([wg.UserMessage([], -1)], "$[0].timestamp", "timestamp"),
    "fewer than no tokens": (
        [wg.AssistantMessage([], usage=wg.Usage(cache_write=-1))],
        "$[0].usage.cache_write",
        "usage",
    ),
    "a turn of more than 32 bits": (
        [wg.UserMessage([], 1, turn_id=wg.model.TurnId("l", 2**32))],
        "$[0].turnId",
        "turnId",
    ),
    "a tag of a turn below zero": (
        [wg.UserMessage([], 1, tags=[wg.model.Tag("lesson", "t", -1, [])])],
        "$[0].tags",
        "tags",
    ),
    "encrypted thinking": (
        [wg.AssistantMessage([wg.ThinkingBlock("", "ZW5j", redacted=True)])],
        "$[0].content[0]",
        "redacted thinking",
    ),
    "where results stood": (
        _in_user(wg.TextBlock("a"), wg.ToolResultBlock("c")),
        "$[0].content[1]",
        "order",
    ),
    "unknown keys of the native wire beside a role of its own": (
        wg.json.decode(b'[{"role":"system","kind":"k","data":1,"x":2}]'),
        "$[0].extras",
        "extras",
    ),
    "a node below zero": (
        [wg.UserMessage([], 1, node_id=-1)],
        "$[0].nodeId",
        "nodeId",
    ),
    "an id": ([wg.UserMessage([], 1, id="u1")], "$[0].id", "id"),
    "a block's description": (
        _in_user(
            wg.ImageBlock.from_base64("AA==", "image/png"), wg.ImageBlock(data=b"", alt_text="x")
        ),
        "$[0].content[1].altText",
        "altText",
    ),
    "what is inside a result": (
        [wg.ToolResultMessage("c", content=[wg.TextBlock("a", signature="s")], timestamp=1)],
        "$[0].content[0].signature",
        "signature",
    ),
    "the count of image tokens": (
        [wg.AssistantMessage([], usage=wg.Usage(image_tokens=3))],
        "$[0].usage.image_tokens",
        "image_tokens",
    ),
    "keys of an API": (
        _in_user(wg.TextBlock("a", extras={"gemini": wg.Extra({"k": 1})})),
        "$[0].content[0].extras",
        "extras",
    ),
}


@pytest.mark.parametrize(("messages", "path", "what"), LOST.values(), ids=LOST)
def test_what_is_lost_is_said_to_be(messages: Any, path: str, what: str) -> None:
    losses: list[wg.Loss] = []
    phi.encode(messages, losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [(path, what)]
    with pytest.raises(wg.LossError) as caught:
        phi.encode(messages)
    assert caught.value.path == path
    assert caught.value.wire == "phi_core"


def test_what_is_no_message_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="phi_core: `str`, expected a message"):
        phi.encode(["text"])


BROKEN = {
    "an unknown role": (
        '{"role":"robot"}',
        (
            "unknown role `robot`,"
            " expected one of `user`, `assistant`, `toolResult`, `extension` - at `$.role`"
        ),
    ),
    "an unknown block": (
        '{"role":"user","content":[{"type":"video"}],"timestamp":1}',
        (
            "unknown type `video`, expected one of `text`, `image`, `thinking`, `toolCall`"
            " - at `$.content[0].type`"
        ),
    ),
    "a time that is no whole number": (
        '{"role":"user","content":[],"timestamp":1.5}',
        "expected `int`, got `float` - at `$.timestamp`",
    ),
    "a time before 1970": (
        '{"role":"user","content":[],"timestamp":-1}',
        "expected `int` >= 0 - at `$.timestamp`",
    ),
    "a time beyond 64 bits": (
        '{"role":"user","content":[],"timestamp":18446744073709551616}',
        "`timestamp` of 2**64 or more, expected 64 bits - at `$`",
    ),
    "snake case": (
        '{"role":"user","content":[{"type":"image","data":"AA==","mime_type":"image/png"}],'
        '"timestamp":1}',
        "object missing required field `mimeType` - at `$.content[0]`",
    ),
    "an image without data": (
        '{"role":"user","content":[{"type":"image","data":null,"mimeType":"image/png"}],'
        '"timestamp":1}',
        "expected base64 `str`, got `null` - at `$.content[0]`",
    ),
    "an extension without data": (
        '{"role":"system","kind":"k"}',
        (
            "unknown role `system`,"
            " expected one of `user`, `assistant`, `toolResult`, `extension` - at `$.role`"
        ),
    ),
    "half a character": (
        '{"role":"user","content":[{"type":"text","text":"\\ud83d"}],"timestamp":1}',
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it - at `byte 49`"
        ),
    ),
}


@pytest.mark.parametrize(("text", "error"), BROKEN.values(), ids=BROKEN)
def test_what_phi_core_refuses_is_refused(text: str, error: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        phi.decode(text)
    assert str(caught.value) == f"phi_core: {error}"


def test_half_a_character_is_replaced_where_losses_are_kept() -> None:
    losses: list[wg.Loss] = []
    text = BROKEN["half a character"][0]
    (message,) = phi.decode(text, losses=losses)
    assert message.text() == "\ufffd"
    assert [loss.what for loss in losses] == ["lone surrogate"]


# What each line of the example file is read as; the rest are messages.
_LINES: dict[int, Any] = {
    **dict.fromkeys(range(13, 20), phi.AgentEvent),
    **dict.fromkeys((20, 21), phi.CacheConfig),
    22: phi.CostConfig,
    23: phi.StreamDelta,
}


def _examples() -> list[str]:
    path = Path(__file__).parents[3] / "shared" / "formats" / "phi_core.jsonl"
    if not path.exists():
        pytest.skip("the examples of the format are not here")
    return path.read_text("utf-8").splitlines()


def test_every_example_comes_back_as_the_same_json() -> None:
    for number, line in enumerate(_examples(), 1):
        # The one normal form: `childLoopId` for the spelling of the documentation.
        expected = json.loads(
            line.replace("child_loop_id", "childLoopId") if number == 12 else line
        )
        own = phi.decode(line, _LINES.get(number, phi.AgentMessage))
        assert json.loads(phi.encode(own)) == expected
        if number not in _LINES:
            assert json.loads(phi.encode(phi.decode(line))) == [expected]


def test_every_example_that_phi_core_printed_is_printed_the_same() -> None:
    for number, line in enumerate(_examples(), 1):
        own = phi.decode(line, _LINES.get(number, phi.AgentMessage))
        if number in (1, 7, 8, 9):  # printed through `AgentMessage`
            assert phi.encode([own], as_printed=True).decode() == f"[{line}]"
        elif not 10 <= number <= 12:  # which were written by hand
            assert phi.encode(own, as_printed=True).decode() == line
