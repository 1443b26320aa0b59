"""Bodies with oddities come back from the model as they were, until somebody changes a field."""

import json

import pytest

import wireglot as wg

anthropic = wg.providers.anthropic

HI = '"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]'
EXACT: dict[str, str] = {
    "defaults written out": f'{{"model":"m","max_tokens":8,"stream":false,{HI}}}',
    "an empty list of stop sequences": f'{{"model":"m","max_tokens":8,"stop_sequences":[],{HI}}}',
    "a temperature that the encoder would bring into range": (
        f'{{"model":"m","max_tokens":8,"temperature":1.5,{HI}}}'
    ),
    "a text of another media type": (
        '{"model":"m","max_tokens":8,"messages":[{"role":"user","content":[{"type":"document",'
        '"source":{"type":"text","media_type":"text/csv","data":"a,b"}}]}]}'
    ),
    "no limit": f'{{"model":"m",{HI}}}',
    "an effort without thinking": (
        f'{{"model":"m","max_tokens":8,"output_config":{{"effort":"low"}},{HI}}}'
    ),
    "an effort beside thinking that is off": (
        '{"model":"m","max_tokens":8,"thinking":{"type":"disabled"},'
        f'"output_config":{{"effort":"low"}},{HI}}}'
    ),
    "a kind of thinking that is not known": (
        f'{{"model":"m","max_tokens":8,"thinking":{{"type":"between_tools"}},{HI}}}'
    ),
    "a budget above the limit": (
        f'{{"model":"m","max_tokens":8,"thinking":{{"type":"enabled","budget_tokens":2000}},{HI}}}'
    ),
    "a tool choice without tools": (
        f'{{"model":"m","max_tokens":8,"tool_choice":{{"type":"any"}},{HI}}}'
    ),
    "a tool choice of no known kind": (
        f'{{"model":"m","max_tokens":8,"tool_choice":{{"type":"some"}},{HI}}}'
    ),
    "a tool choice that says the default": (
        '{"model":"m","max_tokens":8,"tools":[{"name":"f","input_schema":{"type":"object"}}],'
        f'"tool_choice":{{"type":"auto","disable_parallel_tool_use":false}},{HI}}}'
    ),
    "tools that name their type, and one of another": (
        '{"model":"m","max_tokens":8,"tools":[{"type":"custom","name":"f","x":1,'
        '"input_schema":{"type":"object"}},{"type":"bash_20250124","name":"bash"}],'
        f"{HI}}}"
    ),
    "unknown keys on every level": (
        '{"model":"m","max_tokens":8,"a":1,"metadata":{"user_id":"u","b":2},'
        '"thinking":{"type":"adaptive","c":3},"output_config":{"effort":"low","format":'
        '{"type":"json_schema","schema":{},"d":4}},"system":[{"type":"text","text":"s","e":5}],'
        '"messages":[{"role":"user","f":6,"content":[{"type":"image","g":7,"source":'
        '{"type":"url","url":"https://x.org","h":8}}]}]}'
    ),
    "citations, and an integer beyond 64 bits": (
        '{"model":"m","max_tokens":8,"messages":[{"role":"assistant","content":[{"type":"text",'
        '"text":"a","citations":[{"type":"char_location","cited_text":"c",'
        '"document_index":123456789012345678901234567890}]}]}]}'
    ),
}


@pytest.mark.parametrize("body", EXACT.values(), ids=EXACT)
def test_a_body_comes_back(body: str) -> None:
    losses: list[wg.Loss] = []
    made = anthropic.encode_request(anthropic.decode_request(body), losses=losses)
    assert json.loads(made) == json.loads(body)
    assert losses == []


@pytest.mark.parametrize("body", EXACT.values(), ids=EXACT)
def test_a_body_comes_back_by_way_of_the_native_wire(body: str) -> None:
    native = wg.json.encode(anthropic.decode_request(body))
    made = anthropic.encode_request(wg.json.decode(native, wg.Request))
    assert json.loads(made) == json.loads(body)


def test_a_field_that_was_changed_wins_over_the_way_it_was_said() -> None:
    request = anthropic.decode_request(
        EXACT["a temperature that the encoder would bring into range"]
    )
    request.temperature = 0.5
    expected = f'{{"model":"m","max_tokens":8,"temperature":0.5,{HI}}}'
    assert anthropic.encode_request(request) == expected.encode()


def test_unknown_keys_of_a_parameter_outlive_a_change_of_it() -> None:
    body = f'{{"model":"m","max_tokens":8,"metadata":{{"user_id":"u","b":2}},{HI}}}'
    request = anthropic.decode_request(body)
    request.user_id = "v"
    expected = f'{{"model":"m","max_tokens":8,"metadata":{{"b":2,"user_id":"v"}},{HI}}}'
    assert anthropic.encode_request(request) == expected.encode()


def test_a_spelling_is_no_loss_elsewhere_and_an_unknown_key_is() -> None:
    losses: list[wg.Loss] = []
    body = EXACT["defaults written out"]
    wg.translate_request(body, "anthropic", "openai_chat", losses=losses)
    assert losses == []
    wg.translate_request(
        body.replace("stream", "streem"), "anthropic", "openai_chat", losses=losses
    )
    assert [(loss.path, loss.what) for loss in losses] == [("$", "extras")]


def test_a_spelling_belongs_to_its_dialect() -> None:
    body = f'{{"anthropic_version":"vertex-2023-10-16","max_tokens":8,"stream":false,{HI}}}'
    request = anthropic.decode_request(body, dialect="vertex")
    request.model = "m"
    assert anthropic.encode_request(request, dialect="vertex") == body.encode()
    expected = f'{{"model":"m","max_tokens":8,{HI}}}'
    assert anthropic.encode_request(request) == expected.encode()


def test_a_field_that_was_unset_stays_unset_beside_unknown_keys() -> None:
    body = f'{{"model":"m","max_tokens":8,"thinking":{{"type":"adaptive","c":3}},{HI}}}'
    request = anthropic.decode_request(body)
    request.thinking = wg.Thinking(budget_tokens=2048)
    request.max_tokens = 4096
    made = json.loads(anthropic.encode_request(request))
    assert made["thinking"] == {"c": 3, "type": "enabled", "budget_tokens": 2048}
