"""The rows -> the tables of docs/refusals.md, with a heading for each API."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.api_names import API_NAMES
from tests.refusals import ROWS, Refusal
from tests.refusals.hosts import HOSTS

__all__ = ["PAGE", "with_tables"]

PAGE = Path(__file__).parents[2] / "docs" / "refusals.md"
_BEGIN, _END = "<!-- rows -->", "<!-- /rows -->"
_OPENAIS = frozenset({"openai", "azure"})
_HOST_NAMES = {
    "azure": "Azure",
    "bedrock": "InvokeModel",
    "deepseek": "DeepSeek",
    "gemini": "the Gemini API",
    "groq": "Groq",
    "openrouter": "OpenRouter",
    "qwen": "Qwen",
    "vertex": "Vertex AI",
    "xai": "xAI",
    "zai": "Z.AI",
}
"""Those that are not here are dialects that no one service has, and are written as code."""


def _is_of_openai(row: Refusal) -> bool:
    return row.wire in ("openai_chat", "openai_responses") and bool(
        row.hosts and row.hosts <= _OPENAIS
    )


def _wire(*names: str) -> Callable[[Refusal], bool]:
    return lambda row: row.wire in names and not _is_of_openai(row)


_HEADINGS: dict[str, Callable[[Refusal], bool]] = {
    "OpenAI and Azure": _is_of_openai,
    "Other services of Chat Completions and Responses": _wire("openai_chat", "openai_responses"),
    "Anthropic": _wire("anthropic"),
    "Gemini": _wire("gemini"),
    "Bedrock": _wire("bedrock"),
    "Mistral, Cohere and Ollama": _wire("mistral", "cohere", "ollama"),
}


def with_tables(page: str) -> str:
    """Return the page with the tables that the rows make now."""
    before, begun, rest = page.partition(_BEGIN)
    _, ended, after = rest.partition(_END)
    if not (begun and ended):
        raise ValueError(f"the page has no {_BEGIN} and {_END}")
    made = "\n\n".join(_table(heading, concerns) for heading, concerns in _HEADINGS.items())
    return f"{before}{_BEGIN}\n\n{made}\n\n{_END}{after}"


def _table(heading: str, concerns: Callable[[Refusal], bool]) -> str:
    """Return a line for each row; rows that differ only in their wire share one."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for row in ROWS:
        if concerns(row):
            rest = (row.models.text, _said(row.says), row.sent, row.source)
            lines.setdefault(rest, []).append(_api(row))
    joined = [
        " | ".join(cell.replace("|", "\\|") for cell in (", ".join(dict.fromkeys(apis)), *rest))
        for rest, apis in lines.items()
    ]
    head = "| API | models | the error of the API | what wireglot sends instead | source |"
    dashes = "| --- | --- | --- | --- | --- |"
    return "\n".join([f"### {heading}", "", head, dashes, *(f"| {line} |" for line in joined)])


def _api(row: Refusal) -> str:
    name = API_NAMES[row.wire]
    if not row.hosts or row.hosts in (_OPENAIS, frozenset(HOSTS[row.wire])):
        return name
    hosts = [host for host in HOSTS[row.wire] if host in row.hosts]
    return f"{name} at {', '.join(_HOST_NAMES.get(host, f'`{host}`') for host in hosts)}"


def _said(says: str) -> str:
    """Return the words of the API as code, and ours as they are."""
    if says.startswith("refuses "):
        return says
    return f"`` {says} ``" if "`" in says else f"`{says}`"
