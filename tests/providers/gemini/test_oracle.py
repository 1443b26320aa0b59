"""The oracle itself: good requests pass, and each rule has a request that it alone refuses."""

import pytest

from tests.oracles import gemini

strict = gemini.strict

HI = '{"role":"user","parts":[{"text":"hi"}]}'
YES = '{"role":"model","parts":[{"text":"yes"}]}'
X = '{"text":"x"}'
PNG = '{"inlineData":{"data":"AA==","mimeType":"image/png"}}'
FILE = '{"fileData":{"fileUri":"gs://b/f"}}'


def _user(*parts: str) -> str:
    return f'{{"role":"user","parts":[{",".join(parts)}]}}'


def _model(*parts: str) -> str:
    return f'{{"role":"model","parts":[{",".join(parts)}]}}'


def _call(name: str = "f", call_id: str = "") -> str:
    more = f',"id":"{call_id}"' if call_id else ""
    return f'{{"functionCall":{{"name":"{name}"{more}}}}}'


def _result(name: str = "f", call_id: str = "", more: str = ',"response":{}') -> str:
    more += f',"id":"{call_id}"' if call_id else ""
    return f'{{"functionResponse":{{"name":"{name}"{more}}}}}'


def _body(*contents: str, more: str = '"generationConfig":{}') -> bytes:
    return f'{{{more},"contents":[{",".join(contents)}]}}'.encode()


def _tools(*functions: str) -> str:
    return f'"tools":[{{"functionDeclarations":[{",".join(functions)}]}}]'


def _config(keys: str) -> str:
    return f'"generationConfig":{{{keys}}}'


def _choice(keys: str, tools: str = _tools('{"name":"f"}')) -> str:
    return f'{tools},"toolConfig":{{"functionCallingConfig":{{{keys}}}}}'


NARROWED = '"allowedFunctionNames":["f"]'
EMPTY_RESULT = _result(more="")
METHOD = (
    '"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF",'
    '"method":"SEVERITY"}]'
)

