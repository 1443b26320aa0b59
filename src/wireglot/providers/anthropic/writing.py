"""Messages -> the turns of Anthropic Messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from ...model import (
    AssistantMessage,
    CacheMark,
    Message,
    OpaqueBlock,
    SystemMessage,
    TextBlock,
    ToolMessage,
    ToolResultMessage,
    UserMessage,
)
from .._turns import Disorder
from .._writing import is_plain, with_keys
from . import wire
from .parts import BLOCKS, MOST_MARKS, PartWriter

__all__ = ["MessageWriter"]


class MessageWriter(PartWriter):
    """The encoder of the messages of one request."""

    def conversation(self, messages: list[Message]) -> list[Any]:
        """Write messages as turns: consecutive messages of one side share one, results first.

        A message without content, or of white space alone, is left out. The API takes a system
        message only after a user turn, and before an answer or at the end; elsewhere it keeps its
        place, as a user's text.
        """
        out: list[Any] = []
        keys: dict[int, dict[str, Raw]] = {}
        held: list[SystemMessage] = []
        is_ours = False  # whether the last turn's content is a list made here
        message: Any
        content: list[Any]
        role: Any
        for message in messages:
            kind = type(message)
            if kind is AssistantMessage:
                if self._open:
                    raise Disorder
                content = message.content
                if not is_plain(content) or message.name is not None:
                    content = self._said(message)
                role = "assistant"
                if held and content:
                    self._place(held, out)
            elif kind is ToolResultMessage:
                content = [self._with_extras(self._result(message), message)]
                role = "user"
            elif kind is UserMessage or kind is ToolMessage:
                content = message.content
                if self._open or not is_plain(content) or message.name is not None:
                    content = self._said(message)
                role = "user"
            elif kind is SystemMessage:
                if self._open:
                    raise Disorder
                if not all(map(_is_blank, message.content)):
                    held.append(message)
                continue
            else:
                raise Disorder
            if not content:
                self._lose_keys(message)
                continue
            if held and role == "user":
                content = self._as_users(held) + content
            if out and out[-1].role == role:
                if not is_ours:
                    out[-1].content = list(out[-1].content)
                    is_ours = True
                out[-1].content += content
            else:
                out.append(wire.Message(role, content))
                is_ours = False
            if message.extras is not None and kind is not ToolResultMessage:
                self._add_keys(keys, len(out) - 1, message)
        if self._open:
            raise Disorder
        if held:
            self._place(held, out)
        if not keys:
            return out
        return [with_keys(made, keys[i]) if i in keys else made for i, made in enumerate(out)]

    def is_settled(self, made: list[Any]) -> bool:
        """Whether nothing that follows can change these turns.

        An answer at the end may go on, and breakpoints are counted over the whole request.
        """
        if not self.starts_anew(made):
            return False
        return _role(made[-1]) != "assistant" and self._marks_left == MOST_MARKS

    def starts_anew(self, made: list[Any]) -> bool:
        """Whether these turns do not continue the last encoded one: they begin with an answer."""
        return not self.sent or (bool(made) and _role(made[0]) == "assistant")

    def _add_keys(self, keys: dict[int, dict[str, Raw]], index: int, message: Message) -> None:
        """Note a message's unknown keys. One that the turn has already is replaced, as a loss."""
        own = self._own_keys(message)
        known = keys.setdefault(index, {})
        if not known.keys().isdisjoint(own):
            self._lose("extras", message)
        known |= own

    def _place(self, held: list[SystemMessage], out: list[Any]) -> None:
        """Write system messages after the turns so far; after an answer, as a user's."""
        turns: list[tuple[Any, list[Any]]]
        if out and out[-1].role == "user":
            turns = [("system", self._prompt([message], is_turn=True)) for message in held]
            held.clear()
        else:
            turns = [("user", self._as_users(held))]
        out.extend(wire.Message(role, content) for role, content in turns if content)

    def _as_users(self, held: list[SystemMessage]) -> list[Any]:
        """Return system messages as the content of a user's turn, and hold them no longer."""
        content: list[Any] = []
        for message in held:
            self._lose("system place", message)
            self._lose_keys(message)
            content += self._said(message)
        held.clear()
        return content

    def _said(self, message: Any) -> list[Any]:
        """Return a message's content, empty if it is white space alone."""
        content: list[Any] = []
        for block in message.content:
            kind = type(block)
            write = BLOCKS.get(kind)
            if write is None:
                self._fail(f"`{kind.__name__}` is not a block", block)
            made = write(self, block, message)
            if made is not None:
                content.append(made if block.extras is None else self._with_extras(made, block))
            elif kind is TextBlock:
                self._lose_keys(block)
        if not content:
            return content
        if _is_blank(content[0]) and all(map(_is_blank, content)):
            return []
        if message.name is not None:
            self._lose("name", message)
        return content

    def _prompt(
        self, system: Sequence[Any], mark: CacheMark | None = None, *, is_turn: bool = False
    ) -> list[Any]:
        """Write system messages as one list of text blocks.

        With `is_turn` the list is the content of a turn, which may hold opaque blocks too.
        """
        texts: list[Any] = []
        for message in system:
            if message.name is not None:
                self._lose("name", message)
            self._lose_keys(message)
            for block in message.content:
                if type(block) is TextBlock or (is_turn and self._is_own_block(block)):
                    texts.append(block)
                else:
                    self._lose("system content", block)
        if all(map(_is_blank, texts)):
            return []
        last = max(i for i, block in enumerate(texts) if type(block) is OpaqueBlock or block.text)
        made: list[Any] = []
        for i, block in enumerate(texts):
            if type(block) is OpaqueBlock:
                made.append(self._with_extras(self._opaque(block), block))
                continue
            if mark is not None and i == last and block.cache is None and block.text:
                text: Any = wire.Text(block.text, cache_control=self._mark(mark, block))
            else:
                text = self._text(block, None)
            if text is not None:
                made.append(self._with_extras(text, block))
        return made

    def strip_end(self, conversation: list[Any], messages: list[Message]) -> None:
        """Strip white space from the end of an answer that is to go on, as the API demands."""
        last = conversation[-1]
        is_dict = type(last) is dict
        if (last["role"] if is_dict else last.role) != "assistant":
            return
        content = [*(last["content"] if is_dict else last.content)]  # it may be the caller's own
        while _is_blank(content[-1]):
            content.pop()
        if is_dict:
            last["content"] = content
        else:
            last.content = content
        made: Any = content[-1]
        is_made_dict = type(made) is dict
        text = made.get("text") if is_made_dict else getattr(made, "text", None)
        if type(text) is not str or text == text.rstrip():
            return
        answers = (m for m in reversed(messages) if type(m) is AssistantMessage)
        self._lose("trailing space", next(m for m in answers if not all(map(_is_blank, m.content))))
        stripped = text.rstrip()
        content[-1] = {**made, "text": stripped} if is_made_dict else replace(made, text=stripped)


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


def _role(made: Any) -> str:
    return str(made["role"] if type(made) is dict else made.role)
