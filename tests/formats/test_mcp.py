"""MCP's conversations, results of tools and tools, against literal bytes and literal messages."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

import wireglot as wg
from tests.formats import mcp_documents
from wireglot import testing
from wireglot.formats import mcp


def _extras(spelling: dict[str, Any] | None = None, **keys: Any) -> wg.Extras:
    return {"mcp": wg.Extra(keys, spelling)}


def _user(*content: wg.Content, extras: wg.Extras | None = None) -> wg.Message:
    return wg.UserMessage([*content], extras=extras)


def _answer(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.AssistantMessage([*content], **more)


_IN_RESOURCE = {"type": "resource"}

BOTH_WAYS = {
    "a text": (
        '[{"role":"user","content":{"type":"text","text":"Où ?"}}]',
        [_user(wg.TextBlock("Où ?"))],
    ),
    "several blocks": (
        '[{"role":"user","content":[{"type":"text","text":"a"},'
        '{"type":"image","data":"R0lGODlh","mimeType":"image/gif"},'
        '{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}]}]',
        [
            _user(
                wg.TextBlock("a"),
                wg.ImageBlock.from_base64("R0lGODlh", "image/gif"),
                wg.AudioBlock.from_base64("UklGRg==", "audio/wav"),
            )
        ],
    ),
    "a list of one": (
        '[{"role":"user","content":[{"type":"text","text":"a"}]}]',
        [_user(wg.TextBlock("a"), extras=_extras({"content": []}))],
    ),
    "nothing said": ('[{"role":"user","content":[]}]', [_user()]),
    "annotations, meta and unknown keys": (
        '[{"role":"user","content":{"type":"text","text":"a",'
        '"annotations":{"priority":1.0},"_meta":{"b":1,"a":2},"mood":[1.5]},"_meta":{},"x":null}]',
        [
            _user(
                wg.TextBlock(
                    "a",
                    extras=_extras(
                        annotations={"priority": 1.0}, _meta={"b": 1, "a": 2}, mood=[1.5]
                    ),
                ),
                extras=_extras(_meta={}, x=None),
            )
        ],
    ),
    "nulls, as a dump of the SDK has them": (
        '[{"role":"user","content":{"type":"text","text":"a","annotations":null,"_meta":null},'
        '"_meta":null}]',
        [
            _user(
                wg.TextBlock("a", extras=_extras({"annotations": None, "_meta": None})),
                extras=_extras({"_meta": None}),
            )
        ],
    ),
    "a call and its results": (
        '[{"role":"assistant","content":{"type":"tool_use","id":"c1","name":"plot",'
        '"input":{"b": 1e2, "a":null}}},'
        '{"role":"user","content":[{"type":"tool_result","toolUseId":"c1","content":'
        '[{"type":"text","text":"x"}],"structuredContent":{"n":1},"isError":true},'
        '{"type":"tool_result","toolUseId":"c9","content":[]}]}]',
        [
            _answer(wg.ToolCallBlock("c1", "plot", '{"b": 1e2, "a":null}')),
            wg.ToolMessage(
                [
                    wg.ToolResultBlock("c1", "plot", [wg.TextBlock("x")], True, details={"n": 1}),
                    wg.ToolResultBlock("c9"),
                ]
            ),
        ],
    ),
    "a result that says of itself that it is no error": (
        '[{"role":"user","content":{"type":"tool_result","toolUseId":"c","content":[],'
        '"isError":false}}]',
        [wg.ToolMessage([wg.ToolResultBlock("c", extras=_extras({"isError": False}))])],
    ),
    "a result beside a text": (
        '[{"role":"user","content":[{"type":"text","text":"a"},'
        '{"type":"tool_result","toolUseId":"c","content":[]}]}]',
        [_user(wg.TextBlock("a"), wg.ToolResultBlock("c"))],
    ),
    "an answer": (
        '[{"role":"assistant","content":{"type":"text","text":"a"},"model":"m",'
        '"stopReason":"maxTokens"}]',
        [
            _answer(
                wg.TextBlock("a"),
                model="m",
                stop_reason=wg.StopReason.LENGTH,
                raw_stop_reason="maxTokens",
            )
        ],
    ),
    "an answer that stopped for a reason of the provider's": (
        '[{"role":"assistant","content":[],"model":"m","stopReason":"refusal"}]',
        [_answer(model="m", raw_stop_reason="refusal")],
    ),
    "a stop reason of what is no answer": (
        '[{"role":"assistant","content":[],"stopReason":"endTurn"}]',
        [_answer(extras=_extras(stopReason="endTurn"))],
    ),
    "a text in a resource": (
        '[{"role":"user","content":{"type":"resource","resource":{"uri":"file:///a.py",'
        '"mimeType":"text/x-python","text":"import a","_meta":{"k":1},"size":3},'
        '"annotations":{}}}]',
        [
            _user(
                wg.TextBlock(
                    "import a",
                    extras=_extras(
                        _IN_RESOURCE,
                        resource={
                            "uri": "file:///a.py",
                            "mimeType": "text/x-python",
                            "_meta": {"k": 1},
                            "size": 3,
                        },
                        annotations={},
                    ),
                )
            )
        ],
    ),
    "an image in a resource": (
        '[{"role":"user","content":{"type":"resource","resource":{"uri":"a:b",'
        '"mimeType":"image/png","blob":"iVBORw=="}}}]',
        [
            _user(
                wg.ImageBlock(
                    data=wg.Media.from_base64("iVBORw=="),
                    mime_type="image/png",
                    extras=_extras(_IN_RESOURCE, resource={"uri": "a:b"}),
                )
            )
        ],
    ),
    "data of no type in a resource": (
        '[{"role":"user","content":{"type":"resource","resource":{"uri":"a:b","blob":"AAAA"}}}]',
        [
            _user(
                wg.DataBlock(
                    data=wg.Media.from_base64("AAAA"),
                    extras=_extras(_IN_RESOURCE, resource={"uri": "a:b"}),
                )
            )
        ],
    ),
    "a document in a resource": (
        '[{"role":"user","content":{"type":"resource","resource":{"uri":"a:b",'
        '"mimeType":"application/pdf","blob":"JVBERi0="}}}]',
        [
            _user(
                wg.DocumentBlock(
                    data=wg.Media.from_base64("JVBERi0="),
                    mime_type="application/pdf",
                    extras=_extras(_IN_RESOURCE, resource={"uri": "a:b"}),
                )
            )
        ],
    ),
    "an image of the web": (
        '[{"role":"user","content":{"type":"resource_link","uri":"https://e/x.png","name":"x",'
        '"mimeType":"image/png","size":7,"title":"X","description":null}}]',
        [
            _user(
                wg.ImageBlock(
                    url="https://e/x.png",
                    filename="x",
                    mime_type="image/png",
                    size=7,
                    extras=_extras({"description": None}, title="X"),
                )
            )
        ],
    ),
    "a file that never was in MCP, by its name": (
        '[{"role":"user","content":{"type":"resource","resource":{"uri":"attachment:%C3%A9%20b.pdf",'
        '"mimeType":"application/pdf","blob":"UERG"}}}]',
        [
            _user(
                wg.DocumentBlock(
                    data="UERG",
                    mime_type="application/pdf",
                    filename="\u00e9 b.pdf",
                    extras=_extras({"type": "resource"}),
                )
            )
        ],
    ),
    "a URI that only looks like such a name": (
        '[{"role":"user","content":{"type":"resource","resource":{"uri":"attachment:a/b",'
        '"blob":"UERG"}}}]',
        [
            _user(
                wg.DataBlock(
                    data="UERG",
                    extras=_extras({"type": "resource"}, resource={"uri": "attachment:a/b"}),
                )
            )
        ],
    ),
    "a film in a bucket, which a model's own API reads": (
        '[{"role":"user","content":{"type":"resource_link","uri":"s3://films/x.mp4","name":"x",'
        '"mimeType":"video/mp4"}}]',
        [_user(wg.VideoBlock(url="s3://films/x.mp4", filename="x", mime_type="video/mp4"))],
    ),
    "a document in a bucket of Google's": (
        '[{"role":"user","content":{"type":"resource_link","uri":"gs://papers/x","name":"x",'
        '"mimeType":"application/pdf"}}]',
        [_user(wg.DocumentBlock(url="gs://papers/x", filename="x", mime_type="application/pdf"))],
    ),
    "a link that no model could follow": (
        '[{"role":"user","content":{"type":"resource_link","uri":"file:///x.png","name":"x",'
        '"mimeType":"image/png"}}]',
        [_user(wg.DataBlock(url="file:///x.png", filename="x", mime_type="image/png"))],
    ),
    "a link to data": (
        '[{"role":"user","content":{"type":"resource_link","uri":"data:a/b,c","name":""}}]',
        [
            _user(
                wg.DataBlock(
                    url="data:a/b,c", filename="", extras=_extras({"type": "resource_link"})
                )
            )
        ],
    ),
    "an image with a key of a resource": (
        '[{"role":"user","content":{"type":"image","data":"AA==","mimeType":"",'
        '"resource":{"uri":"u"}}}]',
        [
            _user(
                wg.ImageBlock(
                    data=wg.Media.from_base64("AA=="),
                    mime_type="",
                    extras=_extras(resource={"uri": "u"}),
                )
            )
        ],
    ),
}


@pytest.mark.parametrize(("text", "messages"), BOTH_WAYS.values(), ids=BOTH_WAYS)
def test_a_conversation_goes_both_ways(text: str, messages: list[wg.AgentMessage]) -> None:
    assert mcp.decode(text) == messages
    assert mcp.encode(messages).decode() == text
    assert mcp.encode(mcp.decode(text, list[mcp.Message])).decode() == text
    assert mcp.to_canonical(mcp.from_canonical(messages)) == messages


def test_what_is_only_carried_comes_back_byte_for_byte() -> None:
    text = (
        '[{"role":"user","content":{"type":"text","text":"a","annotations":{"priority": 1e0},'
        '"_meta":{ "b":1,"a":-0},"mood":[1.50, 12345678901234567890123]}},'
        '{"role":"assistant","content":{"type":"tool_use","id":"c","name":"t",'
        '"input":{ "a" :1e2}}},'
        '{"role":"user","content":{"type":"image","data":"iVBOR\\/w==","mimeType":"image/png"}}]'
    )
    assert mcp.encode(mcp.decode(text)).decode() == text
    assert mcp.encode(mcp.decode(text, list[mcp.Message])).decode() == text


def test_one_message_and_json_lines_are_read_and_lines_written() -> None:
    one = '{"role":"user","content":{"type":"text","text":"a"}}'
    two = '{"role":"assistant","content":{"type":"text","text":"b"}}'
    both = [_user(wg.TextBlock("a")), _answer(wg.TextBlock("b"))]
    assert mcp.decode(one) == both[:1]
    assert mcp.decode(f"{one}\n\n{two}\n") == both
    assert mcp.encode(both, lines=True).decode() == f"{one}\n{two}\n"
    assert mcp.encode(both[0]).decode() == f"[{one}]"


HOLDERS = {
    "the result of a prompt": (
        '{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"a"}}]}',
        [_user(wg.TextBlock("a"))],
    ),
    "a request to sample, its prompt first": (
        '{"maxTokens":9,"systemPrompt":"Be brief.","messages":[{"role":"user","content":'
        '{"type":"text","text":"a"}}],"temperature":0.5}',
        [wg.SystemMessage.from_text("Be brief."), _user(wg.TextBlock("a"))],
    ),
    "a request to sample, without a prompt": ('{"messages":[],"maxTokens":9}', []),
}


@pytest.mark.parametrize(("text", "messages"), HOLDERS.values(), ids=HOLDERS)
def test_the_messages_of_what_holds_them_are_read(
    text: str, messages: list[wg.AgentMessage]
) -> None:
    assert mcp.decode(text, losses=[]) == messages


def test_a_prompt_that_says_nothing_beside_its_messages_loses_nothing() -> None:
    message = '{"role":"user","content":{"type":"text","text":"a"}}'
    ends = (
        '"_meta":null,"description":null,"resultType":"complete"',
        '"resultType":null',
    )
    for end in ends:
        assert mcp.decode(f'{{"messages":[{message}],{end}}}') == [_user(wg.TextBlock("a"))]
    with pytest.raises(wg.DecodeError, match="`resultType`, expected a message"):
        mcp.decode(f'{{"messages":[{message}],"resultType":"input_required"}}')


def test_what_stands_beside_messages_is_never_dropped_without_a_word() -> None:
    text = '{"messages":[],"systemPrompt":"s","maxTokens":9,"x":1}'
    with pytest.raises(wg.DecodeError) as caught:
        mcp.decode(text)
    assert str(caught.value) == (
        "mcp: `maxTokens`, expected a message;"
        " pass the type, or a list as `losses` - at `$.maxTokens`"
    )
    losses: list[wg.Loss] = []
    assert mcp.decode(text, losses=losses) == [wg.SystemMessage.from_text("s")]
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.maxTokens", "maxTokens"),
        ("$.x", "x"),
    ]


def test_what_holds_messages_has_a_type_that_keeps_the_rest() -> None:
    text = (
        '{"messages":[],"maxTokens":9,"systemPrompt":null,"tools":[{"name":"t",'
        '"inputSchema":{"type":"object"}}],"temperature":0.5}'
    )
    params = mcp.decode(text, mcp.CreateMessageRequestParams)
    assert (params.max_tokens, params.system_prompt, params.tools[0].name) == (9, None, "t")
    assert mcp.encode(params).decode() == text
    prompt = mcp.decode(
        '{"messages":[],"description":"d","resultType":"complete"}', mcp.GetPromptResult
    )
    assert prompt.description == "d"
    assert prompt.unknown.value == {"resultType": "complete"}


# -- from canonical messages -------------------------------------------------------------------


def _in_user(*content: wg.Content) -> list[wg.Message]:
    return [wg.UserMessage([*content])]


WRITTEN = {
    "resources stand alone, so that prompts can hold them": (
        _in_user(
            wg.TextBlock("a"),
            wg.TextBlock("b"),
            wg.DocumentBlock(data=b"%PDF-", mime_type="application/pdf", filename="é.pdf"),
            wg.TextBlock("c"),
        ),
        '[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},'
        '{"role":"user","content":{"type":"resource","resource":{"uri":"attachment:%C3%A9.pdf",'
        '"mimeType":"application/pdf","blob":"JVBERi0="}}},'
        '{"role":"user","content":{"type":"text","text":"c"}}]',
    ),
    "a document of text": (
        _in_user(wg.DocumentBlock.from_text("t")),
        '[{"role":"user","content":{"type":"resource","resource":{"uri":"attachment:",'
        '"mimeType":"text/plain","text":"t"}}}]',
    ),
    "media by URL": (
        _in_user(wg.VideoBlock(url="https://e/a/b.mp4")),
        '[{"role":"user","content":{"type":"resource_link","uri":"https://e/a/b.mp4",'
        '"name":"b.mp4"}}]',
    ),
    "a data URL is inline": (
        _in_user(wg.ImageBlock(url="data:image/webp;base64,UklGRg==")),
        '[{"role":"user","content":{"type":"image","data":"UklGRg==","mimeType":"image/webp"}}]',
    ),
    "results in a row are one message": (
        [
            wg.ToolResultMessage("c1", content=[wg.TextBlock("one")]),
            wg.ToolResultMessage("c2", is_error=True),
            wg.UserMessage([]),
            wg.ToolResultMessage("c3"),
        ],
        '[{"role":"user","content":[{"type":"tool_result","toolUseId":"c1","content":'
        '[{"type":"text","text":"one"}]},{"type":"tool_result","toolUseId":"c2","content":[],'
        '"isError":true}]},{"role":"user","content":[]},'
        '{"role":"user","content":{"type":"tool_result","toolUseId":"c3","content":[]}}]',
    ),
    "an answer of an unknown model": (
        [wg.AssistantMessage([], wg.StopReason.TOOL_USE)],
        '[{"role":"assistant","content":[],"model":"","stopReason":"toolUse"}]',
    ),
    "an answer in parts has its model on the last that can have one": (
        [
            wg.AssistantMessage(
                [wg.TextBlock("a"), wg.DataBlock(url="u:v")], wg.StopReason.PAUSED, "m"
            )
        ],
        '[{"role":"assistant","content":{"type":"text","text":"a"},"model":"m",'
        '"stopReason":"paused"},{"role":"assistant","content":{"type":"resource_link",'
        '"uri":"u:v","name":"u:v"}}]',
    ),
    "no arguments": (
        [wg.AssistantMessage([wg.ToolCallBlock("c", "t", "")])],
        '[{"role":"assistant","content":{"type":"tool_use","id":"c","name":"t","input":{}}}]',
    ),
    "a result whose tool the call names": (
        [
            wg.AssistantMessage([wg.ToolCallBlock("c", "t", {})]),
            wg.ToolResultMessage("c", "t"),
        ],
        '[{"role":"assistant","content":{"type":"tool_use","id":"c","name":"t","input":{}}},'
        '{"role":"user","content":{"type":"tool_result","toolUseId":"c","content":[]}}]',
    ),
    "what was a link with a data URL and is inline now": (
        _in_user(wg.DataBlock(data=b"a", filename="b", extras=_extras({"type": "resource_link"}))),
        '[{"role":"user","content":{"type":"resource",'
        '"resource":{"uri":"attachment:b","blob":"YQ=="}}}]',
    ),
}


@pytest.mark.parametrize(("messages", "text"), WRITTEN.values(), ids=WRITTEN)
def test_what_others_said_is_written_without_a_loss(messages: list[wg.Message], text: str) -> None:
    assert mcp.encode(messages).decode() == text


def test_an_answer_whose_image_became_a_link_is_written() -> None:
    (made,) = mcp.decode(
        '[{"role":"assistant","content":{"type":"image","data":"YQ==","mimeType":"image/png",'
        '"x":1},"model":"m","stopReason":null}]'
    )
    block = made.content[0]
    block.data, block.url = None, "https://e/x.png"
    losses: list[wg.Loss] = []
    assert mcp.encode([made], losses=losses).decode() == (
        '[{"role":"assistant","content":{"type":"resource_link","uri":"https://e/x.png",'
        '"name":"x.png","mimeType":"image/png","x":1},"stopReason":null}]'
    )
    assert [loss.path for loss in losses] == ["$[0].model"]


def test_in_lines_every_result_stays_a_message() -> None:
    results = [wg.ToolResultMessage("c1"), wg.ToolResultMessage("c2")]
    assert mcp.encode(results, lines=True).decode() == (
        '{"role":"user","content":{"type":"tool_result","toolUseId":"c1","content":[]}}\n'
        '{"role":"user","content":{"type":"tool_result","toolUseId":"c2","content":[]}}\n'
    )


LOST = {
    "the system prompt": ([wg.SystemMessage.from_text("be brief")], "$[0]", "system"),
    "a summary": ([wg.CompactionSummaryMessage("all")], "$[0]", "compactionSummary"),
    "thinking": ([wg.AssistantMessage([wg.ThinkingBlock("so")])], "$[0].content[0]", "thinking"),
    "a medium of nowhere": (_in_user(wg.ImageBlock()), "$[0].content[0]", "media source"),
    "a broken data URL": (_in_user(wg.ImageBlock(url="data:x")), "$[0].content[0]", "media source"),
    "the name of an image": (
        _in_user(wg.ImageBlock(data=b"a", filename="f", mime_type="image/png")),
        "$[0].content[0].filename",
        "filename",
    ),
    "the size of what is inline": (
        _in_user(wg.DataBlock(data=b"a", size=1)),
        "$[0].content[0].size",
        "size",
    ),
    "a second source of a document": (
        _in_user(wg.DocumentBlock(text="t", url="u")),
        "$[0].content[0].url",
        "url",
    ),
    "the name of a resource that has a URI of its own": (
        _in_user(
            wg.DataBlock(
                data=b"a", filename="f", extras=_extras(_IN_RESOURCE, resource={"uri": "u"})
            )
        ),
        "$[0].content[0].filename",
        "filename",
    ),
    "arguments that are no object": (
        [wg.AssistantMessage([wg.ToolCallBlock("c", "t", "{half")])],
        "$[0].content[0].arguments",
        "arguments",
    ),
    "a tool's name that no call says": (
        [wg.ToolMessage([wg.ToolResultBlock("c", "t")])],
        "$[0].content[0].toolName",
        "toolName",
    ),
    "a call inside a result": (
        [wg.ToolMessage([wg.ToolResultBlock("c", content=[wg.ToolCallBlock("d", "t", {})])])],
        "$[0].content[0].content[0]",
        "toolCall",
    ),
    "a provider's word beside ours": (
        [wg.AssistantMessage([], wg.StopReason.STOP, "m", raw_stop_reason="end_turn")],
        "$[0].rawStopReason",
        "rawStopReason",
    ),
    "the model of what is no answer": (
        [wg.AssistantMessage([wg.DataBlock(url="u:v")], model="m")],
        "$[0].model",
        "model",
    ),
    "a time": ([wg.UserMessage([], 7)], "$[0].timestamp", "timestamp"),
    "a place in a session": (
        [wg.UserMessage([], node_id=4)],
        "$[0].nodeId",
        "nodeId",
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
    mcp.encode(messages, losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [(path, what)]
    with pytest.raises(wg.LossError) as caught:
        mcp.encode(messages)
    assert (caught.value.path, caught.value.wire) == (path, "mcp")


BROKEN = {
    "an unknown role": (
        '{"role":"system","content":[]}',
        ("unknown role `system`, expected one of `user`, `assistant` - at `$.role`"),
    ),
    "an unknown block": (
        '[{"role":"user","content":[{"type":"video"}]}]',
        (
            "unknown type `video`,"
            " expected one of `text`, `image`, `audio`, `tool_use`, `tool_result`"
            " - at `$[0].content[0].type`"
        ),
    ),
    "a resource among several blocks": (
        '{"role":"user","content":[{"type":"resource","resource":{"uri":"u","text":""}}]}',
        (
            "unknown type `resource`,"
            " expected one of `text`, `image`, `audio`, `tool_use`, `tool_result`"
            " - at `$.content[0].type`"
        ),
    ),
    "a result in a result": (
        '{"role":"user","content":{"type":"tool_result","toolUseId":"c","content":'
        '[{"type":"tool_result","toolUseId":"c","content":[]}]}}',
        (
            "unknown type `tool_result`,"
            " expected one of `text`, `image`, `audio`, `resource_link`, `resource`"
            " - at `$.content.content[0].type`"
        ),
    ),
    "an input that is not an object": (
        '{"role":"assistant","content":{"type":"tool_use","id":"c","name":"t","input":"{}"}}',
        "expected `object` as `input` - at `$.content`",
    ),
    "an image without data": (
        '{"role":"user","content":{"type":"image","data":null,"mimeType":"a/b"}}',
        "expected base64 `str`, got `null` - at `$.content`",
    ),
    "a resource without contents": (
        '{"role":"user","content":{"type":"resource","resource":{"uri":"u"}}}',
        "both or neither of `text` and `blob`, expected one - at `$.content.resource`",
    ),
    "a bad message in a prompt": (
        '{"messages":[{"role":"user"}]}',
        "object missing required field `content` - at `$.messages[0]`",
    ),
    "half a character": (
        '{"role":"user","content":{"type":"text","text":"\\ud83d"}}',
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it - at `byte 48`"
        ),
    ),
}


@pytest.mark.parametrize(("text", "error"), BROKEN.values(), ids=BROKEN)
def test_what_mcp_refuses_is_refused(text: str, error: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        mcp.decode(text)
    assert str(caught.value) == f"mcp: {error}"
    if "half" not in error:
        with pytest.raises(wg.DecodeError):
            mcp.decode(text, losses=[])


def test_half_a_character_of_structured_content_is_replaced_where_losses_are_kept() -> None:
    text = (
        '{"role":"user","content":{"type":"tool_result","toolUseId":"c","content":[],'
        '"structuredContent":"\\ud83d"}}'
    )
    with pytest.raises(wg.DecodeError):
        mcp.decode(text)
    losses: list[wg.Loss] = []
    (message,) = mcp.decode(text, losses=losses)
    assert message.content[0].details == "\ufffd"
    assert [loss.what for loss in losses] == ["lone surrogate"]


def test_what_is_no_message_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="mcp: `str`, expected a message"):
        mcp.encode(["text"])
    tampered: wg.Extras = {"mcp": wg.Extra({}, {"type": "resource"})}
    assert b'"uri":"attachment:"' in mcp.encode(_in_user(wg.TextBlock("a", extras=tampered)))
    tampered = {"mcp": wg.Extra({"resource": {"uri": 5}}, {"type": "resource"})}
    with pytest.raises(wg.EncodeError, match="mcp: Expected `str`, got `int`"):
        mcp.encode(_in_user(wg.TextBlock("a", extras=tampered)))


# -- results of tools --------------------------------------------------------------------------

RESULTS = {
    "a text": ('{"content":[{"type":"text","text":"x"}]}', {"content": [wg.TextBlock("x")]}),
    "an error": ('{"content":[],"isError":true}', {"is_error": True}),
    "no error, as the SDK says it": (
        '{"content":[],"isError":false,"resultType":"complete"}',
        {"extras": _extras({"resultType": "complete", "isError": False})},
    ),
    "structured content beside the text": (
        '{"content":[{"type":"text","text":"1"}],"structuredContent":{"n":1}}',
        {"content": [wg.TextBlock("1")], "details": {"n": 1}},
    ),
    "nulls": (
        '{"content":[],"structuredContent":null,"isError":null,"resultType":null,"_meta":null}',
        {
            "extras": _extras(
                {"structuredContent": None, "isError": None, "resultType": None, "_meta": None}
            )
        },
    ),
    "a task, meta and unknown keys": (
        '{"content":[],"resultType":"task","_meta":{"k":1},"x":2}',
        {"extras": _extras(resultType="task", _meta={"k": 1}, x=2)},
    ),
}


@pytest.mark.parametrize(("text", "fields"), RESULTS.values(), ids=RESULTS)
def test_what_a_tool_answered_is_the_result_of_a_call_and_back(
    text: str, fields: dict[str, Any]
) -> None:
    held = mcp.decode(text, mcp.CallToolResult)
    result = mcp.tool_result(held, "c1", "plot")
    assert result == wg.ToolResultMessage("c1", "plot", **fields)
    assert mcp.call_tool_result(result) == held
    assert mcp.encode(mcp.call_tool_result(result)).decode() == text


@settings(max_examples=200)
@given(mcp_documents.results())
def test_any_result_comes_back_equal(result: mcp.CallToolResult) -> None:
    made = mcp.tool_result(result, "c")
    assert mcp.call_tool_result(made) == result
    (again,) = wg.json.decode(wg.json.encode([made]))
    assert mcp.call_tool_result(again) == result
    assert mcp.decode(mcp.encode(result), mcp.CallToolResult) == result


def test_a_result_goes_into_a_conversation_with_the_call() -> None:
    answered = mcp.decode(
        '{"content":[],"isError":false,"resultType":"complete"}', mcp.CallToolResult
    )
    session = [
        wg.AssistantMessage([wg.ToolCallBlock("c1", "plot", {})]),
        mcp.tool_result(answered, "c1", "plot"),
    ]
    assert mcp.encode(session).decode() == (
        '[{"role":"assistant","content":{"type":"tool_use","id":"c1","name":"plot","input":{}}},'
        '{"role":"user","content":{"type":"tool_result","toolUseId":"c1","content":[],'
        '"isError":false}}]'
    )
    assert b"plot" in wg.PROVIDERS["gemini"].encode_request(wg.Request(session, model="m"))


def test_what_of_a_result_a_tool_cannot_answer_is_a_loss() -> None:
    losses: list[wg.Loss] = []
    block = wg.ToolResultBlock(
        "c", content=[wg.ThinkingBlock("so"), wg.TextBlock("a", signature="s")], status="done"
    )
    assert mcp.encode(mcp.call_tool_result(block, losses=losses)).decode() == (
        '{"content":[{"type":"text","text":"a"}]}'
    )
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.status", "status"),
        ("$.content[0]", "thinking"),
        ("$.content[1].signature", "signature"),
    ]
    with pytest.raises(wg.EncodeError, match="mcp: `TextBlock`, expected a tool result"):
        mcp.call_tool_result(wg.TextBlock("a"))  # type: ignore[arg-type]


def test_structured_content_that_python_has_not_is_a_decode_error() -> None:
    held = mcp.decode('{"content":[],"structuredContent":1e400}', mcp.CallToolResult)
    with pytest.raises(wg.DecodeError, match="mcp: "):
        mcp.tool_result(held, "c")


# -- tools -------------------------------------------------------------------------------------

TOOLS = (
    '{"tools":[{"name":"plot","inputSchema":{ "type":"object", "z":1e2},"description":"Draws.",'
    '"title":"Plot","outputSchema":{"type": "object"},"annotations":{"readOnlyHint":true},'
    '"icons":null,"execution":{},"_meta":{"k":1},"x":2},'
    '{"name":"bare","inputSchema":{}}]}'
)


def test_tools_are_canonical_ones_and_back_byte_for_byte() -> None:
    tools = mcp.tools(mcp.decode(TOOLS, mcp.ListToolsResult))
    assert tools == [
        wg.Tool(
            "plot",
            "Draws.",
            wg.RawJson('{ "type":"object", "z":1e2}'),
            extras=_extras(
                {"icons": None},
                title="Plot",
                outputSchema={"type": "object"},
                annotations={"readOnlyHint": True},
                execution={},
                _meta={"k": 1},
                x=2,
            ),
        ),
        wg.Tool("bare", None, wg.RawJson("{}")),
    ]
    assert tools[0].parameters.text == b'{ "type":"object", "z":1e2}'
    assert mcp.encode(mcp.list_tools_result(tools)).decode() == TOOLS


@given(mcp_documents.tools())
def test_any_tools_come_back_equal(result: mcp.ListToolsResult) -> None:
    assert mcp.list_tools_result(mcp.tools(result)) == result


def test_a_tool_without_a_schema_takes_any_object_and_what_is_no_function_is_lost() -> None:
    losses: list[wg.Loss] = []
    tools = [wg.Tool("a", strict=True), wg.OpaqueBlock("gemini", {"googleSearch": {}})]
    assert mcp.encode(mcp.list_tools_result(tools, losses=losses)).decode() == (
        '{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}'
    )
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$[0].strict", "strict"),
        ("$[1]", "tool"),
    ]


def test_a_schema_is_an_object() -> None:
    with pytest.raises(
        wg.DecodeError, match=r"expected `object` as `inputSchema` - at `\$.tools\[0\]`"
    ):
        mcp.decode('{"tools":[{"name":"a","inputSchema":true}]}', mcp.ListToolsResult)


# -- the SDK -----------------------------------------------------------------------------------


def _sdk() -> Any:
    return pytest.importorskip("mcp.types")


def _model(sdk: Any, message: dict[str, Any]) -> Any:
    """Return the SDK's model of what a message is: of a prompt, an answer, or for sampling."""
    content = message["content"]
    if "model" in message:
        return sdk.CreateMessageResultWithTools
    if isinstance(content, dict) and content["type"] in ("resource", "resource_link"):
        return sdk.PromptMessage
    return sdk.SamplingMessage


