"""A cell of the table: a client, a provider, a scenario, and what is expected to come of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.agents.provider import Cell
from tests.agents.script import ANSWERS, SCENARIOS
from tests.agents.table import WORKS
from tests.agents.wires import WIRES

__all__ = [
    "CELLS",
    "CLIENTS",
    "FRAMEWORKS",
    "FRAMEWORK_CELLS",
    "QUICK",
    "READERS",
    "READER_CELLS",
    "Client",
    "Framework",
    "Reader",
    "outcome",
    "worked",
]


class Client(NamedTuple):
    """A client: its name in the table, its package, its wire, and its error for 429.

    `waits` is whether its error tells `retry-after`. `keeps` are the providers whose thinking goes
    back to them behind a call.
    """

    title: str
    package: str
    wire: str
    limit: str
    keeps: str
    waits: bool = True


_PLAIN = "mistral cohere ollama"  # whose thinking has no signature
_CLAUDE = "anthropic bedrock"
CLIENTS = {
    "openai_chat": Client(
        "openai, Chat Completions", "openai", "openai_chat", "RateLimitError", ""
    ),
    "openai_responses": Client(
        "openai, Responses",
        "openai",
        "openai_responses",
        "RateLimitError",
        f"openai_responses {_CLAUDE} {_PLAIN}",
    ),
    "anthropic": Client(
        "@anthropic-ai/sdk",
        "@anthropic-ai/sdk",
        "anthropic",
        "RateLimitError",
        f"{_CLAUDE} {_PLAIN}",
    ),
    "genai": Client(
        "@google/genai", "@google/genai", "gemini", "ApiError", f"gemini {_PLAIN}", waits=False
    ),
    "aws": Client(
        "@aws-sdk/client-bedrock-runtime",
        "@aws-sdk/client-bedrock-runtime",
        "bedrock",
        "ThrottlingException",
        f"{_CLAUDE} {_PLAIN}",
    ),
    "mistral": Client(
        "@mistralai/mistralai", "@mistralai/mistralai", "mistral", "SDKError", _PLAIN
    ),
    "cohere": Client("cohere-ai", "cohere-ai", "cohere", "TooManyRequestsError", _PLAIN),
    "ollama": Client("ollama", "ollama", "ollama", "ResponseError", _PLAIN, waits=False),
    "vercel_chat": Client(
        "ai, @ai-sdk/openai (chat)", "@ai-sdk/openai", "openai_chat", "APICallError", ""
    ),
    "vercel_responses": Client(
        "ai, @ai-sdk/openai (responses)",
        "@ai-sdk/openai",
        "openai_responses",
        "APICallError",
        f"openai_responses {_CLAUDE}",
    ),
    "vercel_anthropic": Client(
        "ai, @ai-sdk/anthropic", "@ai-sdk/anthropic", "anthropic", "APICallError", _CLAUDE
    ),
    "vercel_google": Client(
        "ai, @ai-sdk/google", "@ai-sdk/google", "gemini", "APICallError", f"gemini {_PLAIN}"
    ),
}
CELLS = [
    (client, provider, scenario)
    for client in CLIENTS
    for provider in WIRES
    for scenario in SCENARIOS
]


class Reader(NamedTuple):
    """A reader of `readers.py`: how it reads, and whose clients read so."""

    title: str
    like: str


READERS = {
    "anthropic_reader": Reader("Anthropic, one block at a time", "strands-agents, autogen-ext"),
    "bedrock_reader": Reader("Bedrock, one block at a time", "strands-agents, agno"),
    "cohere_reader": Reader("Cohere, one call at a time", "agno, langchain-cohere"),
    "responses_reader": Reader("Responses, one item at a time", "agno, pi"),
    "mistral_reader": Reader("Mistral, calls by their place in a chunk", "pydantic-ai"),
    "chat_reader": Reader("Chat, calls by their place in a list", "agno"),
    "ollama_reader": Reader("Ollama, results in order, durations used", "strands-agents"),
}
READER_CELLS = [(reader, provider, "tools") for reader in READERS for provider in WIRES]


class Framework(NamedTuple):
    """A framework with one of its clients: its name, its package, and its module here.

    `mutes` are the providers whose text beside a call it does not keep, and `moves` those that see
    this text behind the call.
    """

    title: str
    package: str
    module: str
    mutes: str = ""
    moves: str = ""


_ALL = " ".join(WIRES)
FRAMEWORKS = {
    "strands_anthropic": Framework("Strands, `AnthropicModel`", "strands-agents", "strands"),
    "strands_bedrock": Framework("Strands, `BedrockModel`", "strands-agents", "strands"),
    "strands_gemini": Framework("Strands, `GeminiModel`", "strands-agents", "strands"),
    "strands_mistral": Framework("Strands, `MistralModel`", "strands-agents", "strands"),
    "strands_ollama": Framework(
        "Strands, `OllamaModel`",
        "strands-agents",
        "strands",
        moves="anthropic openai_responses gemini bedrock",  # whose blocks have an order
    ),
    "agno_responses": Framework("Agno, `OpenAIResponses`", "agno", "agno", _ALL),
    "agno_bedrock": Framework("Agno, `AwsBedrock`", "agno", "agno", _ALL),
    "agno_cohere": Framework("Agno, `Cohere`", "agno", "agno", "cohere"),
    "agno_mistral": Framework("Agno, `MistralChat`", "agno", "agno"),
    "autogen_anthropic": Framework(
        "AutoGen, `AnthropicChatCompletionClient`", "autogen-ext", "autogen"
    ),
    "pydantic_ai_mistral": Framework(
        "Pydantic AI, `MistralModel`", "pydantic-ai-slim", "pydantic_ai"
    ),
    "pydantic_ai_bedrock": Framework(
        "Pydantic AI, `BedrockConverseModel`", "pydantic-ai-slim", "pydantic_ai"
    ),
    "langchain_cohere": Framework("LangChain, `ChatCohere`", "langchain-cohere", "langchain"),
    "llm_ollama": Framework("llm, `llm-ollama`", "llm-ollama", "llm"),
}
FRAMEWORK_CELLS = [(name, provider, "tools") for name in FRAMEWORKS for provider in WIRES]
QUICK = ("openai_chat", "mistral", "ollama")
"""The providers that each change is tried with: their calls end late, come at once, have no ids."""

_NO_THINKING_TOLD = "Chat Completions tells nothing of its thinking"
_NO_PLACE = "Chat Completions has no place for thinking"
_UNSIGNED = "the AI SDK shows it, and leaves out what has no signature"
_OTHER_SIGNATURE = "shown; its signature has no place on the client's wire"
_NO_RETRY = "the SDK does not try again"
_NO_OVERFLOW = "the SDK knows no such error; it shows the provider's words"
_OWN_ERROR = "the SDK reports an event that it cannot read, not its words"


def outcome(client: str, provider: str, scenario: str, cell: Cell, seen: Any) -> str:
    """Return `WORKS`, or whose limit it is. Raises AssertionError if it is wireglot's."""
    if cell.refused and scenario not in ("429", "retry", "overflow"):
        raise AssertionError(f"the provider refuses: {cell.refused}")
    if scenario in _FAILING:
        assert seen["error"] is not None, f"no error: {seen}"
        return _FAILING[scenario](CLIENTS[client], provider, cell, seen["error"])
    if scenario == "retry" and client == "ollama":
        assert seen["error"]["status"] == 429
        return _NO_RETRY
    assert seen["error"] is None, seen["error"]
    assert not cell.moved
    assert not cell.mute
    _check_answers(scenario, seen)
    assert cell.attempts == len(seen["turns"]) + (scenario == "retry")
    if scenario != "whole":
        last = ANSWERS[scenario][-1]
        assert seen["pieces"] > 1 or not last.text, "the stream came in one piece"
    return _reasoned(client, provider, cell, seen) if scenario == "reasoning" else WORKS


