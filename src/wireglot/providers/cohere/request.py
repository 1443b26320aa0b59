"""Request <-> the body of `POST /v2/chat` of Cohere.

What is normalized without a loss: a key that is null is left out; empty text is left out, and so is
a message without content; text beside calls becomes their plan, and so does thinking of another
API; arguments that are blank or null become `{}`; each result becomes a message of its own; a
result without content becomes a document with an empty output; images of a result follow in a
user's message, and the result refers to them; what describes a block to programs (alt text,
bounding boxes, sizes, pages, the kind of a call) and signatures of other APIs are not sent. A
thinking level only turns thinking on.

Each answer that is read gets this API as its `api`. `documents` to be cited have no field in
`Request`: they go back to this API, and are a loss on any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ..._body.objects import shallow
from ...errors import unknown
from ...model import (
    AssistantMessage,
    Content,
    ImageBlock,
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
from .._across.ids import hashed
from .._across.media import of_its_kind
from .._across.routes import NO_MODEL, Route
from .._across.texts import joined
from .._across.tools import NO_SCHEMA, carried, chosen, object_schema, tools
from .._codecs.order import NO_MESSAGE, Result, is_failure
from .._codecs.requests import RequestCodec, RequestReader, RequestWriter
from .._codecs.simple import MAY_BE_RESULT, is_bare, is_lone_result, is_lone_text, result_of
from .._codecs.transcript import Transcript as BaseTranscript
from .._state.decoding import kinds, knows_all
from .._state.encoding import Encoding, OutOfOrder, Ranges, lose_cache
from .._state.stored import key_of, lenient_value
from . import blocks, wire
from .losses import RULES

_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def route(request: Request, *, dialect: str | None = None) -> Route:
    """Return where to send the request."""
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    return Route("POST", "/v2/chat")


# -- request -> body ---------------------------------------------------------------------------

_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_LONGEST_ID: Final = 64
_NO_OUTPUT: Final = wire.Document(wire.DocumentData(data=Raw(b'{"output":""}')))
_NOT_IN_RESULTS: Final = frozenset({ThinkingBlock, ToolCallBlock, ToolResultBlock})
_MOST_STOPS: Final = 5
_LARGEST_SEED: Final = 2**64 - 1


_TEXTS: Final[dict[Any, Any]] = {
    SystemMessage: wire.System,
    UserMessage: wire.User,
    ToolMessage: wire.User,
    AssistantMessage: wire.Assistant,
}
"""The message of the wire for one that is a text alone."""
_NUMBERS: Final = Ranges(
    {
        "temperature": ("temperature", 0.0, 1.0),
        "seed": ("seed", 0, _LARGEST_SEED),
        "frequency_penalty": ("frequency_penalty", 0.0, 1.0),
        "presence_penalty": ("presence_penalty", 0.0, 1.0),
        "top_k": ("k", 0, 500),
        "top_p": ("p", 0.01, 0.99),
    }
)


class _Writer(RequestWriter):
    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        self._images: list[Any] = []  # of results, for the user's message after them
        self._thinks = not _is_off(self.request.thinking)

    def content(self, messages: list[Message]) -> dict[str, Any]:
        if self.request.model is None:
            self.encoding.fail(NO_MODEL, self.request, ".model")
        if self.sent and not self._thinks:
            raise OutOfOrder  # those messages were encoded with thinking on
        request = self.request
        functions = tools(request, self.encoding, self._function) if request.tools else []
        conversation = self.rest(messages)
        if not conversation and not self.sent:
            self.encoding.fail(NO_MESSAGE, self.request, ".messages")
        return {"tools": functions or None, "messages": [*self.sent, *conversation]}

    def is_settled(self, wire_messages: list[Any]) -> bool:
        """Whether thinking is on: with it off, earlier thinking is written in another way."""
        return self._thinks

    # Messages

    def conversation(self, messages: list[Message]) -> list[Any]:
        out: list[Any] = []
        message: Any
        for message in messages:
            kind = type(message)
            result = result_of(message) if kind in MAY_BE_RESULT else None
            if result is not None:
                out.append(self._result(result))
                if self._images and not self.open_calls.open:
                    out.append(wire.User(self._shown()))
            elif is_lone_text(message) and not (self.open_calls.open or self._images):
                out.append(_TEXTS[kind](message.content[0].text))
            elif kind is UserMessage or kind is ToolMessage:
                self._put(self._users(message, out), message, out)
            elif self.open_calls.open:
                raise OutOfOrder
            elif kind is AssistantMessage:
                self._put(self._answer(message), message, out)
            elif kind is SystemMessage:
                self._put(self._system(message), message, out)
            else:
                raise OutOfOrder  # putting the messages in order, it is refused
        if self.open_calls.open:
            raise OutOfOrder
        return out

    def _put(self, body: Any, message: Any, out: list[Any]) -> None:
        """Add a message of the wire with the extras of `message`; None is left out."""
        if body is None:
            self.encoding.lose_keys(message)
            return
        self.encoding.lose_rest(message)
        out.append(body if message.extras is None else self.encoding.with_extras(body, message))

    def _system(self, message: SystemMessage) -> wire.System | None:
        parts: list[Any] = []
        for block in message.content:
            if type(block) is TextBlock or (
                type(block) is OpaqueBlock and block.api == self.encoding.api
            ):
                self._add(block, message, parts)
            else:
                self.encoding.lose("system content", block)
        return wire.System(_content(parts, message)) if parts else None

    def _users(self, message: Any, out: list[Any]) -> wire.User | None:
        """Write a message's results, and return their images and the rest as one user's message."""
        parts: list[Any] = []
        for block in message.content:
            if type(block) is ToolResultBlock:
                out.append(self._result(block))
            elif self.open_calls.open:
                raise OutOfOrder  # results come before other content
            else:
                self._add(block, message, parts)
        if self._images and not self.open_calls.open:
            parts = self._shown() + parts
        return wire.User(_content(parts, message)) if parts else None

    def _answer(self, message: AssistantMessage) -> wire.Assistant | None:
        """Return an answer. Beside calls the API takes no text but their plan.

        Thinking of another API joins the plan; so does all thinking if the request turns it off.
        """
        content: list[Any] = message.content
        parts: list[Any] = []
        calls: list[Any] = []
        plan: list[str] | None = None
        joins = False  # whether thinking joins the plan
        if content and (type(content[-1]) is ToolCallBlock or any(map(_is_call, content))):
            plan = []
            joins = not (self._thinks and blocks.is_own(message))
        for block in content:
            if type(block) is ToolCallBlock:
                calls.append(self._call(block))
            elif plan is None:
                self._add(block, message, parts)
            elif is_bare(block) and block.text:
                plan.append(block.text)
            else:
                self._add_beside_calls(block, message, parts, plan, joins)
        if not parts and not calls:
            return None
        if plan is not None and message.extras is not None:
            # The plan of an answer that came without calls, and has some now.
            plan += _loose_plan(message)
        body = wire.Assistant(_content(parts, message) if parts else None)
        if plan:
            body.tool_plan = joined(plan)
        body.tool_calls = calls or None
        return body

    def _add(self, block: Content, message: Any, parts: list[Any]) -> None:
        """Add the part for a block, if anything of the block is left."""
        if is_bare(block) and block.text:
            parts.append(block)  # our JSON is already theirs
            return
        blocks.lose_annotations(block, message, self.encoding)
        part = blocks.part(block, message, self.encoding)
        if part is not None:
            parts.append(part)

    def _add_beside_calls(
        self,
        block: Content,
        message: AssistantMessage,
        parts: list[Any],
        plan: list[str],
        joins: bool,
    ) -> None:
        """Add a block beside calls: text to the plan, anything else to the content."""
        added: list[Any] = []
        self._add(block, message, added)
        for part in added:
            keys = dict(lenient_value(part) if type(part) is RawJson else shallow(part))
            tag = keys.pop("type", None)
            text = keys.pop(tag, None) if tag == "text" or (tag == "thinking" and joins) else None
            if type(text) is not str:
                parts.append(part)
                continue
            if keys:
                self.encoding.lose("extras", block, keys=keys)
            if text:
                plan.append(text)

    # Calls and results

    def _call(self, block: ToolCallBlock) -> Any:
        call_id = block.id
        if call_id in self.open_calls.open:
            raise OutOfOrder
        wire_id = call_id or hashed(call_id, _LETTER, _LONGEST_ID)
        self.open_calls.open[call_id] = wire_id
        arguments = blocks.checked_arguments(block, self.encoding)
        return blocks.call(block, wire_id, arguments, self.encoding)

    def _result(self, result: Result) -> Any:
        call_id = self.open_calls.open.pop(result.tool_call_id, None)
        if call_id is None:
            raise OutOfOrder
        content: Any = result.content
        if is_lone_result(result):
            return wire.Tool(call_id, content[0].text)
        if result.is_error and is_failure(result):
            self.encoding.lose("error flag", result)
        self.encoding.lose_rest(result)
        parts: list[Any] = []
        for given in result.content:
            block: Any = of_its_kind(given, self.encoding) or given
            if type(block) is ImageBlock:
                self._move(block, call_id, parts)
            elif type(block) in _NOT_IN_RESULTS:
                self.encoding.lose("tool result content", block)
            else:
                self._add(block, result, parts)
        content = _content(parts, result)
        if not parts:  # the API requires content, but takes back its own empty one
            original = blocks.spelling(result, "content")
            content = original if original is not None else [_NO_OUTPUT]
        return self.encoding.with_extras(wire.Tool(call_id, content), result)

    def _move(self, block: ImageBlock, call_id: str, parts: list[Any]) -> None:
        """Hold an image of a result for the user's message after it, and refer to it."""
        image = blocks.part(block, None, self.encoding)
        if image is not None:
            name = f"{call_id}-{len(self._images) // 2 + 1}"
            self._images += [wire.Text(f"This is image {name}:"), image]
            parts.append(wire.Text(f"See image {name}."))

    def _shown(self) -> list[Any]:
        """Return the images held, each after a text with its name."""
        images, self._images = self._images, []
        return images

    # Tools

    def _function(self, tool: Tool, name: str) -> wire.FunctionTool:
        schema = object_schema(tool, self.encoding)
        function = wire.FunctionDefinition(name, tool.description, schema)
        return wire.FunctionTool("function", function)

    def _strict(self) -> bool | None:
        """Return one `strict` for all tools; a loss, if only some of them ask for it."""
        asked = {tool.strict for tool in self.request.tools or () if isinstance(tool, Tool)}
        if len(asked) > 1 and True in asked:
            self.encoding.lose("strict", self.request)
            return None
        return next((strict for strict in asked if strict is not None), None)

    def _tool_choice(self, asked: ToolChoice, names: list[str | None]) -> str | None:
        """Return the wire's word for a choice; `auto` has none, since it is the default."""
        choice = chosen(asked, self.encoding, has_tools=bool(names))
        if choice is None:
            return None
        if choice.allowed is not None:
            self.encoding.lose("tool choice allowed", choice)
        if choice.mode == "tool" and names != [choice.name]:
            self.encoding.lose("tool choice", choice)
        if choice.mode == "none" and not self.encoding.takes.forced:
            self.encoding.lose("tool choice", choice)
            return None
        return {"auto": None, "none": "NONE"}.get(choice.mode, "REQUIRED")

    # Parameters

    def spellings(self, came: dict[str, Raw]) -> dict[str, Raw]:
        """Return the keys of parameters as they came, without a choice that the model refuses."""
        if self.encoding.takes.forced:
            return came
        return {key: came[key] for key in came if key != "tool_choice"}

    def parameters(self) -> wire.Body:
        request = self.request
        body = wire.Body(
            model=request.model,
            stream=True if request.stream else None,
            max_tokens=request.max_tokens,
            logprobs=request.logprobs,
            messages=[],
        )
        names: list[str | None] = []
        if request.tools:
            names = [getattr(tool, "name", None) for tool in carried(request, self.encoding)]
            body.strict_tools = self._strict()
        if request.cache is not None:
            lose_cache(request.cache, self.encoding)
        if request.parallel_tool_calls is False and names:
            self.encoding.lose("parallel_tool_calls", request)
        if request.stop:
            body.stop_sequences = self._stop(request.stop)
        self.encoding.put_numbers(body, _NUMBERS)
        if request.response_format is not None:
            body.response_format = self._format(request.response_format, has_tools=bool(names))
        if request.thinking is not None:
            body.thinking = self._thinking(request.thinking)
        if request.tool_choice is not None:
            body.tool_choice = self._tool_choice(request.tool_choice, names)
        return body

    def _stop(self, asked: list[str]) -> list[str]:
        if len(asked) > _MOST_STOPS:
            self.encoding.lose("stop", self.request)
        return asked[:_MOST_STOPS]

    def _format(self, asked: ResponseFormat, *, has_tools: bool) -> wire.ResponseFormat | None:
        if asked.kind == "text":
            return wire.ResponseFormat("text")
        if asked.schema is not None and asked.schema.text[:1] != b"{":
            self.encoding.fail(NO_SCHEMA, asked, ".schema")
        if has_tools:
            self.encoding.lose("response format", asked)
            return None
        return wire.ResponseFormat("json_object", asked.schema)

    def _thinking(self, asked: Thinking) -> wire.ThinkingConfig:
        if asked.level is ThinkingLevel.OFF:
            return wire.ThinkingConfig("disabled")
        if asked.level is not None:
            self.encoding.lose("thinking level", asked)
        if asked.visible is False:
            self.encoding.lose("thinking shown", asked)
        if not self._thinks:
            self.encoding.lose("thinking budget", asked)
            return wire.ThinkingConfig("disabled")
        return wire.ThinkingConfig("enabled", asked.budget_tokens)


