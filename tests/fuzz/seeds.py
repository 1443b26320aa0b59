"""The name of a target -> its first inputs, from the golden files and from the encoders.

Nothing is stored: a body of one wire is translated to all others, so that each wire has them all.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

import wireglot as wg
from tests.clients.turn import RESPONSES, STREAMS
from tests.fuzz.laws import CHOICES
from tests.fuzz.lifting import READERS
from tests.fuzz.schemas import PLACES
from tests.growing import requests
from tests.providers.anthropic import answers as anthropic_answers
from tests.providers.conversation import answer, assistant, batch, call, request, result, system
from tests.providers.conversation import user as said
from wireglot import queue
from wireglot.framing import eventstream

__all__ = ["MOST", "seeds"]

MOST = 8192
"""The size of the longest input, in bytes."""
_ROOT = Path(__file__).parents[2]
_GOLDEN = _ROOT / "tests" / "golden"
_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0"
_HEAD = b"\0\0"
"""The choices of a seed: the first option of everything."""


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """Return the inputs of a target, without duplicates, in a stable order."""
    wire, _, kind = name.rpartition("-")
    made = _OF_PROVIDERS[kind](wire) if wire else _OF_OTHERS[name]()
    return tuple(dict.fromkeys(each for each in made if len(each) <= MOST))


def _plain(bodies: Iterable[bytes]) -> Iterator[bytes]:
    return (_HEAD + body for body in bodies)


def _files(folder: str, ending: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((_GOLDEN / folder).glob(f"*.{ending}"))]


def _written(encode: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield what an encoder writes, if its wire can carry it."""
    with contextlib.suppress(wg.WireglotError):
        yield encode()


# -- values of the model ----------------------------------------------------------------------


@cache
def _sessions() -> list[list[wg.AgentMessage]]:
    found: list[Any] = [_conversation(), *_examples()]
    for data in _files("native/v1", "json"):
        with contextlib.suppress(wg.DecodeError):
            found.append(wg.json.decode(data, losses=[]))
    for name, form in wg.FORMATS.items():
        found += [form.decode(data, losses=[]) for data in _files(name, "json*")]
    return found


def _examples() -> Iterator[list[wg.AgentMessage]]:
    """Cut the recorded session into parts of four messages, which are short enough."""
    entries = list(wg.json.decode_lines((_ROOT / "examples/agent-session.jsonl").read_bytes()))
    for at in range(0, len(entries), 4):
        yield entries[at : at + 4]


def _conversation() -> list[wg.AgentMessage]:
    """Return a conversation with a block of every kind that providers take."""
    messages = [
        system("Be brief."),
        said("What is this?", wg.ImageBlock(data=_PNG), wg.DocumentBlock.from_text("a text")),
        assistant(
            wg.ThinkingBlock("Hm.", "c2ln"),
            wg.TextBlock("It is", annotations=[wg.AnnotationRef(url="https://x.org", title="X")]),
            call("call00001", '{"city":"Łódź","n":1e2}'),
            call("call00002"),
            model="m",
            stop_reason=wg.StopReason.TOOL_USE,
            usage=wg.Usage(20, 9, 3, 2, 1),
        ),
        batch(result("call00001", "12 °C"), result("call00002", "no", is_error=True)),
        assistant(call("call00003")),
        answer("call00003", "x", wg.ImageBlock(data=_PNG)),
        said("Thanks.", wg.AudioBlock(data=b"RIFF\0\0\0\0WAVE"), wg.VideoBlock(url="s3://a/b")),
    ]
    return messages


@cache
def _requests() -> list[wg.Request]:
    messages = wg.llm_messages(_conversation())
    rich = wg.json.decode((_GOLDEN / "native/v1/request-full.json").read_bytes(), wg.Request)
    own = wg.PROVIDERS["anthropic"]
    return [
        rich,
        request(*messages[1:2], tools=[wg.Tool("f", "a tool", {"type": "object"})], seed=7),
        request(
            *messages[:4],
            tools=[wg.Tool("f")],
            tool_choice=wg.ToolChoice("required"),
            temperature=0.5,
            top_p=0.9,
            stop=["END"],
            thinking=wg.Thinking(wg.ThinkingLevel.LOW),
            response_format=wg.ResponseFormat("json_schema", {"type": "object"}, name="n"),
            cache=wg.CacheConfig(),
            stream=True,
        ),
        *(request(*messages[at : at + 3]) for at in range(0, len(messages), 2)),
        *(request(*wg.llm_messages(session)) for session in _sessions()),
        *(own.decode_request(body) for body in _files("anthropic", "out.json")),
    ]


