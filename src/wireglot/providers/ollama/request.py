"""Request <-> the JSON of Ollama's chat.

What is normalized without a loss: the texts of a message become one string, joined by line feeds;
its images go into `images`, in their order; each result becomes a message of its own; `content` is
always written, even if empty; so is `stream`, since the server streams by default.
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
)
from .._reading import RequestReader, decoded, read_body
from .._routes import Route
from .._transcript import Transcript as BaseTranscript
from .._writing import Make, RequestWriter, written
from . import wire
from .reading import MessageReader
from .writing import MessageWriter

__all__ = ["DIALECTS", "Transcript", "decode_request", "encode_request", "route"]

DIALECTS: Final = ("ollama",)
"""Who serves the wire: Ollama alone."""

_LEVELS: Final = {
    ThinkingLevel.MINIMAL: "low",
    ThinkingLevel.LOW: "low",
    ThinkingLevel.MEDIUM: "medium",
    ThinkingLevel.HIGH: "high",
    ThinkingLevel.XHIGH: "high",
    ThinkingLevel.MAX: "max",
    ThinkingLevel.ULTRA: "max",
}
_NEAREST: Final = frozenset({ThinkingLevel.MINIMAL, ThinkingLevel.XHIGH, ThinkingLevel.ULTRA})
_WORDS: Final = {word: level for level, word in _LEVELS.items() if level not in _NEAREST}
# Parameter -> a value that, like None and False, asks for nothing.
_UNSUPPORTED: Final[dict[str, Any]] = {
    "candidates": 1,
    "metadata": {},
    "service_tier": None,
    "user_id": None,
}
_NO_PARAMETERS: Final = RawJson.of({"type": "object", "properties": {}})
_JSON: Final = RawJson.of("json")
_NULL: Final = Raw(b"null")


def encode_request(
    request: Request, losses: Losses = None, *, dialect: str = DIALECTS[0], repair: bool = False
) -> bytes:
    """Encode `request` as the body of `POST /api/chat`.

    Tool arguments and inline images are spliced in unparsed.

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
    """Decode the body of `POST /api/chat`; `path` is not used on this wire.

    Calls without an id get one, which is not sent back to this wire; their results are found by the
    tool's name and by order.

    Raises `DecodeError`. With `losses`, a lone surrogate becomes U+FFFD and a loss.
    """
    return decoded(lambda body: _RequestReader(body, dialect), wire.Body, data, "ollama", losses)


def route(request: Request, *, dialect: str = DIALECTS[0]) -> Route:
    """Return where to send the request."""
    return Route("POST", "/api/chat")


class _RequestWriter(MessageWriter):
    UNSUPPORTED = _UNSUPPORTED
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    BODY = wire.Body
    CONTENT = ("tools", "messages")

    def body(self, messages: list[Message]) -> wire.Body:
        if not self._request.model:
            self._fail("no model", self._request, ".model")
        self.lose_unsupported()
        body: wire.Body = self.own_parameters()
        body.tools = self._tools() or None
        conversation = self.conversation(messages)
        if not conversation:
            self._fail("no message with content", self._request, ".messages")
        body.messages = [*self.sent, *conversation] if self.sent else conversation
        return body

    def parameters(self) -> wire.Body:
        request = self._request
        options = wire.Options(
            request.max_tokens,
            self._finite(request.temperature, ".temperature"),
            request.top_k,
            self._finite(request.top_p, ".topP"),
            request.seed,
            request.stop or None,
            self._finite(request.frequency_penalty, ".frequencyPenalty"),
            self._finite(request.presence_penalty, ".presencePenalty"),
        )
        if request.parallel_tool_calls is False:
            self._lose("parallel_tool_calls", request)
        self._cache(request.cache)
        return wire.Body(
            model=request.model,
            stream=request.stream,
            format=self._format(),
            options=options if options != _NO_OPTIONS else None,
            think=self._think(),
            logprobs=request.logprobs,
            top_logprobs=request.top_logprobs,
            messages=[],
        )

    def read(self, body: bytes) -> dict[str, Any]:
        return _RequestReader(read_body(wire.Body, body, self.WIRE), self._dialect).parameters()

    def _cache(self, cache: CacheConfig | None) -> None:
        """Report settings that the API's automatic cache does not take."""
        if cache is None or not cache.enabled or cache.strategy == "disabled":
            return
        if cache.strategy != "auto" or cache.ttl is not None:
            self._lose("cache", self._request)

    def _format(self) -> RawJson | None:
        asked = self._request.response_format
        if asked is None:
            return None
        if asked.kind != "json_schema":
            if asked.schema is not None:
                self._lose("json schema", asked)
            return _JSON if asked.kind == "json" else None
        if asked.schema is None or asked.schema.text[:1] != b"{":
            self._fail("a response format without a schema object", asked, ".schema")
        return asked.schema

    def _think(self) -> bool | str | None:
        asked = self._request.thinking
        if asked is None:
            return None
        if asked.budget_tokens is not None:
            self._lose("thinking budget", asked)
        if asked.level is ThinkingLevel.OFF or (asked.level is None and asked.budget_tokens == 0):
            return False
        if asked.visible is False:
            self._lose("thinking shown", asked)
        if asked.level is None:
            return True
        if asked.level in _NEAREST:
            self._lose("thinking level", asked)
        return _LEVELS[asked.level]

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
            if tool.strict:
                self._lose("strict", tool)
            if tool.cache is not None:
                self._lose("cache mark", tool)
            function = wire.Function(tool.name, tool.description, self._schema(tool))
            tools.append(self._with_extras(wire.Tool("function", function), tool))
        return [] if self._must_not_call(bool(tools)) else tools

    def _schema(self, tool: Tool) -> RawJson:
        """Return the schema of the parameters; this wire requires an object."""
        schema = tool.parameters
        if schema is None:
            return _NO_PARAMETERS
        if schema.text[:1] != b"{":
            self._fail("a tool's parameters are no object schema", tool, ".parameters")
        return schema

    def _must_not_call(self, has_tools: bool) -> bool:
        """Report a choice other than `auto`; return whether it is `none`, and there are tools."""
        choice = self._request.tool_choice
        if choice is None:
            return False
        if (choice.mode == "tool") is (choice.name is None):
            self._fail(f"a tool choice of mode `{choice.mode}`: name is {choice.name!r}", choice)
        if not has_tools:
            if choice.mode in ("required", "tool"):
                self._lose("tool choice unused", choice)
            return False
        choice = self.chosen(choice)
        if choice.allowed is not None:
            self._lose("tool choice allowed", choice)
        if choice.mode != "auto":
            self._lose("tool choice", choice)
        return choice.mode == "none"


