"""Request <-> the body of `POST /v1/messages`.

Leading system messages become `system`; later ones keep their place as `role: system`, or as a
user's text for a model before Claude 4.8. Tool arguments and inline media are spliced in unparsed.
`max_tokens` is 8192 where unset, plus a budget of thinking, or one like its level. A thinking level
becomes adaptive thinking with an effort; a budget becomes `enabled` thinking. `cache` puts
breakpoints after the tools and the system prompt, and `cache_control` at the top of the body. On
Vertex and Bedrock only the URL names the model.

What is normalized without a loss: empty text is left out, and so is a message of white space alone,
and white space that is the only text beside a call; consecutive messages of one side share a turn,
tool results first; ids outside the alphabet are mapped one to one, call and result alike, and a
second call of one id in the request gets another; signatures of other APIs on texts and calls are
not sent.

Each decoded answer gets this API as its `api`, since its signatures are valid here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, ClassVar, Final, cast

from msgspec import Raw
from msgspec.structs import replace

from ..._body.objects import shallow, with_keys
from ...model import (
    AssistantMessage,
    CacheConfig,
    CacheMark,
    CacheSections,
    ManualCache,
    Message,
    OpaqueBlock,
    Request,
    ResponseFormat,
    SystemMessage,
    TextBlock,
    Thinking,
    ThinkingLevel,
    Tool,
    ToolChoice,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
)
from ...model.blocks import MediaBlock, ToolCallBlock
from .._across.media import is_foreign_file
from .._across.routes import NO_MODEL, Route, model_in_url, parts_of_url
from .._across.schemas import held_to, input_schema
from .._across.thinking import SMALLEST_BUDGET, budget_like, fitting, nearest
from .._across.tools import carried, chosen, tools
from .._codecs.order import (
    GO_ON,
    NO_MESSAGE,
    Result,
    count_prompts,
    is_thoughtless,
    last_answer,
    last_said,
)
from .._codecs.requests import RequestCodec, RequestReader, RequestWriter
from .._codecs.simple import MAY_BE_RESULT, is_bare, is_bare_call, is_lone_text, result_of
from .._codecs.transcript import Transcript as BaseTranscript
from .._state.decoding import Decoding, kinds, knows_all
from .._state.encoding import NO_SECTIONS, Encoding, OutOfOrder
from . import blocks, wire
from .losses import RULES

# -- the URL -----------------------------------------------------------------------------------

_VERSION: Final = "2023-06-01"
_FILES_BETA: Final = "files-api-2025-04-14"
# An ARN has slashes, which not all clients quote. It ends before another `/model/`: a search looks
# at no part of a long URL twice.
_MODEL_IN_URL: Final = re.compile(
    r"/models?/([^/]+|arn:(?:(?!/models?/)[^?#])+)[:/]((?:stream)?rawPredict|invoke[\w-]*)", re.I
)


def route(request: Request, *, dialect: str | None = None) -> Route:
    """Return where to send the request; on Vertex the path is the part after the location."""
    dialect = RULES.dialect(dialect)
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
    return Route("POST", "/v1/messages", headers, _KEY)


def _names_file(block: Any) -> bool:
    """Whether a block goes out with a file id."""
    return isinstance(block, MediaBlock) and not (
        block.file_id is None or is_foreign_file(block, wire.API)
    )


# -- request -> body ---------------------------------------------------------------------------

_DEFAULT_MAX_TOKENS: Final = 8192  # the wire requires `max_tokens`
_KEY: Final = ("x-api-key", "")
_VERSIONS_IN_BODY: Final = {"vertex": "vertex-2023-10-16", "bedrock": "bedrock-2023-05-31"}
_is_personal: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|\+?[\d\s()-]{7,}").fullmatch
_LONGEST_ADDRESS: Final = 320  # of an e-mail (RFC 3696)
_LONGEST_USER: Final = 256
_LEAST_TOP_P: Final = 0.95  # while thinking
_SCHEMA_FORMAT: Final = "json_schema"
_SPACES: Final = frozenset(char for char in map(chr, range(0x3001)) if char.isspace())
_MARKED: Final = frozenset({"text", "image", "document", "tool_use", "tool_result"})
"""The types of blocks that take a breakpoint."""
_USERS: Final = frozenset({UserMessage, ToolMessage})
_ROLES: Final[dict[Any, str]] = {
    UserMessage: "user",
    ToolMessage: "user",
    ToolResultMessage: "user",
    AssistantMessage: "assistant",
}
_KEYS_ELSEWHERE: Final = frozenset({SystemMessage, ToolResultMessage})
"""Messages whose unknown keys do not belong to the turn that they are in."""
_EFFORTS: Final = {
    ThinkingLevel.MINIMAL: "low",
    ThinkingLevel.LOW: "low",
    ThinkingLevel.MEDIUM: "medium",
    ThinkingLevel.HIGH: "high",
    ThinkingLevel.XHIGH: "xhigh",
    ThinkingLevel.MAX: "max",
    ThinkingLevel.ULTRA: "max",
}
_NEAREST: Final = frozenset({ThinkingLevel.MINIMAL, ThinkingLevel.ULTRA})
_CHOICES: Final = {"auto": "auto", "required": "any", "none": "none", "tool": "tool"}
_DISPLAY: Final[dict[bool | None, str | None]] = {
    None: None,
    True: "summarized",
    False: "omitted",
}


class _Writer(RequestWriter):
    PROMPT_APART = True
    IDS_DIFFER = True

    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        self._blocks = blocks.BlockWriter(encoding)
        self._lost_last = False
        """Whether something was lost of system messages at the end."""

    def content(self, messages: list[Message]) -> dict[str, Any]:
        request = self.request
        if request.model is None:
            self.encoding.fail(NO_MODEL, request, ".model")
        cache = request.cache
        sections = cache.sections() if cache is not None else NO_SECTIONS
        mark = CacheMark(cache.ttl) if cache is not None else None
        if sections.cache_messages:
            self._blocks.reserve_mark()  # which the API sets itself
        functions = self._tools(mark if sections.cache_tools else None) if request.tools else []
        split = count_prompts(messages)
        cached = mark if sections.cache_system else None
        prompt = self._prompt(messages[:split], cached) if split else []
        turns = self.rest(messages[split:] if split else messages)
        if self.sent and not self._starts_anew(turns):
            raise OutOfOrder
        if turns:
            role = _role(turns[-1])
            if role == "assistant" or (
                role == "system" and _role(_last_said(turns)) == "assistant"
            ):
                self._end_answer(turns, messages)
        elif not self.sent:
            self.encoding.fail(NO_MESSAGE, request, ".messages")
        if sections.cache_messages and mark is not None and not self.encoding.host.caches:
            self._mark_last(turns, mark)
        return {
            "tools": functions or None,
            "system": prompt or None,
            "messages": [*self.sent, *turns] if self.sent else turns,
        }

    # Messages

    def needs_turn(self) -> bool:
        """Whether the API refuses a request of a system prompt alone."""
        return True

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages as turns: consecutive messages of one side share one, results first.

        A message without content, or of white space alone, is left out. A model that takes system
        messages here takes one only after a user turn, and before an answer or at the end;
        elsewhere, and for other models, it keeps its place as a user's text. One that has keys and
        no content, as with an effort from there on, is taken everywhere.
        """
        takes_system = self.encoding.takes.system_turns
        turns: list[Any] = []
        keys: dict[int, dict[str, Raw]] = {}
        prompts: list[SystemMessage] = []  # which wait for their place
        is_ours = False  # whether the last turn's content is a list made here
        message: Any
        role: Any
        for message in messages:
            kind = type(message)
            if kind is SystemMessage:
                if self.open_calls.open:
                    raise OutOfOrder
                if not all(map(_is_blank, message.content)):
                    prompts.append(message)
                elif message.extras is not None:
                    self._direct(message, turns, keys, is_taken=takes_system)
                if takes_system:
                    continue
                role, content = "user", self._as_users(prompts)
            else:
                role = _ROLES.get(kind, "")
                if not role or (role == "assistant" and self.open_calls.open):
                    raise OutOfOrder
                result = result_of(message) if kind in MAY_BE_RESULT else None
                if result is not None:
                    content = [self._result(result)]
                elif is_lone_text(message) and not self.open_calls.open:
                    content = message.content  # our JSON is already theirs
                else:
                    content = self._content(message)
                if not content:
                    self.encoding.lose_keys(message)
                elif prompts and role == "user":
                    content = self._as_users(prompts) + content
                elif prompts:
                    self._place(prompts, turns, keys)
            if not content:
                continue
            if turns and turns[-1].role == role:
                if not is_ours:
                    turns[-1].content = list(turns[-1].content)
                    is_ours = True
                turns[-1].content += content
            else:
                turns.append(wire.Message(role, content))
                is_ours = False
            if message.extras is not None and kind not in _KEYS_ELSEWHERE:
                self._add_keys(keys, len(turns) - 1, message)
        if self.open_calls.open:
            raise OutOfOrder
        before = len(self.encoding.losses or ())
        if prompts:
            self._place(prompts, turns, keys)
        self._lost_last = len(self.encoding.losses or ()) > before
        if not keys:
            return turns
        return [with_keys(turn, keys[i]) if i in keys else turn for i, turn in enumerate(turns)]

    def is_settled(self, wire_messages: list[Any]) -> bool:
        """Whether nothing that follows can change these turns.

        An answer at the end may go on, and breakpoints are counted over the whole request. What is
        lost of a system message at the end is told behind what is lost of the answer after it.
        """
        if self._lost_last or (self.sent and not self._starts_anew(wire_messages)):
            return False
        last = wire_messages[-1]
        if _role(last) == "system":
            last = _last_said(wire_messages)
        return _role(last) != "assistant" and not self._blocks.has_marks()

    def _starts_anew(self, turns: list[Any]) -> bool:
        """Whether these turns do not continue the last encoded one: they begin with an answer."""
        return bool(turns) and _role(turns[0]) == "assistant"

    def _add_keys(self, keys: dict[int, dict[str, Raw]], index: int, message: Message) -> None:
        """Note a message's unknown keys. One that the turn has already is replaced, as a loss."""
        own = self.encoding.own_keys(message)
        known = keys.setdefault(index, {})
        replaced = [key for key in known if key in own]
        if replaced:
            self.encoding.lose("extras", message, keys=replaced)
        known |= own

    def _content(self, message: Any) -> list[Any]:
        """Return a message's content, empty if it is white space alone."""
        out: list[Any] = []
        calls, ids = self.open_calls.open, self.open_calls.ids
        is_users = type(message) in _USERS
        has_blank = False
        for block in message.content:
            kind = type(block)
            if is_users and kind is ToolResultBlock:
                out.append(self._result(block))
                continue
            if is_users and calls:
                raise OutOfOrder  # results come before other content
            if kind is ToolCallBlock and type(message) is AssistantMessage:
                if block.id in ids:
                    raise OutOfOrder
                ids[block.id] = True
                calls[block.id] = call_id = blocks.id_of_call(block.id)
                if is_bare_call(block):
                    out.append(self._blocks.call(block, call_id))
                    continue
            if kind is TextBlock and block.text and block.text[0] in _SPACES:
                has_blank = True
            if is_bare(block) and block.text:
                out.append(block)  # our JSON is already theirs
                continue
            body = self._blocks.block(block, message)
            if body is not None:
                out.append(body)
        if all(map(_is_blank, out)):  # the API refuses a message that is blank
            return []
        self.encoding.lose_rest(message)
        return self._without_blank(out, message) if has_blank else out

    def _without_blank(self, content: list[Any], message: Any) -> list[Any]:
        """Return content without its texts, if all are white space: that is refused."""
        if not all(map(_is_blank, filter(_is_text, content))):
            return content
        for block in message.content:
            if type(block) is TextBlock and block.cache is not None:
                self.encoding.lose("cache mark", block)
        return [part for part in content if not _is_text(part)]

    def _result(self, result: Result) -> Any:
        call_id = self.open_calls.open.pop(result.tool_call_id, None)
        if call_id is None:
            raise OutOfOrder
        body = self._blocks.result(result, call_id)
        return body if result.extras is None else self.encoding.with_extras(body, result)

    def _end_answer(self, turns: list[Any], messages: list[Message]) -> None:
        """End a conversation that ends with an answer.

        The model goes on with it, if it does so unasked. It is not to go on where the user had the
        last word, which is blank: that would be another request.
        """
        last = last_said(messages)
        if type(last) is not AssistantMessage:
            self.encoding.lose("empty message", last)
        elif not self.encoding.takes.prefill:
            self.encoding.lose("prefill", last_answer(messages))
        else:
            self._strip_end(turns, messages)
            return
        turns.append(wire.Message("user", [wire.Text(GO_ON)]))

    def _strip_end(self, turns: list[Any], messages: list[Message]) -> None:
        """Strip white space from the end of an answer that is to go on, as the API demands."""
        last = _last_said(turns)
        is_dict = type(last) is dict
        content = [*(last["content"] if is_dict else last.content)]  # it may be the caller's own
        while _is_blank(content[-1]):
            content.pop()
        if is_dict:
            last["content"] = content
        else:
            last.content = content
        body: Any = content[-1]
        text = body.get("text") if type(body) is dict else getattr(body, "text", None)
        if type(text) is not str or text == text.rstrip():
            return
        answers = (m for m in reversed(messages) if type(m) is AssistantMessage)
        lossy = next(m for m in answers if not all(map(_is_blank, m.content)))
        self.encoding.lose("trailing space", lossy)
        stripped = text.rstrip()
        if isinstance(body, dict):
            content[-1] = {**body, "text": stripped}
        else:
            content[-1] = replace(body, text=stripped)

    def _mark_last(self, turns: list[Any], mark: CacheMark) -> None:
        """Put a breakpoint on the last block that takes one, as the API would do by itself."""
        for i in range(len(turns) - 1, -1, -1):
            turn = turns[i]
            content = [*(turn["content"] if type(turn) is dict else turn.content)]
            for j in range(len(content) - 1, -1, -1):
                part: Any = content[j]
                if type(part) is TextBlock:  # which is bare
                    part = wire.Text(part.text)
                if type(part) is dict and part.get("type") in _MARKED:
                    known: Any = part.get("cache_control")
                elif hasattr(part, "cache_control"):
                    known = cast(Any, part).cache_control
                else:
                    continue
                if known is None:
                    control = self._blocks.control(mark, self.request)
                    content[j] = _with(part, cache_control=control)
                    turns[i] = _with(turn, content=content)
                return
        self.encoding.lose("cache mark", self.request)

    # The system prompt

    def _place(
        self, prompts: list[SystemMessage], turns: list[Any], keys: dict[int, dict[str, Raw]]
    ) -> None:
        """Write system messages after the turns so far; after an answer, as a user's."""
        if not turns or _last_said(turns).role != "user":
            content = self._as_users(prompts)
            if content:
                turns.append(wire.Message("user", content))
            return
        for message in prompts:
            content = self._prompt([message], is_turn=True)
            if not content:
                self.encoding.lose_keys(message)
                continue
            turns.append(wire.Message("system", content))
            if message.extras is not None:
                self._add_keys(keys, len(turns) - 1, message)
        prompts.clear()

    def _direct(
        self,
        message: SystemMessage,
        turns: list[Any],
        keys: dict[int, dict[str, Raw]],
        *,
        is_taken: bool,
    ) -> None:
        """Write a system message without content, for its keys; report them if it is not taken."""
        self.encoding.lose_rest(message)
        if not is_taken:
            self.encoding.lose_keys(message)
        elif own := self.encoding.own_keys(message):
            keys[len(turns)] = own
            turns.append(wire.Message("system", []))

    def _as_users(self, prompts: list[SystemMessage]) -> list[Any]:
        """Return system messages as the content of a user's turn; they wait no longer."""
        content: list[Any] = []
        for message in prompts:
            self.encoding.lose("system place", message)
            self.encoding.lose_keys(message)
            content += self._content(message)
        prompts.clear()
        return content

    def _prompt(
        self, system: Sequence[Any], mark: CacheMark | None = None, *, is_turn: bool = False
    ) -> list[Any]:
        """Write system messages as one list of text blocks, with a breakpoint after the last text.

        With `is_turn` the list is the content of a turn, which may hold opaque blocks, and has keys
        of its own.
        """
        if mark is None and all(map(is_lone_text, system)):
            return [message.content[0] for message in system]
        texts: list[Any] = []
        for message in system:
            self.encoding.lose_rest(message)
            if not is_turn:
                self.encoding.lose_keys(message)
            for block in message.content:
                if type(block) is TextBlock or (is_turn and blocks.is_own_block(block)):
                    texts.append(block)
                else:
                    self.encoding.lose("system content", block)
        if all(map(_is_blank, texts)):
            return []
        last = max(i for i, each in enumerate(texts) if type(each) is OpaqueBlock or each.text)
        content: list[Any] = []
        for i, block in enumerate(texts):
            if mark is not None and i == last and block.cache is None:
                self.encoding.lose_rest(block)
                body = self.encoding.with_extras(self._blocks.text(block, mark), block)
            else:
                body = self._blocks.block(block)
            if body is not None:
                content.append(body)
        return content

    # Tools

    def _tools(self, mark: CacheMark | None) -> list[Any]:
        """Write the tools, with a breakpoint after the last one."""
        sent = carried(self.request, self.encoding)
        last = sent[-1] if mark is not None and sent else None

        def function(tool: Tool, name: str) -> wire.Tool:
            strict = self._strict(tool) if tool.strict is not None else None
            schema = input_schema(tool, self.encoding, is_held=strict is True)
            own = tool.cache or (mark if tool is last else None)
            control = self._blocks.mark(own, tool) if own is not None else None
            return wire.Tool(name, schema, tool.description, strict=strict, cache_control=control)

        out = tools(self.request, self.encoding, function)
        if isinstance(last, OpaqueBlock):
            control = self._blocks.mark(mark, last)
            out[-1] = with_keys({"cache_control": control}, shallow(out[-1]))
        return out

    def _strict(self, tool: Tool) -> bool | None:
        """Return whether calls are held to the schema, None where the host cannot be asked."""
        takes = self.encoding.takes
        if takes.bedrock_schemas or self.encoding.dialect != "bedrock":
            return tool.strict
        if tool.strict:
            self.encoding.lose("strict tool", tool)
        return None

    # Parameters

    def alike(self, spelled: dict[str, Raw]) -> dict[str, Raw]:
        """Return the keys, as they came for another host, that are so for this one.

        An effort alone asks for no thinking, which only the spelling tells.
        """
        takes = self.encoding.takes
        keys = ("thinking", "output_config") if takes.efforts != () or takes.beside else ()
        return {key: spelled[key] for key in keys if key in spelled}

    def spellings(self, came: dict[str, Raw]) -> dict[str, Raw]:
        """Return the keys of parameters as they came, without those that the host refuses."""
        dialect, takes = self.encoding.dialect, self.encoding.takes
        if dialect == "anthropic":
            return came
        refused = {"model"}
        if dialect == "bedrock":
            refused |= {"cache_control", "stream"}
            if takes.beside or (not takes.bedrock_schemas and self.request.response_format):
                refused.add("output_config")
        return {key: came[key] for key in came if key not in refused}

    def parameters(self) -> wire.Body:
        request, dialect = self.request, self.encoding.dialect
        body = wire.Body(messages=[])
        if dialect in _VERSIONS_IN_BODY:
            body.anthropic_version = _VERSIONS_IN_BODY[dialect]
        else:
            body.model = request.model
        if request.stream and dialect != "bedrock":
            body.stream = True
        if request.tools or request.tool_choice is not None:
            body.tool_choice = self._tool_choice()
        thinking = effort = None
        if request.thinking is not None:
            thinking, effort = self._thinking(request.thinking, body.tool_choice)
        body.max_tokens, thinking = self._max_tokens(thinking)
        body.thinking = thinking
        if request.service_tier is not None:
            body.service_tier = self._service_tier(request.service_tier)
        if request.user_id is not None:
            body.metadata = self._metadata(request.user_id)
        if request.temperature is not None:
            body.temperature = self._temperature(thinking)
        if request.top_p is not None:
            body.top_p = self._top_p(thinking)
        if request.top_k is not None:
            body.top_k = self._top_k(thinking)
        if request.stop:
            body.stop_sequences = self._stop(request.stop)
        form = None
        if request.response_format is not None:
            form = self._output_format(request.response_format)
        if effort or form:
            body.output_config = wire.OutputConfig(effort, form)
        if request.cache is not None:
            body.cache_control = self._automatic(request.cache)
        return body

    def _automatic(self, cache: CacheConfig) -> wire.CacheControl | None:
        """Return the body's `cache_control`, by which the API marks the last message itself."""
        if not cache.sections().cache_messages or not self.encoding.host.caches:
            return None
        return self._blocks.control(CacheMark(cache.ttl), self.request)

    def _tool_choice(self) -> wire.ToolChoice | None:
        request = self.request
        has_tools = bool(carried(request, self.encoding))
        asked = request.tool_choice
        choice = chosen(asked, self.encoding, has_tools=has_tools) if asked is not None else None
        single = True if request.parallel_tool_calls is False else None
        if choice is None:
            is_single = has_tools and single
            return wire.ToolChoice("auto", disable_parallel_tool_use=True) if is_single else None
        if choice.allowed is not None:
            self.encoding.lose("tool choice allowed", choice)
        if choice.mode == "none":
            return wire.ToolChoice("none")
        name = self.encoding.tool_name(choice.name, choice) if choice.name is not None else None
        return wire.ToolChoice(_CHOICES[choice.mode], name, single)

    def _thinking(
        self, asked: Thinking, choice: wire.ToolChoice | None
    ) -> tuple[wire.ThinkingConfig | None, str | None]:
        """Return the thinking to ask for, and the effort."""
        effort = self._effort_beside(asked)
        limit = self.encoding.most_tokens()
        possible = fitting(asked, self.encoding, limit, has_effort=effort is not None)
        if possible is None:
            return None, None
        if possible.level is ThinkingLevel.OFF:
            return wire.ThinkingConfig("disabled"), None
        if possible.level is not None:
            effort = _EFFORTS[possible.level]
        if possible.level in _NEAREST:
            self.encoding.lose("thinking level", asked)
        display = _DISPLAY[possible.visible]
        budget = possible.budget_tokens
        if budget is None:
            return wire.ThinkingConfig("adaptive", display=display), effort
        if choice is not None and choice.type in ("any", "tool"):
            self.encoding.lose("tool choice", asked)
            return wire.ThinkingConfig("disabled"), effort
        if is_thoughtless(
            self.request.messages, self._blocks.is_thought, prefill=self.encoding.takes.prefill
        ):
            self.encoding.lose("thinking midway", asked)
            return wire.ThinkingConfig("disabled"), effort
        return wire.ThinkingConfig("enabled", max(budget, SMALLEST_BUDGET), display), effort

    def _effort_beside(self, asked: Thinking) -> str | None:
        """Return the effort for a model that takes it beside a budget.

        InvokeModel takes it only as a beta, so there it is a loss.
        """
        levels = self.encoding.takes.beside
        if not levels or asked.level is None or asked.level is ThinkingLevel.OFF:
            return None
        if self.encoding.dialect == "bedrock":
            if asked.budget_tokens is None:
                self.encoding.lose("thinking form", asked)
            return None
        if asked.level not in levels:
            self.encoding.lose("thinking level", asked)
        return _EFFORTS[nearest(asked.level, levels)]

    def _max_tokens(
        self, thinking: wire.ThinkingConfig | None
    ) -> tuple[int, wire.ThinkingConfig | None]:
        """Return `max_tokens`, which includes thinking, and the thinking that fits into it."""
        limit = self.encoding.most_tokens()
        budget = thinking.budget_tokens if thinking is not None else None
        if limit is None:
            asked = self.request.thinking
            room = budget or 0
            if asked is not None and thinking is not None and thinking.type == "adaptive":
                room = asked.budget_tokens or budget_like(asked.level or ThinkingLevel.HIGH)
            limit = min(_DEFAULT_MAX_TOKENS + room, self.encoding.takes.tokens)
        if budget is None or thinking is None or limit > budget:
            return limit, thinking
        self.encoding.lose("max_tokens", self.request.thinking)
        if limit <= SMALLEST_BUDGET:
            return limit, wire.ThinkingConfig("disabled")
        return limit, wire.ThinkingConfig("enabled", limit - 1, thinking.display)

    def _temperature(self, thinking: wire.ThinkingConfig | None) -> float | None:
        asked = self.encoding.sampled("temperature")
        if asked is None:
            return None
        possible = 1.0 if _is_active(thinking) else min(max(asked, 0.0), 1.0)
        if possible != asked:
            self.encoding.lose("temperature", self.request)
        return possible

    def _top_p(self, thinking: wire.ThinkingConfig | None) -> float | None:
        asked: float | None = self.encoding.sampled("top_p")
        if asked is None or asked >= _LEAST_TOP_P or not _is_active(thinking):
            return asked
        self.encoding.lose("top_p", self.request)
        return _LEAST_TOP_P

    def _top_k(self, thinking: wire.ThinkingConfig | None) -> int | None:
        asked: int | None = self.encoding.sampled("top_k")
        if asked is not None and _is_active(thinking):
            self.encoding.lose("top_k", self.request)
            return None
        return asked

    def _stop(self, asked: list[str]) -> list[str] | None:
        """Return the stop sequences that are not blank. An empty one is dropped without loss."""
        if any(word and word.isspace() for word in asked):
            self.encoding.lose("stop", self.request)
        return [word for word in asked if word and not word.isspace()] or None

    def _metadata(self, user: str) -> wire.Metadata:
        """Return the id of the user, or a hash of one that the API refuses."""
        is_long = len(user) > _LONGEST_USER
        if is_long or (len(user) <= _LONGEST_ADDRESS and _is_personal(user)):
            self.encoding.lose("user id", self.request)
            user = sha256(user.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return wire.Metadata(user)

    def _service_tier(self, tier: str) -> str | None:
        if tier in ("auto", "standard_only"):
            return tier
        self.encoding.lose("service_tier", self.request)
        return None

    def _output_format(self, asked: ResponseFormat) -> wire.OutputFormat | None:
        if asked.kind == "text":
            return None
        takes = self.encoding.takes
        is_taken = takes.schemas and (takes.bedrock_schemas or self.encoding.dialect != "bedrock")
        if asked.kind == "json_schema" and not is_taken:
            self.encoding.lose("no schema", asked)
            return None
        if asked.kind == "json_schema" and asked.schema is not None:
            schema = held_to(asked.schema, asked, self.encoding, asked.description)
            return wire.OutputFormat(_SCHEMA_FORMAT, schema)
        self.encoding.lose("json mode", asked)
        return None


def _is_active(thinking: wire.ThinkingConfig | None) -> bool:
    return thinking is not None and thinking.type != "disabled"


def _is_blank(part: Any) -> bool:
    """Whether a text block, ours or the wire's, is blank. The API refuses content that is blank."""
    kind = type(part)
    if kind is dict:
        text = part.get("text") if part.get("type") == "text" else None
    elif kind is TextBlock or kind is wire.Text:
        text = part.text
    else:
        return False
    return type(text) is str and (not text or text.isspace())


def _with(value: Any, **changes: Any) -> Any:
    """Return an object of the wire with other values of some keys."""
    return value | changes if type(value) is dict else replace(value, **changes)


def _is_text(part: Any) -> bool:
    """Whether a block, ours or the wire's, is a text."""
    if type(part) is dict:
        return part.get("type") == "text"
    return type(part) in _TEXTS


_TEXTS: Final = frozenset({TextBlock, wire.Text})


def _role(turn: Any) -> str:
    return str(turn["role"] if type(turn) is dict else turn.role)


def _last_said(turns: Sequence[Any]) -> Any:
    """Return the last turn that has content; system messages for their keys have none."""
    for turn in reversed(turns):
        if turn["content"] if type(turn) is dict else turn.content:
            return turn
    return turns[-1]


# -- body -> request ---------------------------------------------------------------------------

_LEVELS: Final = {effort: level for level, effort in _EFFORTS.items() if level not in _NEAREST}
_MODES: Final[dict[str, Any]] = {word: mode for mode, word in _CHOICES.items()}
_VISIBLE: Final[dict[str | None, bool | None]] = {word: seen for seen, word in _DISPLAY.items()}
_RESULTS: Final = {ToolResultBlock}
_CHOICE_KINDS: Final = kinds(wire.ToolChoice, "type", wire.CHOICE_KEYS)
_THINKING_KINDS: Final = kinds(wire.ThinkingConfig, "type", wire.THINKING_KEYS)


class _Reader(RequestReader):
    def __init__(self, decoding: Decoding, path: str | None = None) -> None:
        super().__init__(decoding, path)
        self._blocks = blocks.BlockReader(decoding)
        self.names = self._blocks.names

    def request(self) -> Request:
        body: wire.Body = self.decoding.body.root
        messages = self.messages(body.messages)
        if body.system is not None:
            messages.insert(0, SystemMessage(self._blocks.content(body.system)))
        request = Request(messages, **self.parameters())
        if self.path or request.model == "":
            model, verb = parts_of_url(self.path, _MODEL_IN_URL)
            request.model = request.model or model
            request.stream = request.stream or verb.startswith(("stream", "invoke-with"))
        if body.tools is not None:
            request.tools = [self._tool(tool) for tool in body.tools]
        return request

    def conversation(self, parts: list[Any]) -> list[Message]:
        return [self._message(part) for part in parts]

    def begins_answer(self, before: Any, part: Any) -> bool:
        return bool(part.role == "assistant" != before.role)

    def _message(self, part: wire.Message) -> Message:
        """Return the message for a turn; a turn of results alone is a `ToolMessage`."""
        if part.content is None and part.role != "system":
            self.decoding.fail("object missing required field `content`", part)
        content = self._blocks.content(part.content)
        extras = self.decoding.extras_of(part) if self.decoding.unknown else None
        if part.role == "assistant":
            return AssistantMessage(content, api=wire.API, extras=extras)
        if part.role == "system":
            return SystemMessage(content, extras=extras)
        if content and set(map(type, content)) == _RESULTS:
            return ToolMessage(content, extras=extras)
        return UserMessage(content, extras=extras)

    def _tool(self, part: wire.Tool) -> Tool | OpaqueBlock:
        if part.type not in (None, "custom") or part.input_schema is None:
            return OpaqueBlock(wire.API, self.decoding.raw(part))
        spelling = {"type": part.type} if part.type is not None else {}
        return Tool(
            part.name,
            part.description,
            part.input_schema,
            part.strict,
            blocks.mark_of(part.cache_control),
            self.decoding.extras_of(part, **spelling),
        )

    # Parameters

    def parameters(self) -> dict[str, Any]:
        body: wire.Body = self.decoding.body.root
        read: dict[str, Any] = {
            "max_tokens": body.max_tokens,
            "temperature": body.temperature,
            "top_p": body.top_p,
            "top_k": body.top_k,
            "stop": body.stop_sequences,
            "service_tier": body.service_tier,
            "user_id": body.metadata.user_id if body.metadata is not None else None,
        }
        if body.thinking is not None or body.output_config is not None:
            read["thinking"] = self._asked_thinking(body.thinking, body.output_config)
        if body.output_format is not None or body.output_config is not None:
            read["response_format"] = self._format(body)
        if body.tool_choice is not None:
            read |= self._choice(body.tool_choice)
        if body.model is not None:
            read["model"] = body.model
        if body.stream is not None:
            read["stream"] = body.stream
        if body.cache_control is not None:
            sections = CacheSections(False, False, True)
            read["cache"] = CacheConfig(strategy=ManualCache(sections), ttl=body.cache_control.ttl)
        return read

    def _format(self, body: wire.Body) -> ResponseFormat | None:
        """Return the format of the answer, which may have its name in the beta."""
        form, key = body.output_format, "output_format"
        if body.output_config is not None and body.output_config.format is not None:
            if form is not None:
                self.unread.add(key)
            form, key = body.output_config.format, "output_config"
        if form is None:
            return None
        if form.type != _SCHEMA_FORMAT:
            self.unread.add(key)
            return None
        if form.schema is None:
            self.decoding.fail("object missing required field `schema`", form)
        return ResponseFormat("json_schema", form.schema)

    def _choice(self, choice: wire.ToolChoice) -> dict[str, Any]:
        single = choice.disable_parallel_tool_use
        mode = _MODES.get(choice.type)
        if not knows_all(_CHOICE_KINDS, choice):
            self.unread.add("tool_choice")
        name = choice.name if mode == "tool" else None
        return {
            "tool_choice": ToolChoice(mode, name) if mode is not None else None,
            "parallel_tool_calls": None if single is None else not single,
        }

    def _asked_thinking(
        self, thinking: wire.ThinkingConfig | None, output: wire.OutputConfig | None
    ) -> Thinking | None:
        effort = output.effort if output is not None else None
        level = _LEVELS.get(effort) if effort is not None else None
        if effort is not None and level is None:
            self.unread.add("output_config")
        if thinking is None:
            return Thinking(level) if level is not None else None
        if not knows_all(_THINKING_KINDS, thinking):
            self.unread.add("thinking")
        if thinking.type == "disabled":
            if effort is not None:
                self.unread.add("output_config")
            return Thinking(ThinkingLevel.OFF)
        if thinking.display not in _VISIBLE:
            self.unread.add("thinking")
        return Thinking(level, thinking.budget_tokens, _VISIBLE.get(thinking.display))


# -- both --------------------------------------------------------------------------------------

REQUESTS: Final = RequestCodec(RULES, wire.Body, ("tools", "system", "messages"), _Writer, _Reader)
encode_request: Final = REQUESTS.encode_request
decode_request: Final = REQUESTS.decode_request


class Transcript(BaseTranscript):
    """The requests of a growing conversation: see `wireglot.providers.Transcript`."""

    CODEC: ClassVar[RequestCodec] = REQUESTS
