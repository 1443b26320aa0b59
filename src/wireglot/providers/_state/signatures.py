"""A block and its message -> whose models have signed it, and whether they read it again.

A signature goes back to the API that made it. Beyond that it goes only to models of the family that
made it, which two APIs may serve. Anthropic's documentation says so of Claude: "`signature` values
are compatible across platforms (the Claude API, Amazon Bedrock, and Google Cloud)" (Extended
thinking, 2026-10). What came over a wire that carries the signatures of others, with the name of
their maker, has a note of the maker in its extras.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct

from ...capabilities import ANY, GENERATIONS, generation
from ...model import AssistantMessage, Request
from .encoding import Encoding
from .facts import called, facts_of, our_facts

CLAUDE: Final = "claude"
GEMINI: Final = "gemini"
FORMATS: Final[Mapping[str, str]] = MappingProxyType(
    {CLAUDE: "anthropic-claude-v1", GEMINI: "google-gemini-v1"}
)
"""Family -> the `format` of its signatures at OpenRouter and at Vercel's gateway."""
SIGNER: Final = "signer"
"""The key in the spelling of a block that names the family whose models have signed it."""
SIGNS: Final = "signs"
"""The key there that names the call which a signature belongs to."""

NOTES: Final = frozenset({SIGNER, SIGNS})
"""The keys of a spelling that the encoders of other APIs read."""

_SIGNED: Final = "claude:"
_REDACTED: Final = "claude-redacted:"
holds_sealed: Final = re.compile(rb'"encrypted_content"\s*:\s*"claude(?:-redacted)?:').search
"""Find a signature of Claude's in a body of Responses, which OpenAI would refuse."""


class _Note(Struct):
    """What the spelling of a block says of its signature."""

    signer: str | None = None
    signs: str | None = None


_note: Final = msgspec.json.Decoder(_Note).decode


def api_of(message: Any) -> str | None:
    """Return the API that a message came over, which has made its signatures; None if unknown."""
    if type(message) is not AssistantMessage:
        return None
    if message.api is not None:
        return message.api
    known = called("", message.provider)
    if known is not None or (message.provider is None and message.model is None):
        return known
    apis = _apis_of_signers()
    row = generation(message.model)
    return apis.get((message.provider or "").lower()) or (apis.get(row.family) if row else None)


@cache
def _apis_of_signers() -> dict[str, str]:
    """Return the APIs whose models sign, by family, and by any name that a system has for them."""
    apis: dict[str, str] = {}
    for facts in our_facts():
        if facts.signer is not None:
            apis.setdefault(facts.signer, facts.api)
            for name in (name for names in facts.also_called.values() for name in names):
                apis.setdefault(name.partition(":")[0].lower(), facts.api)
    return apis


def noted(block: Any) -> str | None:
    """Return the family that the extras of a block name as the maker of its signature."""
    return _note_on(block).signer if block.extras is not None else None


def signs(block: Any) -> str | None:
    """Return the id of the call that the signature of a block belongs to, None if it has none."""
    return _note_on(block).signs if block.extras is not None else None


def _note_on(block: Any) -> _Note:
    for extra in block.extras.values():
        if extra.spelling is not None:
            try:
                note = _note(extra.spelling.text)
            except (msgspec.DecodeError, UnicodeError, RecursionError):
                continue
            if note.signer in FORMATS:
                return note
    return _Note()


def maker(block: Any, message: Any) -> str | None:
    """Return the family of models that a signature in a message is from, None if unknown.

    The message's `model` need not be known: a request does not name it. But one that is known as
    another family's has not made it.
    """
    family = noted(block)
    if family is None:
        family = facts_of(api_of(message)).signer
        row = generation(message.model) if family is not None else None
        if row is not None and row.family != family:
            return None
    return family


def reads(encoding: Encoding, family: str | None) -> bool:
    """Whether signatures of a family may be written: the model of a request has to be of it.

    An answer goes to the client, which sends it back.
    """
    if family is None or type(encoding.root) is not Request:
        return family is not None
    row = generation(encoding.root.model)
    if row is not None:
        return row.family == family
    takes = encoding.takes
    return takes is not ANY and any(
        row.takes is takes and row.family == family for row in GENERATIONS
    )


def claudes(block: Any, message: Any, encoding: Encoding) -> str | None:
    """Return Claude's signature of thinking, as Anthropic's API has it; None if it has no place.

    Bedrock's `redactedContent` is the base64 of the text that Anthropic's API has as `data`.
    """
    signature: str | None = block.signature
    if not signature or maker(block, message) != CLAUDE or not reads(encoding, CLAUDE):
        return None
    if block.redacted and facts_of(api_of(message)).signs_as_blob:
        return _text_of(signature)
    return signature


def blob_of(data: str) -> str:
    """Return the `data` of redacted thinking as Bedrock has it (see `claudes`)."""
    return b64encode(data.encode()).decode()


def sealed(signature: str, *, redacted: bool) -> str:
    """Return the `encrypted_content` that holds a signature of Claude's, on Responses.

    Clients send it back as it is. The prefix tells whose it is.
    """
    return (_REDACTED if redacted else _SIGNED) + signature


def unsealed(content: str | None) -> tuple[str, bool] | None:
    """Return Claude's signature in an `encrypted_content`, and whether it is redacted thinking."""
    for prefix, is_redacted in ((_SIGNED, False), (_REDACTED, True)):
        if content is not None and content.startswith(prefix):
            return content.removeprefix(prefix), is_redacted
    return None


def _text_of(blob: str) -> str | None:
    """Return the text that a blob holds, None if it holds none."""
    try:
        text = b64decode(blob, validate=True).decode("ascii")
    except ValueError:
        return None
    return text if text and text.isprintable() else None
