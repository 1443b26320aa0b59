"""Laws that every provider's request keeps, on conversations that nobody would write down.

The official SDK's own types and the wire's known rules judge each body.
"""

import gc
import json
import random
import time
from collections.abc import Callable, Iterator
from itertools import chain, product
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import wireglot as wg
from tests.providers.conversation import (
    answer,
    assistant,
    batch,
    call,
    extras,
    request,
    result,
    system,
    user,
)
from tests.providers.odd_requests import PNG, odd_requests
from wireglot import testing

# A block that each API takes from a user, and that has no kind in the model.
OPAQUE: dict[str, dict[str, Any]] = {
    "anthropic": {"type": "container_upload", "file_id": "f"},
    "openai_chat": {"type": "file", "file": {"file_id": "f"}},
    "openai_responses": {"type": "item_reference", "id": "msg_1"},
    "gemini": {"fileData": {"fileUri": "gs://a/b", "mimeType": "image/png"}},
    "bedrock": {"guardContent": {"text": {"text": "x"}}},
    "mistral": {"type": "text", "text": "x"},
    "cohere": {"type": "text", "text": "x"},
    "ollama": {},
}
SOME = settings(max_examples=40)
every_provider = pytest.mark.parametrize("name", list(wg.PROVIDERS))


def _check(name: str, body: bytes) -> None:
    oracle = pytest.importorskip(f"tests.oracles.{name}")
    oracle.check_request(body)


def _odd(name: str) -> st.SearchStrategy[wg.Request]:
    keys = {"cache_control": None} if name == "anthropic" else {}
    return odd_requests(wg.PROVIDERS[name].API, OPAQUE[name], **keys)


def _encoded(
    name: str, asked: wg.Request, losses: list[wg.Loss] | None = None, repair: bool = True
) -> bytes | None:
    """Return the body, or None for a request that contradicts itself."""
    try:
        return wg.PROVIDERS[name].encode_request(
            asked, losses=[] if losses is None else losses, repair=repair
        )
    except wg.EncodeError:
        return None


@every_provider
@SOME
@given(data=st.data())
def test_a_request_is_refused_or_the_oracle_accepts_its_body(
    name: str, data: st.DataObject
) -> None:
    body = _encoded(name, data.draw(_odd(name)))
    if body is not None:
        _check(name, body)


@every_provider
@SOME
@given(testing.requests(), st.lists(testing.messages(), max_size=3), st.booleans())
def test_no_request_fails_in_another_way(
    name: str, asked: wg.Request, messages: list[wg.Message], repair: bool
) -> None:
    asked.model = "m"
    asked.messages = [*messages, user("hi")]
    body = _encoded(name, asked, repair=repair)
    assert body is None or wg.PROVIDERS[name].decode_request(body)


@every_provider
@SOME
@given(data=st.data())
def test_the_same_request_gives_the_same_bytes_and_losses(name: str, data: st.DataObject) -> None:
    asked = data.draw(_odd(name))
    native = wg.json.encode(asked)
    once = _outcome(name, wg.json.decode(native, type=wg.Request))
    again = wg.msgpack.decode(wg.msgpack.encode(asked), type=wg.Request)
    assert _outcome(name, again) == _outcome(name, again) == once
    assert _outcome(name, asked)[0] == once[0]
    assert wg.json.encode(asked) == native  # which encoding has not changed


def _outcome(name: str, asked: wg.Request) -> tuple[bytes | str, list[wg.Loss]]:
    losses: list[wg.Loss] = []
    try:
        return wg.PROVIDERS[name].encode_request(asked, losses=losses, repair=True), losses
    except wg.EncodeError as error:
        return str(error), losses


@every_provider
@SOME
@given(data=st.data())
def test_every_text_goes_out_or_is_lost(name: str, data: st.DataObject) -> None:
    asked = data.draw(_odd(name))
    marked = wg.json.decode(wg.json.encode(asked), type=wg.Request)
    texts = list(_texts(marked.messages, "$.messages"))
    for i, (_, block) in enumerate(texts):
        if block.text and not block.text.isspace():
            block.text = f"word {i};{block.text}"
    losses: list[wg.Loss] = []
    body = _encoded(name, marked, losses)
    if body is None:
        return
    for i, (path, block) in enumerate(texts):
        if block.text and not block.text.isspace():
            lost = any(path.startswith(loss.path) for loss in losses if loss.path != "$")
            assert f"word {i};" in body.decode() or lost, path


def _texts(content: list[Any], path: str) -> Iterator[tuple[str, wg.TextBlock]]:
    for i, part in enumerate(content):
        if isinstance(part, wg.TextBlock):
            yield f"{path}[{i}]", part
        yield from _texts(getattr(part, "content", []), f"{path}[{i}].content")


