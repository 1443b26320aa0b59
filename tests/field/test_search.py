"""A web search that a provider runs: the tool that goes to another one, and what answers cite.

Each case has a public report of a gateway or a client that got it wrong.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

import pytest

import wireglot as wg
from tests.memory import within
from tests.providers.streams import chunked
from wireglot.framing import sse

CLAUDE: Final = '{"type":"web_search_20250305","name":"web_search"%s}'
PLACE: Final = (
    '"user_location":{"type":"approximate","city":"Oslo","country":"NO","timezone":"Europe/Oslo"}'
)
OPTIONS: Final = ", this API's web search has no such options; left out"
F: Final = '{"name":"f","input_schema":{"type":"object","properties":{}}}'
ASK: Final = {
    "anthropic": '{"model":"m","max_tokens":99,"tools":[%s],"messages":[{"role":"user",'
    '"content":[{"type":"text","text":"Hi"}]}]}',
    "gemini": '{"tools":[%s],"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
    "openai_chat": '{"model":"m",%s,"messages":[{"role":"user","content":"Hi"}]}',
    "openai_responses": '{"model":"m","tools":[%s],"input":[{"role":"user","content":"Hi"}]}',
}


class Case(NamedTuple):
    """A search that one API is asked for, and the body that another one gets."""

    report: str
    source: str
    asked: str
    """The tools, or the key, in a body of `ASK`."""
    target: str
    """The provider, and perhaps a dialect of it after a colon."""
    body: str
    lost: tuple[str, ...] = ()
    """The losses, each a row of the table, and the options that are named before its reason."""
    model: str = "m"


CASES: Final = {
    "a coding agent's nested search, at OpenAI": Case(
        "router-for-me/CLIProxyAPI#121",
        "anthropic",
        CLAUDE % f',"max_uses":8,"allowed_domains":["a.org"],{PLACE}',
        "openai_responses",
        '{"model":"m","max_output_tokens":99,"tools":[{"type":"web_search","filters":'
        '{"allowed_domains":["a.org"]},'
        f"{PLACE}"
        '}],"input":[{"role":"user","content":"Hi"}]}',
        ("web search: `max_uses`",),
    ),
    "a coding agent's nested search, at Google": Case(
        "su-kaka/gcli2api#372",
        "anthropic",
        CLAUDE % ',"max_uses":8,"blocked_domains":["a.org"]',
        "gemini",
        '{"generationConfig":{"maxOutputTokens":99},"tools":[{"googleSearch":{}}],'
        '"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
        ("web search: `blocked_domains`, `max_uses`",),
    ),
    "domains that are blocked, on Vertex": Case(
        "pydantic/pydantic-ai#8218",
        "anthropic",
        CLAUDE % ',"blocked_domains":["a.org"]',
        "gemini:vertex",
        '{"generationConfig":{"maxOutputTokens":99},"tools":[{"googleSearch":'
        '{"excludeDomains":["a.org"]}}],"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
    ),
    "domains that are blocked, at OpenAI": Case(
        "vercel/ai#18035",
        "gemini",
        '{"googleSearch":{"excludeDomains":["a.org"]}}',
        "openai_responses",
        '{"model":"m","tools":[{"type":"web_search","filters":{"blocked_domains":["a.org"]}}],'
        '"input":[{"role":"user","content":"Hi"}]}',
    ),
    "a later version of Anthropic's tool, at xAI": Case(
        "BerriAI/litellm#14011",
        "anthropic",
        '{"type":"web_search_20260318","name":"web_search","allowed_callers":["direct"],'
        '"blocked_domains":["a.org"],"response_inclusion":"excluded",'
        f"{PLACE}"
        "}",
        "openai_responses:xai",
        '{"model":"m","max_output_tokens":99,"tools":[{"type":"web_search","filters":'
        '{"excluded_domains":["a.org"]}}],"input":[{"role":"user","content":"Hi"}]}',
        ("web search: `response_inclusion`, `user_location`",),
    ),
    "all options, at OpenRouter": Case(
        "BerriAI/litellm#10664",
        "anthropic",
        CLAUDE % f',"max_uses":8,"allowed_domains":["a.org"],"blocked_domains":["b.org"],{PLACE}',
        "openai_chat:openrouter",
        '{"model":"m","max_completion_tokens":99,"tools":[{"type":"openrouter:web_search",'
        '"parameters":{"allowed_domains":["a.org"],"excluded_domains":["b.org"],"max_uses":8,'
        f"{PLACE}"
        "}}],"
        '"messages":[{"role":"user","content":"Hi"}]}',
    ),
    "a search of OpenRouter, at Anthropic": Case(
        "BerriAI/litellm#10664",
        "openai_chat",
        '"tools":[{"type":"openrouter:web_search","parameters":{"engine":"exa","max_uses":2,'
        '"excluded_domains":["b.org"],"search_context_size":"medium"}}]',
        "anthropic",
        '{"model":"m","max_tokens":8192,"tools":[{"type":"web_search_20250305",'
        '"name":"web_search","blocked_domains":["b.org"],"max_uses":2}],"messages":'
        '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}',
        ("web search: `engine`",),
    ),
    "the options of Chat, at Google": Case(
        "maximhq/bifrost#4345",
        "openai_chat",
        '"web_search_options":{}',
        "gemini",
        '{"tools":[{"googleSearch":{}}],"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
    ),
    "the options of Chat, at Responses": Case(
        "BerriAI/litellm#14011",
        "openai_chat",
        '"web_search_options":{"search_context_size":"low","user_location":'
        '{"type":"approximate","approximate":{"city":"Utrecht","country":"NL"}}}',
        "openai_responses",
        '{"model":"m","tools":[{"type":"web_search","search_context_size":"low",'
        '"user_location":{"type":"approximate","city":"Utrecht","country":"NL"}}],'
        '"input":[{"role":"user","content":"Hi"}]}',
    ),
    "the preview of Responses, at a search model of Chat": Case(
        "pydantic/pydantic-ai#2822",
        "openai_responses",
        f'{{"type":"web_search_preview","search_context_size":"high",{PLACE}}}',
        "openai_chat",
        '{"model":"gpt-4o-search-preview","web_search_options":{"search_context_size":"high",'
        '"user_location":{"type":"approximate","approximate":{"city":"Oslo","country":"NO",'
        '"timezone":"Europe/Oslo"}}},"messages":[{"role":"user","content":"Hi"}]}',
        model="gpt-4o-search-preview",
    ),
    "a search of Responses, at Anthropic, which takes one list of domains": Case(
        "microsoft/vscode#314275",
        "openai_responses",
        '{"type":"web_search","external_web_access":true,"filters":{"allowed_domains":["a.org"],'
        '"blocked_domains":["b.org"]},"search_context_size":"high"}',
        "anthropic",
        '{"model":"m","max_tokens":8192,"tools":[{"type":"web_search_20250305",'
        '"name":"web_search","allowed_domains":["a.org"]}],"messages":[{"role":"user",'
        '"content":[{"type":"text","text":"Hi"}]}]}',
        ("web search: `blocked_domains`, `search_context_size`",),
    ),
    "beside functions, which Gemini 2 does not take": Case(
        "lbjlaq/Antigravity-Manager#2241",
        "anthropic",
        f"{CLAUDE % ''},{F}",
        "gemini",
        '{"generationConfig":{"maxOutputTokens":99},"tools":[{"functionDeclarations":'
        '[{"name":"f","parametersJsonSchema":{"type":"object","properties":{}}}]}],'
        '"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
        ("opaque tool: a tool that only another API has; left out",),
        model="gemini-2.5-pro",
    ),
    "beside functions, which Gemini 3 takes if it is told to": Case(
        "cloudwego/eino-ext#761",
        "anthropic",
        f"{CLAUDE % ''},{F}",
        "gemini",
        '{"generationConfig":{"maxOutputTokens":99},"toolConfig":'
        '{"includeServerSideToolInvocations":true},"tools":[{"googleSearch":{}},'
        '{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object",'
        '"properties":{}}}]}],"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
        model="gemini-3-pro",
    ),
    "beside functions, on Vertex, which does not know that key": Case(
        "ag2ai/ag2#3145",
        "anthropic",
        f"{CLAUDE % ''},{F}",
        "gemini:vertex",
        '{"generationConfig":{"maxOutputTokens":99},"tools":[{"googleSearch":{}},'
        '{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object",'
        '"properties":{}}}]}],"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
        model="gemini-3-pro",
    ),
    "beside a function of its name": Case(
        "incidentfox/incidentfox#349",
        "openai_responses",
        '{"type":"web_search"},{"type":"function","name":"web_search","parameters":'
        '{"type":"object","properties":{}},"strict":false}',
        "anthropic",
        '{"model":"m","max_tokens":8192,"tools":[{"name":"web_search","input_schema":'
        '{"type":"object","properties":{}},"strict":false}],"messages":[{"role":"user",'
        '"content":[{"type":"text","text":"Hi"}]}]}',
        ("opaque tool: a tool that only another API has; left out",),
    ),
}


def _translated(case: Case) -> tuple[str, list[wg.Loss]]:
    provider = wg.PROVIDERS[case.source]
    request = provider.decode_request(ASK[case.source] % case.asked)
    request.model = case.model
    target, _, dialect = case.target.partition(":")
    losses: list[wg.Loss] = []
    made = wg.PROVIDERS[target].encode_request(request, losses=losses, dialect=dialect or None)
    return made.decode(), losses


@pytest.mark.parametrize("name", CASES)
def test_a_search_becomes_that_of_the_other_api(name: str) -> None:
    case = CASES[name]
    made, losses = _translated(case)
    assert made == case.body.replace('"model":"m"', f'"model":"{case.model}"')
    told = [f"{loss.what}: {loss.why}".removesuffix(OPTIONS) for loss in losses]
    assert told == [*case.lost]
    assert {loss.path for loss in losses} <= {"$.tools[0]"}


def test_each_case_has_a_report() -> None:
    cases = [*CASES.values(), *CITED.values()]
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", case.report) for case in cases)


NO_SEARCH: Final = {
    "a model of Chat that does not search (pydantic/pydantic-ai#2822)": ("openai_chat", "gpt-5"),
    "Mistral (caozhiyuan/copilot-api#185)": ("mistral", "m"),
    "Cohere": ("cohere", "m"),
    "Ollama": ("ollama", "m"),
    "Bedrock": ("bedrock", "m"),
}


@pytest.mark.parametrize("name", NO_SEARCH)
def test_a_search_that_nobody_runs_is_not_invented(name: str) -> None:
    target, model = NO_SEARCH[name]
    losses: list[wg.Loss] = []
    asked = ASK["anthropic"] % (CLAUDE % "")
    made = wg.translate_request(asked, "anthropic", target, losses=losses, model=model)
    assert b"search" not in made
    assert [(loss.path, loss.what, loss.severe) for loss in losses] == [
        ("$.tools[0]", "opaque tool", False),
        ("$.tools", "only tools", True),
    ]


def test_a_search_of_the_options_of_chat_that_nobody_runs_is_severe() -> None:
    losses: list[wg.Loss] = []
    asked = ASK["openai_chat"] % '"web_search_options":{}'
    wg.translate_request(asked, "openai_chat", "ollama", losses=losses)
    assert [(loss.path, loss.what, loss.severe) for loss in losses] == [
        ("$.tools[0]", "opaque tool", False),
        ("$.tools", "only tools", True),
    ]


OWN: Final = {
    "anthropic": '{"type":"web_search_20260209","name":"web_search","max_uses":null}',
    "gemini": '{"google_search":{"timeRangeFilter":{}}}',
    "openai_chat": '"web_search_options":{"search_context_size":"low","new":1e2}',
    "openai_responses": '{"type":"web_search_preview","search_content_types":["text","image"]}',
}


@pytest.mark.parametrize("name", OWN)
def test_a_search_goes_back_to_its_own_api_as_it_came(name: str) -> None:
    asked = (ASK[name] % OWN[name]).encode()
    assert wg.translate_request(asked, name, name) == asked


FORCED: Final = {
    "openai_responses": ("", b'"tool_choice":"required","tools":[{"type":"web_search"}]', []),
    "gemini": ("", b'"tools":[{"googleSearch":{}}]', ["tool choice unused"]),
    "openai_responses, beside another": (
        f",{F}",
        b'"tool_choice":"auto","tools":[{"type":"web_search"},{"type":"function"',
        ["tool choice lost"],
    ),
}


@pytest.mark.parametrize("name", FORCED)
def test_a_search_that_is_forced_by_its_name(name: str) -> None:
    """See su-kaka/gcli2api#208: a coding agent names the search that it wants."""
    more, part, lost = FORCED[name]
    asked = (ASK["anthropic"] % (CLAUDE % "" + more)).replace(
        '"messages"', '"tool_choice":{"type":"tool","name":"web_search"},"messages"'
    )
    losses: list[wg.Loss] = []
    made = wg.translate_request(
        asked, "anthropic", name.partition(",")[0], losses=losses, model="m"
    )
    assert part in made
    assert [loss.what for loss in losses] == lost


