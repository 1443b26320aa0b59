"""What Chat Completions cannot carry: each row of the table of losses has a case that provokes it.

With `losses=None` the case is a `LossError` with the path; with a list the fallback goes out, and
the list says once what was lost and where.
"""

from typing import Any

import pytest

import wireglot as wg
from tests.field.test_models import ROWS as MODELS
from tests.oracles import openai_chat as oracle
from tests.providers.conversation import (
    answer,
    assistant,
    batch,
    call,
    extras,
    request,
    result,
    system,
    text,
    user,
)
from tests.providers.test_common_losses import FOR_ALL, reason, told
from wireglot.providers.losses import losses_of

chat = wg.providers.openai_chat
TABLE = losses_of("openai_chat")
STEP = "pass a list as `losses`, and read it"
PNG = wg.Media.from_bytes(b"\x89PNG\r\n\x1a\n")
HI = '{"role":"user","content":"hi"}'
CALL = (
    '{"role":"assistant","content":null,"tool_calls":'
    '[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}'
)
ANSWER = '{"role":"tool","tool_call_id":"a","content":"x"}'
TOOL = wg.Tool("f")
TOOLS = '"tools":[{"type":"function","function":{"name":"f"}}]'
LEVEL = wg.ThinkingLevel
DEPRECATED = call("a", extras={"openai-chat": wg.Extra({}, {"as": "function_call"}, "llamacpp")})
DEPRECATED_CALL = (
    '{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}'
)
DEPRECATED_ANSWER = '{"role":"function","name":"f","content":"x"}'

