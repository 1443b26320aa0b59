"""A loss that changes what a request asks -> the error that refuses the request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..errors import ProviderError
from ..losses import Loss

__all__ = ["refuse_severe"]

_ITSELF: Final = "send the content itself"
_UNSTORED: Final = (
    "set `store: false` (with the AI SDK `providerOptions.openai.store`), and send the whole"
    " conversation"
)
_INSTEAD: Final = {
    "conversation": _UNSTORED,
    "item_reference": _UNSTORED,
    "previous_response_id": _UNSTORED,
    "thread.previous_message_id": "send the whole conversation",
}
"""Reference -> what to send instead, if that is not the content itself."""


def refuse_severe(losses: Iterable[Loss]) -> None:
    """Refuse a request that has a severe loss, and say what to do instead.

    Raises `ProviderError`.
    """
    loss = next((loss for loss in losses if loss.severe), None)
    if loss is None:
        return
    why = loss.why.removesuffix("; left out")
    if loss.what == "only tools":
        advice = "the model would make up their results"
    else:
        name = why.split("`")[1] if loss.what == "stored state" else ""
        advice = f"nothing is stored here: {_INSTEAD.get(name, _ITSELF)}"
    raise ProviderError("invalid_request", f"{why}; {advice}")
