"""Messages -> the items of Responses."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Raw

from ...losses import Losses
from ...model import (
    AssistantMessage,
    AudioBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    Message,
    OpaqueBlock,
    Request,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
    VideoBlock,
)
from .._turns import Disorder, is_failure
from .._writing import encode
from . import wire
from .dialects import SERVICES
from .parts import LONGEST, PartWriter, is_plain_text, joined

__all__ = ["MessageWriter"]

_SIGNERS: Final = frozenset({"openai"})  # `provider` of a message that names no `api`
_NOT_IN_ANSWERS: Final = frozenset({ImageBlock, DocumentBlock})
_IN_RESULTS: Final = frozenset(
    {TextBlock, ErrorBlock, ImageBlock, DocumentBlock, AudioBlock, VideoBlock, OpaqueBlock}
)
_STORED: Final = ("previous_response_id", "conversation")
_UNSET: Final = frozenset({b"", b"null", b'""', b"false", b"0", b"{}", b"[]"})
_RESULTS: Final = {"custom": "custom_tool_call_output", "function": "function_call_output"}
_ECHOED: Final = frozenset({"id", "status"})
_TRUE: Final = Raw(b"true")
_NONE: Final = frozenset({b"", b"null"})
_NO_ARGUMENTS: Final = Raw(b'"{}"')
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


class _Answer:
    """A message of an answer that is being written: its parts, and its keys from its first part."""

    def __init__(self, own: dict[str, Raw], spelling: dict[str, Raw]) -> None:
        self.parts: list[Any] = []
        self.own = own
        self.spelling = spelling

    def item(self) -> Any:
        """Return the item; a single text becomes a string, unless the message has an id."""
        made = wire.Item(role="assistant", content=_content(self.parts))
        if "id" in self.spelling:
            made.type = "message"
            made.content = [_annotated(part) for part in self.parts]
        return joined(made, self.own, self.spelling)


class MessageWriter(PartWriter):
    """The state of one encoding: open calls, and ids of the API's own calls."""

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        self._opaque_calls: set[Any] = set()
        self._is_reasoned = False  # whether reasoning of the current answer has been written
        self._is_stored = False
        if request.extras is not None and self.API in request.extras:
            stored = _keys(request.extras[self.API].keys.text)
            self._is_stored = any(bytes(stored.get(key, b"")) not in _UNSET for key in _STORED)

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages as items: one for each text of an answer, each call and each result.

        A message without content is left out.
        """
        out: list[Any] = []
        for message in messages:
            kind = type(message)
            if kind is AssistantMessage:
                if self._open:
                    raise Disorder
                self._answer(message, out)
            elif kind is ToolResultMessage:
                out.append(self._result(message))
            elif kind is UserMessage or kind is ToolMessage:
                self._said(message, "user", out)
            elif kind is SystemMessage:
                if self._open:
                    raise Disorder
                is_developer = message.extras is not None and self._shape(message)[0] == "developer"
                self._said(message, "developer" if is_developer else "system", out)
            else:
                raise Disorder
        if self._open:
            raise Disorder
        return out

    def instructions(self, message: SystemMessage) -> str | None:
        """Return the text of a system message that came as `instructions`, None for any other."""
        if message.extras is None or self._shape(message)[0] != "instructions":
            return None
        block = message.content[0] if len(message.content) == 1 else None
        is_text = type(block) is TextBlock and is_plain_text(block)
        if not is_text or message.name is not None or message.extras[self.API].keys.text != b"{}":
            return None
        self._own_keys(message)  # those of other APIs are a loss
        return message.text()

    def _said(self, message: Any, role: str, out: list[Any]) -> None:
        """Write a user or system message, its results first; opaque items divide it."""
        content = message.content
        if len(content) == 1 and message.extras is None and message.name is None:
            only = content[0]
            if type(only) is TextBlock and is_plain_text(only):
                if self._open:
                    raise Disorder
                out.append(wire.Item(role=role, content=only.text))
                return
        parts: list[Any] = []
        start = len(out)
        is_system = role != "user"
        for block in content:
            kind = type(block)
            if kind is TextBlock and is_plain_text(block):
                parts.append(wire.Part("input_text", block.text))
            elif kind is ToolResultBlock:
                if is_system:
                    self._lose("tool result", block)
                else:
                    out.append(self._result(block))
                    start += 1
            elif kind is OpaqueBlock and block.api == self.API and self._is_item(block):
                self._flush(message, role, parts, out, len(out) == start)
                parts = []
                out.append(self._opaque_item(block))
            else:
                made = self._part(block)
                if made is not None:
                    parts.append(made)
        self._flush(message, role, parts, out, len(out) == start)
        if message.name is not None:
            self._lose("name", message)

    def _flush(
        self, message: Any, role: str, parts: list[Any], out: list[Any], is_first: bool
    ) -> None:
        """Write parts as a message; the first one written gets the extras of `message`."""
        if not parts:
            if is_first and message.extras is not None and self._own_keys(message):
                self._lose("extras", message)
            return
        if self._open:
            raise Disorder
        made = wire.Item(role=role, content=_content(parts))
        out.append(self._with_extras(made, message) if is_first else made)

    # -- answers -------------------------------------------------------------------------------

    def _answer(self, message: Any, out: list[Any]) -> None:
        self._is_reasoned = False
        answer: _Answer | None = None
        thoughts: list[Any] = []  # the reasoning that nothing follows yet
        for block in message.content:
            kind = type(block)
            if kind is TextBlock and is_plain_text(block):
                made: Any = wire.Item(role="assistant", content=block.text)
            elif kind is ToolCallBlock:
                made = self._call(block, message)
            elif kind is ThinkingBlock:
                made = self._thought(block, message)
            elif kind is OpaqueBlock and block.api == self.API and self._is_item(block):
                made = self._opaque_item(block)
            else:
                goes_on = self._answered(block, answer)
                if goes_on is not None and goes_on is not answer:
                    if answer is not None:
                        out.append(answer.item())
                    answer = goes_on
                    thoughts.clear()
                continue
            if made is None:
                continue
            if answer is not None:
                out.append(answer.item())
                answer = None
            out.append(made)
            if kind is ThinkingBlock:
                self._is_reasoned = True
                thoughts.append(block)
            else:
                thoughts.clear()
        if answer is not None:
            out.append(answer.item())
        while thoughts and "id" in self._spelling(thoughts[-1]):
            self._lose("thinking at the end", thoughts.pop())
            out.pop()
        if message.name is not None:
            self._lose("name", message)
        if message.extras is not None and self._own_keys(message):
            self._lose("extras", message)

    def _answered(self, block: Any, answer: _Answer | None) -> _Answer | None:
        """Add a block's part to an answer's message, and return that; None if there is no part."""
        kind = type(block)
        if kind is ToolResultBlock:
            self._lose("tool result", block)
            return None
        if kind in _NOT_IN_ANSWERS or (kind is OpaqueBlock and self._is_users(block)):
            self._lose("answer content", block)
            return None
        part: Any = self._opaque(block) if kind is OpaqueBlock and block.api == self.API else None
        if kind is TextBlock and block.extras is not None and self._shape(block)[0] == "refusal":
            part = wire.Part("refusal", refusal=block.text)
        elif part is None:
            part = self._bare(block)
            if part is None:
                return None
            part.type = "output_text"
            if part.prompt_cache_breakpoint is not None:
                part.prompt_cache_breakpoint = None
                self._lose("cache mark", block)
        own = self._own_keys(block) if block.extras is not None else {}
        spelling = self._spelling(block)
        raw = own.get("message")
        whole = _object(own.pop("message")) if raw is not None and bytes(raw)[:1] == b"{" else {}
        if answer is None or spelling.get("next") != _TRUE:
            answer = _Answer(whole, self._tied(_object(spelling.get("message"))))
        answer.parts.append(joined(part, own, spelling))
        return answer

    def _is_users(self, block: OpaqueBlock) -> bool:
        """Whether an opaque part is of a type that no answer holds, and did not come in one."""
        if block.api != self.API or self._shape(block)[0] == "part":
            return False
        return block.raw.value.get("type") not in ("output_text", "refusal")

    def _thought(self, block: Any, message: Any) -> Any:
        """Return the item for thinking that came over this API and dialect; any other is lost.

        Each service encrypts with its own keys, and refuses what another has encrypted.
        """
        extra = block.extras.get(self.API) if block.extras is not None else None
        came = extra is not None and extra.dialect in (None, self._dialect)
        is_unmarked = extra is None and not self._service.reasoning_ids
        is_found = came or (is_unmarked and bool(block.signature))
        if not is_found or not self._is_own(message):
            self._lose("thinking", block)
            return None
        texts = [block.thinking] if block.thinking else []
        if block.details and "\n\n".join(block.details) == block.thinking:
            texts = block.details
        made = wire.Item("reasoning", summary=[], encrypted_content=block.signature or None)
        if came and self._shape(block)[0] == "content":
            made.content = [wire.Part("reasoning_text", text) for text in texts]
        else:
            made.summary = [wire.Part("summary_text", text) for text in texts]
        return self._with_extras(made, block)

    def _is_own(self, message: Any) -> bool:
        """Whether the reasoning in a message is this service's."""
        if message.provider in SERVICES and message.provider != self._dialect:
            return False
        return message.api == self.API if message.api is not None else message.provider in _SIGNERS

    def _opaque_item(self, block: OpaqueBlock) -> Any:
        raw = self._opaque(block)
        call_id = raw.value.get("call_id")
        if isinstance(call_id, str):
            self._opaque_calls.add(call_id)
        self._is_reasoned |= raw.value.get("type") == "reasoning"
        return self._with_extras(raw, block)

    def _spelling(self, part: Any) -> dict[str, Raw]:
        return self._tied(super()._spelling(part))

    def _tied(self, spelling: dict[str, Raw]) -> dict[str, Raw]:
        """Return an item's spelling, without its id if the reasoning before it was not written.

        By the id the API knows which reasoning belongs to an item, and refuses one without it.
        """
        if "after" not in spelling or self._is_reasoned:
            return spelling
        return {key: spelling[key] for key in spelling if key not in _ECHOED}

    # -- calls and results ---------------------------------------------------------------------

    def _call(self, block: Any, message: Any) -> Any:
        call_id = block.id
        if call_id in self._open:
            raise Disorder
        if block.cache is not None:
            self._lose("cache mark", block)
        wire_id = call_id if 0 < len(call_id) <= LONGEST else self._call_id(call_id)
        name = self._names.get(block.name) or self._tool_name(block.name, block)
        text = block.arguments.string_json()
        if block.tool_type == "custom":
            if self._service.custom or self._came_so(block):
                self._open[call_id] = ("custom_tool_call_output", wire_id)
                made = wire.Item("custom_tool_call", wire_id, name, input=text)
                return made if block.extras is None else self._with_extras(made, block)
            self._lose("custom call", block)
            text = Raw(encode(encode({"input": text}).decode()))
        elif message.api != self.API and block.arguments.text.strip() in _NONE:
            text = _NO_ARGUMENTS
        self._open[call_id] = ("function_call_output", wire_id)
        made = wire.Item("function_call", wire_id, name, text)
        return made if block.extras is None else self._with_extras(made, block)

    def _result(self, result: Any) -> Any:
        call = self._open.pop(result.tool_call_id, None)
        if call is None:
            if not self._is_stored and result.tool_call_id not in self._opaque_calls:
                raise Disorder
            call = ("function_call_output", self._call_id(result.tool_call_id))
        kind, wire_id = call
        if result.is_error and is_failure(result):
            self._lose("error flag", result)
        if result.extras is None:
            return wire.Item(kind, wire_id, output=self._output(result))
        kind = _RESULTS.get(self._shape(result)[0], kind)
        return self._with_extras(wire.Item(kind, wire_id, output=self._output(result)), result)

    def _output(self, result: Any) -> Any:
        """Return the content of a result: a string, if it is one plain text."""
        content = result.content
        cache = result.cache if type(result) is ToolResultBlock else None
        if len(content) == 1 and cache is None:
            block = content[0]
            if type(block) is TextBlock and is_plain_text(block):
                return block.text
        parts: list[Any] = []
        for block in content:
            block_kind = type(block)
            if block_kind not in _IN_RESULTS or (
                block_kind is OpaqueBlock and block.api == self.API and self._is_item(block)
            ):
                self._lose("tool result content", block)
            else:
                part = self._part(block)
                if part is not None:
                    parts.append(part)
        if cache is not None:
            last = parts[-1] if parts else None
            if type(last) is wire.Part:
                self._mark(last, cache, result)
            else:
                self._lose("cache mark", result)
        return _content(parts) if parts else ""


def _content(parts: list[Any]) -> Any:
    """Return parts as `content`: a string, if they are one plain text."""
    if len(parts) == 1:
        part = parts[0]
        if (
            type(part) is wire.Part
            and part.text is not None
            and part.prompt_cache_breakpoint is None
        ):
            return part.text
    return parts


def _annotated(part: Any) -> Any:
    """Return a text part with `annotations`, which the SDK's type requires with an id."""
    if type(part) is wire.Part and part.type == "output_text" and part.annotations is None:
        part.annotations = []
    return part


def _object(raw: Raw | None) -> dict[str, Raw]:
    return _keys(raw) if raw is not None else {}
