"""Messages -> the messages of Chat Completions."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from ...losses import Losses
from ...model import (
    AssistantMessage,
    AudioBlock,
    DataBlock,
    ErrorBlock,
    Message,
    OpaqueBlock,
    Request,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ThinkingLevel,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
)
from .._media import is_foreign_file
from .._turns import Disorder, is_failure
from .._writing import RequestWriter, encode, hashed
from . import wire
from .parts import LETTER, LONGEST_NAME, MEDIA, PartWriter, as_content

__all__ = ["MessageWriter"]

_SIGNERS: Final = frozenset({"openrouter"})  # `provider` of a message that names no `api`
_IN_RESULTS: Final = frozenset({TextBlock, ErrorBlock, OpaqueBlock, *MEDIA})
_REFUSALS: Final = frozenset({"refusal", "refusal part"})
_USERS_PARTS: Final = frozenset({"image_url", "input_audio", "file", "video_url"})


class _Legacy(Struct):
    """A deprecated `function_call`: the name that its result has to repeat."""

    name: str


class MessageWriter(PartWriter, RequestWriter):
    """The state of one encoding: open calls, and whether thinking must go back."""

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        thinking = request.thinking
        is_off = thinking is not None and thinking.level is ThinkingLevel.OFF
        self._longest_id = self._service.longest_id
        self._replays = self._service.replays and not is_off

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages one by one; media that a result cannot hold follow in a user message.

        A message without content is left out.
        """
        out: list[Any] = []
        moved: list[Any] = []
        for message in messages:
            kind = type(message)
            if kind is AssistantMessage:
                if self._open:
                    raise Disorder
                made = self._answer(message)
                if made is not None:
                    out.append(made)
            elif kind is ToolResultMessage:
                out.append(self._result(message, moved))
                if moved and not self._open:
                    out.append(wire.User(moved))
                    moved = []
            elif kind is UserMessage or kind is ToolMessage:
                moved = self._user_side(message, out, moved)
            elif kind is SystemMessage:
                if self._open:
                    raise Disorder
                self._system(message, out)
            else:
                raise Disorder
        if self._open:
            raise Disorder
        return out

    def _system(self, message: Any, out: list[Any]) -> None:
        parts: list[Any] = []
        for block in message.content:
            kind = type(block)
            if kind is TextBlock or (kind is OpaqueBlock and self._speaks(block)):
                parts.append(self._part(block))
            else:
                self._lose("system content", block)
        if not parts:
            self._leave_out(message)
            return
        role: Any = wire.System
        shape, same = self._shape(message)
        if shape == "developer" and (same or "developer" in self._service.knows):
            role = wire.Developer
        made = role(as_content(parts), self._name(message))
        out.append(made if message.extras is None else self._with_extras(made, message))

    def _user_side(self, message: Any, out: list[Any], moved: list[Any]) -> list[Any]:
        """Write a message's results, then the rest of it; return the media still to be moved."""
        text = _lone_text(message.content)
        if text is not None and message.extras is None and message.name is None and not moved:
            if self._open:
                raise Disorder
            out.append(wire.User(text))
            return moved
        parts: list[Any] = []
        for block in message.content:
            kind = type(block)
            if kind is TextBlock and _is_plain(block):
                parts.append(block)  # our JSON is already theirs
            elif kind is ToolResultBlock:
                out.append(self._result(block, moved))
            else:
                made = self._part(block)
                if made is not None:
                    parts.append(made)
        if moved and not self._open:
            parts, moved = moved + parts, []
        if parts:
            if self._open:
                raise Disorder
            made = wire.User(as_content(parts), self._name(message))
            out.append(made if message.extras is None else self._with_extras(made, message))
        else:
            self._leave_out(message)
        return moved

    def _leave_out(self, message: Any) -> None:
        """Report the unknown keys of a message that is left out, as it has no content."""
        if message.extras is not None and self._own_keys(message):
            self._lose("extras", message)

    # -- answers -------------------------------------------------------------------------------

    def _answer(self, message: Any) -> Any:
        made = wire.Assistant()
        parts: list[Any] = []
        calls: list[Any] = []
        thoughts: dict[str, list[str]] = {}
        for block in message.content:
            kind = type(block)
            if (
                kind is TextBlock
                and block.extras is None
                and block.cache is None
                and block.annotations is None
                and block.signature is None
            ):
                parts.append(block)  # our JSON is already theirs
            elif kind is ToolCallBlock:
                if block.extras is not None and self._shape(block) == ("function_call", True):
                    made.function_call = self._legacy_call(block)
                else:
                    calls.append(self._call(block, message))
            elif kind is ThinkingBlock:
                self._thought(block, message, made, thoughts)
            elif kind is AudioBlock and (voice := self._voice_id(block)) is not None:
                made.audio = wire.AudioId(voice)
            else:
                part = self._said(block, made)
                if part is not None:
                    parts.append(part)
        if calls:
            made.tool_calls = calls
            if self._replays and not thoughts:
                made.reasoning_content = ""
        for key, texts in thoughts.items():
            setattr(made, key, "\n\n".join(texts))
        if parts:
            made.content = as_content(parts)
        elif calls or made.function_call or made.audio or made.refusal is not None:
            made.content = None
        elif thoughts or made.reasoning_details:
            made.content = ""
        else:
            self._leave_out(message)
            return None
        if message.name is not None:
            made.name = self._name(message)
        return made if message.extras is None else self._with_extras(made, message)

    def _said(self, block: Any, made: wire.Assistant) -> Any:
        """Return the part for a block of an answer other than thinking and calls, if it has one."""
        kind = type(block)
        if kind is ToolResultBlock:
            self._lose("tool result", block)
            return None
        if (kind in MEDIA and not self._came_so(block)) or kind is DataBlock:
            self._lose("answer content", block)
            return None
        if kind is TextBlock:
            shape, same = self._shape(block)
            if shape in _REFUSALS and (same or "refusal" in self._service.knows):
                if shape == "refusal part" or made.refusal is not None:
                    return self._with_extras(wire.Refusal(block.text), block)
                made.refusal = block.text
                return None
        elif kind is OpaqueBlock and block.api == self.API:
            if not self._speaks(block):
                self._lose("answer content", block)
                return None
            if str(block.raw.value.get("type")).startswith("reasoning."):
                made.reasoning_details = [*(made.reasoning_details or ()), self._part(block)]
                return None
        return self._part(block)

    def _voice_id(self, block: Any) -> str | None:
        """Return the id of a spoken answer, None if this dialect does not take it back."""
        if "voice" not in self._service.knows and not self._came_so(block):
            return None
        if block.data is not None and self._shape(block)[0] == "voice":
            return str(block.extras[self.API].spelling.value.get("id"))
        file_id: str | None = block.file_id
        return None if is_foreign_file(block, self.API) else file_id

    def _speaks(self, block: Any) -> bool:
        """Whether an opaque part is this API's, and not of a type only for user messages."""
        return block.api == self.API and self._opaque(block).value.get("type") not in _USERS_PARTS

    def _thought(
        self,
        block: Any,
        message: Any,
        made: wire.Assistant,
        thoughts: dict[str, list[str]],
    ) -> None:
        service = self._service
        shape, same = self._shape(block) if block.extras is not None else (None, False)
        if type(shape) is list and same:
            for key in shape:
                thoughts.setdefault(key, []).append(block.thinking)
        elif (
            (service.details or same)
            and (type(shape) is dict or block.signature)
            and _is_own(message)
        ):
            detail = self._detail(block, shape if type(shape) is dict else {})
            made.reasoning_details = [*(made.reasoning_details or ()), detail]
        elif block.redacted:
            self._lose("redacted thinking", block)
        elif service.thinking is None:
            self._lose("thinking", block)
        else:
            thoughts.setdefault(service.thinking, []).append(block.thinking)

    # -- calls and results ---------------------------------------------------------------------

    def _call(self, block: Any, message: Any) -> Any:
        call_id = wire_id = block.id
        if call_id in self._open:
            raise Disorder
        if not 0 < len(call_id) <= self._longest_id:
            wire_id = hashed(call_id, LETTER, min(self._longest_id, LONGEST_NAME))
        self._open[call_id] = wire_id
        name = self._names.get(block.name) or self._tool_name(block.name, block)
        text: Any
        if message.api == self.API:
            text = block.arguments.string_json()  # spliced, if it came as a string
        else:
            text = block.arguments.text.decode()
            if text.strip() in ("", "null"):
                text = "{}"
        if block.cache is not None:
            self._lose("cache mark", block)
        if block.tool_type == "custom":
            if "custom" in self._service.knows:
                made = wire.Call(wire_id, "custom", custom=wire.Custom(name, text))
                return made if block.extras is None else self._with_extras(made, block)
            self._lose("custom call", block)
            text = encode({"input": text}).decode()
        made = wire.Call(wire_id, self._type_of(block), wire.Function(name, text))
        return made if block.extras is None else self._with_extras(made, block)

    def _legacy_call(self, block: Any) -> wire.Function:
        if block.id in self._open:
            raise Disorder
        name = self._tool_name(block.name, block)
        self._open[block.id] = _Legacy(name)
        return wire.Function(name, block.arguments.string_json())

    def _result(self, result: Any, moved: list[Any]) -> Any:
        """Write a result; media that it cannot hold go to `moved`, and a text refers to them."""
        call = self._open.pop(result.tool_call_id, None)
        if call is None:
            raise Disorder
        if is_failure(result):
            self._lose("error flag", result)
        mark = result.cache if type(result) is ToolResultBlock else None
        text = _lone_text(result.content)
        if text is not None and mark is None and result.extras is None and type(call) is str:
            return wire.Tool(call, text)
        is_text = type(call) is _Legacy  # such a result is a string
        parts: list[Any] = []
        for block in result.content:
            kind = type(block)
            if kind is TextBlock and (is_text or _is_plain(block)):
                if is_text:
                    self._lose_all_but_words(block)
                parts.append(block)  # our JSON is already theirs
                continue
            if kind not in _IN_RESULTS or (is_text and kind is OpaqueBlock):
                self._lose("tool result content", block)
                continue
            part: Any = self._part(block)
            if part is None:
                continue
            if is_text:
                is_taken = not _is_media(part)
            else:
                is_taken = kind not in MEDIA or MEDIA[kind] in self._service.result_media
                is_taken = is_taken or not _is_media(part) or self._came_so(block)
            if not is_taken:
                name = f"{getattr(call, 'name', call)}-{len(moved) // 2 + 1}"
                moved += [wire.Text(f"This is file {name}:"), part]
                part = wire.Text(f"See file {name}.")
            parts.append(part)
        made: Any
        if is_text:
            if mark is not None:
                self._lose("cache mark", result)
            made = wire.FunctionResult(call.name, "\n".join(map(_words_of, parts)))
        else:
            if mark is not None:
                self._mark_last(parts, mark, result)
            made = wire.Tool(call, as_content(parts) if parts else "")
        return made if result.extras is None else self._with_extras(made, result)

    def _lose_all_but_words(self, block: Any) -> None:
        """Report all that a text has beside its words, where only these can be written."""
        if block.annotations:
            self._lose("annotation", block)
        if block.cache is not None:
            self._lose("cache mark", block)
        self._lose_keys(block)


def _is_media(part: Any) -> bool:
    """Whether the part for a media block is media, and not a text in its place."""
    return type(part) is not wire.Text and not (type(part) is dict and part.get("type") == "text")


def _words_of(part: Any) -> str:
    return str(part["text"] if type(part) is dict else part.text)


def _is_plain(block: Any) -> bool:
    return (
        block.extras is None
        and block.cache is None
        and block.annotations is None
        and block.signature is None
    )


def _lone_text(content: list[Any]) -> str | None:
    """Return the text, if the content is one plain text; None otherwise."""
    if len(content) == 1 and type(content[0]) is TextBlock and _is_plain(content[0]):
        return content[0].text
    return None


def _is_own(message: Any) -> bool:
    """Whether the signatures in a message are this API's."""
    return message.api == wire.API if message.api is not None else message.provider in _SIGNERS
