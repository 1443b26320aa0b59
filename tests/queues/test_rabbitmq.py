"""What RabbitMQ would lose or choke on is an error of the call that publishes it."""

import asyncio
from typing import Any
from uuid import uuid4

import aio_pika
import pytest
from aio_pika.exceptions import DeliveryError

import wireglot as wg
from tests.queues.brokers import RABBITMQ, needs
from wireglot import queue

_SESSION = [wg.LlmMessage(wg.UserMessage.from_text("Hello"))]


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


async def _through(envelope: queue.Envelope) -> tuple[queue.Envelope, str | None]:
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        target = await channel.declare_queue(exclusive=True)
        await queue.aio_pika.publish(channel.default_exchange, target.name, envelope)
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
    with pytest.raises(wg.TooLargeError) as caught:
        queue.aio_pika.message(queue.encode(_SESSION, id="1", subject="x" * 200_000))
    largest = 200_000 - (caught.value.size - 131_064)
    assert str(caught.value).endswith("rabbitmq takes at most 131,064: shorten attributes - at `$`")
    envelope = queue.encode(_SESSION, id="1", subject="x" * largest)
    assert asyncio.run(_through(envelope))[0] == envelope


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
