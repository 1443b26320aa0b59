"""What an adapter writes can be read again: a value of wrong types is an error where it is written.

The constructors of the model check no types, as those of msgspec's Structs do not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dramatiq
import psycopg
import pydantic
import pytest
import sqlalchemy as sa
from kombu import serialization
from litestar import Litestar, get
from litestar.testing import TestClient
from psycopg.adapt import AdaptersMap, PyFormat
from taskiq import TaskiqMessage

import wireglot as wg
from wireglot import arrow, queue
from wireglot.adapters import psycopg as postgres
from wireglot.adapters.litestar import WireglotPlugin
from wireglot.adapters.sqlalchemy import Native

UNREADABLE: dict[str, tuple[list[Any], str]] = {
    "a number for text": (
        [wg.ToolResultMessage("c1", content=[wg.TextBlock(21)])],  # type: ignore[arg-type]
        "expected `str`, got `int`",
    ),
    "text for blocks": (
        [wg.UserMessage("hi")],  # type: ignore[arg-type]
        "expected `array`, got `str`",
    ),
    "seconds for milliseconds": (
        [wg.UserMessage([], timestamp=1.5)],  # type: ignore[arg-type]
        "expected `int | null`, got `float`",
    ),
}


class _Context:
    """A connection of psycopg's that is not one."""

    connection = None

    def __init__(self) -> None:
        self.adapters = AdaptersMap(psycopg.adapters)


def _parameter(form: PyFormat) -> Callable[[Any], object]:
    def written(value: Any) -> object:
        context: Any = _Context()
        postgres.register(context)
        dumper = context.adapters.get_dumper(postgres.Native, form)
        return dumper(postgres.Native, context).dump(postgres.Native(value))

    return written


def _column(value: Any) -> object:
    engine = sa.create_engine("sqlite://")
    try:
        with engine.connect() as database:
            return database.scalar(sa.select(sa.literal(value, Native())))
    finally:
        engine.dispose()


class _Job(pydantic.BaseModel):
    session: list[wg.AgentMessage]


def _actor(value: Any) -> bytes:
    task = dramatiq.Message("q", "a", (value,), {}, {})
    encoder = queue.dramatiq.MessageEncoder()
    return encoder.encode(task.asdict())


def _task(value: Any) -> object:
    message = TaskiqMessage(task_id="1", task_name="t", labels={}, args=[value], kwargs={})
    return queue.taskiq.MessageFormatter().dumps(message)


def _serialized(value: Any) -> object:
    queue.kombu.register()
    return serialization.dumps({"session": value}, "wireglot")


WRITERS: dict[str, Callable[[Any], object]] = {
    "psycopg, as text": _parameter(PyFormat.TEXT),
    "psycopg, as binary": _parameter(PyFormat.BINARY),
    "SQLAlchemy": _column,
    "pydantic": lambda value: _Job(session=value).model_dump_json(),
    "Arrow": lambda value: arrow.to_table([value]),
    "an envelope": queue.encode,
    "Dramatiq": _actor,
    "Taskiq": _task,
    "Celery": _serialized,
}


@pytest.mark.parametrize(("value", "said"), UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_what_could_not_be_read_is_not_written(
    write: Callable[[Any], object], value: list[Any], said: str
) -> None:
    with pytest.raises(Exception, match=said.replace("|", r"\|")):
        write(value)


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_what_can_be_read_is_written(write: Callable[[Any], object]) -> None:
    assert write([wg.UserMessage.from_text("Hi")])


@pytest.mark.parametrize("value", [wg.Request([]), wg.TextBlock("Hi"), [wg.TextBlock("Hi")]])
def test_a_column_refuses_a_value_of_another_type_than_its_own(value: Any) -> None:
    with pytest.raises(sa.exc.StatementError, match=r"json: .* - at `\$") as caught:
        _column(value)
    assert isinstance(caught.value.orig, wg.EncodeError)


def test_a_column_refuses_more_messages_than_it_could_read() -> None:
    value = [wg.UserMessage([])] * 100_001
    with pytest.raises(sa.exc.StatementError, match="100,001 messages, expected at most 100,000"):
        _column(value)


@get("/bad")
async def _bad() -> list[wg.AgentMessage]:
    return UNREADABLE["text for blocks"][0]


def test_a_handler_of_litestar_answers_nothing_that_could_not_be_read() -> None:
    app = Litestar([_bad], plugins=[WireglotPlugin()], logging_config=None)
    with TestClient(app, raise_server_exceptions=False) as client:
        assert client.get("/bad").status_code == 500
