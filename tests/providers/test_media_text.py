"""Base64 that is not UTF-8: no body or document with it becomes one that is not JSON."""

import pytest

import wireglot as wg

BAD = b"QU\xffDREVG"
PATHS = {"gemini": "/v1beta/models/g:generateContent", "bedrock": "/model/c/converse"}
BODIES = {
    "an image of anthropic": (
        "anthropic",
        b'{"model":"c","max_tokens":9,"messages":[{"role":"user","content":[{"type":"image",'
        b'"source":{"type":"base64","media_type":"image/png","data":"@"}}]}]}',
        "$.messages[0].content[0].source.data",
    ),
    "an image in a result of anthropic": (
        "anthropic",
        b'{"model":"c","max_tokens":9,"messages":[{"role":"assistant","content":[{"type":'
        b'"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":'
        b'"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"base64",'
        b'"media_type":"image/png","data":"@"}}]}]}]}',
        "$.messages[1].content[0].content[0].source.data",
    ),
    "an image of openai_chat": (
        "openai_chat",
        b'{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":'
        b'{"url":"data:image/png;base64,@"}}]}]}',
        "$",
    ),
    "a sound of openai_chat": (
        "openai_chat",
        b'{"model":"m","messages":[{"role":"user","content":[{"type":"input_audio","input_audio":'
        b'{"data":"@","format":"wav"}}]}]}',
        "$.messages[0].content[0].input_audio.data",
    ),
    "a file of openai_chat": (
        "openai_chat",
        b'{"model":"m","messages":[{"role":"user","content":[{"type":"file","file":{"filename":'
        b'"a.pdf","file_data":"data:application/pdf;base64,@"}}]}]}',
        "$",
    ),
    "an image of openai_responses": (
        "openai_responses",
        b'{"model":"m","input":[{"role":"user","content":[{"type":"input_image","image_url":'
        b'"data:image/png;base64,@"}]}]}',
        "$",
    ),
    "a file of openai_responses": (
        "openai_responses",
        b'{"model":"m","input":[{"role":"user","content":[{"type":"input_file","filename":"a.pdf",'
        b'"file_data":"data:application/pdf;base64,@"}]}]}',
        "$",
    ),
    "an image of gemini": (
        "gemini",
        b'{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png",'
        b'"data":"@"}}]}]}',
        "$.contents[0].parts[0].inlineData.data",
    ),
    "an image of bedrock": (
        "bedrock",
        b'{"messages":[{"role":"user","content":[{"image":{"format":"png","source":'
        b'{"bytes":"@"}}}]}]}',
        "$",
    ),
    "a document of bedrock": (
        "bedrock",
        b'{"messages":[{"role":"user","content":[{"document":{"format":"pdf","name":"a","source":'
        b'{"bytes":"@"}}}]}]}',
        "$",
    ),
    "an image of mistral": (
        "mistral",
        b'{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":'
        b'"data:image/png;base64,@"}]}]}',
        "$",
    ),
    "a sound of mistral": (
        "mistral",
        b'{"model":"m","messages":[{"role":"user","content":[{"type":"input_audio","input_audio":'
        b'"@"}]}]}',
        "$",
    ),
    "a document of mistral": (
        "mistral",
        b'{"model":"m","messages":[{"role":"user","content":[{"type":"document_url",'
        b'"document_url":"data:application/pdf;base64,@"}]}]}',
        "$",
    ),
    "an image of cohere": (
        "cohere",
        b'{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":'
        b'{"url":"data:image/png;base64,@"}}]}]}',
        "$",
    ),
    "an image of ollama": (
        "ollama",
        b'{"model":"m","messages":[{"role":"user","content":"x","images":["@"]}]}',
        "$",
    ),
}


@pytest.mark.parametrize("case", BODIES)
def test_base64_that_is_not_utf_8_is_refused(case: str) -> None:
    name, body, path = BODIES[case]
    provider = wg.PROVIDERS[name]
    good, bad = (body.replace(b"@", payload) for payload in (b"QUJDREVG", BAD))
    assert provider.decode_request(good, PATHS.get(name)).messages
    with pytest.raises(wg.DecodeError) as caught:
        provider.decode_request(bad, PATHS.get(name))
    assert str(caught.value) == f"{name}: text is not UTF-8 - at `{path}`"


@pytest.mark.parametrize("target", wg.PROVIDERS)
def test_base64_that_is_not_utf_8_is_not_translated(target: str) -> None:
    body = BODIES["an image of ollama"][1].replace(b"@", BAD)
    with pytest.raises(wg.DecodeError, match="text is not UTF-8"):
        wg.translate_request(body, "ollama", target, losses=[])


def test_an_image_that_is_not_utf_8_in_an_answer_is_refused() -> None:
    body = (
        b'{"candidates":[{"content":{"role":"model","parts":[{"inlineData":{"mimeType":"image/png",'
        b'"data":"QU\xffDREVG"}}]},"finishReason":"STOP"}]}'
    )
    with pytest.raises(wg.DecodeError, match="text is not UTF-8"):
        wg.providers.gemini.decode_response(body)
    decoder = wg.providers.gemini.StreamDecoder()
    decoder.feed(b"data: " + body + b"\n\n")
    with pytest.raises(wg.StreamError, match="text is not UTF-8"):
        decoder.close()


PNG = wg.ImageBlock(data=wg.Media.from_base64("QUJDREVGR0hJ"), mime_type="image/png")


@pytest.mark.parametrize("name", wg.FORMATS)
def test_a_document_with_base64_that_is_not_utf_8_is_refused(name: str) -> None:
    form = wg.FORMATS[name]
    document = form.encode([wg.UserMessage([wg.TextBlock("x"), PNG])])
    assert document.count(b"QUJDREVG") == 1
    with pytest.raises(wg.DecodeError, match=f"^{name}: text is not UTF-8 - at "):
        form.decode(document.replace(b"QUJDREVG", BAD))


@pytest.mark.parametrize("text", [b"", "é".encode()], ids=["ASCII", "other text"])
def test_a_payload_that_is_too_large_to_be_looked_at_is_written_as_it_came(text: bytes) -> None:
    payload = b"QUJD" * 20_000 + b"\xff"
    body = BODIES["an image of ollama"][1].replace(b"@", payload).replace(b"x", text)
    assert payload in wg.translate_request(body, "ollama", "openai_chat", losses=[])
