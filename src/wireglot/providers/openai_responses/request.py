"""Request <-> the body of `POST /v1/responses`, in every dialect.

System messages become items of that role, or `instructions` or `developer` if they came as such.
Tool arguments and inline media are spliced in unparsed. `strict` is always written, since services
differ in its default. A request for thinking also asks for its encrypted content, so that it can be
sent back.

What is normalized without a loss: a message without content is left out; a list of one plain text
becomes a string, an `input` string becomes a list; `type: message` is written only with an id; ids
longer than 64 characters are mapped one to one, the same for call and result; what describes a
block to programs (alt text, bounding boxes, sizes, pages, the kind of a call) and signatures of
other APIs are not sent.

A body of any dialect is read. A spelling is kept only where the encoder of the dialect would write
another one; it goes back to that dialect alone, as do item ids. The items of an answer become one
message, block by block, which gets this API as its `api`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ..._body.fields import changed
from ...capabilities import ANY
from ...errors import unknown
from ...model import (
    AssistantMessage,
    CacheConfig,
    CacheSections,
    ManualCache,
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
from .._across.openai_keys import SAME_TIERS, adapt_keys
from .._across.routes import NO_MODEL, Route
from .._across.schemas import OPENAI_NEEDS, OPENAI_REFUSES, parameters, strict
from .._across.shared_keys import share
from .._across.thinking import fitting, is_thinking, level_like, nearest
from .._across.tools import (
    NO_SCHEMA,
    allowed,
    carried,
    chosen,
    is_lost,
    no_such_tool,
    parallel,
    tools,
)
from .._codecs.order import NO_MESSAGE, Result, count_prompts
from .._codecs.requests import RequestCodec, RequestReader, RequestWriter
from .._codecs.simple import MAY_BE_RESULT, is_bare, is_bare_call, is_lone_text, result_of
from .._codecs.transcript import Transcript as BaseTranscript
from .._state.decoding import Decoding, kinds, knows_all
from .._state.encoding import UNBOUNDED, Encoding, OutOfOrder, Ranges
from .._state.facts import facts_of
from .._state.stored import key_of, lenient_value
from . import wire
from .blocks import BlockReader, BlockWriter, as_content, shape
from .dialects import DIALECTS, SERVICES
from .items import ITEMS, Draft, ItemReader, ItemWriter
from .losses import RULES


def route(request: Request, *, dialect: str | None = None) -> Route:
    """Return where to send the request; on Azure, the v1 API, which needs no `api-version`."""
    service = SERVICES[RULES.dialect(dialect)]
    return Route("POST", service.path, key=service.key)


# -- request -> body -----------------------------------------------------------------------------

_STORED: Final = ("previous_response_id", "conversation", "prompt")
_WITH_CALLS: Final = _STORED[:2]
_UNSET: Final = frozenset({b"", b"null", b'""', b"false", b"0", b"{}", b"[]"})
_ENCRYPTED: Final = "reasoning.encrypted_content"
_INCLUDE_LOGPROBS: Final = "message.output_text.logprobs"
_READ: Final = frozenset({_ENCRYPTED, _INCLUDE_LOGPROBS})
_OF_SERVICE: Final = ("prompt_cache_key", "prompt_cache_retention", "store")
"""Keys that ask the service for something which no field does; `store: false` asks for nothing."""
_LOGPROBS: Final = ("logprobs", "top_logprobs")
_LONGEST_USER: Final = 128
_MOST_PAIRS, _LONGEST_KEY, _LONGEST_VALUE = 16, 64, 512
_CHARACTER: Final = re.compile(r"[\s\S]")
_ALLOWED_MODES: Final = frozenset({"auto", "required"})
_KNOWN_ROLES: Final = ("user", "assistant", "system", "developer")
_ROLES: Final[dict[Any, str]] = {
    SystemMessage: "system",
    UserMessage: "user",
    ToolMessage: "user",
    AssistantMessage: "assistant",
}
_SAMPLED: Final = Ranges({"temperature": ("temperature", 0.0, 2.0), "top_p": ("top_p", 0.0, 1.0)})
_NUMBERS: Final = Ranges(
    {
        "top_k": ("top_k", *UNBOUNDED),
        "frequency_penalty": ("frequency_penalty", *UNBOUNDED),
        "presence_penalty": ("presence_penalty", *UNBOUNDED),
    }
)
_NULL: Final = Raw(b"null")
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_texts = msgspec.json.Decoder(list[str] | None).decode


class _Writer(RequestWriter):
    PROMPT_APART = True

    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        self._blocks = BlockWriter(encoding)
        self._service = self._blocks.service
        if self._service.adapts:
            encoding.takes = ANY
        self._items = ItemWriter(encoding, self._blocks)
        self._opaque_calls: set[str] = set()
        """The ids of calls of the API's own tools, whose results may be ours."""
        self._stored: set[str] = set()
        """The keys by which the request refers to what the service has stored."""
        extra = (self.request.extras or {}).get(wire.API)
        if extra is not None:
            own = _keys(extra.keys.text)
            self._stored = {key for key in _STORED if bytes(own.get(key, b"")) not in _UNSET}

    def content(self, messages: list[Message]) -> dict[str, Any]:
        if self.request.model is None and "prompt" not in self._stored:
            self.encoding.fail(NO_MODEL, self.request, ".model")
        request = self.request
        functions = tools(request, self.encoding, self._function) if request.tools else []
        split = count_prompts(messages)
        first = messages[0] if messages else None
        instructions = self._instructions(first) if type(first) is SystemMessage else None
        prompt = self.conversation(messages[instructions is not None : split]) if split else []
        conversation = self.rest(messages[split:] if split else messages)
        items = [*prompt, *self.sent, *conversation]
        if not items and not self._stored:
            self.encoding.fail(NO_MESSAGE, self.request, ".messages")
        return {"tools": functions or None, "instructions": instructions, "input": items or None}

    # Messages

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages as items: one for each text of an answer, each call and each result.

        A message without content is left out.
        """
        out: list[Any] = []
        message: Any
        for message in messages:
            kind = type(message)
            result = result_of(message) if kind in MAY_BE_RESULT else None
            if result is not None:
                out.append(self._result(result))
            elif is_lone_text(message) and not self.open_calls.open:
                out.append(wire.Item(role=_ROLES[kind], content=message.content[0].text))
            elif kind is AssistantMessage:
                if self.open_calls.open:
                    raise OutOfOrder
                self._answer(message, out)
            elif kind is UserMessage or kind is ToolMessage:
                self._said(message, "user", out)
            elif kind is SystemMessage:
                if self.open_calls.open:
                    raise OutOfOrder
                role = "developer" if shape(message) == "developer" else "system"
                self._said(message, role, out)
            else:
                raise OutOfOrder
        if self.open_calls.open:
            raise OutOfOrder
        return out

    def _instructions(self, message: SystemMessage) -> str | None:
        """Return the text of a system message that came as `instructions`, None for any other."""
        if message.extras is None or shape(message) != "instructions":
            return None
        is_text = len(message.content) == 1 and is_bare(message.content[0])
        if not is_text or message.name is not None or message.extras[wire.API].keys.text != b"{}":
            return None
        self.encoding.lose_foreign(message)
        return message.text()

    def _said(self, message: Any, role: str, out: list[Any]) -> None:
        """Write a user or system message, its results first; opaque items divide it."""
        content: list[Any] = message.content
        parts: list[Any] = []
        start = len(out)
        for block in content:
            kind = type(block)
            if is_bare(block):
                parts.append(wire.Part("input_text", block.text))
            elif kind is ToolResultBlock and role == "user":
                out.append(self._result(block))
                start += 1
            elif kind is OpaqueBlock and block.api == wire.API and self._items.is_item(block):
                self._flush(message, role, parts, out, len(out) == start)
                parts = []
                out.append(self._opaque_item(block, message))
            else:
                part = self._blocks.part(block, message)
                if part is not None:
                    parts.append(part)
        self._flush(message, role, parts, out, len(out) == start)
        self.encoding.lose_rest(message)

    def _flush(
        self, message: Any, role: str, parts: list[Any], out: list[Any], is_first: bool
    ) -> None:
        """Write parts as a message; the first one written gets the extras of `message`."""
        if not parts:
            if is_first and message.extras is not None:
                self._lose_all_keys(message)
            return
        if self.open_calls.open:
            raise OutOfOrder
        item = wire.Item(role=role, content=as_content(parts))
        out.append(self._items.with_extras(item, message) if is_first else item)

    def _answer(self, message: AssistantMessage, out: list[Any]) -> None:
        self._items.begin_answer()
        draft: Draft | None = None
        thoughts: list[Any] = []  # the reasoning that nothing follows yet
        block: Any
        for block in message.content:
            kind = type(block)
            item: Any
            if kind is ToolCallBlock:
                item = self._call(block, message)
            elif is_bare(block):
                if not block.text and len(message.content) > 1 and message.api != wire.API:
                    continue  # Chat's clients send it beside calls
                item = wire.Item(role="assistant", content=block.text)
            elif kind is ThinkingBlock:
                item = self._items.item(block, message)
            elif kind is OpaqueBlock and block.api == wire.API and self._items.is_item(block):
                item = self._opaque_item(block, message)
            else:
                part = self._blocks.part(block, message)
                if part is None:
                    continue
                if draft is None or not self._items.goes_on(block):
                    if draft is not None:
                        out.append(self._items.message(draft))
                    draft = self._items.draft(block)
                    thoughts.clear()
                draft.parts.append(part)
                continue
            if item is None:
                continue
            if draft is not None:
                out.append(self._items.message(draft))
                draft = None
            out.append(item)
            if kind is ThinkingBlock:
                thoughts.append(block)
            else:
                thoughts.clear()
        if draft is not None:
            out.append(self._items.message(draft))
        while thoughts and "id" in self._blocks.spelling(thoughts[-1]):
            self.encoding.lose("thinking at the end", thoughts.pop())
            out.pop()
        self.encoding.lose_rest(message)
        if message.extras is not None:
            self._lose_all_keys(message)

    def _lose_all_keys(self, message: Message) -> None:
        own = self.encoding.own_keys(message)
        if own:
            self.encoding.lose("extras", message, keys=own)

    def _opaque_item(self, block: OpaqueBlock, message: Any) -> Any:
        item = self._items.item(block, message)
        call_id = key_of(block.raw, "call_id")
        if isinstance(call_id, str):
            self._opaque_calls.add(call_id)
        return item

    def _call(self, block: ToolCallBlock, message: AssistantMessage) -> Any:
        if block.id in self.open_calls.open:
            raise OutOfOrder
        kind = "function_call_output"
        if block.tool_type == "custom" and self._items.is_custom(block, message):
            kind = "custom_tool_call_output"
        call_id = self._items.id_of_call(block.id)
        self.open_calls.open[block.id] = (kind, call_id)
        if is_bare_call(block):
            return self._items.bare_call(block, call_id, message)
        return self._items.item(block, message)

    def _result(self, result: Result) -> Any:
        call_id = result.tool_call_id
        call = self.open_calls.open.pop(call_id, None)
        if call is None:
            if self._stored.isdisjoint(_WITH_CALLS) and call_id not in self._opaque_calls:
                raise OutOfOrder
            call = ("function_call_output", self._items.id_of_call(call_id))
        return self._items.result(result, *call)

    # Tools

    def _function(self, tool: Tool, name: str) -> wire.Tool:
        whole = self._schema(tool)
        is_strict, fitted = strict(tool.strict, whole, tool, self.encoding)
        original = self._blocks.spelling(tool).get("parameters", _NULL)
        # What came says less than we would write.
        schema = fitted if original == _NULL or fitted is not whole else original
        return wire.Tool("function", name, tool.description, schema, is_strict or False)

    def _schema(self, tool: Tool) -> RawJson:
        refused = OPENAI_REFUSES if self.encoding.takes.unions == "never" else frozenset[str]()
        return parameters(tool, self.encoding, refused, OPENAI_NEEDS)

    # Parameters

    def spellings(self, came: dict[str, Raw]) -> dict[str, Raw]:
        left = self._included(came.get("include"))
        return came if left is None else {**came, "include": Raw(encode(left or None))}

    def own_keys(self) -> dict[str, Raw]:
        keys = super().own_keys()
        is_said = self._service.user == "user" and self.request.user_id is not None
        if is_said and "user" in keys and not _came_so(self.encoding):
            del keys["user"]  # it came beside the key that was read, whose value goes under it
            self.encoding.lose("parameter", self.request, ".user", ["user"])
        left = self._included(keys.get("include"))
        if left is None:
            return keys
        lost = {*_texts(keys["include"])} - {*left} - _READ
        if lost:
            self.encoding.lose("parameter", self.request, ".include", sorted(lost))
        keys["include"] = Raw(encode(left or None))
        return {key: raw for key, raw in keys.items() if key != "include" or left}

    def _included(self, names: Raw | None) -> list[str] | None:
        """Return what is left of `include`, None if nothing has to be left out."""
        given = _texts(names) if names is not None else None
        if not given:
            return None
        takes = self.encoding.takes
        known = None if _came_so(self.encoding) else self._service.includes
        left = [name for name in given if known is None or name in known]
        if _ENCRYPTED in left and takes.rests and not takes.thinks:
            left.remove(_ENCRYPTED)
        return left if len(left) < len(given) else None

    def parameters(self) -> wire.Body:
        request, service = self.request, self._service
        self.lose_each(service.lacks)
        body = wire.Body(input=[], model=request.model)
        if self.encoding.unstored:
            body.store = False
        if request.stream:
            body.stream = True
        body.max_output_tokens = self._max_tokens()
        thinking = None
        if request.thinking is not None:
            thinking = fitting(request.thinking, self.encoding)
        thinks = is_thinking(thinking, self.encoding.takes)
        self.encoding.put_numbers(body, _SAMPLED, thinks=thinks)
        self.encoding.put_numbers(body, _NUMBERS, without=service.lacks)
        if "stop" not in service.lacks:
            body.stop = request.stop or None
        include: list[str] = []
        if thinking is not None:
            body.reasoning = self._reasoning(thinking)
            if thinking.level is not ThinkingLevel.OFF:
                include.append(_ENCRYPTED)
        elif request.thinking is not None and not self.encoding.takes.rests:
            include.append(_ENCRYPTED)  # a model that always thinks, and cannot be told how hard
        if request.logprobs is not None or request.top_logprobs is not None:
            self._put_logprobs(body, include, thinks)
        body.include = include or None
        if request.response_format is not None:
            body.text = self._text_config(request.response_format)
        if request.service_tier is not None:
            body.service_tier = self._service_tier(request.service_tier)
        if request.user_id is not None:
            setattr(body, service.user, self._user_id(request.user_id))
        if request.metadata and "metadata" not in service.lacks:
            body.metadata = self._metadata(request.metadata)
        if request.cache is not None:
            body.cache_control = self._cache_control(request.cache)
        if request.tools or request.tool_choice is not None:
            self._put_choice(body)
        return body

    def _max_tokens(self) -> int | None:
        asked = self.encoding.most_tokens()
        if asked is None or asked >= self._service.least_tokens:
            return asked
        self.encoding.lose("max_tokens", self.request)
        return self._service.least_tokens

    def _put_logprobs(self, body: wire.Body, include: list[str], thinks: bool) -> None:
        request, encoding = self.request, self.encoding
        asked = [name for name in _LOGPROBS if getattr(request, name) is not None]
        taken = [name for name in asked if encoding.sampled(name, thinks=thinks) is not None]
        if not taken:
            return
        if "top_logprobs" in taken:
            body.top_logprobs = encoding.ranged("top_logprobs", 0, self._service.most_logprobs)
        if self._service.logprobs == "logprobs":
            body.logprobs = True if body.top_logprobs else self.request.logprobs
            body.top_logprobs = body.top_logprobs or None
        elif self.request.logprobs and self._service.logprobs == "include":
            include.append(_INCLUDE_LOGPROBS)
        elif self.request.logprobs and not body.top_logprobs:
            encoding.lose("logprobs", request)

    def _reasoning(self, asked: Thinking) -> wire.Reasoning | None:
        reasoning = wire.Reasoning()
        if asked.level is ThinkingLevel.OFF:
            reasoning.effort = "none"
            return reasoning
        budget, efforts = asked.budget_tokens, self._service.efforts
        level: ThinkingLevel | None = asked.level
        if budget is not None:
            if self._service.budgets:
                reasoning.max_tokens = budget
                if level is not None:
                    self.encoding.lose(
                        "thinking level", asked
                    )  # the service takes only one of them
                    level = None
            else:
                self.encoding.lose("thinking budget", asked)
                level = level or level_like(budget)
        if level is not None:
            reasoning.effort = efforts.get(level)
            if reasoning.effort is None:
                self.encoding.lose("thinking level", asked)
                reasoning.effort = efforts[nearest(level, (*efforts,))]
        if asked.visible:
            reasoning.summary = "auto"
        return reasoning if reasoning != wire.Reasoning() else None

    def _text_config(self, asked: ResponseFormat) -> wire.Text:
        if asked.kind == "text":
            return wire.Text(wire.TextFormat())
        if asked.kind == "json":
            return wire.Text(wire.JsonFormat())
        if asked.schema is None or asked.schema.text[:1] != b"{":
            self.encoding.fail(NO_SCHEMA, asked, ".schema")
        if not self.encoding.takes.schemas:
            self.encoding.lose("json schema", asked)
            return wire.Text(wire.JsonFormat())
        name = self._blocks.name("response" if asked.name is None else asked.name, asked)
        is_strict, schema = strict(asked.strict, asked.schema, asked, self.encoding)
        return wire.Text(wire.SchemaFormat(name, asked.description, schema, is_strict))

    def _service_tier(self, tier: str) -> str | None:
        tier = SAME_TIERS.get(tier, tier) if tier not in self._service.tiers else tier
        if tier in self._service.tiers:
            return tier
        self.encoding.lose("service_tier", self.request)
        return None

    def _user_id(self, user: str) -> str:
        if self._service.user != "safety_identifier" or len(user) <= _LONGEST_USER:
            return user
        self.encoding.lose("user id", self.request)
        return hashed(user, _CHARACTER, _LONGEST_USER)

    def _metadata(self, pairs: dict[str, Any]) -> dict[str, Any] | None:
        if len(pairs) <= _MOST_PAIRS and all(
            type(value) is str and len(value) <= _LONGEST_VALUE and len(key) <= _LONGEST_KEY
            for key, value in pairs.items()
        ):
            return dict(pairs)
        self.encoding.lose("metadata", self.request)
        return None

    def _cache_control(self, cache: CacheConfig) -> wire.CacheControl | None:
        """Return the body's `cache_control`, by which the service marks the last message itself."""
        if self._service.cache_control:
            return wire.CacheControl(cache.ttl) if cache.sections().cache_messages else None
        if not cache.enabled or cache.strategy == "disabled":
            self.encoding.lose("cache", cache)
        elif cache.ttl == "1h":
            self.encoding.lose("cache ttl", cache)
        return None

    # Tool choice

    def _put_choice(self, body: wire.Body) -> None:
        functions = carried(self.request, self.encoding)
        asked = self.request.tool_choice
        choice = (
            chosen(asked, self.encoding, has_tools=bool(functions)) if asked is not None else None
        )
        if functions:
            body.parallel_tool_calls = parallel(self.request.parallel_tool_calls, self.encoding)
        if choice is None:
            return
        known = {tool.name for tool in functions if isinstance(tool, Tool)}
        for name in (choice.name, *(choice.allowed or ())):
            is_known = name in (None, *known) or is_lost(name, self.encoding)
            if not is_known and len(known) == len(functions):
                self.encoding.fail(no_such_tool(name), choice)
        body.tool_choice = self._choice(choice)

    def _choice(self, choice: ToolChoice) -> str | wire.ToolChoice:
        tool_name = self.encoding.tool_name
        if choice.name is not None:
            return wire.ToolChoice("function", tool_name(choice.name, choice))
        if choice.allowed is None:
            return choice.mode
        if choice.mode not in _ALLOWED_MODES:
            self.encoding.lose("tool choice allowed", choice)
            return choice.mode
        names = allowed(choice, self.encoding)
        if names is None:
            return choice.mode
        named = [wire.NamedTool("function", tool_name(name, choice)) for name in names]
        return wire.ToolChoice("allowed_tools", mode=choice.mode, tools=named)


