"""What a wire declares: every field that it does not carry is a loss, and each row has a use."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

import wireglot as wg
from wireglot.model import Content, Request
from wireglot.providers._codecs.simple import is_bare, is_bare_call, is_lone_result, is_lone_text
from wireglot.providers._state import rules as _rules
from wireglot.providers._state.rules import NEVER_SENT, Rules
from wireglot.providers.losses import losses_of

DECLARED: dict[str, Rules] = {
    name: import_module(f"wireglot.providers.{name}.losses").RULES for name in wg.PROVIDERS
}
_BLOCKS = Content.__args__
_SHARED = (
    *("_across/citations", "_across/client_tools", "_across/schemas", "_across/thinking"),
    *("_across/tools", "_across/web_search", "_codecs/requests", "_codecs/responses"),
    "_state/encoding",
)


@pytest.mark.parametrize("name", DECLARED)
def test_each_row_of_the_table_is_used_and_nothing_is_lost_without_a_row(name: str) -> None:
    rules = DECLARED[name]
    declared = {*losses_of(name)}
    folder = Path(str(rules_file(name))).parent
    sources = [*folder.glob("*.py"), *(folder.parent / f"{shared}.py" for shared in _SHARED)]
    said = {word for source in sources for word in _lost_in(source)}
    request = vars(import_module(f"wireglot.providers.{name}.request"))
    said |= {*request.get("_NUMBERS", ()), *request.get("_SAMPLED", ())}  # see `put_numbers`
    said |= {word for service in _services(name) for word in service.lacks}
    said |= {
        "context",
        "opaque event",
        "revision",
        "stored state",
        "unfinished",
    }  # of the base of all stream encoders
    by_subtraction = {row for kind in rules.carried for _, row, _ in rules.plan(kind).lost}
    by_type = {rules.what(kind) for kind in _BLOCKS}
    missing = " ".join(sorted(by_subtraction - declared))
    assert missing == "", f"neither `COMMON` nor `LOSSES` has a row for: {missing}"
    unused = " ".join(sorted(declared - said - by_subtraction - by_type))
    assert unused == "", f"`LOSSES` has rows that nothing uses: {unused}"


def rules_file(name: str) -> Any:
    return import_module(f"wireglot.providers.{name}").__file__


def _services(name: str) -> list[Any]:
    """Return the dialects of a wire that has a table of them."""
    try:
        services = import_module(f"wireglot.providers.{name}.dialects").SERVICES
    except (ModuleNotFoundError, AttributeError):
        return []
    return list(services.values())


def _lost_in(source: Path) -> Iterator[str]:
    """Yield the words in the first argument of each `lose(...)` of a module.

    `ranged(...)` loses what it brings into range, `sampled(...)` what a model does not take.
    """
    for node in ast.walk(ast.parse(source.read_text())):
        name = getattr(getattr(node, "func", None), "attr", "")
        if isinstance(node, ast.Call) and name in ("lose", "ranged", "sampled") and node.args:
            for part in ast.walk(node.args[0]):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


@pytest.mark.parametrize("name", DECLARED)
def test_what_is_declared_is_there(name: str) -> None:
    for kind, carried in [*DECLARED[name].carried.items(), *NEVER_SENT.items()]:
        known = {field.name for field in msgspec.structs.fields(kind)}
        assert {*carried.split()} <= known, kind


_VALUES: dict[Any, list[Any]] = {
    bool | None: [True, False],
    float | None: [0.5],
    int | None: [17],
    str | None: ["x"],
}
_PLAIN = {
    field.name: _VALUES[field.type]
    for field in msgspec.structs.fields(Request)
    if field.type in _VALUES and field.name != "model"  # which may be in the URL
}


@pytest.mark.parametrize(
    ("name", "field"),
    [(n, f) for n in DECLARED for f in DECLARED[n].carried[Request].split() if f in _PLAIN],
)
def test_a_parameter_that_is_declared_is_written_or_a_loss(name: str, field: str) -> None:
    def written(**fields: Any) -> tuple[bytes, list[str]]:
        losses: list[wg.Loss] = []
        messages = [wg.UserMessage([wg.TextBlock("hi")])]
        tools: list[Any] = [wg.Tool("f", "F.", {"type": "object", "properties": {}})]
        request = Request(messages, "m", tools, **fields)
        body = wg.PROVIDERS[name].encode_request(request, losses=losses)
        return body, [loss.what for loss in losses]

    assert any(written(**{field: value}) != written() for value in _PLAIN[field])


@pytest.mark.parametrize("kind", [*_BLOCKS, Request], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", DECLARED)
def test_a_new_field_of_the_model_is_a_loss_until_it_is_declared(
    name: str, kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = msgspec.structs.fields(kind)
    [new] = msgspec.structs.fields(msgspec.defstruct("New", [("colour", str | None, None)]))
    monkeypatch.setattr(_rules, "fields", lambda _: (*known, new))
    rules = DECLARED[name]
    again = Rules(rules.wire, rules.api, rules.dialects, rules.carried, rules.losses)
    assert "colour" in {row for _, row, _ in again.plan(kind).lost}


@pytest.mark.parametrize("field", [f for f in wg.TextBlock.__struct_fields__ if f != "text"])
def test_a_text_with_any_other_field_is_not_bare(field: str) -> None:
    block = wg.TextBlock("x")
    assert is_bare(block)
    setattr(block, field, "y")
    assert not is_bare(block)
    assert not is_lone_text(wg.UserMessage([block]))


@pytest.mark.parametrize(
    "kind", [wg.SystemMessage, wg.UserMessage, wg.AssistantMessage, wg.ToolMessage]
)
def test_a_message_with_any_other_field_that_may_be_sent_is_not_a_lone_text(kind: Any) -> None:
    assert is_lone_text(kind([wg.TextBlock("x")]))
    for field in {*kind.__struct_fields__} - {"content", *NEVER_SENT[kind].split()}:
        message = kind([wg.TextBlock("x")])
        setattr(message, field, "y")
        assert not is_lone_text(message), field


@pytest.mark.parametrize("content", [[], ["x"], [wg.TextBlock("x")] * 2])
def test_other_content_is_not_a_lone_text(content: list[Any]) -> None:
    assert not is_lone_text(wg.UserMessage(content))
    assert not is_lone_text(wg.ToolResultMessage("c", "f", [wg.TextBlock("x")]))
    for text in ("", " \n", 5):
        assert not is_lone_text(wg.UserMessage([wg.TextBlock(text)]))  # type: ignore[arg-type]


def test_a_call_with_any_other_field_that_may_be_sent_or_of_a_wrong_type_is_not_bare() -> None:
    fields = {*wg.ToolCallBlock.__struct_fields__} - {*NEVER_SENT[wg.ToolCallBlock].split()}
    assert is_bare_call(wg.ToolCallBlock("c", "f", {}))
    for field in fields | {"tool_type"}:
        call = wg.ToolCallBlock("c", "f", {})
        setattr(call, field, 5)
        assert not is_bare_call(call) or field == "arguments", field  # which adopt a number


@pytest.mark.parametrize("kind", [wg.ToolResultBlock, wg.ToolResultMessage])
def test_a_result_with_any_other_field_that_may_be_sent_is_not_a_lone_text(kind: Any) -> None:
    never = {*NEVER_SENT[kind].split()} - {"tool_name"}
    assert is_lone_result(kind("c", "f", [wg.TextBlock("x")]))
    for field in {*kind.__struct_fields__} - never - {"tool_call_id", "content"}:
        result = kind("c", "f", [wg.TextBlock("x")])
        setattr(result, field, 5)
        assert not is_lone_result(result), field
    for content in ([], [wg.TextBlock("x")] * 2, [wg.TextBlock(" ")], [wg.TextBlock("x", "s")]):
        assert not is_lone_result(kind("c", "f", content))
