"""`python -m tests.corpus FOLDER...`: the report, and exit code 1 if a body did not come back.

Each recorded request is written to its own wire, where it must mean the same, except for the rules
of `rules/`, and to every other wire, where the oracle must accept it and nothing may vanish without
a loss. The same holds for responses, errors and streams; a stream must mean the same in chunks of
any size, and be an error if it is cut. `--requests` and `--answers` leave out the other half.
`--fail 50` shows the fifty commonest kinds of failure, each with an example; `--id` tries one
exchange, `--wire` those of a wire or a provider, `--own` only each body's own wire.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import wireglot as wg
from tests.corpus.answers import read_answers
from tests.corpus.exchanges import read_corpus
from tests.corpus.judging import judged
from tests.corpus.report import Report

_PARTS: dict[str, tuple[Callable[..., Any], str]] = {
    "requests": (read_corpus, "RULES"),
    "answers": (read_answers, "ANSWER_RULES"),
}


def main() -> int:
    """Run the whole corpus, or one half of it."""
    options = _options()
    parts = [part for part in _PARTS if getattr(options, part)] or list(_PARTS)
    failed = [_report(part, options) for part in parts]
    return 1 if any(failed) else 0


def _report(part: str, options: argparse.Namespace) -> int:
    """Print the report of one part; return how many bodies did not come back."""
    read, rules = _PARTS[part]
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    corpus = read(options.folders, dialects, options.wire)
    if not corpus.exchanges:
        sys.exit(f"no exchange of {options.wire or 'any wire'} in {options.folders}")
    if options.id:
        corpus.samples[:] = [s for s in corpus.samples if s.id == options.id]
    targets = () if options.own else (options.target,) if options.target else tuple(wg.PROVIDERS)
    report = Report(corpus, rules)
    for verdict in judged(corpus.samples, targets, options.jobs):
        report.add(verdict)
    print(f"{part.upper()}\n\n{report.text()}\n")
    if options.fail:
        print(report.failures(options.fail))
    return report.own_failures()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="recorded exchanges, `.jsonl.gz`")
    parser.add_argument("--requests", action="store_true", help="only what was sent")
    parser.add_argument("--answers", action="store_true", help="only what came back")
    parser.add_argument("--wire", default="", help="a recorded wire, or a provider")
    parser.add_argument("--id", help="one exchange")
    parser.add_argument("--target", choices=[*wg.PROVIDERS], help="one target, not all")
    parser.add_argument("--own", action="store_true", help="no target but the own wire")
    parser.add_argument("--fail", type=int, default=0, metavar="N", help="show N kinds of failure")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
