"""The examples of frameworks and databases, run as a reader would run them."""

import os
import subprocess
import sys
from pathlib import Path

from tests.adapters.postgres import needs_postgres

_EXAMPLES = Path(__file__).parents[2] / "examples" / "adapters"


def _printed(script: str) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, script]
    done = subprocess.run(
        command, cwd=_EXAMPLES, env=environment, timeout=60, check=True, capture_output=True
    )
    return done.stdout.decode().splitlines()


def test_fastapi() -> None:
    assert _printed("fastapi_app.py") == [
        "1 entry",
        "[{'role': 'user', 'content': [{'type': 'text', 'text': 'Hello'}]}]",
        "{'characters': 5}",
        "422 expected `array`, got `str` - at `$.content`",
    ]


def test_litestar() -> None:
    assert _printed("litestar_app.py") == [
        "{'entries': 1}",
        "True",
        "400 json: expected `array`, got `str` - at `$[0].content`",
    ]


@needs_postgres
def test_sqlalchemy() -> None:
    assert _printed("sqlalchemy_turns.py") == [
        "2 messages, which call ['weather']",
        '{"days": 1e0, "place": "\\u0000"}',
    ]
