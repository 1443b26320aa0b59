"""Unknown keys that many bodies have: read at once, and written back as any other unknown key."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

import wireglot as wg
from wireglot._body.decode import ASIDE, Aside, read_body

ASKED = '"contents":[{"role":"user","parts":[{"text":"a"}]}]}'
CALLED = (
    '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},'
    '{"role":"assistant","content":[%s]},{"role":"user","content":'
    '[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"b"}]}]}]}'
)
REQUESTS: dict[str, tuple[str, str, str | None]] = {
    "gemini responseModalities": (
        "gemini",
        '{"generationConfig":{"responseModalities":["TEXT"],"temperature":1.0},' + ASKED,
        None,
    ),
    "gemini safetySettings": (
        "gemini",
        '{"safetySettings":[{"category":"C", "threshold":"T"}],' + ASKED,
        None,
    ),
    "gemini codeExecution": ("gemini", '{"tools":[{"codeExecution":{}}],' + ASKED, None),
    "gemini codeExecution beside functions": (
        "gemini",
        '{"tools":[{"codeExecution":{},"functionDeclarations":[{"name":"f"}]}],' + ASKED,
        '{"tools":[{"functionDeclarations":[{"name":"f"}]},{"codeExecution":{}}],' + ASKED,
    ),
    "gemini parameters_json_schema": (
        "gemini",
        '{"tools":[{"functionDeclarations":[{"name":"f","parameters_json_schema":{"a": 1}}]}],'
        + ASKED,
        '{"tools":[{"functionDeclarations":[{"name":"f",'
        '"parametersJsonSchema":{"type":"object","a": 1}}]}],' + ASKED,
    ),
    "openai_chat provider": (
        "openai_chat",
        '{"provider":{"order": ["x"]},"model":"m","messages":[{"role":"user","content":"a"}]}',
        None,
    ),
    "openai_responses previous_response_id": (
        "openai_responses",
        '{"previous_response_id":"r","model":"m","input":[{"role":"user","content":"a"}]}',
        None,
    ),
    "openai_responses context": (
        "openai_responses",
        '{"model":"m","reasoning":{"context":"auto","effort":"low"},'
        '"input":[{"role":"user","content":"a"}]}',
        None,
    ),
    "bedrock modelId": (
        "bedrock",
        '{"modelId":"m","messages":[{"role":"user","content":[{"text":"a"}]}]}',
        '{"messages":[{"role":"user","content":[{"text":"a"}]}]}',
    ),
    "anthropic caller": (
        "anthropic",
        CALLED % '{"caller":{"type":"direct"},"type":"tool_use","id":"t","name":"f","input":{}}',
        None,
    ),
}
"""Case -> wire, body, and the body that it is written as unless that is the same."""


@pytest.mark.parametrize(("wire", "body", "written"), REQUESTS.values(), ids=REQUESTS)
def test_a_request_with_a_frequent_key_is_written_as_it_came(
    wire: str, body: str, written: str | None
) -> None:
    codec = wg.PROVIDERS[wire]
    assert codec.encode_request(codec.decode_request(body)).decode() == (written or body)


@pytest.mark.parametrize(("wire", "body", "written"), REQUESTS.values(), ids=REQUESTS)
def test_a_frequent_key_is_written_the_same_if_another_is_unknown(
    wire: str, body: str, written: str | None
) -> None:
    codec = wg.PROVIDERS[wire]
    again = codec.encode_request(codec.decode_request('{"x_new":1,' + body[1:])).decode()
    assert again == '{"x_new":1,' + (written or body)[1:]


@pytest.mark.parametrize(("wire", "body"), [row[:2] for row in REQUESTS.values()], ids=REQUESTS)
def test_a_request_with_a_frequent_key_is_read_at_once(wire: str, body: str) -> None:
    codec: Any = wg.PROVIDERS[wire]
    assert read_body(codec.wire.Body, body, wire).raws == {}


ANSWER = (
    '{"id":"i","type":"message","role":"assistant","model":"m","content":[{"caller":{"type":'
    ' "direct"},"type":"tool_use","id":"t","name":"f","input":{}}],"stop_reason":"tool_use",'
    '"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}'
)


def test_an_answer_with_a_frequent_key_is_written_as_it_came() -> None:
    codec = wg.PROVIDERS["anthropic"]
    response = codec.decode_response(ANSWER)
    (call,) = response.message.content
    assert call.extras == {codec.API: wg.Extra({"caller": {"type": "direct"}})}
    assert codec.encode_response(response).decode() == ANSWER


@pytest.mark.parametrize("is_list", [False, True], ids=["an answer", "a list of answers"])
def test_an_answer_with_a_frequent_key_is_read_at_once(is_list: bool) -> None:
    codec: Any = wg.PROVIDERS["anthropic"]
    kind, body = codec.wire.Response, ANSWER
    if is_list:
        kind, body = list[codec.wire.Response], f"[{ANSWER}]"
    assert read_body(kind, body, "anthropic").raws == {}


def test_a_struct_below_the_root_of_a_body_notes_its_key_itself() -> None:
    for name in wg.PROVIDERS:
        module = import_module(f"wireglot.providers.{name}.wire")
        kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
        with_key = [kind for kind in kinds if ASIDE in getattr(kind, "__struct_fields__", ())]
        inner = [kind for kind in with_key if kind is not module.Body]
        assert all(issubclass(kind, Aside) for kind in inner), name
