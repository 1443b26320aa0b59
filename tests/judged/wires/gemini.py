"""Google Gemini's generateContent, as its reference of 2026-11 has it."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.judged.scripts import PDF, PNG, Call, Media, Script, drawn

MODELS = (
    *("gemini-1.5-pro", "gemini-2.0-flash", "gemini-2.5-flash", "gemini-2.5-pro"),
    *("gemini-2.5-flash-lite", "gemini-3-pro-preview", "gemini-3-flash-preview", "gemini-3.6-pro"),
    *("gemini-3.1-flash-lite", "gemini-3.5-flash-lite", "gemini-3.8-flash", "gemma-3-27b-it"),
    "gemma-4-31b-it",
)
_SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
_GENERATION: dict[str, tuple[Any, ...]] = {
    "temperature": (0, 0.5, 1, 2),
    "topP": (0.5, 1),
    "topK": (5,),
    "candidateCount": (1, 2),
    "maxOutputTokens": (16, 4000),
    "stopSequences": (["END"],),
    "presencePenalty": (0.5,),
    "frequencyPenalty": (0.5,),
    "seed": (7,),
    "responseMimeType": ("application/json", "text/plain"),
    "thinkingConfig": (
        {"thinkingBudget": 0},
        {"thinkingBudget": 2000, "includeThoughts": True},
        {"thinkingLevel": "low"},
        {"thinkingLevel": "high", "includeThoughts": True},
    ),
    "mediaResolution": ("MEDIA_RESOLUTION_LOW",),
    "responseModalities": (["TEXT"],),
}
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "safetySettings": ([{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],),
    "labels": ({"a": "b"},),
    "serviceTier": ("flex", "priority"),
}


def write(script: Script, random: Random) -> dict[str, Any]:
    contents: list[Any] = []
    for number, turn in enumerate(script.turns):
        contents.append({"role": "user", "parts": [_part(item) for item in turn.user]})
        parts: list[Any] = []
        if turn.answer:
            parts.append({"text": turn.answer})
        for call in turn.calls:
            parts.append({"functionCall": {"name": call.name, "args": call.arguments}})
        if turn.calls and turn.thinking:
            parts[-len(turn.calls)]["thoughtSignature"] = "c2lnbmVk"
        if parts:
            contents.append({"role": "model", "parts": parts})
        if turn.calls:
            contents.append({"role": "user", "parts": [_result(call) for call in turn.calls]})
            if number < len(script.turns) - 1:
                contents.append({"role": "model", "parts": [{"text": "So."}]})
    body: dict[str, Any] = {"contents": contents}
    if script.system:
        body["systemInstruction"] = {"parts": [{"text": text} for text in script.system]}
    if random.random() < 0.1:
        body["tools"] = [random.choice(({"googleSearch": {}}, {"urlContext": {}}))]
    if script.tools:
        functions = [
            {
                "name": tool.name,
                "description": tool.description or "A tool",
                "parametersJsonSchema": tool.schema,
            }
            for tool in script.tools
        ]
        body.setdefault("tools", []).append({"functionDeclarations": functions})
        if random.random() < 0.3:
            mode = random.choice(("AUTO", "ANY", "NONE"))
            body["toolConfig"] = {"functionCallingConfig": {"mode": mode}}
    asked = drawn(_GENERATION, random)
    if random.random() < 0.1:
        asked |= {"responseMimeType": "application/json", "responseJsonSchema": _SCHEMA}
    if random.random() < 0.05:
        asked |= {"responseLogprobs": True, "logprobs": 2}
    if asked:
        body["generationConfig"] = asked
    return body | drawn(PARAMETERS, random)


def _result(call: Call) -> dict[str, Any]:
    key = "error" if call.error else "output"
    return {"functionResponse": {"name": call.name, "response": {key: call.result}}}


def _part(item: str | Media) -> dict[str, Any]:
    if isinstance(item, str):
        return {"text": item}
    kind, data = ("image/png", PNG) if item.kind == "image" else ("application/pdf", PDF)
    if item.url:
        return {"fileData": {"mimeType": kind, "fileUri": "https://a.example/x"}}
    return {"inlineData": {"mimeType": kind, "data": data}}
