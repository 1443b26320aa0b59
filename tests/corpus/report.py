"""Verdicts -> tables: by wire, by rule, and a matrix of the failures from each provider to each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from tests.corpus.answers import AnswerCorpus
from tests.corpus.exchanges import Corpus
from tests.corpus.rules import rules_of
from tests.corpus.verdicts import Failure, Verdict

__all__ = ["Report"]

_LONGEST = 160


class Report:
    """Counts of all verdicts. `table` names the tables of rules that were applied."""

    def __init__(self, corpus: Corpus | AnswerCorpus, table: str) -> None:
        self._corpus = corpus
        self._table = table
        self._own: dict[str, Counter[str]] = defaultdict(Counter)
        self._rules: Counter[tuple[str, str, str]] = Counter()
        self._refused: Counter[tuple[str, str, str]] = Counter()
        self._pairs: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._shapes: dict[tuple[Any, ...], list[tuple[str, Failure]]] = defaultdict(list)

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        target = verdict.target
        for failure in verdict.failures:
            shape = (target is not None, verdict.provider, target or "", failure.shape())
            self._shapes[shape].append((verdict.sample_id, failure))
        if target is not None:
            counts = self._pairs[verdict.provider, target]
            counts["bodies"] += 1
            counts.update({failure.kind for failure in verdict.failures})
            counts["failed"] += bool(verdict.failures)
        else:
            counts = self._own[verdict.wire]
            counts["bodies"] += 1
            self._rules.update((verdict.provider, rule, verdict.wire) for rule in verdict.rules)
            counts[_outcome(verdict)] += 1
        if verdict.refusal is not None:
            mended = "repaired" if verdict.refusal.mended else "refused"
            self._refused[target or "own wire", mended, _plain(verdict.refusal.reason)] += 1
            if target is not None:
                counts[mended] += 1

    def own_failures(self) -> int:
        """Return how many bodies did not come back from their own wire as they should."""
        return sum(counts["failed"] for counts in self._own.values())

    def text(self) -> str:
        """Return all tables."""
        return "\n\n".join(
            f"{title}\n{table}"
            for title, table in (
                ("Own wire, by recorded wire", self._wires()),
                ("Left out", self._skipped()),
                ("Rules, and how many bodies needed each", self._rule_table()),
                ("Errors that are right, or that repair=True got through", self._refusals()),
                ("Failures from each provider (rows) to each (columns)", self._matrix("failed")),
                ("of these: refused by the oracle", self._matrix("oracle")),
                ("of these: content dropped without a loss", self._matrix("drop")),
                ("Bodies refused with an EncodeError", self._matrix("refused")),
            )
            if table
        )

    def failures(self, most: int) -> str:
        """Return the commonest kinds of failure, own wires first, each with an example."""
        ranked = sorted(self._shapes.items(), key=lambda item: (item[0][0], -len(item[1])))
        lines = []
        for (_, provider, target, _), found in ranked[:most]:
            sample_id, failure = found[0]
            way = f"{provider} -> {target}" if target else provider
            lines += [
                f"{len(found)} x {way}: {failure.kind} at {failure.path}: {failure.message}",
                f"    e.g. {sample_id}",
            ]
            if failure.kind in ("difference", "drop"):
                lines.append(f"    recorded {_clipped(failure.recorded)}")
            if failure.kind == "difference":
                lines.append(f"    written  {_clipped(failure.written)}")
        return "\n".join(lines)

    def _wires(self) -> str:
        columns = ("exchanges", "bodies", "as is", "by rule", "error", "failed")
        rows = []
        for wire, exchanges in sorted(self._corpus.exchanges.items()):
            counts = self._own[wire]
            rows.append([wire, exchanges, *(counts[column] for column in columns[1:])])
        return _table(["wire", *columns], [*rows, _sums(rows)])

    def _skipped(self) -> str:
        reasons: dict[str, Counter[str]] = defaultdict(Counter)
        for (wire, reason), count in self._corpus.skipped.items():
            reasons[reason][wire] += count
        return _lines((reason, wires) for reason, wires in reasons.items())

    def _rule_table(self) -> str:
        """List every rule of the tables; a rule that is needed nowhere should be removed."""
        spoken = {(sample.provider, sample.dialect) for sample in self._corpus.samples}
        rules: dict[tuple[str, str], Counter[str]] = {
            (provider, rule.sentence): Counter()
            for provider, dialect in spoken
            for rule in rules_of(provider, dialect, self._table)
        }
        for (provider, rule, wire), count in self._rules.items():
            rules[provider, rule][wire] += count
        return _lines(
            (f"{provider}: {rule}", rules[provider, rule]) for provider, rule in sorted(rules)
        )

    def _refusals(self) -> str:
        reasons: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for (target, mended, reason), count in self._refused.items():
            reasons[mended, reason][target] += count
        return _lines(
            (f"{mended}: {reason}", reasons[mended, reason]) for mended, reason in sorted(reasons)
        )

    def _matrix(self, what: str) -> str:
        sources = sorted({source for source, _ in self._pairs})
        targets = sorted({target for _, target in self._pairs})
        rows = []
        for source in sources:
            cells = [self._pairs.get((source, target)) for target in targets]
            bodies = max(counts["bodies"] for counts in cells if counts is not None)
            found = ("-" if counts is None else counts[what] for counts in cells)
            rows.append([source, bodies, *found])
        return _table(["", "bodies", *targets], [*rows, _sums(rows)]) if rows else ""


def _outcome(verdict: Verdict) -> str:
    if verdict.failures:
        return "failed"
    if verdict.refusal is not None:
        return "error"
    return "by rule" if verdict.rules else "as is"


def _plain(reason: str) -> str:
    return Failure("", "", reason).shape()[2]


def _clipped(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"


def _sums(rows: Sequence[Sequence[Any]]) -> list[Any]:
    numbers = zip(*(row[1:] for row in rows), strict=True)
    return ["all", *(sum(n for n in column if n != "-") for column in numbers)]


def _lines(rows: Iterable[tuple[str, Counter[str]]]) -> str:
    return "\n".join(
        f"{wires.total():6}  {what} ({', '.join(f'{wire} {n}' for wire, n in wires.most_common())})"
        for what, wires in rows
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cells = [[*map(str, row)] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
