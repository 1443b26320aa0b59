"""What a `RequestTranslator` keeps: envelopes, and beginnings of conversations, by their bytes.

A request's body is an envelope, which has the model, the tools and the other parameters, around the
list of a conversation's messages.
"""

from __future__ import annotations

import re
import secrets
import string
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace

from .._runtime.recent import Recent
from ..model import Media, Message, RawJson, Request, TextBlock, Tool
from ..model.rawjson import is_parsed
from ..providers._codecs.transcript import Prefix
from ..providers._state.encoding import KeptTools

__all__ = [
    "Body",
    "Conversation",
    "Conversations",
    "Cut",
    "Envelope",
    "Lists",
    "detach",
    "weight",
]

_MESSAGE, _BLOCK, _OTHER, _KEYS, _CUT, _TOOL, _LOSS = 250, 130, 300, 600, 600, 800, 250
"""About how many bytes these take in memory, beside their text: a message, a block or what a text
refers to, what a block that is not a text takes more, the unknown keys of each, a cut, a tool, a
loss."""
_VALUE: Final = 100
"""About how many bytes a value of parsed JSON takes, its text included."""
_PARSED: Final = 5
"""How many times the bytes of a schema its parsed value takes."""
_MOST_HELD: Final = 3
"""How many times its own bytes a message may hold on to, those of the messages around it."""
_SPACE: Final = rb"[ \t\r\n]*"
_comma: Final = re.compile(_SPACE + rb",").match
_space: Final = re.compile(_SPACE).match
_prompt: Final = re.compile(rb'%b\{%b"role"%b:%b"(?:system|developer)"' % ((_SPACE,) * 4)).match
_BLANK: Final = ord(" ")
"""White space of JSON is this and what comes before it."""
_LETTERS: Final = string.ascii_letters + string.digits
_MOST_CUTS, _LAST_CUTS = 8, 2
"""How many cuts are kept before the last one, for conversations that fork, and which stay."""


class Body(Struct, frozen=True):
    """A body in whose text the messages have been found, all or the last of them.

    The list begins at `first`, the messages that were found at `start`; they end at `ends`.
    """

    text: bytes
    first: int
    start: int
    ends: list[int]

    @property
    def head(self) -> bytes:
        """What stands before the list of messages."""
        return self.text[: self.first]

    @property
    def tail(self) -> bytes:
        """What stands behind the messages."""
        return self.text[self.ends[-1] :]

    @property
    def opening(self) -> bytes:
        """What comes before the first answer: a system prompt, and the first message."""
        is_prompt = _prompt(self.text, self.first) is not None and len(self.ends) > 1
        return self.text[self.first : self.ends[1 if is_prompt else 0]]

    @property
    def messages(self) -> bytes:
        """The messages that were found, with the commas between them."""
        return self.text[self.start : self.ends[-1]]

    @property
    def whole(self) -> bytes:
        """The body with these messages alone."""
        return self.text if self.start == self.first else self.head + self.text[self.start :]

    def is_most_behind(self, end: int) -> bool:
        """Whether most of these messages, by their bytes, are behind `end`."""
        return self.ends[-1] - self.start > _MOST_HELD * (end - self.start)

    def behind(self, start: int) -> Body:
        """Return the body without the messages before `start`."""
        return Body(self.text, self.first, start, [end for end in self.ends if end > start])


class Envelope(Struct, frozen=True, eq=False):
    """All of a body but its conversation, and what was made of it."""

    head: bytes
    tail: bytes
    path: str | None
    model: str | None
    """The name that the caller gave the model."""
    request: Request
    """The request without its conversation: its messages are the system prompt."""
    shape: list[Any]
    """The fields of the request on which the bytes of messages may depend."""
    tools: KeptTools | None
    """The tools as they are written, if they are always written the same."""
    is_apart: bool
    """Whether it is read the same without the conversation, and that without it."""

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        request = self.request
        size = 2 * (len(self.head) + len(self.tail)) + weight(request.messages)
        if self.tools is not None:
            size += sum(memoryview(part).nbytes for part in self.tools.parts or ())
        for tool in request.tools or ():
            schema = tool.parameters if type(tool) is Tool else None
            size += _TOOL
            if schema is not None and is_parsed(schema):
                size += _PARSED * memoryview(schema.native()).nbytes
        size += len(self.path or "") + len(self.model or "")
        return size + _TOOL + _of_values(request.metadata)

    def is_like(self, other: Envelope) -> bool:
        """Whether the messages are written the same with another envelope."""
        return self is other or (
            self.shape == other.shape and self.request.messages == other.request.messages
        )


