"""A file id that came over one wire -> the other wires: a loss wherever it is not valid."""

from typing import Any

import pytest

import wireglot as wg

FILE = "https://generativelanguage.googleapis.com/v1beta/files/a"

BODIES = {
    "anthropic": b'{"model":"m","max_tokens":32,"messages":[{"role":"user","content":[{"type":'
    b'"document","source":{"type":"file","file_id":"f"}},{"type":"text","text":"hi"}]}]}',
    "openai_chat": b'{"model":"m","max_completion_tokens":32,"messages":[{"role":"user","content":'
    b'[{"type":"file","file":{"file_id":"f"}},{"type":"text","text":"hi"}]}]}',
    "openai_responses": b'{"model":"m","max_output_tokens":32,"input":[{"role":"user","content":'
    b'[{"type":"input_file","file_id":"f"},{"type":"input_text","text":"hi"}]}]}',
    "gemini": b'{"generationConfig":{"maxOutputTokens":32},"contents":[{"role":"user","parts":'
    b'[{"fileData":{"fileUri":"https://generativelanguage.googleapis.com/v1beta/files/a",'
    b'"mimeType":"application/pdf"}},{"text":"hi"}]}]}',
    "mistral": b'{"model":"m","max_tokens":32,"messages":[{"role":"user","content":'
    b'[{"type":"file","file_id":"f"},{"type":"text","text":"hi"}]}]}',
}
IMAGES = {
    "anthropic": b'{"model":"m","max_tokens":32,"messages":[{"role":"user","content":[{"type":'
    b'"image","source":{"type":"file","file_id":"f"}},{"type":"text","text":"hi"}]}]}',
    "openai_responses": b'{"model":"m","max_output_tokens":32,"input":[{"role":"user","content":'
    b'[{"type":"input_image","file_id":"f","detail":"auto"},{"type":"input_text","text":"hi"}]}]}',
    "gemini": b'{"generationConfig":{"maxOutputTokens":32},"contents":[{"role":"user","parts":'
    b'[{"fileData":{"fileUri":"https://generativelanguage.googleapis.com/v1beta/files/a",'
    b'"mimeType":"image/png"}},{"text":"hi"}]}]}',
}
WITHOUT = {
    "anthropic": b'{"model":"m","max_tokens":32,"messages":[{"role":"user","content":'
    b'[{"type":"text","text":"hi"}]}]}',
    "openai_chat": b'{"model":"m","max_completion_tokens":32,"messages":'
    b'[{"role":"user","content":"hi"}]}',
    "openai_responses": b'{"model":"m","max_output_tokens":32,"input":'
    b'[{"role":"user","content":"hi"}]}',
    "gemini": b'{"generationConfig":{"maxOutputTokens":32},"contents":[{"role":"user","parts":'
    b'[{"text":"hi"}]}]}',
    "mistral": b'{"model":"m","max_tokens":32,"messages":[{"role":"user","content":"hi"}]}',
    "bedrock": b'{"inferenceConfig":{"maxTokens":32},"messages":[{"role":"user","content":'
    b'[{"text":"hi"}]}]}',
}
LOSSES = dict.fromkeys(WITHOUT, "file id") | {"gemini": "media", "bedrock": "document"}
IMAGE_LOSSES = LOSSES | {"openai_chat": "image file", "bedrock": "image"}
SHARED = {"openai_chat", "openai_responses"}
NATIVE = '{"role":"user","content":[{"type":"document","fileId":"f"}]}'


def _request(source: str, data: bytes) -> wg.Request:
    request = wg.PROVIDERS[source].decode_request(data)
    request.model = "m"
    return request


def _sent(request: wg.Request, target: str) -> tuple[bytes, list[tuple[str, str]]]:
    losses: list[wg.Loss] = []
    data = wg.PROVIDERS[target].encode_request(request, losses=losses)
    return data, [(loss.path, loss.what) for loss in losses]


@pytest.mark.parametrize("target", WITHOUT)
@pytest.mark.parametrize("source", BODIES)
def test_a_document_goes_only_where_its_id_is_valid(source: str, target: str) -> None:
    made = _sent(_request(source, BODIES[source]), target)
    if source == target or {source, target} == SHARED:
        assert made == (BODIES[target], [])
    else:
        assert made == (WITHOUT[target], [("$.messages[0].content[0]", LOSSES[target])])


@pytest.mark.parametrize("target", WITHOUT)
@pytest.mark.parametrize("source", IMAGES)
def test_an_image_goes_only_where_its_id_is_valid(source: str, target: str) -> None:
    made = _sent(_request(source, IMAGES[source]), target)
    if source == target:
        assert made == (IMAGES[target], [])
    else:
        assert made == (WITHOUT[target], [("$.messages[0].content[0]", IMAGE_LOSSES[target])])


@pytest.mark.parametrize("target", BODIES)
@pytest.mark.parametrize("source", BODIES)
def test_the_native_wire_keeps_whose_id_it_is(source: str, target: str) -> None:
    request = _request(source, BODIES[source])
    stored = wg.json.decode(wg.json.encode(request), wg.Request)
    assert _sent(stored, target) == _sent(request, target)


