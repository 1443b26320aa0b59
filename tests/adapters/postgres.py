"""The PostgreSQL of this machine; a test that needs it is skipped where none lets us in."""

import pytest

__all__ = ["POSTGRES", "needs_postgres"]

POSTGRES = "host=127.0.0.1 user=postgres dbname=postgres connect_timeout=5"


def _reason() -> str:
    try:
        import psycopg
    except ImportError:
        return "psycopg is not here"
    try:
        psycopg.connect(POSTGRES).close()
    except psycopg.OperationalError as error:
        return f"no PostgreSQL at 127.0.0.1: {error}"
    return ""


_REASON = _reason()
needs_postgres = pytest.mark.skipif(bool(_REASON), reason=_REASON)
