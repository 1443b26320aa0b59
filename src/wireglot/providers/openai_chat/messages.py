"""Messages <-> the messages of a request of Chat Completions.

A file of its own, as `request.py`, which holds the tools and what else a request asks for in twelve
dialects, is long enough without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct

from ...errors import unknown
from ...model import (
    AssistantMessage,
    AudioBlock,
    CacheMark,
    Content,
    ErrorBlock,
    Message,
    OpaqueBlock,
    SystemMessage,
    TextBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
)
from .._across.media import is_foreign_file, of_its_kind
from .._codecs.calls_by_name import Call, CallsByName
from .._codecs.order import Result, is_failure
from .._codecs.requests import OpenCalls
from .._codecs.simple import (
    MAY_BE_RESULT,
    is_bare,
    is_bare_call,
    is_lone_result,
    is_lone_text,
    result_of,
)
from .._state.decoding import Decoding
from .._state.encoding import Encoding, OutOfOrder
from .._state.signatures import api_of
from .._state.stored import key_of
from . import wire
from .blocks import (
    DETAILS,
    EXTRA_CONTENT,
    MEDIA,
    BlockReader,
    BlockWriter,
    Draft,
    as_content,
    shortened,
)

# -- messages -> messages of the wire --------------------------------------------------------------

_KNOWN_ROLES: Final = ("system", "developer", "user", "assistant", "tool", "function")
_KINDS: Final = frozenset(
    {SystemMessage, UserMessage, AssistantMessage, ToolMessage, ToolResultMessage}
)
_IN_RESULTS: Final = frozenset({TextBlock, ErrorBlock, OpaqueBlock, *MEDIA})
LISTED: Final = "list"
"""The shape of a result that came as a list of parts where others take a string alone."""
_TEXT_PARTS: Final = frozenset({TextBlock, wire.Text})
_LEGACY: Final = ("function_call", True)
"""The shape of a call that came as a deprecated `function_call`, in this dialect."""
_NO_TEXT: Final = {"null": None, "empty": "", "absent": UNSET}
"""The words of `Service.no_text` -> the content of an answer of calls alone."""

_TEXTS: Final[dict[Any, Any]] = {
    SystemMessage: wire.System,
    UserMessage: wire.User,
    ToolMessage: wire.User,
    AssistantMessage: wire.Assistant,
}
"""The message of the wire for one that is a text alone."""


class _Legacy(Struct):
    """A deprecated `function_call`: the name that its result has to repeat."""

    name: str


class MessageWriter:
    """Writes the messages of one request.

    `replays` is whether thinking must go back with calls, `replays_text` whether with texts, too.
    """

    def __init__(
        self,
        encoding: Encoding,
        blocks: BlockWriter,
        turns: OpenCalls,
        *,
        replays: bool,
        replays_text: bool,
    ) -> None:
        self._encoding = encoding
        self._service = blocks.service
        self._blocks = blocks
        self._open = turns.open
        """Calls that wait for their results: canonical id -> id on the wire, or `_Legacy`."""
        self._replays = replays
        self._replays_text = replays_text

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages one by one; media that a result cannot hold follow in a user message.

        A message without content is left out.
        """
        out: list[Any] = []
        moved: list[Any] = []
        message: Any
        for message in messages:
            kind = type(message)
            if kind not in _KINDS:
                raise OutOfOrder  # putting the messages in order, it is refused
            result = result_of(message) if kind in MAY_BE_RESULT else None
            if result is not None:
                out.append(self._result(result, moved))
                if moved and not self._open:
                    out.append(wire.User(moved))
                    moved = []
                continue
            is_plain = kind is not AssistantMessage or not self._replays_text
            if is_plain and is_lone_text(message) and not (self._open or moved):
                out.append(_TEXTS[kind](content=message.content[0].text))
                continue
            self._encoding.lose_rest(message)
            if kind is AssistantMessage:
                if self._open:
                    raise OutOfOrder
                answer = self._answer(message)
                if answer is not None:
                    out.append(answer)
            elif kind is SystemMessage:
                if self._open:
                    raise OutOfOrder
                self._system(message, out)
            else:
                moved = self._user_side(message, out, moved)
        if self._open:
            raise OutOfOrder
        return out

    def _system(self, message: Any, out: list[Any]) -> None:
        blocks, encoding = self._blocks, self._encoding
        parts: list[Any] = []
        for block in message.content:
            kind = type(block)
            if kind is TextBlock or (kind is OpaqueBlock and blocks.speaks(block)):
                parts.append(blocks.part(block))
            else:
                encoding.lose("system content", block)
        if not parts:
            encoding.lose_keys(message)
            return
        role: Any = wire.System
        shape, same = blocks.shape(message)
        if shape == "developer" and (same or "developer" in self._service.knows):
            role = wire.Developer
        body = role(as_content(parts), blocks.author(message))
        out.append(body if message.extras is None else encoding.with_extras(body, message))

    def _user_side(self, message: Any, out: list[Any], moved: list[Any]) -> list[Any]:
        """Write a message's results, then the rest of it; return the media still to be moved."""
        parts: list[Any] = []
        for block in message.content:
            kind = type(block)
            if is_bare(block):
                parts.append(block)  # our JSON is already theirs
            elif kind is ToolResultBlock:
                out.append(self._result(block, moved))
            else:
                part = self._blocks.part(block)
                if part is not None:
                    parts.append(part)
        if moved and not self._open:
            parts, moved = moved + parts, []
        if not parts:
            self._encoding.lose_keys(message)
            return moved
        if self._open:
            raise OutOfOrder
        body = wire.User(as_content(parts), self._blocks.author(message))
        out.append(body if message.extras is None else self._encoding.with_extras(body, message))
        return moved

    # Answers

    def _answer(self, message: AssistantMessage) -> Any:
        draft = Draft()
        is_lone: bool | None = None  # a message can hold one `function_call`; others have ids
        block: Any
        content = message.content
        if self._service.extra_content:
            content = self._blocks.content_of(message)
        for block in content:
            kind = type(block)
            if kind is ToolCallBlock:
                if block.extras is not None and self._blocks.shape(block) == _LEGACY:
                    is_lone = len(message.tool_calls()) == 1 if is_lone is None else is_lone
                    if is_lone:
                        draft.rest["function_call"] = self._legacy_call(block)
                        continue
                draft.calls.append(self._call(block, message, draft))
            elif is_bare(block):
                draft.parts.append(block)  # our JSON is already theirs
            elif kind is AudioBlock and (voice := self._voice_id(block)) is not None:
                draft.rest["audio"] = wire.AudioId(voice)
            elif kind is OpaqueBlock and block.api == wire.API and not self._blocks.speaks(block):
                self._encoding.lose("user part", block)
            else:
                self._blocks.add(block, draft, message, is_own=_is_own(message))
        body = self._body(draft)
        if body is None:
            self._encoding.lose_keys(message)
            return None
        if message.name is not None:
            body.name = self._blocks.author(message)
        return body if message.extras is None else self._encoding.with_extras(body, message)

    def _body(self, draft: Draft) -> wire.Assistant | None:
        """Return the message of the wire, None if it would be empty."""
        body = wire.Assistant()
        for key, texts in draft.thoughts.items():
            setattr(body, key, "\n\n".join(filter(None, texts)) if len(texts) > 1 else texts[0])
        for key, value in draft.rest.items():
            setattr(body, key, value)
        if draft.refusals:
            body.refusal = "".join(draft.refusals)
        if draft.details:
            body.reasoning_details = draft.details
        if draft.calls:
            body.tool_calls = draft.calls
        if (self._replays_text or (self._replays and draft.calls)) and not draft.thoughts:
            body.reasoning_content = self._service.no_thinking
        if draft.parts:
            body.content = as_content(draft.parts)
        elif draft.calls or draft.rest or draft.refusals:
            body.content = _NO_TEXT[self._service.no_text]
        elif draft.thoughts or draft.details:
            body.content = ""
        else:
            return None
        return body

    def _voice_id(self, block: AudioBlock) -> str | None:
        """Return the id of a spoken answer, None if this dialect does not take it back.

        A request sends nothing else of one.
        """
        if "voice" not in self._service.knows and not self._blocks.came_so(block):
            return None
        if block.data is not None and self._blocks.shape(block)[0] == "voice":
            extra: Any = (block.extras or {})[wire.API]
            return str(key_of(extra.spelling, "id"))
        return None if is_foreign_file(block, wire.API) else block.file_id

    # Calls and results

    def _call(self, block: ToolCallBlock, message: AssistantMessage, draft: Draft) -> Any:
        call_id = block.id
        if call_id in self._open:
            raise OutOfOrder
        longest = self._service.longest_id
        if not 0 < len(call_id) <= longest:
            call_id = shortened(call_id, longest)
        self._open[block.id] = call_id
        name = self._encoding.tool_name(block.name, block)
        text = self._blocks.arguments(block, message.api == wire.API)
        key = None
        if block.signature is not None:
            key = self._blocks.signed_under(block, message)
            if key == DETAILS:
                draft.details.append(self._blocks.proof(block, len(draft.details), call_id))
        if key != EXTRA_CONTENT and is_bare_call(block):
            return wire.Call(call_id, "function", wire.Function(name, text))
        is_custom = "custom" in self._service.knows
        is_signed = key == EXTRA_CONTENT
        return self._blocks.call(
            block, call_id, name, text, is_custom=is_custom, is_signed=is_signed
        )

    def _legacy_call(self, block: ToolCallBlock) -> wire.Function:
        if block.id in self._open:
            raise OutOfOrder
        name = self._encoding.tool_name(block.name, block)
        self._open[block.id] = _Legacy(name)
        return wire.Function(name, block.arguments.string_json())

    def _result(self, result: Result, moved: list[Any]) -> Any:
        """Write a result; media that it cannot hold go to `moved`, and a text refers to them."""
        call = self._open.pop(result.tool_call_id, None)
        if call is None:
            raise OutOfOrder
        block: Any
        if is_lone_result(result) and type(call) is str:
            block = result.content[0]
            return wire.Tool(call, block.text)
        if result.is_error and is_failure(result):
            self._encoding.lose("error flag", result)
        self._encoding.lose_rest(result)
        mark = result.cache if type(result) is ToolResultBlock else None
        if type(call) is _Legacy:
            return self._legacy_result(result, call, mark, moved)
        parts: list[Any] = []
        for given in result.content:
            if is_bare(given):
                parts.append(given)  # our JSON is already theirs
                continue
            block = of_its_kind(given, self._encoding) or given
            part = self._in_result(block)
            if part is None:
                continue
            kind = type(block)
            is_taken = kind not in MEDIA or MEDIA[kind] in self._service.result_media
            if not (is_taken or not _is_media(part) or self._blocks.came_so(block)):
                part = _moved(part, call, moved)
            parts.append(part)
        if mark is not None:
            self._blocks.mark_last(parts, mark, result)
        content = as_content(parts) if parts else ""
        if type(content) is list and not self._service.listed_results:
            content = self._joined(content, result)
        body = wire.Tool(call, content)
        return body if result.extras is None else self._encoding.with_extras(body, result)

    def _joined(self, parts: list[Any], result: Result) -> Any:
        """Return the texts of a result as one, unless it has other parts, or came as a list."""
        if self._blocks.shape(result) == (LISTED, True):
            return parts
        texts = [part.text for part in parts if type(part) in _TEXT_PARTS]
        return "\n".join(texts) if len(texts) == len(parts) else parts

    def _legacy_result(
        self, result: Result, call: _Legacy, mark: CacheMark | None, moved: list[Any]
    ) -> Any:
        """Write the result of a deprecated call, which is a string."""
        texts: list[str] = []
        for block in result.content:
            if type(block) is TextBlock:
                self._lose_all_but_words(block)
                texts.append(block.text)
                continue
            part = None
            if type(block) is OpaqueBlock:
                self._encoding.lose("tool result content", block)
            else:
                part = self._in_result(block)
            if part is not None:
                part = _moved(part, call.name, moved) if _is_media(part) else part
                texts.append(str(part["text"] if type(part) is dict else part.text))
        if mark is not None:
            self._encoding.lose("cache mark", result)
        body = wire.FunctionResult(call.name, "\n".join(texts))
        return body if result.extras is None else self._encoding.with_extras(body, result)

    def _in_result(self, block: Content) -> Any:
        """Return the part for a block of a result, None if it is lost."""
        if type(block) in _IN_RESULTS:
            return self._blocks.part(block)
        self._encoding.lose("tool result content", block)
        return None

    def _lose_all_but_words(self, block: TextBlock) -> None:
        """Report all that a text has beside its words, where only these can be written."""
        if block.annotations:
            self._encoding.lose("annotation", block)
        if block.cache is not None:
            self._encoding.lose("cache mark", block)
        self._encoding.lose_keys(block)