ODD: Final = {
    "domains that are not texts": '{"type":"web_search","filters":{"allowed_domains":[1]}}',
    "filters that are not an object": '{"type":"web_search","filters":7}',
    "a place in a place": '{"type":"web_search","user_location":{"approximate":{"approximate":1}}}',
    "a place that is exact": '{"type":"web_search","user_location":{"type":"exact"}}',
    "a size that nobody knows": '{"type":"web_search","search_context_size":"huge"}',
    "a count that is a truth": '{"type":"web_search","max_uses":true}',
    "a number that Python cannot hold": '{"type":"web_search","max_uses":1e400}',
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_option_is_lost_by_its_name(name: str) -> None:
    losses: list[wg.Loss] = []
    asked = ASK["openai_responses"] % ODD[name]
    made = wg.translate_request(asked, "openai_responses", "anthropic", losses=losses)
    assert b'"tools":[{"type":"web_search_20250305","name":"web_search"}]' in made
    assert [loss.what for loss in losses] == ["web search"]


@pytest.mark.parametrize("options", ["[]", '"x"', "true", '{"a":1},"b":[]'])
def test_options_of_another_shape_go_back_to_their_own_api(options: str) -> None:
    asked = (ASK["openai_chat"] % f'"web_search_options":{options}').encode()
    made = wg.translate_request(asked, "openai_chat", "openai_chat")
    assert json.loads(made) == json.loads(asked)


def test_a_conversation_that_grows_tells_of_an_option_once() -> None:
    request = wg.providers.anthropic.decode_request(ASK["anthropic"] % (CLAUDE % ',"max_uses":8'))
    said = [wg.UserMessage.from_text("Hi"), wg.AssistantMessage([wg.TextBlock("Yes")])]
    grown = wg.providers.openai_responses.Transcript([*said, *said, said[0]])
    losses: list[wg.Loss] = []
    made = grown.encode(losses=losses, model="m", tools=request.tools)
    assert [loss.what for loss in losses] == ["web search"]
    assert b'"tools":[{"type":"web_search"}]' in made


# -- what answers cite -------------------------------------------------------------------------

# The sign of the face is one character, two units of UTF-16, and four bytes; `ü` is two bytes.
CHAT: Final = (
    '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
    '"finish_reason":"stop","message":{"role":"assistant","content":"Zürich 😀 liegt.",'
    '"annotations":[{"type":"url_citation","url_citation":{"url":"https://a.org/","title":"A",%s}}]'
    "}}]}"
)
RESPONSES: Final = (
    '{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m",'
    '"output":[{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":'
    '[{"type":"output_text","text":"Zürich 😀 liegt.","annotations":[%s]}]}]}'
)
ANTHROPIC: Final = (
    '{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text",'
    '"text":"Zürich 😀"},{"type":"text","text":" liegt.","citations":[%s]}],"stop_reason":'
    '"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}'
)
GEMINI: Final = (
    '{"candidates":[{"content":{"role":"model","parts":[{"text":"Zürich 😀 liegt."}]},'
    '"finishReason":"STOP","index":0,"groundingMetadata":{"groundingChunks":[%s],'
    '"groundingSupports":[%s]}}]}'
)
CLAUDES: Final = (
    '{"type":"web_search_result_location","cited_text":"%s","encrypted_index":"%s","title":"A",'
    '"url":"https://a.org/"}'
)
WEB: Final = '{"web":{"uri":"https://a.org/","title":"A"}}'
FACE: Final = '{"segment":{"startIndex":8,"endIndex":12},"groundingChunkIndices":[0]}'
NAMED: Final = '"url":"https://a.org/","title":"A",'


class Cited(NamedTuple):
    """An answer that cites a page, and what another API's answer says of that."""

    report: str
    source: str
    answer: str
    target: str
    expected: str
    lost: tuple[str, ...] = ()


CITED: Final = {
    "bytes of Gemini are characters in Chat": Cited(
        "maximhq/bifrost#4345",
        "gemini",
        GEMINI % (WEB, FACE),
        "openai_chat",
        '"content":"Zürich 😀 liegt.","role":"assistant","refusal":null,"annotations":'
        '[{"type":"url_citation","url_citation":{'
        f"{NAMED}"
        '"start_index":7,"end_index":8}}]',
        ("extras",),
    ),
    "bytes of Gemini are characters in Responses": Cited(
        "google-gemini/gemini-cli#29039",
        "gemini",
        GEMINI % (WEB, FACE),
        "openai_responses",
        '"annotations":[{"type":"url_citation",'
        f"{NAMED}"
        '"start_index":7,"end_index":8}],'
        '"text":"Zürich 😀 liegt."',
        ("extras",),
    ),
    "characters of Responses are bytes in Gemini": Cited(
        "google-gemini/gemini-cli#5955",
        "openai_responses",
        RESPONSES % f'{{"type":"url_citation",{NAMED}"start_index":7,"end_index":8}}',
        "gemini",
        f'"groundingMetadata":{{"groundingChunks":[{WEB}],"groundingSupports":[{FACE}]}}',
    ),
    "a citation of Chat in Responses": Cited(
        "vercel/ai#7749",
        "openai_chat",
        CHAT % '"start_index":7,"end_index":8',
        "openai_responses",
        f'"annotations":[{{"type":"url_citation",{NAMED}"start_index":7,"end_index":8}}]',
    ),
    "a source without a place, as of OpenRouter, is of the whole text": Cited(
        "vercel/ai#7749",
        "openai_chat",
        CHAT % '"start_index":0,"end_index":0,"content":"So it is."',
        "anthropic",
        '"text":"Zürich 😀 liegt.","citations":[%s]' % (CLAUDES % ("So it is.", "")),
    ),
    "a citation of Responses in a block of Anthropic": Cited(
        "agentgateway/agentgateway#3479",
        "openai_responses",
        RESPONSES % f'{{"type":"url_citation",{NAMED}"start_index":7,"end_index":8}}',
        "anthropic",
        '"text":"Zürich 😀 liegt.","citations":[%s]' % (CLAUDES % ("", "")),
        ("annotation detail",),
    ),
    "a block of Anthropic that cites, in the one text of Chat": Cited(
        "BerriAI/litellm#23690",
        "anthropic",
        ANTHROPIC % (CLAUDES % ("", "e")),
        "openai_chat",
        '"content":"Zürich 😀 liegt.","role":"assistant","refusal":null,"annotations":'
        '[{"type":"url_citation","url_citation":{'
        f"{NAMED}"
        '"start_index":8,"end_index":15}}]',
    ),
    "the words of the source, in Responses": Cited(
        "BerriAI/litellm#23690",
        "anthropic",
        ANTHROPIC % (CLAUDES % ("So it is.", "e")),
        "openai_responses",
        '"annotations":[{"type":"url_citation",'
        f"{NAMED}"
        '"start_index":0,"end_index":7}],'
        '"text":" liegt."',
        ("annotation detail",),
    ),
    "two blocks of Anthropic, of which the second cites, in Gemini": Cited(
        "Oaklight/llm-rosetta#459",
        "anthropic",
        ANTHROPIC % (CLAUDES % ("", "e")),
        "gemini",
        '"groundingMetadata":{"groundingChunks":['
        f"{WEB}"
        '],"groundingSupports":[{"segment":'
        '{"startIndex":12,"endIndex":19},"groundingChunkIndices":[0]}]}',
    ),
    "a document of the request has no page": Cited(
        "Oaklight/llm-rosetta#459",
        "anthropic",
        ANTHROPIC
        % (
            '{"type":"char_location","cited_text":"c","document_index":0,"document_title":"D",'
            '"start_char_index":0,"end_char_index":1}'
        ),
        "openai_responses",
        '"annotations":[],"text":" liegt."',
        ("annotation",),
    ),
    "a file beside a page": Cited(
        "agentgateway/agentgateway#3479",
        "openai_responses",
        RESPONSES % f'{{"type":"file_citation","file_id":"f","filename":"n","index":3}},'
        f'{{"type":"url_citation",{NAMED}"start_index":0,"end_index":15}}',
        "anthropic",
        '"citations":[%s]' % (CLAUDES % ("", "")),
        ("annotation",),
    ),
    "sources that no segment rests on": Cited(
        "firebase/firebase-android-sdk#8033",
        "gemini",
        GEMINI % (f"{WEB},{{}}", ""),
        "openai_chat",
        f'"url_citation":{{{NAMED}"start_index":0,"end_index":15}}',
        ("extras",),
    ),
    "segments that end outside, and chunks that are not there": Cited(
        "firebase/firebase-android-sdk#8033",
        "gemini",
        GEMINI
        % (
            WEB,
            '{"segment":{"startIndex":13,"endIndex":99},"groundingChunkIndices":[0,7,-1]},'
            '{"segment":{"startIndex":-5}},{}',
        ),
        "openai_chat",
        '"annotations":[{"type":"url_citation","url_citation":{'
        f"{NAMED}"
        '"start_index":9,"end_index":15}}]',
        ("extras",),
    ),
}


@pytest.mark.parametrize("name", CITED)
def test_a_page_that_an_answer_cites_is_cited_in_the_other(name: str) -> None:
    case = CITED[name]
    losses: list[wg.Loss] = []
    made = wg.translate_response(case.answer, case.source, case.target, losses=losses).decode()
    assert case.expected in made
    assert [loss.what for loss in losses] == [*case.lost]


@pytest.mark.parametrize("name", ["anthropic", "gemini", "openai_chat", "openai_responses"])
def test_what_was_cited_goes_back_to_its_own_api(name: str) -> None:
    case = next(case for case in CITED.values() if case.source == name)
    made = wg.translate_response(case.answer, name, name)
    cited = {"citations", "annotations", "groundingMetadata"}
    assert _under(json.loads(made), cited) == _under(json.loads(case.answer), cited)


def _under(value: Any, keys: set[str]) -> list[Any]:
    """Return what stands under some keys, at any depth."""
    if isinstance(value, list):
        return [found for each in value for found in _under(each, keys)]
    if not isinstance(value, dict):
        return []
    found = [value[key] for key in value if key in keys]
    return found + [inner for each in value.values() for inner in _under(each, keys)]


@pytest.mark.parametrize("metadata", ['{"groundingChunks":7}', '{"groundingSupports":[[]]}', "[]"])
def test_grounding_of_another_shape_is_kept_as_it_is(metadata: str) -> None:
    answer = GEMINI.partition('"groundingMetadata"')[0] + f'"groundingMetadata":{metadata}}}]}}'
    response = wg.providers.gemini.decode_response(answer)
    assert metadata.encode() in wg.providers.gemini.encode_response(response)
    losses: list[wg.Loss] = []
    wg.providers.openai_chat.encode_response(response, losses=losses)
    assert [loss.what for loss in losses] == ["extras"]


def test_an_answer_of_gemini_goes_back_to_it_in_a_conversation() -> None:
    answer = wg.providers.gemini.decode_response(GEMINI % (WEB, FACE))
    hi = wg.UserMessage.from_text("Hi")
    asked = wg.Request([hi, answer.message, hi], "gemini-3-pro")
    made = wg.providers.gemini.encode_request(asked).decode()
    assert '{"role":"model","parts":[{"text":"Zürich 😀 liegt."}]}' in made
    losses: list[wg.Loss] = []
    wg.providers.anthropic.encode_request(asked, losses=losses)
    assert [loss.what for loss in losses] == ["annotation"]


def test_many_citations_of_a_long_text_take_one_pass() -> None:
    text = "ü" * 200_000
    refs = [wg.AnnotationRef("https://a.org/", start=i, end=len(text)) for i in range(2000)]
    answer = wg.Response(wg.AssistantMessage([wg.TextBlock(text, refs)]))
    made = wg.providers.gemini.encode_response(answer, losses=[])
    assert len(made) < 1_000_000
    again = wg.providers.gemini.decode_response(made).message.content[0]
    assert isinstance(again, wg.TextBlock)
    assert again.annotations is not None
    assert [ref.start for ref in again.annotations] == [*range(2000)]


def _grounded(uri: str, supports: int, candidates: int = 1) -> bytes:
    chunk = f'{{"web":{{"uri":"https://{uri}/","title":"T"}}}}'
    support = '{"segment":{"endIndex":2},"groundingChunkIndices":[0]}'
    found = f'"groundingChunks":[{chunk}],"groundingSupports":[{",".join([support] * supports)}]'
    parts = '"content":{"role":"model","parts":[{"text":"Hi"}]},"finishReason":"STOP"'
    one = f'{{{parts},"groundingMetadata":{{{found}}}}}'
    return f'{{"candidates":[{",".join([one] * candidates)}]}}'.encode()


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "anthropic", "gemini"])
@pytest.mark.parametrize("candidates", [1, 5])
def test_one_long_address_that_many_segments_cite_is_refused(target: str, candidates: int) -> None:
    body = _grounded("a" * 200_000, 2000, candidates)
    for translate in (
        lambda: wg.translate_response(body, "gemini", target, losses=[]),
        lambda: _stream(body, target),
    ):
        with pytest.raises(wg.LimitError, match=r"sources of more than [\d,]+ characters"):
            within(30 * len(body), translate)


