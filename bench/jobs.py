"""A job's name and a peer -> both sides of the job, ready to be timed, and a check of the peer.

A name is a kind, and the details that the kind needs: `request:anthropic`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import msgspec

import wireglot as wg

from . import cases
from .session import image_message, session

__all__ = [
    "AGENTS",
    "IMAGE",
    "JOBS",
    "PAIRS",
    "PATHS",
    "SIZES",
    "Sides",
    "difference",
    "mistranslated",
    "peer_module",
    "sides",
    "translation",
]

IMAGE = 10_000_000
PAIRS = (("openai_chat", "anthropic"), ("anthropic", "openai_chat"))
SIZES = (1, 5, 20, 400)
"""Messages of the bodies that are translated; most recorded requests have few."""
AGENTS = (
    "anthropic:openai_chat",
    "anthropic:openai_chat:marked",
    "openai_chat:anthropic",
    "openai_responses:anthropic",
    "gemini:openai_chat",
    "openai_chat:gemini",
    "openai_chat:bedrock",
)
PATHS = ("image", "translate")
JOBS = (
    "decode",
    "encode",
    *(f"request:{wire}" for wire in wg.PROVIDERS),
    *(
        f"translate:{source}:{target}:{size}:{kind}"
        for source, target in PAIRS
        for size in SIZES
        for kind in ("text", "tools")
    ),
    "events",
    "chunks",
    "image",
    "image-native",
    "growing",
    *(f"agent:{wires}" for wires in AGENTS),
    "import",
    *(f"memory:{path}" for path in PATHS),
)
# Wires whose call ids a library may leave out, or has to shorten.
_WITHOUT_IDS = frozenset({"gemini", "mistral", "ollama"})


class Sides(NamedTuple):
    """The functions to be timed. `wrong` says what is wrong with the peer's answer, if anything.

    `without` names what a right answer leaves out although ours has it.
    """

    ours: Callable[[], Any]
    peer: Callable[[], Any]
    wrong: Callable[[], str | None]
    without: Callable[[], list[str]] = list


@cache
def peer_module(name: str) -> Any:
    """Return the peer's module. Raises ImportError if its library is not installed."""
    return import_module(f"bench.peers.{name}")


def sides(job: str, peer: str, *, image: int = IMAGE) -> Sides | None:
    """Return both sides of a job that is timed as a whole, None if the peer does not do it."""
    module = peer_module(peer)
    kind, _, detail = job.partition(":")
    return _MAKERS[kind](module, detail, kind in module.FLOOR, image)


def translation(module: Any, source: str, target: str) -> Callable[[bytes], bytes] | None:
    """Return the peer's function from body to body, None if it has none."""
    made: Callable[[bytes], bytes] | None = getattr(module, "TRANSLATE", {}).get((source, target))
    return made


def _decode(module: Any, detail: str, is_floor: bool, image: int) -> Sides | None:
    native = getattr(module, "NATIVE", None)
    if native is None:
        return None
    conversation = [m for m in session() if native.only in (None, m["role"])]
    data, stored = msgspec.json.encode(conversation), native.store(conversation)

    def wrong() -> str | None:
        return cases.missing(conversation, native.encode(native.decode(stored)))

    def without() -> list[str]:
        return cases.left_out(conversation, native.encode(native.decode(stored)))

    return Sides(lambda: wg.json.decode(data), lambda: native.decode(stored), wrong, without)


def _encode(module: Any, detail: str, is_floor: bool, image: int) -> Sides | None:
    native = getattr(module, "NATIVE", None)
    if native is None:
        return None
    conversation = [m for m in session() if native.only in (None, m["role"])]
    value = wg.json.decode(msgspec.json.encode(conversation))
    own = native.decode(native.store(conversation))

    def wrong() -> str | None:
        return cases.missing(conversation, native.encode(own))

    def without() -> list[str]:
        return cases.left_out(conversation, native.encode(own))

    return Sides(lambda: wg.json.encode(value), lambda: native.encode(own), wrong, without)


def _image_native(module: Any, detail: str, is_floor: bool, image: int) -> Sides | None:
    native = getattr(module, "NATIVE", None)
    if native is None or native.only not in (None, "user"):
        return None
    data = image_message(image)
    conversation = json.loads(data)
    stored = native.store(conversation)

    def wrong() -> str | None:
        return cases.missing(conversation, native.encode(native.decode(stored)))

    return Sides(
        lambda: wg.json.encode(wg.json.decode(data)),
        lambda: native.encode(native.decode(stored)),
        wrong,
    )


