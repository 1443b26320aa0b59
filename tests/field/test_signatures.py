"""Signatures on their way between APIs: whose they are, which forms they have, who gets them.

Each case has a public report of the loss, or of the form that is taken. Anthropic's documentation
says of Claude's: "`signature` values are compatible across platforms (the Claude API, Amazon
Bedrock, and Google Cloud). Values generated on one platform will be compatible with another"
(Extended thinking, 2026-10).
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

import pytest

import wireglot as wg
from wireglot.capabilities import of_model
from wireglot.framing import eventstream

SONNET: Final = "claude-sonnet-4-5"
ON_BEDROCK: Final = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
ON_OPENROUTER: Final = "anthropic/claude-sonnet-4.5"
GEMINI_3: Final = "gemini-3-pro-preview"
CALLED: Final = {
    "anthropic": '{"type":"tool_use","id":"a","name":"f","input":{}}',
    "bedrock": '{"toolUse":{"toolUseId":"a","name":"f","input":{}}}',
    "gemini": '{"functionCall":{"name":"f","args":{},"id":"a"}%s}',
    "openai_chat": '{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}%s}',
}
"""The call of every answer here, in its wire's JSON."""
BODIES: Final = {
    "anthropic": (
        '{"model":"MODEL","max_tokens":9,"messages":['
        '{"role":"user","content":[{"type":"text","text":"hi"}]},'
        '{"role":"assistant","content":[%s]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
        '"content":[{"type":"text","text":"ok"}]}]}]}'
    ),
    "bedrock": (
        '{"inferenceConfig":{"maxTokens":9},"messages":['
        '{"role":"user","content":[{"text":"hi"}]},'
        '{"role":"assistant","content":[%s]},'
        '{"role":"user","content":[{"toolResult":{"toolUseId":"a",'
        '"content":[{"text":"ok"}]}}]}]}'
    ),
    "gemini": (
        '{"generationConfig":{"maxOutputTokens":9},"contents":['
        '{"role":"user","parts":[{"text":"hi"}]},'
        '{"role":"model","parts":[%s]},'
        '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"ok"},'
        '"id":"a"}}]}]}'
    ),
    "openai_chat": (
        '{"model":"MODEL","max_completion_tokens":9,"messages":['
        '{"role":"user","content":"hi"},'
        '{"role":"assistant","content":null,%s},'
        '{"role":"tool","tool_call_id":"a","content":"ok"}]}'
    ),
}
"""A request whose last turn is an answer with a call, and its result, in each wire's JSON."""
TOOLS: Final = (
    '"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
    '"inputSchema":{"json":{"type":"object","properties":{}}}}}]}'
)


class Case(NamedTuple):
    """The content of an answer in a request of one wire, and in the same request of another."""

    report: str
    """Where it was reported: a repository's issue."""
    source: str
    target: str
    """The provider, and perhaps a dialect of it after a colon."""
    model: str
    """The target's model."""
    said: str
    """What comes before the call, which stands for itself without this."""
    sent: str
    lost: str = ""
    """What is reported: rows of the table of losses, with commas between."""


SIGNED: Final = '{"type":"thinking","thinking":"Look.","signature":"RXVz"}'
REDACTED: Final = '{"type":"redacted_thinking","data":"Eu8ECkgI"}'
REASONED: Final = '{"reasoningContent":{"reasoningText":{"text":"Look.","signature":"RXVz"}}}'
UNSIGNED_REASON: Final = '{"reasoningContent":{"reasoningText":{"text":"Look."}}},'
BLOB: Final = '{"reasoningContent":{"redactedContent":"RXU4RUNrZ0k="}}'
DETAIL: Final = (
    '{"type":"reasoning.text","text":"Look.","signature":"RXVz","format":"anthropic-claude-v1",'
    '"index":0}'
)
SECRET: Final = (
    '{"type":"reasoning.encrypted","data":"Eu8ECkgI","format":"anthropic-claude-v1","index":%d}'
)
PROOF: Final = (
    '{"type":"reasoning.encrypted","data":"QVky","id":"%s","format":"google-gemini-v1","index":0}'
)
UNSIGNED: Final = ',"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="'
ALONE: Final = '{"thought":true,"text":"","thoughtSignature":"QVky"}'
THEIRS: Final = ',"thoughtSignature":"QVky"'
CLAUDE, CONVERSE = CALLED["anthropic"], CALLED["bedrock"]
CHAT: Final = '"tool_calls":[%s]'
PLAIN: Final = CHAT % (CALLED["openai_chat"] % "")
EXTRA: Final = ',"extra_content":{"google":{"thought_signature":"QVky"}}'
WITH_EXTRA: Final = CHAT % (CALLED["openai_chat"] % EXTRA)

