"""A folder of recorded exchanges -> the answers to try, each once per wire."""

from __future__ import annotations

import json
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.corpus.compare import parsed
from tests.corpus.exchanges import exchanges
from tests.corpus.wires import other_endpoint, other_wire, path_of, spoken
from wireglot.framing import eventstream

__all__ = ["Answer", "AnswerCorpus", "read_answers"]


class Answer(NamedTuple):
    """An answer as it was recorded: a `response`, an `error` or a `stream` of a provider's wire.

    `label` is the name under which it is counted; `id` is that of the first exchange.
    """

    id: str
    label: str
    provider: str
    dialect: str
    kind: str
    data: bytes
    status: int


class AnswerCorpus(NamedTuple):
    """The answers, the number of exchanges by label, and of skipped ones by label and reason."""

    samples: list[Answer]
    exchanges: Counter[str]
    skipped: Counter[tuple[str, str]]


# One of these keys is in every answer of the wire.
_KEYS: Final = {
    "anthropic": ("content",),
    "bedrock": ("output",),
    "cohere": ("message",),
    "gemini": ("candidates", "promptFeedback"),
    "mistral": ("choices",),
    "ollama": ("message",),
    "openai_chat": ("choices",),
    "openai_responses": ("output",),
}


def read_answers(
    folders: Iterable[Path], dialects: Mapping[str, tuple[str, ...]], wire: str = ""
) -> AnswerCorpus:
    """Read every `.jsonl.gz` of folders, or only the answers of one wire or provider."""
    corpus = AnswerCorpus([], Counter(), Counter())
    samples: dict[tuple[object, ...], Answer] = {}
    for exchange in exchanges(folders):
        if exchange["kind"] == "request_only":
            continue
        path = path_of(exchange.get("url"))
        provider, dialect = spoken(exchange["wire"], path, dialects)
        if wire not in ("", exchange["wire"], provider):
            continue
        kind = exchange["kind"].partition(".")[0]
        data = _data(exchange)
        if kind == "response" and data is not None and _is_error(data):
            kind = "error"
        label = f"{exchange['wire']} {kind}"
        corpus.exchanges[label] += 1
        reason = other_wire(exchange["wire"]) or _reason(data, kind, provider, path)
        if "/mock-" in exchange.get("source", ""):
            reason = "a mock, which was written by hand"
        if data is None or reason is not None:
            corpus.skipped[label, reason or ""] += 1
            continue
        key = (label, provider, dialect, kind, data, exchange["status"])
        samples.setdefault(key, Answer(exchange["id"], *key))
    corpus.samples.extend(samples.values())
    return corpus


def _reason(data: bytes | None, kind: str, provider: str, path: str | None) -> str | None:
    if data is None:
        return "no answer was recorded"
    if (reason := other_endpoint(path)) is not None:
        return reason
    if kind != "response":
        return None
    try:
        body = parsed(data)
    except ValueError:
        return "no JSON"
    if not isinstance(body, dict) or not any(key in body for key in _KEYS[provider]):
        return "no answer of this wire"
    return None


def _is_error(data: bytes) -> bool:
    """Whether a body is an error, though its status is a success."""
    try:
        body = parsed(data)
    except ValueError:
        return False
    return isinstance(body, dict) and bool(body.get("error")) and len(body) == 1


def _data(exchange: Mapping[str, Any]) -> bytes | None:
    """Return the recorded bytes, in the frames of the wire."""
    text, binary = exchange.get("answer"), exchange.get("answer_b64")
    if binary is not None:
        data = b64decode(binary)
    elif text:
        data = text.encode(errors="surrogatepass")
    else:
        return None
    return _FRAMED.get((exchange["wire"], exchange["kind"]), bytes)(data)


def _messages(data: bytes) -> bytes:
    """Frame events that were recorded as lines, each under its name."""
    return b"".join(
        eventstream.encode(
            {
                ":event-type": name,
                ":content-type": "application/json",
                ":message-type": "event",
            },
            json.dumps(payload).encode(),
        )
        for line in data.splitlines()
        if line.strip()
        for name, payload in json.loads(line).items()
    )


_FRAMED: Final[dict[tuple[str, str], Callable[[bytes], bytes]]] = {
    ("bedrock", "stream.jsonl"): _messages,
}
"""How to frame recordings that are not in the provider's own frames."""