_MUTE = "the framework does not keep what was said beside a call"
_MOVED = "the framework keeps what was said before a call behind it"


def worked(framework: str, provider: str, cell: Cell, seen: Any) -> str:
    """Return `WORKS`, or whose limit it is. Raises AssertionError if it is wireglot's."""
    assert cell.refused == [], cell.refused
    assert seen["error"] is None, seen["error"]
    asked = [request.model for request in cell.requests]
    assert asked == [WIRES[provider].MODEL] * 3, asked
    expected = [[*call] for answer in ANSWERS["tools"] for call in answer.calls]
    # Some run parallel calls in threads.
    assert sorted(seen["calls"], key=str) == sorted(expected, key=str), seen["calls"]
    assert ANSWERS["tools"][-1].text in seen["said"], seen["said"]
    known = FRAMEWORKS[framework]
    assert cell.mute == (provider in known.mutes.split())
    assert cell.moved == (provider in known.moves.split())
    return _MUTE if cell.mute else _MOVED if cell.moved else WORKS


def _check_answers(scenario: str, seen: Any) -> None:
    assert len(seen["turns"]) == len(ANSWERS[scenario])
    for turn, answer in zip(seen["turns"], ANSWERS[scenario], strict=True):
        assert turn["text"] == answer.text
        calls = [(call["name"], call["arguments"]) for call in turn["calls"]]
        assert calls == [*answer.calls]
        ids = [call.get("id") for call in turn["calls"]]
        assert len({*ids}) == len(ids) or None in ids


