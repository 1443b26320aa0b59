"""Answers that came with reasoning, in the next request: with it, and without."""

from collections.abc import Callable

import pytest

import wireglot as wg
from tests.providers.openai_responses import answers
from wireglot.providers import openai_responses as api

THOUGHT = '{"type":"reasoning","summary":[],"encrypted_content":"e","id":"rs_1"}'
STRANGE = '{"type":"reasoning","summary":[{"type":"drawing"}],"id":"rs_1"}'
SAID = (
    '{"phase":"commentary","type":"message","role":"assistant","content":[{"type":"output_text",'
    '"text":"Wait.","annotations":[]}],"id":"msg_1","status":"completed"}'
)
CALL = (
    '{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}",'
    '"id":"fc_1","status":"completed"}'
)
RESULT = '{"type":"function_call_output","call_id":"call_1","output":"r"}'
BARE_SAID = (
    '{"phase":"commentary","role":"assistant","content":[{"type":"output_text",'
    '"text":"Wait.","annotations":[]}]}'
)
BARE_CALL = '{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"}'


def _answer(*items: str) -> wg.AssistantMessage:
    return api.decode_response(answers.body(",".join(items))).message


def _streamed(*items: str) -> wg.AssistantMessage:
    """Return the answer as a stream tells it, of each item only the end."""
    events = [
        ("output_item.done", f'"output_index":{number},"item":{item}')
        for number, item in enumerate(items)
    ]
    whole = answers.body(",".join(items)).decode()
    stream = answers.frames(*events, ("completed", f'"response":{whole}'))
    total = wg.Accumulator()
    for event in api.StreamDecoder().feed(stream):
        total.add(event)
    return total.response.message


def _input(message: wg.Message) -> str:
    """Return the items that a message and the result of its call go out as."""
    result = wg.ToolResultMessage("call_1", "f", [wg.TextBlock("r")])
    body = api.encode_request(wg.Request([message, result], model="m")).decode()
    return body.removeprefix('{"model":"m","input":[').removesuffix("]}")


read = pytest.mark.parametrize("read", [_answer, _streamed], ids=["whole", "as a stream"])


@read
@pytest.mark.parametrize("thought", [THOUGHT, STRANGE], ids=["thinking", "of an unknown kind"])
def test_with_their_reasoning_items_keep_their_ids(
    read: Callable[..., wg.AssistantMessage], thought: str
) -> None:
    assert _input(read(thought, SAID, CALL)) == f"{thought},{SAID},{CALL},{RESULT}"


@read
def test_without_their_reasoning_items_go_without_the_ids_that_ask_for_it(
    read: Callable[..., wg.AssistantMessage],
) -> None:
    message = read(THOUGHT, SAID, CALL)
    del message.content[0]
    assert _input(message) == f"{BARE_SAID},{BARE_CALL},{RESULT}"


@read
def test_an_item_alone_in_another_message_goes_without_its_id(
    read: Callable[..., wg.AssistantMessage],
) -> None:
    call = read(THOUGHT, SAID, CALL).content[2]
    assert _input(wg.AssistantMessage([call], api="openai-responses")) == f"{BARE_CALL},{RESULT}"


@read
def test_items_before_the_reasoning_or_without_any_keep_their_ids(
    read: Callable[..., wg.AssistantMessage],
) -> None:
    message = read(SAID, THOUGHT, CALL)
    del message.content[1]
    assert _input(message) == f"{SAID},{BARE_CALL},{RESULT}"
    assert _input(read(SAID, CALL)) == f"{SAID},{CALL},{RESULT}"


def test_reasoning_in_a_request_belongs_to_the_answer_that_it_stands_in() -> None:
    items = f"{THOUGHT},{CALL},{RESULT},{SAID}"
    body = f'{{"model":"m","input":[{items}]}}'.encode()
    request = api.decode_request(body)
    assert api.encode_request(request) == body
    del request.messages[0].content[0]
    expected = f'{{"model":"m","input":[{BARE_CALL},{RESULT},{SAID}]}}'
    assert api.encode_request(request) == expected.encode()


def test_the_answer_itself_keeps_its_ids() -> None:
    response = api.decode_response(answers.body(f"{THOUGHT},{CALL}"))
    del response.message.content[0]
    assert b'"id":"fc_1"' in api.encode_response(response)