@cache
def _responses() -> list[wg.Response]:
    bodies = [*RESPONSES.items(), ("anthropic", anthropic_answers.BODY)]
    made = [wg.PROVIDERS[name].decode_response(body) for name, body in bodies]
    made.append(
        wg.json.decode((_GOLDEN / "native/v1/response-full.json").read_bytes(), wg.Response)
    )
    for session in _sessions():
        made += [
            wg.Response(m) for m in wg.llm_messages(session) if isinstance(m, wg.AssistantMessage)
        ]
    return made


# -- inputs -----------------------------------------------------------------------------------


def _json() -> Iterator[bytes]:
    yield from _plain(_files("native/v1", "json"))
    yield from _plain(map(wg.json.encode, _sessions()))
    yield from (b"\1\0" + wg.json.encode(each) for each in _requests())
    yield from (b"\2\0" + wg.json.encode(each) for each in _responses())
    yield from (b"\3\0" + wg.json.encode(each[0]) for each in _sessions() if each)


def _msgpack() -> Iterator[bytes]:
    yield from _plain(_files("native/v1", "msgpack"))
    yield from _plain(map(wg.msgpack.encode, _sessions()))
    yield from (b"\1\0" + wg.msgpack.encode(each) for each in _requests())
    yield from (b"\2\0" + wg.msgpack.encode(each) for each in _responses())
    yield from (b"\3\0" + wg.msgpack.encode(each[0]) for each in _sessions() if each)


def _lines() -> Iterator[bytes]:
    for session in _sessions():
        yield _HEAD + b"".join(wg.json.encode_lines(session))
    yield b"\1\0\r\n" + b"\r\n".join(wg.json.encode_lines(_conversation()))


def _envelopes() -> Iterator[bytes]:
    values = [*_sessions(), *_requests(), *_responses()]
    sealed = [queue.encode(value, id="1", conversation="é") for value in values]
    texts = [queue.encode(value, id="1", format="json") for value in values[::5]]
    batch = queue.encode_batch(sealed[:3], id="2", traceparent="00-1-2-01")
    small = queue.encode(values[0], id="1", zstd_over=0)
    return _plain(each.to_bytes() for each in (*sealed, *texts, batch, small))


def _values() -> Iterator[bytes]:
    session = _conversation()
    task = {
        "args": [session, *_requests(), *_responses(), queue.encode(session, id="1")],
        "kwargs": {"at": dt.datetime(2026, 1, 2, tzinfo=dt.UTC), "id": UUID(int=7), "n": 10**30},
        "rest": [
            dt.date(2026, 1, 2),
            dt.time(3, 4, 5),
            Decimal("1.50"),
            None,
            True,
            0.5,
            b"x",
            "é",
        ],
    }
    yield from _plain(queue.encode_values(each) for each in (task, *task.values()))
    yield from _plain(queue.encode_values(each) for each in session[0].content)


def _lifting() -> Iterator[bytes]:
    for number, name in enumerate(READERS):
        made = _request(name) if name else _json()
        for seed in made:
            if b"iVBORw0" in seed:
                body = bytes((number, 0)) + seed[CHOICES:]
                yield body
                yield body.replace(b"iVBORw0", b"iVB-_w0")  # in the URL-safe alphabet
                yield body.replace(b"iVBORw0", b"httpsw0")


