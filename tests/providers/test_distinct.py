"""Two bodies that differ -> bytes or losses that differ: what was changed is not swallowed.

A round trip cannot see a constant that is written whatever came. Here each value of a body is
changed in turn, and with it the bytes that are written, or the losses, must change.
"""

import json
from importlib import import_module
from typing import Any

import pytest

import wireglot as wg
from tests.changes import swallowed
from tests.providers.anthropic import answers as anthropic_answers
from tests.providers.anthropic import test_roundtrip as anthropic
from tests.providers.bedrock import test_response as bedrock_answers
from tests.providers.bedrock import test_roundtrip as bedrock
from tests.providers.cohere import test_response as cohere_answers
from tests.providers.cohere import test_roundtrip as cohere
from tests.providers.gemini import test_response as gemini_answers
from tests.providers.gemini import test_roundtrip as gemini
from tests.providers.mistral import test_response as mistral_answers
from tests.providers.mistral import test_roundtrip as mistral
from tests.providers.ollama import test_response as ollama_answers
from tests.providers.ollama import test_roundtrip as ollama
from tests.providers.openai_chat import test_response as chat_answers
from tests.providers.openai_chat import test_roundtrip as chat
from tests.providers.openai_responses import test_response as responses_answers
from tests.providers.openai_responses import test_roundtrip as responses

BODIES: dict[str, Any] = {
    "anthropic-request": anthropic.EXACT.values(),
    "anthropic-response": [anthropic_answers.BODY],
    "bedrock-request": bedrock.EXACT.values(),
    "bedrock-response": bedrock_answers.OWN.values(),
    "cohere-request": map(cohere._answered, cohere.EXACT.values()),
    "cohere-response": cohere_answers.OWN.values(),
    "gemini-request": gemini.EXACT.values(),
    "gemini-response": gemini_answers.OWN.values(),
    "mistral-request": mistral.EXACT.values(),
    "mistral-response": [body for body, _ in mistral_answers.BOTH_WAYS.values()],
    "ollama-request": ollama.EXACT.values(),
    "ollama-response": ollama_answers.OWN.values(),
    "openai_chat-request": [
        f'{{"model":"m",{head}"messages":[{",".join(messages)}]}}'
        for dialect, head, messages in chat.CASES.values()
        if dialect == "openai"
    ],
    "openai_chat-response": [chat_answers._body(message) for message in chat_answers.ODD.values()],
    "openai_responses-request": responses.EXACT.values(),
    "openai_responses-response": responses_answers.OWN.values(),
}
FRAMES = {
    "anthropic": '{"model":"m","max_tokens":8,"messages":[%s]}',
    "gemini": '{"contents":[%s]}',
}
for name in wg.PROVIDERS:
    messages = import_module(f"tests.providers.{name}.test_decode").MESSAGES
    key = import_module(f"wireglot.providers.{name}.request").REQUESTS._content[-1]
    frame = FRAMES.get(name, f'{{"model":"m","{key}":[%s]}}')
    BODIES[f"{name}-messages"] = [
        frame % (said if type(said) is str else ",".join(said)) for said, _ in messages.values()
    ]
REPEATED = {
    "anthropic-messages": {
        "messages.*.content.*.source.media_type": "is told by the data, if an image has another",
    },
    "openai_chat-messages": {"messages.*.name": "is the call's, in a result of a function"},
    "openai_chat-request": {
        "messages.*.name": "is the call's, in a result of a function",
        "messages.*.tool_calls.*.type": "is `custom` in a call with the key `custom`",
    },
    "openai_chat-response": {
        "choices.*.message.tool_calls.*.type": "is `custom` in a call with the key `custom`",
    },
}
"""What repeats something else, and is written anew: the kind of body -> the path -> the reason."""


def _written(kind: str, document: Any) -> tuple[bytes, list[wg.Loss]]:
    name, _, side = kind.replace("messages", "request").partition("-")
    provider: Any = wg.PROVIDERS[name]
    losses: list[wg.Loss] = []
    read = getattr(provider, f"decode_{side}")(json.dumps(document).encode(), losses=losses)
    return getattr(provider, f"encode_{side}")(read, losses=losses), losses


@pytest.mark.parametrize("kind", BODIES)
def test_what_differs_is_written_otherwise_or_lost_or_refused(kind: str) -> None:
    tried = [
        result
        for body in BODIES[kind]
        for result in swallowed(json.loads(body), lambda changed: _written(kind, changed))
    ]
    assert len({path for path, _ in tried}) > 9
    assert {path for path, is_same in tried if is_same} == REPEATED.get(kind, {}).keys()


KEPT = {
    "a word for an image's detail that Cohere does not know": (
        "cohere",
        b'{"model":"m","messages":[{"role":"user","content":[{"type":"image_url",'
        b'"image_url":{"detail":"original","url":"https://x.org/a"}}]}]}',
        [("$.messages[0].content[0]", "extras")],
    ),
    "fractions where Ollama needs integers": (
        "ollama",
        b'{"model":"m","options":{"num_predict":0.917,"seed":3.5},'
        b'"messages":[{"role":"user","content":"hi"}]}',
        [("$", "extras")],
    ),
}


@pytest.mark.parametrize(("name", "body", "lost"), KEPT.values(), ids=KEPT)
def test_an_odd_value_is_kept_on_its_own_wire_and_lost_elsewhere(
    name: str, body: bytes, lost: list[tuple[str, str]]
) -> None:
    losses: list[wg.Loss] = []
    assert wg.translate_request(body, source=name, target=name, losses=losses) == body
    assert losses == []
    wg.translate_request(body, source=name, target="openai_chat", losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == lost
