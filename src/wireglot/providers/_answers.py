"""What all response codecs share: keys in the wire's own spelling, stop reasons, and errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from .._surrogates import mended_value
from ..errors import DecodeError, WireglotError
from ..losses import Losses
from ..model import (
    AssistantMessage,
    Content,
    Extra,
    Extras,
    IdSource,
    RawJson,
    Response,
    StopReason,
    ToolCallBlock,
    Usage,
)
from ._ids import OneToken, with_call_ids
from ._reading import Body, Reader, read_body, residue
from ._writing import Writer, encode, errors, unknown_dialect, with_keys

__all__ = [
    "LATEST",
    "ReadUsage",
    "ResponseWriter",
    "answer_bytes",
    "answer_extras",
    "counts_of",
    "stop_of",
    "usage_body",
    "usage_of",
    "with_reasoning",
]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode

LATEST: Final = 1e14
"""The bound on a time in seconds, before and after 1970: milliseconds must fit 64 bits."""

_NULL = Raw(b"null")

ReadUsage = Callable[[Any], Usage]
"""Returns the counts in a wire's own Struct for its usage."""


def usage_of(
    raw: Any, api: str, kind: Any, counts: ReadUsage, path: str = "$.usage"
) -> Usage | None:
    """Return the usage in a slice that holds a `kind`; its `extras` keep the slice, for its wire.

    Its unknown keys are those of no field of `kind`; what a service counts that the model has no
    place for is no loss on another wire, and `kind` has fields for it.

    Raises `DecodeError`; `path` is that of the slice.
    """
    if raw is None or bytes(raw) == b"null":
        return None
    try:
        body = usage_body(kind, raw)
    except DecodeError as error:
        raise DecodeError(error.reason, path=path + error.path[1:]) from error
    usage = counts(body.root)
    keys = RawJson(encode(residue(body.root, body.unknown)) if body.unknown else b"{}")
    usage.extras = {api: Extra(keys, spelling=RawJson.adopt(Raw(bytes(raw))))}
    return usage


def usage_body(kind: Any, raw: Any) -> Body:
    """Decode a slice of usage."""
    return read_body(kind, bytes(raw), "usage")


def answer_extras(
    reader: Reader, root: Any, kept: Iterable[str] = (), echoed: Iterable[str] = (), **nested: Any
) -> Extras | None:
    """Return the keys of an answer that the model has no field for, under the wire's own names.

    `kept` and `echoed` name fields of `root` (Python names) that are passed on unread; `nested`
    adds keys of inner objects, in the wire's own shape. The `echoed` fields describe the service
    and the request (fingerprints, timings), not the answer: they are written back to their own
    wire, and are no loss on another.
    """
    keys: dict[str, Any] = reader._residue(root) if reader._unknown else {}
    keys |= _set(root, kept)
    keys |= {key: value for key, value in nested.items() if value}
    said = _set(root, echoed)
    if not keys and not said:
        return None
    extra = Extra(RawJson.adopt(Raw(encode(keys))))
    if said:
        extra.spelling = RawJson.adopt(Raw(encode(said)))
    return {reader.API: extra}


def _set(root: Any, names: Iterable[str]) -> dict[str, Any]:
    keys = dict(zip(root.__struct_fields__, root.__struct_encode_fields__, strict=True))
    values = {keys[name]: getattr(root, name) for name in names}
    return {key: value for key, value in values.items() if value is not None and value != _NULL}