def _plain(value: Any, **options: Any) -> Any:
    return value.model_dump(by_alias=True, **options)


def _check_with_sdk(body: bytes) -> None:
    sdk = _sdk()
    for message in json.loads(body):
        read = _model(sdk, message).model_validate(message)
        assert _plain(read, exclude_unset=True) == message


@pytest.mark.parametrize(("messages", "text"), WRITTEN.values(), ids=WRITTEN)
def test_the_sdk_takes_what_is_written(messages: list[wg.Message], text: str) -> None:
    _check_with_sdk(text.encode())


@settings(max_examples=300)
@given(testing.sessions())
def test_the_sdk_takes_whatever_is_written(session: list[wg.AgentMessage]) -> None:
    _check_with_sdk(mcp.encode(session, losses=[]))


@given(testing.sessions())
def test_the_sdk_takes_any_result_of_a_session(session: list[wg.AgentMessage]) -> None:
    sdk = _sdk()
    for message in wg.llm_messages(session):
        if isinstance(message, wg.ToolResultMessage):
            body = mcp.encode(mcp.call_tool_result(message, losses=[]))
            read = sdk.CallToolResult.model_validate(json.loads(body))
            assert _plain(read, exclude_unset=True) == json.loads(body)


def test_the_sdk_takes_results_in_a_row_as_those_of_one_turn() -> None:
    from mcp.server import validation

    session = [
        wg.AssistantMessage([wg.ToolCallBlock("c1", "a", {}), wg.ToolCallBlock("c2", "b", {})]),
        wg.ToolResultMessage("c1", "a"),
        wg.ToolResultMessage("c2", "b"),
    ]
    messages = [_sdk().SamplingMessage.model_validate(m) for m in json.loads(mcp.encode(session))]
    validation.validate_tool_use_result_messages(messages)


