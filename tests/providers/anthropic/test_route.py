"""Where a request goes, and what its body says there, by who serves the wire."""

import pytest

import wireglot as wg
from tests.providers.conversation import request, user

anthropic = wg.providers.anthropic


def test_routes() -> None:
    asked = request(user("hi"))
    version = {"anthropic-version": "2023-06-01"}
    route = anthropic.route(asked)
    assert route == wg.Route("POST", "/v1/messages", version, ("x-api-key", ""))
    assert route.with_key("sk-1") == {
        "content-type": "application/json",
        "anthropic-version": "2023-06-01",
        "x-api-key": "sk-1",
    }
    path = "/publishers/anthropic/models/m:rawPredict"
    assert anthropic.route(asked, dialect="vertex") == wg.Route("POST", path)
    assert anthropic.route(asked, dialect="bedrock") == wg.Route("POST", "/model/m/invoke")


def test_routes_of_streams() -> None:
    asked = request(user("hi"), stream=True)
    assert anthropic.route(asked).path == "/v1/messages"
    assert anthropic.route(asked, dialect="vertex").path.endswith("/m:streamRawPredict")
    assert anthropic.route(asked, dialect="bedrock").path == "/model/m/invoke-with-response-stream"


def test_files_want_a_beta_header() -> None:
    asked = request(user(wg.ImageBlock(file_id="f")))
    assert anthropic.route(asked).headers["anthropic-beta"] == "files-api-2025-04-14"


def test_files_of_another_provider_want_no_beta_header() -> None:
    block = wg.ImageBlock(file_id="f", extras={"openai-responses": wg.Extra({})})
    assert "anthropic-beta" not in anthropic.route(request(user(block))).headers


def test_a_model_in_a_path_is_quoted() -> None:
    asked = request(user("hi"))
    asked.model = "arn:aws:bedrock:a/b c"
    path = "/model/arn%3Aaws%3Abedrock%3Aa%2Fb%20c/invoke"
    assert anthropic.route(asked, dialect="bedrock").path == path
    made = anthropic.decode_request(b'{"messages":[]}', path, dialect="bedrock")
    assert made.model == "arn:aws:bedrock:a/b c"


def test_no_path_without_a_model() -> None:
    with pytest.raises(
        wg.EncodeError,
        match=(
            r"^anthropic: no model, expected its name;"
            r" pass `model` - at `\$.model`"
        ),
    ):
        anthropic.route(wg.Request([user("hi")]), dialect="vertex")


BODIES = {
    "anthropic": b'{"model":"m","max_tokens":8,"stream":true,',
    "vertex": b'{"anthropic_version":"vertex-2023-10-16","max_tokens":8,"stream":true,',
    "bedrock": b'{"anthropic_version":"bedrock-2023-05-31","max_tokens":8,',
}


@pytest.mark.parametrize("dialect", anthropic.DIALECTS)
def test_bodies(dialect: str) -> None:
    made = anthropic.encode_request(request(user("hi"), stream=True), dialect=dialect)
    rest = b'"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}'
    assert made == BODIES[dialect] + rest
