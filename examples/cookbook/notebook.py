"""The cells of a notebook: show a session, and count its tokens."""

# %%
import csv
import sys
from pathlib import Path

import wireglot as wg
from wireglot.adapters.notebook import html

session = list(wg.json.decode_lines(Path("examples/agent-session.jsonl").read_bytes()))
answers = [m for m in wg.llm_messages(session) if isinstance(m, wg.AssistantMessage)]

# %% Jupyter shows the last value of a cell as HTML.
answers[0]

# %% For a list, run `%load_ext wireglot.adapters.notebook` first. Or write the HTML to a file.
page = html(answers[:2])
assert page is not None
Path("answers.html").write_text(page)

# %% A row for each answer. For a table, use `pandas.DataFrame(rows)` or `polars.DataFrame(rows)`.
rows = [
    {
        "model": answer.model,
        "calls": len(answer.tool_calls()),
        "input": answer.usage.input,
        "cached": answer.usage.cache_read,
        "output": answer.usage.output,
    }
    for answer in answers
    if answer.usage
]
table = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
table.writeheader()
table.writerows(rows)
