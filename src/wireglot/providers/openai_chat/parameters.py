"""The parameters of a request <-> the keys of a body that hold neither messages nor tools."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import Raw

from ...model import (
    CacheConfig,
    CacheSections,
    ManualCache,
    ResponseFormat,
    Thinking,
    ThinkingLevel,
    Tool,
    ToolChoice,
)
from .._reading import RequestReader
from .._writing import hashed
from . import wire
from .reading import MessageReader
from .thinking import put_thinking, thinking_of
from .writing import MessageWriter

__all__ = ["UNKNOWN", "ParameterReader", "ParameterWriter"]

UNKNOWN: Final[dict[str, Any]] = {
    "candidates": 1,
    "frequency_penalty": 0,
    "logprobs": False,
    "metadata": {},
    "parallel_tool_calls": True,
    "presence_penalty": 0,
    "seed": None,
    "top_k": None,
    "top_logprobs": 0,
}
"""Parameters that some dialects do not know, with the value that asks for nothing."""

_MOST_STOPS: Final = 4
_LONGEST_USER: Final = 128
_MOST_PAIRS, _LONGEST_KEY, _LONGEST_VALUE = 16, 64, 512
_CHARACTER: Final = re.compile(r"[\s\S]")
_FORCED: Final = frozenset({"required", "tool"})
_MODES: Final[dict[str, Any]] = {
    "auto": "auto",
    "none": "none",
    "required": "required",
    "any": "required",
}
_ALLOWED_MODES: Final = frozenset({"auto", "required"})


class ParameterWriter(MessageWriter):
    """Writes what a request asks for beside its messages and tools."""

    def parameters(self) -> wire.Body:
        """Return the body without messages and tools."""
        request, service = self._request, self._service
        for name, nothing in UNKNOWN.items():
            value = getattr(request, name)
            if name in service.lacks and value is not None and value != nothing:
                self._lose(name, request)
        made = wire.Body(messages=[], model=request.model)
        if request.stream:
            made.stream = True
            made.stream_options = wire.StreamOptions(True) if service.stream_usage else None
        setattr(made, service.limit, request.max_tokens)
        setattr(made, service.user, self._user_id())
        made.n = self._known("candidates")
        made.temperature = self._ranged("temperature", 0.0, 2.0)
        made.top_p = self._ranged("top_p", 0.0, 1.0)
        made.top_k = self._known("top_k")
        made.frequency_penalty = self._ranged("frequency_penalty", -2.0, 2.0)
        made.presence_penalty = self._ranged("presence_penalty", -2.0, 2.0)
        made.seed = self._known("seed")
        made.stop = self._stops()
        made.logprobs = self._known("logprobs")
        made.top_logprobs = self._ranged("top_logprobs", 0, 20) or None
        if made.top_logprobs is not None:
            made.logprobs = True
        made.response_format = self._response_format()
        made.service_tier = self._service_tier()
        made.metadata = self._metadata()
        made.cache_control = self._cache_control()
        self._put_choice(made)
        if request.thinking is not None:
            put_thinking(self._thinking_asked(request.thinking), service, made, self._lose)
        return made

    def _known(self, name: str) -> Any:
        return None if name in self._service.lacks else getattr(self._request, name)

    def _ranged(self, name: str, least: float, most: float) -> Any:
        """Return a number, brought into its range."""
        asked = self._known(name)
        if asked is None:
            return None
        self._finite(asked, f".{name}")
        possible = min(max(asked, least), most)
        if possible != asked:
            self._lose(name, self._request)
        return possible

    def _stops(self) -> list[str] | None:
        stops = self._request.stop or None
        if stops is not None and len(stops) > _MOST_STOPS:
            self._lose("stop", self._request)
            return stops[:_MOST_STOPS]
        return stops

    def _user_id(self) -> str | None:
        user = self._request.user_id
        if user is None or self._service.user != "safety_identifier" or len(user) <= _LONGEST_USER:
            return user
        self._lose("user id", self._request)
        return hashed(user, _CHARACTER, _LONGEST_USER)

    def _service_tier(self) -> str | None:
        tier = self._request.service_tier
        if tier is None or tier in self._service.tiers:
            return tier
        self._lose("service_tier", self._request)
        return None

    def _metadata(self) -> dict[str, Any] | None:
        pairs = self._known("metadata")
        if not pairs:
            return None
        is_taken = len(pairs) <= _MOST_PAIRS and all(
            type(value) is str and len(value) <= _LONGEST_VALUE and len(key) <= _LONGEST_KEY
            for key, value in pairs.items()
        )
        if is_taken and (not self._service.stores_metadata or self._is_stored()):
            return dict(pairs)
        self._lose("metadata", self._request)
        return None

    def _is_stored(self) -> bool:
        extra = (self._request.extras or {}).get(self.API)
        return extra is not None and extra.keys.value.get("store") is True

    def _cache_control(self) -> wire.CacheControl | None:
        """Return the body's `cache_control`, by which the service marks the last message itself."""
        cache = self._request.cache
        if cache is None:
            return None
        if self._service.cache == "cache_control":
            is_on = cache.sections().cache_messages
            return wire.CacheControl(cache.ttl) if is_on else None
        if not cache.enabled or cache.strategy == "disabled":
            self._lose("cache", cache)
        elif cache.ttl == "1h":
            self._lose("cache ttl", cache)
        return None

    def _response_format(self) -> Any:
        asked = self._request.response_format
        if asked is None:
            return None
        if asked.kind == "text":
            return wire.TextFormat()
        if asked.kind == "json":
            return wire.JsonFormat()
        if not self._service.schemas:
            self._lose("json schema", asked)
            return wire.JsonFormat()
        name = asked.name if asked.name is not None else "response"
        return wire.SchemaFormat(
            wire.JsonSchema(self._plain(name, asked), asked.description, asked.schema, asked.strict)
        )

    # -- tool choice ---------------------------------------------------------------------------

    def _put_choice(self, made: wire.Body) -> None:
        choice = self._request.tool_choice
        tools = self.carried_tools()
        if not tools:
            if choice is not None and choice.mode in _FORCED:
                self._lose("tool choice unused", choice)
            return
        made.parallel_tool_calls = self._known("parallel_tool_calls")
        if choice is None:
            return
        if (choice.mode == "tool") is (choice.name is None):
            self._fail(f"a tool choice of mode `{choice.mode}`: name is {choice.name!r}", choice)
        choice = self.chosen(choice)
        known = {tool.name for tool in tools if isinstance(tool, Tool)}
        if choice.name not in (None, *known) and len(known) == len(tools):
            self._fail(f"a tool choice of no tool: `{choice.name}`", choice, ".name")
        if self.has_functions():
            made.function_call = self._function_call(choice)
        else:
            made.tool_choice = self._choice(choice, len(tools) == 1)

    def has_functions(self) -> bool:
        """Whether the tools came as the deprecated `functions`."""
        tools = self.carried_tools()
        return bool(tools) and all(self._shape(tool)[0] == "functions" for tool in tools)

    def _function_call(self, choice: ToolChoice) -> str | wire.Name | None:
        if choice.name is not None:
            return wire.Name(self._tool_name(choice.name, choice))
        if choice.allowed is not None:
            self._lose("tool choice allowed", choice)
        if choice.mode == "required":
            self._lose("tool choice", choice)
            return None
        return choice.mode

    def _choice(self, choice: ToolChoice, is_only: bool) -> Any:
        choices = self._service.choices
        mode = choice.mode
        if mode not in choices:
            nearest = "required" if mode == "tool" and "required" in choices else None
            if nearest is None or not is_only:
                self._lose("tool choice", choice)
            return nearest
        if choice.name is not None:
            return wire.ToolChoice("function", wire.Name(self._tool_name(choice.name, choice)))
        if choice.allowed is None:
            return mode
        if "allowed" not in choices or mode not in _ALLOWED_MODES:
            self._lose("tool choice allowed", choice)
            return mode
        allowed = self.allowed(choice)
        if allowed is None:
            return mode
        names = [wire.Name(self._tool_name(name, choice)) for name in allowed]
        tools = [wire.NamedTool("function", name) for name in names]
        return wire.ToolChoice("allowed_tools", allowed_tools=wire.AllowedTools(mode, tools))

    def _thinking_asked(self, thinking: Thinking) -> Thinking:
        """Return the thinking to ask for: off, if a call is forced and the service refuses both."""
        choice = self._request.tool_choice
        is_forced = choice is not None and choice.mode in _FORCED and bool(self.carried_tools())
        if choice is not None and self.has_lost(choice.name):
            is_forced = False
        if is_forced and not self._service.forced_while_thinking:
            if thinking.level is not ThinkingLevel.OFF:
                self._lose("thinking forced", thinking)
            return Thinking(ThinkingLevel.OFF)
        return thinking