CASES: Final = {
    "signed thinking goes from Anthropic to Bedrock": Case(
        "NousResearch/hermes-agent#36260",
        "anthropic",
        "bedrock",
        ON_BEDROCK,
        f"{SIGNED},{CLAUDE}",
        f"{REASONED},{CONVERSE}",
    ),
    "signed thinking goes from Bedrock to Anthropic": Case(
        "pydantic/pydantic-ai#3757",
        "bedrock",
        "anthropic",
        SONNET,
        f"{REASONED},{CONVERSE}",
        f"{SIGNED},{CLAUDE}",
    ),
    "Bedrock has redacted thinking as base64 of what Anthropic has": Case(
        "BerriAI/litellm#25375",
        "anthropic",
        "bedrock",
        ON_BEDROCK,
        f"{REDACTED},{CLAUDE}",
        f"{BLOB},{CONVERSE}",
    ),
    "redacted thinking goes from Bedrock to Anthropic": Case(
        "BerriAI/litellm#25375",
        "bedrock",
        "anthropic",
        SONNET,
        f"{BLOB},{CONVERSE}",
        f"{REDACTED},{CLAUDE}",
    ),
    "a blob that is not text is not Claude's": Case(
        "BerriAI/litellm#25375",
        "bedrock",
        "anthropic",
        SONNET,
        '{"reasoningContent":{"redactedContent":"//79"}},' + CONVERSE,
        CLAUDE,
        "thinking",
    ),
    "a signature alone is thinking, too": Case(
        "strands-agents/harness-sdk#2704",
        "anthropic",
        "bedrock",
        ON_BEDROCK,
        '{"type":"thinking","thinking":"","signature":"RXVz"},' + CLAUDE,
        '{"reasoningContent":{"reasoningText":{"text":"","signature":"RXVz"}}},' + CONVERSE,
    ),
    "Nova does not read Claude's thinking": Case(
        "maximhq/bifrost#6942",
        "anthropic",
        "bedrock",
        "amazon.nova-2-lite-v1:0",
        f"{SIGNED},{REDACTED},{CLAUDE}",
        CONVERSE,
        "thinking, thinking",
    ),
    "DeepSeek's reasoning at Bedrock has no signature": Case(
        "aws-samples/bedrock-chat#851",
        "bedrock",
        "anthropic",
        SONNET,
        UNSIGNED_REASON + CONVERSE,
        CLAUDE,
        "thinking",
    ),
    "Claude at Bedrock gets no thinking without a signature": Case(
        "maximhq/bifrost#6942",
        "bedrock",
        "bedrock",
        ON_BEDROCK,
        UNSIGNED_REASON + CONVERSE,
        CONVERSE,
        "thinking",
    ),
    "MiniMax at Bedrock gets its own": Case(
        "maximhq/bifrost#6942",
        "bedrock",
        "bedrock",
        "minimax.minimax-m2",
        UNSIGNED_REASON + CONVERSE,
        UNSIGNED_REASON + CONVERSE,
    ),
    "a model of a name that does not tell gets none": Case(
        "can1357/oh-my-pi#9086",
        "anthropic",
        "bedrock",
        "arn:aws:bedrock:us-east-1:1:application-inference-profile/x",
        f"{SIGNED},{CLAUDE}",
        CONVERSE,
        "thinking",
    ),
    "a client of OpenRouter's form sends Claude's thinking to Anthropic": Case(
        "open-webui/open-webui#27467",
        "openai_chat",
        "anthropic",
        SONNET,
        f'"reasoning":"Look.","reasoning_details":[{DETAIL},{SECRET % 1}],{PLAIN}',
        f"{SIGNED},{REDACTED},{CLAUDE}",
    ),
    "a client of OpenRouter's form sends Claude's thinking to Bedrock": Case(
        "aws-samples/bedrock-access-gateway#119",
        "openai_chat",
        "bedrock",
        ON_BEDROCK,
        f'"reasoning":"Look.","reasoning_details":[{DETAIL},{SECRET % 1}],{PLAIN}',
        f"{REASONED},{BLOB},{CONVERSE}",
    ),
    "Claude's thinking goes to OpenRouter": Case(
        "HKUDS/nanobot#1247",
        "anthropic",
        "openai_chat:openrouter",
        ON_OPENROUTER,
        f"{SIGNED},{REDACTED},{CLAUDE}",
        f'"reasoning":"Look.","reasoning_details":[{DETAIL},{SECRET % 1}],{PLAIN}',
    ),
    "Bedrock's redacted thinking goes to OpenRouter as Anthropic has it": Case(
        "linanwx/nagobot#21",
        "bedrock",
        "openai_chat:openrouter",
        ON_OPENROUTER,
        f"{BLOB},{CONVERSE}",
        f'"reasoning_details":[{SECRET % 0}],{PLAIN}',
    ),
    "another model at OpenRouter gets no signature of Claude's": Case(
        "vybestack/llxprt-code#2335",
        "anthropic",
        "openai_chat:openrouter",
        "openai/gpt-5.2",
        f"{SIGNED},{REDACTED},{CLAUDE}",
        f'"reasoning":"Look.",{PLAIN}',
        "redacted thinking",
    ),
    "what OpenAI has encrypted does not go to Claude": Case(
        "fkiene/llmtrim#175",
        "openai_chat",
        "anthropic",
        SONNET,
        '"reasoning_details":[{"type":"reasoning.encrypted","data":"gAAA",'
        f'"format":"openai-responses-v1","index":0}}],{PLAIN}',
        CLAUDE,
        "thinking",
    ),
    "a client of Google's form sends a call's signature to Gemini": Case(
        "theopenco/llmgateway#1267",
        "openai_chat",
        "gemini",
        GEMINI_3,
        WITH_EXTRA,
        CALLED["gemini"] % ',"thoughtSignature":"QVky"',
    ),
    "a client of OpenRouter's form sends a call's signature to Gemini": Case(
        "8monkey-ai/hebo-gateway#226",
        "openai_chat",
        "gemini",
        GEMINI_3,
        f'"reasoning_details":[{PROOF % "a"}],{PLAIN}',
        CALLED["gemini"] % ',"thoughtSignature":"QVky"',
    ),
    "a signature of a call that is not there has no place": Case(
        "RooCodeInc/Roo-Code#10640",
        "openai_chat",
        "gemini",
        GEMINI_3,
        f'"reasoning_details":[{PROOF % "z"}],{PLAIN}',
        CALLED["gemini"] % UNSIGNED,
        "redacted thinking",
    ),
    "a call's signature goes from Gemini to OpenRouter": Case(
        "musistudio/claude-code-router#1057",
        "gemini",
        "openai_chat:openrouter",
        "google/gemini-3-pro-preview",
        CALLED["gemini"] % ',"thoughtSignature":"QVky"',
        f'"reasoning_details":[{PROOF % "a"}],{PLAIN}',
    ),
    "a call's signature goes from Gemini to an API like OpenAI's that serves it": Case(
        "0xsline/OpenChatCut#6",
        "gemini",
        "openai_chat:generic",
        GEMINI_3,
        CALLED["gemini"] % ',"thoughtSignature":"QVky"',
        WITH_EXTRA,
    ),
    "a signature alone before a call goes with the call": Case(
        "pydantic/pydantic-ai#4542",
        "gemini",
        "openai_chat:generic",
        GEMINI_3,
        f"{ALONE},{CALLED['gemini'] % ''}",
        WITH_EXTRA,
    ),
    "a signature alone does not take the place of a call's own": Case(
        "pydantic/pydantic-ai#4542",
        "gemini",
        "openai_chat:generic",
        GEMINI_3,
        f"{ALONE},{CALLED['gemini'] % THEIRS}",
        f'"reasoning_content":"",{WITH_EXTRA}',
    ),
    "OpenAI's own wire has no place for a signature alone": Case(
        "pydantic/pydantic-ai#4823",
        "gemini",
        "openai_chat",
        "gpt-5.2",
        f"{ALONE},{CALLED['gemini'] % ''}",
        PLAIN,
        "thinking",
    ),
    "OpenAI's own wire has no place for a call's signature": Case(
        "0xsline/OpenChatCut#6",
        "gemini",
        "openai_chat",
        GEMINI_3,
        CALLED["gemini"] % ',"thoughtSignature":"QVky"',
        PLAIN,
    ),
    "a call's signature does not go to another model": Case(
        "0xsline/OpenChatCut#6",
        "gemini",
        "openai_chat:generic",
        "gpt-4o",
        CALLED["gemini"] % ',"thoughtSignature":"QVky"',
        PLAIN,
    ),
    "a call's signature in Google's form goes back as it came": Case(
        "0xsline/OpenChatCut#6",
        "openai_chat",
        "openai_chat:groq",
        "gpt-4o",
        WITH_EXTRA,
        WITH_EXTRA,
    ),
    "other extra content of a call is unknown": Case(
        "8monkey-ai/hebo-gateway#226",
        "openai_chat",
        "gemini",
        GEMINI_3,
        CHAT % (CALLED["openai_chat"] % ',"extra_content":{"vertex":{"thought_signature":"QVky"}}'),
        CALLED["gemini"] % UNSIGNED,
        "extras",
    ),
    "extra content of another type is unknown": Case(
        "8monkey-ai/hebo-gateway#226",
        "openai_chat",
        "openai_chat",
        "gpt-4o",
        CHAT % (CALLED["openai_chat"] % ',"extra_content":[1e2]'),
        CHAT % ('{"extra_content":[1e2],' + (CALLED["openai_chat"] % "")[1:]),
    ),
}


