"""A recorded answer can be part of the next request on any wire, with results for its calls."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import wireglot as wg
from tests.corpus.answers import Answer, read_answers
from tests.corpus.streams import decoded
from tests.oracles import strict
from tests.traffic import FOLDERS, needs_traffic

pytestmark = needs_traffic


@cache
def _replies() -> list[tuple[Answer, wg.AssistantMessage]]:
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    answers = read_answers(FOLDERS, dialects).samples
    return [(each, made) for each in answers if (made := _message(each)) and made.content]


def _message(answer: Answer) -> wg.AssistantMessage | None:
    """Return the message of an answer, None for an error or for bytes that do not decode."""
    try:
        if answer.kind == "stream":
            _, ending = decoded(answer.provider, answer.dialect, answer.data)
            return ending.message if isinstance(ending, wg.Response) else None
        if answer.kind == "response":
            decode = wg.PROVIDERS[answer.provider].decode_response
            return decode(answer.data, losses=[], dialect=answer.dialect).message
    except wg.DecodeError:
        pass
    return None


def _results(message: wg.AssistantMessage, answer_id: str) -> list[wg.Message]:
    """Return a result for each call that has none yet, shuffled; each text has its number."""
    results: list[wg.Message] = [
        wg.ToolMessage([wg.ToolResultBlock.from_text(call_id, f"result {i}")])
        for i, call_id in enumerate(_open(message))
    ]
    random.Random(answer_id).shuffle(results)
    return results


def _open(message: wg.AssistantMessage) -> list[str]:
    """List the ids of the calls that the provider has not answered itself."""
    answered = {b.tool_call_id for b in message.content if isinstance(b, wg.ToolResultBlock)}
    return [call.id for call in message.tool_calls() if call.id not in answered]


def _said(messages: list[wg.Message]) -> Iterator[str | None]:
    """List the texts of the results, in the order of their calls."""
    answers = [message for message in messages if isinstance(message, wg.AssistantMessage)]
    said: dict[str, str] = {}
    for message in messages:
        if not isinstance(message, wg.AssistantMessage):
            results: list[Any] = (
                [message] if isinstance(message, wg.ToolResultMessage) else message.content
            )
            said |= {r.tool_call_id: r.text() for r in results if hasattr(r, "tool_call_id")}
    return (said.get(call_id) for answer in answers for call_id in _open(answer))


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_an_answer_stands_in_the_next_request(name: str) -> None:
    oracle = pytest.importorskip(f"tests.oracles.{name}")
    provider = wg.PROVIDERS[name]
    failed: list[str] = []
    for answer, message in _replies():
        is_own = answer.provider == name
        dialect = {"dialect": answer.dialect} if is_own else {}
        hi, go_on = wg.UserMessage([wg.TextBlock("hi")]), wg.UserMessage([wg.TextBlock("go on")])
        messages = [hi, message, *_results(message, answer.id), go_on]
        asked = wg.Request(messages, model="m", max_tokens=64)
        body = provider.encode_request(asked, losses=[], **dialect)
        made = provider.decode_request(body, provider.route(asked).path, losses=[], **dialect)
        if list(_said(made.messages)) != [f"result {i}" for i in range(len(_open(message)))]:
            failed.append(f"{answer.id}: a result went to another call")
        if not is_own:  # its own API gets back what no type of its SDK has
            try:
                oracle.check_request(body)
            except strict.OracleError as error:
                failed.append(f"{answer.id}: {error}")
    assert _replies()
    assert failed == []
