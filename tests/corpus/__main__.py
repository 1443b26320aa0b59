"""`python -m tests.corpus FOLDER`: the report, and exit code 1 if a body did not come back.

Each recorded request goes through the codec to its own wire, where it must say the same but for
the rules of `rules/`, and to every other, where the oracle must accept it and nothing may vanish
without a loss. With `--answers` it is the responses, errors and streams; a stream must say the
same in chunks of any size, and be an error where it is cut. `--fail 50` shows the fifty commonest
kinds of failure, each with an example; `--id` tries one exchange, `--wire` those of a wire or a
provider, `--own` no other wire.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import wireglot as wg
from tests.corpus.answers import read_answers
from tests.corpus.exchanges import read_corpus
from tests.corpus.judging import judged
from tests.corpus.report import Report


def main() -> int:
    """Run the whole corpus, or the part that was asked for."""
    options = _options()
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    read = read_answers if options.answers else read_corpus
    corpus = read(options.folder, dialects, options.wire)
    if not corpus.exchanges:
        sys.exit(f"no exchange of {options.wire or 'any wire'} in {options.folder}")
    if options.id:
        corpus.samples[:] = [s for s in corpus.samples if s.id == options.id]
    targets = () if options.own else (options.target,) if options.target else tuple(wg.PROVIDERS)
    report = Report(corpus, "ANSWER_RULES" if options.answers else "RULES")
    for verdict in judged(corpus.samples, targets, options.jobs):
        report.add(verdict)
    print(report.text())
    if options.fail:
        print(report.failures(options.fail))
    return 1 if report.own_failures() else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=__doc__)
    parser.add_argument("folder", type=Path, help="recorded exchanges, `.jsonl.gz`")
    parser.add_argument("--answers", action="store_true", help="what came back, not what was sent")
    parser.add_argument("--wire", default="", help="a recorded wire, or a provider")
    parser.add_argument("--id", help="one exchange")
    parser.add_argument("--target", choices=[*wg.PROVIDERS], help="one target, not all")
    parser.add_argument("--own", action="store_true", help="no target but the own wire")
    parser.add_argument("--fail", type=int, default=0, metavar="N", help="show N kinds of failure")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
