"""A tool choice whose tool the target does not carry -> what goes out, and the loss, on each wire.

Cases of the row `tool choice lost` of all eight tables. An expected body is a head below, and the
messages of its wire.
"""

import pytest

import wireglot as wg
from tests.providers.conversation import request, user

CODE = '{"name":"code_execution","type":"code_execution_20250825"}'
CHAT_F = (
    '{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}'
)
CUSTOM = '{"type":"custom","custom":{"name":"code"}}'
ANTHROPIC = (
    '{"model":"m","max_tokens":99,"tools":[%s],"tool_choice":%s,'
    '"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}'
)
ONLY_CODE = ANTHROPIC % (CODE, '{"type":"any"}')
FORCED_CODE = ANTHROPIC % (
    CODE + ',{"name":"f","input_schema":{"type":"object","properties":{}}}',
    '{"type":"tool","name":"code_execution"}',
)
CHAT = (
    '{"model":"m","max_completion_tokens":99,"tool_choice":%s,"tools":[%s],'
    '"messages":[{"role":"user","content":"Hi"}]}'
)
FORCED_CUSTOM = CHAT % (CUSTOM, f"{CUSTOM},{CHAT_F}")
RESPONSES = (
    '{"model":"m","max_output_tokens":99,"tool_choice":{"type":"allowed_tools",'
    '"mode":"required","tools":[%s]},"tools":[{"type":"custom","name":"code"},'
    '{"type":"function","name":"f","parameters":{"type":"object","properties":{}},'
    '"strict":false}],"input":[{"role":"user","content":"Hi"}]}'
)
ALLOWED_BOTH = RESPONSES % '{"type":"custom","name":"code"},{"type":"function","name":"f"}'
ALLOWED_CUSTOM = RESPONSES % '{"type":"custom","name":"code"}'
FORCED_GROUNDING = (
    '{"inferenceConfig":{"maxTokens":99},"toolConfig":{"tools":[{"systemTool":'
    '{"name":"nova_grounding"}},{"toolSpec":{"name":"f","inputSchema":{"json":'
    '{"type":"object","properties":{}}}}}],"toolChoice":{"tool":{"name":"nova_grounding"}}},'
    '"messages":[{"role":"user","content":[{"text":"Hi"}]}]}'
)