class ParameterReader(MessageReader, RequestReader):
    """Reads what a body asks for beside its messages and tools."""

    def parameters(self) -> dict[str, Any]:
        """Return the parameters in the body, by field of `Request`."""
        body: wire.Body = self.body.root
        made: dict[str, Any] = {
            "max_tokens": self._first(body, "max_completion_tokens", "max_tokens"),
            "user_id": self._first(body, "safety_identifier", "user", "user_id"),
            "candidates": body.n,
            "temperature": body.temperature,
            "top_p": body.top_p,
            "top_k": body.top_k,
            "frequency_penalty": body.frequency_penalty,
            "presence_penalty": body.presence_penalty,
            "seed": body.seed,
            "stop": [body.stop] if type(body.stop) is str else body.stop or None,
            "logprobs": body.logprobs,
            "top_logprobs": body.top_logprobs,
            "response_format": self._format(body.response_format),
            "service_tier": body.service_tier,
            "metadata": body.metadata,
            "thinking": thinking_of(body, self._unread),
            "tool_choice": self._choice(body),
            "parallel_tool_calls": body.parallel_tool_calls,
        }
        if body.model is not None:
            made["model"] = body.model
        if body.stream is not None:
            made["stream"] = body.stream
        if body.cache_control is not None:
            sections = CacheSections(False, False, True)
            ttl: Any = body.cache_control.ttl
            made["cache"] = CacheConfig(strategy=ManualCache(sections), ttl=ttl)
            if ttl not in (None, "5m", "1h"):
                made["cache"].ttl = None
                self._unread.add("cache_control")
        return made

    def _first(self, body: wire.Body, *keys: str) -> Any:
        """Return the value of the first key that is set; a later key that differs is unread."""
        found = None
        for key in keys:
            value = getattr(body, key)
            if found is None:
                found = value
            elif value not in (None, found):
                self._unread.add(key)
        return found

    def _format(self, form: Any) -> ResponseFormat | None:
        kind = type(form)
        if kind is wire.TextFormat:
            return ResponseFormat("text")
        if kind is wire.JsonFormat:
            return ResponseFormat("json")
        if kind is Raw:
            self._unread.add("response_format")
        if kind is not wire.SchemaFormat:
            return None
        said = form.json_schema
        made = ResponseFormat("json_schema", said.schema, said.name, said.description, said.strict)
        return made

    def _choice(self, body: wire.Body) -> ToolChoice | None:
        choice = body.tool_choice
        if choice is None:
            return self._function_choice(body.function_call)
        if isinstance(choice, str):
            mode = _MODES.get(choice)
            if mode is None:
                self._unread.add("tool_choice")
            return ToolChoice(mode) if mode is not None else None
        named = choice.function or choice.custom
        if named is not None:
            return ToolChoice("tool", named.name)
        if choice.allowed_tools is not None and choice.allowed_tools.mode in _ALLOWED_MODES:
            tools = [tool.function or tool.custom for tool in choice.allowed_tools.tools]
            names = [tool.name for tool in tools if tool is not None]
            if len(names) == len(tools):
                mode = _MODES[choice.allowed_tools.mode]
                return ToolChoice(mode, allowed=names)
        self._unread.add("tool_choice")
        return None

    def _function_choice(self, choice: str | wire.Name | None) -> ToolChoice | None:
        if isinstance(choice, wire.Name):
            return ToolChoice("tool", choice.name)
        if choice is None:
            return None
        mode = _MODES.get(choice)
        if mode is None:
            self._unread.add("function_call")
        return ToolChoice(mode) if mode is not None else None
