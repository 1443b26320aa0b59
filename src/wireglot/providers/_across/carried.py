"""An answer of one API -> the same with what another API has a place for, as that API has it."""

from __future__ import annotations

from typing import Any, Final

from ...model import Content, ImageBlock, OpaqueBlock, Response
from .._state.facts import Facts, facts_of
from . import documents, images, probabilities
from .citations import with_sources
from .usage import with_tier

OF_OTHERS: Final = frozenset({OpaqueBlock, ImageBlock})
"""The blocks that each API has in its own way."""


def carried(response: Response, api: str, *, is_stream: bool) -> Response:
    """Return an answer of another API for the encoder of an API.

    What neither API can have is not looked for: most answers have nothing of the kind.
    """
    message = response.message
    source, target = facts_of(message.api), facts_of(api)
    if source.tier_key is not None and message.usage is not None and message.usage.extras:
        response = with_tier(response, source.tier_key)
    if message.extras is not None and source.images_in is not None and not is_stream:
        response = images.with_images(response, target)
    if response.extras is not None and source.sources_in is not None and not is_stream:
        response = with_sources(response, target)
    message = response.message
    if _has_own(message.content):
        content = [_block(block, message.api, target) for block in message.content]
        response = probabilities.changed(response, content, response.extras)
    if source.logprobs is not None and target.logprobs is not None:
        response = probabilities.carried(response, target, is_stream=is_stream)
    return response


def _has_own(content: list[Content]) -> bool:
    """Whether something in a content is in the words of its own API."""
    for block in content:  # noqa: SIM110 -- on the way of each answer
        if block.extras is not None or type(block) in OF_OTHERS:
            return True
    return False


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
