"""Thinking: reasoning by its many names, in requests, answers and streams."""

from typing import Final

import pytest

from tests.field.cases import Answer, Case, Request, Stream
from tests.field.frames import COUNTS, STOP, begun, chunk, closed, ended, grown, opened

CASES: Final[dict[str, Case]] = {
    "unsigned thinking of an Anthropic body reaches DeepSeek": Request(
        "musistudio/claude-code-router#1382",
        "anthropic",
        "openai_chat:deepseek",
        (
            '{"model":"deepseek-v4","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":""},'
            '{"type":"tool_use","id":"a","name":"f","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]}]}'
        ),
        (
            '{"model":"deepseek-v4","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"a",'
            '"type":"function","function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
    ),
    "a call without reasoning has an empty one at DeepSeek": Request(
        "routatic/proxy#34",
        "anthropic",
        "openai_chat:deepseek",
        (
            '{"model":"deepseek-v4","max_tokens":9,"thinking":{"type":"enabled",'
            '"budget_tokens":1024},"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]}]}'
        ),
        (
            '{"model":"deepseek-v4","max_tokens":9,"reasoning_effort":"low",'
            '"thinking":{"type":"enabled"},"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":null,"reasoning_content":"","tool_calls":[{"id":"a",'
            '"type":"function","function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
        lost="thinking budget",
    ),
    "an effort leaves the answer its tokens at Claude 4.5": Request(
        "BerriAI/litellm#27051",
        "openai_chat",
        "anthropic",
        (
            '{"model":"claude-haiku-4-5","max_completion_tokens":2000,"reasoning_effort":"high",'
            '"messages":[{"role":"user","content":"hi"}]}'
        ),
        (
            '{"model":"claude-haiku-4-5","max_tokens":2000,"thinking":{"type":"enabled",'
            '"budget_tokens":1024},"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]}]}'
        ),
    ),
    "an effort of Chat is how gpt-oss thinks at Ollama": Request(
        "BerriAI/litellm#15059",
        "openai_chat",
        "ollama",
        '{"model":"gpt-oss","reasoning_effort":"low","messages":[{"role":"user","content":"hi"}]}',
        (
            '{"model":"gpt-oss","stream":false,"think":"low","messages":[{"role":"user",'
            '"content":"hi"}]}'
        ),
    ),
    "no effort is no thinking at Ollama": Request(
        "neomjs/neo#13869",
        "openai_chat",
        "ollama",
        '{"model":"qwen3","reasoning_effort":"none","messages":[{"role":"user","content":"hi"}]}',
        (
            '{"model":"qwen3","stream":false,"think":false,"messages":[{"role":"user",'
            '"content":"hi"}]}'
        ),
    ),
    "Claude does not think where a call is required": Request(
        "usestrix/strix#503",
        "openai_chat",
        "anthropic",
        (
            '{"model":"claude-haiku-4-5","max_completion_tokens":9999,"reasoning_effort":"low",'
            '"tools":[{"type":"function","function":{"name":"f"}}],'
            '"tool_choice":"required","messages":[{"role":"user","content":"hi"}]}'
        ),
        (
            '{"model":"claude-haiku-4-5","max_tokens":9999,"thinking":{"type":"disabled"},'
            '"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}],'
            '"tool_choice":{"type":"any"},"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]}]}'
        ),
        lost="tool choice",
    ),
    "Claude does not begin to think within a turn": Request(
        "anomalyco/opencode#3077",
        "openai_chat",
        "anthropic",
        (
            '{"model":"claude-haiku-4-5","max_completion_tokens":9999,"reasoning_effort":"low",'
            '"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f",'
            '"arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
        (
            '{"model":"claude-haiku-4-5","max_tokens":9999,"thinking":{"type":"disabled"},'
            '"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},'
            '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
            '"content":[{"type":"text","text":"1"}]}]}]}'
        ),
        lost="thinking midway",
    ),
    "an answer that broke off goes on without thinking that it had not": Request(
        "n8n-io/n8n#22550",
        "openai_responses",
        "bedrock",
        (
            '{"model":"anthropic.claude-haiku-4-5","reasoning":{"effort":"low"},"input":['
            '{"role":"user","content":"hi"},{"role":"assistant","content":"Let me"}]}'
        ),
        (
            '{"additionalModelRequestFields":{"thinking":{"type":"disabled"}},"messages":['
            '{"role":"user","content":[{"text":"hi"}]},'
            '{"role":"assistant","content":[{"text":"Let me"}]}]}'
        ),
        lost="thinking midway",
    ),
    "thinking of Mistral is reasoning at DeepSeek": Request(
        "brainlid/langchain#418",
        "mistral",
        "openai_chat:deepseek",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",'
            '"text":"Hm."}]},{"type":"text","text":"Yes?"}]},{"role":"user","content":"go"}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"Yes?","reasoning_content":"Hm."},'
            '{"role":"user","content":"go"}]}'
        ),
    ),
    "reasoning_content of an answer is thinking": Answer(
        "tombii/better-ccflare#440",
        "openai_chat:deepseek",
        "anthropic",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
            '"message":{"role":"assistant","reasoning_content":"Hm.","content":"Yes."},'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5}}'
        ),
        (
            '{"id":"c1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"thinking","thinking":"Hm.","signature":""},'
            '{"type":"text","text":"Yes."}],"stop_reason":"end_turn","stop_sequence":null,'
            '"usage":{"input_tokens":3,"cache_creation_input_tokens":0,'
            '"cache_read_input_tokens":0,"output_tokens":2}}'
        ),
    ),
    "reasoning by its newer name is thinking": Answer(
        "tensorzero/tensorzero#6653",
        "openai_chat:generic",
        "anthropic",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
            '"message":{"role":"assistant","reasoning":"Hm.","content":"Yes."},'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5}}'
        ),
        (
            '{"id":"c1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"thinking","thinking":"Hm.","signature":""},'
            '{"type":"text","text":"Yes."}],"stop_reason":"end_turn","stop_sequence":null,'
            '"usage":{"input_tokens":3,"cache_creation_input_tokens":0,'
            '"cache_read_input_tokens":0,"output_tokens":2}}'
        ),
    ),
    "reasoning_content in a stream is a block of thinking": Stream(
        "mnfst/llm-gateway#1907",
        "openai_chat:deepseek",
        "anthropic",
        [
            chunk('{"role":"assistant","content":null,"reasoning_content":"H"}'),
            chunk('{"reasoning_content":"m."}'),
            chunk('{"content":"Yes."}'),
            chunk("{}", '"stop"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"thinking","thinking":"","signature":""}'),
            grown(0, '{"type":"thinking_delta","thinking":"H"}'),
            grown(0, '{"type":"thinking_delta","thinking":"m."}'),
            closed(0),
            opened(1, '{"type":"text","text":""}'),
            grown(1, '{"type":"text_delta","text":"Yes."}'),
            closed(1),
            ended("end_turn"),
            STOP,
        ],
    ),
    "thinking and text beside a call are strings for Ollama": Request(
        "BerriAI/litellm#11273",
        "anthropic",
        "ollama",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":""},'
            '{"type":"text","text":"Look:"},{"type":"tool_use","id":"a","name":"f","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
            '"content":[{"type":"text","text":"1"}]}]}]}'
        ),
        (
            '{"model":"m","stream":false,"options":{"num_predict":9},'
            '"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"Look:","thinking":"Hm.","tool_calls":[{"id":"a",'
            '"function":{"name":"f","arguments":{}}}]},'
            '{"role":"tool","content":"1","tool_name":"f","tool_call_id":"a"}]}'
        ),
    ),
    "reasoning of Chat is a part of thinking at Mistral": Request(
        "BerriAI/litellm#30835",
        "openai_chat:deepseek",
        "mistral",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","reasoning_content":"Hm.","content":"Yes?"},'
            '{"role":"user","content":"go"}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",'
            '"text":"Hm."}]},{"type":"text","text":"Yes?"}]},{"role":"user","content":"go"}]}'
        ),
    ),
    "reasoning by its newer name in a stream is a block of thinking": Stream(
        "BerriAI/litellm#26501",
        "openai_chat:generic",
        "anthropic",
        [
            chunk('{"role":"assistant","content":null,"reasoning":"Hm."}'),
            chunk('{"content":"Yes."}'),
            chunk("{}", '"stop"'),
            COUNTS,
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"thinking","thinking":"","signature":""}'),
            grown(0, '{"type":"thinking_delta","thinking":"Hm."}'),
            closed(0),
            opened(1, '{"type":"text","text":""}'),
            grown(1, '{"type":"text_delta","text":"Yes."}'),
            closed(1),
            ended("end_turn"),
            STOP,
        ],
    ),
    "thinking of Claude is not a text of Responses, but a loss": Request(
        "BerriAI/litellm#26916",
        "anthropic",
        "openai_responses",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.",'
            '"signature":"c2ln"},{"type":"text","text":"Yes?"}]},{"role":"user","content":"go"}]}'
        ),
        (
            '{"model":"m","store":false,"max_output_tokens":99,'
            '"input":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"Yes?"},{"role":"user","content":"go"}]}'
        ),
        lost="thinking",
    ),
    "thinking of Mistral in a stream is a block of thinking": Stream(
        "UKGovernmentBEIS/inspect_ai#2000",
        "mistral",
        "anthropic",
        [
            chunk(
                '{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",'
                '"text":"Hm."}]}]}'
            ),
            chunk('{"content":"Yes."}'),
            chunk('{"content":""}', '"stop"'),
            "[DONE]",
        ],
        [
            begun("c1"),
            opened(0, '{"type":"thinking","thinking":"","signature":""}'),
            grown(0, '{"type":"thinking_delta","thinking":"Hm."}'),
            closed(0),
            opened(1, '{"type":"text","text":""}'),
            grown(1, '{"type":"text_delta","text":"Yes."}'),
            closed(1),
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},'
                '"usage":{"output_tokens":0}}'
            ),
            STOP,
        ],
    ),
    "reasoning in a history is a chunk of thinking for Mistral": Request(
        "vercel/ai#17930",
        "openai_chat:deepseek",
        "mistral",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","reasoning_content":"Hm.","content":"Yes?"},'
            '{"role":"user","content":"go"}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",'
            '"text":"Hm."}]},{"type":"text","text":"Yes?"}]},{"role":"user","content":"go"}]}'
        ),
    ),
    "thinking of Cohere is not part of the text of Ollama": Answer(
        "vercel/ai#8279",
        "cohere",
        "ollama",
        (
            '{"id":"c1","finish_reason":"COMPLETE","message":{"role":"assistant",'
            '"content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"Yes."}]},'
            '"usage":{"tokens":{"input_tokens":3,"output_tokens":2}}}'
        ),
        (
            '{"model":"","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant",'
            '"content":"Yes.","thinking":"Hm."},"done":true,"done_reason":"stop",'
            '"total_duration":0,"load_duration":0,"prompt_eval_count":3,'
            '"prompt_eval_duration":0,"eval_count":2,"eval_duration":0}'
        ),
    ),
    "thinking of Bedrock in a stream is thinking of Ollama": Stream(
        "aws-samples/bedrock-access-gateway#223",
        "bedrock",
        "ollama",
        [
            '{"messageStart":{"role":"assistant"}}',
            (
                '{"contentBlockDelta":{"contentBlockIndex":0,'
                '"delta":{"reasoningContent":{"text":"Hm."}}}}'
            ),
            (
                '{"contentBlockDelta":{"contentBlockIndex":0,'
                '"delta":{"reasoningContent":{"signature":"c2ln"}}}}'
            ),
            '{"contentBlockStop":{"contentBlockIndex":0}}',
            '{"contentBlockDelta":{"contentBlockIndex":1,"delta":{"text":"Yes."}}}',
            '{"contentBlockStop":{"contentBlockIndex":1}}',
            '{"messageStop":{"stopReason":"end_turn"}}',
            (
                '{"metadata":{"usage":{"inputTokens":3,"outputTokens":2,"totalTokens":5},'
                '"metrics":{"latencyMs":5}}}'
            ),
        ],
        [
            (
                '{"model":"","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":"","thinking":"Hm."},"done":false}'
            ),
            (
                '{"model":"","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":"Yes."},"done":false}'
            ),
            (
                '{"model":"","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant",'
                '"content":""},"done":true,"done_reason":"stop","total_duration":0,'
                '"load_duration":0,"prompt_eval_count":3,"prompt_eval_duration":0,'
                '"eval_count":2,"eval_duration":0}'
            ),
        ],
        lost="signature",
    ),
    "reasoning_text of Copilot is thinking at Anthropic": Answer(
        "karthink/gptel#1384",
        "openai_chat",
        "anthropic",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m",'
            '"choices":[{"index":0,"message":{"role":"assistant","content":"Hi",'
            '"reasoning_text":"hm"},"finish_reason":"stop"}]}'
        ),
        (
            '{"id":"c1","type":"message","role":"assistant","model":"m",'
            '"content":[{"type":"thinking","thinking":"hm","signature":""},{"type":"text",'
            '"text":"Hi"}],"stop_reason":"end_turn","stop_sequence":null,'
            '"usage":{"input_tokens":0,"cache_creation_input_tokens":0,'
            '"cache_read_input_tokens":0,"output_tokens":0}}'
        ),
    ),
    "reasoning_text in a stream of Copilot is thinking at Anthropic": Stream(
        "karthink/gptel#1384",
        "openai_chat",
        "anthropic",
        [
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"role":"assistant","reasoning_text":"h"},'
                '"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"reasoning_text":"m"},"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}'
            ),
            (
                '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",'
                '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
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
                '{"type":"content_block_start","index":0,"content_block":{"type":"thinking",'
                '"thinking":"","signature":""}}'
            ),
            (
                '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta",'
                '"thinking":"h"}}'
            ),
            (
                '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta",'
                '"thinking":"m"}}'
            ),
            '{"type":"content_block_stop","index":0}',
            ('{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}'),
            ('{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hi"}}'),
            '{"type":"content_block_stop","index":1}',
            (
                '{"type":"message_delta","delta":{"stop_reason":"end_turn",'
                '"stop_sequence":null},"usage":{"output_tokens":0}}'
            ),
            '{"type":"message_stop"}',
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation(name: str) -> None:
    CASES[name].check()
