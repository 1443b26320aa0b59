"""Sessions in columns of SQLite and PostgreSQL, by SQLAlchemy and by psycopg: nothing is lost."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from psycopg.types.json import Json, Jsonb, set_json_loads
from sqlalchemy.exc import StatementError
from sqlalchemy.ext.mutable import MutableList
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.orm.attributes import flag_modified

import wireglot as wg
from tests.adapters.postgres import POSTGRES, needs_postgres
from wireglot import testing
from wireglot.adapters.psycopg import Native as Parameter
from wireglot.adapters.psycopg import register
from wireglot.adapters.sqlalchemy import Native

# Key order, the spelling of a number, a key twice, a NUL character: what databases rewrite.
NATIVE = (
    b'[{"role":"assistant","content":[{"type":"toolCall","id":"1","name":"f",'
    b'"arguments":{"b": 1e2, "a": 1.50, "a":"\\u0000"}}],'
    b'"turnId":{"loopId":"l","turnIndex":1},"odd":[1]}]'
)
SESSION = wg.json.decode(NATIVE)


class Base(DeclarativeBase):
    pass


class Turn(Base):
    __tablename__ = "wireglot_test_turns"

    id: Mapped[int] = mapped_column(primary_key=True)
    messages: Mapped[list[wg.AgentMessage] | None] = mapped_column(Native())
    noticed: Mapped[list[wg.AgentMessage] | None] = mapped_column(MutableList.as_mutable(Native()))
    request: Mapped[wg.Request | None] = mapped_column(Native(wg.Request))


@pytest.fixture(
    params=[
        pytest.param("sqlite://", id="SQLite"),
        pytest.param(
            "postgresql+psycopg://postgres@127.0.0.1/postgres",
            id="PostgreSQL",
            marks=needs_postgres,
        ),
    ]
)
def database(request: pytest.FixtureRequest) -> Iterator[sa.Connection]:
    """Yield a connection whose tables are gone with it."""
    engine = sa.create_engine(request.param)
    with engine.connect() as connection:
        outer = connection.begin()
        Base.metadata.create_all(connection)
        yield connection
        if outer.is_active:  # a statement that failed has ended it
            outer.rollback()
    engine.dispose()


def _stored(database: sa.Connection, column: str = "messages") -> bytes:
    return bytes(database.scalar(sa.text(f"select {column} from {Turn.__tablename__}")))


def test_a_column_holds_the_native_bytes_and_gives_the_session_back(
    database: sa.Connection,
) -> None:
    with Session(database) as session:
        session.add(Turn(messages=SESSION))
        session.flush()
        session.expire_all()
        read = session.scalars(sa.select(Turn)).one()
        assert read.messages == SESSION
    assert _stored(database) == NATIVE


def test_a_column_may_hold_any_type_of_the_model_and_null(database: sa.Connection) -> None:
    request = wg.Request([wg.UserMessage([wg.TextBlock("Hello")])], model="m")
    with Session(database) as session:
        session.add(Turn(request=request))
        session.flush()
        session.expire_all()
        read = session.scalars(sa.select(Turn)).one()
        assert (read.request, read.messages) == (request, None)


def test_rows_are_found_by_an_equal_session(database: sa.Connection) -> None:
    with Session(database) as session:
        session.add_all([Turn(messages=SESSION), Turn(messages=[])])
        session.flush()
        found = session.scalars(sa.select(Turn).where(Turn.messages == SESSION)).one()
        assert found.messages == SESSION


def test_a_new_list_is_written_and_a_change_inside_the_old_one_only_if_it_is_flagged(
    database: sa.Connection,
) -> None:
    with Session(database) as session:
        turn = Turn(messages=[*SESSION])
        session.add(turn)
        session.flush()
        assert turn.messages is not None
        turn.messages.clear()
        session.flush()
        assert _stored(database) == NATIVE
        flag_modified(turn, "messages")
        session.flush()
        assert _stored(database) == b"[]"
        turn.messages = [*SESSION]
        session.flush()
        assert _stored(database) == NATIVE


def test_a_mutable_list_notices_what_is_appended(database: sa.Connection) -> None:
    with Session(database) as session:
        turn = Turn(noticed=[])
        session.add(turn)
        session.flush()
        assert turn.noticed is not None
        turn.noticed.append(SESSION[0])
        session.flush()
        assert _stored(database, "noticed") == NATIVE


def test_what_cannot_be_encoded_is_the_cause_of_sqlalchemys_error(database: sa.Connection) -> None:
    with Session(database) as session:
        session.add(Turn(messages=[object()]))
        with pytest.raises(StatementError) as caught:
            session.flush()
    assert isinstance(caught.value.orig, wg.EncodeError)


def test_bytes_that_are_not_a_session_are_a_decode_error(database: sa.Connection) -> None:
    database.execute(
        sa.text(f"insert into {Turn.__tablename__} (id, messages) values (1, :data)"),
        {"data": b"[1]"},
    )
    with Session(database) as session, pytest.raises(wg.DecodeError, match=r"at `\$\[0\]`$"):
        session.scalars(sa.select(Turn)).one()


@given(session=testing.sessions())
@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_any_session_comes_back_equal(
    database: sa.Connection, session: list[wg.AgentMessage]
) -> None:
    kind = Native()
    written = database.scalar(sa.select(sa.literal(session, kind)))
    assert written == session


# -- psycopg ---------------------------------------------------------------------------------------


@pytest.fixture
def connection() -> Iterator[psycopg.Connection]:
    with psycopg.connect(POSTGRES) as connection:
        register(connection)
        connection.execute("create temporary table turns (messages bytea) on commit drop")
        yield connection
        connection.rollback()


@needs_postgres
@pytest.mark.parametrize("sent", ["%s", "%b", "%t"])
@pytest.mark.parametrize("is_binary", [False, True], ids=["read as text", "read as binary"])
def test_a_parameter_is_written_as_native_bytes_and_read_by_a_registered_cursor(
    connection: psycopg.Connection, sent: Any, is_binary: bool
) -> None:
    connection.execute(f"insert into turns values ({sent})", [Parameter(SESSION)])
    assert connection.execute("select messages from turns").fetchall() == [(NATIVE,)]
    cursor = connection.cursor(binary=is_binary)
    register(cursor, list[wg.AgentMessage])
    ((read,),) = cursor.execute("select messages from turns").fetchall()
    assert read == SESSION
    assert wg.json.encode(read) == NATIVE


@needs_postgres
def test_what_is_neither_a_session_nor_encodable_is_an_error_of_ours(
    connection: psycopg.Connection,
) -> None:
    with pytest.raises(wg.EncodeError, match="`object`, expected a type of the model"):
        connection.execute("insert into turns values (%s)", [Parameter([object()])])
    cursor = connection.cursor()
    register(cursor, list[wg.AgentMessage])
    cursor.execute("select '[1]'::bytea")
    with pytest.raises(wg.DecodeError, match=r"at `\$\[0\]`$"):
        cursor.fetchall()


def test_a_parameter_shows_its_value() -> None:
    assert repr(Parameter([1])) == "Native([1])"


# What docs/databases.md says of the columns of PostgreSQL.


def _column(connection: psycopg.Connection, kind: str, parameter: Any) -> bytes:
    connection.execute(f"create temporary table t (messages {kind}) on commit drop")
    connection.execute("insert into t values (%s)", [parameter])
    cursor = connection.cursor()
    set_json_loads(bytes, cursor)
    row = cursor.execute("select messages from t").fetchone()
    assert row is not None
    return row[0]


@needs_postgres
def test_a_json_column_keeps_the_text_but_its_operators_refuse_a_nul(
    connection: psycopg.Connection,
) -> None:
    assert _column(connection, "json", Json(SESSION, wg.json.encode)) == NATIVE
    path = "{0,content,0,arguments,a}"
    with pytest.raises(psycopg.errors.UntranslatableCharacter):
        connection.execute("select messages #>> %s from t", [path])


@needs_postgres
def test_a_text_column_keeps_the_text(connection: psycopg.Connection) -> None:
    text: Any = _column(connection, "text", wg.json.encode(SESSION).decode())
    assert text.encode() == NATIVE


@needs_postgres
def test_a_jsonb_column_refuses_a_nul(connection: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.UntranslatableCharacter):
        _column(connection, "jsonb", Jsonb(SESSION, wg.json.encode))


@needs_postgres
def test_a_jsonb_column_rewrites_numbers_the_order_of_keys_and_space(
    connection: psycopg.Connection,
) -> None:
    call = wg.ToolCallBlock("1", "f", wg.Arguments('{"bb": 1e2, "a": 1.50, "a":2}'))
    stored = _column(connection, "jsonb", Jsonb(call, wg.json.encode))
    assert stored == (
        b'{"id": "1", "name": "f", "type": "toolCall", "arguments": {"a": 2, "bb": 100}}'
    )
