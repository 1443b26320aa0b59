"""Handlers of Litestar that take and return types of the model, and their OpenAPI document."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from litestar import Litestar, MediaType, Response, get, post
from litestar.params import JSONBody
from litestar.testing import TestClient
from msgspec import Struct

import wireglot as wg
from wireglot.adapters.litestar import WireglotPlugin


class Job(Struct):
    name: str
    session: list[wg.AgentMessage]


@post("/sessions")
async def echo(data: JSONBody[list[wg.AgentMessage]]) -> list[wg.AgentMessage]:
    assert isinstance(data[0], wg.Message)
    return data


@post("/answers", status_code=200)
async def answer(data: JSONBody[wg.Request]) -> wg.Response:
    return wg.Response(wg.AssistantMessage([wg.TextBlock(data.messages[0].text())]))


@post("/blocks")
async def accepted(data: JSONBody[list[wg.Content]]) -> Response[list[wg.Content]]:
    return Response(data, status_code=202)


@post("/jobs")
async def job(data: JSONBody[Job]) -> Job:
    return data


@get("/packed", media_type=MediaType.MESSAGEPACK)
async def packed() -> wg.TextBlock:
    return wg.TextBlock("Hi")


@get("/own")
async def own() -> dict[str, int]:
    return {"a": 1}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient[Litestar]]:
    handlers = [echo, answer, accepted, job, packed, own]
    with TestClient(Litestar(handlers, plugins=[WireglotPlugin()], logging_config=None)) as client:
        yield client


SESSION = (
    b'[{"role":"user","content":[{"type":"toolCall","id":"1","name":"f",'
    b'"arguments":{"a": 1e2, "b":"\\u0000"}}],"turnId":{"loopId":"l","turnIndex":1},"odd":[1]},'
    b'{"role":"note","kind":"k","data":18446744073709551616}]'
)


def test_a_session_comes_back_byte_for_byte(client: TestClient[Litestar]) -> None:
    answered = client.post("/sessions", content=SESSION)
    assert answered.content == SESSION
    assert answered.headers["content-type"] == "application/json"


def test_a_handler_takes_a_request_and_returns_a_response(client: TestClient[Litestar]) -> None:
    body = b'{"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}]}'
    made = b'{"message":{"role":"assistant","content":[{"type":"text","text":"Hello"}]}}'
    assert client.post("/answers", content=body).content == made


def test_an_answer_may_be_wrapped_in_litestars_own(client: TestClient[Litestar]) -> None:
    answered = client.post("/blocks", content=b'[{"type":"text","text":"Hi"}]')
    assert (answered.status_code, answered.content) == (202, b'[{"type":"text","text":"Hi"}]')


def test_a_struct_of_the_user_may_hold_a_session(client: TestClient[Litestar]) -> None:
    body = b'{"name":"n","session":' + SESSION + b"}"
    assert client.post("/jobs", content=body).content == body


def test_a_handler_of_message_pack_answers_in_message_pack(client: TestClient[Litestar]) -> None:
    answered = client.get("/packed")
    assert answered.content == b"\x82\xa4type\xa4text\xa4text\xa2Hi"


def test_other_handlers_are_left_alone(client: TestClient[Litestar]) -> None:
    assert client.get("/own").content == b'{"a":1}'


@pytest.mark.parametrize(
    ("body", "message", "path"),
    [
        (b'[{"role":"user","content":3}]', "expected `array`, got `int`", "$[0].content"),
        (b"[", "input data was truncated", "$"),
    ],
    ids=["data of another type", "half a body"],
)
def test_invalid_data_are_answered_with_400_and_our_path(
    client: TestClient[Litestar], body: bytes, message: str, path: str
) -> None:
    answered = client.post("/sessions", content=body)
    assert answered.status_code == 400
    assert answered.json() == {
        "status_code": 400,
        "detail": f"json: {message} - at `{path}`",
        "extra": [{"message": message, "key": path, "source": "body"}],
    }


def test_the_openapi_document_defines_all_that_it_refers_to(client: TestClient[Litestar]) -> None:
    document = client.get("/schema/openapi.json").json()
    components = document["components"]["schemas"]
    text = json.dumps(document)
    for name in {ref.partition('"')[0] for ref in text.split('"#/components/schemas/')[1:]}:
        assert name in components
    body = document["paths"]["/sessions"]["post"]["requestBody"]["content"]["application/json"]
    assert body["schema"]["items"] == {"$ref": "#/components/schemas/AgentMessage"}
    answered = document["paths"]["/answers"]["post"]["responses"]["200"]["content"]
    assert answered["application/json"]["schema"] == {"$ref": "#/components/schemas/Response"}
    assert components["Job"]["properties"]["session"] == body["schema"]


def test_the_openapi_document_allows_a_session(client: TestClient[Litestar]) -> None:
    document: Any = client.get("/schema/openapi.json").json()
    ref = {"$ref": "#/components/schemas/AgentMessage", "components": document["components"]}
    schema = Draft202012Validator(ref)
    for entry in json.loads(SESSION):
        schema.validate(entry)
    assert not schema.is_valid({"role": "user", "content": "Hello"})
