"""The encoder of Dramatiq: `dramatiq.set_encoder(queue.dramatiq.MessageEncoder())`."""

from __future__ import annotations

from typing import Any, Final

from .._runtime.extras import needs
from ..errors import PoisonError
from .envelope import WIRE
from .values import decode_values, encode_values

with needs("wireglot.queue.dramatiq", "dramatiq"):
    import dramatiq
    import dramatiq.errors

__all__ = ["MessageEncoder"]

# The fields of a task; a value of another type would stop the thread that takes the task.
_KINDS: Final = {"queue_name": str, "actor_name": str, "kwargs": dict, "options": dict}
_TASK: Final = {*_KINDS, "args"}


class MessageEncoder(dramatiq.Encoder):
    """Lets actors take and return messages, or lists of them, anywhere in their arguments."""

    def encode(self, data: dict[str, Any]) -> bytes:
        """Encode a task. Raises `EncodeError`."""
        return encode_values(data)

    def decode(self, data: bytes) -> Any:
        """Decode a task, or the result of one.

        Raises Dramatiq's `DecodeError`. Dramatiq's broker for RabbitMQ then dead-letters the task;
        the one for Redis does not, and restarts its consumer.
        """
        try:
            task = decode_values(data)
            if isinstance(task, dict) and task.keys() >= _TASK:  # else a result, which is any value
                for name, kind in _KINDS.items():
                    if type(task[name]) is not kind:
                        held = type(task[name]).__name__
                        raise PoisonError(
                            f"`{held}` as `{name}` of a task, expected `{kind.__name__}`",
                            body=data,
                            wire=WIRE,
                        )
        except PoisonError as error:
            made = dramatiq.errors.DecodeError(str(error), data, error)  # type: ignore[no-untyped-call]
            raise made from error
        return task
