"""What a reported situation is, and how a request, an answer and a stream of one are checked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import pytest

import wireglot as wg
from tests.field.frames import framed
from tests.providers.streams import SIZES, chunked

__all__ = ["Answer", "Case", "RefusedRequest", "RefusedStream", "Request", "Stream"]

_PATHS = {"bedrock": "/model/m/converse", "gemini": "/v1beta/models/m:generateContent"}
"""The URLs of the wires that have the model in it."""


@dataclass(frozen=True)
class Case(ABC):
    """What one wire's bytes become on another: the report, both wires, and what is expected."""

    report: str
    """Where the situation was reported: a repository's issue or pull request."""
    source: str
    """The provider, and perhaps a dialect of it after a colon."""
    target: str
    given: Any
    expected: Any
    model: str | None = None
    """The model's name at the target, if it has another one there."""
    lost: str = ""
    """What is reported: rows of the table of losses, with commas between."""

    @abstractmethod
    def check(self) -> None:
        """Translate it, and compare the bytes and the losses."""

    def _wires(self) -> tuple[tuple[str, str], dict[str, Any]]:
        """Return both providers, and their dialects and the model by the names of parameters."""
        source, _, source_dialect = self.source.partition(":")
        target, _, target_dialect = self.target.partition(":")
        options = {
            "model": self.model,
            "source_dialect": source_dialect or None,
            "target_dialect": target_dialect or None,
        }
        return (source, target), options

    def _is_lost(self, losses: list[wg.Loss]) -> None:
        assert [loss.what for loss in losses] == (self.lost.split(", ") if self.lost else [])


@dataclass(frozen=True)
class Request(Case):
    """A body of a request, as text."""

    given: str
    expected: str

    def check(self) -> None:
        losses: list[wg.Loss] = []
        assert self._made(losses).decode() == self.expected
        self._is_lost(losses)
        if losses:
            with pytest.raises(wg.LossError):
                self._made(None)

    def _made(self, losses: list[wg.Loss] | None) -> bytes:
        wires, options = self._wires()
        path = _PATHS.get(wires[0])
        return wg.translate_request(self.given, *wires, losses=losses, path=path, **options)


@dataclass(frozen=True)
class RefusedRequest(Request):
    """A body that the target has no form for; expected is the error."""

    def check(self) -> None:
        with pytest.raises(wg.EncodeError) as raised:
            self._made([])
        assert str(raised.value) == self.expected


@dataclass(frozen=True)
class Answer(Case):
    """A body of an answer, as text."""

    given: str
    expected: str

    def check(self) -> None:
        wires, options = self._wires()
        losses: list[wg.Loss] = []
        made = wg.translate_response(self.given, *wires, losses=losses, **options)
        assert made.decode() == self.expected
        self._is_lost(losses)
        if losses:
            with pytest.raises(wg.LossError):
                wg.translate_response(self.given, *wires, **options)


@dataclass(frozen=True)
class Stream(Case):
    """A whole stream: the data of each frame, without what is around it."""

    given: list[str]
    expected: list[str]

    def check(self) -> None:
        data = framed(self.source, self.given)
        for size in (*SIZES, len(data)):
            losses: list[wg.Loss] = []
            assert self._made(data, size, losses) == framed(self.target, self.expected), size
            self._is_lost(losses)

    def _made(self, data: bytes, size: int, losses: list[wg.Loss]) -> bytes:
        wires, options = self._wires()
        translator = wg.StreamTranslator(*wires, losses=losses, **options)
        return b"".join(map(translator.feed, chunked(data, size))) + translator.close()


@dataclass(frozen=True)
class RefusedStream(Stream):
    """A stream that is not whole; expected is the error."""

    expected: str  # type: ignore[assignment]

    def check(self) -> None:
        data = framed(self.source, self.given)
        for size in (*SIZES, len(data)):
            with pytest.raises(wg.StreamError) as raised:
                self._made(data, size, [])
            assert str(raised.value) == self.expected