_NO_OPTIONS: Final = wire.Options()


class _RequestReader(MessageReader, RequestReader):
    WRITER = _RequestWriter

    def request(self) -> Request:
        body: wire.Body = self.body.root
        request = Request([self.message(part) for part in body.messages], **self.parameters())
        if body.tools is not None:
            request.tools = [self._tool(tool) for tool in body.tools]
        return request

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.body.root
        options = body.options or _NO_OPTIONS
        stop, most = options.stop, _whole(options.num_predict)
        numbers = (options.num_predict, options.top_k, options.seed)
        if any(number != _whole(number) for number in numbers):
            self._unread.add("options")
        return {
            "model": body.model,
            "stream": body.stream is not False,
            "response_format": self._asked_format(body.format),
            "max_tokens": None if most is not None and most < 0 else most,  # -1: no limit
            "temperature": options.temperature,
            "top_k": _whole(options.top_k),
            "top_p": options.top_p,
            "seed": _whole(options.seed),
            "stop": [stop] if isinstance(stop, str) else stop,
            "frequency_penalty": options.frequency_penalty,
            "presence_penalty": options.presence_penalty,
            "thinking": self._thinking(body.think),
            "logprobs": body.logprobs,
            "top_logprobs": body.top_logprobs,
        }

    def _asked_format(self, given: Any) -> ResponseFormat | None:
        text = bytes(given).strip() if given is not None else b"null"
        if text[:1] == b"{":
            return ResponseFormat("json_schema", RawJson.adopt(given))
        if text == b'"json"':
            return ResponseFormat("json")
        if text not in (b"null", b'""'):
            self._unread.add("format")
        return None

    def _thinking(self, think: bool | str | None) -> Thinking | None:
        if think is None:
            return None
        if think is False:
            return Thinking(ThinkingLevel.OFF)
        if think is True:
            return Thinking()
        if think not in _WORDS:
            self._unread.add("think")
        return Thinking(_WORDS.get(think))

    def _tool(self, tool: wire.Tool) -> Tool | OpaqueBlock:
        function = tool.function
        if tool.type not in (None, "function") or function is None:
            return OpaqueBlock(self.API, self._raw(tool))
        extras = self._extras(tool) if tool.type else self._extras(tool, type=_NULL)
        return Tool(function.name, function.description, function.parameters, extras=extras)


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    WRITER: ClassVar[type[RequestWriter]] = _RequestWriter
    DIALECT: ClassVar[str] = DIALECTS[0]


def _whole(number: float | None) -> int | None:
    """Return a whole number; a fraction is None, since a limit of 0.9 is not one of 0."""
    return int(number) if number is not None and number == int(number) else None


def _writer(dialect: str) -> Make:
    return lambda request, losses: _RequestWriter(request, losses, dialect)
