"""A session that a system has stored goes to every provider, and the provider's oracle takes it."""

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import wireglot as wg

GOLDEN = Path(__file__).parents[1] / "golden"
SYSTEMS = [
    "phi_core",
    "pyagenity",
    "ravi",
    "operator_use",
    "langchain",
    "pydantic_ai",
    "mcp",
    "otel",
]
SESSIONS = sorted(path for name in SYSTEMS for path in (GOLDEN / name).glob("session*.json*"))
every_provider = pytest.mark.parametrize("provider", list(wg.PROVIDERS))


def _check(provider: str, body: bytes) -> None:
    oracle = pytest.importorskip(f"tests.oracles.{provider}")
    oracle.check_request(body)


def _tools(messages: list[wg.Message]) -> list[wg.Tool]:
    """Return a tool for each name that is called: some APIs ask for it."""
    names = {
        call.name: None
        for message in messages
        if isinstance(message, wg.AssistantMessage)
        for call in message.tool_calls()
    }
    schema = wg.RawJson('{"type":"object","properties":{}}')
    return [wg.Tool(name, "A tool.", schema) for name in names if name]


def _ids(messages: list[wg.Message]) -> Iterator[str]:
    """List the ids of calls and of results."""
    for message in messages:
        if isinstance(message, wg.ToolResultMessage):
            yield message.tool_call_id
        for block in message.content:
            if isinstance(block, wg.ToolCallBlock):
                yield block.id
            elif isinstance(block, wg.ToolResultBlock):
                yield block.tool_call_id


def test_every_system_has_a_session() -> None:
    assert {path.parent.name for path in SESSIONS} == {*SYSTEMS}


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_stored_session_comes_home_as_it_was(path: Path) -> None:
    stored = path.read_bytes()
    made = wg.FORMATS[path.parent.name].encode(wg.FORMATS[path.parent.name].decode(stored))
    if path.suffix == ".jsonl":
        assert made == stored
    else:
        assert json.loads(made) == json.loads(stored)


@every_provider
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_stored_session_goes_to_a_provider(path: Path, provider: str) -> None:
    session = wg.FORMATS[path.parent.name].decode(path.read_bytes())
    messages = wg.llm_messages(session)
    assert len(messages) >= 5
    request = wg.Request(messages, model="m", max_tokens=1000, tools=[*_tools(messages)])
    body = wg.PROVIDERS[provider].encode_request(request, losses=[])
    _check(provider, body)
    for words in ("241 passed", "no such file", "The build is green", "make test"):
        assert words in body.decode(), f"{words!r} did not arrive"


@every_provider
@pytest.mark.parametrize("name", SYSTEMS)
@settings(max_examples=5)
@given(data=st.data())
def test_whatever_a_system_stores_is_refused_or_the_oracle_accepts_it(
    name: str, provider: str, data: st.DataObject
) -> None:
    documents: Any = import_module(f"tests.formats.{name}_documents")
    session = wg.FORMATS[name].to_canonical(data.draw(documents.documents()))
    messages = [*wg.llm_messages(session), wg.UserMessage.from_text("Go on.")]
    assume(all(_ids(messages)))  # a call without an id cannot be told from another one
    request = wg.Request(messages, model="m", max_tokens=1000, tools=[*_tools(messages)])
    try:
        body = wg.PROVIDERS[provider].encode_request(request, losses=[], repair=True)
    except wg.EncodeError:
        return
    _check(provider, body)
