"""The content of messages -> the turns of Bedrock Converse.

Apart from `request.py`, since it is a state of its own, which knows nothing of the content: which
side a turn is of, and whether a system turn may stay.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Raw

from ..._body.objects import with_keys
from ...model import Message, ToolResultMessage
from .._state.encoding import Encoding
from . import wire

Role: TypeAlias = Literal["user", "assistant", "system"]


class Conversation:
    """The turns of one conversation, as they grow, and the unknown keys of their messages.

    A system turn waits for what follows: if the turn before it goes on, it becomes a user's.
    """

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self.turns: list[wire.Message] = []
        self._prompts: list[Message] = []  # the messages of the system turn at the end
        self._keys: dict[int, dict[str, Raw]] = {}

    def add(self, role: Role, content: list[Any], message: Message) -> None:
        """Add content to the last turn of its side, or as a new turn."""
        turns = self.turns
        if self._prompts and role != "system":
            self._place(goes_on=turns[-2].role == role)
        if turns and turns[-1].role == role:
            turns[-1].content += content
        else:
            turns.append(wire.Message(role, content))
        if role == "system":
            self._prompts.append(message)
        elif message.extras is not None and type(message) is not ToolResultMessage:
            self._add_keys(message)  # those of a result are in its block

    def ended(self) -> list[Any]:
        """Return the turns with the unknown keys of their messages."""
        self._place(goes_on=False)
        if not self._keys:
            return self.turns
        own = self._keys
        return [with_keys(turn, own[i]) if i in own else turn for i, turn in enumerate(self.turns)]

    def _place(self, *, goes_on: bool) -> None:
        """Leave the system turn at the end where it is; within a turn, make it a user's."""
        turns = self.turns
        if goes_on and turns[-2].role == "user":
            system = turns.pop()
            turns[-1].content += system.content
        elif goes_on:
            turns[-1].role = "user"
        for message in self._prompts:
            if goes_on:
                self._encoding.lose("system place", message)
            self._add_keys(message)
        self._prompts.clear()

    def _add_keys(self, message: Message) -> None:
        """Note a message's unknown keys. One that the turn has already is replaced, as a loss."""
        if message.extras is None:
            return
        own = self._encoding.own_keys(message)
        known = self._keys.setdefault(len(self.turns) - 1, {})
        replaced = [key for key in known if key in own]
        if replaced:
            self._encoding.lose("extras", message, keys=replaced)
        known |= own
