"""Why an answer ended, in the words of each API -> the model's stop reason, and the other way."""

from importlib import import_module

import pytest

import wireglot as wg

BODIES = {
    "anthropic": '{"id":"i","type":"message","role":"assistant","model":"m","content":'
    '[{"type":"text","text":"a"}],"stop_reason":"%s","stop_sequence":null,'
    '"usage":{"input_tokens":1,"output_tokens":1}}',
    "bedrock": '{"output":{"message":{"role":"assistant","content":[{"text":"a"}]}},'
    '"stopReason":"%s","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}',
    "cohere": '{"id":"i","finish_reason":"%s","message":{"role":"assistant","content":'
    '[{"type":"text","text":"a"}]}}',
    "gemini": '{"candidates":[{"index":0,"finishReason":"%s","content":{"role":"model",'
    '"parts":[{"text":"a"}]}}]}',
    "mistral": '{"id":"i","object":"chat.completion","created":1,"model":"m","choices":'
    '[{"index":0,"finish_reason":"%s","message":{"role":"assistant","content":"a"}}]}',
    "ollama": '{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
    '"content":"a"},"done":true,"done_reason":"%s"}',
    "openai_chat": '{"id":"i","object":"chat.completion","created":1,"model":"m","choices":'
    '[{"index":0,"finish_reason":"%s","message":{"role":"assistant","content":"a"}}]}',
}
KEYS = {
    "anthropic": "stop_reason",
    "bedrock": "stopReason",
    "cohere": "finish_reason",
    "gemini": "finishReason",
    "mistral": "finish_reason",
    "ollama": "done_reason",
    "openai_chat": "finish_reason",
}
# A word that nobody knows is a plain stop.
READ = {
    "anthropic": """
        end_turn stop
        max_tokens length
        stop_sequence stop
        tool_use toolUse
        pause_turn paused
        refusal guardRail
        model_context_window_exceeded length
        compaction contextCompacted
        fatigue stop
    """,
    "bedrock": """
        end_turn stop
        tool_use toolUse
        max_tokens length
        stop_sequence stop
        guardrail_intervened guardRail
        content_filtered guardRail
        malformed_model_output error
        malformed_tool_use error
        model_context_window_exceeded length
    """,
    "cohere": """
        COMPLETE stop
        STOP_SEQUENCE stop
        MAX_TOKENS length
        TOOL_CALL toolUse
        ERROR error
        TIMEOUT error
    """,
    "gemini": """
        FINISH_REASON_UNSPECIFIED stop
        STOP stop
        MAX_TOKENS length
        SAFETY guardRail
        RECITATION guardRail
        LANGUAGE guardRail
        OTHER error
        BLOCKLIST guardRail
        PROHIBITED_CONTENT guardRail
        SPII guardRail
        MALFORMED_FUNCTION_CALL error
        IMAGE_SAFETY guardRail
        IMAGE_PROHIBITED_CONTENT guardRail
        IMAGE_OTHER error
        NO_IMAGE error
        IMAGE_RECITATION guardRail
        UNEXPECTED_TOOL_CALL error
        TOO_MANY_TOOL_CALLS error
        MISSING_THOUGHT_SIGNATURE error
        MALFORMED_RESPONSE error
        ESCALATION guardRail
        PUP_LIMITED_DISABLED guardRail
        CONTINUATION paused
        MODEL_ARMOR guardRail
    """,
    "mistral": """
        stop stop
        length length
        model_length length
        error error
        tool_calls toolUse
    """,
    "ollama": """
        stop stop
        length length
        load stop
        unload stop
    """,
    "openai_chat": """
        stop stop
        length length
        tool_calls toolUse
        function_call toolUse
        content_filter guardRail
        insufficient_system_resource error
        sensitive guardRail
        model_context_window_exceeded length
        network_error error
        abort aborted
        error error
    """,
}
# The rest are a loss, and a plain stop.
WRITTEN = {
    "anthropic": """
        STOP end_turn
        LENGTH max_tokens
        TOOL_USE tool_use
        PAUSED pause_turn
        GUARD_RAIL refusal
    """,
    "bedrock": """
        STOP end_turn
        LENGTH max_tokens
        TOOL_USE tool_use
        GUARD_RAIL content_filtered
        ERROR malformed_model_output
    """,
    "cohere": """
        STOP COMPLETE
        LENGTH MAX_TOKENS
        TOOL_USE TOOL_CALL
        ERROR ERROR
    """,
    "gemini": """
        STOP STOP
        LENGTH MAX_TOKENS
        TOOL_USE STOP
        GUARD_RAIL SAFETY
        ERROR OTHER
    """,
    "mistral": """
        STOP stop
        LENGTH length
        ERROR error
        TOOL_USE tool_calls
    """,
    "ollama": """
        STOP stop
        LENGTH length
        TOOL_USE stop
    """,
    "openai_chat": """
        STOP stop
        LENGTH length
        TOOL_USE tool_calls
        GUARD_RAIL content_filter
    """,
}


def _cases(tables: dict[str, str]) -> list[tuple[str, ...]]:
    return [
        (name, *line.split())
        for name, lines in tables.items()
        for line in lines.strip().splitlines()
    ]


@pytest.mark.parametrize(("name", "word", "reason"), _cases(READ))
def test_a_word_is_a_reason_and_goes_back_as_it_came(name: str, word: str, reason: str) -> None:
    provider = wg.PROVIDERS[name]
    response = provider.decode_response((BODIES[name] % word).encode())
    assert (response.message.stop_reason, response.message.raw_stop_reason) == (reason, word)
    assert f'"{KEYS[name]}":"{word}"'.encode() in provider.encode_response(response, losses=[])


@pytest.mark.parametrize(("name", "reason", "word"), _cases(WRITTEN))
def test_a_reason_of_another_api_is_a_word_and_no_loss(name: str, reason: str, word: str) -> None:
    call = [wg.ToolCallBlock("c", "n", "{}")] if reason == "TOOL_USE" else [wg.TextBlock("a")]
    message = wg.AssistantMessage(call, wg.StopReason[reason], api="another", model="m")
    losses: list[wg.Loss] = []
    made = wg.PROVIDERS[name].encode_response(wg.Response(message), losses=losses)
    assert f'"{KEYS[name]}":"{word}"'.encode() in made
    assert [loss for loss in losses if loss.what == "stop reason"] == []


def test_the_words_of_all_apis_are_known() -> None:
    for name, provider in wg.PROVIDERS.items():
        writer = import_module(f"wireglot.providers.{name}.response").RESPONSES._writer
        assert wg.providers.facts_of(provider.API).stop_reasons == writer.STOP_WORDS.keys()