def _content(parts: list[Any], message: Any) -> Any:
    """Return parts as `content`: a string, if it is one text that did not come as a list."""
    if len(parts) == 1:
        part = parts[0]
        if (type(part) is TextBlock or type(part) is wire.Text) and (
            message.extras is None or blocks.spelling(message, "content") is None
        ):
            return part.text
    return parts


def _is_call(block: Content) -> bool:
    return type(block) is ToolCallBlock


def _is_off(thinking: Thinking | None) -> bool:
    """Whether a request turns thinking off, by its level or by a budget below 1."""
    if thinking is None:
        return False
    budget = thinking.budget_tokens
    return thinking.level is ThinkingLevel.OFF or (budget is not None and budget < 1)


def _loose_plan(message: Any) -> list[str]:
    """Return a plan that came without calls and was kept as an unknown key, in a list."""
    extra = message.extras.get(wire.API)
    plan = key_of(extra.keys, "tool_plan") if extra is not None else None
    return [plan] if isinstance(plan, str) else []


# -- body -> request ---------------------------------------------------------------------------

_MODES: Final[dict[str, Any]] = {"REQUIRED": "required", "NONE": "none"}


_ANSWERED: Final = frozenset({wire.System, wire.User, wire.Tool})
_NULL: Final = Raw(b"null")
_THINKING_KINDS: Final = kinds(wire.ThinkingConfig, "type", wire.THINKING_KEYS)


