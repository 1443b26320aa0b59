"""Request <-> the body of `POST /v1/chat/completions`, in every dialect.

What is normalized without a loss: a message without content is left out; in an answer thinking
comes first, then text, then calls; a list of one plain text becomes a string; media that a tool's
result cannot hold follow in a user message, and the result refers to them; ids longer than the
service takes are mapped one to one, the same for call and result; what describes a block to
programs (alt text, bounding boxes, sizes, pages, the kind of a call) and signatures of other APIs
are not sent.

A streaming request asks for the usage at the end. The text of an answer's thinking is sent back if
the dialect takes it, whichever API it came from. A body of any dialect is read; a spelling is kept
only where the encoder of the dialect would write another one.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ..._body.objects import is_null, shallow
from ...capabilities import ANY
from ...model import (
    AssistantMessage,
    CacheConfig,
    CacheMark,
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
    ThinkingLevel,
    Tool,
    ToolCallBlock,
    ToolChoice,
    UserMessage,
)
from .._across.ids import hashed
from .._across.openai_keys import SAME_TIERS, adapt_keys
from .._across.routes import NO_MODEL, Route, parts_of_url
from .._across.schemas import OPENAI_NEEDS, OPENAI_REFUSES, parameters, strict
from .._across.shared_keys import FOREIGN, share
from .._across.thinking import fitting, is_thinking, level_like, nearest
from .._across.tools import (
    allowed,
    carried,
    chosen,
    has_opaque,
    is_lost,
    no_such_tool,
    parallel,
    tools,
)
from .._codecs.order import NO_MESSAGE, count_prompts
from .._codecs.requests import RequestCodec, RequestReader, RequestWriter
from .._codecs.transcript import Transcript as BaseTranscript
from .._state.decoding import Decoding
from .._state.encoding import NO_SECTIONS, Encoding, Ranges
from .._state.stored import key_of
from . import wire
from .blocks import BlockReader, BlockWriter
from .dialects import DIALECTS, SERVICES
from .losses import RULES
from .messages import MESSAGES, MessageReader, MessageWriter, mark_prompt
from .shared import SHARED
from .web_search import CHAT_OPTIONS, is_chat_option


def route(request: Request, *, dialect: str | None = None) -> Route:
    """Return where to send the request; on Azure, the v1 API, which needs no `api-version`."""
    service = SERVICES[RULES.dialect(dialect)]
    return Route("POST", service.path, key=service.key)


# -- request -> body -----------------------------------------------------------------------------

_MOST_STOPS: Final = 4
_MOST_PAIRS, _LONGEST_KEY, _LONGEST_VALUE = 16, 64, 512
_CHARACTER: Final = re.compile(r"[\s\S]")
_NULL: Final = Raw(b"null")
_SAMPLED: Final = Ranges(
    {
        "temperature": ("temperature", 0.0, 2.0),
        "top_p": ("top_p", 0.0, 1.0),
        "frequency_penalty": ("frequency_penalty", -2.0, 2.0),
        "presence_penalty": ("presence_penalty", -2.0, 2.0),
        "logprobs": ("logprobs", 0, 1),
        "top_logprobs": ("top_logprobs", 0, 20),
    }
)
_SPELLINGS: Final = frozenset(
    {"max_tokens", "max_completion_tokens", "user", "user_id", "safety_identifier"}
)
"""The keys for one thing, of which a service has one."""
_PENALTIES: Final = frozenset({"frequency_penalty", "presence_penalty"})
_IDLE: Final[dict[str, tuple[bytes, ...]]] = {
    "logit_bias": (b"{}",),
    "min_p": (b"0", b"0.0"),
    "min_tokens": (b"0",),
    "modalities": (b'["text"]',),
    "repeat_penalty": (b"1", b"1.0"),
    "repetition_penalty": (b"1", b"1.0"),
    "store": (b"false",),
    "top_a": (b"0", b"0.0"),
    "typical_p": (b"1", b"1.0"),
    "verbosity": (b'"medium"',),
}
"""Key without a field -> its values that ask for nothing, beside null."""
_AT_REST: Final = Thinking(ThinkingLevel.OFF)
_FORCED: Final = frozenset({"required", "tool"})
_ALLOWED_MODES: Final = frozenset({"auto", "required"})


class _Typed(Struct):
    type: Any = None


_type_of: Final = msgspec.json.Decoder(_Typed).decode


def _is_object(schema: RawJson | None) -> bool:
    """Whether a schema is that of an object."""
    if schema is None:
        return True
    try:
        return bool(_type_of(schema.native()).type == "object")
    except msgspec.DecodeError:  # a boolean, or JSON that whoever reads it refuses
        return True


class _Writer(RequestWriter):
    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        request = self.request
        thinking = request.thinking
        is_off = thinking is not None and thinking.level is ThinkingLevel.OFF
        self._blocks = BlockWriter(encoding)
        self._service = self._blocks.service
        if self._service.adapts:
            encoding.takes = ANY
        elif encoding.takes.chat_tools == "never":
            encoding.takes = replace(encoding.takes, tools=False)
        replays = self._service.replays and not is_off
        replays_text = replays and self._service.replays_text and _has_called(request)
        self._messages = MessageWriter(
            encoding, self._blocks, self.open_calls, replays=replays, replays_text=replays_text
        )
        self._has_functions = False
        """Whether the tools came as the deprecated `functions`."""
        if request.tools:
            shapes = {self._blocks.shape(tool)[0] for tool in self._carried()}
            self._has_functions = shapes == {"functions"}

    def content(self, messages: list[Message]) -> dict[str, Any]:
        request = self.request
        if request.model is None and self._service.needs_model:
            self.encoding.fail(NO_MODEL, request, ".model")
        sections = NO_SECTIONS
        if request.cache is not None and self._service.cache == "cache_control":
            sections = request.cache.sections()
        if sections.cache_messages:
            self._blocks.take_mark()  # the body's own, which counts too
        functions, search = self._tools() if request.tools else ([], None)
        if sections.cache_tools and functions:
            self._mark_tools(functions)
        conversation = self.rest(messages)
        if not conversation and not self.sent:
            self.encoding.fail(NO_MESSAGE, request, ".messages")
        if sections.cache_system:
            mark_prompt(conversation, self._cache_mark(), messages[0], self._blocks)
        key = "functions" if self._has_functions else "tools"
        whole = [*self.sent, *conversation] if self.sent else conversation
        return {CHAT_OPTIONS: search, key: functions or None, "messages": whole}

    def conversation(self, messages: list[Message]) -> list[Any]:
        if not self._service.later_prompts:
            messages = self._with_one_prompt(messages)
        return self._messages.conversation(messages)

    def _with_one_prompt(self, messages: list[Message]) -> list[Message]:
        """Return messages of which the first alone is a system message."""
        count = 0 if self.sent else count_prompts(messages)
        led, encoding = messages[:count], self.encoding
        if count > 1 and all(type(block) is TextBlock for m in led for block in m.content):
            for message in led:
                self._lose_beside_text(message)
            prompt = SystemMessage([TextBlock("\n\n".join(message.text() for message in led))])
            encoding.derived(prompt, led[0])
            led = [prompt]
        return [*led, *(self._as_user(message) for message in messages[count:])]

    def _lose_beside_text(self, message: Any) -> None:
        """Report what a system message of texts has beside them, which are joined with others."""
        encoding = self.encoding
        encoding.lose_keys(message)
        if message.name is not None:
            encoding.lose("author name", message)
        for block in message.content:
            encoding.lose_rest(block)
            encoding.lose_keys(block)
            if block.annotations:
                encoding.lose("annotation", block)
            if block.cache is not None:
                encoding.lose("cache mark", block)

    def _as_user(self, message: Message) -> Message:
        if type(message) is not SystemMessage:
            return message
        self.encoding.lose("system turn", message)
        said = UserMessage(message.content, name=message.name, extras=message.extras)
        self.encoding.derived(said, message)
        return said

    def is_settled(self, wire_messages: list[Any]) -> bool:
        """Whether nothing that follows can change these messages.

        Breakpoints are counted over the whole request.
        """
        return self._blocks.is_unmarked and self.request.cache is None

    # Tools

    def _carried(self) -> list[Tool | OpaqueBlock]:
        """Return the tools that go out as such; a search is perhaps a key of the body instead."""
        sent = carried(self.request, self.encoding)
        if not has_opaque(self.request):
            return sent
        return [tool for tool in sent if not is_chat_option(tool)]

    def _tools(self) -> tuple[list[Any], Any]:
        """Return the tools, and the options of the search that is a key of the body."""
        parts = tools(self.request, self.encoding, self._function)
        if not has_opaque(self.request):
            return parts, None
        search: Any = None
        functions: list[Any] = []
        for tool, part in zip(carried(self.request, self.encoding), parts, strict=True):
            if is_chat_option(tool) and not (
                self._service.searches and self.encoding.takes.searches
            ):
                self.encoding.lose("opaque tool", tool)
            elif is_chat_option(tool):
                search = shallow(part)[CHAT_OPTIONS]
            else:
                functions.append(part)
        return functions, search

    def _function(self, tool: Tool, name: str) -> Any:
        is_strict, schema = strict(tool.strict, self._schema(tool), tool, self.encoding)
        function = wire.FunctionDefinition(name, tool.description, schema, is_strict)
        part: Any = function if self._has_functions else wire.FunctionTool(function)
        if tool.cache is not None:
            self._blocks.mark(part, tool.cache, tool)
        return part

    def _schema(self, tool: Tool) -> RawJson | None:
        if tool.parameters is None:
            return None
        is_any = self.encoding.takes.unions == "always"
        refused = frozenset[str]() if is_any else OPENAI_REFUSES
        return parameters(tool, self.encoding, refused, OPENAI_NEEDS)

    def _mark_tools(self, functions: list[Any]) -> None:
        """Put a breakpoint behind the last tool, unless it has one there."""
        if getattr(functions[-1], "cache_control", None) is None:
            self._blocks.mark_last(functions, self._cache_mark(), self._carried()[-1])

    def _cache_mark(self) -> CacheMark:
        return CacheMark(self.request.cache.ttl if self.request.cache is not None else None)

    # Parameters

    def own_keys(self) -> dict[str, Raw]:
        keys = super().own_keys()
        extra = (self.request.extras or {}).get(wire.API)
        here = self.encoding.dialect
        if not keys or extra is None or (extra.dialect or DIALECTS[0]) == here:
            return keys
        for key, name in self._service.respelled:
            if key not in keys:
                continue
            raw = keys.pop(key)
            if name not in keys:
                keys[name] = raw
            elif keys[name] != raw and not is_null(raw):
                self.encoding.lose("parameter", self.request, f".{key}", [key])
        for key in [*keys]:
            is_refused = self._is_refused(key, keys[key], is_ours=extra.dialect != FOREIGN)
            if not is_refused and not self._is_said(key):
                continue
            if bytes(keys.pop(key)).strip() not in (*_IDLE.get(key, ()), b"null"):
                self.encoding.lose("parameter", self.request, f".{key}", [key])
        return keys

    def _is_said(self, key: str) -> bool:
        """Whether a parameter goes under a key, which came beside the one that was read."""
        asked: dict[str, Any] = {
            self._service.user: self.request.user_id,
            self._service.limit: self.request.max_tokens,
        }
        return asked.get(key) is not None

    def _is_refused(self, key: str, raw: Raw, *, is_ours: bool) -> bool:
        """Whether the service does not take a key that came from elsewhere.

        `is_ours` is whether it came over this wire.
        """
        service = self._service
        if key in _SPELLINGS:
            return key not in (service.user, service.limit)
        return key in service.refuses and not (is_ours and service.guessed)

    def spellings(self, came: dict[str, Raw]) -> dict[str, Raw]:
        service, extra = self._service, (self.request.extras or {}).get(wire.API)
        if extra is not None and (extra.dialect or DIALECTS[0]) != self.encoding.dialect:
            foreign = _SPELLINGS - {service.user, service.limit}
            if not foreign.isdisjoint(came):
                came = {key: came[key] for key in came if key not in foreign}
        is_taken = self.encoding.takes.old_limit or self._service.limit == "max_tokens"
        if is_taken or "max_tokens" not in came:
            return came
        limits = ("max_tokens", "max_completion_tokens")  # where the new one has come as null
        return {key: raw for key, raw in came.items() if key not in limits}

    def parameters(self) -> wire.Body:
        request, service = self.request, self._service
        self.lose_each(service.lacks)
        body = wire.Body(messages=[], model=request.model)
        thinking = None
        takes = self.encoding.takes
        always_asks = service.forced_while_thinking and service.thinks_unstreamed
        if request.thinking is not None or not always_asks or takes.chat_tools == "at rest":
            thinking = self._asked_thinking()
        thinks = is_thinking(thinking, takes)
        if request.stream:
            body.stream = True
            body.stream_options = wire.StreamOptions(True) if service.stream_usage else None
        if request.max_tokens is not None:
            setattr(body, service.limit, self.encoding.most_tokens())
        if request.user_id is not None:
            setattr(body, service.user, self._user_id(request.user_id))
        if request.candidates is not None and "candidates" not in service.lacks:
            body.n = request.candidates
        if request.top_k is not None and "top_k" not in service.lacks:
            body.top_k = request.top_k
        if request.seed is not None and "seed" not in service.lacks:
            body.seed = request.seed
        without = service.lacks if takes.penalties != "never" else self._without_penalties()
        self.encoding.put_numbers(body, _SAMPLED, without=without, thinks=thinks)
        if body.top_logprobs:
            body.logprobs = True
        else:
            body.top_logprobs = None
        if request.stop:
            body.stop = self._stops(request.stop)
        if request.response_format is not None:
            body.response_format = self._response_format(request.response_format)
        if request.service_tier is not None:
            body.service_tier = self._service_tier(request.service_tier)
        if request.metadata and "metadata" not in service.lacks:
            body.metadata = self._metadata(request.metadata)
        if request.cache is not None:
            body.cache_control = self._cache_control(request.cache)
        if request.tools or request.tool_choice is not None:
            self._put_choice(body)
        if thinking is not None:
            self._put_thinking(thinking, body)
        return body

    def _without_penalties(self) -> frozenset[str]:
        """Report the penalties, and return them with what the service lacks."""
        lacks = self._service.lacks
        for name in sorted(_PENALTIES - lacks):
            if getattr(self.request, name):
                self.encoding.lose("sampling", self.request, f".{name}")
        return lacks | _PENALTIES

    def _stops(self, asked: list[str]) -> list[str] | None:
        if not self.encoding.takes.stop:
            self.encoding.lose("no stop", self.request)
            return None
        if len(asked) > _MOST_STOPS:
            self.encoding.lose("stop", self.request)
        return asked[:_MOST_STOPS]

    def _user_id(self, user: str) -> str | None:
        least, most = self._service.user_lengths
        if self._service.user == "user" or least <= len(user) <= most:
            return user
        self.encoding.lose("user id", self.request)
        return hashed(user, _CHARACTER, most) if len(user) > most else None

    def _service_tier(self, tier: str) -> str | None:
        tier = SAME_TIERS.get(tier, tier) if tier not in self._service.tiers else tier
        if tier in self._service.tiers:
            return tier
        self.encoding.lose("service_tier", self.request)
        return None

    def _metadata(self, pairs: dict[str, Any]) -> dict[str, Any] | None:
        is_taken = len(pairs) <= _MOST_PAIRS and all(
            type(value) is str and len(value) <= _LONGEST_VALUE and len(key) <= _LONGEST_KEY
            for key, value in pairs.items()
        )
        if is_taken and (not self._service.stores_metadata or self._is_stored()):
            return dict(pairs)
        self.encoding.lose("metadata", self.request)
        return None

    def _is_stored(self) -> bool:
        extra = (self.request.extras or {}).get(wire.API)
        return extra is not None and key_of(extra.keys, "store") is True

    def _cache_control(self, cache: CacheConfig) -> wire.CacheControl | None:
        """Return the body's `cache_control`, by which the service marks the last message itself."""
        if self._service.cache == "cache_control":
            is_on = cache.sections().cache_messages
            return wire.CacheControl(cache.ttl) if is_on else None
        if not cache.enabled or cache.strategy == "disabled":
            self.encoding.lose("cache", cache)
        elif cache.ttl == "1h":
            self.encoding.lose("cache ttl", cache)
        return None

    def _response_format(self, asked: ResponseFormat) -> Any:
        if asked.kind == "text":
            return wire.TextFormat()
        if asked.kind == "json":
            return wire.JsonFormat()
        if not (self._service.schemas and self.encoding.takes.schemas):
            self.encoding.lose("json schema", asked)
            return wire.JsonFormat()
        if not self.encoding.takes.optional and not _is_object(asked.schema):
            self.encoding.lose("schema root", asked)
            return wire.JsonFormat()
        name: Any = self._blocks.name("response" if asked.name is None else asked.name, asked)
        is_strict, schema = strict(asked.strict, asked.schema, asked, self.encoding)
        return wire.SchemaFormat(wire.JsonSchema(name, asked.description, schema, is_strict))

    # Tool choice

    def _put_choice(self, body: wire.Body) -> None:
        functions = self._carried()
        asked = self.request.tool_choice
        choice = (
            chosen(asked, self.encoding, has_tools=bool(functions)) if asked is not None else None
        )
        if functions and "parallel_tool_calls" not in self._service.lacks:
            body.parallel_tool_calls = parallel(self.request.parallel_tool_calls, self.encoding)
        if choice is None:
            return
        known = {tool.name for tool in functions if isinstance(tool, Tool)}
        if choice.name not in (None, *known) and len(known) == len(functions):
            self.encoding.fail(no_such_tool(choice.name), choice, ".name")
        if self._has_functions:
            body.function_call = self._function_call(choice)
        else:
            body.tool_choice = self._choice(choice, len(functions) == 1)

    def _function_call(self, choice: ToolChoice) -> str | wire.Name | None:
        if choice.name is not None:
            return wire.Name(self.encoding.tool_name(choice.name, choice))
        if choice.allowed is not None:
            self.encoding.lose("tool choice allowed", choice)
        if choice.mode == "required":
            self.encoding.lose("tool choice", choice)
            return None
        return choice.mode

    def _choice(self, choice: ToolChoice, is_only: bool) -> Any:
        choices = self._service.choices
        mode = choice.mode
        if mode not in choices:
            nearest = "required" if mode == "tool" and "required" in choices else None
            if nearest is None or not is_only:
                self.encoding.lose("tool choice", choice)
            return nearest
        tool_name = self.encoding.tool_name
        if choice.name is not None:
            return wire.ToolChoice("function", wire.Name(tool_name(choice.name, choice)))
        if choice.allowed is None:
            return mode
        if "allowed" not in choices or mode not in _ALLOWED_MODES:
            self.encoding.lose("tool choice allowed", choice)
            return mode
        names = allowed(choice, self.encoding)
        if names is None:
            return mode
        named = [wire.NamedTool("function", wire.Name(tool_name(name, choice))) for name in names]
        return wire.ToolChoice("allowed_tools", allowed_tools=wire.AllowedTools(mode, named))

    # Thinking

    def _asked_thinking(self) -> Thinking | None:
        """Return the thinking to ask for: off, if a call is forced and the service refuses both."""
        asked, takes = self.request.thinking, self.encoding.takes
        if takes.chat_tools == "at rest" and any(
            isinstance(tool, Tool) for tool in self._carried()
        ):
            if asked is not None and asked.level is not ThinkingLevel.OFF:
                self.encoding.lose("thinking beside tools", asked)
            return _AT_REST  # newer models think unless they are told not to
        service, encoding = self._service, self.encoding
        if not service.thinks:
            if asked is not None and asked.level is not ThinkingLevel.OFF:
                encoding.lose("thinking asked", asked)
            return None
        thinking = fitting(asked, encoding) if asked is not None else None
        if not service.thinks_unstreamed and not self.request.stream:
            if is_thinking(thinking, takes) and asked is not None:
                encoding.lose("thinking unstreamed", asked)
            return _AT_REST  # these models think unless they are told not to
        if service.forced_while_thinking or not is_thinking(thinking, takes):
            return thinking
        if not self._is_forced():
            return thinking
        if asked is not None:
            encoding.lose("thinking forced", asked)
        return _AT_REST

    def _is_forced(self) -> bool:
        """Whether a call is forced, and of a tool that is not lost."""
        choice, functions = self.request.tool_choice, self._carried()
        if choice is None or choice.mode not in _FORCED or not functions:
            return False
        return not is_lost(choice.name, self.encoding)

    def _put_thinking(self, asked: Thinking, body: wire.Body) -> None:
        """Write how much to think under the keys of the service."""
        service = self._service
        if asked.visible is not None:
            self._put_visible(asked, body)
        if asked.level is ThinkingLevel.OFF:
            if service.switch not in (None, "reasoning"):
                self._switch(False, body)
            elif service.effort is not None:
                self._put_effort("none", body)
            else:
                self.encoding.lose("thinking level", asked)
            return
        efforts = service.efforts if service.effort is not None else {}
        level: ThinkingLevel | None = asked.level
        budget = asked.budget_tokens
        if budget is not None:
            if service.budget is None:
                self.encoding.lose("thinking budget", asked)
                if level is None:
                    level = level_like(budget) if efforts else None
            elif service.budget == "reasoning":
                body.reasoning = body.reasoning or wire.Reasoning()
                body.reasoning.max_tokens = budget
                if level is not None:
                    self.encoding.lose(
                        "thinking level", asked
                    )  # the service takes only one of them
                return
            else:
                setattr(body, service.budget, budget)
        if level is not None:
            word = efforts.get(level)
            if word is None:
                self.encoding.lose("thinking level", asked)
                word = efforts[nearest(level, (*efforts,))] if efforts else None
            if word is not None:
                self._put_effort(word, body)
        if service.switch in ("thinking", "enable_thinking") or level is None:
            self._switch(True, body)

    def _put_visible(self, asked: Thinking, body: wire.Body) -> None:
        service = self._service
        if service.shows == "reasoning":
            body.reasoning = wire.Reasoning(exclude=not asked.visible)
        elif service.shows == "reasoning_format":
            body.reasoning_format = "parsed" if asked.visible else "hidden"
        elif asked.visible is not (service.shows == "always"):
            self.encoding.lose("thinking shown", asked)

    def _put_effort(self, word: str, body: wire.Body) -> None:
        if self._service.effort == "reasoning":
            body.reasoning = body.reasoning or wire.Reasoning()
            body.reasoning.effort = word
        else:
            body.reasoning_effort = word

    def _switch(self, on: bool, body: wire.Body) -> None:
        switch = self._service.switch
        if switch == "thinking":
            body.thinking = wire.ThinkingSwitch("enabled" if on else "disabled")
        elif switch == "enable_thinking":
            body.enable_thinking = on
        elif switch == "chat_template_kwargs":
            body.chat_template_kwargs = wire.TemplateSwitch(on)
        elif switch == "reasoning":
            body.reasoning = body.reasoning or wire.Reasoning()
            body.reasoning.enabled = on