def _growing() -> Iterator[bytes]:
    """Yield bodies of conversations on each wire, with other options for each."""
    names = list(wg.PROVIDERS)
    for number, name in enumerate(names):
        for at, asked in enumerate(islice(requests(number, [(name, name)], 9), 60)):
            if type(asked.body) is bytes and at % 3 == 0:
                yield bytes((number + 32 * (at % 8), (at * 8 + at // 3) % 256)) + asked.body
        for at, seed in enumerate(islice(_request(name), 8)):
            yield bytes((number + 64, at)) + seed[CHOICES:]


def _schemas() -> Iterator[bytes]:
    """Yield schemas of every kind, each in some of the places that a body has for one."""
    number = -1
    for schema in _SCHEMAS:
        for _ in range(3):
            number += 1
            yield bytes((number % len(PLACES), number % 2)) + schema.encode()


_A = (
    '{"type":"object","properties":{"do":{"const":"a"},"x":{"type":"string","maxLength":9}},'
    '"required":["do"]}'
)
_B = '{"$ref":"#/$defs/B"}'
_DEFS = (
    '"$defs":{"B":{"type":"object","properties":{"do":{"const":"b"},"y":{"$ref":"#/$defs/C"}},'
    '"required":["do","y"],"additionalProperties":false},"C":{"type":["integer","null"],"minimum":1}}'
)


def _doubled(outer: str, inner: str, levels: int = 10) -> str:
    """Return a schema in which each object has the next one twice."""
    objects = [{"type": "object", "properties": {"p": {"const": i}}} for i in range(levels + 1)]
    defs: dict[str, Any] = {str(levels): objects.pop()}
    for i, own in enumerate(objects):
        following = {"$ref": f"#/$defs/{i + 1}"}
        defs[str(i)] = {outer: [following, {inner: [following, own]}]}
    return json.dumps({"type": "object", outer: [{"$ref": "#/$defs/0"}], "$defs": defs})


_SCHEMAS = (
    '{"type":"object","properties":{},"additionalProperties":false}',
    f'{{"type":"object",{_DEFS},"properties":{{"a":{_B}}},"required":["a"],"additionalProperties":false}}',
    *(f'{{"{kind}":[{_A},{_B}],{_DEFS}}}' for kind in ("allOf", "anyOf", "oneOf")),
    *(
        f'{{"{outer}":[{_B},{{"{inner}":[{_A},{_B}]}}],{_DEFS}}}'
        for outer in ("allOf", "anyOf", "oneOf")
        for inner in ("allOf", "anyOf")
    ),
    f'{{"$ref":"#/$defs/B",{_DEFS},"description":"b"}}',
    '{"type":"object","enum":[{"a":1}],"const":{"a":1},"not":{"required":["b"]},"if":{},"then":{}}',
    '{"type":"object","properties":{"a":{"type":"array","items":{"$ref":"#"},"minItems":2,'
    '"prefixItems":[{}]},"b c":{"oneOf":[true,{"enum":[null,1,"x"]}]}},"required":["a","b c"]}',
    '{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true,"enum":["x"]},'
    '"b":{"any_of":[{"type":3}],"min_items":"2"}},"propertyOrdering":["a","b"]}',
    '{"type":["object","null"],"properties":{"a":false},"patternProperties":{"^x":{}}}',
    "true",
    *(_doubled(*kinds) for kinds in (("allOf", "allOf"), ("anyOf", "allOf"), ("oneOf", "anyOf"))),
)


def _media() -> Iterator[bytes]:
    image = wg.Media.from_bytes(_PNG)
    for number, body in enumerate(
        (
            image.to_base64().encode(),
            b"iVBORw0K\nGgo",
            image.data_url().encode(),
            _PNG,
            b"iVBORw0KGgo=",
            b'"aVZCT1J3MEtHZ28\\u003d"',
            b"data:text/plain;charset=utf-8,%C5%81",
            msgspec.msgpack.encode(_PNG),
        )
    ):
        yield bytes((number, 0)) + body
        yield bytes((number, 1)) + body
    yield b"\7\0" + msgspec.msgpack.encode("iVBORw0KGgo")
    yield b"\2\0data:;base64 ,aGk="


def _eventstream() -> Iterator[bytes]:
    yield from _plain([STREAMS["bedrock"], eventstream.encode({}, b"")])
    every_kind = (
        b"\1a\0\1b\1\1c\2\1\1d\3\0\1\1e\4\0\0\0\1\1f\5\0\0\0\0\0\0\0\1"
        b"\1g\6\0\1x\1h\7\0\1y\1i\10\0\0\0\0\0\0\0\1\1j\t0123456789abcdef"
    )
    yield _HEAD + _with_headers(every_kind, b"{}")


def _with_headers(headers: bytes, payload: bytes) -> bytes:
    """Return a message with headers of types that the library reads but does not write."""
    import struct
    from zlib import crc32

    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    message = prelude + struct.pack(">I", crc32(prelude)) + headers + payload
    return message + struct.pack(">I", crc32(message))


def _format(name: str) -> Iterator[bytes]:
    form: Any = wg.FORMATS[name]
    yield from _plain(_files(name, "json*"))
    for session in _sessions():
        for number in range(len(wg.FORMATS)):
            for body in _written(lambda held=session: form.encode(held, losses=[])):
                yield bytes((number, 192)) + body
        if name != "operator_use":
            yield from _plain(
                _written(lambda held=session: form.encode(held, losses=[], lines=True))
            )


def _request(name: str) -> Iterator[bytes]:
    provider = wg.PROVIDERS[name]
    for number, asked in enumerate(_requests()):
        for index, dialect in enumerate(provider.DIALECTS):
            for body in _written(
                lambda held=asked, d=dialect: provider.encode_request(
                    held, losses=[], dialect=d, repair=True
                )
            ):
                yield bytes((index, number % len(wg.PROVIDERS))) + body
        if number > 20:
            break


def _answer(name: str) -> Iterator[bytes]:
    provider = wg.PROVIDERS[name]
    yield _HEAD + RESPONSES[name].encode()
    for number, response in enumerate(_responses()):
        for body in _written(lambda held=response: provider.encode_response(held, losses=[])):
            yield bytes((0, number % len(wg.PROVIDERS))) + body
    for number, (kind, status) in enumerate(wg.ERROR_KINDS.items()):
        error = wg.ProviderError(kind, "try again in 1m20.5s", status=status, code="c")
        yield bytes((128, number)) + provider.encode_error(error)


def _stream(name: str) -> Iterator[bytes]:
    provider = wg.PROVIDERS[name]
    bodies = [*STREAMS.items(), ("anthropic", anthropic_answers.STREAM)]
    for number, (source, body) in enumerate(bodies):
        if source == name:
            yield bytes((7, number)) + body
        for index, dialect in enumerate(provider.DIALECTS):
            translator = wg.StreamTranslator(source, name, losses=[], target_dialect=dialect)
            for made in _written(lambda t=translator, b=body: t.feed(b) + t.close()):
                yield bytes((number, number % 8 + 8 * index)) + made
    encoder = provider.StreamEncoder(losses=[])
    failure = wg.StreamFailure.of(wg.ProviderError("overloaded", "busy", status=529))
    yield from _plain(_written(lambda: encoder.encode(failure)))


_OF_OTHERS: dict[str, Callable[[], Iterator[bytes]]] = {
    "json": _json,
    "lifting": _lifting,
    "growing": _growing,
    "schemas": _schemas,
    "lines": _lines,
    "msgpack": _msgpack,
    "envelope": _envelopes,
    "values": _values,
    "media": _media,
    "sse": lambda: _plain(
        (STREAMS["cohere"], b"\xef\xbb\xbf: c\r\ndata\r\ndata:x\r\rid: 1\nevent:e\ndata: \xc3\xa9")
    ),
    "ndjson": lambda: _plain((STREAMS["ollama"], b'{"a":"\xe2\x80\xa8"}\r\n\n {}')),
    "jsonarray": lambda: _plain((b'[{"a":"\\"]"},\r\n{"b":[{}]}\n]', b"[]")),
    "eventstream": _eventstream,
    **{name: lambda name=name: _format(name) for name in wg.FORMATS},
}
_OF_PROVIDERS: dict[str, Callable[[str], Iterator[bytes]]] = {
    "request": _request,
    "answer": _answer,
    "stream": _stream,
}