def _stream(body: bytes, target: str) -> bytes:
    translator = wg.StreamTranslator("gemini", target, losses=[])
    return translator.feed(b"data: " + body + b"\n\n") + translator.close()


def test_an_address_that_many_segments_cite_is_read() -> None:
    made = wg.translate_response(_grounded("a" * 300, 2000), "gemini", "openai_chat", losses=[])
    assert made.count(b'"url_citation":{') == 2000


# -- streams -----------------------------------------------------------------------------------


def _event(data: str) -> str:
    kind = json.loads(data).get("type")
    return f"event: {kind}\ndata: {data}\n\n" if kind else f"data: {data}\n\n"


def _piece(delta: str, end: str = "null") -> str:
    return (
        '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        f'[{{"index":0,"delta":{delta},"finish_reason":{end}}}]}}'
    )


def _part(part: str, more: str = "") -> str:
    return f'{{"candidates":[{{"content":{{"role":"model","parts":[{part}]}},"index":0{more}}}]}}'


STREAMS: Final = {
    "anthropic": [
        '{"type":"message_start","message":{"id":"m","type":"message","role":"assistant",'
        '"model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":'
        '{"input_tokens":1,"output_tokens":1}}}',
        '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Zürich 😀"}}',
        '{"type":"content_block_stop","index":0}',
        '{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}',
        '{"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":'
        + CLAUDES % ("", "e")
        + "}}",
        '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":" liegt."}}',
        '{"type":"content_block_stop","index":1}',
        '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},'
        '"usage":{"output_tokens":3}}',
        '{"type":"message_stop"}',
    ],
    "gemini": [
        _part('{"text":"Zürich "}'),
        _part('{"text":"😀 liegt."}'),
        _part(
            '{"text":"","thoughtSignature":"c2ln"}',
            f',"finishReason":"STOP","groundingMetadata":{{"groundingChunks":[{WEB}],'
            f'"groundingSupports":[{FACE}]}}',
        ),
    ],
    "openai_chat": [
        _piece('{"role":"assistant","content":"Zürich "}'),
        _piece('{"content":"😀 liegt."}'),
        _piece(
            f'{{"annotations":[{{"type":"url_citation","url_citation":{{{NAMED}'
            '"start_index":7,"end_index":8}}]}'
        ),
        _piece("{}", '"stop"'),
    ],
    "openai_responses": [
        '{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":'
        '"response","created_at":1,"status":"in_progress","model":"m","output":[]}}',
        '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":'
        '{"type":"message","id":"msg_1","status":"in_progress","role":"assistant","content":[]}}',
        '{"type":"response.content_part.added","sequence_number":2,"item_id":"msg_1",'
        '"output_index":0,"content_index":0,"part":{"type":"output_text","text":"",'
        '"annotations":[]}}',
        '{"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1",'
        '"output_index":0,"content_index":0,"delta":"Zürich 😀 liegt."}',
        '{"type":"response.output_text.annotation.added","sequence_number":4,"item_id":"msg_1",'
        '"output_index":0,"content_index":0,"annotation_index":0,"annotation":'
        f'{{"type":"url_citation",{NAMED}"start_index":7,"end_index":8}}}}',
        '{"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":'
        '{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":'
        '[{"type":"output_text","text":"Zürich 😀 liegt.","annotations":[{"type":"url_citation",'
        f'{NAMED}"start_index":7,"end_index":8}}]}}]}}}}',
        '{"type":"response.completed","sequence_number":6,"response":'
        + RESPONSES % f'{{"type":"url_citation",{NAMED}"start_index":7,"end_index":8}}'
        + "}",
    ],
}
_CHATS: Final = (
    '"delta":{"annotations":[{"type":"url_citation","url_citation":{%s"start_index":%d,'
    '"end_index":%d}}]}'
)
_ADDED: Final = '"annotation":{"type":"url_citation",%s"start_index":%d,"end_index":%d}}'
_GROUNDED: Final = (
    '"groundingSupports":[{"segment":{"startIndex":%d,"endIndex":%d},"groundingChunkIndices":[0]}]'
)
_DELTA: Final = '"delta":{"type":"citations_delta","citation":%s}}'
STREAMED: Final = {
    ("anthropic", "gemini"): (_GROUNDED % (12, 19), []),
    ("anthropic", "openai_chat"): (_CHATS % (NAMED, 8, 15), []),
    ("anthropic", "openai_responses"): (_ADDED % (NAMED, 0, 7), []),
    ("gemini", "anthropic"): (
        _DELTA % (CLAUDES % ("", "")),
        ["annotation detail", "extras", "signature"],
    ),
    ("gemini", "openai_chat"): (_CHATS % (NAMED, 7, 8), ["extras", "signature"]),
    ("gemini", "openai_responses"): (_ADDED % (NAMED, 7, 8), ["extras", "signature"]),
    ("openai_chat", "anthropic"): (_DELTA % (CLAUDES % ("", "")), ["annotation detail"]),
    ("openai_chat", "gemini"): (_GROUNDED % (8, 12), []),
    ("openai_chat", "openai_responses"): (_ADDED % (NAMED, 7, 8), []),
    ("openai_responses", "anthropic"): (_DELTA % (CLAUDES % ("", "")), ["annotation detail"]),
    ("openai_responses", "gemini"): (_GROUNDED % (8, 12), []),
    ("openai_responses", "openai_chat"): (_CHATS % (NAMED, 7, 8), []),
}