CONTENTS = '"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}'
INPUT = '"input":[{"role":"user","content":"Hi"}]}'
MESSAGES = '"messages":[{"role":"user","content":"Hi"}]}'
PARTS = '"messages":[{"role":"user","content":[{"text":"Hi"}]}]}'
TYPED_PARTS = '"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}'
CONVERSATION: dict[str, str] = {
    "anthropic": TYPED_PARTS,
    "openai_chat": MESSAGES,
    "openai_responses": INPUT,
    "gemini": CONTENTS,
    "bedrock": PARTS,
    "mistral": MESSAGES,
    "cohere": MESSAGES,
    "ollama": MESSAGES,
}
NO_TOOLS: dict[str, str] = {
    "openai_chat": '{"model":"m","max_completion_tokens":99,',
    "openai_responses": '{"model":"m","store":false,"max_output_tokens":99,',
    "gemini": '{"generationConfig":{"maxOutputTokens":99},',
    "bedrock": '{"inferenceConfig":{"maxTokens":99},',
    "mistral": '{"model":"m","max_tokens":99,',
    "cohere": '{"model":"m","max_tokens":99,',
    "ollama": '{"model":"m","stream":false,"options":{"num_predict":99},',
}
CHOSEN_BY_THE_MODEL: dict[str, str] = {
    "anthropic": '{"model":"m","max_tokens":99,"tools":[{"name":"f","input_schema":'
    '{"type":"object","properties":{}}}],"tool_choice":{"type":"auto"},',
    "openai_chat": '{"model":"m","max_completion_tokens":99,"tool_choice":"auto","tools":'
    '[{"type":"function","function":{"name":"f","parameters":'
    '{"type":"object","properties":{}}}}],',
    "openai_responses": '{"model":"m","store":false,"max_output_tokens":99,"tool_choice":"auto",'
    '"tools":'
    '[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},'
    '"strict":false}],',
    "gemini": '{"generationConfig":{"maxOutputTokens":99},"toolConfig":'
    '{"functionCallingConfig":{"mode":"AUTO"}},"tools":[{"functionDeclarations":[{"name":"f",'
    '"parametersJsonSchema":{"type":"object","properties":{}}}]}],',
    "bedrock": '{"inferenceConfig":{"maxTokens":99},"toolConfig":{"tools":[{"toolSpec":'
    '{"name":"f","inputSchema":{"json":{"type":"object","properties":{}}}}}],'
    '"toolChoice":{"auto":{}}},',
    "mistral": '{"model":"m","max_tokens":99,"tool_choice":"auto","tools":[{"type":"function",'
    '"function":{"name":"f","parameters":{"type":"object","properties":{}}}}],',
    "cohere": '{"model":"m","max_tokens":99,"tools":[{"type":"function","function":'
    '{"name":"f","parameters":{"type":"object","properties":{}}}}],',
    "ollama": '{"model":"m","stream":false,"options":{"num_predict":99},"tools":'
    '[{"type":"function","function":{"name":"f","parameters":'
    '{"type":"object","properties":{}}}}],',
}
FORCED: dict[str, tuple[str, str]] = {
    "a sandbox of Anthropic": ("anthropic", FORCED_CODE),
    "a system tool of Bedrock": ("bedrock", FORCED_GROUNDING),
}
AS_IT_CAME: dict[str, tuple[str, str]] = FORCED | {
    "a custom tool of OpenAI": ("openai_chat", FORCED_CUSTOM),
    "any tool of Anthropic": ("anthropic", ONLY_CODE),
    "one of two tools of OpenAI": ("openai_responses", ALLOWED_BOTH),
    "one tool of OpenAI": ("openai_responses", ALLOWED_CUSTOM),
}
# how -> the target, the body of Responses, the loss, and the head that goes out
NARROWED: dict[str, tuple[str, str, str, str]] = {
    "to what is left": (
        "openai_chat",
        ALLOWED_BOTH,
        "tool choice lost",
        '{"model":"m","max_completion_tokens":99,"tool_choice":{"type":"allowed_tools",'
        '"allowed_tools":{"mode":"required","tools":[{"type":"function","function":'
        '{"name":"f"}}]}},"tools":[{"type":"function","function":{"name":"f","parameters":'
        '{"type":"object","properties":{}},"strict":false}}],',
    ),
    "to nothing, so not at all": (
        "openai_chat",
        ALLOWED_CUSTOM,
        "tool choice lost",
        '{"model":"m","max_completion_tokens":99,"tool_choice":"required","tools":'
        '[{"type":"function","function":{"name":"f","parameters":'
        '{"type":"object","properties":{}},"strict":false}}],',
    ),
    "in Gemini to what is left": (
        "gemini",
        ALLOWED_BOTH,
        "tool choice lost",
        '{"generationConfig":{"maxOutputTokens":99},"toolConfig":{"functionCallingConfig":'
        '{"mode":"ANY","allowedFunctionNames":["f"]}},"tools":[{"functionDeclarations":'
        '[{"name":"f","parametersJsonSchema":{"type":"object","properties":{}}}]}],',
    ),
    "in Gemini to nothing, so not at all": (
        "gemini",
        ALLOWED_CUSTOM,
        "tool choice lost",
        '{"generationConfig":{"maxOutputTokens":99},"toolConfig":{"functionCallingConfig":'
        '{"mode":"ANY"}},"tools":[{"functionDeclarations":[{"name":"f",'
        '"parametersJsonSchema":{"type":"object","properties":{}}}]}],',
    ),
    "on a wire that never narrows": (
        "mistral",
        ALLOWED_BOTH,
        "tool choice allowed",
        '{"model":"m","max_tokens":99,"tool_choice":"any","tools":[{"type":"function",'
        '"function":{"name":"f","parameters":{"type":"object","properties":{}},'
        '"strict":false}}],',
    ),
}
# The lost tool, and whether a choice of `code` is lost with it.
TOOLS: dict[str, tuple[str, bool]] = {
    "of this name": ('{"type":"x","name":"code"}', True),
    "of this name, in the object of its type": ('{"type":"x","x":{"name":"code"}}', True),
    "of this name, in a system tool": ('{"systemTool":{"name":"code"}}', True),
    "that tells no name": ('{"googleSearch":{}}', True),
    "that tells the name of something else": ('{"type":"mcp","server":{"name":"x"}}', True),
    "that holds tools": ('{"type":"namespace","name":"x","tools":[{"name":"code"}]}', True),
    "that is not an object": ("[]", True),
    "whose name is no text": ('{"type":["x"],"name":1}', True),
    "of another name": ('{"type":"x","name":"other"}', False),
    "of another name, in the object of its type": ('{"type":"x","x":{"name":"other"}}', False),
    "of another name, in a system tool": ('{"systemTool":{"name":"other"}}', False),
}
F = wg.Tool("f")


