"""Request <-> Responses JSON.

What is normalized without a loss: a message without content is left out; a list of one plain text
becomes a string, an `input` string becomes a list; `type: message` is written only with an id; ids
longer than 64 characters are mapped one to one, the same for call and result; what describes a
block to programs (alt text, bounding boxes, sizes, pages, the kind of a call) and signatures of
other APIs are not sent.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from msgspec import Raw

from ...losses import Losses
from ...model import (
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    SystemMessage,
    TextBlock,
    Tool,
    UserMessage,
)
from .._reading import decoded, read_body
from .._routes import Route
from .._transcript import Transcript as BaseTranscript
from .._writing import Make, RequestWriter, written
from . import wire
from .dialects import SERVICES
from .parameters import ParameterReader, ParameterWriter

__all__ = ["DIALECTS", "Transcript", "decode_request", "encode_request", "route"]

DIALECTS: Final = tuple(SERVICES)
"""Who speaks the wire, each in a slightly different way; the first is the default."""

_NEEDED: Final = {"type": b'"type":"object",', "properties": b'"properties":{},'}
_NO_PARAMETERS: Final = RawJson.of({"type": "object", "properties": {}})
_STORED: Final = ("previous_response_id", "conversation", "prompt")


def encode_request(
    request: Request, losses: Losses = None, *, dialect: str = DIALECTS[0], repair: bool = False
) -> bytes:
    """Encode `request` as the body of `POST /v1/responses`, as `dialect` spells it.

    System messages become items of that role, or `instructions` if they came as such. Tool
    arguments and inline media are spliced in. `strict` is always written, since services differ in
    its default. A request for thinking also asks for its encrypted content, so that it can be sent
    back.

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
    target: str = "",
) -> Request:
    """Decode the body of `POST /v1/responses`, of any dialect; `path` is not used on this wire.

    A spelling is kept in `extras` only where the encoder of `dialect` would write another one; it
    goes back to that dialect alone, as do item ids. The items of an answer become one message,
    which gets this API as its `api`.

    Raises `DecodeError`. With `losses`, a lone surrogate becomes U+FFFD and a loss.
    """
    return decoded(
        lambda body: _RequestReader(body, dialect), wire.Body, data, "openai_responses", losses
    )


def route(request: Request, *, dialect: str = DIALECTS[0]) -> Route:
    """Return where to send the request; on Azure, the v1 API, which needs no `api-version`."""
    return Route("POST", SERVICES[dialect].path)


class _RequestWriter(ParameterWriter):
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    BODY = wire.Body
    CONTENT = ("tools", "instructions", "input")
    PROMPT_APART = True
    UNSUPPORTED = {"seed": None, "candidates": 1}  # noqa: RUF012

    def body(self, messages: list[Message]) -> wire.Body:
        request = self._request
        stored = self._stored()
        if request.model is None and "prompt" not in stored:
            self._fail("no model", request, ".model")
        self.lose_unsupported()
        tools = self._tools()
        split = next(
            (i for i, m in enumerate(messages) if type(m) is not SystemMessage), len(messages)
        )
        first = messages[0] if messages else None
        instructions = self.instructions(first) if type(first) is SystemMessage else None
        prompt = self.conversation(messages[instructions is not None : split]) if split else []
        conversation = self.conversation(messages[split:] if split else messages)
        body: wire.Body = self.own_parameters()
        body.tools = tools or None
        body.instructions = instructions
        body.input = [*prompt, *self.sent, *conversation]
        if not body.input:
            if not stored:
                self._fail("no message with content", request, ".messages")
            body.input = None
        return body

    def _stored(self) -> set[str]:
        """Return the keys by which the request refers to what the service has stored."""
        extra = (self._request.extras or {}).get(self.API)
        return {key for key in _STORED if extra is not None and extra.keys.value.get(key)}

    def read(self, body: bytes) -> dict[str, Any]:
        return _RequestReader(read_body(wire.Body, body, self.WIRE), self._dialect).parameters()

    # -- tools ---------------------------------------------------------------------------------

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
            name = self._tool_name(tool.name, tool)
            if name in names:
                self._fail(f"two tools named `{tool.name}`", tool)
            names.add(name)
            if tool.cache is not None:
                self._lose("cache mark", tool)
            schema, is_strict = self._schema(tool), tool.strict or False
            made = wire.Tool("function", name, tool.description, schema, is_strict)
            tools.append(self._with_extras(made, tool))
        return tools

    def _schema(self, tool: Tool) -> RawJson | Raw:
        """Return the schema, which has `type: object` and `properties` on this wire.

        A schema without these keys gets them.
        """
        schema = tool.parameters
        if schema is None:
            return _NO_PARAMETERS
        value = schema.value
        if not isinstance(value, dict) or value.get("type", "object") != "object":
            self._fail("a tool's parameters are not an object schema", tool, ".parameters")
        added = b"".join(text for key, text in _NEEDED.items() if key not in value)
        if not added:
            return schema
        return Raw(b"{" + (added if value else added[:-1]) + schema.text.strip()[1:])


class _RequestReader(ParameterReader):
    WRITER = _RequestWriter

    def request(self) -> Request:
        body: wire.Body = self.body.root
        said = body.input
        if said is None and self._unknown.get(id(body), {}).keys().isdisjoint(_STORED):
            self._fail("object missing required field `input`", body)
        messages: list[Message]
        if isinstance(said, str):
            messages = [UserMessage([TextBlock(said)])]
        else:
            messages = self.messages(said or [])
        if body.instructions is not None:
            prompt = SystemMessage([TextBlock(body.instructions)])
            prompt.extras = self._came(None, {"as": "instructions"})
            messages.insert(0, prompt)
        request = Request(messages, **self.parameters())
        if body.tools is not None:
            request.tools = [self._tool(tool) for tool in body.tools] or None
        return request

    def _tool(self, part: wire.Tool) -> Tool | OpaqueBlock:
        if part.type != "function":
            return OpaqueBlock(self.API, self._raw(part))
        if part.name is None:
            self._fail("object missing required field `name`", part)
        made = Tool(part.name, part.description, part.parameters, part.strict)
        spelling: dict[str, Any] = {}
        if part.strict is None:
            spelling["strict"] = None
        if made.parameters is None or _says_less(made.parameters):
            spelling["parameters"] = made.parameters
        made.extras = self._came(part, spelling)
        return made


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    WRITER: ClassVar[type[RequestWriter]] = _RequestWriter
    DIALECT: ClassVar[str] = DIALECTS[0]


def _says_less(schema: RawJson) -> bool:
    """Whether the writer would add keys to a schema."""
    value = schema.value
    return isinstance(value, dict) and not _NEEDED.keys() <= value.keys()


def _writer(dialect: str) -> Make:
    return lambda request, losses: _RequestWriter(request, losses, dialect)
