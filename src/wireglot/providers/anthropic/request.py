"""Request <-> Anthropic Messages JSON.

What is normalized without a loss: empty text is left out, and so is a message of white space alone;
consecutive messages of one side share a turn, tool results first; ids outside the alphabet are
mapped one to one, call and result alike; what describes a block to programs (alt text, bounding
boxes, sizes, pages, the kind of a call) and signatures of other APIs are not sent.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...losses import Losses
from ...model import CacheMark, Message, OpaqueBlock, RawJson, Request, SystemMessage, Tool
from ...model.blocks import MediaBlock
from .._media import is_foreign_file
from .._reading import Body, decoded, read_body
from .._routes import Route, model_in_url, parts_of_url
from .._transcript import Transcript as BaseTranscript
from .._turns import Disorder
from .._writing import Make, RequestWriter, with_keys, written
from . import wire
from .parameters import DEFAULT_MAX_TOKENS, NO_CACHE, ParameterReader, ParameterWriter

__all__ = [
    "DEFAULT_MAX_TOKENS",
    "DIALECTS",
    "Transcript",
    "decode_request",
    "encode_request",
    "route",
]

DIALECTS: Final = ("anthropic", "vertex", "bedrock")
"""Who serves the wire: Anthropic, Google's Vertex AI, or AWS Bedrock's InvokeModel."""
_VERSION: Final = "2023-06-01"
_FILES_BETA: Final = "files-api-2025-04-14"
_MODEL_IN_URL: Final = re.compile(r"/models?/([^/]+)[:/]((?:stream)?rawPredict|invoke[\w-]*)", re.I)
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_NO_PARAMETERS: Final = RawJson.of({"type": "object", "properties": {}})
_EMPTY_SCHEMA: Final = RawJson.of({"type": "object"})


def encode_request(
    request: Request, losses: Losses = None, *, dialect: str = DIALECTS[0], repair: bool = False
) -> bytes:
    """Encode `request` as the body of `POST /v1/messages`.

    Leading system messages become `system`; later ones keep their place as `role: system`. Tool
    arguments and inline media are spliced in unparsed. `max_tokens` is `DEFAULT_MAX_TOKENS` where
    unset, plus the thinking budget. A thinking level becomes adaptive thinking with an effort; a
    budget becomes `enabled` thinking. `cache` puts breakpoints after the tools and the system
    prompt, and `cache_control` at the top of the body. On Vertex and Bedrock only the URL names
    the model: see `route`.

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
    """Decode the body of `POST /v1/messages`, of any dialect.

    `path` is that of the URL, which names the model on Vertex and Bedrock. Each assistant message
    gets this API as its `api`, since its signatures are valid here.

    Raises `DecodeError`. With `losses`, a lone surrogate becomes U+FFFD and a loss.
    """
    return decoded(
        lambda body: _RequestReader(body, dialect, path), wire.Body, data, "anthropic", losses
    )


def route(request: Request, *, dialect: str = DIALECTS[0]) -> Route:
    """Return where to send the request; on Vertex the path is the part after the location."""
    if dialect == "vertex":
        verb = "streamRawPredict" if request.stream else "rawPredict"
        return Route(
            "POST", f"/publishers/anthropic/models/{model_in_url(request, 'anthropic')}:{verb}"
        )
    if dialect == "bedrock":
        verb = "invoke-with-response-stream" if request.stream else "invoke"
        return Route("POST", f"/model/{model_in_url(request, 'anthropic')}/{verb}")
    headers = {"anthropic-version": _VERSION}
    if any(_names_file(block) for message in request.messages for block in message.content):
        headers["anthropic-beta"] = _FILES_BETA
    return Route("POST", "/v1/messages", headers)


def _names_file(block: Any) -> bool:
    """Whether a block goes out with a file id."""
    return isinstance(block, MediaBlock) and not (
        block.file_id is None or is_foreign_file(block, wire.API)
    )


