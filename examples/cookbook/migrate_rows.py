"""Bring the rows of a table to the native wire, whatever wrote them; a row that fails stays."""

import sqlite3
from collections.abc import Callable, Sequence

import wireglot as wg

ROWS = [
    # What an older version wrote, and then what a newer one did.
    ("native", b'[{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]'),
    ("native", b'[{"role": "user", "content": [{"type": "text", "text": "Hi", "mood": "glad"}]}]'),
    ("native", b'[{"role": "user", "content": [{"type": "hologram"}]}]'),
    # What other systems wrote.
    ("phi_core", b'[{"role":"user", "content": [{"type": "text", "text": "Hi"}], "timestamp": 1}]'),
    ("langchain", b'[{"type": "human", "content": "Hi"}, {"type": "ai", "content": "Hello."}]'),
    # What a program put together for OpenAI.
    ("openai", b'[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]'),
    ("openai", b'[{"role": "system", "content": "Be brief."}, {"role": "user", "content": 5}]'),
]


def from_openai(stored: bytes) -> list[wg.Message]:
    """Read a list of messages of Chat Completions."""
    return wg.providers.openai_chat.decode_request(stored).messages


READERS: dict[str, Callable[[bytes], Sequence[wg.AgentMessage | wg.Message]]] = {
    "native": wg.json.decode,
    "phi_core": wg.formats.phi_core.decode,
    "langchain": wg.formats.langchain.decode,
    "openai": from_openai,
}

database = sqlite3.connect(":memory:")
database.execute("create table sessions (id integer primary key, format text, body blob)")
database.executemany("insert into sessions (format, body) values (?, ?)", ROWS)

failed = 0
for id, format, body in database.execute("select * from sessions").fetchall():
    try:
        messages = READERS[format](body)
        native = wg.json.encode(messages)
    except wg.WireglotError as error:
        failed += 1
        print(f"row {id}, {format}: stays as it is: {error}")
        continue
    with database:
        query = "update sessions set format = 'native', body = ? where id = ?"
        database.execute(query, [native, id])
    print(f"row {id}, {format}: {', '.join(message.role for message in messages)}")
print(f"{len(ROWS) - failed} of {len(ROWS)} rows are native now")
