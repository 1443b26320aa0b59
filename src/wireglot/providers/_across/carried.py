"""An answer of one API -> the same with what another API has a place for, as that API has it."""

from __future__ import annotations

from typing import Any

from ...model import Response
from .._state.facts import Facts, facts_of
from . import documents, images, probabilities
from .citations import with_sources
from .usage import with_tier


def carried(response: Response, api: str, *, is_stream: bool) -> Response:
    """Return an answer of another API for the encoder of an API."""
    target = facts_of(api)
    if not is_stream:
        response = with_sources(images.with_images(response, target), target)
    response = with_tier(response)
    message = response.message
    content = [_block(block, message.api, target) for block in message.content]
    response = probabilities.changed(response, content, response.extras)
    return probabilities.carried(response, target, is_stream=is_stream)


def begun(block: Any, source: str | None, api: str) -> Any:
    """Return a block that begins in a stream."""
    return images.shown(block, source, facts_of(api))


def further(response: Response, api: str) -> Response:
    """Return an answer at the end of a stream with the blocks that no event has told."""
    return images.with_images(response, facts_of(api))


def _block(block: Any, source: str | None, target: Facts) -> Any:
    return documents.cited(images.shown(block, source, target), source, target)


def end_of(block: Any, source: str | None, api: str) -> Any:
    """Return a block that ends in a stream, without what the end of the stream tells."""
    target = facts_of(api)
    return probabilities.left(_block(block, source, target), source, target)