class _RequestWriter(ParameterWriter):
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    BODY = wire.Body
    CONTENT = ("tools", "system", "messages")
    PROMPT_APART = True

    def body(self, messages: list[Message]) -> wire.Body:
        request = self._request
        if request.model is None:
            self._fail("no model", request, ".model")
        self.lose_unsupported()
        cache = request.cache or NO_CACHE
        sections = cache.sections()
        mark = CacheMark(cache.ttl)
        self._marks_left -= sections.cache_messages  # top-level `cache_control` counts too
        tools = self._tools(mark if sections.cache_tools else None)
        split = next(
            (i for i, m in enumerate(messages) if type(m) is not SystemMessage), len(messages)
        )
        prompt = self._prompt(messages[:split], mark if sections.cache_system else None)
        conversation = self.conversation(messages[split:] if split else messages)
        if not self.starts_anew(conversation):
            raise Disorder
        if conversation:
            self.strip_end(conversation, messages)
        if not conversation and not self.sent:
            self._fail("no message with content", request, ".messages")
        body: wire.Body = self.own_parameters()
        body.tools = tools or None
        body.system = prompt or None
        body.messages = [*self.sent, *conversation] if self.sent else conversation
        return body

    def read(self, body: bytes) -> dict[str, Any]:
        return _RequestReader(read_body(wire.Body, body, self.WIRE), self._dialect).parameters()

    def _tools(self, mark: CacheMark | None) -> list[Any]:
        given = self._request.tools or []
        carried = self.carried_tools()
        names: set[str] = set()
        tools: list[Any] = []
        for tool in given:
            if isinstance(tool, OpaqueBlock):
                if tool.api != self.API:
                    self._lose("opaque tool", tool)
                    continue
                made: Any = self._opaque(tool)
                if mark is not None and tool is carried[-1]:
                    made = with_keys(
                        {"cache_control": self._mark(mark, tool)}, _keys(tool.raw.text)
                    )
                tools.append(self._with_extras(made, tool))
                continue
            own = tool.cache or (mark if tool is carried[-1] else None)
            name = self._name(tool.name, tool)
            if name in names:
                self._fail(f"two tools named `{tool.name}`", tool)
            names.add(name)
            made = wire.Tool(
                name,
                self._schema(tool),
                tool.description,
                strict=tool.strict,
                cache_control=self._mark(own, tool),
            )
            tools.append(self._with_extras(made, tool))
        return tools

    def _schema(self, tool: Tool) -> RawJson:
        """Return the schema; this wire requires `type: object`, which `{}` is given."""
        schema = tool.parameters
        if schema is None:
            return _NO_PARAMETERS
        value = schema.value
        if isinstance(value, dict):
            if value.get("type") == "object":
                return schema
            if not value:
                return _EMPTY_SCHEMA
        self._fail("a tool's parameters are not an object schema", tool, ".parameters")


class _RequestReader(ParameterReader):
    WRITER = _RequestWriter

    def __init__(self, body: Body, dialect: str, path: str | None = None) -> None:
        super().__init__(body, dialect)
        self._url = path

    def request(self) -> Request:
        body: wire.Body = self.body.root
        messages = [self.message(part) for part in body.messages]
        if body.system is not None:
            messages.insert(0, SystemMessage(self.content(body.system)))
        request = Request(messages, **self.parameters())
        model, verb = parts_of_url(self._url, _MODEL_IN_URL)
        request.model = request.model or model
        request.stream = request.stream or verb.startswith(("stream", "invoke-with"))
        if body.tools is not None:
            request.tools = [self._tool(tool) for tool in body.tools]
        return request

    def _tool(self, tool: wire.Tool) -> Tool | OpaqueBlock:
        if tool.type not in (None, "custom") or tool.input_schema is None:
            return OpaqueBlock(self.API, self._raw(tool))
        made = Tool(tool.name, tool.description, tool.input_schema, tool.strict)
        if tool.cache_control is not None:
            made.cache = CacheMark(tool.cache_control.ttl)
        made.extras = self._extras(tool, **({"type": tool.type} if tool.type is not None else {}))
        return made


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    WRITER: ClassVar[type[RequestWriter]] = _RequestWriter
    DIALECT: ClassVar[str] = DIALECTS[0]


def _writer(dialect: str) -> Make:
    return lambda request, losses: _RequestWriter(request, losses, dialect)