def _encoded(source: str, target: str, body: str) -> tuple[str, list[tuple[str, str]]]:
    """Translate a body; return it, and the losses beside that of the first tool."""
    losses: list[wg.Loss] = []
    made = wg.translate_request(body, source, target, losses=losses, model="m").decode()
    assert (losses[0].path, losses[0].what) == ("$.tools[0]", "opaque tool")
    return made, [(loss.path, loss.what) for loss in losses[1:]]


def _chosen(lost: str, name: str, *tools: wg.Tool) -> wg.Request:
    """Return a request that forces a tool, and whose first tool is of another API."""
    foreign = wg.OpaqueBlock("another-api", wg.RawJson(lost))
    choice = wg.ToolChoice("tool", name)
    return request(user("Hi"), tools=[foreign, *tools], tool_choice=choice)


@pytest.mark.parametrize("target", NO_TOOLS)
def test_no_call_is_forced_where_the_only_tool_is_lost(target: str) -> None:
    made, lost = _encoded("anthropic", target, ONLY_CODE)
    assert made == NO_TOOLS[target] + CONVERSATION[target]
    assert lost == [("$.toolChoice", "tool choice unused"), ("$.tools", "only tools")]


@pytest.mark.parametrize(
    ("forced", "target"),
    [
        (forced, target)
        for forced in FORCED
        for target in CHOSEN_BY_THE_MODEL
        if target != FORCED[forced][0]
    ],
)
def test_a_tool_that_is_lost_is_not_forced(forced: str, target: str) -> None:
    source, body = FORCED[forced]
    made, lost = _encoded(source, target, body)
    assert made == CHOSEN_BY_THE_MODEL[target] + CONVERSATION[target]
    assert lost == [("$.toolChoice", "tool choice lost")]


@pytest.mark.parametrize(("target", "body", "loss", "head"), NARROWED.values(), ids=NARROWED)
def test_a_choice_is_narrowed(target: str, body: str, loss: str, head: str) -> None:
    losses: list[wg.Loss] = []
    given = wg.providers.openai_responses.decode_request(body, target=wg.PROVIDERS[target].API)
    assert given.tools is not None
    given.tools[0] = wg.OpaqueBlock("another-api", wg.RawJson('{"type":"x","name":"code"}'))
    made = wg.PROVIDERS[target].encode_request(given, losses=losses).decode()
    assert made == head + CONVERSATION[target]
    assert [(lost.path, lost.what) for lost in losses] == [
        ("$.tools[0]", "opaque tool"),
        ("$.toolChoice", loss),
    ]


@pytest.mark.parametrize(
    ("target", "choice"),
    [
        ("anthropic", '"tool_choice":{"type":"tool","name":"code"}'),
        ("openai_responses", '"tool_choice":{"type":"function","name":"code"}'),
        ("gemini", '{"mode":"ANY","allowedFunctionNames":["code"]}'),
        ("bedrock", '"toolChoice":{"tool":{"name":"code"}}'),
        ("mistral", '"tool_choice":{"type":"function","function":{"name":"code"}}'),
    ],
)
def test_a_custom_tool_is_forced_as_the_function_that_it_becomes(target: str, choice: str) -> None:
    names: wg.ToolNames = {}
    losses: list[wg.Loss] = []
    made = wg.translate_request(
        FORCED_CUSTOM, "openai_chat", target, losses=losses, model="m", names=names
    )
    assert choice.encode() in made
    assert names == {"code": wg.ToolName("code", "custom")}
    assert losses == []


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        (
            ["code", "f"],
            '{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"f"}]}',
        ),
        (["code"], '"required"'),
    ],
    ids=["to what is left", "to nothing, so not at all"],
)
def test_a_choice_is_narrowed_in_responses(allowed: list[str], expected: str) -> None:
    losses: list[wg.Loss] = []
    given = _chosen('{"type":"x","name":"code"}', "code", F)
    given.tool_choice = wg.ToolChoice("required", allowed=allowed)
    made = wg.providers.openai_responses.encode_request(given, losses=losses)
    assert f'"tool_choice":{expected},"tools"'.encode() in made
    assert ("$.toolChoice", "tool choice lost") in [(loss.path, loss.what) for loss in losses]