@pytest.mark.parametrize("target", ["anthropic", "openai_chat", "openai_responses", "mistral"])
@pytest.mark.parametrize(
    "block",
    [
        wg.DocumentBlock.from_file_id("f"),
        wg.json.decode(NATIVE, wg.UserMessage).content[0],
        wg.DocumentBlock(file_id="f", extras={"wireglot": wg.Extra({"x": 1})}),
        wg.DocumentBlock(file_id="f", extras={"langchain": wg.Extra({})}),
    ],
    ids=["made by the caller", "read from the native wire", "with keys of ours", "of a format"],
)
def test_an_id_of_no_known_provider_goes_anywhere(block: Any, target: str) -> None:
    request = wg.Request([wg.UserMessage([block, wg.TextBlock("hi")])], model="m", max_tokens=32)
    assert _sent(request, target) == (BODIES[target], [])


@pytest.mark.parametrize("target", ["anthropic", "openai_chat", "openai_responses", "mistral"])
def test_unknown_keys_beside_a_lost_id_are_no_second_loss(target: str) -> None:
    data = BODIES["gemini"].replace(b'"fileData"', b'"k":1,"fileData"')
    made = _sent(_request("gemini", data), target)
    assert made == (WITHOUT[target], [("$.messages[0].content[0]", "file id")])


TEXTS = {
    "anthropic": b'{"model":"m","max_tokens":32,"messages":[{"role":"user","content":[{"type":'
    b'"document","source":{"type":"text","data":"x","media_type":"text/plain"}}]}]}',
    "openai_chat": b'{"model":"m","max_completion_tokens":32,"messages":'
    b'[{"role":"user","content":"x"}]}',
    "openai_responses": b'{"model":"m","max_output_tokens":32,"input":[{"role":"user","content":'
    b'[{"type":"input_file","filename":"document.txt","file_data":"data:text/plain;base64,eA=="}]}]}',
    "mistral": b'{"model":"m","max_tokens":32,"messages":[{"role":"user","content":"x"}]}',
}


@pytest.mark.parametrize("target", TEXTS)
def test_a_text_beside_the_id_goes_wherever_the_id_came_from(target: str) -> None:
    own = wg.DocumentBlock(file_id="f", text="x")
    foreign = wg.DocumentBlock(
        file_id="f", text="x", extras={"gemini-generate-content": wg.Extra({})}
    )
    made, losses = _sent(wg.Request([wg.UserMessage([foreign])], model="m", max_tokens=32), target)
    assert made == TEXTS[target]
    assert "file id" not in {what for _, what in losses}
    assert (made, losses) == _sent(
        wg.Request([wg.UserMessage([own])], model="m", max_tokens=32), target
    )


def test_a_result_says_whose_files_it_holds() -> None:
    data = (
        b'{"model":"m","max_tokens":32,"messages":[{"role":"user","content":"hi"},'
        b'{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},'
        b'{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":'
        b'[{"type":"image","source":{"type":"file","file_id":"f"}},{"type":"text","text":"x"}]}]}]}'
    )
    made, losses = _sent(_request("anthropic", data), "openai_responses")
    assert made == (
        b'{"model":"m","max_output_tokens":32,"input":[{"role":"user","content":"hi"},'
        b'{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},'
        b'{"type":"function_call_output","call_id":"a","output":"x"}]}'
    )
    assert losses == [("$.messages[2].content[0].content[0]", "file id")]


def test_media_of_a_result_of_gemini_say_whose_files_they_are() -> None:
    data = (
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":'
        '[{"functionCall":{"name":"f","args":{},"id":"a"}}]},{"role":"user","parts":'
        '[{"functionResponse":{"name":"f","response":{"output":"x"},"id":"a","parts":'
        f'[{{"fileData":{{"fileUri":"{FILE}","mimeType":"image/png"}}}}]}}}}]}}]}}'
    ).encode()
    request = _request("gemini", data)
    assert _sent(request, "gemini") == (data, [])
    made, losses = _sent(request, "anthropic")
    assert b"generativelanguage" not in made
    assert losses == [("$.messages[2].content[0].content[1]", "file id")]


def test_sound_of_gemini_is_no_spoken_answer_of_openai() -> None:
    data = (
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":'
        f'[{{"fileData":{{"fileUri":"{FILE}","mimeType":"audio/wav"}}}},{{"text":"x"}}]}}]}}'
    ).encode()
    assert _sent(_request("gemini", data), "openai_chat") == (
        b'{"model":"m","messages":[{"role":"user","content":"hi"},'
        b'{"role":"assistant","content":"x"}]}',
        [("$.messages[1].content[0]", "audio")],
    )


def test_an_answer_with_sound_of_gemini_is_no_spoken_answer_of_openai() -> None:
    data = (
        '{"candidates":[{"content":{"role":"model","parts":[{"fileData":'
        f'{{"fileUri":"{FILE}","mimeType":"audio/wav"}}}},{{"text":"x"}}]}},'
        '"finishReason":"STOP"}]}'
    ).encode()
    response = wg.providers.gemini.decode_response(data)
    response.message.model = "m"
    losses: list[wg.Loss] = []
    made = wg.providers.openai_chat.encode_response(response, losses=losses)
    assert b"generativelanguage" not in made
    assert [(loss.path, loss.what) for loss in losses] == [("$.message.content[0]", "audio")]


@pytest.mark.parametrize("key", ["", '"k":1,'], ids=["alone", "with an unknown key"])
def test_a_file_in_an_answer_goes_back_as_it_came(key: str) -> None:
    data = (
        '{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":'
        f'[{{{key}"type":"file","file":{{"file_id":"f"}}}},{{"type":"text","text":"x"}}]}}]}}'
    ).encode()
    made, losses = _sent(_request("openai_chat", data), "openai_chat")
    assert wg.RawJson(made).value == wg.RawJson(data).value
    assert losses == []
