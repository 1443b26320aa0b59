"""A schema takes what its decoder takes, and refuses what that refuses."""

import contextlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Set
from functools import cache
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

import wireglot as wg
from tests.schema.documents import ALL, decodes, documents, mutants
from wireglot import testing
from wireglot.schema import SCHEMAS, schema

every_schema = pytest.mark.parametrize(("wire", "kind"), ALL)
some = settings(max_examples=30)

# Where a decoder refuses a value for its type, and a schema does not look: inside citations, in a
# tool without its `function`, in an error, in sound, and where a system's own type is told apart
# later.
UNSEEN = {
    "anthropic": [r"\.citations\[\]\.\w+"],
    "openai_chat": [
        r"\.annotations\[\]\.url_citation(\.\w+)?",
        r"\.tools\[\]\.(name|description)",
    ],
    "openai_responses": [r"\.annotations\[\]\.(title|url|(start|end)_index)", r"\.error"],
    "bedrock": [r"\.citations\[\]\.\w+.*", r"\.modelId"],
    "mistral": [r"\.input_audio\.(data|format)"],
    "cohere": [r"\.citations\[\]\.\w+.*"],
    "ravi": [r"\.arguments", r"\.image_url"],
    "operator_use": [r"\.images\[\]", r"\.args"],
    "langchain": [
        r"\.content(\[\])?",
        r"\.(additional_kwargs|response_metadata|args)",
        r"\[\]\.id",  # of a message that is spelled out, where it is a path
    ],
    "pydantic_ai": [r"\.parts\[\]\.\w+(\[\])?"],
    "mcp": [r"\.input", r"\.blob"],
}
# Where a decoder refuses an object for a key that it has or has not, a list for having no items, or
# a text for a word that it is not, and a schema says less.
UNSAID = {
    "anthropic": [r"\.format\.schema", r"\.messages\[\]\.content"],
    "openai_chat": [
        r"\.choices(\[\](\.message)?)?",
        r"\.tool_calls\[\](\.function)?",
        r"\.tools\[\]\.function",
        r"\.response_format\.json_schema",
    ],
    "openai_responses": [
        "",
        r"\.(input|prompt)",
        r"\.input\[\](\.\w+|\.(content|output)\[\]\.text)",
        r"\.output\[\](\.\w+|\.content\[\]\.text)",
        r"\.(input|output)\[\]",
    ],
    "gemini": [
        "",
        r"\.role",
        r"\.(candidates|promptFeedback|usageMetadata)",  # an answer without any
    ],
    "bedrock": ["", r"\.(messages|promptVariables)"],
    "mistral": [r"\.choices", r"\.input_audio"],
    "cohere": [r"\.tool_calls\[\]\.type"],
    "ollama": [r"\.message\.role"],
    "phi_core": [r"\.data"],
    "ravi": [r"\.(data|url|file_id|__bytes_b64__)"],
    "langchain": [r"\[\]", r"\.(data|kwargs|id|type)"],
    "mcp": [r"\.(data|text)"],
}
_OF_ANOTHER_TYPE = {"true", "7", "1.5"}


@cache
def _validator(wire: str, kind: str = "request") -> Draft202012Validator:
    return Draft202012Validator(schema(wire, kind))


def _taker(wire: str, kind: str) -> Callable[[Any], bool]:
    """Return what says whether a schema takes a document, and of each part it asks but once.

    Mutants share most of their parts; and a part that is of no member of a union has to be compared
    with each of them no further than to its first fault.
    """
    made = schema(wire, kind)
    taken: dict[tuple[str, str], bool] = {}

    def fails(validator: Any, value: Any, part: Any) -> bool:
        return next(validator.descend(value, part), None) is not None

    def any_of(validator: Any, parts: Any, value: Any, of: Any) -> Iterator[ValidationError]:
        if all(fails(validator, value, part) for part in parts):
            yield ValidationError("of no member")

    def ref(validator: Any, place: str, value: Any, of: Any) -> Iterator[ValidationError]:
        key = place, json.dumps(value)
        if key not in taken:
            part = made["$defs"][place.removeprefix("#/$defs/")]
            taken[key] = not fails(validator, value, part)
        if not taken[key]:
            yield ValidationError(f"not of {place}")

    taker: Any = extend(Draft202012Validator, {"anyOf": any_of, "$ref": ref})
    is_valid: Callable[[Any], bool] = taker(made).is_valid
    return is_valid