@every_provider
@SOME
@given(data=st.data())
def test_what_was_written_comes_back_byte_for_byte(name: str, data: st.DataObject) -> None:
    asked = data.draw(_odd(name))
    body = _encoded(name, asked)
    if body is None or b'":null' in body:  # a key that is null is unset, and comes back as that
        return
    provider = wg.PROVIDERS[name]
    route = provider.route(asked)
    again = provider.decode_request(body, route.path)
    assert provider.encode_request(again, losses=[]) == body
    assert provider.route(again).path == route.path


@every_provider
@SOME
@given(data=st.data())
def test_a_transcript_gives_the_bytes_of_a_request(name: str, data: st.DataObject) -> None:
    asked = data.draw(_odd(name))
    fields = {key: getattr(asked, key) for key in asked.__struct_fields__ if key != "messages"}
    transcript = wg.PROVIDERS[name].Transcript(repair=True)
    for message in asked.messages:
        transcript.append(message)
        if data.draw(st.booleans()):
            _transcribed(transcript, fields)
    made, losses = _transcribed(transcript, fields)
    expected, expected_losses = _outcome(name, asked)
    assert made == expected
    assert sorted(map(str, losses)) == sorted(map(str, expected_losses))


def _transcribed(
    transcript: wg.providers.Transcript, fields: dict[str, Any]
) -> tuple[bytes | str, list[wg.Loss]]:
    losses: list[wg.Loss] = []
    try:
        return transcript.encode(losses=losses, **fields), losses
    except wg.EncodeError as error:
        return str(error), losses


# A conversation that grows by whole exchanges, without system messages, which may have to move.

EXCHANGES = st.one_of(
    st.sampled_from(("hi", "é")).map(lambda words: [user(words)]),
    st.sampled_from(("yes", "no.")).map(lambda words: [assistant(words)]),
    st.sampled_from(("a", "a.b")).map(
        lambda name: [assistant("so", call(name)), answer(name, "r")]
    ),
    st.just([assistant(call("a"), call("a")), batch(result("a"), result("a")), user("and")]),
    st.just([user("see", wg.ImageBlock(data=PNG))]),
)


@every_provider
@SOME
@given(st.lists(EXCHANGES, min_size=2, max_size=6), st.data())
def test_a_longer_conversation_starts_with_the_bytes_of_the_shorter(
    name: str, exchanges: list[list[wg.Message]], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(exchanges)))
    fields: dict[str, Any] = {"tools": [wg.Tool("f")], "seed": 1}
    whole = _encoded(name, request(*chain.from_iterable(exchanges), **fields))
    short = _encoded(name, request(*chain.from_iterable(exchanges[:k]), **fields))
    if short is None or whole is None:  # Mistral refuses a conversation that is one answer
        return
    if name == "mistral" and exchanges[k - 1][-1].role == "assistant":
        return  # an answer to go on is marked as that, as long as it is the last
    end = len(short)
    while short[end - 1 : end] in b"]}":  # the brackets that close the conversation
        end -= 1
    assert whole.startswith(short[:end])


KINDS: dict[str, Callable[[int], list[wg.Message]]] = {
    "system": lambda i: [system(f"<system {i}>")],
    "user": lambda i: [user(f"<user {i}>")],
    "assistant": lambda i: [assistant(f"<assistant {i}>")],
    "call and result": lambda i: [
        assistant(f"<calls {i}>", call(f"call{i:05d}")),
        answer(f"call{i:05d}", f"<result {i}>"),
    ],
}
ORDERS = [order for n in range(1, 5) for order in product(KINDS, repeat=n)]


def _of(order: tuple[str, ...]) -> list[wg.Message]:
    return list(chain.from_iterable(KINDS[kind](i) for i, kind in enumerate(order)))


def _asked(order: tuple[str, ...], model: str = "m") -> wg.Request:
    return replace(request(*_of(order), tools=[wg.Tool("f")]), model=model)


@every_provider
def test_texts_go_out_in_the_order_of_the_messages(name: str) -> None:
    for order in ORDERS:
        messages = _of(order)
        body = _encoded(name, request(*messages, tools=[wg.Tool("f")])) or b""
        texts = [block.text for _, block in _texts(list(messages), "$")]
        places = [body.decode().find(text) for text in texts]
        assert not body or (-1 not in places and places == sorted(places)), order


