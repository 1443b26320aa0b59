"""Other systems' own messages where a request, a transcript or an envelope takes messages."""

from typing import Any

import pytest

import wireglot as wg
from wireglot import queue
from wireglot.formats import operator_use as ou
from wireglot.formats import phi_core as phi
from wireglot.formats import pyagenity as pa
from wireglot.formats import ravi

_HI: dict[str, Any] = {
    "operator_use": ou.UserMessage([ou.TextContent("Hi")]),
    "phi_core": phi.UserMessage.user("Hi"),
    "pyagenity": pa.Message.text_message("Hi"),
    "ravi": ravi.UserMessage(["Hi"]),
    "a session": wg.UserMessage.from_text("Hi"),
}
_BODY = b'{"model":"m","messages":[{"role":"user","content":"Hi"}]}'


@pytest.mark.parametrize("system", _HI)
def test_a_request_takes_them(system: str) -> None:
    request = wg.Request([_HI[system]], model="m")
    assert wg.providers.openai_chat.encode_request(request) == _BODY


@pytest.mark.parametrize("system", _HI)
def test_a_request_takes_them_after_a_message_and_in_a_tuple(system: str) -> None:
    request = wg.Request((wg.SystemMessage.from_text("S"), _HI[system]), model="m")
    assert wg.providers.openai_chat.encode_request(request) == (
        b'{"model":"m","messages":[{"role":"system","content":"S"},{"role":"user","content":"Hi"}]}'
    )


@pytest.mark.parametrize("system", _HI)
def test_a_transcript_takes_them(system: str) -> None:
    transcript = wg.providers.openai_chat.Transcript()
    transcript.append(_HI[system])
    assert transcript.encode(model="m") == _BODY


@pytest.mark.parametrize("system", _HI)
def test_an_envelope_holds_them_as_canonical_messages(system: str) -> None:
    (message,) = queue.decode(queue.encode([_HI[system]]))
    assert isinstance(message, wg.Message)
    assert message.text() == "Hi"


def test_messages_of_several_systems_are_one_conversation() -> None:
    messages = wg.Request([*_HI.values()]).messages
    assert [message.text() for message in messages] == ["Hi"] * 5


@pytest.mark.parametrize("system", _HI)
def test_what_is_only_for_the_session_is_never_left_out_without_a_word(system: str) -> None:
    note = wg.CompactionSummaryMessage("Long ago.")
    request = wg.Request([_HI[system], note], model="m")
    with pytest.raises(wg.EncodeError) as caught:
        wg.providers.openai_chat.encode_request(request)
    assert str(caught.value) == (
        "openai_chat: `CompactionSummaryMessage`, expected a message for an LLM;"
        " use `llm_messages(session)` - at `$.messages[1]`"
    )
    request.messages = wg.llm_messages([_HI[system], note])
    assert wg.providers.openai_chat.encode_request(request) == _BODY


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (ou.TextContent("Hi"), "not messages that `wireglot.formats.operator_use.to_canonical`"),
    ],
)
def test_what_is_not_a_message_is_refused(given: Any, said: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.Request([given])
    assert said in str(caught.value)
    request = wg.Request([])
    with pytest.raises(wg.EncodeError):
        request.messages = [given]
    request.messages = [_HI["a session"]]
    assert request.messages[0].text() == "Hi"
