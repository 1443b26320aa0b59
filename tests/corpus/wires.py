"""A recorded exchange -> the provider and dialect of its request, or why it has none.

The URL's path decides if it says enough; else the name under which the exchange was recorded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

__all__ = ["other_endpoint", "other_wire", "path_of", "reason_to_skip", "spoken"]

_OTHER_ENDPOINTS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), reason)
    for pattern, reason in (
        (r"/threads/", "the Assistants API, whose messages are records, not a conversation"),
        (r"/conversations|/agents/", "an API that keeps the conversation itself"),
        (r"/api/generate$", "a text completion, which continues a string"),
        (r"/v1/chat$", "Cohere's first version, another wire"),
        (r"/responses/compact", "the compaction of a conversation"),
        (r"count_?tokens|/input_tokens|/tokenize", "the counting of tokens"),
        (r"/embed[^/]*$|:\w*embed\w*$", "embeddings"),
        (r"batch", "a batch of requests"),
        (r"/models(/[^/:]+)?$", "a list of models"),
        (r"/(images|audio|moderations|rerank|files|fim)/|:predict$", "another kind of model"),
    )
)
_BY_PATH: Final = (
    (re.compile(r":(rawPredict|streamRawPredict)$"), "anthropic", "vertex"),
    (re.compile(r"/model/[^/]+/invoke(-with-response-stream)?$"), "anthropic", "bedrock"),
    (re.compile(r"/publishers/google/"), "gemini", "vertex"),
)
_BY_NAME: Final = {
    "anthropic": ("anthropic", "anthropic"),
    "anthropic_compat": ("anthropic", "anthropic"),
    "bedrock": ("bedrock", "bedrock"),
    "bedrock_invoke_anthropic": ("anthropic", "bedrock"),
    "cohere": ("cohere", "cohere"),
    "gemini": ("gemini", "gemini"),
    "mistral": ("mistral", "mistral"),
    "ollama": ("ollama", "ollama"),
    "vertex": ("gemini", "vertex"),
    "vertex_anthropic": ("anthropic", "vertex"),
}
_SERVERS: Final = {
    "azure": "azure",
    "compat_127": "llamacpp",
    "compat_alibaba": "qwen",
    "compat_dashscope_intl": "qwen",
    "compat_dashscope_us": "qwen",
    "compat_llamacpp": "llamacpp",
    "compat_ollama": "ollama",
    "compat_vllm": "vllm",
    "compat_z": "zai",
    "compat_zai": "zai",
    "deepseek": "deepseek",
    "groq": "groq",
    "openai": "openai",
    "openrouter": "openrouter",
    "xai": "xai",
}
"""The service behind an OpenAI wire -> the dialect."""


_OTHER_WIRES: Final = {
    "batch_": "a file of a batch, whose lines have bodies",
    "gemini_interactions": "Gemini's Interactions API, another wire",
}
"""How names of recorded wires begin -> why their bodies are of none of the wires here."""
_CUT = 160


def path_of(url: str | None) -> str | None:
    """Return the path of a URL, None if the name of a fixture was recorded instead.

    The recordings cut a URL after 160 characters: the rest of the path is not known.
    """
    if url is not None and len(url) == _CUT:
        return None
    found = re.match(r"(?:\w+://[^/?#]*|<\w+>)(/[^?#]*)", url or "")
    return found[1] if found is not None else None


def other_endpoint(path: str | None) -> str | None:
    """Return what a path leads to, if that is not a conversation."""
    return next((why for pattern, why in _OTHER_ENDPOINTS if pattern.search(path or "")), None)


def other_wire(wire: str) -> str | None:
    """Return what was recorded under a name, if that is none of the wires here."""
    return next((why for start, why in _OTHER_WIRES.items() if wire.startswith(start)), None)


def reason_to_skip(body: Any, path: str | None) -> str | None:
    """Return why a parsed body is not a request of a conversation, None if it is one."""
    if (reason := other_endpoint(path)) is not None:
        return reason
    if not isinstance(body, dict):
        return "no JSON object"
    if "messages" not in body and "prompt" in body and not isinstance(body["prompt"], dict):
        return "a text completion, which continues a string"
    return None


def spoken(wire: str, path: str | None, dialects: Mapping[str, tuple[str, ...]]) -> tuple[str, str]:
    """Return the provider and the dialect; for unknown servers `generic`, or else the default."""
    provider, dialect = _spoken(wire, unquote(path or ""))
    known = dialects[provider]
    own = (one for one in (dialect, "generic") if one in known)
    return provider, next(own, known[0])


def _spoken(wire: str, path: str) -> tuple[str, str]:
    for pattern, provider, dialect in _BY_PATH:
        if pattern.search(path):
            return provider, dialect
    if wire in _BY_NAME:
        return _BY_NAME[wire]
    server = re.sub(r"_(chat|responses)$", "", wire)
    answers = path.endswith("/responses") or (wire.endswith("responses") and "/chat/" not in path)
    return "openai_responses" if answers else "openai_chat", _SERVERS.get(server, "generic")
