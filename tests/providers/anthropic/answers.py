"""Answers of the API as it would write them, each as a body and as a stream."""

__all__ = ["BODY", "STREAM", "frames"]

BODY = (
    b'{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-8","content":['
    b'{"type":"thinking","thinking":"Paris?","signature":"c2ln"},'
    b'{"type":"redacted_thinking","data":"ZGF0YQ=="},'
    b'{"type":"text","text":"Let me look. \\u00e9\\ud83d\\ude00","citations":['
    b'{"type":"page_location","cited_text":"c","document_index":0,"document_title":"t",'
    b'"start_page_number":2,"end_page_number":3,"file_id":null}]},'
    b'{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"w"}},'
    b'{"type":"tool_use","id":"toolu_1","name":"weather","input":{"city":"Paris", "n":1e2}},'
    b'{"type":"tool_use","id":"toolu_2","name":"now","input":{}}],'
    b'"stop_reason":"tool_use","stop_sequence":null,"container":{"id":"c","expires_at":"2026"},'
    b'"usage":{"input_tokens":10,"cache_creation_input_tokens":3,"cache_read_input_tokens":5,'
    b'"cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":0},'
    b'"output_tokens":40,"output_tokens_details":{"thinking_tokens":7},'
    b'"service_tier":"standard"}}'
)


def frames(*events: tuple[str, str]) -> bytes:
    """Return a stream of events, each its type and the rest of its JSON."""
    return b"".join(
        f'event: {kind}\ndata: {{"type":"{kind}"{"," if rest else ""}{rest}}}\n\n'.encode()
        for kind, rest in events
    )


def _delta(index: int, delta: str) -> tuple[str, str]:
    return "content_block_delta", f'"index":{index},"delta":{{{delta}}}'


def _block(index: int, block: str) -> tuple[str, str]:
    return "content_block_start", f'"index":{index},"content_block":{{{block}}}'


def _stop(index: int) -> tuple[str, str]:
    return "content_block_stop", f'"index":{index}'


STREAM = frames(
    (
        "message_start",
        '"message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-8",'
        '"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,'
        '"cache_creation_input_tokens":3,"cache_read_input_tokens":5,"cache_creation":'
        '{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":0},"output_tokens":1,'
        '"service_tier":"standard"}}',
    ),
    _block(0, '"type":"thinking","thinking":"","signature":""'),
    ("ping", ""),
    _delta(0, '"type":"thinking_delta","thinking":"Par"'),
    _delta(0, '"type":"thinking_delta","thinking":"is?"'),
    _delta(0, '"type":"signature_delta","signature":"c2ln"'),
    _stop(0),
    _block(1, '"type":"redacted_thinking","data":"ZGF0YQ=="'),
    _stop(1),
    _block(2, '"type":"text","text":""'),
    _delta(2, '"type":"text_delta","text":"Let me look. "'),
    _delta(2, '"type":"text_delta","text":"é😀"'),
    _delta(
        2,
        '"type":"citations_delta","citation":{"type":"page_location","cited_text":"c",'
        '"document_index":0,"document_title":"t","start_page_number":2,"end_page_number":3,'
        '"file_id":null}',
    ),
    _stop(2),
    _block(3, '"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}'),
    _delta(3, r'"type":"input_json_delta","partial_json":"{\"query\":"'),
    _delta(3, r'"type":"input_json_delta","partial_json":"\"w\"}"'),
    _stop(3),
    _block(4, '"type":"tool_use","id":"toolu_1","name":"weather","input":{}'),
    _delta(4, r'"type":"input_json_delta","partial_json":""'),
    _delta(4, r'"type":"input_json_delta","partial_json":"{\"city\":\"Pa"'),
    _delta(4, r'"type":"input_json_delta","partial_json":"ris\", \"n\":1e2}"'),
    _stop(4),
    _block(5, '"type":"tool_use","id":"toolu_2","name":"now","input":{}'),
    _stop(5),
    (
        "message_delta",
        '"delta":{"stop_reason":"tool_use","stop_sequence":null,'
        '"container":{"id":"c","expires_at":"2026"}},'
        '"usage":{"output_tokens":40,"output_tokens_details":{"thinking_tokens":7}}',
    ),
    ("message_stop", ""),
)
