"""The parameters of a request <-> those of Anthropic Messages: all but messages and tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from ...model import (
    CacheConfig,
    CacheSections,
    ManualCache,
    ResponseFormat,
    Thinking,
    ThinkingLevel,
    ToolChoice,
)
from .._claude import SMALLEST_BUDGET, closed, fitting, refuses
from .._reading import RequestReader
from .._turns import is_thoughtless
from . import wire
from .reading import MessageReader
from .writing import MessageWriter

__all__ = [
    "DEFAULT_MAX_TOKENS",
    "NO_CACHE",
    "VERSIONS_IN_BODY",
    "ParameterReader",
    "ParameterWriter",
]

DEFAULT_MAX_TOKENS: Final = 8192
"""`max_tokens` where the request sets none: the wire requires one. A thinking budget is added."""
VERSIONS_IN_BODY: Final = {"vertex": "vertex-2023-10-16", "bedrock": "bedrock-2023-05-31"}
NO_CACHE: Final = CacheConfig(enabled=False)

_LEAST_TOP_P: Final = 0.95  # while thinking
_EFFORTS: Final = {
    ThinkingLevel.MINIMAL: "low",
    ThinkingLevel.LOW: "low",
    ThinkingLevel.MEDIUM: "medium",
    ThinkingLevel.HIGH: "high",
    ThinkingLevel.XHIGH: "xhigh",
    ThinkingLevel.MAX: "max",
    ThinkingLevel.ULTRA: "max",
}
_NEAREST: Final = frozenset({ThinkingLevel.MINIMAL, ThinkingLevel.ULTRA})
_LEVELS: Final = {effort: level for level, effort in _EFFORTS.items() if level not in _NEAREST}
_CHOICES: Final = {"auto": "auto", "required": "any", "none": "none", "tool": "tool"}
_MODES: Final[dict[str, Any]] = {word: mode for mode, word in _CHOICES.items()}
_DISPLAY: Final[dict[bool | None, str | None]] = {
    None: None,
    True: "summarized",
    False: "omitted",
}
_VISIBLE: Final[dict[str | None, bool | None]] = {word: seen for seen, word in _DISPLAY.items()}
# Parameter -> a value that, like None and False, asks for nothing.
_UNSUPPORTED: Final[dict[str, Any]] = {
    "frequency_penalty": 0,
    "presence_penalty": 0,
    "seed": None,
    "candidates": 1,
    "logprobs": None,
    "top_logprobs": 0,
    "metadata": {},
}


class ParameterWriter(MessageWriter):
    """The half of the request encoder that writes parameters."""

    UNSUPPORTED: ClassVar[Mapping[str, Any]] = _UNSUPPORTED

    def parameters(self) -> wire.Body:
        """Return the body without messages and tools."""
        request = self._request
        choice = self._tool_choice(bool(self.carried_tools()))
        thinking, effort = self._thinking(choice)
        max_tokens, thinking = self._max_tokens(thinking)
        cache = request.cache or NO_CACHE
        apart = self._dialect in VERSIONS_IN_BODY
        return wire.Body(
            anthropic_version=VERSIONS_IN_BODY.get(self._dialect),
            model=None if apart else request.model,
            max_tokens=max_tokens,
            stream=True if request.stream and self._dialect != "bedrock" else None,
            service_tier=self._service_tier(),
            metadata=wire.Metadata(request.user_id) if request.user_id is not None else None,
            temperature=self._temperature(thinking),
            top_p=self._top_p(thinking),
            top_k=self._top_k(thinking),
            stop_sequences=self._stop(),
            thinking=thinking,
            output_config=self._output_config(effort),
            cache_control=self._automatic(cache),
            tool_choice=choice,
            messages=[],
        )

    def _automatic(self, cache: CacheConfig) -> wire.CacheControl | None:
        """Return the body's `cache_control`, by which the API marks the last message itself."""
        if not cache.sections().cache_messages:
            return None
        if cache.ttl == "1h" and self._short_marks:
            self._lose("cache ttl", self._request)
            return wire.CacheControl()
        return wire.CacheControl(cache.ttl)

    def _tool_choice(self, has_tools: bool) -> wire.ToolChoice | None:
        choice = self._request.tool_choice
        if not has_tools:
            if choice is not None and choice.mode in ("required", "tool"):
                self._lose("tool choice unused", choice)
            return None
        single = True if self._request.parallel_tool_calls is False else None
        if choice is None:
            return wire.ToolChoice("auto", disable_parallel_tool_use=True) if single else None
        if (choice.mode == "tool") is (choice.name is None):
            self._fail(f"a tool choice of mode `{choice.mode}`: name is {choice.name!r}", choice)
        choice = self.chosen(choice)
        if choice.allowed is not None:
            self._lose("tool choice allowed", choice)
        if choice.mode == "none":
            return wire.ToolChoice("none")
        name = self._name(choice.name, choice) if choice.name is not None else None
        return wire.ToolChoice(_CHOICES[choice.mode], name, single)

    def _thinking(
        self, choice: wire.ToolChoice | None
    ) -> tuple[wire.ThinkingConfig | None, str | None]:
        """Return the thinking to ask for, and the effort."""
        request = self._request
        asked = request.thinking
        if asked is None:
            return None, None
        if asked.level is ThinkingLevel.OFF:
            return wire.ThinkingConfig("disabled"), None
        made, is_other = fitting(asked, request.model, request.max_tokens)
        if is_other:
            self._lose("thinking form", asked)
        effort = _EFFORTS[made.level] if made.level is not None else None
        if made.level in _NEAREST:
            self._lose("thinking level", asked)
        display = _DISPLAY[made.visible]
        budget = made.budget_tokens
        if budget is None:
            return wire.ThinkingConfig("adaptive", display=display), effort
        if choice is not None and choice.type in ("any", "tool"):
            self._lose("tool choice", asked)
            return wire.ThinkingConfig("disabled"), effort
        if is_thoughtless(self._request.messages, self.is_thought):
            self._lose("thinking midway", asked)
            return wire.ThinkingConfig("disabled"), effort
        if budget < SMALLEST_BUDGET:
            self._lose("thinking budget", asked)
            budget = SMALLEST_BUDGET
        return wire.ThinkingConfig("enabled", budget, display), effort

    def _max_tokens(
        self, thinking: wire.ThinkingConfig | None
    ) -> tuple[int, wire.ThinkingConfig | None]:
        """Return `max_tokens`, which includes thinking, and the thinking that fits into it."""
        limit = self._request.max_tokens
        budget = thinking.budget_tokens if thinking is not None else None
        if limit is None:
            return DEFAULT_MAX_TOKENS + (budget or 0), thinking
        if budget is None or thinking is None or limit > budget:
            return limit, thinking
        self._lose("max_tokens", self._request.thinking)
        if limit <= SMALLEST_BUDGET:
            return limit, wire.ThinkingConfig("disabled")
        return limit, wire.ThinkingConfig("enabled", limit - 1, thinking.display)

    def _temperature(self, thinking: wire.ThinkingConfig | None) -> float | None:
        asked = self._finite(self._request.temperature, ".temperature")
        if asked is None:
            return None
        if refuses(self._request, "temperature"):
            if asked != 1:
                self._lose("sampling", self._request, ".temperature")
            return None
        possible = 1.0 if _is_active(thinking) else min(max(asked, 0.0), 1.0)
        if possible != asked:
            self._lose("temperature", self._request)
        return possible

    def _top_p(self, thinking: wire.ThinkingConfig | None) -> float | None:
        request = self._request
        asked = self._finite(request.top_p, ".topP")
        if asked is not None and refuses(request, "top_p"):
            if asked != 1:
                self._lose("sampling", request, ".topP")
            return None
        if asked is None or asked >= _LEAST_TOP_P or not _is_active(thinking):
            return asked
        self._lose("top_p", request)
        return _LEAST_TOP_P

    def _top_k(self, thinking: wire.ThinkingConfig | None) -> int | None:
        request = self._request
        if request.top_k is None:
            return None
        if refuses(request, "top_k"):
            self._lose("sampling", request, ".topK")
            return None
        if _is_active(thinking):
            self._lose("top_k", request)
            return None
        return request.top_k

    def _stop(self) -> list[str] | None:
        """Return the stop sequences that are not blank. An empty one is dropped without loss."""
        asked = self._request.stop or []
        if any(word and word.isspace() for word in asked):
            self._lose("stop", self._request)
        return [word for word in asked if word and not word.isspace()] or None

    def _service_tier(self) -> str | None:
        tier = self._request.service_tier
        if tier is None or tier in ("auto", "standard_only"):
            return tier
        self._lose("service_tier", self._request)
        return None

    def _output_config(self, effort: str | None) -> wire.OutputConfig | None:
        asked = self._request.response_format
        form = None
        if asked is not None and asked.kind == "json_schema" and asked.schema is not None:
            schema, was_open = closed(asked.schema)
            if was_open:
                self._lose("json schema", asked)
            form = wire.JsonFormat(schema)
        elif asked is not None and asked.kind != "text":
            self._lose("json mode", asked)
        return wire.OutputConfig(effort, form) if effort or form else None


