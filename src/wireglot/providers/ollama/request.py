"""Request <-> the body of `POST /api/chat` of Ollama.

What is normalized without a loss: the texts of a message become one string, joined by line feeds;
its images go into `images`, in their order; each result becomes a message of its own; `content` is
always written, even if empty; so is `stream`, since the server streams by default.

Calls may come without ids: they get one, which is not sent back to this wire, and their results are
found by the tool's name and by order.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ..._body.objects import shallow
from ...capabilities import ANY
from ...model import (
    AssistantMessage,
    Content,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    ResponseFormat,
    SystemMessage,
    Thinking,
    ThinkingLevel,
    Tool,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    UserMessage,
)
from .._across.routes import NO_MODEL, Route
from .._across.schemas import described
from .._across.texts import joined
from .._across.tools import NO_SCHEMA, chosen, object_schema, tools
from .._codecs.calls_by_name import Call, CallsByName
from .._codecs.order import NO_MESSAGE, Result, is_failure
from .._codecs.requests import RequestCodec, RequestReader, RequestWriter
from .._codecs.simple import MAY_BE_RESULT, is_lone_result, is_lone_text, is_plain, result_of
from .._codecs.transcript import Transcript as BaseTranscript
from .._state.decoding import Decoding, Kind, kinds
from .._state.encoding import UNBOUNDED, Encoding, OutOfOrder, Ranges, lose_cache
from .._state.stored import key_of
from . import blocks, wire
from .losses import RULES

_value = msgspec.json.Decoder().decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_NULL: Final = Raw(b"null")
_JSON: Final = RawJson.of("json")
_NO_OPTIONS: Final = wire.Options()


def route(request: Request, *, dialect: str | None = None) -> Route:
    """Return where to send the request."""
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    return Route("POST", "/api/chat")


# -- request -> body ---------------------------------------------------------------------------

_ROLES: Final[dict[Any, str]] = {
    UserMessage: "user",
    AssistantMessage: "assistant",
    SystemMessage: "system",
    ToolMessage: "user",
}
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
_NUMBERS: Final = Ranges(
    {
        "temperature": ("temperature", *UNBOUNDED),
        "top_p": ("top_p", *UNBOUNDED),
        "frequency_penalty": ("frequency_penalty", *UNBOUNDED),
        "presence_penalty": ("presence_penalty", *UNBOUNDED),
    }
)


class _Writer(RequestWriter):
    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        self._calls_by_name = CallsByName()

    def content(self, messages: list[Message]) -> dict[str, Any]:
        if not self.request.model:
            self.encoding.fail(NO_MODEL, self.request, ".model")
        request = self.request
        functions = tools(request, self.encoding, self._function) if request.tools else []
        if self._must_not_call(bool(functions)):
            functions = []
        conversation = self.rest(messages)
        if not conversation:
            self.encoding.fail(NO_MESSAGE, self.request, ".messages")
        return {"tools": functions or None, "messages": [*self.sent, *conversation]}

    # Messages

    def conversation(self, messages: list[Message]) -> list[Any]:
        out: list[Any] = []
        message: Any
        for message in messages:
            kind = type(message)
            result = result_of(message) if kind in MAY_BE_RESULT else None
            if result is not None:
                out.append(self._answered(result))
                continue
            role = _ROLES.get(kind)
            if role is None:
                raise OutOfOrder  # putting the messages in order, it is refused
            content: list[Any] = message.content
            is_lone = is_lone_text(message)
            if not is_lone:
                self.encoding.lose_rest(message)
            if role == "user" and not is_lone:
                content = self._after_results(message, out)
                if not content and (message.content or kind is ToolMessage):
                    continue
            if self.open_calls.open:
                raise OutOfOrder
            if role == "assistant":
                self._calls_by_name = CallsByName()
                self.open_calls.answers += 1
            if is_lone or (len(content) == 1 and is_plain(content)):
                body: Any = wire.Message(role, content[0].text)
            elif self._is_message(content):
                body = content[0].raw
            else:
                body = self._message(role, content)
            out.append(body if message.extras is None else self.encoding.with_extras(body, message))
        if self.open_calls.open:
            raise OutOfOrder
        return out

    def _message(self, role: str, content: list[Content]) -> wire.Message:
        draft = blocks.Draft()
        for block in content:
            if type(block) is ToolCallBlock and role == "assistant":
                draft.calls.append(self._call(block))
            elif type(block) is ToolResultBlock and role == "user":
                raise OutOfOrder  # results come before other content
            else:
                blocks.add(block, draft, self.encoding, role)
        return wire.Message(
            role,
            joined(draft.texts),
            joined(draft.thoughts) if draft.thoughts else None,
            draft.images or None,
            draft.calls or None,
        )

    def _is_message(self, content: list[Content]) -> bool:
        """Whether the only content is an opaque block that is a whole message of this API."""
        block = content[0] if len(content) == 1 else None
        return (
            type(block) is OpaqueBlock
            and block.api == wire.API
            and "role" in shallow(self.encoding.opaque(block))
        )

    # Calls and results

    def _call(self, block: ToolCallBlock) -> Any:
        if block.id in self.open_calls.open:
            raise OutOfOrder
        function = wire.Call(name=block.name, arguments=blocks.arguments(block, self.encoding))
        body: Any = wire.ToolCall(id=block.id or None, function=function)
        if block.extras is not None:
            body = self.encoding.with_extras(body, block)
        sent = body.get("id") if type(body) is dict else body.id
        self.open_calls.open[block.id] = call = Call(block.id, block.name, sent)
        self._calls_by_name.add(call)
        return body

    def _after_results(self, message: Any, out: list[Any]) -> list[Any]:
        """Write the results that a user's message begins with, and return the rest."""
        content: list[Any] = message.content
        for i, block in enumerate(content):
            if type(block) is not ToolResultBlock:
                return content[i:]
            body = self._answered(block)
            is_last = i == len(content) - 1
            is_whole = is_last and message.extras is not None
            out.append(self.encoding.with_extras(body, message) if is_whole else body)
        return []

    def _answered(self, result: Result) -> Any:
        """Write a result so that a reader can match it to its call."""
        call = self.open_calls.open.pop(result.tool_call_id, None)
        if call is None:
            raise OutOfOrder
        body = self._result(result, call)
        whole: Any = body if result.extras is None else self.encoding.with_extras(body, result)
        if self.open_calls.is_in_call_order() and call.sent is not None and whole is not body:
            whole["tool_call_id"] = call.sent  # even if it came without one
        sent, name = _said(whole)
        if sent is not None and sent == call.sent:
            call.is_answered = True
        elif self._calls_by_name.answered(sent, name) is not call:
            self.open_calls.mismatch()
        return whole

    def _result(self, result: Result, call: Call) -> wire.Message:
        content: list[Any] = result.content
        if is_lone_result(result):
            body = wire.Message("tool", content[0].text)
        else:
            if result.is_error and is_failure(result):
                self.encoding.lose("error flag", result)
            self.encoding.lose_rest(result)
            body = self._message("tool", content)
        # Some programs give a result another name than its call has; what came so goes back so.
        came = _came_with(result) if result.tool_name == call.name else None
        body.tool_name = came or call.name or None
        body.tool_call_id = call.sent
        is_matched_by_name = self.open_calls.is_in_call_order() and call.sent is None
        if is_matched_by_name and body.tool_name != (call.name or None):
            self.encoding.lose("tool name", result)
            body.tool_name = call.name or None
        return body

    # Tools

    def _function(self, tool: Tool, name: str) -> wire.Tool:
        schema = object_schema(tool, self.encoding)
        return wire.Tool("function", wire.Function(name, tool.description, schema))

    def _must_not_call(self, has_tools: bool) -> bool:
        """Report a choice other than `auto`; return whether it is `none`, and there are tools."""
        asked = self.request.tool_choice
        choice = chosen(asked, self.encoding, has_tools=has_tools) if asked is not None else None
        if choice is None:
            return False
        if choice.allowed is not None:
            self.encoding.lose("tool choice allowed", choice)
        if choice.mode != "auto":
            self.encoding.lose("tool choice", choice)
        return choice.mode == "none"

    # Parameters

    def spellings(self, came: dict[str, Raw]) -> dict[str, Raw]:
        """Return the keys of parameters as they came, without thinking that the model may refuse.

        That is written as `_think` has it.
        """
        if self.encoding.takes is ANY:
            return came
        return {key: came[key] for key in came if key != "think"}

    def parameters(self) -> wire.Body:
        request = self.request
        options = wire.Options(
            num_predict=request.max_tokens,
            top_k=request.top_k,
            seed=request.seed,
            stop=request.stop or None,
        )
        self.encoding.put_numbers(options, _NUMBERS)
        if request.cache is not None:
            lose_cache(request.cache, self.encoding)
        body = wire.Body(
            model=request.model,
            stream=request.stream,
            logprobs=request.logprobs,
            top_logprobs=request.top_logprobs,
            messages=[],
        )
        if options != _NO_OPTIONS:
            body.options = options
        if request.response_format is not None:
            body.format = self._format(request.response_format)
        if request.thinking is not None:
            body.think = self._think(request.thinking)
        return body

    def _format(self, asked: ResponseFormat) -> RawJson | None:
        if asked.kind != "json_schema":
            if asked.schema is not None:
                self.encoding.lose("json schema", asked)
            return _JSON if asked.kind == "json" else None
        if asked.schema is None or asked.schema.text[:1] != b"{":
            self.encoding.fail(NO_SCHEMA, asked, ".schema")
        return described(asked)

    def _think(self, asked: Thinking) -> bool | str | None:
        if asked.budget_tokens is not None:
            self.encoding.lose("thinking budget", asked)
        if asked.level is ThinkingLevel.OFF or (asked.level is None and asked.budget_tokens == 0):
            return False
        takes = self.encoding.takes
        if not takes.thinks:
            self.encoding.lose("thinking asked", asked)
            return None
        if asked.visible is False:
            self.encoding.lose("thinking shown", asked)
        if asked.level is None:
            return True
        if takes.efforts == ():
            self.encoding.lose("thinking level", asked)
            return True
        if asked.level in _NEAREST:
            self.encoding.lose("thinking level", asked)
        return _LEVELS[asked.level]


