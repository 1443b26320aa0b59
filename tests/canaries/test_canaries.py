"""No key and no value vanishes without a loss or a sentence of the docs: a part of the long run."""

import random
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.canaries.bodies import KINDS, bodies, places
from tests.canaries.excuses import EXCUSES
from tests.canaries.law import MODEL, OWN, silent
from tests.canaries.planting import planted

_ROOT = Path(__file__).parents[2]
_EACH = 60


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wire", wg.PROVIDERS)
def test_no_canary_vanishes_in_silence(wire: str, kind: str) -> None:
    chance = random.Random(f"{wire} {kind}")
    targets = [MODEL, *(name for name in wg.PROVIDERS if name != wire)]
    gone = []
    tried = 0
    for number in range(_EACH):
        canary = planted(wire, kind, chance, number)
        if canary is not None:
            tried += 1
            to = (OWN, targets[number % len(targets)])
            gone += [(at, canary.path, canary.key, canary.data) for at in silent(canary, to)]
    assert gone == []
    assert tried > _EACH / 2


def test_every_excuse_is_a_sentence_of_its_page() -> None:
    pages: dict[str, str] = {}
    for page, sentence in EXCUSES.values():
        text = pages.setdefault(page, " ".join((_ROOT / page).read_text().split()))
        assert sentence in text, f"{page}: {sentence}"


def test_every_excuse_is_for_an_object_that_the_bodies_have() -> None:
    known = {
        (kind, wire, place.path)
        for kind in KINDS
        for wire in wg.PROVIDERS
        for body in bodies(wire, kind)
        for place in places(body)
    }
    assert sorted({row for row in EXCUSES if (row.kind, row.wire, row.path) not in known}) == []


def test_a_translation_that_drops_a_key_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = wg.translate_request

    def forgetful(data: bytes, *names: str, **options: Any) -> bytes:
        return usual(data, *names, **options).replace(b"Qz", b"")

    monkeypatch.setattr(wg, "translate_request", forgetful)
    chance = random.Random(1)
    made = [planted("openai_chat", "requests", chance, number) for number in range(200)]
    gone = [c for c in made if c is not None and [*silent(c, (OWN,))]]
    assert len(gone) > 50
