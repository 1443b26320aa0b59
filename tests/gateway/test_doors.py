"""What clients ask for beside a chat: models, counts of tokens, and what is not there."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from yarl import URL

from tests.gateway.provider import END, HELLO, JSON, START, Provider
from tests.gateway.serving import served
from tests.registered import installed
from wireglot.gateway import Config, ModelRoute, create_app
from wireglot.gateway.doors import doors
from wireglot.gateway.models import model_json, models_json

Test = Callable[[Provider, aiohttp.ClientSession], Awaitable[None]]


def beside(test: Test, **config: Any) -> None:
    """Run a test with a gateway that has a model of each of three wires, and a pattern."""

    async def run() -> None:
        provider = Provider()
        async with asyncio.timeout(30), served(provider.app) as there:
            routes = [
                ModelRoute("claude", "anthropic", there, name="claude-opus-4-8"),
                ModelRoute("gpt", "openai_chat", there),
                ModelRoute("gem", "gemini", there),
                ModelRoute("local/*", "ollama", there),
                ModelRoute("vllm", "openai_chat", there, dialect="vllm"),
                ModelRoute("vertex", "anthropic", there, dialect="vertex"),
            ]
            app = create_app(Config(routes, **config))
            async with served(app) as gateway, aiohttp.ClientSession(gateway) as client:
                await test(provider, client)

    asyncio.run(run())


NAMES = ["claude", "gpt", "gem", "vllm", "vertex"]
_CHAT = b'{"model":"claude","stream":true,"messages":[{"role":"user","content":"Hi"}]}'
_GEMINI = b'{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}'
_CLAUDE = _CHAT.replace(b'"stream"', b'"max_tokens":9,"stream"')
ASKED = {
    "anthropic": ("/v1/messages", _CLAUDE, "text/event-stream"),
    "openai_chat": ("/v1/chat/completions", _CHAT, "text/event-stream"),
    "openai_responses": (
        "/v1/responses",
        b'{"model":"claude","stream":true,"input":"Hi"}',
        "text/event-stream",
    ),
    "gemini": (
        "/v1beta/models/claude:streamGenerateContent?alt=sse",
        _GEMINI,
        "text/event-stream",
    ),
    "gemini, as an array": (
        "/v1beta/models/claude:streamGenerateContent",
        _GEMINI,
        "application/json",
    ),
    "bedrock": (
        "/model/claude/converse-stream",
        b'{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        "application/vnd.amazon.eventstream",
    ),
    "mistral": ("/mistral/v1/chat/completions", _CHAT, "text/event-stream"),
    "cohere": ("/v2/chat", _CHAT, "text/event-stream"),
    "ollama": ("/api/chat", _CHAT, "application/x-ndjson"),
}


@pytest.mark.parametrize(("path", "body", "kind"), ASKED.values(), ids=ASKED)
def test_a_stream_has_the_type_of_the_clients_wire(path: str, body: bytes, kind: str) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async def answer(_: Request) -> Response:
            return Response(START + END, media_type="text/event-stream")

        provider.reply = answer
        async with client.post(path, data=body, headers=JSON) as response:
            assert (response.status, response.content_type) == (200, kind)
            assert b"Hi" in await response.read()

    beside(test)


LISTS = {
    "/v1/models": ("data", "id", NAMES),
    "/openai_responses/v1/models": ("data", "id", NAMES),
    "/mistral/v1/models": ("data", "id", NAMES),
    "/anthropic/v1/models": ("data", "id", NAMES),
    "/v1beta/models": ("models", "name", [f"models/{name}" for name in NAMES]),
    "/foundation-models": ("modelSummaries", "modelId", NAMES),
    "/cohere/v1/models": ("models", "name", NAMES),
    "/api/tags": ("models", "model", NAMES),
}


@pytest.mark.parametrize(("path", "listed"), LISTS.items(), ids=LISTS)
def test_models_are_listed_in_the_clients_wire(
    path: str, listed: tuple[str, str, list[str]]
) -> None:
    key, name, names = listed

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        async with client.get(path) as response:
            assert response.status == 200
            said = await response.json()
        assert [model[name] for model in said[key]] == names

    beside(test)


@pytest.mark.parametrize("wire", doors())
def test_each_door_has_a_list_of_models_and_each_of_them(wire: str) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        for models in doors()[wire].endpoint.models:
            for path in (models, f"{models}/gpt"):
                async with client.get(f"/{wire}{path}") as response:
                    assert response.status == 200
                    assert b"gpt" in await response.read()

    beside(test)


def test_a_path_may_begin_with_the_name_of_its_wire(tmp_path: Path) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        for path in ("/v1/models", "/echo/v1/models", "/echo/v1/models/gpt"):
            async with client.get(path) as response:
                assert response.status == 200

    with installed(tmp_path):
        beside(test)


def test_a_wire_without_a_form_of_its_own_lists_models_as_openai_does(tmp_path: Path) -> None:
    with installed(tmp_path):
        listed = models_json("echo", ["gpt"], 1_790_000_000)
        model = b'{"id":"gpt","object":"model","created":1790000000,"owned_by":"wireglot"}'
        assert listed == b'{"object":"list","data":[%s]}' % model
        assert model_json("echo", "gpt", 1_790_000_000) == model


def test_models_of_ollama_differ_in_their_digests() -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        async with client.get("/api/tags") as response:
            digests = [model["digest"] for model in (await response.json())["models"]]
        assert digests[:2] == [  # `printf NAME | sha256sum`
            "c857d09db23e6822e3600bc06ad8d58f92ed62bc8efd81c753f77048662cb97d",
            "053ea4804ef1bb33d4a3d6fb024a614b6d257cebc2bc7cd915da9c9522f37ffc",
        ]
        assert len(set(digests)) == len(NAMES)

    beside(test)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/v1/models/gpt", "created"),
        ("/mistral/v1/models/gpt", "created"),
        ("/anthropic/v1/models/gpt", "created_at"),
        ("/api/tags/gpt", "modified_at"),
        ("/api/show", "modified_at"),
    ],
)
def test_a_model_is_as_old_as_the_configuration_that_names_it(path: str, key: str) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        method = client.post if path == "/api/show" else client.get
        async with method(path, json={"model": "gpt"}) as response:
            told = (await response.json())[key]
        at = told if isinstance(told, int) else datetime.fromisoformat(told).timestamp()
        assert before <= at <= time.time()

    before = int(time.time())
    beside(test)


def test_the_lists_are_those_of_the_official_clients() -> None:
    import anthropic
    import boto3
    import cohere
    import ollama
    import openai
    from botocore import UNSIGNED
    from botocore.config import Config as OfBoto
    from google import genai
    from mistralai.client import Mistral

    def ask(address: str) -> None:
        with anthropic.Anthropic(base_url=address, api_key="k") as claude:
            assert [model.id for model in claude.models.list()] == NAMES
            one = claude.models.retrieve("gpt")
            assert (one.id, one.lifecycle) == ("gpt", "active")
        with Mistral(server_url=f"{address}/mistral", api_key="k") as mistral:
            assert [model.id for model in mistral.models.list().data or []] == NAMES
            assert mistral.models.retrieve(model_id="gpt").id == "gpt"
        with genai.Client(http_options={"base_url": address}, api_key="k") as gemini:
            assert [model.name for model in gemini.models.list()] == [f"models/{n}" for n in NAMES]
            assert gemini.models.get(model="gpt").name == "models/gpt"
        with httpx.Client() as http:
            for base in (address, f"{address}/cohere"):
                co = cohere.ClientV2("k", base_url=base, httpx_client=http)
                assert [model.name for model in co.models.list().models] == NAMES
                assert co.models.get("gpt").name == "gpt"
        bedrock = boto3.client(
            "bedrock",
            endpoint_url=address,
            region_name="us-east-1",
            config=OfBoto(signature_version=UNSIGNED),
        )
        with closing(bedrock):
            summaries = bedrock.list_foundation_models()["modelSummaries"]
            assert [model["modelId"] for model in summaries] == NAMES
            found = bedrock.get_foundation_model(modelIdentifier="gpt")["modelDetails"]
            assert (found["modelId"], found["modelLifecycle"]["status"]) == ("gpt", "ACTIVE")
        with openai.OpenAI(base_url=f"{address}/v1", api_key="k") as gpt:
            assert [model.id for model in gpt.models.list()] == NAMES
            assert gpt.models.retrieve("local/any").id == "local/any"
            with pytest.raises(openai.NotFoundError):
                gpt.models.retrieve("nobody")
        with ollama.Client(address) as local:
            assert [model.model for model in local.list().models] == NAMES
            assert "tools" in (local.show("gpt").capabilities or [])

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        await asyncio.to_thread(ask, str(client._base_url).rstrip("/"))

    beside(test)


def test_a_key_is_needed_for_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONE", "first")
    monkeypatch.setenv("TWO", "second")

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        for path in ("/v1/models", "/api/tags", "/v1/nothing"):
            async with client.get(path) as response:
                assert response.status == 401
        for key in ("first", "second"):
            headers = {"authorization": f"Bearer {key}"}
            async with client.get("/v1/models", headers=headers) as response:
                assert response.status == 200
        async with client.get("/v1/models", headers={"x-api-key": "firs"}) as response:
            assert response.status == 401

    beside(test, client_key=["ONE", "TWO"])


BARE = {
    "/messages": _CLAUDE,
    "/anthropic/messages": _CLAUDE,
    "/chat/completions": _CHAT,
    "/openai_chat/chat/completions": _CHAT,
    "/mistral/chat/completions": _CHAT,
    "/responses": b'{"model":"claude","stream":true,"input":"Hi"}',
}


@pytest.mark.parametrize(("path", "body"), BARE.items(), ids=BARE)
def test_a_base_url_without_a_version_is_served(path: str, body: bytes) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async def answer(_: Request) -> Response:
            return Response(START + END, media_type="text/event-stream")

        provider.reply = answer
        async with client.post(path, data=body, headers=JSON) as response:
            assert (response.status, response.content_type) == (200, "text/event-stream")
            assert b"Hi" in await response.read()

    beside(test)


@pytest.mark.parametrize("path", ["/models", "/anthropic/models", "/mistral/models"])
def test_so_is_its_list_of_models(path: str) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        async with client.get(path) as response:
            assert [model["id"] for model in (await response.json())["data"]] == NAMES
        async with client.get(f"{path}/gpt") as response:
            assert (await response.json())["id"] == "gpt"

    beside(test)


HINTS = {
    "/v1/v1/messages": "nothing is at `POST /v1/v1/messages`; did you mean `/v1/messages`?",
    "/api/v1/chat/completions": (
        "nothing is at `POST /api/v1/chat/completions`; did you mean `/v1/chat/completions`?"
    ),
    "/openai/deployments/m/chat/completions": (
        "nothing is at `POST /openai/deployments/m/chat/completions`; did you mean"
        " `/v1/chat/completions`?"
    ),
    "/v1/messages/count": "nothing is at `POST /v1/messages/count`",
}


@pytest.mark.parametrize(("path", "said"), HINTS.items(), ids=HINTS)
def test_a_path_that_ends_like_one_gets_a_hint(path: str, said: str) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        async with client.post(path, data=_CHAT, headers=JSON) as response:
            assert response.status == 404
            assert said in {await response.text(), *_texts(await response.json())}

    beside(test)


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    return [str(value)]


NOTHING = {
    "/v1/nothing": b'{"error":{"message":"nothing is at `POST /v1/nothing`",'
    b'"type":"invalid_request_error","param":null,"code":null}}',
    "/openai_responses/v1/nothing": b'{"error":{"message":"nothing is at '
    b'`POST /openai_responses/v1/nothing`","type":"invalid_request_error","param":null,'
    b'"code":null}}',
    "/anthropic/v1/files": b'{"type":"error","error":{"type":"not_found_error",'
    b'"message":"nothing is at `POST /anthropic/v1/files`"}}',
    "/v1beta/files": b'{"error":{"code":404,"message":"nothing is at `POST /v1beta/files`",'
    b'"status":"NOT_FOUND"}}',
    "/v2/datasets": b'{"message":"nothing is at `POST /v2/datasets`"}',
    "/api/pull": b'{"error":"nothing is at `POST /api/pull`"}',
    "/foundation-models": b'{"__type":"ResourceNotFoundException",'
    b'"message":"nothing is at `POST /foundation-models`"}',
}


@pytest.mark.parametrize(("path", "body"), NOTHING.items(), ids=NOTHING)
def test_what_is_not_there_is_an_error_of_the_clients_wire(path: str, body: bytes) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        async with client.post(path, data=b"{}", headers=JSON) as response:
            assert response.status == 404
            assert response.content_type == "application/json"
            assert await response.read() == body

    beside(test)


def test_the_root_says_that_it_is_up() -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        async with client.head("/") as response:
            assert response.status == 200
        async with client.get("/api/version") as response:
            assert (await response.json())["version"] == "0.32.14"

    beside(test)


COUNTS = {
    "anthropic": (
        "/v1/messages/count_tokens",
        HELLO.replace(b'"m"', b'"claude"'),
        "/v1/messages/count_tokens",
        b'"model":"claude-opus-4-8"',
    ),
    "gemini": (
        "/v1beta/models/gem:countTokens",
        b'{"contents":[]}',
        "/v1beta/models/gem:countTokens",
        b'{"contents":[]}',
    ),
    "embeddings": (
        "/v1/embeddings",
        b'{"model":"gpt","input":"Hi","n":1e0}',
        "/v1/embeddings",
        b'{"model":"gpt","input":"Hi","n":1e0}',
    ),
    "local embeddings": (
        "/api/embed",
        b'{"model":"local/a","input":"Hi"}',
        "/api/embed",
        b'{"model":"local/a","input":"Hi"}',
    ),
}


@pytest.mark.parametrize(("path", "body", "asked", "sent"), COUNTS.values(), ids=COUNTS)
def test_a_call_beside_the_chat_goes_to_a_provider_of_the_same_wire(
    path: str, body: bytes, asked: str, sent: bytes
) -> None:
    async def reply(_: Request) -> Response:
        return Response(b'{"input_tokens":14}', media_type="application/json")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = reply
        async with client.post(path, data=body, headers=JSON) as response:
            assert response.status == 200
            assert await response.read() == b'{"input_tokens":14}'
        [(there, _, data)] = provider.asked
        assert there == asked
        assert sent in data

    beside(test)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/messages/count_tokens", HELLO.replace(b'"m"', b'"gem"')),
        ("/v1/messages/count_tokens", HELLO.replace(b'"m"', b'"vllm"')),
        ("/v1/messages/count_tokens", HELLO.replace(b'"m"', b'"vertex"')),
        ("/v1beta/models/claude:countTokens", b'{"contents":[]}'),
        ("/v1/embeddings", b'{"model":"claude","input":"Hi"}'),
        ("/model/gpt/count-tokens", b"{}"),
    ],
)
def test_no_provider_of_another_wire_counts_or_embeds(path: str, body: bytes) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async with client.post(path, data=body, headers=JSON) as response:
            assert response.status == 501
            assert "is not translated" in json.dumps(await response.json())
        assert provider.asked == []

    beside(test)


@pytest.mark.parametrize(
    ("path", "end"),
    [
        ("/v1/mess%61ges", "/v1/messages"),
        ("/v1/messages/count%5Ftokens", "/v1/messages/count_tokens"),
    ],
)
def test_an_escaped_path_is_the_same_path(path: str, end: str) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        url = URL(f"{client._base_url}".rstrip("/") + path, encoded=True)
        body = HELLO.replace(b'"m"', b'"claude"')
        async with client.post(url, data=body, headers=JSON) as response:
            assert response.status == 200
        assert [asked for asked, _, _ in provider.asked] == [end]

    beside(test)


def test_an_error_of_a_call_beside_the_chat_is_the_providers_own() -> None:
    async def refuse(_: Request) -> Response:
        return Response(b'{"odd":1}', 400, media_type="application/json")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = refuse
        body = HELLO.replace(b'"m"', b'"claude"')
        path = "/v1/messages/count_tokens"
        async with client.post(path, data=body, headers=JSON) as response:
            assert (response.status, await response.read()) == (400, b'{"odd":1}')
        async with client.get("/metrics") as response:
            assert 'wireglot_failures_total{client="anthropic",kind="' in await response.text()

    beside(test)


def test_an_api_key_opens_the_path_of_vertex() -> None:
    """https://docs.cloud.google.com/vertex-ai/generative-ai/docs/start/express-mode"""

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        path = "/v1beta1/publishers/google/models/claude:generateContent"
        body = b'{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}'
        async with client.post(path, data=body, headers=JSON) as response:
            assert response.status == 200
            assert b'"text":"Hi."' in await response.read()

    beside(test)