# -- body -> request -----------------------------------------------------------------------------

_MODEL_IN_URL: Final = re.compile(r"/deployments/([^/]+)/(chat/completions)")
_MODES: Final[dict[str, Any]] = {
    "auto": "auto",
    "none": "none",
    "required": "required",
    "any": "required",
}
_LEVELS: Final = {"none": ThinkingLevel.OFF, **{str(level): level for level in ThinkingLevel}}
_BUDGETS: Final = ("thinking_budget", "thinking_token_budget", "thinking_budget_tokens")
_SWITCHES: Final = {"enabled": True, "adaptive": True, "disabled": False}
_asked_thinking: Final = attrgetter(
    *("reasoning", "reasoning_effort", "reasoning_format", *_BUDGETS),
    *("enable_thinking", "thinking", "chat_template_kwargs"),
)
"""The keys of a body that say how much to think."""
_NO_THINKING: Final = (None,) * (6 + len(_BUDGETS))
_FORMATS: Final = {"parsed": True, "hidden": False}
_FLAT: Final = wire.FunctionDefinition.__struct_fields__
_definition: Final = msgspec.json.Decoder(wire.FunctionDefinition).decode
_ALL_BUT_ONE: Final = 2  # of the three kinds of tool choice
_CHOICES: Final = (None, "function", "custom", "allowed_tools")
_CHOICES_ELSEWHERE: Final[dict[str | None, Any]] = {
    "any": "required",
    "auto": "auto",
    "function": "tool",
    "none": "none",
    "tool": "tool",
}
"""Type of a choice as Anthropic and Responses spell it -> what it says."""


