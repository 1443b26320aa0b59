"""Request <-> the body of `POST /v1/chat/completions` of Mistral.

What is normalized without a loss: a message without content is left out; the texts of an answer
come before its calls; call ids become nine letters and digits, one to one, the same for call and
result; arguments that are blank or null become `{}`; each result becomes a message of its own,
media included; what describes a block to programs (alt text, bounding boxes, sizes, pages, the kind
of a call) and signatures of other APIs are not sent. An answer at the end gets `prefix: true`: the
model continues it. Thinking is sent as text, whichever API it came from.

Each answer that is read gets this API as its `api`, since its signatures are valid here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...capabilities import ANY
from ...errors import DecodeError, EncodeError, unknown
from ...model import (
    AssistantMessage,
    Content,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    ResponseFormat,
    SystemMessage,
    TextBlock,
    Thinking,
    ThinkingBlock,
    ThinkingLevel,
    Tool,
    ToolCallBlock,
    ToolChoice,
    ToolMessage,
    ToolResultBlock,
    UserMessage,
)
from .._across.routes import NO_MODEL, Route
from .._across.thinking import fitting
from .._across.tools import NO_SCHEMA, carried, chosen, object_schema, tools
from .._codecs.order import NO_MESSAGE, Result, is_failure
from .._codecs.requests import RequestCodec, RequestReader, RequestWriter
from .._codecs.simple import (
    MAY_BE_RESULT,
    is_bare,
    is_lone_result,
    is_lone_text,
    is_plain,
    result_of,
)
from .._codecs.transcript import Transcript as BaseTranscript
from .._state.encoding import Encoding, OutOfOrder, Ranges, lose_cache
from .._state.stored import key_of
from . import blocks, wire
from .losses import RULES


def route(request: Request, *, dialect: str | None = None) -> Route:
    """Return where to send the request."""
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    return Route("POST", "/v1/chat/completions")


# -- request -> body ---------------------------------------------------------------------------

_NOT_IN_RESULTS: Final = frozenset({ThinkingBlock, ToolCallBlock, ToolResultBlock})
_TIERS: Final = frozenset({"auto", "standard_only"})
_SCHEMA_NAME: Final = "response"  # the wire requires a name
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
_CHOICES: Final = {"auto": "auto", "required": "any", "none": "none"}
_NUMBERS: Final = Ranges(
    {
        "temperature": ("temperature", 0.0, 1.5),
        "top_p": ("top_p", 0.0, 1.0),
        "max_tokens": ("max_tokens", 0, math.inf),
        "seed": ("random_seed", 0, math.inf),
        "presence_penalty": ("presence_penalty", -2.0, 2.0),
        "frequency_penalty": ("frequency_penalty", -2.0, 2.0),
        "candidates": ("n", 1, math.inf),
    }
)


class _Writer(RequestWriter):
    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)

    def content(self, messages: list[Message]) -> dict[str, Any]:
        request = self.request
        if request.model is None:
            self.encoding.fail(NO_MODEL, request, ".model")
        functions = tools(request, self.encoding, self._function) if request.tools else []
        conversation = self.rest(messages)
        if conversation:
            _continue(conversation[-1])
        if not self.sent:
            if not conversation:
                self.encoding.fail(NO_MESSAGE, request, ".messages")
            if len(conversation) == 1 and _is_answer(conversation[0]):
                self.encoding.fail(
                    "an answer alone, expected a message of the user before it",
                    request,
                    ".messages",
                )
        whole = [*self.sent, *conversation] if self.sent else conversation
        return {"tools": functions or None, "messages": whole}

    def is_settled(self, wire_messages: list[Any]) -> bool:
        """Whether nothing that follows can change these messages.

        An answer at the end stays the last message if all that follows is left out, and then needs
        `prefix`.
        """
        return not _is_answer(wire_messages[-1])

    # Messages

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages one by one, each result as a message of its own.

        A message without content is left out. A system message that is not at the start becomes a
        user message: the API refuses one after an answer or a result, the templates of open models
        anywhere but at the start, and older servers at the end. One that came over this API stays
        where that takes it.
        """
        out: list[Any] = []
        after_user = True  # or at the start
        is_start, prompts = not self.sent, 0
        message: Any
        for message in messages:
            kind = type(message)
            is_start = is_start and kind is not AssistantMessage  # even one that is left out
            result = result_of(message) if kind in MAY_BE_RESULT else None
            if result is not None:
                out.append(self._result(result))
                after_user = False
            elif is_lone_text(message) and kind is not SystemMessage and not self.open_calls.open:
                body = wire.Assistant if kind is AssistantMessage else wire.User
                out.append(body(message.content[0].text))
                after_user = body is wire.User
            elif kind is AssistantMessage:
                if self.open_calls.open:
                    raise OutOfOrder
                self._answer(message, out)
                after_user = False
            elif kind is UserMessage or kind is ToolMessage:
                before = len(out)
                if self._users(message, out):
                    after_user = True
                elif len(out) > before:
                    after_user = False
            elif kind is SystemMessage:
                if self.open_calls.open:
                    raise OutOfOrder
                is_start = is_start and len(out) == prompts
                if is_start or not message.content or (after_user and _came_here(message)):
                    self._system(message, wire.System, out)
                    prompts = len(out)
                else:
                    self.encoding.lose("system place", message)
                    before = len(out)
                    self._system(message, wire.User, out)
                    after_user = len(out) > before
            else:
                raise OutOfOrder  # putting the messages in order, it is refused
        if self.open_calls.open:
            raise OutOfOrder
        return out

    def _put(self, body: Any, message: Any, out: list[Any]) -> None:
        """Add a message of the wire with the extras of `message`; None is left out."""
        self.encoding.lose_rest(message)
        if body is None:
            self.encoding.lose_keys(message)
            return
        out.append(body if message.extras is None else self.encoding.with_extras(body, message))

    def _system(self, message: SystemMessage, role: Any, out: list[Any]) -> None:
        parts: list[Any] = []
        for block in message.content:
            kind = type(block)
            if kind is TextBlock or (
                role is wire.System
                and (
                    kind is ThinkingBlock
                    or (type(block) is OpaqueBlock and block.api == self.encoding.api)
                )
            ):
                self._add(block, message, parts)
            else:
                self.encoding.lose("system content", block)
        self._put(role(blocks.as_content(parts, message)) if parts else None, message, out)

    def _users(self, message: Any, out: list[Any]) -> bool:
        """Write a message's results, then the rest of it; return whether there was a rest."""
        parts: list[Any] = []
        for block in message.content:
            if type(block) is ToolResultBlock:
                out.append(self._result(block))
            elif self.open_calls.open:
                raise OutOfOrder  # results come before other content
            else:
                self._add(block, message, parts)
        body = wire.User(blocks.as_content(parts, message)) if parts else None
        self._put(body, message, out)
        return bool(parts)

    def _answer(self, message: AssistantMessage, out: list[Any]) -> None:
        parts: list[Any] = []
        calls: list[Any] = []
        for block in message.content:
            if type(block) is ToolCallBlock:
                calls.append(self._call(block))
            else:
                self._add(block, message, parts)
        content = blocks.as_content(parts, message)
        body = wire.Assistant(content, calls or None) if content or calls else None
        self._put(body, message, out)

    def _add(self, block: Content, message: Any, parts: list[Any]) -> None:
        """Add the part for a block, if anything of the block is left."""
        if is_bare(block):
            parts.append(block)  # our JSON is already theirs
            return
        part = blocks.part(block, message, self.encoding)
        if part is not None:
            parts.append(part)

    # Calls and results

    def _call(self, block: ToolCallBlock) -> Any:
        call_id = block.id
        if call_id in self.open_calls.open:
            raise OutOfOrder
        self.open_calls.open[call_id] = sent_id = blocks.id_of_call(call_id)
        return blocks.call(
            block, sent_id, self.encoding.tool_name(block.name, block), self.encoding
        )

    def _result(self, result: Result) -> Any:
        call_id = self.open_calls.open.pop(result.tool_call_id, None)
        if call_id is None:
            raise OutOfOrder
        content: Any = result.content
        if is_lone_result(result):
            return wire.Tool(tool_call_id=call_id, content=content[0].text)
        if result.is_error and is_failure(result):
            self.encoding.lose("error flag", result)
        self.encoding.lose_rest(result)
        if result.extras is None and is_plain(content):
            return wire.Tool(tool_call_id=call_id, content=_plain(content))
        parts: list[Any] = []
        for block in content:
            if type(block) in _NOT_IN_RESULTS:
                self.encoding.lose("tool result content", block)
            else:
                self._add(block, result, parts)
        body = wire.Tool(tool_call_id=call_id, content=blocks.as_content(parts, result))
        return body if result.extras is None else self.encoding.with_extras(body, result)

    # Tools

    def _function(self, tool: Tool, name: str) -> wire.FunctionTool:
        schema = object_schema(tool, self.encoding)
        return wire.FunctionTool(
            "function", wire.Function(name, tool.description, schema, tool.strict)
        )

    def _tool_choice(self, asked: ToolChoice, *, has_tools: bool) -> str | wire.NamedTool | None:
        choice = chosen(asked, self.encoding, has_tools=has_tools)
        if choice is None:
            return None
        if choice.allowed is not None:
            self.encoding.lose("tool choice allowed", choice)
        if choice.name is None:
            return _CHOICES[choice.mode]
        name = self.encoding.tool_name(choice.name, choice)
        return wire.NamedTool("function", wire.FunctionName(name))

    # Parameters

    def spellings(self, came: dict[str, Raw]) -> dict[str, Raw]:
        """Return the keys of parameters as they came, without an effort that the model may refuse.

        That is written as `_effort` has it.
        """
        if self.encoding.takes is ANY:
            return came
        return {key: came[key] for key in came if key != "reasoning_effort"}

    def parameters(self) -> wire.Body:
        request = self.request
        has_tools = bool(request.tools and carried(request, self.encoding))
        if request.cache is not None:
            lose_cache(request.cache, self.encoding)
        body = wire.Body(
            model=request.model,
            top_k=request.top_k,
            stream=True if request.stream else None,
            stop=request.stop or None,
            logprobs=request.logprobs,
            top_logprobs=request.top_logprobs,
            parallel_tool_calls=request.parallel_tool_calls if has_tools else None,
            messages=[],
        )
        self.encoding.put_numbers(body, _NUMBERS)
        if body.temperature == 0 and body.top_p not in (None, 1):
            self.encoding.lose("top_p", request)
            body.top_p = None
        if request.metadata:
            body.metadata = self._metadata()
        if request.response_format is not None:
            body.response_format = self._format(request.response_format)
        if request.thinking is not None:
            body.reasoning_effort = self._effort(request.thinking)
        if request.service_tier is not None:
            body.service_tier = self._service_tier(request.service_tier)
        if request.tool_choice is not None:
            body.tool_choice = self._tool_choice(request.tool_choice, has_tools=has_tools)
        return body

    def _metadata(self) -> RawJson:
        try:
            return RawJson.of(self.request.metadata)
        except EncodeError as error:
            self.encoding.fail(error.reason, self.request, ".metadata")

    def _format(self, asked: ResponseFormat) -> wire.ResponseFormat | None:
        if asked.kind != "json_schema":
            if asked.schema is not None:
                self.encoding.lose("json schema", asked)
            return wire.ResponseFormat("json_object") if asked.kind == "json" else None
        if asked.schema is None or asked.schema.text[:1] != b"{":
            self.encoding.fail(NO_SCHEMA, asked, ".schema")
        name = asked.name if asked.name is not None else _SCHEMA_NAME
        schema = wire.JsonSchema(name, asked.description, asked.schema, asked.strict)
        return wire.ResponseFormat("json_schema", schema)

    def _effort(self, given: Thinking) -> str | None:
        asked = given if self.encoding.takes is ANY else fitting(given, self.encoding)
        if asked is None:
            return None
        level = asked.level
        if asked.visible is False and level is not ThinkingLevel.OFF:
            self.encoding.lose("thinking shown", asked)
        if level is ThinkingLevel.ULTRA:
            self.encoding.lose("thinking level", asked)
        if asked.budget_tokens is not None:
            self.encoding.lose("thinking budget", asked)
            if level is None:
                level = ThinkingLevel.HIGH if asked.budget_tokens else ThinkingLevel.OFF
        return _EFFORTS[level] if level is not None else None

    def _service_tier(self, tier: str) -> str | None:
        if tier in _TIERS:
            return tier
        self.encoding.lose("service_tier", self.request)
        return None