@pytest.mark.parametrize(
    ("wire", "path"),
    [
        ("gemini", "/v1beta/models/m:streamGenerateContent"),
        ("gemini", "/v1beta/models/m:generateContent"),
        ("bedrock", "/model/m/converse-stream"),
        ("bedrock", "/model/m/converse"),
    ],
)
def test_the_end_of_a_path_tells_whether_its_answer_is_a_stream(wire: str, path: str) -> None:
    async def run() -> None:
        provider = Provider()
        async with served(provider.app) as there:
            app = create_app(Config([ModelRoute("m", wire, there)]))
            async with (
                served(app) as gateway,
                aiohttp.ClientSession(gateway) as client,
                client.post(path, data=b"{}", headers=JSON) as response,
            ):
                assert response.status == 200
        [(asked, _, _)] = provider.asked
        assert asked == path

    asyncio.run(run())


LONG = "local/" + "m" * 507
NAMED = {
    **{name: (path, body.replace(b"claude", b"%b")) for name, (path, body, _) in ASKED.items()},
    "gemini": ("/v1beta/models/%s:generateContent", _GEMINI),
    "gemini, as an array": ("/v1beta/models/%s:streamGenerateContent", _GEMINI),
    "vertex": ("/v1/projects/p/locations/l/publishers/google/models/%s:countTokens", _GEMINI),
    "bedrock": ("/model/%s/converse", b"{}"),
    "a count": ("/v1/messages/count_tokens", _CLAUDE.replace(b"claude", b"%b")),
    "embeddings": ("/v1/embeddings", b'{"model":"%b","input":"Hi"}'),
}


