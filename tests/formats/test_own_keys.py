"""A system's own unknown keys, on a value that has no place for them there, are a loss."""

import pytest

import wireglot as wg
from wireglot.formats import langchain, operator_use, otel, pydantic_ai


def _odd(api: str) -> wg.Extras:
    return {api: wg.Extra(wg.RawJson(b'{"odd":1}'))}


def _text(api: str) -> wg.TextBlock:
    return wg.TextBlock("x", extras=_odd(api))


def _opaque(api: str, raw: bytes) -> wg.AssistantMessage:
    return wg.AssistantMessage([wg.OpaqueBlock(api, wg.RawJson(raw), extras=_odd(api))])


CITED = wg.TextBlock(
    "x", annotations=[wg.AnnotationRef(url="https://x", extras=_odd(langchain.API))]
)


@pytest.mark.parametrize(
    ("name", "message", "path"),
    [
        (
            "pydantic_ai",
            wg.ToolResultMessage("c1", content=[_text(pydantic_ai.API)]),
            "$[0].content[0].extras",
        ),
        (
            "pydantic_ai",
            wg.UserMessage([wg.ToolResultBlock("c1", content=[_text(pydantic_ai.API)])]),
            "$[0].content[0].content[0].extras",
        ),
        (
            "pydantic_ai",
            wg.SystemMessage([_text(pydantic_ai.API), wg.TextBlock("y")]),
            "$[0].content[0].extras",
        ),
        (
            "pydantic_ai",
            _opaque(pydantic_ai.API, b'{"part_kind":"odd"}'),
            "$[0].content[0].extras",
        ),
        (
            "langchain",
            wg.AssistantMessage([CITED]),
            "$[0].content[0].annotations[0].extras",
        ),
        ("langchain", _opaque(langchain.API, b'{"type":"odd"}'), "$[0].content[0].extras"),
        ("otel", _opaque(otel.API, b'{"type":"odd"}'), "$[0].content[0].extras"),
        (
            "operator_use",
            _opaque(operator_use.API, b'{"type":"text","content":"x"}'),
            "$[0].content[0].extras",
        ),
    ],
)
def test_own_unknown_keys_without_a_place_are_a_loss(
    name: str, message: wg.Message, path: str
) -> None:
    losses: list[wg.Loss] = []
    wg.FORMATS[name].encode([message], losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [(path, "extras")]


def test_a_users_delta_is_not_lost_beside_results() -> None:
    result = wg.ToolResultBlock("c1", content=[wg.TextBlock("x")])
    written = langchain.encode([wg.UserMessage([result], delta=True)])
    assert written.endswith(
        b'{"type":"HumanMessageChunk","data":{"content":"","additional_kwargs":{},'
        b'"response_metadata":{},"type":"HumanMessageChunk","name":null,"id":null}}]'
    )


def test_a_users_empty_name_is_not_lost_beside_results() -> None:
    result = wg.ToolResultBlock("c1", content=[wg.TextBlock("x")])
    assert b'"name":""' in langchain.encode([wg.UserMessage([result], name="")])
