"""All conversations -> JSON Lines in OpenAI's format for fine-tuning; say what has no line."""

import msgspec
import pyarrow.dataset as ds

from wireglot import arrow


class Line(msgspec.Struct, omit_defaults=True):
    """What is kept of the body of a request."""

    messages: msgspec.Raw
    tools: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


kernel = arrow.convert("openai_chat", kind="request", column="document")
decode = msgspec.json.Decoder(Line).decode
encode = msgspec.json.Encoder().encode

sessions = ds.dataset("exchanges", partitioning="hive")
lines = 0
with open("fine-tuning.jsonl", "wb") as file:
    for batch in sessions.to_batches(columns=["time", "document", "fault"], batch_size=1000):
        for row in kernel(batch).to_pylist():
            if row["converted"] is None:
                print(f"{row['time']}: {row['error'] or row['fault']}")
                continue
            file.write(encode(decode(row["converted"])) + b"\n")
            lines += 1
print(f"fine-tuning.jsonl: {lines} conversations")
