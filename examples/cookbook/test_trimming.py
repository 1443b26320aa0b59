"""Test a function that shortens conversations: whatever it keeps, a provider takes.

`pytest test_trimming.py` runs the tests, and so does `python test_trimming.py`.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from wireglot import testing

settings.register_profile("patient", deadline=None)  # a slow machine is not a fault
settings.load_profile("patient")


def trimmed(conversation: list[wg.Message], most: int) -> list[wg.Message]:
    """Return the newest messages, about `most` of them, from a question of the user on."""
    start = max(len(conversation) - most, 0)
    while start and not isinstance(conversation[start], wg.UserMessage):
        start -= 1
    return conversation[start:]


@st.composite
def conversations(draw: st.DrawFn) -> list[wg.Message]:
    """Draw conversations in which the model answers, often after it has called tools."""
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
    """No result is without its call, and something is left to send."""
    request = wg.Request(trimmed(conversation, most), model="m")
    wg.PROVIDERS[provider].encode_request(request, losses=[])


@given(testing.sessions())
def test_a_session_is_stored_as_it_is(session: list[wg.AgentMessage]) -> None:
    """Whatever is in a session, it comes back."""
    assert wg.json.decode(wg.json.encode(session)) == session


if __name__ == "__main__":
    for test in (test_a_provider_takes_what_is_kept, test_a_session_is_stored_as_it_is):
        test()
        print("passed:", test.__name__)
