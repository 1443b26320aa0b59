"""Request <-> the JSON of Mistral's chat completions.

What is normalized without a loss: a message without content is left out; the texts of an answer
come before its calls; call ids become nine letters and digits, one to one, the same for call and
result; what describes a block to programs (alt text, bounding boxes, sizes, pages, the kind of a
call) and signatures of other APIs are not sent.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from ...errors import EncodeError
from ...losses import Losses
from ...model import (
    CacheConfig,
    Message,
    RawJson,
    Request,
    ResponseFormat,
    Thinking,
    ThinkingLevel,
    Tool,
    ToolChoice,
)
from ...model.blocks import OpaqueBlock
from .._reading import RequestReader, decoded, read_body
from .._routes import Route
from .._transcript import Transcript as BaseTranscript
from .._writing import Make, RequestWriter, written
from . import wire
from .reading import MessageReader
from .writing import MessageWriter

__all__ = ["DIALECTS", "Transcript", "decode_request", "encode_request", "route"]

DIALECTS: Final = ("mistral",)
"""Who serves the wire."""

_EFFORTS: Final = {
    ThinkingLevel.OFF: "none",
    ThinkingLevel.MINIMAL: "minimal",
    ThinkingLevel.LOW: "low",
    ThinkingLevel.MEDIUM: "medium",
    ThinkingLevel.HIGH: "high",
    ThinkingLevel.XHIGH: "xhigh",
    ThinkingLevel.MAX: "max",
    ThinkingLevel.ULTRA: "max",
}
_LEVELS: Final = {
    effort: level for level, effort in _EFFORTS.items() if level is not ThinkingLevel.ULTRA
}
_CHOICES: Final = {"auto": "auto", "required": "any", "none": "none"}
_MODES: Final[dict[str, Any]] = {
    "auto": "auto",
    "any": "required",
    "required": "required",
    "none": "none",
}
_FORMATS: Final[dict[str | None, Any]] = {
    "text": "text",
    "json_object": "json",
    "json_schema": "json_schema",
}
_TIERS: Final = frozenset({"auto", "standard_only"})
_NO_PARAMETERS: Final = RawJson.of({"type": "object", "properties": {}})
_SCHEMA_NAME: Final = "response"  # the wire requires a name


def encode_request(
    request: Request, losses: Losses = None, *, dialect: str = DIALECTS[0], repair: bool = False
) -> bytes:
    """Encode `request` as the body of `POST /v1/chat/completions`.

    Each result becomes a message of its own, media included. Tool arguments and inline media are
    spliced in unparsed. An answer at the end gets `prefix: true`: the model continues it. Thinking
    is sent as text, whichever API it came from.

    Raises `EncodeError` if there is no model, no message or no message but an answer, if a call has
    no result or a result no call (`repair` closes them, see `_turns.ordered`), or if the request
    contradicts itself; `LossError` if something has no place on this wire and `losses` is None.
    """
    return written(_writer(dialect), request, losses, repair=repair)


def decode_request(
    data: bytes | bytearray | memoryview | str,
    path: str | None = None,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    target: str = "",
) -> Request:
    """Decode the body of `POST /v1/chat/completions`; `path` is not used on this wire.

    Each assistant message gets this API as its `api`, since its signatures are valid here.

    Raises `DecodeError`. With `losses`, a lone surrogate becomes U+FFFD and a loss.
    """
    return decoded(lambda body: _RequestReader(body, dialect), wire.Body, data, "mistral", losses)


def route(request: Request, *, dialect: str = DIALECTS[0]) -> Route:
    """Return where to send the request."""
    return Route("POST", "/v1/chat/completions")


class _RequestWriter(MessageWriter):
    UNSUPPORTED = {"user_id": None}  # noqa: RUF012 -- the base says that it is a Mapping
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    BODY = wire.Body
    CONTENT = ("tools", "messages")

    def body(self, messages: list[Message]) -> wire.Body:
        request = self._request
        if request.model is None:
            self._fail("no model", request, ".model")
        self.lose_unsupported()
        tools = self._tools()
        conversation = self.conversation(messages)
        if conversation:
            self.end(conversation)
        if not self.sent:
            if not conversation:
                self._fail("no message with content", request, ".messages")
            if len(conversation) == 1 and self.is_answer(conversation[0]):
                self._fail("no message but an answer", request, ".messages")
        body: wire.Body = self.own_parameters()
        body.tools = tools or None
        body.messages = [*self.sent, *conversation] if self.sent else conversation
        return body

    def parameters(self) -> wire.Body:
        request = self._request
        self._cache(request.cache)
        has_tools = bool(self.carried_tools())
        temperature = self._ranged("temperature", 0.0, 1.5)
        top_p = self._ranged("top_p", 0.0, 1.0)
        if temperature == 0 and top_p not in (None, 1):
            self._lose("top_p", request)
            top_p = None
        return wire.Body(
            model=request.model,
            temperature=temperature,
            top_p=top_p,
            top_k=request.top_k,
            max_tokens=self._ranged("max_tokens", 0),
            stream=True if request.stream else None,
            stop=request.stop or None,
            random_seed=self._ranged("seed", 0),
            metadata=self._metadata() if request.metadata else None,
            response_format=self._response_format(request.response_format),
            presence_penalty=self._ranged("presence_penalty", -2.0, 2.0),
            frequency_penalty=self._ranged("frequency_penalty", -2.0, 2.0),
            logprobs=request.logprobs,
            top_logprobs=request.top_logprobs,
            n=self._ranged("candidates", 1),
            parallel_tool_calls=request.parallel_tool_calls if has_tools else None,
            reasoning_effort=self._effort(request.thinking),
            service_tier=self._service_tier(),
            tool_choice=self._tool_choice(has_tools),
            messages=[],
        )

    def read(self, body: bytes) -> dict[str, Any]:
        return _RequestReader(read_body(wire.Body, body, self.WIRE), self._dialect).parameters()

    def _ranged(self, name: str, least: float, most: float | None = None) -> Any:
        """Return a number, brought into the range that the API takes."""
        asked = getattr(self._request, name)
        if asked is None:
            return None
        self._finite(asked, f".{name}")
        possible = max(asked, least) if most is None else min(max(asked, least), most)
        if possible != asked:
            self._lose(name, self._request)
        return possible

    def _metadata(self) -> RawJson:
        try:
            return RawJson.of(self._request.metadata)
        except EncodeError as error:
            self._fail(error.reason, self._request, ".metadata")

    def _cache(self, cache: CacheConfig | None) -> None:
        """Report settings that the API's automatic cache does not take."""
        if cache is None or not cache.enabled or cache.strategy == "disabled":
            return
        if cache.strategy != "auto" or cache.ttl is not None:
            self._lose("cache", self._request)

    def _response_format(self, asked: ResponseFormat | None) -> wire.ResponseFormat | None:
        if asked is None:
            return None
        if asked.kind != "json_schema":
            if asked.schema is not None:
                self._lose("json schema", asked)
            return wire.ResponseFormat("json_object") if asked.kind == "json" else None
        if asked.schema is None or asked.schema.text[:1] != b"{":
            self._fail("a response format without a schema object", asked, ".schema")
        name = asked.name if asked.name is not None else _SCHEMA_NAME
        schema = wire.JsonSchema(name, asked.description, asked.schema, asked.strict)
        return wire.ResponseFormat("json_schema", schema)

    def _effort(self, asked: Thinking | None) -> str | None:
        if asked is None:
            return None
        level = asked.level
        if asked.visible is False and level is not ThinkingLevel.OFF:
            self._lose("thinking shown", asked)
        if level is ThinkingLevel.ULTRA:
            self._lose("thinking level", asked)
        if asked.budget_tokens is not None:
            self._lose("thinking budget", asked)
            if level is None:
                level = ThinkingLevel.HIGH if asked.budget_tokens else ThinkingLevel.OFF
        return _EFFORTS[level] if level is not None else None

    def _service_tier(self) -> str | None:
        tier = self._request.service_tier
        if tier is None or tier in _TIERS:
            return tier
        self._lose("service_tier", self._request)
        return None

    def _tool_choice(self, has_tools: bool) -> str | wire.NamedTool | None:
        choice = self._request.tool_choice
        if choice is None:
            return None
        if (choice.mode == "tool") is (choice.name is None):
            self._fail(f"a tool choice of mode `{choice.mode}`: name is {choice.name!r}", choice)
        if not has_tools:
            if choice.mode in ("required", "tool"):
                self._lose("tool choice unused", choice)
            return None
        choice = self.chosen(choice)
        if choice.allowed is not None:
            self._lose("tool choice allowed", choice)
        if choice.name is None:
            return _CHOICES[choice.mode]
        return wire.NamedTool("function", wire.FunctionName(self._name(choice.name, choice)))

    def _tools(self) -> list[Any]:
        names: set[str] = set()
        tools: list[Any] = []
        for tool in self._request.tools or ():
            if isinstance(tool, OpaqueBlock):
                if tool.api == self.API:
                    tools.append(self._with_extras(self._opaque(tool), tool))
                else:
                    self._lose("opaque tool", tool)
                continue
            name = self._name(tool.name, tool)
            if name in names:
                self._fail(f"two tools named `{tool.name}`", tool)
            names.add(name)
            if tool.cache is not None:
                self._lose("cache mark", tool)
            function = wire.Function(name, tool.description, self._schema(tool), tool.strict)
            tools.append(self._with_extras(wire.FunctionTool("function", function), tool))
        return tools

    def _schema(self, tool: Tool) -> RawJson:
        """Return the schema of the parameters; this wire requires an object."""
        schema = tool.parameters
        if schema is None:
            return _NO_PARAMETERS
        if schema.text[:1] != b"{":
            self._fail("a tool's parameters are not an object schema", tool, ".parameters")
        return schema


