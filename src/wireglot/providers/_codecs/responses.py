"""Response <-> the body of a provider's answer: what all codecs of answers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ..._body.decode import Decoded, plain_text, read_text
from ..._body.encode import encode_json as encode
from ..._body.faults import FAULTS
from ..._body.objects import with_keys
from ..._body.refuse import encode_error
from ..._body.surrogates import mended_value
from ...errors import DecodeError, EncodeError, ProviderError, WireglotError
from ...losses import Losses, lost_so_far
from ...model import (
    AssistantMessage,
    Content,
    IdSource,
    Response,
    StopReason,
    ThinkingBlock,
    ToolNames,
    Usage,
)
from .. import _interface
from .._across.carried import carried
from .._across.client_tools import restored
from .._across.ids import OneToken, named, with_call_ids
from .._across.stops import UNENDED, settled, stop_of
from .._across.usage import NO_PARTS, ReadUsage, counts_of, token_parts, totalled, usage_body
from .._state.decoding import Decoding, read_out
from .._state.encoding import Encoding
from .._state.facts import TokenParts, facts_of
from .._state.rules import Rules

_NULL: Final = Raw(b"null")
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode
_value = msgspec.json.Decoder().decode


class BaseResponseWriter(ABC):
    """Base of the encoders of answers, one object for one answer or one stream."""

    STOP_WORDS: ClassVar[Mapping[str, StopReason]]
    """What each of the wire's stop reasons means."""
    STOPS: ClassVar[Mapping[StopReason, str]]
    """The wire's word for each stop reason that has one; any other becomes `DEFAULT_STOP`."""
    DEFAULT_STOP: ClassVar[str]
    CALL_ID: ClassVar[str] = "call_"
    """The prefix of the ids of calls, empty on a wire that does without them."""
    RULES: ClassVar[Rules]

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        # A stream has one token for all of its writers.
        is_stream = isinstance(ids, OneToken)
        self._token = ids if isinstance(ids, OneToken) else OneToken(ids, response.id or response)
        if response.message.api != self.RULES.api:
            response = carried(response, self.RULES.api, is_stream=is_stream)
        if response.message.content or response.alternatives:
            made = partial(self.item_id, self.CALL_ID) if self.CALL_ID else None
            response = with_call_ids(response, made)
        self.encoding: Encoding = Encoding(self.RULES, response, losses, dialect, len(losses or ()))
        self.response: Response = response
        self.message: AssistantMessage = response.message

    @abstractmethod
    def answer(self) -> Any:
        """Return the wire's JSON for the response."""

    def id(self, prefix: str = "") -> str:
        """Return the answer's id; if it has none, one of the caller's source, or a hash."""
        return self.response.id or f"{prefix}{self._token()}"

    def item_id(self, prefix: str, number: int) -> str:
        """Return an id for the n-th item of the answer."""
        return f"{prefix}{self._token()}{number:04x}"

    def is_own(self) -> bool:
        """Whether the answer came over this API, so that its signatures are valid here."""
        return self.message.api == self.RULES.api

    def meaning(self, raw: str, content: Sequence[Content]) -> StopReason:
        """Return what a stop reason of the wire means for an answer of this content."""
        return stop_of(self.STOP_WORDS, raw, content)

    def stop_word(self, message: AssistantMessage) -> str:
        """Return the wire's word for the stop reason of an answer.

        An answer that came over this API keeps its own word, if `stop_reason` still has that
        meaning.
        """
        raw, reason = message.raw_stop_reason, message.stop_reason
        is_own = raw is not None and message.api == self.RULES.api
        if is_own and reason == self.meaning(raw or "", message.content):
            return raw or self.DEFAULT_STOP
        reason = settled(reason, message.content)
        if reason is None:
            return self.DEFAULT_STOP
        word = self.STOPS.get(reason)
        known = facts_of(message.api).stop_reasons
        is_unknown = reason is StopReason.STOP and raw and known is not None and raw not in known
        if word is None or is_unknown or raw in UNENDED:
            self.encoding.lose("stop reason", message)
            return self.DEFAULT_STOP
        return word

    def usage_json(self, usage: Usage, kind: Any, counts: ReadUsage) -> Raw | None:
        """Return the usage JSON that came over this API, if it still has the counts of `usage`.

        Unknown keys of usage of another API are a loss.
        """
        self.encoding.lose_foreign(usage)
        extra = (usage.extras or {}).get(self.RULES.api)
        if extra is None or extra.spelling is None:
            return None
        came = Raw(extra.spelling.text)
        try:
            read = counts(usage_body(kind, came).root)
        except WireglotError:
            return None
        # Usage that an earlier version has read has no total where the API reports none.
        is_total = usage.total_tokens in (read.total_tokens, read.summed())
        read.total_tokens = usage.total_tokens
        return came if is_total and counts_of(read) == counts_of(usage) else None

    def token_parts(self, usage: Usage) -> TokenParts:
        """Return what another API that the answer came over has counted apart."""
        api = self.message.api
        return NO_PARTS if api == self.RULES.api else token_parts(usage, api)

    def with_answer_extras(self, body: Any) -> Any:
        """Return the answer with the keys of `Response.extras`."""
        own = self.answer_keys()
        return with_keys(body, own) if own else body

    def answer_keys(self) -> dict[str, Raw]:
        """Return the keys of `Response.extras` that belong to this API."""
        if self.response.extras is None:
            return {}
        own = self.encoding.own_keys(self.response)
        extra = self.response.extras.get(self.RULES.api)
        if extra is not None and extra.spelling is not None:
            own = {**own, **_keys(extra.spelling.text)}
        return own

    def lose_signature(self, block: Content) -> None:
        """Report a signature, on a wire without any; in a request it is left out by design."""
        if type(block) is ThinkingBlock and not block.thinking:
            return  # the signature is all that it has
        if getattr(block, "signature", None) is not None:
            self.encoding.lose("signature", block)


