"""Celery with messages as arguments and results of its tasks.

One call in the module of the app::

    app = Celery("turns", broker="amqp://...")
    queue.celery.install(app)

By default Celery acknowledges, and so loses, a task whose arguments cannot be read. A readable
message that is not a task stops its worker, and then the next worker. With `install`, workers
reject both, so that RabbitMQ dead-letters them if the queue is set up for it; on Redis they are
lost. Tasks that fail are handled by Celery: see `task_acks_late` and
`task_acks_on_failure_or_timeout`.
"""

from __future__ import annotations

from typing import Any

from .._runtime.extras import needs
from .kombu import NAME, register

with needs("wireglot.queue.celery", "celery"):
    from celery import Celery
    from celery.utils.log import get_logger
    from celery.worker.consumer import Consumer as CeleryConsumer

__all__ = ["install"]

_log = get_logger(__name__)


def install(app: Celery) -> None:
    """Make `wireglot` the serializer of tasks and results, and let workers reject poisonous tasks.

    JSON is still accepted, for tasks that were sent before.
    """
    register()
    app.conf.update(
        task_serializer=NAME,
        result_serializer=NAME,
        accept_content=[NAME, "json"],
        worker_consumer=f"{__name__}:{_Consumer.__name__}",
    )


class _Consumer(CeleryConsumer):
    """A worker's consumer that rejects messages it cannot read, and goes on."""

    connection_errors: tuple[type[Exception], ...]
    channel_errors: tuple[type[Exception], ...]

    def create_task_handler(self, *arguments: Any, **options: Any) -> Any:
        """Reject a message that is not a task, on which Celery's own worker would stop."""
        handle = super().create_task_handler(*arguments, **options)

        def on_task(message: Any) -> Any:
            try:
                return handle(message)
            except Exception as error:
                if isinstance(error, (*self.connection_errors, *self.channel_errors)):
                    raise  # the broker's: the consumer connects again
                # Its acknowledgement may still wait to be sent, and waiting calls run in any order.
                # One turn of the loop later it has been sent.
                return self.call_soon(self.call_soon, self._refuse, message, error)

        return on_task

    def on_decode_error(self, message: Any, exc: Exception) -> None:
        """Reject a message that cannot be read, where Celery would acknowledge it."""
        _log.critical("cannot read a task, rejected: %s", exc, exc_info=exc)
        message.reject_log_error(_log, self.connection_errors)

    def _refuse(self, message: Any, error: Exception) -> None:
        if message.acknowledged:
            _log.critical("cannot run a task: %s", error, exc_info=error)
        else:
            self.on_decode_error(message, error)
