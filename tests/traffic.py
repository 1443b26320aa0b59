"""The folders of recorded exchanges, which are other people's text and not in the repository.

`WIREGLOT_TRAFFIC` names them, as `PATH` names its folders. Each holds files `WIRE.jsonl.gz`, an
exchange on each line.
"""

import os
from pathlib import Path

import pytest

__all__ = ["FOLDERS", "TRAFFIC", "needs_traffic"]

_SHARED = Path(__file__).parents[2] / "shared"
_BESIDE = (str(_SHARED / "traffic"), str(_SHARED / "traffic2"))
_NAMED = os.environ.get("WIREGLOT_TRAFFIC", os.pathsep.join(_BESIDE)).split(os.pathsep)
TRAFFIC = Path(_NAMED[0])
"""The first of the folders."""
FOLDERS = tuple(folder for folder in map(Path, _NAMED) if folder.is_dir())
needs_traffic = pytest.mark.skipif(not TRAFFIC.is_dir(), reason="recorded traffic is not here")