# what, how, the dialect, the messages, the path, the messages of the wire
IN_MESSAGES: list[tuple[str, str, str, list[wg.Message], str, list[str]]] = [
    (
        "annotation",
        "on a text",
        "openai",
        [user(text("hi", annotations=[wg.AnnotationRef(url="u")]))],
        "$.messages[0].content[0]",
        [HI],
    ),
    (
        "annotation",
        "as a block",
        "openai",
        [user("hi", wg.AnnotationBlock())],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "image place",
        "an image",
        "openai",
        [user("hi"), assistant("x", wg.ImageBlock(data=PNG))],
        "$.messages[1].content[1]",
        [HI, '{"role":"assistant","content":"x"}'],
    ),
    (
        "audio",
        "an answer that was spoken elsewhere",
        "groq",
        [user("hi"), assistant("x", wg.AudioBlock(file_id="a"))],
        "$.messages[1].content[1]",
        [HI, '{"role":"assistant","content":"x"}'],
    ),
    *(
        (
            "user part",
            f"a part of users alone, {kind}",
            "openai",
            [user("hi"), assistant("x", wg.OpaqueBlock(chat.API, {"type": kind}))],
            "$.messages[1].content[1]",
            [HI, '{"role":"assistant","content":"x"}'],
        )
        for kind in ("file", "image_url", "input_audio", "video_url")
    ),
    (
        "audio",
        "of another format",
        "openai",
        [user(wg.AudioBlock(data=wg.Media.from_bytes(b"fLaC"), transcript="hi"))],
        "$.messages[0].content[0]",
        [HI],
    ),
    (
        "audio",
        "where none is taken",
        "xai",
        [user("hi", wg.AudioBlock(data=wg.Media.from_bytes(b"RIFF....WAVE")))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "cache mark",
        "on a call",
        "openai",
        [assistant(call("a", cache=wg.CacheMark())), answer("a", "x")],
        "$.messages[0].content[0]",
        [CALL, ANSWER],
    ),
    (
        "cache mark",
        "where there are none",
        "groq",
        [user(text("hi", cache=wg.CacheMark()))],
        "$.messages[0].content[0]",
        [HI],
    ),
    (
        "cache mark",
        "a fifth",
        "openrouter",
        [user(*[text("x", cache=wg.CacheMark()) for _ in range(5)])],
        "$.messages[0].content[4]",
        [
            '{"role":"user","content":['
            + '{"type":"text","text":"x","cache_control":{"type":"ephemeral"}},' * 4
            + '{"type":"text","text":"x"}]}'
        ],
    ),
    (
        "cache mark",
        "on a result without content",
        "openai",
        [assistant(call("a")), batch(result("a", cache=wg.CacheMark()))],
        "$.messages[1].content[0]",
        [CALL, ANSWER.replace('"x"', '""')],
    ),
    (
        "citations",
        "asked of a document",
        "openai",
        [user("hi", wg.DocumentBlock(file_id="f", citations=True))],
        "$.messages[0].content[1]",
        [
            '{"role":"user","content":[{"type":"text","text":"hi"},'
            '{"type":"file","file":{"file_id":"f"}}]}'
        ],
    ),
    (
        "custom call",
        "in another dialect",
        "vllm",
        [assistant(call("a", "1+1", tool_type="custom")), answer("a", "x")],
        "$.messages[0].content[0]",
        [CALL.replace('"{}"', '"{\\"input\\":\\"1+1\\"}"'), ANSWER],
    ),
    (
        "data",
        "of no kind",
        "openai",
        [user("hi", wg.DataBlock(file_id="f"))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "document",
        "by URL",
        "openai",
        [user("hi", wg.DocumentBlock(url="https://x.org/a.pdf"))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "document",
        "where none is taken",
        "deepseek",
        [user("hi", wg.DocumentBlock(file_id="f"))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "file id",
        "of another provider",
        "openai",
        [user("hi", wg.DocumentBlock(file_id="f", extras=extras("mistral-chat")))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "document context",
        "beside a file",
        "openai",
        [user("hi", wg.DocumentBlock(file_id="f", context="c"))],
        "$.messages[0].content[1]",
        [
            '{"role":"user","content":[{"type":"text","text":"hi"},'
            '{"type":"file","file":{"file_id":"f"}}]}'
        ],
    ),
    (
        "document text",
        "as its own source",
        "openai",
        [user(wg.DocumentBlock.from_text("hi"))],
        "$.messages[0].content[0]",
        [HI],
    ),
    (
        "document text",
        "inline",
        "openai",
        [user(wg.DocumentBlock(data=wg.Media.from_bytes(b"hi"), mime_type="text/markdown"))],
        "$.messages[0].content[0]",
        [HI],
    ),
    (
        "error",
        "as a block",
        "openai",
        [user(wg.ErrorBlock("hi"))],
        "$.messages[0].content[0]",
        [HI],
    ),
    (
        "error",
        "as a block of a result",
        "openai",
        [assistant(call("a")), answer("a", wg.ErrorBlock("x"))],
        "$.messages[1].content[0]",
        [CALL, ANSWER],
    ),
    (
        "error flag",
        "of a result",
        "openai",
        [assistant(call("a")), answer("a", "x", is_error=True)],
        "$.messages[1]",
        [CALL, ANSWER],
    ),
    (
        "extras",
        "of another API",
        "openai",
        [user(text("hi", extras=extras("gemini", k=1)))],
        "$.messages[0].content[0]",
        [HI],
    ),
    (
        "extras",
        "of a message that leaves none",
        "openai",
        [
            assistant(call("a")),
            wg.ToolMessage([result("a", "x")], extras=extras(chat.API, k=1)),
        ],
        "$.messages[1]",
        [CALL, ANSWER],
    ),
    (
        "image",
        "of another format",
        "openai",
        [user("hi", wg.ImageBlock(data=wg.Media.from_bytes(b"II*\0")))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "image file",
        "by file id",
        "openai",
        [user("hi", wg.ImageBlock(file_id="f"))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "image",
        "where none is taken",
        "deepseek",
        [user("hi", wg.ImageBlock(data=PNG))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "name",
        "of a participant",
        "openai",
        [user("hi", name="a b")],
        "$.messages[0]",
        ['{"role":"user","content":"hi","name":"a_b_c8687a08"}'],
    ),
    (
        "opaque block",
        "of another API",
        "openai",
        [user("hi", wg.OpaqueBlock("gemini", {}))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "redacted thinking",
        "of another API",
        "deepseek",
        [user("hi"), assistant(wg.ThinkingBlock("", "blob", redacted=True), "x")],
        "$.messages[1].content[0]",
        [HI, '{"role":"assistant","content":"x"}'],
    ),
    (
        "system content",
        "an image",
        "openai",
        [system("x", wg.ImageBlock(data=PNG)), user("hi")],
        "$.messages[0].content[1]",
        ['{"role":"system","content":"x"}', HI],
    ),
    (
        "thinking",
        "of an answer",
        "openai",
        [user("hi"), assistant(wg.ThinkingBlock("so"), "x")],
        "$.messages[1].content[0]",
        [HI, '{"role":"assistant","content":"x"}'],
    ),
    (
        "thinking",
        "of a user",
        "deepseek",
        [user("hi", wg.ThinkingBlock("so"))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "tool call",
        "of a user",
        "openai",
        [user("hi", call("a"))],
        "$.messages[0].content[1]",
        [HI],
    ),
    (
        "tool name",
        "with a dot",
        "openai",
        [assistant(call("a", name="f.g")), answer("a", "x")],
        "$.messages[0].content[0]",
        [CALL.replace('"f"', '"f_g_d2bb54fa"'), ANSWER],
    ),
    (
        "tool result",
        "of an answer",
        "openai",
        [user("hi"), assistant("x", result("a"))],
        "$.messages[1].content[1]",
        [HI, '{"role":"assistant","content":"x"}'],
    ),
    (
        "tool result content",
        "thinking",
        "openai",
        [assistant(call("a")), answer("a", "x", wg.ThinkingBlock("so"))],
        "$.messages[1].content[1]",
        [CALL, ANSWER],
    ),
    (
        "tool result content",
        "a part of this API, in the result of a deprecated call",
        "llamacpp",
        [assistant(DEPRECATED), answer("a", "x", wg.OpaqueBlock("openai-chat", {"type": "k"}))],
        "$.messages[1].content[1]",
        [DEPRECATED_CALL, DEPRECATED_ANSWER],
    ),
    (
        "extras",
        "in the result of a deprecated call",
        "llamacpp",
        [assistant(DEPRECATED), answer("a", text("x", extras=extras("openai-chat", k=1)))],
        "$.messages[1].content[0]",
        [DEPRECATED_CALL, DEPRECATED_ANSWER],
    ),
    (
        "video",
        "where none is taken",
        "openai",
        [user(wg.VideoBlock(url="https://x.org/a.mp4", transcript="hi"))],
        "$.messages[0].content[0]",
        [HI],
    ),
]

# what, how, the dialect, the fields of the request, the path, the keys before the messages
IN_FIELDS: list[tuple[str, str, str, dict[str, Any], str, str]] = [
    ("cache", "turned off", "openai", {"cache": wg.CacheConfig(False)}, "$.cache", ""),
    ("cache ttl", "of it all", "openai", {"cache": wg.CacheConfig(ttl="1h")}, "$.cache", ""),
    ("candidates", "", "deepseek", {"candidates": 2}, "$", ""),
    ("frequency_penalty", "", "zai", {"frequency_penalty": 0.5}, "$", ""),
    (
        "frequency_penalty",
        "out of range",
        "openai",
        {"frequency_penalty": 3.0},
        "$",
        '"frequency_penalty":2.0,',
    ),
    (
        "json schema",
        "",
        "deepseek",
        {"response_format": wg.ResponseFormat("json_schema", {"type": "object"})},
        "$.responseFormat",
        '"response_format":{"type":"json_object"},',
    ),
    ("logprobs", "", "zai", {"logprobs": True}, "$", ""),
    ("metadata", "without store", "openai", {"metadata": {"a": "b"}}, "$", ""),
    ("metadata", "of a number", "openrouter", {"metadata": {"a": 1}}, "$", ""),
    ("metadata", "where there are none", "vllm", {"metadata": {"a": "b"}}, "$", ""),
    (
        "name",
        "of a response format",
        "openai",
        {"response_format": wg.ResponseFormat("json_schema", name="a b")},
        "$.responseFormat",
        '"response_format":{"type":"json_schema","json_schema":{"name":"a_b_c8687a08"}},',
    ),
    (
        "opaque tool",
        "of another API",
        "openai",
        {"tools": [wg.OpaqueBlock("gemini", {}), TOOL]},
        "$.tools[0]",
        '"tools":[{"type":"function","function":{"name":"f"}}],',
    ),
    (
        "parallel_tool_calls",
        "",
        "ollama",
        {"tools": [TOOL], "parallel_tool_calls": False},
        "$",
        f"{TOOLS},",
    ),
    ("presence_penalty", "", "zai", {"presence_penalty": 0.5}, "$", ""),
    ("seed", "", "deepseek", {"seed": 1}, "$", ""),
    ("service_tier", "of another service", "openai", {"service_tier": "on_demand"}, "$", ""),
    ("stop", "a fifth", "openai", {"stop": list("abcde")}, "$", '"stop":["a","b","c","d"],'),
    ("temperature", "out of range", "openai", {"temperature": 2.5}, "$", '"temperature":2.0,'),
    (
        "thinking budget",
        "",
        "openai",
        {"thinking": wg.Thinking(budget_tokens=4096)},
        "$.thinking",
        '"reasoning_effort":"medium",',
    ),
    (
        "thinking forced",
        "",
        "deepseek",
        {
            "tools": [TOOL],
            "tool_choice": wg.ToolChoice("required"),
            "thinking": wg.Thinking(LEVEL.LOW),
        },
        "$.thinking",
        f'"thinking":{{"type":"disabled"}},"tool_choice":"required",{TOOLS},',
    ),
    (
        "thinking forced",
        "by a tool's name",
        "deepseek",
        {"tools": [TOOL], "tool_choice": wg.ToolChoice("tool", "f"), "thinking": wg.Thinking()},
        "$.thinking",
        '"thinking":{"type":"disabled"},'
        f'"tool_choice":{{"type":"function","function":{{"name":"f"}}}},{TOOLS},',
    ),
    (
        "thinking level",
        "that is not there",
        "groq",
        {"thinking": wg.Thinking(LEVEL.MAX)},
        "$.thinking",
        '"reasoning_effort":"high",',
    ),
    (
        "thinking level",
        "beside a budget",
        "openrouter",
        {"thinking": wg.Thinking(LEVEL.LOW, 9)},
        "$.thinking",
        '"reasoning":{"max_tokens":9},',
    ),
    (
        "thinking level",
        "where there are none",
        "qwen",
        {"thinking": wg.Thinking(LEVEL.LOW)},
        "$.thinking",
        '"enable_thinking":true,',
    ),
    (
        "thinking shown",
        "at OpenAI",
        "openai",
        {"thinking": wg.Thinking(visible=True)},
        "$.thinking",
        "",
    ),
    (
        "thinking shown",
        "not at DeepSeek",
        "deepseek",
        {"thinking": wg.Thinking(visible=False)},
        "$.thinking",
        '"thinking":{"type":"enabled"},',
    ),
    (
        "tool choice",
        "of one of two tools",
        "llamacpp",
        {"tools": [TOOL, wg.Tool("g")], "tool_choice": wg.ToolChoice("tool", "f")},
        "$.toolChoice",
        '"tool_choice":"required",'
        + TOOLS.replace("]", ',{"type":"function","function":{"name":"g"}}],'),
    ),
    (
        "tool choice",
        "that nobody can force",
        "ollama",
        {"tools": [TOOL], "tool_choice": wg.ToolChoice("required")},
        "$.toolChoice",
        f"{TOOLS},",
    ),
    (
        "tool choice allowed",
        "",
        "groq",
        {"tools": [TOOL], "tool_choice": wg.ToolChoice("auto", allowed=["f"])},
        "$.toolChoice",
        f'"tool_choice":"auto",{TOOLS},',
    ),
    (
        "tool choice unused",
        "",
        "openai",
        {"tool_choice": wg.ToolChoice("required")},
        "$.toolChoice",
        "",
    ),
    (
        "tool choice unused",
        "of a tool",
        "openai",
        {"tool_choice": wg.ToolChoice("tool", "f")},
        "$.toolChoice",
        "",
    ),
    (
        "tool name",
        "of a tool",
        "openai",
        {"tools": [wg.Tool("f.g")]},
        "$.tools[0]",
        TOOLS.replace('"f"', '"f_g_d2bb54fa"') + ",",
    ),
    ("top_k", "", "openai", {"top_k": 5}, "$", ""),
    ("top_logprobs", "", "groq", {"top_logprobs": 1}, "$", ""),
    (
        "top_logprobs",
        "out of range",
        "openai",
        {"top_logprobs": 21},
        "$",
        '"logprobs":true,"top_logprobs":20,',
    ),
    ("top_p", "out of range", "openai", {"top_p": 1.5}, "$", '"top_p":1.0,'),
    (
        "user id",
        "of 129 characters",
        "openai",
        {"user_id": "u" * 129},
        "$",
        f'"safety_identifier":"{"u" * 119}_4d9221bd",',
    ),
]

CASES = {
    **{
        f"{what}, {how}": (
            what,
            dialect,
            path,
            request(*messages, max_tokens=None),
            f'{{"model":"m","messages":[{",".join(expected)}]}}'.encode(),
        )
        for what, how, dialect, messages, path, expected in IN_MESSAGES
    },
    **{
        f"{what}, {how} ({dialect})": (
            what,
            dialect,
            path,
            request(user("hi"), **{"max_tokens": None, **fields}),
            f'{{"model":"m",{head}"messages":[{HI}]}}'.encode(),
        )
        for what, how, dialect, fields, path, head in IN_FIELDS
    },
}
every_case = pytest.mark.parametrize(
    ("what", "dialect", "path", "asked", "expected"), CASES.values(), ids=CASES
)


SEVERE = {
    "audio, an answer that was spoken elsewhere",
    "audio, where none is taken",
    "system content, an image",
}
"""Cases of rows that are not always severe, but are so here."""


@pytest.mark.parametrize(
    ("case", "what", "dialect", "path", "asked", "expected"),
    [(case, *row) for case, row in CASES.items()],
    ids=CASES,
)
def test_a_loss(
    case: str, what: str, dialect: str, path: str, asked: wg.Request, expected: bytes
) -> None:
    losses: list[wg.Loss] = []
    body = chat.encode_request(asked, losses=losses, dialect=dialect)
    assert body == expected
    assert losses == [told(what, path, TABLE, severe=case in SEVERE or None)]
    oracle.check_request(body, dialect)


@every_case
def test_a_loss_that_nobody_allowed(
    what: str, dialect: str, path: str, asked: wg.Request, expected: bytes
) -> None:
    with pytest.raises(wg.LossError) as caught:
        chat.encode_request(asked, dialect=dialect)
    assert str(caught.value) == f"openai_chat: {what}: {reason(what, TABLE)}; {STEP} - at `{path}`"
    assert caught.value.path == path


def test_every_case_has_its_own_name() -> None:
    assert len(CASES) == len(IN_MESSAGES) + len(IN_FIELDS)


def test_every_row_of_the_table_has_a_case() -> None:
    in_answers = {"signature", "stop reason", "stop sequence"}  # see test_response.py
    in_requests = {what for what, *_ in CASES.values()}
    in_requests |= MODELS["openai_chat"]  # tests/field/test_models.py
    in_requests |= {"annotation detail", "web search"}  # tests/field/test_search.py
    in_requests.add("parameter")  # tests/refusals/test_grid_of_chat.py
    assert in_requests == set(TABLE) - FOR_ALL - in_answers
