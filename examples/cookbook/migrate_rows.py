"""Convert the rows of a table to native JSON. A row that cannot be read stays unchanged."""

import sqlite3
from collections.abc import Callable, Sequence

import wireglot as wg

ROWS = [
    # Written by an older version of wireglot.
    ("native", b'[{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]'),
    # Written by a newer version: with a new key, and with a new kind of block.
    ("native", b'[{"role": "user", "content": [{"type": "text", "text": "Hi", "mood": "glad"}]}]'),
    ("native", b'[{"role": "user", "content": [{"type": "hologram"}]}]'),
    # Written by other systems.
    ("phi_core", b'[{"role":"user", "content": [{"type": "text", "text": "Hi"}], "timestamp": 1}]'),
    ("langchain", b'[{"type": "human", "content": "Hi"}, {"type": "ai", "content": "Hello."}]'),
    # Messages for OpenAI's Chat Completions API. The second row has a fault.
    ("openai", b'[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]'),
    ("openai", b'[{"role": "system", "content": "Be brief."}, {"role": "user", "content": 5}]'),
]


def from_openai(stored: bytes) -> list[wg.Message]:
    """Read a list of Chat Completions messages."""
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
