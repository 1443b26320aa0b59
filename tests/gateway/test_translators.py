"""A conversation that grows: the gateway translates what is new of it, and keeps clients apart."""

from __future__ import annotations

import json
from typing import Any

import aiohttp
import pytest

import wireglot as wg
from tests.gateway.provider import Provider, beside
from wireglot.gateway import translators

CHAT = "/v1/chat/completions"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[wg.RequestTranslator]:
    """Return the translators that gateways make."""
    found: list[wg.RequestTranslator] = []

    def noted(*given: Any, **more: Any) -> wg.RequestTranslator:
        found.append(wg.RequestTranslator(*given, **more))
        return found[-1]

    monkeypatch.setattr(translators, "RequestTranslator", noted)
    return found


def _body(turns: int) -> bytes:
    messages = [{"role": "user", "content": "Look at the file. " * 100}]
    for number in range(turns):
        messages.append({"role": "assistant", "content": f"It has {number} lines."})
        messages.append({"role": "user", "content": "And now?"})
    return json.dumps({"model": "m", "max_tokens": 9, "messages": messages}).encode()


async def _ask(client: aiohttp.ClientSession, turns: int, key: str, model: str = "m") -> None:
    headers = {"content-type": "application/json", "authorization": f"Bearer {key}"}
    body = _body(turns).replace(b'"m"', f'"{model}"'.encode())
    async with client.post(CHAT, data=body, headers=headers) as response:
        assert response.status == 200


def test_only_what_is_new_is_translated(made: list[wg.RequestTranslator]) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        for turns in range(5):
            await _ask(client, turns, "one")
        sent = [body for _, _, body in provider.asked]
        assert sent == [
            wg.translate_request(_body(turns), "openai_chat", "anthropic") for turns in range(5)
        ]
        (translator,) = made
        assert translator.stats[:3] == (3, 2, 1)

    beside(test)


def test_what_one_client_sent_is_not_known_for_another(made: list[wg.RequestTranslator]) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        for turns in range(5):
            await _ask(client, turns, "one")
        await _ask(client, 5, "two")
        (translator,) = made
        assert translator.stats[:2] == (3, 3)
        await _ask(client, 5, "one")
        assert translator.stats[:2] == (4, 3)

    beside(test)


def test_nothing_is_kept_if_nothing_may_be(made: list[wg.RequestTranslator]) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        for turns in range(4):
            await _ask(client, turns, "one")
        (translator,) = made
        assert translator.stats == (0, 4, 0, 0)

    beside(test, kept=0)


def test_a_translator_serves_all_routes_between_two_wires(made: list[wg.RequestTranslator]) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        for model in ("m", "other", "m"):
            await _ask(client, 0, "one", model)
        assert len(made) == 1

    beside(test)
