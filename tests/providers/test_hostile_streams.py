"""Streams that were damaged: each ends in an error of ours, or in an answer that can be written."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

import wireglot as wg
from tests.clients.turn import STREAMS
from tests.providers.streams import chunked, events_and_error
from wireglot.framing import eventstream, sse

Frames = list[str]
"""The JSON texts of a stream, one a frame."""

_USAGE = '"prompt_tokens":3,"completion_tokens":5,"total_tokens":8'
_CHUNK = '"id":"c","object":"chat.completion.chunk","created":1700000000,"model":"m"'
_RESPONSE = '"id":"resp_1","object":"response","created_at":1700000000,"model":"m"'


def _named(frames: Frames) -> bytes:
    return b"".join(sse.encode(each.encode(), _kind(each)) for each in frames)


def _kind(frame: str) -> bytes:
    """Return the name of an event, which is the type in its JSON while that can be read."""
    try:
        return str(json.loads(frame)["type"]).encode("ascii", "replace").replace(b"\n", b"")
    except (ValueError, KeyError, TypeError, RecursionError):
        return b"unknown"


def _bare(frames: Frames) -> bytes:
    return b"".join(sse.encode(each.encode()) for each in frames)


def _done(frames: Frames) -> bytes:
    return _bare(frames) + b"data: [DONE]\n\n"


def _lines(frames: Frames) -> bytes:
    return b"".join(each.encode() + b"\n" for each in frames)


def _array(frames: Frames) -> bytes:
    return b"[" + "\n,\r\n".join(frames).encode() + b"\n]\n"


def _messages(frames: Frames) -> bytes:
    """Return messages of AWS, whose frames are `type {...}` in here."""
    out = b""
    for each in frames:
        kind, _, payload = each.partition(" ")
        headers = {":event-type": kind, ":content-type": "application/json"}
        if kind.endswith("Exception"):
            headers = {":exception-type": kind, ":message-type": "exception"}
        out += eventstream.encode({":message-type": "event", **headers}, payload.encode())
    return out


def _chat(delta: str, more: str = '"finish_reason":null') -> str:
    return f'{{{_CHUNK},"choices":[{{"index":0,"delta":{{{delta}}},{more}}}]}}'


_CHAT_CALL = '"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{%s}}]'
_CHAT_MORE = '"tool_calls":[{"index":0,"function":{"arguments":"\\"Oslo\\"}"}}]'

_WIRES: dict[str, tuple[str, Callable[[Frames], bytes], list[Frames]]] = {
    "anthropic": (
        "anthropic",
        _named,
        [
            [
                '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",'
                '"model":"m","content":[],"stop_reason":null,"stop_sequence":null,'
                '"usage":{"input_tokens":3,"cache_read_input_tokens":1,"output_tokens":1}}}',
                '{"type":"content_block_start","index":0,"content_block":{"type":"thinking",'
                '"thinking":"","signature":""}}',
                '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta",'
                '"thinking":"Hm"}}',
                '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta",'
                '"signature":"c2ln"}}',
                '{"type":"content_block_stop","index":0}',
                '{"type":"ping"}',
                '{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}',
                '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"é!"}}',
                '{"type":"content_block_delta","index":1,"delta":{"type":"citations_delta",'
                '"citation":{"type":"char_location","cited_text":"a","document_index":0,'
                '"document_title":null,"start_char_index":0,"end_char_index":1}}}',
                '{"type":"content_block_stop","index":1}',
                '{"type":"content_block_start","index":2,"content_block":{"type":"tool_use",'
                '"id":"toolu_1","name":"f","input":{}}}',
                '{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta",'
                '"partial_json":"{\\"city\\": "}}',
                '{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta",'
                '"partial_json":"\\"Oslo\\"}"}}',
                '{"type":"content_block_stop","index":2}',
                '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},'
                '"usage":{"output_tokens":7}}',
                '{"type":"message_stop"}',
            ],
            ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
        ],
    ),
    "openai_chat": (
        "openai_chat",
        _done,
        [
            [
                _chat('"role":"assistant","content":""'),
                _chat('"reasoning_content":"Hm"'),
                _chat('"content":"é!"', '"logprobs":null,"finish_reason":null'),
                _chat(_CHAT_CALL % '"name":"f","arguments":"{\\"city\\": "'),
                _chat(_CHAT_MORE),
                _chat("", '"finish_reason":"tool_calls"'),
                f'{{{_CHUNK},"choices":[],"usage":{{{_USAGE},'
                '"completion_tokens_details":{"reasoning_tokens":1}}}',
            ],
            [
                _chat('"content":"a"'),
                f'{{{_CHUNK},"choices":[{{"index":1,"delta":{{"content":"b"}},'
                '"finish_reason":"stop"}]}',
                _chat('"refusal":"No"', '"finish_reason":"stop"'),
            ],
            [_chat('"content":"a"'), '{"error":{"message":"Slow down","code":429}}'],
        ],
    ),
    "openai_responses": (
        "openai_responses",
        _named,
        [
            [
                f'{{"type":"response.created","sequence_number":0,"response":{{{_RESPONSE},'
                '"status":"in_progress","output":[],"usage":null}}',
                '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":'
                '{"id":"rs_1","type":"reasoning","summary":[]}}',
                '{"type":"response.reasoning_summary_text.delta","sequence_number":2,'
                '"item_id":"rs_1","output_index":0,"summary_index":0,"delta":"Hm"}',
                '{"type":"response.output_item.done","sequence_number":3,"output_index":0,"item":'
                '{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm"}]}}',
                '{"type":"response.output_item.added","sequence_number":4,"output_index":1,"item":'
                '{"id":"msg_1","type":"message","status":"in_progress","role":"assistant",'
                '"content":[]}}',
                '{"type":"response.content_part.added","sequence_number":5,"item_id":"msg_1",'
                '"output_index":1,"content_index":0,'
                '"part":{"type":"output_text","text":"","annotations":[]}}',
                '{"type":"response.output_text.delta","sequence_number":6,"item_id":"msg_1",'
                '"output_index":1,"content_index":0,"delta":"é!"}',
                '{"type":"response.output_text.done","sequence_number":7,"item_id":"msg_1",'
                '"output_index":1,"content_index":0,"text":"é!"}',
                '{"type":"response.output_item.done","sequence_number":8,"output_index":1,"item":'
                '{"id":"msg_1","type":"message","status":"completed","role":"assistant",'
                '"content":[{"type":"output_text","text":"é!","annotations":[]}]}}',
                '{"type":"response.output_item.added","sequence_number":9,"output_index":2,"item":'
                '{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"call_1",'
                '"name":"f","arguments":""}}',
                '{"type":"response.function_call_arguments.delta","sequence_number":10,'
                '"item_id":"fc_1","output_index":2,"delta":"{}"}',
                '{"type":"response.output_item.done","sequence_number":11,"output_index":2,"item":'
                '{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1",'
                '"name":"f","arguments":"{}"}}',
                f'{{"type":"response.completed","sequence_number":12,"response":{{{_RESPONSE},'
                '"status":"completed","output":[{"id":"rs_1","type":"reasoning","summary":'
                '[{"type":"summary_text","text":"Hm"}]},{"id":"msg_1","type":"message",'
                '"status":"completed","role":"assistant","content":[{"type":"output_text",'
                '"text":"é!","annotations":[]}]},{"id":"fc_1","type":"function_call",'
                '"status":"completed","call_id":"call_1","name":"f","arguments":"{}"}],'
                '"usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":1},'
                '"output_tokens":5,"output_tokens_details":{"reasoning_tokens":1},'
                '"total_tokens":8}}}',
            ],
            [
                '{"type":"error","sequence_number":0,"code":"server_error","message":"No",'
                '"param":null}'
            ],
        ],
    ),
    "gemini": (
        "gemini",
        _bare,
        [
            [
                '{"candidates":[{"content":{"parts":[{"text":"Hm","thought":true}],"role":"model"},'
                '"index":0}],"modelVersion":"m","responseId":"r"}',
                '{"candidates":[{"content":{"parts":[{"text":"é!"}],"role":"model"},"index":0}]}',
                '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":'
                '{"city":"Oslo"}},"thoughtSignature":"c2ln"}],"role":"model"},"index":0,'
                '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,'
                '"candidatesTokenCount":4,"thoughtsTokenCount":1,"totalTokenCount":8}}',
            ],
            ['{"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}'],
        ],
    ),
    "bedrock": (
        "bedrock",
        _messages,
        [
            [
                'messageStart {"role":"assistant","p":"ab"}',
                'contentBlockDelta {"contentBlockIndex":0,"delta":{"reasoningContent":'
                '{"text":"Hm"}}}',
                'contentBlockDelta {"contentBlockIndex":0,"delta":{"reasoningContent":'
                '{"signature":"c2ln"}}}',
                'contentBlockStop {"contentBlockIndex":0}',
                'contentBlockDelta {"contentBlockIndex":1,"delta":{"text":"é!"},"p":"abc"}',
                'contentBlockStop {"contentBlockIndex":1}',
                'contentBlockStart {"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"t",'
                '"name":"f"}}}',
                'contentBlockDelta {"contentBlockIndex":2,"delta":{"toolUse":{"input":"{}"}}}',
                'contentBlockStop {"contentBlockIndex":2}',
                'messageStop {"stopReason":"tool_use"}',
                'metadata {"usage":{"inputTokens":3,"outputTokens":5,"totalTokens":8},'
                '"metrics":{"latencyMs":9}}',
            ],
            ['throttlingException {"message":"Slow down"}'],
        ],
    ),
    "mistral": (
        "mistral",
        _done,
        [
            [
                _chat('"role":"assistant","content":""'),
                _chat('"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]}]'),
                _chat('"content":"é!"'),
                _chat(
                    '"tool_calls":[{"id":"abcdefghi","function":{"name":"f","arguments":"{}"},'
                    '"index":0}]',
                    f'"finish_reason":"tool_calls"}}],"usage":{{{_USAGE}}},"p":["ab"',
                ).replace('"p":["ab"}]}', '"p":"ab"}'),
            ],
        ],
    ),
    "cohere": (
        "cohere",
        _named,
        [
            [
                '{"type":"message-start","id":"a-1","delta":{"message":{"role":"assistant",'
                '"content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}',
                '{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I look"}}}',
                '{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"f_1",'
                '"type":"function","function":{"name":"f","arguments":""}}}}}',
                '{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":'
                '{"function":{"arguments":"{}"}}}}}',
                '{"type":"tool-call-end","index":0}',
                '{"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":'
                '{"billed_units":{"input_tokens":3,"output_tokens":5},'
                '"tokens":{"input_tokens":3,"output_tokens":5}}}}',
            ],
            [
                '{"type":"message-start","id":"a-1","delta":{"message":{"role":"assistant",'
                '"content":[]}}}',
                '{"type":"content-start","index":0,"delta":{"message":{"content":'
                '{"type":"text","text":""}}}}',
                '{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"é!"}}}}',
                '{"type":"citation-start","index":0,"delta":{"message":{"citations":{"start":0,'
                '"end":1,"text":"é","sources":[{"type":"document","id":"d","document":'
                '{"title":"D"}}],"type":"TEXT_CONTENT"}}}}',
                '{"type":"citation-end","index":0}',
                '{"type":"content-end","index":0}',
                '{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":null}}',
            ],
        ],
    ),
    "ollama": (
        "ollama",
        _lines,
        [
            [
                '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":"","thinking":"Hm"},"done":false}',
                '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":"é!"},"done":false}',
                '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":"","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}}]},'
                '"done":false}',
                '{"model":"m","created_at":"2026-01-01T00:00:01Z","message":{"role":"assistant",'
                '"content":""},"done":true,"done_reason":"stop","total_duration":9,'
                '"prompt_eval_count":3,"eval_count":5}',
            ],
            ['{"error":"no memory"}'],
        ],
    ),
}
_WIRES["gemini, as an array"] = ("gemini", _array, _WIRES["gemini"][2])


def _of_the_turn(name: str) -> tuple[str, Callable[[Frames], bytes], list[Frames]]:
    """Return the stream of `STREAMS`, for a wire that has none here; the names of events stay."""
    text = STREAMS[name].decode()
    cut = "\n\n" if text.startswith(("event:", "data:")) else "\n"
    frames = [frame for frame in text.split(cut) if frame]
    last = [frames.pop()] if "{" not in frames[-1] else []  # `[DONE]`
    return name, lambda made: "".join(each + cut for each in made + last).encode(), [frames]


_WIRES |= {name: _of_the_turn(name) for name in wg.PROVIDERS if name not in _WIRES}

# -- damage -----------------------------------------------------------------------------------

_DEEP = "deep nesting goes here"
_VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 7, 1.5, 1e300, 2**63, 2**70, -(2**70), "", "x", "{}", "\ud83d"),
    *([], {}, [[]], [None], [{}], {"x": 1}, {"type": "text"}, {"type": 5}, _DEEP),
    *("text", "tool_use", "stop", "error", "é" * 300, [1, "a", None], {"": {"": []}}),
]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return every holder of a value within, with its key there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, each in inner:
        found.append((value, key))
        if isinstance(each, dict | list):
            found += _places(each)
    return found


def _with_a_wrong_value(draw: random.Random, frames: Frames) -> Frames:
    at = draw.randrange(len(frames))
    begin = frames[at].index("{")  # the type of an AWS message comes before
    head, whole = frames[at][:begin], json.loads(frames[at][begin:])
    holder, key = draw.choice(_places({"": whole})[1:] or [({"": 0}, "")])
    way = draw.random()
    if way < 0.15:
        del holder[key]
    elif way < 0.25 and isinstance(holder, dict):
        holder[f"{key}x"] = holder.pop(key)
    elif way < 0.35 and isinstance(holder, list):
        holder.append(holder[key])
    else:
        holder[key] = draw.choice(_VALUES)
    made = json.dumps(whole, ensure_ascii=draw.random() < 0.5 or "\\ud83d" in json.dumps(whole))
    depth = draw.choice([3, 100, 5000, 100_000])
    brackets = draw.choice(["[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth])
    made = made.replace(f'"{_DEEP}"', brackets)
    return [*frames[:at], head + made, *frames[at + 1 :]]


def _with_flipped_bits(draw: random.Random, frames: Frames) -> Frames:
    at = draw.randrange(len(frames))
    begin = frames[at].index("{")
    data = bytearray(frames[at].encode())
    for _ in range(draw.randint(1, 3)):
        data[draw.randrange(begin, len(data))] ^= 1 << draw.randrange(8)
    return [*frames[:at], data.decode("utf-8", "replace"), *frames[at + 1 :]]


def _with_other_frames(draw: random.Random, frames: Frames) -> Frames:
    made = list(frames)
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(made))
        way = draw.randrange(4)
        if way == 0 and len(made) > 1:
            del made[at]
        elif way == 1:
            made.insert(draw.randrange(len(made) + 1), made[at])
        elif way == 2:
            made.insert(draw.randrange(len(made)), made.pop(at))
        else:
            made[at] = draw.choice(frames)
    return made


_DAMAGE: dict[str, Callable[[random.Random, Frames], Frames]] = {
    "a wrong value": _with_a_wrong_value,
    "two wrong values": lambda draw, frames: _with_a_wrong_value(
        draw, _with_other_frames(draw, frames)
    ),
    "flipped bits in frames": _with_flipped_bits,
    "other frames": _with_other_frames,
}


def _damaged(draw: random.Random, write: Callable[[Frames], bytes], frames: Frames) -> bytes:
    kind = draw.choice([*_DAMAGE, *_DAMAGE, "flipped bits", "a cut", "bytes of chance"])
    if kind in _DAMAGE:
        return write(_DAMAGE[kind](draw, frames))
    data = bytearray(write(frames))
    if kind == "a cut":
        return bytes(data[: draw.randrange(len(data))])
    for _ in range(draw.randint(1, 8)):
        at = draw.randrange(len(data))
        if kind == "flipped bits":
            data[at] ^= 1 << draw.randrange(8)
        else:
            data[at : at + draw.randint(0, 9)] = draw.randbytes(draw.randint(0, 9))
    return bytes(data)


def _read(name: str, data: bytes, size: int) -> wg.Response | wg.WireglotError:
    """Return the answer, or our error; whatever came until then can be written."""
    decoder = wg.PROVIDERS[name].StreamDecoder(losses=[])
    answer: wg.Response | wg.WireglotError
    try:
        for chunk in chunked(data, size):
            decoder.feed(chunk)
        answer = decoder.close()
    except wg.WireglotError as error:
        answer = error
    wg.json.encode(decoder.message)
    if isinstance(answer, wg.Response):
        wg.json.encode(answer)
    return answer


# -- tests ------------------------------------------------------------------------------------


_EACH = pytest.mark.parametrize(("name", "write", "streams"), _WIRES.values(), ids=_WIRES)


@_EACH
def test_a_stream_that_is_whole_is_an_answer(
    name: str, write: Callable[[Frames], bytes], streams: list[Frames]
) -> None:
    answer = _read(name, write(streams[0]), 64)
    assert isinstance(answer, wg.Response), answer
    assert any(isinstance(block, wg.ToolCallBlock) for block in answer.message.content)
    for frames in streams[1:]:
        other = _read(name, write(frames), 64)
        assert isinstance(other, wg.Response | wg.ProviderError), other


@_EACH
def test_a_damaged_stream_is_an_error_of_ours_or_an_answer(
    name: str, write: Callable[[Frames], bytes], streams: list[Frames]
) -> None:
    draw = random.Random(name)
    errors = answers = 0
    for number in range(2000):
        data = _damaged(draw, write, draw.choice([streams[0], *streams]))
        try:
            answer = _read(name, data, draw.choice([1, 7, 64, 1 << 20]) if number % 4 else 1 << 20)
        except Exception as error:
            error.add_note(f"number {number}: {data[:3000]!r}")
            raise
        errors += isinstance(answer, wg.WireglotError)
        answers += isinstance(answer, wg.Response)
    assert errors > 300  # hence the damage is felt,
    assert answers > 100  # and is not all that the decoder sees


def _whole(decoder: Any, data: bytes, size: int = 1 << 20) -> wg.Response:
    for chunk in chunked(data, size):
        decoder.feed(chunk)
    answer: wg.Response = decoder.close()
    return answer


@_EACH
def test_after_an_error_there_is_no_answer(
    name: str, write: Callable[[Frames], bytes], streams: list[Frames]
) -> None:
    frames = streams[0]
    bad = frames[1][: frames[1].index("{")] + '{"type": '
    whole = write(frames)
    for data in (write([frames[0], bad, *frames[1:]]), whole[: len(whole) // 2]):
        decoder = wg.PROVIDERS[name].StreamDecoder(losses=[])
        with pytest.raises(wg.DecodeError) as first:
            _whole(decoder, data)
        for call, *given in ((decoder.close,), (decoder.finish,), (decoder.feed, whole)):
            with pytest.raises(wg.DecodeError) as later:
                call(*given)
            assert later.value is first.value


@_EACH
def test_the_events_before_an_error_are_the_same_for_every_cut(
    name: str, write: Callable[[Frames], bytes], streams: list[Frames]
) -> None:
    frames = streams[0]
    bad = frames[1][: frames[1].index("{")] + '{"type": '
    data = write([*frames[:-2], bad, *frames[-2:]])
    found = []
    for size in (1, 7, 64, len(data)):
        decoder = wg.PROVIDERS[name].StreamDecoder(losses=[])
        events, error = events_and_error(decoder, data, size)
        assert len(events) > 1
        assert isinstance(error, wg.StreamError)
        found.append((events, str(error)))
    assert found[1:] == found[:1] * 3


@_EACH
def test_what_follows_the_end_is_left_alone(
    name: str, write: Callable[[Frames], bytes], streams: list[Frames]
) -> None:
    data = write(streams[0])
    decoder = wg.PROVIDERS[name].StreamDecoder(losses=[])
    decoder.feed(data)
    decoder.finish()
    whole = decoder.close()
    assert decoder.feed(b"\xff" * 100 + data) == []
    assert decoder.close() == whole


@_EACH
def test_a_frame_beyond_the_limit_is_refused(
    name: str, write: Callable[[Frames], bytes], streams: list[Frames]
) -> None:
    data = write(streams[0])
    limit = min(60, len(max(streams[0], key=len)) // 2)
    for size in (1, 64, len(data)):
        decoder = wg.PROVIDERS[name].StreamDecoder(losses=[], max_frame=limit)
        with pytest.raises(wg.LimitError):
            _whole(decoder, data, size)
