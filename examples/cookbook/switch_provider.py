"""Begin a conversation with Claude, continue it with Gemini and Mistral, and return to Claude.

The answers are recorded. A real program sends each body to its API, and reads the answer.
"""

import json
from pprint import pp
from typing import Any

import wireglot as wg

FROM_CLAUDE = b"""{"id": "msg_1", "type": "message", "role": "assistant", "stop_sequence": null,
"model": "claude-sonnet-4-5", "stop_reason": "tool_use", "content": [
  {"type": "thinking", "thinking": "I need the weather.", "signature": "c2lnbmVkIGJ5IENsYXVkZQ=="},
  {"type": "tool_use", "id": "toolu_01", "name": "weather", "input": {"city": "Oslo"}}],
"usage": {"input_tokens": 400, "output_tokens": 30}}"""
FROM_GEMINI = b"""{"responseId": "r1", "modelVersion": "gemini-3-pro-preview", "candidates": [
  {"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [
    {"text": "It is 21 degrees.", "thoughtSignature": "c2lnbmVkIGJ5IEdlbWluaQ=="}]}}],
"usageMetadata": {"promptTokenCount": 300, "candidatesTokenCount": 9, "totalTokenCount": 309}}"""

conversation: list[wg.Message] = [wg.UserMessage.from_text("How warm is it in Oslo?")]
tools = [wg.Tool("weather", "Tell the weather.", {"type": "object"})]


def body(provider: str, model: str) -> dict[str, Any]:
    """Encode the conversation for a provider, and print what its API cannot carry."""
    losses: list[wg.Loss] = []
    request = wg.Request(conversation, model=model, tools=tools, max_tokens=1000)
    encoded = wg.PROVIDERS[provider].encode_request(request, losses=losses)
    print(f"\n{model}: {len(losses)} lost")
    for loss in losses:
        print(f"  {loss.what} at {loss.path}: {loss.why}")
    if any(loss.severe for loss in losses):
        raise ValueError(f"the request would ask {model} for something else")
    parsed: dict[str, Any] = json.loads(encoded)
    return parsed


body("anthropic", "claude-sonnet-4-5")
answer = wg.providers.anthropic.decode_response(FROM_CLAUDE).message
conversation.append(answer)
for call in answer.tool_calls():
    conversation.append(wg.ToolResultMessage.from_text(call.id, "21 °C"))

pp(body("gemini", "gemini-3-pro-preview")["contents"][1], width=99)
conversation.append(wg.providers.gemini.decode_response(FROM_GEMINI).message)
conversation.append(wg.UserMessage.from_text("And in Rome?"))

pp(body("mistral", "mistral-large-latest")["messages"][1:3], width=99)
pp(body("anthropic", "claude-sonnet-4-5")["messages"][1], width=99)
