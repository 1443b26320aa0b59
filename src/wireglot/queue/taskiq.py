"""The formatter of Taskiq: `broker.with_formatter(queue.taskiq.MessageFormatter())`.

Dataclasses and Pydantic models among the arguments travel as dicts, as with Taskiq's own formatter:
Taskiq makes them again where the parameter of the task has that type.
"""

from __future__ import annotations

from .._runtime.extras import needs
from ..errors import PoisonError, shown
from .envelope import WIRE
from .values import decode_values, encode_values

with needs("wireglot.queue.taskiq", "taskiq"):
    from taskiq import BrokerMessage, TaskiqMessage
    from taskiq.abc.formatter import TaskiqFormatter

__all__ = ["MessageFormatter"]


class MessageFormatter(TaskiqFormatter):
    """Lets tasks take messages, or lists of them, anywhere in their arguments."""

    def dumps(self, message: TaskiqMessage) -> BrokerMessage:
        """Encode a task. Raises `EncodeError`."""
        return BrokerMessage(
            task_id=message.task_id,
            task_name=message.task_name,
            message=encode_values(message.model_dump()),
            labels=message.labels,
        )

    def loads(self, message: bytes) -> TaskiqMessage:
        """Decode a task. Raises `PoisonError`: Taskiq logs it, and acknowledges the message."""
        try:
            return TaskiqMessage.model_validate(decode_values(message))
        except PoisonError:
            raise
        except ValueError as error:
            raise PoisonError(
                f"not a task: {shown(str(error), 300)}", body=message, wire=WIRE
            ) from error