def _body(wire: str, answer: str, model: str) -> str:
    return BODIES[wire].replace("MODEL", model) % answer


@pytest.mark.parametrize("name", CASES)
def test_signatures_of_a_request(name: str) -> None:
    case = CASES[name]
    target, _, dialect = case.target.partition(":")
    losses: list[wg.Loss] = []
    made = wg.translate_request(
        _body(case.source, case.said, "m"),
        case.source,
        target,
        losses=losses,
        model=case.model,
        path="/model/m/converse" if case.source == "bedrock" else None,
        target_dialect=dialect or None,
    )
    expected = _body(target, case.sent, case.model)
    if target == "bedrock":  # which has to be told the tools of all calls
        expected = expected.replace('"messages"', f'{TOOLS},"messages"')
    if dialect == "generic":
        expected = expected.replace("max_completion_tokens", "max_tokens")
        if case.model == GEMINI_3:  # which takes no null
            expected = expected.replace('"content":null,', "")
    assert made.decode() == expected
    assert ", ".join(loss.what for loss in losses) == case.lost


def test_every_case_names_a_report() -> None:
    for case in CASES.values():
        owner, _, number = case.report.partition("#")
        assert "/" in owner
        assert number.isdigit()


# -- answers -------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """The content of an answer of one wire, and of the same answer of another."""

    report: str
    source: str
    target: str
    said: str
    sent: str
    lost: str = ""


