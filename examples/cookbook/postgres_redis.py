"""Keep a session in PostgreSQL as it is, and in Redis for as long as it is in use."""

import os
from uuid import uuid4

import psycopg
from psycopg.types.json import Json, Jsonb, set_json_loads
from redis import Redis

import wireglot as wg
from wireglot.adapters.psycopg import Native, register

DATABASE = os.environ.get("DATABASE_URL", "postgresql://postgres@127.0.0.1/postgres")
REDIS = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379")
KEY = f"wireglot:cookbook:{uuid4()}:"

call = wg.ToolCallBlock("call_1", "search", '{"limit": 1e2, "text": "Oslo", "limit": 3e0}')
session: list[wg.AgentMessage] = [
    wg.LlmMessage(wg.UserMessage.from_text("Find Oslo.")),
    wg.LlmMessage(wg.AssistantMessage([call])),
]


def load(name: str) -> list[wg.AgentMessage]:
    """Return a session from Redis, or else from PostgreSQL, and then Redis has it."""
    cached = redis.get(KEY + name)
    if isinstance(cached, bytes):
        print("from Redis")
        return wg.msgpack.decode(cached)
    print("from PostgreSQL")
    row = sessions.execute("select messages from sessions where name = %s", [name]).fetchone()
    loaded: list[wg.AgentMessage] = row[0] if row else []
    redis.set(KEY + name, wg.msgpack.encode(loaded), ex=600)
    return loaded


with psycopg.connect(DATABASE, autocommit=True) as database, Redis.from_url(REDIS) as redis:
    register(database)
    database.execute("create temporary table sessions (name text, messages bytea, j json, b jsonb)")
    as_json, as_jsonb = (kind(session, dumps=wg.json.encode) for kind in (Json, Jsonb))
    values = ["one", Native(session), as_json, as_jsonb]
    database.execute("insert into sessions values (%s, %s, %s, %s)", values)
    sessions = database.cursor()
    register(sessions, list[wg.AgentMessage])
    set_json_loads(wg.json.decode, sessions)

    try:
        print(load("one") == load("one") == session)
    finally:
        redis.delete(KEY + "one")

    row = sessions.execute("select messages, j, b from sessions").fetchone()
    for column, read in zip(("bytea", "json", "jsonb"), row or (), strict=True):
        (block,) = wg.llm_messages(read)[1].content
        assert block.type == "toolCall"
        print(f"{column:5} {block.arguments.text.decode()}")

    call.arguments = wg.Arguments('{"text": "\\u0000"}')
    database.execute("update sessions set messages = %s, j = %s", [Native(session), as_json])
    try:
        database.execute("update sessions set b = %s", [as_jsonb])
    except psycopg.errors.UntranslatableCharacter as error:
        print("jsonb", error.diag.message_primary)
