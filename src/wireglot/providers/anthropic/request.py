"""Request -> Anthropic Messages JSON.

What is normalized without a loss: empty text is no content, nor is white space where it is all that
a turn has; consecutive messages of one side share a turn, tool results first; ids outside the
alphabet are mapped one to one, call and result alike; what describes a block to programs (alt text,
bounding boxes, sizes, pages, the kind of a call) and signatures of other APIs are not sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ...losses import Losses
from ...model import (
    CacheConfig,
    CacheMark,
    Content,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    SystemMessage,
    TextBlock,
    ThinkingLevel,
    Tool,
    ToolResultMessage,
)
from .._turns import Turn, turns
from .._writing import encoded
from . import wire
from .blocks import BlockWriter, encode, is_blank
from .wire import API

__all__ = ["DEFAULT_MAX_TOKENS", "encode_request"]

DEFAULT_MAX_TOKENS: Final = 8192
"""What is asked for where the request names no limit; the wire demands one."""

_SMALLEST_BUDGET: Final = 1024
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
_CHOICES: Final[dict[str, Literal["auto", "any", "none", "tool"]]] = {
    "auto": "auto",
    "required": "any",
    "none": "none",
    "tool": "tool",
}
_DISPLAY: Final[dict[bool | None, Literal["summarized", "omitted"] | None]] = {
    None: None,
    True: "summarized",
    False: "omitted",
}
# Parameter -> the value that asks for nothing, beside None and False.
_UNSUPPORTED: Final[dict[str, Any]] = {
    "frequency_penalty": 0,
    "presence_penalty": 0,
    "seed": None,
    "candidates": 1,
    "logprobs": None,
    "top_logprobs": 0,
    "metadata": {},
}
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_NO_CACHE: Final = CacheConfig(enabled=False)
_NO_PARAMETERS: Final = RawJson.of({"type": "object", "properties": {}})
_EMPTY_SCHEMA: Final = RawJson.of({"type": "object"})


def encode_request(request: Request, losses: Losses = None, *, repair: bool = False) -> bytes:
    """Encode `request` as the body of `POST /v1/messages`.

    Leading system messages become `system`; later ones keep their place as `role: system`. Tool
    arguments and inline media are spliced in unparsed. `max_tokens` is `DEFAULT_MAX_TOKENS` where
    unset. A thinking level becomes adaptive thinking with an effort, a budget `enabled` thinking.
    `cache` puts breakpoints after the tools and the system prompt, and the automatic one on top.

    Raises `EncodeError` if there is no model or no message, if a call has no result or a result no
    call (`repair` closes them, see `_turns.turns`), or if the request contradicts itself;
    `LossError` if something has no place on this wire and `losses` is None.
    """

    def write(request: Request, losses: Losses) -> Any:
        return _RequestWriter(request, losses).body(repair)

    return encoded(write, encode, request, "anthropic", losses)


class _Draft(Struct):
    """A turn as it will be sent, `said` by the messages that made each of its blocks."""

    role: str
    turn: Turn
    content: list[Any]
    said: list[tuple[Content | None, Message | None]]


class _RequestWriter(BlockWriter):
    def __init__(self, request: Request, losses: Losses) -> None:
        super().__init__(request, losses)
        self._request = request

    def body(self, repair: bool) -> Any:
        request = self._request
        if request.model is None:
            self._fail("no model", request, ".model")
        for name, nothing in _UNSUPPORTED.items():
            value = getattr(request, name)
            if value is not None and value is not False and value != nothing:
                self._lose(name, request)
        cache = request.cache or _NO_CACHE
        sections = cache.sections()
        mark = CacheMark(cache.ttl)
        self._marks_left -= sections.cache_messages  # on top of the body, but it counts
        tools = self._tools(mark if sections.cache_tools else None)
        split = next(
            (i for i, m in enumerate(request.messages) if type(m) is not SystemMessage),
            len(request.messages),
        )
        prompt = self._prompt(request.messages[:split], mark if sections.cache_system else None)
        conversation = self._conversation(request.messages[split:], repair)
        if not conversation:
            self._fail("no message with content", request, ".messages")
        self._marks_left += sections.cache_messages
        automatic = self._mark(mark if sections.cache_messages else None, request)
        choice = self._tool_choice(bool(tools))
        thinking, effort = self._thinking(choice)
        max_tokens, thinking = self._max_tokens(thinking)
        body = wire.Body(
            model=request.model,
            max_tokens=max_tokens,
            stream=request.stream,
            service_tier=self._service_tier(),
            metadata=wire.Metadata(request.user_id) if request.user_id is not None else None,
            temperature=self._temperature(thinking),
            top_p=self._finite(request.top_p, ".topP"),
            top_k=request.top_k,
            stop_sequences=request.stop or None,
            thinking=thinking,
            output_config=self._output_config(effort),
            cache_control=automatic,
            tools=tools or None,
            tool_choice=choice,
            system=prompt or None,
            messages=conversation,
        )
        return self._with_extras(body, request)

    # -- tools and parameters ------------------------------------------------------------------

    def _tools(self, mark: CacheMark | None) -> list[Any]:
        given = self._request.tools or []
        carried = [tool for tool in given if isinstance(tool, Tool) or tool.api == API]
        names: set[str] = set()
        tools: list[Any] = []
        for tool in given:
            if isinstance(tool, OpaqueBlock):
                if tool.api != API:
                    self._lose("opaque tool", tool)
                    continue
                made: Any = self._opaque(tool)
                if mark is not None and tool is carried[-1]:
                    made = {"cache_control": self._mark(mark, tool), **_keys(tool.raw.text)}
                tools.append(self._with_extras(made, tool))
                continue
            own = tool.cache or (mark if tool is carried[-1] else None)
            name = self._name(tool.name, tool)
            if name in names:
                self._fail(f"two tools named `{tool.name}`", tool)
            names.add(name)
            made = wire.Tool(
                name, self._schema(tool), tool.description, tool.strict, self._mark(own, tool)
            )
            tools.append(self._with_extras(made, tool))
        return tools

    def _schema(self, tool: Tool) -> RawJson:
        """Return the schema, which describes an object on this wire; `{}` comes to the same."""
        schema = tool.parameters
        if schema is None:
            return _NO_PARAMETERS
        value = schema.value
        if isinstance(value, dict):
            if value.get("type") == "object":
                return schema
            if not value:
                return _EMPTY_SCHEMA
        self._fail("a tool's parameters are no object schema", tool, ".parameters")

    def _tool_choice(self, has_tools: bool) -> wire.ToolChoice | None:
        choice = self._request.tool_choice
        if not has_tools:
            if choice is not None and choice.mode in ("required", "tool"):
                self._lose("tool choice unused", choice)
            return None
        single = True if self._request.parallel_tool_calls is False else None
        if choice is None:
            return wire.ToolChoice("auto", disable_parallel_tool_use=True) if single else None
        if (choice.mode == "tool") is (choice.name is None):
            self._fail(f"a tool choice of mode `{choice.mode}`: name is {choice.name!r}", choice)
        if choice.allowed is not None:
            self._lose("tool choice allowed", choice)
        if choice.mode == "none":
            return wire.ToolChoice("none")
        name = self._name(choice.name, choice) if choice.name is not None else None
        return wire.ToolChoice(_CHOICES[choice.mode], name, single)

    def _thinking(
        self, choice: wire.ToolChoice | None
    ) -> tuple[wire.ThinkingConfig | None, str | None]:
        """Return the thinking to ask for, and the effort."""
        asked = self._request.thinking
        if asked is None:
            return None, None
        if asked.level is ThinkingLevel.OFF:
            return wire.ThinkingConfig("disabled"), None
        effort = _EFFORTS[asked.level] if asked.level is not None else None
        if asked.level in _NEAREST:
            self._lose("thinking level", asked)
        display = _DISPLAY[asked.visible]
        budget = asked.budget_tokens
        if budget is None:
            return wire.ThinkingConfig("adaptive", display=display), effort
        if choice is not None and choice.type in ("any", "tool"):
            self._lose("tool choice", asked)
            return wire.ThinkingConfig("disabled"), effort
        if budget < _SMALLEST_BUDGET:
            self._lose("thinking budget", asked)
            budget = _SMALLEST_BUDGET
        return wire.ThinkingConfig("enabled", budget, display), effort

    def _max_tokens(
        self, thinking: wire.ThinkingConfig | None
    ) -> tuple[int, wire.ThinkingConfig | None]:
        """Return the limit, inside which thinking falls, and the thinking it leaves room for."""
        limit = self._request.max_tokens
        budget = thinking.budget_tokens if thinking is not None else None
        if limit is None:
            return DEFAULT_MAX_TOKENS + (budget or 0), thinking
        if budget is None or thinking is None or limit > budget:
            return limit, thinking
        self._lose("max_tokens", self._request.thinking)
        if limit <= _SMALLEST_BUDGET:
            return limit, wire.ThinkingConfig("disabled")
        return limit, wire.ThinkingConfig("enabled", limit - 1, thinking.display)

    def _temperature(self, thinking: wire.ThinkingConfig | None) -> float | None:
        asked = self._finite(self._request.temperature, ".temperature")
        if asked is None:
            return None
        active = thinking is not None and thinking.type != "disabled"
        possible = 1.0 if active else min(max(asked, 0.0), 1.0)
        if possible != asked:
            self._lose("temperature", self._request)
        return possible

    def _service_tier(self) -> str | None:
        tier = self._request.service_tier
        if tier is None or tier in ("auto", "standard_only"):
            return tier
        self._lose("service_tier", self._request)
        return None

    def _output_config(self, effort: str | None) -> wire.OutputConfig | None:
        asked = self._request.response_format
        form = None
        if asked is not None and asked.kind == "json_schema" and asked.schema is not None:
            form = wire.JsonFormat(asked.schema)
        elif asked is not None and asked.kind != "text":
            self._lose("json mode", asked)
        return wire.OutputConfig(effort, form) if effort or form else None

    # -- messages ------------------------------------------------------------------------------

    def _prompt(self, system: Sequence[Message], mark: CacheMark | None) -> list[Any]:
        """Write system messages as the list of texts that stands for them."""
        texts: list[TextBlock] = []
        for message in system:
            self._lose_name(message)
            if message.extras is not None and self._own_keys(message):
                self._lose("extras", message)
            for block in message.content:
                if type(block) is TextBlock:
                    texts.append(block)
                else:
                    self._lose("system content", block)
        return self._texts(texts, mark)

    def _texts(self, texts: list[TextBlock], mark: CacheMark | None) -> list[Any]:
        if all(map(is_blank, texts)):
            return []
        last = max(i for i, block in enumerate(texts) if block.text)
        made: list[Any] = []
        for i, block in enumerate(texts):
            if mark is not None and i == last and block.cache is None and block.text:
                text = wire.Text(block.text, self._mark(mark, block))
                made.append(self._with_extras(text, block))
            else:
                made.append(self._block(block, None))
        return [text for text in made if text is not None]

    def _conversation(self, messages: list[Message], repair: bool) -> list[Any]:
        drafts = self._placed(turns(messages, self._fail, repair=repair))
        if drafts and drafts[-1].role == "assistant":
            self._strip_end(drafts[-1])
        return [self._message(draft) for draft in drafts if draft.content]

    def _placed(self, grouped: list[Turn]) -> list[_Draft]:
        """Write turns, and put those of the system where the API takes them.

        That is after a user turn and before an assistant's; where two answers have none between
        them, a system message goes as a user's.
        """
        placed: list[_Draft] = []
        held: list[Turn] = []
        moved = 0  # how many of those held have been reported

        def release() -> None:
            nonlocal moved
            after_user = bool(placed) and placed[-1].role == "user"
            for i, turn in enumerate(held):
                if not after_user and i >= moved:
                    self._lose("system place", turn.messages[0])
            for turn in held:
                draft = self._draft(turn, "system" if after_user else "user")
                if draft.content:
                    add(draft)
            held.clear()
            moved = 0

        def add(draft: _Draft) -> None:
            last = placed[-1] if placed else None
            if last is None or last.role != draft.role or draft.role == "system":
                placed.append(draft)
                return
            last.turn.messages += draft.turn.messages
            last.content += draft.content
            last.said += draft.said

        for turn in grouped:
            if turn.role == "system":
                if not all(map(is_blank, turn.messages[0].content)):
                    held.append(turn)
                continue
            if turn.role == "assistant":
                self._ids.new_turn()
            draft = self._draft(turn, turn.role)
            if not draft.content:
                continue
            if turn.role == "assistant":
                release()
            else:
                for system in held[moved:]:
                    self._lose("system place", system.messages[0])
                moved = len(held)
            add(draft)
        release()
        return placed

    def _draft(self, turn: Turn, role: str) -> _Draft:
        """Write a turn's blocks; none, if all there is is white space."""
        draft = _Draft(role, turn, [], [])
        if role == "system":
            draft.content = self._prompt(turn.messages, None)
            return draft
        for result in turn.results:
            draft.content.append(self._result(result))
            draft.said.append((None, None))
        self._written.update(map(id, turn.orphans))
        solid = bool(turn.results)
        for message in turn.messages:
            self._lose_name(message)
            for block in message.content:
                made = self._block(block, message)
                if made is not None:
                    draft.content.append(made)
                    draft.said.append((block, message))
                    solid = solid or not is_blank(block)
        if not solid:
            draft.content.clear()
        return draft

    def _message(self, draft: _Draft) -> Any:
        made = wire.Message(draft.role, draft.content)
        keys: dict[str, Raw] = {}
        for message in draft.turn.messages if draft.role != "system" else []:
            if message.extras is not None:
                own = self._own_keys(message)
                if not keys.keys().isdisjoint(own):
                    self._lose("extras", message)
                keys |= own
        return self._with_keys(made, keys) if keys else made

    def _lose_name(self, message: Message) -> None:
        if not isinstance(message, ToolResultMessage) and message.name is not None:
            self._lose("name", message)

    def _strip_end(self, draft: _Draft) -> None:
        """Strip the end of the text that the answer is to continue, as the API demands."""
        while draft.content and is_blank(draft.said[-1][0]):
            draft.content.pop()
            draft.said.pop()
        block, message = draft.said[-1]
        made = draft.content[-1]
        text = getattr(block if isinstance(made, dict) else made, "text", None)
        if not isinstance(text, str) or text == text.rstrip():
            return
        self._lose("trailing space", message)
        if isinstance(made, dict):
            made["text"] = Raw(encode(text.rstrip()))
        else:
            draft.content[-1] = replace(made, text=text.rstrip())
