"""What a schema says, in so many words."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct

import wireglot as wg
from tests.schema.documents import ALL
from wireglot.schema import SCHEMAS, schema

every_schema = pytest.mark.parametrize(("wire", "kind"), ALL)


def _definition(name: str, wire: str = "native", kind: str | None = None) -> Any:
    return schema(wire, kind)["$defs"][name]


def test_there_are_schemas_of_the_native_wire_of_every_provider_and_of_every_format() -> None:
    assert list(SCHEMAS) == ["native", *wg.PROVIDERS, *wg.FORMATS]
    assert SCHEMAS["native"] == ("session", "message", "request", "response")
    assert {SCHEMAS[name] for name in wg.PROVIDERS} == {("request", "response")}
    assert {SCHEMAS[name] for name in wg.FORMATS} == {("session", "message")}


def test_the_first_kind_is_what_is_meant_where_none_is_named() -> None:
    assert schema() == schema("native", "session")
    assert schema("cohere") == schema("cohere", "request")
    assert schema("ravi") == schema("ravi", "session")


def test_an_unknown_wire_or_kind_is_an_error_that_names_those_that_there_are() -> None:
    with pytest.raises(wg.EncodeError, match=r"^schema: unknown wire `grok`, expected one of `nat"):
        schema("grok")
    known = "unknown document of `ollama` `session`, expected one of `request`, `response`"
    with pytest.raises(wg.EncodeError, match=known):
        schema("ollama", "session")


@every_schema
def test_a_schema_is_valid_and_every_definition_is_there_and_in_use(wire: str, kind: str) -> None:
    made = schema(wire, kind)
    Draft202012Validator.check_schema(made)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert list(made["$defs"]) == sorted(made["$defs"])
    assert all(each["title"] for each in made["$defs"].values())
    met, left = set(), [made]
    while left:
        held = left.pop()
        for key, value in held.items() if isinstance(held, dict) else ():
            if key == "$ref":
                met.add(value.removeprefix("#/$defs/"))
            elif held is not made or key != "$defs":
                left.append(value)
        left += held if isinstance(held, list) else []
        if not left:
            left = [made["$defs"].pop(name) for name in met & made["$defs"].keys()]
    assert made["$defs"] == {}


@pytest.mark.parametrize("wire", SCHEMAS)
def test_a_caller_may_change_a_schema(wire: str) -> None:
    def clear(part: Any) -> None:
        inner = list(part.values() if isinstance(part, dict) else part)
        part.clear()
        for each in inner:
            if isinstance(each, dict | list):
                clear(each)

    before = json.dumps(schema(wire))
    clear(schema(wire))
    assert json.dumps(schema(wire)) == before


def test_the_text_is_the_same_in_every_process() -> None:
    code = "import json, wireglot.schema as s; print(json.dumps([s.schema(w) for w in s.SCHEMAS]))"
    here = json.dumps([schema(wire) for wire in SCHEMAS])
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        made = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
        assert made.stdout.removesuffix("\n") == here, made.stderr


def test_a_native_block_has_its_keys_and_may_have_others() -> None:
    assert _definition("TextBlock") == {
        "title": "TextBlock",
        "description": "Text. `signature` is a provider's mark on it (Gemini signs text too).",
        "type": "object",
        "properties": {
            "type": {"const": "text"},
            "text": {"type": "string"},
            "annotations": {
                "anyOf": [
                    {"type": "array", "items": {"$ref": "#/$defs/AnnotationRef"}},
                    {"type": "null"},
                ]
            },
            "signature": {"type": ["string", "null"]},
            "cache": {"anyOf": [{"$ref": "#/$defs/CacheMark"}, {"type": "null"}]},
            "extras": {
                "anyOf": [
                    {"type": "object", "additionalProperties": {"$ref": "#/$defs/Extra"}},
                    {"type": "null"},
                ]
            },
        },
        "required": ["text"],
    }


def test_a_native_object_without_extras_has_no_place_for_other_keys() -> None:
    assert _definition("TurnId") == {
        "title": "TurnId",
        "description": "Which turn of which loop a message belongs to.",
        "type": "object",
        "properties": {"loopId": {"type": "string"}, "turnIndex": {"type": "integer"}},
        "required": ["loopId", "turnIndex"],
        "additionalProperties": False,
    }


def test_a_message_of_a_session_has_its_place_beside_its_own_keys() -> None:
    in_session = _definition("SystemMessage")["properties"]
    assert list(in_session)[-6:] == [
        "extras", "turnId", "nodeId", "parentId", "tags", "provenanceHint",
    ]  # fmt: skip
    assert in_session["nodeId"] == {
        "anyOf": [
            {"type": ["integer", "null"]},
            {"description": "Anything else is kept as an unknown key."},
        ]
    }


def test_any_role_with_kind_and_data_is_an_extension() -> None:
    made = _definition("ExtensionMessage")
    assert made["properties"]["role"] == {"type": "string"}
    assert made["required"] == ["kind", "data"]


def test_the_unions_of_a_provider_are_open_but_for_roles() -> None:
    blocks = _definition("Message", "anthropic")["properties"]["content"]["anyOf"][1]["items"]
    assert blocks["anyOf"][-2:] == [
        {"$ref": "#/$defs/ToolResult", "required": ["type"]},
        {
            "type": "object",
            "properties": {
                "type": {
                    "type": "string",
                    "not": {
                        "enum": [
                            "text", "image", "document", "thinking", "redacted_thinking",
                            "tool_use", "tool_result",
                        ]
                    },
                }
            },
            "required": ["type"],
        },
    ]  # fmt: skip
    messages = _definition("Body", "cohere")["properties"]["messages"]["items"]
    assert messages == {
        "anyOf": [
            {"$ref": "#/$defs/System", "required": ["role"]},
            {"$ref": "#/$defs/User", "required": ["role"]},
            {"$ref": "#/$defs/Assistant", "required": ["role"]},
            {"$ref": "#/$defs/Tool", "required": ["role"]},
        ]
    }


def test_gemini_takes_keys_in_snake_case_and_one_object_for_a_list() -> None:
    assert _definition("FileData", "gemini") == {
        "title": "FileData",
        "type": "object",
        "properties": {"fileUri": {"type": "string"}, "mimeType": {"type": ["string", "null"]}},
        "allOf": [
            {
                "anyOf": [
                    {"required": ["fileUri"]},
                    {"properties": {"file_uri": {"type": "string"}}, "required": ["file_uri"]},
                ]
            },
            {
                "anyOf": [
                    {"required": ["mimeType"]},
                    {"properties": {"mime_type": {"type": ["string", "null"]}}},
                ]
            },
        ],
    }
    assert _definition("Content", "gemini")["properties"]["parts"] == {
        "anyOf": [
            {"anyOf": [
                {"type": "array", "items": {"$ref": "#/$defs/Part"}},
                {"$ref": "#/$defs/Part"},
            ]},
            {"type": "null"},
        ]
    }  # fmt: skip


def test_what_readers_look_for_in_a_slice_is_said() -> None:
    assert _definition("ImageUrl", "mistral")["properties"]["url"] == {"type": "string"}
    assert _definition("Image", "mistral")["properties"]["image_url"] == {
        "anyOf": [{"$ref": "#/$defs/ImageUrl"}, {"type": "string"}]
    }
    assert _definition("Tool", "anthropic")["properties"]["input_schema"] == {}
    assert _definition("Response", "ollama", "response")["properties"]["done"] == {
        "type": "boolean",
        "default": False,
    }


def test_two_types_of_one_name_have_a_definition_each(monkeypatch: pytest.MonkeyPatch) -> None:
    both = wg.formats.phi_core.UserMessage | wg.UserMessage
    monkeypatch.setattr(wg.formats.phi_core, "MESSAGE", both)
    made = schema("phi_core")
    assert made["items"]["anyOf"] == [
        {"$ref": "#/$defs/UserMessage", "required": ["role"]},
        {"$ref": "#/$defs/wireglot.model.messages.UserMessage", "required": ["role"]},
    ]


def test_a_type_that_ignores_unknown_keys_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loose(Struct):
        a: int

    monkeypatch.setattr(wg.formats.phi_core, "MESSAGE", Loose)
    assert _definition("Loose", "phi_core", "message") == {
        "title": "Loose",
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
    }


@pytest.mark.parametrize(
    ("wire", "kind", "document"),
    [
        ("native", "session", {"role": "user", "content": []}),
        ("native", "message", {"role": "user", "content": "Hi"}),
        ("native", "message", {"role": "nobody", "content": []}),
        ("native", "message", {"role": "user", "content": [{"type": "gif"}]}),
        ("native", "message", {"role": "user", "content": [{"text": "Hi"}]}),
        ("native", "message", {"role": "assistant", "content": [], "stopReason": "tired"}),
        ("native", "message", {"role": "user", "content": [{"type": "image", "data": 1}]}),
        (
            "native",
            "message",
            {"role": "user", "content": [{"type": "image", "data": "", "url": ""}]},
        ),
        ("native", "request", {"messages": [], "maxTokens": "1"}),
        ("native", "request", {"messages": [{"kind": "k", "data": 1, "role": "extension"}]}),
        ("native", "response", {"id": "1"}),
        ("anthropic", "request", {"messages": [{"role": 1}]}),
        ("openai_chat", "request", {"messages": [{"role": "user", "content": 1}]}),
        ("openai_chat", "request", {"messages": [{"role": "nobody", "content": ""}]}),
        ("openai_responses", "request", {"input": 1}),
        ("gemini", "request", {"contents": [{"parts": [{"file_data": {"fileuri": "u"}}]}]}),
        ("bedrock", "request", {"messages": [{"role": "user", "content": "Hi"}]}),
        ("mistral", "request", {"messages": {}}),
        ("cohere", "request", {"messages": [{"role": "tool", "content": "x"}]}),
        ("ollama", "request", {"messages": [{"content": "Hi"}]}),
        ("ollama", "response", {"message": {"role": "assistant"}, "done": "yes"}),
        ("phi_core", "message", {"role": "user", "content": []}),
        ("pyagenity", "session", [{"role": "human", "content": []}]),
        ("ravi", "message", {"type": "UserMessage", "content": [{"type": "gif"}]}),
        ("operator_use", "message", {"role": "user", "contents": "Hi"}),
    ],
)
def test_what_is_no_document_is_refused(wire: str, kind: str, document: Any) -> None:
    assert not Draft202012Validator(schema(wire, kind)).is_valid(document)
