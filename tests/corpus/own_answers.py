"""An answer -> the canonical response -> an answer of the same wire, which must mean the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

import wireglot as wg
from tests.corpus.answers import Answer
from tests.corpus.compare import Difference, difference, parsed
from tests.corpus.oracles import faults_of
from tests.corpus.refusals import broken, is_cut
from tests.corpus.rules import needed, normalized, rules_of
from tests.corpus.streams import decoded, disorder, encoded, pieces_of, token
from tests.corpus.verdicts import Failure, Refusal, Verdict

__all__ = ["judge_own_answer"]

_SLOW = 1 << 14
"""A stream of more bytes than this is not fed byte by byte: there are enough smaller ones."""
_CUTS = 9


def judge_own_answer(answer: Answer) -> Verdict:
    """Take an answer through its own wire."""
    verdict = Verdict(answer.id, answer.label, answer.provider, answer.dialect, None)
    judged = _judged(answer, verdict)
    if not judged.failures or answer.kind != "stream":
        return judged
    why = broken(answer.provider, answer.data)
    return judged if why is None else verdict._replace(refusal=Refusal(why, mended=False))


def _judged(answer: Answer, verdict: Verdict) -> Verdict:
    try:
        return _JUDGES[answer.kind](answer, verdict)
    except wg.WireglotError as error:
        if answer.kind == "stream" and is_cut(error, answer.provider, answer.data):
            return verdict._replace(refusal=Refusal("the recorded stream was cut", mended=False))
        kind = "decode" if isinstance(error, wg.DecodeError) else "encode"
        return verdict._replace(failures=(Failure(kind, error.path, error.reason),))
    except Exception as error:  # noqa: BLE001 -- a crash is what we look for
        return verdict._replace(failures=(Failure("crash", "$", repr(error)),))


def _response(answer: Answer, verdict: Verdict) -> Verdict:
    provider = wg.PROVIDERS[answer.provider]
    losses: list[wg.Loss] = []
    response = provider.decode_response(
        answer.data, dialect=answer.dialect, losses=losses, ids=token
    )
    written = provider.encode_response(response, losses=losses, dialect=answer.dialect, ids=token)
    again = provider.decode_response(written, dialect=answer.dialect, ids=token)
    recorded, ours = parsed(answer.data), parsed(written)
    rules = rules_of(answer.provider, answer.dialect, "ANSWER_RULES")
    used = needed(recorded, ours, rules)
    if used is None:
        found = difference(normalized(recorded, rules), normalized(ours, rules))
        assert found is not None
        failure = Failure("difference", found.path, "", found.recorded, found.written)
        return verdict._replace(failures=(failure,))
    failures = [
        *_difference("read again", response, again),
        *_false_losses(losses if not used else []),
        *_oracle(answer, "check_response", written),
    ]
    return verdict._replace(rules=tuple(rule.sentence for rule in used), failures=tuple(failures))


def _error(answer: Answer, verdict: Verdict) -> Verdict:
    provider = wg.PROVIDERS[answer.provider]
    error = provider.decode_error(answer.data, answer.status)
    failures = []
    if error.kind not in wg.ERROR_KINDS:
        failures.append(Failure("decode", "$", f"`{error.kind}` is no kind of error"))
    written = provider.encode_error(error)
    if written != answer.data:
        failures.append(Failure("difference", "$", "", answer.data, written))
    return verdict._replace(failures=tuple(failures))


def _stream(answer: Answer, verdict: Verdict) -> Verdict:
    read = partial(decoded, answer.provider, answer.dialect)
    losses: list[wg.Loss] = []
    events, ended = read(answer.data, losses=losses)
    failures = [Failure("events", "$", fault) for fault in disorder(events)]
    for size in (1, 7) if len(answer.data) <= _SLOW else (7,):
        in_pieces, end = read(answer.data, size)
        failures += _difference(f"in chunks of {size}", ended, end)
        failures += _difference(f"in chunks of {size}", events, in_pieces)
    written = encoded(answer.provider, answer.dialect, events, losses)
    failures += _false_losses(losses)
    failures += _difference("written and read again", ended, read(written)[1])
    failures += _oracle(answer, "check_stream", written)
    failures += _cuts(answer, ended)
    if isinstance(ended, wg.Response):
        provider = wg.PROVIDERS[answer.provider]
        body = provider.encode_response(ended, losses=losses, dialect=answer.dialect, ids=token)
        whole = provider.decode_response(body, dialect=answer.dialect, ids=token)
        if [loss.what for loss in losses] != ["arguments"]:  # which were cut
            failures += _difference("as one answer", _in_order(ended, answer), whole)
    return verdict._replace(failures=tuple(failures))


def _in_order(ended: wg.Response, answer: Answer) -> wg.Response:
    """Return the end of a stream as one body of its wire tells it.

    Chat has its thinking first, and one text.
    """
    if answer.provider != "openai_chat":
        return ended
    message = ended.message
    content = sorted(message.content, key=lambda block: type(block) is not wg.ThinkingBlock)
    texts = [block for block in content if type(block) is wg.TextBlock]
    if len(texts) > 1:
        first = replace(texts[0], text="".join(block.text for block in texts))
        content = [first if block is texts[0] else block for block in content]
        content = [block for block in content if not any(block is text for text in texts[1:])]
    return replace(ended, message=replace(message, content=content))


_JUDGES: Final[dict[str, Callable[[Answer, Verdict], Verdict]]] = {
    "response": _response,
    "error": _error,
    "stream": _stream,
}


def _cuts(answer: Answer, ended: Any) -> Iterator[Failure]:
    """Cut a stream at some places: the result must be an error, or have all of the content."""
    size = len(answer.data)
    for end in {*(size * i // _CUTS for i in range(_CUTS)), *range(max(0, size - 3), size)}:
        try:
            _, cut = decoded(answer.provider, answer.dialect, answer.data[:end])
        except wg.StreamError:
            continue
        yield from _difference("cut", _content(ended), _content(cut))


def _content(ended: Any) -> Any:
    return ended.message.content if isinstance(ended, wg.Response) else ended


def _oracle(answer: Answer, check: str, written: bytes) -> list[Failure]:
    """Return the oracle's faults, none if it finds faults in the recorded bytes too."""
    faults = faults_of(answer.provider, check, written)
    return [] if faults and faults_of(answer.provider, check, answer.data) else faults