_ANSWERED: Final = frozenset(MESSAGES.keys() - {wire.Assistant, Raw})


class _Reader(RequestReader):
    def __init__(self, decoding: Decoding, path: str | None = None) -> None:
        super().__init__(decoding, path)
        self._blocks = BlockReader(decoding)
        self._messages = MessageReader(decoding, self._blocks)
        self.names = self._messages.names

    def request(self) -> Request:
        body: wire.Body = self.decoding.body.root
        request = Request(self.messages(body.messages), **self.parameters())
        if self.path or request.model == "":
            request.model = request.model or parts_of_url(self.path, _MODEL_IN_URL)[0]
        functions = [self._tool(tool) for tool in body.tools or ()]
        if body.functions is not None:
            functions += [self._function(function) for function in body.functions]
        if body.web_search_options not in (None, _NULL):
            search = b'{"%b":%b}' % (CHAT_OPTIONS.encode(), bytes(body.web_search_options))
            functions.append(OpaqueBlock(wire.API, RawJson(search)))
        if functions:
            request.tools = functions
        return request

    # Messages

    def conversation(self, parts: list[Any]) -> list[Message]:
        decoding = self._messages
        return [MESSAGES[type(part)](decoding, part) for part in parts]

    def begins_answer(self, before: Any, part: Any) -> bool:
        return type(part) is wire.Assistant and type(before) in _ANSWERED

    def calls(self) -> Any:
        return dict(self.names), self._messages.legacy_calls

    def go_on(self, calls: Any) -> None:
        names, self._messages.legacy_calls = calls
        self.names.update(names)

    # Tools

    def _tool(self, part: Any) -> Tool | OpaqueBlock:
        if type(part) is not wire.FunctionTool:
            return OpaqueBlock(wire.API, self.decoding.raw(part))
        function = part.function or self._flat(part)
        tool = Tool(function.name, function.description, function.parameters, function.strict)
        marked: Tool = self._blocks.marked(tool, part)
        return marked

    def _flat(self, part: wire.FunctionTool) -> wire.FunctionDefinition:
        """Return the function whose keys are those of the tool itself."""
        keys = self.decoding.unknown.pop(id(part), {})
        flat = {key: keys.pop(key) for key in _FLAT if key in keys}
        if keys:
            self.decoding.unknown[id(part)] = keys
        if "name" not in flat:
            self.decoding.fail("object missing required field `function`", part)
        return self.decoding.inner(_definition, encode(flat), part, "")

    def _function(self, part: wire.FunctionDefinition) -> Tool:
        extras = self._blocks.came_as("functions", part)
        return Tool(part.name, part.description, part.parameters, part.strict, extras=extras)

    # Parameters

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.decoding.body.root
        fields: dict[str, Any] = {
            "max_tokens": self._first(body, "max_completion_tokens", "max_tokens"),
            "user_id": self._first(body, "safety_identifier", "user", "user_id"),
            "candidates": body.n,
            "temperature": body.temperature,
            "top_p": body.top_p,
            "top_k": body.top_k,
            "frequency_penalty": body.frequency_penalty,
            "presence_penalty": body.presence_penalty,
            "seed": body.seed,
            "stop": [body.stop] if type(body.stop) is str else body.stop or None,
            "logprobs": body.logprobs,
            "top_logprobs": body.top_logprobs,
            "response_format": None,
            "service_tier": body.service_tier,
            "metadata": body.metadata,
            "thinking": None,
            "tool_choice": None,
            "parallel_tool_calls": body.parallel_tool_calls,
        }
        if type(body.logprobs) is int:  # a bool is of a type of its own
            fields["logprobs"] = True
            fields["top_logprobs"] = body.top_logprobs or body.logprobs
        if body.response_format is not None:
            fields["response_format"] = self._format(body.response_format)
        if _asked_thinking(body) != _NO_THINKING:
            fields["thinking"] = self._thinking(body)
        if body.tool_choice is not None:
            fields["tool_choice"] = self._choice(body.tool_choice)
            if body.function_call is not None:
                self.unread.add("function_call")
        elif body.function_call is not None:
            fields["tool_choice"] = self._function_choice(body.function_call)
        if body.model is not None:
            fields["model"] = body.model
        if body.stream is not None:
            fields["stream"] = body.stream
        if body.cache_control is not None:
            fields["cache"] = self._cache(body.cache_control)
        return fields

    def _first(self, body: wire.Body, *keys: str) -> Any:
        """Return the value of the first key that is set; a later key that differs is unread."""
        first = None
        for key in keys:
            value = getattr(body, key)
            if first is None:
                first = value
            elif value not in (None, first):
                self.unread.add(key)
        return first

    def _cache(self, control: wire.CacheControl) -> CacheConfig:
        ttl: Any = control.ttl
        if ttl not in (None, "5m", "1h"):
            ttl = None
            self.unread.add("cache_control")
        return CacheConfig(strategy=ManualCache(CacheSections(False, False, True)), ttl=ttl)

    def _format(self, part: Any) -> ResponseFormat | None:
        kind = type(part)
        if kind is wire.TextFormat:
            return ResponseFormat("text")
        if kind is wire.JsonFormat and part.schema in (None, _NULL):
            return ResponseFormat("json")
        if kind is wire.JsonFormat or (kind is wire.SchemaFormat and part.json_schema is None):
            if part.schema is not None:
                return ResponseFormat("json_schema", part.schema)
            self.decoding.fail("object missing required field `json_schema`", part)
        if kind is Raw:
            self.unread.add("response_format")
        if kind is not wire.SchemaFormat:
            return None
        inner = part.json_schema
        return ResponseFormat(
            "json_schema", inner.schema, inner.name, inner.description, inner.strict
        )

    # Tool choice

    def _choice(self, choice: str | wire.ToolChoice) -> ToolChoice | None:
        if isinstance(choice, str):
            return self._mode(choice, "tool_choice")
        named = choice.function or choice.custom
        kinds = [choice.function, choice.custom, choice.allowed_tools]
        if kinds == [None, None, None] and choice.type in _CHOICES_ELSEWHERE:
            mode = _CHOICES_ELSEWHERE[choice.type]
            if mode != "tool":
                return ToolChoice(mode)
            if choice.name is not None:
                return ToolChoice(mode, choice.name)
        if kinds.count(None) < _ALL_BUT_ONE or choice.type not in _CHOICES:
            self.unread.add("tool_choice")
        if named is not None:
            return ToolChoice("tool", named.name)
        if choice.allowed_tools is not None and choice.allowed_tools.mode in _ALLOWED_MODES:
            given = [tool.function or tool.custom for tool in choice.allowed_tools.tools]
            names = [tool.name for tool in given if tool is not None]
            if len(names) == len(given):
                return ToolChoice(_MODES[choice.allowed_tools.mode], allowed=names)
        self.unread.add("tool_choice")
        return None

    def _function_choice(self, choice: str | wire.Name) -> ToolChoice | None:
        if isinstance(choice, wire.Name):
            return ToolChoice("tool", choice.name)
        return self._mode(choice, "function_call")

    def _mode(self, word: str, key: str) -> ToolChoice | None:
        mode = _MODES.get(word)
        if mode is None:
            self.unread.add(key)
        return ToolChoice(mode) if mode is not None else None

    # Thinking

    def _thinking(self, body: wire.Body) -> Thinking | None:
        """Read how much to think from all keys that say so."""
        reasoning = body.reasoning or wire.Reasoning()
        asked = Thinking()
        switches: list[bool | None] = [reasoning.enabled, body.enable_thinking]
        for key, effort in (
            ("reasoning_effort", body.reasoning_effort),
            ("reasoning", reasoning.effort),
        ):
            if effort is None:
                continue
            if effort in _LEVELS:
                asked.level = _LEVELS[effort]
            elif effort == "default":
                switches.append(True)
            else:
                self.unread.add(key)
        if body.reasoning_effort not in (None, reasoning.effort) and reasoning.effort is not None:
            self.unread.add("reasoning_effort")
        asked.budget_tokens = reasoning.max_tokens
        for key in _BUDGETS:
            budget = getattr(body, key)
            if asked.budget_tokens is None:
                asked.budget_tokens = budget
            elif budget not in (None, asked.budget_tokens):
                self.unread.add(key)
        if reasoning.exclude is not None:
            asked.visible = not reasoning.exclude
        if body.reasoning_format is not None:
            shown = _FORMATS.get(body.reasoning_format)
            if shown is None or asked.visible not in (None, shown):
                self.unread.add("reasoning_format")
            asked.visible = shown
        if body.thinking is not None and body.thinking.type is not None:
            switches.append(_SWITCHES.get(body.thinking.type))
            if switches[-1] is None:
                self.unread.add("thinking")
        if body.chat_template_kwargs is not None:
            switches.append(body.chat_template_kwargs.enable_thinking)
        if False in switches:
            asked.level = ThinkingLevel.OFF
            asked.budget_tokens = None
        return asked if True in switches or asked != Thinking() else None


# -- both ----------------------------------------------------------------------------------------

_OPENAI: Final = frozenset({"openai", "azure"})
"""The dialects with OpenAI's own limits."""


def _has_called(request: Request) -> bool:
    """Whether a conversation has calls, or can have them."""
    return bool(request.tools) or any(
        type(block) is ToolCallBlock
        for message in request.messages
        if type(message) is AssistantMessage
        for block in message.content
    )


def _adapt(encoding: Encoding) -> None:
    """Fit the unknown keys of a request to the service and the model."""
    share(encoding, SHARED)
    explicit = SERVICES[encoding.dialect].explicit_cache
    if encoding.dialect in _OPENAI or explicit:
        takes = ANY if explicit else encoding.takes
        adapt_keys(encoding, takes, frozenset(), in_text=False, explicit=explicit)


REQUESTS: Final = RequestCodec(
    RULES,
    wire.Body,
    (CHAT_OPTIONS, "functions", "tools", "messages"),
    _Writer,
    _Reader,
    adapt=_adapt,
)
encode_request: Final = REQUESTS.encode_request
decode_request: Final = REQUESTS.decode_request


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    CODEC: ClassVar[RequestCodec] = REQUESTS
