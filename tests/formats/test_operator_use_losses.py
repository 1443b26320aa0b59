"""What Operator-Use cannot carry: each loss with its path, and what is written instead."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import wireglot as wg
from wireglot.formats.operator_use import decode, encode
from wireglot.formats.operator_use.entries import MessageWriter

API = "operator-use"
GIF = "R0lGODlhAQABAAAAACw="
FOREIGN = {"anthropic-messages": wg.Extra({"x": 1})}


def _user(*content: wg.Content, **more: Any) -> wg.UserMessage:
    return wg.UserMessage([*content], **more)


def _answer(*content: wg.Content, **more: Any) -> wg.AssistantMessage:
    return wg.AssistantMessage([*content], **more)


def _result(*content: wg.Content, **more: Any) -> wg.ToolMessage:
    return wg.ToolMessage([wg.ToolResultBlock("c", None, [*content], **more)])


def _call(**more: Any) -> wg.AssistantMessage:
    return _answer(wg.ToolCallBlock("c", "f", more.pop("arguments", "{}"), **more))


TEXT = wg.TextBlock("a")
Contents = Callable[[dict[str, Any]], Any]


def _contents(written: dict[str, Any]) -> Any:
    return written["contents"]


def _text(*texts: str) -> Any:
    return _contents, [{"type": "text", "content": text} for text in texts]


def _key(*path: str | int) -> Contents:
    def get(written: dict[str, Any]) -> Any:
        value: Any = written
        for key in path:
            value = value[key]
        return value

    return get


NO_IMAGE = "$[0].content[0]"
# The row, the message, the path, and what is written: where, and what stands there.
ROWS: dict[str, tuple[str, Any, str, tuple[Contents, Any]]] = {
    "a call whose arguments are no object": (
        "arguments",
        _call(arguments=wg.Arguments('{"a":')),
        "$[0].content[0].arguments",
        (_key("contents", 0, "args"), {}),
    ),
    "a call whose arguments are a list": (
        "arguments",
        _call(arguments=wg.Arguments("[1]")),
        "$[0].content[0].arguments",
        (_key("contents", 0, "args"), {}),
    ),
    "a cost without bounds": (
        "cost",
        _answer(usage=wg.Usage(cost=wg.Cost(1.0, float("inf"), 0.0, 0.0, 0.0))),
        "$[0].usage.cost.output",
        (_key("usage", "cost", "output"), 0.0),
    ),
    "a call in a custom message": (
        "custom content",
        wg.CustomMessage("x", [TEXT, wg.ToolCallBlock("c", "f", "{}")]),
        "$[0].content[1]",
        _text("a"),
    ),
    "another system's block in a custom message": (
        "custom content",
        wg.CustomMessage("x", [wg.OpaqueBlock("gemini", wg.RawJson("{}"))]),
        "$[0].content[0]",
        _text(),
    ),
    "what is not displayed": (
        "display",
        wg.CustomMessage("x", [], False),
        "$[0].display",
        _text(),
    ),
    "a document, but for its text": (
        "document",
        _user(wg.DocumentBlock.from_text("a", "title")),
        "$[0].content[0]",
        _text("a"),
    ),
    "a document of data": (
        "document",
        _user(wg.DocumentBlock.from_bytes(b"%PDF-"), TEXT),
        "$[0].content[0]",
        _text("a"),
    ),
    "an error, but for its message": (
        "error",
        _user(wg.ErrorBlock("broken", "E1")),
        "$[0].content[0]",
        _text("broken"),
    ),
    "an id of a note": ("id", wg.CustomMessage("x", [], id="n"), "$[0].id", _text()),
    "an image by file id": (
        "media source",
        _user(wg.ImageBlock.from_file_id("f1"), TEXT),
        NO_IMAGE,
        _text("a"),
    ),
    "an image by a URL of another scheme": (
        "media source",
        _user(wg.ImageBlock(url="ftp://x/y.png"), TEXT),
        NO_IMAGE,
        _text("a"),
    ),
    "an image without a source": (
        "media source",
        _user(wg.ImageBlock(), TEXT),
        NO_IMAGE,
        _text("a"),
    ),
    "an image that would be taken for a URL": (
        "media source",
        _user(wg.ImageBlock(data=wg.Media.from_base64("http")), TEXT),
        NO_IMAGE,
        _text("a"),
    ),
    "an image that would be taken for a URL, escaped": (
        "media source",
        _user(wg.json.decode(rb'{"type":"image","data":"\u0068ttp:\/\/x"}', wg.ImageBlock), TEXT),
        NO_IMAGE,
        _text("a"),
    ),
    "sound that would be taken for a path": (
        "media source",
        _user(wg.AudioBlock(data=wg.Media.from_base64("file:/etc/passwd")), TEXT),
        NO_IMAGE,
        _text("a"),
    ),
    "sound that would be taken for a URL": (
        "media source",
        _user(wg.AudioBlock(data=wg.Media.from_base64("http")), TEXT),
        NO_IMAGE,
        _text("a"),
    ),
    "a path, which Operator-Use would read": (
        "media source",
        _user(wg.AudioBlock(url="file:/etc/passwd"), TEXT),
        NO_IMAGE,
        _text("a"),
    ),
    "sound by URL": (
        "media source",
        _user(wg.AudioBlock.from_url("https://x/y.mp3"), TEXT),
        NO_IMAGE,
        _text("a"),
    ),
    "sound by URL in the list of later versions": (
        "media source",
        _user(
            wg.AudioBlock(
                url="https://x/y.mp3", extras={"operator-use": wg.Extra({}, {"list": "audios"})}
            ),
            TEXT,
        ),
        NO_IMAGE,
        _text("a"),
    ),
    "a type that the bytes do not tell": (
        "mimeType",
        _user(wg.ImageBlock.from_base64(GIF, "image/png")),
        "$[0].content[0].mimeType",
        (_contents, [{"type": "image", "images": [GIF]}]),
    ),
    "the type of a URL": (
        "mimeType",
        _user(wg.ImageBlock.from_url("https://x", "image/png")),
        "$[0].content[0].mimeType",
        (_contents, [{"type": "image", "images": ["https://x"]}]),
    ),
    "the model of a bare answer": ("model", _answer(TEXT, model="m"), "$[0].model", _text("a")),
    "the provider of a bare answer": (
        "provider",
        _answer(TEXT, provider="p"),
        "$[0].provider",
        _text("a"),
    ),
    "encrypted thinking": (
        "redacted thinking",
        _answer(wg.ThinkingBlock("", "c2ln", True), TEXT),
        "$[0].content[0]",
        _text("a"),
    ),
    "thinking that OpenAI signed": (
        "signature",
        _answer(wg.ThinkingBlock("hm", "c2ln"), api="openai-responses"),
        "$[0].content[0].signature",
        (_contents, [{"type": "thinking", "content": "hm", "signature": ""}]),
    ),
    "a call that Anthropic signed": (
        "signature",
        _answer(wg.ToolCallBlock("c", "f", "{}", signature="s"), api="anthropic-messages"),
        "$[0].content[0].signature",
        (_contents, [{"type": "tool_call", "id": "c", "name": "f", "args": {}}]),
    ),
    "metadata that stand where the signature goes": (
        "metadata",
        _call(signature="s", metadata={"thoughtSignature": 1, "a": 2}),
        "$[0].content[0].metadata",
        (_key("contents", 0, "metadata"), {"thoughtSignature": "s", "a": 2}),
    ),
    "a stop reason of another system": (
        "stopReason",
        _answer(stop_reason=wg.StopReason.MAX_TURNS),
        "$[0].stopReason",
        (_key("stop_reason"), "stop"),
    ),
    "a time beyond all times": (
        "timestamp",
        _user(TEXT, timestamp=2**63 - 1),
        "$[0].timestamp",
        _text("a"),
    ),
    "an image in a result": (
        "tool result content",
        _result(TEXT, wg.ImageBlock.from_base64(GIF)),
        "$[0].content[0].content[1]",
        (_key("contents", 0, "content"), "a"),
    ),
    "two lists of images in a result": (
        "tool result content",
        _result(
            wg.ImageBlock(data=wg.Media.from_base64(GIF)),
            wg.ImageBlock(url="https://x", extras={API: wg.Extra({"dimension_note": "half"})}),
            extras={API: wg.Extra({}, {"image": True})},
        ),
        "$[0].content[0].content",
        (_key("contents", 0, "image"), {"type": "image", "images": [GIF]}),
    ),
    "a text after an image in a result": (
        "order",
        _result(wg.ImageBlock.from_base64(GIF), TEXT, extras={API: wg.Extra({}, {"image": True})}),
        "$[0].content[0].content[1]",
        (_key("contents", 0, "content"), "a"),
    ),
    "an image after a sound in a result": (
        "order",
        _result(
            wg.AudioBlock.from_bytes(b"ID3"),
            wg.ImageBlock.from_base64(GIF),
            extras={API: wg.Extra({}, {"image": True, "audio": True})},
        ),
        "$[0].content[0].content[1]",
        (_key("contents", 0, "image"), {"type": "image", "images": [GIF]}),
    ),
    "a block in a result that nobody can read": (
        "tool result content",
        _result(wg.OpaqueBlock(API, wg.RawJson('{"type":"odd"}')), TEXT),
        "$[0].content[0].content[0]",
        (_key("contents", 0, "content"), "a"),
    ),
    "a film": ("video", _user(wg.VideoBlock.from_bytes(b"x"), TEXT), "$[0].content[0]", _text("a")),
    "data of any other kind": (
        "data",
        _user(wg.DataBlock.from_bytes(b"x"), TEXT),
        "$[0].content[0]",
        _text("a"),
    ),
    "references": (
        "annotation",
        _user(wg.AnnotationBlock(), TEXT),
        "$[0].content[0]",
        _text("a"),
    ),
    "another API's block": (
        "opaque",
        _user(wg.OpaqueBlock("gemini", wg.RawJson("{}")), TEXT),
        "$[0].content[0]",
        _text("a"),
    ),
    "a breakpoint": (
        "cache",
        _user(wg.TextBlock("a", cache=wg.CacheMark())),
        "$[0].content[0].cache",
        _text("a"),
    ),
    "a description of an image": (
        "altText",
        _user(wg.ImageBlock(url="https://x", alt_text="a dog")),
        "$[0].content[0].altText",
        (_contents, [{"type": "image", "images": ["https://x"]}]),
    ),
    "details of thinking": (
        "details",
        _answer(wg.ThinkingBlock("hm", details=["a"])),
        "$[0].content[0].details",
        (_contents, [{"type": "thinking", "content": "hm", "signature": ""}]),
    ),
    "the status of a result": (
        "status",
        _result(TEXT, status="done"),
        "$[0].content[0].status",
        (_key("contents", 0, "content"), "a"),
    ),
    "another API's keys in a result's text": (
        "extras",
        _result(wg.TextBlock("a", extras=FOREIGN)),
        "$[0].content[0].content[0].extras",
        (_key("contents", 0, "content"), "a"),
    ),
    "its own keys in a result's text, where they have no place": (
        "extras",
        _result(wg.TextBlock("a", extras={API: wg.Extra({"x": 1})})),
        "$[0].content[0].content[0].extras",
        (_key("contents", 0, "content"), "a"),
    ),
    "another API's keys": ("extras", _user(TEXT, extras=FOREIGN), "$[0].extras", _text("a")),
    "a name": ("name", _user(TEXT, name="bob"), "$[0].name", _text("a")),
    "metadata of a message": (
        "metadata",
        _user(TEXT, metadata={"a": 1}),
        "$[0].metadata",
        _text("a"),
    ),
    "the API of an answer": (
        "api",
        _answer(TEXT, api="gemini-generate-content"),
        "$[0].api",
        _text("a"),
    ),
    "the provider's own stop reason": (
        "rawStopReason",
        _answer(TEXT, raw_stop_reason="end_turn"),
        "$[0].rawStopReason",
        _text("a"),
    ),
    "tokens of reasoning": (
        "reasoning",
        _answer(TEXT, usage=wg.Usage(reasoning=5)),
        "$[0].usage.reasoning",
        _text("a"),
    ),
    "a total that a provider reported": (
        "total_tokens",
        _answer(TEXT, usage=wg.Usage(total_tokens=5)),
        "$[0].usage.total_tokens",
        _text("a"),
    ),
    "a turn": (
        "turnId",
        _user(TEXT).with_turn_id(wg.model.TurnId("l", 0)),
        "$[0].turnId",
        _text("a"),
    ),
    "a result's loop": (
        "childLoopId",
        wg.ToolResultMessage("c", content=[TEXT], child_loop_id="l"),
        "$[0].childLoopId",
        (_key("contents", 0, "content"), "a"),
    ),
    "details of a summary": (
        "details",
        wg.BranchSummaryMessage("s", details={"a": 1}),
        "$[0].details",
        (_key("summary"), "s"),
    ),
    "what a summary keeps": (
        "firstKeptId",
        wg.CompactionSummaryMessage("s", first_kept_id="m"),
        "$[0].firstKeptId",
        (_key("summary"), "s"),
    ),
}
every_row = pytest.mark.parametrize(
    ("what", "message", "path", "written"), ROWS.values(), ids=ROWS.keys()
)


@every_row
def test_a_loss_is_an_error_where_there_is_no_list_for_it(
    what: str, message: wg.AgentMessage, path: str, written: tuple[Contents, Any]
) -> None:
    with pytest.raises(wg.LossError) as caught:
        encode([message], form="messages")
    if what == "signature":  # the API that signed is lost too, and first
        what, path = "api", "$[0].api"
    assert (caught.value.path, caught.value.wire) == (path, "operator_use")
    assert caught.value.reason.startswith(f"{what}: ")


@every_row
def test_a_loss_is_recorded_and_the_rest_is_written(
    what: str, message: wg.AgentMessage, path: str, written: tuple[Contents, Any]
) -> None:
    losses: list[wg.Loss] = []
    (made,) = json.loads(encode([message], losses=losses, form="messages"))
    found = [(loss.what, loss.path) for loss in losses]
    assert found == ([("api", "$[0].api")] if what == "signature" else []) + [(what, path)]
    get, value = written
    assert get(made) == value


def test_every_row_of_the_table_is_tried() -> None:
    of_sessions = {"extension", "meta", "session", "targetId"}
    assert {*MessageWriter.LOSSES} <= {row[0] for row in ROWS.values()} | of_sessions


def test_an_extension_has_no_place_among_bare_messages() -> None:
    losses: list[wg.Loss] = []
    session = [_user(TEXT), wg.ExtensionMessage("todo", 1)]
    assert encode(session, losses=losses, form="messages") == encode(session[:1], form="messages")
    assert [(loss.what, loss.path) for loss in losses] == [("extension", "$[1]")]


def test_what_a_channel_says_has_no_place_among_bare_messages() -> None:
    line = '{"type":"message","message":{"role":"user"},"meta":{"reply_to":"m"}}'
    losses: list[wg.Loss] = []
    assert encode(decode(line), losses=losses, form="rpc") == b'[{"role":"user","contents":[]}]'
    assert [(loss.what, loss.path) for loss in losses] == [("meta", "$[0].extras")]


def test_what_a_channel_says_is_a_loss_on_another_wire_and_its_place_is_none() -> None:
    line = '{"id":"a","timestamp":1.0,"type":"message","message":{"role":"user","contents":[]}%s}'
    losses: list[wg.Loss] = []
    wg.formats.phi_core.encode(decode(line % ""), losses=losses)
    assert losses == []
    wg.formats.phi_core.encode(decode(line % ',"meta":{"reply_to":"m"}'), losses=losses)
    assert [loss.what for loss in losses] == ["extras"]


def test_a_session_file_carries_what_bare_messages_do_not() -> None:
    session = [
        wg.CustomMessage("x", [], False, id="n"),
        _answer(model="m", provider="p"),
        wg.BranchSummaryMessage("s", details={"a": 1}, id="b"),
        wg.CompactionSummaryMessage("s", first_kept_id="n", details=1),
        wg.ExtensionMessage("todo", None),
    ]
    read = decode(encode(session))
    assert [(m.kind, m.data) for m in read if isinstance(m, wg.ExtensionMessage)][1:] == [
        ("model_change", {"model_id": "m", "provider_id": "p"}),
        ("todo", None),
    ]
    assert (read[1].display, read[1].id) == (False, "n")
    assert (read[4].details, read[4].id) == ({"a": 1}, "b")
    assert (read[5].details, read[5].first_kept_id) == (1, "n")


def test_an_id_that_another_entry_has_is_a_loss() -> None:
    losses: list[wg.Loss] = []
    body = encode(
        [wg.CustomMessage("x", [], id="n"), wg.CustomMessage("y", [], id="n")], losses=losses
    )
    assert [(loss.what, loss.path) for loss in losses] == [("id", "$[1].id")]
    assert [json.loads(line)["id"] for line in body.splitlines()[1:]] == ["n", "00000002"]


def test_an_id_of_a_message_in_an_entry_of_its_own_is_a_loss() -> None:
    line = '{"id":"a","type":"message","message":{"role":"custom","custom_type":"x"}}'
    (message,) = decode(line)
    message.id = "new"
    with pytest.raises(wg.LossError) as caught:
        encode([message])
    assert caught.value.path == "$[0].id"


@pytest.mark.parametrize(
    ("message", "path"),
    [
        (_call(metadata={"a": float("nan")}), "$[0].content[0].metadata"),
        (_result(metadata={"a": float("inf")}), "$[0].content[0].metadata"),
        (wg.CustomMessage("x", [], details=float("nan")), "$[0].details"),
        (wg.BranchSummaryMessage("x", details=[float("nan")]), "$[0].details"),
        (wg.ExtensionMessage("x", float("nan")), "$[0].data"),
        (wg.ExtensionMessage("x", object()), "$[0].data"),
        (
            _user(wg.OpaqueBlock(API, wg.RawJson('{"type":"odd"}'))),
            "$[0].content[0].raw.type",
        ),
    ],
)
def test_what_json_has_no_word_for_is_an_error(message: wg.AgentMessage, path: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        encode([message])
    assert caught.value.path == path


def test_half_a_character_is_an_error_or_a_loss() -> None:
    message = _user(wg.TextBlock("a\ud83d"))
    with pytest.raises(wg.EncodeError):
        encode([message])
    losses: list[wg.Loss] = []
    assert "a\ufffd".encode() in encode([message], losses=losses)
    assert [loss.what for loss in losses] == ["lone surrogate"]


@pytest.mark.parametrize(
    "extra",
    [
        wg.Extra({}, {"(entry)": []}),
        wg.Extra({}, {"(entry)": {"id": 7}}),
        wg.Extra({"(entry)": 1}),
        wg.Extra({"(entry)": {"meta": 1}}),
        wg.Extra({}, {"timestamp": []}),
        wg.Extra({}, {"timestamp": "soon"}),
    ],
)
def test_extras_that_it_never_wrote_are_an_error_and_no_crash(extra: wg.Extra) -> None:
    with pytest.raises(wg.EncodeError):
        encode([_user(TEXT, timestamp=5, extras={API: extra})])


@pytest.mark.parametrize("name", ["list", "apart", "url", "mime_type", "dimension_note"])
@pytest.mark.parametrize("value", [None, [], {}, 1, "files"])
def test_odd_spellings_of_media_do_no_harm(name: str, value: Any) -> None:
    extras = {API: wg.Extra({}, {name: value})}
    block = wg.ImageBlock(data=wg.Media.from_base64(GIF), extras=extras)
    losses: list[wg.Loss] = []
    encode([_user(block)], losses=losses)
    assert {loss.what for loss in losses} <= {"image"}


def test_anything_that_is_no_message_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="`str`, expected a message"):
        encode(["hello"])
    with pytest.raises(wg.EncodeError, match="`int`, expected a message"):
        encode(7)


HUGE = 10**400


def _spelled(text: str) -> wg.Extras:
    return {"operator-use": wg.Extra({}, wg.RawJson(text.encode()))}


@pytest.mark.parametrize("time", [HUGE, -HUGE, 10**18, -(10**18), 2**63])
def test_a_time_beyond_all_numbers_is_a_loss(time: int) -> None:
    losses: list[wg.Loss] = []
    assert encode([wg.UserMessage([], time)], losses=losses, form="messages") == (
        b'[{"role":"user","contents":[]}]'
    )
    assert [(loss.path, loss.what) for loss in losses] == [("$[0].timestamp", "timestamp")]


def test_a_spelling_beyond_all_numbers_does_no_harm() -> None:
    message = wg.UserMessage([], 1500, extras=_spelled(f'{{"timestamp":{HUGE}}}'))
    assert json.loads(encode([message], form="messages"))[0]["timestamp"] == 1.5
    message.extras = _spelled(f'{{"(entry)":{{"timestamp":{HUGE}}}}}')
    with pytest.raises(wg.EncodeError):
        encode([message])


def test_a_count_that_was_not_spelled_is_made() -> None:
    extras = _spelled('{"input_tokens_include_cache_read":true}')
    usage = wg.Usage(3, 4, cache_read=5, extras=extras)
    (made,) = json.loads(encode([_answer(usage=usage)], form="messages"))
    assert made["usage"]["input_tokens"] == 8


SIGNED = wg.ThinkingBlock("hm", "c2ln")
OF_GOOGLE = ["antigravity", "gemini", "google", "google-vertex", "google_vertex", "vertex"]
OF_OTHERS = [
    *("amazon-bedrock", "azure", "azure-openai", "azure_openai", "bedrock", "codex", "cohere"),
    *("deepseek", "groq", "mistral", "ollama", "openai", "xai"),
]
SIGNED_CALL = wg.ToolCallBlock("c", "f", "{}", signature="c2ln")


@pytest.mark.parametrize(
    ("block", "provider", "is_kept"),
    [
        (SIGNED, None, True),
        (SIGNED, "anthropic", True),
        (SIGNED, "Anthropic", True),
        (SIGNED, "my-proxy", True),
        *((SIGNED, name, False) for name in (*OF_GOOGLE, *OF_OTHERS)),
        (SIGNED_CALL, None, True),
        *((SIGNED_CALL, name, True) for name in OF_GOOGLE),
        *((SIGNED_CALL, name, False) for name in ("anthropic", *OF_OTHERS)),
    ],
)
def test_where_no_api_is_named_the_provider_tells_whose_a_signature_is(
    block: wg.Content, provider: str | None, is_kept: bool
) -> None:
    losses: list[wg.Loss] = []
    body = encode([_answer(block, provider=provider)], losses=losses)
    assert (b"c2ln" in body) is is_kept
    lost = [] if is_kept else [("signature", "$[0].content[0].signature")]
    assert [(loss.what, loss.path) for loss in losses] == lost


def test_a_signature_that_came_from_a_session_goes_home_whoever_answers_there() -> None:
    file = encode([wg.UserMessage([])]) + (
        b'{"id":"a","type":"model_change","model_id":"m","provider_id":"openai"}\n'
        b'{"id":"b","parent_id":"a","type":"message","message":{"role":"assistant","contents":'
        b'[{"type":"thinking","content":"hm","signature":"c2ln"}]}}\n'
    )
    assert b"c2ln" in encode(decode(file))
