"""What a host or a model refuses: it is named in a loss, and nothing beside it goes with it."""

from __future__ import annotations

import pytest

import wireglot as wg
from wireglot.gateway import ModelRoute

_PRO = "/v1beta/models/gemini-2.5-pro:generateContent"


def _again(
    wire: str, body: str, path: str | None = None, *, source: str = "", target: str = ""
) -> tuple[str, list[tuple[str, tuple[str, ...]]]]:
    """Return the body of a request that goes back to its API, and its losses with their keys."""
    provider = wg.PROVIDERS[wire]
    losses: list[wg.Loss] = []
    request = provider.decode_request(body.encode(), path, dialect=source or None)
    again = provider.encode_request(request, dialect=target or None, losses=losses)
    return again.decode(), [(loss.what, loss.keys) for loss in losses]


# -- system messages that become one ---------------------------------------------------------


@pytest.mark.parametrize("dialect", ["vllm", "llamacpp", "generic"])
def test_what_is_beside_the_texts_of_joined_prompts_is_reported(dialect: str) -> None:
    body = (
        '{"model":"qwen3.5-32b","messages":['
        '{"role":"system","name":"ann","content":[{"type":"text","text":"a","odd":1,'
        '"cache_control":{"type":"ephemeral"}}]},'
        '{"role":"system","name":"bob","content":"b","strange":2},{"role":"user","content":"hi"}]}'
    )
    text, lost = _again("openai_chat", body, source=dialect, target=dialect)
    assert text == (
        '{"model":"qwen3.5-32b","messages":[{"role":"system","content":"a\\n\\nb"},'
        '{"role":"user","content":"hi"}]}'
    )
    assert lost == [
        ("author name", ()),
        ("extras", ("odd",)),
        ("cache mark", ()),
        ("extras", ("strange",)),
        ("author name", ()),
    ]


def test_plain_prompts_are_joined_without_a_loss() -> None:
    body = (
        '{"model":"qwen3.5-32b","messages":[{"role":"system","content":"a"},'
        '{"role":"system","content":"b"},{"role":"user","content":"hi"}]}'
    )
    assert _again("openai_chat", body, source="vllm", target="vllm")[1] == []


# -- keys that ask for nothing ---------------------------------------------------------------


@pytest.mark.parametrize("target", ["anthropic", "gemini", "mistral", "ollama"])
def test_a_client_of_chat_that_wants_nothing_stored_gets_that_everywhere(target: str) -> None:
    body = b'{"model":"m","messages":[{"role":"user","content":"hi"}],"store":false}'
    losses: list[wg.Loss] = []
    wg.translate_request(body, "openai_chat", target, losses=losses)
    assert losses == []


def test_a_key_beside_one_that_asks_for_nothing_is_a_loss_alone() -> None:
    body = b'{"model":"m","messages":[{"role":"user","content":"hi"}],"store":false,"odd":1}'
    losses: list[wg.Loss] = []
    wg.translate_request(body, "openai_chat", "anthropic", losses=losses)
    assert [(loss.what, loss.keys) for loss in losses] == [("extras", ("odd",))]


def test_openrouter_stores_nothing_as_a_client_of_chat_asks() -> None:
    body = b'{"model":"m","messages":[{"role":"user","content":"hi"}],"store":false}'
    losses: list[wg.Loss] = []
    text = wg.translate_request(
        body, "openai_chat", "openai_responses", target_dialect="openrouter", losses=losses
    )
    assert text == b'{"model":"m","store":false,"input":[{"role":"user","content":"hi"}]}'
    assert losses == []


# -- two keys for one ------------------------------------------------------------------------


def test_of_two_names_of_a_key_that_say_otherwise_one_is_lost() -> None:
    body = (
        '{"model":"m","messages":[{"role":"user","content":"hi"}],'
        '"repeat_penalty":1.2,"repetition_penalty":%s}'
    )
    losses: list[wg.Loss] = []
    for value in ("1.3", "1.2"):
        request = wg.providers.openai_chat.decode_request(
            (body % value).encode(), dialect="generic"
        )
        text = wg.providers.openai_chat.encode_request(request, dialect="openrouter", losses=losses)
        assert b'"repetition_penalty":%b' % value.encode() in text
    assert [(loss.what, loss.path) for loss in losses] == [("parameter", "$.repeat_penalty")]