def _faults(wire: str, kind: str, document: Any) -> list[str]:
    return [f"{e.json_path}: {e.message}" for e in _validator(wire, kind).iter_errors(document)]


def _is_bare(kind: str, document: Any) -> bool:
    """Whether these are messages alone, which no API takes as a body."""
    return kind == "request" and isinstance(document, list)


def test_there_are_documents_of_every_kind() -> None:
    assert min(len(documents(wire, kind)) for wire, kind in ALL) > 20


@every_schema
def test_a_document_that_decodes_validates(wire: str, kind: str) -> None:
    found = [each for each in documents(wire, kind) if not _is_bare(kind, each)]
    assert [f for document in found for f in _faults(wire, kind, document)] == []


@pytest.mark.parametrize("wire", SCHEMAS)
def test_what_a_document_may_become_is_taken_by_both_or_by_neither(wire: str) -> None:
    taken: dict[str, set[str]] = defaultdict(set)
    seen = set()
    for kind in SCHEMAS[wire]:
        if kind == "message":  # of which a session is a list
            continue
        is_valid = _taker(wire, kind)
        for place, value, mutant in chain(*map(mutants, documents(wire, kind))):
            # In the model the same key of the same object is the same, wherever it stands.
            where = ".".join(place.split(".")[-2:]) if wire == "native" else f"{kind}{place}"
            if (where, value) in seen or (kind == "session" and not isinstance(mutant, list)):
                continue
            if _is_bare(kind, mutant):
                continue
            seen.add((where, value))
            if decodes(wire, kind, json.dumps(mutant)):
                assert is_valid(mutant), (place, value)
            elif is_valid(mutant):
                taken[place].add(value)
    assert len(seen) > 300
    unseen = {place for place, values in taken.items() if values & _OF_ANOTHER_TYPE}
    _check_places(unseen, UNSEEN.get(wire, []))
    _check_places(taken.keys() - unseen, UNSAID.get(wire, []))


def _check_places(found: Set[str], listed: list[str]) -> None:
    """Check that every place is listed, by its end, and that nothing is listed in vain."""
    used = {place: [rule for rule in listed if _is_end(rule, place)] for place in found}
    assert [place for place, rules in used.items() if not rules] == []
    assert {rule for rules in used.values() for rule in rules} == {*listed}


def _is_end(rule: str, place: str) -> bool:
    return re.search(f"(?:{rule})$", place) is not None if rule else not place


@some
@given(session=testing.sessions())
def test_a_session_that_the_library_writes_validates(session: list[wg.AgentMessage]) -> None:
    assert _faults("native", "session", json.loads(wg.json.encode(session))) == []


@some
@given(request=testing.requests(), response=testing.responses())
def test_an_exchange_that_the_library_writes_validates(
    request: wg.Request, response: wg.Response
) -> None:
    assert _faults("native", "request", json.loads(wg.json.encode(request))) == []
    assert _faults("native", "response", json.loads(wg.json.encode(response))) == []


@pytest.mark.parametrize("wire", wg.PROVIDERS)
@some
@given(data=st.data())
def test_a_body_that_the_library_writes_validates(wire: str, data: st.DataObject) -> None:
    provider = wg.PROVIDERS[wire]
    dialect = data.draw(st.sampled_from(provider.DIALECTS))
    request, response = data.draw(testing.requests()), data.draw(testing.responses())
    with contextlib.suppress(wg.EncodeError):
        body = provider.encode_request(request, losses=[], dialect=dialect, repair=True)
        assert _faults(wire, "request", json.loads(body)) == []
    with contextlib.suppress(wg.EncodeError):
        body = provider.encode_response(response, losses=[], dialect=dialect)
        assert _faults(wire, "response", json.loads(body)) == []


@pytest.mark.parametrize("wire", wg.FORMATS)
@some
@given(session=testing.sessions())
def test_a_stored_session_that_the_library_writes_validates(
    wire: str, session: list[wg.AgentMessage]
) -> None:
    form: Any = wg.FORMATS[wire]
    options = {"form": "messages"} if wire == "operator_use" else {}
    stored = json.loads(form.encode(session, losses=[], **options))
    assert _faults(wire, "session", stored) == []
