"""A gateway on the loopback, a provider behind it that replays, and official clients before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest

import wireglot as wg
from tests.clients.seen import Client, official
from tests.clients.server import Server
from tests.clients.server import serving as replaying


@pytest.fixture(scope="package")
def provider() -> Iterator[Server]:
    with replaying() as server:
        yield server


@pytest.fixture(scope="package")
def gateway(provider: Server) -> Iterator[str]:
    """The address of a gateway in which `to-gemini` is a model of Gemini."""
    # Here, as a library that is missing skips tests, but breaks a conftest.
    from tests.gateway.serving import serving
    from wireglot.gateway import Config, ModelRoute, create_app

    routes = [ModelRoute(f"to-{name}", name, provider.url, name="m") for name in wg.PROVIDERS]
    routes += [
        ModelRoute("to-a-deployment", "openai_chat", provider.url, name="m", like="gpt-5-mini"),
        ModelRoute("gpt-5-mini", "openai_chat", provider.url, like="gpt-5-mini"),
        ModelRoute("small", "openai_chat", provider.url, name="gpt-5-mini"),
    ]
    with serving(create_app(Config(routes, retries=0))) as address:
        yield address


@pytest.fixture(scope="package")
def client_of(gateway: str) -> Callable[[str], Client]:
    """The client of a provider, made when first asked for: some take a second."""

    return cache(lambda name: official(name, f"{gateway}/{name}"))
