"""Request <-> the JSON of the echo server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from msgspec import Struct

from wireglot import (
    AssistantMessage,
    Content,
    Losses,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    Route,
    SystemMessage,
    TextBlock,
    Tool,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    UserMessage,
)
from wireglot.providers._reading import Reader, RequestReader, decoded, read_body
from wireglot.providers._transcript import Transcript as BaseTranscript
from wireglot.providers._turns import Disorder, Result, is_failure
from wireglot.providers._writing import RequestWriter, Writer, written

from . import wire
from .losses import LOSSES, UNSUPPORTED

DIALECTS: Final = ("echo",)
"""No other service has a variant of it."""

_ROLES: Final[dict[type, str]] = {
    SystemMessage: "system",
    UserMessage: "user",
    ToolMessage: "user",  # what is left of it without its results
    AssistantMessage: "model",
}
_NO_INPUT: Final = RawJson(b"{}")
_NO_SCHEMA: Final = RawJson(b'{"type":"object"}')


def encode_request(
    request: Request, losses: Losses = None, *, dialect: str = DIALECTS[0], repair: bool = False
) -> bytes:
    """Encode `request` as the body of `POST /v1/echo`.

    Raises `LossError` if something has no place on this wire and `losses` is None.
    """
    return written(lambda r, found: _Writer(r, found, dialect), request, losses, repair=repair)


def decode_request(
    data: bytes | bytearray | memoryview | str,
    path: str | None = None,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
) -> Request:
    """Decode the body of `POST /v1/echo`. Raises `DecodeError`."""
    return decoded(lambda body: _Reader(body, dialect), wire.Body, data, "echo", losses)


def route(request: Request, *, dialect: str = DIALECTS[0]) -> Route:
    """Return where to send the request."""
    return Route("POST", "/v1/echo")


# -- blocks, which requests and answers have in common ------------------------------------------


class Draft(Struct):
    """The text and calls collected from the blocks of one turn."""

    role: str
    texts: list[str] = []
    calls: list[Any] = []


class BlockWriter(Writer):
    """Blocks -> the text and the calls of one turn."""

    WIRE: ClassVar[str] = "echo"
    API: ClassVar[str] = wire.API
    LOSSES = LOSSES

    def turn(self, role: str, content: list[Content]) -> wire.Turn:
        """Return the turn of a message's content."""
        draft = Draft(role)
        for block in content:
            self.add(block, draft)
        return wire.Turn(role=role, text="".join(draft.texts), calls=draft.calls or None)

    def add(self, block: Content, draft: Draft) -> None:
        """Add a block to the draft, or report its loss."""
        if getattr(block, "cache", None) is not None:
            self._lose("cache mark", block)
        _BLOCKS.get(type(block), BlockWriter._other)(self, block, draft)

    def _text(self, block: TextBlock, draft: Draft) -> None:
        if block.annotations:
            self._lose("annotation", block)
        self._lose_keys(block)  # a text is not an object here, so it cannot hold them
        draft.texts.append(block.text)

    def _call(self, block: ToolCallBlock, draft: Draft) -> None:
        if draft.role != "model":
            self._other(block, draft)
            return
        arguments: Any = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            arguments = _NO_INPUT
        call = wire.Call(block.id, block.name, arguments)
        draft.calls.append(self._with_extras(call, block))

    def _other(self, block: Any, _: Draft) -> None:
        self._lose("content", block)


_BLOCKS: Final[dict[type, Callable[[BlockWriter, Any, Draft], None]]] = {
    TextBlock: BlockWriter._text,
    ToolCallBlock: BlockWriter._call,
}


