"""A MIME type is the same in any case, with parameters, and for JPEG under its other names."""

import json
from typing import Any

import pytest

import wireglot as wg

JPEG = "/9j/4AAQSkZJRg=="
PNG = "iVBORw0KGgo="


def _image(name: str, mime_type: str, data: str) -> Any:
    """Return the part that goes out for an image, and require that nothing is lost."""
    block = wg.ImageBlock.from_base64(data, mime_type)
    request = wg.Request([wg.UserMessage([block])], "m", max_tokens=16)
    losses: list[wg.Loss] = []
    body = json.loads(wg.PROVIDERS[name].encode_request(request, losses=losses))
    assert losses == []
    (message,) = body["input" if name == "openai_responses" else "messages"]
    (part,) = message["content"]
    return part


JPEG_URL, PNG_URL = f"data:image/jpeg;base64,{JPEG}", f"data:image/png;base64,{PNG}"
PARTS: dict[str, tuple[Any, Any]] = {
    "anthropic": tuple(
        {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}
        for kind, data in (("image/jpeg", JPEG), ("image/png", PNG))
    ),
    "bedrock": tuple(
        {"image": {"format": form, "source": {"bytes": data}}}
        for form, data in (("jpeg", JPEG), ("png", PNG))
    ),
    "cohere": tuple(
        {"type": "image_url", "image_url": {"url": url}} for url in (JPEG_URL, PNG_URL)
    ),
    "mistral": tuple(
        {"type": "image_url", "image_url": {"url": url}} for url in (JPEG_URL, PNG_URL)
    ),
    "openai_chat": tuple(
        {"type": "image_url", "image_url": {"url": url}} for url in (JPEG_URL, PNG_URL)
    ),
    "openai_responses": tuple(
        {"type": "input_image", "detail": "auto", "image_url": url} for url in (JPEG_URL, PNG_URL)
    ),
}


@pytest.mark.parametrize("name", PARTS)
def test_an_image_of_a_type_in_another_form_goes_out(name: str) -> None:
    jpeg, png = PARTS[name]
    for mime_type in ("image/jpeg", "image/pjpeg", "IMAGE/JPEG"):
        assert _image(name, mime_type, JPEG) == jpeg
    if name != "cohere":  # which takes that name too
        assert _image(name, "image/jpg", JPEG) == jpeg
    assert _image(name, "image/PNG; charset=binary", PNG) == png


@pytest.mark.parametrize("name", [name for name in PARTS if name != "bedrock"])
def test_an_image_of_a_type_in_another_form_goes_back(name: str) -> None:
    part = json.dumps(PARTS[name][0]).replace("image/jpeg", "image/jpg")
    key = "input" if name == "openai_responses" else "messages"
    body = f'{{"model":"m","max_tokens":8,"{key}":[{{"role":"user","content":[{part}]}}]}}'.encode()
    first = wg.PROVIDERS[name].decode_request(body)
    again = wg.PROVIDERS[name].encode_request(first)
    assert wg.PROVIDERS[name].decode_request(again) == first
    (block,) = first.messages[0].content
    assert isinstance(block, wg.ImageBlock)


def test_media_in_an_answer_of_another_api_are_a_loss_for_anthropic() -> None:
    image = wg.ImageBlock.from_base64(PNG, "image/png")
    pdf = wg.DocumentBlock.from_base64("JVBERi0=", "application/pdf")
    messages = [
        wg.UserMessage.from_text("Draw"),
        wg.AssistantMessage([wg.TextBlock("Here:"), image, pdf], api="google-generative-ai"),
        wg.UserMessage.from_text("Describe it"),
    ]
    losses: list[wg.Loss] = []
    request = wg.Request(messages, "m")
    body = json.loads(wg.providers.anthropic.encode_request(request, losses=losses))
    assert body["messages"][1]["content"] == [{"type": "text", "text": "Here:"}]
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.messages[1].content[1]", "image"),
        ("$.messages[1].content[2]", "document"),
    ]


def test_media_in_an_answer_that_came_from_anthropic_go_back() -> None:
    part = (
        f'{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{PNG}"}}}}'
    )
    body = (
        '{"model":"m","max_tokens":8,"messages":['
        '{"role":"user","content":[{"type":"text","text":"Draw"}]},'
        f'{{"role":"assistant","content":[{part}]}}]}}'
    ).encode()
    request = wg.providers.anthropic.decode_request(body)
    assert wg.providers.anthropic.encode_request(request) == body
