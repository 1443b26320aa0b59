"""Strategies for messages, and for sessions of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..model import (
    AgentMessage,
    AssistantMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    Content,
    Cost,
    CustomMessage,
    ExtensionMessage,
    Extra,
    HintFollowUp,
    HintIdentityBlock,
    HintLoopTurn,
    HintMemoryTier,
    HintSteering,
    HintSystemPrompt,
    HintUnknown,
    LlmMessage,
    Message,
    ProvenanceHint,
    SessionOnly,
    StopReason,
    SystemMessage,
    Tag,
    ToolMessage,
    ToolResultMessage,
    TurnId,
    Usage,
    UserMessage,
)
from ..model.base import UnknownKeys
from ._building import COUNTS, FLOATS, INT64, build, maybe, one_kind
from ._once import once
from .blocks import blocks, results
from .values import APIS, json_values, texts

__all__ = [
    "agent_messages",
    "answers",
    "extension_messages",
    "llm_messages",
    "message_kinds",
    "messages",
    "session_only_messages",
    "sessions",
    "usages",
]

_ROLES = ("user-message", "assistant-response", "tool-call-request", "tool-call-result")
_SMALL = st.integers(0, 2**32 - 1)


@once
def usages() -> SearchStrategy[Usage]:
    """Draw token counts, with and without cost.

    Use them to test that counts come back equal, and add up in any order.
    """
    cost = st.builds(Cost, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS)
    counts = ("input", "output", "reasoning", "cache_read", "cache_write", "total_tokens")
    return build(Usage, dict.fromkeys(counts, COUNTS), cost=maybe(cost))


@once
def messages() -> SearchStrategy[Message]:
    """Draw messages that may reach an LLM, of every role, not in the order of a conversation.

    Use them to test that an encoder refuses a message or carries all of it.
    """
    return st.one_of(*_message_kinds().values())


@once
def _message_kinds() -> dict[Any, SearchStrategy[Any]]:
    """Return a strategy for each type of a message that may reach an LLM."""
    content = {"content": _content()}
    given = {"content": st.lists(results(blocks()), max_size=2)}
    return {
        UserMessage: build(UserMessage, content, timestamp=_times()),
        SystemMessage: build(SystemMessage, content, timestamp=_times()),
        AssistantMessage: answers(),
        ToolResultMessage: build(
            ToolResultMessage, {"tool_call_id": texts(), **content}, timestamp=_times()
        ),
        ToolMessage: build(ToolMessage, given, timestamp=_times()),
    }


@once
def answers() -> SearchStrategy[AssistantMessage]:
    """Draw a model's answers, with any timestamp and any stop reason."""
    required = {
        "content": _content(),
        "stop_reason": maybe(st.sampled_from(StopReason)),
        "model": maybe(texts()),
        "usage": maybe(usages()),
    }
    return build(AssistantMessage, required, api=maybe(APIS), timestamp=_times())


@once
def llm_messages() -> SearchStrategy[Message]:
    """Draw messages with their place in a session, complete, partial or missing.

    Use them to test that a place is stored with its message, and reaches no LLM.
    """
    return pairs().map(LlmMessage.flat)


@once
def pairs() -> SearchStrategy[LlmMessage]:
    """Draw messages and their place as pairs, to test that they are read as such again."""
    return st.builds(
        LlmMessage,
        messages(),
        turn_id=maybe(st.builds(TurnId, texts(), _SMALL)),
        node_id=maybe(INT64),
        parent_id=maybe(INT64),
        tags=maybe(st.lists(_tags(), max_size=2)),
        provenance_hint=maybe(_hints()),
    )


@once
def extension_messages() -> SearchStrategy[ExtensionMessage]:
    """Draw extensions, some with an unknown role, which must come back."""
    roles = texts().map("?{}".format)
    odd = roles.map(lambda role: {"wireglot": Extra(UnknownKeys.of({"role": role}))})
    return st.builds(ExtensionMessage, texts(), json_values(), st.none() | odd)


@once
def session_only_messages() -> SearchStrategy[SessionOnly]:
    """Draw session-only messages, to test that they never reach an LLM."""
    return st.one_of(*_session_only_kinds().values())


@once
def _session_only_kinds() -> dict[Any, SearchStrategy[Any]]:
    """Return a strategy for each type of a session-only message."""
    return {
        ExtensionMessage: extension_messages(),
        CustomMessage: build(
            CustomMessage,
            {"custom_type": texts()},
            content=st.lists(blocks(), max_size=2),
            timestamp=_times(),
        ),
        BranchSummaryMessage: build(BranchSummaryMessage, {"summary": texts()}, timestamp=_times()),
        CompactionSummaryMessage: build(
            CompactionSummaryMessage, {"summary": texts()}, timestamp=_times()
        ),
    }


@once
def message_kinds() -> dict[Any, SearchStrategy[Any]]:
    """Return a strategy for each type of a message, session-only ones too."""
    return {**_message_kinds(), **_session_only_kinds(), LlmMessage: pairs()}


@once
def agent_messages() -> SearchStrategy[AgentMessage]:
    """Draw any entry of a session, to test that its role and keys tell what it is."""
    return one_kind(llm_messages(), session_only_messages())


@once
def sessions(max_size: int = 4) -> SearchStrategy[list[AgentMessage]]:
    """Draw whole sessions of up to `max_size` entries; the strategy to start from.

    Use them to test a store: what was written comes back, the same on both wires, and a longer
    session starts with the bytes of the shorter.
    """
    return st.lists(agent_messages(), max_size=max_size)


def _content() -> SearchStrategy[list[Content]]:
    return st.lists(blocks(), max_size=3)


def _times() -> SearchStrategy[int | None]:
    return maybe(INT64)


def _tags() -> SearchStrategy[Tag]:
    kinds = st.sampled_from(("lesson", "finding", "outcome", "checkpoint"))
    return st.builds(Tag, kinds, texts(), _SMALL, st.lists(_SMALL, max_size=2))


def _hints() -> SearchStrategy[ProvenanceHint]:
    return st.one_of(
        st.builds(HintSystemPrompt),
        st.builds(HintIdentityBlock, texts(), _SMALL),
        st.builds(HintMemoryTier, texts(), texts()),
        st.builds(HintLoopTurn, _SMALL, st.sampled_from(_ROLES), _SMALL),
        st.builds(HintSteering),
        st.builds(HintFollowUp),
        st.builds(HintUnknown),
    )
