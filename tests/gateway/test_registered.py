"""A provider and a dialect of other distributions behind a gateway."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Place

import wireglot as wg
from tests.gateway.serving import served
from tests.registered import installed
from wireglot._registry import PROVIDER_NAMES
from wireglot.gateway import Config, ModelRoute, create_app, read_config
from wireglot.gateway.doors import doors, wire_of
from wireglot.gateway.server import Guarded

TOML = """
[[routes]]
model = "e"
provider = "echo"
url = "{url}"
key = "ECHO_KEY"

[[routes]]
model = "a"
provider = "openai_chat"
dialect = "acme"
url = "{url}"
"""
ECHOED = (
    b'{"id":"a1","model":"e","turn":{"from":"model","text":"Hi."},"end":"done","asked":1,"said":2}'
)
CHATTED = b"""{"id":"a1","object":"chat.completion","created":1,"model":"a","choices":[{"index":0,
"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}]}"""
LINES = b'{"id":"a1","model":"e"}\n{"text":"Hi."}\n{"end":"done","asked":3,"said":2}\n'


@pytest.fixture(autouse=True)
def acme(tmp_path: Path) -> Iterator[None]:
    with installed(tmp_path):
        yield


def _asked(tmp_path: Path, body: dict[str, Any]) -> tuple[str, list[tuple[str, Any, bytes]]]:
    """Ask a gateway in Anthropic's wire; return its answer, and what the provider was asked."""
    asked: list[tuple[str, Any, bytes]] = []

    async def reply(http: Request) -> Response:
        said = await http.body()
        asked.append((http.url.path, http.headers.get("authorization"), said))
        if b'"stream":true' in said:
            return Response(LINES, media_type="application/x-ndjson")
        made = ECHOED if http.url.path == "/v1/echo" else CHATTED
        return Response(made, media_type="application/json")

    async def run() -> str:
        provider = Starlette(routes=[Place("/{path:path}", reply, methods=["POST"])])
        async with asyncio.timeout(20), served(provider) as there:
            file = tmp_path / "gateway.toml"
            file.write_text(TOML.replace("{url}", there))
            app = create_app(read_config(file))
            async with served(app, http=Guarded) as here, aiohttp.ClientSession(here) as client:
                answer = await client.post("/v1/messages", json=body)
                text = await answer.text()
                assert answer.status == 200, text
                return text

    return asyncio.run(run()), asked


def _body(model: str, **more: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": "Hello"}]
    return {"model": model, "max_tokens": 9, "messages": messages, **more}


def test_a_registered_provider_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHO_KEY", "secret")
    answer, asked = _asked(tmp_path, _body("e"))
    assert '"content":[{"type":"text","text":"Hi."}]' in answer
    turns = b'{"model":"e","limit":9,"turns":[{"from":"user","text":"Hello"}]}'
    assert asked == [("/v1/echo", "Bearer secret", turns)]
    answer, _ = _asked(tmp_path, _body("e", stream=True))
    assert '"text_delta","text":"Hi."' in answer
    assert answer.endswith('data: {"type":"message_stop"}\n\n')


ANSWERED = b"""{"id":"a1","type":"message","role":"assistant","model":"c","content":[
{"type":"text","text":"Hi."}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}"""
ECHO_REQUEST = b'{"model":"c","limit":9,"turns":[{"from":"user","text":"Hello"}]}'


@pytest.mark.parametrize("path", ["/v1/echo", "/echo", "/echo/v1/echo"])
def test_a_registered_provider_has_a_door(path: str) -> None:
    async def reply(http: Request) -> Response:
        said = [{"type": "text", "text": "Hello"}]
        assert json.loads(await http.body())["messages"] == [{"role": "user", "content": said}]
        return Response(ANSWERED, media_type="application/json")

    async def run() -> tuple[bytes, bytes]:
        provider = Starlette(routes=[Place("/v1/messages", reply, methods=["POST"])])
        async with asyncio.timeout(20), served(provider) as there:
            app = create_app(Config([ModelRoute("c", "anthropic", there)]))
            async with served(app, http=Guarded) as here, aiohttp.ClientSession(here) as client:
                kind = {"content-type": "application/json"}
                answer = await client.post(path, data=ECHO_REQUEST, headers=kind)
                refused = await client.post(path, data=b'{"model":"x","turns":[]}', headers=kind)
                assert (answer.status, refused.status) == (200, 404)
                return await answer.read(), await refused.read()

    answer, refused = asyncio.run(run())
    assert answer == (
        b'{"id":"a1","model":"c","turn":{"from":"model","text":"Hi."},"end":"done",'
        b'"asked":1,"said":2}'
    )
    assert refused.startswith(b'{"error":"')


def test_a_broken_registration_closes_no_other_door(tmp_path: Path) -> None:
    with installed(tmp_path / "more", {"wireglot.providers": {"broken": "acme_broken"}}, "broken"):
        assert [*doors()] == [*PROVIDER_NAMES, "echo"]


def test_a_registered_dialect_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHO_KEY", "secret")
    answer, asked = _asked(tmp_path, _body("a"))
    assert '"content":[{"type":"text","text":"Hi."}]' in answer
    chat = b'{"model":"a","max_tokens":9,"messages":[{"role":"user","content":"Hello"}]}'
    assert asked == [("/acme/chat", None, chat)]


def test_a_route_to_an_unknown_name_is_refused_as_before() -> None:
    names = ", ".join(f"`{name}`" for name in (*PROVIDER_NAMES, "echo"))
    with pytest.raises(wg.EncodeError, match=f"provider `x`, expected one of {names} "):
        ModelRoute("m", "x", "https://example.com")
    with pytest.raises(wg.EncodeError, match="dialect `x`, expected one of `openai`, "):
        ModelRoute("m", "openai_chat", "https://example.com", dialect="x")


def test_a_route_to_a_broken_registration_is_refused(tmp_path: Path) -> None:
    broken = {"wireglot.providers": {"broken": "acme_broken"}}
    file = tmp_path / "gateway.toml"
    file.write_text(TOML.replace("echo", "broken").replace("{url}", "https://example.com"))
    reason = "entry point `broken = acme_broken` of `broken-wires`: cannot be loaded"
    with installed(tmp_path, broken, "broken-wires"):
        with pytest.raises(wg.DecodeError, match=reason):
            read_config(file)
        assert Config([ModelRoute("m", "anthropic", "https://example.com")]).route("m") is not None


ODD = """
from echo import *
from echo import __all__ as _names
import echo
from wireglot.providers import Endpoint, Facts
FACTS = {facts}
"""


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ('Facts(api="echo-v1", endpoint="x")', "`FACTS.endpoint` is `str`, expected an `Endpoint`"),
        ('Facts(api="other")', "`FACTS.api` is 'other', expected the `API` 'echo-v1'"),
        ('Facts(api="echo-v1", models="e")', "`models` of `FACTS`, expected a tuple or frozenset"),
        ('Facts(api="echo-v1", also_called=None)', "of `FACTS`, expected a mapping"),
        ('Facts(api="echo-v1", endpoint=Endpoint(paths=(), end="x"))', "expected at least one"),
        ("5", "`FACTS` is `int`, expected `wireglot.providers.Facts`"),
    ],
)
def test_wrong_facts_are_refused_by_name_and_stop_nothing_else(
    tmp_path: Path, facts: str, reason: str
) -> None:
    folder = tmp_path / "more"
    with installed(folder, {"wireglot.providers": {"odd": "odd_wires"}}, "odd-wires"):
        (folder / "odd-wires" / "odd_wires.py").write_text(ODD.format(facts=facts))
        try:
            with pytest.raises(wg.EncodeError, match=re.escape(reason)):
                _ = wg.PROVIDERS["odd"]
            assert [*doors()] == [*PROVIDER_NAMES, "echo"]
            create_app(Config([ModelRoute("c", "anthropic", "https://example.com")]))
        finally:
            sys.modules.pop("odd_wires", None)


def test_a_registered_provider_hides_no_path_of_ours(tmp_path: Path) -> None:
    endpoint = 'Endpoint(paths=("/messages", "/{call:path}"), end="x", own_paths=("/",))'
    folder = tmp_path / "more"
    with installed(folder, {"wireglot.providers": {"v1": "v1_wires"}}, "v1-wires"):
        made = ODD.format(facts=f'Facts(api="echo-v1", endpoint={endpoint})')
        (folder / "v1-wires" / "v1_wires.py").write_text(made)
        try:
            assert "v1" not in doors()
        finally:
            sys.modules.pop("v1_wires", None)
    with installed(tmp_path / "most", {"wireglot.providers": {"zed": "zed_wires"}}, "zed-wires"):
        (tmp_path / "most" / "zed-wires" / "zed_wires.py").write_text(made)
        try:
            assert wire_of("/v1/models", {}) == "openai_chat"

            async def run() -> int:
                app = create_app(Config([ModelRoute("c", "anthropic", "https://example.com")]))
                async with served(app, http=Guarded) as here, aiohttp.ClientSession(here) as client:
                    kind = {"content-type": "application/json"}
                    shown = await client.post("/api/show", data=b'{"model":"c"}', headers=kind)
                    return shown.status

            assert asyncio.run(run()) == 200
        finally:
            sys.modules.pop("zed_wires", None)
