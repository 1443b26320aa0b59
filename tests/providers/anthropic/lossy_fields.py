"""Parameters and prompts that Anthropic's wire cannot carry, and what goes out instead."""

from typing import Any

import wireglot as wg
from tests.providers.conversation import API, OTHER, extras, system, text

TOOL = wg.Tool("f")
F = '{"name":"f","input_schema":{"type":"object","properties":{}}}'
F_MARKED = F[:-1] + ',"cache_control":{"type":"ephemeral"}}'
OPEN = '{"type":"object","additionalProperties":true}'
BUDGET = '"thinking":{"type":"enabled","budget_tokens":1024}'
S = '[{"type":"text","text":"s"}]'

# What is lost, how, the fields of a request that says "hi", the path, and the head of the body.
IN_FIELDS: list[tuple[str, str, dict[str, Any], str, str]] = [
    *(
        (what, f"of {value}", {what: value}, "$", '"max_tokens":8')
        for what, value in (
            ("candidates", 2),
            ("frequency_penalty", -0.5),
            ("logprobs", True),
            ("metadata", {"a": 1}),
            ("presence_penalty", 0.5),
            ("seed", 7),
            ("seed", 0),
            ("seed", 1),
            ("service_tier", "flex"),
            ("top_logprobs", 5),
        )
    ),
    (
        "cache mark",
        "the fourth, beside the automatic one",
        {
            "tools": [wg.Tool(name, cache=wg.CacheMark()) for name in "fghi"],
            "cache": wg.CacheConfig(
                strategy=wg.model.ManualCache(
                    wg.model.CacheSections(
                        cache_system=False, cache_tools=False, cache_messages=True
                    )
                )
            ),
        },
        "$.tools[3]",
        '"max_tokens":8,"cache_control":{"type":"ephemeral"},"tools":['
        f"{F_MARKED},{F_MARKED.replace('f', 'g', 1)},{F_MARKED.replace('f', 'h', 1)},"
        f"{F.replace('f', 'i', 1)}]",
    ),
    ("extras", "of the request", {"extras": extras(OTHER, k=1)}, "$", '"max_tokens":8'),
    (
        "extras",
        "of a tool",
        {"tools": [wg.Tool("f", extras=extras(OTHER, k=1))]},
        "$.tools[0]",
        f'"max_tokens":8,"tools":[{F}]',
    ),
    (
        "json schema",
        "that is open",
        {"response_format": wg.ResponseFormat("json_schema", wg.RawJson(OPEN))},
        "$.responseFormat",
        '"max_tokens":8,"output_config":{"format":{"type":"json_schema","schema":'
        '{"type":"object","additionalProperties":false}}}',
    ),
    *(
        ("json mode", name, {"response_format": form}, "$.responseFormat", '"max_tokens":8')
        for name, form in (
            ("asked for", wg.ResponseFormat("json")),
            ("for want of a schema", wg.ResponseFormat("json_schema")),
        )
    ),
    (
        "max_tokens",
        "below the budget, which is lowered",
        {"max_tokens": 1025, "thinking": wg.Thinking(budget_tokens=1025)},
        "$.thinking",
        f'"max_tokens":1025,{BUDGET}',
    ),
    (
        "max_tokens",
        "too low for any budget",
        {"max_tokens": 1024, "thinking": wg.Thinking(budget_tokens=1024)},
        "$.thinking",
        '"max_tokens":1024,"thinking":{"type":"disabled"}',
    ),
    (
        "opaque tool",
        "of another API",
        {"tools": [wg.OpaqueBlock(OTHER, {"type": "x"}), TOOL]},
        "$.tools[0]",
        f'"max_tokens":8,"tools":[{F}]',
    ),
    (
        "opaque tool",
        "of another API, before which the mark goes",
        {
            "tools": [TOOL, wg.OpaqueBlock(OTHER, {"type": "x"})],
            "cache": wg.CacheConfig(
                strategy=wg.model.ManualCache(
                    wg.model.CacheSections(
                        cache_system=False, cache_tools=True, cache_messages=False
                    )
                )
            ),
        },
        "$.tools[1]",
        f'"max_tokens":8,"tools":[{F_MARKED}]',
    ),
    *(
        ("temperature", name, fields, "$", f'"max_tokens":8,"temperature":{expected}')
        for name, fields, expected in (
            ("above its range", {"temperature": 1.5}, "1.0"),
            ("below its range", {"temperature": -0.5}, "0.0"),
            (
                "while thinking",
                {"temperature": 0.5, "thinking": wg.Thinking()},
                '1.0,"thinking":{"type":"adaptive"}',
            ),
        )
    ),
    (
        "stop",
        "of white space alone",
        {"stop": ["\n", "x", "", " \t"]},
        "$",
        '"max_tokens":8,"stop_sequences":["x"]',
    ),
    ("stop", "of white space, and nothing else", {"stop": ["\n"]}, "$", '"max_tokens":8'),
    (
        "top_k",
        "while thinking",
        {"top_k": 40, "thinking": wg.Thinking()},
        "$",
        '"max_tokens":8,"thinking":{"type":"adaptive"}',
    ),
    (
        "top_k",
        "with a budget",
        {"max_tokens": None, "top_k": 0, "thinking": wg.Thinking(budget_tokens=1024)},
        "$",
        f'"max_tokens":9216,{BUDGET}',
    ),
    (
        "top_p",
        "while thinking",
        {"top_p": 0.9, "thinking": wg.Thinking()},
        "$",
        '"max_tokens":8,"top_p":0.95,"thinking":{"type":"adaptive"}',
    ),
    *(
        (
            "thinking level",
            level,
            {"thinking": wg.Thinking(level)},
            "$.thinking",
            '"max_tokens":8,"thinking":{"type":"adaptive"},"output_config":{"effort":"' + effort,
        )
        for level, effort in (
            (wg.ThinkingLevel.MINIMAL, 'low"}'),
            (wg.ThinkingLevel.ULTRA, 'max"}'),
        )
    ),
    *(
        (
            "tool choice",
            choice.mode,
            {
                "max_tokens": 2048,
                "tools": [TOOL],
                "tool_choice": choice,
                "thinking": wg.Thinking(budget_tokens=1024),
            },
            "$.thinking",
            f'"max_tokens":2048,"thinking":{{"type":"disabled"}},"tools":[{F}],"tool_choice":{sent}',
        )
        for choice, sent in (
            (wg.ToolChoice("required"), '{"type":"any"}'),
            (wg.ToolChoice("tool", "f"), '{"type":"tool","name":"f"}'),
        )
    ),
    (
        "tool choice unused",
        "without tools",
        {"tool_choice": wg.ToolChoice("required")},
        "$.toolChoice",
        '"max_tokens":8',
    ),
    (
        "tool choice allowed",
        "of auto",
        {"tools": [TOOL], "tool_choice": wg.ToolChoice(allowed=["f"])},
        "$.toolChoice",
        f'"max_tokens":8,"tools":[{F}],"tool_choice":{{"type":"auto"}}',
    ),
    (
        "tool name",
        "of a tool, chosen by it",
        {"tools": [wg.Tool("a/b")], "tool_choice": wg.ToolChoice("tool", "a/b")},
        "$.tools[0]",
        '"max_tokens":8,"tools":[{"name":"a_b_c14cddc0",'
        '"input_schema":{"type":"object","properties":{}}}],'
        '"tool_choice":{"type":"tool","name":"a_b_c14cddc0"}',
    ),
    (
        "tool name",
        "of 129 characters",
        {"tools": [wg.Tool("f" * 129)]},
        "$.tools[0]",
        '"max_tokens":8,"tools":[{"name":"' + "f" * 119 + '_87e4fc41",'
        '"input_schema":{"type":"object","properties":{}}}]',
    ),
]

# What is lost, how, the system messages before the user's, the path, and the system prompt.
IN_PROMPT: list[tuple[str, str, list[wg.SystemMessage], str, str]] = [
    (
        "system content",
        "an image",
        [system("s", wg.ImageBlock(file_id="i"))],
        "$.messages[0].content[1]",
        S,
    ),
    (
        "system content",
        "a block that this API alone knows, and takes in a turn",
        [system("s", wg.OpaqueBlock(API, {"type": "x", "text": "y"}))],
        "$.messages[0].content[1]",
        S,
    ),
    ("name", "of a system message", [system("s", name="n")], "$.messages[0]", S),
    ("extras", "of a system message", [system("s", extras=extras(OTHER, k=1))], "$.messages[0]", S),
    (
        "extras",
        "of a text of the system prompt",
        [system(text("s", extras=extras(OTHER, k=1)))],
        "$.messages[0].content[0]",
        S,
    ),
    (
        "annotation",
        "on a text of the system prompt",
        [system(text("s", annotations=[wg.AnnotationRef(url="u")]))],
        "$.messages[0].content[0]",
        S,
    ),
]
