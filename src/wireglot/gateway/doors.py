"""The HTTP side of each wire, as its clients see it: its paths, and where they show a key.

A path that two wires share (OpenAI's chat and Mistral's) belongs to the first. Every wire also has
its paths below its name, `/mistral/v1/chat/completions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

__all__ = ["DOORS", "JSON", "Door", "path_like", "paths_of", "shown_keys", "wire_of"]

JSON: Final = "application/json"


class Door(NamedTuple):
    """How clients reach a wire: its paths, in Starlette's syntax.

    `asks` are headers that ask for extra features. `before` is what comes before the model in a
    path, and `stream` the end of one that asks for a stream, on wires that have neither in the
    body. `beside` are other calls, as ends of a path in place of `end`: they go only to a provider
    of the same wire. `models` are the paths of the list of models. `id` is the header in which its
    SDKs look for the id of an exchange. `unusable` is the status for a provider's answer that is of
    no use: it is another one where the SDKs repeat a request at each 502.
    """

    paths: tuple[str, ...]
    end: str
    models: tuple[str, ...]
    beside: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    before: str | None = None
    stream: str | None = None
    id: str = "x-request-id"
    unusable: int = 502


_FAILED: Final = 424  # what Bedrock answers where a model's answer is of no use
DOORS: Final[dict[str, Door]] = {
    "anthropic": Door(
        ("/v1/messages",),
        "messages",
        ("/v1/models", "/models"),
        ("messages/count_tokens",),
        asks=("anthropic-beta",),
        id="request-id",
    ),
    "openai_chat": Door(
        ("/v1/chat/completions",),
        "chat/completions",
        ("/v1/models", "/models"),
        ("embeddings", "completions", "moderations"),
        asks=("openai-beta",),
    ),
    "openai_responses": Door(
        ("/v1/responses",),
        "responses",
        ("/v1/models", "/models"),
        ("responses/input_tokens", "responses/compact"),
        asks=("openai-beta",),
    ),
    "gemini": Door(
        (
            *("/v1beta/models/{call:path}", "/v1/models/{call:path}"),
            *("/v1beta1/projects/{call:path}", "/v1/projects/{call:path}"),  # Vertex
            *("/v1beta1/publishers/{call:path}", "/v1/publishers/{call:path}"),  # with an API key
        ),
        ":generateContent",
        ("/v1beta/models", "/v1/models", "/models"),
        (":countTokens", ":embedContent", ":batchEmbedContents"),
        before="/models/",
        stream=":streamGenerateContent",
    ),
    "bedrock": Door(
        ("/model/{call:path}",),
        "/converse",
        ("/foundation-models",),
        ("/count-tokens",),
        before="/model/",
        stream="/converse-stream",
        id="x-amzn-requestid",
        unusable=_FAILED,
    ),
    "mistral": Door(
        ("/v1/chat/completions",),
        "chat/completions",
        ("/v1/models", "/models"),
        ("embeddings", "moderations"),
    ),
    "cohere": Door(
        ("/v2/chat",),
        "chat",
        ("/v1/models", "/models"),
        ("embed", "rerank"),
        unusable=_FAILED,
    ),
    "ollama": Door(("/api/chat",), "chat", ("/api/tags",), ("embed", "embeddings")),
}
"""The door of each of our wires; the others are only behind the gateway, not before it."""

_VERSION: Final = "/v1"


def paths_of(door: Door) -> list[str]:
    """Return the paths of a wire's calls; those of version 1 are served without it, too.

    A base URL without the version is the commonest slip of users.
    """
    others = () if door.before else door.beside  # else the model stands before these
    paths = [*door.paths, *(door.paths[0].removesuffix(door.end) + end for end in others)]
    bare = (path.removeprefix(_VERSION) for path in paths if path.startswith(f"{_VERSION}/"))
    return paths if door.before else [*paths, *bare]


def path_like(path: str) -> str | None:
    """Return the path of a call that a path ends with, as where a base URL has too much."""
    known = [each for door in DOORS.values() if not door.before for each in paths_of(door)]
    if path in known:
        return None
    return next((each for each in known if path.endswith(each.removeprefix(_VERSION))), None)


_MARKS: Final = (
    ("/v1/messages", "anthropic"),
    ("/v1/responses", "openai_responses"),
    ("/v1beta", "gemini"),
    ("/v1/projects", "gemini"),
    ("/v1/publishers", "gemini"),
    ("/model/", "bedrock"),
    ("/foundation-models", "bedrock"),
    ("/v2/", "cohere"),
    ("/api/", "ollama"),
)
"""How a path begins that only one wire has."""
_SIGNS: Final = (
    ("anthropic-version", "anthropic"),
    ("x-goog-api-key", "gemini"),
    ("x-fern-sdk-name", "cohere"),
)
"""A header that all clients of a wire send."""


def wire_of(path: str, headers: Mapping[str, str]) -> str:
    """Return the wire that a client speaks, by its path, or by a header that its clients send."""
    name = path.split("/", 2)[1] if path.startswith("/") else ""
    if name in DOORS:
        return name
    known = (wire for begin, wire in _MARKS if path.startswith(begin))
    signs = (wire for name, wire in _SIGNS if name in headers)
    return next(known, None) or next(signs, "openai_chat")


def shown_keys(headers: Mapping[str, str], query: Mapping[str, str]) -> list[bytes]:
    """Return the keys that a client sent, wherever its wire has them."""
    keys = [headers[name] for name in ("x-api-key", "x-goog-api-key", "api-key") if name in headers]
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        keys.append(key)
    shown = [key.encode("latin-1") for key in keys]
    return [*shown, query["key"].encode(errors="replace")] if "key" in query else shown
