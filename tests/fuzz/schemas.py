"""A JSON Schema, or JSON of any shape in its place -> nothing, or an error if a law is broken.

What becomes of a schema is compared with nothing. Whatever it holds, there is no foreign exception,
the output and the time are bounded by the input, and what goes out is a schema that the API takes.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import wireglot as wg
from tests.fuzz.laws import check, choices, decoded, encoded, is_deep

__all__ = ["PLACES", "SCHEMAS"]

_SAID: Final = b'"model":"gpt-4o","messages":[{"role":"user","content":"x"}]'
_FUNCTION: Final = b'"function":{"name":"t","parameters":@,"strict":true}'
_FORMAT: Final = b'"type":"json_schema","json_schema":{"name":"a","schema":@,"strict":true}'
_ITEM: Final = b'{"type":"function","name":"t","parameters":@,"strict":true}'
_GEMINI: Final = b'{"contents":[{"role":"user","parts":[{"text":"x"}]}],%b}'
_DECLARED: Final = b'"tools":[{"functionDeclarations":[{"name":"t","%b":@}]}]'
_NATIVE: Final = b'{"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],%b}'
PLACES: Final = (
    ("openai_chat", b'{%b,"tools":[{"type":"function",%b}]}' % (_SAID, _FUNCTION)),
    (
        "openai_chat",
        b'{%b,"tools":[{"type":"function",%b}]}' % (_SAID, _FUNCTION.replace(b"true", b"false")),
    ),
    ("openai_chat", b'{%b,"response_format":{%b}}' % (_SAID, _FORMAT)),
    ("openai_responses", b'{"model":"gpt-4o","input":"x","tools":[%b]}' % _ITEM),
    (
        "openai_responses",
        b'{"model":"gpt-4o","input":"x","text":{"format":{"type":"json_schema","name":"a","schema":@,"strict":true}}}',
    ),
    (
        "openai_responses",
        b'{"model":"gpt-4o","input":"x","tools":[{"type":"namespace","name":"n","tools":[%b]}]}'
        % _ITEM,
    ),
    ("anthropic", b'{%b,"tools":[{"name":"t","input_schema":@}]}' % _SAID),
    ("anthropic", b'{%b,"tools":[{"name":"t","input_schema":@,"strict":true}]}' % _SAID),
    ("anthropic", b'{%b,"output_config":{"format":{"type":"json_schema","schema":@}}}' % _SAID),
    ("gemini", _GEMINI % _DECLARED % b"parameters"),
    ("gemini", _GEMINI % _DECLARED % b"parametersJsonSchema"),
    ("gemini", _GEMINI % b'"generationConfig":{"responseSchema":@}'),
    ("gemini", _GEMINI % b'"generationConfig":{"responseJsonSchema":@}'),
    (
        "bedrock",
        b'{"messages":[{"role":"user","content":[{"text":"x"}]}],"toolConfig":{"tools":['
        b'{"toolSpec":{"name":"t","inputSchema":{"json":@},"strict":true}}]}}',
    ),
    ("mistral", b'{%b,"tools":[{"type":"function",%b}]}' % (_SAID, _FUNCTION)),
    ("mistral", b'{%b,"response_format":{%b}}' % (_SAID, _FORMAT)),
    (
        "cohere",
        b'{%b,"tools":[{"type":"function",%b}]}'
        % (_SAID, _FUNCTION.replace(b',"strict":true', b"")),
    ),
    ("cohere", b'{%b,"response_format":{"type":"json_object","json_schema":@}}' % _SAID),
    ("ollama", b'{%b,"tools":[{"type":"function",%b}]}' % (_SAID, _FUNCTION)),
    ("ollama", b'{%b,"format":@}' % _SAID),
    ("", _NATIVE % b'"tools":[{"name":"t","parameters":@,"strict":true}]'),
    ("", _NATIVE % b'"response_format":{"kind":"json_schema","schema":@,"strict":true}'),
)
"""The wire of a body, native (`""`) or a provider's, and the body with `@` for a schema."""