@pytest.mark.parametrize(("path", "body"), NAMED.values(), ids=NAMED)
def test_a_name_that_no_model_has_is_refused_however_it_comes(path: str, body: bytes) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        name = LONG + "m"
        asked = path.replace("%s", name)
        data = body.replace(b"%b", name.encode())
        async with client.post(asked, data=data, headers=JSON) as response:
            assert response.status == 404
            said = await response.text()
            assert '"model of 514 characters, expected at most 512"' in said
        assert provider.asked == []

    beside(test)


def test_the_longest_name_is_a_model() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        body = _CHAT.replace(b"claude", LONG.encode()[:-1])
        async with client.post("/api/chat", data=body, headers=JSON) as response:
            assert response.status == 200
            assert len(provider.asked) == 1
        for name, status in ((LONG[:-1], 200), (LONG, 404)):
            async with client.get(f"/v1/models/{name}") as response:
                assert response.status == status

    beside(test)


@pytest.mark.parametrize("part", ["/models/", "/model/", "/models/a:", ":generateContent"])
def test_a_path_that_repeats_itself_does_not_hold_up_the_others(part: str) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        for begin in ("/v1beta/models/", "/model/"):
            began = time.process_time()
            path = begin + part * (60_000 // len(part)) + "x"
            async with client.post(path, data=b"{}", headers=JSON) as response:
                assert response.status == 404
            assert time.process_time() - began < 0.5
        assert provider.asked == []

    beside(test)
