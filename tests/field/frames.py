"""The data of frames -> the bytes of a stream, and the frames that many streams have."""

import json
from typing import Final

from wireglot.framing import eventstream

__all__ = [
    "ANTHROPIC",
    "COUNTS",
    "GEMINI",
    "OLLAMA",
    "RESPONSES",
    "STOP",
    "begun",
    "chunk",
    "closed",
    "counted",
    "ended",
    "framed",
    "grown",
    "opened",
    "sent",
]


def framed(wire: str, frames: list[str]) -> bytes:
    """Return a stream of these frames; one that begins with a colon is a comment."""
    frame = _FRAMES[wire.partition(":")[0]]
    return b"".join(
        f"{data}\n\n".encode() if data.startswith(":") else frame(data) for data in frames
    )


def _bare(data: str) -> bytes:
    return f"data: {data}\n\n".encode()


def _named(data: str) -> bytes:
    """Frame an event whose name is its `type`."""
    return f"event: {json.loads(data)['type']}\ndata: {data}\n\n".encode()


def _line(data: str) -> bytes:
    return f"{data}\n".encode()


def _message(data: str) -> bytes:
    """Frame an event of Bedrock, which is written as an object with its name as the only key."""
    (name,) = json.loads(data)
    headers = {":content-type": "application/json", ":message-type": "event"}
    payload = data[len(f'{{"{name}":') : -1].encode()
    return eventstream.encode({":event-type": name, **headers}, payload)


_FRAMES: Final = {
    "anthropic": _named,
    "bedrock": _message,
    "cohere": _named,
    "gemini": _bare,
    "mistral": _bare,
    "ollama": _line,
    "openai_chat": _bare,
    "openai_responses": _named,
}

# -- what a service of Chat or Mistral sends ----------------------------------------------------

_CHUNK: Final = '"id":"c1","object":"chat.completion.chunk","created":1,"model":"m"'
COUNTS: Final = (
    f'{{{_CHUNK},"choices":[],'
    '"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}'
)


def chunk(delta: str, finish: str = "null") -> str:
    """Return a chunk that a service of Chat or Mistral sends."""
    return f'{{{_CHUNK},"choices":[{{"index":0,"delta":{delta},"finish_reason":{finish}}}]}}'


# -- what a client of Chat gets ------------------------------------------------------------------


def _head(identity: str, created: int) -> str:
    """Return the keys that all chunks of an answer have."""
    return f'"id":"{identity}","object":"chat.completion.chunk","created":{created},"model":"m"'


ANTHROPIC: Final = _head("msg_1", 0)
GEMINI: Final = _head("r1", 0)
OLLAMA: Final = _head("chatcmpl-7996c4157004061ad98878a9", 1767323045)
RESPONSES: Final = _head("resp_1", 1)
"""The heads of chunks, by the API that the answer comes from."""


def sent(head: str, delta: str, finish: str = "null") -> str:
    """Return a chunk that a client of Chat gets."""
    choice = f'{{"index":0,"delta":{delta},"logprobs":null,"finish_reason":{finish}}}'
    return f'{{{head},"choices":[{choice}]}}'


def counted(head: str, usage: str) -> str:
    """Return the chunk with the counts that a client of Chat gets."""
    return f'{{{head},"choices":[],"usage":{usage}}}'


# -- what Anthropic sends, and a client of it gets -----------------------------------------------

STOP: Final = '{"type":"message_stop"}'


def begun(identity: str, model: str = "m") -> str:
    """Return the start of a message that has not been counted yet."""
    return (
        f'{{"type":"message_start","message":{{"id":"{identity}","type":"message",'
        f'"role":"assistant","model":"{model}","content":[],"stop_reason":null,'
        '"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,'
        '"cache_read_input_tokens":0,"output_tokens":0}}}'
    )


def opened(index: int, block: str) -> str:
    """Return the start of a block."""
    return f'{{"type":"content_block_start","index":{index},"content_block":{block}}}'


def grown(index: int, delta: str) -> str:
    """Return an increment of a block."""
    return f'{{"type":"content_block_delta","index":{index},"delta":{delta}}}'


def closed(index: int) -> str:
    """Return the end of a block."""
    return f'{{"type":"content_block_stop","index":{index}}}'


def ended(stop: str) -> str:
    """Return the end of a message of 3 tokens in and 2 out."""
    return (
        f'{{"type":"message_delta","delta":{{"stop_reason":"{stop}","stop_sequence":null}},'
        '"usage":{"input_tokens":3,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,'
        '"output_tokens":2}}'
    )
