"""Tools that a client runs itself, behind an API that has only functions."""

import json
from typing import Final

import pytest

import wireglot as wg

# Codex: a tool of free text, and the tools of a server of MCP in a namespace.
# ggml-org/llama.cpp#23229, BerriAI/litellm#32536, Wei-Shaw/sub2api#3390
CODEX: Final = (
    b'{"model":"gpt-5.6","tools":['
    b'{"type":"custom","name":"apply_patch","description":"Edit files.",'
    b'"format":{"type":"grammar","syntax":"lark","definition":"start: /.+/s"}},'
    b'{"type":"namespace","name":"mcp__docs","description":"The handbook.","tools":['
    b'{"type":"function","name":"find","description":"Find a page.","strict":false,'
    b'"parameters":{"type":"object","properties":{"q":{"type":"string"}}}},'
    b'{"type":"function","name":"list","parameters":{"type":"object","properties":{}}}]}],'
    b'"input":[{"role":"user","content":"Hi"},'
    b'{"type":"custom_tool_call","call_id":"c1","name":"apply_patch","input":"+ \\"a\\"\\n"},'
    b'{"type":"function_call","call_id":"c2","namespace":"mcp__docs","name":"find",'
    b'"arguments":"{\\"q\\":\\"b\\"}"},'
    b'{"type":"custom_tool_call_output","call_id":"c1","output":"Done"},'
    b'{"type":"function_call_output","call_id":"c2","output":"Found"}]}'
)
PATCH: Final = "Edit files.\\n\\n`input` follows this lark grammar:\\nstart: /.+/s"
TEXT: Final = '{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}'
FIND: Final = "Find a page.\\n\\nOf all tools whose names begin with `mcp__docs__`: The handbook."
QUERY: Final = '{"type":"object","properties":{"q":{"type":"string"}}}'
NOTHING: Final = '{"type":"object","properties":{}}'
AT_CHAT: Final = (
    '{"model":"m","tools":[{"type":"function","function":{"name":"apply_patch",'
    f'"description":"{PATCH}","parameters":{TEXT}}}}},'
    '{"type":"function","function":{"name":"mcp__docs__find",'
    f'"description":"{FIND}","parameters":{QUERY}}}}},'
    f'{{"type":"function","function":{{"name":"mcp__docs__list","parameters":{NOTHING}}}}}],'
    '"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":['
    '{"id":"c1","type":"function","function":{"name":"apply_patch",'
    '"arguments":"{\\"input\\":\\"+ \\\\\\"a\\\\\\"\\\\n\\"}"}},'
    '{"id":"c2","type":"function","function":{"name":"mcp__docs__find",'
    '"arguments":"{\\"q\\":\\"b\\"}"}}]},'
    '{"role":"tool","tool_call_id":"c1","content":"Done"},'
    '{"role":"tool","tool_call_id":"c2","content":"Found"}]}'
)
AT_ANTHROPIC: Final = (
    '{"model":"m","max_tokens":8192,"tools":['
    f'{{"name":"apply_patch","input_schema":{TEXT},"description":"{PATCH}"}},'
    f'{{"name":"mcp__docs__find","input_schema":{QUERY},"description":"{FIND}"}},'
    f'{{"name":"mcp__docs__list","input_schema":{NOTHING}}}],'
    '"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]},'
    '{"role":"assistant","content":['
    '{"type":"tool_use","id":"c1","name":"apply_patch","input":{"input":"+ \\"a\\"\\n"}},'
    '{"type":"tool_use","id":"c2","name":"mcp__docs__find","input":{"q":"b"}}]},'
    '{"role":"user","content":['
    '{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"Done"}]},'
    '{"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"Found"}]}]}]}'
)
NAMES: Final = {
    "apply_patch": wg.ToolName("apply_patch", "custom"),
    "mcp__docs__find": wg.ToolName(
        "find", extras={"openai-responses": wg.Extra(wg.RawJson('{"namespace":"mcp__docs"}'))}
    ),
    "mcp__docs__list": wg.ToolName(
        "list", extras={"openai-responses": wg.Extra(wg.RawJson('{"namespace":"mcp__docs"}'))}
    ),
}


@pytest.mark.parametrize(
    ("target", "body"), [("openai_chat", AT_CHAT), ("anthropic", AT_ANTHROPIC)]
)
def test_the_tools_of_codex_go_as_functions(target: str, body: str) -> None:
    names: wg.ToolNames = {}
    losses: list[wg.Loss] = []
    made = wg.translate_request(
        CODEX, "openai_responses", target, losses=losses, model="m", names=names
    )
    assert made.decode() == body
    assert names == NAMES
    assert losses == []


