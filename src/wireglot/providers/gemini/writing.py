"""Messages -> the contents of Gemini's generateContent, part by part."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Raw

from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
    DataBlock,
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
from ...model.blocks import MediaBlock
from .._turns import Disorder, Result
from .._waiting import Call, Waiting
from .._writing import RequestWriter, encode, hashed, is_plain
from . import wire
from .parts import PartWriter, is_own

__all__ = ["UNSIGNED", "MessageWriter", "said"]

UNSIGNED: Final = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
"""The signature that Google documents for calls that another model made.

It is `skip_thought_signature_validator` in base64, as signatures are.
"""

_is_name: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}").fullmatch
_LETTER: Final = re.compile(r"[a-zA-Z0-9_.:-]")
_LONGEST_NAME: Final = 128
_OPENING: Final = " "
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode


class MessageWriter(PartWriter, RequestWriter):
    """The state of one encoding: open calls and tool names."""

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        self._open: dict[str, Call] = {}
        self._waiting = Waiting()
        self._names: dict[str, str] = {}
        self._unsigned = False  # whether the next call is the first of an answer of another API
        self.is_whole = False  # whether the conversation is written from its start
        self._takes_empty = dialect != "vertex"  # empty text

    # -- messages ------------------------------------------------------------------------------

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write each message as a content; results in a row share one, and so do answers.

        The API compares the number of results in a content with the number of calls in the one
        before it. A user's content beside results becomes a content of its own, unless the message
        came over this API. An answer that comes first gets a user's turn before it: the API refuses
        calls there.
        """
        out: list[Any] = []
        joins: Any = None  # what shares the last content: answers, results, or nothing
        kind: Any = None
        message: Any
        for message in messages:
            before, kind = kind, type(message)
            role = "user"
            if kind is ToolResultMessage:
                made = self._with_extras(self._result(message), message)
                joins = self._put(out, joins, "results", wire.Content(role, [made]))
                continue
            if kind is AssistantMessage:
                if not self._open:
                    self._waiting = Waiting()
                elif before is not AssistantMessage:
                    raise Disorder
                self._answers += 1
                role = "model"
            elif kind is SystemMessage:
                if self._open:
                    raise Disorder
                if message.content:
                    self._lose("system place", message)
            elif kind is not UserMessage and kind is not ToolMessage:
                raise Disorder
            parts = self._parts(message)
            if not parts:
                self._lose_keys(message)
                continue
            if message.name is not None:
                self._lose("name", message)
            holds = "answers" if role == "model" else None
            if holds is None and _is_result(parts[0]):
                holds = "results"
                rest = self._apart(parts, message)
                if rest:
                    parts = parts[: -len(rest)]
                    joins = self._put(out, joins, holds, wire.Content(role, parts))
                    holds, parts = None, rest
            content = wire.Content(role, parts)
            if message.extras is not None:
                if self._came(message, "role") == "function":
                    content.role = "function"
                content = self._with_extras(content, message)
            joins = self._put(out, joins, holds, content)
        if self._open:
            raise Disorder
        if out and _is_models(out[0]) and self._is_start(messages):
            out.insert(0, wire.Content("user", [wire.Part(_OPENING)]))
        return out

    def _put(self, out: list[Any], joins: Any, holds: Any, content: Any) -> Any:
        """Append a content, or its parts to the last one if both hold the same; return `holds`.

        A content with unknown keys of its own is not joined.
        """
        if holds is None or joins != holds:
            out.append(content)
        elif type(content) is wire.Content:
            _parts_of(out[-1]).extend(content.parts or ())
        elif content.keys() <= {"role", "parts"}:
            _parts_of(out[-1]).extend(content["parts"])
        else:
            out.append(content)
        return holds

    def is_settled(self, made: list[Any]) -> bool:
        """Whether no later message can change these; after a turn without parts, one can."""
        return not _is_models(made[-1])

    def _is_start(self, messages: list[Message]) -> bool:
        """Whether nothing but the system prompt comes before these messages."""
        if self.sent:
            return False
        first = (m for m in self._request.messages if type(m) is not SystemMessage)
        return self.is_whole or messages[0] is next(first, None)

    def _apart(self, parts: list[Any], message: Any) -> list[Any]:
        """Return the parts behind the results, unless they go in one content with them."""
        if self.API in (message.extras or ()):
            return []
        return parts[sum(map(_is_result, parts)) :]

    def _parts(self, message: Any) -> list[Any]:
        parts: list[Any] = []
        content: Any = message.content
        is_answer = type(message) is AssistantMessage
        self._is_own = is_answer and is_own(message)
        self._unsigned = is_answer and not self._is_own
        for block in content:
            kind = type(block)
            if (
                kind is TextBlock
                and block.signature is None
                and block.annotations is None
                and block.cache is None
                and block.extras is None
                and (is_answer or not self._open)
                and (block.text or self._takes_empty)
            ):
                parts.append(wire.Part(block.text))
                continue
            write = _BLOCKS.get(kind)
            if write is None:
                self._fail(f"`{kind.__name__}` is not a block", block)
            made = write(self, block, message)
            if kind in _MARKED and block.cache is not None:
                self._lose("cache mark", block)
            if made is not None:
                parts.append(made if block.extras is None else self._with_extras(made, block))
        return parts

    def prompt(self, system: Sequence[Any]) -> Any:
        """Write system messages as one `systemInstruction`."""
        parts: list[Any] = []
        self._is_own = False
        for message in system:
            if message.name is not None:
                self._lose("name", message)
            for block in message.content:
                if type(block) is not TextBlock:
                    self._lose("system content", block)
                    continue
                part = self._text(block, message)
                if block.cache is not None:
                    self._lose("cache mark", block)
                if part is not None:
                    parts.append(part if block.extras is None else self._with_extras(part, block))
        if len(system) == 1 and parts:
            return self._with_extras(wire.Content(parts=parts), system[0])
        for message in system:
            self._lose_keys(message)
        return wire.Content(parts=parts) if parts else None

    # -- parts: what stands for a block, or None for nothing -----------------------------------

    def _text(self, block: TextBlock, message: Any) -> Any:
        self._after_results(message)
        if block.annotations:
            self._lose("annotation", block)
        return self._words(block.text, block, self._signature(block))

    def _words(self, text: str, block: Any, signature: str | None = None) -> Any:
        """Return a text, None if it is empty and unsigned and the dialect refuses that."""
        if text or signature or self._takes_empty:
            return wire.Part(text, thought_signature=signature)
        self._lose_keys(block)
        return None

    def _thinking_block(self, block: ThinkingBlock, message: Any) -> Any:
        if not self._is_own:
            self._lose("thinking", block)
            return None
        if block.redacted:
            self._lose("redacted thinking", block)
            return None
        made = self._words(block.thinking, block, self._signature(block))
        if made is not None:
            made.thought = True
        return made

    def _call(self, block: ToolCallBlock, message: Any) -> Any:
        if type(message) is not AssistantMessage:
            self._lose("tool call", block)
            return None
        if block.id in self._open:
            raise Disorder
        arguments = self._arguments(block)
        name = self._names.get(block.name) or self._name(block.name, block)
        call_id = None if self._is_made_up(block) else block.id or None
        self._open[block.id] = waiting = Call(block.id, name, call_id)
        self._waiting.add(waiting)
        signature = self._signature(block)
        if self._unsigned:
            signature = UNSIGNED
            self._unsigned = False
        call = wire.FunctionCall(name, arguments, call_id)
        return wire.Part(function_call=call, thought_signature=signature)

    def _result(self, result: Result) -> Any:
        call = self._open.pop(result.tool_call_id, None)
        if call is None:
            raise Disorder
        content: Any = result.content
        if result.extras is None and len(content) == 1 and is_plain(content):
            response = {"error" if result.is_error else "output": content[0].text}
            self._tie(call, call.sent, call.name)
            made = wire.FunctionResponse(call.name, response, call.sent)
            return wire.Part(function_response=made)
        texts: list[str] = []
        attached: list[Any] = []
        for block in content:
            if type(block) is TextBlock:
                texts.append(block.text)
                if block.annotations:
                    self._lose("annotation", block)
                if block.cache is not None:
                    self._lose("cache mark", block)
                if block.extras is not None and self._own_keys(block):
                    self._lose("extras", block)
            elif type(block) is OpaqueBlock and block.api == self.API:
                attached.append(self._with_extras(self._opaque(block), block))
            elif isinstance(block, MediaBlock):
                part = self._media(block, None)
                if block.cache is not None:
                    self._lose("cache mark", block)
                if part is not None:
                    attached.append(self._with_extras(part, block))
            else:
                self._lose("tool result content", block)
        response = self._response(result, "\n".join(texts))
        sent: str | None = call.sent
        name = call.name
        if not self._is_as_called():
            own = self._own_tie(result)
            sent = own.get("id", None if self._is_made_up(result) else sent)
            if own.get("name", name) == result.tool_name:
                name = own.get("name", name)
        self._tie(call, sent, name)
        made = wire.FunctionResponse(name, response, sent, attached or None)
        return wire.Part(function_response=made)

    def _tie(self, call: Call, sent: str | None, name: str) -> None:
        """Make sure that a reader will find the call of a result, or note the answer (`_untie`)."""
        if sent is not None and sent == call.sent:
            call.is_answered = True
            return
        found = self._waiting.answered(sent, name)
        if found is None and sent is not None:
            found = self._waiting.answered(None, name)
        if found is not call:
            self._untie()

    def _own_tie(self, result: Result) -> dict[str, Any]:
        """Return the `id` and `name` that a result came with, where those of its call differ."""
        extra = (result.extras or {}).get(self.API)
        if extra is None or extra.spelling is None:
            return {}
        own: dict[str, Any] = extra.spelling.value.get("functionResponse", {})
        return own

    def _response(self, result: Result, text: str) -> Any:
        """Return the object that carries the text: as it came, if it still says the same."""
        extra = (result.extras or {}).get(self.API)
        if extra is not None and extra.spelling is not None:
            held = _keys(extra.spelling.text).get("functionResponse")
            came = _keys(held).get("response") if held is not None else None
            if came is not None and said(came)[:2] == (text, result.is_error):
                return came
        # Raw JSON, so that no unknown keys are merged into it.
        return Raw(encode({"error" if result.is_error else "output": text}))

    def _result_block(self, block: ToolResultBlock, message: Any) -> Any:
        if type(message) in (UserMessage, ToolMessage):
            return self._result(block)
        self._lose("tool result", block)
        return None

    def _media(self, block: MediaBlock, message: Any) -> Any:
        self._after_results(message)
        return self._media_part(block, takes_text=message is not None)

    def _error(self, block: ErrorBlock, message: Any) -> Any:
        self._after_results(message)
        self._lose("error", block)
        return self._words(block.message, block)

    def _annotation(self, block: AnnotationBlock, _: Any) -> None:
        self._lose("annotation", block)

    def _opaque_block(self, block: OpaqueBlock, message: Any) -> Any:
        if block.api != self.API:
            self._lose("opaque block", block)
            return None
        self._after_results(message)
        made = self._opaque(block)
        if made.text == b"{}" and type(message) is AssistantMessage:
            return None  # models send empty parts, but the API refuses them
        return made

    def _after_results(self, message: Any) -> None:
        """Raise `Disorder` for a user's content before the results of open calls."""
        if self._open and message is not None and type(message) is not AssistantMessage:
            raise Disorder

    def _name(self, name: str, part: Any) -> str:
        """Return a tool's name in this wire's alphabet."""
        mapped = self._names.get(name)
        if mapped is None:
            mapped = name
            if not _is_name(name):
                self._lose("tool name", part)
                mapped = "_" + hashed(name, _LETTER, _LONGEST_NAME - 1)
            self._names[name] = mapped
        return mapped


