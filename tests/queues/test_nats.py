"""Headers that the server of NATS obeys do not keep a poisonous message from being buried."""

import asyncio
from uuid import uuid4

import nats
import pytest

import wireglot as wg
from tests.queues.servers import needs
from wireglot import queue

_ERROR = wg.queue.PoisonError("why", body=b"", wire="queue")


async def _buried(options: dict[str, str], headers: dict[str, str]) -> dict[str, str]:
    """Publish a message, bury it, and return the headers that it has where it lies."""
    client = await nats.connect("nats://127.0.0.1:4222")
    stream = client.jetstream()
    name = f"wireglot-{uuid4().hex}"
    await stream.add_stream(name=name, subjects=[name], allow_rollup_hdrs=True)
    await stream.add_stream(name=f"{name}-dead", subjects=[f"{name}-dead"])
    try:
        if headers:
            await stream.publish(name, b"\x90", headers=headers)
        else:
            expected = {key: value.format(name) for key, value in options.items()}
            await queue.nats.publish(stream, name, queue.encode([], id="1"), **expected)
        messages = await stream.pull_subscribe(name, durable="workers")
        [message] = await messages.fetch(1, timeout=30)
        await queue.nats.bury(stream, message, f"{name}-dead", _ERROR)
        dead = await stream.pull_subscribe(f"{name}-dead", durable="workers")
        [found] = await dead.fetch(1, timeout=30)
        assert found.data == b"\x90"
        return {key: value.replace(name, "turns") for key, value in (found.headers or {}).items()}
    finally:
        await stream.delete_stream(name)
        await stream.delete_stream(f"{name}-dead")
        await client.close()


@needs("nats")
def test_a_message_for_one_stream_alone_can_be_buried_in_another() -> None:
    assert asyncio.run(_buried({"stream": "{}"}, {})) == {
        "ce-specversion": "1.0",
        "ce-id": "1",
        "ce-source": "wireglot",
        "ce-type": "wireglot.messages",
        "ce-crc32": "220d7cc9",
        "content-type": "application/vnd.wireglot+msgpack; kind=messages; version=1",
        "came-Msg-Id": "wireglot 1",
        "came-Expected-Stream": "turns",
        "wireglot-error": "queue: why - at `$`",
    }


@needs("nats")
@pytest.mark.parametrize(
    ("name", "kept"), [("Nats-Rollup", "came-Rollup"), ("nats-rollup", "came-rollup")]
)
def test_an_order_to_the_server_is_not_given_again(name: str, kept: str) -> None:
    assert asyncio.run(_buried({}, {name: "all"})) == {
        kept: "all",
        "wireglot-error": "queue: why - at `$`",
    }


async def _buried_raw(lines: bytes) -> dict[str, str] | None:
    """Bury a message with lines that no client writes, and return its headers."""
    client = await nats.connect("nats://127.0.0.1:4222")
    stream = client.jetstream()
    name = f"wireglot-{uuid4().hex}"
    await stream.add_stream(name=name, subjects=[name, f"{name}-dead"], allow_rollup_hdrs=True)
    reader, writer = await asyncio.open_connection("127.0.0.1", 4222)
    try:
        head = b"NATS/1.0\r\n" + lines + b"\r\n"
        sizes = b"%d %d" % (len(head), len(head) + 1)
        writer.write(b'CONNECT {"verbose":false,"headers":true}\r\n')
        writer.write(b"HPUB " + name.encode() + b" " + sizes + b"\r\n" + head + b"x\r\nPING\r\n")
        await reader.readuntil(b"PONG")
        messages = await stream.pull_subscribe(name, durable="workers")
        [message] = await messages.fetch(1, timeout=30)
        await queue.nats.bury(stream, message, f"{name}-dead", _ERROR)
        return (await stream.get_last_msg(name, f"{name}-dead")).headers
    finally:
        writer.close()
        await stream.delete_stream(name)
        await client.close()


@needs("nats")
def test_names_that_become_the_same_cost_no_header_and_one_error_stands() -> None:
    lines = (
        b"a(b: 1\r\na)b: 2\r\na_b: 3\r\n"
        b"Nats-Rollup: sub\r\ncame-Rollup: mine\r\nWireglot-Error: before\r\n"
    )
    assert asyncio.run(_buried_raw(lines)) == {
        "a_b_": "1",
        "a_b__": "2",
        "a_b": "3",
        "came-Rollup_": "sub",
        "came-Rollup": "mine",
        "wireglot-error": "queue: why - at `$`",
    }


async def _published_with(headers: dict[str, str] | None) -> dict[str, str] | None:
    client = await nats.connect("nats://127.0.0.1:4222")
    stream = client.jetstream()
    name = f"wireglot-{uuid4().hex}"
    await stream.add_stream(name=name, subjects=[name])
    try:
        await queue.nats.publish(stream, name, queue.encode([], id="1"), headers=headers)
        return (await stream.get_last_msg(name, name)).headers
    finally:
        await stream.delete_stream(name)
        await client.close()


@needs("nats")
def test_headers_of_your_own_may_be_none() -> None:
    came = asyncio.run(_published_with({"own": "x"})) or {}
    assert came.pop("own") == "x"
    assert asyncio.run(_published_with(None)) == came


