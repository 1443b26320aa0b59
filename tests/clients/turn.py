"""One answer in eight wires, whole and streamed: a text in two deltas, and a call.

20 tokens went in, 9 came out. The arguments are `ARGUMENTS`, in pieces where the wire has pieces.
"""

from __future__ import annotations

import json
from typing import Any

from wireglot.framing import eventstream

__all__ = ["ARGUMENTS", "CALL_ID", "PLAIN", "RESPONSES", "STREAMS", "TEXT"]

TEXT = "Let me look: Łódź."
ARGUMENTS = '{"city": "Łódź", "days": 2}'
CALL_ID = "call00001"
_QUOTED = json.dumps(ARGUMENTS)
_HEAD, _TAIL = (json.dumps(piece) for piece in (ARGUMENTS[:9], ARGUMENTS[9:]))
_CHAT = '"id":"c1","created":1760000000,"model":"m"'
_MESSAGE = f"""{{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[
 {{"type":"output_text","text":"{TEXT}","annotations":[],"logprobs":[]}}]}}"""
_CALL = f"""{{"id":"fc_1","type":"function_call","status":"completed","call_id":"{CALL_ID}",
 "name":"weather","arguments":{_QUOTED}}}"""
_COUNTS = """{"input_tokens":20,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},
 "output_tokens":9,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":29}"""
_ANSWER = """"id":"resp_1","object":"response","created_at":1760000000,"model":"m","error":null,
 "incomplete_details":null,"instructions":null,"metadata":{},"parallel_tool_calls":true,
 "temperature":1.0,"tool_choice":"auto","tools":[],"top_p":1.0"""

PLAIN: dict[str, str] = {
    "anthropic": """
{"id":"msg_2","type":"message","role":"assistant","model":"m","content":[
 {"type":"text","text":"It is 21 °C."}],"stop_reason":"end_turn","stop_sequence":null,
 "usage":{"input_tokens":31,"output_tokens":7}}""",
    "openai_chat": """
{"id":"c2","created":1760000000,"model":"m","object":"chat.completion","choices":[{"index":0,
 "finish_reason":"stop","logprobs":null,
 "message":{"role":"assistant","content":"It is 21 °C.","refusal":null}}],
 "usage":{"prompt_tokens":31,"completion_tokens":7,"total_tokens":38}}""",
    "openai_responses": f"""
{{{_ANSWER},"status":"completed","output":[{{"id":"msg_2","type":"message","role":"assistant",
 "status":"completed","content":[
  {{"type":"output_text","text":"It is 21 °C.","annotations":[],"logprobs":[]}}]}}],
 "usage":{{"input_tokens":31,"input_tokens_details":{{"cached_tokens":0,"cache_write_tokens":0}},
  "output_tokens":7,"output_tokens_details":{{"reasoning_tokens":0}},"total_tokens":38}}}}""",
    "gemini": """
{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[
  {"text":"It is 21 °C."}]}}],
 "usageMetadata":{"promptTokenCount":31,"candidatesTokenCount":7,"totalTokenCount":38},
 "modelVersion":"m","responseId":"r2"}""",
    "bedrock": """
{"output":{"message":{"role":"assistant","content":[{"text":"It is 21 °C."}]}},
 "stopReason":"end_turn","usage":{"inputTokens":31,"outputTokens":7,"totalTokens":38},
 "metrics":{"latencyMs":5}}""",
    "mistral": """
{"id":"c2","created":1760000000,"model":"m","object":"chat.completion","choices":[{"index":0,
 "finish_reason":"stop","message":{"role":"assistant","content":"It is 21 °C.","tool_calls":null}}],
 "usage":{"prompt_tokens":31,"completion_tokens":7,"total_tokens":38}}""",
    "cohere": """
{"id":"c2","finish_reason":"COMPLETE","message":{"role":"assistant","content":[
  {"type":"text","text":"It is 21 °C."}]},
 "usage":{"billed_units":{"input_tokens":31,"output_tokens":7},
  "tokens":{"input_tokens":31,"output_tokens":7}}}""",
    "ollama": """
{"model":"m","created_at":"2025-10-09T08:53:20Z","message":{"role":"assistant",
 "content":"It is 21 °C."},"done":true,"done_reason":"stop","prompt_eval_count":31,
 "eval_count":7}""",
}
"""The end of the turn, whole: 31 tokens went in, 7 came out."""

