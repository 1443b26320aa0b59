"""A row of a table of reported situations, and the verdict of what becomes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

import wireglot as wg
from tests.field.frames import framed
from wireglot.framing import eventstream

__all__ = ["Case", "Json", "Kind", "Verdict", "case", "verdict"]

Json = Any
Kind = Literal["request", "answer", "stream", "error"]
Verdict = Literal["right", "told", "loud", "silent"]
_PATHS: Final = {"bedrock": "/model/m/converse", "gemini": "/v1beta/models/m:generateContent"}
_STREAMED: Final = {
    "bedrock": "/model/m/converse-stream",
    "gemini": "/v1beta/models/m:streamGenerateContent",
}


@dataclass(frozen=True)
class Case:
    """One reported situation as bytes, and what has to hold of what becomes of it."""

    report: str
    kind: Kind
    source: str
    """The provider, and perhaps a dialect of it after a colon."""
    target: str
    given: Json
    """The body; of a stream, the list of the data of its frames."""
    check: Callable[[Json], bool]
    """Whether the body that is made, or the list of a stream's events, is as the report wants."""
    model: str | None = None
    told: str = ""
    """A part of the loss that is enough, where the target has no place for it."""
    refused: str = ""
    """A part of the error that is right, where no translation is possible."""
    status: int = 400
    """The HTTP status of an error."""
    path: str | None = None
    repair: bool = False
    """Whether a broken history is asked to be mended."""
    known: str = ""
    """Why it is still wrong."""


def case(
    report: str,
    kind: Kind,
    source: str,
    target: str,
    given: Json,
    check: Callable[[Json], bool],
    **keys: Any,
) -> Case:
    """Make a row."""
    return Case(report, kind, source, target, given, check, **keys)


def verdict(row: Case) -> tuple[Verdict, str]:
    """Translate a row, and judge it; the second item says what came out."""
    losses: list[wg.Loss] = []
    try:
        body = _translated(row, losses)
    except (wg.WireglotError, ValueError) as error:
        is_right = bool(row.refused) and row.refused in str(error)
        return ("right" if is_right else "loud"), f"{type(error).__name__}: {error}"
    told = [f"{loss.path} {loss.what}: {loss.why}" for loss in losses]
    shown = f"{json.dumps(body)[:3000]} {told}"
    if _holds(row, body):
        return "right", shown
    if row.told and any(row.told in text for text in told):
        return "told", shown
    return "silent", shown


def _holds(row: Case, body: Json) -> bool:
    try:
        return bool(row.check(body))
    except (LookupError, TypeError, AttributeError, ValueError, StopIteration):
        return False


def _translated(row: Case, losses: list[wg.Loss]) -> Json:
    source, _, source_dialect = row.source.partition(":")
    target, _, target_dialect = row.target.partition(":")
    options: dict[str, Any] = {
        "model": row.model,
        "source_dialect": source_dialect or None,
        "target_dialect": target_dialect or None,
    }
    if row.kind == "error":
        error = wg.PROVIDERS[source].decode_error(_text(row.given), row.status)
        return json.loads(wg.PROVIDERS[target].encode_error(error))
    if row.kind == "stream":
        frames = [frame if isinstance(frame, str) else _text(frame) for frame in row.given]
        translator = wg.StreamTranslator(source, target, losses=losses, **options)  # type: ignore[arg-type]
        made = translator.feed(framed(source, frames)) + translator.close()
        return [*_events(target, made)]
    if row.kind == "answer":
        body = wg.translate_response(_text(row.given), source, target, losses=losses, **options)  # type: ignore[arg-type]
        return json.loads(body)
    path = row.path or _PATHS.get(source)
    body = wg.translate_request(
        _text(row.given),
        source,  # type: ignore[arg-type]
        target,  # type: ignore[arg-type]
        losses=losses,
        path=path,
        **({"repair": True} if row.repair else {}),
        **options,
    )
    return json.loads(body)


def _text(given: Json) -> str:
    return given if isinstance(given, str) else json.dumps(given)


def _events(wire: str, made: bytes) -> Iterable[Json]:
    """Yield the JSON of each frame; of Bedrock, an object with the event's name as its key."""
    if wire == "bedrock":
        for headers, payload in eventstream.Decoder().feed(made):
            yield {str(headers[":event-type"]): json.loads(payload)}
        return
    for line in made.decode().split("\n"):
        data = line.removeprefix("data:").strip() if wire != "ollama" else line
        if data.startswith("{"):
            yield json.loads(data)
