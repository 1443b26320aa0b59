"""Request -> Anthropic Messages JSON.

What is normalized without a loss: empty text is no content, nor is white space where it is all that
a turn has; consecutive messages of one side share a turn, tool results first; ids outside the
alphabet are mapped one to one, call and result alike; descriptions of media (alt text, bounding
boxes, sizes, page ranges) are not sent.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ..._hooks import json_hook
from ...errors import DecodeError, EncodeError
from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
    CacheConfig,
    CacheMark,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ThinkingLevel,
    ToolCallBlock,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
    VideoBlock,
)
from ...model.blocks import MediaBlock
from .._turns import CallIds, Result, Turn, turns
from .._writing import Writer, encoded
from . import wire
from .wire import API

__all__ = ["DEFAULT_MAX_TOKENS", "encode_request"]

DEFAULT_MAX_TOKENS: Final = 8192
"""What is asked for where the request names no limit; the wire demands one."""

_WIRE: Final = "anthropic"
_SIGNERS: Final = frozenset({"anthropic"})  # `provider` of a message that names no `api`
_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_MOST_MARKS: Final = 4
_SMALLEST_BUDGET: Final = 1024
_WORD: Final = re.compile(r"[a-zA-Z0-9_-]+")
_LONGEST_NAME: Final = 128
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
_UNSUPPORTED: Final = (
    "frequency_penalty",
    "presence_penalty",
    "seed",
    "candidates",
    "logprobs",
    "metadata",
)

_NO_CACHE: Final = CacheConfig(enabled=False)
_NO_PARAMETERS: Final = RawJson.of({"type": "object", "properties": {}})

_encode = msgspec.json.Encoder(enc_hook=json_hook).encode


def encode_request(request: Request, losses: Losses = None, *, repair: bool = False) -> bytes:
    """Encode `request` as the body of `POST /v1/messages`.

    Leading system messages become `system`; later ones keep their place as `role: system`. Tool
    arguments and inline media are spliced in unparsed. `max_tokens` is `DEFAULT_MAX_TOKENS` where
    unset. A thinking level becomes adaptive thinking with an effort, a budget `enabled` thinking.
    `cache` puts breakpoints after the tools and the system prompt, and the automatic one on top.

    Raises `EncodeError` if there is no model or no message, or if a call has no result or a result
    no call (`repair` closes them, see `_turns.turns`); `LossError` if something has no place on
    this wire and `losses` is None.
    """
    return encoded(_encode, _Writer(request, losses).body(repair), _WIRE)


class _Writer(Writer):
    """The state of one encoding: losses, call ids, and the cache breakpoints used."""

    def __init__(self, request: Request, losses: Losses) -> None:
        super().__init__(request, losses, _WIRE, API, _encode)
        self._request = request
        self._ids = CallIds(_call_id)
        self._names: dict[str, str] = {}
        self._marks_left = _MOST_MARKS
        self._short_marks = False

    def body(self, repair: bool) -> Any:
        request = self._request
        if request.model is None:
            raise EncodeError("no model", wire=_WIRE, path="$.model")
        for name in _UNSUPPORTED:
            if getattr(request, name):
                self._lose(name, request)
        cache = request.cache or _NO_CACHE
        sections = cache.sections()
        mark = CacheMark(cache.ttl)
        self._marks_left -= sections.cache_messages  # on top of the body, but it counts
        tools = self._tools(mark if sections.cache_tools else None)
        system, messages = _split(request.messages)
        prompt = self._prompt(system, mark if sections.cache_system else None)
        conversation = self._conversation(messages, repair)
        if not conversation:
            raise EncodeError("no message with content", wire=_WIRE, path="$.messages")
        choice = self._tool_choice() if tools else None
        thinking, effort = self._thinking(choice)
        max_tokens, thinking = self._max_tokens(thinking)
        body = wire.Body(
            model=request.model,
            max_tokens=max_tokens,
            stream=request.stream,
            service_tier=self._service_tier(),
            metadata=wire.Metadata(request.user_id) if request.user_id is not None else None,
            temperature=self._temperature(thinking),
            top_p=request.top_p,
            top_k=request.top_k,
            stop_sequences=request.stop or None,
            thinking=thinking,
            output_config=self._output_config(effort),
            cache_control=wire.CacheControl(cache.ttl) if sections.cache_messages else None,
            tools=tools or None,
            tool_choice=choice,
            system=prompt or None,
            messages=conversation,
        )
        return self._with_extras(body, request)

    def _mark(self, mark: CacheMark | None, part: Any) -> wire.CacheControl | None:
        """Return a breakpoint, if any is left; an hour may not follow five minutes."""
        if mark is None:
            return None
        if self._marks_left == 0:
            self._lose("cache mark", part)
            return None
        self._marks_left -= 1
        ttl = mark.ttl
        if ttl == "1h" and self._short_marks:
            self._lose("cache ttl", part)
            ttl = None
        self._short_marks |= ttl != "1h"
        return wire.CacheControl(ttl)

    # -- tools and parameters ------------------------------------------------------------------

    def _tools(self, mark: CacheMark | None) -> list[Any]:
        tools: list[Any] = []
        given = self._request.tools or []
        for tool in given:
            if isinstance(tool, OpaqueBlock):
                if tool.api == API:
                    tools.append(tool.raw)
                else:
                    self._lose("opaque tool", tool)
            else:
                own = tool.cache or (mark if tool is given[-1] else None)
                schema = tool.parameters if tool.parameters is not None else _NO_PARAMETERS
                made = wire.Tool(
                    self._name(tool.name, tool),
                    schema,
                    tool.description,
                    tool.strict,
                    self._mark(own, tool),
                )
                tools.append(self._with_extras(made, tool))
        return tools

    def _name(self, name: str, part: Any) -> str:
        """Return a tool's name in this wire's alphabet."""
        mapped = self._names.get(name)
        if mapped is None:
            mapped = name
            if not _WORD.fullmatch(name) or len(name) > _LONGEST_NAME:
                self._lose("tool name", part)
                mapped = _mapped(name)[:_LONGEST_NAME]
            self._names[name] = mapped
        return mapped

    def _tool_choice(self) -> wire.ToolChoice | None:
        choice = self._request.tool_choice
        single = True if self._request.parallel_tool_calls is False else None
        if choice is None:
            return wire.ToolChoice("auto", disable_parallel_tool_use=True) if single else None
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
        asked = self._request.temperature
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
        blocks = [block for message in system for block in message.content]
        texts: list[Any] = []
        for block in blocks:
            if type(block) is not TextBlock:
                self._lose("system content", block)
            elif block.text and not block.text.isspace():
                own = block.cache or (mark if block is blocks[-1] else None)
                made = wire.Text(block.text, self._mark(own, block))
                texts.append(self._with_extras(made, block))
        return texts

    def _conversation(self, messages: list[Message], repair: bool) -> list[Any]:
        grouped = self._placed(turns(messages, _WIRE, repair=repair))
        last = grouped[-1] if grouped else None
        conversation: list[Any] = []
        for turn in grouped:
            if turn.role == "assistant":
                self._ids.new_turn()
            content: list[Any] = [self._result(result) for result in turn.results]
            for message in turn.messages:
                self._message(message, content)
            if turn.role == "system":
                content = self._prompt(turn.messages, None)
            elif turn is last and turn.role == "assistant":
                self._strip_end(content)
            if not all(map(_is_blank, content)):
                made = wire.Message(turn.role, content)
                conversation.append(self._turn_with_extras(made, turn.messages))
        return conversation

    def _placed(self, grouped: list[Turn]) -> list[Turn]:
        """Put system turns where the API takes them: after a user turn, before an assistant's."""
        placed: list[Turn] = []
        held: list[Turn] = []

        def release() -> None:
            if held and not (placed and placed[-1].role == "user"):
                for turn in held:
                    self._lose("system place", turn.messages[0])
                texts = [UserMessage(turn.messages[0].content) for turn in held]
                placed.append(Turn("user", list(texts)))
            else:
                placed.extend(held)
            held.clear()

        for turn in grouped:
            if turn.role == "system":
                held.append(turn)
            elif turn.role == "assistant":
                release()
                placed.append(turn)
            else:
                for system in held:
                    self._lose("system place", system.messages[0])
                if placed and placed[-1].role == "user":
                    placed[-1].messages.extend(turn.messages)
                else:
                    placed.append(turn)
        release()
        return placed

    def _turn_with_extras(self, turn: Any, messages: list[Message]) -> Any:
        for message in messages:
            turn = self._with_extras(turn, message)
            if not isinstance(message, ToolResultMessage) and message.name is not None:
                self._lose("name", message)
        return turn

    def _message(self, message: Message, content: list[Any]) -> None:
        for block in message.content:
            made = _BLOCKS[type(block)](self, block, message)
            if made is not None:
                content.append(self._with_extras(made, block))

    def _result(self, result: Result) -> Any:
        content: list[Any] = []
        for block in result.content:
            if type(block) in _IN_RESULTS or (type(block) is OpaqueBlock and block.api == API):
                made = _BLOCKS[type(block)](self, block, None)
                if made is not None:
                    content.append(self._with_extras(made, block))
            else:
                self._lose("tool result content", block)
        mark = result.cache if type(result) is ToolResultBlock else None
        made = wire.ToolResult(
            self._ids.result(result.tool_call_id),
            content,
            result.is_error,
            self._mark(mark, result),
        )
        return self._with_extras(made, result)

    def _strip_end(self, content: list[Any]) -> None:
        """Strip the end of the text that the answer is to continue, as the API demands."""
        last: Any = content[-1] if content else None
        if type(last) in (wire.Text, TextBlock) and last.text != last.text.rstrip():
            self._lose("trailing space", self._request.messages[-1])
            content[-1] = replace(last, text=last.text.rstrip())

    # -- blocks: each returns what stands in `content`, or None for nothing --------------------

    def _text(self, block: TextBlock, _: Message | None) -> Any:
        text = block.text
        if not text:
            return None
        if block.annotations is not None and not _is_cited(block):
            self._lose("annotation", block)
        if block.cache is not None:
            return wire.Text(text, self._mark(block.cache, block))
        if block.annotations is None and block.signature is None and block.extras is None:
            return block  # our JSON is already theirs
        return wire.Text(text)

    def _thinking_block(self, block: ThinkingBlock, message: Message | None) -> Any:
        if block.signature is None or not _is_own(message):
            self._lose("thinking", block)
            return None
        if block.redacted:
            return wire.RedactedThinking(block.signature)
        return wire.Thinking(block.thinking, block.signature)

    def _call(self, block: ToolCallBlock, message: Message | None) -> Any:
        if type(message) is not AssistantMessage:
            self._lose("tool call", block)
            return None
        arguments = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            text = block.arguments.text.decode("utf-8", "replace")
            arguments = Raw(_encode({"raw_arguments": text}))
        return wire.ToolUse(
            self._ids.call(block.id),
            self._name(block.name, block),
            arguments,
            self._mark(block.cache, block),
        )

    def _image(self, block: ImageBlock, _: Message | None) -> Any:
        media = block.inline()
        source: Any = None
        if media is not None:
            media_type = block.known_mime_type()
            if media_type in _IMAGE_TYPES:
                source = wire.Base64Source(media_type, media)
        else:
            source = _remote(block)
        if source is None:
            self._lose("image", block)
            return None
        return wire.Image(source, self._mark(block.cache, block))

    def _document(self, block: DocumentBlock, _: Message | None) -> Any:
        source = _document_source(block)
        if source is None:
            self._lose("document", block)
            return None
        return wire.Document(
            source,
            block.title or block.filename,
            block.context,
            wire.Citations(block.citations) if block.citations is not None else None,
            self._mark(block.cache, block),
        )

    def _transcript(self, block: AudioBlock | VideoBlock, _: Message | None) -> Any:
        self._lose("audio" if type(block) is AudioBlock else "video", block)
        return wire.Text(block.transcript) if block.transcript else None

    def _error(self, block: ErrorBlock, _: Message | None) -> Any:
        self._lose("error", block)
        return wire.Text(block.message) if block.message.strip() else None

    def _data(self, block: DataBlock, _: Message | None) -> None:
        self._lose("data", block)

    def _annotation(self, block: AnnotationBlock, _: Message | None) -> None:
        self._lose("annotation", block)

    def _opaque(self, block: OpaqueBlock, _: Message | None) -> RawJson | None:
        if block.api == API:
            return block.raw
        self._lose("opaque block", block)
        return None

    def _written(self, block: ToolResultBlock, _: Message | None) -> None:
        """Nothing: results stand at the start of their turn, and are written there."""