# -- body -> request -----------------------------------------------------------------------------

_MODES: Final[dict[str, Any]] = {mode: mode for mode in ("auto", "none", "required")}
_LEVELS: Final = {"none": ThinkingLevel.OFF, **{str(level): level for level in ThinkingLevel}}
_SUMMARIES: Final = frozenset({"auto", "concise", "detailed"})
_MESSAGE: Final = frozenset({None, "message"})
_ASKS: Final = frozenset({"user", "system", "developer"})
_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})
_CHOICE_KINDS: Final = kinds(wire.ToolChoice, "type", wire.CHOICE_KEYS)
# The API's own items that are not part of an answer.
_RESULTS: Final = frozenset({"mcp_approval_response"})
_USERS: Final = frozenset(
    {None, "additional_tools", "compaction_trigger", "configuration_update", "item_reference"}
)


class _Reader(RequestReader):
    def __init__(self, decoding: Decoding, path: str | None = None) -> None:
        super().__init__(decoding, path)
        self._blocks = BlockReader(decoding)
        self._items = ItemReader(decoding, self._blocks)

    def request(self) -> Request:
        body: wire.Body = self.decoding.body.root
        body_input = body.input
        unknown = self.decoding.unknown.get(id(body), {})
        if body_input is None and unknown.keys().isdisjoint(_STORED):
            self.decoding.fail("object missing required field `input`", body)
        messages: list[Message]
        if isinstance(body_input, str):
            messages = [UserMessage([TextBlock(body_input)])]
        else:
            messages = self.messages(body_input or [])
        if body.instructions is not None:
            prompt = SystemMessage([TextBlock(body.instructions)])
            prompt.extras = self._blocks.came(None, {"as": "instructions"})
            messages.insert(0, prompt)
        request = Request(messages, **self.parameters())
        if body.tools is not None:
            request.tools = [self._tool(tool) for tool in body.tools] or None
        return request

    # Messages

    def begins_answer(self, before: Any, part: Any) -> bool:
        is_answer = part.type in ITEMS or (part.role == "assistant" and part.type in _MESSAGE)
        is_asked = before.role in _ASKS and before.type in _MESSAGE
        return is_answer and (is_asked or _is_result(before))

    def calls(self) -> Any:
        return self._items.so_far()

    def go_on(self, calls: Any) -> None:
        self._items.go_on(calls)

    def conversation(self, parts: list[Any]) -> list[Message]:
        """Return the messages for items; a result is a `ToolMessage`."""
        items = self._items
        out: list[Message] = []
        for item in parts:
            kind = item.type
            if items.is_reasoned and not (out and type(out[-1]) is AssistantMessage):
                items.is_reasoned = False  # of an earlier answer
            if kind in _MESSAGE and item.role is not None:
                self._message(item, out)
            elif (block := self._items.item(item)) is not None:
                _answer(out).content.append(block)
            elif _is_result(item):
                out.append(ToolMessage([self._items.result(item)]))
            else:
                self._other(item, out)
        return out

    def _message(self, item: wire.Item, out: list[Message]) -> None:
        role = item.role
        if item.content is None:
            self.decoding.fail("object missing required field `content`", item)
        if role == "assistant":
            _answer(out).content += self._items.answer_message(item)
            return
        content, spelling = self._items.other_message(item)
        if role == "developer":
            spelling["as"] = role
        elif role not in ("user", "system"):
            self.decoding.fail(unknown("role", role, _KNOWN_ROLES), item, ".role")
        extras = None
        if spelling or self.decoding.unknown:
            extras = self._blocks.came(item, spelling)
        if role == "user":
            out.append(UserMessage(content, extras=extras))
        else:
            out.append(SystemMessage(content, extras=extras))

    def _other(self, item: wire.Item, out: list[Message]) -> None:
        block = self._items.other(item)
        kind = item.type
        if kind in _RESULTS or (kind is not None and kind.endswith("_output")):
            out.append(ToolMessage([block]))
        elif kind in _USERS and not (out and type(out[-1]) is AssistantMessage):
            out.append(UserMessage([block]))
        else:
            _answer(out).content.append(block)

    # Tools

    def _tool(self, part: wire.Tool) -> Tool | OpaqueBlock:
        if part.type != "function":
            return OpaqueBlock(wire.API, self.decoding.raw(part))
        if part.name is None:
            self.decoding.fail("object missing required field `name`", part)
        tool = Tool(part.name, part.description, part.parameters, part.strict)
        spelling: dict[str, Any] = {}
        if part.strict is None:
            spelling["strict"] = None
        if tool.parameters is None or _says_less(tool.parameters):
            spelling["parameters"] = tool.parameters
        tool.extras = self._blocks.came(part, spelling)
        return tool

    # Parameters

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.decoding.body.root
        fields: dict[str, Any] = {
            "max_tokens": body.max_output_tokens,
            "temperature": body.temperature,
            "top_p": body.top_p,
            "top_k": body.top_k,
            "frequency_penalty": body.frequency_penalty,
            "presence_penalty": body.presence_penalty,
            "stop": [body.stop] if type(body.stop) is str else body.stop or None,
            "logprobs": True if _INCLUDE_LOGPROBS in (body.include or ()) else body.logprobs,
            "top_logprobs": body.top_logprobs,
            "thinking": self._thinking(body.reasoning),
            "response_format": self._format(body.text),
            "service_tier": body.service_tier,
            "user_id": body.safety_identifier if body.safety_identifier is not None else body.user,
            "metadata": body.metadata,
            "tool_choice": self._choice(body.tool_choice),
            "parallel_tool_calls": body.parallel_tool_calls,
        }
        if body.user not in (None, fields["user_id"]):
            self.unread.add("user")
        for key in _OF_SERVICE:
            if getattr(body, key):
                self.unread.add(key)
        if body.include and not {*body.include} <= _READ:
            self.unread.add("include")
        if body.model is not None:
            fields["model"] = body.model
        if body.stream is not None:
            fields["stream"] = body.stream
        if body.cache_control is not None:
            fields["cache"] = self._cache(body.cache_control)
        return fields

    def _cache(self, control: wire.CacheControl) -> CacheConfig:
        ttl: Any = control.ttl
        if ttl not in (None, "5m", "1h"):
            ttl = None
            self.unread.add("cache_control")
        return CacheConfig(strategy=ManualCache(CacheSections(False, False, True)), ttl=ttl)

    def _thinking(self, part: wire.Reasoning | None) -> Thinking | None:
        if part is None:
            return None
        asked = Thinking(budget_tokens=part.max_tokens)
        if part.effort is not None:
            asked.level = _LEVELS.get(part.effort)
            if asked.level is None:
                self.unread.add("reasoning")
        if part.enabled is False:
            asked.level = ThinkingLevel.OFF
        if part.summary is not None:
            asked.visible = True if part.summary in _SUMMARIES else None
            if asked.visible is None:
                self.unread.add("reasoning")
        return asked if asked != Thinking() or part.enabled else None

    def _format(self, text: wire.Text | None) -> ResponseFormat | None:
        part: Any = text.format if text is not None else None
        kind = type(part)
        if kind is wire.TextFormat:
            return ResponseFormat("text")
        if kind is wire.JsonFormat:
            return ResponseFormat("json")
        if kind is Raw:
            self.unread.add("text")
        if kind is not wire.SchemaFormat:
            return None
        return ResponseFormat("json_schema", part.schema, part.name, part.description, part.strict)

    def _choice(self, choice: str | wire.ToolChoice | None) -> ToolChoice | None:
        if choice is None:
            return None
        if isinstance(choice, str):
            mode = _MODES.get(choice)
            if mode is None:
                self.unread.add("tool_choice")
            return ToolChoice(mode) if mode is not None else None
        if not knows_all(_CHOICE_KINDS, choice):
            self.unread.add("tool_choice")
        if choice.type in ("function", "custom") and choice.name is not None:
            return ToolChoice("tool", choice.name)
        if choice.type == "allowed_tools" and choice.mode in _ALLOWED_MODES:
            names = [tool.name for tool in choice.tools or () if tool.name is not None]
            if names and len(names) == len(choice.tools or ()):
                return ToolChoice(_MODES[choice.mode], allowed=names)
        self.unread.add("tool_choice")
        return None


