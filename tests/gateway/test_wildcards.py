"""A `*` in a route's `name`: the provider is asked for what the `*` of `model` stands for."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp
import pytest
from starlette.requests import Request
from starlette.responses import Response

import wireglot as wg
from tests.gateway.provider import HELLO, JSON, Provider
from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app

ROUTES: list[tuple[str, str, dict[str, Any]]] = [
    ("anthropic/*", "anthropic", {"name": "*"}),
    ("aws/*-eu", "bedrock", {"name": "eu.anthropic.*-v1:0"}),
    ("google/*", "gemini", {"name": "*"}),
    ("first", "anthropic", {"fallback": "anthropic/claude-b"}),
]
CLAUDE = b'"model":"claude-a"'
ASKED = {
    "the whole name": ("anthropic/claude-a", "/v1/messages", CLAUDE),
    "a part of the name": ("aws/opus-eu", "/model/eu.anthropic.opus-v1:0/converse", b""),
    "a name with more parts": ("google/a/b", "/v1beta/models/a%2Fb:generateContent", b""),
}


def _beside(test: Any) -> None:
    async def run() -> None:
        provider = Provider()
        async with asyncio.timeout(60), served(provider.app) as there:
            routes = [ModelRoute(model, wire, there, **more) for model, wire, more in ROUTES]
            app = create_app(Config(routes))
            async with served(app) as here, aiohttp.ClientSession(here) as client:
                await test(provider, client)

    asyncio.run(run())


@pytest.mark.parametrize(("model", "path", "said"), ASKED.values(), ids=ASKED)
def test_the_provider_is_asked_for_what_the_wildcard_stands_for(
    model: str, path: str, said: bytes
) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        body = HELLO.replace(b'"m"', json.dumps(model).encode())
        async with client.post("/v1/messages", data=body, headers=JSON) as response:
            told = await response.json()
        [(there, _, sent)] = provider.asked
        assert there == path
        assert said in sent
        if said:  # the provider answers in this wire
            assert (response.status, told["model"]) == (200, model)

    _beside(test)


def test_a_fallback_is_asked_for_what_its_own_wildcard_stands_for() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        own = provider.reply

        async def busy(http: Request) -> Response:
            provider.reply = own
            return Response(b"{}", 529, media_type="application/json")

        provider.reply = busy
        body = HELLO.replace(b'"m"', b'"first"')
        async with client.post("/v1/messages", data=body, headers=JSON) as response:
            assert (response.status, (await response.json())["model"]) == (200, "first")
        assert [json.loads(sent)["model"] for _, _, sent in provider.asked] == ["first", "claude-b"]

    _beside(test)


@pytest.mark.parametrize("model", ["anthropic/", "aws/-eu"])
def test_a_wildcard_that_stands_for_no_name_is_not_asked_for(model: str) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        body = HELLO.replace(b'"m"', json.dumps(model).encode())
        async with client.post("/v1/messages", data=body, headers=JSON) as response:
            assert response.status == 404
        assert provider.asked == []

    _beside(test)


def test_a_wildcard_stands_for_nothing_where_no_model_is_named() -> None:
    route = ModelRoute("*", "anthropic", "https://x.org", name="*")
    assert (route.named(None), route.named("m")) == ("", "m")


@pytest.mark.parametrize(
    ("model", "name"), [("claude", "*"), ("a*b*", "*"), ("a*", "*-*"), ("a*", "**")]
)
def test_a_wildcard_that_cannot_be_filled_in_is_refused(model: str, name: str) -> None:
    said = f"name `{name}` for the model `{model}`, expected one `*` in both"
    with pytest.raises(wg.EncodeError) as caught:
        ModelRoute(model, "anthropic", "https://x.org", name=name)
    assert caught.value.reason == said


def test_a_name_that_is_empty_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="empty name, expected that of the provider's model"):
        ModelRoute("a*", "anthropic", "https://x.org", name="")


def test_a_fallback_that_stands_for_no_name_is_refused() -> None:
    routes = [
        ModelRoute("first", "anthropic", "https://x.org", fallback="spare/"),
        ModelRoute("spare/*", "anthropic", "https://x.org", name="*"),
    ]
    with pytest.raises(wg.EncodeError) as caught:
        Config(routes)
    said = (
        "fallback `spare/` does not name a model of `spare/*`, expected a name in the place of `*`"
    )
    assert str(caught.value) == f"gateway: {said} - at `$.routes[0]`"
