"""Inputs of the agent systems' formats -> nothing, or the law that one of them broke."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import wireglot as wg
from tests.fuzz.laws import check, check_native, choices, decoded, encoded, is_deep, is_utf8

__all__ = ["FORMATS"]

_NAMES = tuple(wg.FORMATS)
_PROVIDERS = tuple(wg.PROVIDERS)


def _format(name: str) -> Callable[[bytes], None]:
    """Return the target of a format: its own types, and canonical messages."""
    form: Any = wg.FORMATS[name]
    has_lines = name != "operator_use"  # its sessions are always lines

    def target(data: bytes) -> None:
        first, second, body = choices(data)
        lenient: list[wg.Loss] | None = [] if second & 64 else None
        options: dict[str, Any] = {"lines": True} if has_lines and second & 128 else {}
        kind = list[form.MESSAGE if has_lines or body[:1] == b"[" else form.SessionFileEntry]
        own = decoded(lambda: form.decode(body, kind, losses=lenient), name)
        if own is not None:
            _check_own(form, own, kind)
        session = decoded(lambda: form.decode(body, losses=lenient), name)
        if session is None:
            return
        made = encoded(lambda: form.encode(session, losses=[], **options))
        if made and not is_deep(made):  # an empty text is not a document
            again = form.decode(made)
            check(
                form.encode(again, losses=[], **options) == made,
                "canonical messages that were written come back byte for byte",
            )
        other: Any = wg.FORMATS[_NAMES[first % len(_NAMES)]]
        translated = encoded(lambda: other.encode(session, losses=[]))
        # A large payload is not looked at: invalid UTF-8 in it is written as it came in.
        if translated and not is_deep(translated) and is_utf8(translated):
            other.decode(translated)
        provider = wg.PROVIDERS[_PROVIDERS[second % len(_PROVIDERS)]]
        request = wg.Request(wg.llm_messages(session), model="m")
        encoded(lambda: provider.encode_request(request, losses=[], repair=True))
        check_native(session, list[wg.AgentMessage])

    return target


def _check_own(form: Any, own: list[Any], kind: Any) -> None:
    made = encoded(lambda: form.encode(own, losses=[]))
    if not made or is_deep(made):
        return
    again = form.decode(made, kind)
    check(form.encode(again, losses=[]) == made, "a system's own types are written the same again")
    # JSON that cannot be parsed is not equal to the same JSON with its keys in another order.
    if b"e400" not in made:
        check(again == own or own != own, "a system's own types come back equal")


FORMATS = {name: _format(name) for name in _NAMES}