ANSWERED: Final = {
    "anthropic": (
        '{"id":"i","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[%s],'
        '"stop_reason":"tool_use","stop_sequence":null,'
        '"usage":{"input_tokens":1,"output_tokens":1}}'
    ),
    "bedrock": (
        '{"output":{"message":{"role":"assistant","content":[%s]}},"stopReason":"tool_use",'
        '"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},"metrics":{"latencyMs":1}}'
    ),
    "gemini": (
        '{"candidates":[{"content":{"role":"model","parts":[%s]},"finishReason":"STOP"}],'
        '"modelVersion":"gemini-3-pro-preview"}'
    ),
    "openai_chat": (
        '{"id":"i","object":"chat.completion","created":1,"model":"anthropic/claude-sonnet-4.5",'
        '"choices":[{"index":0,"message":{"role":"assistant","content":null,%s},'
        '"finish_reason":"tool_calls"}]}'
    ),
}
SIGNED_CALL: Final = CALLED["gemini"] % ',"thoughtSignature":"QVky"'
THOUGHT: Final = '{"text":"Look.","thought":true}'
SIGNED_TEXT: Final = '{"text":"Done.","thoughtSignature":"QVky"}'
TEXT_PROOF: Final = (
    '{"type":"reasoning.encrypted","data":"QVky","format":"google-gemini-v1","index":0}'
)

