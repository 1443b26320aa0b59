"""What RabbitMQ would lose or choke on is an error of the call that publishes it."""

import asyncio
from typing import Any
from uuid import uuid4

import aio_pika
import pytest
from aio_pika.exceptions import DeliveryError

import wireglot as wg
from tests.queues.brokers import RABBITMQ
from tests.queues.servers import needs
from wireglot import queue

_SESSION = [wg.UserMessage.from_text("Hello")]


async def _published(routing_key: str, options: dict[str, Any]) -> None:
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel(**options)
        envelope = queue.encode(_SESSION, id="1")
        await queue.aio_pika.publish(channel.default_exchange, routing_key, envelope)


@needs("rabbitmq")
@pytest.mark.parametrize("options", [{}, {"on_return_raises": True}], ids=["usual", "raises"])
def test_a_message_that_no_queue_takes_is_an_error_however_the_channel_was_opened(
    options: dict[str, Any],
) -> None:
    with pytest.raises(DeliveryError, match="NO_ROUTE"):
        asyncio.run(_published(f"nobody-{uuid4().hex}", options))


async def _through(
    envelope: queue.Envelope, **properties: Any
) -> tuple[queue.Envelope, str | None]:
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        target = await channel.declare_queue(exclusive=True)
        await queue.aio_pika.publish(channel.default_exchange, target.name, envelope, **properties)
        came = await target.get(timeout=30, no_ack=True)
        return queue.aio_pika.envelope(came), came.message_id


@needs("rabbitmq")
@pytest.mark.parametrize("id", ["x" * 255, "€" * 85])
def test_an_id_of_255_bytes_is_the_message_id_too(id: str) -> None:
    envelope = queue.encode(_SESSION, id=id)
    assert asyncio.run(_through(envelope)) == (envelope, id)


@needs("rabbitmq")
@pytest.mark.parametrize("id", ["x" * 256, "€" * 86])
def test_an_id_that_is_longer_stands_in_the_headers_alone(id: str) -> None:
    envelope = queue.encode(_SESSION, id=id)
    came, message_id = asyncio.run(_through(envelope))
    assert came == envelope
    assert message_id != id


@needs("rabbitmq")
def test_headers_that_fill_a_frame_go_through_and_larger_ones_are_refused_before() -> None:
    with pytest.raises(wg.queue.TooLargeError) as caught:
        queue.aio_pika.message(queue.encode(_SESSION, id="1", subject="x" * 200_000))
    largest = 200_000 - (caught.value.size - 131_064)
    assert str(caught.value).endswith("expected at most 131,064; shorten attributes - at `$`")
    envelope = queue.encode(_SESSION, id="1", subject="x" * largest)
    assert asyncio.run(_through(envelope))[0] == envelope


_PLAIN = dict.fromkeys(("specversion", "id", "source", "type"), "1.0")


@needs("rabbitmq")
def test_your_own_headers_are_counted_before_anything_is_sent() -> None:
    envelope = queue.encode(_SESSION, id="1")
    with pytest.raises(wg.queue.TooLargeError, match="expected at most 131,064") as caught:
        queue.aio_pika.message(envelope, headers={"own": "x" * 140_000})
    largest = 140_000 - (caught.value.size - 131_064)
    own = {"headers": {"own": "x" * largest}}
    assert asyncio.run(_through(envelope, **own))[0] == envelope
    long = queue.encode(_SESSION, id="x" * 256)  # the client makes a message id for it
    with pytest.raises(wg.queue.TooLargeError) as other:
        queue.aio_pika.message(long, headers={"own": "x" * 140_000})
    own = {"headers": {"own": "x" * (140_000 - (other.value.size - 131_064))}}
    assert asyncio.run(_through(long, **own))[0] == long


@pytest.mark.parametrize(
    ("type", "encoding", "words"),
    [
        ("a/" + "b" * 254, None, "content type of 256 bytes, expected at most 255"),
        ("a/b", "z" * 256, "content encoding of 256 bytes, expected at most 255"),
    ],
    ids=["type", "encoding"],
)
def test_a_content_type_or_encoding_that_no_property_holds_is_refused_before(
    type: str, encoding: str | None, words: str
) -> None:
    envelope = queue.Envelope({**_PLAIN, "datacontenttype": type}, b"", encoding)
    with pytest.raises(wg.queue.TooLargeError, match=words):
        queue.aio_pika.message(envelope)


