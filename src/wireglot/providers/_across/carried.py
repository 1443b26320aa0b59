"""An answer of one API -> the same with what another API has a place for, as that API has it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ...model import Response
from .._state.facts import facts_of
from . import documents, probabilities


def carried(response: Response, api: str, *, is_stream: bool) -> Response:
    """Return an answer of another API for the encoder of an API."""
    message, target = response.message, facts_of(api)
    content = [documents.cited(block, message.api, target) for block in message.content]
    if any(map(lambda new, old: new is not old, content, message.content)):
        response = replace(response, message=replace(message, content=content))
    return probabilities.carried(response, target, is_stream=is_stream)


def end_of(block: Any, source: str | None, api: str) -> Any:
    """Return a block that ends in a stream, without what the end of the stream tells."""
    target = facts_of(api)
    return probabilities.left(documents.cited(block, source, target), source, target)