def _reasoned(client: str, provider: str, cell: Cell, seen: Any) -> str:
    shown = seen["turns"][0]["thinking"]
    told = ANSWERS["reasoning"][0].thinking
    kept = cell.sealed if provider in _SEALS else cell.thoughts
    assert kept == (provider in CLIENTS[client].keeps.split())
    if provider == "openai_chat" or CLIENTS[client].wire == "openai_chat":
        assert shown == ""
        return _NO_THINKING_TOLD if provider == "openai_chat" else _NO_PLACE
    assert shown == told
    if kept:
        return WORKS
    return _OTHER_SIGNATURE if provider in _SEALS else _UNSIGNED


_SEALS = ("anthropic", "bedrock", "gemini", "openai_responses")


def _limited(client: Client, provider: str, cell: Cell, error: Any) -> str:
    assert (error["type"], error["status"], cell.attempts) == (client.limit, 429, 1)
    assert _says(error, WIRES[provider].LIMIT)
    assert error["retryAfter"] == ("1" if client.waits else None)
    return WORKS


# How the clients of a wire know that a prompt was too long: by a code, or by words.
_OVERFLOW = {
    "anthropic": ("prompt is too long",),
    "openai_chat": ("context_length_exceeded",),
    "openai_responses": ("context_length_exceeded",),
    "gemini": ("exceeds the maximum number of tokens allowed",),
    "bedrock": ("Input is too long for requested model", "Input Tokens Exceeded"),
    "cohere": ("too many tokens",),
}


def _overflowed(client: Client, provider: str, cell: Cell, error: Any) -> str:
    assert error["status"] == 400
    words = _OVERFLOW.get(client.wire)
    if words is None:
        assert _says(error, WIRES[provider].OVERFLOW)
        return _NO_OVERFLOW
    said = f"{error['code']} {error['message']}"
    # An API that speaks for itself uses the words that it has today.
    assert provider == client.wire or any(word in said for word in words), said
    return WORKS


def _broken(client: Client, provider: str, cell: Cell, error: Any) -> str:
    if client.package == "@mistralai/mistralai":
        assert error["type"] == "ZodError"
        return _OWN_ERROR
    assert _says(error, WIRES[provider].BROKEN), error
    return WORKS


def _cut(client: Client, provider: str, cell: Cell, error: Any) -> str:
    return WORKS


def _left(client: Client, provider: str, cell: Cell, error: Any) -> str:
    assert cell.left.wait(20), "the provider's request was not cancelled"
    return WORKS


_FAILING = {
    "429": _limited,
    "overflow": _overflowed,
    "error": _broken,
    "cut": _cut,
    "abort": _left,
}


def _says(error: Any, words: str) -> bool:
    """Whether an error shows a provider's words; some show the body, with its escapes."""
    return words in error["message"].replace("\\'", "'")
