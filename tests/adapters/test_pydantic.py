"""The model's types in pydantic's models, and in FastAPI's endpoints and OpenAPI document."""

import subprocess
import sys
from typing import Annotated, Any

import pytest
from fastapi import Body, FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

import wireglot as wg
from wireglot import testing
from wireglot.adapters import pydantic as whole


class Job(BaseModel):
    session: list[wg.AgentMessage] = []
    message: wg.Message | None = None
    content: list[wg.Content] = []
    request: wg.Request | None = None
    block: wg.TextBlock | None = None
    usage: wg.Usage | None = None


USER = {"role": "user", "content": [{"type": "text", "text": "Hello"}]}
PLACED = {**USER, "turnId": {"loopId": "l", "turnIndex": 1}, "surprise": [1]}
NOTE = {"role": "note", "kind": "k", "data": 1}


def test_plain_data_become_the_types_that_the_fields_name() -> None:
    job = Job.model_validate(
        {"session": [PLACED, NOTE], "message": USER, "request": {"messages": [USER]},
         "content": [{"type": "toolCall", "id": "1", "name": "f", "arguments": {"a": 1}}],
         "block": {"type": "text", "text": "Hi"}, "usage": {"input": 3}}
    )  # fmt: skip
    user = wg.UserMessage([wg.TextBlock("Hello")])
    entry = job.session[0]
    assert isinstance(entry, wg.Message)
    assert entry.turn_id == wg.model.TurnId("l", 1)
    assert entry.extras is not None
    assert entry.extras["wireglot"].keys.text == b'{"surprise":[1]}'
    assert isinstance(job.session[1], wg.ExtensionMessage)
    assert job.session[1].wire_role == "note"
    assert job.message == user
    assert job.request == wg.Request([user])
    assert job.content == [wg.ToolCallBlock("1", "f", wg.Arguments('{"a":1}'))]
    assert job.block == wg.TextBlock("Hi")
    assert job.usage == wg.Usage(input=3)


def test_an_object_of_the_type_is_the_same_object_afterwards() -> None:
    entry, block = wg.UserMessage.from_text("Hi"), wg.TextBlock("Hi")
    job = Job(session=[entry], block=block, content=[block])
    assert job.session[0] is entry
    assert job.block is block
    assert job.content[0] is block


def test_a_dump_has_the_objects_and_a_dump_for_json_plain_data() -> None:
    job = Job.model_validate({"session": [PLACED, NOTE]})
    assert job.model_dump()["session"][0] is job.session[0]
    assert job.model_dump(mode="json")["session"] == [PLACED, NOTE]
    assert job.model_dump_json(exclude_defaults=True) == (
        '{"session":[{"role":"user","content":[{"type":"text","text":"Hello"}],'
        '"turnId":{"loopId":"l","turnIndex":1},"surprise":[1]},'
        '{"role":"note","kind":"k","data":1}]}'
    )


@given(testing.sessions())
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_dumped_as_json_is_read_as_an_equal_session(session: list[wg.AgentMessage]) -> None:
    job = Job(session=session)
    try:
        dumped = job.model_dump_json()
    except PydanticSerializationError as error:
        if "number out of range" not in str(error):  # 1e999, which no `float` holds
            raise
        return
    read = Job.model_validate_json(dumped)
    assert read.model_dump(mode="json") == job.model_dump(mode="json")


@pytest.mark.parametrize(
    ("field", "data", "place", "message"),
    [
        pytest.param(
            "session", [USER, {"role": "user", "content": [{"type": "text", "text": 3}]}],
            ("session", 1), "expected `str`, got `int` - at `$.content[0].text`",
            id="a fault inside an entry of a session",
        ),
        pytest.param(
            "session", [{"role": "emperor"}], ("session", 0),
            "unknown role `emperor`, expected one of `system`, `user`, `assistant`, `toolResult`, "
            "`tool`, `custom`, `branchSummary`, `compactionSummary`, `extension`; "
            "an extension has `kind` and `data` - at `$.role`",
            id="an unknown role",
        ),
        pytest.param(
            "request", {"messages": "Hello"}, ("request",),
            "expected `array`, got `str` - at `$.messages`",
            id="a fault in a request",
        ),
        pytest.param(
            "block", wg.UserMessage([]), ("block",),
            "object missing required field `text` - at `$`",
            id="an object of another type",
        ),
        pytest.param(
            "block", object(), ("block",), "`object`, expected a type of the model - at `$`",
            id="a foreign object",
        ),
    ],
)  # fmt: skip
def test_a_fault_is_one_error_with_our_path(
    field: str, data: Any, place: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        Job.model_validate({field: data})
    (error,) = caught.value.errors()
    assert (error["type"], error["loc"], error["msg"]) == ("wireglot", place, message)
    assert error["ctx"] == dict(zip(("reason", "path"), message[:-1].split(" - at `"), strict=True))


def test_a_plain_union_lists_the_errors_of_its_members_and_a_whole_one_has_one() -> None:
    data = [{"type": "toolCall", "id": 3}]
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(list[wg.Content]).validate_python(data)
    assert caught.value.error_count() == 12
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(list[whole.Content]).validate_python(data)
    (error,) = caught.value.errors()
    assert error["loc"] == (0,)
    assert error["msg"] == "expected `str`, got `int` - at `$.id`"


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        (whole.Content, {"type": "text", "text": "Hi"}, wg.TextBlock("Hi")),
        (whole.Message, USER, wg.UserMessage([wg.TextBlock("Hello")])),
        (
            whole.StreamEvent,
            {"type": "textDelta", "index": 0, "text": "H"},
            wg.TextDelta(0, "H"),
        ),
    ],
    ids=["a block", "a message", "an event"],
)
def test_a_whole_union_reads_and_writes_as_its_members_do(
    kind: Any, data: Any, expected: Any
) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    assert adapter.validate_python(data) == expected
    assert adapter.dump_python(expected, mode="json") == data
    Draft202012Validator(adapter.json_schema()).validate(data)


