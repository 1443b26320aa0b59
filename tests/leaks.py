"""`python -m tests.leaks [ROUNDS [NAME...]]`: a million rounds of each job -> how memory grew.

A round is a document decoded and encoded, a request, an answer, or one event of a stream. The
report is the growth of resident memory between the first tenth of the rounds and the last.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

import wireglot as wg
from tests.clients.turn import RESPONSES, STREAMS
from tests.test_translate import BODIES, PATHS

__all__ = ["JOBS", "MALFORMED", "Job"]

Job = Callable[[], int]
"""Does some rounds, and returns how many."""

_SESSION = (
    '[{"role":"user","content":[{"type":"text","text":"Łódź?"},'
    '{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],'
    '"turnId":{"loopId":"l","turnIndex":0}},'
    '{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{"a":1e2}}],'
    '"usage":{"input":1,"output":2,"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":3}},'
    '{"role":"extension","kind":"k","data":{"a":[1,2.5,null]}}]'
).encode()
_ODD_SESSION = _SESSION.replace(b'"id":"c"', b'"id":"c","x":{"y":1}').replace(b"extension", b"note")


def _native(wire: str, document: bytes) -> Job:
    codec = getattr(wg, wire)
    data = codec.encode(wg.json.decode(document))

    def job() -> int:
        session = codec.decode(data)
        session[0].turn_id = session[0].turn_id  # takes the flat object apart
        assert len(codec.encode(session)) == len(data)
        return 1

    return job


def _request(name: str) -> Job:
    provider, path = wg.PROVIDERS[name], PATHS.get(name)
    asked = [
        wg.UserMessage([wg.TextBlock("Is it raining?")]),
        wg.AssistantMessage([wg.ToolCallBlock("call00001", "weather", '{"city": "Łódź"}')]),
        wg.ToolResultMessage("call00001", "weather", [wg.TextBlock("no")]),
    ]
    body = provider.encode_request(wg.Request(list(asked), model="m", max_tokens=9), losses=[])

    def job() -> int:
        assert len(provider.encode_request(provider.decode_request(body, path), losses=[])) == len(
            body
        )
        return 1

    return job


def _response(name: str) -> Job:
    provider, body = wg.PROVIDERS[name], RESPONSES[name].encode()

    def job() -> int:
        assert provider.encode_response(provider.decode_response(body), losses=[])
        return 1

    return job


def _stream(name: str) -> Job:
    provider, data = wg.PROVIDERS[name], STREAMS[name]

    def job() -> int:
        decoder, encoder = provider.StreamDecoder(), provider.StreamEncoder(losses=[])
        events = [*decoder.feed(data[:300]), *decoder.feed(data[300:]), *decoder.finish()]
        for event in events:
            encoder.encode(event)
        encoder.close()
        decoder.close()
        return len(events)

    return job


def _translated(source: str, target: str) -> Job:
    body = BODIES[source].encode()

    def job() -> int:
        assert wg.translate_request(body, source, target, losses=[], path=PATHS.get(source))
        return 1

    return job


def _refused(error: type[Exception], call: Callable[[], object]) -> Job:
    def job() -> int:
        try:
            call()
        except error:
            return 1
        raise AssertionError("nothing was refused")

    return job


def _cut_stream(name: str) -> Job:
    provider, data = wg.PROVIDERS[name], STREAMS[name]

    def call() -> None:
        decoder = provider.StreamDecoder()
        decoder.feed(data[: len(data) // 2])
        decoder.close()

    return _refused(wg.StreamError, call)


def _bad_request(name: str) -> Job:
    provider = wg.PROVIDERS[name]
    body = BODIES[name].encode().replace(b'"Well?"', b'{"x":[]}')
    assert body != BODIES[name].encode()
    return _refused(wg.DecodeError, lambda: provider.decode_request(body))


JOBS: dict[str, Job] = {
    "json": _native("json", _SESSION),
    "json, unknown keys": _native("json", _ODD_SESSION),
    "msgpack": _native("msgpack", _SESSION),
    "msgpack, unknown keys": _native("msgpack", _ODD_SESSION),
    **{f"{name}, request": _request(name) for name in wg.PROVIDERS},
    **{f"{name}, stream event": _stream(name) for name in wg.PROVIDERS},
    **{f"{name}, answer": _response(name) for name in wg.PROVIDERS},
    "anthropic to openai_chat": _translated("anthropic", "openai_chat"),
    "gemini to bedrock": _translated("gemini", "bedrock"),
}
_HALF = [wg.UserMessage([wg.TextBlock("\ud83d")])]
_CLIP = wg.Request([wg.UserMessage([wg.AudioBlock(url="https://x.org/a")])], model="m")
MALFORMED: dict[str, Job] = {
    "json, cut": _refused(wg.DecodeError, lambda: wg.json.decode(_SESSION[:-9])),
    "json, a wrong type": _refused(
        wg.DecodeError, lambda: wg.json.decode(_SESSION.replace(b'"iVBORw0KGgo="', b"5"))
    ),
    "json, not UTF-8": _refused(
        wg.DecodeError, lambda: wg.json.decode(_SESSION.replace(b"\xc5", b"\xff"))
    ),
    "json, too deep": _refused(wg.LimitError, lambda: wg.json.decode(b"[" * 20_000)),
    "json, half a character": _refused(wg.EncodeError, lambda: wg.json.encode(_HALF)),
    "msgpack, cut": _refused(wg.DecodeError, lambda: wg.msgpack.decode(b"\x93\x81\xa4role")),
    "msgpack, half a character": _refused(wg.EncodeError, lambda: wg.msgpack.encode(_HALF)),
    "anthropic, a loss": _refused(
        wg.LossError, lambda: wg.providers.anthropic.encode_request(_CLIP)
    ),
    **{f"{name}, a bad request": _bad_request(name) for name in wg.PROVIDERS},
    **{f"{name}, a cut stream": _cut_stream(name) for name in wg.PROVIDERS},
}
_MOST = 1_000_000
"""Bytes that a process may grow by between the first tenth of the rounds and the last."""


def _resident() -> int:
    """Return the resident memory of this process in bytes, as Linux reports it."""
    gc.collect()
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def _done(job: Job, rounds: int) -> int:
    done = 0
    while done < rounds:
        done += job()
    return done


def _main(rounds: int, names: list[str]) -> bool:
    """Run the jobs, print a row for each, and return whether memory stayed flat."""
    is_flat = True
    print("| job | rounds | us a round | growth, bytes | blocks |\n| --- | --- | --- | --- | --- |")
    for name, job in {**JOBS, **MALFORMED}.items():
        if names and not any(name.startswith(each) for each in names):
            continue
        start = time.process_time()
        done = _done(job, rounds // 10)
        before, blocks = _resident(), sys.getallocatedblocks()
        done += _done(job, rounds - done)
        grown = _resident() - before
        spent = (time.process_time() - start) / done * 1e6
        is_flat &= grown < _MOST
        held = sys.getallocatedblocks() - blocks
        print(f"| {name} | {done:,} | {spent:.1f} | {grown:,} | {held:+} |", flush=True)
    return is_flat


if __name__ == "__main__":
    _rounds, *_names = sys.argv[1:] or ["1000000"]
    sys.exit(not _main(int(_rounds), _names))