@pytest.mark.parametrize("target", sorted({*wg.PROVIDERS} - {"openai_responses"}))
def test_without_a_map_the_kinds_of_tools_are_a_loss(target: str) -> None:
    losses: list[wg.Loss] = []
    wg.translate_request(CODEX, "openai_responses", target, losses=losses, model="m")
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.tools[0]", "tool kind"),
        ("$.tools[1]", "tool kind"),
        ("$.tools[1]", "tool kind"),
    ]


def test_without_a_map_it_is_so_in_responses() -> None:
    losses: list[wg.Loss] = []
    wg.translate_request(CUSTOM, "openai_chat", "openai_responses", losses=losses, model="m")
    assert [(loss.path, loss.what) for loss in losses] == [("$.tools[0]", "tool kind")]


def test_a_loss_beside_such_tools_has_its_path() -> None:
    body = CODEX.replace(
        b'{"type":"custom_tool_call",',
        b'{"type":"reasoning","summary":[],"encrypted_content":"e"},{"type":"custom_tool_call",',
    )
    losses: list[wg.Loss] = []
    wg.translate_request(body, "openai_responses", "anthropic", losses=losses, model="m", names={})
    assert [(loss.path, loss.what) for loss in losses] == [("$.messages[1].content[0]", "thinking")]


def test_to_the_api_that_has_them_they_go_as_they_came() -> None:
    names: wg.ToolNames = {}
    made = wg.translate_request(CODEX, "openai_responses", "openai_responses", names=names)
    assert json.loads(made) == json.loads(CODEX)  # an unknown key comes first
    assert names == {}


# MetaFARS/codex-relay#6: `unsupported call`; caozhiyuan/copilot-api#242: `incompatible payload`
ANSWERED: Final = (
    b'{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
    b'"message":{"role":"assistant","content":null,"tool_calls":['
    b'{"id":"c1","type":"function","function":{"name":"apply_patch",'
    b'"arguments":"{\\"input\\":\\"+ \\\\\\"a\\\\\\"\\\\n\\"}"}},'
    b'{"id":"c2","type":"function","function":{"name":"mcp__docs__find",'
    b'"arguments":"{\\"q\\":\\"b\\"}"}}]},"finish_reason":"tool_calls"}]}'
)
OUTPUT: Final = (
    '"output":[{"id":"ctc_1","type":"custom_tool_call","call_id":"c1","name":"apply_patch",'
    '"input":"+ \\"a\\"\\n"},'
    '{"namespace":"mcp__docs","id":"fc_1","type":"function_call","status":"completed",'
    '"call_id":"c2","name":"find","arguments":"{\\"q\\":\\"b\\"}"}]'
)


def test_codex_gets_calls_of_its_own_tools() -> None:
    losses: list[wg.Loss] = []
    made = wg.translate_response(
        ANSWERED, "openai_chat", "openai_responses", losses=losses, names=NAMES, ids=lambda: "1"
    )
    assert OUTPUT in made.decode().replace("_10000", "_1").replace("_10001", "_1")
    assert losses == []


STREAMED: Final = (
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",'
    b'"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"c1",'
    b'"type":"function","function":{"name":"apply_patch","arguments":""}}]}}]}\n\n'
    b'data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,'
    b'"function":{"arguments":"{\\"input\\":\\"+ \\\\"}}]}}]}\n\n'
    b'data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,'
    b'"function":{"arguments":"\\"a\\\\\\"\\"}"}}]}}]}\n\n'
    b'data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"c2",'
    b'"type":"function","function":{"name":"mcp__docs__find",'
    b'"arguments":"{\\"q\\":\\"b\\"}"}}]}}]}\n\n'
    b'data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n'
    b"data: [DONE]\n\n"
)


@pytest.mark.parametrize("size", [1, 7, 64, 1 << 20])
def test_codex_gets_calls_of_its_own_tools_in_a_stream(size: int) -> None:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(
        "openai_chat", "openai_responses", losses=losses, names=NAMES, ids=lambda: "1"
    )
    chunks = [STREAMED[at : at + size] for at in range(0, len(STREAMED), size)]
    made = b"".join([*map(translator.feed, chunks), translator.close()]).decode()
    told = [line for line in made.splitlines() if "_input." in line or "arguments." in line]
    data = [line for line in told if line.startswith("data: ")]
    assert data == [
        'data: {"type":"response.custom_tool_call_input.delta","sequence_number":3,'
        '"item_id":"ctc_10000","output_index":0,"delta":"+ \\"a\\""}',
        'data: {"type":"response.custom_tool_call_input.done","sequence_number":4,'
        '"item_id":"ctc_10000","output_index":0,"input":"+ \\"a\\""}',
        'data: {"type":"response.function_call_arguments.delta","sequence_number":7,'
        '"item_id":"fc_10001","output_index":1,"delta":"{\\"q\\":\\"b\\"}"}',
        'data: {"type":"response.function_call_arguments.done","sequence_number":8,'
        '"item_id":"fc_10001","output_index":1,"arguments":"{\\"q\\":\\"b\\"}"}',
    ]
    assert '"item":{"namespace":"mcp__docs","id":"fc_10001","type":"function_call"' in made
    assert losses == []


