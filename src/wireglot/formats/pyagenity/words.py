"""The words of PyAgenity's and Agentflow's converters, by the provider that they read."""

from __future__ import annotations

from typing import Final

from ...model import StopReason
from ...providers._state.facts import called
from .system import CACHE_APART, CALL_SIGNERS, WIRE

__all__ = ["call_signer", "is_apart", "signs_calls", "stop_reason_of", "word_of"]

_STOPS: Final[dict[str, StopReason]] = {
    **{reason.value: reason for reason in StopReason},
    # OpenAI, LiteLLM and Google's SDK; the status of OpenAI's Responses
    "tool_calls": StopReason.TOOL_USE,
    "function_call": StopReason.TOOL_USE,
    "content_filter": StopReason.GUARD_RAIL,
    "completed": StopReason.STOP,
    "incomplete": StopReason.LENGTH,
    "failed": StopReason.ERROR,
    "cancelled": StopReason.ABORTED,
    # Anthropic
    "end_turn": StopReason.STOP,
    "max_tokens": StopReason.LENGTH,
    "stop_sequence": StopReason.STOP,
    "tool_use": StopReason.TOOL_USE,
    "pause_turn": StopReason.PAUSED,
    "refusal": StopReason.GUARD_RAIL,
    "model_context_window_exceeded": StopReason.LENGTH,
    # Google
    "STOP": StopReason.STOP,
    "MAX_TOKENS": StopReason.LENGTH,
    "SAFETY": StopReason.GUARD_RAIL,
    "RECITATION": StopReason.GUARD_RAIL,
    "BLOCKLIST": StopReason.GUARD_RAIL,
    "PROHIBITED_CONTENT": StopReason.GUARD_RAIL,
    "SPII": StopReason.GUARD_RAIL,
    "MALFORMED_FUNCTION_CALL": StopReason.ERROR,
}
# Words that say that the model ended, whether or not it made tool calls.
_ENDS: Final = frozenset({"STOP", "completed"})


def stop_reason_of(word: str | None, *, has_calls: bool) -> StopReason | None:
    """Return the stop reason for any provider's `finish_reason`, None if it is unknown."""
    word = (word or "").removeprefix("FinishReason.")
    return StopReason.TOOL_USE if has_calls and word in _ENDS else _STOPS.get(word)


def is_apart(provider: str | None) -> bool:
    """Whether a provider's converter leaves cached tokens out of `prompt_tokens`."""
    return provider is not None and any(name in provider.lower() for name in CACHE_APART)


def word_of(reason: StopReason) -> str:
    """Return the `finish_reason` for a reason that came without a word of its own."""
    return _WORDS.get(reason, str(reason))  # plain text counts as one


_WORDS: Final[dict[StopReason, str]] = {
    StopReason.TOOL_USE: "tool_calls",
    StopReason.GUARD_RAIL: "content_filter",
    StopReason.PAUSED: "pause_turn",
}


def call_signer() -> str | None:
    """Return the API that a call's `thought_signature` belongs to."""
    return called(WIRE, CALL_SIGNERS[0])


def signs_calls(provider: str | None) -> bool:
    """Whether a provider's calls may hold such signatures."""
    return provider is not None and any(name in provider.lower() for name in CALL_SIGNERS)
