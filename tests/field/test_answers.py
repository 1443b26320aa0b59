"""Answers: stop reasons, refusals, and what a message holds."""

from typing import Final

import pytest

from tests.field.cases import Answer, Case

CASES: Final[dict[str, Case]] = {
    "STOP of Gemini beside a call is tool_calls on Chat": Answer(
        "BerriAI/litellm#10485",
        "gemini",
        "openai_chat",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"a",'
            '"name":"f","args":{"x":1}}}]},"finishReason":"STOP"}],"usageMetadata":{'
            '"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5},'
            '"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"content":null,"role":"assistant","refusal":null,"tool_calls":[{"id":"a",'
            '"type":"function","function":{"name":"f","arguments":"{\\"x\\":1}"}}]},'
            '"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,'
            '"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "STOP of Gemini beside a call is tool_use at Anthropic": Answer(
        "BerriAI/litellm#6104",
        "gemini",
        "anthropic",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f",'
            '"args":{"x":1}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,'
            '"candidatesTokenCount":2,"totalTokenCount":5},"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","type":"message","role":"assistant","model":"m","content":[{'
            '"type":"tool_use","id":"call_491f37c8258b_0","name":"f","input":{"x":1}}],'
            '"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,'
            '"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":2}}'
        ),
    ),
    "stop of Chat beside a call is tool_use at Anthropic": Answer(
        "vercel/ai#12218",
        "openai_chat",
        "anthropic",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
            '"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a",'
            '"type":"function","function":{"name":"f","arguments":"{\\"x\\":1}"}}]},'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5}}'
        ),
        (
            '{"id":"c1","type":"message","role":"assistant","model":"m","content":[{'
            '"type":"tool_use","id":"a","name":"f","input":{"x":1}}],"stop_reason":"tool_use",'
            '"stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":0,'
            '"cache_read_input_tokens":0,"output_tokens":2}}'
        ),
    ),
    "a call alone has content null on Chat": Answer(
        "barbacane-dev/barbacane#133",
        "anthropic",
        "openai_chat",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{'
            '"type":"tool_use","id":"a","name":"f","input":{"x":1}}],"stop_reason":"tool_use",'
            '"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2}}'
        ),
        (
            '{"id":"msg_1","object":"chat.completion","created":0,"model":"m","choices":[{'
            '"index":0,"message":{"content":null,"role":"assistant","refusal":null,"tool_calls":[{'
            '"id":"a","type":"function","function":{"name":"f","arguments":"{\\"x\\":1}"}}]},'
            '"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,'
            '"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "a refusal of Claude is a content filter on Chat": Answer(
        "laravel/ai#881",
        "anthropic",
        "openai_chat",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],'
            '"stop_reason":"refusal","stop_sequence":null,"usage":{"input_tokens":3,'
            '"output_tokens":2}}'
        ),
        (
            '{"id":"msg_1","object":"chat.completion","created":0,"model":"m","choices":[{'
            '"index":0,"message":{"content":null,"role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"content_filter"}],"usage":{"prompt_tokens":3,'
            '"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "a full context window is a length on Chat": Answer(
        "earendil-works/pi#1868",
        "anthropic",
        "openai_chat",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{'
            '"type":"text","text":"Yes."}],"stop_reason":"model_context_window_exceeded",'
            '"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2}}'
        ),
        (
            '{"id":"msg_1","object":"chat.completion","created":0,"model":"m","choices":[{'
            '"index":0,"message":{"content":"Yes.","role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"length"}],"usage":{"prompt_tokens":3,'
            '"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "a paused turn of Claude ends on Chat, which is a loss": Answer(
        "tetsuo-ai/agenc-core#2111",
        "anthropic",
        "openai_chat",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{'
            '"type":"text","text":"Yes."}],"stop_reason":"pause_turn","stop_sequence":null,'
            '"usage":{"input_tokens":3,"output_tokens":2}}'
        ),
        (
            '{"id":"msg_1","object":"chat.completion","created":0,"model":"m","choices":[{'
            '"index":0,"message":{"content":"Yes.","role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,'
            '"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
        lost="stop reason",
    ),
    "an answer that is cut short is incomplete on Responses": Answer(
        "jundot/omlx#2817",
        "anthropic",
        "openai_responses",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{'
            '"type":"text","text":"Yes."}],"stop_reason":"max_tokens","stop_sequence":null,'
            '"usage":{"input_tokens":3,"output_tokens":2}}'
        ),
        (
            '{"id":"msg_1","object":"response","created_at":0,"status":"incomplete","error":null,'
            '"incomplete_details":{"reason":"max_output_tokens"},"model":"m","output":[{'
            '"id":"msg_f28a854dcb447e5f89c82d2f0000","type":"message","status":"completed",'
            '"role":"assistant","content":[{"type":"output_text","annotations":[],'
            '"text":"Yes."}]}],"usage":{"input_tokens":3,"input_tokens_details":{'
            '"cached_tokens":0,"cache_write_tokens":0},"output_tokens":2,"output_tokens_details":{'
            '"reasoning_tokens":0},"total_tokens":5},"metadata":{},"parallel_tool_calls":true,'
            '"tool_choice":"auto","tools":[]}'
        ),
    ),
    "an incomplete answer of Responses is a length on Chat": Answer(
        "BerriAI/litellm#37710",
        "openai_responses",
        "openai_chat",
        (
            '{"id":"resp_1","object":"response","created_at":1,"status":"incomplete",'
            '"incomplete_details":{"reason":"max_output_tokens"},"model":"m","output":[{'
            '"id":"rs_1","type":"reasoning","summary":[]}],"usage":{"input_tokens":3,'
            '"output_tokens":9,"total_tokens":12}}'
        ),
        (
            '{"id":"resp_1","object":"chat.completion","created":1,"model":"m","choices":[{'
            '"index":0,"message":{"content":null,"role":"assistant","refusal":null},'
            '"logprobs":null,"finish_reason":"length"}],"usage":{"prompt_tokens":3,'
            '"completion_tokens":9,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
        lost="thinking",
    ),
    "an answer that Responses filters is a refusal at Anthropic": Answer(
        "BerriAI/litellm#34352",
        "openai_responses",
        "anthropic",
        (
            '{"id":"resp_1","object":"response","created_at":1,"status":"incomplete",'
            '"incomplete_details":{"reason":"content_filter"},"model":"m","output":[],"usage":{'
            '"input_tokens":3,"output_tokens":9,"total_tokens":12}}'
        ),
        (
            '{"id":"resp_1","type":"message","role":"assistant","model":"m","content":[],'
            '"stop_reason":"refusal","stop_sequence":null,"usage":{"input_tokens":3,'
            '"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":9}}'
        ),
    ),
    "what Gemini prohibits is a content filter on Chat": Answer(
        "NousResearch/hermes-agent#53610",
        "gemini",
        "openai_chat",
        (
            '{"candidates":[{"content":{"role":"model","parts":[]},'
            '"finishReason":"PROHIBITED_CONTENT"}],"usageMetadata":{"promptTokenCount":3,'
            '"candidatesTokenCount":2,"totalTokenCount":5},"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"content":null,"role":"assistant","refusal":null},"logprobs":null,'
            '"finish_reason":"content_filter"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "a malformed call of Gemini ends on Chat, which is a loss": Answer(
        "NousResearch/hermes-agent#83869",
        "gemini",
        "openai_chat",
        (
            '{"candidates":[{"content":{"role":"model","parts":[]},'
            '"finishReason":"MALFORMED_FUNCTION_CALL"}],"usageMetadata":{"promptTokenCount":3,'
            '"candidatesTokenCount":2,"totalTokenCount":5},"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"content":null,"role":"assistant","refusal":null},"logprobs":null,'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
        lost="stop reason",
    ),
    "a candidate of Gemini with nothing but its reason is an answer": Answer(
        "agentjido/req_llm#944",
        "gemini",
        "openai_chat",
        (
            '{"candidates":[{"finishReason":"UNEXPECTED_TOOL_CALL"}],"usageMetadata":{'
            '"promptTokenCount":3,"totalTokenCount":3},"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"content":null,"role":"assistant","refusal":null},"logprobs":null,'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":0,'
            '"total_tokens":3,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
        lost="stop reason",
    ),
    "a prompt that Gemini blocks is a content filter on Chat": Answer(
        "google-gemini/deprecated-generative-ai-python#276",
        "gemini",
        "openai_chat",
        (
            '{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{'
            '"promptTokenCount":3,"totalTokenCount":3},"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"content":null,"role":"assistant","refusal":null},"logprobs":null,'
            '"finish_reason":"content_filter"}],"usage":{"prompt_tokens":3,"completion_tokens":0,'
            '"total_tokens":3,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
        lost="extras",
    ),
    "a prompt that Gemini blocks is a refusal at Anthropic": Answer(
        "google-gemini/deprecated-generative-ai-js#106",
        "gemini",
        "anthropic",
        (
            '{"promptFeedback":{"blockReason":"OTHER"},"usageMetadata":{"promptTokenCount":3,'
            '"totalTokenCount":3},"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","type":"message","role":"assistant","model":"m","content":[],'
            '"stop_reason":"refusal","stop_sequence":null,"usage":{"input_tokens":3,'
            '"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}'
        ),
        lost="extras",
    ),
    "a text and a call in two choices of Copilot are one answer": Answer(
        "HKUDS/nanobot#1555",
        "openai_chat",
        "anthropic",
        (
            '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
            '"message":{"role":"assistant","content":"Let me see."},"finish_reason":"tool_calls"},'
            '{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a",'
            '"type":"function","function":{"name":"f","arguments":"{}"}}]},'
            '"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5}}'
        ),
        (
            '{"id":"c1","type":"message","role":"assistant","model":"m","content":[{"type":"text",'
            '"text":"Let me see."},{"type":"tool_use","id":"a","name":"f","input":{}}],'
            '"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,'
            '"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":2}}'
        ),
    ),
    "an empty text beside a call is an empty message of Responses": Answer(
        "anthropics/anthropic-sdk-python#461",
        "anthropic",
        "openai_responses",
        (
            '{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{'
            '"type":"text","text":""},{"type":"tool_use","id":"a","name":"f","input":{"x":1}}],'
            '"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,'
            '"output_tokens":2}}'
        ),
        (
            '{"id":"msg_1","object":"response","created_at":0,"status":"completed","error":null,'
            '"incomplete_details":null,"model":"m","output":[{'
            '"id":"msg_f28a854dcb447e5f89c82d2f0000","type":"message","status":"completed",'
            '"role":"assistant","content":[{"type":"output_text","annotations":[],"text":""}]},{'
            '"id":"fc_f28a854dcb447e5f89c82d2f0001","type":"function_call","status":"completed",'
            '"call_id":"a","name":"f","arguments":"{\\"x\\":1}"}],"usage":{"input_tokens":3,'
            '"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":2,'
            '"output_tokens_details":{"reasoning_tokens":0},"total_tokens":5},"metadata":{},'
            '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}'
        ),
    ),
    "a picture in an answer of Gemini has no place on Chat, which is a loss": Answer(
        "BerriAI/litellm#16227",
        "gemini",
        "openai_chat:openrouter",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"text":"Here."},{"inlineData":{'
            '"mimeType":"image/png","data":"iVBORw0KGgo="}}]},"finishReason":"STOP"}],'
            '"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5},'
            '"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"content":"Here.","role":"assistant","refusal":null},"logprobs":null,'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
        lost="image",
    ),
    "MAX_TOKENS of Cohere is a length on Chat": Answer(
        "mozilla-ai/any-llm#1301",
        "cohere",
        "openai_chat",
        (
            '{"id":"c1","finish_reason":"MAX_TOKENS","message":{"role":"assistant","content":[{'
            '"type":"text","text":"Ye"}]},"usage":{"billed_units":{"input_tokens":3,'
            '"output_tokens":2},"tokens":{"input_tokens":3,"output_tokens":2}}}'
        ),
        (
            '{"id":"c1","object":"chat.completion","created":0,"model":"","choices":[{"index":0,'
            '"message":{"content":"Ye","role":"assistant","refusal":null},"logprobs":null,'
            '"finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "STOP_SEQUENCE of Cohere is a stop on Chat": Answer(
        "camel-ai/camel#4201",
        "cohere",
        "openai_chat",
        (
            '{"id":"c1","finish_reason":"STOP_SEQUENCE","message":{"role":"assistant","content":[{'
            '"type":"text","text":"Ye"}]},"usage":{"billed_units":{"input_tokens":3,'
            '"output_tokens":2},"tokens":{"input_tokens":3,"output_tokens":2}}}'
        ),
        (
            '{"id":"c1","object":"chat.completion","created":0,"model":"","choices":[{"index":0,'
            '"message":{"content":"Ye","role":"assistant","refusal":null},"logprobs":null,'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "an error of Cohere ends on Chat, which is a loss": Answer(
        "ankit373/hydra#976",
        "cohere",
        "openai_chat",
        (
            '{"id":"c1","finish_reason":"ERROR","message":{"role":"assistant","content":[{'
            '"type":"text","text":"Ye"}]},"usage":{"billed_units":{"input_tokens":3,'
            '"output_tokens":2},"tokens":{"input_tokens":3,"output_tokens":2}}}'
        ),
        (
            '{"id":"c1","object":"chat.completion","created":0,"model":"","choices":[{"index":0,'
            '"message":{"content":"Ye","role":"assistant","refusal":null},"logprobs":null,'
            '"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
        lost="stop reason",
    ),
    "two calls of one function of Gemini have two ids": Answer(
        "TanStack/ai#199",
        "gemini",
        "openai_chat",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f",'
            '"args":{"at":"Rome"}}},{"functionCall":{"name":"f","args":{"at":"Oslo"}}}]},'
            '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,'
            '"candidatesTokenCount":2,"totalTokenCount":5},"modelVersion":"m","responseId":"r1"}'
        ),
        (
            '{"id":"r1","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"content":null,"role":"assistant","refusal":null,"tool_calls":[{'
            '"id":"call_491f37c8258b_0","type":"function","function":{"name":"f",'
            '"arguments":"{\\"at\\":\\"Rome\\"}"}},{"id":"call_491f37c8258b_1","type":"function",'
            '"function":{"name":"f","arguments":"{\\"at\\":\\"Oslo\\"}"}}]},"logprobs":null,'
            '"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
            '"total_tokens":5,"prompt_tokens_details":{"cached_tokens":0},'
            '"completion_tokens_details":{"reasoning_tokens":0}}}'
        ),
    ),
    "a plan of Cohere is a message before the call of Responses": Answer(
        "vercel/ai#5313",
        "cohere",
        "openai_responses",
        (
            '{"id":"c1","finish_reason":"TOOL_CALL","message":{"role":"assistant",'
            '"tool_plan":"I will look.","tool_calls":[{"id":"a","type":"function","function":{'
            '"name":"f","arguments":"{}"}}]},"usage":{"billed_units":{"input_tokens":3,'
            '"output_tokens":2},"tokens":{"input_tokens":3,"output_tokens":2}}}'
        ),
        (
            '{"id":"c1","object":"response","created_at":0,"status":"completed","error":null,'
            '"incomplete_details":null,"model":"","output":[{'
            '"id":"msg_8170bf8323414bdfdfa85a190000","type":"message","status":"completed",'
            '"role":"assistant","content":[{"type":"output_text","annotations":[],'
            '"text":"I will look."}]},{"id":"fc_8170bf8323414bdfdfa85a190001",'
            '"type":"function_call","status":"completed","call_id":"a","name":"f",'
            '"arguments":"{}"}],"usage":{"input_tokens":3,"input_tokens_details":{'
            '"cached_tokens":0,"cache_write_tokens":0},"output_tokens":2,"output_tokens_details":{'
            '"reasoning_tokens":0},"total_tokens":5},"metadata":{},"parallel_tool_calls":true,'
            '"tool_choice":"auto","tools":[]}'
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation(name: str) -> None:
    CASES[name].check()