def _is_active(thinking: wire.ThinkingConfig | None) -> bool:
    return thinking is not None and thinking.type != "disabled"


class ParameterReader(MessageReader, RequestReader):
    """The half of the request decoder that reads parameters."""

    def parameters(self) -> dict[str, Any]:
        """Return the parameters in the body, by field of `Request`."""
        body: wire.Body = self.body.root
        form = body.output_config.format if body.output_config is not None else None
        made = {
            "max_tokens": body.max_tokens,
            "temperature": body.temperature,
            "top_p": body.top_p,
            "top_k": body.top_k,
            "stop": body.stop_sequences,
            "service_tier": body.service_tier,
            "user_id": body.metadata.user_id if body.metadata is not None else None,
            "thinking": self._asked_thinking(body.thinking, body.output_config),
            "response_format": ResponseFormat("json_schema", form.schema) if form else None,
            **self._choice(body.tool_choice),
        }
        if body.model is not None:
            made["model"] = body.model
        if body.stream is not None:
            made["stream"] = body.stream
        if body.cache_control is not None:
            sections = CacheSections(False, False, True)
            made["cache"] = CacheConfig(strategy=ManualCache(sections), ttl=body.cache_control.ttl)
        return made

    def _choice(self, choice: wire.ToolChoice | None) -> dict[str, Any]:
        if choice is None:
            return {}
        single = choice.disable_parallel_tool_use
        mode = _MODES.get(choice.type)
        if mode is None:
            self._unread.add("tool_choice")
        return {
            "tool_choice": ToolChoice(mode, choice.name) if mode is not None else None,
            "parallel_tool_calls": None if single is None else not single,
        }

    def _asked_thinking(
        self, thinking: wire.ThinkingConfig | None, output: wire.OutputConfig | None
    ) -> Thinking | None:
        effort = output.effort if output is not None else None
        level = _LEVELS.get(effort) if effort is not None else None
        if effort is not None and level is None:
            self._unread.add("output_config")
        if thinking is None:
            return Thinking(level) if level is not None else None
        if thinking.type == "disabled":
            if effort is not None:
                self._unread.add("output_config")
            return Thinking(ThinkingLevel.OFF)
        if thinking.type not in ("enabled", "adaptive") or thinking.display not in _VISIBLE:
            self._unread.add("thinking")
        return Thinking(level, thinking.budget_tokens, _VISIBLE.get(thinking.display))