def _false_losses(losses: list[wg.Loss]) -> list[Failure]:
    return [Failure("false loss", loss.path, f"{loss.what}: {loss.why}") for loss in losses[:1]]


def _difference(way: str, one: Any, other: Any) -> Iterator[Failure]:
    if isinstance(one, wg.Response) and isinstance(other, wg.Response) and one.id is None:
        other = replace(other, id=None)  # an answer without an id is written with one
    if one == other:
        return
    before, after = _plain(parsed(pieces_of(one))), _plain(parsed(pieces_of(other)))
    if before == after:
        return
    found = difference(before, after) or Difference("$", one, other)
    yield Failure("difference", found.path, way, found.recorded, found.written)


def _plain(value: Any) -> Any:
    """Return JSON of the model without empty texts, and without the spelling of keys as null."""
    if isinstance(value, list):
        return [each for each in map(_plain, value) if each != {"type": "text", "text": ""}]
    if not isinstance(value, dict):
        return value
    plain = {key: _plain(each) for key, each in value.items() if key != "extras"}
    extras = {api: _spelled(extra) for api, extra in (value.get("extras") or {}).items()}
    extras = {api: extra for api, extra in extras.items() if any(extra.values())}
    return {**plain, "extras": extras} if extras else plain


def _spelled(extra: dict[str, Any]) -> dict[str, Any]:
    spelling = {k: each for k, each in (extra.get("spelling") or {}).items() if each is not None}
    return {**extra, "spelling": spelling}