# A tool of Chat's with free text: UKGovernmentBEIS/inspect_ai#2587
CUSTOM: Final = (
    b'{"model":"gpt-5.6","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"custom",'
    b'"custom":{"name":"sql","format":{"type":"grammar","grammar":{"syntax":"regex",'
    b'"definition":"SELECT .*"}}}}]}'
)


def test_a_custom_tool_of_chat_goes_as_a_function() -> None:
    names: wg.ToolNames = {}
    losses: list[wg.Loss] = []
    made = wg.translate_request(CUSTOM, "openai_chat", "gemini", losses=losses, names=names)
    assert made.decode() == (
        '{"tools":[{"functionDeclarations":[{"name":"sql",'
        '"description":"`input` follows this regex grammar:\\nSELECT .*",'
        f'"parametersJsonSchema":{TEXT}}}]}}],"contents":[{{"role":"user",'
        '"parts":[{"text":"Hi"}]}]}'
    )
    assert names == {"sql": wg.ToolName("sql", "custom")}
    assert losses == []


# Claude's tools, whose schema its API does not take: danny-avila/LibreChat, Portkey-AI/gateway#1085
def test_a_tool_that_claude_knows_by_heart_is_described_to_others() -> None:
    body = (
        b'{"model":"claude-opus-4-8","max_tokens":99,"tools":['
        b'{"type":"bash_20250124","name":"bash","cache_control":{"type":"ephemeral"}}],'
        b'"messages":[{"role":"user","content":"Hi"}]}'
    )
    losses: list[wg.Loss] = []
    names: wg.ToolNames = {}
    made = wg.translate_request(body, "anthropic", "bedrock", losses=losses, names=names)
    assert made.decode() == (
        '{"inferenceConfig":{"maxTokens":99},"toolConfig":{"tools":[{"toolSpec":{"name":"bash",'
        '"inputSchema":{"json":{"type":"object","properties":{"command":{"type":"string"},'
        '"restart":{"type":"boolean"}},"required":[]}},"description":"Run a command in a shell that'
        ' keeps its state between calls. `restart` starts it anew."}},'
        '{"cachePoint":{"type":"default"}}]},"messages":[{"role":"user","content":[{"text":"Hi"}]}]}'
    )
    assert losses == []
    assert names == {}


def test_the_size_of_a_screen_is_told_in_the_description() -> None:
    body = (
        b'{"model":"claude-opus-4-8","max_tokens":99,"tools":[{"type":"computer_20250124",'
        b'"name":"computer","display_width_px":800,"display_height_px":600,"strict":true}],'
        b'"messages":[{"role":"user","content":"Hi"}]}'
    )
    losses: list[wg.Loss] = []
    made = wg.translate_request(body, "anthropic", "mistral", losses=losses, model="m")
    assert b"The screen is 800 pixels wide. The screen is 600 pixels high." in made
    assert [(loss.path, loss.what) for loss in losses] == [("$.tools[0]", "extras")]


@pytest.mark.parametrize(
    "tool",
    [
        '{"type":"custom"}',
        '{"type":"custom","name":1}',
        '{"type":"custom","custom":{"name":null}}',
        '{"type":"namespace","name":"a"}',
        '{"type":"namespace","name":"a","tools":[]}',
        '{"type":"namespace","name":"a","tools":[1,{},{"name":2}]}',
        '{"type":["custom"],"name":"a"}',
        "[]",
        "1",
    ],
)
def test_a_tool_of_an_odd_shape_is_a_loss(tool: str) -> None:
    raw = wg.RawJson(tool)
    tools: list[wg.Tool | wg.OpaqueBlock] = [wg.OpaqueBlock("openai-responses", raw)]
    request = wg.Request([wg.UserMessage.from_text("Hi")], "m", tools=tools)
    losses: list[wg.Loss] = []
    wg.providers.mistral.encode_request(request, losses=losses)
    assert "opaque tool" in [loss.what for loss in losses]