@pytest.mark.parametrize("size", [1, 7, None])
@pytest.mark.parametrize(("source", "target"), STREAMED)
def test_a_page_that_a_stream_cites_is_cited_in_the_other(
    source: str, target: str, size: int | None
) -> None:
    """See agentgateway/agentgateway#3515, where only whole answers kept them."""
    expected, lost = STREAMED[source, target]
    data = "".join(map(_event, STREAMS[source])).encode()
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(source, target, losses=losses)
    made = b"".join(map(translator.feed, chunked(data, size or len(data)))) + translator.close()
    assert made.decode().count(expected) == 1
    assert sorted(loss.what for loss in losses) == lost


LATE: Final = [
    wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"), id="1")),
    wg.BlockStart(0, wg.TextBlock("")),
    wg.TextDelta(0, "Oslo"),
    wg.BlockEnd(0, wg.TextBlock("Oslo")),
    wg.CitationDelta(0, wg.AnnotationRef("https://a.org/", "A")),
    wg.StreamEnd(
        wg.Response(
            wg.AssistantMessage(
                [wg.TextBlock("Oslo", [wg.AnnotationRef("https://a.org/", "A")])],
                stop_reason=wg.StopReason.STOP,
                model="m",
            ),
            id="1",
        )
    ),
]


IN_THE_LAST_CHUNK: Final = {
    "gemini": b'"groundingChunks":[{"web":{"uri":"https://a.org/","title":"A"}}]',
    "openai_chat": b'"delta":{"annotations":[{"type":"url_citation","url_citation":{"url":'
    b'"https://a.org/","title":"A","start_index":0,"end_index":4}}]},"logprobs":null,'
    b'"finish_reason":"stop"}',
}


