"""Whole streamed answers of each wire, from its bytes to those of another wire.

They have the shape of recorded ones: a few words in each event, the usage at the end, and the keys
that nobody reads. A long one has reasoning, text, and two calls whose arguments come in pieces
where the wire has pieces; a short one is one sentence, as most recorded ones are. The floor is
msgspec, which parses the JSON of each event without types and writes it again: no framing, no
accumulated answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

import wireglot as wg
from wireglot.framing import eventstream

from .measure import paired
from .native import Row

__all__ = ["LONG", "SHORT", "TARGETS", "Answer", "answer_rows", "frames"]

TARGETS = ("anthropic", "openai_chat")


class Answer(NamedTuple):
    """What a model says, in the pieces that it comes in."""

    thought: list[str]
    text: list[str]
    calls: tuple[tuple[str, str], ...]
    """The id and the name of each; all have the same arguments."""


LONG = Answer(
    [" The", " file", " reads", " the", " settings,", " so", " I", " look", " at", " it."] * 6,
    [" I", " read", " “config”", " first;", " then", " the", " tests", " of", " it", ".\n"] * 20,
    (("call00001", "read_file"), ("call00002", "grep")),
)
SHORT = Answer([], ["The", " capital", " of", " France", " is", " Paris", "."], ())
_PIECES = ['{"path', '": "', "src/", "set", "tings", ".py", '", "', "start", '": ', "12", "0", "}"]
_ARGUMENTS = "".join(_PIECES)
_PARSED = json.loads(_ARGUMENTS)
_IN, _OUT = 1200, 350
_GEMINI_WORDS = 10
"""How many of the pieces come in one event of Gemini, whose events are few and long."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
Payload = tuple[str, Any]
"""The name of an event, which some wires do not have, and its JSON."""


def answer_rows(rounds: int) -> Iterator[Row]:
    """Measure every wire to both targets, and each way to cut it into chunks.

    Raises AssertionError if an answer is wrong.
    """
    for source in _WIRES:
        for target in TARGETS:
            yield _row(source, target, LONG, "an event a chunk", rounds)
            yield _row(source, target, LONG, "one chunk", rounds)
            yield _row(source, target, SHORT, "short", rounds)


def frames(wire: str, answer: Answer = LONG) -> tuple[list[bytes], list[bytes]]:
    """Return the frames of this wire's stream, and the JSON in each."""
    payloads, framed = _WIRES[wire]
    made = [(name, _encode(said)) for name, said in payloads(answer)]
    out = [framed(name, body) for name, body in made]
    if wire in ("openai_chat", "mistral"):
        out.append(b"data: [DONE]\n\n")
    return out, [body for _, body in made]


def _row(source: str, target: str, answer: Answer, how: str, rounds: int) -> Row:
    events, payloads = frames(source, answer)
    chunks = [b"".join(events)] if how == "one chunk" else events

    def ours() -> list[bytes]:
        translator = wg.StreamTranslator(source, target, losses=[])
        made = [translator.feed(chunk) for chunk in chunks]
        made.append(translator.close())
        return made

    def floor() -> list[bytes]:
        return [_encode(_decode(payload)) for payload in payloads]

    _check(target, answer, b"".join(ours()))
    timed = paired(ours, floor, rounds)
    return Row(f"{source} to {target}, {how}", "untyped decode, encode", timed)


def _check(target: str, answer: Answer, made: bytes) -> None:
    decoder = wg.PROVIDERS[target].StreamDecoder()
    decoder.feed(made)
    message = decoder.close().message
    assert message.text() == "".join(answer.text)
    thoughts = [b.thinking for b in message.content if isinstance(b, wg.ThinkingBlock)]
    assert "".join(thoughts) in ("", "".join(answer.thought))  # not every target has a place for it
    calls = [block for block in message.content if isinstance(block, wg.ToolCallBlock)]
    assert [call.name for call in calls] == [name for _, name in answer.calls]
    assert all(json.loads(call.arguments.text) == _PARSED for call in calls)
    assert message.stop_reason == (wg.StopReason.TOOL_USE if calls else wg.StopReason.STOP)
    assert message.usage is not None
    assert message.usage.output == _OUT


# -- the wires ------------------------------------------------------------------------------------


