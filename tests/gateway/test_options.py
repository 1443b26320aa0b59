"""What a client asks for beside the conversation, and what the configuration adds to it."""

from __future__ import annotations

import aiohttp
import pytest
from starlette.requests import Request
from starlette.responses import Response

from tests.gateway.provider import END, JSON, START, Provider, beside

ASKED = (
    b'{"model":"m","max_tokens":9,"stream":true,%b"messages":[{"role":"user","content":"Hello"}]}'
)
USAGE = b'"usage":{"prompt_tokens":20,"completion_tokens":2,"total_tokens":22,'


@pytest.mark.parametrize(
    ("options", "is_told"),
    [
        (b"", False),
        (b'"stream_options":null,', False),
        (b'"stream_options":{"include_usage":false},', False),
        (b'"stream_options":{"include_usage":true},', True),
    ],
)
def test_a_stream_of_chat_tells_the_usage_if_it_is_asked_to(options: bytes, is_told: bool) -> None:
    async def reply(_: Request) -> Response:
        return Response(START + END, media_type="text/event-stream")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = reply
        path = "/v1/chat/completions"
        async with client.post(path, data=ASKED % options, headers=JSON) as response:
            said = await response.read()
        assert (USAGE in said) is is_told
        assert (b'"choices":[]' in said) is is_told
        assert said.endswith(b"data: [DONE]\n\n")
        async with client.get("/metrics") as response:
            tokens = 'wireglot_tokens_total{kind="input",provider="anthropic",route="m"} 20.0'
            assert tokens in await response.text()

    beside(test)


OPEN_CALL = (
    b'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hello"},{"role":"assistant"'
    b',"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f",'
    b'"arguments":"{}"}}]},{"role":"user","content":"Never mind."}]}'
)


@pytest.mark.parametrize(("repair", "status"), [(True, 200), (False, 400)])
def test_a_call_without_a_result_is_repaired_if_that_is_configured(
    repair: bool, status: int
) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        path = "/v1/chat/completions"
        async with client.post(path, data=OPEN_CALL, headers=JSON) as response:
            assert response.status == status
        sent = [body for _, _, body in provider.asked]
        assert [b'"is_error":true' in body for body in sent] == ([True] if repair else [])

    beside(test, repair=repair)
