"""A body of one wire -> a body of another, judged by that wire's oracle; nothing may vanish."""

from __future__ import annotations

import wireglot as wg
from tests.corpus.exchanges import Sample
from tests.corpus.kept import dropped
from tests.corpus.oracles import faults_of
from tests.corpus.parameters import unset
from tests.corpus.refusals import is_of_order
from tests.corpus.verdicts import Failure, Refusal, Verdict

__all__ = ["judge_other"]


def judge_other(sample: Sample, target: str) -> Verdict:
    """Take a body to another wire. One that does not decode is reported by its own wire."""
    verdict = Verdict(sample.id, sample.wire, sample.provider, sample.dialect, target)
    try:
        request = wg.PROVIDERS[sample.provider].decode_request(
            sample.data, sample.path, dialect=sample.dialect, losses=[]
        )
        request.model = request.model or sample.model or "m"
    except Exception as error:  # noqa: BLE001 -- `judge_own` reports it
        return verdict._replace(refusal=Refusal(f"does not decode: {type(error).__name__}", False))
    losses: list[wg.Loss] = []
    try:
        written, refusal = _encoded(request, losses, target)
    except wg.EncodeError as error:
        return verdict._replace(refusal=Refusal(error.reason, mended=False))
    except Exception as error:  # noqa: BLE001 -- a crash is what we look for
        return verdict._replace(failures=(Failure("crash", "$", repr(error)),))
    faults = faults_of(target, "check_request", written)
    if faults and sample.fault is not None:
        refusal, faults = Refusal(f"the oracle refuses it; {sample.fault}", mended=False), []
    failures = (*faults, *_missing(request, written, target, losses))
    return verdict._replace(refusal=refusal, failures=failures)


def _encoded(
    request: wg.Request, losses: list[wg.Loss], target: str
) -> tuple[bytes, Refusal | None]:
    encode = wg.PROVIDERS[target].encode_request
    try:
        return encode(request, losses=losses), None
    except wg.EncodeError as error:
        if not is_of_order(error):
            raise
        losses.clear()
        return encode(request, losses=losses, repair=True), Refusal(error.reason, mended=True)


def _missing(
    request: wg.Request, written: bytes, target: str, losses: list[wg.Loss]
) -> list[Failure]:
    try:
        again = wg.PROVIDERS[target].decode_request(written)
    except wg.DecodeError as error:
        return [Failure("decode", error.path, f"its own body: {error.reason}")]
    return [*dropped(request, again, losses), *unset(request, again, losses)]