def _anthropic(answer: Answer) -> Iterator[Payload]:
    def event(kind: str, **more: Any) -> Payload:
        return kind, {"type": kind, **more}

    def delta(index: int, kind: str, key: str, text: str) -> Payload:
        return event("content_block_delta", index=index, delta={"type": kind, key: text})

    def block(index: int, start: dict[str, Any], deltas: list[Payload]) -> Iterator[Payload]:
        yield event("content_block_start", index=index, content_block=start)
        yield from deltas
        yield event("content_block_stop", index=index)

    usage = {"input_tokens": _IN, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {"id": "msg_01", "type": "message", "role": "assistant", "model": "m", "content": []}
    stops = {"stop_reason": None, "stop_sequence": None}
    start = {**message, **stops, "usage": {**usage, "output_tokens": 8, "service_tier": "standard"}}
    yield event("message_start", message=start)
    at = 0
    if answer.thought:
        thoughts = [delta(0, "thinking_delta", "thinking", text) for text in answer.thought]
        thoughts.append(delta(0, "signature_delta", "signature", "EqQBCgIYAhIM" * 20))
        yield from block(0, {"type": "thinking", "thinking": "", "signature": ""}, thoughts)
        at = 1
    yield event("ping")
    texts = [delta(at, "text_delta", "text", text) for text in answer.text]
    yield from block(at, {"type": "text", "text": ""}, texts)
    for index, (call, name) in enumerate(answer.calls, start=at + 1):
        pieces = [delta(index, "input_json_delta", "partial_json", text) for text in ["", *_PIECES]]
        yield from block(index, {"type": "tool_use", "id": call, "name": name, "input": {}}, pieces)
    stops = {"stop_reason": "tool_use" if answer.calls else "end_turn", "stop_sequence": None}
    yield event("message_delta", delta=stops, usage={**usage, "output_tokens": _OUT})
    yield event("message_stop")


def _chat(answer: Answer) -> Iterator[Payload]:
    head = {"id": "chatcmpl-C0", "object": "chat.completion.chunk", "created": 1_760_000_000}
    head |= {"model": "m", "service_tier": "default", "system_fingerprint": "fp_1"}

    def chunk(delta: dict[str, Any], reason: str | None = None) -> Payload:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return "", {**head, "choices": [choice], "usage": None, "obfuscation": "x5Kp8s1Qe"}

    def called(index: int, function: dict[str, Any], **more: Any) -> Payload:
        return chunk({"tool_calls": [{"index": index, **more, "function": function}]})

    yield chunk({"role": "assistant", "content": "", "refusal": None})
    yield from (chunk({"content": None, "reasoning_content": text}) for text in answer.thought)
    yield from (chunk({"content": text}) for text in answer.text)
    for index, (call, name) in enumerate(answer.calls):
        yield called(index, {"name": name, "arguments": ""}, id=call, type="function")
        yield from (called(index, {"arguments": piece}) for piece in _PIECES)
    yield chunk({}, "tool_calls" if answer.calls else "stop")
    usage: dict[str, Any] = {"prompt_tokens": _IN, "completion_tokens": _OUT}
    usage["total_tokens"] = _IN + _OUT
    usage["prompt_tokens_details"] = {"cached_tokens": 0, "audio_tokens": 0}
    usage["completion_tokens_details"] = {"reasoning_tokens": 60, "audio_tokens": 0}
    yield "", {**head, "choices": [], "usage": usage, "obfuscation": "Zk2"}


def _responses(answer: Answer) -> Iterator[Payload]:
    for number, (kind, said) in enumerate(_responses_events(answer)):
        yield kind, {"type": kind, "sequence_number": number, **said}


def _responses_events(answer: Answer) -> Iterator[Payload]:
    whole = {"id": "resp_1", "object": "response", "created_at": 1_760_000_000, "model": "m"}
    whole |= {"error": None, "incomplete_details": None, "instructions": "Be brief.", "tools": []}
    whole |= {"metadata": {}, "parallel_tool_calls": True, "temperature": 1.0, "top_p": 1.0}
    whole |= {"tool_choice": "auto", "text": {"format": {"type": "text"}, "verbosity": "medium"}}
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    output: list[dict[str, Any]] = []

    def item(start: dict[str, Any], end: dict[str, Any], inner: list[Payload]) -> Iterator[Payload]:
        at = {"output_index": len(output)}
        yield "response.output_item.added", {**at, "item": {**end, **start}}
        yield from ((f"response.{kind}", {**at, "item_id": end["id"], **s}) for kind, s in inner)
        yield "response.output_item.done", {**at, "item": end}
        output.append(end)

    at: dict[str, Any] = {"summary_index": 0}
    reasoning = {"id": "rs_1", "type": "reasoning", "encrypted_content": "gAAAA" * 60}
    summary = {"type": "summary_text", "text": "".join(answer.thought)}
    parts = [
        ("reasoning_summary_part.added", {**at, "part": {"type": "summary_text", "text": ""}}),
        *(
            ("reasoning_summary_text.delta", {**at, "delta": text, "obfuscation": "Yk3x"})
            for text in answer.thought
        ),
        ("reasoning_summary_text.done", {**at, "text": summary["text"]}),
        ("reasoning_summary_part.done", {**at, "part": summary}),
    ]
    if answer.thought:
        yield from item({"summary": []}, {**reasoning, "summary": [summary]}, parts)
    at = {"content_index": 0}
    text = {"type": "output_text", "annotations": [], "logprobs": [], "text": "".join(answer.text)}
    more = {"logprobs": [], "obfuscation": "lIA9ngzPrYz6"}
    yield from item(
        {"status": "in_progress", "content": []},
        {"id": "msg_1", "type": "message", "status": "completed", "content": [text]}
        | {"role": "assistant"},
        [
            ("content_part.added", {**at, "part": {**text, "text": ""}}),
            *(("output_text.delta", {**at, "delta": piece, **more}) for piece in answer.text),
            ("output_text.done", {**at, "text": text["text"], "logprobs": []}),
            ("content_part.done", {**at, "part": text}),
        ],
    )
    for number, (call, name) in enumerate(answer.calls):
        made = {"id": f"fc_{number}", "type": "function_call", "status": "completed"}
        made |= {"arguments": _ARGUMENTS, "call_id": call, "name": name}
        deltas = [{"delta": piece, "obfuscation": "ZeIqFLdgSgptWI"} for piece in _PIECES]
        yield from item(
            {"status": "in_progress", "arguments": ""},
            made,
            [
                *(("function_call_arguments.delta", said) for said in deltas),
                ("function_call_arguments.done", {"name": name, "arguments": _ARGUMENTS}),
            ],
        )
    usage = {"input_tokens": _IN, "output_tokens": _OUT, "total_tokens": _IN + _OUT}
    usage |= {"input_tokens_details": {"cached_tokens": 0}}
    usage |= {"output_tokens_details": {"reasoning_tokens": 60}}
    done = {**whole, "status": "completed", "output": output, "usage": usage}
    yield "response.completed", {"response": done}


def _gemini(answer: Answer) -> Iterator[Payload]:
    def chunk(part: dict[str, Any], **more: Any) -> Payload:
        candidate = {"content": {"parts": [part], "role": "model"}, "index": 0, **more}
        usage: dict[str, Any] = {"promptTokenCount": _IN, "candidatesTokenCount": _OUT - 60}
        usage |= {"thoughtsTokenCount": 60, "totalTokenCount": _IN + _OUT}
        usage["promptTokensDetails"] = [{"modality": "TEXT", "tokenCount": _IN}]
        whole = {"candidates": [candidate], "usageMetadata": usage}
        return "", {**whole, "modelVersion": "m", "responseId": "r1"}

    def joined(pieces: list[str]) -> list[str]:
        starts = range(0, len(pieces), _GEMINI_WORDS)
        return ["".join(pieces[at : at + _GEMINI_WORDS]) for at in starts]

    yield from (chunk({"text": text, "thought": True}) for text in joined(answer.thought))
    yield from (chunk({"text": text}) for text in joined(answer.text))
    signed = {"thoughtSignature": "EpYSCpMS" * 40}
    for index, (call, name) in enumerate(answer.calls):
        part = {"functionCall": {"name": name, "args": _PARSED, "id": call}}
        yield chunk(part | signed if index == 0 else part)
    yield chunk({"text": ""}, finishReason="STOP")


def _bedrock(answer: Answer) -> Iterator[Payload]:
    def delta(index: int, said: dict[str, Any]) -> Payload:
        return "contentBlockDelta", {"contentBlockIndex": index, "delta": said, "p": "abcdefghijk"}

    def stop(index: int) -> Payload:
        return "contentBlockStop", {"contentBlockIndex": index, "p": "abcdefgh"}

    yield "messageStart", {"role": "assistant", "p": "abcdefghijklm"}
    at = 0
    if answer.thought:
        yield from (delta(0, {"reasoningContent": {"text": text}}) for text in answer.thought)
        yield delta(0, {"reasoningContent": {"signature": "EqQBCgIYAhIM" * 20}})
        yield stop(0)
        at = 1
    yield from (delta(at, {"text": text}) for text in answer.text)
    yield stop(at)
    for index, (call, name) in enumerate(answer.calls, start=at + 1):
        start = {"toolUse": {"toolUseId": call, "name": name}}
        yield "contentBlockStart", {"contentBlockIndex": index, "start": start, "p": "abc"}
        yield from (delta(index, {"toolUse": {"input": piece}}) for piece in _PIECES)
        yield stop(index)
    reason = "tool_use" if answer.calls else "end_turn"
    yield "messageStop", {"stopReason": reason, "p": "abcdefghijklmno"}
    usage = {"inputTokens": _IN, "outputTokens": _OUT, "totalTokens": _IN + _OUT}
    yield "metadata", {"usage": usage, "metrics": {"latencyMs": 2315}, "p": "abcde"}


def _mistral(answer: Answer) -> Iterator[Payload]:
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1_760_000_000, "model": "m"}

    def chunk(delta: dict[str, Any], reason: str | None = None, **more: Any) -> Payload:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return "", {**head, "choices": [choice], "p": "abcdefgh", **more}

    def thought(text: str) -> Payload:
        inner = [{"type": "text", "text": text}]
        return chunk({"content": [{"type": "thinking", "thinking": inner}]})

    yield chunk({"role": "assistant", "content": ""})
    yield from map(thought, answer.thought)
    yield from (chunk({"content": text}) for text in answer.text)
    calls = [
        {
            "id": call,
            "index": index,
            "type": "function",
            "function": {"name": name, "arguments": _ARGUMENTS},
        }
        for index, (call, name) in enumerate(answer.calls)
    ]
    usage = {"prompt_tokens": _IN, "completion_tokens": _OUT, "total_tokens": _IN + _OUT}
    if calls:
        yield chunk({"tool_calls": calls}, "tool_calls", usage=usage)
    else:
        yield chunk({"content": ""}, "stop", usage=usage)