def _is_result(item: wire.Item) -> bool:
    return item.type in _OUTPUTS and type(item.output) is not wire.Part and bool(item.call_id)


def _answer(out: list[Message]) -> AssistantMessage:
    """Return the answer at the end of the messages, a new one if there is none."""
    last = out[-1] if out else None
    if type(last) is not AssistantMessage:
        last = AssistantMessage([], api=wire.API)
        out.append(last)
    return last


def _says_less(schema: RawJson) -> bool:
    """Whether the writer would add keys to a schema."""
    value = lenient_value(schema)
    return isinstance(value, dict) and not OPENAI_NEEDS.keys() <= value.keys()


# -- both ----------------------------------------------------------------------------------------

_CHAT: Final = "openai-chat"
_SILENT: Final = frozenset({"prompt_cache_key", "prompt_cache_retention", "store"})


def _adapt(encoding: Encoding) -> None:
    """Fit the unknown keys of a request to the service and the model."""
    service = SERVICES[encoding.dialect]
    request = encoding.root
    own = request.extras.get(wire.API)
    known = facts_of(wire.API).keys_for_others
    is_bare = own is not None and own.keys is known and own.spelling is None
    if is_bare and len(request.extras) == 1:
        encoding.unstored = True
        return
    _share(encoding, service.shares)
    takes = ANY if service.adapts else encoding.takes
    came_so = _came_so(encoding)
    refuses = frozenset() if came_so else service.refuses
    adapt_keys(encoding, takes, refuses, in_text=True, explicit=service.explicit_cache)
    if service.stateless and not came_so:
        _leave_out_stored(encoding)