def _request(module: Any, wire: str, is_floor: bool, image: int) -> Sides | None:
    typed = getattr(module, "TYPED", {}).get(wire)
    if typed is None:
        return None
    messages, body = typed(cases.spoken())
    asked = cases.asked(cases.spoken())
    encode = wg.PROVIDERS[wire].encode_request

    def wrong() -> str | None:
        return difference(asked, wire, body(messages))

    return Sides(lambda: encode(asked), lambda: body(messages), wrong)


def _translate(module: Any, detail: str, is_floor: bool, image: int) -> Sides | None:
    source, target, size, kind = detail.split(":")
    data = cases.body(source, int(size), with_tools=kind == "tools")
    return _translated(module, source, target, data, is_floor)


def _image(module: Any, detail: str, is_floor: bool, image: int) -> Sides | None:
    data = cases.chat_with_image(image)
    return _translated(module, "openai_chat", "anthropic", data, is_floor)


def _translated(module: Any, source: str, target: str, data: bytes, is_floor: bool) -> Sides | None:
    translate = translation(module, source, target)
    if translate is None:
        return None

    def ours() -> bytes:
        return wg.translate_request(data, source, target, losses=[])

    def wrong() -> str | None:
        return mistranslated(data, translate(data), source, target, is_floor)

    return Sides(ours, lambda: translate(data), wrong)


def _events(module: Any, detail: str, is_floor: bool, image: int) -> Sides | None:
    streaming = getattr(module, "EVENTS", None)
    if streaming is None:
        return None
    chunks, text = cases.streamed()

    def ours() -> list[wg.StreamEvent]:
        decoder = wg.providers.anthropic.StreamDecoder()
        events = [event for chunk in chunks for event in decoder.feed(chunk)]
        decoder.close()
        return events

    def wrong() -> str | None:
        events = streaming.events(chunks)
        if len(events) < len(chunks) - 4:
            return f"{len(events)} events of {len(chunks)}"
        return None if streaming.text(events) == text else "another text"

    return Sides(ours, lambda: streaming.events(chunks), wrong)


def _chunks(module: Any, detail: str, is_floor: bool, image: int) -> Sides | None:
    written = getattr(module, "CHUNKS", None)
    if written is None:
        return None
    chunks, text = cases.streamed()

    def ours() -> list[bytes]:
        translator = wg.StreamTranslator("anthropic", "openai_chat", losses=[])
        made = [translator.feed(chunk) for chunk in chunks]
        made.append(translator.close())
        return made

    def read(made: list[bytes]) -> wg.AssistantMessage:
        decoder = wg.providers.openai_chat.StreamDecoder()
        for chunk in made:
            decoder.feed(chunk)
        return decoder.close().message

    def wrong() -> str | None:
        made = written(chunks)
        if len(made) < len(chunks) - 4:
            return f"{len(made)} chunks of {len(chunks)}"
        message = read(made)
        if message.stop_reason != wg.StopReason.STOP:
            return f"it stopped for {message.stop_reason}"
        return None if message.text() == text else "another text"

    def without() -> list[str]:
        usage, own = read(written(chunks)).usage, read(ours()).usage
        return [] if usage == own else ["usage"]

    return Sides(ours, lambda: written(chunks), wrong, without)


def mistranslated(data: bytes, made: bytes, source: str, target: str, is_floor: bool) -> str | None:
    """Say what is wrong with a translated body. A floor has to give the body that came in."""
    if is_floor:
        return None if json.loads(made) == json.loads(data) else "not what came in"
    return difference(wg.PROVIDERS[source].decode_request(data), target, made)


def difference(asked: wg.Request, wire: str, body: bytes) -> str | None:
    """Say where a body differs from the request, None if it holds all of it."""
    ids = wire not in _WITHOUT_IDS
    wanted = cases.facts(asked, ids=ids)
    try:
        found = cases.facts(wg.PROVIDERS[wire].decode_request(bytes(body)), ids=ids)
    except wg.DecodeError as error:
        return str(error)
    for number, (one, other) in enumerate(zip(wanted, found, strict=False)):
        if one != other:
            return f"item {number}: {str(other)[:60]} for {str(one)[:60]}"
    return None if len(wanted) == len(found) else f"{len(found)} items of {len(wanted)}"


_MAKERS: dict[str, Callable[[Any, str, bool, int], Sides | None]] = {
    "decode": _decode,
    "encode": _encode,
    "image-native": _image_native,
    "request": _request,
    "translate": _translate,
    "image": _image,
    "events": _events,
    "chunks": _chunks,
}
