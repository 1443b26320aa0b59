"""Answers of the API as it would write them, each as a body and as a stream."""

from wireglot.framing import eventstream

__all__ = ["BODY", "END", "HEAD", "STREAM", "USAGE", "delta", "frames", "start", "stop"]

BODY = (
    b'{"metrics":{"latencyMs":1604},"output":{"message":{"content":['
    b'{"reasoningContent":{"reasoningText":{"signature":"c2ln","text":"Paris?"}}},'
    b'{"reasoningContent":{"redactedContent":"ZGF0YQ=="}},'
    b'{"citationsContent":{"citations":[{"location":{"web":{"domain":"x.org",'
    b'"url":"https://x.org/a"}},"sourceContent":[{"text":"c"}],"title":"t"}],'
    b'"content":[{"text":"Let me look. \\u00e9\\ud83d\\ude00"}]}},'
    b'{"toolUse":{"input":{"snippet":"1+1"},"name":"nova_code_interpreter","toolUseId":"s1",'
    b'"type":"server_tool_use"}},'
    b'{"toolResult":{"content":[{"json":{"stdOut":"2"}},{"text":"ok"}],"status":"success",'
    b'"toolUseId":"s1","type":"nova_code_interpreter_result"}},'
    b'{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}},'
    b'{"toolUse":{"input":{"city":"Paris", "n":1e2},"name":"weather","toolUseId":"tooluse_1"}},'
    b'{"toolUse":{"input":{},"name":"now","toolUseId":"tooluse_2"}}],"role":"assistant"}},'
    b'"performanceConfig":{"latency":"standard"},"serviceTier":{"type":"flex"},'
    b'"stopReason":"tool_use","additionalModelResponseFields":{"k":1},'
    b'"usage":{"cacheDetails":[{"inputTokens":3,"ttl":"5m"}],"cacheReadInputTokens":5,'
    b'"cacheWriteInputTokens":3,"inputTokens":10,"outputTokens":40,"totalTokens":58}}'
)


def frames(*events: tuple[str, str]) -> bytes:
    """Return a stream of events, each its type and its JSON."""
    return b"".join(
        eventstream.encode(
            {":event-type": kind, ":content-type": "application/json", ":message-type": "event"},
            payload.encode(),
        )
        for kind, payload in events
    )


def start(number: int, begun: str) -> tuple[str, str]:
    return "contentBlockStart", f'{{"contentBlockIndex":{number},"start":{{{begun}}}}}'


def delta(number: int, said: str) -> tuple[str, str]:
    return "contentBlockDelta", f'{{"contentBlockIndex":{number},"delta":{{{said}}},"p":"abcdef"}}'


def stop(number: int) -> tuple[str, str]:
    return "contentBlockStop", f'{{"contentBlockIndex":{number},"p":"a"}}'


HEAD = ("messageStart", '{"p":"abc","role":"assistant"}')
END = ("messageStop", '{"p":"ab","stopReason":"end_turn"}')
USAGE = (
    "metadata",
    '{"metrics":{"latencyMs":7},"p":"a",'
    '"usage":{"inputTokens":1,"outputTokens":2,"totalTokens":3}}',
)
STREAM = frames(
    HEAD,
    delta(0, '"reasoningContent":{"text":"Pa"}'),
    delta(0, '"reasoningContent":{"text":"ris?"}'),
    delta(0, '"reasoningContent":{"signature":"c2ln"}'),
    stop(0),
    delta(1, '"reasoningContent":{"redactedContent":"ZGF0YQ=="}'),
    stop(1),
    delta(
        2,
        '"citation":{"location":{"web":{"domain":"x.org","url":"https://x.org/a"}},'
        '"sourceContent":[{"text":"c"}],"title":"t"}',
    ),
    delta(2, '"text":"Let me look. "'),
    delta(2, '"text":"é\\ud83d\\ude00"'),
    stop(2),
    start(
        3,
        '"toolUse":{"name":"nova_code_interpreter","toolUseId":"s1","type":"server_tool_use"}',
    ),
    delta(3, '"toolUse":{"input":"{\\"snippet\\":"}'),
    delta(3, '"toolUse":{"input":"\\"1+1\\"}"}'),
    stop(3),
    start(
        4,
        '"toolResult":{"status":"success","toolUseId":"s1","type":"nova_code_interpreter_result"}',
    ),
    delta(4, '"toolResult":[{"json":{"stdOut":"2"}}]'),
    delta(4, '"toolResult":[{"text":"ok"}]'),
    stop(4),
    start(5, '"image":{"format":"png"}'),
    delta(5, '"image":{"source":{"bytes":"iVBORw0KGgo="}}'),
    stop(5),
    start(6, '"toolUse":{"name":"weather","toolUseId":"tooluse_1"}'),
    delta(6, '"toolUse":{"input":""}'),
    delta(6, '"toolUse":{"input":"{\\"city\\":\\"Pa"}'),
    delta(6, '"toolUse":{"input":"ris\\", \\"n\\":1e2}"}'),
    stop(6),
    start(7, '"toolUse":{"name":"now","toolUseId":"tooluse_2"}'),
    delta(7, '"toolUse":{"input":""}'),
    stop(7),
    (
        "messageStop",
        '{"additionalModelResponseFields":{"k":1},"p":"abcd","stopReason":"tool_use"}',
    ),
    (
        "metadata",
        '{"metrics":{"latencyMs":1604},"p":"abc","performanceConfig":{"latency":"standard"},'
        '"serviceTier":{"type":"flex"},"usage":{"cacheDetails":[{"inputTokens":3,"ttl":"5m"}],'
        '"cacheReadInputTokens":5,"cacheWriteInputTokens":3,"inputTokens":10,"outputTokens":40,'
        '"totalTokens":58}}',
    ),
)
