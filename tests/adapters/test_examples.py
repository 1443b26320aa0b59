"""The example of SQLAlchemy, run as a reader would run it."""

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


@needs_postgres
def test_sqlalchemy() -> None:
    assert _printed("sqlalchemy_turns.py") == [
        "2 messages, which call ['weather']",
        '{"days": 1e0, "place": "\\u0000"}',
    ]