# -- JSON Schema -----------------------------------------------------------------------------------


def _refs(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return set().union(*map(_refs, schema))
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"]} if "$ref" in schema else set()
    return own.union(*map(_refs, schema.values()))


def test_the_schema_of_a_model_defines_all_that_it_refers_to_once() -> None:
    schema = Job.model_json_schema()
    Draft202012Validator.check_schema(schema)
    assert _refs(schema) == {f"#/$defs/{name}" for name in schema["$defs"]}
    session = schema["properties"]["session"]
    assert session["items"] == {"$ref": "#/$defs/AgentMessage"}
    assert schema["$defs"]["TextBlock"]["properties"]["type"] == {"const": "text"}
    assert "turnId" in schema["$defs"]["UserMessage"]["properties"]


def test_what_a_model_reads_its_schema_allows() -> None:
    schema = Draft202012Validator(Job.model_json_schema())
    schema.validate({"session": [PLACED, NOTE], "message": USER, "request": {"messages": [USER]}})
    assert not schema.is_valid({"session": [{"role": "user", "content": "Hello"}]})


def test_a_type_that_contains_itself_has_a_schema() -> None:
    schema = TypeAdapter(wg.ToolResultBlock).json_schema()
    members = schema["$defs"]["ToolResultBlock"]["properties"]["content"]["items"]["anyOf"]
    assert {"$ref": "#/$defs/ToolResultBlock", "required": ["type"]} in members


def test_a_model_of_the_same_name_keeps_its_own_definition() -> None:
    class Request(BaseModel):
        own: int

    class Both(BaseModel):
        mine: Request
        ours: wg.Request

    schema = Both.model_json_schema()
    mine, ours = (
        schema["properties"][name]["$ref"].rpartition("/")[2] for name in ("mine", "ours")
    )
    assert schema["$defs"][mine]["properties"].keys() == {"own"}
    assert "messages" in schema["$defs"][ours]["properties"]


# -- FastAPI ---------------------------------------------------------------------------------------

# A type that contains itself has two definitions otherwise, of equal content.
app = FastAPI(separate_input_output_schemas=False)


@app.post("/sessions")
def echo(session: list[wg.AgentMessage]) -> list[wg.AgentMessage]:
    assert isinstance(session[0], wg.Message)
    return session


@app.post("/answers")
def answer(request: Annotated[wg.Request, Body()]) -> wg.Response:
    return wg.Response(wg.AssistantMessage([wg.TextBlock(request.messages[0].text())]))


def test_an_endpoint_takes_and_returns_types_of_the_model() -> None:
    client = TestClient(app)
    assert client.post("/sessions", json=[PLACED, NOTE]).json() == [PLACED, NOTE]
    assert client.post("/answers", json={"messages": [USER]}).json() == {
        "message": {"role": "assistant", "content": [{"type": "text", "text": "Hello"}]}
    }


def test_invalid_data_are_answered_with_422_and_our_path() -> None:
    answered = TestClient(app).post("/sessions", json=[{"role": "user", "content": "Hello"}])
    assert answered.status_code == 422
    (detail,) = answered.json()["detail"]
    assert detail["loc"] == ["body", 0]
    assert detail["msg"] == "expected `array`, got `str` - at `$.content`"
    assert detail["ctx"] == {"reason": "expected `array`, got `str`", "path": "$.content"}


def test_the_openapi_document_has_a_component_for_each_type() -> None:
    document = app.openapi()
    components = document["components"]["schemas"]
    ours = {ref for ref in _refs(document) if ref.startswith("#/")}
    assert ours <= {f"#/components/schemas/{name}" for name in components}
    content = document["paths"]["/sessions"]["post"]["requestBody"]["content"]
    assert content["application/json"]["schema"]["items"] == {
        "$ref": "#/components/schemas/AgentMessage"
    }
    assert {"AgentMessage", "Request", "Response", "TextBlock"} <= components.keys()


def test_the_model_does_not_import_pydantic() -> None:
    code = "import sys, wireglot as w; w.json.encode([]); print('pydantic_core' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
