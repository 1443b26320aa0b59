"""Media: pictures, documents and audio, also in results."""

from typing import Final

import pytest

from tests.field.cases import Answer, Case, Request

CASES: Final[dict[str, Case]] = {
    "the type of an image is that of its URL's path": Request(
        "langchain-ai/langchain-google#1377",
        "openai_chat",
        "gemini:vertex",
        '{"model":"m","messages":[{"role":"user","content":[{"type":"image_url",'
        '"image_url":{"url":"https://a.example/b.jpg?w=1&x=.png"}}]}]}',
        '{"contents":[{"role":"user","parts":[{"fileData":{"fileUri":'
        '"https://a.example/b.jpg?w=1&x=.png","mimeType":"image/jpeg"}}]}]}',
    ),
    "a data URL of Chat is bare base64 for Ollama": Request(
        "BerriAI/litellm#18338",
        "openai_chat",
        "ollama",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,'
            'iVBORw0KGgo="}}]}]}'
        ),
        (
            '{"model":"m","stream":false,"options":{"num_predict":99},'
            '"messages":[{"role":"user","content":"see","images":["iVBORw0KGgo="]}]}'
        ),
    ),
    "a picture of Ollama gets its type from its bytes": Request(
        "ollama/ollama#7247",
        "ollama",
        "openai_chat",
        (
            '{"model":"m","stream":false,"messages":[{"role":"user","content":"see",'
            '"images":["iVBORw0KGgo="]}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"see"},'
            '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]}'
        ),
    ),
    "a picture's URL has no place at Ollama, which is a loss": Request(
        "posit-dev/chatlas#20",
        "openai_chat",
        "ollama",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"see"},{"type":"image_url","image_url":{"url":"https://a.example/b.png"}}]}]}'
        ),
        (
            '{"model":"m","stream":false,"options":{"num_predict":99},'
            '"messages":[{"role":"user","content":"see"}]}'
        ),
        lost="image",
    ),
    "a picture's URL is the URI of a file at Gemini": Request(
        "diegosouzapw/OmniRoute#4373",
        "anthropic",
        "gemini",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"image",'
            '"source":{"type":"url","url":"https://a.example/b.png"}}]}]}'
        ),
        (
            '{"generationConfig":{"maxOutputTokens":9},'
            '"contents":[{"role":"user","parts":[{"fileData":{"fileUri":"https:'
            '//a.example/b.png"}}]}]}'
        ),
    ),
    "a picture of Anthropic between texts keeps its place": Request(
        "router-for-me/CLIProxyAPI#167",
        "anthropic",
        "openai_chat",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"one"},{"type":"image","source":{"type":"base64","media_type":"image/png",'
            '"data":"iVBORw0KGgo="}},{"type":"text","text":"two"}]}]}'
        ),
        (
            '{"model":"m","max_completion_tokens":9,"messages":[{"role":"user",'
            '"content":[{"type":"text","text":"one"},'
            '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}},'
            '{"type":"text","text":"two"}]}]}'
        ),
    ),
    "a PNG that is called a JPEG is a PNG at Anthropic": Request(
        "vybestack/llxprt-code#2130",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user",'
            '"content":[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,'
            'iVBORw0KGgo="}}]}]}'
        ),
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"image",'
            '"source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]}'
        ),
    ),
    "a JPEG has its registered name at Anthropic": Request(
        "CherryHQ/cherry-studio#2987",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user",'
            '"content":[{"type":"image_url","image_url":{"url":"data:image/jpg;base64,'
            '/9j/4AA="}}]}]}'
        ),
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"image",'
            '"source":{"type":"base64","media_type":"image/jpeg","data":"/9j/4AA="}}]}]}'
        ),
    ),
    "a file of Chat is a document of Anthropic": Request(
        "BerriAI/litellm#4589",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"file",'
            '"file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,'
            'JVBERi0xLjQK"}}]}]}'
        ),
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user",'
            '"content":[{"type":"document","source":{"type":"base64",'
            '"media_type":"application/pdf","data":"JVBERi0xLjQK"},"title":"a.pdf"}]}]}'
        ),
    ),
    "a file of Chat is data of Gemini": Request(
        "agentgateway/agentgateway#3117",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"file",'
            '"file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,'
            'JVBERi0xLjQK"}}]}]}'
        ),
        (
            '{"generationConfig":{"maxOutputTokens":99},'
            '"contents":[{"role":"user","parts":[{"inlineData":{"data":"JVBERi0xLjQK",'
            '"mimeType":"application/pdf"}}]}]}'
        ),
    ),
    "a file that OpenAI stores is a loss at Anthropic": Request(
        "agentgateway/agentgateway#3117",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"sum up"},{"type":"file","file":{"file_id":"file-1"}}]}]}'
        ),
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"sum up"}]}]}'
        ),
        lost="file id",
    ),
    "a PDF in the place of a picture is a PDF at Gemini": Request(
        "BerriAI/litellm#9798",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user",'
            '"content":[{"type":"image_url","image_url":{"url":"data:application/pdf;base64,'
            'JVBERi0xLjQK"}}]}]}'
        ),
        (
            '{"generationConfig":{"maxOutputTokens":99},'
            '"contents":[{"role":"user","parts":[{"inlineData":{"data":"JVBERi0xLjQK",'
            '"mimeType":"application/pdf"}}]}]}'
        ),
    ),
    "a document of Anthropic is a data URL of Responses": Request(
        "LionSR/TeXRA#2714",
        "anthropic",
        "openai_responses",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user",'
            '"content":[{"type":"document","title":"a.pdf","source":{"type":"base64",'
            '"media_type":"application/pdf","data":"JVBERi0xLjQK"}}]}]}'
        ),
        (
            '{"model":"m","store":false,"max_output_tokens":99,"input":[{"role":"user",'
            '"content":[{"type":"input_file","filename":"a.pdf",'
            '"file_data":"data:application/pdf;base64,JVBERi0xLjQK"}]}]}'
        ),
    ),
    "a document's name fits Bedrock": Request(
        "vercel/ai#20365",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"sum up"},{"type":"file","file":{"filename":"John\'s report  #2.pdf",'
            '"file_data":"data:application/pdf;base64,JVBERi0xLjQK"}}]}]}'
        ),
        (
            '{"inferenceConfig":{"maxTokens":99},"messages":[{"role":"user",'
            '"content":[{"text":"sum up"},{"document":{"name":"John s report 2",'
            '"source":{"bytes":"JVBERi0xLjQK"},"format":"pdf"}}]}]}'
        ),
    ),
    "two documents of one name have two at Bedrock": Request(
        "aws-samples/generative-ai-use-cases#1685",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"sum up"},{"type":"file","file":{"filename":"a.pdf",'
            '"file_data":"data:application/pdf;base64,JVBERi0xLjQK"}},'
            '{"type":"file","file":{"filename":"a.pdf",'
            '"file_data":"data:application/pdf;base64,JVBERi0xLjUK"}}]}]}'
        ),
        (
            '{"inferenceConfig":{"maxTokens":99},"messages":[{"role":"user",'
            '"content":[{"text":"sum up"},{"document":{"name":"a",'
            '"source":{"bytes":"JVBERi0xLjQK"},"format":"pdf"}},'
            '{"document":{"name":"a 2","source":{"bytes":"JVBERi0xLjUK"},"format":"pdf"}}]}]}'
        ),
    ),
    "a document without a name gets one at Bedrock": Request(
        "BoundaryML/baml#2286",
        "gemini",
        "bedrock",
        (
            '{"contents":[{"role":"user","parts":[{"text":"sum up"},'
            '{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0xLjQK"}}]}]}'
        ),
        (
            '{"messages":[{"role":"user","content":[{"text":"sum up"},'
            '{"document":{"name":"Document","source":{"bytes":"JVBERi0xLjQK"},"format":"pdf"}}]}]}'
        ),
    ),
    "a picture in a result follows it on Chat": Request(
        "NanmiCoder/cc-haha#1278",
        "anthropic",
        "openai_chat",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"shot",'
            '"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
            '"content":[{"type":"text","text":"done"},'
            '{"type":"image","source":{"type":"base64","media_type":"image/png",'
            '"data":"iVBORw0KGgo="}}]}]}]}'
        ),
        (
            '{"model":"m","max_completion_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"shot","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"done"},'
            '{"type":"text","text":"See file a-1."}]},'
            '{"role":"user","content":[{"type":"text","text":"This is file a-1:"},'
            '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]}'
        ),
    ),
    "a picture of the first result follows both on Chat": Request(
        "router-for-me/CLIProxyAPI#4737",
        "anthropic",
        "openai_chat",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},'
            '{"type":"tool_use","id":"b","name":"g","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
            '"content":[{"type":"image","source":{"type":"base64","media_type":"image/png",'
            '"data":"iVBORw0KGgo="}}]},{"type":"tool_result","tool_use_id":"b","content":"2"}]}]}'
        ),
        (
            '{"model":"m","max_completion_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{}"}},'
            '{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"See file a-1."},'
            '{"role":"tool","tool_call_id":"b","content":"2"},'
            '{"role":"user","content":[{"type":"text","text":"This is file a-1:"},'
            '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]}'
        ),
    ),
    "a picture in a result of Responses is in that of Gemini 3": Request(
        "router-for-me/CLIProxyAPI#5039",
        "openai_responses",
        "gemini",
        (
            '{"model":"gemini-3-flash-preview","input":[{"role":"user","content":"hi"},'
            '{"type":"function_call","call_id":"a","name":"read","arguments":"{}"},'
            '{"type":"function_call_output","call_id":"a","output":[{"type":"input_text",'
            '"text":"see"},{"type":"input_image","image_url":"data:image/png;base64,'
            'iVBORw0KGgo="}]}]}'
        ),
        (
            '{"contents":[{"role":"user","parts":[{"text":"hi"}]},'
            '{"role":"model","parts":[{"functionCall":{"name":"read","args":{},"id":"a"},'
            '"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},'
            '{"role":"user","parts":[{"functionResponse":{"name":"read",'
            '"response":{"output":"see"},"id":"a","parts":[{"inlineData":{"data":"iVBORw0KGgo=",'
            '"mimeType":"image/png"}}]}}]}]}'
        ),
    ),
    "a picture in a result of Responses is in that of Anthropic": Request(
        "router-for-me/CLIProxyAPI#4699",
        "openai_responses",
        "anthropic",
        (
            '{"model":"m","max_output_tokens":99,"input":[{"role":"user","content":"hi"},'
            '{"type":"function_call","call_id":"a","name":"read","arguments":"{}"},'
            '{"type":"function_call_output","call_id":"a","output":[{"type":"input_image",'
            '"image_url":"data:image/png;base64,iVBORw0KGgo="}]}]}'
        ),
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a",'
            '"name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result",'
            '"tool_use_id":"a","content":[{"type":"image","source":{"type":"base64",'
            '"media_type":"image/png","data":"iVBORw0KGgo="}}]}]}]}'
        ),
    ),
    "audio of Chat is data of Gemini": Request(
        "decolua/9router#912",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","max_tokens":99,"messages":[{"role":"user",'
            '"content":[{"type":"input_audio","input_audio":{"data":"UklGRg==",'
            '"format":"wav"}}]}]}'
        ),
        (
            '{"generationConfig":{"maxOutputTokens":99},'
            '"contents":[{"role":"user","parts":[{"inlineData":{"data":"UklGRg==",'
            '"mimeType":"audio/wav"}}]}]}'
        ),
    ),
    "a picture of Responses is its bytes at Bedrock": Request(
        "agentgateway/agentgateway#2312",
        "openai_responses",
        "bedrock",
        (
            '{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"hi"},'
            '{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="}]}]}'
        ),
        (
            '{"messages":[{"role":"user","content":[{"text":"hi"},'
            '{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}}]}]}'
        ),
    ),
    "an image of OpenRouter's answer is Gemini's": Answer(
        "QuantumNous/new-api#3103",
        "openai_chat:openrouter",
        "gemini",
        (
            '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
            '"message":{"role":"assistant","content":"x","images":[{"type":"image_url",'
            '"image_url":{"url":"data:image/png;base64,'
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAW"
            'jR9awAAAABJRU5ErkJggg=="},"index":0}]},"finish_reason":"stop"}]}'
        ),
        (
            '{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"x"},'
            '{"inlineData":{"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADU'
            'lEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==","mimeType":"image/png"}}]},'
            '"finishReason":"STOP"}],"modelVersion":"m","responseId":"c"}'
        ),
    ),
    "an image of Gemini's answer is OpenRouter's": Answer(
        "QuantumNous/new-api#3103",
        "gemini",
        "openai_chat:openrouter",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"text":"x"},'
            '{"inlineData":{"mimeType":"image/png",'
            '"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QD'
            'wADhgGAWjR9awAAAABJRU5ErkJggg=="}}]},"finishReason":"STOP"}],"modelVersion":"m",'
            '"responseId":"r"}'
        ),
        (
            '{"id":"r","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
            '"message":{"content":"x","role":"assistant","refusal":null,'
            '"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,'
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAW"
            'jR9awAAAABJRU5ErkJggg=="}}]},"logprobs":null,"finish_reason":"stop"}],'
            '"system_fingerprint":null}'
        ),
    ),
    "an image of Gemini's answer is an item of Responses": Answer(
        "QuantumNous/new-api#3103",
        "gemini",
        "openai_responses",
        (
            '{"candidates":[{"content":{"role":"model","parts":[{"text":"x"},'
            '{"inlineData":{"mimeType":"image/png",'
            '"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QD'
            'wADhgGAWjR9awAAAABJRU5ErkJggg=="}}]},"finishReason":"STOP"}],"modelVersion":"m",'
            '"responseId":"r"}'
        ),
        (
            '{"id":"r","object":"response","created_at":0,"status":"completed","error":null,'
            '"incomplete_details":null,"model":"m",'
            '"output":[{"id":"msg_85f07609f652ccea66d32fec0000","type":"message",'
            '"status":"completed","role":"assistant","content":[{"type":"output_text",'
            '"annotations":[],"text":"x"}]},{"id":"ig_10a7227ade22bb007518dbb14d064d2f",'
            '"type":"image_generation_call","status":"completed",'
            '"result":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9'
            'QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}],"usage":null,"metadata":{},'
            '"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}'
        ),
    ),
    "an image of Responses is Gemini's, without its prompt": Answer(
        "QuantumNous/new-api#3103",
        "openai_responses",
        "gemini",
        (
            '{"id":"r","object":"response","created_at":1,"status":"completed","model":"m",'
            '"output":[{"id":"ig_1","type":"image_generation_call","status":"completed",'
            '"result":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9'
            'QDwADhgGAWjR9awAAAABJRU5ErkJggg==","output_format":"png","revised_prompt":"p"}]}'
        ),
        (
            '{"candidates":[{"index":0,"content":{"role":"model",'
            '"parts":[{"inlineData":{"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfF'
            'cSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",'
            '"mimeType":"image/png"}}]},"finishReason":"STOP"}],"modelVersion":"m",'
            '"responseId":"r"}'
        ),
        lost="extras",
    ),
    "an image of Responses has no place at Anthropic, which is a loss": Answer(
        "QuantumNous/new-api#3103",
        "openai_responses",
        "anthropic",
        (
            '{"id":"r","object":"response","created_at":1,"status":"completed","model":"m",'
            '"output":[{"id":"ig_1","type":"image_generation_call","status":"completed",'
            '"result":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9'
            'QDwADhgGAWjR9awAAAABJRU5ErkJggg==","output_format":"png","revised_prompt":"p"}]}'
        ),
        (
            '{"id":"r","type":"message","role":"assistant","model":"m","content":[],'
            '"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":0,'
            '"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}'
        ),
        lost="image",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation(name: str) -> None:
    CASES[name].check()
