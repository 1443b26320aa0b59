"""The URL of a request, on the wires on which only that has the model."""

import pytest

import wireglot as wg

BODIES = {
    "anthropic": b'{"messages":[{"role":"user","content":"q"}],"max_tokens":9}',
    "bedrock": b'{"messages":[{"role":"user","content":[{"text":"q"}]}]}',
    "gemini": b'{"contents":[{"parts":[{"text":"q"}]}]}',
}
ARN = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc"
READ = {
    # vercel/ai#17410
    "a bare ARN": ("bedrock", f"/model/{ARN}/converse", ARN, False),
    "a stream of a bare ARN": ("bedrock", f"/model/{ARN}/converse-stream", ARN, True),
    "a quoted ARN": ("bedrock", f"/model/{ARN.replace('/', '%2F')}/converse", ARN, False),
    "an invoked bare ARN": ("anthropic", f"/model/{ARN}/invoke", ARN, False),
    "a quoted colon": ("gemini", "/v1beta/models/m%3AgenerateContent", "m", False),
    "a quoted colon of a stream": ("gemini", "/v1beta/models/m%3astreamGenerateContent", "m", True),
    "a bare colon": ("gemini", "/v1beta/models/m:generateContent?key=k", "m", False),
    "a quoted colon of Vertex": ("anthropic", "/v1/models/m%3AstreamRawPredict", "m", True),
}


@pytest.mark.parametrize("name", READ)
def test_a_url_names_the_model(name: str) -> None:
    wire, path, model, is_stream = READ[name]
    request = wg.PROVIDERS[wire].decode_request(BODIES[wire], path)
    assert (request.model, bool(request.stream)) == (model, is_stream)


@pytest.mark.parametrize(
    ("wire", "path", "form"),
    [
        ("bedrock", "/model/m/invoke", "/model/NAME/converse"),
        ("bedrock", "/model/a/b/converse", "/model/NAME/converse"),
        ("gemini", "/v1beta/models/m", "/v1beta/models/NAME:generateContent"),
        ("gemini", "/v1/chat/completions", "/v1beta/models/NAME:generateContent"),
    ],
)
def test_a_url_of_another_call_is_refused(wire: str, path: str, form: str) -> None:
    with pytest.raises(wg.DecodeError) as raised:
        wg.PROVIDERS[wire].decode_request(BODIES[wire], path)
    assert str(raised.value) == (
        f"{wire}: URL `{path}` of another call, expected one like `{form}` - at `$`"
    )


def test_an_error_shows_the_beginning_of_a_long_url() -> None:
    with pytest.raises(wg.DecodeError) as raised:
        wg.PROVIDERS["gemini"].decode_request(BODIES["gemini"], "/x" * 10_000)
    assert len(str(raised.value)) < 400