def mark_prompt(conversation: list[Any], mark: CacheMark, owner: Any, blocks: BlockWriter) -> None:
    """Put a breakpoint behind the system prompt of a conversation, unless it has one there."""
    last = None
    for message in conversation:
        if type(message) not in (wire.System, wire.Developer):
            break
        last = message
    if last is None:
        return
    parts = [wire.Text(last.content)] if type(last.content) is str else last.content
    if getattr(parts[-1], "cache_control", None) is None:
        blocks.mark_last(parts, mark, owner)
    last.content = parts


def _moved(part: Any, name: str, moved: list[Any]) -> wire.Text:
    """Move media out of a result, into a user message; return the text that refers to them."""
    name = f"{name}-{len(moved) // 2 + 1}"
    moved += [wire.Text(f"This is file {name}:"), part]
    return wire.Text(f"See file {name}.")


def _is_media(part: Any) -> bool:
    """Whether the part for a media block is media, and not a text in its place."""
    return type(part) is not wire.Text and not (type(part) is dict and part.get("type") == "text")


def _is_own(message: AssistantMessage) -> bool:
    """Whether a message came over this API."""
    return api_of(message) == wire.API


# -- messages of the wire -> messages --------------------------------------------------------------


class MessageReader:
    """Reads the messages of one request; it knows the names of the tools called so far."""

    def __init__(self, decoding: Decoding, blocks: BlockReader) -> None:
        self._decoding = decoding
        self._service = blocks.service
        self._blocks = blocks
        self.names: dict[str, str] = {}
        self.legacy_calls: int = 0
        """How many deprecated calls were read, and results that belong to none of them."""
        self._calls_by_name = CallsByName()
        self._is_over = False  # whether a turn has ended since the last deprecated call

    def _user(self, part: wire.User) -> UserMessage:
        self._is_over = True
        extras = self._decoding.extras_of(part) if self._decoding.unknown else None
        return UserMessage(self._blocks.content(part.content), name=part.name, extras=extras)

    def _system(self, part: wire.System) -> SystemMessage:
        content = self._blocks.content(part.content)
        return SystemMessage(content, name=part.name, extras=self._decoding.extras(part))

    def _developer(self, part: wire.Developer) -> SystemMessage:
        extras = self._blocks.came_as("developer", part)
        return SystemMessage(self._blocks.content(part.content), name=part.name, extras=extras)

    # Answers

    def _answer(self, part: wire.Assistant) -> AssistantMessage:
        spelling: dict[str, Any] = {}
        content = self._blocks.answer(part, spelling)
        if part.audio is not None:
            is_known = "voice" in self._service.knows
            extras = None if is_known else self._blocks.came_as("as is")
            content.append(self._decoding.owned(AudioBlock(file_id=part.audio.id, extras=extras)))
        if part.function_call is not None:
            # It has no id, and neither has its result, which is found by its name and by order.
            if self._is_over:
                self._calls_by_name = CallsByName()
                self._is_over = False
            legacy = self._blocks.legacy_call(part.function_call, self._legacy_id())
            self._calls_by_name.add(Call(legacy.id, legacy.name, None))
            content.append(legacy)
        for each in part.tool_calls or ():
            call = self._blocks.call(each)
            self.names[call.id] = call.name
            content.append(call)
        message = AssistantMessage(content, api=wire.API, name=part.name)
        if spelling or self._decoding.unknown:
            message.extras = self._blocks.bound(part, **spelling)
        return message

    def _legacy_id(self) -> str:
        while (call_id := f"call_{self.legacy_calls}") in self.names:
            self.legacy_calls += 1
        self.legacy_calls += 1
        return call_id

    # Results

    def _result(self, part: wire.Tool) -> ToolMessage:
        self._is_over = True
        name = self.names.get(part.tool_call_id)
        content = self._blocks.content("" if part.content is None else part.content)
        result = ToolResultBlock(part.tool_call_id, name, content)
        if type(part.content) is not str:
            self._blocks.keep_media(result.content, self._service.result_media)
        if part.name is not None:
            result.tool_name = name or part.name
            result.extras = self._decoding.extras_of(part, name=part.name)
        elif self._decoding.unknown:
            result.extras = self._decoding.extras(part)
        if type(part.content) is list and not self._service.listed_results:
            shape = {"as": LISTED} | ({} if part.name is None else {"name": part.name})
            result.extras = self._blocks.bound(part, **shape)
        return ToolMessage([result])

    def _legacy_result(self, part: wire.FunctionResult) -> ToolMessage:
        self._is_over = True
        call = self._calls_by_name.answered(None, part.name)
        if call is None:
            call = Call(self._legacy_id(), part.name, None)
        content = self._blocks.content(part.content or "")
        extras = self._decoding.extras(part)
        return ToolMessage([ToolResultBlock(call.id, call.name, content, extras=extras)])

    def _unknown(self, part: Raw) -> Message:
        role = msgspec.json.decode(part)["role"]
        self._decoding.fail(unknown("role", role, _KNOWN_ROLES), part, ".role")


MESSAGES: Final[dict[type, Callable[[MessageReader, Any], Message]]] = {
    wire.System: MessageReader._system,
    wire.Developer: MessageReader._developer,
    wire.User: MessageReader._user,
    wire.Assistant: MessageReader._answer,
    wire.Tool: MessageReader._result,
    wire.FunctionResult: MessageReader._legacy_result,
    Raw: MessageReader._unknown,
}
"""Message of the wire -> how it is read; a result is a `ToolMessage`."""
