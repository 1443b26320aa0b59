"""Test a function that shortens conversations: a provider must accept what it keeps.

Run it with pytest, or as a program.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from wireglot import testing

settings.register_profile("patient", deadline=None)  # a slow test is not a failure
settings.load_profile("patient")


def trimmed(conversation: list[wg.Message], most: int) -> list[wg.Message]:
    """Return about `most` of the newest messages. The first one is a question of the user."""
    start = max(len(conversation) - most, 0)
    while start and not isinstance(conversation[start], wg.UserMessage):
        start -= 1
    return conversation[start:]


@st.composite
def conversations(draw: st.DrawFn) -> list[wg.Message]:
    """Make conversations in which the LLM answers, often after calls of tools."""
    conversation: list[wg.Message] = []
    for turn in range(draw(st.integers(1, 4))):
        conversation.append(wg.UserMessage([wg.TextBlock(f"Question {turn}?")]))
        for number in range(draw(st.integers(0, 2))):
            call = wg.ToolCallBlock(f"call_{turn}_{number}", "f", draw(testing.arguments()))
            result = wg.ToolResultMessage.from_text(call.id, draw(testing.texts()))
            conversation += [wg.AssistantMessage([call]), result]
        conversation.append(wg.AssistantMessage([wg.TextBlock(f"Answer {turn}.")]))
    return conversation


@given(conversations(), st.integers(1, 8), st.sampled_from(["anthropic", "openai_chat", "gemini"]))
def test_a_provider_takes_what_is_kept(
    conversation: list[wg.Message], most: int, provider: str
) -> None:
    """Each result still has its call, and at least one message is left."""
    request = wg.Request(trimmed(conversation, most), model="m")
    wg.PROVIDERS[provider].encode_request(request, losses=[])


@given(testing.sessions())
def test_a_session_is_stored_as_it_is(session: list[wg.AgentMessage]) -> None:
    """A stored session comes back equal."""
    assert wg.json.decode(wg.json.encode(session)) == session


if __name__ == "__main__":
    for test in (test_a_provider_takes_what_is_kept, test_a_session_is_stored_as_it_is):
        test()
        print("passed:", test.__name__)
