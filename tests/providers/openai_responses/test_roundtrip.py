"""What came over Responses goes back over it: the same JSON, but for what is listed here."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.openai_responses.pieces import CALL_A, HI, RESULT_A, YES, body, said

responses = wg.providers.openai_responses

THOUGHT = '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"}'
PART = '{"type":"output_text","text":"x","annotations":[],"logprobs":[]}'
ECHO = (
    '{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":['
    + PART
    + '],"phase":"final_answer"}'
)
SEARCH = '{"type":"web_search_call","id":"ws_1","action":{"type":"search","query":"q"},"x":1e2}'

# How it differs from what we would write -> what comes.
EXACT: dict[str, bytes] = {
    "messages": body('{"role":"system","content":"x"}', HI, YES, HI),
    "a developer": body('{"role":"developer","content":"x"}', HI),
    "instructions": body(HI, head='"instructions":""'),
    "instructions beside a system message": body(
        '{"role":"system","content":"y"}', HI, head='"instructions":"x"'
    ),
    "an answer's items, as the service gave them": body(
        HI,
        THOUGHT,
        SEARCH,
        THOUGHT.replace("rs_1", "rs_2"),
        ECHO,
        CALL_A[:-1] + ',"id":"fc_1","status":"completed"}',
        RESULT_A[:-1] + ',"status":"completed"}',
    ),
    "an answer's message of several parts": body(
        HI, ECHO.replace(PART, f'{PART},{{"type":"refusal","refusal":"no"}},{PART}')
    ),
    "messages of several parts without ids": body(
        '{"role":"assistant","content":[{"type":"output_text","text":"a"},'
        '{"type":"output_text","text":"b"}]}',
        '{"role":"assistant","content":[{"type":"output_text","text":"c"},'
        '{"type":"refusal","refusal":"d"}]}',
        HI,
    ),
    "a message with an id, its part without annotations": body(
        ECHO.replace(',"annotations":[],"logprobs":[]', ""), HI
    ),
    "a phase without an id": body(YES[:-1] + ',"phase":"commentary"}', HI),
    "citations of all kinds": body(
        ECHO.replace(
            '"annotations":[]',
            '"annotations":[{"type":"url_citation","start_index":0,"end_index":1,"title":"t",'
            '"url":"u"},{"type":"file_citation","file_id":"f","filename":"n","index":0},'
            '{"type":"hologram","x":1}]',
        ),
        HI,
    ),
    "reasoning of all kinds": body(
        HI,
        '{"type":"reasoning","summary":[{"type":"summary_text","text":""}],"id":"rs_1"}',
        '{"type":"reasoning","summary":[{"type":"summary_text","text":"a\\n\\n"},'
        '{"type":"summary_text","text":"b"}],"encrypted_content":"e","status":"completed"}',
        '{"type":"reasoning","content":[{"type":"reasoning_text","text":"a"},'
        '{"type":"reasoning_text","text":"b"}],"summary":[{"type":"summary_text","text":"s"}],'
        '"encrypted_content":"e"}',
        '{"type":"reasoning","content":[],"summary":[],"encrypted_content":"e","signature":"s"}',
        '{"type":"reasoning","id":"rs_2","encrypted_content":"e"}',
        '{"type":"reasoning","summary":[{"type":"summary_text","text":"x"}]}',
        '{"type":"reasoning","summary":[{"type":"drawing","x":1}]}',
        YES,
    ),
    "reasoning without an id at the end": body(HI, THOUGHT.replace('"id":"rs_1",', "")),
    "calls and results": body(
        CALL_A.replace("{}", r"{\"a\": 1e2}")[:-1] + ',"async":true}',
        '{"type":"custom_tool_call","call_id":"b","name":"g","input":"1\\u00e9","namespace":"n"}',
        '{"type":"custom_tool_call_output","call_id":"b","output":"2"}',
        '{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"x"},'
        '{"type":"input_image","image_url":"https://x.org","detail":"low"}]}',
    ),
    "a custom call with a function's result": body(
        '{"type":"custom_tool_call","call_id":"b","name":"g","input":"1"}',
        '{"type":"function_call_output","call_id":"b","output":"2"}',
    ),
    "arguments that are none": body(CALL_A.replace('"{}"', '""'), RESULT_A),
    "a result whose call is stored": body(
        '{"type":"custom_tool_call_output","call_id":"b","output":"2"}',
        RESULT_A,
        head='"previous_response_id":"resp_1"',
    ),
    "a result for a call of the API's own": body(
        '{"type":"tool_search_call","call_id":"a","arguments":{"q":[1]},"execution":"client"}',
        RESULT_A,
    ),
    "items of the API's own, with results between those of calls": body(
        HI,
        CALL_A,
        '{"type":"computer_call","id":"cu_1","call_id":"c","action":{"type":"screenshot"},'
        '"pending_safety_checks":[],"status":"completed"}',
        '{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot",'
        '"image_url":"https://x.org"}}',
        RESULT_A,
        '{"type":"additional_tools","role":"developer","tools":[{"type":"web_search"}]}',
        CALL_A,
        '{"type":"shell_call_output","call_id":"s","output":[{"stdout":"","stderr":"",'
        '"outcome":{"type":"exit","exit_code":0}}]}',
        RESULT_A,
        '{"id":"msg_1"}',
        '{"type":"compaction","id":"cmp_1","encrypted_content":"e"}',
        HI,
    ),
    "media": body(
        said(
            '{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="}',
            '{"type":"input_image","image_url":"data:image/bmp;base64,Qk0=","detail":"auto"}',
            '{"type":"input_image","image_url":"blob:x","detail":"auto"}',
            '{"type":"input_image","file_id":"f","detail":"huge"}',
            '{"type":"input_file","file_data":"data:application/pdf;base64,JVBERi0="}',
            '{"type":"input_file","file_data":"data:audio/mpeg;base64,SUQz","filename":"a"}',
            '{"type":"input_file","file_id":"f","filename":"a","detail":"low"}',
            '{"type":"input_file","file_url":"https://x.org","k":1}',
            '{"type":"input_file","file_data":"JVBERi0=","filename":"a"}',
            '{"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3"}}',
        )
    ),
    "cache breakpoints": body(
        said(
            '{"type":"input_text","text":"x","prompt_cache_breakpoint":{"mode":"explicit"}}',
            '{"type":"input_text","text":"x","prompt_cache_breakpoint":'
            '{"mode":"explicit","ttl":"12h","k":1}}',
        )
    ),
    "texts of the other side": body(
        said('{"type":"output_text","text":"x","annotations":[]}'),
        said('{"type":"input_text","text":"x"}', role="assistant"),
        HI,
    ),
    "unknown keys everywhere": body(
        '{"a":1,"role":"user","content":[{"b":[1e2],"type":"input_text","text":"x"}]}',
        '{"c":null,"role":"assistant","content":"x"}',
        '{"role":"assistant","content":[{"d":{},"type":"output_text","text":"x"}],"e":1}',
        '{"role":"system","content":"x","f":123456789012345678901234567890}',
        HI,
        head='"g":{"h":1.0}',
    ),
    "parameters in other words": body(
        HI,
        head='"stream":false,"store":true,"include":["file_search_call.results"],'
        '"reasoning":{"effort":"low","summary":"detailed","mode":"pro","enabled":true},'
        '"text":{"format":{"type":"text"},"verbosity":"low"},"user":"u","truncation":"auto",'
        '"temperature":1,"top_logprobs":0,"parallel_tool_calls":true,"tool_choice":"auto",'
        '"max_output_tokens":1,"stop":"x","metadata":{"a":1},"prompt_cache_key":"k"',
    ),
    "tools in other words": body(
        HI,
        head='"tools":[{"type":"function","name":"f","parameters":{"type":"object"}},'
        '{"type":"function","name":"g","parameters":{"type":"object","properties":{}},'
        '"strict":true,"defer_loading":true},{"type":"function","name":"h"},'
        '{"type":"custom","name":"i","format":{"type":"text"}},{"type":"web_search"}],'
        '"tool_choice":{"type":"web_search"}',
    ),
    "a choice of a custom tool": body(
        HI,
        head='"tools":[{"type":"custom","name":"f"}],"tool_choice":{"type":"custom","name":"f"}',
    ),
    "a choice of a tool that there is not": body(
        HI,
        head='"tools":[{"type":"function","name":"g","parameters":{"type":"object"}}],'
        '"tool_choice":{"type":"function","name":"f"}',
    ),
    "nothing but a stored prompt": b'{"prompt":{"id":"pmpt_1"}}',
}


@pytest.mark.parametrize("data", EXACT.values(), ids=EXACT)
def test_a_body_comes_back(data: bytes) -> None:
    losses: list[wg.Loss] = []
    again = responses.encode_request(responses.decode_request(data), losses=losses)
    assert json.loads(again) == json.loads(data)
    assert losses == []


@pytest.mark.parametrize("data", EXACT.values(), ids=EXACT)
def test_a_body_comes_back_through_the_native_wires(data: bytes) -> None:
    decoded = responses.decode_request(data)
    through_json = wg.json.decode(wg.json.encode(decoded), type=wg.Request)
    through_msgpack = wg.msgpack.decode(wg.msgpack.encode(decoded), type=wg.Request)
    assert json.loads(responses.encode_request(through_json)) == json.loads(data)
    assert json.loads(responses.encode_request(through_msgpack)) == json.loads(data)


@pytest.mark.parametrize("dialect", responses.DIALECTS)
def test_each_dialect_gives_back_what_it_got(dialect: str) -> None:
    for data in EXACT.values():
        decoded = responses.decode_request(data, dialect=dialect)
        assert json.loads(responses.encode_request(decoded, dialect=dialect)) == json.loads(data)


OTHERWISE: dict[str, tuple[bytes, bytes]] = {
    "an input that is a string": (b'{"model":"m","input":"hi"}', body(HI)),
    "a message that says that it is one": (body('{"type":"message",' + HI[1:]), body(HI)),
    "a list of one text": (
        body(
            said('{"type":"input_text","text":"hi"}'),
            said('{"type":"output_text","text":"yes"}', role="assistant"),
        ),
        body(HI, YES),
    ),
    "a result that is a list of one text": (
        body(CALL_A, RESULT_A.replace('""', '[{"type":"input_text","text":""}]')),
        body(CALL_A, RESULT_A),
    ),
    "a message with an id whose content is a string": (
        body('{"type":"message","id":"msg_1","role":"assistant","content":"x"}'),
        body(
            '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x",'
            '"annotations":[]}],"id":"msg_1"}'
        ),
    ),
    "a message without parts": (body(said(), HI), body(HI)),
    "an answer's message without parts": (
        body(said(role="assistant")),
        body('{"role":"assistant","content":""}'),
    ),
    "a key that is null": (
        body(
            '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":null}',
            '{"type":"message","role":"assistant","content":"x","phase":null,"status":null}',
            head='"temperature":null,"tools":[{"type":"function","name":"f","description":null,'
            '"parameters":null,"strict":null}]',
        ),
        body(
            '{"type":"reasoning","summary":[],"id":"rs_1"}',
            '{"role":"assistant","content":"x"}',
            head='"tools":[{"type":"function","name":"f"}]',
        ),
    ),
    "no tools": (body(HI, head='"tools":[]'), body(HI)),
    "arguments that are an object": (
        body(CALL_A.replace('"{}"', '{"a": 1}'), RESULT_A),
        body(CALL_A.replace('"{}"', r'"{\"a\": 1}"'), RESULT_A),
    ),
}


@pytest.mark.parametrize(("data", "expected"), OTHERWISE.values(), ids=OTHERWISE)
def test_what_comes_back_otherwise(data: bytes, expected: bytes) -> None:
    assert responses.encode_request(responses.decode_request(data)) == expected


IMAGE = '{"type":"input_image","image_url":"https://x.org"}'
FILE = '{"type":"input_file","file_data":"data:application/pdf;base64,JVBERi0="}'
MARKED = (
    '{"type":"input_text","text":"x","prompt_cache_breakpoint":{"mode":"explicit","ttl":"12h"}}'
)
TOOL = '{"type":"function","name":"f","parameters":{}}'


def test_what_a_caller_changes_wins_over_what_came() -> None:
    asked = responses.decode_request(
        body(said(IMAGE, FILE, MARKED), head=f'"store":false,"temperature":1,"tools":[{TOOL}]')
    )
    image, file, marked = (block for block in asked.messages[0].content)
    tool: Any = asked.tools[0] if asked.tools else None
    image.detail = "high"  # type: ignore[union-attr]
    file.filename = "b.pdf"  # type: ignore[union-attr]
    marked.cache = None  # type: ignore[union-attr]
    tool.strict = True
    tool.parameters = wg.RawJson('{"type":"object","properties":{"a":{}}}')
    asked.temperature = 0.5
    assert responses.encode_request(asked) == body(
        said(
            IMAGE[:-1] + ',"detail":"high"}',
            FILE.replace('"file_data"', '"filename":"b.pdf","file_data"'),
            '{"type":"input_text","text":"x"}',
        ),
        head='"store":false,"temperature":0.5,"tools":[{"type":"function","name":"f",'
        '"parameters":{"type":"object","properties":{"a":{}}},"strict":true}]',
    )


def test_a_summary_that_came_not_at_all_does_not_hide_a_new_one() -> None:
    asked = responses.decode_request(
        body('{"type":"reasoning","id":"rs_1","encrypted_content":"e"}', YES)
    )
    asked.messages[0].content[0].thinking = "x"  # type: ignore[union-attr]
    assert responses.encode_request(asked) == body(
        '{"type":"reasoning","summary":[{"type":"summary_text","text":"x"}],'
        '"encrypted_content":"e","id":"rs_1"}',
        YES,
    )


def test_a_byte_order_mark_is_skipped() -> None:
    assert responses.decode_request(b"\xef\xbb\xbf" + body(HI)).messages
