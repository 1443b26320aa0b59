"""Messages -> the messages of Cohere's chat, with their calls and results."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import Raw

from ...errors import DecodeError
from ...losses import Losses
from ...model import (
    AssistantMessage,
    ImageBlock,
    OpaqueBlock,
    RawJson,
    Request,
    SystemMessage,
    TextBlock,
    Thinking,
    ThinkingBlock,
    ThinkingLevel,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
)
from .._turns import Disorder, is_failure
from .._writing import encode, hashed, shallow
from . import wire
from .parts import PartWriter, is_own, thoughts

__all__ = ["MessageWriter"]

_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_LONGEST_ID: Final = 64
_NO_OUTPUT: Final = wire.Document(wire.DocumentData(data=Raw(b'{"output":""}')))


class MessageWriter(PartWriter):
    """The encoder of the messages of one request; holds a result's images for a user's message."""

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        self._images: list[Any] = []
        self._thinks = not _is_off(request.thinking)

    # -- messages ------------------------------------------------------------------------------

    def conversation(self, messages: list[Any]) -> list[Any]:
        """Write messages one by one, each result as a message of its own.

        Images of results follow in a user's message. A message without content is left out.
        """
        out: list[Any] = []
        for message in messages:
            kind = type(message)
            if kind is AssistantMessage:
                if self._open:
                    raise Disorder
                words = _only_words(message)
                made = self._answer(message) if words is None else wire.Assistant(words)
                self._put(made, message, out)
            elif kind is ToolResultMessage:
                out.append(self._result(message))
                if self._images and not self._open:
                    out.append(wire.User(self._shown()))
            elif kind is UserMessage or kind is ToolMessage:
                self._user_side(message, out)
            elif kind is SystemMessage:
                if self._open:
                    raise Disorder
                self._put(self._system(message), message, out)
            else:
                raise Disorder
        if self._open:
            raise Disorder
        return out

    def is_settled(self, made: list[Any]) -> bool:
        """Whether thinking is on: with it off, earlier thinking is written in another way."""
        return self._thinks

    def _put(self, made: Any, message: Any, out: list[Any]) -> None:
        """Add a message of the wire with the extras of `message`; None is left out."""
        if made is None:
            if message.extras is not None and self._own_keys(message):
                self._lose("extras", message)
            return
        if message.name is not None:
            self._lose("name", message)
        out.append(made if message.extras is None else self._with_extras(made, message))

    def _system(self, message: Any) -> wire.System | None:
        parts: list[Any] = []
        for block in message.content:
            kind = type(block)
            if kind is TextBlock or (kind is OpaqueBlock and block.api == self.API):
                self._add(block, message, parts)
            else:
                self._lose("system content", block)
        return wire.System(self._said(parts, message)) if parts else None

    def _user_side(self, message: Any, out: list[Any]) -> None:
        """Write a message's results, then their images and the rest as one user's message."""
        words = _only_words(message)
        if words is not None and not self._open and not self._images:
            self._put(wire.User(words), message, out)
            return
        parts: list[Any] = []
        for block in message.content:
            if type(block) is ToolResultBlock:
                out.append(self._result(block))
            elif self._open:
                raise Disorder
            elif _is_plain(block):
                parts.append(block)  # our JSON is already theirs
            else:
                self._add(block, message, parts)
        if self._images and not self._open:
            parts = self._shown() + parts
        self._put(wire.User(self._said(parts, message)) if parts else None, message, out)

    def _answer(self, message: Any) -> wire.Assistant | None:
        """Write an answer. Text beside calls becomes their plan.

        So does thinking of another API, and all thinking if the request turns thinking off.
        """
        content = message.content
        parts: list[Any] = []
        calls: list[Any] = []
        plan: list[str] | None = None
        joins = False  # whether thinking joins the plan
        if content and (type(content[-1]) is ToolCallBlock or any(map(_is_call, content))):
            plan = []
            joins = not (self._thinks and is_own(message))
        for block in content:
            kind = type(block)
            if kind is ToolCallBlock:
                calls.append(self._call(block))
            elif plan is None:
                if _is_plain(block):
                    parts.append(block)
                else:
                    self._add(block, message, parts)
            elif _is_plain(block):
                plan.append(block.text)
            elif joins and kind is ThinkingBlock and block.extras is None and not block.redacted:
                plan += thoughts(block)
            else:
                self._add_beside_calls(block, message, parts, plan, joins)
        if not parts and not calls:
            return None
        if plan is not None and message.extras is not None:
            # The plan of an answer that came without calls, and has some now.
            plan += _loose_plan(message)
        made = wire.Assistant(self._said(parts, message) if parts else None)
        if plan:
            made.tool_plan = "\n".join(plan)
        made.tool_calls = calls or None
        return made

    def _add_beside_calls(
        self, block: Any, message: Any, parts: list[Any], plan: list[str], joins: bool
    ) -> None:
        """Write a block beside calls: text joins the plan, anything else the content."""
        made: list[Any] = []
        self._add(block, message, made)
        for part in made:
            keys = dict(part.value if type(part) is RawJson else shallow(part))
            tag = keys.pop("type", None)
            words = keys.pop(tag, None) if tag == "text" or (tag == "thinking" and joins) else None
            if type(words) is not str:
                parts.append(part)
                continue
            if keys:
                self._lose("extras", block)
            if words:
                plan.append(words)

    def _said(self, parts: list[Any], message: Any) -> Any:
        """Return parts as `content`: a string, if it is one text that did not come as a list."""
        if len(parts) == 1:
            part = parts[0]
            if (type(part) is TextBlock or type(part) is wire.Text) and (
                message.extras is None or self._spelling(message, "content") is None
            ):
                return part.text
        return parts

    # -- calls and results ---------------------------------------------------------------------

    def _call(self, block: ToolCallBlock) -> Any:
        call_id = block.id
        if call_id in self._open:
            raise Disorder
        wire_id = call_id or hashed(call_id, _LETTER, _LONGEST_ID)
        self._open[call_id] = wire_id
        if block.cache is not None:
            self._lose("cache mark", block)
        function = wire.Function(block.name, self._arguments(block))
        made = wire.ToolCall(id=wire_id, type="function", function=function)
        return made if block.extras is None else self._with_extras(made, block)

    def _arguments(self, block: ToolCallBlock) -> Raw:
        """Return the arguments as a string: the model's own JSON, `{}` where it wrote nothing."""
        arguments = block.arguments
        made = arguments.object_json()
        if made is not None:
            is_none = arguments.text.strip() in (b"", b"null")
            return _string(made) if is_none else arguments.string_json()
        try:
            arguments.value  # noqa: B018 -- JSON of another kind is the API's to judge
            return arguments.string_json()
        except DecodeError:
            self._lose("arguments", block)
        text = arguments.text.decode("utf-8", "replace")
        return _string(encode({"raw_arguments": text}))

    def _result(self, result: Any) -> Any:
        call = self._open.pop(result.tool_call_id, None)
        if call is None:
            raise Disorder
        if is_failure(result):
            self._lose("error flag", result)
        if getattr(result, "cache", None) is not None:
            self._lose("cache mark", result)
        words = _only_words(result)
        if words is not None:
            return wire.Tool(call, words)
        parts: list[Any] = []
        for block in result.content:
            kind = type(block)
            if _is_plain(block):
                parts.append(block)
            elif kind is ImageBlock:
                self._move(block, call, parts)
            elif kind in _NOT_IN_RESULTS:
                self._lose("tool result content", block)
            else:
                self._add(block, result, parts)
        content: Any = self._said(parts, result)
        if not parts:  # the API requires content, but takes back its own empty one
            came_as = self._spelling(result, "content")
            content = came_as if came_as is not None else [_NO_OUTPUT]
        made = wire.Tool(call, content)
        return made if result.extras is None else self._with_extras(made, result)

    def _move(self, block: ImageBlock, call: str, parts: list[Any]) -> None:
        """Hold an image of a result for the user's message after it, and refer to it."""
        shown: list[Any] = []
        self._add(block, None, shown)
        if shown:
            name = f"{call}-{len(self._images) // 2 + 1}"
            self._images += [wire.Text(f"This is image {name}:"), *shown]
            parts.append(wire.Text(f"See image {name}."))

    def _shown(self) -> list[Any]:
        """Return the images held, each after a text with its name."""
        images, self._images = self._images, []
        return images


_NOT_IN_RESULTS: Final = frozenset({ThinkingBlock, ToolCallBlock, ToolResultBlock})


def _is_plain(block: Any) -> bool:
    """Whether a block has text and nothing else."""
    return (
        type(block) is TextBlock
        and block.text != ""
        and block.cache is None
        and block.extras is None
        and block.annotations is None
        and block.signature is None
    )


def _only_words(message: Any) -> str | None:
    """Return the text of a message or result of one plain text, as most are; else None."""
    content = message.content
    if len(content) == 1 and message.extras is None and _is_plain(content[0]):
        return content[0].text  # type: ignore[no-any-return]
    return None


def _is_call(block: Any) -> bool:
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
    plan = extra.keys.value.get("tool_plan") if extra is not None else None
    return [plan] if isinstance(plan, str) else []


def _string(text: Any) -> Raw:
    """Return a text as a JSON string."""
    return Raw(encode(bytes(text).decode()))
