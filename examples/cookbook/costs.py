"""Add up what the answers of several providers cost, for each model."""

import wireglot as wg

# Recorded answers. Each provider counts tokens in its own way.
ANSWERS = {
    "anthropic": b"""{"id": "msg_1", "type": "message", "role": "assistant",
    "model": "claude-sonnet-4-5", "stop_reason": "end_turn", "stop_sequence": null,
    "content": [{"type": "text", "text": "Oslo."}],
    "usage": {"input_tokens": 200, "output_tokens": 500,
      "cache_read_input_tokens": 9000, "cache_creation_input_tokens": 800}}""",
    "openai_chat": b"""{"id": "c1", "object": "chat.completion", "created": 1, "model": "gpt-5",
    "choices": [{"index": 0, "finish_reason": "stop",
      "message": {"role": "assistant", "content": "Oslo."}}],
    "usage": {"prompt_tokens": 10000, "completion_tokens": 500, "total_tokens": 10500,
      "prompt_tokens_details": {"cached_tokens": 9000},
      "completion_tokens_details": {"reasoning_tokens": 300}}}""",
    "gemini": b"""{"responseId": "r1", "modelVersion": "gemini-3-pro", "candidates": [{"index": 0,
    "finishReason": "STOP", "content": {"role": "model", "parts": [{"text": "Oslo."}]}}],
    "usageMetadata": {"promptTokenCount": 10000, "cachedContentTokenCount": 9000,
      "candidatesTokenCount": 200, "thoughtsTokenCount": 300, "totalTokenCount": 10500}}""",
}
# Prices in USD. These are examples: take the prices of your contract.
PRICES = {
    "claude-sonnet-4-5": wg.model.CostConfig(
        input_per_million=3.0,
        output_per_million=15.0,
        cache_read_per_million=0.3,
        cache_write_per_million=3.75,
    ),
    "gpt-5": wg.model.CostConfig(
        input_per_million=1.25, output_per_million=10.0, cache_read_per_million=0.125
    ),
    "gemini-3-pro": wg.model.CostConfig(
        input_per_million=2.0, output_per_million=12.0, cache_read_per_million=0.2
    ),
}

totals: dict[str, wg.Usage] = {}
for provider, body in [*ANSWERS.items(), *ANSWERS.items()]:  # each answer twice
    message = wg.PROVIDERS[provider].decode_response(body).message
    assert message.model is not None
    usage = message.usage or wg.Usage()  # some answers have no counts
    totals[message.model] = totals.get(message.model, wg.Usage()).combine(usage)

print(f"{'':20}{'input':>8}{'read':>8}{'written':>8}{'output':>8}{'USD':>9}")
sum_of_all = 0.0
for model, usage in totals.items():
    cost = usage.estimated_cost(PRICES[model])
    sum_of_all += cost
    counts = (usage.input, usage.cache_read, usage.cache_write, usage.output)
    print(f"{model:20}{''.join(f'{count:8,}' for count in counts)}{cost:9.4f}")
print(f"{'all':20}{'':32}{sum_of_all:9.4f}")
