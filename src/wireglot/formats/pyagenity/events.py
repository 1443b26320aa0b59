"""The output of a running graph: stream chunks and events, as Structs whose JSON is theirs.

Keys that only some versions have are left out while they are unset.

Source: pyagenity 0.3.6 and 0.3.9 (`publisher/events.py`, `state/stream_chunks.py`) and
10xscale-agentflow 0.10.1 (`runtime/publisher/events.py`, `core/state/stream_chunks.py`).
"""

from __future__ import annotations

import time
from enum import StrEnum
from typing import Any, ClassVar, Literal, Self

from msgspec import UNSET, UnsetType, field

from .._constructors import Fresh
from .base import Model
from .contents import ContentBlock
from .types import Message, generate_id

__all__ = ["ContentType", "Event", "EventModel", "EventType", "StreamChunk", "StreamEvent"]


class StreamEvent(StrEnum):
    """What a chunk carries."""

    STATE = "state"
    MESSAGE = "message"
    ERROR = "error"
    UPDATES = "updates"


class StreamChunk(Model):
    """A message, the graph's state, or other data, of one run; since 0.3.7.

    The constructor fills in the present time. PyAgenity gives a chunk without `timestamp` the time
    at which the program started.
    """

    FRESH: ClassVar[Fresh] = {"timestamp": time.time}

    event: StreamEvent = StreamEvent.MESSAGE
    message: Message | None = None
    state: dict[str, Any] | None = None
    data: dict[str, Any] | None = None
    thread_id: str | None = None
    run_id: str | None = None
    metadata: dict[str, Any] | None = None
    timestamp: float | UnsetType = UNSET


class Event(StrEnum):
    """What an event comes from; `llm_call` and `realtime` are Agentflow's."""

    GRAPH_EXECUTION = "graph_execution"
    NODE_EXECUTION = "node_execution"
    LLM_CALL = "llm_call"
    TOOL_EXECUTION = "tool_execution"
    STREAMING = "streaming"
    REALTIME = "realtime"


class EventType(StrEnum):
    """The stage that it is at."""

    START = "start"
    PROGRESS = "progress"
    RESULT = "result"
    END = "end"
    UPDATE = "update"
    ERROR = "error"
    INTERRUPTED = "interrupted"


class ContentType(StrEnum):
    """What an event is about; a transcript is Agentflow's."""

    TEXT = "text"
    MESSAGE = "message"
    REASONING = "reasoning"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    IMAGE = "image"
    AUDIO = "audio"
    TRANSCRIPT = "transcript"
    VIDEO = "video"
    DOCUMENT = "document"
    DATA = "data"
    STATE = "state"
    UPDATE = "update"
    ERROR = "error"


class EventModel(Model):
    """An event of a graph's run, with its content.

    `delta` to `byte_offset` and `sequence_id` are keys of 0.3.6 only, `user_id` is Agentflow's. The
    constructor fills in the run and the present time.
    """

    FRESH: ClassVar[Fresh] = {"run_id": lambda: str(generate_id()), "timestamp": time.time}

    event: Event
    event_type: EventType
    content: str = ""
    content_blocks: list[ContentBlock] | None = None
    delta: bool | UnsetType = UNSET
    delta_type: Literal["text", "json", "binary"] | UnsetType | None = UNSET
    block_index: int | UnsetType | None = UNSET
    chunk_index: int | UnsetType | None = UNSET
    byte_offset: int | UnsetType | None = UNSET
    data: dict[str, Any] = field(default_factory=dict)
    content_type: list[ContentType] | None = None
    sequence_id: int | UnsetType = UNSET
    node_name: str = ""
    run_id: str | UnsetType = UNSET
    thread_id: str | int = ""
    user_id: str | int | UnsetType | None = UNSET
    timestamp: float | UnsetType = UNSET
    is_error: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def default(
        cls,
        base_config: dict[str, Any],
        data: dict[str, Any],
        content_type: list[ContentType],
        event: Event = Event.GRAPH_EXECUTION,
        event_type: EventType = EventType.START,
        node_name: str = "",
        extra: dict[str, Any] | None = None,
    ) -> Self:
        """Return an event of the run that `base_config` describes, now (Agentflow)."""
        return cls(
            event,
            event_type,
            data=data,
            content_type=content_type,
            node_name=node_name,
            run_id=base_config.get("run_id", ""),
            thread_id=base_config.get("thread_id", ""),
            user_id=base_config.get("user_id"),
            metadata={
                "run_timestamp": base_config.get("timestamp", ""),
                "is_stream": base_config.get("is_stream", False),
                **(extra or {}),
            },
        )

    @classmethod
    def stream(
        cls,
        base_config: dict[str, Any],
        node_name: str = "",
        extra: dict[str, Any] | None = None,
    ) -> Self:
        """Return an event of streamed text and reasoning, now (Agentflow)."""
        return cls.default(
            base_config,
            {},
            [ContentType.TEXT, ContentType.REASONING],
            Event.STREAMING,
            EventType.UPDATE,
            node_name,
            extra,
        )
