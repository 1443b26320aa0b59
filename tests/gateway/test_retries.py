"""What would fail again is asked for once: the official clients' retries, counted on both sides."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import anthropic
import boto3
import cohere
import httpx
import ollama
import openai
import pytest
from botocore import UNSIGNED
from botocore.config import Config as OfBoto
from google import genai
from mistralai.client import Mistral

from tests.gateway.serving import serving
from wireglot.gateway import Config, ModelRoute, create_app

UNREADABLE = b'{"odd":1}'
ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "unreadable": (200, {}, UNREADABLE),
    "compressed": (200, {"content-encoding": "gzip"}, b"\x1f\x8b"),
    "elsewhere": (302, {"location": "http://127.0.0.1:9/"}, b""),
    "busy": (503, {"retry-after": "0"}, b'{"message":"busy"}'),
}


class _Counting(ThreadingHTTPServer):
    """A provider that answers every request in the same way, and counts them."""

    daemon_threads = True
    block_on_close = False
    answer = ANSWERS["unreadable"]
    asked = 0


class _Handler(BaseHTTPRequestHandler):
    server: _Counting

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.server.asked += 1
        status, headers, body = self.server.answer
        self.send_response(status)
        told = {"content-type": "application/json", "connection": "close", **headers}
        for name, value in told.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def provider() -> Iterator[_Counting]:
    with _Counting(("127.0.0.1", 0), _Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def gateway(provider: _Counting) -> Iterator[str]:
    there = f"http://127.0.0.1:{provider.server_port}"
    provider.asked = 0
    routes = [
        ModelRoute("m", "mistral", there),
        ModelRoute("gemini", "gemini", there),
    ]
    with serving(create_app(Config(routes, retries=0))) as here:
        yield here


def _chat(here: str) -> None:
    with openai.OpenAI(base_url=f"{here}/v1", api_key="k") as client:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])


def _responses(here: str) -> None:
    with openai.OpenAI(base_url=f"{here}/v1", api_key="k") as client:
        client.responses.create(model="m", input="Hi")


def _anthropic(here: str) -> None:
    with anthropic.Anthropic(base_url=here, api_key="k") as client:
        client.messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "Hi"}]
        )


def _gemini(here: str) -> None:
    with genai.Client(http_options={"base_url": here}, api_key="k") as client:
        client.models.generate_content(model="m", contents="Hi")


def _mistral(here: str) -> None:
    with Mistral(server_url=f"{here}/mistral", api_key="k") as client:
        client.chat.complete(model="gemini", messages=[{"role": "user", "content": "Hi"}])


def _cohere(here: str) -> None:
    with httpx.Client() as http:
        client = cohere.ClientV2("k", base_url=here, httpx_client=http)
        client.chat(model="m", messages=[cohere.UserChatMessageV2(content="Hi")])


def _ollama(here: str) -> None:
    with ollama.Client(here) as client:
        client.chat(model="m", messages=[{"role": "user", "content": "Hi"}])


def _bedrock(here: str) -> None:
    client = boto3.client(
        "bedrock-runtime",
        endpoint_url=here,
        region_name="us-east-1",
        config=OfBoto(signature_version=UNSIGNED),
    )
    with closing(client):
        client.converse(modelId="m", messages=[{"role": "user", "content": [{"text": "Hi"}]}])


CLIENTS: dict[str, Callable[[str], None]] = {
    "openai_chat": _chat,
    "openai_responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "mistral": _mistral,
    "cohere": _cohere,
    "ollama": _ollama,
    "bedrock": _bedrock,
}


def _requests(here: str) -> int:
    """Return how many requests have come to the gateway."""
    with urllib.request.urlopen(f"{here}/metrics") as response:
        counts = re.findall(rb"^wireglot_requests_total\{.*\} ([0-9.]+)$", response.read(), re.M)
    return int(sum(map(float, counts)))


@pytest.mark.parametrize("answer", ["unreadable", "compressed", "elsewhere"])
@pytest.mark.parametrize("name", CLIENTS)
def test_an_answer_that_is_refused_is_paid_once(
    name: str, answer: str, provider: _Counting, gateway: str
) -> None:
    provider.answer = ANSWERS[answer]
    with pytest.raises(Exception, match=r"the provider answers|answer cannot be read"):
        CLIENTS[name](gateway)
    assert provider.asked == 1
    assert _requests(gateway) == 1


@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "anthropic"])
def test_an_error_of_the_moment_is_tried_again(
    name: str, provider: _Counting, gateway: str
) -> None:
    provider.answer = ANSWERS["busy"]
    with pytest.raises((openai.InternalServerError, anthropic.InternalServerError), match="busy"):
        CLIENTS[name](gateway)
    assert provider.asked == 3


def _embed(here: str) -> None:
    with openai.OpenAI(base_url=f"{here}/v1", api_key="k") as client:
        client.embeddings.create(model="m", input="Hi")


def _count(here: str) -> None:
    with anthropic.Anthropic(base_url=here, api_key="k") as client:
        client.messages.count_tokens(model="m", messages=[{"role": "user", "content": "Hi"}])


def _stored(here: str) -> None:
    with openai.OpenAI(base_url=f"{here}/v1", api_key="k") as client:
        client.responses.create(model="m", input="Hi", previous_response_id="resp_1")


def _invalid(here: str) -> None:
    with openai.OpenAI(base_url=f"{here}/v1", api_key="k") as client:
        asked: Any = {"model": "m", "messages": [{"role": "judge", "content": "Hi"}]}
        client.chat.completions.create(**asked)


REFUSED: dict[str, tuple[Callable[[str], None], int]] = {
    "embeddings": (_embed, 501),
    "a count of tokens": (_count, 501),
    "what another API stores": (_stored, 400),
    "an invalid body": (_invalid, 400),
}


@pytest.mark.parametrize(("ask", "status"), REFUSED.values(), ids=REFUSED)
def test_a_request_that_is_refused_comes_once(
    ask: Callable[[str], None], status: int, provider: _Counting, gateway: str
) -> None:
    with pytest.raises(Exception, match=r".") as caught:
        ask(gateway)
    assert caught.value.status_code == status  # type: ignore[attr-defined]
    assert _requests(gateway) == 1
    assert provider.asked == 0


def test_what_the_gateway_refuses_says_so_in_a_header(gateway: str) -> None:
    body = b'{"model":"nobody","messages":[{"role":"user","content":"Hi"}]}'
    for path, content, kind in [
        ("/v1/chat/completions", body, "application/json"),  # no route
        ("/v1/chat/completions", b"{", "application/json"),
        ("/v1/chat/completions", body, "text/plain"),
        ("/v1/nothing", body, "application/json"),
    ]:
        response = httpx.post(gateway + path, content=content, headers={"content-type": kind})
        assert 400 <= response.status_code < 500
        assert response.headers["x-should-retry"] == "false"
