"""Each key of generateContent, at each host: it is sent, or it is gone and a loss tells of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import wireglot as wg


class Cell(NamedTuple):
    """What a host makes of a key; a space and a word after it name one of its values."""

    host: str
    key: str
    state: str
    source: str


_FILE = Path(__file__).parent / "grids" / "gemini.tsv"
CELLS = [Cell(*line.split("\t")) for line in _FILE.read_text().splitlines()]
_STATES = {(cell.host, cell.key): cell.state for cell in CELLS}
_FUNCTION: dict[str, Any] = {"name": "f", "description": "F"}
_CALL = {"functionCall": {"name": "f", "args": {"a": 1}, "id": "x"}}
_SEEN = {"inlineData": {"mimeType": "image/png", "data": "QQ=="}}
_RESULT = {"name": "f", "response": {"output": "1"}, "id": "x", "parts": [_SEEN]}
_SCHEMA = {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}
_MODELS = {
    "generationConfig.presencePenalty": "gemini-2.0-flash",
    "generationConfig.frequencyPenalty": "gemini-2.0-flash",
    "generationConfig.candidateCount": "gemini-2.5-flash",
    "generationConfig.responseLogprobs": "gemini-2.5-flash",
    "generationConfig.thinkingConfig.thinkingBudget": "gemini-2.5-flash",
}
"""Key -> a model that takes it, where Gemini 3.5 does not."""
_RESPELLED = {"generationConfig.responseSchema": "generationConfig.responseJsonSchema"}
"""Key -> the key that says the same, which goes to the other host."""
_VALUES: dict[str, Any] = {
    "allowedFunctionNames": ["f"],
    "aspectRatio": "1:1",
    "audioTimestamp": True,
    "blockingConfidence": "BLOCK_LOW_AND_ABOVE",
    "cachedContent": "cachedContents/a",
    "candidateCount": 2,
    "codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2"},
    "computerUse": {"environment": "ENVIRONMENT_BROWSER"},
    "enableEnhancedCivicAnswers": True,
    "excludeDomains": ["a.example"],
    "executableCode": {"language": "PYTHON", "code": "1+1"},
    "fileData files": {"fileUri": "files/a", "mimeType": "image/png"},
    "fileData gs": {"fileUri": "gs://a/b.png", "mimeType": "image/png"},
    "fileData https": {"fileUri": "https://a.example/b.png", "mimeType": "image/png"},
    "fileSearch": {"fileSearchStoreNames": ["fileSearchStores/a"]},
    "frequencyPenalty": 0.5,
    "groundingTypes": ["PLACES"],
    "includeThoughts": True,
    "inlineData": _SEEN["inlineData"],
    "labels": {"a": "b"},
    "maxOutputTokens": 9,
    "mcpServers": [{"name": "a", "streamableHttpTransport": {"url": "https://a.example"}}],
    "method": "SEVERITY",
    "modelArmorConfig": {"promptTemplateName": "a"},
    "modelSelectionConfig": {"featureSelectionPreference": "BALANCED"},
    "parameters": _SCHEMA,
    "parametersJsonSchema": {"type": "object", "properties": {}},
    "partMetadata": {"a": 1},
    "personGeneration": "ALLOW_NONE",
    "presencePenalty": 0.5,
    "response": _SCHEMA,
    "responseJsonSchema": {"type": "object"},
    "responseLogprobs": True,
    "responseMimeType": "application/json",
    "responseModalities": ["TEXT"],
    "responseSchema": _SCHEMA,
    "retrievalConfig": {"languageCode": "en"},
    "routingConfig": {"manualMode": {"modelName": "a"}},
    "safetySettings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],
    "seed": 7,
    "serviceTier": "flex",
    "speechConfig": {"languageCode": "en-US"},
    "stopSequences": ["END"],
    "store": False,
    "streamFunctionCallArguments": True,
    "temperature": 0.5,
    "text": "Hi",
    "thinkingBudget": 1024,
    "thinkingLevel": "LOW",
    "thoughtSignature": "c2lnbmVk",
    "timeRangeFilter": {"startTime": "2026-01-01T00:00:00Z", "endTime": "2026-02-01T00:00:00Z"},
    "toolCall": {"id": "a", "toolType": "GOOGLE_SEARCH_WEB", "args": {}},
    "toolResponse": {"id": "a", "toolType": "GOOGLE_SEARCH_WEB", "response": {}},
    "topK": 5,
    "topP": 0.5,
    "videoMetadata": {"fps": 2},
    "willContinue": True,
}
"""Key -> a value; of a tool an empty one."""


def _body(key: str) -> dict[str, Any]:
    """Return a small body with a key."""
    *path, last = key.partition(" ")[0].split(".")
    word = key.partition(" ")[2]
    value = _VALUES.get(key.rpartition(".")[2], _VALUES.get(last, {}))
    contents = [{"role": "user", "parts": [{"text": "Hi"}]}]
    body: dict[str, Any] = {"contents": contents}
    if path[:2] == ["contents", "parts"]:
        return {"contents": [*contents, *_turns(path[2:], last, value)]}
    if path[:1] == ["tools"]:
        inner = {last: value}
        if path[1:]:
            inner = {path[1]: inner}
        if path[1:] == ["functionDeclarations"]:
            inner = {path[1]: [_FUNCTION | {last: value}]}
        return body | {"tools": [inner]}
    if path[:1] == ["toolConfig"]:
        body["tools"] = [{"functionDeclarations": [_FUNCTION]}]
        if last == "includeServerSideToolInvocations":
            value = True
        inner = {last: word or value}
        if path[1:]:
            inner = {path[1]: {"mode": "ANY", **inner}}
        return body | {"toolConfig": inner}
    if path[:1] == ["safetySettings"]:
        return body | {"safetySettings": [{**_VALUES["safetySettings"][0], last: value}]}
    inner = {last: value}
    for name in reversed(path):
        inner = {name: inner}
    if last in ("responseSchema", "responseJsonSchema"):
        inner["generationConfig"]["responseMimeType"] = "application/json"
    return body | inner


def _turns(path: list[str], last: str, value: Any) -> list[dict[str, Any]]:
    """Return turns with a key of a part, or of its call or result."""
    if path == ["functionResponse"] or last == "functionResponse":
        result = dict(_RESULT) | ({last: value} if last == "willContinue" else {})
        made = {"functionResponse": result}
        return [{"role": "model", "parts": [_CALL]}, {"role": "user", "parts": [made]}]
    if path == ["functionCall"] or last == "functionCall":
        call = _CALL["functionCall"] | ({last: value} if last == "willContinue" else {})
        made = {"functionResponse": {"name": "f", "response": {"output": "1"}, "id": "x"}}
        return [
            {"role": "model", "parts": [{"functionCall": call}]},
            {"role": "user", "parts": [made]},
        ]
    beside = {"thoughtSignature": {"text": "So"}, "partMetadata": {"text": "So"}}
    beside |= {"videoMetadata": {"fileData": {"fileUri": "gs://a/b.mp4", "mimeType": "video/mp4"}}}
    beside |= {"mediaResolution": _SEEN}
    if last == "mediaResolution":
        value = {"level": "MEDIA_RESOLUTION_LOW"}
    of_model = ("thoughtSignature", "executableCode", "codeExecutionResult", "toolCall")
    made = {"role": "model" if last in of_model else "user", "parts": [beside.get(last, {})]}
    made["parts"] = [{**beside.get(last, {}), last: value}]
    end = {"role": "user", "parts": [{"text": "Go on"}]}
    return [made, end] if last in of_model else [made]


def _values_at(node: Any, path: list[str]) -> list[Any]:
    """Return what a body has at a path, in all items of lists."""
    if isinstance(node, list):
        return [found for item in node for found in _values_at(item, path)]
    if not path:
        return [node]
    return _values_at(node[path[0]], path[1:]) if isinstance(node, dict) and path[0] in node else []


def _translated(cell: Cell, source: str) -> tuple[Any, list[wg.Loss]]:
    model = _MODELS.get(cell.key, "gemini-3.5-flash")
    losses: list[wg.Loss] = []
    made = wg.translate_request(
        json.dumps(_body(cell.key)).encode(),
        "gemini",
        "gemini",
        path=f"/v1beta/models/{model}:generateContent",
        source_dialect=source,
        target_dialect=cell.host,
        losses=losses,
    )
    return json.loads(made), losses


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.key} at {cell.host}")
def test_a_cell(cell: Cell) -> None:
    path, _, word = cell.key.partition(" ")
    given = _values_at(_body(cell.key), path.split("."))
    assert given, "the body has not the key"
    for source in ("gemini", "vertex"):
        if _STATES[source, cell.key] != "sent":
            continue
        body, losses = _translated(cell, source)
        found = _values_at(body, path.split("."))
        if cell.state == "sent":
            spelled = _RESPELLED.get(cell.key) if source != cell.host else None
            assert _values_at(body, spelled.split(".")) if spelled else found == given
            assert losses == []
        elif cell.state == "loss":
            assert not found or (word and found != given)
            assert len(losses) == 1, losses


def test_each_cell_is_there_once_with_its_source() -> None:
    assert len(_STATES) == len(CELLS)
    for cell in CELLS:
        assert cell.host in ("gemini", "vertex")
        assert cell.state in ("sent", "loss", "unknown")
        assert any(letter.isdigit() for letter in cell.source), cell
