"""The serializer `wireglot` of kombu, and so of Celery.

    import wireglot.queue.kombu

    wireglot.queue.kombu.register()
    app.conf.update(task_serializer="wireglot", accept_content=["wireglot", "json"])

Tasks take and return messages, or lists of them, in any place of their arguments.
"""

from __future__ import annotations

from kombu.serialization import register as _register

from .values import CONTENT_TYPE, decode_values, encode_values

__all__ = ["NAME", "register"]

NAME = "wireglot"


def register() -> None:
    """Make the serializer known; to be called once in producers and workers."""
    _register(NAME, encode_values, decode_values, CONTENT_TYPE, "binary")  # type: ignore[no-untyped-call]
