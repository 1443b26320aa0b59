"""A type of the model -> the strategy that draws it."""

from __future__ import annotations

from typing import Any

from hypothesis.strategies import SearchStrategy

from ..model import AgentMessage, Arguments, Media, MediaBlock, Request, Response, Usage
from ._once import once
from .blocks import block_kinds, media_blocks
from .events import event_kinds
from .exchanges import requests, responses
from .messages import agent_messages, message_kinds, usages
from .values import arguments, media


@once
def strategies() -> dict[Any, SearchStrategy[Any]]:
    """Return all of them."""
    return {
        **block_kinds(),
        **message_kinds(),
        **event_kinds(),
        AgentMessage: agent_messages(),
        MediaBlock: media_blocks(),
        Arguments: arguments(),
        Media: media(),
        Request: requests(),
        Response: responses(),
        Usage: usages(),
    }
