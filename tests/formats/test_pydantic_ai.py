"""Pydantic AI's stored histories, both ways, against literal JSON and Pydantic AI's own loader."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject, settings

import wireglot as wg
from tests.clients.turn import RESPONSES
from tests.providers.anthropic import answers as anthropic_answers
from wireglot import testing
from wireglot.formats import pydantic_ai as pa

GOLDEN = Path(__file__).parents[1] / "golden" / "pydantic_ai"
TIME, MILLIS = "2026-03-04T05:06:07Z", 1772600767000


def _request(*parts: Any, **fields: Any) -> dict[str, Any]:
    return {
        "parts": [*parts],
        "timestamp": None,
        "instructions": None,
        "kind": "request",
        "run_id": None,
        "conversation_id": None,
        "metadata": None,
        "state": "complete",
        **fields,
    }


def _response(*parts: Any, usage: Any = None, **fields: Any) -> dict[str, Any]:
    counts = {
        "input_tokens": 0,
        "cache_write_tokens": 0,
        "cache_write_1h_tokens": 0,
        "cache_read_tokens": 0,
        "output_tokens": 0,
        "output_reasoning_tokens": 0,
        "input_audio_tokens": 0,
        "cache_audio_read_tokens": 0,
        "output_audio_tokens": 0,
        "audio_seconds": 0.0,
        "details": {},
        "cost": None,
    }
    return {
        "parts": [*parts],
        "usage": {**counts, **(usage or {})},
        "model_name": None,
        "model_id": None,
        "timestamp": TIME,
        "kind": "response",
        "provider_name": None,
        "provider_url": None,
        "canonical_system": None,
        "provider_details": None,
        "provider_response_id": None,
        "finish_reason": None,
        "run_id": None,
        "conversation_id": None,
        "metadata": None,
        "workspace_ref": None,
        "history_digest": None,
        "failed_attempts": None,
        "state": "complete",
        **fields,
    }


def _prompt(content: Any, timestamp: str = TIME) -> dict[str, Any]:
    return {"content": content, "timestamp": timestamp, "part_kind": "user-prompt"}


def _system(content: str, **fields: Any) -> dict[str, Any]:
    return {
        "content": content,
        "timestamp": TIME,
        "dynamic_ref": None,
        "context_id": None,
        "scope": "conversation",
        "metadata": None,
        "part_kind": "system-prompt",
        **fields,
    }


def _return(content: Any, **fields: Any) -> dict[str, Any]:
    return {
        "tool_name": "plot",
        "content": content,
        "tool_call_id": "c1",
        "tool_kind": None,
        "metadata": None,
        "timestamp": TIME,
        "outcome": "success",
        "retry": None,
        "part_kind": "tool-return",
        **fields,
    }


def _part(part_kind: str, **fields: Any) -> dict[str, Any]:
    own = {"id": None, "provider_name": None, "provider_details": None}
    return {"part_kind": part_kind, **own, **fields}


def _file(kind: str, **fields: Any) -> dict[str, Any]:
    common = {"vendor_metadata": None, "kind": kind}
    return {**common, **({} if kind == "binary" else {"force_download": False}), **fields}


def _user(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.UserMessage([*content], **{"timestamp": MILLIS, **more})


def _answer(*content: wg.Content, **more: Any) -> wg.Message:
    more = {"usage": wg.Usage(), "timestamp": MILLIS, **more}
    return wg.AssistantMessage([*content], **more)


def _result(*content: wg.Content, **more: Any) -> wg.Message:
    more = {"timestamp": MILLIS, **more}
    return wg.ToolResultMessage("c1", "plot", [*content], **more)


def _keys(**keys: Any) -> wg.Extras:
    return {"pydantic-ai": wg.Extra(keys)}


def _spelled(**spelling: Any) -> wg.Extras:
    return {"pydantic-ai": wg.Extra({}, spelling)}


BOTH_WAYS: dict[str, tuple[list[Any], list[wg.AgentMessage]]] = {
    "a system prompt": (
        [_request(_system("Be brief.", metadata={"a": 1}))],
        [wg.SystemMessage([wg.TextBlock("Be brief.")], MILLIS, metadata={"a": 1})],
    ),
    "a system prompt that is not for all of the conversation": (
        [_request(_system("3 left.", scope="request"))],
        [wg.SystemMessage([wg.TextBlock("3 left.")], MILLIS, extras=_keys(scope="request"))],
    ),
    "a user's text": ([_request(_prompt("Où ?"))], [_user(wg.TextBlock("Où ?"))]),
    "a time in microseconds": (
        [_request(_prompt("Hi", "2026-03-04T05:06:07.123456Z"))],
        [
            _user(
                wg.TextBlock("Hi"),
                timestamp=MILLIS + 123,
                extras=_spelled(timestamp="2026-03-04T05:06:07.123456Z"),
            )
        ],
    ),
    "texts, a mark on one and a cache point": (
        [
            _request(
                _prompt(
                    [
                        "This",
                        {"kind": "cache-point", "ttl": "1h"},
                        {"content": "is it.", "metadata": 7, "kind": "text-content"},
                    ]
                )
            )
        ],
        [
            _user(
                wg.TextBlock("This", cache=wg.CacheMark("1h")),
                wg.TextBlock(
                    "is it.",
                    extras={"pydantic-ai": wg.Extra({"metadata": 7}, {"kind": "text-content"})},
                ),
            )
        ],
    ),
    "files by URL": (
        [
            _request(
                _prompt(
                    [
                        _file(
                            "image-url",
                            url="https://e/x.png",
                            media_type="image/png",
                            identifier="1ca262",
                            vendor_metadata={"detail": "low"},
                        ),
                        _file("audio-url", url="https://e/x", media_type=None),
                        _file("video-url", url="https://e/y", media_type=None),
                        _file(
                            "document-url",
                            url="https://e/z",
                            media_type=None,
                            force_download=True,
                            identifier="the plan",
                        ),
                    ]
                )
            )
        ],
        [
            _user(
                wg.ImageBlock(
                    url="https://e/x.png",
                    mime_type="image/png",
                    detail="low",
                    extras=_spelled(identifier="1ca262"),
                ),
                wg.AudioBlock(url="https://e/x"),
                wg.VideoBlock(url="https://e/y"),
                wg.DocumentBlock(
                    url="https://e/z",
                    extras=_keys(force_download=True, identifier="the plan"),
                ),
            )
        ],
    ),
    "data in the alphabet of URLs, and a file of a provider": (
        [
            _request(
                _prompt(
                    [
                        _file("binary", data="__76", media_type="image/png"),
                        {
                            "file_id": "f1",
                            "provider_name": "openai",
                            "vendor_metadata": None,
                            "kind": "uploaded-file",
                            "media_type": "application/pdf",
                        },
                    ]
                )
            )
        ],
        [
            _user(
                wg.ImageBlock(data=b"\xff\xfe\xfa", mime_type="image/png"),
                wg.DocumentBlock(
                    file_id="f1",
                    mime_type="application/pdf",
                    extras=_keys(provider_name="openai"),
                ),
            )
        ],
    ),
    "content that has no kind of ours": (
        [_request(_prompt(["See:", {"kind": "structured-content", "value": [1]}]))],
        [
            _user(
                wg.TextBlock("See:"),
                wg.OpaqueBlock("pydantic-ai", {"kind": "structured-content", "value": [1]}),
            )
        ],
    ),
    "a request of many parts": (
        [_request(_system("Be brief."), _prompt("Hi"), run_id="r1")],
        [
            wg.SystemMessage(
                [wg.TextBlock("Be brief.")],
                MILLIS,
                extras=_keys(**{"(request)": {"run_id": "r1"}}),
            ),
            _user(wg.TextBlock("Hi"), extras=_spelled(joins=True)),
        ],
    ),
    "instructions, where they change": (
        [
            _request(_prompt("a"), instructions="Be brief."),
            _request(_prompt("b"), instructions="Be brief."),
            _request(_prompt("c"), instructions="Be long.", timestamp=TIME),
        ],
        [
            wg.SystemMessage([wg.TextBlock("Be brief.")], extras=_spelled(instructions=True)),
            _user(wg.TextBlock("a"), extras=_spelled(joins=True)),
            _user(wg.TextBlock("b"), extras=_spelled(repeats=True)),
            wg.SystemMessage(
                [wg.TextBlock("Be long.")],
                extras={
                    "pydantic-ai": wg.Extra(
                        {"(request)": {"timestamp": TIME}}, {"instructions": True}
                    )
                },
            ),
            _user(wg.TextBlock("c"), extras=_spelled(joins=True)),
        ],
    ),
    "a time of a request that its first part has too": (
        [_request(_prompt("Hi"), timestamp=TIME)],
        [_user(wg.TextBlock("Hi"), extras=_spelled(request=TIME))],
    ),
    "a result": (
        [_request(_return("42", metadata={"rows": [1]}))],
        [_result(wg.TextBlock("42"), details={"rows": [1]})],
    ),
    "results that are no success": (
        [_request(_return("no", outcome="failed"), _return("No.", outcome="denied"))],
        [
            _result(wg.TextBlock("no"), is_error=True),
            _result(
                wg.TextBlock("No."), is_error=True, status="denied", extras=_spelled(joins=True)
            ),
        ],
    ),
    "a result that is JSON": (
        [_request(_return({"rows": 3}, content_file_digests=[]))],
        [_result(wg.TextBlock('{"rows": 3}'), extras=_spelled(content="json"))],
    ),
    "a result with a file": (
        [
            _request(
                _return(
                    ["see", _file("binary", data="__76", media_type="image/png")],
                    content_file_digests=[],
                )
            )
        ],
        [_result(wg.TextBlock("see"), wg.ImageBlock(data=b"\xff\xfe\xfa", mime_type="image/png"))],
    ),
    "a part that says nothing to the model": (
        [_request({"part_kind": "model-settings-delta", "settings": {}, "top_level": False})],
        [
            wg.ExtensionMessage(
                "pydantic-ai.model-settings-delta",
                {"part_kind": "model-settings-delta", "settings": {}, "top_level": False},
            )
        ],
    ),
    "a call that Gemini has signed": (
        [
            _response(
                _part(
                    "tool-call",
                    tool_name="plot",
                    args={},
                    tool_call_id="c1",
                    tool_kind=None,
                    provider_name="google",
                    provider_details={"thought_signature": "c2ln"},
                ),
                provider_name="google",
            )
        ],
        [
            _answer(
                wg.ToolCallBlock("c1", "plot", {}, signature="c2ln"),
                provider="google",
                api="gemini-generate-content",
            )
        ],
    ),
    "an answer": (
        [
            _response(
                _part("thinking", content="Hm.", signature="c2ln", provider_name="anthropic"),
                _part("text", content="Hi", citations=None),
                _part(
                    "tool-call",
                    tool_name="plot",
                    args={"rows": 3},
                    tool_call_id="c1",
                    tool_kind=None,
                ),
                usage={
                    "input_tokens": 20,
                    "output_tokens": 9,
                    "cache_read_tokens": 12,
                    "cache_write_tokens": 3,
                    "output_reasoning_tokens": 4,
                    "details": {"x": 1},
                },
                model_name="claude-sonnet-4-5",
                provider_name="anthropic",
                provider_details={"finish_reason": "tool_use"},
                provider_response_id="msg_1",
                finish_reason="tool_call",
                run_id="r1",
                metadata={"a": 1},
            )
        ],
        [
            _answer(
                wg.ThinkingBlock("Hm.", "c2ln"),
                wg.TextBlock("Hi"),
                wg.ToolCallBlock("c1", "plot", {"rows": 3}),
                stop_reason=wg.StopReason.TOOL_USE,
                model="claude-sonnet-4-5",
                provider="anthropic",
                api="anthropic-messages",
                raw_stop_reason="tool_use",
                id="msg_1",
                metadata={"a": 1},
                usage=wg.Usage(5, 9, 4, 12, 3, extras=_keys(details={"x": 1})),
                extras=_keys(run_id="r1"),
            )
        ],
    ),
    "redacted thinking, and what is known of a part": (
        [
            _response(
                _part("thinking", content="", signature="ZGF0YQ==")
                | {"id": "redacted_thinking", "provider_name": "anthropic"},
                _part("text", content="Hi", citations=[]) | {"id": "t1"},
            )
        ],
        [
            _answer(
                wg.ThinkingBlock(
                    "",
                    "ZGF0YQ==",
                    redacted=True,
                    extras={
                        "pydantic-ai": wg.Extra(
                            {"provider_name": "anthropic"}, {"id": "redacted_thinking"}
                        )
                    },
                ),
                wg.TextBlock("Hi", extras=_keys(id="t1", citations=[])),
            )
        ],
    ),
    "calls whose arguments are text, or none": (
        [
            _response(
                _part("tool-call", tool_name="f", args="{", tool_call_id="c1", tool_kind=None),
                _part("tool-call", tool_name="f", args=None, tool_call_id="c2", tool_kind=None),
            )
        ],
        [
            _answer(
                wg.ToolCallBlock("c1", "f", "{", extras=_spelled(args="text")),
                wg.ToolCallBlock("c2", "f", ""),
            )
        ],
    ),
    "a file that the model made, and a tool that the provider ran": (
        [
            _response(
                _part("file", content=_file("binary", data="AAEC", media_type="image/png")),
                _part("builtin-tool-call", tool_name="web_search", args={}, tool_call_id="s1"),
            )
        ],
        [
            _answer(
                wg.ImageBlock(data=b"\x00\x01\x02", mime_type="image/png"),
                wg.OpaqueBlock(
                    "pydantic-ai",
                    {
                        "part_kind": "builtin-tool-call",
                        "id": None,
                        "provider_name": None,
                        "provider_details": None,
                        "tool_name": "web_search",
                        "args": {},
                        "tool_call_id": "s1",
                    },
                ),
            )
        ],
    ),
    "unknown keys": (
        [_response(at=5)],
        [_answer(extras=_keys(at=5))],
    ),
}


@pytest.mark.parametrize(("stored", "session"), BOTH_WAYS.values(), ids=BOTH_WAYS)
def test_a_history_both_ways(stored: list[Any], session: list[wg.AgentMessage]) -> None:
    text = json.dumps(stored)
    assert pa.decode(text) == session
    assert pa.encode(pa.decode(pa.encode(session))) == pa.encode(session)
    assert json.loads(pa.encode(session)) == stored
    assert json.loads(pa.encode(pa.decode(text, list[pa.ModelMessage]))) == stored


RETRY = {"part_kind": "retry-prompt", "content": "no rows", "timestamp": TIME}
OLDER = {"requests": 1, "request_tokens": 20, "response_tokens": 9, "total_tokens": 29}

READ: dict[str, tuple[Any, wg.AgentMessage]] = {
    "a call to try again": (
        {
            "kind": "request",
            "parts": [{**RETRY, "tool_name": "plot", "tool_call_id": "c1"}],
        },
        _result(wg.TextBlock("no rows"), is_error=True, status="retried"),
    ),
    "an answer to try again": (
        {"kind": "request", "parts": [{**RETRY, "content": [{"msg": "m"}]}]},
        _user(wg.TextBlock('[{"msg": "m"}]')),
    ),
    "an answer of 1.0": (
        {
            "kind": "response",
            "parts": [{"part_kind": "text", "content": "Hi"}],
            "usage": {**OLDER, "details": None},
            "timestamp": TIME,
            "vendor_id": "x1",
            "vendor_details": {"finish_reason": "stop"},
        },
        _answer(
            wg.TextBlock("Hi"),
            usage=wg.Usage(20, 9, total_tokens=29, extras=_keys(requests=1)),
            id="x1",
            raw_stop_reason="stop",
        ),
    ),
    "a list of one text": (
        _request(_return(["42"], content_file_digests=[])),
        _result(wg.TextBlock("42")),
    ),
    "what has the shape of a file, and is not recorded as one": (
        _request(_return([_file("image-url", url="https://e/x.png")], content_file_digests=[])),
        _result(
            wg.TextBlock(
                '[{"vendor_metadata": null, "kind": "image-url", "force_download": false, '
                '"url": "https://e/x.png"}]'
            ),
        ),
    ),
    "nothing": (_request(), wg.ExtensionMessage("pydantic-ai.request", {})),
}


@pytest.mark.parametrize(("stored", "message"), READ.values(), ids=READ)
def test_a_message_that_goes_home_in_its_own_words(stored: Any, message: Any) -> None:
    (made,) = pa.decode(json.dumps([stored]))
    assert json.loads(pa.encode([made])) == [stored]
    assert json.loads(pa.encode(wg.json.decode(wg.json.encode([made])))) == [stored]
    assert not made.extras or made.extras["pydantic-ai"].keys.value == {}
    made.extras = None
    assert made == message


def test_a_part_that_has_changed_leaves_the_rest_as_it_was() -> None:
    stored = _request(_prompt("a"), _prompt("b"), run_id="r1", instructions="Be brief.")
    session = pa.decode(json.dumps([stored]))
    session[0].content[0].text = "Be long."
    session[2].content[0].text = "c"
    changed = _request(_prompt("a"), _prompt("c"), run_id="r1", instructions="Be long.")
    assert json.loads(pa.encode(session)) == [changed]
    alone = _request(_prompt("c"))
    assert json.loads(pa.encode(session[2:])) == [{"kind": "request", "parts": alone["parts"]}]


def _user_part(*content: Any) -> dict[str, Any]:
    return {"part_kind": "user-prompt", "content": [*content], "timestamp": TIME}


def test_a_file_is_not_called_by_what_another_one_said() -> None:
    # SHA-1 of the bytes "abc", and of the URL.
    binary = {"data": "YWJj", "media_type": "image/png", "kind": "binary", "identifier": "a9993e"}
    by_url = {"url": "https://e/x.png", "kind": "image-url", "identifier": "1ca262"}
    named = {"url": "https://e/x.png", "kind": "image-url", "identifier": "abcdef"}
    (made,) = pa.decode(json.dumps([_request(_user_part(binary, by_url, named))]))
    made.content[0].data = wg.Media.from_bytes(b"abd")
    made.content[1].url = made.content[2].url = "https://e/y.png"
    ((*_, part),) = [each["parts"] for each in json.loads(pa.encode([made]))]
    assert [each.get("identifier") for each in part["content"]] == [None, None, "abcdef"]
    made.content[0].data = wg.Media.from_bytes(b"abc")
    ((*_, part),) = [each["parts"] for each in json.loads(pa.encode([made]))]
    assert part["content"][0]["identifier"] == "a9993e"


def test_counts_that_have_changed_are_those_that_are_written() -> None:
    fewer = {"input_tokens": 5, "cache_read_tokens": 10}
    (made,) = pa.decode(json.dumps([_response(usage=fewer)]))
    assert json.loads(pa.encode([made])) == [_response(usage=fewer)]
    made.usage.input = 100
    (written,) = json.loads(pa.encode([made]))
    assert written["usage"]["input_tokens"] == 110
    made.usage.input = made.usage.cache_read = 0
    (written,) = json.loads(pa.encode([made]))
    assert written["usage"]["input_tokens"] == 0


@pytest.mark.parametrize(
    "part",
    [
        {"part_kind": "compaction", "content": "They built a house."},
        {"part_kind": "instruction-delta", "id": "agent", "content": "Be brief."},
        {"part_kind": "tool-availability-delta", "tools_added": ["f"]},
    ],
)
def test_what_pydantic_ai_tells_the_model_is_not_dropped_without_a_word(
    part: dict[str, Any],
) -> None:
    stored = [_request(part, {"part_kind": "user-prompt", "content": "Go.", "timestamp": TIME})]
    session = pa.decode(json.dumps(stored))
    assert json.loads(pa.encode(session)) == stored
    request = wg.Request(wg.llm_messages(session), model="m", max_tokens=1)
    with pytest.raises(wg.LossError, match=r"opaque.*\$\.messages\[0\]\.content\[0\]"):
        wg.providers.anthropic.encode_request(request)


def test_a_part_whose_keys_came_in_another_order_leaves_its_request_as_it_was() -> None:
    body = '{"parts":[{"content":null,"part_kind":"speech"}],"kind":"request","run_id":null}'
    expected = '{"kind":"request","parts":[{"part_kind":"speech","content":null}],"run_id":null}'
    assert pa.encode(pa.decode(f"[{body}]")).decode() == f"[{expected}]"


def test_a_part_that_was_put_among_what_a_user_says_stays_a_part() -> None:
    speech = wg.OpaqueBlock("pydantic-ai", {"part_kind": "speech", "speaker": "user"})
    call = wg.OpaqueBlock("pydantic-ai", {"part_kind": "builtin-tool-call", "tool_name": "f"})
    said = wg.UserMessage([wg.TextBlock("a"), speech, call, wg.TextBlock("b")])
    losses: list[wg.Loss] = []
    (request,) = json.loads(pa.encode([said], losses=losses))
    assert request["parts"] == [
        {"part_kind": "user-prompt", "content": "a"},
        {"part_kind": "speech", "speaker": "user"},
        {"part_kind": "user-prompt", "content": "b"},
    ]
    assert [(loss.path, loss.what) for loss in losses] == [("$[0].content[2]", "opaque")]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ('{"a":2}', {"a": 2}),
        ("[3]", [3]),
        ("null", None),
        ('"so"', '"so"'),
        ('["so"]', '["so"]'),
        ("so", "so"),
    ],
)
def test_json_of_a_result_that_has_changed_is_the_text_that_it_is(text: str, content: Any) -> None:
    part = {"part_kind": "tool-return", "tool_name": "f", "content": {"a": 1}, "tool_call_id": "c"}
    (made,) = pa.decode(json.dumps([_request({**part, "content_file_digests": []})]))
    made.content[0].text = text
    written = pa.encode([made])
    assert json.loads(written)[0]["parts"][0]["content"] == content
    assert pa.decode(written)[0].content[0].text == text


def test_what_an_answer_says_now_is_stronger_than_an_unknown_word() -> None:
    (made,) = pa.decode(json.dumps([_response(finish_reason="tired", metadata=[1])]))
    made.stop_reason = wg.StopReason.LENGTH
    made.metadata = {"a": 1}
    (written,) = json.loads(pa.encode([made]))
    assert (written["finish_reason"], written["metadata"]) == ("length", {"a": 1})


def test_no_instructions_are_none_to_repeat() -> None:
    stored = [
        _request(_prompt(text), instructions=said)
        for text, said in (("a", "Be brief."), ("b", ""), ("c", "Be brief."))
    ]
    stored[2:2] = [{"kind": "request", "parts": [], "instructions": None}]
    assert json.loads(pa.encode(pa.decode(json.dumps(stored)))) == stored


def test_results_of_a_batch_are_one_request() -> None:
    batch = wg.ToolMessage(
        [wg.ToolResultBlock("c1", "plot", [wg.TextBlock("a")]), wg.ToolResultBlock("c1", "plot")],
        MILLIS,
    )
    assert json.loads(pa.encode([batch])) == [_request(_return("a"), _return(""))]


def test_other_systems_get_standard_base64() -> None:
    stored = _request(_prompt(["x", _file("binary", data="__76", media_type="image/png")]))
    request = wg.Request(wg.llm_messages(pa.decode(json.dumps([stored]))), model="m", max_tokens=9)
    body = wg.PROVIDERS["anthropic"].encode_request(request, losses=[])
    assert b'"data":"//76"' in body


def test_base64_is_written_as_pydantic_ai_reads_it() -> None:
    blocks = [
        wg.ImageBlock(data=wg.Media.from_base64(text), mime_type="image/png")
        for text in ("AAEC\nAw==", "//7", "é", "AB==", "AAF=", "AAE=", "")
    ]
    (made,) = json.loads(pa.encode([_user(*blocks)]))
    written = [file["data"] for file in made["parts"][0]["content"]]
    assert written == ["AAECAw==", "__4=", "é", "AA==", "AAE=", "AAE=", ""]


def test_an_empty_type_is_none() -> None:
    blocks = [wg.VideoBlock(url="https://e/x", mime_type="")]
    (made,) = json.loads(pa.encode([_user(*blocks)]))
    assert made["parts"][0]["content"][0]["media_type"] is None


def test_a_mark_of_no_use_is_left() -> None:
    """A head of a group that has gone leaves the rest as requests of their own."""
    session: list[wg.AgentMessage] = [
        _answer(),
        _user(wg.TextBlock("b"), extras=_spelled(joins=True)),
    ]
    made = json.loads(pa.encode(session))
    assert [message["kind"] for message in made] == ["response", "request"]


LOSSES: dict[str, tuple[wg.AgentMessage, str]] = {
    "an id": (
        _user(wg.TextBlock("Hi"), id="7f"),
        "id: Pydantic AI has no place for it; left out - at `$[0].id`",
    ),
    "a stop reason": (
        _answer(stop_reason=wg.StopReason.ABORTED),
        "stopReason: Pydantic AI has stop, length, content_filter, tool_call and error; left out "
        "- at `$[0].stopReason`",
    ),
    "an API that does not follow of the provider": (
        _answer(api="openai-chat", provider="openai"),
        "api: Pydantic AI has the provider, of which the API follows; left out - at `$[0].api`",
    ),
    "a time before the year 1": (
        _user(wg.TextBlock("Hi"), timestamp=-(10**15)),
        "timestamp: Pydantic AI's times have years from 1 to 9999; left out - at `$[0].timestamp`",
    ),
    "a total that is no sum": (
        _answer(usage=wg.Usage(1, 2, total_tokens=5)),
        "total_tokens: Pydantic AI adds them up itself; left out - at `$[0].usage.total_tokens`",
    ),
    "a file of nobody knows which provider": (
        _user(wg.TextBlock("Hi"), wg.ImageBlock(file_id="f1")),
        "fileId: Pydantic AI asks which provider has the file; left out - at `$[0].content[1]`",
    ),
    "a URL that the model made": (
        _answer(wg.ImageBlock(url="https://e/x.png")),
        "url: Pydantic AI has no place for it; left out - at `$[0].content[0]`",
    ),
    "a block of another API": (
        _answer(wg.OpaqueBlock("anthropic-messages", {"type": "x"})),
        "opaque: a block that belongs to another API; left out - at `$[0].content[0]`",
    ),
    "a status": (
        _result(wg.TextBlock("x"), status="completed"),
        "status: Pydantic AI has outcomes of its own; left out - at `$[0].status`",
    ),
    "a cache mark in a system prompt": (
        wg.SystemMessage([wg.TextBlock("x", cache=wg.CacheMark())]),
        "cache: Pydantic AI has no place for it; left out - at `$[0].content[0].cache`",
    ),
    "an extension of another system": (
        wg.ExtensionMessage("note", {}),
        "extension: Pydantic AI has no place for it; left out - at `$[0]`",
    ),
    "a batch without results": (
        wg.ToolMessage([]),
        "tool: a batch without a result leaves no message - at `$[0]`",
    ),
    "what a user says before a result": (
        _user(wg.TextBlock("Hi"), wg.ToolResultBlock("c1", "plot")),
        "order: results are parts of their own, before what the user says; moved "
        "- at `$[0].content[1]`",
    ),
}


@pytest.mark.parametrize(("message", "loss"), LOSSES.values(), ids=LOSSES)
def test_what_cannot_be_carried_is_a_loss(message: wg.AgentMessage, loss: str) -> None:
    losses: list[wg.Loss] = []
    pa.encode([message], losses=losses)
    assert [str(each) for each in losses] == [loss]
    with pytest.raises(wg.LossError):
        pa.encode([message])


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ('[{"kind":"request"}]', "object missing required field `parts` - at `$[0]`"),
        ('[{"kind":"question","parts":[]}]', (
"unknown kind `question`, expected one of `request`, `response`;"
" did you mean `request`? - at `$[0].kind`"
)),
        ('[{"kind":"request","parts":[{"part_kind":"user-prompt","content":5}]}]',
         "broken `user-prompt` part, expected its required keys - at `$[0].parts[0]`"),
        ('[{"kind":"request","parts":[{"content":"x"}]}]',
         "object missing required field `part_kind` - at `$[0].parts[0]`"),
        ('[{"kind":"response","parts":[],"usage":{"input_tokens":"9"}}]',
         "expected `int`, got `str` - at `$[0].usage.input_tokens`"),
        ('[{"kind":"response","parts":[],"timestamp":"now"}]',
         "invalid isoformat string: 'now' - at `$[0]`"),
    ],
)  # fmt: skip
def test_an_error_has_a_path(stored: str, message: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        pa.decode(stored)
    assert str(caught.value) == f"pydantic_ai: {message}"


# -- Pydantic AI judges ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ai() -> Any:
    return pytest.importorskip("pydantic_ai.messages")


# What the loader adds: times where there is none, names of files, and types that URLs tell.
_MADE = ("timestamp", "identifier", "media_type", "content_file_digests")


def _check(ai: Any, body: bytes) -> Any:
    """Load what was written; the loader must give the same again, but for what it makes itself."""
    loaded = ai.ModelMessagesTypeAdapter.validate_json(body)
    _check_same(json.loads(ai.ModelMessagesTypeAdapter.dump_json(loaded)), json.loads(body), "$")
    return loaded


def _check_same(made: Any, stored: Any, path: str) -> None:
    if isinstance(made, dict) and isinstance(stored, dict):
        for key in made.keys() | stored.keys():
            if key in _MADE and stored.get(key) is None:
                continue
            assert key in made, f"{path}.{key} is gone"
            assert key in stored, f"{path}.{key} is new"
            if key != "content_file_digests":
                _check_same(made[key], stored[key], f"{path}.{key}")
    elif isinstance(made, list) and isinstance(stored, list):
        assert len(made) == len(stored), path
        for i, (one, other) in enumerate(zip(made, stored, strict=True)):
            _check_same(one, other, f"{path}[{i}]")
    else:
        assert made == stored, path


@given(testing.sessions())
@settings(max_examples=60)
def test_pydantic_ai_loads_what_any_session_becomes(session: list[wg.AgentMessage]) -> None:
    ai: Any = pytest.importorskip("pydantic_ai.messages")
    try:
        wg.json.decode(wg.json.encode(session), check_media=True)
    except wg.DecodeError:
        reject()  # what is no base64 at all goes out as it came, and is refused
    _check(ai, pa.encode(session, losses=[]))


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_pydantic_ai_loads_the_answer_of_every_provider(ai: Any, name: str) -> None:
    response = wg.PROVIDERS[name].decode_response(RESPONSES[name])
    (loaded,) = _check(ai, pa.encode([response.message], losses=[]))
    assert loaded.parts[-1].args_as_dict() == {"city": "Łódź", "days": 2}


def test_pydantic_ai_loads_a_long_answer_of_anthropics(ai: Any) -> None:
    response = wg.PROVIDERS["anthropic"].decode_response(anthropic_answers.BODY)
    (loaded,) = _check(ai, pa.encode([response.message], losses=[]))
    assert [part.part_kind for part in loaded.parts] == [
        "thinking",
        "thinking",
        "text",
        "tool-call",
        "tool-call",
    ]
    assert (loaded.parts[1].id, loaded.parts[1].signature) == ("redacted_thinking", "ZGF0YQ==")
    assert loaded.provider_name == "anthropic"


@pytest.mark.parametrize("name", [name for name in wg.FORMATS if name != "pydantic_ai"])
def test_pydantic_ai_loads_the_session_of_every_system(ai: Any, name: str) -> None:
    for path in sorted((GOLDEN.parent / name).glob("session*")):
        _check(ai, pa.encode(wg.FORMATS[name].decode(path.read_bytes()), losses=[]))


def test_a_file_by_url_in_a_result_is_a_file_again(ai: Any) -> None:
    body = pa.encode([_result(wg.ImageBlock(url="https://e/x", detail="low"), wg.TextBlock("x"))])
    (loaded,) = _check(ai, body)
    assert type(loaded.parts[0].content[0]) is ai.ImageUrl
    assert loaded.parts[0].content[0].vendor_metadata == {"detail": "low"}


def test_what_pydantic_ai_writes_comes_home(ai: Any) -> None:
    history = [
        ai.ModelRequest(
            [
                ai.SystemPromptPart("Be brief.", dynamic_ref="d"),
                ai.UserPromptPart(
                    [
                        "Hi",
                        ai.ImageUrl("https://e/x.png"),
                        ai.AudioUrl("https://e/x.wav"),
                        ai.VideoUrl("https://e/x.mp4", vendor_metadata={"fps": 1}),
                        ai.DocumentUrl("https://e/x.pdf", force_download=True),
                        ai.BinaryContent(bytes(range(256)), media_type="image/png"),
                        ai.BinaryContent(b"a,b", media_type="text/csv", identifier="table"),
                        ai.UploadedFile("file-1", "openai"),
                        ai.CachePoint(),
                        ai.TextContent("there", metadata={"a": 1}),
                        ai.StructuredContent({"a": 1}),
                    ]
                ),
                ai.SpeechPart(speaker="user", transcript="Hello?"),
            ],
            instructions="Be kind.",
            run_id="r1",
        ),
        ai.ModelResponse(
            [
                ai.TextPart("Hi"),
                ai.ThinkingPart("Hm.", signature="s", provider_name="openai", id="rs_1"),
                ai.ToolCallPart("f", '{"n": 1}', "c1"),
                ai.ToolCallPart("f", {"n": 1}, "c2", provider_details={"a": 1}),
                ai.ToolCallPart("f", None, "c3"),
                ai.NativeToolCallPart("web_search", {"q": "x"}, tool_call_id="s1"),
                ai.NativeToolReturnPart("web_search", [1], tool_call_id="s1"),
                ai.FilePart(ai.BinaryContent(b"\xff\xfe\xfa", media_type="image/png")),
                ai.CompactionPart("So far."),
            ],
            model_name="gpt-5",
            provider_name="openai",
            finish_reason="tool_call",
        ),
        ai.ModelRequest(
            [
                ai.ToolReturnPart("f", "42", "c1", outcome="failed"),
                ai.ToolReturnPart("f", {"n": [1, 2.5, None]}, "c2", metadata={"a": 1}),
                ai.ToolReturnPart("f", ["x", ai.ImageUrl("https://e/x.png")], "c3"),
                ai.ToolReturnPart("f", ai.BinaryContent(b"x", media_type="image/png"), "c4"),
                ai.ToolReturnPart("f", None, "c5"),
                ai.ToolReturnPart("f", [{"kind": "image-url", "url": "https://e/x.png"}], "c6"),
                ai.RetryFeedbackPart("Try.", retry=ai.RetryInfo(cause="model_retry")),
            ],
            instructions="Be kind.",
        ),
        ai.ModelRequest([]),
        ai.ModelResponse([], state="interrupted"),
    ]
    stored = ai.ModelMessagesTypeAdapter.dump_json(history)
    made = pa.encode(pa.decode(stored))
    assert json.loads(made) == json.loads(stored)
    load = ai.ModelMessagesTypeAdapter.validate_json
    assert load(made) == load(stored)