_GPT: Final = frozenset({"allOf", "anyOf", "oneOf", "enum", "const", "not"})
_CLAUDE: Final = frozenset({"allOf", "anyOf", "oneOf"})
TARGETS: Final = (
    ("openai_chat", "gpt-4o", _GPT),
    ("openai_chat", "m", frozenset[str]()),
    ("openai_responses", "gpt-4.1", _GPT),
    ("openai_responses", "gpt-5", frozenset[str]()),
    ("anthropic", "claude-haiku-4-5", _CLAUDE),
    ("bedrock", "anthropic.claude-haiku-4-5", _CLAUDE),
    ("bedrock", "amazon.nova-pro-v1:0", frozenset[str]()),
    ("gemini", "gemini-2.5-pro", frozenset[str]()),
    ("mistral", "mistral-large-2512", frozenset[str]()),
    ("cohere", "command-a-03-2025", frozenset[str]()),
    ("ollama", "qwen3", frozenset[str]()),
)
"""A wire, a model, and the keys that it refuses at the top of a tool's schema."""
_TIMES, _MORE = 8, 2000
"""An output has at most so many times the bytes of the input, and so many more."""
_SECONDS: Final = 2.0
"""An input is short: a hundredth of this is much."""
_BOUNDS: Final = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength"}
    | {"maxLength", "maxItems", "uniqueItems", "minProperties", "maxProperties"}
)
"""What Claude is not held to."""
_is_name: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}").fullmatch


def _check(data: bytes) -> None:
    first, second, schema = choices(data)
    name, place = PLACES[first % len(PLACES)]
    body = place.replace(b"@", schema)
    start = time.process_time()
    request = _read(name, body)
    if request is None:
        return
    request.metadata = None if second % 2 else {"k": "v"}
    for target, model, refused in TARGETS:
        request.model = model
        made = encoded(
            lambda name=target: wg.PROVIDERS[name].encode_request(request, losses=[])  # type: ignore[misc]
        )
        if made is None:
            continue
        check(len(made) <= _TIMES * len(body) + _MORE, "what goes out is in proportion")
        if target != name and not is_deep(made):  # on its own wire it goes back as it came
            _check_taken(target, made, refused)
    check(time.process_time() - start < _SECONDS, "the time is in proportion")


def _read(name: str, body: bytes) -> wg.Request | None:
    if not name:
        return decoded(lambda: wg.json.decode(body, wg.Request), "json")
    return decoded(lambda: wg.PROVIDERS[name].decode_request(body, losses=[]), name)


# -- what the APIs take, in words of their own ------------------------------------------------


def _check_taken(name: str, body: bytes, refused: frozenset[str]) -> None:
    root = json.loads(body.decode(errors="replace"))
    for schema, is_bound in _of_tools(name, root):
        check(isinstance(schema, dict), "a tool's schema is an object")
        if name in ("openai_chat", "openai_responses", "anthropic") or refused:
            check(schema.get("type") == "object", "a tool's schema is that of an object")
            check(refused.isdisjoint(schema), f"a tool's schema has no {refused & schema.keys()}")
        if refused is _CLAUDE:
            check(all(map(_is_name, _keys(schema))), "the names of properties are Anthropic's")
        if is_bound and refused is _CLAUDE:
            _check_closed(schema)
    for schema in _of_answers(name, root):
        if refused is _CLAUDE:
            _check_closed(schema)


def _of_tools(name: str, root: Any) -> Iterator[tuple[Any, bool]]:
    """Yield each tool's schema, and whether the model is bound by it."""
    config = root.get("toolConfig") or {} if name == "bedrock" else {}
    for tool in [*(root.get("tools") or ()), *(config.get("tools") or ())]:
        inner = tool.get("toolSpec") or tool.get("function") or tool
        for each in inner.get("functionDeclarations") or (inner,):
            for key in ("parameters", "parametersJsonSchema", "input_schema", "inputSchema"):
                if key in each:
                    schema = each[key]
                    is_bound = each.get("strict") is True
                    yield schema["json"] if name == "bedrock" else schema, is_bound


def _of_answers(name: str, root: Any) -> Iterator[Any]:
    if name == "anthropic" and "format" in root.get("output_config", {}):
        yield root["output_config"]["format"]["schema"]
    if name == "bedrock" and "outputConfig" in root:
        form = root["outputConfig"].get("textFormat")
        if form is not None:
            yield json.loads(form["structure"]["jsonSchema"]["schema"])


def _keys(schema: Any) -> Any:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _check_closed(schema: Any) -> None:
    """Check that a schema, and each in it, is one that Claude can be held to."""
    if not isinstance(schema, dict):
        return
    kind = schema.get("type")
    if kind == "object" or (isinstance(kind, list) and "object" in kind):
        check(schema.get("additionalProperties") is False, "each object is closed")
    check(_BOUNDS.isdisjoint(schema), f"a schema has no {_BOUNDS & schema.keys()}")
    inner = [schema.get("items")]
    for key in ("properties", "$defs", "definitions"):
        inner += schema[key].values() if isinstance(schema.get(key), dict) else ()
    for key in ("anyOf", "allOf", "oneOf", "prefixItems"):
        inner += schema[key] if isinstance(schema.get(key), list) else ()
    for each in inner:
        _check_closed(each)


SCHEMAS: dict[str, Callable[[bytes], None]] = {"schemas": _check}
"""The target of schemas, in all places of all wires."""