ANSWERS: Final = {
    "Claude's thinking from Bedrock, for a client of Anthropic's": Answer(
        "NousResearch/hermes-agent#36260",
        "bedrock",
        "anthropic",
        f"{REASONED},{BLOB},{CONVERSE}",
        f"{SIGNED},{REDACTED},{CLAUDE}",
    ),
    "Claude's thinking from Anthropic, for a client of Bedrock's": Answer(
        "pydantic/pydantic-ai#3757",
        "anthropic",
        "bedrock",
        f"{SIGNED},{REDACTED},{CLAUDE}",
        f"{REASONED},{BLOB},{CONVERSE}",
    ),
    "Claude's thinking from OpenRouter, for a client of Anthropic's": Answer(
        "HKUDS/nanobot#1247",
        "openai_chat",
        "anthropic",
        f'"reasoning":"Look.","reasoning_details":[{DETAIL},{SECRET % 1}],{PLAIN}',
        f"{SIGNED},{REDACTED},{CLAUDE}",
    ),
    "Claude's thinking in OpenRouter's form": Answer(
        "aws-samples/bedrock-access-gateway#119",
        "bedrock",
        "openai_chat:openrouter",
        f"{REASONED},{BLOB},{CONVERSE}",
        f'"refusal":null,"reasoning":"Look.","reasoning_details":[{DETAIL},{SECRET % 1}],{PLAIN}',
    ),
    "Claude's thinking in a dialect without a place for signatures": Answer(
        "open-webui/open-webui#27467",
        "anthropic",
        "openai_chat:generic",
        f"{SIGNED},{CLAUDE}",
        f'"reasoning_content":"Look.",{PLAIN}',
        "signature",
    ),
    "Gemini's calls in OpenRouter's form": Answer(
        "8monkey-ai/hebo-gateway#226",
        "gemini",
        "openai_chat:openrouter",
        f"{THOUGHT},{SIGNED_CALL}",
        f'"refusal":null,"reasoning":"Look.","reasoning_details":[{PROOF % "a"}],{PLAIN}',
    ),
    "Gemini's calls in Google's form": Answer(
        "theopenco/llmgateway#1267",
        "gemini",
        "openai_chat:generic",
        f"{THOUGHT},{SIGNED_CALL}",
        f'"reasoning_content":"Look.",{WITH_EXTRA}',
    ),
    "Gemini's signature alone before a call, in Google's form": Answer(
        "pydantic/pydantic-ai#4823",
        "gemini",
        "openai_chat:generic",
        f"{ALONE},{CALLED['gemini'] % ''}",
        WITH_EXTRA,
    ),
    "Gemini's signature alone before a call, as OpenAI has calls": Answer(
        "pydantic/pydantic-ai#4823",
        "gemini",
        "openai_chat",
        f"{ALONE},{CALLED['gemini'] % ''}",
        f'"refusal":null,{PLAIN}',
        "thinking",
    ),
    "Gemini's calls as OpenAI has calls": Answer(
        "theopenco/llmgateway#1267",
        "gemini",
        "openai_chat",
        SIGNED_CALL,
        f'"refusal":null,{PLAIN}',
        "signature",
    ),
}


def _message(wire: str, body: bytes) -> str:
    """Return the content of an answer as it was written."""
    keys = json.loads(body)
    if wire == "anthropic":
        content = keys["content"]
    elif wire == "bedrock":
        content = keys["output"]["message"]["content"]
    else:
        message = keys["choices"][0]["message"]
        assert message.pop("content") is None
        assert message.pop("role") == "assistant"
        return json.dumps(message, separators=(",", ":"))[1:-1]
    return json.dumps(content, separators=(",", ":"))[1:-1]


@pytest.mark.parametrize("name", ANSWERS)
def test_signatures_of_an_answer(name: str) -> None:
    case = ANSWERS[name]
    target, _, dialect = case.target.partition(":")
    losses: list[wg.Loss] = []
    made = wg.translate_response(
        ANSWERED[case.source] % case.said,
        case.source,
        target,
        losses=losses,
        target_dialect=dialect or None,
    )
    assert _message(target, made) == case.sent
    assert ", ".join(loss.what for loss in losses) == case.lost


def test_the_signature_of_a_text_of_geminis_comes_back() -> None:
    """Gemini signs the last part of an answer without calls: UKGovernmentBEIS/inspect_ai#4979."""
    losses: list[wg.Loss] = []
    body = (ANSWERED["gemini"] % SIGNED_TEXT).encode()
    answer = json.loads(
        wg.translate_response(
            body, "gemini", "openai_chat", losses=losses, target_dialect="openrouter"
        )
    )
    message = answer["choices"][0]["message"]
    assert message["reasoning_details"] == [json.loads(TEXT_PROOF)]
    assert losses == []
    request = {"model": "m", "messages": [{"role": "user", "content": "hi"}, message]}
    made = wg.translate_request(json.dumps(request), "openai_chat", "gemini", model=GEMINI_3)
    assert f'{{"role":"model","parts":[{SIGNED_TEXT}]}}'.encode() in made


@pytest.mark.parametrize("model", ["gpt-5.2", "gemini-3-pro-preview"])
def test_a_model_of_another_family_has_not_made_a_claudes_signature(model: str) -> None:
    body = (ANSWERED["anthropic"] % f"{SIGNED},{CLAUDE}").replace(SONNET, model)
    losses: list[wg.Loss] = []
    made = wg.translate_response(body, "anthropic", "bedrock", losses=losses)
    assert b'{"reasoningText":{"text":"Look."}}' in made
    assert [loss.what for loss in losses] == ["signature"]


