"""`wireglot schema`: JSON Schemas that say what the decoders say."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from tests.cli.running import run
from wireglot.schema import SCHEMAS

HELLO = {"role": "user", "content": [{"type": "text", "text": "Hello"}]}


@pytest.mark.parametrize(
    ("arguments", "sound", "unsound"),
    [
        ([], [HELLO], [{"role": "user", "content": 5}]),
        (["native", "message"], HELLO, [HELLO]),
        (["native", "request"], {"messages": [HELLO], "model": "m"}, {"messages": "no"}),
        (
            ["openai_chat"],
            {"model": "m", "messages": [{"role": "user", "content": "Hello"}]},
            {"model": "m", "messages": [{"role": "user", "content": 5}]},
        ),
        (["ravi"], [{"role": "user", "content": [], "type": "UserMessage"}], {"role": "user"}),
    ],
)
def test_a_schema_tells_sound_from_unsound(
    arguments: list[str], sound: object, unsound: object
) -> None:
    done = run("schema", *arguments)
    assert (done.code, done.said) == (0, "")
    validator = Draft202012Validator(json.loads(done.out))
    assert validator.is_valid(sound)
    assert not validator.is_valid(unsound)


def test_all_that_there_is_is_listed() -> None:
    lines = run("schema", "--list").out.splitlines()
    assert lines[0] == "native: session, message, request, response"
    assert "anthropic: request, response" in lines
    assert "phi_core: session, message" in lines
    assert len(lines) == len(SCHEMAS)


def test_a_kind_that_a_wire_has_not_is_wrong_usage() -> None:
    done = run("schema", "phi_core", "request")
    assert (done.code, done.out) == (2, "")
    assert (
        "unknown document of `phi_core` `request`, expected one of `session`, `message`"
    ) in done.said