async def _buried_at_the_limit(room: int) -> tuple[int, str | None]:
    """Bury a message that leaves `room` bytes, and return the size of its body and the error."""
    client = await nats.connect("nats://127.0.0.1:4222")
    stream = client.jetstream()
    name = f"wireglot-{uuid4().hex}"
    await stream.add_stream(name=name, subjects=[name, f"{name}-dead"])
    try:
        # `NATS/1.0`, its line end and the empty line, `a: b` and its line end.
        body = bytes(client.max_payload - 12 - 6 - room)
        await stream.publish(name, body, headers={"a": "b"})
        messages = await stream.pull_subscribe(name, durable="workers")
        [message] = await messages.fetch(1, timeout=30)
        await queue.nats.bury(stream, message, f"{name}-dead", _ERROR, limit=client.max_payload)
        dead = await stream.pull_subscribe(f"{name}-dead", durable="undertakers")
        [found] = await dead.fetch(1, timeout=30)
        return len(body) - len(found.data), (found.headers or {}).get("wireglot-error")
    finally:
        await stream.delete_stream(name)
        await client.close()


@needs("nats")
@pytest.mark.parametrize(
    ("room", "error"), [(0, None), (18, None), (25, "queue: "), (100, "queue: why - at `$`")]
)
def test_a_message_as_large_as_the_server_takes_is_buried_with_what_fits_of_the_error(
    room: int, error: str | None
) -> None:
    lost, words = asyncio.run(_buried_at_the_limit(room))
    assert lost == 0
    assert words == (error and error.strip())


async def _buried_with_headers_of(size: int) -> str | None:
    """Bury a message with so many bytes of headers, and return what it has of the error."""
    client = await nats.connect("nats://127.0.0.1:4222")
    stream = client.jetstream()
    name = f"wireglot-{uuid4().hex}"
    await stream.add_stream(name=name, subjects=[name, f"{name}-dead"])
    try:
        # `NATS/1.0`, its line end and the empty line, `a: ` and its line end.
        await stream.publish(name, b"x", headers={"a": "b" * (size - 12 - 5)})
        messages = await stream.pull_subscribe(name, durable="workers")
        [message] = await messages.fetch(1, timeout=30)
        await queue.nats.bury(stream, message, f"{name}-dead", _ERROR)
        dead = await stream.pull_subscribe(f"{name}-dead", durable="undertakers")
        [found] = await dead.fetch(1, timeout=30)
        assert found.data == b"x"
        return (found.headers or {}).get("wireglot-error")
    finally:
        await stream.delete_stream(name)
        await client.close()


@needs("nats")
@pytest.mark.parametrize(
    ("size", "error"), [(65_535, None), (65_510, "queue:"), (65_400, "queue: why - at `$`")]
)
def test_a_message_with_all_the_headers_that_a_stream_takes_is_buried(
    size: int, error: str | None
) -> None:
    assert asyncio.run(_buried_with_headers_of(size)) == error


async def _with_headers_of(size: int) -> None:
    client = await nats.connect("nats://127.0.0.1:4222")
    stream = client.jetstream()
    name = f"wireglot-{uuid4().hex}"
    await stream.add_stream(name=name, subjects=[name])
    try:
        lines = queue.nats.headers(queue.encode([], id="1", subject="x"))
        # 12 for `NATS/1.0`, its line end and the empty line, 4 for each line's `: ` and end.
        around = 12 + sum(len(name) + len(value) + 4 for name, value in lines.items()) - 1
        envelope = queue.encode([], id="1", subject="x" * (size - around))
        await queue.nats.publish(stream, name, envelope)
    finally:
        await stream.delete_stream(name)
        await client.close()


@needs("nats")
def test_headers_beyond_what_a_stream_takes_are_refused_before_they_are_sent() -> None:
    asyncio.run(_with_headers_of(65_535))
    with pytest.raises(
        wg.queue.TooLargeError, match="headers of 65,536 bytes, expected at most 65,53"
    ):
        asyncio.run(_with_headers_of(65_536))


@needs("nats")
def test_a_message_with_headers_that_are_no_utf8_is_buried() -> None:
    came = asyncio.run(_buried_raw(b"a: " + b"\xff" * 40_000 + b"\r\n"))
    assert came is not None
    assert came["a"] == "?" * 40_000


async def _core() -> tuple[dict[str, str] | None, bytes]:
    name = f"wireglot-{uuid4().hex}"
    client = await nats.connect("nats://127.0.0.1:4222")
    stream = client.jetstream()
    await stream.add_stream(name=name, subjects=[f"{name}.dead"])
    try:
        messages = await client.subscribe(f"{name}.core")
        await client.publish(f"{name}.core", b"hello", headers={"a": "b"})
        message = await messages.next_msg(timeout=30)
        error = wg.queue.PoisonError("bad", body=b"hello", wire="queue")
        await queue.nats.bury(stream, message, f"{name}.dead", error)
        dead = await stream.get_last_msg(name, f"{name}.dead")
        return dead.headers, dead.data or b""
    finally:
        await stream.delete_stream(name)
        await client.close()


def test_a_message_without_jetstream_can_be_put_aside_too() -> None:
    assert asyncio.run(_core()) == ({"a": "b", "wireglot-error": "queue: bad - at `$`"}, b"hello")
