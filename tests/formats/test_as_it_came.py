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
    return found + json.loads(wg.FORMATS[name].encode(session, losses=[]))


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
@settings(max_examples=40)
@given(data=st.data())
def test_a_document_keeps_its_text_just_where_writing_would_change_it(
    name: str, data: st.DataObject
) -> None:
    form: Any = wg.FORMATS[name]
    documents = import_module(f"tests.formats.{name}_documents").documents()
    _check(name, form.encode(data.draw(documents)))


@every_format
@settings(max_examples=25)
@given(testing.sessions())
def test_a_session_keeps_no_text(name: str, session: list[wg.AgentMessage]) -> None:
    _check(name, wg.FORMATS[name].encode(session, losses=[]))


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


# -- messages that differ in one thing from what is written ----------------------------------------


def _human(**data: Any) -> tuple[str, Any]:
    fields = {"content": "Hi", "additional_kwargs": {}, "response_metadata": {}, "type": "human"}
    return "langchain", {"type": "human", "data": {**fields, "name": None, "id": None, **data}}


def _dumped(**kwargs: Any) -> tuple[str, Any]:
    id = ["langchain", "schema", "messages", "HumanMessage"]
    fields = {"content": "Hi", "type": "human", **kwargs}
    return "langchain", {"lc": 1, "type": "constructor", "id": id, "kwargs": fields}


def _answer(type: str = "ai", **data: Any) -> tuple[str, Any]:
    calls = {"tool_calls": [], "invalid_tool_calls": [], "usage_metadata": None}
    made = _human(**{**calls, **data, "type": type})
    return "langchain", made[1] | {"type": type}


def _used(into: int, total: int, **details: Any) -> tuple[str, Any]:
    counts = {"input_tokens": into, "output_tokens": 2, "total_tokens": total}
    return _answer(usage_metadata=counts | details)


def _request(**part: Any) -> tuple[str, Any]:
    fields = {"content": "Hi", "part_kind": "user-prompt", **part}
    names = ["timestamp", "instructions", "run_id", "conversation_id", "metadata"]
    made = {"kind": "request", "parts": [fields], **dict.fromkeys(names), "state": "complete"}
    return "pydantic_ai", made


def _response(**part: Any) -> tuple[str, Any]:
    session = [wg.AssistantMessage([], provider="anthropic")]
    (made,) = json.loads(wg.formats.pydantic_ai.encode(session, losses=[]))
    names = ["id", "provider_name", "provider_details"]
    return "pydantic_ai", made | {"parts": [{**dict.fromkeys(names), **part}]}


CALL = {"name": "f", "args": {}, "id": "c1", "type": "tool_call"}
AS_WRITTEN = {
    "a user's message": _human(),
    "a user's message as a constructor": _dumped(),
    "a field of another type": _human(usage_metadata=None, tool_calls=[]),
    "an answer": _answer(),
    "a call": _answer(tool_calls=[CALL]),
    "counts": _used(9, 11, input_token_details={"cache_read": 5}),
    "a request": _request(),
    "an answer of Pydantic AI": _response(part_kind="text", content="Hi", citations=None),
}
OTHERWISE = {
    "no type in the data": ("langchain", {"type": "human", "data": {"content": "Hi"}}),
    "an id that is a number": _human(id=5),
    "an empty name": _human(name=""),
    "the key that versions before 1.0 write": _human(example=False),
    "an empty object in a constructor": _dumped(additional_kwargs={}),
    "a null in a constructor": _dumped(name=None),
    "another version of the constructor": (_dumped()[0], _dumped()[1] | {"lc": 2}),
    "data that is not escaped": _dumped(content=[{"type": "text", "text": "", "x": {"lc": 1}}]),
    "a version beside the fields": ("langchain", _human()[1]["data"] | {"lc": 1}),
    "a key with the name of ours": _human(**{"(message)": {"x": 1}}),
    "a model named twice": _answer(response_metadata={"model": "m", "model_name": "m"}),
    "a model under the older key": _answer(response_metadata={"model": "m"}),
    "the stop reason of another provider": _answer(response_metadata={"stop_reason": "end_turn"}),
    "reasoning in the form of another provider": _answer(
        content=[{"type": "reasoning", "reasoning": "So."}],
        response_metadata={"model_provider": "anthropic"},
    ),
    "a call in the content": _answer(
        content=[{"type": "tool_use", "id": "c1", "name": "f", "input": {}}], tool_calls=[CALL]
    ),
    "a call of LangChain's in the content": _answer(
        content=[{"type": "tool_call", "id": "c1", "name": "f", "args": {}}], tool_calls=[CALL]
    ),
    "a call without its type": _answer(tool_calls=[{"name": "f", "args": {}, "id": "c1"}]),
    "a call with an error": _answer(tool_calls=[CALL | {"error": "e"}]),
    "a broken call without an id": _answer(invalid_tool_calls=[{"name": "f", "args": "{"}]),
    "calls in two places": _answer(
        tool_calls=[CALL],
        additional_kwargs={
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            ]
        },
    ),
    "other calls in the chunks": _answer(
        "AIMessageChunk", tool_calls=[CALL], tool_call_chunks=[{"name": "g", "args": "", "id": "c"}]
    ),
    "more cached tokens than tokens": _used(1, 3, input_token_details={"cache_read": 5}),
    "no tokens in all": _used(9, 0),
    "a count of zero": _used(9, 11, input_token_details={"cache_read": 5, "audio": 0}),
    "no counts": _used(9, 11, output_token_details={}),
    "a time that is null": _request(timestamp=None),
    "an empty signature": _response(part_kind="thinking", content="So.", signature=""),
    "arguments that are a list": _response(
        part_kind="tool-call", tool_name="f", args=[1], tool_call_id="c1", tool_kind=None
    ),
    "a signature beside a call": _response(
        part_kind="tool-call", tool_name="f", args={}, tool_call_id="c", tool_kind=None, signature=1
    ),
    "a file with few keys": _response(
        part_kind="file", content={"data": "AAEC", "media_type": "image/png", "kind": "binary"}
    ),
    "an id without the provider": _response(part_kind="text", content="", citations=None, id="i"),
    "a part without a key": _response(part_kind="text", content="Hi"),
    "a retry": _request(part_kind="retry-prompt", tool_name="f", tool_call_id="c1"),
}


@pytest.mark.parametrize(("name", "message"), AS_WRITTEN.values(), ids=AS_WRITTEN)
def test_no_text_is_kept_of_what_is_written_so(name: str, message: Any) -> None:
    assert not _is_kept(name, message)


@pytest.mark.parametrize(("name", "message"), OTHERWISE.values(), ids=OTHERWISE)
def test_the_text_is_kept_of_what_is_written_otherwise(name: str, message: Any) -> None:
    assert _is_kept(name, message)


def test_the_text_is_kept_of_an_empty_object_with_a_space() -> None:
    body = (
        b'[{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],'
        b'"kwargs":{"content":"Hi","additional_kwargs":{ },"type":"human"}}]'
    )
    messages = wg.formats.langchain.decode(body)
    assert b'"additional_kwargs":{ }' in wg.json.encode(messages)
    assert json.loads(wg.formats.langchain.encode(messages)) == json.loads(body)


def _is_kept(name: str, message: Any) -> bool:
    """Return whether the text of a message is kept; it comes back equal in any case."""
    messages = wg.FORMATS[name].decode(json.dumps([message]))
    assert json.loads(wg.FORMATS[name].encode(messages)) == [message]
    return b'"came"' in wg.json.encode(messages)
