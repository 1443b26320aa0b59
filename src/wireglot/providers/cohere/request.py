"""Request <-> the JSON of Cohere's chat.

What is normalized without a loss: a key that is null is left out; empty text is left out, and so is
a message without content; text beside calls becomes their plan; blank arguments become `{}`; a
result without content becomes a document with an empty output; images of a result follow in a
user's message, and the result refers to them; what describes a block to programs (alt text,
bounding boxes, sizes, pages, the kind of a call) and signatures of other APIs are not sent.
"""

from __future__ import annotations

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
    Thinking,
    ThinkingLevel,
    Tool,
    ToolChoice,
)
from .._reading import RequestReader, decoded, read_body
from .._routes import Route
from .._transcript import Transcript as BaseTranscript
from .._turns import Disorder
from .._writing import Make, RequestWriter, written
from . import wire
from .reading import MessageReader, without_type
from .writing import MessageWriter

__all__ = ["DIALECTS", "Transcript", "decode_request", "encode_request", "route"]

DIALECTS: Final = ("cohere",)
"""Who serves the wire."""

_MODES: Final[dict[str, Any]] = {"REQUIRED": "required", "NONE": "none"}
_MOST_STOPS: Final = 5
_LARGEST_SEED: Final = 2**64 - 1
_NO_PARAMETERS: Final = RawJson.of({"type": "object", "properties": {}})
# Parameter -> a value that, like None and False, asks for nothing.
_UNSUPPORTED: Final[dict[str, Any]] = {
    "candidates": 1,
    "top_logprobs": 0,
    "service_tier": None,
    "user_id": None,
    "metadata": {},
}


def encode_request(
    request: Request, losses: Losses = None, *, dialect: str = DIALECTS[0], repair: bool = False
) -> bytes:
    """Encode `request` as the body of `POST /v2/chat`.

    Each result becomes a message of its own. Tool arguments and inline images are spliced in
    unparsed. Text beside an answer's calls becomes `tool_plan`, since the API takes no other text
    there; so does the thinking of other APIs. A thinking level only turns thinking on.

    Raises `EncodeError` if there is no model or no message, if a call has no result or a result no
    call (`repair` closes them, see `_turns.ordered`), or if the request contradicts itself;
    `LossError` if something has no place on this wire and `losses` is None.
    """
    return written(_writer(dialect), request, losses, repair=repair)


def decode_request(
    data: bytes | bytearray | memoryview | str,
    path: str | None = None,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
) -> Request:
    """Decode the body of `POST /v2/chat`; `path` is not used on this wire.

    Each assistant message gets this API as its `api`. `documents` to be cited have no field in
    `Request`: they go back to this API, and are a loss on any other.

    Raises `DecodeError`. With `losses`, a lone surrogate becomes U+FFFD and a loss.
    """
    return decoded(lambda body: _RequestReader(body, dialect), wire.Body, data, "cohere", losses)


def route(request: Request, *, dialect: str = DIALECTS[0]) -> Route:
    """Return where to send the request."""
    return Route("POST", "/v2/chat")


