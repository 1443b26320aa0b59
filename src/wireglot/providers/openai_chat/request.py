"""Request <-> Chat Completions JSON.

What is normalized without a loss: a message without content is left out; in an answer thinking
comes first, then text, then calls; a list of one plain text becomes a string; media that a tool's
result cannot hold follow in a user message, and the result refers to them; ids longer than the
service takes are mapped one to one, the same for call and result; what describes a block to
programs (alt text, bounding boxes, sizes, pages, the kind of a call) and signatures of other APIs
are not sent.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

from msgspec import Raw

from ...losses import Losses
from ...model import CacheConfig, CacheMark, Message, OpaqueBlock, RawJson, Request, Tool
from .._reading import Body, decoded, read_body
from .._routes import Route, parts_of_url
from .._transcript import Transcript as BaseTranscript
from .._writing import Make, RequestWriter, check_dialect, written
from . import wire
from .dialects import SERVICES, service_of
from .parameters import ParameterReader, ParameterWriter
from .parts import MOST_MARKS

__all__ = ["DIALECTS", "Transcript", "decode_request", "encode_request", "route"]

DIALECTS: Final = tuple(SERVICES)
"""Who speaks the wire; `generic` is what most servers understand."""

_MODEL_IN_URL: Final = re.compile(r"/deployments/([^/]+)/(chat/completions)")
_NO_CACHE: Final = CacheConfig(enabled=False)
_NEEDED: Final = {"type": b'"type":"object",', "properties": b'"properties":{},'}


def encode_request(
    request: Request, losses: Losses = None, *, dialect: str = DIALECTS[0], repair: bool = False
) -> bytes:
    """Encode `request` as the body of `POST /v1/chat/completions`, as `dialect` spells it.

    Tool arguments and inline media are spliced in. A streaming request asks for the usage at the
    end. The text of an answer's thinking is sent back if the dialect takes it, whichever API it
    came from.

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
    """Decode the body of `POST /v1/chat/completions`, of any dialect.

    A spelling is kept in `extras` only where the encoder of `dialect` would write another one.
    `path` is that of the URL, which may name the model on Azure. Each assistant message gets this
    API as its `api`.

    Raises `DecodeError`. With `losses`, a lone surrogate becomes U+FFFD and a loss.
    """
    check_dialect(dialect, DIALECTS, "openai_chat")
    return decoded(
        lambda body: _RequestReader(body, dialect, path), wire.Body, data, "openai_chat", losses
    )


def route(request: Request, *, dialect: str = DIALECTS[0]) -> Route:
    """Return where to send the request; on Azure, the v1 API, which needs no `api-version`."""
    return Route("POST", service_of(dialect).path)


