"""Request <-> the JSON of Gemini's generateContent.

What is normalized without a loss: keys become camelCase; function declarations share one tool;
consecutive results that are messages of their own share a content, apart from the user's other
content; ids that the reader made up for calls are not written; a thinking level becomes a budget
for Gemini 1 and 2; what describes a block to programs (file names, sizes, detail) and signatures of
other APIs are not sent.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

from msgspec import Raw

from ...losses import Losses
from ...model import (
    CacheConfig,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    ResponseFormat,
    SystemMessage,
    Thinking,
    ThinkingLevel,
    Tool,
    ToolChoice,
)
from .._reading import Body, RequestReader, decoded, read_body
from .._routes import Route, model_in_url, parts_of_url
from .._transcript import Transcript as BaseTranscript
from .._writing import Make, RequestWriter, encode, with_keys, written
from . import wire
from .reading import MessageReader, given
from .schemas import json_schema
from .writing import MessageWriter

__all__ = ["DIALECTS", "Transcript", "decode_request", "encode_request", "route"]

DIALECTS: Final = ("gemini", "vertex")
"""Who serves the wire: the Gemini API, or Vertex AI, where the URL names the publisher."""

_JSON: Final = "application/json"
_TIERS: Final = frozenset({"standard", "flex", "priority"})
_WORDS: Final = {
    ThinkingLevel.MINIMAL: "MINIMAL",
    ThinkingLevel.LOW: "LOW",
    ThinkingLevel.MEDIUM: "MEDIUM",
    ThinkingLevel.HIGH: "HIGH",
    ThinkingLevel.XHIGH: "XHIGH",
    ThinkingLevel.MAX: "XHIGH",
    ThinkingLevel.ULTRA: "XHIGH",
}
_NEAREST: Final = frozenset({ThinkingLevel.MAX, ThinkingLevel.ULTRA})
_LEVELS: Final = {word: level for level, word in _WORDS.items() if level not in _NEAREST}
_BUDGETS: Final = {"MINIMAL": 1024, "LOW": 1024, "MEDIUM": 8192, "HIGH": 24576, "XHIGH": 24576}
"""Level -> budget, as Google documents it, for models that know no levels."""
_knows_no_levels: Final = re.compile(r"gemini-[12](?!\d)").search
_NO_BUDGET: Final = 0
_ANY_BUDGET: Final = -1  # as much as the model likes
# Parameter -> a value that, like None and False, asks for nothing.
_UNSUPPORTED: Final[dict[str, Any]] = {"user_id": None}
_MOST_STOPS: Final = 5
_is_label: Final = re.compile(r"[a-z][a-z0-9_-]{0,62}").fullmatch
_is_label_text: Final = re.compile(r"[a-z0-9_-]{0,63}").fullmatch
_MODEL_IN_URL: Final = re.compile(
    r"(?:^|/)(?:models/)?((?:tunedModels/|endpoints/)?[^/:]+):((?:streamG|g)enerateContent)"
)


def encode_request(
    request: Request, losses: Losses = None, *, dialect: str = DIALECTS[0], repair: bool = False
) -> bytes:
    """Encode `request` as the body of `POST /v1beta/models/{model}:generateContent`.

    Leading system messages become `systemInstruction`, later ones a user's turn. Tool arguments and
    inline media are spliced in unparsed. The URL holds the model and the stream flag: see `route`.
    The first call in an answer of another API gets the placeholder signature that Google documents,
    since Gemini 3 refuses unsigned calls. A conversation that begins with an answer gets a user's
    turn before it, with a space as its text.

    Raises `EncodeError` if there is no message, if a call has no result or a result no call
    (`repair` closes them, see `_turns.ordered`), or if the request contradicts itself; `LossError`
    if something has no place on this wire and `losses` is None.
    """
    return written(_writer(dialect), request, losses, repair=repair)


def decode_request(
    data: bytes | bytearray | memoryview | str,
    path: str | None = None,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
) -> Request:
    """Decode the body of `POST .../models/{model}:generateContent`; `path` names the model.

    Keys may be camelCase or snake_case. Calls without an id get one, which is not sent back to this
    wire; their results are found by the function's name and by order. Gemini's schemas become JSON
    Schema, and go back as they came.

    Raises `DecodeError`. With `losses`, a lone surrogate becomes U+FFFD and a loss.
    """
    return decoded(
        lambda body: _RequestReader(body, dialect, path), wire.Body, data, "gemini", losses
    )


def route(request: Request, *, dialect: str = DIALECTS[0]) -> Route:
    """Return where to send the request; on Vertex the path is the part after the location.

    Raises `EncodeError` if the request names no model.
    """
    verb = "streamGenerateContent?alt=sse" if request.stream else "generateContent"
    start = "/publishers/google/models" if dialect == "vertex" else "/v1beta/models"
    model = model_in_url(request, "gemini")
    kind, slash, name = model.partition("%2F")
    if slash and kind in ("models", "tunedModels", "endpoints"):
        model = name
        if kind != "models":
            start = f"{start.removesuffix('publishers/google/models').removesuffix('models')}{kind}"
    return Route("POST", f"{start}/{model}:{verb}")


class _RequestWriter(MessageWriter):
    UNSUPPORTED = _UNSUPPORTED
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    BODY = wire.Body
    CONTENT = ("tools", "systemInstruction", "contents")
    PROMPT_APART = True

    def body(self, messages: list[Message]) -> wire.Body:
        self.lose_unsupported()
        tools = self._tools()
        split = next(
            (i for i, m in enumerate(messages) if type(m) is not SystemMessage), len(messages)
        )
        prompt = self.prompt(messages[:split]) if split else None
        self.is_whole = True
        conversation = self.conversation(messages[split:] if split else messages)
        if not conversation and not self.sent:
            self._fail("no message with content", self._request, ".messages")
        body: wire.Body = self.own_parameters()
        body.tools = tools or None
        body.system_instruction = prompt
        body.contents = [*self.sent, *conversation] if self.sent else conversation
        return body

    def parameters(self) -> wire.Body:
        request = self._request
        if request.parallel_tool_calls is False:
            self._lose("parallel_tool_calls", request)
        cache = request.cache
        if cache is not None and cache.enabled and cache.strategy != "disabled":
            self._narrowed(cache)
        asked = request.response_format
        has_format = asked is not None and asked.kind != "text"
        config = wire.GenerationConfig(
            max_output_tokens=request.max_tokens,
            temperature=self._temperature(),
            top_p=self._finite(request.top_p, ".topP"),
            top_k=request.top_k,
            candidate_count=request.candidates,
            stop_sequences=self._stop(),
            seed=request.seed,
            presence_penalty=self._finite(request.presence_penalty, ".presencePenalty"),
            frequency_penalty=self._finite(request.frequency_penalty, ".frequencyPenalty"),
            response_mime_type=_JSON if has_format else None,
            response_json_schema=asked.schema if asked is not None and has_format else None,
            response_logprobs=True if request.top_logprobs else request.logprobs,
            logprobs=request.top_logprobs if request.logprobs else request.top_logprobs or None,
            thinking_config=self._thinking(),
        )
        return wire.Body(
            generation_config=config if config != _NO_CONFIG else None,
            service_tier=self._service_tier(),
            labels=self._labels(),
            tool_config=self._tool_config(),
            contents=[],
        )

    def read(self, body: bytes) -> dict[str, Any]:
        return _RequestReader(read_body(wire.Body, body, self.WIRE), self._dialect).parameters()

    def _thinking(self) -> wire.ThinkingConfig | None:
        asked = self._request.thinking
        if asked is None:
            return None
        if asked.level is ThinkingLevel.OFF:
            return wire.ThinkingConfig(asked.visible, _NO_BUDGET)
        if asked.budget_tokens is not None:
            if asked.level is not None:
                self._lose("thinking level", asked)
            return wire.ThinkingConfig(asked.visible, asked.budget_tokens)
        if asked.level is None:
            budget = _ANY_BUDGET if asked.visible is None else None
            return wire.ThinkingConfig(asked.visible, budget)
        if asked.level in _NEAREST:
            self._lose("thinking level", asked)
        word = _WORDS[asked.level]
        if _knows_no_levels(self._request.model or ""):
            return wire.ThinkingConfig(asked.visible, _BUDGETS[word])
        return wire.ThinkingConfig(asked.visible, thinking_level=word)

    def _narrowed(self, cache: CacheConfig) -> None:
        """Report settings that the API's automatic cache does not take."""
        if cache.strategy != "auto" or cache.ttl is not None:
            self._lose("cache", self._request)

    def _temperature(self) -> float | None:
        asked = self._finite(self._request.temperature, ".temperature")
        if asked is None or 0 <= asked <= 2:
            return asked
        self._lose("temperature", self._request)
        return min(max(asked, 0.0), 2.0)

    def _stop(self) -> list[str] | None:
        stop = self._request.stop or None
        if stop is not None and len(stop) > _MOST_STOPS:
            self._lose("stop", self._request)
            return stop[:_MOST_STOPS]
        return stop

    def _service_tier(self) -> str | None:
        tier = self._request.service_tier
        if tier is None or tier in _TIERS:
            return tier
        self._lose("service_tier", self._request)
        return None

    def _labels(self) -> dict[str, str] | None:
        asked = self._request.metadata
        if not asked:
            return None
        labels = {
            key: value
            for key, value in asked.items()
            if _is_label(key) and isinstance(value, str) and _is_label_text(value)
        }
        if len(labels) < len(asked):
            self._lose("metadata", self._request)
        return labels or None

    # -- tools ---------------------------------------------------------------------------------

    def _tools(self) -> list[Any]:
        names: set[str] = set()
        functions: list[Any] = []
        tools: list[Any] = []
        for tool in self._request.tools or []:
            if isinstance(tool, OpaqueBlock):
                if tool.api == self.API:
                    tools.append(self._with_extras(self._opaque(tool), tool))
                else:
                    self._lose("opaque tool", tool)
                continue
            if tool.strict:
                self._lose("strict", tool)
            if tool.cache is not None:
                self._lose("cache mark", tool)
            name = self._name(tool.name, tool)
            if name in names:
                self._fail(f"two tools named `{tool.name}`", tool)
            names.add(name)
            if not functions:
                tools.append(wire.Tool(functions))
            functions.append(self._function(name, tool))
        return tools

    def _function(self, name: str, tool: Tool) -> Any:
        """Return a declaration; a schema in Gemini's dialect goes back as it came if unchanged."""
        made = wire.FunctionDeclaration(name, tool.description)
        schema = tool.parameters.value if tool.parameters is not None else {}
        if not isinstance(schema, dict) or schema.get("type", "object") != "object":
            self._fail("a tool's parameters are not an object schema", tool, ".parameters")
        extra = (tool.extras or {}).get(self.API)
        came = extra.spelling.value.get("parameters") if extra and extra.spelling else None
        if came is None or tool.parameters is None or json_schema(came) != tool.parameters.value:
            made.parameters_json_schema = tool.parameters
            return with_keys(made, self._own_keys(tool)) if tool.extras is not None else made
        return self._with_extras(made, tool)

    def _tool_config(self) -> wire.ToolConfig | None:
        choice = self._request.tool_choice
        if choice is None:
            return None
        if (choice.mode == "tool") is (choice.name is None):
            self._fail(f"a tool choice of mode `{choice.mode}`: name is {choice.name!r}", choice)
        known = {tool.name for tool in self._request.tools or () if isinstance(tool, Tool)}
        if not known:
            if choice.mode in ("required", "tool"):
                self._lose("tool choice unused", choice)
            return None
        choice = self.chosen(choice)
        mode = {"auto": "AUTO", "none": "NONE"}.get(choice.mode, "ANY")
        if choice.allowed and mode == "NONE":
            self._lose("tool choice allowed", choice)
            return wire.ToolConfig(wire.FunctionCallingConfig(mode))
        allowed = [choice.name] if choice.name is not None else self.allowed(choice) or None
        if allowed is None:
            return wire.ToolConfig(wire.FunctionCallingConfig(mode))
        for name in allowed:
            if name not in known:
                self._fail(f"a tool choice of `{name}`, which is no tool of the request", choice)
        names = [self._name(name, choice) for name in allowed]
        # `AUTO` takes no names. `VALIDATED` does, and it also holds calls to their schemas.
        mode = "VALIDATED" if mode == "AUTO" else mode
        return wire.ToolConfig(wire.FunctionCallingConfig(mode, names))


