"""What a web page makes a browser send to a gateway that needs no key, and what other clients send.

A page of any site can send requests to the user's own machine. A page that gives its own name the
address of that machine (DNS rebinding) reads the answers as well. Browsers name the site in
`Origin`, and what led them here in `Host`.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp
import pytest

import wireglot as wg
from tests.gateway.provider import HELLO, JSON, Provider
from tests.gateway.serving import served
from tests.gateway.test_doors import ASKED
from tests.gateway.test_embedding import _call, _running
from wireglot.gateway import Config, ModelRoute, create_app
from wireglot.gateway.doors import doors

OWN = [
    {},
    {"host": "localhost"},
    {"host": "LocalHost:8000"},
    {"host": "localhost.:8000"},
    {"host": "me.localhost:8000"},
    {"host": "127.0.0.1"},
    {"host": "127.0.0.1:8000"},
    {"host": "192.168.1.5:8000"},
    {"host": "[::1]"},
    {"host": "[::1]:8000"},
    {"host": ""},
    {"origin": "http://localhost:3000"},
    {"origin": "http://127.0.0.1"},
    {"origin": "http://[::1]:3000"},
    {"origin": "tauri://localhost"},
    {"host": "192.168.1.5:8000", "origin": "http://192.168.1.5:8000"},
]
FOREIGN = [
    {"host": "evil.example"},
    {"host": "evil.example:8000"},
    {"host": "127.0.0.1.evil.example"},
    {"host": "localhost.evil.example"},
    {"host": "notlocalhost"},
    {"host": ".localhost.a"},
    {"host": "localhost@evil.example"},
    {"host": "127.1"},
    {"host": "[::1].evil.example"},
    {"host": "host.docker.internal:8000"},
    {"host": "evil.example", "origin": "http://evil.example"},
    {"origin": "https://evil.example"},
    {"origin": "https://localhost.evil.example"},
    {"origin": "http://203.0.113.5"},
    {"origin": "null"},
    {"origin": ""},
    {"origin": "chrome-extension://abcdefgh"},
    {"origin": "file://"},
]


def _names(headers: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in headers.items()) or "none"


async def _asked(config: Config, headers: dict[str, str], **more: Any) -> tuple[int, bytes]:
    """Ask for a chat with a server at an address, as ASGI has both."""
    app = create_app(config)
    async with _running(app):
        listed = {"content-type": "application/json", **headers}
        raw = [(name.encode(), value.encode()) for name, value in listed.items()]
        return await _call(app, "/v1/messages", headers=raw, **more)


def _status(headers: dict[str, str], server: Any, **config: Any) -> int:
    async def run() -> int:
        provider = Provider()
        async with asyncio.timeout(20), served(provider.app) as there:
            routes = [ModelRoute("m", "anthropic", there)]
            status, _ = await _asked(Config(routes, **config), headers, server=server)
            assert len(provider.asked) == (status == 200)
            return status

    return asyncio.run(run())


@pytest.mark.parametrize("headers", OWN, ids=_names)
def test_a_client_of_this_machine_needs_nothing(headers: dict[str, str]) -> None:
    assert _status(headers, ("127.0.0.1", 8000)) == 200


@pytest.mark.parametrize("headers", FOREIGN, ids=_names)
def test_a_page_of_another_site_is_refused(headers: dict[str, str]) -> None:
    assert _status(headers, ("127.0.0.1", 8000)) == 403


LOOPBACK = ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"]
ELSEWHERE = [
    *(("192.168.1.5", 8000), ("172.17.0.2", 80), ("2001:db8::1", 80), ("fe80::1%eth0", 80)),
    *(("/run/gateway.sock", None), ("", 0), None),
]


@pytest.mark.parametrize("address", LOOPBACK)
def test_the_address_at_which_a_request_arrives_is_that_of_this_machine(address: str) -> None:
    assert _status({"host": "evil.example"}, (address, 8000)) == 403


@pytest.mark.parametrize("server", ELSEWHERE)
def test_at_other_addresses_a_gateway_may_have_any_name(server: Any) -> None:
    assert _status({"host": "gateway", "origin": "https://evil.example"}, server) == 200


HOSTS = [
    (["llm.example.org"], {"host": "llm.example.org"}, 200),
    (["llm.example.org"], {"host": "LLM.Example.org:8443"}, 200),
    (["LLM.example.org"], {"host": "llm.example.org"}, 200),
    (["llm.example.org."], {"host": "llm.example.org"}, 200),
    (["llm.example.org"], {"host": "llm.example.org.:8000"}, 200),
    (["llm.example.org"], {"host": "llm.example.org.evil.example"}, 403),
    (["llm.example.org"], {"host": "127.0.0.1", "origin": "https://llm.example.org"}, 200),
    (["llm.example.org"], {"host": "127.0.0.1", "origin": "https://evil.example"}, 403),
    (["*.example.org"], {"host": "a.example.org"}, 200),
    (["*.example.org"], {"host": "example.org"}, 403),
    (["a", "host.docker.internal"], {"host": "host.docker.internal:8000"}, 200),
    (["abcdefgh"], {"origin": "chrome-extension://abcdefgh"}, 200),
    (["*"], {"host": "evil.example", "origin": "null"}, 200),
]


@pytest.mark.parametrize(("hosts", "headers", "status"), HOSTS)
def test_further_names_are_a_setting(
    hosts: list[str], headers: dict[str, str], status: int
) -> None:
    assert _status(headers, ("127.0.0.1", 8000), hosts=hosts) == status


def test_with_that_setting_the_names_count_at_every_address() -> None:
    hosts, at = ["llm.example.org"], ("192.168.1.5", 8000)
    assert _status({"host": "llm.example.org"}, at, hosts=hosts) == 200
    assert _status({"host": "evil.example"}, at, hosts=hosts) == 403


def test_who_has_the_key_is_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATEWAY_KEY", "sesame")
    at = ("127.0.0.1", 8000)
    headers = {"host": "llm.example.org", "x-api-key": "sesame", "origin": "null"}
    assert _status(headers, at, client_key="GATEWAY_KEY") == 200
    assert _status({**headers, "x-api-key": "x"}, at, client_key="GATEWAY_KEY") == 401


@pytest.mark.parametrize(
    "host", ["", ".", "*.", "**", "http://a.org", "a.org:80", "a.org/b", "a b", "ü.org"]
)
def test_a_host_that_is_no_name_is_refused(host: str) -> None:
    with pytest.raises(wg.EncodeError, match="expected the name of a host, without a port"):
        Config([ModelRoute("m", "ollama", "http://x.org")], hosts=[host])


PATHS = [
    ("GET", "/v1/models"),
    ("GET", "/api/tags"),
    ("GET", "/v1/models/m"),
    ("GET", "/metrics"),
    ("POST", "/api/show"),
    ("POST", "/v1/nothing"),
    ("OPTIONS", "/v1/messages"),
    ("OPTIONS", "/v1/nothing"),
    *(("POST", path) for path, _, _ in ASKED.values()),
    *(("POST", path) for path in ("/v1/embeddings", "/v1/messages/count_tokens", "/api/embed")),
]
CONSTANT = ["/health", "/", "/api/version", "/ollama/api/version"]


def test_a_page_learns_nothing_and_spends_nothing_at_any_path() -> None:
    async def run() -> None:
        provider = Provider()
        async with asyncio.timeout(30), served(provider.app) as there:
            app = create_app(Config([ModelRoute("*", "anthropic", there)]))
            async with served(app) as here, aiohttp.ClientSession(here) as client:
                for headers in ({"host": "evil.example"}, {"origin": "https://evil.example"}):
                    for method, path in PATHS:
                        async with client.request(
                            method, path, data=HELLO, headers=JSON | headers
                        ) as response:
                            said = await response.text()
                            assert (path, response.status) == (path, 403)
                            assert "evil.example" in said
                            assert "access-control-allow-origin" not in response.headers
                            assert "www-authenticate" not in response.headers
                    for path in CONSTANT:
                        async with client.get(path, headers=headers) as response:
                            assert (path, response.status) == (path, 200)
        assert provider.asked == []

    asyncio.run(run())


REASON = "host `evil.example`, expected `localhost`, an address or a name of `hosts`"
REFUSALS = {
    "anthropic": {
        "type": "error",
        "error": {
            "type": "permission_error",
            "message": REASON,
        },
    },
    "ollama": {"error": REASON},
}


@pytest.mark.parametrize("wire", REFUSALS)
def test_a_refusal_says_in_the_clients_wire_what_to_set(wire: str) -> None:
    async def run() -> bytes:
        config = Config([ModelRoute("m", "anthropic", "http://127.0.0.1:9")])
        app = create_app(config)
        async with _running(app):
            headers = [(b"content-type", b"application/json"), (b"host", b"evil.example")]
            path = f"/{wire}{doors()[wire].endpoint.paths[0]}"
            _, said = await _call(app, path, headers=headers, server=("127.0.0.1", 1))
            return said

    assert json.loads(asyncio.run(run())) == REFUSALS[wire]


# -- the type of a body ----------------------------------------------------------------------------

KINDS = [
    (None, "no content-type, expected `application/json`"),
    ("", "content-type ``, expected `application/json`"),
    ("text/plain", "content-type `text/plain`, expected `application/json`"),
    (
        "application/x-www-form-urlencoded",
        "content-type `application/x-www-form-urlencoded`, expected `application/json`",
    ),
    ("multipart/form-data; boundary=a", "content-type `multipart/form-data; boundary=a`, expected"),
]


@pytest.mark.parametrize(("path", "body"), [each[:2] for each in ASKED.values()], ids=ASKED)
def test_a_type_that_a_page_may_send_unasked_is_refused_at_every_door(
    path: str, body: bytes
) -> None:
    async def run() -> None:
        provider = Provider()
        async with asyncio.timeout(30), served(provider.app) as there:
            app = create_app(Config([ModelRoute("*", "anthropic", there, name="m")]))
            async with _running(app):
                for kind, reason in KINDS:
                    headers = [] if kind is None else [(b"content-type", kind.encode())]
                    status, said = await _call(app, path.partition("?")[0], body, headers=headers)
                    assert (kind, status) == (kind, 415)
                    assert reason in said.decode()
        assert provider.asked == []

    asyncio.run(run())


def test_a_body_of_json_may_say_its_characters() -> None:
    headers = {"content-type": "Application/JSON ; charset=utf-8"}
    assert _status(headers, None) == 200