def test_a_caller_says_that_a_model_is_a_claude() -> None:
    """The ARN of an inference profile does not tell: can1357/oh-my-pi#9086."""
    body = _body("anthropic", f"{SIGNED},{CLAUDE}", "m")
    arn = "arn:aws:bedrock:us-east-1:1:application-inference-profile/x"
    made = wg.translate_request(
        body, "anthropic", "bedrock", model=arn, capabilities=of_model("claude-sonnet-4-5")
    )
    assert f"[{REASONED},{CONVERSE}]".encode() in made


def test_a_signature_survives_storage() -> None:
    """What names the maker of a signature is stored with it: zotero-rag/zotero-rag#336."""
    details = f'"reasoning_details":[{DETAIL}],{PLAIN}'
    request = wg.providers.openai_chat.decode_request(_body("openai_chat", details, SONNET))
    for wire in (wg.json, wg.msgpack):
        stored: Any = wire.decode(wire.encode(request), type=wg.Request)
        made = wg.providers.anthropic.encode_request(stored)
        assert f"[{SIGNED},{CLAUDE}]".encode() in made


# -- streams -------------------------------------------------------------------------------------


def _events(*events: str) -> bytes:
    return b"".join(b"data: %b\n\n" % event.encode() for event in events)


def _converse(**events: str) -> bytes:
    frames = (
        eventstream.encode(
            {
                ":event-type": name.partition("_")[0],
                ":content-type": "application/json",
                ":message-type": "event",
            },
            payload.encode(),
        )
        for name, payload in events.items()
    )
    return b"".join(frames)


FROM_BEDROCK: Final = _converse(
    messageStart='{"role":"assistant"}',
    contentBlockDelta_1='{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Look."}}}',
    contentBlockDelta_2='{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"RXVz"}}}',
    contentBlockStop_1='{"contentBlockIndex":0}',
    contentBlockDelta_3=(
        '{"contentBlockIndex":1,"delta":{"reasoningContent":{"redactedContent":"RXU4RUNrZ0k="}}}'
    ),
    contentBlockStop_2='{"contentBlockIndex":1}',
    contentBlockStart='{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"a","name":"f"}}}',
    contentBlockDelta_4='{"contentBlockIndex":2,"delta":{"toolUse":{"input":"{}"}}}',
    contentBlockStop_3='{"contentBlockIndex":2}',
    messageStop='{"stopReason":"tool_use"}',
    metadata='{"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}',
)
FROM_GEMINI: Final = _events(ANSWERED["gemini"] % f"{THOUGHT},{SIGNED_CALL}")
FROM_OPENROUTER: Final = _events(
    '{"id":"i","choices":[{"index":0,"delta":{"role":"assistant","reasoning":"Look.",'
    '"reasoning_details":[{"type":"reasoning.text","text":"Look.",'
    '"format":"anthropic-claude-v1","index":0}]}}]}',
    '{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text",'
    '"signature":"RXVz","format":"anthropic-claude-v1","index":0}]}}]}',
    '{"choices":[{"index":0,"delta":{"reasoning_details":[%s]}}]}' % (SECRET % 1),
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function",'
    '"function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}',
    "[DONE]",
)
FROM_GOOGLE: Final = _events(
    '{"id":"i","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,'
    '"id":"a","type":"function","function":{"name":"f","arguments":"{}"},'
    '"extra_content":{"google":{"thought_signature":"QVky"}}}]},"finish_reason":"tool_calls"}]}',
    "[DONE]",
)

FROM_GEMINI_APART: Final = _events(
    f'{{"candidates":[{{"content":{{"role":"model","parts":[{ALONE}]}}}}]}}',
    '{"candidates":[{"content":{"role":"model","parts":[%s]},"finishReason":"STOP"}]}'
    % (CALLED["gemini"] % ""),
)