def _came_so(encoding: Encoding) -> bool:
    """Whether a request came to the very service that it goes to."""
    if encoding.unstored:
        return False
    own = (encoding.root.extras or {}).get(wire.API)
    return own is not None and (own.dialect or DIALECTS[0]) == encoding.dialect


def _share(encoding: Encoding, names: Mapping[str, str]) -> None:
    """Make keys of Chat Completions keys of this API; an explicit `store` counts."""
    extras = encoding.root.extras
    asked = extras.get(_CHAT)
    if asked is None:
        return
    own = extras.get(wire.API)
    if own is not None and "store" in names and key_of(asked.keys, "store") is not None:
        keys = _keys(own.keys.text)
        keys.pop("store", None)
        new = replace(own, keys=RawJson.adopt(Raw(encode(keys))))
        encoding.stand_in(changed(encoding.root, {"extras": {**extras, wire.API: new}}))
    share(encoding, {_CHAT: names})


def _leave_out_stored(encoding: Encoding) -> None:
    """Leave out what asks a service that stores nothing to store, or to go on from what is stored.

    Without what is stored, the request says only a part of what it asks.
    """
    request = encoding.root
    extra = request.extras.get(wire.API)
    if extra is None:
        return
    keys = _keys(extra.keys.text)
    spelled = _keys(extra.spelling.text) if extra.spelling is not None else {}
    came = {**spelled, **keys}
    lost = [key for key in _WITH_CALLS if bytes(came.get(key, b"")) not in _UNSET]
    for key in lost:
        encoding.lose("stored state", request, f".{key}", [key], severe=True)
    if bytes(came.get("store", b"")) == b"true":
        encoding.lose("parameter", request, ".store", ["store"])
        lost.append("store")
    if lost:
        left = {key: raw for key, raw in keys.items() if key not in lost}
        spelling = {key: raw for key, raw in spelled.items() if key not in lost}
        new = replace(
            extra,
            keys=RawJson.adopt(Raw(encode(left))),
            spelling=RawJson.adopt(Raw(encode(spelling))) if spelling else None,
        )
        encoding.stand_in(changed(request, {"extras": {**request.extras, wire.API: new}}))


REQUESTS: Final = RequestCodec(
    RULES,
    wire.Body,
    ("tools", "instructions", "input"),
    _Writer,
    _Reader,
    adapt=_adapt,
    silent=_SILENT,
    portable=frozenset({"include", "store"}),
)
encode_request: Final = REQUESTS.encode_request
decode_request: Final = REQUESTS.decode_request


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    CODEC: ClassVar[RequestCodec] = REQUESTS
