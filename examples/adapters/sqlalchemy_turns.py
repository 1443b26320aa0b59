"""A table of turns in PostgreSQL: the native bytes, and a `jsonb` beside them to search in.

The database is the one that SQLAlchemy's URL names: `python sqlalchemy_turns.py URL`.
"""

import sys

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

import wireglot as wg
from wireglot.adapters.sqlalchemy import Native

URL = "postgresql+psycopg://postgres@127.0.0.1/postgres"


class Base(DeclarativeBase):
    """The tables of this program."""


class Turn(Base):
    """One turn of a conversation."""

    __tablename__ = "wireglot_example_turns"

    id: Mapped[int] = mapped_column(primary_key=True)
    messages: Mapped[list[wg.AgentMessage]] = mapped_column(Native())
    found_by: Mapped[dict[str, list[str]]] = mapped_column(JSONB)


def turn(*messages: wg.AgentMessage) -> Turn:
    """Return a turn, and what to find it by: the tools that were called."""
    calls = [
        block.name
        for message in wg.llm_messages(messages)
        for block in message.content
        if isinstance(block, wg.ToolCallBlock)
    ]
    return Turn(messages=[*messages], found_by={"tools": calls})


def main(url: str = URL) -> None:
    """Write two turns, find one by its tool, and say what it holds."""
    ask = wg.UserMessage.from_text("What is the weather?")
    call = wg.ToolCallBlock("1", "weather", wg.Arguments('{"days": 1e0, "place": "\\u0000"}'))
    answer = wg.AssistantMessage([call])
    with sa.create_engine(url).connect() as connection, connection.begin() as everything:
        Base.metadata.create_all(connection)
        with Session(connection) as session:
            session.add_all([turn(ask), turn(ask, answer)])
            session.flush()
            session.expire_all()
            query = sa.select(Turn).where(Turn.found_by.contains({"tools": ["weather"]}))
            found = session.scalars(query).one()
            (block,) = wg.llm_messages(found.messages)[1].content
            assert block.type == "toolCall"  # a type checker now knows that it is a `ToolCallBlock`
            print(len(found.messages), "messages, which call", found.found_by["tools"])
            print(block.arguments.text.decode())
        everything.rollback()  # an example leaves nothing behind


if __name__ == "__main__":
    main(*sys.argv[1:])
