"""Keep a session in PostgreSQL, and a copy of it in Redis while it is in use."""

import os
from uuid import uuid4

import psycopg
from psycopg.types.json import Json, Jsonb, set_json_loads
from redis import Redis

import wireglot as wg
from wireglot.adapters.psycopg import Native, register

DATABASE = os.environ.get("DATABASE_URL", "postgresql://postgres@127.0.0.1/postgres")
REDIS = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379")
KEY = f"wireglot:cookbook:{uuid4()}"


def session_with(arguments: str) -> list[wg.AgentMessage]:
    """Return a question, and a call of a tool with these arguments."""
    call = wg.ToolCallBlock("call_1", "search", arguments)
    return [
        wg.UserMessage.from_text("Find Oslo."),
        wg.AssistantMessage([call]),
    ]


def arguments_of(session: list[wg.AgentMessage]) -> str:
    """Return the text of the arguments."""
    (block,) = wg.llm_messages(session)[1].content
    assert block.type == "toolCall"
    return block.arguments.text.decode()


def load(cursor: psycopg.Cursor, redis: Redis) -> list[wg.AgentMessage]:
    """Read the session from Redis. If it is not there, read it from PostgreSQL, and cache it."""
    cached = redis.get(KEY)
    if isinstance(cached, bytes):
        print("read from Redis")
        return wg.msgpack.decode(cached)
    print("read from PostgreSQL")
    row = cursor.execute("select as_bytea from sessions").fetchone()
    assert row is not None
    session: list[wg.AgentMessage] = row[0]
    redis.set(KEY, wg.msgpack.encode(session), ex=600)
    return session


with psycopg.connect(DATABASE, autocommit=True) as database, Redis.from_url(REDIS) as redis:
    cursor = database.cursor()
    register(cursor, list[wg.AgentMessage])  # for `Native`, and to read `bytea` columns as sessions
    set_json_loads(wg.json.decode, cursor)  # to read `json` and `jsonb` columns as sessions

    # Write the same session into three columns.
    session = session_with('{"limit": 1e2, "text": "Oslo", "limit": 3e0}')
    cursor.execute("create temporary table sessions (as_bytea bytea, as_json json, as_jsonb jsonb)")
    cursor.execute(
        "insert into sessions values (%s, %s, %s)",
        [
            Native(session),
            Json(session, dumps=wg.json.encode),
            Jsonb(session, dumps=wg.json.encode),
        ],
    )

    # Read it twice.
    try:
        print("equal:", load(cursor, redis) == session)
        print("equal:", load(cursor, redis) == session)
    finally:
        redis.delete(KEY)

    # Compare the columns.
    row = cursor.execute("select as_bytea, as_json, as_jsonb from sessions").fetchone()
    assert row is not None
    for column, found in zip(("bytea", "json", "jsonb"), row, strict=True):
        print(f"{column:5} {arguments_of(found)}")

    # A `jsonb` column refuses `\u0000`.
    session = session_with('{"text": "\\u0000"}')
    cursor.execute("update sessions set as_bytea = %s", [Native(session)])
    try:
        refused = Jsonb(session, dumps=wg.json.encode)
        cursor.execute("update sessions set as_jsonb = %s", [refused])
    except psycopg.errors.UntranslatableCharacter as error:
        print("jsonb", error.diag.message_primary)
