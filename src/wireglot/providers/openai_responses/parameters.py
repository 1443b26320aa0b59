"""The parameters of a request <-> the keys of a body that hold neither input nor tools."""

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
from .._thinking import level_like
from .._writing import hashed
from . import wire
from .reading import MessageReader
from .writing import MessageWriter

__all__ = ["UNKNOWN", "ParameterReader", "ParameterWriter"]

UNKNOWN: Final[dict[str, Any]] = {
    "frequency_penalty": 0,
    "metadata": {},
    "presence_penalty": 0,
    "stop": [],
    "top_k": None,
}
"""Parameters that some dialects do not know, with the value that asks for nothing."""

_ENCRYPTED: Final = "reasoning.encrypted_content"
_LOGPROBS: Final = "message.output_text.logprobs"
_LONGEST_USER: Final = 128
_MOST_PAIRS, _LONGEST_KEY, _LONGEST_VALUE = 16, 64, 512
_CHARACTER: Final = re.compile(r"[\s\S]")
_FORCED: Final = frozenset({"required", "tool"})
_ALLOWED_MODES: Final = frozenset({"auto", "required"})
_MODES: Final[dict[str, Any]] = {mode: mode for mode in ("auto", "none", "required")}
_LEVELS: Final = {"none": ThinkingLevel.OFF, **{str(level): level for level in ThinkingLevel}}
_ORDER: Final = list(ThinkingLevel)
_SUMMARIES: Final = frozenset({"auto", "concise", "detailed"})


class ParameterWriter(MessageWriter):
    """Writes what a request asks for beside its input and tools."""

    def parameters(self) -> wire.Body:
        """Return the body without input and tools."""
        request, service = self._request, self._service
        for name, nothing in UNKNOWN.items():
            value = getattr(request, name)
            if name in service.lacks and value is not None and value != nothing:
                self._lose(name, request)
        made = wire.Body(input=[], model=request.model)
        made.stream = True if request.stream else None
        made.max_output_tokens = self._max_tokens()
        made.temperature = self._ranged("temperature", 0.0, 2.0)
        made.top_p = self._ranged("top_p", 0.0, 1.0)
        made.top_k = self._known("top_k")
        made.frequency_penalty = self._finite(self._known("frequency_penalty"), ".frequencyPenalty")
        made.presence_penalty = self._finite(self._known("presence_penalty"), ".presencePenalty")
        made.stop = self._known("stop") or None
        include: list[str] = []
        if request.thinking is not None:
            made.reasoning = self._reasoning(request.thinking)
            if request.thinking.level is not ThinkingLevel.OFF:
                include.append(_ENCRYPTED)
        self._put_logprobs(made, include)
        made.include = include or None
        made.text = self._text_config()
        made.service_tier = self._service_tier()
        setattr(made, service.user, self._user_id())
        made.metadata = self._metadata()
        made.cache_control = self._cache_control()
        self._put_choice(made)
        return made

    def _known(self, name: str) -> Any:
        return None if name in self._service.lacks else getattr(self._request, name)

    def _ranged(self, name: str, least: float, most: float) -> Any:
        """Return a number, brought into its range."""
        asked = getattr(self._request, name)
        if asked is None:
            return None
        self._finite(asked, f".{name}")
        possible = min(max(asked, least), most)
        if possible != asked:
            self._lose(name, self._request)
        return possible

    def _max_tokens(self) -> int | None:
        asked = self._request.max_tokens
        if asked is None or asked >= self._service.least_tokens:
            return asked
        self._lose("max_tokens", self._request)
        return self._service.least_tokens

    def _put_logprobs(self, made: wire.Body, include: list[str]) -> None:
        made.top_logprobs = self._ranged("top_logprobs", 0, self._service.most_logprobs)
        if self._service.logprobs == "logprobs":
            made.logprobs = True if made.top_logprobs else self._request.logprobs
            made.top_logprobs = made.top_logprobs or None
        elif self._request.logprobs:
            include.append(_LOGPROBS)

    def _reasoning(self, asked: Thinking) -> wire.Reasoning | None:
        made = wire.Reasoning()
        if asked.level is ThinkingLevel.OFF:
            made.effort = "none"
            return made
        budget, efforts = asked.budget_tokens, self._service.efforts
        level: ThinkingLevel | None = asked.level
        if budget is not None:
            if self._service.budgets:
                made.max_tokens = budget
                if level is not None:
                    self._lose("thinking level", asked)  # the service takes only one of them
                    level = None
            else:
                self._lose("thinking budget", asked)
                level = level or level_like(budget)
        if level is not None:
            made.effort = efforts.get(level)
            if made.effort is None:
                self._lose("thinking level", asked)
                place = _ORDER.index(level)
                made.effort = efforts[min(efforts, key=lambda e: abs(_ORDER.index(e) - place))]
        if asked.visible:
            made.summary = "auto"
        return made if made != wire.Reasoning() else None

    def _text_config(self) -> wire.Text | None:
        asked = self._request.response_format
        if asked is None:
            return None
        if asked.kind == "text":
            return wire.Text(wire.TextFormat())
        if asked.kind == "json":
            return wire.Text(wire.JsonFormat())
        if asked.schema is None or asked.schema.text[:1] != b"{":
            self._fail("a response format of kind `json_schema` without a schema", asked)
        name = self._plain(asked.name if asked.name is not None else "response", asked)
        return wire.Text(wire.SchemaFormat(name, asked.description, asked.schema, asked.strict))

    def _service_tier(self) -> str | None:
        tier = self._request.service_tier
        if tier is None or tier in self._service.tiers:
            return tier
        self._lose("service_tier", self._request)
        return None

    def _user_id(self) -> str | None:
        user = self._request.user_id
        if user is None or self._service.user != "safety_identifier" or len(user) <= _LONGEST_USER:
            return user
        self._lose("user id", self._request)
        return hashed(user, _CHARACTER, _LONGEST_USER)

    def _metadata(self) -> dict[str, Any] | None:
        pairs = self._known("metadata")
        if not pairs:
            return None
        if len(pairs) <= _MOST_PAIRS and all(
            type(value) is str and len(value) <= _LONGEST_VALUE and len(key) <= _LONGEST_KEY
            for key, value in pairs.items()
        ):
            return dict(pairs)
        self._lose("metadata", self._request)
        return None

    def _cache_control(self) -> wire.CacheControl | None:
        """Return the body's `cache_control`, by which the service marks the last message itself."""
        cache = self._request.cache
        if cache is None:
            return None
        if self._service.cache_control:
            return wire.CacheControl(cache.ttl) if cache.sections().cache_messages else None
        if not cache.enabled or cache.strategy == "disabled":
            self._lose("cache", cache)
        elif cache.ttl == "1h":
            self._lose("cache ttl", cache)
        return None

    # -- tool choice ---------------------------------------------------------------------------

    def _put_choice(self, made: wire.Body) -> None:
        choice = self._request.tool_choice
        tools = self.carried_tools()
        if not tools:
            if choice is not None and choice.mode in _FORCED:
                self._lose("tool choice unused", choice)
            return
        made.parallel_tool_calls = self._request.parallel_tool_calls
        if choice is None:
            return
        if (choice.mode == "tool") is (choice.name is None):
            self._fail(f"a tool choice of mode `{choice.mode}`: name is {choice.name!r}", choice)
        choice = self.chosen(choice)
        known = {tool.name for tool in tools if isinstance(tool, Tool)}
        for name in (choice.name, *(choice.allowed or ())):
            is_known = name in (None, *known) or self.has_lost(name)
            if not is_known and len(known) == len(tools):
                self._fail(f"a tool choice of no tool: `{name}`", choice)
        made.tool_choice = self._choice(choice)

    def _choice(self, choice: ToolChoice) -> str | wire.ToolChoice:
        if choice.name is not None:
            return wire.ToolChoice("function", self._tool_name(choice.name, choice))
        if choice.allowed is None:
            return choice.mode
        if choice.mode not in _ALLOWED_MODES:
            self._lose("tool choice allowed", choice)
            return choice.mode
        allowed = self.allowed(choice)
        if allowed is None:
            return choice.mode
        names = [self._tool_name(name, choice) for name in allowed]
        tools = [wire.NamedTool("function", name) for name in names]
        return wire.ToolChoice("allowed_tools", mode=choice.mode, tools=tools)