# -- Gemini's hosts and models ---------------------------------------------------------------


def test_each_key_of_the_other_host_is_named_once() -> None:
    part = '{"text":"a","partMetadata":{"a":1}}'
    body = f'{{"contents":[{{"role":"user","parts":[{part},{part}]}}],"store":true}}'
    text, lost = _again("gemini", body, _PRO, target="vertex")
    assert text == '{"contents":[{"role":"user","parts":[{"text":"a"},{"text":"a"}]}]}'
    assert lost == [("host key", ("store", "contents.parts.partMetadata"))]


def test_a_key_of_the_other_host_that_is_null_is_not_a_loss() -> None:
    body = '{"contents":[{"role":"user","parts":[{"text":"a"}]}],"store":null}'
    text, lost = _again("gemini", body, _PRO, target="vertex")
    assert (text, lost) == ('{"contents":[{"role":"user","parts":[{"text":"a"}]}]}', [])


@pytest.mark.parametrize(
    ("model", "setting", "what"),
    [
        ("gemini-2.5-pro", '"presencePenalty":0.5', "penalty"),
        ("gemini-3-pro-preview", '"candidateCount":2', "candidates"),
        ("gemini-3-pro-preview", '"responseLogprobs":true', "logprobs"),
    ],
)
def test_a_setting_that_is_lost_does_not_come_back_with_another(
    model: str, setting: str, what: str
) -> None:
    # A value of an enumeration is what no field of a request says, so that the whole is kept.
    enum = '"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a"]}'
    said = '"contents":[{"role":"user","parts":[{"text":"a"}]}]'
    body = f'{{"generationConfig":{{{enum},{setting}}},{said}}}'
    text, lost = _again("gemini", body, f"/v1beta/models/{model}:generateContent")
    assert text == f'{{"generationConfig":{{{enum}}},{said}}}'
    assert lost == [(what, ())]


def test_a_setting_that_a_newer_model_refuses_does_not_come_back_either() -> None:
    enum = '"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a"]}'
    said = '"contents":[{"role":"user","parts":[{"text":"a"}]}]'
    losses: list[wg.Loss] = []
    text = wg.translate_request(
        f'{{"generationConfig":{{{enum},"temperature":0.5}},{said}}}'.encode(),
        "gemini",
        "gemini",
        path=_PRO,
        model="gemini-3.6-flash",
        losses=losses,
    )
    assert text.decode() == f'{{"generationConfig":{{{enum}}},{said}}}'
    assert [loss.what for loss in losses] == ["sampling"]


# -- fields of Bedrock's models --------------------------------------------------------------

_CONVERSE = '"messages":[{"role":"user","content":[{"text":"hi"}]}]'


def _with_fields(model: str, fields: str) -> tuple[str, list[tuple[str, tuple[str, ...]]]]:
    body = f'{{"additionalModelRequestFields":{{{fields}}},{_CONVERSE}}}'
    return _again("bedrock", body, f"/model/{model}/converse")


def test_a_field_of_another_maker_that_is_read_is_not_lost_twice() -> None:
    text, lost = _with_fields("amazon.nova-2-lite-v1:0", '"reasoning":{"effort":"low"},"odd":1')
    assert text == (
        '{"additionalModelRequestFields":{"odd":1,"reasoningConfig":{"type":"enabled",'
        f'"maxReasoningEffort":"low"}}}},{_CONVERSE}}}'
    )
    assert lost == []


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ('"inferenceConfig":{"topK":3,"odd":2}', "inferenceConfig"),
        ('"reasoning_effort":"low","thinking":{"type":"enabled","budget_tokens":2048}', ""),
    ],
    ids=["with keys of its own", "beside another that is read"],
)
def test_a_field_of_another_maker_that_says_more_is_named(fields: str, key: str) -> None:
    _, lost = _with_fields("us.anthropic.claude-sonnet-4-5-20250929-v1:0", fields)
    assert lost == [("extras", (key or "reasoning_effort",))]