def _cohere(answer: Answer) -> Iterator[Payload]:
    def event(kind: str, message: dict[str, Any], index: int | None = None) -> Payload:
        at = {} if index is None else {"index": index}
        return kind, {"type": kind, **at, "delta": {"message": message}}

    def end(kind: str, index: int) -> Payload:
        return kind, {"type": kind, "index": index}

    empty: dict[str, Any] = {"content": [], "tool_plan": "", "tool_calls": [], "citations": []}
    kind, said = event("message-start", {"role": "assistant", **empty})
    yield kind, {"id": "c1", **said}
    texts = [("thinking", answer.thought)] if answer.thought else []
    for index, (name, pieces) in enumerate([*texts, ("text", answer.text)]):
        yield event("content-start", {"content": {"type": name, name: ""}}, index)
        yield from (event("content-delta", {"content": {name: text}}, index) for text in pieces)
        yield end("content-end", index)
    for index, (call, name) in enumerate(answer.calls):
        made = {"id": call, "type": "function", "function": {"name": name, "arguments": ""}}
        yield event("tool-call-start", {"tool_calls": made}, index)
        for piece in _PIECES:
            yield event(
                "tool-call-delta", {"tool_calls": {"function": {"arguments": piece}}}, index
            )
        yield end("tool-call-end", index)
    counts = {"input_tokens": _IN, "output_tokens": _OUT}
    usage = {"billed_units": counts, "tokens": counts, "cached_tokens": 0}
    reason = "TOOL_CALL" if answer.calls else "COMPLETE"
    delta = {"finish_reason": reason, "usage": usage}
    yield "message-end", {"type": "message-end", "delta": delta}