_MARKED: Final = frozenset(
    {
        TextBlock,
        ToolCallBlock,
        ToolResultBlock,
        ImageBlock,
        DocumentBlock,
        AudioBlock,
        VideoBlock,
        DataBlock,
    }
)
_BLOCKS: Final[dict[type, Callable[[MessageWriter, Any, Any], Any]]] = {
    TextBlock: MessageWriter._text,
    ThinkingBlock: MessageWriter._thinking_block,
    ToolCallBlock: MessageWriter._call,
    ToolResultBlock: MessageWriter._result_block,
    ImageBlock: MessageWriter._media,
    DocumentBlock: MessageWriter._media,
    AudioBlock: MessageWriter._media,
    VideoBlock: MessageWriter._media,
    DataBlock: MessageWriter._media,
    AnnotationBlock: MessageWriter._annotation,
    ErrorBlock: MessageWriter._error,
    OpaqueBlock: MessageWriter._opaque_block,
}


def said(response: Raw) -> tuple[str, bool, bool]:
    """Return the text of a function's response, whether it is an error, and whether it is ours.

    The text is the value of `output`, `result` or `error`, if that is the only key. A value that is
    not a string is taken as its JSON, and so is any other object. Ours is what the encoder writes.
    """
    keys = _keys(response) if bytes(memoryview(response)[:1]) == b"{" else {}
    word, raw = next(iter(keys.items()), ("", response))
    if len(keys) != 1 or word not in ("output", "result", "error"):
        return bytes(response).decode(), False, False
    if bytes(memoryview(raw)[:1]) == b'"':
        return _value(raw), word == "error", word != "result"
    return bytes(raw).decode(), word == "error", False


def _is_result(part: Any) -> bool:
    if type(part) is wire.Part:
        return part.function_response is not None
    return type(part) is dict and "functionResponse" in part


def _parts_of(content: Any) -> list[Any]:
    parts: list[Any] = content["parts"] if type(content) is dict else content.parts
    return parts


def _is_models(content: Any) -> bool:
    role: Any = content.get("role") if type(content) is dict else content.role
    return bool(role == "model")