STREAMS: Final = {
    "Bedrock to a client of Anthropic's": (
        "bedrock",
        "anthropic",
        FROM_BEDROCK,
        [
            '"delta":{"type":"signature_delta","signature":"RXVz"}',
            '"content_block":{"type":"redacted_thinking","data":"Eu8ECkgI"}',
        ],
    ),
    "Bedrock to OpenRouter's form": (
        "bedrock",
        "openai_chat:openrouter",
        FROM_BEDROCK,
        [
            '"delta":{"reasoning":"Look."}',
            f'"delta":{{"reasoning_details":[{DETAIL}]}}',
            f'"delta":{{"reasoning_details":[{SECRET % 1}]}}',
        ],
    ),
    "OpenRouter to a client of Anthropic's": (
        "openai_chat",
        "anthropic",
        FROM_OPENROUTER,
        [
            '"delta":{"type":"signature_delta","signature":"RXVz"}',
            '"content_block":{"type":"redacted_thinking","data":"Eu8ECkgI"}',
        ],
    ),
    "OpenRouter to a client of Bedrock's": (
        "openai_chat",
        "bedrock",
        FROM_OPENROUTER,
        [
            '"delta":{"reasoningContent":{"signature":"RXVz"}}',
            '"delta":{"reasoningContent":{"redactedContent":"RXU4RUNrZ0k="}}',
        ],
    ),
    "Gemini to OpenRouter's form": (
        "gemini",
        "openai_chat:openrouter",
        FROM_GEMINI,
        [f'"delta":{{"reasoning_details":[{PROOF % "a"}]}}'],
    ),
    "Gemini to Google's form": (
        "gemini",
        "openai_chat:generic",
        FROM_GEMINI,
        [
            '"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
            '"arguments":""},"extra_content":{"google":{"thought_signature":"QVky"}}}]',
        ],
    ),
    "Gemini's signature alone before a call, to Google's form": (
        "gemini",
        "openai_chat:generic",
        FROM_GEMINI_APART,
        [
            '"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
            '"arguments":""},"extra_content":{"google":{"thought_signature":"QVky"}}}]',
        ],
    ),
    "Google's form to a client of Gemini's": (
        "openai_chat",
        "gemini",
        FROM_GOOGLE,
        ['"thoughtSignature":"QVky"'],
    ),
    "Google's form goes back in it": (
        "openai_chat",
        "openai_chat",
        FROM_GOOGLE,
        ['"extra_content":{"google":{"thought_signature":"QVky"}}'],
    ),
}


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("name", STREAMS)
def test_signatures_of_a_stream(name: str, size: int) -> None:
    source, target, stream, frames = STREAMS[name]
    target, _, dialect = target.partition(":")
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(source, target, losses=losses, target_dialect=dialect or None)
    out = b"".join(
        translator.feed(stream[start : start + size]) for start in range(0, len(stream), size)
    )
    out += translator.close()
    places = [out.find(frame.encode()) for frame in frames]
    assert -1 not in places, out
    assert places == sorted(places)
    assert losses == []


@pytest.mark.parametrize(
    ("source", "dialect", "stream", "target", "model", "sent"),
    [
        ("bedrock", "openrouter", FROM_BEDROCK, "bedrock", ON_BEDROCK, f"{REASONED},{BLOB}"),
        ("bedrock", "openrouter", FROM_BEDROCK, "anthropic", SONNET, f"{SIGNED},{REDACTED}"),
        ("gemini", "openrouter", FROM_GEMINI, "gemini", GEMINI_3, SIGNED_CALL),
        ("gemini", "generic", FROM_GEMINI, "gemini", GEMINI_3, SIGNED_CALL),
        ("gemini", "openrouter", FROM_GEMINI_APART, "gemini", GEMINI_3, SIGNED_CALL),
        ("gemini", "generic", FROM_GEMINI_APART, "gemini", GEMINI_3, SIGNED_CALL),
    ],
)
def test_what_a_chat_client_was_streamed_comes_back_byte_for_byte(
    source: str, dialect: str, stream: bytes, target: str, model: str, sent: str
) -> None:
    translator = wg.StreamTranslator(source, "openai_chat", losses=[], target_dialect=dialect)
    shown = translator.feed(stream) + translator.close()
    decoder = wg.providers.openai_chat.StreamDecoder(dialect=dialect)
    decoder.feed(shown)
    result = wg.ToolResultMessage("a", "f", [wg.TextBlock("ok")])
    request = wg.Request([wg.UserMessage.from_text("hi"), decoder.close().message, result], "m")
    body = wg.providers.openai_chat.encode_request(request, losses=[], dialect=dialect)
    made = wg.translate_request(
        body, "openai_chat", target, losses=[], model=model, source_dialect=dialect
    )
    assert sent.encode() in made


@pytest.mark.parametrize(
    ("dialect", "lost"), [("generic", "signature"), ("openai", "thinking"), ("openrouter", "")]
)
def test_a_streamed_signature_after_which_no_call_comes_is_told(dialect: str, lost: str) -> None:
    stream = _events(
        f'{{"candidates":[{{"content":{{"role":"model","parts":[{ALONE}]}}}}]}}',
        '{"candidates":[{"content":{"role":"model","parts":[{"text":"Yes."}]},'
        '"finishReason":"STOP"}]}',
    )
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator("gemini", "openai_chat", losses=losses, target_dialect=dialect)
    assert b"Yes." in translator.feed(stream) + translator.close()
    told = [(loss.what, loss.path) for loss in losses]
    assert told == ([(lost, "$.message.content[0]")] if lost else [])


