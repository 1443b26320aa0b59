"""A document of one wire -> bytes of another: requests, answers, streams and sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import wireglot.json as json
import wireglot.msgpack as msgpack

from .._registry import FORMAT_NAMES, PROVIDER_NAMES
from ..capabilities import of_model
from ..errors import EncodeError, WireglotError
from ..formats import FORMATS
from ..losses import Loss, Losses, lose
from ..model import AgentMessage, AssistantMessage, Request, Response, llm_messages
from ..providers import PROVIDERS, facts_named
from ..translate import StreamTranslator
from .detection import NATIVE, Found

MSGPACK: Final = "msgpack"
TARGETS: Final = (*PROVIDER_NAMES, *FORMAT_NAMES, NATIVE, MSGPACK)
"""The wires of our own to convert to; those that are registered are targets as well."""

_NO_PLACE: Final = "a session has no place for it; left out"
_ALWAYS_LINES: Final = frozenset({"operator_use"})
_SUFFIXES: Final = {"eventstream": ".eventstream", "ndjson": ".ndjson"}
_CARRIED: Final = frozenset({"messages", "message", "id", "created_at", "stream"})


class Target(NamedTuple):
    """What to convert a document to. With `kind` None it is the usual kind of the wire.

    `model` overrides the model that the document names; `fallback` is for one that names none.
    `like` is a name that tells which model it is, if its own does not.
    """

    wire: str
    dialect: str | None = None
    kind: str | None = None
    model: str | None = None
    is_strict: bool = False
    repairs: bool = False
    in_lines: bool = False
    fallback: str | None = None
    like: str | None = None


_OPTIONS: Final = {
    "; pass `model`": "; pass --model",
    "; add one, or pass repair=True": "; pass --repair",
    "; pass a list as `losses`, and read it": "; leave out --strict",
}
"""The hint of the library -> the option of the command."""


def hinted(error: WireglotError) -> WireglotError:
    """Return the error with the option that helps, in place of the argument."""
    for step, option in _OPTIONS.items():
        if error.reason.endswith(step):
            reason = error.reason.removesuffix(step) + option
            return WireglotError(reason, wire=error.wire, path=error.path)
    return error


def kind_of(target: Target, kind: str) -> str:
    """Return the kind that a document of `kind` becomes. Raises `EncodeError` if there is no way.

    Providers have requests, answers and streams, other systems have sessions, our own wire all but
    streams.
    """
    if target.wire in PROVIDERS:
        usual = {"session": "request"}.get(kind, kind)
        known = {"session": {"request"}, "stream": {"stream", "response"}}.get(kind, {kind})
    elif target.wire in FORMATS:
        usual, known = "session", {"session"}
    else:
        usual = {"stream": "response"}.get(kind, kind)
        known = {usual, "session"} | ({"request"} if kind == "session" else set())
    asked = target.kind or usual
    if asked not in known:
        ways = " or ".join(sorted(known))
        raise EncodeError(f"{kind} written as a {asked}, expected a {ways}", wire=target.wire)
    return asked


def suffix(target: Target, kind: str) -> str:
    """Return the extension of the file that a document of `kind` is written to."""
    if target.wire == MSGPACK:
        return ".msgpack"
    if kind == "stream":
        return _SUFFIXES.get(facts_named(target.wire).framing or "", ".sse")
    is_lines = target.wire in _ALWAYS_LINES or target.in_lines
    return ".jsonl" if is_lines and kind == "session" else ".json"


def converted(
    reading: Found, data: bytes, target: Target, losses: list[Loss], notes: list[str]
) -> bytes:
    """Return a document on another wire; `data` is what `reading` was decoded from.

    Each thing that by design is not in the bytes, and is not a loss, is appended to `notes`.

    Raises `EncodeError`, and `LossError` for the first loss if the target is strict.
    """
    into: Losses = None if target.is_strict else losses
    kind = kind_of(target, reading.kind)
    if kind == "stream":
        stream = StreamTranslator(
            reading.wire,
            target.wire,
            losses=into,
            model=target.model,
            source_dialect=reading.dialect,
            target_dialect=target.dialect,
        )
        return stream.feed(data) + stream.close()
    for loss in reading.losses:
        lose(into, reading.wire, loss.path, loss.what, loss.why, keys=loss.keys)
    value = _MADE[kind](reading.value, target, into)
    output = _ENCODERS[kind](value, target, into)
    if kind == "request":
        notes += _notes(reading.value, value, target)
    return output


# -- values of the kind that is wanted ------------------------------------------------------------


def _request(value: Any, target: Target, losses: Losses) -> Request:
    request = value if isinstance(value, Request) else Request(llm_messages(value))
    request.model = target.model or request.model or _last_model(request) or target.fallback
    return request


def _response(value: Response, target: Target, losses: Losses) -> Response:
    value.message.model = target.model or value.message.model
    return value


def _session(value: Any, target: Target, losses: Losses) -> list[AgentMessage]:
    if isinstance(value, list):
        return value
    _lose_the_rest(value, losses)
    if isinstance(value, Request):
        return [*value.messages]
    message = value.message
    message.id = value.id if message.id is None else message.id
    message.timestamp = value.created_at if message.timestamp is None else message.timestamp
    return [message]


def _lose_the_rest(value: Request | Response, losses: Losses) -> None:
    kind = type(value)
    names = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    for name, key in names:
        if name not in _CARRIED and getattr(value, name) is not None:
            lose(losses, NATIVE, f"$.{key}", key, _NO_PLACE)


def _last_model(request: Request) -> str | None:
    models = (m.model for m in reversed(request.messages) if isinstance(m, AssistantMessage))
    return next((model for model in models if model is not None), None)


_MADE: Final[dict[str, Callable[[Any, Target, Losses], Any]]] = {
    "request": _request,
    "response": _response,
    "session": _session,
}

# -- their bytes ----------------------------------------------------------------------------------


def _notes(source: Any, request: Request, target: Target) -> Iterator[str]:
    if isinstance(source, list) and len(source) != len(request.messages):
        count = len(source) - len(request.messages)
        yield f"{count} session-only {'entry is' if count == 1 else 'entries are'} not sent"
    is_provider = target.wire in PROVIDERS and request.model is not None
    if is_provider and facts_named(target.wire).model_in_path:
        route = PROVIDERS[target.wire].route(request, **_dialect(target))
        yield f"the model is in the URL, not in the body: {route.method} {route.path}"


def _dialect(target: Target) -> dict[str, Any]:
    return {} if target.dialect is None else {"dialect": target.dialect}


def _native(value: Any, target: Target, losses: Losses) -> bytes:
    if target.wire == MSGPACK:
        return msgpack.encode(value, losses=losses)
    if target.in_lines and isinstance(value, list):
        return b"".join(json.encode_lines(value, losses=losses))
    return json.encode(value, losses=losses)


def _request_bytes(request: Request, target: Target, losses: Losses) -> bytes:
    if target.wire not in PROVIDERS:
        return _native(request, target, losses)
    more = _dialect(target)
    if target.like is not None:
        more["capabilities"] = of_model(target.like)
    provider = PROVIDERS[target.wire]
    return provider.encode_request(request, losses=losses, repair=target.repairs, **more)


def _response_bytes(response: Response, target: Target, losses: Losses) -> bytes:
    if target.wire not in PROVIDERS:
        return _native(response, target, losses)
    provider = PROVIDERS[target.wire]
    return provider.encode_response(response, losses=losses, **_dialect(target))


def _session_bytes(session: list[AgentMessage], target: Target, losses: Losses) -> bytes:
    if target.wire not in FORMATS:
        return _native(session, target, losses)
    lines = target.in_lines and target.wire not in _ALWAYS_LINES
    if lines and target.wire not in FORMAT_NAMES:
        raise EncodeError(
            "format without lines, expected one that has them; leave out --jsonl", wire=target.wire
        )
    more: dict[str, Any] = {"lines": True} if lines else {}
    return FORMATS[target.wire].encode(session, losses=losses, **more)


_ENCODERS: Final[dict[str, Callable[[Any, Target, Losses], bytes]]] = {
    "request": _request_bytes,
    "response": _response_bytes,
    "session": _session_bytes,
}