class ResponseWriter(Writer, ABC):
    """Base of the response encoders, one object for one answer or one stream."""

    SPOKEN: ClassVar[tuple[str, ...]]
    """The dialects of the wire."""
    STOP_WORDS: ClassVar[Mapping[str, StopReason]]
    """What each of the wire's stop reasons means."""
    STOPS: ClassVar[Mapping[StopReason, str]]
    """The wire's word for each stop reason that has one; any other becomes `DEFAULT_STOP`."""
    DEFAULT_STOP: ClassVar[str]
    CALL_ID: ClassVar[str] = "call_"
    """The prefix of the ids of calls, empty on a wire that does without them."""

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        if dialect not in self.SPOKEN:
            raise unknown_dialect(dialect, self.SPOKEN, self.WIRE)
        self._token = OneToken(ids, response.id or response)
        if self.CALL_ID:
            response = with_call_ids(response, partial(self.item_id, self.CALL_ID))
        super().__init__(response, losses, dialect)
        self._response = response
        self._message = response.message

    @abstractmethod
    def answer(self) -> Any:
        """Return the wire's JSON for the response."""

    def id(self, prefix: str = "") -> str:
        """Return the answer's id; if it has none, one of the caller's source, or a hash."""
        return self._response.id or f"{prefix}{self._token()}"

    def item_id(self, prefix: str, number: int) -> str:
        """Return an id for the n-th item of the answer."""
        return f"{prefix}{self._token()}{number:04x}"

    def is_own(self) -> bool:
        """Whether the answer came over this API, so that its signatures are valid here."""
        return self._message.api == self.API

    def meaning(self, raw: str, content: Sequence[Content]) -> StopReason:
        """Return what a stop reason of the wire means for an answer of this content."""
        return stop_of(self.STOP_WORDS, raw, content)

    def stop_word(self, message: AssistantMessage) -> str:
        """Return the wire's word for the stop reason of an answer.

        An answer that came over this API keeps its own word, if `stop_reason` still has that
        meaning.
        """
        raw, reason = message.raw_stop_reason, message.stop_reason
        is_own = raw is not None and message.api == self.API
        if is_own and reason == self.meaning(raw or "", message.content):
            return raw or self.DEFAULT_STOP
        if reason is None:
            return self.DEFAULT_STOP
        word = self.STOPS.get(reason)
        if word is None:
            self._lose("stop reason", message)
            return self.DEFAULT_STOP
        return word

    def lose_foreign(self, part: Any) -> None:
        """Report the unknown keys of a part that came over another API."""
        if part.extras is not None:
            self._own_keys(part)

    def usage_json(self, usage: Usage, kind: Any, counts: ReadUsage) -> Raw | None:
        """Return the usage JSON that came over this API, if it still has the counts of `usage`.

        Unknown keys of usage of another API are a loss.
        """
        self.lose_foreign(usage)
        extra = (usage.extras or {}).get(self.API)
        if extra is None or extra.spelling is None:
            return None
        came = Raw(extra.spelling.text)
        try:
            same = counts_of(counts(usage_body(kind, came).root)) == counts_of(usage)
        except WireglotError:
            return None
        return came if same else None

    def with_answer_extras(self, made: Any) -> Any:
        """Return the answer with the keys of `Response.extras`."""
        own = self.answer_keys()
        return with_keys(made, own) if own else made

    def answer_keys(self) -> dict[str, Raw]:
        """Return the keys of `Response.extras` that belong to this API."""
        if self._response.extras is None:
            return {}
        own = self._own_keys(self._response)
        extra = self._response.extras.get(self.API)
        if extra is not None and extra.spelling is not None:
            own = {**own, **_keys(extra.spelling.text)}
        return own


def stop_of(
    words: Mapping[str, StopReason], raw: str, content: Sequence[Content] = ()
) -> StopReason:
    """Return the meaning of a wire's stop reason; an unknown one is `STOP`.

    `STOP` becomes `TOOL_USE` if the answer has tool calls, whatever the wire calls that.
    """
    reason = words.get(raw, StopReason.STOP)
    if reason is StopReason.STOP and any(type(block) is ToolCallBlock for block in content):
        return StopReason.TOOL_USE
    return reason


def with_reasoning(said: int, thought: int) -> int:
    """Return the tokens of an answer, reasoning included.

    More reasoning than tokens in all was counted outside of them, as Perplexity does.
    """
    return said + thought if thought > said else said


def counts_of(usage: Usage) -> tuple[Any, ...]:
    """Return the counts of usage, without its `extras`."""
    return tuple(getattr(usage, name) for name in usage.__struct_fields__ if name != "extras")


def answer_bytes(
    make: Callable[[Response, Losses], ResponseWriter], response: Response, losses: Losses
) -> bytes:
    """Encode `response` with the writer that `make` returns; any failure is an `EncodeError`.

    A lone surrogate in a text is an error too; with a list of losses it becomes U+FFFD, and the
    loss is recorded.
    """
    before = len(losses) if losses is not None else 0
    writer = make(response, losses)
    with errors(writer.WIRE, response):
        try:
            return encode(writer.answer())
        except UnicodeEncodeError:
            if losses is not None:
                del losses[before:]  # the second attempt finds these again
            mended = mended_value(response, writer.WIRE, "$", losses)
            return encode(make(mended, losses).answer())