RESPONSES: dict[str, str] = {
    "anthropic": f"""
{{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[
 {{"type":"text","text":"{TEXT}"}},
 {{"type":"tool_use","id":"{CALL_ID}","name":"weather","input":{ARGUMENTS}}}],
 "stop_reason":"tool_use","stop_sequence":null,
 "usage":{{"input_tokens":20,"output_tokens":9}}}}""",
    "openai_chat": f"""
{{{_CHAT},"object":"chat.completion","choices":[{{"index":0,"finish_reason":"tool_calls",
 "logprobs":null,"message":{{"role":"assistant","content":"{TEXT}","refusal":null,"tool_calls":[
  {{"id":"{CALL_ID}","type":"function",
   "function":{{"name":"weather","arguments":{_QUOTED}}}}}]}}}}],
 "usage":{{"prompt_tokens":20,"completion_tokens":9,"total_tokens":29}}}}""",
    "openai_responses": f"""
{{{_ANSWER},"status":"completed","output":[{_MESSAGE},{_CALL}],"usage":{_COUNTS}}}""",
    "gemini": f"""
{{"candidates":[{{"index":0,"finishReason":"STOP","content":{{"role":"model","parts":[
  {{"text":"{TEXT}"}},
  {{"functionCall":{{"id":"{CALL_ID}","name":"weather","args":{ARGUMENTS}}}}}]}}}}],
 "usageMetadata":{{"promptTokenCount":20,"candidatesTokenCount":9,"totalTokenCount":29}},
 "modelVersion":"m","responseId":"r1"}}""",
    "bedrock": f"""
{{"output":{{"message":{{"role":"assistant","content":[{{"text":"{TEXT}"}},
  {{"toolUse":{{"toolUseId":"{CALL_ID}","name":"weather","input":{ARGUMENTS}}}}}]}}}},
 "stopReason":"tool_use","usage":{{"inputTokens":20,"outputTokens":9,"totalTokens":29}},
 "metrics":{{"latencyMs":5}}}}""",
    "mistral": f"""
{{{_CHAT},"object":"chat.completion","choices":[{{"index":0,"finish_reason":"tool_calls",
 "message":{{"role":"assistant","content":"{TEXT}","tool_calls":[{{"id":"{CALL_ID}",
   "type":"function","index":0,"function":{{"name":"weather","arguments":{_QUOTED}}}}}]}}}}],
 "usage":{{"prompt_tokens":20,"completion_tokens":9,"total_tokens":29}}}}""",
    "cohere": f"""
{{"id":"c1","finish_reason":"TOOL_CALL","message":{{"role":"assistant","tool_plan":"{TEXT}",
  "tool_calls":[{{"id":"{CALL_ID}","type":"function",
   "function":{{"name":"weather","arguments":{_QUOTED}}}}}]}},
 "usage":{{"billed_units":{{"input_tokens":20,"output_tokens":9}},
  "tokens":{{"input_tokens":20,"output_tokens":9}}}}}}""",
    "ollama": f"""
{{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{{"role":"assistant",
  "content":"{TEXT}","tool_calls":[{{"id":"{CALL_ID}",
   "function":{{"name":"weather","arguments":{ARGUMENTS}}}}}]}},
 "done":true,"done_reason":"stop","total_duration":5,"prompt_eval_count":20,"eval_count":9}}""",
}


def _events(*events: str) -> bytes:
    """Frame events whose name is their `type`."""
    named = ((json.loads(event)["type"], " ".join(event.split("\n"))) for event in events)
    return "".join(f"event: {name}\ndata: {event}\n\n" for name, event in named).encode()


def _data(*chunks: str) -> bytes:
    return "".join(f"data: {' '.join(chunk.split(chr(10)))}\n\n" for chunk in chunks).encode()


def _chunks(*choices: str) -> list[str]:
    head = f'{_CHAT},"object":"chat.completion.chunk"'
    return [f'{{{head},"choices":[{{"index":0,{choice}}}]}}' for choice in choices]


def _messages(*events: tuple[str, Any]) -> bytes:
    headers = {":content-type": "application/json", ":message-type": "event"}
    return b"".join(
        eventstream.encode({":event-type": name, **headers}, json.dumps(said).encode())
        for name, said in events
    )


def _numbered(*events: str) -> list[str]:
    return [f'{{"sequence_number":{i},{event}}}' for i, event in enumerate(events)]