def says_error(keys: Mapping[str, Raw]) -> bool:
    """Whether keys hold an error under the name that most APIs give it."""
    return "error" in keys and _says_something(keys["error"])


def _says_something(error: Raw) -> bool:
    """Whether an error is one: services send empty ones beside their answers."""
    try:
        value = _value(error)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return True
    return any(value.values()) if isinstance(value, dict) else bool(value)


def _keys_of(data: bytes) -> dict[str, Raw]:
    """Return the keys of a body, or of the first in a list, as Google's services send it."""
    try:
        return _keys(_items(data)[0] if data.lstrip()[:1] == b"[" else data)
    except (msgspec.DecodeError, UnicodeError, RecursionError, IndexError):
        return {}


class ResponseCodec:
    """The codec of one wire's answers: its rules, its writer, and the functions that read them.

    `decode_error` reads an error that came in place of an answer. `is_error` knows it by the keys
    of a body that is not an answer; `has_failed` tells of an answer that it is an error.
    """

    def __init__(
        self,
        rules: Rules,
        body: Any,
        writer: type[BaseResponseWriter],
        read: Callable[[Decoding], Response],
        decode_error: Callable[[Any], ProviderError],
        is_error: Callable[[Mapping[str, Raw]], bool] = says_error,
        has_failed: Callable[[Decoded], bool] = lambda _: False,
    ) -> None:
        self._rules = rules
        self.body: Any = body
        """The wire's Struct of a body."""
        self._writer = writer
        self._read = read
        self._decode_error = decode_error
        self._is_error = is_error
        self._has_failed = has_failed

    def encode_response(
        self,
        response: Response,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> bytes:
        rules = self._rules
        dialect = rules.dialect(dialect)
        before = 0
        if losses is not None:  # one call for a list
            before = len(losses) if losses.__class__ is list else lost_so_far(losses)
        try:
            try:
                return encode(self._answer(response, losses, dialect, ids))
            except UnicodeEncodeError:
                if losses is not None:
                    del losses[before:]  # the second attempt finds these again
                mended = mended_value(response, rules.wire, "$", losses)
                return encode(self._answer(mended, losses, dialect, ids))
        except EncodeError:
            raise
        except FAULTS as error:
            raise encode_error(error, rules.wire, response, Response) from error

    encode_response.__doc__ = _interface.encode_response.__doc__

    def _answer(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None
    ) -> Any:
        writer = self._writer(response, losses, dialect, ids)
        for message in (response.message, *(response.alternatives or ())):
            writer.encoding.lose_rest(message)
        return writer.answer()

    def decode_response(
        self,
        data: Any,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        ids: IdSource | None = None,
        names: ToolNames | None = None,
    ) -> Response:
        rules = self._rules
        name = rules.dialect(dialect)

        def read(text: bytes, found: Losses) -> Response | None:
            body = read_text(self.body, text, rules.wire, found)
            if says_error(body.unknown.get(id(body.root), {})) or self._has_failed(body):
                return None
            return totalled(named(self.read(body, name), ids))

        text = plain_text(data, rules.wire, losses)
        try:
            response = read_out(read, text, rules.wire, losses)
        except DecodeError as error:
            if self._is_error(_keys_of(text)):
                raise self._decode_error(text) from error
            raise
        if response is None:
            raise self._decode_error(text)
        return restored(response, names) if names else response

    decode_response.__doc__ = _interface.decode_response.__doc__

    def read(self, body: Decoded, dialect: str) -> Response:
        """Return the answer in a body that has been decoded, as a stream has at its end."""
        return self._read(Decoding(self._rules, body, dialect))
