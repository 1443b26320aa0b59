"""The servers of the tests; one that needs a server is skipped where it does not listen.

The clients are in `brokers`: not every environment of tox has them.
"""

import socket

import pytest

__all__ = ["PORTS", "needs"]

PORTS = {"rabbitmq": 5672, "nats": 4222, "redis": 6379}
"""Their usual ports."""


def needs(server: str) -> pytest.MarkDecorator:
    """Skip a test where a server does not listen on its usual port of this machine."""
    reason = ""
    try:
        socket.create_connection(("127.0.0.1", PORTS[server]), timeout=5).close()
    except OSError as error:
        reason = f"no {server} at 127.0.0.1:{PORTS[server]}: {error}"
    return pytest.mark.skipif(bool(reason), reason=reason)
