"""How many Python functions a format calls to read a session of 50 messages, and to write it.

The bounds are the counts of CPython 3.11; later versions call nothing for a comprehension. Whoever
makes a format do more raises its bound, and says why. `python -m tests.formats.test_calls` prints
the counts.
"""

import msgspec
import pytest

import wireglot as wg
from bench.session import session
from tests.structure import counted

SLACK = 1.03
MESSAGES = 50
BOUNDS = {
    "phi_core": (961, 1636),
    "pyagenity": (1558, 3301),
    "ravi": (1204, 2374),
    "operator_use": (1838, 3664),
    "langchain": (3366, 2974),
    "pydantic_ai": (2484, 2516),
    "mcp": (1019, 1498),
    "otel": (1044, 1406),
}
"""A format -> how many calls it may make to read the session, and to write it."""


def counts(name: str) -> tuple[int, int]:
    """Return the calls of reading and of writing the session, after each ran once."""
    form = wg.FORMATS[name]
    canonical = wg.json.decode(msgspec.json.encode(session(MESSAGES)))
    for i, entry in enumerate(canonical):
        entry.id = f"m{i}"  # otherwise a reader makes one
    body = form.encode(canonical, losses=[])
    messages = form.decode(body)
    form.encode(messages, losses=[])
    return counted(lambda: form.decode(body))[0], counted(lambda: form.encode(messages, losses=[]))[
        0
    ]


@pytest.mark.parametrize("name", wg.FORMATS)
def test_a_format_calls_no_more_functions_than_it_did(name: str) -> None:
    reading, writing = counts(name)
    most_reading, most_writing = BOUNDS[name]
    assert reading <= most_reading * SLACK
    assert writing <= most_writing * SLACK


if __name__ == "__main__":
    for each in wg.FORMATS:
        print(f'    "{each}": {counts(each)},')
