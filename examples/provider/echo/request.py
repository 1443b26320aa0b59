"""Request <-> the body of `POST /v1/echo`."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Final

from wireglot import (
    AssistantMessage,
    Message,
    RawJson,
    Request,
    Route,
    SystemMessage,
    Tool,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    UserMessage,
)
from wireglot.providers._across.tools import tools
from wireglot.providers._codecs.order import Result, is_failure
from wireglot.providers._codecs.requests import RequestCodec, RequestReader, RequestWriter
from wireglot.providers._codecs.transcript import Transcript as BaseTranscript
from wireglot.providers._state.encoding import OutOfOrder, Ranges

from . import blocks, wire
from .losses import RULES


def route(request: Request, *, dialect: str | None = None) -> Route:
    """Return where to send the request."""
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    return Route("POST", "/v1/echo")


# -- request -> body -----------------------------------------------------------------------------

_ROLES: Final[dict[type, str]] = {
    SystemMessage: "system",
    UserMessage: "user",
    ToolMessage: "user",  # what is left of it without its results
    AssistantMessage: "model",
}
_NUMBERS: Final = Ranges({"temperature": ("heat", 0.0, 2.0), "max_tokens": ("limit", 0, math.inf)})
"""Parameter -> the key, and the least and the largest value there."""
_NO_SCHEMA: Final = RawJson(b'{"type":"object"}')


class _Writer(RequestWriter):
    def content(self, messages: list[Message]) -> dict[str, Any]:
        functions = tools(self.request, self.encoding, self._function)
        turns = [*self.sent, *self.rest(messages)]
        if not turns:
            reason = "no message with content, expected at least one"
            self.encoding.fail(reason, self.request, ".messages")
        return {"tools": functions or None, "turns": turns}

    def parameters(self) -> wire.Body:
        request = self.request
        if not request.model:
            self.encoding.fail("no model, expected its name; pass `model`", request, ".model")
        body = wire.Body(model=request.model, stream=request.stream, turns=[])
        self.encoding.put_numbers(body, _NUMBERS)
        return body

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
                self.encoding.lose_keys(message)
                continue
            role = _ROLES[type(message)]
            is_late = role != "model" and any(type(block) is ToolResultBlock for block in rest)
            if self.open_calls.open or is_late:
                raise OutOfOrder  # something is between a call and its result
            self.encoding.lose_rest(message)
            if role == "model":
                calls = [block for block in rest if type(block) is ToolCallBlock]
                self.open_calls.open = {call.id: call for call in calls}
                if len(self.open_calls.open) < len(calls):  # two calls have the same id
                    raise OutOfOrder
            turn = blocks.turn(role, rest, self.encoding)
            out.append(self.encoding.with_extras(turn, message))
        if self.open_calls.open:
            raise OutOfOrder
        return out

    def _result(self, result: Result) -> Any:
        if self.open_calls.open.pop(result.tool_call_id, None) is None:
            raise OutOfOrder
        if is_failure(result):
            self.encoding.lose("error flag", result)
        self.encoding.lose_rest(result)
        turn = blocks.turn("tool", result.content, self.encoding)
        turn.call = result.tool_call_id
        return self.encoding.with_extras(turn, result)

    def _function(self, tool: Tool, name: str) -> wire.Tool:
        schema = _NO_SCHEMA if tool.parameters is None else tool.parameters
        return wire.Tool(name, tool.description, schema)


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


# -- body -> request -----------------------------------------------------------------------------


class _Reader(RequestReader):
    def request(self) -> Request:
        body: wire.Body = self.decoding.body.root
        request = Request(self.messages(body.turns), **self.parameters())
        if body.tools is not None:
            request.tools = [
                Tool(tool.name, tool.about, tool.input, extras=self.decoding.extras(tool))
                for tool in body.tools
            ]
        return request

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.decoding.body.root
        return {
            "model": body.model,
            "max_tokens": body.limit,
            "temperature": body.heat,
            "stream": body.stream,
        }

    def conversation(self, parts: list[Any]) -> list[Message]:
        return [self._message(turn) for turn in parts]

    def begins_answer(self, before: Any, part: Any) -> bool:
        return bool(part.role == "model" != before.role)

    def _message(self, turn: wire.Turn) -> Message:
        """Return the message of a turn, with the keys that have no field."""
        if (turn.calls and turn.role != "model") or (turn.call is None) is (turn.role == "tool"):
            self.decoding.fail("calls are the model's, and results the tool's", turn)
        content, extras = blocks.content(turn, self.decoding), self.decoding.extras(turn)
        if turn.role == "tool":
            return ToolMessage([ToolResultBlock(turn.call or "", content=content, extras=extras)])
        if turn.role == "model":
            return AssistantMessage(content, api=wire.API, extras=extras)
        if turn.role not in ("system", "user"):
            self.decoding.fail("unknown role", turn, ".from")
        kind = UserMessage if turn.role == "user" else SystemMessage
        return kind(content, extras=extras)


# -- both ----------------------------------------------------------------------------------------

REQUESTS: Final = RequestCodec(RULES, wire.Body, ("tools", "turns"), _Writer, _Reader)


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    CODEC: ClassVar[RequestCodec] = REQUESTS
