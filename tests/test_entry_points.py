"""Providers, formats and dialects of other distributions: found by name, checked, none is ours."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import echo
import pytest

import wireglot as wg
from tests.registered import ECHO, installed
from wireglot import schema
from wireglot._registry import PROVIDER_NAMES

OURS = b'{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
STREAM = b'{"id":"a1","model":"m"}\n{"text":"Hi."}\n{"end":"done","asked":3,"said":2}\n'


@pytest.fixture
def acme(tmp_path: Path) -> Iterator[None]:
    with installed(tmp_path):
        yield


def test_a_name_goes_with_the_distribution_that_registers_it(tmp_path: Path) -> None:
    def known() -> list[bool]:
        dialects = wg.providers.openai_chat.DIALECTS
        return ["zulu" in wg.PROVIDERS, "zulu_notes" in wg.FORMATS, "zulu" in dialects]

    points = {
        "wireglot.providers": {"zulu": "echo"},
        "wireglot.formats": {"zulu_notes": "acme_notes"},
        "wireglot.dialects": {"openai_chat.zulu": "acme_services:chat"},
    }
    assert known() == [False] * 3
    with installed(tmp_path, points, "zulu-wires"):
        assert known() == [True] * 3
    assert known() == [False] * 3


@pytest.mark.usefixtures("acme")
def test_what_is_registered_follows_our_own(tmp_path: Path) -> None:
    more = {"wireglot.providers": {"zulu": "echo", "abc": "echo"}}
    with installed(tmp_path, more, "more-wires"):
        assert list(wg.PROVIDERS) == [*PROVIDER_NAMES, "abc", "echo", "zulu"]
        assert len(wg.PROVIDERS) == len(PROVIDER_NAMES) + 3
    assert wg.PROVIDERS["echo"] is echo
    assert list(wg.FORMATS)[-2:] == ["otel", "acme_notes"]
    assert "echo" in wg.PROVIDERS
    with pytest.raises(KeyError):
        wg.PROVIDERS["other"]


@pytest.mark.usefixtures("acme")
def test_a_registered_provider_is_translated_to_and_from() -> None:
    assert wg.translate_request(OURS, "openai_chat", "echo") == ECHO
    assert wg.translate_request(ECHO, "echo", "openai_chat") == OURS
    answer = b'{"id":"a1","model":"m","turn":{"from":"model","text":"Hi."},"end":"done"}'
    made = wg.translate_response(answer, "echo", "anthropic")
    assert b'"content":[{"type":"text","text":"Hi."}]' in made
    stream = wg.StreamTranslator("echo", "anthropic")
    assert b'"text_delta","text":"Hi."' in stream.feed(STREAM) + stream.close()


@pytest.mark.usefixtures("acme")
def test_a_registered_format_is_read_and_written() -> None:
    notes = wg.FORMATS["acme_notes"]
    assert notes.encode(notes.decode(b'[ {"note":"a"} ]')) == b'[{"note":"a"}]'


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses"])
def test_a_registered_dialect_is_written_and_routed(name: str) -> None:
    provider = wg.PROVIDERS[name]
    assert "acme" in provider.DIALECTS
    assert "acme" not in list(provider.DIALECTS)
    request = wg.Request([wg.UserMessage([wg.TextBlock("Hi")])], "m", max_tokens=9)
    path = {"openai_chat": "/acme/chat", "openai_responses": "/acme/responses"}[name]
    assert provider.route(request, dialect="acme").path == path
    body = provider.encode_request(request, dialect="acme")
    assert provider.decode_request(body, dialect="acme") == request
    assert provider.Transcript(request.messages, dialect="acme").encode(
        model="m", max_tokens=9
    ) == (body)
    provider.StreamDecoder(dialect="acme")


@pytest.mark.usefixtures("acme")
def test_a_registered_dialect_is_translated_to() -> None:
    theirs = b'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}'
    made = wg.translate_request(theirs, "anthropic", "openai_chat", target_dialect="acme")
    assert made == theirs
    made = wg.translate_request(theirs, "anthropic", "openai_chat")
    assert b'"max_completion_tokens":9' in made


@pytest.mark.usefixtures("acme")
def test_the_thinking_of_a_registered_service_goes_to_it_alone() -> None:
    thought = wg.ThinkingBlock("Hm.", signature="s")
    message = wg.AssistantMessage([thought], api="openai-responses", provider="acme")
    request = wg.Request([wg.UserMessage.from_text("Hi"), message], "m")
    encode = wg.PROVIDERS["openai_responses"].encode_request
    assert b'"encrypted_content":"s"' in encode(request, dialect="acme")
    with pytest.raises(wg.LossError, match="thinking"):
        encode(request)


@pytest.mark.parametrize("level", [wg.ThinkingLevel.OFF, wg.ThinkingLevel.HIGH])
def test_a_level_is_a_loss_where_there_is_no_effort(
    tmp_path: Path, level: wg.ThinkingLevel
) -> None:
    request = wg.Request([wg.UserMessage.from_text("Hi")], model="m")
    request.thinking = wg.Thinking(level)
    losses: list[wg.Loss] = []
    with installed(
        tmp_path, {"wireglot.dialects": {"openai_chat.quiet": "acme_services:effortless"}}
    ):
        body = wg.providers.openai_chat.encode_request(request, losses=losses, dialect="quiet")
    assert body == b'{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
    assert [loss.what for loss in losses] == ["thinking level"]


@pytest.mark.usefixtures("acme")
def test_what_is_registered_has_a_schema() -> None:
    assert list(schema.SCHEMAS)[-1] == "acme_notes"
    assert schema.SCHEMAS["echo"] == ("request", "response")
    assert "turns" in schema.schema("echo")["$defs"]["Body"]["properties"]
    assert "note" in schema.schema("acme_notes")["$defs"]["Note"]["properties"]


# -- what cannot be registered ----------------------------------------------------------------

REFUSED: dict[str, tuple[str, str, str, str]] = {
    "a name of ours": (
        "wireglot.providers",
        "anthropic",
        "echo",
        "`anthropic` is wireglot's own, expected another name",
    ),
    "a provider with the name of a format of ours": (
        "wireglot.providers",
        "phi_core",
        "echo",
        "`phi_core` is wireglot's own, expected another name",
    ),
    "a format with the name of our own wire": (
        "wireglot.formats",
        "native",
        "acme_notes",
        "`native` is wireglot's own, expected another name",
    ),
    "a dialect of ours": (
        "wireglot.dialects",
        "openai_chat.groq",
        "acme_services:chat",
        "`groq` is wireglot's own, expected another name",
    ),
    "a module that is not there": (
        "wireglot.providers",
        "bad",
        "acme_missing",
        "cannot be loaded: ModuleNotFoundError: No module named 'acme_missing'",
    ),
    "a module that raises": (
        "wireglot.formats",
        "bad",
        "acme_broken",
        "cannot be loaded: ZeroDivisionError: division by zero",
    ),
    "an attribute that is not there": (
        "wireglot.dialects",
        "openai_chat.bad",
        "acme_services:none",
        "cannot be loaded: AttributeError: module 'acme_services' has no attribute 'none'",
    ),
    "a format as a provider": (
        "wireglot.providers",
        "bad",
        "acme_notes",
        "no `DIALECTS`, `Transcript`, `encode_request`, `decode_request`, `route`,"
        " `encode_response`, `decode_response`, `encode_error`, `decode_error`, `StreamDecoder`,"
        " `StreamEncoder`, expected a module that is a `wireglot.providers.Provider`",
    ),
    "a provider as a format": (
        "wireglot.formats",
        "bad",
        "echo",
        "no `MESSAGE`, `decode`, `encode`, `to_canonical`, `from_canonical`, expected a"
        " module that is a `wireglot.formats.Format`",
    ),
    "a service of another wire": (
        "wireglot.dialects",
        "openai_chat.bad",
        "acme_services:responses",
        "`Service`, expected `wireglot.providers.openai_chat.dialects.Service`",
    ),
    "a service with a key that the wire does not have": (
        "wireglot.dialects",
        "openai_chat.bad",
        "acme_services:odd",
        "invalid enum value 'ponder' - at `thinking`",
    ),
}


def _looked_up(group: str, name: str) -> object:
    if group == "wireglot.dialects":
        return wg.providers.openai_chat.route(wg.Request([]), dialect=name.partition(".")[2])
    table: Mapping[str, object] = wg.PROVIDERS if group == "wireglot.providers" else wg.FORMATS
    return table[name]


@pytest.mark.parametrize("case", REFUSED)
def test_an_error_names_the_entry_point_and_its_distribution(tmp_path: Path, case: str) -> None:
    group, name, value, reason = REFUSED[case]
    with installed(tmp_path, {group: {name: value}}):
        is_taken = "own" in reason
        with pytest.raises(wg.EncodeError) as raised:
            _looked_up(group, "openai_chat.x" if is_taken else name)
        where = f"entry point `{name} = {value}` of `acme-wires`"
        assert str(raised.value) == f"{group}: {where}: {reason} - at `$`"
        assert (raised.value.__cause__ is None) is (not reason.startswith("cannot be loaded"))
        if is_taken and name in ("anthropic", "openai_chat.groq"):
            _looked_up(group, name)  # it is ours, and nothing looks for another


def test_two_distributions_with_one_name_are_named(tmp_path: Path) -> None:
    one = {"wireglot.providers": {"echo": "echo"}}
    with (
        installed(tmp_path, one, "acme-wires"),
        installed(tmp_path, one, "more-wires"),
        pytest.raises(wg.EncodeError, match=r"`(acme|more)-wires`: `(acme|more)-wires` registers"),
    ):
        wg.translate_request(OURS, "openai_chat", "echo")


@pytest.mark.usefixtures("acme")
def test_an_unknown_name_is_an_error_as_before() -> None:
    names = ", ".join(f"`{name}`" for name in (*PROVIDER_NAMES, "echo"))
    expected = f"translate: unknown provider `x`, expected one of {names} "
    with pytest.raises(wg.EncodeError, match=expected):
        wg.translate_request(OURS, "openai_chat", "x")
    with pytest.raises(wg.EncodeError, match="openai_chat: unknown dialect `x`, expected one of `"):
        wg.translate_request(OURS, "openai_chat", "openai_chat", target_dialect="x")


def test_nothing_is_looked_for_while_only_our_own_names_are_used(tmp_path: Path) -> None:
    code = """
import sys
import wireglot as wg
body = b'{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
for name in ("anthropic", "openai_responses", "gemini"):
    wg.translate_request(body, "openai_chat", name, losses=[], source_dialect="groq")
wg.PROVIDERS["ollama"], wg.FORMATS["mcp"], "otel" in wg.PROVIDERS, "x" in dir(wg.providers)
wg.providers.openai_chat.route(wg.Request([]), dialect="deepseek")
import wireglot.schema
wireglot.schema.schema("phi_core")
print("importlib.metadata" in sys.modules)
wg.PROVIDERS["echo"] if sys.argv[1] == "miss" else list(wg.PROVIDERS)
print("importlib.metadata" in sys.modules, "echo" in sys.modules)
"""
    with installed(tmp_path):
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        for way, is_loaded in (("miss", "True"), ("list", "False")):
            done = subprocess.run(
                [sys.executable, "-c", code, way],
                env=env,
                capture_output=True,
                text=True,
                check=True,
            )
            assert done.stdout.split() == ["False", "True", is_loaded]
