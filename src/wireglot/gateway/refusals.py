"""What the gateway itself refuses -> the error, and the headers that say so to the client."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Final

from ..errors import ProviderError, WireglotError
from ..losses import Loss

__all__ = ["RefusedError", "is_final", "refuse_severe", "refused"]

_ITSELF: Final = "nothing is stored here: send the content itself"
_UNSTORED: Final = (
    "nothing is stored here: set `store: false` (with the AI SDK `providerOptions.openai.store`),"
    " and send the whole conversation"
)
_INSTEAD: Final = {
    "conversation": _UNSTORED,
    "item_reference": _UNSTORED,
    "previous_response_id": _UNSTORED,
    "thread.previous_message_id": "nothing is stored here: send the whole conversation",
}
"""Reference -> what to send instead, if that is not the content itself."""
_UNSEEN: Final = "the model would not see it: send it in a form that this API takes"
_TOOLS: Final = "the model would make up their results"
_ADVICE: Final = {"file id": _ITSELF, "only tools": _TOOLS, "tools": _TOOLS}
"""What else may be lost -> the reason for the refusal, or what to send instead."""


_PASSING: Final = 408
_HINTS: Final = {
    "; add one, or pass repair=True": "; add one, or set `repair = true` in the gateway",
}
"""The hint of the library -> the setting of the gateway."""


class RefusedError(ProviderError):
    """What would fail again: an answer that is of no use, or a call that is not there."""


def refused(error: WireglotError) -> ProviderError:
    """Return what is told of an error: one that is not a provider's is a fault of the request."""
    if isinstance(error, ProviderError):
        return error
    for step, setting in _HINTS.items():
        if error.reason.endswith(step):
            reason = error.reason.removesuffix(step) + setting
            error = WireglotError(reason, wire=error.wire, path=error.path)
    return ProviderError("invalid_request", str(error))


def is_final(error: ProviderError) -> bool:
    """Whether the gateway itself has refused, so that the same request would fail again."""
    is_ours = not error.wire and error.http_status not in (_PASSING, *range(500, 600))
    return is_ours or isinstance(error, RefusedError)


def refuse_severe(losses: Iterable[Loss], allow: Container[str] = ()) -> None:
    """Refuse a request that has a severe loss which `allow` does not name; say what to do instead.

    Raises `ProviderError`.
    """
    loss = next((loss for loss in losses if loss.severe and loss.what not in allow), None)
    if loss is None:
        return
    why = loss.why.removesuffix("; left out")
    if loss.what == "stored state":
        advice = _INSTEAD.get(why.split("`")[1], _ITSELF)
    else:
        advice = _ADVICE.get(loss.what, _UNSEEN)
    raise ProviderError("invalid_request", f"{why}; {advice}")
