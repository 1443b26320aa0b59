"""A provider that costs next to nothing: `python -m bench.gateway.provider PORT`.

Depending on the path it answers like OpenAI's Chat Completions or Anthropic's Messages, whole or
streamed. The answer is always the same, and is sent as soon as the request has arrived.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import uvloop

__all__ = ["CALL", "DELTAS", "TEXT"]

TEXT = "The file is there, and it has three sections. I will read the first of them now."
CALL = '{"path": "src/main.py", "limit": 200}'
DELTAS = 100  # of a stream
_QUOTED = CALL.replace('"', '\\"')

_CHAT = f"""{{"id":"chatcmpl-1","object":"chat.completion","created":1760000000,"model":"m",
"choices":[{{"index":0,"finish_reason":"tool_calls","logprobs":null,"message":{{"role":"assistant",
"content":"{TEXT}","refusal":null,"tool_calls":[{{"id":"call_1","type":"function","function":
{{"name":"read_file","arguments":"{_QUOTED}"}}}}]}}}}],
"usage":{{"prompt_tokens":900,"completion_tokens":60,"total_tokens":960}}}}"""
_MESSAGE = f"""{{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[
{{"type":"text","text":"{TEXT}"}},
{{"type":"tool_use","id":"call_1","name":"read_file","input":{CALL}}}],"stop_reason":"tool_use",
"stop_sequence":null,"usage":{{"input_tokens":900,"output_tokens":60}}}}"""


def _events(*events: str) -> str:
    return "".join(f"{event}\n\n" for event in events)


def _chunk(delta: str, more: str = '"finish_reason":null') -> str:
    return (
        'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1760000000,'
        f'"model":"m","choices":[{{"index":0,"delta":{delta},{more}}}]}}'
    )


_CHAT_STREAM = _events(
    _chunk('{"role":"assistant","content":""}'),
    *[_chunk('{"content":"word "}')] * DELTAS,
    _chunk("{}", '"finish_reason":"stop"'),
    'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1760000000,"model":"m",'
    '"choices":[],"usage":{"prompt_tokens":900,"completion_tokens":100,"total_tokens":1000}}',
    "data: [DONE]",
)
_START = (
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message",'
    '"role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,'
    '"usage":{"input_tokens":900,"output_tokens":1}}}'
)
_BLOCK = (
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,'
    '"content_block":{"type":"text","text":""}}'
)
_DELTA = (
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,'
    '"delta":{"type":"text_delta","text":"word "}}'
)
_END = (
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn",'
    '"stop_sequence":null},"usage":{"output_tokens":100}}',
    'event: message_stop\ndata: {"type":"message_stop"}',
)
_MESSAGE_STREAM = _events(_START, _BLOCK, *[_DELTA] * DELTAS, *_END)


def _answer(kind: str, body: str) -> bytes:
    data = body.encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(data)}\r\n\r\n"
    return head.encode() + data


_WHOLE = {
    b"/v1/messages": _answer("application/json", _MESSAGE),
    b"/v1/chat/completions": _answer("application/json", _CHAT),
}
_STREAMED = {
    b"/v1/messages": _answer("text/event-stream", _MESSAGE_STREAM),
    b"/v1/chat/completions": _answer("text/event-stream", _CHAT_STREAM),
}


class _Replay(asyncio.Protocol):
    """Just enough of HTTP for clients that send their length."""

    _transport: Any
    _got = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._got += data
        while True:
            head, found, rest = self._got.partition(b"\r\n\r\n")
            if not found:
                return
            length = next(
                int(line[15:])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length:")
            )
            if len(rest) < length:
                return
            body, self._got = rest[:length], rest[length:]
            path = head.split(b" ", 2)[1].partition(b"?")[0]
            answers = _STREAMED if b'"stream":true' in body.replace(b" ", b"") else _WHOLE
            self._transport.write(answers[path])


async def _serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(_Replay, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_serve(int(sys.argv[1])))
