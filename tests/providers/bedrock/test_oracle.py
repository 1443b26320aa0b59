"""The oracle itself: good requests pass, and each rule has a request that it alone refuses."""

import pytest

from tests.oracles import bedrock

strict = bedrock.strict

HI = '{"role":"user","content":[{"text":"hi"}]}'
YES = '{"role":"assistant","content":[{"text":"yes"}]}'
TEXT = '{"text":"x"}'
THOUGHT = '{"reasoningContent":{"reasoningText":{"text":"hm"}}}'
POINT = '{"cachePoint":{"type":"default"}}'
HOUR = '{"cachePoint":{"type":"default","ttl":"1h"}}'


def _said(*blocks: str, role: str = "user") -> str:
    return f'{{"role":"{role}","content":[{",".join(blocks)}]}}'


def _answered(*blocks: str) -> str:
    return _said(*blocks, role="assistant")


def _call(call_id: str, given: str = "{}", more: str = "") -> str:
    return f'{{"toolUse":{{"toolUseId":"{call_id}","name":"f","input":{given}{more}}}}}'


def _result(call_id: str, *parts: str) -> str:
    return f'{{"toolResult":{{"toolUseId":"{call_id}","content":[{",".join(parts)}]}}}}'


def _document(name: str) -> str:
    return f'{{"document":{{"name":"{name}","source":{{"text":"t"}}}}}}'


def _tool(name: str) -> str:
    return f'{{"toolSpec":{{"name":"{name}","inputSchema":{{"json":{{}}}}}}}}'


def _body(*messages: str, more: str = "") -> bytes:
    return f'{{{more + "," if more else ""}"messages":[{",".join(messages)}]}}'.encode()


def _thinks(budget: int) -> str:
    asked = f'{{"type":"enabled","budget_tokens":{budget}}}'
    return f'"additionalModelRequestFields":{{"thinking":{asked}}}'


TOOLS = f'"toolConfig":{{"tools":[{_tool("f")}]}}'
CALL, RESULT = _answered(_call("a")), _said(_result("a"))

