"""The parameters of a request <-> those of Bedrock Converse: all but messages and tools."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
from msgspec import Raw

from ...errors import WireglotError
from ...model import RawJson, ResponseFormat, Thinking, ThinkingLevel
from .._claude import SMALLEST_BUDGET, closed, fitting, refuses
from .._reading import RequestReader
from .._turns import is_thoughtless
from .._writing import encode
from . import wire
from .reading import MessageReader
from .writing import MessageWriter

__all__ = ["TIERS", "ParameterReader", "ParameterWriter"]

TIERS: Final = frozenset({"default", "priority", "flex", "reserved"})
_MOST_METADATA: Final = 16
_is_metadata: Final = re.compile(r"[a-zA-Z0-9\s:_@$#=/+,-.]{0,256}").fullmatch
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
_LEVELS: Final = {word: level for level, word in _EFFORTS.items() if level not in _NEAREST}
_model_fields: Final = msgspec.json.Decoder(wire.ModelFields).decode
_value: Final = msgspec.json.Decoder().decode
_schema_text: Final = msgspec.json.Decoder(str).decode
_NO_INFERENCE: Final = wire.Inference()
_NO_FIELDS: Final = wire.ModelFields()


class ParameterWriter(MessageWriter):
    """The half of the request encoder that writes parameters."""

    def parameters(self) -> wire.Body:
        """Return the body without messages and tools."""
        request = self._request
        fields, effort = self._model_fields()
        thinks = fields.thinking is not None and fields.thinking.type != "disabled"
        inference = wire.Inference(
            request.max_tokens, self._temperature(thinks), self._top_p(thinks), self._stop()
        )
        form = self._text_format()
        return wire.Body(
            inference_config=inference if inference != _NO_INFERENCE else None,
            additional_model_request_fields=fields if fields != _NO_FIELDS else None,
            output_config=wire.OutputConfig(form, effort) if form or effort else None,
            request_metadata=self._metadata(),
            service_tier=self._service_tier(),
            messages=[],
        )

    def _fraction(self, name: str, key: str) -> float | None:
        asked: float | None = self._finite(getattr(self._request, name), key)
        possible = min(max(asked, 0.0), 1.0) if asked is not None else None
        if possible != asked:
            self._lose(name, self._request)
        return possible

    def _temperature(self, thinks: bool) -> float | None:
        asked = self._finite(self._request.temperature, ".temperature")
        if asked is not None and refuses(self._request, "temperature"):
            if asked != 1:
                self._lose("sampling", self._request, ".temperature")
            return None
        if thinks and asked not in (None, 1):
            self._lose("temperature", self._request)
            return 1.0
        return self._fraction("temperature", ".temperature")

    def _top_p(self, thinks: bool) -> float | None:
        request = self._request
        asked = self._finite(request.top_p, ".topP")
        if asked is not None and refuses(request, "top_p"):
            if asked != 1:
                self._lose("sampling", request, ".topP")
            return None
        if thinks and asked is not None and asked < _LEAST_TOP_P:
            self._lose("top_p", request)
            return _LEAST_TOP_P
        return self._fraction("top_p", ".topP")

    def _stop(self) -> list[str] | None:
        """Return the stop sequences that the model takes. An empty one is dropped without loss."""
        asked = [word for word in self._request.stop or () if word]
        if self._is_claude() and any(map(str.isspace, asked)):
            self._lose("stop", self._request)
            asked = [word for word in asked if not word.isspace()]
        return asked or None

    def _is_claude(self) -> bool:
        """Whether the model is one of Anthropic's."""
        return "anthropic" in (self._request.model or "anthropic")

    def _metadata(self) -> dict[str, str] | None:
        given = self._request.metadata
        if not given:
            return None
        texts = {
            key: value
            for key, value in given.items()
            if key and _is_metadata(key) and isinstance(value, str) and _is_metadata(value)
        }
        if len(texts) < len(given) or len(texts) > _MOST_METADATA:
            self._lose("metadata", self._request)
        return dict(list(texts.items())[:_MOST_METADATA]) or None

    def _service_tier(self) -> wire.ServiceTier | None:
        tier = self._request.service_tier
        if tier is None:
            return None
        if tier in TIERS:
            return wire.ServiceTier(tier)
        self._lose("service_tier", self._request)
        return None

    def _model_fields(self) -> tuple[wire.ModelFields, str | None]:
        """Return `additionalModelRequestFields`, and the effort."""
        request = self._request
        fields, effort = self._asked_fields()
        if request.top_k is not None:
            is_still = fields.thinking is None or fields.thinking.type == "disabled"
            if refuses(request, "top_k"):
                self._lose("sampling", request, ".topK")
            elif self._is_claude() and is_still:
                fields.top_k = request.top_k
            else:
                self._lose("top_k", request)
        return fields, effort

    def _asked_fields(self) -> tuple[wire.ModelFields, str | None]:
        """Return the fields that ask for thinking, and the effort."""
        fields = wire.ModelFields()
        is_claude = self._is_claude()
        asked = self._request.thinking
        if asked is None:
            return fields, None
        if asked.visible is not None:
            self._lose("thinking shown", asked)
        if asked.level is ThinkingLevel.OFF:
            if is_claude:
                fields.thinking = wire.Thinking("disabled")
            else:
                self._lose("thinking off", asked)
            return fields, None
        level: ThinkingLevel | None = asked.level
        if is_claude:
            fields.thinking, level = self._thinking(asked)
        elif asked.budget_tokens is not None:
            self._lose("thinking budget", asked)
        if level in _NEAREST:
            self._lose("thinking level", asked)
        return fields, _EFFORTS[level] if level is not None else None

    def _thinking(self, asked: Thinking) -> tuple[wire.Thinking, ThinkingLevel | None]:
        """Return the `thinking` field for one of Anthropic's models, and the level for it."""
        request = self._request
        limit = request.max_tokens
        made, is_other = fitting(asked, request.model, limit)
        if is_other:
            self._lose("thinking form", asked)
        budget = made.budget_tokens
        if budget is None:
            return wire.Thinking("adaptive"), made.level
        if self._is_forced():
            self._lose("tool choice", asked)
            return wire.Thinking("disabled"), made.level
        if is_thoughtless(request.messages, self.is_thought):
            self._lose("thinking midway", asked)
            return wire.Thinking("disabled"), made.level
        if budget < SMALLEST_BUDGET:
            self._lose("thinking budget", asked)
            budget = SMALLEST_BUDGET
        if limit is not None and limit <= budget:
            self._lose("max_tokens", asked)
            if limit <= SMALLEST_BUDGET:
                return wire.Thinking("disabled"), made.level
            budget = limit - 1
        return wire.Thinking("enabled", budget), made.level

    def _text_format(self) -> wire.TextFormat | None:
        asked = self._request.response_format
        if asked is None or asked.kind == "text":
            return None
        if asked.kind == "json" or asked.schema is None:
            self._lose("json mode", asked)
            return None
        given, was_open = closed(asked.schema) if self._is_claude() else (asked.schema, False)
        if was_open:
            self._lose("json schema", asked)
        schema = wire.JsonSchema(given.text.decode(), asked.name, asked.description)
        return wire.TextFormat("json_schema", wire.Structure(schema))

    def _is_forced(self) -> bool:
        """Whether the model must call a tool."""
        choice = self._request.tool_choice
        if choice is None or choice.mode not in ("required", "tool"):
            return False
        return bool(self.carried_tools()) and not self.has_lost(choice.name)


