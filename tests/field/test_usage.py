"""Usage: cached and reasoning tokens, in answers and streams."""

from typing import Final

import pytest

from tests.field.cases import Answer, Case, Stream
from tests.field.frames import (
    ANTHROPIC,
    COUNTS,
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
    "a service of Chat may count with the names of Responses": Answer(
        "diegosouzapw/OmniRoute#14204",
        "openai_chat:generic",
        "anthropic",
        '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
        '"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],'
        '"usage":{"input_tokens":100,"output_tokens":7,"total_tokens":107,'
        '"input_tokens_details":{"cached_tokens":80}}}',
        '{"id":"c1","type":"message","role":"assistant","model":"m",'
        '"content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","stop_sequence":null,'
        '"usage":{"input_tokens":20,"cache_creation_input_tokens":0,'
        '"cache_read_input_tokens":80,"output_tokens":7}}',
    ),
    "OpenAI's clients find the cached tokens that DeepSeek counts": Answer(
        "pydantic/pydantic-ai#7470",
        "openai_chat:deepseek",
        "openai_chat",
        '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
        '"message":{"role":"assistant","content":"Hi","refusal":null},"logprobs":null,'
        '"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":2,'
        '"total_tokens":102,"prompt_cache_hit_tokens":80,"prompt_cache_miss_tokens":20}}',
        '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
        '"message":{"content":"Hi","role":"assistant","refusal":null},"logprobs":null,'
        '"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":2,'
        '"total_tokens":102,"prompt_cache_hit_tokens":80,"prompt_cache_miss_tokens":20,'
        '"prompt_tokens_details":{"cached_tokens":80}}}',
    ),
    "cached tokens of Chat are apart from the others at Anthropic": Answer(
        "QuantumNous/new-api#2744",
        "openai_chat",
        "anthropic",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
            '"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}],'
            '"usage":{"prompt_tokens":1200,"completion_tokens":2,"total_tokens":1202,'
            '"prompt_tokens_details":{"cached_tokens":800}}}'
        ),
        (
            '{"id":"c1","type":"message","role":"assistant","model":"m","content":[{"type":"text",'
            '"text":"Yes."}],"stop_reason":"end_turn","stop_sequence":null,'
            '"usage":{"input_tokens":400,"cache_creation_input_tokens":0,'
            '"cache_read_input_tokens":800,"output_tokens":2}}'
        ),
    ),
    "a total that leaves out the cached tokens becomes the sum": Answer(
        "browser-use/browser-use#4294",
        "openai_chat",
        "bedrock",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
            '"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}],'
            '"usage":{"prompt_tokens":1200,"completion_tokens":2,"total_tokens":402,'
            '"prompt_tokens_details":{"cached_tokens":800}}}'
        ),
        (
            '{"output":{"message":{"role":"assistant","content":[{"text":"Yes."}]}},'
            '"stopReason":"end_turn","usage":{"inputTokens":400,"outputTokens":2,'
            '"totalTokens":1202,"cacheReadInputTokens":800,"cacheWriteInputTokens":0},'
            '"metrics":{"latencyMs":0}}'
        ),
    ),
    "cached tokens of Claude count in the prompt of Chat": Answer(
        "higress-group/higress#4272",
        "anthropic",
        "openai_chat",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"text","text":"Yes."}],'
            '"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":3,'
            '"cache_read_input_tokens":800,"cache_creation_input_tokens":400,"output_tokens":2}}'
        ),
        (
            '{"id":"msg_1","object":"chat.completion","created":0,"model":"m",'
            '"choices":[{"index":0,"message":{"content":"Yes.","role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"stop"}],'
            '"usage":{"prompt_tokens":1203,"completion_tokens":2,"total_tokens":1205,'
            '"prompt_tokens_details":{"cached_tokens":800,"cache_write_tokens":400},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "cached tokens of Gemini are apart from the others at Anthropic": Answer(
        "fawney19/Aether#584",
        "gemini",
        "anthropic",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"text":"Yes."}]},'
            '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1200,'
            '"cachedContentTokenCount":800,"candidatesTokenCount":2,"totalTokenCount":1202},'
            '"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","type":"message","role":"assistant","model":"m","content":[{"type":"text",'
            '"text":"Yes."}],"stop_reason":"end_turn","stop_sequence":null,'
            '"usage":{"input_tokens":400,"cache_creation_input_tokens":0,'
            '"cache_read_input_tokens":800,"output_tokens":2}}'
        ),
    ),
    "cached tokens of Claude count in the prompt of Gemini": Answer(
        "fawney19/Aether#584",
        "anthropic",
        "gemini",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"text","text":"Yes."}],'
            '"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":3,'
            '"cache_read_input_tokens":800,"output_tokens":2}}'
        ),
        (
            '{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Yes."}]},'
            '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":803,'
            '"candidatesTokenCount":2,"cachedContentTokenCount":800,"totalTokenCount":805},'
            '"modelVersion":"m","responseId":"msg_1"}'
        ),
    ),
    "thoughts of Gemini count as output on Chat": Answer(
        "mozilla-ai/any-llm#1290",
        "gemini",
        "openai_chat",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"text":"Yes."}]},'
            '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":20,'
            '"candidatesTokenCount":198,"thoughtsTokenCount":405,"totalTokenCount":623},'
            '"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"content":"Yes.","role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"stop"}],'
            '"usage":{"prompt_tokens":20,"completion_tokens":603,"total_tokens":623,'
            '"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":405}}}'
        ),
    ),
    "thoughts of Gemini count as output at Anthropic": Answer(
        "Wei-Shaw/sub2api#554",
        "gemini",
        "anthropic",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"text":"Yes."}]},'
            '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":55021,'
            '"candidatesTokenCount":923,"totalTokenCount":56729,"thoughtsTokenCount":785},'
            '"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","type":"message","role":"assistant","model":"m","content":[{"type":"text",'
            '"text":"Yes."}],"stop_reason":"end_turn","stop_sequence":null,'
            '"usage":{"input_tokens":55021,"cache_creation_input_tokens":0,'
            '"cache_read_input_tokens":0,"output_tokens":1708,'
            '"output_tokens_details":{"thinking_tokens":785}}}'
        ),
    ),
    "reasoning tokens of Chat are thoughts of Gemini": Answer(
        "Portkey-AI/gateway#1458",
        "openai_chat",
        "gemini",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
            '"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}],'
            '"usage":{"prompt_tokens":3,"completion_tokens":9,"total_tokens":12,'
            '"completion_tokens_details":{"reasoning_tokens":7}}}'
        ),
        (
            '{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Yes."}]},'
            '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,'
            '"candidatesTokenCount":2,"thoughtsTokenCount":7,"totalTokenCount":12},'
            '"modelVersion":"m","responseId":"c1"}'
        ),
    ),
    "what Gemini's tools read counts in the prompt of Chat": Answer(
        "simstudioai/sim#3039",
        "gemini",
        "openai_chat",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"text":"Yes."}]},'
            '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":20,'
            '"toolUsePromptTokenCount":5,"candidatesTokenCount":8,"totalTokenCount":33},'
            '"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"content":"Yes.","role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"stop"}],'
            '"usage":{"prompt_tokens":25,"completion_tokens":8,"total_tokens":33,'
            '"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "cached tokens by DeepSeek's name are those of Anthropic": Answer(
        "NousResearch/hermes-agent#61871",
        "openai_chat:deepseek",
        "anthropic",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
            '"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}],'
            '"usage":{"prompt_tokens":1200,"completion_tokens":2,"total_tokens":1202,'
            '"prompt_cache_hit_tokens":800,"prompt_cache_miss_tokens":400}}'
        ),
        (
            '{"id":"c1","type":"message","role":"assistant","model":"m","content":[{"type":"text",'
            '"text":"Yes."}],"stop_reason":"end_turn","stop_sequence":null,'
            '"usage":{"input_tokens":400,"cache_creation_input_tokens":0,'
            '"cache_read_input_tokens":800,"output_tokens":2}}'
        ),
    ),
    "a prompt that Ollama does not count has no tokens on Chat": Answer(
        "SWE-agent/SWE-agent#44",
        "ollama",
        "openai_chat",
        (
            '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
            '"content":"Yes."},"done":true,"done_reason":"stop","eval_count":2}'
        ),
        (
            '{"id":"chatcmpl-f72ecf6f20bdf5818799ce2a","object":"chat.completion",'
            '"created":1767323045,"model":"m","choices":[{"index":0,"message":{"content":"Yes.",'
            '"role":"assistant","refusal":null},"logprobs":null,"finish_reason":"stop"}],'
            '"usage":{"prompt_tokens":0,"completion_tokens":2,"total_tokens":2,'
            '"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "counts after the end of a stream are Anthropic's last": Stream(
        "BerriAI/litellm#30761",
        "openai_chat",
        "anthropic",
        [
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
    ),
    "counts beside the end of a stream are Anthropic's last": Stream(
        "odysseus-dev/odysseus#1703",
        "openai_chat",
        "anthropic",
        [
            chunk('{"role":"assistant","content":"Yes."}'),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":null},'
                '"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
                '"total_tokens":5}}'
            ),
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
    "of counts in every chunk the last ones count": Stream(
        "rashidrazak/opencode-cmd-provider#213",
        "openai_chat:generic",
        "anthropic",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":"Ye"},'
                '"finish_reason":null}],"usage":{"prompt_tokens":3,"completion_tokens":1,'
                '"total_tokens":4}}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"content":"s."},"finish_reason":null}],'
                '"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],'
                '"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}'
            ),
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Ye"}'),
            grown(0, '{"type":"text_delta","text":"s."}'),
            closed(0),
            ended("end_turn"),
            STOP,
        ],
    ),
    "a stream without counts has zeros at Anthropic": Stream(
        "farion1231/cc-switch#2485",
        "openai_chat",
        "anthropic",
        [
            chunk('{"role":"assistant","content":"Yes."}'),
            chunk("{}", '"stop"'),
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Yes."}'),
            closed(0),
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},'
                '"usage":{"output_tokens":0}}'
            ),
            STOP,
        ],
    ),
    "cached tokens reach Anthropic's last delta": Stream(
        "router-for-me/CLIProxyAPI#5617",
        "openai_chat",
        "anthropic",
        [
            chunk('{"role":"assistant","content":"Yes."}'),
            chunk("{}", '"stop"'),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],'
                '"usage":{"prompt_tokens":1200,"completion_tokens":2,"total_tokens":1202,'
                '"prompt_tokens_details":{"cached_tokens":800}}}'
            ),
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Yes."}'),
            closed(0),
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},'
                '"usage":{"input_tokens":400,"cache_creation_input_tokens":0,'
                '"cache_read_input_tokens":800,"output_tokens":2}}'
            ),
            STOP,
        ],
    ),
    "the last counts of Anthropic are totals": Stream(
        "rashidrazak/opencode-cmd-provider#174",
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
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},'
                '"usage":{"input_tokens":13,"cache_creation_input_tokens":7142,'
                '"cache_read_input_tokens":0,"output_tokens":9}}'
            ),
            STOP,
        ],
        [
            sent(ANTHROPIC, '{"role":"assistant","content":null}'),
            sent(ANTHROPIC, '{"content":"Yes."}'),
            sent(ANTHROPIC, "{}", '"stop"'),
            counted(
                ANTHROPIC,
                '{"prompt_tokens":7155,"completion_tokens":9,"total_tokens":7164,'
                '"prompt_tokens_details":{"cached_tokens":0,"cache_write_tokens":7142},'
                '"completion_tokens_details":{"reasoning_tokens":0}}',
            ),
            "[DONE]",
        ],
    ),
    "counts of Bedrock behind its stop are Anthropic's last": Stream(
        "run-llama/llama_index#19369",
        "bedrock",
        "anthropic",
        [
            '{"messageStart":{"role":"assistant"}}',
            '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"Hm:"}}}',
            '{"contentBlockStop":{"contentBlockIndex":0}}',
            (
                '{"contentBlockStart":{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"a",'
                '"name":"f"}}}}'
            ),
            '{"contentBlockDelta":{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{}"}}}}',
            '{"contentBlockStop":{"contentBlockIndex":1}}',
            '{"messageStop":{"stopReason":"tool_use"}}',
            (
                '{"metadata":{"usage":{"inputTokens":3,"outputTokens":2,"totalTokens":805,'
                '"cacheReadInputTokens":800},"metrics":{"latencyMs":5}}}'
            ),
        ],
        [
            begun("msg_52aacecc312fdb512a843a4c", ""),
            opened(0, '{"type":"text","text":""}'),
            grown(0, '{"type":"text_delta","text":"Hm:"}'),
            closed(0),
            opened(1, '{"type":"tool_use","id":"a","name":"f","input":{}}'),
            grown(1, '{"type":"input_json_delta","partial_json":"{}"}'),
            closed(1),
            (
                '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},'
                '"usage":{"input_tokens":3,"cache_creation_input_tokens":0,'
                '"cache_read_input_tokens":800,"output_tokens":2}}'
            ),
            STOP,
        ],
    ),
    "what a compaction of Claude took is in no count of Chat, which is a loss": Answer(
        "pydantic/pydantic-ai#5065",
        "anthropic",
        "openai_chat",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",'
            '"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2,'
            '"iterations":[{"type":"compaction","input_tokens":9,"output_tokens":4},'
            '{"type":"message","input_tokens":3,"output_tokens":2}]}}'
        ),
        (
            '{"id":"msg_1","object":"chat.completion","created":0,"model":"m",'
            '"choices":[{"index":0,"message":{"content":"x","role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,'
            '"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
        lost="extras",
    ),
    "what an advisor of Claude took is in no count of Bedrock, which is a loss": Answer(
        "BerriAI/litellm#27065",
        "anthropic",
        "bedrock",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",'
            '"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2,'
            '"iterations":[{"type":"message","input_tokens":3,"output_tokens":2},'
            '{"type":"advisor_message","input_tokens":9,"output_tokens":4}]}}'
        ),
        (
            '{"output":{"message":{"role":"assistant","content":[{"text":"x"}]}},'
            '"stopReason":"end_turn","usage":{"inputTokens":3,"outputTokens":2,"totalTokens":5},'
            '"metrics":{"latencyMs":0}}'
        ),
        lost="extras",
    ),
    "iterations that the counts of Claude include are not a loss": Answer(
        "maximhq/bifrost#6500",
        "anthropic",
        "openai_chat",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",'
            '"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2,'
            '"iterations":[{"type":"message","input_tokens":3,"output_tokens":2},'
            '{"type":"fallback_message","input_tokens":9,"output_tokens":4}]}}'
        ),
        (
            '{"id":"msg_1","object":"chat.completion","created":0,"model":"m",'
            '"choices":[{"index":0,"message":{"content":"x","role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,'
            '"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "what a compaction took in a stream of Claude is a loss on Chat": Stream(
        "BerriAI/litellm#27065",
        "anthropic",
        "openai_chat",
        [
            (
                '{"type":"message_start","message":{"id":"msg_1","type":"message",'
                '"role":"assistant","model":"m","content":[],"stop_reason":null,'
                '"usage":{"input_tokens":3,"output_tokens":1}}}'
            ),
            ('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'),
            ('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}'),
            '{"type":"content_block_stop","index":0}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn",'
                '"stop_sequence":null},"usage":{"output_tokens":2,'
                '"iterations":[{"type":"compaction","input_tokens":9,"output_tokens":4},'
                '{"type":"message","input_tokens":3,"output_tokens":2}]}}'
            ),
            '{"type":"message_stop"}',
        ],
        [
            (
                '{"id":"msg_1","object":"chat.completion.chunk","created":0,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","content":null},'
                '"logprobs":null,"finish_reason":null}]}'
            ),
            (
                '{"id":"msg_1","object":"chat.completion.chunk","created":0,"model":"m",'
                '"choices":[{"index":0,"delta":{"content":"x"},"logprobs":null,'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"msg_1","object":"chat.completion.chunk","created":0,"model":"m",'
                '"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}'
            ),
            (
                '{"id":"msg_1","object":"chat.completion.chunk","created":0,"model":"m",'
                '"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,'
                '"prompt_tokens_details":{"cached_tokens":0},'
                '"completion_tokens_details":{"reasoning_tokens":0}}}'
            ),
            "[DONE]",
        ],
        lost="extras",
    ),
    "what was written to the cache by Anthropic's name on Chat is apart at Anthropic": Answer(
        "NousResearch/hermes-agent#14206",
        "openai_chat",
        "anthropic",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m",'
            '"choices":[{"index":0,"message":{"role":"assistant","content":"x"},'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":1,'
            '"total_tokens":101,"cache_read_input_tokens":60,"cache_creation_input_tokens":30}}'
        ),
        (
            '{"id":"c1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",'
            '"stop_sequence":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":30,'
            '"cache_read_input_tokens":60,"output_tokens":1}}'
        ),
    ),
    "what was written to the cache by Alibaba's name is apart at Bedrock": Answer(
        "cline/cline#10266",
        "openai_chat",
        "bedrock",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m",'
            '"choices":[{"index":0,"message":{"role":"assistant","content":"x"},'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":1,'
            '"total_tokens":101,"prompt_tokens_details":{"cached_tokens":60,'
            '"cache_creation_input_tokens":30}}}'
        ),
        (
            '{"output":{"message":{"role":"assistant","content":[{"text":"x"}]}},'
            '"stopReason":"end_turn","usage":{"inputTokens":10,"outputTokens":1,'
            '"totalTokens":101,"cacheReadInputTokens":60,"cacheWriteInputTokens":30},'
            '"metrics":{"latencyMs":0}}'
        ),
    ),
    "what Bedrock wrote to the cache for an hour is so at Anthropic": Answer(
        "cline/cline#10266",
        "bedrock",
        "anthropic",
        (
            '{"output":{"message":{"role":"assistant","content":[{"text":"x"}]}},'
            '"stopReason":"end_turn","usage":{"inputTokens":10,"outputTokens":1,'
            '"totalTokens":41,"cacheReadInputTokens":0,"cacheWriteInputTokens":30,'
            '"cacheDetails":[{"ttl":"1h","inputTokens":20},{"ttl":"5m","inputTokens":10}]},'
            '"metrics":{"latencyMs":1}}'
        ),
        (
            '{"id":"msg_a845df1f11de1b8ed2d0298f","type":"message","role":"assistant",'
            '"model":"m","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",'
            '"stop_sequence":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":30,'
            '"cache_read_input_tokens":0,"output_tokens":1,'
            '"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":20}}}'
        ),
        model="m",
    ),
    "what Anthropic wrote to the cache for an hour is so on Bedrock": Answer(
        "cline/cline#10266",
        "anthropic",
        "bedrock",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",'
            '"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2,'
            '"cache_creation_input_tokens":30,"cache_read_input_tokens":0,'
            '"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":20}}}'
        ),
        (
            '{"output":{"message":{"role":"assistant","content":[{"text":"x"}]}},'
            '"stopReason":"end_turn","usage":{"inputTokens":3,"outputTokens":2,"totalTokens":35,'
            '"cacheReadInputTokens":0,"cacheWriteInputTokens":30,"cacheDetails":[{"ttl":"1h",'
            '"inputTokens":20},{"ttl":"5m","inputTokens":10}]},"metrics":{"latencyMs":0}}'
        ),
    ),
    "audio and images of Gemini are counted on Chat": Answer(
        "maximhq/bifrost#1490",
        "gemini",
        "openai_chat",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"text":"x"}]},"index":0,'
            '"finishReason":"STOP"}],"modelVersion":"m","responseId":"r1",'
            '"usageMetadata":{"promptTokenCount":30,"candidatesTokenCount":5,'
            '"totalTokenCount":35,"promptTokensDetails":[{"modality":"TEXT","tokenCount":7},'
            '{"modality":"IMAGE","tokenCount":3},{"modality":"AUDIO","tokenCount":20}],'
            '"candidatesTokensDetails":[{"modality":"AUDIO","tokenCount":5}]}}'
        ),
        (
            '{"id":"r1","object":"chat.completion","created":0,"model":"m",'
            '"choices":[{"index":0,"message":{"content":"x","role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":30,'
            '"completion_tokens":5,"total_tokens":35,"prompt_tokens_details":{"cached_tokens":0,'
            '"audio_tokens":20,"image_tokens":3},'
            '"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":5}}}'
        ),
    ),
    "audio of Chat is counted by Gemini": Answer(
        "maximhq/bifrost#1490",
        "openai_chat",
        "gemini",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m",'
            '"choices":[{"index":0,"message":{"role":"assistant","content":"x"},'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":30,"completion_tokens":5,'
            '"total_tokens":35,"prompt_tokens_details":{"audio_tokens":20},'
            '"completion_tokens_details":{"audio_tokens":5}}}'
        ),
        (
            '{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"x"}]},'
            '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":30,'
            '"candidatesTokenCount":5,"totalTokenCount":35,'
            '"promptTokensDetails":[{"modality":"TEXT","tokenCount":10},{"modality":"AUDIO",'
            '"tokenCount":20}],"candidatesTokensDetails":[{"modality":"AUDIO","tokenCount":5}]},'
            '"modelVersion":"m","responseId":"c1"}'
        ),
    ),
    "the priority tier of Claude is that of Chat": Answer(
        "BerriAI/litellm#30558",
        "anthropic",
        "openai_chat",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",'
            '"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2,'
            '"service_tier":"priority"}}'
        ),
        (
            '{"id":"msg_1","object":"chat.completion","created":0,"model":"m",'
            '"choices":[{"index":0,"message":{"content":"x","role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,'
            '"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}},"service_tier":"priority"}'
        ),
    ),
    "the priority tier of Chat is that of Claude": Answer(
        "BerriAI/litellm#30558",
        "openai_chat",
        "anthropic",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m",'
            '"choices":[{"index":0,"message":{"role":"assistant","content":"x"},'
            '"finish_reason":"stop"}],"service_tier":"priority","usage":{"prompt_tokens":3,'
            '"completion_tokens":2,"total_tokens":5}}'
        ),
        (
            '{"id":"c1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",'
            '"stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":0,'
            '"cache_read_input_tokens":0,"output_tokens":2,"service_tier":"priority"}}'
        ),
    ),
    "the flex tier of Gemini is that of Bedrock": Answer(
        "spanlens/Spanlens#148",
        "gemini",
        "bedrock",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"text":"x"}]},"index":0,'
            '"finishReason":"STOP"}],"modelVersion":"m","responseId":"r1",'
            '"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5,'
            '"serviceTier":"FLEX"}}'
        ),
        (
            '{"output":{"message":{"role":"assistant","content":[{"text":"x"}]}},'
            '"stopReason":"end_turn","usage":{"inputTokens":3,"outputTokens":2,"totalTokens":5},'
            '"serviceTier":{"type":"flex"},"metrics":{"latencyMs":0}}'
        ),
    ),
    "the standard tier of Claude says nothing on Chat": Answer(
        "spanlens/Spanlens#148",
        "anthropic",
        "openai_chat",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn",'
            '"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2,'
            '"service_tier":"standard"}}'
        ),
        (
            '{"id":"msg_1","object":"chat.completion","created":0,"model":"m",'
            '"choices":[{"index":0,"message":{"content":"x","role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,'
            '"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation(name: str) -> None:
    CASES[name].check()
