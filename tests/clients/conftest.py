"""The server, shared by a module's tests, and the official clients that ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from tests.clients.seen import Client, official
from tests.clients.server import Server, serving


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture(scope="module")
def client_of(server: Server) -> Callable[[str], Client]:
    """The client of a provider, made when first asked for: some take a second."""

    return cache(lambda name: official(name, server.url))