_BLOCKS: Final[dict[type, Callable[[_Writer, Any, Message | None], Any]]] = {
    TextBlock: _Writer._text,
    ThinkingBlock: _Writer._thinking_block,
    ToolCallBlock: _Writer._call,
    ToolResultBlock: _Writer._written,
    ImageBlock: _Writer._image,
    DocumentBlock: _Writer._document,
    AudioBlock: _Writer._transcript,
    VideoBlock: _Writer._transcript,
    DataBlock: _Writer._data,
    AnnotationBlock: _Writer._annotation,
    ErrorBlock: _Writer._error,
    OpaqueBlock: _Writer._opaque,
}
_IN_RESULTS: Final = frozenset({TextBlock, ImageBlock, DocumentBlock})


def _is_blank(made: Any) -> bool:
    """Whether a block is white space only, which the API refuses where it is all there is."""
    return type(made) in (wire.Text, TextBlock) and made.text.isspace()


def _split(messages: list[Message]) -> tuple[list[SystemMessage], list[Message]]:
    """Return the system messages at the start, and the rest."""
    system: list[SystemMessage] = []
    for message in messages:
        if type(message) is not SystemMessage:
            break
        system.append(message)
    return system, messages[len(system) :]


def _is_own(message: Message | None) -> bool:
    """Whether the signatures in a message are this API's."""
    if type(message) is not AssistantMessage:
        return False
    return message.api == API if message.api is not None else message.provider in _SIGNERS


