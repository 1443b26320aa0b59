"""Each client of the table in docs/gateway.md, as it is written there, at a gateway."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anthropic
import boto3
import cohere
import ollama
import openai
import pytest
from google import genai
from mistralai.client import Mistral

from tests.gateway.provider import Provider
from tests.gateway.serving import serving
from tests.typed_pages import python
from wireglot.gateway import Config, ModelRoute, create_app

PAGE = (Path(__file__).parents[2] / "docs/gateway.md").read_text()
DOCUMENTED = "http://127.0.0.1:8000"
KEY = "gw-key"
_ROW = re.compile(r"^\| `([\w-]+)` \| `([A-Z\w.]+\([^`]+\))`(.*) \|$", re.MULTILINE)
ROWS = {name: code for name, code, _ in _ROW.findall(PAGE)}
ROWS |= {
    f"{name}, {option}": f"{code.removesuffix(')')}, {option})"
    for name, code, more in _ROW.findall(PAGE)
    for option in re.findall(r"also with `([^`]+)`", more)
}
NAMES = {
    "OpenAI": openai.OpenAI,
    "Anthropic": anthropic.Anthropic,
    "genai": genai,
    "boto3": boto3,
    "Mistral": Mistral,
    "ClientV2": cohere.ClientV2,
    "Client": ollama.Client,
}
HELLO: Any = [{"role": "user", "content": "Hi"}]


def _openai(client: Any) -> list[str]:
    with client:
        chat = client.chat.completions.create(model="m", messages=HELLO)
        response = client.responses.create(model="m", input="Hi")
    return [chat.choices[0].message.content, response.output_text]


def _anthropic(client: Any) -> list[str]:
    with client:
        return [client.messages.create(model="m", max_tokens=9, messages=HELLO).content[0].text]


def _genai(client: Any) -> list[str]:
    with client:
        return [client.models.generate_content(model="m", contents="Hi").text]


def _boto3(client: Any) -> list[str]:
    asked = [{"role": "user", "content": [{"text": "Hi"}]}]
    with closing(client):
        answer = client.converse(modelId="m", messages=asked)
    return [answer["output"]["message"]["content"][0]["text"]]


def _mistral(client: Any) -> list[str]:
    with client:
        return [client.chat.complete(model="m", messages=HELLO).choices[0].message.content]


def _cohere(client: Any) -> list[str]:
    with client._client_wrapper.httpx_client.httpx_client:
        return [client.chat(model="m", messages=HELLO).message.content[0].text]


def _ollama(client: Any) -> list[str]:
    with client:
        return [client.chat(model="m", messages=HELLO).message.content]


ASK: dict[str, Callable[[Any], list[str]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google-genai": _genai,
    "google-genai, vertexai=True": _genai,
    "boto3": _boto3,
    "mistralai": _mistral,
    "cohere": _cohere,
    "ollama": _ollama,
}


def test_each_client_of_the_page_is_tried() -> None:
    assert ROWS.keys() == ASK.keys()
    assert len(re.findall(r"^\|.*\|.*127\.0\.0\.1:8000.*\|$", PAGE, re.MULTILINE)) == 7


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    with serving(Provider().app) as there:
        yield there


def _said(name: str, code: str, provider: str, **config: Any) -> list[str]:
    app = create_app(Config([ModelRoute("m", "anthropic", provider)], **config))
    with serving(app) as here:
        client = eval(code.replace(DOCUMENTED, here), dict(NAMES))
        if name == "boto3" and config:
            _with_hook(client)
        return ASK[name](client)


def _with_hook(client: Any) -> None:
    """Run what the page has for this client, with another key."""
    blocks = re.findall(r"^```python\n.*?^```$", PAGE, re.MULTILINE | re.DOTALL)
    [block] = [code for code in blocks if "set_key" in code]
    names: dict[str, Any] = {"client": client}
    exec(python(block + "\n").replace("KEY", KEY), names)
    [call] = re.findall(r"`(client\.meta\.events\.register\([^`]+\))`", PAGE)
    eval(call, names)


@pytest.mark.parametrize("name", ASK)
def test_a_client_that_is_set_up_as_on_the_page_is_answered(name: str, provider: str) -> None:
    assert {*_said(name, ROWS[name], provider)} == {"Hi."}


@pytest.mark.parametrize("name", ASK)
def test_so_is_one_with_the_key_of_the_gateway(
    name: str, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATEWAY_KEY", KEY)
    monkeypatch.setenv("OLLAMA_API_KEY", KEY)
    code = ROWS[name] if name == "boto3" else ROWS[name].replace('"none"', f'"{KEY}"')
    assert {*_said(name, code, provider, client_key="GATEWAY_KEY")} == {"Hi."}