def _continue(last: Any) -> None:
    """Set `prefix` on an answer at the end of the conversation: the model continues it."""
    if type(last) is wire.Assistant:
        last.prefix = True
    elif _is_answer(last):
        last["prefix"] = True


def _came_here(message: SystemMessage) -> bool:
    """Whether a system message came over this API, and was not at the start."""
    extra = message.extras.get(wire.API) if message.extras is not None else None
    return (
        extra is not None
        and extra.spelling is not None
        and key_of(extra.spelling, "role") is not None
    )


def _is_answer(body: Any) -> bool:
    """Whether a message of the wire is an answer."""
    return type(body) is wire.Assistant or (type(body) is dict and body["role"] == "assistant")


def _plain(content: list[Any]) -> Any:
    """Return plain texts as `content`: one as a string, several as blocks, whose JSON fits."""
    return content[0].text if len(content) == 1 else content


# -- body -> request ---------------------------------------------------------------------------

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_LEVELS: Final = {
    effort: level for level, effort in _EFFORTS.items() if level is not ThinkingLevel.ULTRA
}
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


_ANSWERED: Final = frozenset({wire.System, wire.User, wire.Tool})


class _Reader(RequestReader):
    _has_begun = False  # whether there was a message other than the system's

    def request(self) -> Request:
        body: wire.Body = self.decoding.body.root
        request = Request(self.messages(body.messages), **self.parameters())
        if body.tools is not None:
            request.tools = [self._tool(tool) for tool in body.tools]
        return request

    # Messages

    def conversation(self, parts: list[Any]) -> list[Message]:
        last = len(parts) - 1
        return [_MESSAGES[type(part)](self, part, i == last) for i, part in enumerate(parts)]

    def begins_answer(self, before: Any, part: Any) -> bool:
        return type(part) is wire.Assistant and type(before) in _ANSWERED

    def _system(self, part: wire.System, _: bool) -> Message:
        content = blocks.content(part.content or "", self.decoding)
        spelled = blocks.as_list(part.content)
        if self._has_begun:
            spelled["role"] = "system"
        return SystemMessage(content, extras=self.decoding.extras_of(part, **spelled))

    def _user(self, part: wire.User, _: bool) -> Message:
        self._has_begun = True
        content = blocks.content(part.content or "", self.decoding)
        return UserMessage(
            content, extras=self.decoding.extras_of(part, **blocks.as_list(part.content))
        )

    def _answer(self, part: wire.Assistant, is_last: bool) -> Message:
        self._has_begun = True
        calls = [blocks.block_of_call(call, self.decoding) for call in part.tool_calls or ()]
        for call in calls:
            self.names[call.id] = call.name
        return blocks.answer(part, calls, self.decoding, is_last=is_last)

    def _result(self, part: wire.Tool, _: bool) -> Message:
        self._has_begun = True
        call_id = part.tool_call_id if part.tool_call_id is not None else blocks.MISSING_ID
        spelled = blocks.as_list(part.content, or_empty=True)
        name = self.names.get(call_id)
        if part.name is not None:  # some clients write the id there, or `tool`
            spelled["name"] = part.name
            name = name or part.name
        content = blocks.content(part.content or [], self.decoding)
        extras = self.decoding.extras_of(part, **spelled)
        return ToolMessage([ToolResultBlock(call_id, name, content, extras=extras)])

    def _unknown_role(self, part: Raw, _: bool) -> Message:
        role = msgspec.json.decode(_keys(part)["role"])
        self.decoding.fail(
            unknown("role", role, ("system", "user", "assistant", "tool")), part, ".role"
        )

    # Tools

    def _tool(self, tool: wire.FunctionTool) -> Tool | OpaqueBlock:
        """Return a tool; a connector, which the API runs, is opaque."""
        function = tool.function
        if tool.type not in (None, "function") or function is None:
            return OpaqueBlock(wire.API, self.decoding.raw(tool))
        return Tool(
            function.name,
            function.description,
            function.parameters,
            function.strict,
            extras=self.decoding.extras(tool),
        )

    # Parameters

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.decoding.body.root
        stop = body.stop
        return {
            "model": body.model,
            "stream": body.stream is True,
            "temperature": body.temperature,
            "top_p": body.top_p,
            "top_k": body.top_k,
            "max_tokens": body.max_tokens,
            "stop": [stop] if isinstance(stop, str) else stop,
            "seed": body.random_seed,
            "metadata": self._metadata(body),
            "response_format": self._format(body.response_format),
            "presence_penalty": body.presence_penalty,
            "frequency_penalty": body.frequency_penalty,
            "logprobs": body.logprobs,
            "top_logprobs": body.top_logprobs,
            "candidates": body.n,
            "parallel_tool_calls": body.parallel_tool_calls,
            "thinking": self._level(body.reasoning_effort),
            "service_tier": body.service_tier,
            "tool_choice": self._choice(body.tool_choice),
        }

    def _metadata(self, body: wire.Body) -> dict[str, Any] | None:
        try:
            value = RawJson.adopt(body.metadata).value if body.metadata is not None else None
        except DecodeError:  # of a number that Python cannot hold
            self.unread.add("metadata")
            return None
        if value is not None and not isinstance(value, dict):
            self.decoding.fail("expected `object`", body, ".metadata")
        return value

    def _format(self, form: wire.ResponseFormat | None) -> ResponseFormat | None:
        if form is None:
            return None
        kind = _FORMATS.get(form.type)
        if kind is None:
            self.unread.add("response_format")
            return None
        schema = form.json_schema
        if schema is not None and kind != "json_schema":
            self.unread.add("response_format")
        if schema is None or kind != "json_schema":
            return ResponseFormat(kind)
        return ResponseFormat(kind, schema.schema, schema.name, schema.description, schema.strict)

    def _level(self, effort: str | None) -> Thinking | None:
        if effort is None:
            return None
        if effort not in _LEVELS:
            self.unread.add("reasoning_effort")
            return None
        return Thinking(_LEVELS[effort])

    def _choice(self, choice: str | wire.NamedTool | None) -> ToolChoice | None:
        if choice is None:
            return None
        if isinstance(choice, wire.NamedTool) and choice.function is not None:
            return ToolChoice("tool", choice.function.name)
        mode = _MODES.get(choice) if isinstance(choice, str) else None
        if mode is None:
            self.unread.add("tool_choice")
            return None
        return ToolChoice(mode)


_MESSAGES: Final[dict[type, Callable[[_Reader, Any, bool], Message]]] = {
    wire.System: _Reader._system,
    wire.User: _Reader._user,
    wire.Assistant: _Reader._answer,
    wire.Tool: _Reader._result,
    Raw: _Reader._unknown_role,
}


# -- both --------------------------------------------------------------------------------------

REQUESTS: Final = RequestCodec(RULES, wire.Body, ("tools", "messages"), _Writer, _Reader)
encode_request: Final = REQUESTS.encode_request
decode_request: Final = REQUESTS.decode_request


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    CODEC: ClassVar[RequestCodec] = REQUESTS
