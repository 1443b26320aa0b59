"""Requests with severe losses and a `LossList` -> an error, or the fallback that was allowed."""

import pickle

import pytest

import wireglot as wg

BODY = (
    b'{"model":"m","input":"Hi","previous_response_id":"r","new":1,'
    b'"tools":[{"type":"file_search"}]}'
)
ORDINARY = b'{"model":"m","input":"Hi","new":1}'
REASON = (
    "stored state: `previous_response_id`, a reference to what its own API alone stores; left out;"
    " add `stored state` to `allow` to take the fallback"
)
LOST = ["opaque tool", "only tools", "stored state", "extras"]
SEVERE = ["only tools", "stored state"]


@pytest.mark.parametrize("target", [name for name in wg.PROVIDERS if name != "openai_responses"])
def test_a_severe_loss_that_is_not_allowed_raises_and_the_list_has_all(target: str) -> None:
    losses = wg.LossList(allow=["only tools"])
    with pytest.raises(wg.LossError) as caught:
        wg.translate_request(BODY, "openai_responses", target, losses=losses, model="m")
    assert str(caught.value) == f"{target}: {REASON} - at `$.previous_response_id`"
    assert sorted(loss.what for loss in losses) == sorted(LOST)


@pytest.mark.parametrize("target", [name for name in wg.PROVIDERS if name != "openai_responses"])
def test_what_is_allowed_goes_out_as_with_a_plain_list(target: str) -> None:
    plain: list[wg.Loss] = []
    allowed = wg.LossList(allow=SEVERE)
    made = [
        wg.translate_request(BODY, "openai_responses", target, losses=losses, model="m")
        for losses in (plain, allowed)
    ]
    assert made[0] == made[1]
    assert plain == allowed


def test_an_ordinary_loss_takes_the_fallback() -> None:
    losses = wg.LossList()
    wg.translate_request(ORDINARY, "openai_responses", "anthropic", losses=losses, model="m")
    assert losses == [
        wg.Loss("$", "extras", "keys that another API understands; left out", keys=("new",))
    ]


def test_one_name_may_be_given_alone() -> None:
    assert wg.LossList(allow="stored state").allow == {"stored state"}


def test_losses_from_before_do_not_count() -> None:
    before = wg.Loss("$", "tools", "x", severe=True)
    losses = wg.LossList([before])
    wg.translate_request(ORDINARY, "openai_responses", "anthropic", losses=losses, model="m")
    assert len(losses) == 2


def test_a_list_is_pickled_with_what_it_allows() -> None:
    losses = wg.LossList([wg.Loss("$", "a", "b")], allow=["c"])
    again = pickle.loads(pickle.dumps(losses))
    assert (again, again.allow) == (losses, {"c"})


def test_a_growing_conversation_raises_for_each_request() -> None:
    said = wg.providers.openai_responses.decode_request(
        b"""{"model":"m","input":[{"type":"item_reference","id":"i"},
         {"role":"user","content":"Hi"},{"role":"assistant","content":"Yes"},
         {"role":"user","content":"Go on"}]}"""
    )
    transcript = wg.providers.anthropic.Transcript(said.messages)
    for _ in range(2):
        with pytest.raises(wg.LossError, match="add `stored state` to `allow`"):
            transcript.encode(losses=wg.LossList(), model="m", max_tokens=9)
    allowed = wg.LossList(allow=["stored state"])
    transcript.encode(losses=allowed, model="m", max_tokens=9)
    assert [loss.what for loss in allowed] == ["stored state"]


def test_a_translator_of_many_requests_raises_for_each() -> None:
    translator = wg.RequestTranslator("openai_responses", "anthropic")
    for _ in range(2):
        with pytest.raises(wg.LossError, match="add `only tools` to `allow`"):
            translator.translate(BODY, losses=wg.LossList(allow="stored state"), model="m")
    translator.translate(BODY, losses=wg.LossList(allow=SEVERE), model="m")


def test_answers_and_streams_take_the_list_as_any_other() -> None:
    losses = wg.LossList()
    data = b'{"id":"c","model":"m","new":1,"choices":[{"index":0,"finish_reason":"stop",'
    data += b'"message":{"role":"assistant","content":"Hi"}}]}'
    wg.translate_response(data, "openai_chat", "anthropic", losses=losses)
    assert [loss.keys for loss in losses] == [("new",)]