def _ollama(answer: Answer) -> Iterator[Payload]:
    head = {"model": "m", "created_at": "2026-08-06T06:29:40.357322Z"}

    def line(message: dict[str, Any], **more: Any) -> Payload:
        said = {"role": "assistant", "content": "", **message}
        return "", {**head, "message": said, "done": False, **more}

    yield from (line({"thinking": text}) for text in answer.thought)
    yield from (line({"content": text}) for text in answer.text)
    for index, (call, name) in enumerate(answer.calls):
        function = {"index": index, "name": name, "arguments": _PARSED}
        yield line({"tool_calls": [{"id": call, "function": function}]})
    counts = {"prompt_eval_count": _IN, "eval_count": _OUT}
    times = {"total_duration": 4_883_583_458, "load_duration": 1_334_875, "eval_duration": 4}
    yield line({}, done=True, done_reason="stop", **counts, **times)


# -- frames ---------------------------------------------------------------------------------------


def _named(name: str, body: bytes) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), body)


def _unnamed(name: str, body: bytes) -> bytes:
    return b"data: %s\n\n" % body


def _a_line(name: str, body: bytes) -> bytes:
    return body + b"\n"


def _message(name: str, body: bytes) -> bytes:
    headers = {":event-type": name, ":content-type": "application/json", ":message-type": "event"}
    return eventstream.encode(headers, body)


_WIRES: dict[str, tuple[Callable[[Answer], Iterator[Payload]], Callable[[str, bytes], bytes]]] = {
    "anthropic": (_anthropic, _named),
    "openai_chat": (_chat, _unnamed),
    "openai_responses": (_responses, _named),
    "gemini": (_gemini, _unnamed),
    "bedrock": (_bedrock, _message),
    "mistral": (_mistral, _unnamed),
    "cohere": (_cohere, _named),
    "ollama": (_ollama, _a_line),
}
