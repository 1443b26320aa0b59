"""Gemini's generateContent: what models refuse, at the Gemini API and at Vertex AI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.refusals.models import (
    GEMINI_2_5,
    GEMINI_2_5_PRO,
    GEMINI_3_7_FLASH,
    GEMINI_3_PRO,
    GEMINI_FIXED,
    GEMINI_FROM_2_5,
    GEMINI_FROM_3,
    GEMINI_TO_2_0,
    GEMINI_TO_2_5,
    GEMMA_3,
    GEMMA_4,
)
from tests.refusals.row import Json, Paths, refuses

_HI = '"contents":[{"role":"user","parts":[{"text":"Hi"}]}]'
_FUNCTIONS = '"tools":[{"functionDeclarations":[{"name":"f","description":"F"}]}]'
_BOTH = '"tools":[{"functionDeclarations":[{"name":"f","description":"F"}]},{"googleSearch":{}}]'
_PICTURE = '{"inlineData":{"mimeType":"image/png","data":"QQ=="}'
_RESULT = (
    '{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":'
    '{"name":"f","args":{}%s}}]},{"role":"user","parts":[{"functionResponse":{"name":"f",'
    '"response":{"output":"1"}%s}}]}]}'
)
_SDK = "google-genai 3.6.1, models.py"


def _with(config: str) -> str:
    return "{" + _HI + ',"generationConfig":{' + config + "}}"


def _config(body: Json) -> Json:
    return dict(body.get("generationConfig", {}))


def _parts(body: Json) -> Iterator[tuple[str, Json]]:
    for i, content in enumerate(body["contents"]):
        for j, part in enumerate(content.get("parts", ())):
            yield f"contents.{i}.parts.{j}", part


def _kinds(body: Json) -> set[str]:
    return {key for tool in body.get("tools", ()) for key in tool}


def _ids(body: Json) -> Paths:
    for path, part in _parts(body):
        for key in ("functionCall", "functionResponse"):
            if "id" in part.get(key, ()):
                yield f"{path}.{key}.id"


def _asked_for_json(body: Json) -> bool:
    config = _config(body)
    return config.get("responseMimeType") == "application/json"


# -- sampling ----------------------------------------------------------------------------------


@refuses(
    "gemini",
    "Penalty is not enabled for this model",
    "google-gemini/cookbook#1290, 2026-07; vercel/ai#8943, 2025-09",
    sent="no penalties",
    hosts="gemini",
    models=GEMINI_FROM_2_5,
    seen="gemini-2.5-flash",
    taken=_with('"presencePenalty":0'),
    refused=_with('"presencePenalty":0.2'),
)
def a_penalty_is_asked_for(body: Json) -> Paths:
    for key in ("presencePenalty", "frequencyPenalty"):
        if _config(body).get(key):
            yield f"generationConfig.{key}"


@refuses(
    "gemini",
    "Penalty is not enabled for this model",
    "Ikalus1988/MisakaNet#1473, 2026-09; firebase/firebase-js-sdk#10362, 2026-09",
    sent="no penalties",
    hosts="vertex",
    models=GEMINI_FROM_3,
    seen="gemini-3.8-flash",
    taken=_with('"presencePenalty":0'),
    refused=_with('"frequencyPenalty":0.2'),
)
def a_penalty_is_asked_for_at_vertex(body: Json) -> Paths:
    return a_penalty_is_asked_for(body)


@refuses(
    "gemini",
    "Multiple candidates is not enabled for this model",
    "googleapis/js-genai#1609, 2026-05; googleapis/python-genai#1723, 2025-11",
    sent="one answer",
    hosts="gemini",
    models=GEMINI_FROM_3,
    seen="gemini-3.1-flash-lite",
    taken=_with('"candidateCount":1'),
    refused=_with('"candidateCount":2'),
)
def more_than_one_answer_is_asked_for(body: Json) -> Paths:
    if _config(body).get("candidateCount", 1) > 1:
        yield "generationConfig.candidateCount"


@refuses(
    "gemini",
    "Logprobs is not supported for this model.",
    "BerriAI/litellm#31600, 2026-06; GoogleCloudPlatform/generative-ai#2947, 2026-06",
    sent="no log probabilities",
    models=GEMINI_FROM_3,
    seen="gemini-3.5-flash",
    taken=_with('"responseLogprobs":false'),
    refused=_with('"responseLogprobs":true,"logprobs":3'),
)
def log_probabilities_are_asked_for(body: Json) -> Paths:
    if _config(body).get("responseLogprobs"):
        yield "generationConfig.responseLogprobs"


@refuses(
    "gemini",
    "Starting with these models, temperature, top_p and top_k are deprecated, and ignored.",
    "ai.google.dev/gemini-api/docs/latest-model, 2026-07; langchain-ai/langchain-google#1897",
    sent="no sampling parameters",
    models=GEMINI_FIXED,
    seen="gemini-3.6-flash",
    taken=_with('"maxOutputTokens":9'),
    refused=_with('"temperature":0.2'),
)
def sampling_is_left_to_the_model(body: Json) -> Paths:
    for key in ("temperature", "topP", "topK"):
        if key in _config(body):
            yield f"generationConfig.{key}"


# -- thinking ----------------------------------------------------------------------------------


@refuses(
    "gemini",
    "thinking_config is not supported.",
    "lobehub/lobehub#7985, 2025-05; Veloera/Veloera#41, 2025-05",
    sent="the parameter is left out",
    models=GEMINI_TO_2_0,
    seen="gemini-2.0-flash",
    taken=_with('"maxOutputTokens":9'),
    refused=_with('"thinkingConfig":{"thinkingBudget":0}'),
)
def thinking_is_configured(body: Json) -> Paths:
    if "thinkingConfig" in _config(body):
        yield "generationConfig.thinkingConfig"


@refuses(
    "gemini",
    "Thinking level is not supported for this model.",
    "RooCodeInc/Roo-Code#10700, 2026-01; microsoft/vscode#334581, 2026-09",
    sent="a budget that matches the level",
    models=GEMINI_2_5,
    seen="gemini-2.5-flash",
    taken=_with('"thinkingConfig":{"thinkingBudget":1024}'),
    refused=_with('"thinkingConfig":{"thinkingLevel":"LOW"}'),
)
def a_level_of_thinking_is_asked_for(body: Json) -> Paths:
    if "thinkingLevel" in _config(body).get("thinkingConfig", {}):
        yield "generationConfig.thinkingConfig.thinkingLevel"


@refuses(
    "gemini",
    "Thinking budget is not supported for this model.",
    "aduermael/herm#23, 2026-04; earendil-works/pi#2812, 2026-04",
    sent="the level `MINIMAL` or `HIGH`",
    models=GEMMA_4,
    seen="gemma-4-31b-it",
    taken=_with('"thinkingConfig":{"thinkingLevel":"HIGH"}'),
    refused=_with('"thinkingConfig":{"thinkingBudget":1024}'),
)
def gemma_has_two_levels_of_thinking(body: Json) -> Paths:
    asked = _config(body).get("thinkingConfig", {})
    if "thinkingBudget" in asked:
        yield "generationConfig.thinkingConfig.thinkingBudget"
    if asked.get("thinkingLevel") in ("LOW", "MEDIUM"):
        yield "generationConfig.thinkingConfig.thinkingLevel"


@refuses(
    "gemini",
    "Budget 0 is invalid. This model only works in thinking mode.",
    "snailyp/gemini-balance#206, 2025-07",
    sent="the nearest budget",
    models=GEMINI_2_5_PRO,
    seen="gemini-2.5-pro",
    taken=_with('"thinkingConfig":{"thinkingBudget":128}'),
    refused=_with('"thinkingConfig":{"thinkingBudget":0}'),
)
def a_budget_is_out_of_range(body: Json) -> Paths:
    budget = _config(body).get("thinkingConfig", {}).get("thinkingBudget", -1)
    if budget != -1 and not 128 <= budget <= 32_768:
        yield "generationConfig.thinkingConfig.thinkingBudget"


@refuses(
    "gemini",
    "Thinking level MEDIUM is not supported for this model.",
    "egoist/chatwise-releases#1206, 2025-12; jenslys/opencode-gemini-auth#14, 2025-12",
    sent="the nearest level",
    models=GEMINI_3_PRO,
    seen="gemini-3-pro-preview",
    taken=_with('"thinkingConfig":{"thinkingLevel":"LOW"}'),
    refused=_with('"thinkingConfig":{"thinkingLevel":"MEDIUM"}'),
)
def a_level_between_low_and_high_is_asked_for(body: Json) -> Paths:
    level = _config(body).get("thinkingConfig", {}).get("thinkingLevel", "LOW")
    if level.upper() not in ("LOW", "HIGH"):
        yield "generationConfig.thinkingConfig.thinkingLevel"


@refuses(
    "gemini",
    "Thinking level is unsupported: THINKING_LEVEL_MINIMAL",
    "BerriAI/litellm#37314, 2026-09; UKGovernmentBEIS/inspect_ai#5192, 2026-09",
    sent="the nearest level",
    models=GEMINI_3_7_FLASH,
    seen="gemini-3.7-flash",
    taken=_with('"thinkingConfig":{"thinkingLevel":"LOW"}'),
    refused=_with('"thinkingConfig":{"thinkingLevel":"MINIMAL"}'),
)
def minimal_thinking_is_asked_for(body: Json) -> Paths:
    level = _config(body).get("thinkingConfig", {}).get("thinkingLevel", "LOW")
    if level.upper() == "MINIMAL":
        yield "generationConfig.thinkingConfig.thinkingLevel"


# -- tools and formats ---------------------------------------------------------------------------


@refuses(
    "gemini",
    "Function calling with a response mime type: 'application/json' is unsupported",
    "googleapis/python-genai#867, 2025-05; symfony/ai#1777, 2026-03",
    sent="the tools, without JSON",
    models=GEMINI_TO_2_5,
    seen="gemini-2.5-flash",
    taken="{" + _HI + "," + _FUNCTIONS + "}",
    refused="{" + _HI + "," + _FUNCTIONS + ',"generationConfig":{"responseMimeType":'
    '"application/json"}}',
)
def functions_go_with_json(body: Json) -> Paths:
    if "functionDeclarations" in _kinds(body) and _asked_for_json(body):
        yield "generationConfig.responseMimeType"


@refuses(
    "gemini",
    "Tool use with a response mime type: 'application/json' is unsupported",
    "snailyp/gemini-balance#264, 2025-07; tbphp/gpt-load#188, 2025-08",
    sent="the tool, without JSON",
    models=GEMINI_TO_2_5,
    seen="gemini-2.5-pro",
    taken=_with('"responseMimeType":"application/json"'),
    refused="{" + _HI + ',"tools":[{"googleSearch":{}}],"generationConfig":{"responseMimeType":'
    '"application/json"}}',
)
def a_tool_of_googles_goes_with_json(body: Json) -> Paths:
    if _kinds(body) - {"functionDeclarations"} and _asked_for_json(body):
        yield "generationConfig.responseMimeType"


@refuses(
    "gemini",
    "Tool use with function calling is unsupported by the model.",
    "googleapis/go-genai#323, 2025-05; withceleste/celeste-python#197, 2026-02",
    sent="both, if the body is Gemini's own; else the functions",
    models=GEMINI_TO_2_5,
    seen="gemini-2.5-flash",
    taken="{" + _HI + "," + _FUNCTIONS + "}",
    refused="{" + _HI + "," + _BOTH + "}",
)
def functions_go_with_a_tool_of_googles(body: Json) -> Paths:
    if len(_kinds(body)) > 1 and "functionDeclarations" in _kinds(body):
        yield "tools"


@refuses(
    "gemini",
    "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with"
    " Function calling.",
    "cloudwego/eino-ext#761, 2026-04; ag2ai/ag2#3145, 2026-08",
    sent="what Google's tools do is asked for, too",
    hosts="gemini",
    models=GEMINI_FROM_3,
    seen="gemini-3.6-flash",
    taken="{" + _HI + "," + _BOTH + ',"toolConfig":{"includeServerSideToolInvocations":true}}',
    refused="{" + _HI + "," + _BOTH + "}",
)
def what_googles_tools_do_is_hidden_beside_functions(body: Json) -> Paths:
    mixed = len(_kinds(body)) > 1 and "functionDeclarations" in _kinds(body)
    if mixed and not body.get("toolConfig", {}).get("includeServerSideToolInvocations"):
        yield "toolConfig"


@refuses(
    "gemini",
    'Unknown name "includeServerSideToolInvocations": Cannot find field.',
    f"{_SDK}; strands-agents/harness-sdk#3646, 2026-08",
    sent="the parameter is left out",
    hosts="vertex",
    seen="gemini-3.6-flash",
    taken="{" + _HI + "," + _BOTH + "}",
    refused="{" + _HI + "," + _BOTH + ',"toolConfig":{"includeServerSideToolInvocations":true}}',
)
def googles_tools_are_to_be_shown(body: Json) -> Paths:
    if "includeServerSideToolInvocations" in body.get("toolConfig", {}):
        yield "toolConfig.includeServerSideToolInvocations"


@refuses(
    "gemini",
    "Please use google_search field instead of google_search_retrieval field.",
    "simonw/llm-gemini#39, 2025-01; langchain-ai/langchain-google#677, 2025-01",
    sent="the new name, if the body is not Gemini's own",
    models=GEMINI_FROM_2_5,
    seen="gemini-2.5-flash",
    taken="{" + _HI + ',"tools":[{"googleSearch":{}}]}',
    refused="{" + _HI + ',"tools":[{"googleSearchRetrieval":{}}]}',
)
def a_search_has_its_old_name(body: Json) -> Paths:
    for i, tool in enumerate(body.get("tools", ())):
        if "googleSearchRetrieval" in tool:
            yield f"tools.{i}.googleSearchRetrieval"


@refuses(
    "gemini",
    "Function calling is not enabled for models/gemma-3-27b-it",
    "BerriAI/litellm#10313, 2025-04",
    sent="no tools",
    models=GEMMA_3,
    seen="gemma-3-27b-it",
    taken="{" + _HI + "}",
    refused="{" + _HI + "," + _FUNCTIONS + "}",
)
def functions_are_declared(body: Json) -> Paths:
    if "functionDeclarations" in _kinds(body):
        yield "tools"


@refuses(
    "gemini",
    "JSON mode is not enabled for models/gemma-3-27b-it",
    "FirebaseExtended/compass-ai-travel-planning-sample-flutter#40, 2025-07",
    sent="no JSON",
    models=GEMMA_3,
    seen="gemma-3-27b-it",
    taken="{" + _HI + "}",
    refused=_with('"responseMimeType":"application/json"'),
)
def json_is_asked_for(body: Json) -> Paths:
    if _asked_for_json(body):
        yield "generationConfig.responseMimeType"


@refuses(
    "gemini",
    "Developer instruction is not enabled for models/gemma-3-27b-it",
    "0xPlaygrounds/rig#788, 2025-09",
    sent="the text as a user's message",
    models=GEMMA_3,
    seen="gemma-3-27b-it",
    taken="{" + _HI + "}",
    refused="{" + _HI + ',"systemInstruction":{"parts":[{"text":"Be kind."}]}}',
)
def a_system_instruction_is_given(body: Json) -> Paths:
    if "systemInstruction" in body:
        yield "systemInstruction"


# -- conversations -------------------------------------------------------------------------------


@refuses(
    "gemini",
    "GenerateContentRequest.contents: contents is not specified",
    "langchain-ai/langchainjs#7741, 2025-02; langchain-ai/langchain-google#1351",
    sent="the text as a user's message",
    seen="gemini-2.5-flash",
    taken='{"systemInstruction":{"parts":[{"text":"Be kind."}]},' + _HI + "}",
    refused='{"systemInstruction":{"parts":[{"text":"Be kind."}]},"contents":[]}',
)
def a_system_prompt_comes_alone(body: Json) -> Paths:
    if not body["contents"]:
        yield "contents"


@refuses(
    "gemini",
    "Requests ending with a model turn are not supported.",
    "anomalyco/opencode#47034, 2026-09; LibreChat-AI/agents#323, tried 2026-07",
    sent="a user's message after the answer: `Go on.`",
    models=GEMINI_FIXED,
    seen="gemini-3.6-flash",
    taken="{" + _HI + "}",
    refused='{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":'
    '[{"text":"So:"}]}]}',
)
def an_answer_comes_last(body: Json) -> Paths:
    last: Any = body["contents"][-1:] or [{}]
    if last[0].get("role") == "model":
        yield f"contents.{len(body['contents']) - 1}"


@refuses(
    "gemini",
    "Invalid JSON payload received. Unknown name \"id\" at 'contents[1].parts[0].function_call'",
    "pydantic/pydantic-ai#5081, 2026-04; vercel/ai#17902",
    sent="calls and results without ids, in one order",
    hosts="vertex",
    models=GEMINI_TO_2_5,
    seen="gemini-2.5-flash",
    taken=_RESULT % ("", ""),
    refused=_RESULT % (',"id":"a"', ',"id":"a"'),
)
def calls_have_ids(body: Json) -> Paths:
    return _ids(body)


@refuses(
    "gemini",
    "refuses media in the result of a function",
    "google-gemini/gemini-cli#19436, 2026-02",
    sent="the media after the results, with a text that names the result",
    models=GEMINI_TO_2_5,
    seen="gemini-2.5-pro",
    taken=_RESULT % ("", ""),
    refused=_RESULT % ("", ',"parts":[' + _PICTURE + "}]"),
)
def a_result_has_media(body: Json) -> Paths:
    for path, part in _parts(body):
        if part.get("functionResponse", {}).get("parts"):
            yield f"{path}.functionResponse.parts"


@refuses(
    "gemini",
    "refuses the resolution of a part",
    "ai.google.dev/gemini-api/docs/media-resolution, 2026-11",
    sent="the image without its `detail`",
    models=GEMINI_TO_2_5,
    seen="gemini-2.5-flash",
    taken='{"contents":[{"role":"user","parts":[' + _PICTURE + "}]}]}",
    refused='{"contents":[{"role":"user","parts":['
    + _PICTURE
    + ',"mediaResolution":{"level":"MEDIA_RESOLUTION_HIGH"}}]}]}',
)
def a_part_has_a_resolution(body: Json) -> Paths:
    for path, part in _parts(body):
        if "mediaResolution" in part:
            yield f"{path}.mediaResolution"


@refuses(
    "gemini",
    "Function call is missing a thought_signature in functionCall parts.",
    "ai.google.dev/gemini-api/docs/thought-signatures, 2026-11; continuedev/continue#8785",
    sent="the placeholder of calls without a signature",
    models=GEMINI_FROM_3,
    seen="gemini-3-pro-preview",
    taken=_RESULT.replace("}}]},", '},"thoughtSignature":"c2ln"}]},', 1) % ("", ""),
    refused=_RESULT % ("", ""),
)
def a_call_of_the_last_turn_has_no_signature(body: Json) -> Paths:
    for i in range(len(body["contents"]) - 1, -1, -1):
        content = body["contents"][i]
        calls = [part for part in content.get("parts", ()) if "functionCall" in part]
        if content.get("role") == "model" and calls and "thoughtSignature" not in calls[0]:
            yield f"contents.{i}"
        results = [part for part in content.get("parts", ()) if "functionResponse" in part]
        if content.get("role", "user") == "user" and not results:
            return


# -- hosts ---------------------------------------------------------------------------------------


@refuses(
    "gemini",
    "Invalid value at 'service_tier'",
    "googleapis/python-genai#2847, 2026-08; anomalyco/opencode#48886, 2026-09",
    sent="the tier in a header, which `route` has",
    hosts="vertex",
    seen="gemini-3.5-flash",
    taken="{" + _HI + "}",
    refused="{" + _HI + ',"serviceTier":"flex"}',
)
def a_tier_is_in_the_body(body: Json) -> Paths:
    if body.get("serviceTier", "SERVICE_TIER").islower():
        yield "serviceTier"


@refuses(
    "gemini",
    "excludeDomains parameter is only supported in Gemini Enterprise Agent Platform mode",
    _SDK,
    sent="the search without them, if the body is not Gemini's own",
    hosts="gemini",
    seen="gemini-3.5-flash",
    taken="{" + _HI + ',"tools":[{"googleSearch":{}}]}',
    refused="{" + _HI + ',"tools":[{"googleSearch":{"excludeDomains":["a.example"]}}]}',
)
def a_search_excludes_domains(body: Json) -> Paths:
    for i, tool in enumerate(body.get("tools", ())):
        for key in ("excludeDomains", "blockingConfidence"):
            if key in tool.get("googleSearch", ()):
                yield f"tools.{i}.googleSearch.{key}"


@refuses(
    "gemini",
    "This parameter is only supported in Gemini Enterprise Agent Platform mode",
    _SDK,
    sent="Google's search, if the body is not Gemini's own",
    hosts="gemini",
    seen="gemini-3.5-flash",
    taken="{" + _HI + ',"tools":[{"googleSearch":{}}]}',
    refused="{" + _HI + ',"tools":[{"enterpriseWebSearch":{}}]}',
)
def a_tool_is_vertexs_alone(body: Json) -> Paths:
    for i, tool in enumerate(body.get("tools", ())):
        for key in ("enterpriseWebSearch", "retrieval", "parallelAiSearch", "exaAiSearch"):
            if key in tool:
                yield f"tools.{i}.{key}"


@refuses(
    "gemini",
    "file_search parameter is only supported in Gemini Developer API mode",
    _SDK,
    sent="no such tool",
    hosts="vertex",
    seen="gemini-3.5-flash",
    taken="{" + _HI + ',"tools":[{"googleSearch":{}}]}',
    refused="{"
    + _HI
    + ',"tools":[{"fileSearch":{"fileSearchStoreNames":["fileSearchStores/a"]}}]}',
)
def files_are_searched(body: Json) -> Paths:
    for i, tool in enumerate(body.get("tools", ())):
        if "fileSearch" in tool:
            yield f"tools.{i}.fileSearch"
