"""Requests to and from the providers' wires: typed to bytes, bytes to bytes, and a growing one.

The floor of an encoding is `msgspec.json.encode` of the wire's Structs built beforehand, which is
the least work possible. Between two wires the peer is `msgspec` without types: it parses a body and
writes the same body again, which is less than a translation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module

import msgspec

import wireglot as wg

from .measure import paired
from .native import Row
from .session import TOOLS, session

__all__ = ["request_rows"]

_WITHOUT_THINKING = frozenset({"openai_chat", "cohere"})


def request_rows(rounds: int) -> Iterator[Row]:
    """Measure every provider. Raises AssertionError if an answer is wrong."""
    bodies: dict[str, bytes] = {}
    for name in wg.PROVIDERS:
        asked = _request(name)
        bodies[name] = wg.PROVIDERS[name].encode_request(asked)
        yield _typed(name, asked, bodies[name], rounds)
    for source, target in (
        ("openai_chat", "anthropic"),
        ("anthropic", "openai_chat"),
        ("anthropic", "anthropic"),
        ("gemini", "bedrock"),
    ):
        yield _translated(source, target, bodies[source], rounds)
    for name in wg.PROVIDERS:
        yield _grown(name, bodies[name], rounds)


def _request(name: str) -> wg.Request:
    """Return the session of 400 messages as a request that the wire can carry whole.

    Its signatures are the wire's own. It has no thinking if the wire has no place for it.
    """
    messages = wg.llm_messages(wg.json.decode(msgspec.json.encode(session())))
    for message in messages:
        if isinstance(message, wg.AssistantMessage):
            message.api = wg.PROVIDERS[name].API
            if name in _WITHOUT_THINKING:
                blocks = message.content
                message.content = [b for b in blocks if type(b) is not wg.ThinkingBlock]
    return wg.Request(messages, model="m", tools=[wg.Tool(tool) for tool in TOOLS])


def _typed(name: str, asked: wg.Request, body: bytes, rounds: int) -> Row:
    wire = import_module(f"wireglot.providers.{name}.wire")
    built = msgspec.json.Decoder(wire.Body).decode(body)
    encode = msgspec.json.Encoder().encode
    assert json.loads(encode(built)) == json.loads(body)
    provider = wg.PROVIDERS[name]
    timed = paired(lambda: provider.encode_request(asked), lambda: encode(built), rounds)
    return Row(f"400 messages to {name}", "prebuilt wire Structs", timed)


def _translated(source: str, target: str, body: bytes, rounds: int) -> Row:
    untyped = msgspec.json.Decoder().decode
    made = wg.translate_request(body, source, target, losses=[], model="m")
    kept = wg.PROVIDERS[target].decode_request(made)
    assert _texts(kept) == _texts(wg.PROVIDERS[source].decode_request(body))

    def ours() -> bytes:
        return wg.translate_request(body, source, target, losses=[], model="m")

    def peer() -> bytes:
        return msgspec.json.encode(untyped(body))

    return Row(f"{source} to {target}", "untyped decode, encode", paired(ours, peer, rounds))


def _grown(name: str, body: bytes, rounds: int) -> Row:
    asked = _request(name)
    provider = wg.PROVIDERS[name]
    transcript = provider.Transcript(asked.messages[:-1])
    transcript.encode(model="m", tools=asked.tools)
    transcript.append(asked.messages[-1])
    assert transcript.encode(model="m", tools=asked.tools) == body
    timed = paired(
        lambda: transcript.encode(model="m", tools=asked.tools),
        lambda: provider.encode_request(asked),
        rounds,
    )
    return Row(f"{name}: one turn more", "encoding anew", timed)


def _texts(request: wg.Request) -> str:
    """Return all texts in order; how they are distributed over messages depends on the wire."""
    return "".join(message.text() for message in request.messages)
