"""Gemini's generateContent: its requests and its answers.

Source: the API's reference of 2026-11.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from typing import Any

from tests.agents.reading import checked_image, pieces
from tests.agents.script import Answer, Asked, Item, RefusalError, seal

MODEL = "gemini-3.1-pro-preview"
STREAM = "text/event-stream"
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
    asked = Asked(found[1], found[2] == "streamGenerateContent")
    asked.thinks = bool((body.get("generationConfig") or {}).get("thinkingConfig"))
    if "systemInstruction" in body:
        asked.system = "".join(part["text"] for part in body["systemInstruction"]["parts"])
    for tool in body.get("tools", []):
        for i, one in enumerate(tool.get("functionDeclarations", [])):
            asked.tools.append(one["name"])
            _schema(one.get("parameters", {}), f"tools.function_declarations[{i}].parameters")
    for i, content in enumerate(body["contents"]):
        for part in content["parts"]:
            asked.add(*_part(part, content.get("role", "user"), f"contents[{i}]"))
    return asked


def _schema(schema: Any, at: str) -> None:
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


_KINDS = ("text", "inlineData", "functionCall", "functionResponse")


def _part(part: Any, role: str, at: str) -> list[Item]:
    (kind,) = (kind for kind in _KINDS if kind in part)
    signature = part.get("thoughtSignature")
    items: list[Item] = []
    if kind == "text":
        text = part["text"]
        if part.get("thought"):
            return [Item("thought", text)]
        items = [Item("user" if role == "user" else "text", text)] if text else []
    elif kind == "inlineData":
        data = part["inlineData"]
        media = data["mimeType"].removeprefix("image/")
        items = [Item("image", data=checked_image(media, data["data"], at))]
    elif kind == "functionCall":
        call = part["functionCall"]
        items = [Item("call", name=call["name"], data=call.get("args", {}))]
    else:
        result = part["functionResponse"]
        items = [Item("result", _output(result["response"]), name=result["name"])]
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