class ParameterReader(MessageReader, RequestReader):
    """The half of the request decoder that reads parameters."""

    def parameters(self) -> dict[str, Any]:
        """Return the parameters in the body, by field of `Request`."""
        body: wire.Body = self.body.root
        inference = body.inference_config or _NO_INFERENCE
        fields = self._model_fields(body.additional_model_request_fields)
        effort = body.output_config.effort if body.output_config is not None else None
        return {
            "max_tokens": inference.max_tokens,
            "temperature": inference.temperature,
            "top_p": inference.top_p,
            "stop": inference.stop_sequences,
            "top_k": fields.top_k,
            "thinking": self._asked_thinking(fields.thinking, effort),
            "response_format": self._format(body.output_config),
            "metadata": body.request_metadata,
            "service_tier": body.service_tier.type if body.service_tier is not None else None,
        }

    def _model_fields(self, given: Raw | None) -> wire.ModelFields:
        """Return the known keys of `additionalModelRequestFields`; with others, it is kept too."""
        if given is None:
            return _NO_FIELDS
        try:
            fields = _model_fields(given)
            is_known = _value(given) == _value(encode(fields))
        except msgspec.DecodeError:
            fields, is_known = _NO_FIELDS, False
        if not is_known:
            self._unread.add("additionalModelRequestFields")
        return fields

    def _asked_thinking(
        self, thinking: wire.Thinking | None, effort: str | None
    ) -> Thinking | None:
        level = _LEVELS.get(effort) if effort is not None else None
        if effort is not None and level is None:
            self._unread.add("outputConfig")
        if thinking is None:
            return Thinking(level) if level is not None else None
        if thinking.type == "disabled":
            if effort is not None:
                self._unread.add("outputConfig")
            return Thinking(ThinkingLevel.OFF)
        if thinking.type not in ("enabled", "adaptive"):
            self._unread.add("additionalModelRequestFields")
        return Thinking(level, thinking.budget_tokens)

    def _format(self, config: wire.OutputConfig | None) -> ResponseFormat | None:
        if config is None or config.text_format is None:
            return None
        schema = config.text_format.structure.json_schema
        try:
            if schema is not None and config.text_format.type == "json_schema":
                text = RawJson(_schema_text(schema.schema))
                return ResponseFormat("json_schema", text, schema.name, schema.description)
        except (WireglotError, msgspec.DecodeError):  # no string that holds JSON
            pass
        self._unread.add("outputConfig")
        return None