# -- Responses -----------------------------------------------------------------------------------

ITEM: Final = (
    '{"type":"reasoning","summary":[{"type":"summary_text","text":"Look."}],'
    '"encrypted_content":"claude:RXVz"}'
)
SECRET_ITEM: Final = (
    '{"type":"reasoning","summary":[],"encrypted_content":"claude-redacted:Eu8ECkgI"}'
)
CALL_ITEM: Final = '{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}'
ITEMS: Final = (
    '{"model":"m","input":[{"role":"user","content":"hi"},%s,'
    f'{CALL_ITEM},{{"type":"function_call_output","call_id":"a","output":"ok"}}]}}'
)


@pytest.mark.parametrize(
    ("target", "model", "sent"),
    [
        ("anthropic", SONNET, f"[{SIGNED},{REDACTED},{CLAUDE}]"),
        ("bedrock", ON_BEDROCK, f"[{REASONED},{BLOB},{CONVERSE}]"),
    ],
)
def test_what_codex_sends_back_goes_to_a_claude(target: str, model: str, sent: str) -> None:
    """Codex sends `encrypted_content` back as it is: rynfar/meridian#655."""
    losses: list[wg.Loss] = []
    body = ITEMS % f"{ITEM},{SECRET_ITEM}"
    made = wg.translate_request(body, "openai_responses", target, losses=losses, model=model)
    assert sent.encode() in made
    assert losses == []


@pytest.mark.parametrize(
    ("model", "sent", "lost"),
    [
        ("gpt-5.2", CALL_ITEM, ["thinking", "thinking"]),
        (SONNET, f"{ITEM},{SECRET_ITEM},{CALL_ITEM}", []),
    ],
)
def test_openai_gets_nothing_that_a_claude_has_signed(
    model: str, sent: str, lost: list[str]
) -> None:
    """OpenAI refuses what it has not encrypted itself: fkiene/llmtrim#175."""
    losses: list[wg.Loss] = []
    body = ITEMS % f"{ITEM},{SECRET_ITEM}"
    made = wg.translate_request(
        body, "openai_responses", "openai_responses", losses=losses, model=model
    )
    assert f'{{"role":"user","content":"hi"}},{sent},'.encode() in made
    assert [loss.what for loss in losses] == lost


@pytest.mark.parametrize("source", ["anthropic", "bedrock"])
def test_a_client_of_responses_gets_claudes_signature(source: str) -> None:
    said = {
        "anthropic": f"{SIGNED},{REDACTED},{CLAUDE}",
        "bedrock": f"{REASONED},{BLOB},{CONVERSE}",
    }
    losses: list[wg.Loss] = []
    made = wg.translate_response(
        ANSWERED[source] % said[source], source, "openai_responses", losses=losses
    )
    signed, secret, _ = json.loads(made)["output"]
    assert signed.pop("id").startswith("rs_")
    assert signed == json.loads(ITEM)
    assert secret["encrypted_content"] == "claude-redacted:Eu8ECkgI"
    assert losses == []


def test_a_client_of_responses_is_streamed_claudes_signature() -> None:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator("bedrock", "openai_responses", losses=losses)
    stream = translator.feed(FROM_BEDROCK) + translator.close()
    assert (
        b'"summary":[{"type":"summary_text","text":"Look."}],"encrypted_content":"claude:RXVz"'
        in stream
    )
    assert losses == []
    decoder = wg.providers.openai_responses.StreamDecoder()
    decoder.feed(stream)
    message = decoder.close().message
    result = wg.ToolResultMessage("a", "f", [wg.TextBlock("ok")])
    request = wg.Request([wg.UserMessage.from_text("hi"), message, result], ON_BEDROCK)
    body = wg.providers.bedrock.encode_request(request, losses=losses)
    assert f"[{REASONED},{BLOB},{CONVERSE}]".encode() in body
    assert losses == []


@pytest.mark.parametrize("dialect", ["generic", "openrouter"])
def test_unknown_keys_of_thinking_are_a_loss_beside_its_signature(dialect: str) -> None:
    said = SIGNED.replace("{", '{"mood":1,', 1)
    losses: list[wg.Loss] = []
    body = ANSWERED["anthropic"] % f"{said},{CLAUDE}"
    wg.translate_response(body, "anthropic", "openai_chat", losses=losses, target_dialect=dialect)
    lost = ["signature", "extras"] if dialect == "generic" else ["extras"]
    assert [loss.what for loss in losses] == lost