def _is_cited(block: TextBlock) -> bool:
    """Whether the block still has the citations that came over this API."""
    extra = (block.extras or {}).get(API)
    return extra is not None and "citations" in extra.keys.value


def _remote(block: MediaBlock) -> wire.UrlSource | wire.FileSource | None:
    if block.file_id is not None:
        return wire.FileSource(block.file_id)
    if block.url is not None and block.url.startswith(("https://", "http://")):
        return wire.UrlSource(block.url)
    return None


def _document_source(block: DocumentBlock) -> Any:
    if block.text is not None:
        return wire.TextSource(block.text)
    media = block.inline()
    if media is None:
        return _remote(block)
    media_type = block.known_mime_type()
    if media_type == "application/pdf":
        return wire.Base64Source(media_type, media)
    if not media_type.startswith("text/"):
        return None
    try:
        return wire.TextSource(media.to_bytes().decode())
    except (DecodeError, UnicodeDecodeError):
        return None


def _call_id(call_id: str) -> str:
    return call_id if _WORD.fullmatch(call_id) else _mapped(call_id)


def _mapped(word: str) -> str:
    """Return the word in `[a-zA-Z0-9_-]`, with a hash of the original so that no two become one."""
    digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{re.sub(r'[^a-zA-Z0-9_-]', '_', word)[: _LONGEST_NAME - 9]}_{digest}"