# -- reasons ---------------------------------------------------------------------------------


def test_titan_gets_neither_a_system_prompt_nor_tools() -> None:
    request = wg.Request(
        [wg.SystemMessage([wg.TextBlock("s")]), wg.UserMessage([wg.TextBlock("hi")])],
        "amazon.titan-text-express-v1",
        tools=[wg.Tool("f")],
    )
    losses: list[wg.Loss] = []
    text = wg.providers.bedrock.encode_request(request, losses=losses)
    assert text == b'{"messages":[{"role":"user","content":[{"text":"s"},{"text":"hi"}]}]}'
    assert sorted(str(loss) for loss in losses) == [
        "system prompt: this model takes no system prompt; sent as a user's - at `$.messages[0]`",
        "tools: this model takes no functions; left out - at `$.tools`",
    ]


# -- severe losses ---------------------------------------------------------------------------


def test_an_image_that_a_host_does_not_fetch_is_a_severe_loss() -> None:
    image = wg.ImageBlock(url="https://example.com/a.png")
    request = wg.Request([wg.UserMessage([wg.TextBlock("hi"), image])], "claude-opus-4-6")
    losses: list[wg.Loss] = []
    wg.providers.anthropic.encode_request(request, dialect="vertex", losses=losses)
    assert [(loss.what, loss.severe) for loss in losses] == [("media url", True)]


@pytest.mark.parametrize("what", ["host key", "image input", "media url"])
def test_a_route_may_allow_each_severe_loss(what: str) -> None:
    route = ModelRoute("m", "anthropic", url="https://example.com", allow=(what,))
    assert route.allow == (what,)


# -- models ----------------------------------------------------------------------------------


def test_a_search_model_of_gpt_5_gets_the_options_of_its_search() -> None:
    body = (
        '{"model":"gpt-5-search-api","web_search_options":{"search_context_size":"low"},'
        '"messages":[{"role":"user","content":"hi"}]}'
    )
    assert _again("openai_chat", body) == (body, [])


# -- two keys of one service for one thing ---------------------------------------------------

_HI = '"messages":[{"role":"user","content":"hi"}]'


@pytest.mark.parametrize(
    ("target", "given", "expected", "lost"),
    [
        ("azure", '"user":"u","safety_identifier":"s"', '"user":"s"', "user"),
        ("deepseek", '"user":"u","safety_identifier":"s"', '"user_id":"s"', "user"),
        (
            "azure",
            '"max_tokens":5,"max_completion_tokens":7',
            '"max_completion_tokens":7',
            "max_tokens",
        ),
        (
            "deepseek",
            '"max_tokens":5,"max_completion_tokens":7',
            '"max_tokens":7',
            "max_tokens",
        ),
    ],
)
def test_of_two_keys_for_one_thing_that_of_the_service_goes(
    target: str, given: str, expected: str, lost: str
) -> None:
    losses: list[wg.Loss] = []
    request = wg.providers.openai_chat.decode_request(
        f'{{"model":"m",{given},{_HI}}}'.encode(), dialect="openai"
    )
    text = wg.providers.openai_chat.encode_request(request, dialect=target, losses=losses)
    assert text.decode() == f'{{"model":"m",{expected},{_HI}}}'
    assert [(loss.what, loss.path) for loss in losses] == [("parameter", f"$.{lost}")]


def test_xai_has_one_key_for_the_user() -> None:
    body = b'{"model":"m","user":"u","safety_identifier":"s","input":"hi"}'
    losses: list[wg.Loss] = []
    text = wg.translate_request(
        body, "openai_responses", "openai_responses", target_dialect="xai", losses=losses
    )
    assert text == b'{"model":"m","user":"s","input":[{"role":"user","content":"hi"}]}'
    assert [(loss.what, loss.path) for loss in losses] == [("parameter", "$.user")]