class _Reader(RequestReader):
    def request(self) -> Request:
        body: wire.Body = self.decoding.body.root
        request = Request(self.messages(body.messages), **self.parameters())
        if body.tools is not None:
            request.tools = [self._tool(tool, body.strict_tools) for tool in body.tools]
        return request

    # Messages

    def conversation(self, parts: list[Any]) -> list[Message]:
        return [_MESSAGES[type(part)](self, part) for part in parts]

    def begins_answer(self, before: Any, part: Any) -> bool:
        return type(part) is wire.Assistant and type(before) in _ANSWERED

    def _system(self, part: wire.System) -> Message:
        content = blocks.content(part.content, self.decoding)
        return SystemMessage(content, extras=self._listed(part))

    def _user(self, part: wire.User) -> Message:
        content = blocks.content(part.content, self.decoding)
        return UserMessage(content, extras=self._listed(part))

    def _answer(self, part: wire.Assistant) -> Message:
        """Return an answer.

        A plan without calls adds no text: it is kept as an unknown key. The spelling notes content
        that is a list of one text.
        """
        plan = part.tool_plan
        spelling: dict[str, Any] = {}
        if not part.tool_calls:
            if _is_one_text(part.content):
                spelling["content"] = []
            if plan:
                self.decoding.keep_key(part, "tool_plan", plan)
                plan = None
        for call in part.tool_calls or ():
            self.names[call.id] = call.function.name
        return blocks.answer(part, plan, spelling, self.decoding)

    def _result(self, part: wire.Tool) -> Message:
        call_id = part.tool_call_id
        if part.content is None:
            part.content = ""
        content = blocks.content(part.content, self.decoding)
        result = ToolResultBlock(call_id, self.names.get(call_id), content)
        result.extras = self._listed(part)
        return ToolMessage([result])

    def _unknown_role(self, part: Raw) -> Message:
        role = msgspec.json.decode(_keys(part)["role"])
        self.decoding.fail(
            unknown("role", role, ("system", "user", "assistant", "tool")), part, ".role"
        )

    def _listed(self, part: Any) -> Any:
        """Return a message's extras; the spelling notes empty content, and a list of one text."""
        content = part.content
        if not content or _is_one_text(content):
            return self.decoding.extras_of(part, content=content if not content else [])
        return self.decoding.extras(part)

    # Tools

    def _tool(self, tool: wire.FunctionTool, strict: bool | None) -> Tool | OpaqueBlock:
        function = tool.function
        if tool.type not in (None, "function") or function is None:
            return OpaqueBlock(wire.API, self.decoding.raw(tool))
        extras = self.decoding.extras_of(tool, **blocks.without_type(tool.type))
        return Tool(function.name, function.description, function.parameters, strict, extras=extras)

    # Parameters

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.decoding.body.root
        documents = body.documents
        if documents is not None and bytes(memoryview(documents)[:5]) not in (b"[]", b"null"):
            self.unread.add("documents")
        return {
            "model": body.model,
            "stream": body.stream is True,
            "max_tokens": body.max_tokens,
            "stop": body.stop_sequences,
            "temperature": body.temperature,
            "seed": body.seed,
            "frequency_penalty": body.frequency_penalty,
            "presence_penalty": body.presence_penalty,
            "top_k": body.k,
            "top_p": body.p,
            "logprobs": body.logprobs,
            "response_format": self._asked_format(body.response_format),
            "thinking": self._budget(body.thinking),
            "tool_choice": self._choice(body.tool_choice),
        }

    def _asked_format(self, form: wire.ResponseFormat | None) -> ResponseFormat | None:
        if form is None:
            return None
        schema = form.json_schema if form.json_schema not in (None, _NULL) else None
        is_json = form.type == "json_object"
        if schema is not None and not (is_json and _is_object(schema)):
            self.unread.add("response_format")
            schema = None
        if is_json:
            return ResponseFormat("json_schema" if schema is not None else "json", schema)
        if form.type != "text":
            self.unread.add("response_format")
        return ResponseFormat("text") if form.type == "text" else None

    def _budget(self, thinking: wire.ThinkingConfig | None) -> Thinking | None:
        if thinking is None:
            return None
        if not knows_all(_THINKING_KINDS, thinking):
            self.unread.add("thinking")
        if thinking.type == "disabled":
            return Thinking(ThinkingLevel.OFF)
        return Thinking(budget_tokens=thinking.token_budget)

    def _choice(self, choice: str | None) -> ToolChoice | None:
        if choice is None:
            return None
        mode = _MODES.get(choice)
        if mode is None:
            self.unread.add("tool_choice")
            return None
        return ToolChoice(mode)


_MESSAGES: Final[dict[type, Callable[[_Reader, Any], Message]]] = {
    wire.System: _Reader._system,
    wire.User: _Reader._user,
    wire.Assistant: _Reader._answer,
    wire.Tool: _Reader._result,
    Raw: _Reader._unknown_role,
}


def _is_one_text(content: Any) -> bool:
    """Whether content is a list of one text, which the encoder would write as a string."""
    return type(content) is list and len(content) == 1 and type(content[0]) is wire.Text


def _is_object(raw: Raw | None) -> bool:
    return raw is not None and bytes(memoryview(raw)[:1]) == b"{"


# -- both --------------------------------------------------------------------------------------

REQUESTS: Final = RequestCodec(RULES, wire.Body, ("tools", "messages"), _Writer, _Reader)
encode_request: Final = REQUESTS.encode_request
decode_request: Final = REQUESTS.decode_request


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    CODEC: ClassVar[RequestCodec] = REQUESTS