class ParameterReader(MessageReader, RequestReader):
    """Reads what a body asks for beside its input and tools."""

    def parameters(self) -> dict[str, Any]:
        """Return the parameters in the body, by field of `Request`."""
        body: wire.Body = self.body.root
        made: dict[str, Any] = {
            "max_tokens": body.max_output_tokens,
            "temperature": body.temperature,
            "top_p": body.top_p,
            "top_k": body.top_k,
            "frequency_penalty": body.frequency_penalty,
            "presence_penalty": body.presence_penalty,
            "stop": [body.stop] if type(body.stop) is str else body.stop or None,
            "logprobs": True if _LOGPROBS in (body.include or ()) else body.logprobs,
            "top_logprobs": body.top_logprobs,
            "thinking": self._thinking_asked(body.reasoning),
            "response_format": self._format(body.text),
            "service_tier": body.service_tier,
            "user_id": body.safety_identifier if body.safety_identifier is not None else body.user,
            "metadata": body.metadata,
            "tool_choice": self._choice(body.tool_choice),
            "parallel_tool_calls": body.parallel_tool_calls,
        }
        if body.user not in (None, made["user_id"]):
            self._unread.add("user")
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

    def _thinking_asked(self, said: wire.Reasoning | None) -> Thinking | None:
        if said is None:
            return None
        made = Thinking(budget_tokens=said.max_tokens)
        if said.effort is not None:
            made.level = _LEVELS.get(said.effort)
            if made.level is None:
                self._unread.add("reasoning")
        if said.enabled is False:
            made.level = ThinkingLevel.OFF
        if said.summary is not None:
            made.visible = True if said.summary in _SUMMARIES else None
            if made.visible is None:
                self._unread.add("reasoning")
        return made if made != Thinking() or said.enabled else None

    def _format(self, text: wire.Text | None) -> ResponseFormat | None:
        said: Any = text.format if text is not None else None
        kind = type(said)
        if kind is wire.TextFormat:
            return ResponseFormat("text")
        if kind is wire.JsonFormat:
            return ResponseFormat("json")
        if kind is Raw:
            self._unread.add("text")
        if kind is not wire.SchemaFormat:
            return None
        return ResponseFormat("json_schema", said.schema, said.name, said.description, said.strict)

    def _choice(self, choice: str | wire.ToolChoice | None) -> ToolChoice | None:
        if choice is None:
            return None
        if isinstance(choice, str):
            mode = _MODES.get(choice)
            if mode is None:
                self._unread.add("tool_choice")
            return ToolChoice(mode) if mode is not None else None
        if choice.type in ("function", "custom") and choice.name is not None:
            return ToolChoice("tool", choice.name)
        if choice.type == "allowed_tools" and choice.mode in _ALLOWED_MODES:
            names = [tool.name for tool in choice.tools or () if tool.name is not None]
            if names and len(names) == len(choice.tools or ()):
                return ToolChoice(_MODES[choice.mode], allowed=names)
        self._unread.add("tool_choice")
        return None
