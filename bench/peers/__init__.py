"""The libraries that ours is compared with, one module each; their jobs are in `bench.jobs`.

A module names what it needs (`REQUIREMENTS`, pinned), what a program imports before its first
request (`IMPORT`), and what it can do: `NATIVE`, `TYPED` by wire, `TRANSLATE` by pair of wires,
`EVENTS`, `CHUNKS`. A module that lacks one of these has no number there. `FLOOR` names the jobs in
which it does less than the job asks for: there it is a lower bound, not a competitor.
"""

from __future__ import annotations

__all__ = ["FLOORS", "LIBRARIES", "LIGHT", "PEERS"]

LIBRARIES = {
    "litellm": "LiteLLM",
    "pydantic_ai": "Pydantic AI",
    "langchain": "LangChain",
    "llm_rosetta": "LLM-Rosetta",
    "lm15": "lm15",
    "any_llm": "any-llm",
    "sdks": "the SDKs' own models",
}
FLOORS = {
    "pydantic_models": "pydantic models",
    "dataclass_json": "dataclasses, json",
    "stdlib_json": "dicts, json",
    "orjson_dicts": "dicts, orjson",
    "msgspec_structs": "msgspec, prebuilt Structs",
    "memcpy": "memcpy",
}
PEERS = LIBRARIES | FLOORS
LIGHT = tuple(FLOORS)  # these need no environment of their own in a smoke run
