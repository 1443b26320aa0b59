"""Streams: calls in pieces, late ids, errors, and what comes after the end."""

from typing import Final

import pytest

from tests.field.cases import Case, RefusedStream, Stream
from tests.field.frames import (
    ANTHROPIC,
    COUNTS,
    GEMINI,
    OLLAMA,
    RESPONSES,
    STOP,
    begun,
    chunk,
    closed,
    counted,
    ended,
    grown,
    opened,
    sent,
)

CASES: Final[dict[str, Case]] = {
    "a text and the start of a call in one chunk are two blocks": Stream(
        "BerriAI/litellm#18238",
        "openai_chat",
        "anthropic",
        [
            chunk(
                '{"role":"assistant","content":"First:","tool_calls":[{"index":0,"id":"a",'
                '"type":"function","function":{"name":"f","arguments":""}}]}'
            ),
            chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"x\\":1}"}}]}'),
            chunk("{}", '"tool_calls"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"First:"}'),
            closed(0),
            opened(1, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(1, '{"type":"input_json_delta","partial_json":"{\\"x\\":1}"}'),
            closed(1),
            ended("tool_use"),
            STOP,
        ],
    ),
    "two calls under one index are two blocks": Stream(
        "huggingface/smolagents#1958",
        "openai_chat:generic",
        "anthropic",
        [
            chunk(
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":"{\\"q\\":\\"a\\"}"}}]}'
            ),
            chunk(
                '{"tool_calls":[{"index":0,"id":"b","type":"function","function":{"name":"f",'
                '"arguments":"{\\"q\\":\\"b\\"}"}}]}'
            ),
            chunk("{}", '"tool_calls"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{\\"q\\":\\"a\\"}"}'),
            closed(0),
            opened(1, '{"type":"tool_use","id":"b","name":"f","input":{}}'),
            grown(1, '{"type":"input_json_delta","partial_json":"{\\"q\\":\\"b\\"}"}'),
            closed(1),
            ended("tool_use"),
            STOP,
        ],
    ),
    "calls without an index are two blocks": Stream(
        "AstrBotDevs/AstrBot#6692",
        "openai_chat:generic",
        "anthropic",
        [
            chunk(
                '{"role":"assistant","tool_calls":[{"id":"a","type":"function",'
                '"function":{"name":"f","arguments":"{\\"q\\":1}"}}]}'
            ),
            chunk(
                '{"tool_calls":[{"id":"b","type":"function","function":{"name":"g",'
                '"arguments":"{}"}}]}'
            ),
            chunk("{}", '"tool_calls"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{\\"q\\":1}"}'),
            closed(0),
            opened(1, '{"type":"tool_use","id":"b","name":"g","input":{}}'),
            grown(1, '{"type":"input_json_delta","partial_json":"{}"}'),
            closed(1),
            ended("tool_use"),
            STOP,
        ],
    ),
    "pieces of two calls in turn are two calls, one after the other": Stream(
        "maximhq/bifrost#1829",
        "openai_chat",
        "anthropic",
        [
            chunk(
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":""}}]}'
            ),
            chunk(
                '{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g",'
                '"arguments":""}}]}'
            ),
            chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"x\\":"}}]}'),
            chunk('{"tool_calls":[{"index":1,"function":{"arguments":"{\\"y\\":"}}]}'),
            chunk('{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}'),
            chunk('{"tool_calls":[{"index":1,"function":{"arguments":"2}"}}]}'),
            chunk("{}", '"tool_calls"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{\\"x\\":"}'),
            grown(0, '{"type":"input_json_delta","partial_json":"1}"}'),
            closed(0),
            opened(1, '{"type":"tool_use","id":"b","name":"g","input":{}}'),
            grown(1, '{"type":"input_json_delta","partial_json":"{\\"y\\":"}'),
            grown(1, '{"type":"input_json_delta","partial_json":"2}"}'),
            closed(1),
            ended("tool_use"),
            STOP,
        ],
    ),
    "pieces of two calls in turn are two whole calls of Ollama": Stream(
        "QwenLM/Qwen-Agent#943",
        "openai_chat",
        "ollama",
        [
            chunk(
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":""}}]}'
            ),
            chunk(
                '{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g",'
                '"arguments":""}}]}'
            ),
            chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"x\\":"}}]}'),
            chunk('{"tool_calls":[{"index":1,"function":{"arguments":"{\\"y\\":"}}]}'),
            chunk('{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}'),
            chunk('{"tool_calls":[{"index":1,"function":{"arguments":"2}"}}]}'),
            chunk("{}", '"tool_calls"'),
            COUNTS,
            "[DONE]",
        ],
        [
            (
                '{"model":"m","created_at":"1970-01-01T00:00:01Z","message":{"role":"assistant",'
                '"content":"","tool_calls":[{"id":"a","function":{"index":0,"name":"f",'
                '"arguments":{"x":1}}}]},"done":false}'
            ),
            (
                '{"model":"m","created_at":"1970-01-01T00:00:01Z","message":{"role":"assistant",'
                '"content":"","tool_calls":[{"id":"b","function":{"index":1,"name":"g",'
                '"arguments":{"y":2}}}]},"done":false}'
            ),
            (
                '{"model":"m","created_at":"1970-01-01T00:00:01Z","message":{"role":"assistant",'
                '"content":""},"done":true,"done_reason":"stop","total_duration":0,'
                '"load_duration":0,"prompt_eval_count":3,"prompt_eval_duration":0,'
                '"eval_count":2,"eval_duration":0}'
            ),
        ],
    ),
    "an id that comes late is that of the block": Stream(
        "oracle/langchain-oracle#254",
        "openai_chat:generic",
        "anthropic",
        [
            chunk(
                '{"role":"assistant","tool_calls":[{"index":0,"id":"","type":"function",'
                '"function":{"name":"f","arguments":""}}]}'
            ),
            chunk('{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{\\"x\\":"}}]}'),
            chunk('{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}'),
            chunk("{}", '"tool_calls"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{\\"x\\":"}'),
            grown(0, '{"type":"input_json_delta","partial_json":"1}"}'),
            closed(0),
            ended("tool_use"),
            STOP,
        ],
    ),
    "a name in two pieces is one name": Stream(
        "continuedev/continue#5849",
        "openai_chat:generic",
        "anthropic",
        [
            chunk(
                '{"tool_calls":[{"index":0,"id":"a","type":"function",'
                '"function":{"name":"get_","arguments":""}}]}'
            ),
            chunk('{"tool_calls":[{"index":0,"function":{"name":"weather","arguments":""}}]}'),
            chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}'),
            chunk("{}", '"tool_calls"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"tool_use","id":"a","name":"get_weather","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{}"}'),
            closed(0),
            ended("tool_use"),
            STOP,
        ],
    ),
    "a name in every piece is one name": Stream(
        "NousResearch/hermes-agent#8259",
        "openai_chat:generic",
        "anthropic",
        [
            chunk(
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":""}}]}'
            ),
            chunk(
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":"{\\"x\\":"}}]}'
            ),
            chunk(
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":"1}"}}]}'
            ),
            chunk("{}", '"tool_calls"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{\\"x\\":"}'),
            grown(0, '{"type":"input_json_delta","partial_json":"1}"}'),
            closed(0),
            ended("tool_use"),
            STOP,
        ],
    ),
    "stop behind a call is tool_use": Stream(
        "router-for-me/CLIProxyAPI#866",
        "openai_chat:generic",
        "anthropic",
        [
            chunk(
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":"{}"}}]}'
            ),
            chunk("{}", '"stop"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{}"}'),
            closed(0),
            ended("tool_use"),
            STOP,
        ],
    ),
    "a call of Anthropic in a stream reaches Chat": Stream(
        "BerriAI/litellm#36262",
        "anthropic",
        "openai_chat",
        [
            (
                '{"type":"message_start","message":{"id":"msg_1","type":"message",'
                '"role":"assistant","model":"m","content":[],'
                '"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,'
                '"cache_read_input_tokens":800,"output_tokens":1}}}'
            ),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Hm:"}'),
            closed(0),
            opened(1, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(1, '{"type":"input_json_delta","partial_json":""}'),
            grown(1, '{"type":"input_json_delta","partial_json":"{\\"x\\":"}'),
            grown(1, '{"type":"input_json_delta","partial_json":"1}"}'),
            closed(1),
            (
                '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},'
                '"usage":{"output_tokens":2}}'
            ),
            STOP,
        ],
        [
            sent(ANTHROPIC, '{"role":"assistant","content":null}'),
            sent(ANTHROPIC, '{"content":"Hm:"}'),
            sent(
                ANTHROPIC,
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":""}}]}',
            ),
            sent(ANTHROPIC, '{"tool_calls":[{"index":0,"function":{"arguments":"{\\"x\\":"}}]}'),
            sent(ANTHROPIC, '{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}'),
            sent(ANTHROPIC, "{}", '"tool_calls"'),
            counted(
                ANTHROPIC,
                '{"prompt_tokens":803,"completion_tokens":2,"total_tokens":805,'
                '"prompt_tokens_details":{"cached_tokens":800},'
                '"completion_tokens_details":{"reasoning_tokens":0}}',
            ),
            "[DONE]",
        ],
    ),
    "two calls behind a text count from zero on Chat": Stream(
        "mcowger/plexus#691",
        "anthropic",
        "openai_chat",
        [
            (
                '{"type":"message_start","message":{"id":"msg_1","type":"message",'
                '"role":"assistant","model":"m","content":[],'
                '"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,'
                '"cache_read_input_tokens":800,"output_tokens":1}}}'
            ),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Hm:"}'),
            closed(0),
            opened(1, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(1, '{"type":"input_json_delta","partial_json":"{\\"x\\":1}"}'),
            closed(1),
            opened(2, '{"type":"tool_use","id":"b","name":"g","input":{}}'),
            grown(2, '{"type":"input_json_delta","partial_json":"{}"}'),
            closed(2),
            (
                '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},'
                '"usage":{"output_tokens":2}}'
            ),
            STOP,
        ],
        [
            sent(ANTHROPIC, '{"role":"assistant","content":null}'),
            sent(ANTHROPIC, '{"content":"Hm:"}'),
            sent(
                ANTHROPIC,
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":""}}]}',
            ),
            sent(ANTHROPIC, '{"tool_calls":[{"index":0,"function":{"arguments":"{\\"x\\":1}"}}]}'),
            sent(
                ANTHROPIC,
                '{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g",'
                '"arguments":""}}]}',
            ),
            sent(ANTHROPIC, '{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}'),
            sent(ANTHROPIC, "{}", '"tool_calls"'),
            counted(
                ANTHROPIC,
                '{"prompt_tokens":803,"completion_tokens":2,"total_tokens":805,'
                '"prompt_tokens_details":{"cached_tokens":800},'
                '"completion_tokens_details":{"reasoning_tokens":0}}',
            ),
            "[DONE]",
        ],
    ),
    "an error amid a stream of Anthropic is Chat's error": Stream(
        "envoyproxy/ai-gateway#2697",
        "anthropic",
        "openai_chat",
        [
            (
                '{"type":"message_start","message":{"id":"msg_1","type":"message",'
                '"role":"assistant","model":"m","content":[],'
                '"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,'
                '"cache_read_input_tokens":800,"output_tokens":1}}}'
            ),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Ye"}'),
            '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
        ],
        [
            sent(ANTHROPIC, '{"role":"assistant","content":null}'),
            sent(ANTHROPIC, '{"content":"Ye"}'),
            (
                '{"error":{"message":"Overloaded","type":"service_unavailable_error","param":null,'
                '"code":null}}'
            ),
        ],
    ),
    "an error amid a stream of Chat is Anthropic's error": Stream(
        "BerriAI/litellm#41826",
        "openai_chat",
        "anthropic",
        [
            chunk('{"role":"assistant","content":"Ye"}'),
            '{"error":{"message":"The server had an error","type":"server_error"}}',
        ],
        [
            begun("c1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Ye"}'),
            '{"type":"content_block_stop","index":0}',
            '{"type":"error","error":{"type":"api_error","message":"The server had an error"}}',
        ],
    ),
    "a call of Gemini has its arguments in Anthropic's deltas": Stream(
        "BerriAI/litellm#25836",
        "gemini",
        "anthropic",
        [
            (
                '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"a",'
                '"name":"add","args":{"a":17,"b":25}}}]},"finishReason":"STOP"}],'
                '"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,'
                '"totalTokenCount":5},"modelVersion":"m","responseId":"r1"}'
            ),
        ],
        [
            (
                '{"type":"message_start","message":{"id":"r1","type":"message","role":"assistant",'
                '"model":"m","content":[],"stop_reason":null,"stop_sequence":null,'
                '"usage":{"input_tokens":3,"cache_creation_input_tokens":0,'
                '"cache_read_input_tokens":0,"output_tokens":2}}}'
            ),
            opened(0, '{"type":"tool_use","id":"a","name":"add","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{\\"a\\":17,\\"b\\":25}"}'),
            closed(0),
            ended("tool_use"),
            STOP,
        ],
    ),
    "STOP of Gemini in a chunk behind the call is tool_calls": Stream(
        "envoyproxy/ai-gateway#2399",
        "gemini",
        "openai_chat",
        [
            (
                '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"a",'
                '"name":"f","args":{"x":1}}}]}}],"modelVersion":"m","responseId":"r1"}'
            ),
            (
                '{"candidates":[{"content":{"role":"model","parts":[{"text":""}]},'
                '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,'
                '"candidatesTokenCount":2,"totalTokenCount":5},'
                '"modelVersion":"m","responseId":"r1"}'
            ),
        ],
        [
            sent(GEMINI, '{"role":"assistant","content":null}'),
            sent(
                GEMINI,
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":""}}]}',
            ),
            sent(GEMINI, '{"tool_calls":[{"index":0,"function":{"arguments":"{\\"x\\":1}"}}]}'),
            sent(GEMINI, "{}", '"tool_calls"'),
            counted(
                GEMINI,
                '{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,'
                '"prompt_tokens_details":{"cached_tokens":0},'
                '"completion_tokens_details":{"reasoning_tokens":0}}',
            ),
            "[DONE]",
        ],
    ),
    "calls of Gemini in two chunks have two indices": Stream(
        "mozilla-ai/any-llm#1148",
        "gemini",
        "openai_chat",
        [
            (
                '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"a",'
                '"name":"f","args":{}}}]}}],"modelVersion":"m","responseId":"r1"}'
            ),
            (
                '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"b",'
                '"name":"g","args":{}}}]},"finishReason":"STOP"}],'
                '"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,'
                '"totalTokenCount":5},"modelVersion":"m","responseId":"r1"}'
            ),
        ],
        [
            sent(GEMINI, '{"role":"assistant","content":null}'),
            sent(
                GEMINI,
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":""}}]}',
            ),
            sent(GEMINI, '{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}'),
            sent(
                GEMINI,
                '{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g",'
                '"arguments":""}}]}',
            ),
            sent(GEMINI, '{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}'),
            sent(GEMINI, "{}", '"tool_calls"'),
            counted(
                GEMINI,
                '{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,'
                '"prompt_tokens_details":{"cached_tokens":0},'
                '"completion_tokens_details":{"reasoning_tokens":0}}',
            ),
            "[DONE]",
        ],
    ),
    "STOP in every chunk of Gemini ends the answer once": Stream(
        "fruitbars/simple-one-api#32",
        "gemini",
        "openai_chat",
        [
            (
                '{"candidates":[{"content":{"role":"model","parts":[{"text":"Ye"}]},'
                '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,'
                '"candidatesTokenCount":1,"totalTokenCount":4},'
                '"modelVersion":"m","responseId":"r1"}'
            ),
            (
                '{"candidates":[{"content":{"role":"model","parts":[{"text":"s."}]},'
                '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,'
                '"candidatesTokenCount":2,"totalTokenCount":5},'
                '"modelVersion":"m","responseId":"r1"}'
            ),
        ],
        [
            sent(GEMINI, '{"role":"assistant","content":null}'),
            sent(GEMINI, '{"content":"Ye"}'),
            sent(GEMINI, '{"content":"s."}'),
            sent(GEMINI, "{}", '"stop"'),
            counted(
                GEMINI,
                '{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,'
                '"prompt_tokens_details":{"cached_tokens":0},'
                '"completion_tokens_details":{"reasoning_tokens":0}}',
            ),
            "[DONE]",
        ],
    ),
    "a call of Ollama reaches Anthropic with its arguments": Stream(
        "BerriAI/litellm#25605",
        "ollama",
        "anthropic",
        [
            (
                '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
                '"content":"","tool_calls":[{"function":{"name":"glob",'
                '"arguments":{"pattern":"*.py"}}}]},"done":false}'
            ),
            (
                '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
                '"content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,'
                '"eval_count":2}'
            ),
        ],
        [
            begun("msg_7996c4157004061ad98878a9"),
            opened(0, '{"type":"tool_use","id":"call_e5f52085adbe_0","name":"glob","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{\\"pattern\\":\\"*.py\\"}"}'),
            closed(0),
            ended("tool_use"),
            STOP,
        ],
    ),
    "a call of Ollama has no empty text before it": Stream(
        "BerriAI/litellm#34692",
        "ollama",
        "openai_responses",
        [
            (
                '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
                '"content":"","tool_calls":[{"id":"a","function":{"name":"f","arguments":{}}}]},'
                '"done":false}'
            ),
            (
                '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
                '"content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,'
                '"eval_count":2}'
            ),
        ],
        [
            (
                '{"type":"response.created","sequence_number":0,'
                '"response":{"id":"resp_7996c4157004061ad98878a9","object":"response",'
                '"created_at":1767323045,"status":"in_progress","error":null,'
                '"incomplete_details":null,"model":"m","output":[],"usage":null,"metadata":{},'
                '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}'
            ),
            (
                '{"type":"response.in_progress","sequence_number":1,'
                '"response":{"id":"resp_7996c4157004061ad98878a9","object":"response",'
                '"created_at":1767323045,"status":"in_progress","error":null,'
                '"incomplete_details":null,"model":"m","output":[],"usage":null,"metadata":{},'
                '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}'
            ),
            (
                '{"type":"response.output_item.added","sequence_number":2,"output_index":0,'
                '"item":{"id":"fc_7996c4157004061ad98878a90000","type":"function_call",'
                '"status":"in_progress","call_id":"a","name":"f","arguments":""}}'
            ),
            (
                '{"type":"response.function_call_arguments.delta","sequence_number":3,'
                '"item_id":"fc_7996c4157004061ad98878a90000","output_index":0,"delta":"{}"}'
            ),
            (
                '{"type":"response.function_call_arguments.done","sequence_number":4,'
                '"item_id":"fc_7996c4157004061ad98878a90000","output_index":0,"arguments":"{}"}'
            ),
            (
                '{"type":"response.output_item.done","sequence_number":5,"output_index":0,'
                '"item":{"id":"fc_7996c4157004061ad98878a90000","type":"function_call",'
                '"status":"completed","call_id":"a","name":"f","arguments":"{}"}}'
            ),
            (
                '{"type":"response.completed","sequence_number":6,'
                '"response":{"id":"resp_7996c4157004061ad98878a9","object":"response",'
                '"created_at":1767323045,"status":"completed","error":null,'
                '"incomplete_details":null,"model":"m",'
                '"output":[{"id":"fc_7996c4157004061ad98878a90000","type":"function_call",'
                '"status":"completed","call_id":"a","name":"f","arguments":"{}"}],'
                '"usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":0,'
                '"cache_write_tokens":0},"output_tokens":2,'
                '"output_tokens_details":{"reasoning_tokens":0},"total_tokens":5},"metadata":{},'
                '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}'
            ),
        ],
    ),
    "two calls of Ollama under one index have two on Chat": Stream(
        "huggingface/smolagents#1569",
        "ollama",
        "openai_chat",
        [
            (
                '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
                '"content":"","tool_calls":[{"id":"a","function":{"index":0,"name":"f",'
                '"arguments":{"q":"a"}}}]},"done":false}'
            ),
            (
                '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
                '"content":"","tool_calls":[{"id":"b","function":{"index":0,"name":"f",'
                '"arguments":{"q":"b"}}}]},"done":false}'
            ),
            (
                '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
                '"content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,'
                '"eval_count":2}'
            ),
        ],
        [
            sent(OLLAMA, '{"role":"assistant","content":null}'),
            sent(
                OLLAMA,
                '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f",'
                '"arguments":""}}]}',
            ),
            sent(
                OLLAMA, '{"tool_calls":[{"index":0,"function":{"arguments":"{\\"q\\":\\"a\\"}"}}]}'
            ),
            sent(
                OLLAMA,
                '{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"f",'
                '"arguments":""}}]}',
            ),
            sent(
                OLLAMA, '{"tool_calls":[{"index":1,"function":{"arguments":"{\\"q\\":\\"b\\"}"}}]}'
            ),
            sent(OLLAMA, "{}", '"tool_calls"'),
            counted(
                OLLAMA,
                '{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,'
                '"prompt_tokens_details":{"cached_tokens":0},'
                '"completion_tokens_details":{"reasoning_tokens":0}}',
            ),
            "[DONE]",
        ],
    ),
    "arguments of Responses that come only at the end are a delta": Stream(
        "BerriAI/litellm#25321",
        "openai_responses",
        "anthropic",
        [
            (
                '{"sequence_number":0,"type":"response.created","response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","output":[],'
                '"status":"in_progress"}}'
            ),
            (
                '{"sequence_number":1,"type":"response.output_item.added","output_index":0,'
                '"item":{"id":"fc_1","type":"function_call","call_id":"a","name":"f",'
                '"arguments":""}}'
            ),
            (
                '{"sequence_number":2,"type":"response.function_call_arguments.done",'
                '"item_id":"fc_1","output_index":0,"arguments":"{\\"x\\":1}"}'
            ),
            (
                '{"sequence_number":3,"type":"response.output_item.done","output_index":0,'
                '"item":{"id":"fc_1","type":"function_call","call_id":"a","name":"f",'
                '"arguments":"{\\"x\\":1}"}}'
            ),
            (
                '{"sequence_number":4,"type":"response.completed","response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","output":[],'
                '"status":"completed","usage":{"input_tokens":3,"output_tokens":2,'
                '"total_tokens":5}}}'
            ),
        ],
        [
            begun("resp_1"),
            opened(0, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{\\"x\\":1}"}'),
            closed(0),
            ended("tool_use"),
            STOP,
        ],
    ),
    "a text of Responses is not told again at its end": Stream(
        "danielmiessler/Fabric#1684",
        "openai_responses",
        "openai_chat",
        [
            (
                '{"sequence_number":0,"type":"response.created","response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","output":[],'
                '"status":"in_progress"}}'
            ),
            (
                '{"sequence_number":1,"type":"response.output_item.added","output_index":0,'
                '"item":{"id":"msg_1","type":"message","role":"assistant","content":[]}}'
            ),
            (
                '{"sequence_number":2,"type":"response.output_text.delta","item_id":"msg_1",'
                '"output_index":0,"content_index":0,"delta":"Yes."}'
            ),
            (
                '{"sequence_number":3,"type":"response.output_text.done","item_id":"msg_1",'
                '"output_index":0,"content_index":0,"text":"Yes."}'
            ),
            (
                '{"sequence_number":4,"type":"response.output_item.done","output_index":0,'
                '"item":{"id":"msg_1","type":"message","role":"assistant",'
                '"content":[{"type":"output_text","text":"Yes.","annotations":[]}]}}'
            ),
            (
                '{"sequence_number":5,"type":"response.completed","response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","output":[],'
                '"status":"completed","usage":{"input_tokens":3,"output_tokens":2,'
                '"total_tokens":5}}}'
            ),
        ],
        [
            sent(RESPONSES, '{"role":"assistant","content":null}'),
            sent(RESPONSES, '{"content":"Yes."}'),
            sent(RESPONSES, "{}", '"stop"'),
            counted(
                RESPONSES,
                '{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,'
                '"prompt_tokens_details":{"cached_tokens":0},'
                '"completion_tokens_details":{"reasoning_tokens":0}}',
            ),
            "[DONE]",
        ],
    ),
    "a text of Responses that comes only at its end is told": Stream(
        "ltmoerdani/opencode-copilot-chat#201",
        "openai_responses",
        "openai_chat",
        [
            (
                '{"sequence_number":0,"type":"response.created","response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","output":[],'
                '"status":"in_progress"}}'
            ),
            (
                '{"sequence_number":1,"type":"response.output_item.added","output_index":0,'
                '"item":{"id":"msg_1","type":"message","role":"assistant","content":[]}}'
            ),
            (
                '{"sequence_number":2,"type":"response.output_text.done","item_id":"msg_1",'
                '"output_index":0,"content_index":0,"text":"Yes."}'
            ),
            (
                '{"sequence_number":3,"type":"response.output_item.done","output_index":0,'
                '"item":{"id":"msg_1","type":"message","role":"assistant",'
                '"content":[{"type":"output_text","text":"Yes.","annotations":[]}]}}'
            ),
            (
                '{"sequence_number":4,"type":"response.completed","response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","output":[],'
                '"status":"completed","usage":{"input_tokens":3,"output_tokens":2,'
                '"total_tokens":5}}}'
            ),
        ],
        [
            sent(RESPONSES, '{"role":"assistant","content":null}'),
            sent(RESPONSES, '{"content":"Yes."}'),
            sent(RESPONSES, "{}", '"stop"'),
            counted(
                RESPONSES,
                '{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,'
                '"prompt_tokens_details":{"cached_tokens":0},'
                '"completion_tokens_details":{"reasoning_tokens":0}}',
            ),
            "[DONE]",
        ],
    ),
    "a stream of Responses that is cut short ends with max_tokens": Stream(
        "BerriAI/litellm#37710",
        "openai_responses",
        "anthropic",
        [
            (
                '{"sequence_number":0,"type":"response.created","response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","output":[],'
                '"status":"in_progress"}}'
            ),
            (
                '{"sequence_number":1,"type":"response.output_item.added","output_index":0,'
                '"item":{"id":"msg_1","type":"message","role":"assistant","content":[]}}'
            ),
            (
                '{"sequence_number":2,"type":"response.output_text.delta","item_id":"msg_1",'
                '"output_index":0,"content_index":0,"delta":"Ye"}'
            ),
            (
                '{"sequence_number":3,"type":"response.incomplete","response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","output":[],'
                '"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},'
                '"usage":{"input_tokens":3,"output_tokens":2,"total_tokens":5}}}'
            ),
        ],
        [
            begun("resp_1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Ye"}'),
            closed(0),
            ended("max_tokens"),
            STOP,
        ],
    ),
    "reasoning and a call of Responses have indices of their own": Stream(
        "router-for-me/CLIProxyAPI#539",
        "openai_responses",
        "anthropic",
        [
            (
                '{"sequence_number":0,"type":"response.created","response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","output":[],'
                '"status":"in_progress"}}'
            ),
            (
                '{"sequence_number":1,"type":"response.output_item.added","output_index":0,'
                '"item":{"id":"rs_1","type":"reasoning","summary":[]}}'
            ),
            (
                '{"sequence_number":2,"type":"response.reasoning_summary_part.added",'
                '"item_id":"rs_1","output_index":0,"summary_index":0,'
                '"part":{"type":"summary_text","text":""}}'
            ),
            (
                '{"sequence_number":3,"type":"response.reasoning_summary_text.delta",'
                '"item_id":"rs_1","output_index":0,"summary_index":0,"delta":"Hm."}'
            ),
            (
                '{"sequence_number":4,"type":"response.output_item.done","output_index":0,'
                '"item":{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text",'
                '"text":"Hm."}]}}'
            ),
            (
                '{"sequence_number":5,"type":"response.output_item.added","output_index":1,'
                '"item":{"id":"fc_1","type":"function_call","call_id":"a","name":"f",'
                '"arguments":""}}'
            ),
            (
                '{"sequence_number":6,"type":"response.function_call_arguments.delta",'
                '"item_id":"fc_1","output_index":1,"delta":"{}"}'
            ),
            (
                '{"sequence_number":7,"type":"response.output_item.done","output_index":1,'
                '"item":{"id":"fc_1","type":"function_call","call_id":"a","name":"f",'
                '"arguments":"{}"}}'
            ),
            (
                '{"sequence_number":8,"type":"response.completed","response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","output":[],'
                '"status":"completed","usage":{"input_tokens":3,"output_tokens":2,'
                '"total_tokens":5}}}'
            ),
        ],
        [
            begun("resp_1"),
            opened(0, '{"type":"thinking","thinking":"","signature":""}'),
            grown(0, '{"type":"thinking_delta","thinking":"Hm."}'),
            closed(0),
            opened(1, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(1, '{"type":"input_json_delta","partial_json":"{}"}'),
            closed(1),
            ended("tool_use"),
            STOP,
        ],
    ),
    "a text of Chat is a block of Bedrock that ends": Stream(
        "maximhq/bifrost#4262",
        "openai_chat",
        "bedrock",
        [
            chunk('{"role":"assistant","content":""}'),
            chunk('{"content":"Yes."}'),
            chunk("{}", '"length"'),
            COUNTS,
            "[DONE]",
        ],
        [
            '{"messageStart":{"role":"assistant"}}',
            '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"Yes."}}}',
            '{"contentBlockStop":{"contentBlockIndex":0}}',
            '{"messageStop":{"stopReason":"max_tokens"}}',
            (
                '{"metadata":{"usage":{"inputTokens":3,"outputTokens":2,"totalTokens":5},'
                '"metrics":{"latencyMs":0}}}'
            ),
        ],
    ),
    "comments of OpenRouter between the events are skipped": Stream(
        "mnfst/llm-gateway#2053",
        "openai_chat:openrouter",
        "anthropic",
        [
            ": OPENROUTER PROCESSING",
            chunk('{"role":"assistant","content":"Yes."}'),
            ": OPENROUTER PROCESSING",
            chunk("{}", '"stop"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Yes."}'),
            closed(0),
            ended("end_turn"),
            STOP,
        ],
    ),
    "a first chunk of Azure without choices does not begin an answer": Stream(
        "seratch/ChatGPT-in-Slack#49",
        "openai_chat:azure",
        "anthropic",
        [
            (
                '{"id":"","object":"","created":0,"model":"","choices":[],'
                '"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}'
            ),
            chunk('{"role":"assistant","content":"Yes."}'),
            chunk("{}", '"stop"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Yes."}'),
            closed(0),
            ended("end_turn"),
            STOP,
        ],
        lost="extras",
    ),
    "a text and a call in two choices of Copilot are two blocks": Stream(
        "HKUDS/nanobot#1555",
        "openai_chat",
        "anthropic",
        [
            chunk('{"role":"assistant","content":"Hm."}'),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":1,"delta":{"role":"assistant","tool_calls":[{"index":0,'
                '"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},'
                '"finish_reason":"tool_calls"}]}'
            ),
            chunk("{}", '"tool_calls"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Hm."}'),
            closed(0),
            opened(1, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(1, '{"type":"input_json_delta","partial_json":"{}"}'),
            closed(1),
            ended("tool_use"),
            STOP,
        ],
    ),
    "a stream of Anthropic that is cut has no end on Chat": RefusedStream(
        "openclaw/openclaw#120030",
        "anthropic",
        "openai_chat",
        [
            (
                '{"type":"message_start","message":{"id":"msg_1","type":"message",'
                '"role":"assistant","model":"m","content":[],'
                '"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,'
                '"cache_read_input_tokens":800,"output_tokens":1}}}'
            ),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Yes."}'),
            closed(0),
        ],
        "anthropic: the stream ended before the answer did, expected `message_stop` - at `$`",
    ),
    "a chunk of Azure without a delta is skipped": Stream(
        "microsoft/autogen#6465",
        "openai_chat:azure",
        "anthropic",
        [
            chunk('{"role":"assistant","content":"Yes."}'),
            (
                '{"id":"","choices":[{"finish_reason":null,"index":0,'
                '"content_filter_offsets":{"check_offset":1},"content_filter_results":{}}],'
                '"created":0,"model":"","object":""}'
            ),
            chunk("{}", '"stop"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Yes."}'),
            closed(0),
            ended("end_turn"),
            STOP,
        ],
        lost="extras",
    ),
    "a call of Mistral in one chunk is a whole block": Stream(
        "langchain-ai/langchain#19469",
        "mistral",
        "anthropic",
        [
            chunk('{"role":"assistant","content":""}'),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"content":"","tool_calls":[{"id":"abcdefghi",'
                '"function":{"name":"f","arguments":"{}"},"index":0}]},'
                '"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
                '"total_tokens":5}}'
            ),
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"tool_use","id":"abcdefghi","name":"f","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{}"}'),
            closed(0),
            ended("tool_use"),
            STOP,
        ],
    ),
    "a plan of Cohere is a text before the call": Stream(
        "BerriAI/litellm#2480",
        "cohere",
        "anthropic",
        [
            (
                '{"type":"message-start","id":"c1","delta":{"message":{"role":"assistant",'
                '"content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}'
            ),
            '{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"Hm."}}}',
            (
                '{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"a",'
                '"type":"function","function":{"name":"f","arguments":""}}}}}'
            ),
            (
                '{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":'
                '{"arguments":"{}"}}}}}'
            ),
            '{"type":"tool-call-end","index":0}',
            (
                '{"type":"message-end","delta":{"finish_reason":"TOOL_CALL",'
                '"usage":{"billed_units":{"input_tokens":3,"output_tokens":2},'
                '"tokens":{"input_tokens":3,"output_tokens":2}}}}'
            ),
        ],
        [
            begun("c1", ""),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Hm."}'),
            closed(0),
            opened(1, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(1, '{"type":"input_json_delta","partial_json":"{}"}'),
            closed(1),
            ended("tool_use"),
            STOP,
        ],
    ),
    "an error amid a stream of Ollama is Chat's error": Stream(
        "open-webui/open-webui#14955",
        "ollama",
        "openai_chat",
        [
            (
                '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
                '"content":"Ye"},"done":false}'
            ),
            '{"error":"model runner has stopped"}',
        ],
        [
            sent(OLLAMA, '{"role":"assistant","content":null}'),
            sent(OLLAMA, '{"content":"Ye"}'),
            (
                '{"error":{"message":"model runner has stopped","type":"server_error",'
                '"param":null,"code":null}}'
            ),
        ],
    ),
    "a stream of Chat that ends without its mark is whole": Stream(
        "ltmoerdani/opencode-copilot-chat#197",
        "openai_chat:generic",
        "anthropic",
        [
            chunk('{"role":"assistant","content":"Yes."}'),
            chunk("{}", '"stop"'),
            COUNTS,
        ],
        [
            begun("c1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Yes."}'),
            closed(0),
            ended("end_turn"),
            STOP,
        ],
    ),
    "a stream of Ollama that its bound ends ends so at Anthropic": Stream(
        "BerriAI/litellm#25825",
        "ollama",
        "anthropic",
        [
            (
                '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
                '"content":"Ye"},"done":false}'
            ),
            (
                '{"model":"m","created_at":"2026-01-02T03:04:06Z","message":{"role":"assistant",'
                '"content":""},"done":true,"done_reason":"length","prompt_eval_count":3,'
                '"eval_count":2}'
            ),
        ],
        [
            begun("msg_7996c4157004061ad98878a9"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Ye"}'),
            closed(0),
            ended("max_tokens"),
            STOP,
        ],
    ),
    "a stream at Responses ends what it began, and itself": Stream(
        "looplj/axonhub#1738",
        "anthropic",
        "openai_responses",
        [
            (
                '{"type":"message_start","message":{"id":"msg_1","type":"message",'
                '"role":"assistant","model":"m","content":[],'
                '"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,'
                '"output_tokens":1}}}'
            ),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Yes."}'),
            closed(0),
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},'
                '"usage":{"output_tokens":2}}'
            ),
            STOP,
        ],
        [
            (
                '{"type":"response.created","sequence_number":0,"response":{"id":"msg_1",'
                '"object":"response","created_at":0,"status":"in_progress","error":null,'
                '"incomplete_details":null,"model":"m","output":[],"usage":null,"metadata":{},'
                '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}'
            ),
            (
                '{"type":"response.in_progress","sequence_number":1,"response":{"id":"msg_1",'
                '"object":"response","created_at":0,"status":"in_progress","error":null,'
                '"incomplete_details":null,"model":"m","output":[],"usage":null,"metadata":{},'
                '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}'
            ),
            (
                '{"type":"response.output_item.added","sequence_number":2,"output_index":0,'
                '"item":{"id":"msg_f28a854dcb447e5f89c82d2f0000","type":"message",'
                '"status":"in_progress","role":"assistant","content":[]}}'
            ),
            (
                '{"type":"response.content_part.added","sequence_number":3,'
                '"item_id":"msg_f28a854dcb447e5f89c82d2f0000","output_index":0,"content_index":0,'
                '"part":{"type":"output_text","text":"","annotations":[]}}'
            ),
            (
                '{"type":"response.output_text.delta","sequence_number":4,'
                '"item_id":"msg_f28a854dcb447e5f89c82d2f0000","output_index":0,"content_index":0,'
                '"delta":"Yes.","logprobs":[]}'
            ),
            (
                '{"type":"response.output_text.done","sequence_number":5,'
                '"item_id":"msg_f28a854dcb447e5f89c82d2f0000","output_index":0,"content_index":0,'
                '"text":"Yes.","logprobs":[]}'
            ),
            (
                '{"type":"response.content_part.done","sequence_number":6,'
                '"item_id":"msg_f28a854dcb447e5f89c82d2f0000","output_index":0,"content_index":0,'
                '"part":{"type":"output_text","annotations":[],"text":"Yes."}}'
            ),
            (
                '{"type":"response.output_item.done","sequence_number":7,"output_index":0,'
                '"item":{"id":"msg_f28a854dcb447e5f89c82d2f0000","type":"message",'
                '"status":"completed","role":"assistant","content":[{"type":"output_text",'
                '"annotations":[],"text":"Yes."}]}}'
            ),
            (
                '{"type":"response.completed","sequence_number":8,"response":{"id":"msg_1",'
                '"object":"response","created_at":0,"status":"completed","error":null,'
                '"incomplete_details":null,"model":"m",'
                '"output":[{"id":"msg_f28a854dcb447e5f89c82d2f0000","type":"message",'
                '"status":"completed","role":"assistant","content":[{"type":"output_text",'
                '"annotations":[],"text":"Yes."}]}],"usage":{"input_tokens":3,'
                '"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},'
                '"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},'
                '"total_tokens":5},"metadata":{},"parallel_tool_calls":true,"tool_choice":"auto",'
                '"tools":[]}}'
            ),
        ],
    ),
    "a call that no finish reason ends is done on Responses": Stream(
        "router-for-me/CLIProxyAPI#4860",
        "openai_chat:generic",
        "openai_responses",
        [
            chunk(
                '{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function",'
                '"function":{"name":"f","arguments":"{}"}}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"type":"response.created","sequence_number":0,"response":{"id":"c1",'
                '"object":"response","created_at":1,"status":"in_progress","error":null,'
                '"incomplete_details":null,"model":"m","output":[],"usage":null,"metadata":{},'
                '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}'
            ),
            (
                '{"type":"response.in_progress","sequence_number":1,"response":{"id":"c1",'
                '"object":"response","created_at":1,"status":"in_progress","error":null,'
                '"incomplete_details":null,"model":"m","output":[],"usage":null,"metadata":{},'
                '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}'
            ),
            (
                '{"type":"response.output_item.added","sequence_number":2,"output_index":0,'
                '"item":{"id":"fc_8170bf8323414bdfdfa85a190000","type":"function_call",'
                '"status":"in_progress","call_id":"a","name":"f","arguments":""}}'
            ),
            (
                '{"type":"response.function_call_arguments.delta","sequence_number":3,'
                '"item_id":"fc_8170bf8323414bdfdfa85a190000","output_index":0,"delta":"{}"}'
            ),
            (
                '{"type":"response.function_call_arguments.done","sequence_number":4,'
                '"item_id":"fc_8170bf8323414bdfdfa85a190000","output_index":0,"arguments":"{}"}'
            ),
            (
                '{"type":"response.output_item.done","sequence_number":5,"output_index":0,'
                '"item":{"id":"fc_8170bf8323414bdfdfa85a190000","type":"function_call",'
                '"status":"completed","call_id":"a","name":"f","arguments":"{}"}}'
            ),
            (
                '{"type":"response.completed","sequence_number":6,"response":{"id":"c1",'
                '"object":"response","created_at":1,"status":"completed","error":null,'
                '"incomplete_details":null,"model":"m",'
                '"output":[{"id":"fc_8170bf8323414bdfdfa85a190000","type":"function_call",'
                '"status":"completed","call_id":"a","name":"f","arguments":"{}"}],'
                '"usage":null,"metadata":{},"parallel_tool_calls":true,"tool_choice":"auto",'
                '"tools":[]}}'
            ),
        ],
    ),
    "a call of Responses whose item is not said to be done is whole": Stream(
        "NousResearch/hermes-agent#92764",
        "openai_responses",
        "anthropic",
        [
            (
                '{"type":"response.created","sequence_number":0,"response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","status":"in_progress",'
                '"output":[]}}'
            ),
            (
                '{"type":"response.output_item.added","sequence_number":1,"output_index":0,'
                '"item":{"type":"function_call","id":"fc_1","call_id":"a","name":"f",'
                '"arguments":"","status":"in_progress"}}'
            ),
            (
                '{"type":"response.function_call_arguments.delta","sequence_number":2,'
                '"item_id":"fc_1","output_index":0,"delta":"{}"}'
            ),
            (
                '{"type":"response.completed","sequence_number":3,"response":{"id":"resp_1",'
                '"object":"response","created_at":1,"model":"m","status":"completed","output":[],'
                '"usage":{"input_tokens":3,"output_tokens":2,"total_tokens":5}}}'
            ),
        ],
        [
            begun("resp_1"),
            opened(0, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(0, '{"type":"input_json_delta","partial_json":"{}"}'),
            closed(0),
            ended("tool_use"),
            STOP,
        ],
    ),
    "a tool stop without a call in a stream of Chat is a plain stop at Anthropic": Stream(
        "jasonxu114514/opencode2api#27",
        "openai_chat",
        "anthropic",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":"x"},'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"type":"message_start","message":{"id":"c1","type":"message",'
                '"role":"assistant","model":"m","content":[],"stop_reason":null,'
                '"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,'
                '"cache_read_input_tokens":0,"output_tokens":0}}}'
            ),
            ('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'),
            ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}'),
            '{"type":"content_block_stop","index":0}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn",'
                '"stop_sequence":null},"usage":{"output_tokens":0}}'
            ),
            '{"type":"message_stop"}',
        ],
    ),
    "a call of Chat that no finish reason ends is tool_use at Anthropic": Stream(
        "matrixorigin/Astra#213",
        "openai_chat",
        "anthropic",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"id":"a",'
                '"type":"function","function":{"name":"f","arguments":"{}"},"index":0}]},'
                '"finish_reason":null}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"type":"message_start","message":{"id":"c1","type":"message",'
                '"role":"assistant","model":"m","content":[],"stop_reason":null,'
                '"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,'
                '"cache_read_input_tokens":0,"output_tokens":0}}}'
            ),
            (
                '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use",'
                '"id":"a","name":"f","input":{}}}'
            ),
            (
                '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta",'
                '"partial_json":"{}"}}'
            ),
            '{"type":"content_block_stop","index":0}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"tool_use",'
                '"stop_sequence":null},"usage":{"output_tokens":0}}'
            ),
            '{"type":"message_stop"}',
        ],
    ),
    "messages in place of deltas are the pieces of an answer of Chat": Stream(
        "NVIDIA/NeMo-Agent-Toolkit#889",
        "openai_chat",
        "anthropic",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{"role":"assistant","content":"x"},'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{"content":"y"},"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{},"finish_reason":"stop"}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"type":"message_start","message":{"id":"c1","type":"message",'
                '"role":"assistant","model":"m","content":[],"stop_reason":null,'
                '"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,'
                '"cache_read_input_tokens":0,"output_tokens":0}}}'
            ),
            ('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'),
            ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}'),
            ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"y"}}'),
            '{"type":"content_block_stop","index":0}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn",'
                '"stop_sequence":null},"usage":{"output_tokens":0}}'
            ),
            '{"type":"message_stop"}',
        ],
    ),
    "messages beside empty deltas are the pieces of an answer of Chat": Stream(
        "NVIDIA/NeMo-Agent-Toolkit#889",
        "openai_chat",
        "anthropic",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{"role":"assistant","content":"x"},'
                '"finish_reason":null,"delta":{}}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{"content":"y"},"finish_reason":null,'
                '"delta":{}}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{},"finish_reason":"stop","delta":{}}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"type":"message_start","message":{"id":"c1","type":"message",'
                '"role":"assistant","model":"m","content":[],"stop_reason":null,'
                '"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,'
                '"cache_read_input_tokens":0,"output_tokens":0}}}'
            ),
            ('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'),
            ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}'),
            ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"y"}}'),
            '{"type":"content_block_stop","index":0}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn",'
                '"stop_sequence":null},"usage":{"output_tokens":0}}'
            ),
            '{"type":"message_stop"}',
        ],
    ),
    "a message that repeats the deltas of Chat is not told again": Stream(
        "NVIDIA/NeMo-Agent-Toolkit#889",
        "openai_chat",
        "anthropic",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{"role":"assistant","content":"x"},'
                '"finish_reason":null,"delta":{"role":"assistant","content":"x"}}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{"role":"assistant","content":"xy"},'
                '"finish_reason":null,"delta":{"content":"y"}}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{"role":"assistant","content":"xy"},'
                '"finish_reason":"stop","delta":{"content":""}}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"type":"message_start","message":{"id":"c1","type":"message",'
                '"role":"assistant","model":"m","content":[],"stop_reason":null,'
                '"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,'
                '"cache_read_input_tokens":0,"output_tokens":0}}}'
            ),
            ('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'),
            ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}'),
            ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"y"}}'),
            '{"type":"content_block_stop","index":0}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn",'
                '"stop_sequence":null},"usage":{"output_tokens":0}}'
            ),
            '{"type":"message_stop"}',
        ],
    ),
    "messages in place of deltas are the pieces of an answer of Mistral": Stream(
        "NVIDIA/NeMo-Agent-Toolkit#889",
        "mistral",
        "openai_chat",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{"role":"assistant","content":"x"},'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{"content":"y"},"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"message":{},"finish_reason":"stop"}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":null},'
                '"logprobs":null,"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"content":"x"},"logprobs":null,'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"content":"y"},"logprobs":null,'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}'
            ),
            "[DONE]",
        ],
    ),
    "parts of a sentence in a stream of Claude are one line of Ollama": Stream(
        "in-the-loop-labs/pair-review#332",
        "anthropic",
        "ollama",
        [
            (
                '{"type":"message_start","message":{"id":"msg_1","type":"message",'
                '"role":"assistant","model":"m","content":[],"stop_reason":null,'
                '"usage":{"input_tokens":3,"output_tokens":1}}}'
            ),
            ('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'),
            (
                '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta",'
                '"text":"Tokyo has "}}'
            ),
            '{"type":"content_block_stop","index":0}',
            ('{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}'),
            (
                '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta",'
                '"text":"14 million"}}'
            ),
            '{"type":"content_block_stop","index":1}',
            ('{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}'),
            (
                '{"type":"content_block_delta","index":2,"delta":{"type":"text_delta",'
                '"text":" people."}}'
            ),
            '{"type":"content_block_stop","index":2}',
            ('{"type":"content_block_start","index":3,"content_block":{"type":"text","text":""}}'),
            (
                '{"type":"content_block_delta","index":3,"delta":{"type":"text_delta",'
                '"text":"It is old"}}'
            ),
            '{"type":"content_block_stop","index":3}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn",'
                '"stop_sequence":null},"usage":{"output_tokens":2}}'
            ),
            '{"type":"message_stop"}',
        ],
        [
            (
                '{"model":"m","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":"Tokyo has "},"done":false}'
            ),
            (
                '{"model":"m","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":"14 million"},"done":false}'
            ),
            (
                '{"model":"m","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":" people."},"done":false}'
            ),
            (
                '{"model":"m","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":"\\nIt is old"},"done":false}'
            ),
            (
                '{"model":"m","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":""},"done":true,"done_reason":"stop","total_duration":0,'
                '"load_duration":0,"prompt_eval_count":3,"prompt_eval_duration":0,'
                '"eval_count":2,"eval_duration":0}'
            ),
        ],
    ),
    "unknown keys of a deprecated call stay in a stream of Chat": Stream(
        "majiayu000/litellm-rs#552",
        "openai_chat",
        "openai_chat",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","function_call":{"name":"f",'
                '"arguments":"{}","new":1}},"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"finish_reason":"function_call"}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":null},'
                '"logprobs":null,"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"function_call":{"name":"f","arguments":""}},'
                '"logprobs":null,"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"function_call":{"arguments":"{}"}},'
                '"logprobs":null,"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"function_call":{"new":1}},"logprobs":null,'
                '"finish_reason":"function_call"}]}'
            ),
            "[DONE]",
        ],
    ),
    "unknown keys of a deprecated call in a stream are a loss at Anthropic": Stream(
        "majiayu000/litellm-rs#552",
        "openai_chat",
        "anthropic",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","function_call":{"name":"f",'
                '"arguments":"{}","new":1}},"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"finish_reason":"function_call"}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"type":"message_start","message":{"id":"c1","type":"message",'
                '"role":"assistant","model":"m","content":[],"stop_reason":null,'
                '"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,'
                '"cache_read_input_tokens":0,"output_tokens":0}}}'
            ),
            (
                '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use",'
                '"id":"call_add77f89990a_0","name":"f","input":{}}}'
            ),
            (
                '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta",'
                '"partial_json":"{}"}}'
            ),
            '{"type":"content_block_stop","index":0}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"tool_use",'
                '"stop_sequence":null},"usage":{"output_tokens":0}}'
            ),
            '{"type":"message_stop"}',
        ],
        lost="extras",
    ),
    "unknown keys of a spoken answer stay in a stream of Chat": Stream(
        "majiayu000/litellm-rs#552",
        "openai_chat",
        "openai_chat",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","audio":{"id":"a",'
                '"transcript":"hi","data":"AAAA","expires_at":1,"new":1}},'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":null},'
                '"logprobs":null,"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"audio":{"new":1,"id":"a","data":"AAAA",'
                '"expires_at":1,"transcript":"hi"}},"logprobs":null,"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}'
            ),
            "[DONE]",
        ],
    ),
    "log probabilities of Responses come at the end of a stream of Chat": Stream(
        "langchain-ai/langchain#34218",
        "openai_responses",
        "openai_chat",
        [
            (
                '{"type":"response.created","sequence_number":0,"response":{"id":"r",'
                '"object":"response","created_at":1,"status":"in_progress","model":"m",'
                '"output":[]}}'
            ),
            (
                '{"type":"response.output_item.added","sequence_number":0,"output_index":0,'
                '"item":{"id":"m1","type":"message","role":"assistant","status":"in_progress",'
                '"content":[]}}'
            ),
            (
                '{"type":"response.content_part.added","sequence_number":0,"item_id":"m1",'
                '"output_index":0,"content_index":0,"part":{"type":"output_text","text":"",'
                '"annotations":[],"logprobs":[]}}'
            ),
            (
                '{"type":"response.output_text.delta","sequence_number":0,"item_id":"m1",'
                '"output_index":0,"content_index":0,"delta":"x","logprobs":[{"token":"x",'
                '"logprob":-0.1,"bytes":[120],"top_logprobs":[]}]}'
            ),
            (
                '{"type":"response.output_text.done","sequence_number":0,"item_id":"m1",'
                '"output_index":0,"content_index":0,"text":"x","logprobs":[{"token":"x",'
                '"logprob":-0.1,"bytes":[120],"top_logprobs":[]}]}'
            ),
            (
                '{"type":"response.content_part.done","sequence_number":0,"item_id":"m1",'
                '"output_index":0,"content_index":0,"part":{"type":"output_text","text":"x",'
                '"annotations":[],"logprobs":[{"token":"x","logprob":-0.1,"bytes":[120],'
                '"top_logprobs":[]}]}}'
            ),
            (
                '{"type":"response.output_item.done","sequence_number":0,"output_index":0,'
                '"item":{"id":"m1","type":"message","role":"assistant","status":"completed",'
                '"content":[{"type":"output_text","text":"x","annotations":[],'
                '"logprobs":[{"token":"x","logprob":-0.1,"bytes":[120],"top_logprobs":[]}]}]}}'
            ),
            (
                '{"type":"response.completed","sequence_number":0,"response":{"id":"r",'
                '"object":"response","created_at":1,"status":"completed","model":"m",'
                '"output":[{"id":"m1","type":"message","role":"assistant","status":"completed",'
                '"content":[{"type":"output_text","text":"x","annotations":[],'
                '"logprobs":[{"token":"x","logprob":-0.1,"bytes":[120],"top_logprobs":[]}]}]}]}}'
            ),
        ],
        [
            (
                '{"id":"r","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":null},'
                '"logprobs":null,"finish_reason":null}]}'
            ),
            (
                '{"id":"r","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"content":"x"},"logprobs":null,'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"r","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"logprobs":{"content":[{"token":"x",'
                '"logprob":-0.1,"bytes":[120],"top_logprobs":[]}],"refusal":null},'
                '"finish_reason":"stop"}]}'
            ),
            "[DONE]",
        ],
    ),
    "log probabilities of Chat come at the end of a stream of Gemini": Stream(
        "maximhq/bifrost#2009",
        "openai_chat",
        "gemini",
        [
            (
                '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":"x"},'
                '"finish_reason":null,"logprobs":{"content":[{"token":"x","logprob":-0.5,'
                '"bytes":[120],"top_logprobs":[{"token":"y","logprob":-1.5,"bytes":[121]}]}],'
                '"refusal":null}}]}'
            ),
            (
                '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"candidates":[{"content":{"parts":[{"text":"x"}],"role":"model"},"index":0}],'
                '"modelVersion":"m","responseId":"c"}'
            ),
            (
                '{"candidates":[{"index":0,"avgLogprobs":-0.5,'
                '"logprobsResult":{"chosenCandidates":[{"token":"x","logProbability":-0.5}],'
                '"topCandidates":[{"candidates":[{"token":"y","logProbability":-1.5}]}]},'
                '"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP"}],'
                '"modelVersion":"m","responseId":"c"}'
            ),
        ],
    ),
    "log probabilities of Chat come too late for a stream of Responses, which is a loss": Stream(
        "langchain-ai/langchain#34218",
        "openai_chat",
        "openai_responses",
        [
            (
                '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":"x"},'
                '"finish_reason":null,"logprobs":{"content":[{"token":"x","logprob":-0.5,'
                '"bytes":[120],"top_logprobs":[{"token":"y","logprob":-1.5,"bytes":[121]}]}],'
                '"refusal":null}}]}'
            ),
            (
                '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"type":"response.created","sequence_number":0,"response":{"id":"c",'
                '"object":"response","created_at":1,"status":"in_progress","error":null,'
                '"incomplete_details":null,"model":"m","output":[],"usage":null,"metadata":{},'
                '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}'
            ),
            (
                '{"type":"response.in_progress","sequence_number":1,"response":{"id":"c",'
                '"object":"response","created_at":1,"status":"in_progress","error":null,'
                '"incomplete_details":null,"model":"m","output":[],"usage":null,"metadata":{},'
                '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}'
            ),
            (
                '{"type":"response.output_item.added","sequence_number":2,"output_index":0,'
                '"item":{"id":"msg_dade18036b8b30c9af8994e50000","type":"message",'
                '"status":"in_progress","role":"assistant","content":[]}}'
            ),
            (
                '{"type":"response.content_part.added","sequence_number":3,'
                '"item_id":"msg_dade18036b8b30c9af8994e50000","output_index":0,'
                '"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}'
            ),
            (
                '{"type":"response.output_text.delta","sequence_number":4,'
                '"item_id":"msg_dade18036b8b30c9af8994e50000","output_index":0,'
                '"content_index":0,"delta":"x","logprobs":[]}'
            ),
            (
                '{"type":"response.output_text.done","sequence_number":5,'
                '"item_id":"msg_dade18036b8b30c9af8994e50000","output_index":0,'
                '"content_index":0,"text":"x","logprobs":[]}'
            ),
            (
                '{"type":"response.content_part.done","sequence_number":6,'
                '"item_id":"msg_dade18036b8b30c9af8994e50000","output_index":0,'
                '"content_index":0,"part":{"type":"output_text","annotations":[],"text":"x"}}'
            ),
            (
                '{"type":"response.output_item.done","sequence_number":7,"output_index":0,'
                '"item":{"id":"msg_dade18036b8b30c9af8994e50000","type":"message",'
                '"status":"completed","role":"assistant","content":[{"type":"output_text",'
                '"annotations":[],"text":"x"}]}}'
            ),
            (
                '{"type":"response.completed","sequence_number":8,"response":{"id":"c",'
                '"object":"response","created_at":1,"status":"completed","error":null,'
                '"incomplete_details":null,"model":"m",'
                '"output":[{"id":"msg_dade18036b8b30c9af8994e50000","type":"message",'
                '"status":"completed","role":"assistant","content":[{"type":"output_text",'
                '"annotations":[],"text":"x"}]}],"usage":null,"metadata":{},'
                '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}}'
            ),
        ],
        lost="extras",
    ),
    "citations of documents in a stream of Anthropic are Bedrock's": Stream(
        "anthropics/claude-cookbooks#135",
        "anthropic",
        "bedrock",
        [
            (
                '{"type":"message_start","message":{"id":"msg_1","type":"message",'
                '"role":"assistant","model":"m","content":[],"stop_reason":null,'
                '"usage":{"input_tokens":3,"output_tokens":1}}}'
            ),
            (
                '{"type":"content_block_start","index":0,"content_block":{"type":"text",'
                '"text":"","citations":[]}}'
            ),
            ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}'),
            (
                '{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta",'
                '"citation":{"type":"char_location","cited_text":"q","document_index":0,'
                '"document_title":"D","start_char_index":0,"end_char_index":1}}}'
            ),
            '{"type":"content_block_stop","index":0}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn",'
                '"stop_sequence":null},"usage":{"output_tokens":2}}'
            ),
            '{"type":"message_stop"}',
        ],
        [
            '{"messageStart":{"role":"assistant"}}',
            '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"x"}}}',
            (
                '{"contentBlockDelta":{"contentBlockIndex":0,'
                '"delta":{"citation":{"location":{"documentChar":{"documentIndex":0,"start":0,'
                '"end":1}},"title":"D","sourceContent":[{"text":"q"}]}}}}'
            ),
            '{"contentBlockStop":{"contentBlockIndex":0}}',
            '{"messageStop":{"stopReason":"end_turn"}}',
            (
                '{"metadata":{"usage":{"inputTokens":3,"outputTokens":2,"totalTokens":5},'
                '"metrics":{"latencyMs":0}}}'
            ),
        ],
    ),
    "citations of documents in a stream of Bedrock are Anthropic's": Stream(
        "stdapi-ai/stdapi.ai#229",
        "bedrock",
        "anthropic",
        [
            '{"messageStart":{"role":"assistant"}}',
            '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"x"}}}',
            (
                '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"citation":{"title":"D",'
                '"sourceContent":[{"text":"q"}],"location":{"documentChar":{"documentIndex":0,'
                '"start":0,"end":1}}}}}}'
            ),
            '{"contentBlockStop":{"contentBlockIndex":0}}',
            '{"messageStop":{"stopReason":"end_turn"}}',
        ],
        [
            (
                '{"type":"message_start","message":{"id":"msg_69dc5a1a073d0c263dad723d",'
                '"type":"message","role":"assistant","model":"m","content":[],'
                '"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,'
                '"cache_creation_input_tokens":0,"cache_read_input_tokens":0,'
                '"output_tokens":0}}}'
            ),
            ('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'),
            ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}'),
            (
                '{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta",'
                '"citation":{"type":"char_location","cited_text":"q","document_index":0,'
                '"document_title":"D","start_char_index":0,"end_char_index":1}}}'
            ),
            '{"type":"content_block_stop","index":0}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn",'
                '"stop_sequence":null},"usage":{"output_tokens":0}}'
            ),
            '{"type":"message_stop"}',
        ],
        model="m",
    ),
    "images in a stream of OpenRouter come at the end of Gemini's": Stream(
        "QuantumNous/new-api#3103",
        "openai_chat:openrouter",
        "gemini",
        [
            (
                '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":"x"},'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"images":[{"type":"image_url",'
                '"image_url":{"url":"data:image/png;base64,'
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADh"
                'gGAWjR9awAAAABJRU5ErkJggg=="},"index":0}]},"finish_reason":null}]}'
            ),
            (
                '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"images":[{"type":"image_url",'
                '"image_url":{"url":"data:image/png;base64,'
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADh"
                'gGAWjR9awAAAABJRU5ErkJggg=="},"index":0}]},"finish_reason":null}]}'
            ),
            (
                '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
            ),
            "[DONE]",
        ],
        [
            (
                '{"candidates":[{"content":{"parts":[{"text":"x"}],"role":"model"},"index":0}],'
                '"modelVersion":"m","responseId":"c"}'
            ),
            (
                '{"candidates":[{"content":{"parts":[{"inlineData":{"data":"iVBORw0KGg'
                "oAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awA"
                'AAABJRU5ErkJggg==","mimeType":"image/png"}}],"role":"model"},"index":0}],'
                '"modelVersion":"m","responseId":"c"}'
            ),
            (
                '{"candidates":[{"content":{"parts":[{"inlineData":{"data":"iVBORw0KGg'
                "oAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awA"
                'AAABJRU5ErkJggg==","mimeType":"image/png"}}],"role":"model"},"index":0}],'
                '"modelVersion":"m","responseId":"c"}'
            ),
            (
                '{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":""}]},'
                '"finishReason":"STOP"}],"modelVersion":"m","responseId":"c"}'
            ),
        ],
    ),
    "an image in a stream of Gemini is one of OpenRouter's": Stream(
        "QuantumNous/new-api#3103",
        "gemini",
        "openai_chat:openrouter",
        [
            (
                '{"candidates":[{"content":{"role":"model","parts":[{"text":"x"},'
                '{"inlineData":{"mimeType":"image/png",'
                '"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+'
                'M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}]},"finishReason":"STOP"}],'
                '"modelVersion":"m","responseId":"r"}'
            ),
        ],
        [
            (
                '{"id":"r","object":"chat.completion.chunk","created":0,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":null},'
                '"logprobs":null,"finish_reason":null}]}'
            ),
            (
                '{"id":"r","object":"chat.completion.chunk","created":0,"model":"m",'
                '"choices":[{"index":0,"delta":{"content":"x"},"logprobs":null,'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"r","object":"chat.completion.chunk","created":0,"model":"m",'
                '"choices":[{"index":0,"delta":{"images":[{"type":"image_url",'
                '"image_url":{"url":"data:image/png;base64,'
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADh"
                'gGAWjR9awAAAABJRU5ErkJggg=="}}]},"logprobs":null,"finish_reason":null}]}'
            ),
            (
                '{"id":"r","object":"chat.completion.chunk","created":0,"model":"m",'
                '"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}'
            ),
            "[DONE]",
        ],
    ),
    "an image in a stream of Responses is one of Gemini's": Stream(
        "QuantumNous/new-api#3103",
        "openai_responses",
        "gemini",
        [
            (
                '{"type":"response.created","sequence_number":0,"response":{"id":"r",'
                '"object":"response","created_at":1,"status":"in_progress","model":"m",'
                '"output":[]}}'
            ),
            (
                '{"type":"response.output_item.added","sequence_number":0,"output_index":0,'
                '"item":{"id":"ig_1","type":"image_generation_call","status":"in_progress"}}'
            ),
            (
                '{"type":"response.output_item.done","sequence_number":0,"output_index":0,'
                '"item":{"id":"ig_1","type":"image_generation_call","status":"completed",'
                '"result":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mN'
                'k+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==","output_format":"png",'
                '"revised_prompt":"p"}}'
            ),
            (
                '{"type":"response.completed","sequence_number":0,"response":{"id":"r",'
                '"object":"response","created_at":1,"status":"completed","model":"m",'
                '"output":[{"id":"ig_1","type":"image_generation_call","status":"completed",'
                '"result":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mN'
                'k+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==","output_format":"png",'
                '"revised_prompt":"p"}]}}'
            ),
        ],
        [
            (
                '{"candidates":[{"content":{"parts":[{"inlineData":{"data":"iVBORw0KGg'
                "oAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awA"
                'AAABJRU5ErkJggg==","mimeType":"image/png"}}],"role":"model"},"index":0}],'
                '"modelVersion":"m","responseId":"r"}'
            ),
            (
                '{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":""}]},'
                '"finishReason":"STOP"}],"modelVersion":"m","responseId":"r"}'
            ),
        ],
        lost="extras",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation(name: str) -> None:
    CASES[name].check()