class Cut(Struct, frozen=True):
    """A place in a body, before an answer, behind which another conversation may go on."""

    offset: int
    """Where the message before the answer ends."""
    messages: int
    """How many messages of the conversation come before the answer."""
    calls: Any
    """What a reader needs to know of the calls in them."""
    prefix: Prefix
    """What they were written as."""
    apart: int
    """How many objects with unknown keys are in them."""
    weight: int
    """About how many bytes they take, beside their text."""


class Conversation(Struct, frozen=True, eq=False):
    """The beginning of a body, up to its last cut, and what was made of it."""

    prefix: bytes
    start: int
    """Where the conversation begins."""
    envelope: Envelope
    messages: list[Message]
    cuts: list[Cut]

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        last = self.cuts[-1]
        text = 2 * len(self.prefix) + len(last.prefix.sent)
        envelope = 0 if self.envelope.is_apart else self.envelope.size  # else it is kept by itself
        parts = last.weight + _LOSS * len(last.prefix.lost) + _CUT * len(self.cuts)
        return text + envelope + parts

    @classmethod
    def of(
        cls, body: Body, envelope: Envelope, messages: list[Message], cuts: list[Cut]
    ) -> Conversation:
        """Return the beginning of a body up to its last cut; of too many old ones half are kept."""
        *old, last = cuts
        if len(old) > _MOST_CUTS:
            old = old[:-_LAST_CUTS:2] + old[-_LAST_CUTS:]
        sent = memoryview(last.prefix.sent)  # it begins with what the others hold
        for i, cut in enumerate(old):
            held = replace(cut.prefix, sent=sent[: len(cut.prefix.sent)])
            old[i] = replace(cut, prefix=held)
        return cls(body.text[: last.offset], body.first, envelope, messages, [*old, last])

    def common_cut(self, text: bytes) -> Cut | None:
        """Return the last cut before which a body has the same bytes."""
        if text.startswith(self.prefix):
            return self.cuts[-1]
        for cut in self.cuts[-2::-1]:
            if text.startswith(self.prefix[: cut.offset]):
                return cut
        return None


class Conversations:
    """A store of conversations; those of one owner are never compared with another's."""

    def __init__(self, most: int, most_bytes: int, most_seconds: float) -> None:
        # The owner of each; and the prefixes of an owner in their order, with the conversations.
        self._recent: Recent[Conversation, Hashable] = Recent(
            most, most_bytes, most_seconds, self._forgotten
        )
        self._by_owner: dict[Hashable, tuple[list[bytes], list[Conversation]]] = {}

    def __len__(self) -> int:
        """Return how many conversations there are."""
        return len(self._recent)

    @property
    def size(self) -> int:
        """About how many bytes they take."""
        return self._recent.size

    def clear(self) -> None:
        """Forget all."""
        self._recent.clear()

    def find(self, owner: Hashable, text: bytes) -> tuple[Conversation, Cut, int] | None:
        """Return the conversation that has most in common with a body, and its last cut there.

        The third is where the rest of the body begins, behind a comma. In the order of the bytes,
        the conversation is the one before `text`, or the one behind it.
        """
        best: tuple[Conversation, Cut, int] | None = None
        prefixes, conversations = self._by_owner.get(owner, ((), ()))
        at = bisect_right(prefixes, text)
        for conversation in conversations[max(at - 1, 0) : at + 1]:
            cut = conversation.common_cut(text)
            comma = _comma(text, cut.offset) if cut is not None else None
            if cut is None or comma is None:
                continue
            if best is None or cut.offset > best[1].offset:
                best = conversation, cut, comma.end()
        # It may have been too old.
        return best if best is not None and self._recent.get(best[0]) is not None else None

    def put(self, owner: Hashable, new: Conversation, old: Conversation | None) -> None:
        """Keep a conversation, in place of the `old` one that it goes on from.

        It is not kept where a longer one is known that begins with it.
        """
        if old is not None:
            self._recent.drop(old)
        prefixes, conversations = self._by_owner.setdefault(owner, ([], []))
        at = bisect_left(prefixes, new.prefix)
        if at < len(prefixes) and prefixes[at].startswith(new.prefix):
            self._recent.get(conversations[at])
            return
        prefixes.insert(at, new.prefix)
        conversations.insert(at, new)
        self._recent.put(new, owner, new.size)

    def _forgotten(self, conversation: Conversation, owner: Hashable) -> None:
        prefixes, conversations = self._by_owner[owner]
        at = bisect_left(prefixes, conversation.prefix)
        del prefixes[at], conversations[at]
        if not prefixes:
            del self._by_owner[owner]


