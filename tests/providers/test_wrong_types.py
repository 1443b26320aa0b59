"""A field of a request that holds a value of a wrong type: an error with its path."""

from importlib import import_module
from typing import Any

import pytest
from msgspec.structs import fields, replace

import wireglot as wg

CALL = wg.ToolCallBlock("c1", "f", {"a": 1})
RESULT = wg.ToolResultBlock("c1", "f", [wg.TextBlock("ok")])
USER = wg.UserMessage([wg.TextBlock("hi")])
ANSWER = wg.AssistantMessage([CALL], wg.StopReason.TOOL_USE)
RESULTS = wg.ToolMessage([RESULT])
TOOL = wg.Tool("f", "d", {"type": "object"})


class Odd:
    pass


WRONG = [3, "x", Odd(), [Odd()], {"a": Odd()}, ["x"], None]


def _request(
    user: Any = USER, answer: Any = ANSWER, results: Any = RESULTS, **more: Any
) -> wg.Request:
    messages = [user, answer, results, USER]
    return wg.Request(messages, **{"model": "m", "max_tokens": 99, "tools": [TOOL], **more})


def _wrong() -> Any:
    """Yield requests in which one field holds a value of any type."""
    image = wg.ImageBlock.from_bytes(b"\x89PNG\r\n\x1a\n")
    for wrong in WRONG:
        for value in (USER.content[0], image, CALL, RESULT):
            for name in value.__struct_fields__:
                try:
                    block = replace(value, **{name: wrong})
                except (TypeError, ValueError):
                    continue
                yield _request(user=wg.UserMessage([block]))
                yield _request(answer=wg.AssistantMessage([block]), results=USER)
                yield _request(results=wg.ToolMessage([block]))
        for key, message in (("user", USER), ("answer", ANSWER), ("results", RESULTS)):
            for name in message.__struct_fields__:
                yield _request(**{key: replace(message, **{name: wrong})})
        for field in fields(wg.Request):
            yield replace(_request(), **{field.name: wrong})


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_no_other_exception_leaves_an_encoder(name: str) -> None:
    reasons = set()
    for request in _wrong():
        try:
            wg.PROVIDERS[name].encode_request(request, losses=[])
        except wg.EncodeError as error:
            reasons.add(error.reason)
    assert len(reasons) > 5
    assert not [reason for reason in reasons if "object has no attribute" in reason]


PLACES: list[tuple[str, wg.Request, str]] = [
    ("content", _request(user=wg.UserMessage(3)), "$.messages[0].content"),  # type: ignore[arg-type]
    ("a foreign block", _request(user=wg.UserMessage([Odd()])), "$.messages[0].content[0]"),  # type: ignore[list-item]
    (
        "a text",
        _request(user=wg.UserMessage([wg.TextBlock(Odd())])),  # type: ignore[arg-type]
        "$.messages[0].content[0].text",
    ),
    ("the thinking", _request(thinking=3), "$.thinking"),
    ("the tools", _request(tools=[Odd()]), "$.tools[0]"),
    ("the response format", _request(response_format="x"), "$.response_format"),
]


@pytest.mark.parametrize("provider", list(wg.PROVIDERS))
@pytest.mark.parametrize(
    ("request_", "path"), [case[1:] for case in PLACES], ids=[case[0] for case in PLACES]
)
def test_the_error_is_about_the_field(provider: str, request_: wg.Request, path: str) -> None:
    losses: list[wg.Loss] = []
    rules = import_module(f"wireglot.providers.{provider}.losses").RULES
    row = path.removeprefix("$.")
    if row in wg.Request.__struct_fields__ and row not in rules.carried[wg.Request].split():
        wg.PROVIDERS[provider].encode_request(request_, losses=losses)
        assert row in [loss.what for loss in losses]
        return
    with pytest.raises(wg.EncodeError) as caught:
        wg.PROVIDERS[provider].encode_request(request_, losses=losses)
    camel = path.replace("response_format", "responseFormat")
    assert caught.value.path in (path, camel)
