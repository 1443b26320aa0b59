"""`python -m tests.fuzz TARGET...`: fuzz decoders, and exit with 1 if a law was broken.

Each target runs in a process of its own, for slices of processor time, one after the other; SIGINT
and SIGTERM end them cleanly. Inputs that break a law are saved in `findings/TARGET`: for each place
in the code that an error comes from, the shortest input.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import sys
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.ledger import Ledger

_HERE = Path(__file__).parent


def main() -> int:
    """Run what was asked for. Without Atheris that is nothing, unless all has to be there."""
    if find_spec("atheris") is None and os.environ.get("WIREGLOT_REQUIRE_ALL") != "1":
        print("skipped: Atheris is not here; it has wheels for Linux on x86_64")
        return 0
    import atheris

    # Only wireglot is instrumented: code in C (msgspec, pybase64) has no counters.
    with (
        open(os.devnull, "w") as quiet,
        contextlib.redirect_stderr(quiet),
        atheris.instrument_imports(include=["wireglot"]),
    ):
        from tests.fuzz.slices import Slices
        from tests.fuzz.targets import TARGETS

    options = _options(list(TARGETS))
    names = list(TARGETS) if options.all else options.targets
    ledger = Ledger(options.record, _versions()) if options.record else None
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        slices = Slices(
            options.corpus or Path(folder), options.findings, ledger, options.slice, options.runs
        )
        times = dict.fromkeys(names, options.cpu_seconds)
        if ledger is not None and options.until is not None:
            times = ledger.left(names, options.until)
        slices.run(times, options.jobs)
    for path in sorted(slices.found):
        print(f"found: {path}")
    for name in sorted(slices.failed):
        print(f"ended early: {name}")
    return 1 if slices.found or slices.failed else 0


def _versions() -> str:
    from wireglot import __version__

    ours = f"wireglot {__version__}, CPython {platform.python_version()}"
    return f"{ours}, msgspec {version('msgspec')}, atheris {version('atheris')}"


def _options(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(names))
    parser.add_argument("--all", action="store_true", help="every target")
    parser.add_argument(
        "--cpu-seconds", type=float, default=60, metavar="N", help="of each target, 60 if not given"
    )
    parser.add_argument(
        "--runs", type=int, metavar="N", help="at most so many new inputs, the same each time"
    )
    parser.add_argument("--slice", type=float, default=60, metavar="N", help="of one process")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes at a time")
    parser.add_argument(
        "--until", type=float, metavar="N", help="of each target, with what a ledger has of it"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="add what was done to a ledger")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="go on with what is in it")
    parser.add_argument("--findings", type=Path, metavar="DIR", default=_HERE / "findings")
    options = parser.parse_args()
    if options.until is not None and not options.record:
        parser.error("--until wants a ledger behind --record")
    unknown = sorted({*options.targets} - {*names})
    if unknown or not (options.targets or options.all):
        parser.error(f"expected targets of {', '.join(names)}, got {', '.join(unknown) or 'none'}")
    return options


if __name__ == "__main__":
    sys.exit(main())
