"""Who serves Anthropic Messages, and what of it they do not have.

A file of its own, as it is data that requests and blocks look into alike. Sources: the pages
build-with-claude/overview, claude-on-vertex-ai and claude-on-amazon-bedrock-legacy of
platform.claude.com, which list what each host has and has not, October 2026; for keys that they do
not name, what the hosts have answered: BerriAI/litellm#22321 and NVIDIA/OpenShell#2444 (Vertex
edits contexts only with a beta), braintrustdata/lingua#349 (Bedrock likewise),
anthropics/claude-code#82539 (`diagnostics`), BerriAI/litellm#23825 (`eager_input_streaming`),
pydantic/pydantic-ai#3615 (`ttl`, at Claude 3.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...model import Request, Tool
from .._state.hosts import Host

DIALECTS: Final = ("anthropic", "vertex", "bedrock")
"""Who serves the wire: Anthropic, Google's Vertex AI, or AWS Bedrock's InvokeModel."""

_BETAS: Final = "anthropic_beta"
_CALLERS: Final = frozenset({"allowed_callers"})  # code that Anthropic runs
_OWN: Final = frozenset(
    {
        "container",
        "diagnostics",
        "fallbacks",
        "inference_geo",
        "mcp_servers",
        "speed",
    }
)
"""Keys of what Anthropic runs, keeps or chooses itself."""
_BEHIND_BETAS: Final = {"context_management": ("context-management-", "compact-")}
_TOOLS: Final = ("advisor_", "code_execution_", "mcp_toolset", "web_fetch_")
_BLOCKS: Final = frozenset(
    {
        "advisor_tool_result",
        "container_upload",
        "mcp_tool_listing",
        "mcp_tool_result",
        "mcp_tool_use",
    }
)
_CALLS: Final = frozenset({"advisor"})

HOSTS: Final[Mapping[str, Host]] = {
    # Anthropic's own API has a header for betas.
    "anthropic": Host(keys={Request: frozenset({_BETAS})}),
    "vertex": Host(
        keys={Request: _OWN, Tool: _CALLERS},
        betas=_BEHIND_BETAS,
        named_in=_BETAS,
        tools=(*_TOOLS, "web_search_2026"),  # the basic search, of 2025, alone
        blocks=_BLOCKS,
        calls=_CALLS,
        fetches=False,
        stores=False,
    ),
    "bedrock": Host(
        keys={Request: _OWN, Tool: _CALLERS | {"eager_input_streaming"}},
        betas=_BEHIND_BETAS,
        named_in=_BETAS,
        tools=(*_TOOLS, "browser_toolset_", "computer_toolset_", "web_search_"),
        blocks=_BLOCKS,
        calls=_CALLS,
        fetches=False,
        stores=False,
        untimed=r"claude-(?:3|(?:opus|sonnet)-4(?:-[01](?!\d)|-20\d|@|$))",
        caches=False,
    ),
}