class _RequestWriter(ParameterWriter):
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    BODY = wire.Body
    CONTENT = ("functions", "tools", "messages")

    def body(self, messages: list[Message]) -> wire.Body:
        request = self._request
        if request.model is None and self._service.needs_model:
            self._fail("no model", request, ".model")
        sections = (request.cache or _NO_CACHE).sections()
        marks_apart = self._service.cache == "cache_control"
        self._marks_left -= marks_apart and sections.cache_messages  # top-level, but it counts
        tools = self._tools(marks_apart and sections.cache_tools)
        conversation = self.conversation(messages)
        if not conversation and not self.sent:
            self._fail("no message with content", request, ".messages")
        if marks_apart and sections.cache_system:
            self._mark_prompt(conversation, messages)
        body: wire.Body = self.own_parameters()
        if self.has_functions():
            body.functions = tools
        else:
            body.tools = tools or None
        body.messages = [*self.sent, *conversation] if self.sent else conversation
        return body

    def is_settled(self, made: list[Any]) -> bool:
        """Whether nothing that follows can change these messages.

        Breakpoints are counted over the whole request.
        """
        return self._marks_left == MOST_MARKS and self._request.cache is None

    def read(self, body: bytes) -> dict[str, Any]:
        return _RequestReader(read_body(wire.Body, body, self.WIRE), self._dialect).parameters()

    def _mark_prompt(self, conversation: list[Any], messages: list[Message]) -> None:
        """Put a breakpoint behind the system prompt, unless it has one there."""
        last = None
        for made in conversation:
            if type(made) not in (wire.System, wire.Developer):
                break
            last = made
        if last is None:
            return
        parts = [wire.Text(last.content)] if type(last.content) is str else last.content
        if getattr(parts[-1], "cache_control", None) is None:
            self._mark_last(parts, self._cache_mark(), messages[0])
        last.content = parts

    # -- tools ---------------------------------------------------------------------------------

    def _tools(self, mark_last: bool) -> list[Any]:
        given = self._request.tools or []
        are_functions = self.has_functions()
        names: set[str] = set()
        tools: list[Any] = []
        for tool in given:
            if isinstance(tool, OpaqueBlock):
                if tool.api == self.API:
                    tools.append(self._with_extras(self._opaque(tool), tool))
                else:
                    self._lose("opaque tool", tool)
                continue
            name = self._tool_name(tool.name, tool)
            if name in names:
                self._fail(f"two tools named `{tool.name}`", tool)
            names.add(name)
            tools.append(self._tool(tool, name, are_functions))
        if mark_last and tools and getattr(tools[-1], "cache_control", None) is None:
            self._mark_last(tools, self._cache_mark(), self.carried_tools()[-1])
        return tools

    def _cache_mark(self) -> CacheMark:
        return CacheMark(self._request.cache.ttl if self._request.cache is not None else None)

    def _tool(self, tool: Tool, name: str, is_function: bool) -> Any:
        made = wire.FunctionDefinition(name, tool.description, self._schema(tool), tool.strict)
        if is_function:
            return self._with_extras(made, tool)
        whole = wire.FunctionTool(made)
        if tool.cache is not None:
            self._mark(whole, tool.cache, tool)
        return self._with_extras(whole, tool)

    def _schema(self, tool: Tool) -> RawJson | Raw | None:
        """Return the schema, which has `type: object` and `properties` on this wire.

        A schema without these keys gets them.
        """
        schema = tool.parameters
        if schema is None:
            return None
        value = schema.value
        if not isinstance(value, dict) or value.get("type", "object") != "object":
            self._fail("a tool's parameters are not an object schema", tool, ".parameters")
        added = b"".join(text for key, text in _NEEDED.items() if key not in value)
        if not added:
            return schema
        return Raw(b"{" + (added if value else added[:-1]) + schema.text.strip()[1:])


class _RequestReader(ParameterReader):
    WRITER = _RequestWriter

    def __init__(self, body: Body, dialect: str, path: str | None = None) -> None:
        super().__init__(body, dialect)
        self._url = path

    def request(self) -> Request:
        body: wire.Body = self.body.root
        messages = [self.message(part) for part in body.messages]
        request = Request(messages, **self.parameters())
        request.model = request.model or parts_of_url(self._url, _MODEL_IN_URL)[0]
        tools = [self._tool(tool) for tool in body.tools or ()]
        tools += [self._function(function) for function in body.functions or ()]
        request.tools = tools or None
        return request

    def _tool(self, part: Any) -> Tool | OpaqueBlock:
        if type(part) is not wire.FunctionTool:
            return OpaqueBlock(self.API, self._raw(part))
        said = part.function
        made = Tool(said.name, said.description, said.parameters, said.strict)
        marked: Tool = self._marked(made, part)
        return marked

    def _function(self, part: wire.FunctionDefinition) -> Tool:
        made = Tool(part.name, part.description, part.parameters, part.strict)
        made.extras = self._came_as("functions", part)
        return made


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    WRITER: ClassVar[type[RequestWriter]] = _RequestWriter
    DIALECT: ClassVar[str] = DIALECTS[0]


def _writer(dialect: str) -> Make:
    return lambda request, losses: _RequestWriter(request, losses, dialect)