# Codex finds the tools of its servers by a search that it runs itself; recorded with Codex 0.169.
# Its other clients: Wei-Shaw/sub2api#3390
SEARCHING: Final = (
    b'{"model":"gpt-5.6","tools":[{"type":"tool_search","execution":"client",'
    b'"description":"Search tools.","parameters":{"type":"object","properties":{"q":{}}}}],'
    b'"input":[{"role":"user","content":"Hi"},'
    b'{"type":"tool_search_call","call_id":"s1","execution":"client","status":"completed",'
    b'"arguments":{"q":"docs"}},'
    b'{"type":"tool_search_output","call_id":"s1","execution":"client","status":"completed",'
    b'"tools":[{"type":"namespace","name":"mcp__docs","tools":[{"type":"function","name":"find",'
    b'"parameters":{"type":"object","properties":{}}}]},'
    b'{"type":"function","name":"now","parameters":{"type":"object","properties":{}}}]}]}'
)


def test_what_a_search_for_tools_has_found_can_be_called() -> None:
    names: wg.ToolNames = {}
    losses: list[wg.Loss] = []
    made = wg.translate_request(
        SEARCHING, "openai_responses", "mistral", losses=losses, model="m", names=names
    )
    assert made.decode() == (
        '{"model":"m","tools":[{"type":"function","function":{"name":"tool_search",'
        '"description":"Search tools.","parameters":{"type":"object","properties":{"q":{}}}}},'
        f'{{"type":"function","function":{{"name":"mcp__docs__find","parameters":{NOTHING}}}}},'
        f'{{"type":"function","function":{{"name":"now","parameters":{NOTHING}}}}}],'
        '"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"",'
        '"tool_calls":[{"id":"6LwWPILu4","type":"function","function":{"name":"tool_search",'
        '"arguments":"{\\"q\\":\\"docs\\"}"}}]},{"role":"tool","tool_call_id":"6LwWPILu4",'
        '"content":"These tools can be called now: `mcp__docs__find`, `now`."}]}'
    )
    assert names == {
        "tool_search": wg.ToolName("tool_search", "tool_search"),
        "mcp__docs__find": NAMES["mcp__docs__find"],
    }
    assert losses == []


def test_a_tool_that_is_known_is_not_found_again() -> None:
    """Its name stands for the function, whose calls come back as they are."""
    body = SEARCHING.replace(b'{"type":"function","name":"now",', b'{"type":"custom","name":"now",')
    known = b'"tools":[{"type":"function","name":"now","parameters":null,"strict":null},'
    body = body.replace(b'"tools":[', known, 1)
    names: wg.ToolNames = {}
    made = wg.translate_request(
        body, "openai_responses", "mistral", losses=[], model="m", names=names
    )
    assert made.count(b'"name":"now"') == 1
    assert sorted(names) == ["mcp__docs__find", "tool_search"]


CALLED_SEARCH: Final = (
    '"item":{"type":"tool_search_call","call_id":"c1","execution":"client","arguments":%s,'
    '"status":"%s"}'
)


def test_codex_gets_a_search_that_it_runs_itself() -> None:
    names = {"tool_search": wg.ToolName("tool_search", "tool_search")}
    losses: list[wg.Loss] = []
    answer = ANSWERED.replace(b"apply_patch", b"tool_search").replace(b"+ ", b"")
    made = wg.translate_response(
        answer, "openai_chat", "openai_responses", losses=losses, names=names
    )
    assert (
        b'"output":[{"type":"tool_search_call","call_id":"c1","execution":"client",'
        b'"arguments":{"input":"\\"a\\"\\n"},"status":"completed"},'
    ) in made
    translator = wg.StreamTranslator("openai_chat", "openai_responses", losses=losses, names=names)
    stream = STREAMED.replace(b"apply_patch", b"tool_search").replace(b"+ ", b"")
    said = (translator.feed(stream) + translator.close()).decode()
    assert said.count(CALLED_SEARCH % ("{}", "in_progress")) == 1
    assert said.count(CALLED_SEARCH % ('{"input":"\\"a\\""}', "completed")) == 1
    assert losses == []


def test_a_search_that_openai_runs_stays_a_loss() -> None:
    body = SEARCHING.replace(b'"execution":"client",', b"")
    losses: list[wg.Loss] = []
    wg.translate_request(body, "openai_responses", "mistral", losses=losses, model="m", names={})
    assert [loss.what for loss in losses].count("opaque tool") == 1
    assert [loss.what for loss in losses].count("opaque block") == 2