class Lists:
    """Finds the list of messages in a body, which has it under one key.

    A key may be written with escapes, and an object may have it more than once, when the last one
    counts. So the body is decoded with another key in place of the one that was found, one that no
    body can know: what is under that is the list, and nothing may be under the key itself.
    """

    def __init__(self, key: str) -> None:
        self._find = re.compile(rb'"%b"%b:%b\[' % (key.encode(), _SPACE, _SPACE)).search
        other = "".join(secrets.choice(_LETTERS) for _ in key)
        self._other = other.encode()
        kind: Any = msgspec.defstruct(
            "Lists",
            [("items", list[Raw]), ("again", Raw | msgspec.UnsetType, UNSET)],
            rename={"items": other, "again": key},
        )
        self._body: Callable[[bytes], Any] = msgspec.json.Decoder(kind).decode
        self._items = msgspec.json.Decoder(list[Raw]).decode
        self._object = b'{"%b":[%%b]}' % key.encode()

    def alone(self, body: Body) -> bytes:
        """Return a body that has nothing but the messages that were found in another."""
        return self._object % body.messages

    def find(self, text: bytes) -> Body | None:
        """Return a body with its list of messages; None without one, or with an empty one."""
        found = self._find(text)
        if found is None:
            return None
        key, start = found.span()
        behind = key + 1 + len(self._other)
        try:
            body = self._body(b"%b%b%b" % (text[: key + 1], self._other, text[behind:]))
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return None
        if body.again is not UNSET or not body.items:
            return None
        return _body(text, start, start, body.items)

    def rest(self, text: bytes, first: int, start: int, tail: bytes) -> Body | None:
        """Return a body whose messages before `start` are known, as is the `tail` behind all.

        Return None if what lies between is not a list of messages.
        """
        if len(text) - len(tail) < start:
            return None
        try:
            items = self._items(b"[%b]" % text[start : len(text) - len(tail)])
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return None
        return _body(text, first, start, items) if items else None


def _body(text: bytes, first: int, start: int, items: list[Raw]) -> Body:
    """Return a body whose messages follow each other from `start` on."""
    ends: list[int] = []
    at = start
    for item in items:
        if text[at] <= _BLANK:
            at = _past_space(text, at)
        at += len(memoryview(item))
        ends.append(at)
        if text[at] <= _BLANK:
            at = _past_space(text, at)
        at += 1  # a comma, or the end of the list
    return Body(text, first, start, ends)


def _past_space(text: bytes, at: int) -> int:
    found = _space(text, at)
    return found.end() if found is not None else at


def weight(messages: list[Message]) -> int:
    """Return about how many bytes messages take, beside their text."""
    size = 0
    for message in messages:
        size += _MESSAGE + _of_blocks(message.content)
        if message.extras is not None:
            size += _KEYS
    return size


def _of_blocks(content: Sequence[Any]) -> int:
    size = _BLOCK * len(content)
    for block in content:
        if block.extras is not None:
            size += _KEYS
        if type(block) is TextBlock:
            refs = block.annotations
        else:
            size += _OTHER + _of_blocks(getattr(block, "content", ()))
            refs = getattr(block, "refs", None)
        for ref in refs or ():
            size += _BLOCK if ref.extras is None else _BLOCK + _KEYS
    return size


def _of_values(value: Any) -> int:
    size, waiting = 0, [value]
    while waiting:
        value = waiting.pop()
        size += _VALUE
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return size


def detach(value: Any) -> None:
    """Copy what slices of an input a value holds, so that it does not keep the input."""
    if isinstance(value, list | tuple):
        for item in value:
            detach(item)
    elif isinstance(value, dict):
        for item in value.values():
            detach(item)
    elif isinstance(value, RawJson | Media):
        value.detach()
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            inner = getattr(value, name)
            if inner is not None and type(inner) is not str:
                detach(inner)
