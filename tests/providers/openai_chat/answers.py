"""Answers as services would write them, each as a body and as a stream."""

__all__ = ["BODY", "OPENROUTER_BODY", "OPENROUTER_STREAM", "STREAM", "chunk", "delta", "stream"]

_HEAD = '"id":"chatcmpl-1","object":"chat.completion.chunk","created":1754432618,"model":"gpt-5"'

BODY = (
    b'{"id":"chatcmpl-1","object":"chat.completion","created":1754432618,"model":"gpt-5",'
    b'"choices":[{"index":0,"message":{"role":"assistant","content":"Let me look. \\u00e9'
    b'\\ud83d\\ude00","refusal":null,"tool_calls":[{"id":"call_1","type":"function","function":'
    b'{"name":"weather","arguments":"{\\"city\\":\\"Paris\\", \\"n\\":1e2}"}},'
    b'{"id":"call_2","type":"function","function":{"name":"now","arguments":"{}"}}]},'
    b'"logprobs":{"content":[{"token":"L","logprob":-0.5,"bytes":[76],"top_logprobs":[]},'
    b'{"token":"e","logprob":0.0,"bytes":[101],"top_logprobs":[]}],"refusal":null},'
    b'"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":18,"completion_tokens":40,'
    b'"total_tokens":58,"prompt_tokens_details":{"cached_tokens":5,"cache_write_tokens":3,'
    b'"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":7,"audio_tokens":0}},'
    b'"service_tier":"default","system_fingerprint":"fp_1"}'
)


def chunk(keys: str, head: str = _HEAD) -> bytes:
    return f"data: {{{head},{keys}}}\n\n".encode()


def delta(said: str, finish: str = "null", index: int = 0, more: str = "") -> bytes:
    """Return a chunk with a delta, its JSON without the braces."""
    return chunk(
        f'"choices":[{{"index":{index},"delta":{{{said}}}{more},"finish_reason":{finish}}}]'
    )


def stream(*chunks: bytes) -> bytes:
    return b"".join((*chunks, b"data: [DONE]\n\n"))


def _chunk(choices: str, usage: str = "null") -> bytes:
    tier = '"service_tier":"default","system_fingerprint":"fp_1"'
    return chunk(f'{tier},"choices":[{choices}],"usage":{usage},"obfuscation":"x7"')


def _choice(said: str, finish: str = "null", logprobs: str = "null") -> bytes:
    return _chunk(
        f'{{"index":0,"delta":{{{said}}},"logprobs":{logprobs},"finish_reason":{finish}}}'
    )


def _call(index: int, rest: str) -> bytes:
    return _choice(f'"tool_calls":[{{"index":{index},{rest}}}]')


STREAM = stream(
    _choice('"role":"assistant","content":"","refusal":null'),
    _choice(
        '"content":"Let me look. "',
        logprobs='{"content":[{"token":"L","logprob":-0.5,"bytes":[76],"top_logprobs":[]}],'
        '"refusal":null}',
    ),
    b": a comment that keeps the connection\n\n",
    _choice(
        '"content":"é😀"',
        logprobs='{"content":[{"token":"e","logprob":0.0,"bytes":[101],"top_logprobs":[]}],'
        '"refusal":null}',
    ),
    _call(0, '"id":"call_1","type":"function","function":{"name":"weather","arguments":""}'),
    _call(0, r'"function":{"arguments":"{\"city\":\"Pa"}'),
    _call(0, r'"function":{"arguments":"ris\", \"n\":1e2}"}'),
    _call(1, '"id":"call_2","type":"function","function":{"name":"now","arguments":""}'),
    _call(1, '"function":{"arguments":"{}"}'),
    _choice("", '"tool_calls"'),
    _chunk(
        "",
        '{"prompt_tokens":18,"completion_tokens":40,"total_tokens":58,"prompt_tokens_details":'
        '{"cached_tokens":5,"cache_write_tokens":3,"audio_tokens":0},'
        '"completion_tokens_details":{"reasoning_tokens":7,"audio_tokens":0}}',
    ),
)

OPENROUTER_BODY = (
    b'{"id":"gen-1","object":"chat.completion","created":1754432618,"model":"anthropic/c",'
    b'"provider":"Anthropic","choices":[{"index":0,"message":{"role":"assistant","content":"Hi",'
    b'"refusal":null,"reasoning":"Paris?","reasoning_details":[{"type":"reasoning.text","text":'
    b'"Paris?","signature":"c2ln","format":"anthropic-claude-v1","index":0},'
    b'{"type":"reasoning.encrypted","data":"ZGF0YQ==","id":"rs_1","index":1}],"annotations":['
    b'{"type":"url_citation","url_citation":{"url":"https://a.b/","title":"t","start_index":0,'
    b'"end_index":2}}]},"logprobs":null,"finish_reason":"stop","native_finish_reason":"end_turn"}],'
    b'"usage":{"prompt_tokens":10,"completion_tokens":4,"total_tokens":14,"cost":0.25}}'
)


def _routed(said: str, finish: str = "null", native: str = "null") -> bytes:
    head = (
        '"id":"gen-1","object":"chat.completion.chunk","created":1754432618,"model":"anthropic/c"'
    )
    return chunk(
        f'"provider":"Anthropic","choices":[{{"index":0,"delta":{{"role":"assistant",{said}}},'
        f'"logprobs":null,"finish_reason":{finish},"native_finish_reason":{native}}}]',
        head,
    )


OPENROUTER_STREAM = (
    b": OPENROUTER PROCESSING\n\n"
    + _routed(
        '"content":"","reasoning":"Par","reasoning_details":[{"type":"reasoning.text","text":"Par",'
        '"format":"anthropic-claude-v1","index":0}]'
    )
    + _routed(
        '"content":"","reasoning":"is?","reasoning_details":[{"type":"reasoning.text","text":"is?",'
        '"format":"anthropic-claude-v1","index":0}]'
    )
    + _routed(
        '"content":"","reasoning":null,"reasoning_details":[{"type":"reasoning.text",'
        '"signature":"c2ln","format":"anthropic-claude-v1","index":0}]'
    )
    + _routed(
        '"content":"","reasoning_details":[{"type":"reasoning.encrypted","data":"ZGF0YQ==",'
        '"id":"rs_1","index":1}]'
    )
    + _routed('"content":"Hi"')
    + _routed(
        '"content":"","annotations":[{"type":"url_citation","url_citation":{"url":"https://a.b/",'
        '"title":"t","start_index":0,"end_index":2}}]'
    )
    + _routed('"content":""', '"stop"', '"end_turn"')
    + chunk(
        '"provider":"Anthropic","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":4,'
        '"total_tokens":14,"cost":0.25}',
        '"id":"gen-1","object":"chat.completion.chunk","created":1754432618,"model":"anthropic/c"',
    )
    + b"data: [DONE]\n\n"
)
