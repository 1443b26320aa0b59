"""Seeds and old findings pass their targets; a target that should fail fails; mutants are valid."""

import random
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import wireglot as wg
from tests.fuzz.laws import CHOICES, LawError
from tests.fuzz.mutator import mutated
from tests.fuzz.seeds import MOST, seeds
from tests.fuzz.shapes import SHAPES, Key
from tests.fuzz.targets import TARGETS

FINDINGS = Path(__file__).parent / "findings"
every_target = pytest.mark.parametrize("name", TARGETS)


def _plain(data: bytes, most: int) -> bytes:
    return data[: len(data) // 2]


def _mutants(name: str, count: int, seed: int = 1) -> list[bytes]:
    chance = random.Random(seed)
    others = seeds(name)
    shape = TARGETS[name].shape
    return [
        mutated(chance.choice(others), MOST, chance, shape, others, _plain) for _ in range(count)
    ]


def _failures(name: str, inputs: Iterable[bytes]) -> list[str]:
    """Return how inputs fail, in ASCII: a lone surrogate in a report ends a run with workers."""
    failures = []
    for data in inputs:
        try:
            TARGETS[name].check(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a failure
            failures.append(ascii(f"{data!r}: {''.join(traceback.format_exception(error))}"))
    return failures


@every_target
def test_every_seed_passes(name: str) -> None:
    found = seeds(name)
    assert found
    assert _failures(name, found) == []


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_an_encoder_takes_back_each_request_that_it_wrote(name: str) -> None:
    provider = wg.PROVIDERS[name]
    for seed in seeds(f"{name}-request"):
        asked = provider.decode_request(seed[CHOICES:])
        asked.model = asked.model or "m"  # some dialects have it in the URL
        assert provider.encode_request(asked, losses=[], repair=True)


@every_target
def test_what_was_once_found_passes_now(name: str) -> None:
    paths = sorted((FINDINGS / name).glob("*"))
    assert _failures(name, [path.read_bytes() for path in paths]) == []


def test_findings_belong_to_targets_and_are_named_by_twelve_digits() -> None:
    kept = list(FINDINGS.glob("*/*"))
    assert {path.parent.name for path in kept} <= set(TARGETS)
    assert all(len(path.name) == 12 and int(path.name, 16) >= 0 for path in kept)


@every_target
def test_inputs_of_nothing_pass(name: str) -> None:
    assert _failures(name, [b"", b"\0", b"\0\0", b"\xff\xff", b"\xff\xff\xff"]) == []


def test_all_that_decodes_is_a_target() -> None:
    of_providers = [
        f"{name}-{kind}" for name in wg.PROVIDERS for kind in ("request", "answer", "stream")
    ]
    others = ["json", "lines", "msgpack", "media", "lifting", "growing", "schemas"]
    others += ["sse", "ndjson", "jsonarray", "eventstream"]
    assert list(TARGETS) == [*others, *of_providers, *wg.FORMATS, "envelope", "values"]


# -- a target can fail ------------------------------------------------------------------------


def test_another_exception_than_ours_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **options: Any) -> Any:
        raise RecursionError

    data = seeds("cohere-request")[0]
    monkeypatch.setattr(wg.PROVIDERS["cohere"], "decode_request", broken)
    with pytest.raises(RecursionError):
        TARGETS["cohere-request"].check(data)


def test_an_error_that_names_another_wire_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **options: Any) -> Any:
        raise wg.DecodeError("bad", wire="json")

    monkeypatch.setattr(wg.PROVIDERS["cohere"], "decode_request", broken)
    with pytest.raises(LawError, match="the error names its wire, `cohere`, not `json`"):
        TARGETS["cohere-request"].check(seeds("cohere-request")[0])


def test_a_value_that_does_not_come_back_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    encode = wg.json.encode
    monkeypatch.setattr(wg.json, "encode", lambda value: encode(value).replace(b'"text"', b'"txt"'))
    with pytest.raises(wg.DecodeError):
        TARGETS["json"].check(b'\0\0[{"role":"user","content":[{"type":"text","text":"a"}]}]')
    monkeypatch.setattr(wg.json, "encode", lambda value: encode(value).replace(b"text a", b"a"))
    with pytest.raises(LawError, match="JSON gives back an equal value"):
        TARGETS["json"].check(b'\0\0[{"role":"user","content":[{"type":"text","text":"text a"}]}]')


def test_bytes_that_are_not_the_same_again_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    provider = wg.PROVIDERS["ollama"]
    encode, written = provider.encode_response, []

    def broken(*args: Any, **options: Any) -> bytes:
        written.append(encode(*args, **options))
        return written[-1] + b" " * len(written)

    monkeypatch.setattr(provider, "encode_response", broken)
    with pytest.raises(LawError, match="an answer that was read is written byte for byte"):
        TARGETS["ollama-answer"].check(seeds("ollama-answer")[0])


