"""How probable the tokens of an answer are <-> `logprobsResult` of a candidate."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ..._body.encode import encode_json as encode
from .._state.facts import LogprobsForm, TokenLogprob


class _Candidate(Struct, rename="camel", forbid_unknown_fields=True):
    token: str
    log_probability: float
    token_id: int | None = None


class _Top(Struct, forbid_unknown_fields=True):
    candidates: list[_Candidate] | None = None


class _Result(Struct, rename="camel", forbid_unknown_fields=True):
    chosen_candidates: list[_Candidate]
    top_candidates: list[_Top] | None = None
    log_probability_sum: float | None = None


_candidates = msgspec.json.Decoder(list[dict[str, Raw]]).decode
_result = msgspec.json.Decoder(_Result).decode


def _read(keys: dict[str, Raw]) -> list[TokenLogprob] | None:
    """Take them from the first candidate, with their average, which says no more."""
    candidates = _candidates(keys.get("candidates", b"[]"))
    raw = candidates[0].pop("logprobsResult", None) if candidates else None
    if raw is None or bytes(raw) == b"null":
        return None
    candidates[0].pop("avgLogprobs", None)
    result = _result(raw)
    tops = [top.candidates or () for top in result.top_candidates or ()]
    tokens = []
    for number, chosen in enumerate(result.chosen_candidates):
        others = tops[number] if number < len(tops) else ()
        beside = [TokenLogprob(each.token, each.log_probability) for each in others]
        tokens.append(
            TokenLogprob(chosen.token, chosen.log_probability, top_logprobs=beside or None)
        )
    keys.pop("candidates")
    if any(candidates):
        keys["candidates"] = Raw(encode(candidates))
    return tokens


def _write(tokens: list[TokenLogprob]) -> dict[str, Any]:
    result: dict[str, Any] = {"chosenCandidates": [_candidate(token) for token in tokens]}
    if any(token.top_logprobs for token in tokens):
        result["topCandidates"] = [
            {"candidates": [_candidate(top) for top in token.top_logprobs or ()]}
            for token in tokens
        ]
    total = sum(token.logprob for token in tokens)
    average = total / len(tokens)
    return {"candidates": [{"avgLogprobs": average, "logprobsResult": result}]}


def _candidate(token: TokenLogprob) -> dict[str, Any]:
    return {"token": token.token, "logProbability": token.logprob}


LOGPROBS: Final = LogprobsForm(_read, _write)