@pytest.mark.parametrize("name", ["content_type", "content_encoding"])
def test_type_and_encoding_are_those_of_the_envelope(name: str) -> None:
    with pytest.raises(wg.EncodeError, match=f"property `{name}`, expected another"):
        queue.aio_pika.message(queue.encode(_SESSION), **{name: "zstd"})


@needs("rabbitmq")
def test_a_message_id_of_your_own_and_no_headers_are_taken() -> None:
    envelope = queue.encode(_SESSION, id="1")
    came = asyncio.run(_through(envelope, message_id="mine", headers=None))
    assert came == (envelope, "mine")


@needs("rabbitmq")
def test_a_channel_that_would_lose_a_message_without_a_word_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="channel without publisher confirms"):
        asyncio.run(_published(f"nobody-{uuid4().hex}", {"publisher_confirms": False}))


async def _from_another(headers: dict[str, Any]) -> queue.Envelope:
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        target = await channel.declare_queue(exclusive=True)
        message = aio_pika.Message(b"\x90", headers=headers)
        await channel.default_exchange.publish(message, target.name)
        return queue.aio_pika.envelope(await target.get(timeout=30, no_ack=True))


@needs("rabbitmq")
@pytest.mark.parametrize("source", ["/files/a%20b", "50%25", "%FF"])
def test_attributes_of_others_are_read_as_they_are_because_nobody_encodes_them_here(
    source: str,
) -> None:
    headers = {f"ce-{name}": value for name, value in {**_PLAIN, "source": source}.items()}
    assert asyncio.run(_from_another(headers)) == queue.Envelope(
        {**_PLAIN, "source": source}, b"\x90"
    )


async def _sent_at_once() -> list[object]:
    """Send the same envelope where no queue is and where one is, by turns, and return outcomes."""
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        target = await channel.declare_queue(exclusive=True)
        exchange = channel.default_exchange
        envelope = queue.encode(_SESSION, id="1")
        return await asyncio.gather(
            *[
                queue.aio_pika.publish(exchange, key, envelope)
                for key in (f"nobody-{uuid4().hex}", target.name) * 5
            ],
            return_exceptions=True,
        )


@needs("rabbitmq")
def test_the_same_envelope_sent_at_once_to_several_queues_fails_where_none_is() -> None:
    outcomes = [type(each).__name__ for each in asyncio.run(_sent_at_once())]
    assert outcomes == ["PublishError", "NoneType"] * 5


async def _sent_and_given_up() -> None:
    """Give up on a message that waits for one of the same id, then send a third."""
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        target = await channel.declare_queue(exclusive=True)
        envelope = queue.encode(_SESSION, id="1")
        tasks = [
            asyncio.create_task(
                queue.aio_pika.publish(channel.default_exchange, target.name, envelope)
            )
            for _ in range(3)
        ]
        await asyncio.sleep(0)
        tasks[1].cancel()
        assert await asyncio.wait_for(tasks[0], 30) is None
        assert await asyncio.wait_for(tasks[2], 30) is None
        with pytest.raises(asyncio.CancelledError):
            await tasks[1]


@needs("rabbitmq")
def test_giving_up_on_one_message_holds_up_no_other_of_the_same_id() -> None:
    asyncio.run(_sent_and_given_up())


async def _cancelled_after(turns: int) -> None:
    """Cancel a message that no queue takes after some turns of the loop; send it where one is."""
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        target = await channel.declare_queue(exclusive=True)
        exchange = channel.default_exchange
        envelope = queue.encode(_SESSION, id="1")
        lost = asyncio.create_task(
            queue.aio_pika.publish(exchange, f"nobody-{uuid4().hex}", envelope)
        )
        for _ in range(turns):
            await asyncio.sleep(0)
        lost.cancel()
        with pytest.raises(asyncio.CancelledError):
            await lost
        await asyncio.wait_for(queue.aio_pika.publish(exchange, target.name, envelope), 30)
        came = await target.get(timeout=30, no_ack=True)
        assert queue.aio_pika.envelope(came) == envelope


@needs("rabbitmq")
@pytest.mark.parametrize("turns", [0, 1, 3, 5, 7])
def test_giving_up_on_a_message_in_flight_makes_no_other_of_its_id_fail(turns: int) -> None:
    asyncio.run(_cancelled_after(turns))
