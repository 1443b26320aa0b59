"""A body -> the canonical request -> a body of the same wire, which must mean the same.

One that its own API has refused may become one that the API takes, if the loss is reported.
"""

from __future__ import annotations

from typing import Any

import wireglot as wg
from tests.corpus.compare import difference, parsed
from tests.corpus.exchanges import Sample
from tests.corpus.kept import dropped
from tests.corpus.refusals import refused_for
from tests.corpus.rules import needed, normalized, rules_of
from tests.corpus.verdicts import Failure, Refusal, Verdict

__all__ = ["judge_own"]


def judge_own(sample: Sample) -> Verdict:
    """Take a body through its own wire."""
    verdict = Verdict(sample.id, sample.wire, sample.provider, sample.dialect, None)
    provider = wg.PROVIDERS[sample.provider]
    losses: list[wg.Loss] = []
    try:
        request = provider.decode_request(
            sample.data, sample.path, dialect=sample.dialect, losses=losses
        )
        if request.model is None and sample.path is None:
            request.model = sample.model  # of a URL that was not recorded whole
        written, refusal = _encoded(request, losses, sample)
        again = provider.decode_request(written, sample.path, dialect=sample.dialect)
    except wg.WireglotError as error:
        why = refused_for(error) or sample.fault
        if why is not None:
            return verdict._replace(refusal=Refusal(why, mended=False))
        kind = "decode" if isinstance(error, wg.DecodeError) else "encode"
        return verdict._replace(failures=(Failure(kind, error.path, error.reason),))
    except Exception as error:  # noqa: BLE001 -- a crash is what we look for
        return verdict._replace(failures=(Failure("crash", "$", repr(error)),))
    if refusal is not None:
        missing = dropped(request, again, losses, same_wire=True)
        return verdict._replace(refusal=refusal, failures=tuple(missing))
    recorded = parsed(sample.data)
    compared = _compared(verdict, recorded, _begun(recorded, parsed(written)), losses)
    if compared.failures and sample.fault is not None:
        missing = dropped(request, again, losses, same_wire=True)
        return verdict._replace(refusal=Refusal(sample.fault, mended=True), failures=tuple(missing))
    return compared


def _encoded(
    request: wg.Request, losses: list[wg.Loss], sample: Sample
) -> tuple[bytes, Refusal | None]:
    encode = wg.PROVIDERS[sample.provider].encode_request
    try:
        return encode(request, losses=losses, dialect=sample.dialect), None
    except wg.EncodeError as error:
        why = refused_for(error)
        if why is None:
            raise
        losses.clear()
        return encode(request, losses=losses, dialect=sample.dialect, repair=True), Refusal(
            why, mended=True
        )


def _begun(recorded: Any, written: Any) -> Any:
    """Return what was written without a user's turn before an answer that begins (Bedrock)."""
    turns = recorded.get("messages") or [{}]
    opening = {"role": "user", "content": [{"text": "."}]}
    if turns[0].get("role") == "assistant" and written["messages"][0] == opening:
        return written | {"messages": written["messages"][1:]}
    return written


def _compared(
    verdict: Verdict, recorded: object, written: object, losses: list[wg.Loss]
) -> Verdict:
    rules = rules_of(verdict.provider, verdict.dialect)
    used = needed(recorded, written, rules)
    if used is None:
        found = difference(normalized(recorded, rules), normalized(written, rules))
        assert found is not None
        failure = Failure("difference", found.path, "", found.recorded, found.written)
        return verdict._replace(failures=(failure,))
    if losses and not used:
        loss = losses[0]
        failure = Failure("false loss", loss.path, f"{loss.what}: {loss.why}")
        return verdict._replace(failures=(failure,))
    return verdict._replace(rules=tuple(rule.sentence for rule in used))
