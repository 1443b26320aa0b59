"""Which wire and dialect a recorded exchange speaks."""

import pytest

import wireglot as wg
from tests.corpus.wires import path_of, reason_to_skip, spoken

DIALECTS = {
    "anthropic": ("anthropic", "vertex", "bedrock"),
    "gemini": ("gemini", "vertex"),
    "mistral": ("mistral",),
    "openai_chat": ("openai", "azure", "groq", "ollama", "zai", "generic"),
    "openai_responses": ("openai", "azure", "xai"),
}
SPOKEN = {
    "a wire of its own": ("mistral", "/v1/chat/completions", "mistral mistral"),
    "no path": ("anthropic", None, "anthropic anthropic"),
    "Gemini on Vertex": (
        "vertex",
        "/v1/projects/p/locations/l/publishers/google/models/m:generateContent",
        "gemini vertex",
    ),
    "Anthropic on Vertex": (
        "vertex",
        "/v1/projects/p/locations/l/publishers/anthropic/models/m:streamRawPredict",
        "anthropic vertex",
    ),
    "Anthropic on Bedrock": (
        "bedrock_invoke_anthropic",
        "/model/anthropic.m-v1%3A0/invoke-with-response-stream",
        "anthropic bedrock",
    ),
    "Azure's chat": ("azure_chat", "/openai/deployments/d/chat/completions", "openai_chat azure"),
    "Azure's responses": ("azure_responses", "/openai/v1/responses", "openai_responses azure"),
    "a named server": ("groq", "/openai/v1/chat/completions", "openai_chat groq"),
    "a compatible server with a dialect": (
        "compat_zai",
        "/api/paas/v4/chat/completions",
        "openai_chat zai",
    ),
    "a compatible server without one": (
        "compat_x",
        "/v1/chat/completions",
        "openai_chat generic",
    ),
    "responses of a server without a dialect": (
        "compat_x_responses",
        "/v1/responses",
        "openai_responses openai",
    ),
    "responses by path alone": ("compat_x", "/v1/responses", "openai_responses openai"),
    "xAI's responses, no path": ("xai_responses", None, "openai_responses xai"),
}


@pytest.mark.parametrize(("wire", "path", "expected"), SPOKEN.values(), ids=SPOKEN)
def test_is_spoken_as(wire: str, path: str | None, expected: str) -> None:
    assert " ".join(spoken(wire, path, DIALECTS)) == expected


PATHS = {
    "https://api.example.org/v1/messages?beta=true": "/v1/messages",
    "test://name/v1/chat": "/v1/chat",
    "<BASE>/chat/completions#stream": "/chat/completions",
    "fixture:a/b": None,
    "https://example.org": None,
    "": None,
}


@pytest.mark.parametrize(("url", "path"), PATHS.items())
def test_the_path_of_a_url(url: str, path: str | None) -> None:
    assert path_of(url) == path


@pytest.mark.parametrize(
    ("body", "path", "why"),
    [
        ({"messages": []}, "/v1/messages", None),
        ({"prompt": {"id": "p"}}, "/v1/responses", None),
        ({"prompt": "x"}, "/model/m/invoke", "a text completion, which continues a string"),
        ({"messages": []}, "/v1/messages/count_tokens", "the counting of tokens"),
        ({"contents": []}, "/v1beta/models/m:countTokens", "the counting of tokens"),
        ({"input": "x"}, "/v1/embeddings", "embeddings"),
        ({"contents": []}, "/v1beta/models/gemini-embedding:generateContent", None),
        ([], "/v1/messages", "no JSON object"),
    ],
)
def test_is_left_out(body: object, path: str, why: str | None) -> None:
    assert reason_to_skip(body, path) == why


def test_every_dialect_of_the_tables_is_one_of_the_providers() -> None:
    known = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    for wire in ("openrouter", "deepseek", "groq", "xai", "azure_chat", "compat_llamacpp"):
        provider, dialect = spoken(wire, None, known)
        assert provider == "openai_chat"
        assert dialect == wire.removesuffix("_chat").removeprefix("compat_")