GOOD = {
    "a text": _body(HI),
    "a turn without a role": _body('{"parts":[{"text":"hi"}]}'),
    "an empty text, a signed text and a thought": _body(
        HI,
        _model('{"text":"","thoughtSignature":"_-8="}', '{"text":"hm","thought":true}'),
        _user('{"text":""}'),
    ),
    "a signature without padding": _body(HI, _model('{"text":"x","thoughtSignature":"_-8"}')),
    "a prompt, sampling and labels": _body(
        HI,
        more='"systemInstruction":{"parts":[{"text":"x"}]},"labels":{"k":"v"},"serviceTier":"flex",'
        + _config(
            '"temperature":2,"topP":0.5,"topK":40,"seed":1,"stopSequences":["a","b","c","d","e"],'
            '"responseLogprobs":true,"logprobs":2,"responseMimeType":"application/json",'
            '"responseJsonSchema":{"x":null},"thinkingConfig":{"thinkingLevel":"LOW"}'
        ),
    ),
    "calls of one turn, answered in another order": _body(
        HI,
        _model(_call("f", "a"), _call("f", "b")),
        _user(_result("f", "b"), _result("f", "a")),
        HI,
    ),
    "an id that a later turn uses again": _body(
        HI,
        _model(_call("f", "a")),
        _user(_result("f", "a")),
        _model(_call("f", "a")),
        _user(_result("f", "a")),
    ),
    "media, in a result too": _body(
        _user(PNG, FILE, '{"fileData":{"fileUri":"files/f","mimeType":"video/mp4"}}'),
        _model(_call()),
        _user(_result(more=f',"response":{{"a":null}},"parts":[{PNG}]')),
    ),
    "code, and what a server's tool did": _body(
        HI,
        _model(
            '{"executableCode":{"language":"PYTHON","code":"1"}}',
            '{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}',
            '{"toolCall":{"toolType":"URL_CONTEXT","args":{}}}',
        ),
    ),
    "tools of all kinds, and a choice of one": _body(
        HI,
        more='"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object"'
        ',"default":null}},{"name":"g.h:i-j","parameters":{"type":"OBJECT"}}]},{"googleSearch":{}}]'
        ',"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}}',
    ),
    "a choice of some or none": _body(HI, more=_choice(f'"mode":"VALIDATED",{NARROWED}')),
    "a cached content": _body(HI, more='"cachedContent":"cachedContents/c"'),
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_gemini_accepts(body: bytes) -> None:
    gemini.check_request(body)


def test_vertex_accepts() -> None:
    typed = FILE.replace('"gs://b/f"', '"gs://b/f","mimeType":"image/png"')
    signed = '{"text":"","thoughtSignature":"AA=="}'
    gemini.check_request(_body(_user(typed), _model(signed), HI, more=METHOD), "vertex")


EXTRA = "schema: Extra inputs are not permitted - at "
SCALAR = "schema: a number or text out of place - at "
NOT_TYPED = {
    "the body is an array": (
        b"[]",
        "schema: Input should be a valid dictionary or instance of _Developer - at the body",
    ),
    "there are no contents": (b"{}", "schema: Field required - at contents"),
    "a key is unknown": (_body(HI, more='"n":1'), EXTRA + "n"),
    "a key is null": (_body(HI, more='"tools":null'), "schema: null - at tools"),
    "a key deep inside is unknown": (
        _body(_user('{"text":"x","n":1}')),
        EXTRA + "contents.0.parts.0.n",
    ),
    "a key is in snake_case": (
        _body(HI, more='"system_instruction":{"parts":[{"text":"x"}]}'),
        EXTRA + "system_instruction",
    ),
    "a key deep inside is in snake_case": (
        _body(_user('{"inline_data":{"data":"AA==","mimeType":"image/png"}}')),
        EXTRA + "contents.0.parts.0.inline_data",
    ),
    "a part stands for a list": (
        _body(f'{{"role":"user","parts":{X}}}'),
        "schema: Input should be a valid list - at contents.0.parts",
    ),
    "a number is a text": (
        _body(HI, more=_config('"maxOutputTokens":"8"')),
        SCALAR + "generationConfig.maxOutputTokens",
    ),
    "a whole number is a fraction": (
        _body(HI, more=_config('"seed":1.5')),
        SCALAR + "generationConfig.seed",
    ),
    "a flag is a number": (
        _body(HI, _model('{"text":"x","thought":1}')),
        SCALAR + "contents.1.parts.0.thought",
    ),
    "a number is a flag": (
        _body(HI, more=_config('"temperature":true')),
        SCALAR + "generationConfig.temperature",
    ),
    "data are no base64": (
        _body(_user(PNG.replace("AA==", "A"))),
        "schema: not base64 - at contents.0.parts.0.inlineData.data",
    ),
    "data are a number": (
        _body(_user(PNG.replace('"AA=="', "1"))),
        "schema: not base64 - at contents.0.parts.0.inlineData.data",
    ),
    "a signature is empty": (
        _body(HI, _model('{"text":"x","thoughtSignature":""}')),
        "schema: empty base64 - at contents.1.parts.0.thoughtSignature",
    ),
    "Vertex is asked to store": (_body(HI, more='"store":true'), EXTRA + "store"),
}


@pytest.mark.parametrize(("body", "message"), NOT_TYPED.values(), ids=NOT_TYPED)
def test_the_types_are_strict(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        gemini.check_request(body, "vertex" if b'"store"' in body else "gemini")
    assert str(error.value) == message


@pytest.mark.parametrize("mode", ['"SOME"', "1"])
def test_an_enumeration_has_its_own_words(mode: str) -> None:
    with pytest.raises(strict.OracleError, match=r"^schema: "):
        gemini.check_request(_body(HI, more=_choice(f'"mode":{mode}')))


BROKEN_RULES = {
    "there is no content": (_body(), "there is a turn - at contents"),
    "a system speaks": (
        _body(HI.replace("user", "system")),
        "every turn is the users or the models - at contents.0.role",
    ),
    "a turn has no parts": (
        _body(HI, '{"role":"model"}', HI),
        "every turn has parts - at contents.1.parts",
    ),
    "the instruction has no parts": (
        _body(HI, more='"systemInstruction":{}'),
        "every turn has parts - at systemInstruction.parts",
    ),
    "a part is nothing": (
        _body(HI, _model('{"thought":true}')),
        "every part has one kind of data - at contents.1.parts.0",
    ),
    "a part is two things": (
        _body(_user('{"text":"x",' + PNG[1:])),
        "every part has one kind of data - at contents.0.parts.0",
    ),
    "the instruction is an image": (
        _body(HI, more=f'"systemInstruction":{{"parts":[{PNG}]}}'),
        "the system instruction is text - at systemInstruction.parts.0",
    ),
    "inline data have no type": (
        _body(_user('{"inlineData":{"data":"AA=="}}')),
        "media have a type and a source - at contents.0.parts.0.inlineData",
    ),
    "a file is a word": (
        _body(_user('{"fileData":{"fileUri":"f"}}')),
        "media have a type and a source - at contents.0.parts.0.fileData",
    ),
    "data in a result have no type": (
        _body(
            HI,
            _model(_call()),
            _user(_result(more=',"response":{},"parts":[{"inlineData":{"data":"AA=="}}]')),
        ),
        "media have a type and a source - "
        "at contents.2.parts.0.functionResponse.parts.0.inlineData",
    ),
    "a user thinks": (
        _body(_user('{"text":"x","thought":true}')),
        "the model thinks and calls and the user answers - at contents.0.parts.0.thought",
    ),
    "a user calls": (
        _body(_user(_call())),
        "the model thinks and calls and the user answers - at contents.0.parts.0.functionCall",
    ),
    "the model answers itself": (
        _body(HI, _model(_result())),
        "the model thinks and calls and the user answers - at contents.1.parts.0.functionResponse",
    ),
    "a call comes first": (
        _body(_model(_call()), _user(_result())),
        "a call comes after the user - at contents.0.parts.0.functionCall",
    ),
    "two calls are answered in two contents": (
        _body(HI, _model(_call("f"), _call("g")), _user(_result("f")), _user(_result("g"))),
        "there are as many results as calls - at contents.2.parts.0.functionResponse\n"
        "there are as many results as calls - at contents.3.parts.0.functionResponse",
    ),
    "an answer goes on in another content": (
        _body(HI, YES, YES),
        "answers in a row are one turn - at contents.2",
    ),
    "a call of two has no result": (
        _body(HI, _model(_call(), _call()), _user(_result())),
        "there are as many results as calls - at contents.2.parts.0.functionResponse",
    ),
    "a call at the end has no result": (
        _body(HI, _model(_call())),
        "there are as many results as calls - at contents.1.parts.0.functionCall",
    ),
    "a result has no call": (
        _body(_user(_result())),
        "there are as many results as calls - at contents.0.parts.0.functionResponse",
    ),
    "a result comes a turn late": (
        _body(HI, _model(_call()), _user(_result()), YES, _user(_result())),
        "there are as many results as calls - at contents.4.parts.0.functionResponse",
    ),
    "a result has another name": (
        _body(HI, _model(_call("f")), _user(_result("g"))),
        "results have the names of their calls - at contents.2.parts.0.functionResponse.name",
    ),
    "a result has another id": (
        _body(HI, _model(_call()), _user(_result("f", "b"))),
        "results have the ids of their calls - at contents.2.parts.0.functionResponse.id",
    ),
    "a result has no id where its call has one": (
        _body(HI, _model(_call("f", "a")), _user(_result())),
        "results have the ids of their calls - at contents.2.parts.0.functionResponse",
    ),
    "two calls of a turn share an id": (
        _body(
            HI,
            _model(_call("f", "a"), _call("f", "a")),
            _user(_result("f", "a"), _result("f", "a")),
        ),
        "call ids are unique in their turn - at contents.1.parts.1.functionCall.id",
    ),
    "a result says nothing": (
        _body(HI, _model(_call()), _user(EMPTY_RESULT)),
        "every call has a name and every result an object - "
        "at contents.2.parts.0.functionResponse.response",
    ),
    "a text stands beside a result": (
        _body(HI, _model(_call()), _user(_result(), X)),
        "results stand apart - at contents.2",
    ),
    "a function's name starts with a digit": (
        _body(HI, more=_tools('{"name":"1"}')),
        "function names match their pattern - at tools.0.functionDeclarations.0.name",
    ),
    "a function's name has 129 characters": (
        _body(HI, more=_tools(f'{{"name":"{"f" * 129}"}}')),
        "function names match their pattern - at tools.0.functionDeclarations.0.name",
    ),
    "two functions share a name": (
        _body(HI, more=_tools('{"name":"f"}', '{"name":"f"}')),
        "function names are unique - at tools.0.functionDeclarations.1.name",
    ),
    "parameters are in two languages": (
        _body(HI, more=_tools('{"name":"f","parameters":{},"parametersJsonSchema":{}}')),
        "parameters describe an object in one language - at tools.0.functionDeclarations.0",
    ),
    "parameters describe a text": (
        _body(HI, more=_tools('{"name":"f","parametersJsonSchema":{"type":"string"}}')),
        "parameters describe an object in one language - "
        "at tools.0.functionDeclarations.0.parametersJsonSchema",
    ),
    "a call is forced without functions": (
        _body(HI, more=_choice('"mode":"ANY"', '"tools":[{"googleSearch":{}}]')),
        "a call is forced only where there are functions - at toolConfig",
    ),
    "a free choice is narrowed": (
        _body(HI, more=_choice(f'"mode":"AUTO",{NARROWED}')),
        "a choice is narrowed only where calls are constrained - "
        "at toolConfig.functionCallingConfig.allowedFunctionNames",
    ),
    "a choice is narrowed to what is not there": (
        _body(HI, more=_choice(f'"mode":"ANY",{NARROWED}', _tools('{"name":"g"}'))),
        "a choice is narrowed only where calls are constrained - "
        "at toolConfig.functionCallingConfig.allowedFunctionNames",
    ),
    "tools go with a cached content": (
        _body(HI, more=f'"cachedContent":"c",{_tools()}'),
        "a cached content brings its own tools - at tools",
    ),
    "the temperature is above two": (
        _body(HI, more=_config('"temperature":2.1')),
        "the temperature is at most two - at generationConfig.temperature",
    ),
    "there are six stop sequences": (
        _body(HI, more=_config('"stopSequences":["a","b","c","d","e","f"]')),
        "there are at most five stop sequences - at generationConfig.stopSequences",
    ),
    "thinking has a budget and a level": (
        _body(HI, more=_config('"thinkingConfig":{"thinkingBudget":1,"thinkingLevel":"LOW"}')),
        "thinking has a budget or a level - at generationConfig.thinkingConfig",
    ),
    "a schema is for text": (
        _body(HI, more=_config('"responseJsonSchema":{}')),
        "a schema is for json - at generationConfig.responseMimeType",
    ),
    "an answer has two schemas": (
        _body(
            HI,
            more=_config(
                '"responseJsonSchema":{},"responseSchema":{},"responseMimeType":"application/json"'
            ),
        ),
        "a schema is for json - at generationConfig",
    ),
    "only the number of probabilities is asked for": (
        _body(HI, more=_config('"logprobs":1')),
        "the number of log probabilities is asked with them - at generationConfig.logprobs",
    ),
    "a label is in capitals": (
        _body(HI, more='"labels":{"k":"V"}'),
        "labels have their form - at labels.k",
    ),
    "a safety setting has a method": (
        _body(HI, more=METHOD),
        "nothing is for vertex - at safetySettings.0.method",
    ),
}


@pytest.mark.parametrize(("body", "message"), BROKEN_RULES.values(), ids=BROKEN_RULES)
def test_gemini_refuses(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        gemini.check_request(body)
    assert str(error.value) == message


BROKEN_BY_VERTEX = {
    "an empty text": (
        _body(_user('{"text":""}')),
        "no text is empty - at contents.0.parts.0.text",
    ),
    "a file of no type": (
        _body(_user(FILE)),
        "every file has a type - at contents.0.parts.0.fileData.mimeType",
    ),
    "what a server's tool is called with": (
        _body(HI, _model('{"toolCall":{"toolType":"URL_CONTEXT"}}')),
        "nothing is for the developer api - at contents.1.parts.0.toolCall",
    ),
}


@pytest.mark.parametrize(("body", "message"), BROKEN_BY_VERTEX.values(), ids=BROKEN_BY_VERTEX)
def test_vertex_refuses(body: bytes, message: str) -> None:
    gemini.check_request(body)
    with pytest.raises(strict.OracleError) as error:
        gemini.check_request(body, "vertex")
    assert str(error.value) == message


def test_every_rule_has_a_request_that_breaks_it() -> None:
    broken = (*BROKEN_RULES.values(), *BROKEN_BY_VERTEX.values())
    rules = (*gemini.RULES, *gemini.RULES_OF["gemini"], *gemini.RULES_OF["vertex"])
    assert {message.partition(" - at ")[0] for _, message in broken} == {
        strict.sentence(rule) for rule in rules
    }


def test_every_fault_has_its_line() -> None:
    with pytest.raises(strict.OracleError) as error:
        gemini.check_request(_body(HI, _model(_call("1", "a"), _call("f", "a"))))
    assert str(error.value).splitlines() == [
        "there are as many results as calls - at contents.1.parts.1.functionCall",
        "call ids are unique in their turn - at contents.1.parts.1.functionCall.id",
        "function names match their pattern - at contents.1.parts.0.functionCall.name",
    ]