class BlockReader(Reader):
    """The turns of a body -> messages."""

    WIRE: ClassVar[str] = "echo"
    API: ClassVar[str] = wire.API

    def message(self, turn: wire.Turn) -> Message:
        """Return the message of a turn, with the keys that have no field."""
        if (turn.calls and turn.role != "model") or (turn.call is None) is (turn.role == "tool"):
            self._fail("calls are the model's, and results the tool's", turn)
        content: list[Content] = [TextBlock(turn.text)] if turn.text else []
        extras = self._extras(turn)
        if turn.role == "tool":
            result = ToolResultBlock(turn.call or "", content=content, extras=extras)
            return ToolMessage([result])
        if turn.role == "model":
            content += [self.call(call) for call in turn.calls or ()]
            return AssistantMessage(content, api=self.API, extras=extras)
        if turn.role not in ("system", "user"):
            self._fail("unknown role", turn, ".from")
        kind = UserMessage if turn.role == "user" else SystemMessage
        return kind(content, extras=extras)

    def call(self, call: wire.Call) -> ToolCallBlock:
        """Return a call, whose arguments are a slice of the body."""
        return ToolCallBlock(call.id, call.name, call.input, extras=self._extras(call))


# -- requests ------------------------------------------------------------------------------------


class _Writer(BlockWriter, RequestWriter):
    UNSUPPORTED = UNSUPPORTED
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    BODY = wire.Body
    CONTENT = ("tools", "turns")

    def body(self, messages: list[Message]) -> wire.Body:
        self.lose_unsupported()
        if self._request.parallel_tool_calls is False:
            self._lose("parallel_tool_calls", self._request)
        body: wire.Body = self.own_parameters()
        body.tools = [
            made for tool in self._request.tools or () for made in self._tool(tool)
        ] or None
        body.turns = [*self.sent, *self.conversation(messages)]
        return body

    def parameters(self) -> wire.Body:
        request = self._request
        return wire.Body(
            model=request.model, limit=request.max_tokens, stream=request.stream, turns=[]
        )

    def read(self, body: bytes) -> dict[str, Any]:
        return _Reader(read_body(wire.Body, body, self.WIRE), self._dialect).parameters()

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write each message as a turn, and each result as a turn of its own."""
        out: list[Any] = []
        for message in messages:
            results = _results(message)
            out += [self._result(result) for result in results]
            rest = message.content[len(results) :]
            if results == [message]:
                continue
            if not rest and (results or type(message) is ToolMessage):
                self._lose_keys(message)
                continue
            role = _ROLES[type(message)]
            if self._open or (role != "model" and any(type(b) is ToolResultBlock for b in rest)):
                raise Disorder  # something is between a call and its result
            if getattr(message, "name", None) is not None:
                self._lose("name", message)
            made = self.turn(role, rest)
            if role == "model":
                calls = [block for block in rest if type(block) is ToolCallBlock]
                self._open = {call.id: call for call in calls}
                if len(self._open) < len(calls):  # two calls have the same id
                    raise Disorder
            out.append(self._with_extras(made, message))
        if self._open:
            raise Disorder
        return out

    def _result(self, result: Result) -> Any:
        if self._open.pop(result.tool_call_id, None) is None:
            raise Disorder
        if is_failure(result):
            self._lose("error flag", result)
        made = self.turn("tool", result.content)
        made.call = result.tool_call_id
        return self._with_extras(made, result)

    def _tool(self, tool: Tool | OpaqueBlock) -> list[Any]:
        if isinstance(tool, OpaqueBlock):
            self._lose("opaque tool", tool)
            return []
        if tool.strict:
            self._lose("strict", tool)
        if tool.cache is not None:
            self._lose("cache mark", tool)
        made = wire.Tool(tool.name, tool.description, tool.parameters or _NO_SCHEMA)
        return [self._with_extras(made, tool)]


class _Reader(BlockReader, RequestReader):
    WRITER = _Writer

    def request(self) -> Request:
        body: wire.Body = self.body.root
        request = Request([self.message(turn) for turn in body.turns], **self.parameters())
        if body.tools is not None:
            request.tools = [
                Tool(tool.name, tool.about, tool.input, extras=self._extras(tool))
                for tool in body.tools
            ]
        return request

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.body.root
        return {"model": body.model, "max_tokens": body.limit, "stream": body.stream}


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    WRITER: ClassVar[type[RequestWriter]] = _Writer
    DIALECT: ClassVar[str] = DIALECTS[0]


def _results(message: Any) -> list[Any]:
    """Return the results at the start of a message, or the message if it is a result."""
    if message.role == "toolResult":
        return [message]
    results = []
    for block in message.content:
        if type(block) is not ToolResultBlock:
            break
        results.append(block)
    return results
