"""Gemini's generateContent: its requests, with what it refuses, and its answers.

Sources: the API's reference of 2026-11 and its errors in public reports (docs/refusals.md).
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from typing import Any

from tests.agents.reading import checked_image, keys, listed, matched, pieces, text_of
from tests.agents.script import Answer, Asked, Item, RefusalError, seal

MODEL = "gemini-3.1-pro-preview"
STREAM = "text/event-stream"
_BODY = "systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels"
_SETTINGS = (
    "maxOutputTokens temperature topP topK candidateCount stopSequences seed presencePenalty"
    " frequencyPenalty responseMimeType responseSchema responseJsonSchema responseModalities"
    " thinkingConfig mediaResolution"
)
_SCHEMA = (
    "type format title description nullable enum maxItems minItems properties required"
    " minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering"
    " default items minimum maximum"
)
# Documented for a history that has no signatures; SDKs send it in base64, as it is bytes.
_BYPASS = (
    "context_engineering_is_the_way_to_go",
    "skip_thought_signature_validator",
    b64encode(b"skip_thought_signature_validator").decode(),
)


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    found = re.fullmatch(r"/v1beta/models/([^/:]+):(generateContent|streamGenerateContent)", path)
    if found is None:
        raise RefusalError(f"{path} is not found for API version v1beta", 404)
    keys(body, "body", _BODY, "contents")
    asked = Asked(found[1], found[2] == "streamGenerateContent")
    settings = keys(body.get("generationConfig") or {}, "generation_config", _SETTINGS)
    thinking = settings.get("thinkingConfig") or {}
    keys(thinking, "thinking_config", "includeThoughts thinkingBudget thinkingLevel")
    if "thinkingBudget" in thinking and "thinkingLevel" in thinking:
        raise RefusalError("You can only set only one of thinking budget and thinking level.")
    asked.thinks = bool(thinking)
    if "systemInstruction" in body:
        said = keys(body["systemInstruction"], "system_instruction", "role", "parts")
        asked.system = "".join(part["text"] for part in said["parts"])
    for tool in listed(body.get("tools", []), "tools"):
        for name in keys(tool, "tools", "functionDeclarations googleSearch urlContext"):
            for i, one in enumerate(tool[name] if name == "functionDeclarations" else []):
                _declared(asked, one, f"tools.function_declarations[{i}]")
    if asked.tools != list(dict.fromkeys(asked.tools)):
        raise RefusalError("Duplicate function declaration found")
    _contents(asked, listed(body["contents"], "contents", 1))
    return asked


def _declared(asked: Asked, tool: Any, at: str) -> None:
    keys(tool, at, "description parameters parametersJsonSchema response behavior", "name")
    asked.tools.append(matched(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}", tool["name"], f"{at}.name"))
    if "parameters" in tool and "parametersJsonSchema" in tool:
        raise RefusalError(f"{at}: parameters and parameters_json_schema are mutually exclusive")
    if "parameters" in tool:
        _schema(tool["parameters"], f"{at}.parameters")


def _schema(schema: Any, at: str) -> None:
    for key in schema:
        if key not in _SCHEMA.split():
            raise RefusalError(f"Invalid JSON payload received. Unknown name \"{key}\" at '{at}'")
    if not all(isinstance(one, str) for one in schema.get("enum", [])):
        raise RefusalError(f"{at}.enum: only allowed for STRING type")
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in properties:
            raise RefusalError(f"{at}.required: property '{name}' is not defined")
    for name, inner in properties.items():
        _schema(inner, f"{at}.{name}")
    if "items" in schema:
        _schema(schema["items"], f"{at}.items")
    elif str(schema.get("type")).upper() == "ARRAY":
        raise RefusalError(f"{at}.items: missing field.")


def _contents(asked: Asked, contents: list[Any]) -> None:
    open_calls: list[str] = []
    before = None
    for i, content in enumerate(contents):
        at = f"contents[{i}]"
        keys(content, at, "role", "parts")
        role = content.get("role", "user")
        if role not in ("user", "model"):
            raise RefusalError("Please use a valid role: user, model.")
        parts = listed(content["parts"], at, 1)
        items = [item for part in parts for item in _part(part, role, at)]
        calls = [part["functionCall"] for part in parts if "functionCall" in part]
        results = [item for item in items if item.kind == "result"]
        if len(results) != len(open_calls):
            raise RefusalError(
                "Please ensure that the number of function response parts is equal to the number"
                " of function call parts of the function call turn."
            )
        if [item.name for item in results] != open_calls:
            raise RefusalError(f"{at}: function responses {results} of the calls {open_calls}")
        if calls and before != "user":
            raise RefusalError(
                "Please ensure that function call turn comes immediately after a user turn or"
                " after a function response turn."
            )
        if calls and _is_last_loop(contents[i:]):
            first = next(part for part in parts if "functionCall" in part)
            if "thoughtSignature" not in first:
                raise RefusalError(
                    "Function call is missing a thought_signature in functionCall parts."
                )
        asked.add(*items)
        open_calls = [call["name"] for call in calls]
        before = role
    if open_calls:
        raise RefusalError("Please ensure that function call turn is followed by its responses.")


def _is_last_loop(rest: list[Any]) -> bool:
    return all(
        content.get("role") == "model" or any("functionResponse" in p for p in content["parts"])
        for content in rest
    )


_KINDS = ("text", "inlineData", "functionCall", "functionResponse")


def _part(part: Any, role: str, at: str) -> list[Item]:
    keys(part, at, f"thought thoughtSignature {' '.join(_KINDS)}")
    kinds = [kind for kind in _KINDS if kind in part]
    if len(kinds) != 1:
        raise RefusalError(
            f"{at}.parts.data: required oneof field 'data' must have one initialized"
        )
    (kind,) = kinds
    signature = part.get("thoughtSignature")
    items: list[Item] = []
    if kind == "text":
        text = text_of(part["text"], at)
        if part.get("thought"):
            return [Item("thought", text)]
        items = [Item("user" if role == "user" else "text", text)] if text else []
    elif kind == "inlineData":
        data = keys(part["inlineData"], at, "displayName", "mimeType data")
        media = data["mimeType"].removeprefix("image/")
        items = [Item("image", data=checked_image(media, data["data"], at))]
    elif kind == "functionCall":
        call = keys(part["functionCall"], at, "id args", "name")
        items = [Item("call", name=call["name"], data=call.get("args", {}))]
    else:
        result = keys(part["functionResponse"], at, "id parts", "name response")
        response = keys(result["response"], at, " ".join(result["response"]))
        text = _output(response)
        items = [Item("result", text, name=result["name"])]
    if signature is not None and signature not in _BYPASS:
        if signature not in _SEALS:
            raise RefusalError("Corrupted thought signature.")
        if items:
            items[-1].seal = signature
    return items


def _output(response: dict[str, Any]) -> str:
    """Return the text of a result, whatever key the client has it under."""
    if len(response) == 1:
        (value,) = response.values()
        if isinstance(value, str):
            return value
    return json.dumps(response, ensure_ascii=False)


_SEALS: set[str] = set()
"""The signatures that were given."""


def _parts(answer: Answer) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    if answer.thinking:
        parts.append({"text": answer.thinking, "thought": True})
    if answer.text:
        parts.append({"text": answer.text})
    for i, (name, arguments) in enumerate(answer.calls):
        part: dict[str, Any] = {"functionCall": {"name": name, "args": arguments}}
        if i == 0:  # of parallel calls only the first is signed, with or without a summary
            part["thoughtSignature"] = seal(answer.thinking)
            _SEALS.add(part["thoughtSignature"])
        parts.append(part)
    return parts


_USAGE = {"promptTokenCount": 31, "candidatesTokenCount": 9, "totalTokenCount": 40}


def _chunk(asked: Asked, mark: str, parts: list[Any], stop: str | None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if stop is not None:
        candidate["finishReason"] = stop
    head = {"candidates": [candidate], "usageMetadata": _USAGE}
    return {**head, "modelVersion": asked.model, "responseId": f"Wg{mark}"}


def whole(asked: Asked, answer: Answer, mark: str) -> bytes:
    return json.dumps(_chunk(asked, mark, _parts(answer), "STOP")).encode()


def frames(asked: Asked, answer: Answer, mark: str) -> list[bytes]:
    chunks: list[list[dict[str, Any]]] = []
    for part in _parts(answer):
        if "text" in part:
            chunks += [[{**part, "text": piece}] for piece in pieces(part["text"])]
        else:
            chunks.append([part])
    chunks.append([{"text": ""}])
    ends = [None] * (len(chunks) - 1) + ["STOP"]
    return [_data(_chunk(asked, mark, *pair)) for pair in zip(chunks, ends, strict=True)]


def _data(value: Any) -> bytes:
    return f"data: {json.dumps(value)}\r\n\r\n".encode()


BROKEN = "The model is overloaded. Please try again later."
OVERFLOW = "The input token count (1250074) exceeds the maximum number of tokens allowed (1048576)."
LIMIT = "You exceeded your current quota, please check your plan and billing details."
_STATUS = {429: "RESOURCE_EXHAUSTED", 404: "NOT_FOUND", 503: "UNAVAILABLE"}


def _error(status: int, message: str) -> dict[str, Any]:
    said = {"code": status, "message": message, "status": _STATUS.get(status, "INVALID_ARGUMENT")}
    if status == 429:
        kind = "type.googleapis.com/google.rpc.RetryInfo"
        said["details"] = [{"@type": kind, "retryDelay": "1s"}]
    return {"error": said}


def error(status: int, message: str) -> tuple[dict[str, str], bytes]:
    return {}, json.dumps(_error(status, message)).encode()


def broken(asked: Asked, mark: str) -> bytes:
    return _data(_error(503, BROKEN))