def test_a_stream_that_depends_on_its_chunks_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(wg.PROVIDERS["ollama"].StreamDecoder):
        def feed(self, chunk: Any) -> Any:
            return super().feed(chunk if len(chunk) > 99 else b" ")

    monkeypatch.setattr(wg.PROVIDERS["ollama"], "StreamDecoder", Broken)
    with pytest.raises(LawError, match="any chunking gives the same kind of answer"):
        TARGETS["ollama-stream"].check(b"\0" + seeds("ollama-stream")[0][1:])


def test_a_format_that_forgets_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    form: Any = wg.FORMATS["ravi"]
    encode = form.encode
    monkeypatch.setattr(
        form, "encode", lambda value, *args, **options: encode(value[:1], *args, **options)
    )
    with pytest.raises(LawError, match="a system's own types come back equal"):
        TARGETS["ravi"].check(seeds("ravi")[0])


def test_what_depends_on_an_earlier_body_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    translate = wg.RequestTranslator.translate
    seen: list[bytes] = []

    def broken(self: Any, data: bytes, *args: Any, **options: Any) -> bytes:
        seen.append(data)
        return translate(self, data, *args, **options) + b" " * (seen.count(data) > 1)

    monkeypatch.setattr(wg.RequestTranslator, "translate", broken)
    with pytest.raises(LawError, match="what was translated before changes nothing"):
        TARGETS["growing"].check(seeds("growing")[0])


# -- mutants ----------------------------------------------------------------------------------


@every_target
def test_the_same_seed_gives_the_same_mutants(name: str) -> None:
    assert _mutants(name, 50) == _mutants(name, 50)
    assert _mutants(name, 50) != _mutants(name, 50, seed=2)


@pytest.mark.parametrize("name", ["json", "msgpack", "anthropic-stream", "bedrock-stream", "ravi"])
def test_most_mutants_are_written_in_their_grammar_and_differ(name: str) -> None:
    shape = TARGETS[name].shape
    mutants = _mutants(name, 400)
    sound = 0
    for data in mutants:
        try:
            shape.tree(data[CHOICES:])
        except (ValueError, RecursionError, wg.WireglotError):
            continue
        sound += 1
    assert sound > 250
    assert len({*mutants}) > 250
    assert all(len(data) <= MOST for data in mutants)


@pytest.mark.parametrize("name", ["json", "gemini-request", "openai_responses-stream", "phi_core"])
def test_mutants_are_neither_harmless_nor_hopeless(name: str) -> None:
    decoders: dict[str, Any] = {
        "json": wg.json.decode,
        "gemini-request": wg.PROVIDERS["gemini"].decode_request,
        "openai_responses-stream": lambda body: (
            decoder := wg.PROVIDERS["openai_responses"].StreamDecoder(),
            decoder.feed(body),
            decoder.close(),
        ),
        "phi_core": wg.FORMATS["phi_core"].decode,
    }
    good = 0
    for data in _mutants(name, 300):
        try:
            decoders[name](data[CHOICES:])
        except wg.WireglotError:
            continue
        good += 1
    assert 15 < good < 285


def test_what_a_tree_cannot_hold_is_written_even_so() -> None:
    tree = ["@huge", "@escaped", {"a": 1, Key("a"): 2}, "\ud83d é"]
    assert SHAPES["json"].body(tree) == (b'[1e400,"\\u0061\\/\\n",{"a":1,"a":2},"\\ud83d \\u00e9"]')
    assert SHAPES["json"].body(["é", {Key("a"): 1}]) == '["é",{"a":1}]'.encode()


def test_checksums_of_messages_are_made_right_again() -> None:
    data = seeds("bedrock-stream")[0][CHOICES:]
    shape = SHAPES["messages"]
    tree = shape.tree(data)
    assert shape.body(tree[:1]) == data[: len(shape.body(tree[:1]))]
    tree[0]["headers"][":event-type"] = "other"
    assert shape.tree(shape.body(tree))[0]["headers"][":event-type"] == "other"


def test_events_that_are_no_json_stay_as_they_are() -> None:
    body = b"event: e\ndata: [DONE\n\n"
    assert SHAPES["events"].body(SHAPES["events"].tree(body)) == body


def test_big_integers_that_messagepack_cannot_hold_end_as_plain_mutations() -> None:
    with pytest.raises(OverflowError):
        SHAPES["msgpack"].body([2**70])
    assert msgspec.msgpack.decode(SHAPES["msgpack"].body([2**63])) == [2**63]