def _said(sdk: Any) -> list[Any]:
    """Return messages as the SDK makes them."""
    note = sdk.Annotations(audience=["user"], priority=0.5)
    text = sdk.TextContent(text="é", annotations=note, _meta={"k": [1]})
    image = sdk.ImageContent(data="iVBORw==", mime_type="image/png")
    sound = sdk.AudioContent(data="UklGRg==", mime_type="audio/wav")
    contents = sdk.TextResourceContents(uri="file:///a", mime_type="text/plain", text="t")
    blob = sdk.BlobResourceContents(uri="file:///b", mime_type="image/png", blob="iVBORw==")
    link = sdk.ResourceLink(uri="https://e/x", name="x", size=3, icons=[sdk.Icon(src="https://i")])
    call = sdk.ToolUseContent(id="c1", name="plot", input={"a": 1.5})
    result = sdk.ToolResultContent(
        tool_use_id="c1",
        content=[text, image, link, sdk.EmbeddedResource(resource=blob)],
        structured_content={"n": 1},
        is_error=False,
    )
    return [
        sdk.PromptMessage(role="user", content=sdk.EmbeddedResource(resource=contents)),
        sdk.PromptMessage(role="assistant", content=link),
        sdk.SamplingMessage(role="user", content=[text, image, sound], _meta={"t": 1}),
        sdk.SamplingMessage(role="assistant", content=[call]),
        sdk.SamplingMessage(role="user", content=result),
        sdk.CreateMessageResultWithTools(
            role="assistant", content=text, model="m", stop_reason="endTurn"
        ),
    ]


