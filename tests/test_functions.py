"""Tools made of functions and types."""

import dataclasses
import math
from typing import Annotated, Any, Literal, TypedDict

import msgspec
import pydantic
import pytest

import wireglot as wg


class Place(msgspec.Struct):
    """A place."""

    city: str
    within: "Place | None" = None


_PLACE = {
    "title": "Place",
    "description": "A place.",
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "within": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}], "default": None},
    },
    "required": ["city"],
}


def weather(
    city: str,
    days: Annotated[int, msgspec.Meta(ge=1)] = 3,
    *,
    unit: Literal["c", "f"] = "c",
    near: Place | None = None,
) -> str:
    """Return the weather.

    For some days.

    Args:
        city: Where,
            exactly.
        days (int): How many.
        unknown: Not a parameter.

    Returns:
        text: The weather.
    """
    return f"{city} {days} {unit} {near}"


def test_a_function_is_a_tool() -> None:
    tool = wg.Tool.from_function(weather)
    assert tool.name == "weather"
    assert tool.description == "Return the weather.\n\nFor some days."
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where, exactly."},
            "days": {"type": "integer", "minimum": 1, "default": 3, "description": "How many."},
            "unit": {"enum": ["c", "f"], "default": "c"},
            "near": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}], "default": None},
        },
        "required": ["city"],
        "$defs": {"Place": _PLACE},
    }


def test_a_call_of_it_is_answered_by_its_arguments() -> None:
    call = wg.ToolCallBlock("1", "weather", '{"city": "Rome", "unit": "f"}')
    assert weather(**call.arguments) == "Rome 3 f None"


def test_name_description_and_strictness_are_the_callers_choice() -> None:
    tool = wg.Tool.from_function(weather, name="w", description="D.", strict=True)
    assert (tool.name, tool.description, tool.strict) == ("w", "D.", True)


def numpy_style(a, b=1):  # type: ignore[no-untyped-def]
    """Do.

    Parameters
    ----------
    a : int
        The a.
    b : int, optional
        The b,
        too.

    Returns
    -------
    c : int
        Nothing.
    """


def sphinx_style(a: Any, b: Any = 1) -> None:
    """Do.

    :param a: The a.
    :param int b: The b,
        too.
    :returns: Nothing.
    """


@pytest.mark.parametrize("function", [numpy_style, sphinx_style])
def test_other_styles_of_docstrings_are_read(function: Any) -> None:
    tool = wg.Tool.from_function(function)
    assert tool.description == "Do."
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "a": {"description": "The a."},
            "b": {"default": 1, "description": "The b, too."},
        },
        "required": ["a"],
    }


class Limits(pydantic.BaseModel):
    """The limits."""

    most: int


class Asked(pydantic.BaseModel):
    limits: Limits


@dataclasses.dataclass
class Data:
    a: int


class Typed(TypedDict):
    a: int


_OF_A = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("kind", "description", "schema"),
    [
        (Data, None, _OF_A),
        (Typed, None, _OF_A),
        (Place, "A place.", {**_PLACE, "$defs": {"Place": _PLACE}}),
        (
            Limits,
            "The limits.",
            {
                "type": "object",
                "properties": {"most": {"title": "Most", "type": "integer"}},
                "required": ["most"],
            },
        ),
        (
            Asked,
            None,
            {
                "type": "object",
                "properties": {"limits": {"$ref": "#/$defs/Limits"}},
                "required": ["limits"],
                "$defs": {
                    "Limits": {
                        "title": "Limits",
                        "description": "The limits.",
                        "type": "object",
                        "properties": {"most": {"title": "Most", "type": "integer"}},
                        "required": ["most"],
                    }
                },
            },
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_type_is_a_tool(kind: Any, description: str | None, schema: dict[str, Any]) -> None:
    tool = wg.Tool.from_type(kind)
    assert tool.name == kind.__name__
    assert tool.description == description
    assert tool.parameters is not None
    if kind is Place:  # which is defined in itself
        schema = {key: schema[key] for key in ("type", "properties", "required", "$defs")}
    assert tool.parameters == schema


def test_a_function_may_take_a_pydantic_model() -> None:
    def find(asked: Asked) -> None:
        """Find."""

    tool = wg.Tool.from_function(find)
    assert tool.parameters is not None
    assert tool.parameters["properties"]["asked"]["properties"] == {
        "limits": {"$ref": "#/$defs/Limits"}
    }
    assert [*tool.parameters["$defs"]] == ["Limits"]


def test_a_default_that_json_cannot_express_makes_a_parameter_optional() -> None:
    def find(a: Any = object()) -> None:  # noqa: B008
        """Find."""

    assert wg.Tool.from_function(find).parameters == {
        "type": "object",
        "properties": {"a": {}},
        "required": [],
    }


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda *a: a, "parameter `a` of `<lambda>`, expected one with a name"),
        (lambda a, /: a, "parameter `a` of `<lambda>`, expected one with a name"),
        (int, "`int` has no signature"),
        (3, "`int` has no signature"),
    ],
)
def test_a_function_that_cannot_be_called_by_names_is_refused(function: Any, reason: str) -> None:
    with pytest.raises(wg.EncodeError, match=reason):
        wg.Tool.from_function(function)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (int, "is `integer` in JSON, expected `object`"),
        (list[int], "is `array` in JSON, expected `object`"),
        (object, "has no schema"),
        (3, "has no schema"),
    ],
)
def test_a_type_that_is_not_an_object_in_json_is_refused(kind: Any, reason: str) -> None:
    with pytest.raises(wg.EncodeError, match=reason):
        wg.Tool.from_type(kind)


def test_a_default_that_is_a_list_or_not_a_number_makes_a_parameter_optional() -> None:
    def function(near: list[int] = [1, 2], far: float = math.nan) -> None:  # noqa: B006
        pass

    assert wg.Tool.from_function(function).parameters == {
        "type": "object",
        "properties": {
            "near": {"type": "array", "items": {"type": "integer"}},
            "far": {"type": "number"},
        },
        "required": [],
    }


def test_what_an_annotation_or_a_model_raises_is_told() -> None:
    class Inner:
        pass

    class Model(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
        inner: Inner

    def function(a: Any, __b: Any) -> None:
        pass

    with pytest.raises(wg.EncodeError, match="has no schema"):
        wg.Tool.from_type(Model)
    with pytest.raises(wg.EncodeError, match="has no schema"):
        wg.Tool.from_function(function)
    function.__annotations__["a"] = "1 +"
    with pytest.raises(wg.EncodeError, match="has no signature"):
        wg.Tool.from_function(function)
