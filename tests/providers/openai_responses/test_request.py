"""Request -> the body of Responses, byte for byte, judged by the SDKs' types and the rules."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.openai_responses.pieces import (
    API,
    CALL_A,
    HI,
    OTHER,
    PNG,
    PNG_PART,
    RESULT_A,
    YES,
    answer,
    assistant,
    batch,
    body,
    call,
    extras,
    judge,
    own,
    request,
    result,
    said,
    spelled,
    system,
    text,
    user,
)

responses = wg.providers.openai_responses
encode = responses.encode_request

X = '{"type":"input_text","text":"x"}'
PDF_URL = "data:application/pdf;base64,JVBERi0="
PDF = wg.DocumentBlock.from_bytes(b"%PDF-")
LEVEL = wg.ThinkingLevel
MARK = wg.CacheMark()
SEARCH = '{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search"}}'
LONG = "a" * 65
HASHED = "a" * 55 + "_635361c4"
REASONING = '{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]'


def _calling(arguments: str, call_id: str = "a", name: str = "f") -> str:
    return (
        f'{{"type":"function_call","call_id":"{call_id}","name":"{name}","arguments":{arguments}}}'
    )


def _answers(output: str, call_id: str = "a") -> str:
    return f'{{"type":"function_call_output","call_id":"{call_id}","output":{output}}}'


MESSAGES: dict[str, tuple[list[Any], list[str]]] = {
    "one text is a string": ([user("hi")], [HI]),
    "an empty text is an empty string": ([user("")], ['{"role":"user","content":""}']),
    "several texts are a list": (
        [user("x", "")],
        [said(X, '{"type":"input_text","text":""}')],
    ),
    "a message without content is left out": ([user(), user("hi"), assistant(), system()], [HI]),
    "a system message is an item, wherever it stands": (
        [system("x"), user("hi"), system("x", "x")],
        ['{"role":"system","content":"x"}', HI, said(X, X, role="system")],
    ),
    "a system message that came as the developer's": (
        [system("x", extras=spelled(**{"as": "developer"})), user("hi")],
        ['{"role":"developer","content":"x"}', HI],
    ),
    "each text of an answer is a message": (
        [user("hi"), assistant("yes", "yes")],
        [HI, YES, YES],
    ),
    "an empty text beside another part is left out": (
        [user("hi"), assistant("yes", "")],
        [HI, YES],
    ),
    "text, a call and text keep their order": (
        [assistant("yes", call("a"), "yes"), answer("a")],
        [YES, CALL_A, YES, RESULT_A],
    ),
    "results of both kinds of message": (
        [
            assistant(call("a"), call("b")),
            answer("a", "x"),
            batch(result("b", "x", "y")),
            user("hi"),
        ],
        [
            CALL_A,
            _calling('"{}"', "b"),
            _answers('"x"'),
            _answers(f'[{X},{{"type":"input_text","text":"y"}}]', "b"),
            HI,
        ],
    ),
    "results beside a user's text go first": (
        [assistant(call("a")), user("hi", result("a"))],
        [CALL_A, RESULT_A, HI],
    ),
    "the model's arguments, byte for byte": (
        [assistant(call("a", '{"a": 1e2,\n"b": "é\\u00e9"}')), answer("a")],
        [_calling(r'"{\"a\": 1e2,\n\"b\": \"é\\u00e9\"}"'), RESULT_A],
    ),
    "a number that no double holds": (
        [assistant(call("a", '{"a":123456789012345678901234567890}')), answer("a")],
        [_calling(r'"{\"a\":123456789012345678901234567890}"'), RESULT_A],
    ),
    "broken arguments": (
        [assistant(call("a", '{"a":')), answer("a")],
        [_calling(r'"{\"a\":"'), RESULT_A],
    ),
    "no arguments are an empty object": (
        [assistant(call("a", "")), answer("a")],
        [CALL_A, RESULT_A],
    ),
    "no arguments of this API stay empty": (
        [own(call("a", "")), answer("a")],
        [_calling('""'), RESULT_A],
    ),
    "the call of a custom tool": (
        [assistant(call("a", "1 +", tool_type="custom")), answer("a")],
        [
            '{"type":"custom_tool_call","call_id":"a","name":"f","input":"1 +"}',
            '{"type":"custom_tool_call_output","call_id":"a","output":""}',
        ],
    ),
    "an id that is too long is mapped, call and result alike": (
        [assistant(call(LONG)), answer(LONG)],
        [_calling('"{}"', HASHED), _answers('""', HASHED)],
    ),
    "an id of 64 characters, of any kind": (
        [assistant(call("é" * 64)), answer("é" * 64)],
        [_calling('"{}"', "é" * 64), _answers('""', "é" * 64)],
    ),
    "an id that is used twice in an answer gets a suffix": (
        [assistant(call("a"), call("a")), answer("a", "x"), answer("a")],
        [CALL_A, _calling('"{}"', "a_2"), _answers('"x"'), _answers('""', "a_2")],
    ),
    "what the user says between a call and its result goes behind it": (
        [assistant(call("a")), user("hi"), answer("a")],
        [CALL_A, RESULT_A, HI],
    ),
    "reasoning with its signature": (
        [own(wg.ThinkingBlock("hm", "s"), "yes")],
        [REASONING + ',"encrypted_content":"s"}', YES],
    ),
    "reasoning without a text": (
        [own(wg.ThinkingBlock("", "s"), call("a")), answer("a")],
        ['{"type":"reasoning","summary":[],"encrypted_content":"s"}', CALL_A, RESULT_A],
    ),
    "reasoning in several summaries": (
        [own(wg.ThinkingBlock("a\n\nb", "s", details=["a", "b"]), "yes")],
        [
            '{"type":"reasoning","summary":[{"type":"summary_text","text":"a"},'
            '{"type":"summary_text","text":"b"}],"encrypted_content":"s"}',
            YES,
        ],
    ),
    "reasoning with its id": (
        [own(wg.ThinkingBlock("hm", extras=spelled(id="rs_1")), "yes")],
        [REASONING + ',"id":"rs_1"}', YES],
    ),
    "reasoning of a message that names its provider alone": (
        [assistant(wg.ThinkingBlock("hm", "s"), "yes", provider="openai")],
        [REASONING + ',"encrypted_content":"s"}', YES],
    ),
    "reasoning without an id at the end": (
        [own(wg.ThinkingBlock("hm", "s"))],
        [REASONING + ',"encrypted_content":"s"}'],
    ),
    "the message around a text goes back with its id": (
        [
            own(
                text(
                    "yes",
                    extras=spelled(
                        {"message": {"phase": "final_answer"}},
                        message={"id": "msg_1", "status": "completed"},
                    ),
                )
            )
        ],
        [
            '{"phase":"final_answer","type":"message","role":"assistant","content":['
            '{"type":"output_text","text":"yes","annotations":[]}],'
            '"id":"msg_1","status":"completed"}'
        ],
    ),
    "a refusal": (
        [own(text("no", extras=spelled(**{"as": "refusal"})))],
        ['{"role":"assistant","content":[{"type":"refusal","refusal":"no"}]}'],
    ),
    "items of the API's own, where they stood": (
        [
            own(wg.OpaqueBlock(API, wg.RawJson(SEARCH)), "yes"),
            user("x", wg.OpaqueBlock(API, {"type": "item_reference", "id": "msg_1"}), "hi"),
        ],
        [SEARCH, YES, HI.replace("hi", "x"), '{"type":"item_reference","id":"msg_1"}', HI],
    ),
    "a part of the API's own": (
        [user("x", wg.OpaqueBlock(API, {"type": "input_file", "file_id": "f"}))],
        [said(X, '{"type":"input_file","file_id":"f"}')],
    ),
    "an item of the API's own between calls and results": (
        [
            own(call("a"), wg.OpaqueBlock(API, wg.RawJson(SEARCH))),
            batch(result("a"), wg.OpaqueBlock(API, {"type": "item_reference", "id": "x"})),
        ],
        [CALL_A, SEARCH, RESULT_A, '{"type":"item_reference","id":"x"}'],
    ),
    "images": (
        [
            user(
                wg.ImageBlock(data=PNG),
                wg.ImageBlock(url="https://x.org/a", detail="low"),
                wg.ImageBlock(file_id="f", detail="huge", alt_text="x", width=1),
                wg.ImageBlock(url="data:image/png;base64,iVBORw0KGgo="),
            )
        ],
        [
            said(
                PNG_PART,
                '{"type":"input_image","image_url":"https://x.org/a","detail":"low"}',
                '{"type":"input_image","file_id":"f","detail":"auto"}',
                PNG_PART,
            )
        ],
    ),
    "documents": (
        [
            user(
                PDF,
                wg.DocumentBlock(url="https://x.org/a", filename="a.pdf"),
                wg.DocumentBlock(file_id="f"),
                wg.DocumentBlock.from_text("x", "t"),
                wg.DocumentBlock.from_bytes(b"x", "text/csv"),
            )
        ],
        [
            said(
                f'{{"type":"input_file","filename":"document.pdf","file_data":"{PDF_URL}"}}',
                '{"type":"input_file","file_url":"https://x.org/a","filename":"a.pdf"}',
                '{"type":"input_file","file_id":"f"}',
                '{"type":"input_file","filename":"t","file_data":"data:text/plain;base64,eA=="}',
                '{"type":"input_file","filename":"file","file_data":"data:text/csv;base64,eA=="}',
            )
        ],
    ),
    "media in a result": (
        [assistant(call("a")), answer("a", wg.ImageBlock(data=PNG), "x")],
        [CALL_A, _answers(f"[{PNG_PART},{X}]")],
    ),
    "a document and a part of this API in a result": (
        [
            assistant(call("a")),
            answer(
                "a",
                wg.DocumentBlock(file_id="f"),
                wg.OpaqueBlock(API, {"type": "input_file", "file_id": "g"}),
            ),
        ],
        [
            CALL_A,
            _answers('[{"type":"input_file","file_id":"f"},{"type":"input_file","file_id":"g"}]'),
        ],
    ),
    "cache breakpoints on parts and results": (
        [
            user(text("x", cache=MARK)),
            assistant(call("a")),
            batch(result("a", "x", cache=wg.CacheMark("5m"))),
        ],
        [
            said(X[:-1] + ',"prompt_cache_breakpoint":{"mode":"explicit"}}'),
            CALL_A,
            _answers("[" + X[:-1] + ',"prompt_cache_breakpoint":{"mode":"explicit"}}]'),
        ],
    ),
    "unknown keys of this API": (
        [
            user(text("x", extras=extras(k=1)), extras=extras(m=[1])),
            assistant(
                call("a", extras=extras(namespace="n")), text("x", extras=extras(cache=None))
            ),
            batch(result("a", extras=extras(name="f"))),
        ],
        [
            '{"m":[1],"role":"user","content":[{"k":1,' + X[1:] + "]}",
            '{"namespace":"n",' + CALL_A[1:],
            '{"role":"assistant","content":[{"cache":null,"type":"output_text","text":"x"}]}',
            '{"name":"f",' + RESULT_A[1:],
        ],
    ),
}
UNKNOWN_TO_THE_TYPES = {"unknown keys of this API", "items of the API's own, where they stood"}


@pytest.mark.parametrize("kind", ["image/jpeg", "image/png", "image/gif", "image/webp"])
def test_an_image_goes_inline(kind: str) -> None:
    image = wg.ImageBlock(data=wg.Media.from_bytes(b"x"), mime_type=kind, detail="original")
    part = f'{{"type":"input_image","image_url":"data:{kind};base64,eA==","detail":"original"}}'
    assert encode(request(user(image))) == body(said(part))


@pytest.mark.parametrize(
    "kind",
    [
        *("input_text", "input_image", "input_file", "input_audio", "input_video"),
        *("output_text", "refusal", "text"),
    ],
)
def test_a_part_of_this_api_that_has_no_kind_stays_in_its_message(kind: str) -> None:
    part = wg.OpaqueBlock(API, {"type": kind, "k": 1})
    assert encode(request(user("x", part))) == body(said(X, f'{{"type":"{kind}","k":1}}'))


def test_an_item_of_this_api_is_no_part() -> None:
    item = wg.OpaqueBlock(API, {"type": "item_reference", "id": "i"})
    reference = '{"type":"item_reference","id":"i"}'
    assert encode(request(user(item, "hi"))) == body(reference, HI)


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case: str) -> None:
    messages, expected = MESSAGES[case]
    encoded = encode(request(*messages))
    assert encoded.decode() == body(*expected).decode()
    if case not in UNKNOWN_TO_THE_TYPES:
        judge(encoded)


TOOLS = (
    '"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},'
    '"strict":false}]'
)
PARAMETERS: dict[str, tuple[str, dict[str, Any], str]] = {
    "plain parameters": (
        "openai",
        {
            "stream": True,
            "max_tokens": 16,
            "temperature": 0,
            "top_p": 1.0,
            "top_logprobs": 2,
            "logprobs": True,
            "service_tier": "flex",
            "user_id": "u",
            "metadata": {"k": "v"},
        },
        '"stream":true,"include":["message.output_text.logprobs"],"max_output_tokens":16,'
        '"temperature":0,"top_p":1.0,"top_logprobs":2,"service_tier":"flex",'
        '"safety_identifier":"u","metadata":{"k":"v"}',
    ),
    "what asks for nothing": (
        "openai",
        {"frequency_penalty": 0, "stop": [], "candidates": 1, "metadata": {}, "logprobs": False},
        "",
    ),
    "sampling of another dialect": (
        "openrouter",
        {"top_k": 3, "frequency_penalty": 1.0, "presence_penalty": -1.0, "stop": ["x"]},
        '"top_k":3,"frequency_penalty":1.0,"presence_penalty":-1.0,"stop":["x"]',
    ),
    "logprobs at xAI": (
        "xai",
        {"top_logprobs": 2, "user_id": "u", "max_tokens": 1},
        '"max_output_tokens":1,"logprobs":true,"top_logprobs":2,"user":"u"',
    ),
    "a level of thinking": (
        "openai",
        {"thinking": wg.Thinking(LEVEL.MAX)},
        '"include":["reasoning.encrypted_content"],"reasoning":{"effort":"max"}',
    ),
    "thinking to be shown": (
        "openai",
        {"thinking": wg.Thinking(visible=True)},
        '"include":["reasoning.encrypted_content"],"reasoning":{"summary":"auto"}',
    ),
    "no thinking": (
        "openai",
        {"thinking": wg.Thinking(LEVEL.OFF)},
        '"reasoning":{"effort":"none"}',
    ),
    "a budget at OpenRouter": (
        "openrouter",
        {"thinking": wg.Thinking(budget_tokens=9)},
        '"include":["reasoning.encrypted_content"],"reasoning":{"max_tokens":9}',
    ),
    "the cache at OpenRouter": (
        "openrouter",
        {"cache": wg.CacheConfig(ttl="1h")},
        '"cache_control":{"type":"ephemeral","ttl":"1h"}',
    ),
    "the cache is automatic": ("openai", {"cache": wg.CacheConfig(ttl="5m")}, ""),
    "text": (
        "openai",
        {"response_format": wg.ResponseFormat("text")},
        '"text":{"format":{"type":"text"}}',
    ),
    "json": (
        "openai",
        {"response_format": wg.ResponseFormat("json")},
        '"text":{"format":{"type":"json_object"}}',
    ),
    "a schema": (
        "openai",
        {
            "response_format": wg.ResponseFormat(
                "json_schema", wg.RawJson('{"type": "object"}'), "n", "d", True
            )
        },
        '"text":{"format":{"type":"json_schema","name":"n","description":"d",'
        '"schema":{"type": "object"},"strict":true}}',
    ),
    "a schema without a name": (
        "openai",
        {"response_format": wg.ResponseFormat("json_schema", {})},
        '"text":{"format":{"type":"json_schema","name":"response","schema":{}}}',
    ),
    "a tool": ("openai", {"tools": [wg.Tool("f")]}, TOOLS),
    "a tool with everything": (
        "openai",
        {
            "tools": [
                wg.Tool("f", "d", wg.RawJson('{"type":"object", "properties":{}}'), strict=True),
                wg.OpaqueBlock(API, {"type": "web_search"}),
            ],
            "parallel_tool_calls": False,
        },
        '"parallel_tool_calls":false,"tools":[{"type":"function","name":"f","description":"d",'
        '"parameters":{"type":"object", "properties":{}},"strict":true},{"type":"web_search"}]',
    ),
    "a schema that says less than the wire wants": (
        "openai",
        {"tools": [wg.Tool("f", parameters=wg.RawJson('{"required":[]}'))]},
        TOOLS.replace('"properties":{}', '"properties":{},"required":[]'),
    ),
    "a choice": (
        "openai",
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice("required")},
        '"tool_choice":"required",' + TOOLS,
    ),
    "a choice of one tool": (
        "openai",
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice("tool", "f")},
        '"tool_choice":{"type":"function","name":"f"},' + TOOLS,
    ),
    "a choice of some tools": (
        "openai",
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice(allowed=["f"])},
        '"tool_choice":{"type":"allowed_tools","mode":"auto",'
        '"tools":[{"type":"function","name":"f"}]},' + TOOLS,
    ),
    "a choice of some tools, by force": (
        "openai",
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice("required", allowed=["f"])},
        '"tool_choice":{"type":"allowed_tools","mode":"required",'
        '"tools":[{"type":"function","name":"f"}]},' + TOOLS,
    ),
    "a choice that has nothing to choose from": (
        "openai",
        {"tool_choice": wg.ToolChoice(), "parallel_tool_calls": True},
        "",
    ),
    "unknown keys of this API": ("openai", {"extras": extras(store=False)}, '"store":false'),
}


@pytest.mark.parametrize(("dialect", "fields", "head"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters(dialect: str, fields: dict[str, Any], head: str) -> None:
    encoded = encode(request(user("hi"), **fields), dialect=dialect)
    assert encoded.decode() == body(HI, head=head).decode()
    judge(encoded, dialect)


def test_instructions_go_back_as_such_at_the_start_alone() -> None:
    prompt = system("x", extras=spelled(**{"as": "instructions"}))
    encoded = encode(request(prompt, system("x"), user("hi")))
    item = '{"role":"system","content":"x"}'
    assert encoded == body(item, HI, head='"instructions":"x"')
    assert encode(request(user("hi"), prompt)) == body(HI, item)
    prompt.content.append(wg.TextBlock("y"))
    two = said(X, X.replace('"x"', '"y"'), role="system")
    assert encode(request(prompt, user("hi"))) == body(two, HI)


@pytest.mark.parametrize("key", ["previous_response_id", "conversation"])
def test_a_result_whose_call_the_service_holds(key: str) -> None:
    encoded = encode(request(answer("a", "x"), extras=extras(**{key: "id_1"})))
    item = '{"type":"function_call_output","call_id":"a","output":"x"}'
    assert encoded == f'{{"{key}":"id_1","model":"m","input":[{item}]}}'.encode()
    judge(encoded)


@pytest.mark.parametrize("value", [None, "", False, 0, {}, []])
def test_a_service_holds_no_call_under_an_empty_key(value: Any) -> None:
    with pytest.raises(
        wg.EncodeError,
        match="tool result `a` has no call before it; add one, or pass repair=True",
    ):
        encode(request(answer("a", "x"), extras=extras(conversation=value)))
    with pytest.raises(
        wg.EncodeError,
        match="tool result `a` has no call before it; add one, or pass repair=True",
    ):
        encode(request(answer("a", "x"), extras=extras(truncation="auto")))


def test_a_result_for_a_call_of_the_api_s_own() -> None:
    search = {"type": "tool_search_call", "call_id": "a", "arguments": {}, "execution": "client"}
    encoded = encode(request(own(wg.OpaqueBlock(API, search)), answer("a")))
    assert encoded.endswith(b'"execution":"client"},' + RESULT_A.encode() + b"]}")


def test_a_stored_prompt_needs_neither_model_nor_input() -> None:
    asked = wg.Request([], extras=extras(prompt={"id": "pmpt_1"}))
    assert encode(asked) == b'{"prompt":{"id":"pmpt_1"}}'
    judge(encode(asked))


def test_ids_reasoning_and_spelling_stay_with_their_dialect() -> None:
    thought = wg.ThinkingBlock("hm", "s", extras=spelled(id="rs_1"))
    said_so = text("yes", extras=spelled(message={"id": "msg_1", "status": "completed"}))
    asked = request(own(thought, said_so))
    losses: list[wg.Loss] = []
    assert encode(asked, losses=losses, dialect="azure") == body(YES)
    assert [loss.what for loss in losses] == ["thinking"]
    judge(encode(asked))


def test_reasoning_of_xai_is_not_sent_to_openai() -> None:
    reasoning = '{"type":"reasoning","summary":[],"encrypted_content":"s","id":"rs_1"}'
    given = f'{{"model":"m","input":[{HI},{reasoning},{YES},{HI}]}}'
    asked = responses.decode_request(given, dialect="xai")
    assert responses.encode_request(asked, dialect="xai") == given.encode()
    losses: list[wg.Loss] = []
    assert responses.encode_request(asked, losses=losses, dialect="openai") == body(HI, YES, HI)
    assert [(loss.what, loss.path) for loss in losses] == [("thinking", "$.messages[1].content[0]")]


def test_what_openai_signed_is_not_sent_to_xai() -> None:
    asked = request(own(wg.ThinkingBlock("hm", "s"), "yes", provider="openai"))
    losses: list[wg.Loss] = []
    assert encode(asked, losses=losses, dialect="xai") == body(YES)
    assert [loss.what for loss in losses] == ["thinking"]


REPAIRED: dict[str, tuple[list[Any], list[str]]] = {
    "a call without a result": (
        [assistant(call("a")), user("hi")],
        [CALL_A, _answers('"No result was recorded for this call."'), HI],
    ),
    "a result without a call": (
        [answer("b", "x"), user("hi")],
        [said('{"type":"input_text","text":"A result without its call (b):"}', X), HI],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), REPAIRED.values(), ids=REPAIRED)
def test_repair(messages: list[Any], expected: list[str]) -> None:
    with pytest.raises(wg.EncodeError, match=r"has no (result|call before it)"):
        encode(request(*messages))
    encoded = encode(request(*messages), repair=True)
    assert encoded.decode() == body(*expected).decode()
    judge(encoded)


NAN = float("nan")
F = wg.Tool("f")
REFUSED: dict[str, tuple[wg.Request, str, str]] = {
    "no model": (wg.Request([user("hi")]), "no model, expected its name; pass `model`", "$.model"),
    "no message": (request(), "no message with content, expected at least one", "$.messages"),
    "no content": (request(user()), "no message with content, expected at least one", "$.messages"),
    "two tools of one name": (
        request(user("hi"), tools=[F, wg.Tool("f")]),
        "two tools named `f`, expected one",
        "$.tools[1]",
    ),
    "parameters that describe no object": (
        request(user("hi"), tools=[wg.Tool("f", parameters={"type": "array"})]),
        "tool parameters of another type, expected the JSON Schema of an object",
        "$.tools[0].parameters",
    ),
    "a choice without a name": (
        request(user("hi"), tools=[F], tool_choice=wg.ToolChoice("tool")),
        "tool choice of mode `tool` without a name, expected one",
        "$.toolChoice",
    ),
    "a choice of no tool": (
        request(user("hi"), tools=[F], tool_choice=wg.ToolChoice(allowed=["f", "g"])),
        "tool choice `g`, expected the name of a tool of the request",
        "$.toolChoice",
    ),
    "a schema that is none": (
        request(user("hi"), response_format=wg.ResponseFormat("json_schema")),
        "response format without a schema, expected a JSON Schema",
        "$.responseFormat.schema",
    ),
    "not a number": (
        request(user("hi"), temperature=NAN),
        "`nan`, expected a finite number",
        "$.temperature",
    ),
    "an opaque block that is not an object": (
        request(user(wg.OpaqueBlock(API, wg.RawJson("[]")))),
        "opaque block that is not an object, expected a JSON object",
        "$.messages[0].content[0]",
    ),
}


@pytest.mark.parametrize(("asked", "reason", "path"), REFUSED.values(), ids=REFUSED)
def test_a_request_that_contradicts_itself(asked: wg.Request, reason: str, path: str) -> None:
    with pytest.raises(wg.EncodeError) as error:
        encode(asked, losses=[])
    assert str(error.value) == f"openai_responses: {reason} - at `{path}`"


def test_a_dialect_that_nobody_speaks() -> None:
    with pytest.raises(wg.EncodeError, match="dialect `klingon`, expected one of `openai`"):
        encode(request(user("hi")), dialect="klingon")


def test_a_lone_surrogate_is_an_error_or_a_loss() -> None:
    asked = request(user("\ud83d"))
    with pytest.raises(wg.EncodeError):
        encode(asked)
    losses: list[wg.Loss] = []
    assert encode(asked, losses=losses) == body('{"role":"user","content":"\ufffd"}')
    assert [loss.what for loss in losses] == ["lone surrogate"]


def test_a_transcript_with_instructions() -> None:
    prompt = system("x", extras=spelled(**{"as": "instructions"}))
    transcript = responses.Transcript([prompt, system("x"), user("hi"), assistant("yes")])
    for message in (user("hi"), assistant(call("a")), answer("a"), assistant("yes"), user("hi")):
        transcript.append(message)
        if type(message) is wg.UserMessage:
            transcript.encode(model="m")
    item = '{"role":"system","content":"x"}'
    expected = [item, HI, YES, HI, CALL_A, RESULT_A, YES, HI]
    assert transcript.encode(model="m") == body(*expected, head='"instructions":"x"')


@pytest.mark.parametrize(
    ("dialect", "path"),
    [
        ("openai", "/v1/responses"),
        ("azure", "/openai/v1/responses"),
        ("xai", "/v1/responses"),
        ("openrouter", "/api/v1/responses"),
    ],
)
def test_a_route(dialect: str, path: str) -> None:
    key = ("api-key", "") if dialect == "azure" else ("authorization", "Bearer ")
    assert responses.route(request(), dialect=dialect) == wg.Route("POST", path, key=key)


def test_reasoning_of_another_api_is_not_sent() -> None:
    losses: list[wg.Loss] = []
    asked = request(assistant(wg.ThinkingBlock("hm", "s"), "yes", api=OTHER))
    assert encode(asked, losses=losses) == body(YES)
    assert [(loss.what, loss.path) for loss in losses] == [("thinking", "$.messages[0].content[0]")]


def test_what_a_caller_changes_in_one_request_is_not_in_the_next() -> None:
    chat = wg.providers.openai_chat
    body = b'{"model":"m","messages":[{"role":"user","content":"hi"}]}'
    first = chat.decode_request(body, target="openai-responses")
    assert first.extras is not None
    first.extras["openai-responses"].keys = wg.RawJson.of({"store": True})
    second = chat.decode_request(body, target="openai-responses")
    said = (
        b'{"model":"m","store":true,"input":[{"role":"user","content":"hi"}]}',
        b'{"model":"m","store":false,"input":[{"role":"user","content":"hi"}]}',
    )
    encode = wg.providers.openai_responses.encode_request
    assert (encode(first), encode(second)) == said