_NO_CONFIG: Final = wire.GenerationConfig()


class _RequestReader(MessageReader, RequestReader):
    WRITER = _RequestWriter

    def __init__(self, body: Body, dialect: str, path: str | None = None) -> None:
        super().__init__(body, dialect)
        self._url = path

    def request(self) -> Request:
        body: wire.Body = self.body.root
        messages: list[Message] = []
        system = body.system_instruction
        if system is not None:
            spelling = {"role": system.role} if system.role is not None else {}
            prompt = SystemMessage(self.content(system), extras=self._extras(system, **spelling))
            if system.parts is not None or id(system) in self._unknown:  # a role alone says nothing
                messages.append(prompt)
        messages += [self.message(part) for part in body.contents]
        request = Request(messages, **self.parameters())
        model, verb = parts_of_url(self._url, _MODEL_IN_URL)
        request.model = request.model or model
        request.stream = verb == "streamGenerateContent"
        if body.tools is not None:
            request.tools = [tool for part in body.tools for tool in self._tools(part)]
        return request

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.body.root
        config = body.generation_config or _NO_CONFIG
        top_k = config.top_k
        if top_k is not None and top_k != int(top_k):
            self._unread.add("generationConfig")
        model = {"model": body.model.removeprefix("models/")} if body.model is not None else {}
        return model | {
            "max_tokens": config.max_output_tokens,
            "temperature": config.temperature,
            "top_p": config.top_p,
            "top_k": int(top_k) if top_k is not None else None,
            "candidates": config.candidate_count,
            "stop": config.stop_sequences,
            "seed": config.seed,
            "presence_penalty": config.presence_penalty,
            "frequency_penalty": config.frequency_penalty,
            "logprobs": config.response_logprobs,
            "top_logprobs": config.logprobs,
            "response_format": self._format(config),
            "thinking": self._asked_thinking(config.thinking_config),
            "tool_choice": self._choice(body.tool_config),
            "service_tier": body.service_tier,
            "metadata": body.labels,
        }

    def _format(self, config: wire.GenerationConfig) -> ResponseFormat | None:
        if given(config.response_json_schema):
            schema = RawJson.adopt(config.response_json_schema)
        elif given(config.response_schema):
            schema = RawJson.of(json_schema(RawJson.adopt(config.response_schema).value))
        else:
            if config.response_mime_type not in (None, _JSON, "text/plain"):
                self._unread.add("generationConfig")
            return ResponseFormat("json") if config.response_mime_type == _JSON else None
        return ResponseFormat("json_schema", schema)

    def _asked_thinking(self, config: wire.ThinkingConfig | None) -> Thinking | None:
        if config is None:
            return None
        word = config.thinking_level
        level = _LEVELS.get(word.upper()) if word is not None else None
        if word is not None and level is None:
            self._unread.add("generationConfig")
        budget = config.thinking_budget
        if budget == _NO_BUDGET:
            level = ThinkingLevel.OFF
        if budget in (_NO_BUDGET, _ANY_BUDGET):
            budget = None
        return Thinking(level, budget, config.include_thoughts)

    def _choice(self, config: wire.ToolConfig | None) -> ToolChoice | None:
        calling = config.function_calling_config if config is not None else None
        if calling is None:
            return None
        allowed = calling.allowed_function_names
        mode = (calling.mode or "AUTO").upper()
        if mode == "ANY":
            if allowed is not None and len(allowed) == 1:
                return ToolChoice("tool", allowed[0])
            return ToolChoice("required", allowed=allowed)
        if mode == "VALIDATED" and allowed:
            return ToolChoice(allowed=allowed)
        if mode not in ("AUTO", "NONE"):
            self._unread.add("toolConfig")
            return ToolChoice() if mode == "VALIDATED" else None
        return ToolChoice("auto" if mode == "AUTO" else "none", allowed=allowed)

    def _tools(self, part: wire.Tool) -> list[Tool | OpaqueBlock]:
        made: list[Tool | OpaqueBlock] = [
            self._function(function) for function in part.function_declarations or ()
        ]
        others = self._unknown.get(id(part), {})
        if others or not made:
            made.append(OpaqueBlock(self.API, RawJson.adopt(Raw(encode(others)))))
        return made

    def _function(self, function: wire.FunctionDeclaration) -> Tool:
        made = Tool(function.name, function.description)
        if given(function.parameters_json_schema):
            if given(function.parameters):
                self._fail("parameters in two languages", function, ".parameters")
            made.parameters = RawJson.adopt(function.parameters_json_schema)
            made.extras = self._extras(function)
        elif given(function.parameters):
            schema = RawJson.adopt(function.parameters)
            made.parameters = RawJson.of(json_schema(schema.value))
            made.extras = self._extras(function, parameters=function.parameters)
        else:
            made.extras = self._extras(function)
        return made


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    WRITER: ClassVar[type[RequestWriter]] = _RequestWriter
    DIALECT: ClassVar[str] = DIALECTS[0]


def _writer(dialect: str) -> Make:
    return lambda request, losses: _RequestWriter(request, losses, dialect)