@pytest.mark.parametrize("name", [name for name in wg.PROVIDERS if name not in IN_THE_LAST_CHUNK])
def test_a_citation_after_the_end_of_its_text_is_not_lost_silently(name: str) -> None:
    losses: list[wg.Loss] = []
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=losses)
    for event in LATE:
        encoder.encode(event)
    assert {loss.what for loss in losses} == {"annotation"}


@pytest.mark.parametrize("name", IN_THE_LAST_CHUNK)
def test_a_citation_after_the_end_of_its_text_is_in_the_last_chunk(name: str) -> None:
    encoder = wg.PROVIDERS[name].StreamEncoder()
    made = b"".join(map(encoder.encode, LATE))
    assert IN_THE_LAST_CHUNK[name] in made


# openai/openai-java#297: the accumulator of the SDK takes the citations of an answer once.


def _cited(index: int, word: str, url: str) -> list[wg.StreamEvent]:
    block = wg.TextBlock(word, [wg.AnnotationRef(url, "T", start=0, end=2)])
    return [
        wg.BlockStart(index, wg.TextBlock("")),
        wg.TextDelta(index, word),
        wg.BlockEnd(index, block),
    ]


def test_openais_own_helper_reads_the_citations_of_a_stream() -> None:
    from openai.lib.streaming import chat
    from openai.types import chat as chunks

    events = [*_cited(0, "Oslo", "https://a.org/"), *_cited(1, "Bern", "https://b.org/")]
    content = [event.block for event in events if isinstance(event, wg.BlockEnd)]
    answer = wg.AssistantMessage(content, wg.StopReason.STOP, "m")
    encoder = wg.providers.openai_chat.StreamEncoder()
    made = b"".join(map(encoder.encode, [LATE[0], *events, wg.StreamEnd(wg.Response(answer))]))
    state = chat.ChatCompletionStreamState()
    *frames, _ = sse.Decoder().feed(made)
    for _, data in frames:
        list(state.handle_chunk(chunks.ChatCompletionChunk.model_validate_json(data)))
    message = state.get_final_completion().choices[0].message
    assert message.content == "OsloBern"
    found = [each.url_citation for each in message.annotations]
    assert [(each.url, each.start_index, each.end_index) for each in found] == [
        ("https://a.org/", 0, 2),
        ("https://b.org/", 4, 6),
    ]