@pytest.mark.parametrize("exclude_none", [True, False], ids=["without nulls", "with nulls"])
def test_what_the_sdk_writes_is_read_and_comes_back(exclude_none: bool) -> None:
    sdk = _sdk()
    said = [_plain(message, mode="json", exclude_none=exclude_none) for message in _said(sdk)]
    body = json.dumps(said)
    assert json.loads(mcp.encode(mcp.decode(body))) == said
    assert json.loads(mcp.encode(mcp.decode(body, list[mcp.Message]))) == said
    assert [message.role for message in mcp.decode(body)] == [
        *("user", "assistant", "user", "assistant", "tool", "assistant")
    ]


def test_what_the_sdk_answers_and_offers_is_read_and_comes_back() -> None:
    sdk = _sdk()
    text = sdk.TextContent(text="1")
    result = sdk.CallToolResult(content=[text], structured_content={"n": 1}, is_error=True)
    tool = sdk.Tool(
        name="plot",
        description="Draws.",
        input_schema={"type": "object"},
        output_schema={"type": "object"},
        annotations=sdk.ToolAnnotations(title="Plot", read_only_hint=True),
    )
    offered = sdk.ListToolsResult(tools=[tool])
    for exclude_none in (True, False):
        body = result.model_dump_json(by_alias=True, exclude_none=exclude_none)
        made = mcp.tool_result(mcp.decode(body, mcp.CallToolResult), "c1", "plot")
        assert (made.text(), made.details, made.is_error) == ("1", {"n": 1}, True)
        again = sdk.CallToolResult.model_validate_json(mcp.encode(mcp.call_tool_result(made)))
        assert again == result
        body = offered.model_dump_json(by_alias=True, exclude_none=exclude_none)
        tools = mcp.tools(mcp.decode(body, mcp.ListToolsResult))
        assert (tools[0].name, tools[0].parameters.text) == ("plot", b'{"type":"object"}')
        made_again = mcp.encode(mcp.list_tools_result(tools))
        assert sdk.ListToolsResult.model_validate_json(made_again) == offered