class _RequestReader(MessageReader, RequestReader):
    WRITER = _RequestWriter

    def request(self) -> Request:
        body: wire.Body = self.body.root
        last = len(body.messages) - 1
        messages = [self.message(m, is_last=i == last) for i, m in enumerate(body.messages)]
        request = Request(messages, **self.parameters())
        if body.tools is not None:
            request.tools = [self._tool(tool) for tool in body.tools]
        return request

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.body.root
        stop = body.stop
        made: dict[str, Any] = {
            "temperature": body.temperature,
            "top_p": body.top_p,
            "top_k": body.top_k,
            "max_tokens": body.max_tokens,
            "stop": [stop] if isinstance(stop, str) else stop,
            "seed": body.random_seed,
            "metadata": self._metadata(body),
            "response_format": self._response_format(body.response_format),
            "presence_penalty": body.presence_penalty,
            "frequency_penalty": body.frequency_penalty,
            "logprobs": body.logprobs,
            "top_logprobs": body.top_logprobs,
            "candidates": body.n,
            "parallel_tool_calls": body.parallel_tool_calls,
            "thinking": self._thinking_level(body.reasoning_effort),
            "service_tier": body.service_tier,
            "tool_choice": self._choice(body.tool_choice),
        }
        if body.model is not None:
            made["model"] = body.model
        if body.stream is not None:
            made["stream"] = body.stream
        return made

    def _metadata(self, body: wire.Body) -> dict[str, Any] | None:
        value = RawJson.adopt(body.metadata).value if body.metadata is not None else None
        if value is not None and not isinstance(value, dict):
            self._fail("expected `object`", body, ".metadata")
        return value

    def _response_format(self, form: wire.ResponseFormat | None) -> ResponseFormat | None:
        if form is None:
            return None
        kind = _FORMATS.get(form.type)
        if kind is None:
            self._unread.add("response_format")
            return None
        schema = form.json_schema
        if schema is None:
            return ResponseFormat(kind)
        return ResponseFormat(kind, schema.schema, schema.name, schema.description, schema.strict)

    def _thinking_level(self, effort: str | None) -> Thinking | None:
        if effort is None:
            return None
        if effort not in _LEVELS:
            self._unread.add("reasoning_effort")
            return None
        return Thinking(_LEVELS[effort])

    def _choice(self, choice: str | wire.NamedTool | None) -> ToolChoice | None:
        if choice is None:
            return None
        if isinstance(choice, wire.NamedTool) and choice.function is not None:
            return ToolChoice("tool", choice.function.name)
        mode = _MODES.get(choice) if isinstance(choice, str) else None
        if mode is None:
            self._unread.add("tool_choice")
            return None
        return ToolChoice(mode)

    def _tool(self, tool: wire.FunctionTool) -> Tool | OpaqueBlock:
        function = tool.function
        if tool.type not in (None, "function") or function is None:
            return OpaqueBlock(self.API, self._raw(tool))
        return Tool(
            function.name,
            function.description,
            function.parameters,
            function.strict,
            extras=self._extras(tool),
        )


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    WRITER: ClassVar[type[RequestWriter]] = _RequestWriter
    DIALECT: ClassVar[str] = DIALECTS[0]


def _writer(dialect: str) -> Make:
    return lambda request, losses: _RequestWriter(request, losses, dialect)
