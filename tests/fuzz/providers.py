"""Inputs of the providers' wires -> nothing, or the law that one of them broke."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import wireglot as wg
from tests.fuzz.laws import check, check_native, choices, cut, decoded, encoded, is_deep

__all__ = ["PATHS", "PROVIDERS"]

_NAMES = tuple(wg.PROVIDERS)
PATHS = {"gemini": "/v1beta/models/m:generateContent", "bedrock": "/model/m/converse"}
"""The paths of the wires that have the model in the URL."""


def _request(name: str) -> Callable[[bytes], None]:
    """Return the target of a provider's requests."""
    provider = wg.PROVIDERS[name]

    def target(data: bytes) -> None:
        first, second, body = choices(data)
        dialect = provider.DIALECTS[first % len(provider.DIALECTS)]
        request = decoded(
            lambda: provider.decode_request(body, PATHS.get(name), dialect=dialect, losses=[]), name
        )
        if request is None:
            return
        request.model = request.model or "m"
        native = encoded(lambda: wg.json.encode(request))
        made = encoded(
            lambda: provider.encode_request(request, losses=[], dialect=dialect, repair=True)
        )
        if made is not None and not is_deep(made):
            _check_again(provider, request, made, dialect)
        other = wg.PROVIDERS[_NAMES[second % len(_NAMES)]]
        translated = encoded(lambda: other.encode_request(request, losses=[], repair=True))
        if translated is not None and not is_deep(translated):
            other.decode_request(translated, encoded(lambda: other.route(request).path))
        check(
            encoded(lambda: wg.json.encode(request)) == native, "to encode a request changes none"
        )
        check_native(request, wg.Request)

    return target


def _check_again(provider: Any, request: wg.Request, made: bytes, dialect: str) -> None:
    path = provider.route(request, dialect=dialect).path
    # A null key is read as unset, and not written again, but for that of an answer of calls alone.
    if b'":null' in made.replace(b'"content":null', b""):
        provider.decode_request(made, path, dialect=dialect)
        return

    def written(body: bytes) -> bytes:
        asked = provider.decode_request(body, path, dialect=dialect)
        again: bytes = provider.encode_request(asked, losses=[], dialect=dialect, repair=True)
        return again

    # Keys that were moved, or that we added, get their proper place in the second round.
    again = written(made)
    check(_says_the_same(again, made), "a request that was written comes back")
    check(written(again) == again, "a request that was read is written byte for byte")


def _says_the_same(one: bytes, other: bytes) -> bool:
    """Whether two bodies are equal as JSON; base64 in them need not be UTF-8."""
    if one == other:
        return True
    return bool(
        json.loads(one.decode(errors="replace")) == json.loads(other.decode(errors="replace"))
    )


def _answer(name: str) -> Callable[[bytes], None]:
    """Return the target of a provider's answers and errors."""
    provider = wg.PROVIDERS[name]

    def target(data: bytes) -> None:
        first, second, body = choices(data)
        dialect = provider.DIALECTS[first % len(provider.DIALECTS)]
        other = wg.PROVIDERS[_NAMES[second % len(_NAMES)]]
        error = provider.decode_error(body, None if first & 128 else 400 + second)
        check(isinstance(error, wg.ProviderError), "any body of an error is an error")
        check(provider.encode_error(error) == body, "the body of an error comes back as it was")
        check(isinstance(other.encode_error(error), bytes), "an error goes to any wire")
        response = decoded(lambda: provider.decode_response(body, dialect=dialect, losses=[]), name)
        if response is None:
            return
        made = encoded(lambda: provider.encode_response(response, losses=[], dialect=dialect))
        if made is not None and not is_deep(made):
            again = _written_again(provider, made, dialect)
            # The keys that we add are in another order if an answer already has them.
            check(_says_the_same(again, made), "an answer that was written comes back")
            check(
                _written_again(provider, again, dialect) == again,
                "an answer that was read is written byte for byte",
            )
        translated = encoded(lambda: other.encode_response(response, losses=[]))
        if translated is not None and not is_deep(translated):
            has_failed = response.message.stop_reason == "error"  # which Responses has as an error
            with suppress(*((wg.ProviderError,) if has_failed else ())):
                other.decode_response(translated)
        check_native(response, wg.Response)

    return target


def _written_again(provider: Any, body: bytes, dialect: str) -> bytes:
    made: bytes = provider.encode_response(
        provider.decode_response(body, dialect=dialect), losses=[], dialect=dialect
    )
    return made


def _stream(name: str) -> Callable[[bytes], None]:
    """Return the target of a provider's streams."""
    provider = wg.PROVIDERS[name]

    def target(data: bytes) -> None:
        first, second, body = choices(data)
        dialect = provider.DIALECTS[(second // len(_NAMES)) % len(provider.DIALECTS)]
        events, answer, message = _read(provider, [body], dialect)
        pieces = _read(provider, cut(body, first), dialect)
        check(type(pieces[1]) is type(answer), "any chunking gives the same kind of answer")
        check(pieces[2] == message, "any chunking gives the same message")
        check(pieces[0] == events, "any chunking gives the same events")
        check(_told(pieces[1]) == _told(answer), "any chunking gives the same words of an error")
        if isinstance(answer, wg.Response):
            check(pieces[1] == answer, "any chunking gives the same answer")
            check_native(answer, wg.Response)
        if isinstance(answer, wg.Response | wg.ProviderError) and not is_deep(body):
            _check_written(provider, events, dialect)
            other = wg.PROVIDERS[_NAMES[second % len(_NAMES)]]
            _check_written(other, events, other.DIALECTS[0])

    return target


def _told(answer: wg.Response | wg.WireglotError) -> str:
    """Return the words of an error."""
    return "" if isinstance(answer, wg.Response) else str(answer)


def _read(
    provider: Any, chunks: list[bytes], dialect: str
) -> tuple[list[Any], wg.Response | wg.WireglotError, bytes | None]:
    """Return the events, the answer or the error, and the message of a stream."""
    decoder = provider.StreamDecoder(dialect=dialect, losses=[])
    events: list[Any] = []
    answer: wg.Response | wg.WireglotError
    try:
        for chunk in chunks:
            events += decoder.feed(chunk)
        events += decoder.finish()
        answer = decoder.close()
    except (wg.DecodeError, wg.ProviderError) as error:
        answer = error
    return events, answer, encoded(lambda: wg.json.encode(decoder.message))


def _check_written(provider: Any, events: list[Any], dialect: str) -> None:
    """Check that a wire's decoder can read a stream that the wire's encoder wrote.

    An error may come back as an answer that ended with an error: Cohere has no other form. A call
    whose name is empty goes out as it is; Chat and Mistral read none, as its name might still come.
    """
    if any(isinstance(event, wg.BlockStart) and not _is_named(event.block) for event in events):
        return
    encoder = provider.StreamEncoder(losses=[], dialect=dialect)
    written = encoded(
        lambda: b"".join([*(encoder.encode(event) for event in events), encoder.close()])
    )
    if written is None:
        return
    _, again, _ = _read(provider, [written], dialect)
    check(not isinstance(again, wg.DecodeError), "a stream that was written can be read")


def _is_named(block: wg.Content) -> bool:
    return not isinstance(block, wg.ToolCallBlock) or bool(block.name)


PROVIDERS = {
    f"{name}-{kind}": make(name)
    for name in _NAMES
    for kind, make in (("request", _request), ("answer", _answer), ("stream", _stream))
}
