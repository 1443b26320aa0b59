"""Answers of the API as it would write them, each as a body and as a stream."""

__all__ = ["BODY", "STREAM", "body", "frame", "frames"]

_ECHO = (
    '"id":"resp_1","object":"response","created_at":1700000000,"model":"gpt-5",'
    '"error":null,"incomplete_details":null,"instructions":"Be brief.","metadata":{},'
    '"parallel_tool_calls":true,"temperature":1.0,"tool_choice":"auto","tools":[],"top_p":0.98'
)
_USAGE = (
    '{"input_tokens":30,"input_tokens_details":{"cached_tokens":8,"cache_write_tokens":2},'
    '"output_tokens":40,"output_tokens_details":{"reasoning_tokens":7},"total_tokens":70}'
)
_CITED = '{"type":"url_citation","url":"https://x.org","title":"t","start_index":0,"end_index":3}'
_THOUGHT = (
    '{"id":"rs_a","type":"reasoning","summary":[{"type":"summary_text","text":"Paris?"},'
    '{"type":"summary_text","text":"Yes."}],"encrypted_content":"c2ln"}'
)
_SEARCH = (
    '{"id":"ws_a","type":"web_search_call","status":"completed",'
    '"action":{"type":"search","query":"w"}}'
)
_SAID = (
    '{"id":"msg_a","type":"message","status":"completed","role":"assistant",'
    '"phase":"commentary","content":[{"type":"output_text","text":"Let me look. é😀",'
    f'"annotations":[{_CITED}],"logprobs":[]}}]}}'
)
_ARGUMENTS = r'"{\"city\":\"Paris\", \"n\":1e2}"'
_CALL = (
    '{"id":"fc_a","type":"function_call","status":"completed","call_id":"call_1",'
    f'"name":"weather","arguments":{_ARGUMENTS}}}'
)
_CUSTOM = (
    '{"id":"ctc_a","type":"custom_tool_call","call_id":"call_2","name":"sql","input":"SELECT 1"}'
)
_WHOLE = (
    f'{{{_ECHO},"status":"completed","service_tier":"default",'
    f'"output":[{_THOUGHT},{_SEARCH},{_SAID},{_CALL},{_CUSTOM}],"usage":{_USAGE}}}'
)
BODY = _WHOLE.encode()
_BEGUN = f'{{{_ECHO},"status":"in_progress","service_tier":"auto","output":[],"usage":null}}'


def body(output: str, status: str = "completed", more: str = "") -> bytes:
    """Return an answer with these items."""
    return (
        '{"id":"resp_1","object":"response","created_at":1,"model":"m","parallel_tool_calls":true,'
        f'"tool_choice":"auto","tools":[],"status":"{status}","output":[{output}]{more}}}'
    ).encode()


def frame(number: int, kind: str, rest: str = "") -> bytes:
    """Return an event."""
    keys = f'"type":"{kind}","sequence_number":{number}{"," if rest else ""}{rest}'
    return f"event: {kind}\ndata: {{{keys}}}\n\n".encode()


def frames(*events: tuple[str, str]) -> bytes:
    """Return a stream of events, each its type (without `response.`) and the rest of its JSON."""
    return b"".join(
        frame(number, kind if kind == "error" else f"response.{kind}", rest)
        for number, (kind, rest) in enumerate(events)
    )


def _at(index: int, item_id: str, place: str = "") -> str:
    return f'"output_index":{index},"item_id":"{item_id}"{"," if place else ""}{place}'


def _summary(place: int, text: str) -> list[tuple[str, str]]:
    at = _at(0, "rs_a", f'"summary_index":{place}')
    return [
        ("reasoning_summary_part.added", f'{at},"part":{{"type":"summary_text","text":""}}'),
        ("reasoning_summary_text.delta", f'{at},"delta":"{text[:2]}","obfuscation":"xYz"'),
        ("reasoning_summary_text.delta", f'{at},"delta":"{text[2:]}"'),
        ("reasoning_summary_text.done", f'{at},"text":"{text}"'),
        ("reasoning_summary_part.done", f'{at},"part":{{"type":"summary_text","text":"{text}"}}'),
    ]


_HERE = _at(2, "msg_a", '"content_index":0')
STREAM = frames(
    ("created", f'"response":{_BEGUN}'),
    ("in_progress", f'"response":{_BEGUN}'),
    (
        "output_item.added",
        '"output_index":0,"item":{"id":"rs_a","type":"reasoning","summary":[],'
        '"encrypted_content":"c2"}',
    ),
    *_summary(0, "Paris?"),
    *_summary(1, "Yes."),
    ("output_item.done", f'"output_index":0,"item":{_THOUGHT}'),
    (
        "output_item.added",
        '"output_index":1,"item":{"id":"ws_a","type":"web_search_call","status":"in_progress",'
        '"action":{"type":"search","query":""}}',
    ),
    ("web_search_call.searching", _at(1, "ws_a")),
    ("output_item.done", f'"output_index":1,"item":{_SEARCH}'),
    (
        "output_item.added",
        '"output_index":2,"item":{"id":"msg_a","type":"message","status":"in_progress",'
        '"role":"assistant","phase":"commentary","content":[]}',
    ),
    (
        "content_part.added",
        f'{_HERE},"part":{{"type":"output_text","text":"","annotations":[],"logprobs":[]}}',
    ),
    ("output_text.delta", f'{_HERE},"delta":"Let me look. ","logprobs":[]'),
    ("output_text.delta", f'{_HERE},"delta":"é😀","logprobs":[],"obfuscation":"q"'),
    ("output_text.annotation.added", f'{_HERE},"annotation_index":0,"annotation":{_CITED}'),
    ("output_text.done", f'{_HERE},"text":"Let me look. é😀","logprobs":[]'),
    (
        "content_part.done",
        f'{_HERE},"part":{{"type":"output_text","text":"Let me look. é😀",'
        f'"annotations":[{_CITED}],"logprobs":[]}}',
    ),
    ("output_item.done", f'"output_index":2,"item":{_SAID}'),
    (
        "output_item.added",
        '"output_index":3,"item":{"id":"fc_a","type":"function_call","status":"in_progress",'
        '"call_id":"call_1","name":"weather","arguments":""}',
    ),
    ("function_call_arguments.delta", _at(3, "fc_a", r'"delta":"{\"city\":\"Pa"')),
    ("function_call_arguments.delta", _at(3, "fc_a", r'"delta":"ris\", \"n\":1e2}"')),
    ("function_call_arguments.done", _at(3, "fc_a", f'"arguments":{_ARGUMENTS}')),
    ("output_item.done", f'"output_index":3,"item":{_CALL}'),
    (
        "output_item.added",
        '"output_index":4,"item":{"id":"ctc_a","type":"custom_tool_call","call_id":"call_2",'
        '"name":"sql","input":""}',
    ),
    ("custom_tool_call_input.delta", _at(4, "ctc_a", '"delta":"SELECT 1"')),
    ("custom_tool_call_input.done", _at(4, "ctc_a", '"input":"SELECT 1"')),
    ("output_item.done", f'"output_index":4,"item":{_CUSTOM}'),
    ("completed", f'"response":{_WHOLE}'),
)
