"""Whether an original text is kept: what a reader says, against what writing the message shows.

`decode` asks the reader; `to_canonical` of the same messages writes each of them back to compare.
"""

import copy
import json
import random
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from wireglot import testing

NAMES = ["langchain", "pydantic_ai"]
GOLDEN = Path(__file__).parents[1] / "golden"
every_format = pytest.mark.parametrize("name", NAMES)
# What a value may become: nothing, a word that means something there, a value of another type.
WORDS = ["", "text", "human", "ai", "tool", "user", "success", "failed", "denied", "complete"]
WORDS += ["stop", "tool_call", "anthropic", "google", "redacted_thinking", "AIMessageChunk"]
WORDS += ["2026-03-04T05:06:00Z"]
VALUES = [None, 0, 1, 1.0, True, 10**25, [], {}, ["x"], [{}], {"a": 1}, {"lc": 1}, '{"a": 1}']
OBJECTS = [{"type": "ephemeral"}, {"signature": "s"}, {"finish_reason": "stop"}]
ODD = [*VALUES, *OBJECTS, *WORDS]
KEYS = ["x", "id", "name", "type", "example", "error", "extras", "signature", "cache_control"]
KEYS += ["lc", "(message)", "(request)", "status", "outcome", "metadata", "timestamp", "artifact"]
KEYS += ["provider_details", "additional_kwargs", "tool_calls", "tool_call_chunks", "model"]
KEYS += ["finish_reason", "stop_reason", "thought_signature", "vendor_id", "instructions", "scope"]
SAMPLES = 1500
"""How many changed histories of each format are read, of all that differ in one to three keys."""


def _messages(name: str) -> list[Any]:
    """Return every message of the golden histories, and those of a history of ours."""
    found = [m for file in (GOLDEN / name).iterdir() for m in json.loads(file.read_bytes())]
    session = [
        wg.UserMessage([wg.TextBlock("Look.")], 1_700_000_000_000),
        wg.AssistantMessage(
            [
                wg.ThinkingBlock("The file.", "c2ln"),
                wg.TextBlock("Yes."),
                wg.ToolCallBlock("c1", "read", {"path": "a"}),
            ],
            wg.StopReason.TOOL_USE,
            "claude-sonnet-4-5",
            "anthropic",
            wg.Usage(10, 2, 1, 5, 0, 17),
        ),
        wg.ToolResultMessage("c1", "read", [wg.TextBlock("One line.")], details={"lines": 1}),
    ]
    return found + json.loads(wg.FORMATS[name].encode(session, [])) + PLAIN[name]


PLAIN: dict[str, list[Any]] = {
    "langchain": [
        {
            "type": "ai",
            "data": {
                "content": [
                    {"type": "text", "text": "Yes."},
                    {"type": "tool_use", "id": "c1", "name": "read", "input": {}},
                ],
                "additional_kwargs": {},
                "response_metadata": {"model_name": "m", "model_provider": "anthropic"},
                "type": "ai",
                "name": None,
                "id": "r1",
                "tool_calls": [{"name": "read", "args": {}, "id": "c1", "type": "tool_call"}],
                "invalid_tool_calls": [],
                "usage_metadata": None,
            },
        }
    ],
    "pydantic_ai": [],
}
"""Messages that differ in one thing from those that are written."""


MESSAGES = {name: _messages(name) for name in NAMES}


def _changed(name: str, rng: random.Random) -> bytes:
    """Return a history of one message, one to three of whose keys were changed."""
    message = copy.deepcopy(rng.choice(MESSAGES[name]))
    for _ in range(rng.choice([1, 1, 2, 3])):
        places = [*_places(message)]
        if not places:
            break
        holder, key = rng.choice(places)
        how = rng.choice(["change", "drop", "add"])
        if how == "add" and isinstance(holder, dict):
            holder[rng.choice(KEYS)] = copy.deepcopy(rng.choice(ODD))
        elif how == "drop":
            del holder[key]
        else:
            holder[key] = copy.deepcopy(rng.choice(ODD))
    return json.dumps([message]).encode()


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in [*items]:
        yield value, key
        if isinstance(item, dict | list):
            yield from _places(item)


@every_format
def test_a_changed_message_keeps_its_text_just_where_writing_would_change_it(name: str) -> None:
    rng = random.Random(7)
    for _ in range(SAMPLES):
        _check(name, _changed(name, rng))


@every_format
@settings(max_examples=100)
@given(data=st.data())
def test_a_document_keeps_its_text_just_where_writing_would_change_it(
    name: str, data: st.DataObject
) -> None:
    form: Any = wg.FORMATS[name]
    documents = import_module(f"tests.formats.{name}_documents").documents()
    _check(name, form.encode(data.draw(documents)))


@every_format
@settings(max_examples=50)
@given(testing.sessions())
def test_a_session_keeps_no_text(name: str, session: list[wg.AgentMessage]) -> None:
    _check(name, wg.FORMATS[name].encode(session, []))


def _check(name: str, body: bytes) -> None:
    form: Any = wg.FORMATS[name]
    decoded = _attempt(lambda: form.decode(body))
    own = _attempt(lambda: form.decode(body, list[form.MESSAGE]))
    if isinstance(own, str):
        assert decoded == own
        return
    compared = _attempt(lambda: form.to_canonical(own))
    if isinstance(compared, str):
        assert decoded == compared
        return
    assert wg.json.encode(decoded) == wg.json.encode(compared)
    assert json.loads(form.encode(decoded)) == json.loads(form.encode(own))


def _attempt(job: Callable[[], Any]) -> Any:
    try:
        return job()
    except wg.DecodeError as error:
        return str(error)


@pytest.mark.parametrize(
    ("name", "body", "is_kept"),
    [
        pytest.param(
            "langchain",
            b'[{"type":"human","data":{"content":"Hi","additional_kwargs":{},'
            b'"response_metadata":{},"type":"human","name":null,"id":null}}]',
            False,
            id="what LangChain writes today",
        ),
        pytest.param(
            "langchain",
            b'[{"type":"human","data":{"content":"Hi","type":"human","example":false}}]',
            True,
            id="what LangChain wrote before 1.0",
        ),
        pytest.param(
            "pydantic_ai",
            b'[{"parts":[{"content":"Hi","timestamp":"2026-03-04T05:06:00Z",'
            b'"part_kind":"user-prompt"}],"timestamp":null,"instructions":null,"kind":"request",'
            b'"run_id":null,"conversation_id":null,"metadata":null,"state":"complete"}]',
            False,
            id="what Pydantic AI writes today",
        ),
        pytest.param(
            "pydantic_ai",
            b'[{"parts":[{"content":"Hi","timestamp":"2026-03-04T05:06:00Z",'
            b'"part_kind":"user-prompt"}],"kind":"request"}]',
            True,
            id="what an early Pydantic AI wrote",
        ),
    ],
)
def test_a_text_is_kept_where_it_says_more(name: str, body: bytes, is_kept: bool) -> None:
    entry = wg.FORMATS[name].decode(body)[0]
    assert (b'"came"' in wg.json.encode([entry])) is is_kept
    assert json.loads(wg.FORMATS[name].encode([entry])) == json.loads(body)
