"""A body with a canary -> the destinations at which it is silently gone."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import wireglot as wg
from tests.canaries.bodies import Body
from tests.canaries.excuses import is_excused
from tests.canaries.planting import Canary

__all__ = ["MODEL", "OWN", "silent"]

OWN = "own"
"""The destination that is the body's own wire."""
MODEL = "model"
"""The destination that is the model's own JSON, and from there the body's own wire."""
_WHOLE = frozenset(
    {
        *("extras", "opaque block", "image", "audio", "video", "document", "data", "error"),
        *("redacted thinking", "thinking", "thinking at the end", "tool call", "tool result"),
        *("opaque tool", "response format", "tool choice", "tools", "user part", "candidates"),
        *("annotation", "tool result content", "file id", "media", "unfinished"),
    }
)
"""The words of losses after which nothing of an object is left."""
_CALLS = ("tool_calls", "tool_use", "toolUse", "function_call", "functionCall")
"""What stands in the paths of calls: one that an error meets open is a loss as a whole."""


def silent(canary: Canary, targets: Iterable[str]) -> Iterator[str]:
    """Yield the destinations that drop the canary, and do not say so."""
    for target in targets:
        body = canary.body
        key = (body.kind, body.wire, target, canary.path, canary.key)
        if not is_excused(*key) and not _is_told(canary, target):
            yield target


def _is_told(canary: Canary, target: str) -> bool:
    body = canary.body
    known = _plain(body.wire, body.kind, body.dialect, body.path, body.data, target)
    if known is None:
        return True
    losses: list[wg.Loss] = []
    try:
        made = _MADE[body.kind](body, canary.data, target, losses)
    except (wg.WireglotError, wg.ProviderError):
        return True
    if all(_is_in(canary.value, each) for each in made):
        return True
    if canary.value.decode() in _route(canary, target):
        return True
    if _counted(losses) - known:
        return True
    if canary.spots:  # the text that was there may be lost in the same words
        key = (body.wire, body.kind, body.dialect, body.path, canary.without(), target)
        without = _plain(*key)
        if any(loss.what == canary.key for loss in losses):  # as without it, if it has to be there
            return True
        if without is not None and _counted(losses) - without:
            return True
    if body.kind == "broken" and any(word in canary.path for word in _CALLS):
        return any(loss.what == "unfinished" for loss in losses)
    return bool(losses) and any(
        f"{path}.".startswith((f"{loss.path}.", f"{loss.path}["))
        and (loss.what in _WHOLE or loss.what.replace("_", "") in path.lower())
        for path in _native_paths(canary)
        for loss in losses
    )


def _is_in(value: bytes, made: bytes) -> bool:
    """Whether a value stands in what was written, in the text itself or in base64."""
    return value in made or any(
        b64encode(b" " * at + value)[2 * at : -4] in made for at in range(3)
    )


def _route(canary: Canary, target: str) -> str:
    """Return the path of a request, which has the model at some APIs."""
    body = canary.body
    if body.kind != "requests" or canary.key != "model" or target in (OWN, MODEL):
        return ""
    reader, writer = wg.PROVIDERS[body.wire], wg.PROVIDERS[target]
    request = reader.decode_request(canary.data, body.path, dialect=body.dialect, losses=[])
    return writer.route(request).path if request.model else ""


def _counted(losses: list[wg.Loss]) -> Counter[tuple[str, str]]:
    return Counter((loss.path, loss.what) for loss in losses)


@lru_cache(4096)
def _plain(
    wire: str, kind: str, dialect: str, path: str | None, data: bytes, target: str
) -> Counter[tuple[str, str]] | None:
    """Return the losses of the body without a canary; None if the target refuses it."""
    losses: list[wg.Loss] = []
    body = Body(wire, kind, dialect, path, data, "", None)
    try:
        _MADE[kind](body, data, target, losses)
    except (wg.WireglotError, wg.ProviderError):
        return None
    return _counted(losses)


def _request(body: Body, data: bytes, target: str, losses: list[wg.Loss]) -> list[bytes]:
    own = body.dialect
    if target != MODEL:
        name = body.wire if target == OWN else target
        made = wg.translate_request(
            data,
            body.wire,
            name,
            path=body.path,
            losses=losses,
            source_dialect=own,
            target_dialect=own if target == OWN else None,
            repair=True,
        )
        return [made]
    provider = wg.PROVIDERS[body.wire]
    request = provider.decode_request(data, body.path, dialect=own, losses=losses)
    native = wg.json.encode(request)
    again = wg.json.decode(native, wg.Request)
    made = provider.encode_request(again, dialect=own, losses=losses, repair=True)
    return [native, made]


def _answer(body: Body, data: bytes, target: str, losses: list[wg.Loss]) -> list[bytes]:
    own = body.dialect
    if target != MODEL:
        made = wg.translate_response(
            data,
            body.wire,
            body.wire if target == OWN else target,
            losses=losses,
            source_dialect=own,
            target_dialect=own if target == OWN else None,
        )
        return [made]
    provider = wg.PROVIDERS[body.wire]
    response = provider.decode_response(data, dialect=own, losses=losses)
    native = wg.json.encode(response)
    again = wg.json.decode(native, wg.Response)
    return [native, provider.encode_response(again, dialect=own, losses=losses)]


def _stream(body: Body, data: bytes, target: str, losses: list[wg.Loss]) -> list[bytes]:
    own = body.dialect
    if target == MODEL:
        return [_model(body, data, losses)]
    translator = wg.StreamTranslator(
        body.wire,
        body.wire if target == OWN else target,
        losses=losses,
        source_dialect=own,
        target_dialect=own if target == OWN else None,
    )
    return [translator.feed(data) + translator.close()]


_MADE: dict[str, Callable[[Body, bytes, str, list[wg.Loss]], list[bytes]]] = {
    "requests": _request,
    "answers": _answer,
    "streams": _stream,
    "broken": _stream,
}


def _model(body: Body, data: bytes, losses: list[wg.Loss]) -> bytes:
    """Return the events of a stream and the answer that they make, as text."""
    decoder = wg.PROVIDERS[body.wire].StreamDecoder(dialect=body.dialect, losses=losses)
    events = [*decoder.feed(data), *decoder.finish()]
    whole = decoder.message if body.kind == "broken" else decoder.close()
    return repr(events).encode() + wg.json.encode(whole)


def _native_paths(canary: Canary) -> list[str]:
    """Return the paths in the model at which a canary stands."""
    body = canary.body
    provider = wg.PROVIDERS[body.wire]
    value: Any
    if body.kind == "requests":
        value = provider.decode_request(canary.data, body.path, dialect=body.dialect, losses=[])
    elif body.kind == "answers":
        value = provider.decode_response(canary.data, dialect=body.dialect, losses=[])
    else:
        decoder = provider.StreamDecoder(dialect=body.dialect, losses=[])
        decoder.feed(canary.data)
        value = {"message": decoder.message} if body.kind == "broken" else decoder.close()
    return list(_paths(json.loads(wg.json.encode(value)), canary.value.decode(), "$"))


def _paths(value: Any, word: str, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _paths(inner, word, f"{path}.{key}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _paths(inner, word, f"{path}[{at}]")
    elif word in str(value):
        yield path