_ITEM = '"item_id":"msg_1","output_index":0,"content_index":0'
_MISTRAL_CALL = f"""{{"id":"{CALL_ID}","index":0,
 "function":{{"name":"weather","arguments":{_QUOTED}}}}}"""

STREAMS: dict[str, bytes] = {
    "anthropic": _events(
        """{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",
 "model":"m","content":[],"stop_reason":null,"stop_sequence":null,
 "usage":{"input_tokens":20,"output_tokens":1}}}""",
        '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
        '{"type":"ping"}',
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Let me "}}',
        """{"type":"content_block_delta","index":0,
 "delta":{"type":"text_delta","text":"look: Łódź."}}""",
        '{"type":"content_block_stop","index":0}',
        f"""{{"type":"content_block_start","index":1,"content_block":{{"type":"tool_use",
 "id":"{CALL_ID}","name":"weather","input":{{}}}}}}""",
        f"""{{"type":"content_block_delta","index":1,
 "delta":{{"type":"input_json_delta","partial_json":{_HEAD}}}}}""",
        f"""{{"type":"content_block_delta","index":1,
 "delta":{{"type":"input_json_delta","partial_json":{_TAIL}}}}}""",
        '{"type":"content_block_stop","index":1}',
        """{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},
 "usage":{"output_tokens":9}}""",
        '{"type":"message_stop"}',
    ),
    "openai_chat": _data(
        *_chunks(
            '"delta":{"role":"assistant","content":""},"finish_reason":null',
            '"delta":{"content":"Let me "},"finish_reason":null',
            '"delta":{"content":"look: Łódź."},"finish_reason":null',
            f""""delta":{{"tool_calls":[{{"index":0,"id":"{CALL_ID}","type":"function",
 "function":{{"name":"weather","arguments":""}}}}]}},"finish_reason":null""",
            f""""delta":{{"tool_calls":[{{"index":0,"function":{{"arguments":{_HEAD}}}}}]}},
 "finish_reason":null""",
            f""""delta":{{"tool_calls":[{{"index":0,"function":{{"arguments":{_TAIL}}}}}]}},
 "finish_reason":null""",
            '"delta":{},"finish_reason":"tool_calls"',
        ),
        f"""{{{_CHAT},"object":"chat.completion.chunk","choices":[],
 "usage":{{"prompt_tokens":20,"completion_tokens":9,"total_tokens":29}}}}""",
        "[DONE]",
    ),
    "openai_responses": _events(
        *_numbered(
            f""""type":"response.created",
 "response":{{{_ANSWER},"status":"in_progress","output":[],"usage":null}}""",
            """"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1",
 "type":"message","role":"assistant","status":"in_progress","content":[]}""",
            f""""type":"response.content_part.added",{_ITEM},
 "part":{{"type":"output_text","text":"","annotations":[],"logprobs":[]}}""",
            f'"type":"response.output_text.delta",{_ITEM},"delta":"Let me ","logprobs":[]',
            f'"type":"response.output_text.delta",{_ITEM},"delta":"look: Łódź.","logprobs":[]',
            f'"type":"response.output_text.done",{_ITEM},"text":"{TEXT}","logprobs":[]',
            f""""type":"response.content_part.done",{_ITEM},
 "part":{{"type":"output_text","text":"{TEXT}","annotations":[],"logprobs":[]}}""",
            f'"type":"response.output_item.done","output_index":0,"item":{_MESSAGE}',
            f""""type":"response.output_item.added","output_index":1,"item":{{"id":"fc_1",
 "type":"function_call","status":"in_progress","call_id":"{CALL_ID}","name":"weather",
 "arguments":""}}""",
            f""""type":"response.function_call_arguments.delta","item_id":"fc_1",
 "output_index":1,"delta":{_HEAD}""",
            f""""type":"response.function_call_arguments.delta","item_id":"fc_1",
 "output_index":1,"delta":{_TAIL}""",
            f""""type":"response.function_call_arguments.done","item_id":"fc_1",
 "output_index":1,"name":"weather","arguments":{_QUOTED}""",
            f'"type":"response.output_item.done","output_index":1,"item":{_CALL}',
            f""""type":"response.completed","response":{{{_ANSWER},"status":"completed",
 "output":[{_MESSAGE},{_CALL}],"usage":{_COUNTS}}}""",
        )
    ),
    "gemini": _data(
        """{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Let me "}]}}],
 "usageMetadata":{"promptTokenCount":20,"totalTokenCount":20},"modelVersion":"m",
 "responseId":"r1"}""",
        """{"candidates":[{"index":0,"content":{"role":"model",
 "parts":[{"text":"look: Łódź."}]}}],"modelVersion":"m","responseId":"r1"}""",
        f"""{{"candidates":[{{"index":0,"finishReason":"STOP","content":{{"role":"model",
 "parts":[{{"functionCall":{{"id":"{CALL_ID}","name":"weather","args":{ARGUMENTS}}}}}]}}}}],
 "usageMetadata":{{"promptTokenCount":20,"candidatesTokenCount":9,"totalTokenCount":29}},
 "modelVersion":"m","responseId":"r1"}}""",
    ),
    "bedrock": _messages(
        ("messageStart", {"role": "assistant"}),
        ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Let me "}}),
        ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "look: Łódź."}}),
        ("contentBlockStop", {"contentBlockIndex": 0}),
        (
            "contentBlockStart",
            {
                "contentBlockIndex": 1,
                "start": {"toolUse": {"toolUseId": CALL_ID, "name": "weather"}},
            },
        ),
        (
            "contentBlockDelta",
            {"contentBlockIndex": 1, "delta": {"toolUse": {"input": ARGUMENTS[:9]}}},
        ),
        (
            "contentBlockDelta",
            {"contentBlockIndex": 1, "delta": {"toolUse": {"input": ARGUMENTS[9:]}}},
        ),
        ("contentBlockStop", {"contentBlockIndex": 1}),
        ("messageStop", {"stopReason": "tool_use"}),
        (
            "metadata",
            {
                "usage": {"inputTokens": 20, "outputTokens": 9, "totalTokens": 29},
                "metrics": {"latencyMs": 5},
            },
        ),
    ),
    "mistral": _data(
        *_chunks(
            '"delta":{"role":"assistant","content":""},"finish_reason":null',
            '"delta":{"content":"Let me "},"finish_reason":null',
            '"delta":{"content":"look: Łódź."},"finish_reason":null',
        ),
        f"""{{{_CHAT},"object":"chat.completion.chunk","choices":[{{"index":0,
 "delta":{{"content":"","tool_calls":[{_MISTRAL_CALL}]}},"finish_reason":"tool_calls"}}],
 "usage":{{"prompt_tokens":20,"completion_tokens":9,"total_tokens":29}}}}""",
        "[DONE]",
    ),
    "cohere": _events(
        """{"type":"message-start","id":"c1","delta":{"message":{"role":"assistant","content":[],
 "tool_plan":"","tool_calls":[],"citations":[]}}}""",
        '{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"Let me "}}}',
        '{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"look: Łódź."}}}',
        f"""{{"type":"tool-call-start","index":0,"delta":{{"message":{{"tool_calls":{{
 "id":"{CALL_ID}","type":"function","function":{{"name":"weather","arguments":""}}}}}}}}}}""",
        f"""{{"type":"tool-call-delta","index":0,
 "delta":{{"message":{{"tool_calls":{{"function":{{"arguments":{_HEAD}}}}}}}}}}}""",
        f"""{{"type":"tool-call-delta","index":0,
 "delta":{{"message":{{"tool_calls":{{"function":{{"arguments":{_TAIL}}}}}}}}}}}""",
        '{"type":"tool-call-end","index":0}',
        """{"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{
 "billed_units":{"input_tokens":20,"output_tokens":9},
 "tokens":{"input_tokens":20,"output_tokens":9}}}}""",
    ),
    "ollama": "".join(
        " ".join(line.split("\n")) + "\n"
        for line in (
            """{"model":"m","created_at":"2026-01-02T03:04:05Z",
 "message":{"role":"assistant","content":"Let me "},"done":false}""",
            """{"model":"m","created_at":"2026-01-02T03:04:05Z",
 "message":{"role":"assistant","content":"look: Łódź."},"done":false}""",
            f"""{{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{{"role":"assistant",
 "content":"","tool_calls":[{{"id":"{CALL_ID}",
  "function":{{"name":"weather","arguments":{ARGUMENTS}}}}}]}},"done":false}}""",
            """{"model":"m","created_at":"2026-01-02T03:04:05Z",
 "message":{"role":"assistant","content":""},"done":true,"done_reason":"stop",
 "total_duration":5,"prompt_eval_count":20,"eval_count":9}""",
        )
    ).encode(),
}
