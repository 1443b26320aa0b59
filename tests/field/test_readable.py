"""Blocks of one API alone whose text a model is to read: other wires get the text.

Each case has a public report of the loss, or of the form of the block.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

import pytest

import wireglot as wg

SEARCH: Final = (
    '{"type":"search_result","source":"https://e.org","title":"T","content":['
    '{"type":"text","text":"One."},{"type":"text","text":"Two."}],"citations":{"enabled":true}}'
)
DOCUMENT: Final = (
    '{"type":"document","source":{"type":"content","content":['
    '{"type":"text","text":"Rome is the capital of Italy."},'
    '{"type":"image","source":{"type":"url","url":"https://e.org/a.png"}}]},"title":"Italy"}'
)
TITLED: Final = '{"type":"document","source":{"type":"content","content":"Rome."}}'
COMPACTION: Final = '{"type":"compaction","content":"So far: nothing."}'
FOUND: Final = (
    '{"searchResult":{"source":"https://e.org","title":"T","content":[{"text":"One."}],'
    '"citations":{"enabled":true}}}'
)
CHUNKS: Final = '{"document":{"name":"d","source":{"content":[{"text":"Rome."}]}}}'


class Case(NamedTuple):
    """A block, and the text that another wire gets in its place."""

    report: str
    source: str
    block: str
    text: str


CASES: Final = {
    "a search result": Case("langchain-ai/langchainjs#8446", "anthropic", SEARCH, "One.\nTwo."),
    "a document of content blocks": Case(
        "langchain-ai/langchain-aws#770", "anthropic", DOCUMENT, "Rome is the capital of Italy."
    ),
    "a document of content that is a text": Case(
        "langchain-ai/langchain-aws#770", "anthropic", TITLED, "Rome."
    ),
    "the summary of what was compacted": Case(
        "BerriAI/litellm#41456", "anthropic", COMPACTION, "So far: nothing."
    ),
    "a search result of Bedrock": Case("strands-agents/harness-sdk#3582", "bedrock", FOUND, "One."),
    "a document of Bedrock's content": Case(
        "strands-agents/harness-sdk#3582", "bedrock", CHUNKS, "Rome."
    ),
}
APIS: Final = {"anthropic": "anthropic-messages", "bedrock": "bedrock-converse"}
CALL: Final = wg.ToolCallBlock("a", "f", {})
MESSAGES: Final = {
    "anthropic": (
        '[{"role":"user","content":[{"type":"text","text":"%s"}]}]',
        '[{"role":"user","content":[{"type":"text","text":"hi"}]},'
        '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
        '"content":[{"type":"text","text":"%s"}]}]}]',
    ),
    "openai_chat": (
        '[{"role":"user","content":"%s"}]',
        '[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":['
        '{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},'
        '{"role":"tool","tool_call_id":"a","content":"%s"}]',
    ),
    "openai_responses": (
        '[{"role":"user","content":"%s"}]',
        '[{"role":"user","content":"hi"},'
        '{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},'
        '{"type":"function_call_output","call_id":"a","output":"%s"}]',
    ),
    "gemini": (
        '[{"role":"user","parts":[{"text":"%s"}]}]',
        '[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":['
        '{"functionCall":{"name":"f","args":{},"id":"a"},'
        '"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},'
        '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"%s"},'
        '"id":"a"}}]}]',
    ),
    "bedrock": (
        '[{"role":"user","content":[{"text":"%s"}]}]',
        '[{"role":"user","content":[{"text":"hi"}]},'
        '{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},'
        '{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"%s"}]}}]}]',
    ),
    "mistral": (
        '[{"role":"user","content":"%s"}]',
        '[{"role":"user","content":"hi"},{"role":"assistant","content":"",'
        '"tool_calls":[{"id":"ypeBEsobv","type":"function","function":{"name":"f","arguments":"{}"}}]},'
        '{"role":"tool","tool_call_id":"ypeBEsobv","content":"%s"}]',
    ),
    "cohere": (
        '[{"role":"user","content":"%s"}]',
        '[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":['
        '{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},'
        '{"role":"tool","tool_call_id":"a","content":"%s"}]',
    ),
    "ollama": (
        '[{"role":"user","content":"%s"}]',
        '[{"role":"user","content":"hi"},{"role":"assistant","content":"","tool_calls":['
        '{"id":"a","function":{"name":"f","arguments":{}}}]},'
        '{"role":"tool","content":"%s","tool_name":"f","tool_call_id":"a"}]',
    ),
}
"""The messages of a user's text, and of a call with its result, in each wire's JSON."""
KEYS: Final = {"gemini": "contents", "openai_responses": "input"}


def _request(block: wg.OpaqueBlock, *, in_result: bool) -> wg.Request:
    messages: list[wg.Message] = [wg.UserMessage([block])]
    if in_result:
        result = wg.ToolResultMessage("a", "f", [block])
        messages = [wg.UserMessage.from_text("hi"), wg.AssistantMessage([CALL]), result]
    return wg.Request(messages, "m", max_tokens=99)


@pytest.mark.parametrize("in_result", [False, True], ids=["in a message", "in a result"])
@pytest.mark.parametrize("target", wg.PROVIDERS)
@pytest.mark.parametrize("name", CASES)
def test_the_text_is_sent(name: str, target: str, in_result: bool) -> None:
    case = CASES[name]
    block = wg.OpaqueBlock(APIS[case.source], wg.RawJson(case.block))
    request = _request(block, in_result=in_result)
    losses: list[wg.Loss] = []
    body = wg.PROVIDERS[target].encode_request(request, losses=losses)
    if target == case.source:
        assert case.block.encode() in body
        assert losses == []
        return
    text = json.dumps(case.text)[1:-1]
    if target in MESSAGES:
        expected = MESSAGES[target][in_result] % text
        assert body.decode().endswith(f'"{KEYS.get(target, "messages")}":{expected}}}')
    else:
        assert text in body.decode()
    path = "$.messages[2].content[0]" if in_result else "$.messages[0].content[0]"
    assert [(loss.what, loss.path) for loss in losses] == [("opaque text", path)]


@pytest.mark.parametrize("target", wg.PROVIDERS)
def test_a_transcript_sends_the_same(target: str) -> None:
    block = wg.OpaqueBlock("anthropic-messages", wg.RawJson(SEARCH))
    request = _request(block, in_result=True)
    provider = wg.PROVIDERS[target]
    transcript = provider.Transcript(request.messages)
    losses: list[wg.Loss] = []
    expected: list[wg.Loss] = []
    made = transcript.encode(losses=losses, model="m", max_tokens=99)
    assert made == provider.encode_request(request, losses=expected)
    assert losses == expected


def test_without_a_list_of_losses_it_is_an_error() -> None:
    block = wg.OpaqueBlock("anthropic-messages", wg.RawJson(SEARCH))
    with pytest.raises(wg.LossError) as caught:
        wg.providers.openai_chat.encode_request(_request(block, in_result=True))
    assert str(caught.value) == (
        "openai_chat: opaque text: a block of another API; its text is sent, without its source "
        "and settings; pass a list as `losses`, and read it - at `$.messages[2].content[0]`"
    )


@pytest.mark.parametrize(
    ("api", "block"),
    [
        ("anthropic-messages", '{"type":"search_result","content":"One."}'),
        ("anthropic-messages", '{"type":"search_result","content":[{"text":1}]}'),
        ("anthropic-messages", '{"type":"compaction","content":null}'),
        ("anthropic-messages", '{"type":"document","source":{"type":"content","content":[]}}'),
        ("anthropic-messages", '{"type":"web_search_tool_result","content":[]}'),
        ("bedrock-converse", '{"searchResult":{"content":{}}}'),
        ("bedrock-converse", '{"guardContent":{"text":{"text":"x"}}}'),
        ("openai-responses", '{"type":"compaction","content":"x"}'),
    ],
)
def test_a_block_without_such_a_text_is_left_out(api: str, block: str) -> None:
    losses: list[wg.Loss] = []
    request = _request(wg.OpaqueBlock(api, wg.RawJson(block)), in_result=False)
    request.messages.append(wg.UserMessage.from_text("hi"))
    body = wg.providers.openai_chat.encode_request(request, losses=losses)
    assert body.endswith(b'"messages":[{"role":"user","content":"hi"}]}')
    assert [loss.what for loss in losses] == ["opaque block"]


FULL: Final = (
    '{"type":"search_result","source":"https://e.org","title":"T","content":['
    '{"type":"text","text":"One."}],"citations":{"enabled":true}}'
)
PLAIN: Final = (
    '{"type":"search_result","source":"s","title":"T","content":[{"type":"text","text":"One."}]}'
)
PLAIN_FOUND: Final = '{"searchResult":{"source":"s","title":"T","content":[{"text":"One."}]}}'


@pytest.mark.parametrize("in_result", [False, True], ids=["in a message", "in a result"])
@pytest.mark.parametrize(("ours", "theirs"), [(FULL, FOUND), (PLAIN, PLAIN_FOUND)])
def test_search_results_stay_what_they_are_for_a_claude(
    ours: str, theirs: str, in_result: bool
) -> None:
    """Claude can cite them there: langchain-ai/langchain-aws#770."""
    blocks = {"anthropic": ours, "bedrock": theirs}
    models = {"anthropic": "claude-haiku-4-5", "bedrock": "us.anthropic.claude-haiku-4-5"}
    for source, target in (("anthropic", "bedrock"), ("bedrock", "anthropic")):
        block = wg.OpaqueBlock(APIS[source], wg.RawJson(blocks[source]))
        request = _request(block, in_result=in_result)
        request.model = models[target]
        body = wg.PROVIDERS[target].encode_request(request)
        assert f'"content":[{blocks[target]}]'.encode() in body


@pytest.mark.parametrize(
    "more", ['"cache_control":{"type":"ephemeral"}', '"page":1', '"citations":{"enabled":1}']
)
def test_a_search_result_with_more_than_the_other_wire_has_is_a_text(more: str) -> None:
    losses: list[wg.Loss] = []
    block = wg.OpaqueBlock("anthropic-messages", wg.RawJson(PLAIN.replace("{", f"{{{more},", 1)))
    request = _request(block, in_result=False)
    request.model = "us.anthropic.claude-haiku-4-5"
    body = wg.providers.bedrock.encode_request(request, losses=losses)
    assert b'"messages":[{"role":"user","content":[{"text":"One."}]}]' in body
    assert [loss.what for loss in losses] == ["opaque text"]
