"""Translate a column of a Parquet file, and a column of messages, in Hugging Face `datasets`."""

from datasets import Dataset

from wireglot import arrow

kernel = arrow.translate("openai_chat", "anthropic", column="body")
rows = Dataset.from_parquet("requests.parquet").with_format("arrow")
for row in rows.map(kernel, batched=True, batch_size=1000).with_format(None).to_list():
    print(row["id"], row["translated"] or row["error"]["reason"])

# Conversations as they are published: lists of structs, where each struct has the keys of all.
ADD = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"of": [1, 2]}'}}
TURNS = [
    [{"role": "user", "content": "How warm is it?"}],
    [
        {"role": "assistant", "tool_calls": [ADD]},
        {"role": "tool", "tool_call_id": "c1", "content": "3"},
    ],
]
chats = Dataset.from_dict({"messages": TURNS})
print(chats[0])
kernel = arrow.translate("openai_chat", "ollama", model="qwen3", column="messages")
for row in chats.with_format("arrow").map(kernel, batched=True).with_format(None).to_list():
    print(row["translated"])
