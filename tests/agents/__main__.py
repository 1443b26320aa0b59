"""Play every cell, those of the agents that take long too, and write the table of the results."""

from __future__ import annotations

import os
import sys

import pytest

os.environ["WIREGLOT_AGENTS"] = "write"
sys.exit(pytest.main(["-q", "tests/agents", *sys.argv[1:]]))