def _came_with(result: Result) -> Any:
    """Return the name that a result came with, where that is not its call's."""
    extra = result.extras.get(wire.API) if result.extras is not None else None
    return key_of(extra.spelling, "tool_name") if extra is not None and extra.spelling else None


def _said(result: Any) -> tuple[str | None, str | None]:
    """Return the call's id and the tool's name in a result of the wire."""
    if type(result) is wire.Message:
        return result.tool_call_id, result.tool_name
    said = (result.get("tool_call_id"), result.get("tool_name"))
    call_id, name = (_value(each) if type(each) is Raw else each for each in said)
    return call_id, name


# -- body -> request ---------------------------------------------------------------------------

_WORDS: Final = {word: level for level, word in _LEVELS.items() if level not in _NEAREST}
ROLES: Final = kinds(wire.Message, "role content images", wire.ROLE_KEYS)
"""Role -> the keys that have a meaning in a message of that role."""


class _Reader(RequestReader):
    def __init__(self, decoding: Decoding, path: str | None = None) -> None:
        super().__init__(decoding, path)
        self._number = 0  # of the next id that is made up
        self._seen: set[str | None] = set()  # ids that were given so far
        self._made_up: set[str] = set()
        self._calls_by_name = CallsByName()
        self._is_over = False  # whether the next answer begins another turn

    def request(self) -> Request:
        body: wire.Body = self.decoding.body.root
        request = Request(self.messages(body.messages), **self.parameters())
        if body.tools is not None:
            request.tools = [self._tool(tool) for tool in body.tools]
        return request

    # Messages

    def conversation(self, parts: list[Any]) -> list[Message]:
        return [self._message(part) for part in parts]

    def begins_answer(self, before: Any, part: Any) -> bool:
        return _is_answer(part) and not _is_answer(before)

    def calls(self) -> Any:
        return self._number, set(self._seen), set(self._made_up)

    def go_on(self, calls: Any) -> None:
        self._number, seen, made_up = calls
        self._seen |= seen
        self._made_up |= made_up

    def _message(self, part: wire.Message) -> Message:
        """Return the message; one of an unknown role becomes one opaque block."""
        decoding = self.decoding
        role = part.role.lower()  # as the server reads it
        # Answers in a row are one turn, as in `ordered`: results follow the last of them.
        if role == "assistant" and self._is_over:
            self._calls_by_name = CallsByName()
        if role != "system":
            self._is_over = role != "assistant"
        kind = ROLES.get(role)
        if kind is None:
            return UserMessage([OpaqueBlock(wire.API, decoding.raw(part))])
        keep_to_role(part, kind, decoding)
        content = blocks.content(part, role, decoding)
        if role == "tool":
            return self._result(part, content)
        if role == "assistant":
            content += self._calls(part.tool_calls or [])
            return AssistantMessage(content, api=wire.API, extras=decoding.extras(part))
        made = UserMessage if role == "user" else SystemMessage
        return made(content, extras=decoding.extras(part))

    # Calls and results

    def _calls(self, parts: list[wire.ToolCall]) -> list[ToolCallBlock]:
        self._seen.update(part.id for part in parts)
        calls = []
        for part in parts:
            is_taken = not part.id or part.id in self._made_up
            call = blocks.block_of_call(part, self.decoding, self._free_id() if is_taken else None)
            self._calls_by_name.add(Call(call.id, call.name, part.id or None))
            calls.append(call)
        return calls

    def _free_id(self) -> str:
        """Return an id that no call before has, or of this message."""
        while True:
            call_id = f"call_{self._number}"
            self._number += 1
            if call_id not in self._seen:
                self._made_up.add(call_id)
                return call_id

    def _result(self, part: wire.Message, content: list[Content]) -> ToolMessage:
        """Return the result, with the id and the name of its call.

        A key that was missing on the wire is not sent back either.
        """
        given_id = part.tool_call_id or None
        call = self._calls_by_name.answered(given_id, part.tool_name)
        spelling: dict[str, Any] = {}
        name = call.name if call is not None else part.tool_name or None
        if not part.tool_name:
            spelling["tool_name"] = _NULL
        elif part.tool_name != name:
            spelling["tool_name"] = part.tool_name
        if given_id is None:
            spelling["tool_call_id"] = _NULL
        elif call is not None and call.sent is None:
            spelling["tool_call_id"] = given_id
        call_id = call.id if call is not None else given_id or ""
        extras = self.decoding.extras_of(part, **spelling)
        return ToolMessage([ToolResultBlock(call_id, name, content, extras=extras)])

    # Tools

    def _tool(self, tool: wire.Tool) -> Tool | OpaqueBlock:
        function = tool.function
        if tool.type not in (None, "function") or function is None:
            return OpaqueBlock(wire.API, self.decoding.raw(tool))
        spelling = {} if tool.type else {"type": _NULL}
        extras = self.decoding.extras_of(tool, **spelling)
        return Tool(function.name, function.description, function.parameters, extras=extras)

    # Parameters

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.decoding.body.root
        options = body.options or _NO_OPTIONS
        stop, most = options.stop, _whole(options.num_predict)
        numbers = (options.num_predict, options.top_k, options.seed)
        if any(number != _whole(number) for number in numbers):
            self.unread.add("options")
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
            self.unread.add("format")
        return None

    def _thinking(self, think: bool | str | None) -> Thinking | None:
        if think is None:
            return None
        if think is False:
            return Thinking(ThinkingLevel.OFF)
        if think is True:
            return Thinking()
        if think not in _WORDS:
            self.unread.add("think")
        return Thinking(_WORDS.get(think))


def _is_answer(part: wire.Message) -> bool:
    return part.role.lower() == "assistant"


def keep_to_role(part: wire.Message, kind: Kind, decoding: Decoding) -> None:
    """Treat keys that have no meaning in a message of this role as unknown keys.

    One that is empty says nothing: it is left out.
    """
    if kind.has_all(part):
        return
    for name in part.__struct_fields__:
        if name not in kind.known and not getattr(part, name):
            setattr(part, name, None)
    decoding.set_aside(part, kind)


def _whole(number: float | None) -> int | None:
    """Return a whole number; a fraction is None, since a limit of 0.9 is not one of 0."""
    return int(number) if number is not None and number == int(number) else None


# -- both --------------------------------------------------------------------------------------

REQUESTS: Final = RequestCodec(RULES, wire.Body, ("tools", "messages"), _Writer, _Reader)
encode_request: Final = REQUESTS.encode_request
decode_request: Final = REQUESTS.decode_request


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    CODEC: ClassVar[RequestCodec] = REQUESTS
