"""Anthropic's API at its hosts, and what it refuses in whole conversations: reported situations."""

from typing import Final

import pytest

from tests.field.cases import Case, Request

HI = '{"role":"user","content":"hi"}'
SAID = '{"role":"user","content":[{"type":"text","text":"hi"}]}'
CLAUDE = "claude-opus-4-8"
OLDER = "claude-sonnet-4-5"
CALLED = (
    '{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function",'
    '"function":{"name":"f","arguments":"{}"}}]},'
    '{"role":"tool","tool_call_id":"call_0","content":"1"}'
)


def called(name: str) -> str:
    return (
        f'{{"role":"assistant","content":[{{"type":"tool_use","id":"{name}","name":"f",'
        f'"input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result",'
        f'"tool_use_id":"{name}","content":[{{"type":"text","text":"1"}}]}}]}}'
    )


CASES: Final[dict[str, Case]] = {
    "a breakpoint at InvokeModel does not say that it lasts as long as usual": Request(
        "pydantic/pydantic-ai#3615",
        "anthropic",
        "anthropic:bedrock",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi","cache_control":{"type":"ephemeral","ttl":"5m"}}]}]}'
        ),
        (
            '{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,"messages":[{"role":"user",'
            '"content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}'
        ),
        model="us.anthropic.claude-3-7-sonnet-20250219-v1:0",
    ),
    "a user's blank message at the end does not let Claude go on with its answer": Request(
        "langchain-ai/langchain#35081",
        "openai_chat",
        "anthropic",
        (
            '{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[' + HI + ","
            '{"role":"assistant","content":"A"},{"role":"user","content":""}]}'
        ),
        (
            '{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[' + SAID + ","
            '{"role":"assistant","content":[{"type":"text","text":"A"}]},'
            '{"role":"user","content":[{"type":"text","text":"Go on."}]}]}'
        ),
        lost="empty message",
    ),
    "nor does it on Bedrock's Converse": Request(
        "langchain-ai/langchain#35081",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","messages":[' + HI + ","
            '{"role":"assistant","content":"A"},{"role":"user","content":""}]}'
        ),
        (
            '{"messages":[{"role":"user","content":[{"text":"hi"}]},'
            '{"role":"assistant","content":[{"text":"A"}]},'
            '{"role":"user","content":[{"text":"Go on."}]}]}'
        ),
        lost="empty message",
    ),
    "instructions alone are a user's for Anthropic": Request(
        "braintrustdata/braintrust-proxy#250",
        "openai_chat",
        "anthropic",
        '{"model":"m","max_tokens":9,"messages":[{"role":"system","content":"hi"}]}',
        '{"model":"m","max_tokens":9,"messages":[' + SAID + "]}",
        lost="system alone",
    ),
    "and so they are for Gemini": Request(
        "braintrustdata/braintrust-proxy#250",
        "openai_chat",
        "gemini",
        '{"model":"m","messages":[{"role":"system","content":"hi"}]}',
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}',
        lost="system alone",
    ),
    "calls that have one id in each turn get different ones at Anthropic": Request(
        "NVIDIA-NeMo/Switchyard#502",
        "openai_chat",
        "anthropic",
        '{"model":"m","max_tokens":9,"messages":[' + f"{HI},{CALLED},{CALLED}" + "]}",
        (
            '{"model":"m","max_tokens":9,"messages":['
            + f"{SAID},{called('call_0')},{called('call_0_2')}"
            + "]}"
        ),
    ),
    "white space beside a call, the only text, is left out": Request(
        "LibreChat-AI/agents#124",
        "anthropic",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[' + SAID + ',{"role":"assistant","content":['
            '{"type":"text","text":"\\n\\n"},{"type":"tool_use","id":"a","name":"f","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":['
            '{"type":"text","text":"1"}]}]}]}'
        ),
        '{"model":"m","max_tokens":9,"messages":[' + f"{SAID},{called('a')}" + "]}",
    ),
    "a system message for its effort alone stays where it is": Request(
        "earendil-works/pi#9548",
        "anthropic",
        "anthropic",
        (
            '{"model":"claude-opus-4-8","max_tokens":9,"messages":[' + SAID + ","
            '{"role":"system","content":[],"output_config":{"effort":"low"}}]}'
        ),
        (
            '{"model":"claude-opus-4-8","max_tokens":9,"messages":[' + SAID + ","
            '{"output_config":{"effort":"low"},"role":"system","content":[]}]}'
        ),
    ),
    "one without content is read, and goes to another API as a loss": Request(
        "earendil-works/pi#9548",
        "anthropic",
        "openai_responses",
        (
            '{"model":"m","max_tokens":99,"messages":[' + HI + ","
            '{"role":"system","output_config":{"effort":"low"}}]}'
        ),
        '{"model":"m","store":false,"max_output_tokens":99,"input":[{"role":"user","content":"hi"}]}',
        lost="extras",
    ),
    "InvokeModel edits no contexts unless the body names the beta": Request(
        "anthropics/claude-code#49548",
        "anthropic",
        "anthropic:bedrock",
        '{"model":"m","max_tokens":9,"messages":[' + SAID + '],"context_management":{"edits":[]}}',
        '{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,"messages":[' + SAID + "]}",
        lost="host key",
    ),
    "and if it does, they are edited": Request(
        "braintrustdata/lingua#349",
        "anthropic",
        "anthropic:bedrock",
        (
            '{"max_tokens":9,"messages":[' + SAID + '],"context_management":{"edits":[]},'
            '"anthropic_beta":["context-management-2025-06-27"]}'
        ),
        (
            '{"context_management":{"edits":[]},"anthropic_beta":["context-management-2025-06-27"],'
            '"anthropic_version":"bedrock-2023-05-31","max_tokens":9,"messages":[' + SAID + "]}"
        ),
        model=CLAUDE,
    ),
    "Vertex runs no code": Request(
        "dust-tt/dust#26813",
        "anthropic",
        "anthropic:vertex",
        (
            '{"model":"m","max_tokens":9,"messages":[' + SAID + '],"tools":['
            '{"type":"code_execution_20250825","name":"code_execution"},'
            '{"name":"f","input_schema":{"type":"object"}}]}'
        ),
        (
            '{"anthropic_version":"vertex-2023-10-16","max_tokens":9,"tools":['
            '{"name":"f","input_schema":{"type":"object"}}],"messages":[' + SAID + "]}"
        ),
        lost="host tool",
    ),
    "Vertex fetches no images": Request(
        "BerriAI/litellm#18430",
        "openai_chat",
        "anthropic:vertex",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":['
            '{"type":"text","text":"hi"},'
            '{"type":"image_url","image_url":{"url":"https://a.example/x.png"}}]}]}'
        ),
        '{"anthropic_version":"vertex-2023-10-16","max_tokens":9,"messages":[' + SAID + "]}",
        lost="media url",
    ),
    "a cache that Bedrock does not keep by itself is asked for with a breakpoint": Request(
        "UKGovernmentBEIS/inspect_ai#3851",
        "anthropic",
        "anthropic:bedrock",
        (
            '{"model":"m","max_tokens":9,"messages":['
            + SAID
            + '],"cache_control":{"type":"ephemeral"}}'
        ),
        (
            '{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,"messages":[{"role":"user",'
            '"content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}'
        ),
    ),
    "InvokeModel does not hold a new Claude to the schema of a tool": Request(
        "BerriAI/litellm#33193",
        "openai_chat",
        "anthropic:bedrock",
        (
            '{"model":"m","max_tokens":9,"messages":[' + HI + '],"tools":[{"type":"function",'
            '"function":{"name":"f","strict":true,"parameters":{"type":"object","properties":{}}}}]}'
        ),
        (
            '{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,"tools":[{"name":"f",'
            '"input_schema":{"type":"object","properties":{}}}],"messages":[' + SAID + "]}"
        ),
        model=CLAUDE,
        lost="strict tool",
    ),
    "Opus 4.5 keeps its effort at another host, and does not begin to think": Request(
        "Oaklight/llm-rosetta#289",
        "anthropic",
        "anthropic:vertex",
        (
            '{"model":"claude-opus-4-5","max_tokens":9000,"output_config":{"effort":"low"},'
            '"messages":[' + SAID + "]}"
        ),
        (
            '{"anthropic_version":"vertex-2023-10-16","max_tokens":9000,'
            '"output_config":{"effort":"low"},"messages":[' + SAID + "]}"
        ),
    ),
    "a budget beyond max_tokens, which interleaved thinking may have, is not changed": Request(
        "maximhq/bifrost#3498",
        "anthropic",
        "anthropic",
        (
            '{"model":"claude-sonnet-4-5","max_tokens":3000,"thinking":{"type":"enabled",'
            '"budget_tokens":4000},"messages":[' + SAID + "]}"
        ),
        (
            '{"model":"claude-sonnet-4-5","max_tokens":3000,"thinking":{"type":"enabled",'
            '"budget_tokens":4000},"messages":[' + SAID + "]}"
        ),
    ),
    "Anthropic's form of a tool choice in a Chat request is understood": Request(
        "icebear0828/codex-proxy#507",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[' + HI + '],"tools":[{"type":"function",'
            '"function":{"name":"f"}}],"tool_choice":{"type":"tool","name":"f"}}'
        ),
        (
            '{"model":"m","max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object",'
            '"properties":{}}}],"tool_choice":{"type":"tool","name":"f"},"messages":[' + SAID + "]}"
        ),
    ),
    "what Claude is not held to goes into the description, and so does the answer's": Request(
        "ENTERPILOT/GoModel#963",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[' + HI + '],"response_format":{"type":'
            '"json_schema","json_schema":{"name":"r","description":"A pair.","schema":{"type":'
            '"array","prefixItems":[{"type":"string"}],"items":false}}}}'
        ),
        (
            '{"model":"m","max_tokens":9,"output_config":{"format":{"type":"json_schema","schema":{'
            '"type":"array","description":"A pair. '
            'prefixItems: [{\\"type\\":\\"string\\"}], items: false"}}},"messages":[' + SAID + "]}"
        ),
    ),
    "Sonnet 5 takes system messages at the start alone": Request(
        "LeenHawk/gproxy#209",
        "openai_chat",
        "anthropic",
        (
            '{"model":"claude-sonnet-5","max_tokens":9,"messages":[' + HI + ","
            '{"role":"system","content":"Be brief."}]}'
        ),
        (
            '{"model":"claude-sonnet-5","max_tokens":9,"messages":[{"role":"user","content":['
            '{"type":"text","text":"hi"},{"type":"text","text":"Be brief."}]}]}'
        ),
        lost="system place",
    ),
    "another model does not get what was spelled for the first": Request(
        "UKGovernmentBEIS/inspect_ai#3721",
        "anthropic",
        "anthropic",
        (
            '{"model":"claude-sonnet-4-5","max_tokens":9,"temperature":0.5,"messages":['
            + SAID
            + "]}"
        ),
        '{"model":"claude-opus-4-8","max_tokens":9,"messages":[' + SAID + "]}",
        model=CLAUDE,
        lost="sampling",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation(name: str) -> None:
    CASES[name].check()
