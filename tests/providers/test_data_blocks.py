"""Data of a kind that a wire has a block for: an image is one, whatever its block is called."""

from typing import Any

import pytest

import wireglot as wg

PDF = b"%PDF-1.4\n"
PNG = b"\x89PNG\r\n\x1a\n"
_IMAGE = b"iVBORw0KGgo="
_PDF = b"JVBERi0xLjQK"
_DOCUMENTS = ("anthropic", "openai_chat", "openai_responses", "gemini", "bedrock", "mistral")


def _request(*blocks: Any) -> wg.Request:
    return wg.Request([wg.UserMessage([wg.TextBlock("Hi"), *blocks])], model="m", max_tokens=99)


def _answer(block: Any) -> wg.Request:
    answer = wg.AssistantMessage([wg.TextBlock("Yes"), block])
    asked = [wg.UserMessage.from_text("Hi"), answer, wg.UserMessage.from_text("Go on")]
    return wg.Request(asked, model="m", max_tokens=99)


def _result(block: Any) -> wg.Request:
    call = wg.AssistantMessage([wg.ToolCallBlock("call00001", "f", {})])
    result = wg.ToolResultMessage("call00001", "f", [block])
    return wg.Request([wg.UserMessage.from_text("Hi"), call, result], model="m", max_tokens=99)


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_an_image_goes_as_an_image(name: str) -> None:
    encode = wg.PROVIDERS[name].encode_request
    data = encode(_request(wg.DataBlock(PNG)))
    assert _IMAGE in data
    assert data == encode(_request(wg.ImageBlock(PNG)))


@pytest.mark.parametrize("name", _DOCUMENTS)
def test_a_pdf_goes_as_a_document(name: str) -> None:
    encode = wg.PROVIDERS[name].encode_request
    data = encode(_request(wg.DataBlock(PDF, mime_type="application/octet-stream")))
    assert _PDF in data
    assert name == "gemini" or data == encode(_request(wg.DocumentBlock(PDF)))


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_an_image_in_a_result_goes_where_an_image_goes(name: str) -> None:
    encode = wg.PROVIDERS[name].encode_request
    data = encode(_result(wg.DataBlock(PNG)), losses=[])
    assert _IMAGE in data
    assert data == encode(_result(wg.ImageBlock(PNG)), losses=[])


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_an_image_of_an_answer_goes_or_is_lost_as_an_image(name: str) -> None:
    encode = wg.PROVIDERS[name].encode_request
    losses: list[wg.Loss] = []
    data = encode(_answer(wg.DataBlock(PNG)), losses=losses)
    assert _IMAGE in data or "$.messages[1].content[1]" in [loss.path for loss in losses]
    assert data == encode(_answer(wg.ImageBlock(PNG)), losses=[])


@pytest.mark.parametrize("name", [name for name in wg.PROVIDERS if name != "gemini"])
def test_data_of_no_kind_are_lost_at_their_place(name: str) -> None:
    losses: list[wg.Loss] = []
    wg.PROVIDERS[name].encode_request(_request(wg.DataBlock(b"?", mime_type="x/y")), losses=losses)
    assert [(loss.what, loss.path) for loss in losses] == [("data", "$.messages[0].content[1]")]


def test_what_a_wire_does_not_take_is_lost_under_its_kind() -> None:
    losses: list[wg.Loss] = []
    wg.providers.ollama.encode_request(_request(wg.DataBlock(PDF)), losses=losses)
    assert [(loss.what, loss.path) for loss in losses] == [("document", "$.messages[0].content[1]")]


def test_a_pdf_alone_has_the_text_that_bedrock_asks_for() -> None:
    request = wg.Request([wg.UserMessage([wg.DataBlock(PDF)])], model="m")
    assert wg.providers.bedrock.encode_request(request).endswith(
        b'"format":"pdf"}},{"text":"Documents"}]}]}'
    )