def test_each_loss_of_a_choice_names_its_place() -> None:
    losses: list[wg.Loss] = []
    given = _chosen('{"type":"x","name":"code"}', "code", F)
    given.tool_choice = wg.ToolChoice("tool", "code", allowed=["f"])
    wg.providers.anthropic.encode_request(given, losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.tools[0]", "opaque tool"),
        ("$.toolChoice", "tool choice lost"),
        ("$.toolChoice", "tool choice allowed"),
    ]


@pytest.mark.parametrize(("name", "body"), AS_IT_CAME.values(), ids=AS_IT_CAME)
def test_a_choice_goes_back_to_its_own_wire_as_it_came(name: str, body: str) -> None:
    assert wg.translate_request(body, name, name).decode() == body


@pytest.mark.parametrize(("tool", "is_lost"), TOOLS.values(), ids=TOOLS)
def test_the_choice_is_lost_with_a_tool(tool: str, is_lost: bool) -> None:
    losses: list[wg.Loss] = []
    made = wg.providers.mistral.encode_request(_chosen(tool, "code", F), losses=losses).decode()
    choice = '"auto"' if is_lost else '{"type":"function","function":{"name":"code"}}'
    assert made.startswith(f'{{"model":"m","max_tokens":8,"tool_choice":{choice},"tools":')
    expected = ["opaque tool", "tool choice lost"] if is_lost else ["opaque tool"]
    assert [loss.what for loss in losses] == expected


@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "gemini"])
def test_a_choice_of_no_tool_is_an_error_beside_a_lost_tool(name: str) -> None:
    given = _chosen('{"type":"x","name":"other"}', "code", F)
    with pytest.raises(wg.EncodeError, match="tool choice") as caught:
        wg.PROVIDERS[name].encode_request(given, losses=[])
    assert type(caught.value) is wg.EncodeError


def test_a_function_of_the_same_name_is_forced() -> None:
    losses: list[wg.Loss] = []
    given = _chosen('{"type":"x","name":"f"}', "f", F)
    made = wg.providers.anthropic.encode_request(given, losses=losses)
    assert b'"tool_choice":{"type":"tool","name":"f"}' in made
    assert [loss.what for loss in losses] == ["opaque tool"]


def test_a_tool_of_this_api_is_forced_beside_one_that_is_lost() -> None:
    losses: list[wg.Loss] = []
    given = _chosen('{"googleSearch":{}}', "code_execution")
    assert given.tools is not None
    given.tools.append(wg.OpaqueBlock("anthropic-messages", wg.RawJson(CODE)))
    made = wg.providers.anthropic.encode_request(given, losses=losses)
    assert b'"tool_choice":{"type":"tool","name":"code_execution"}' in made
    assert [loss.what for loss in losses] == ["opaque tool"]


# provider -> the dialect, the model, and what asks for thinking
THINKING: dict[str, tuple[str, str, bytes]] = {
    "anthropic": (
        "anthropic",
        "m",
        b'"thinking":{"type":"enabled","budget_tokens":1024}',
    ),
    "bedrock": (
        "bedrock",
        "anthropic.m",
        b'"thinking":{"type":"enabled","budget_tokens":1024}',
    ),
    "openai_chat": ("deepseek", "m", b'"thinking":{"type":"enabled"}'),
}


@pytest.mark.parametrize("name", THINKING)
def test_thinking_stays_on_where_the_forced_tool_is_lost(name: str) -> None:
    dialect, model, expected = THINKING[name]
    given = _chosen('{"type":"x","name":"code"}', "code", F)
    given.model, given.max_tokens = model, 4096
    given.thinking = wg.Thinking(wg.ThinkingLevel.HIGH, 1024)
    losses: list[wg.Loss] = []
    assert expected in wg.PROVIDERS[name].encode_request(given, losses=losses, dialect=dialect)
    assert "tool choice lost" in [loss.what for loss in losses]
    assert not {"tool choice", "thinking forced"} & {loss.what for loss in losses}


def test_parallel_calls_are_not_asked_for_where_the_only_tool_is_lost() -> None:
    given = _chosen("{}", "code")
    given.tool_choice, given.parallel_tool_calls = None, True
    made = wg.providers.mistral.encode_request(given, losses=[])
    assert made == b'{"model":"m","max_tokens":8,"messages":[{"role":"user","content":"Hi"}]}'