_UNSETTLED: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("mistral", "claude-sonnet-4-5"): ("assistant",),  # marked as an answer to go on
    ("anthropic", "claude-opus-4-8"): ("assistant", "system"),
    ("bedrock", "claude-opus-4-8"): ("assistant", "system"),
}
"""Wire and model -> the messages that have another form at the end of a conversation.

Claude 4.8 does not continue an answer, so a turn of the user is put behind it; and a system message
may yet become a user's.
"""


@pytest.mark.parametrize(
    ("name", "model"),
    [
        *((name, "claude-sonnet-4-5") for name in wg.PROVIDERS),
        ("anthropic", "claude-opus-4-8"),
        ("bedrock", "claude-opus-4-8"),
    ],
)
def test_bytes_stay_as_messages_of_any_kind_follow(name: str, model: str) -> None:
    for order in ORDERS:
        kinds = order[:-1]
        while kinds and kinds[-1] in _UNSETTLED.get((name, model), ()):
            kinds = kinds[:-1]
        is_alone = {*kinds} == {"system"}  # then it may be sent as a user's
        short = _encoded(name, _asked(kinds, model)) if kinds and not is_alone else None
        whole = _encoded(name, _asked(order, model))
        if short is not None and whole is not None:
            assert whole.startswith(short.rstrip(b"]}")), order


# Bodies that nobody should send.

NOTHING = ("null", "0", '""', "[]", "{}", "[null]", '{"a":1}', '"\\ud83d"', "[[[]]]", "1e400")


@every_provider
@SOME
@given(data=st.data())
def test_a_broken_body_is_a_decode_error_or_a_request(name: str, data: st.DataObject) -> None:
    body = _encoded(name, data.draw(_odd(name)))
    if body is None:
        return
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    for _ in range(8):
        _decode_or_refuse(name, _mutated(body, chance))


def _mutated(body: bytes, chance: random.Random) -> bytes:
    """Cut, flip or insert bytes, or put another value in the place of one."""
    kind = chance.randrange(4)
    at = chance.randrange(len(body))
    if kind == 0:
        return body[:at]
    if kind == 1:
        return body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :]
    if kind == 2:
        return body[:at] + chance.choice((b"\xff", b'"', b"{", b",", b"\\")) + body[at:]
    value = json.loads(body)
    _replace_one(value, chance)
    return json.dumps(value).encode()


def _replace_one(value: Any, chance: random.Random) -> None:
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = chance.choice(keys)
        inner = value[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.3:
            value[key] = json.loads(chance.choice(NOTHING).replace("1e400", "1e300"))
            return
        value = inner


def _decode_or_refuse(name: str, body: bytes) -> None:
    try:
        made = wg.PROVIDERS[name].decode_request(body)
    except wg.DecodeError as error:
        refused = error
    else:
        refused = None
    if refused is not None:
        assert refused.wire == name
        assert refused.path.startswith(("$", "byte "))
        return
    made.model = made.model or "m"
    _encoded(name, made)
    for other in wg.PROVIDERS:
        _encoded(other, made)


@every_provider
@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"[7]", b"{}", b'{"a":' * 5000, b"[" * 5000, b"\xff", b'{"messages":"x"}'],
    ids=lambda body: body[:12].decode("latin-1"),
)
def test_what_is_no_request_at_all(name: str, body: bytes) -> None:
    with pytest.raises(wg.DecodeError):
        wg.PROVIDERS[name].decode_request(body)


# Time.


def _many_losses(n: int) -> wg.Request:
    thought = wg.ThinkingBlock("t", "s")
    return request(*[message for _ in range(n) for message in (assistant(thought, "x"), user("y"))])


def _many_system_messages(n: int) -> wg.Request:
    return request(*[m for _ in range(n) for m in (user("x"), wg.SystemMessage.from_text("s"))])


def _one_id(n: int) -> wg.Request:
    return request(
        assistant(*[call("a") for _ in range(n)]), batch(*[result("a") for _ in range(n)])
    )


def _extras_in_one_turn(n: int) -> wg.Request:
    return request(*[user("x", extras=extras("a", k=1)) for _ in range(n)])


@every_provider
@pytest.mark.parametrize(
    "shape", [_many_losses, _many_system_messages, _one_id, _extras_in_one_turn]
)
def test_time_grows_with_the_conversation_and_no_faster(
    name: str, shape: Callable[[int], wg.Request]
) -> None:
    small, large = shape(200), shape(1600)
    # eight times the size; squared it would be 64
    assert _seconds(name, large) < 45 * _seconds(name, small)


def _seconds(name: str, asked: wg.Request) -> float:
    times = []
    gc.collect()
    gc.disable()  # the heap of other tests is none of its business
    for _ in range(6):
        start = time.process_time()
        _encoded(name, asked)
        times.append(time.process_time() - start)
    gc.enable()
    return min(times)
