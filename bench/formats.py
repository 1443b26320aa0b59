"""Stored messages of other agent systems, compared with the systems' own models in one process.

Ours has two steps: from bytes to the system's types and back, and from there to canonical messages.
The peer has only the first step, so the canonical rows do more work than the peer. For LangChain
and Pydantic AI the peer is msgspec, which decodes the same bytes without types and encodes them.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import msgspec

import wireglot as wg
from wireglot.formats import pyagenity

from .histories import langchain_history, pydantic_ai_history
from .measure import paired
from .native import Row
from .session import session

__all__ = ["format_rows"]

# The module that has the models, and their version.
_MODELS = (
    ("pyagenity.utils.message", "0.3.6", "pyagenity"),
    ("agentflow.core.state.message", "agentflow", "agentflow"),
)


def format_rows(rounds: int) -> Iterator[Row]:
    """Measure each system whose models are installed. Raises AssertionError on a wrong answer."""
    for module, version, name in _MODELS:
        model = _model(module)
        if model is not None:
            yield from _beside(model, version, name, max(rounds // 5, 3))
    for name, history in (("langchain", langchain_history), ("pydantic_ai", pydantic_ai_history)):
        for provider in ("openai", "anthropic"):
            try:
                body = history(provider)
            except ImportError:
                continue
            yield from _untyped(body, name, provider, max(rounds // 5, 3))


def _untyped(body: bytes, name: str, provider: str, rounds: int) -> Iterator[Row]:
    form = wg.FORMATS[name]
    decode, encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
    messages = form.decode(body)
    assert json.loads(form.encode(messages)) == json.loads(body)

    def peer() -> bytes:
        return encode(decode(body))

    how, what = "msgspec without types, in and out", f"{name}, {provider}"
    yield Row(f"{what}: read as canonical", how, paired(lambda: form.decode(body), peer, rounds))
    yield Row(f"{what}: write canonical", how, paired(lambda: form.encode(messages), peer, rounds))


def _model(module: str) -> Any:
    """Return the system's own message type, None if it is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return import_module(module).Message
        except ImportError:
            return None


def _beside(model: Any, version: Any, name: str, rounds: int) -> Iterator[Row]:
    from pydantic import TypeAdapter

    canonical = wg.json.decode(msgspec.json.encode(session()))
    for i, entry in enumerate(canonical):
        entry.id = f"m{i}"  # otherwise each reader makes its own
    body = pyagenity.encode(canonical, losses=[], version=version)
    kind = list[pyagenity.Message]
    own, messages = pyagenity.decode(body, kind), pyagenity.decode(body)
    lines = [pyagenity.encode(message) for message in own]
    listed = TypeAdapter(list[model])
    theirs = listed.validate_json(body)
    for made in (listed.dump_json(theirs), pyagenity.encode(own), pyagenity.encode(messages)):
        assert json.loads(made) == json.loads(body)

    def read(data: bytes) -> list[Any]:
        return pyagenity.decode(data, kind)  # type: ignore[no-any-return]

    jobs: tuple[tuple[str, Callable[[], Any], Callable[[], Any], str], ...] = (
        (
            "read its own types",
            lambda: read(body),
            lambda: [model.model_validate_json(line) for line in lines],
            "model_validate_json",
        ),
        (
            "read its own types",
            lambda: read(body),
            lambda: [model.model_validate(json.loads(line)) for line in lines],
            "json.loads and model_validate",
        ),
        (
            "read its own types",
            lambda: read(body),
            lambda: listed.validate_json(body),
            "TypeAdapter of the list",
        ),
        (
            "write its own types",
            lambda: pyagenity.encode(own),
            lambda: [message.model_dump_json() for message in theirs],
            "model_dump_json",
        ),
        (
            "write its own types",
            lambda: pyagenity.encode(own),
            lambda: [json.dumps(message.model_dump(mode="json")) for message in theirs],
            "model_dump and json.dumps",
        ),
        (
            "write its own types",
            lambda: pyagenity.encode(own),
            lambda: listed.dump_json(theirs),
            "TypeAdapter of the list",
        ),
        (
            "read as canonical",
            lambda: pyagenity.decode(body),
            lambda: [model.model_validate_json(line) for line in lines],
            "model_validate_json",
        ),
        (
            "write canonical",
            lambda: pyagenity.encode(messages),
            lambda: [message.model_dump_json() for message in theirs],
            "model_dump_json",
        ),
    )
    for job, ours, peer, how in jobs:
        yield Row(f"{name}: {job}", how, paired(ours, peer, rounds))