GOOD = {
    "a text": _body(HI),
    "a talk that the assistant opens": _body(YES, HI),
    "system messages before the talk and in it": _body(
        HI, YES, _said(TEXT, role="system"), HI, more=f'"system":[{TEXT},{POINT}]'
    ),
    "two calls, answered in another order, then a user": _body(
        HI,
        _answered(TEXT, _call("a"), _call("b")),
        _said(_result("b", TEXT), _result("a", '{"json":1}'), POINT, TEXT),
        more=TOOLS,
    ),
    "an id that a later turn uses again": _body(HI, CALL, RESULT, CALL, RESULT, more=TOOLS),
    "a call of the provider's own": _body(
        HI, _answered(_call("a", more=',"type":"server_tool_use"')), more=TOOLS
    ),
    "thinking that goes back": _body(HI, _answered(THOUGHT, TEXT), HI),
    "a managed prompt": b'{"promptVariables":{"x":{"text":"y"}}}',
    "cache points of an hour before those of five minutes": _body(
        _said(TEXT, POINT), more=f'"system":[{TEXT},{HOUR}]'
    ),
    "a thinking model, which calls as it likes": _body(
        HI,
        more=f'{_thinks(1024)},{TOOLS[:-1]},"toolChoice":{{"auto":{{}}}}}},'
        '"inferenceConfig":{"maxTokens":1025,"temperature":1}',
    ),
    "documents with words beside them": _body(_said(_document("(a) [b]-1"), _document("a"), TEXT)),
    "sampling": _body(
        HI,
        more='"inferenceConfig":{"maxTokens":1,"temperature":0,"topP":1,"stopSequences":["x"]},'
        '"additionalModelRequestFields":{"top_k":[1]},"requestMetadata":{"k":"v"},'
        '"serviceTier":{"type":"flex"}',
    ),
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_bedrock_accepts(body: bytes) -> None:
    bedrock.check_request(body)


NOT_TYPED = {
    "a body is no object": (b"[]", "schema: expected object - at the body"),
    "a key is unknown": (
        _body(HI, more='"model":"m"'),
        "schema: no key of ConverseRequest - at model",
    ),
    "a block has two keys": (
        _body(_said('{"text":"x","cachePoint":{"type":"default"}}')),
        "schema: expected exactly one key, got ['text', 'cachePoint'] - at messages.0.content.0",
    ),
    "a block is of an unknown kind": (
        _body(_said('{"hologram":{}}')),
        "schema: no key of ContentBlock - at messages.0.content.0.hologram",
    ),
    "a required key is missing": (
        _body('{"role":"user"}'),
        "schema: missing - at messages.0.content",
    ),
    "data are no base64": (
        _body(_said('{"image":{"format":"png","source":{"bytes":"_-8="}}}')),
        "schema: expected base64 - at messages.0.content.0.image.source.bytes",
    ),
    "a string stands for a number": (
        _body(HI, more='"inferenceConfig":{"maxTokens":"1"}'),
        "schema: expected integer - at inferenceConfig.maxTokens",
    ),
    "a number is out of its range": (
        _body(HI, more='"inferenceConfig":{"temperature":1.5}'),
        "schema: 1.5 is not in 0 to 1 - at inferenceConfig.temperature",
    ),
    "an id has a space": (
        _body(HI, _answered(_call("a b")), more=TOOLS),
        "schema: does not match [a-zA-Z0-9_.:-]+ - at messages.1.content.0.toolUse.toolUseId",
    ),
    "a text is null": (
        _body(_said('{"text":null}')),
        "schema: expected string - at messages.0.content.0.text",
    ),
}


@pytest.mark.parametrize(("body", "message"), NOT_TYPED.values(), ids=NOT_TYPED)
def test_the_types_are_strict(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        bedrock.check_request(body)
    assert str(error.value) == message


BROKEN_RULES = {
    "no message": (_body(), "there is a message - at messages"),
    "a message is empty": (
        _body(HI, _answered(), HI),
        "every message has content - at messages.1.content",
    ),
    "a text is blank": (
        _body(_said('{"text":" "}')),
        "no text is blank - at messages.0.content.0.text",
    ),
    "a text of the prompt is blank": (
        _body(HI, more='"system":[{"text":" "}]'),
        "no text is blank - at system.0.text",
    ),
    "a user speaks twice": (_body(HI, HI), "roles alternate - at messages.1.role"),
    "a system message does not part turns": (
        _body(HI, _said(TEXT, role="system"), HI),
        "roles alternate - at messages.2.role",
    ),
    "a user thinks": (
        _body(_said(THOUGHT)),
        "calls and results stand with their role - at messages.0.content.0.reasoningContent",
    ),
    "a call's input is a list": (
        _body(HI, _answered(_call("a", "[]")), RESULT, more=TOOLS),
        "every call has an object as input - at messages.1.content.0.toolUse.input",
    ),
    "a call of two is not answered": (
        _body(HI, _answered(_call("a"), _call("b")), RESULT, more=TOOLS),
        "every call is answered in the next turn - at messages.1",
    ),
    "a call is the last word": (
        _body(HI, CALL, more=TOOLS),
        "every call is answered in the next turn - at messages.1",
    ),
    "a result has no call": (
        _body(HI, YES, RESULT, more=TOOLS),
        "every result has its call in the turn before - at messages.2",
    ),
    "a call has two results": (
        _body(HI, CALL, _said(_result("a"), _result("a")), more=TOOLS),
        "every result has its call in the turn before - at messages.2",
    ),
    "a user speaks before a result": (
        _body(HI, CALL, _said(TEXT, _result("a")), more=TOOLS),
        "results come first in their turn - at messages.2",
    ),
    "two calls share an id": (
        _body(HI, _answered(_call("a"), _call("a")), RESULT, more=TOOLS),
        "call ids are unique in their turn - at messages.1",
    ),
    "tools are not described": (
        _body(HI, CALL, RESULT),
        "tools are described where they were used - at toolConfig",
    ),
    "two tools share a name": (
        _body(HI, more=f'"toolConfig":{{"tools":[{_tool("f")},{_tool("f")}]}}'),
        "tool names are unique - at toolConfig.tools",
    ),
    "a document's name has a dot": (
        _body(_said(TEXT, _document("a.pdf"))),
        "document names are plain and unique - at messages.0.content.1.document.name",
    ),
    "a document's name has two spaces": (
        _body(_said(TEXT, _document("a  b"))),
        "document names are plain and unique - at messages.0.content.1.document.name",
    ),
    "two documents share a name": (
        _body(_said(TEXT, _document("a")), YES, _said(TEXT, _document("a"))),
        "document names are plain and unique - at messages.2.content.1.document.name",
    ),
    "a document stands alone": (
        _body(_said(_document("a"))),
        "documents have words beside them - at messages.0",
    ),
    "there are five cache points": (
        _body(
            _said(TEXT, POINT, TEXT, POINT),
            more=f'"toolConfig":{{"tools":[{_tool("f")},{POINT}]}},'
            f'"system":[{TEXT},{POINT},{TEXT},{POINT}]',
        ),
        "there are at most four cache points - at messages",
    ),
    "a cache point of an hour follows one of five minutes": (
        _body(_said(TEXT, HOUR), more=f'"system":[{TEXT},{POINT}]'),
        "cache points of an hour come first - at messages",
    ),
    "a budget is too small": (
        _body(HI, more=_thinks(1023)),
        "a thinking budget is large enough and leaves room"
        " - at additionalModelRequestFields.thinking.budget_tokens",
    ),
    "a budget is as large as the limit": (
        _body(HI, more=_thinks(1024) + ',"inferenceConfig":{"maxTokens":1024}'),
        "a thinking budget is large enough and leaves room"
        " - at additionalModelRequestFields.thinking.budget_tokens",
    ),
    "a thinking model is cold": (
        _body(HI, more=_thinks(1024) + ',"inferenceConfig":{"temperature":0.5}'),
        "a thinking model has its temperature - at inferenceConfig.temperature",
    ),
    "a call is forced from a thinking model": (
        _body(HI, more=f'{_thinks(1024)},{TOOLS[:-1]},"toolChoice":{{"any":{{}}}}}}'),
        "no call is forced with a thinking budget - at toolConfig.toolChoice",
    ),
}


@pytest.mark.parametrize(("body", "message"), BROKEN_RULES.values(), ids=BROKEN_RULES)
def test_bedrock_refuses(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        bedrock.check_request(body)
    assert str(error.value) == message


def test_every_rule_has_a_request_that_breaks_it() -> None:
    broken = {message.partition(" - at ")[0] for _, message in BROKEN_RULES.values()}
    assert broken == {strict.sentence(rule) for rule in bedrock.RULES}
