"""The folder of recorded exchanges, which are other people's text and not in the repository.

`WIREGLOT_TRAFFIC` names it. It holds files `WIRE.jsonl.gz`, an exchange on each line.
"""

import os
from pathlib import Path

import pytest

__all__ = ["TRAFFIC", "needs_traffic"]

_BESIDE = Path(__file__).parents[2] / "shared" / "traffic"
TRAFFIC = Path(os.environ.get("WIREGLOT_TRAFFIC", _BESIDE))
needs_traffic = pytest.mark.skipif(not TRAFFIC.is_dir(), reason="recorded traffic is not here")
