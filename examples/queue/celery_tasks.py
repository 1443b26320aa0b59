"""Tasks of Celery that take and return messages.

Start a worker with `celery --app celery_tasks worker`, then run `python celery_tasks.py`. It needs
RabbitMQ and Redis on their default ports, and `pip install 'wireglot[queue]' 'celery[redis]'`.
"""

from celery import Celery
from celery.signals import worker_init
from kombu import Exchange, Queue

import wireglot as wg
from wireglot import queue

app = Celery("turns", broker="amqp://guest:guest@127.0.0.1//", backend="redis://127.0.0.1/0")
queue.celery.install(app)

# Tasks that fail or cannot be read are rejected, and go to the queue `celery-turns.dead`.
dead = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "celery-turns.dead"}
app.conf.task_queues = [
    Queue("celery-turns", Exchange("celery-turns"), "celery-turns", queue_arguments=dead)
]
app.conf.update(
    task_default_queue="celery-turns",
    task_acks_late=True,
    task_acks_on_failure_or_timeout=False,
)


@worker_init.connect
def declare(**_: object) -> None:
    """Declare the dead-letter queue."""
    with app.connection_for_write() as connection:
        Queue("celery-turns.dead")(connection.channel()).declare()


@app.task(name="answer")
def answer(session: list[wg.Message], *, about: wg.ImageBlock) -> wg.Message:
    """Answer the last message of a session; a real task would ask a model."""
    text = f"You said {session[-1].text()!r} about an {about.known_mime_type()}."
    return wg.AssistantMessage([wg.TextBlock(text)], wg.StopReason.STOP)


if __name__ == "__main__":
    hello = [wg.UserMessage.from_text("Hello")]
    picture = wg.ImageBlock.from_bytes(b"\x89PNG\r\n\x1a\n")
    answered = answer.delay(hello, about=picture).get(timeout=30)
    print(answered.text())