class _RequestWriter(MessageWriter):
    UNSUPPORTED = _UNSUPPORTED
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    BODY = wire.Body
    CONTENT = ("tools", "messages")

    def body(self, messages: list[Message]) -> wire.Body:
        request = self._request
        if request.model is None:
            self._fail("no model", request, ".model")
        if self.sent and not self._thinks:
            raise Disorder  # those messages were encoded with thinking on
        self.lose_unsupported()
        tools = self._tools()
        conversation = self.conversation(messages)
        if not conversation and not self.sent:
            self._fail("no message with content", request, ".messages")
        body: wire.Body = self.own_parameters()
        body.tools = tools or None
        body.messages = [*self.sent, *conversation] if self.sent else conversation
        return body

    def parameters(self) -> wire.Body:
        request = self._request
        self._cache(request.cache)
        if request.parallel_tool_calls is False and self.carried_tools():
            self._lose("parallel_tool_calls", request)
        return wire.Body(
            model=request.model,
            stream=True if request.stream else None,
            max_tokens=request.max_tokens,
            stop_sequences=self._stop(request.stop),
            temperature=self._ranged("temperature", 0.0, 1.0),
            seed=self._ranged("seed", 0, _LARGEST_SEED),
            frequency_penalty=self._ranged("frequency_penalty", 0.0, 1.0),
            presence_penalty=self._ranged("presence_penalty", 0.0, 1.0),
            k=self._ranged("top_k", 0, 500),
            p=self._ranged("top_p", 0.01, 0.99),
            logprobs=request.logprobs,
            response_format=self._response_format(request.response_format),
            thinking=self._thinking(request.thinking),
            tool_choice=self._tool_choice(request.tool_choice),
            strict_tools=self._strict(),
            messages=[],
        )

    def read(self, body: bytes) -> dict[str, Any]:
        return _RequestReader(read_body(wire.Body, body, self.WIRE), self._dialect).parameters()

    def _ranged(self, name: str, least: float, most: float) -> Any:
        """Return a number, brought into the range that the API takes."""
        asked = getattr(self._request, name)
        if asked is None:
            return None
        self._finite(asked, f".{name}")
        possible = min(max(asked, least), most)
        if possible != asked:
            self._lose(name, self._request)
        return possible

    def _cache(self, cache: CacheConfig | None) -> None:
        """Report settings that the API's automatic cache does not take."""
        if cache is None or not cache.enabled or cache.strategy == "disabled":
            return
        if cache.strategy != "auto" or cache.ttl is not None:
            self._lose("cache", self._request)

    def _stop(self, asked: list[str] | None) -> list[str] | None:
        if asked is not None and len(asked) > _MOST_STOPS:
            self._lose("stop", self._request)
            return asked[:_MOST_STOPS]
        return asked or None

    def _response_format(self, asked: ResponseFormat | None) -> wire.ResponseFormat | None:
        if asked is None or asked.kind == "text":
            return wire.ResponseFormat("text") if asked is not None else None
        if asked.schema is not None and asked.schema.text[:1] != b"{":
            self._fail("a response format's schema is no object", asked, ".schema")
        if self.carried_tools():
            self._lose("response format", asked)
            return None
        return wire.ResponseFormat("json_object", asked.schema)

    def _thinking(self, asked: Thinking | None) -> wire.ThinkingConfig | None:
        if asked is None:
            return None
        if asked.level is ThinkingLevel.OFF:
            return wire.ThinkingConfig("disabled")
        if asked.level is not None:
            self._lose("thinking level", asked)
        if asked.visible is False:
            self._lose("thinking shown", asked)
        if not self._thinks:
            self._lose("thinking budget", asked)
            return wire.ThinkingConfig("disabled")
        return wire.ThinkingConfig("enabled", asked.budget_tokens)

    def _tool_choice(self, choice: ToolChoice | None) -> str | None:
        """Return the wire's word for a choice; `auto` has none, since it is the default."""
        if choice is None:
            return None
        if (choice.mode == "tool") is (choice.name is None):
            self._fail(f"a tool choice of mode `{choice.mode}`: name is {choice.name!r}", choice)
        names = [getattr(tool, "name", None) for tool in self.carried_tools()]
        if not names:
            if choice.mode in ("required", "tool"):
                self._lose("tool choice unused", choice)
            return None
        choice = self.chosen(choice)
        if choice.allowed is not None:
            self._lose("tool choice allowed", choice)
        if choice.mode == "tool" and names != [choice.name]:
            self._lose("tool choice", choice)
        return {"auto": None, "none": "NONE"}.get(choice.mode, "REQUIRED")

    def _strict(self) -> bool | None:
        """Return one `strict` for all tools; a loss, if only some of them ask for it."""
        asked = {tool.strict for tool in self._request.tools or () if isinstance(tool, Tool)}
        if len(asked) > 1 and True in asked:
            self._lose("strict", self._request)
            return None
        return next((strict for strict in asked if strict is not None), None)

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
            if tool.name in names:
                self._fail(f"two tools named `{tool.name}`", tool)
            names.add(tool.name)
            if tool.cache is not None:
                self._lose("cache mark", tool)
            function = wire.FunctionDefinition(tool.name, tool.description, self._schema(tool))
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
        messages = [self.message(part) for part in body.messages]
        request = Request(messages, **self.parameters())
        if body.tools is not None:
            request.tools = [self._tool(tool, body.strict_tools) for tool in body.tools]
        return request

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.body.root
        if body.documents is not None and bytes(memoryview(body.documents)[:5]) not in (
            b"[]",
            b"null",
        ):
            self._unread.add("documents")
        made: dict[str, Any] = {
            "max_tokens": body.max_tokens,
            "stop": body.stop_sequences,
            "temperature": body.temperature,
            "seed": body.seed,
            "frequency_penalty": body.frequency_penalty,
            "presence_penalty": body.presence_penalty,
            "top_k": body.k,
            "top_p": body.p,
            "logprobs": body.logprobs,
            "response_format": self._response_format(body.response_format),
            "thinking": self._budget(body.thinking),
            "tool_choice": self._choice(body.tool_choice),
        }
        if body.model is not None:
            made["model"] = body.model
        if body.stream is not None:
            made["stream"] = body.stream
        return made

    def _response_format(self, form: wire.ResponseFormat | None) -> ResponseFormat | None:
        if form is None:
            return None
        schema = form.json_schema if _is_object(form.json_schema) else None
        if form.type == "json_object":
            return ResponseFormat("json_schema" if schema is not None else "json", schema)
        if form.type != "text" or schema is not None:
            self._unread.add("response_format")
        return ResponseFormat("text") if form.type == "text" else None

    def _budget(self, thinking: wire.ThinkingConfig | None) -> Thinking | None:
        if thinking is None:
            return None
        if thinking.type == "disabled":
            return Thinking(ThinkingLevel.OFF)
        if thinking.type != "enabled":
            self._unread.add("thinking")
        return Thinking(budget_tokens=thinking.token_budget)

    def _choice(self, choice: str | None) -> ToolChoice | None:
        if choice is None:
            return None
        mode = _MODES.get(choice)
        if mode is None:
            self._unread.add("tool_choice")
            return None
        return ToolChoice(mode)

    def _tool(self, tool: wire.FunctionTool, strict: bool | None) -> Tool | OpaqueBlock:
        function = tool.function
        if tool.type not in (None, "function") or function is None:
            return OpaqueBlock(self.API, self._raw(tool))
        made = Tool(function.name, function.description, function.parameters, strict)
        made.extras = self._extras(tool, **without_type(tool.type))
        return made


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    WRITER: ClassVar[type[RequestWriter]] = _RequestWriter
    DIALECT: ClassVar[str] = DIALECTS[0]


def _writer(dialect: str) -> Make:
    return lambda request, losses: _RequestWriter(request, losses, dialect)


def _is_object(raw: Raw | None) -> bool:
    return raw is not None and bytes(memoryview(raw)[:1]) == b"{"
