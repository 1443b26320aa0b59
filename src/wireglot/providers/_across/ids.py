"""Ids for what an API identifies and an answer does not: from the caller's source, or a hash.

Programs take two answers, or two calls, of one id for the same one.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from ..._body.encode import InPieces, Unplaced, json_hook
from ..._body.surrogates import mended_value
from ...errors import WireglotError
from ...model import (
    AssistantMessage,
    Content,
    IdSource,
    Message,
    Response,
    SystemMessage,
    ToolCallBlock,
    ToolResultBlock,
    ToolResultMessage,
)
from ...model.session import unplaced


class OneToken:
    """A source of one token only: of `ids`, without it the hash of what is `known`."""

    __slots__ = ("_ids", "_known", "_token")

    def __init__(self, ids: IdSource | None, known: Any) -> None:
        self._ids, self._known = ids, known
        self._token = ""

    def __call__(self) -> str:
        """Return the token, which is made when it is first needed."""
        if not self._token:
            self._token = self._ids() if self._ids is not None else _hash(self._sent(), 12)
        return self._token

    def _sent(self) -> Any:
        """Return what is known, without what is never sent: the place in a session."""
        known = self._known
        if not isinstance(known, Response):
            return known
        others = known.alternatives
        return replace(
            known,
            message=unplaced(known.message),
            alternatives=others and [unplaced(other) for other in others],
        )


def _hash(known: Any, size: int) -> str:
    if type(known) is str:
        data = known.encode(errors="surrogatepass")
    else:
        try:
            data = _encode(known)
        except UnicodeEncodeError:
            data = _encode(mended_value(known, "ids", "$", []))
    return blake2b(data, digest_size=size).hexdigest()


def _hook(value: Any) -> Any:
    """Return the JSON form of a value, None if it has none: whoever writes it says why."""
    try:
        return json_hook(value)
    except InPieces as large:
        return b"".join(large.pieces.parts)
    except Unplaced:
        return value.text
    except (WireglotError, TypeError, ValueError, OSError):
        return None


_encode: Final = msgspec.json.Encoder(enc_hook=_hook).encode


# -- reading: calls that came without an id ----------------------------------------------------


def call_prefix(ids: IdSource | None, response: Response, *more: Any) -> str:
    """Return the prefix of the ids of an answer's calls.

    Without a source it is made from the answer's id, or from all that is known of the answer: then
    an answer gets the same ids each time it is read.
    """
    token = ids() if ids is not None else _hash(response.id or [response, *more], 6)
    return f"call_{token}_"


def named(response: Response, ids: IdSource | None = None, prefix: str | None = None) -> Response:
    """Give each call of an answer an id, in place; `prefix` is what others of its calls have.

    An empty id of the answer is none.
    """
    response.id = response.id or None
    for number, message in enumerate((response.message, *(response.alternatives or ()))):
        calls = [block for block in message.content if type(block) is ToolCallBlock]
        if not all(call.id for call in calls):
            prefix = prefix or call_prefix(ids, response)
            _number(calls, f"{prefix}{number}_" if number else prefix)
    return response


def _number(calls: list[ToolCallBlock], prefix: str) -> None:
    """Give the calls without an id running numbers, past the ids that the others have."""
    ids = {call.id for call in calls}
    number = 0
    for call in calls:
        while not call.id:
            call_id = f"{prefix}{number}"
            number += 1
            if call_id not in ids:
                call.id = call_id


def numbered(messages: list[Message]) -> None:
    """Give each call of a request that has an empty id another, in place, and so its result.

    The ids are numbered past all before them, so that a longer conversation has the same ones. A
    later call that has such an id of its own gets another, too. Answers in a row, with at most
    system messages between, are one turn: results may follow the last of them.
    """
    ids: set[str] = set()
    made_up: set[str] = set()
    waiting: dict[str, deque[ToolCallBlock]] = {}
    number = 0
    is_answer = False
    for message in messages:
        if type(message) is SystemMessage:
            continue
        was_answer, is_answer = is_answer, type(message) is AssistantMessage
        if type(message) is not AssistantMessage:
            for result in _results(message):
                calls = waiting.get(result.tool_call_id)
                if calls:
                    call = calls.popleft()
                    result.tool_call_id, result.tool_name = call.id, call.name
            continue
        if not was_answer:
            waiting.clear()
        blocks = [block for block in message.content if type(block) is ToolCallBlock]
        ids.update(block.id for block in blocks)
        for block in blocks:
            if block.id and block.id not in made_up:
                continue
            while (call_id := f"call_{number}") in ids:
                number += 1
            waiting.setdefault(block.id, deque()).append(block)
            block.id = call_id
            ids.add(call_id)
            made_up.add(call_id)


def all_named(messages: list[Message]) -> bool:
    """Whether each call of a request has an id, so that none has to be numbered."""
    return all(map(_is_named, (m for m in messages if type(m) is AssistantMessage)))


def _results(message: Message) -> list[ToolResultBlock | ToolResultMessage]:
    """Return the results in a message."""
    if type(message) is ToolResultMessage:
        return [message]
    return [block for block in message.content if type(block) is ToolResultBlock]


# -- writing: calls that have none, or that of another ----------------------------------------


def with_call_ids(response: Response, made: Callable[[int], str] | None) -> Response:
    """Return an answer whose calls have ids, each one of its own.

    `made` returns the id for the n-th block; without it, calls without an id stay so.
    """
    others = response.alternatives or []
    or_none = made is None
    if _have_their_own(response.message, or_none) and (
        not others or all(_have_their_own(message, or_none) for message in others)
    ):
        return response
    messages = [response.message, *others]
    first, *others = [_with_ids(message, made, i << 12) for i, message in enumerate(messages)]
    return replace(response, message=first, alternatives=others or None)


def own_id(call_id: str, number: int, taken: set[str]) -> str:
    """Return the id of the n-th block that no other call of its answer has, and note it."""
    while call_id in taken:
        call_id = f"{call_id}_{number}"
    taken.add(call_id)
    return call_id


def _is_named(message: AssistantMessage) -> bool:
    for block in message.content:  # noqa: SIM110 -- on the way of each answer
        if type(block) is ToolCallBlock and not block.id:
            return False
    return True


def _have_their_own(message: AssistantMessage, or_none: bool) -> bool:
    ids: set[str] | None = None
    for block in message.content:
        if type(block) is not ToolCallBlock or (or_none and not block.id):
            continue
        if not block.id or (ids is not None and block.id in ids):
            return False
        if ids is None:
            ids = set()
        ids.add(block.id)
    return True


def _with_ids(
    message: AssistantMessage, made: Callable[[int], str] | None, first: int
) -> AssistantMessage:
    taken: set[str] = set()
    content: list[Content] = []
    for number, block in enumerate(message.content, first):
        if type(block) is ToolCallBlock:
            call_id = block.id or (made(number) if made is not None else "")
            if call_id:
                call_id = own_id(call_id, number, taken)
            block = block if call_id == block.id else replace(block, id=call_id)
        content.append(block)
    return replace(message, content=content)


def hashed(word: str, allowed: re.Pattern[str], longest: int, filler: str = "_") -> str:
    """Return `word` in an alphabet, with eight digits of a hash to keep words distinct.

    `allowed` matches a single character.
    """
    digest = sha256(word.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    kept = "".join(char if allowed.fullmatch(char) else filler for char in word[: longest - 9])
    return f"{kept}{filler}{digest}"


def nine_letters(call_id: str) -> str:
    """Return a call's id in the form that Mistral's models take: nine letters and digits."""
    if len(call_id) == 9 and call_id.isascii() and call_id.isalnum():
        return call_id
    return _known_letters(call_id) if len(call_id) <= _LONGEST_KNOWN else _nine_letters(call_id)


def _nine_letters(call_id: str) -> str:
    """Return nine letters and digits of a hash of the id, about 53 bits."""
    digest = b64encode(sha256(call_id.encode("utf-8", "surrogatepass")).digest())
    return digest.translate(None, b"+/=")[:9].decode()


_LONGEST_KNOWN: Final = 100
# A conversation asks for the same ids again at every turn. Ids are a client's text: of any length.
_known_letters = lru_cache(maxsize=4096)(_nine_letters)


def in_alphabet(letters: str, longest: int, first: str = "") -> Callable[[str], str]:
    """Return the function that brings a name into the alphabet of `letters`, if it is not in it.

    `first` holds the letters that a name may begin with, if those are fewer; `_` is one of them.
    """
    letter = re.compile(f"[{letters}]")
    is_name = re.compile(f"[{first or letters}][{letters}]{{0,{longest - 1}}}").fullmatch
    before = "_" if first else ""

    def tool_name(name: str) -> str:
        return name if is_name(name) else before + hashed(name, letter, longest - len(before))

    return tool_name
