"""A seed -> requests of conversations that grow and branch, on every wire; and what they become.

`python -m tests.growing REQUESTS` translates so many with `RequestTranslator`, whose cache is
either large or too small, and with `translate_request`. It prints counts, and exits with 1 on a
difference. `--recorded` replays the sessions of agents that are among the recorded exchanges.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

import wireglot as wg
from wireglot.capabilities import ANY, Capabilities
from wireglot.translate.conversation import _LEAST

__all__ = ["LARGE", "SMALL", "Asked", "Both", "Outcome", "body_of", "outcome", "requests"]

PATHS: Final = {"gemini": "/v1beta/models/m:generateContent", "bedrock": "/model/m/converse"}
PAIRS: Final = [(source, target) for source in wg.PROVIDERS for target in wg.PROVIDERS]
_OTHER_PATHS: Final = {
    "gemini": (None, "/v1beta/models/gemini-2.5-pro:streamGenerateContent"),
    "bedrock": (None, "/model/us.anthropic.claude-opus-5/converse-stream"),
    "anthropic": (None, "/model/anthropic.claude-3-haiku-20240307-v1:0/invoke"),
    "openai_chat": (None, "/openai/deployments/gpt-4.1/chat/completions"),
}
"""Paths that name another model, or ask for a stream."""
_PNG: Final = "iVBORw0KGgo="


# -- a conversation, for no wire -------------------------------------------------------------------


class Call(NamedTuple):
    """A call of a tool. An id of None is a key that is missing."""

    id: str | None
    name: str
    arguments: dict[str, Any]


class Item(NamedTuple):
    """What one side says; `odd` chooses what is unusual about it."""

    kind: str
    """`user`, `system`, `answer`, `result` or `other`, which is of an unknown type."""
    text: str = ""
    calls: tuple[Call, ...] = ()
    """The calls of an answer, or the one of a result."""
    thought: str = ""
    has_image: bool = False
    is_error: bool = False
    odd: str = ""
    """`message`: it has an unknown key; `block`: its last block has; `opaque`: an unknown block."""


_WORDS: Final = (
    *("word ", "é ", '"q" ', "\\n", "}", '"messages":[', "],", "😀", "\n", "\\", " "),
    *("the file ", "a test ", "fails ", "x" * 20),
)
_NAMES: Final = ("f", "g", "look_up", "a.b c", "ü", "9f", "x" * 70, "f-1")
_IDS: Final = ("", None, "c0", "call_0", "call_1", "a b", "toolu_01", "x" * 80)


def _text(chance: random.Random) -> str:
    if chance.random() < 0.03:
        return chance.choice(("", " ", "\n"))
    if chance.random() < 0.003:
        return "a lone \ud800 surrogate"
    return "".join(chance.choices(_WORDS, k=chance.randint(1, 40)))


def _calls(chance: random.Random, number: int) -> tuple[Call, ...]:
    has_ids = chance.random() < 0.95
    made = []
    for i in range(chance.choice((1, 1, 1, 2, 3))):
        call_id = f"call_{number}_{i}" if chance.random() < 0.93 else chance.choice(_IDS)
        name = chance.choice(_NAMES[:3] if chance.random() < 0.8 else _NAMES)
        arguments = {"a": chance.choice((1, -0.5, None, "x")), "text": _text(chance)}
        made.append(Call(call_id if has_ids else None, name, arguments))
    return tuple(made)


def _turn(chance: random.Random, number: int, *, thinks: bool, is_tame: bool) -> list[Item]:
    """Return what follows in a conversation: an answer, with the results of its calls."""
    thought = _text(chance) if thinks and chance.random() < 0.7 else ""
    if is_tame:
        call = Call(f"call_{number}", _NAMES[number % 3], {"text": _text(chance)})
        asked = Item("answer", _text(chance), (call,), thought)
        return [asked, Item("result", _text(chance), (call,), has_image=number % 9 == 8)]
    odd = chance.choice(("message", "block", "opaque")) if chance.random() < 0.06 else ""
    if chance.random() < 0.35:
        image = chance.random() < 0.1
        asked = Item("user", _text(chance), has_image=image, odd=odd)
        return [Item("answer", _text(chance), thought=thought), asked]
    calls = _calls(chance, number)
    said = _text(chance) if chance.random() < 0.6 else ""
    results = [
        Item(
            "result",
            _text(chance),
            (call,),
            has_image=chance.random() < 0.04,
            is_error=chance.random() < 0.1,
            odd=odd if chance.random() < 0.3 else "",
        )
        for call in calls
    ]
    if chance.random() < 0.15:
        chance.shuffle(results)
    if chance.random() < 0.03:
        results.pop()
    made = [Item("answer", said, calls, thought, odd=odd), *results]
    if chance.random() < 0.08:
        made.append(Item(chance.choice(("system", "other", "user")), _text(chance), odd=odd))
    return made


# -- a conversation in the messages of each wire ---------------------------------------------------

Json = dict[str, Any]


def _text_if(item: Item, block: Json) -> list[Json]:
    """Return the block of a text, unless an answer has calls alone."""
    return [block] if item.text or not item.calls else []


def _strange(item: Item, message: Json, blocks: list[Json], opaque: Json) -> Json:
    """Give a message the unknown keys and blocks that its item asks for."""
    if item.odd == "message":
        message["x_unknown"] = {"k": [1, None, "é"]}
    elif item.odd == "block" and blocks:
        blocks[-1]["x_unknown"] = 1.50
    elif item.odd == "opaque":
        blocks.append(opaque)
    return message


def _joined(messages: list[Json], key: str) -> list[Json]:
    """Join neighbours of one role, as clients of these wires do."""
    made: list[Json] = []
    for message in messages:
        if made and made[-1]["role"] == message["role"] and len(made[-1].keys() | message) == 2:
            made[-1][key] += message[key]
        else:
            made.append(message)
    return made


_SEARCHED: Final = [
    {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "x"}},
    {
        "type": "web_search_tool_result",
        "tool_use_id": "srv_1",
        "content": [
            {
                "type": "web_search_result",
                "url": "https://x.org",
                "title": "X",
                "encrypted_content": "e",
            }
        ],
    },
]


def _anthropic(items: list[Item], marks: int) -> list[Json]:
    made = []
    for item in items:
        text = {"type": "text", "text": item.text}
        image = {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/png", "data": _PNG},
        }
        if item.kind == "answer":
            thought = {"type": "thinking", "thinking": item.thought, "signature": "c2lnbmVk"}
            blocks = [thought] if item.thought else []
            blocks += _text_if(item, text)
            for call in item.calls:
                use = {"type": "tool_use", "name": call.name, "input": call.arguments}
                blocks.append({**use, "id": call.id or ""})
            if item.odd == "opaque":
                blocks += _SEARCHED
        elif item.kind == "result":
            result: Json = {
                "type": "tool_result",
                "tool_use_id": item.calls[0].id or "",
                "content": [text, image] if item.has_image else item.text,
            }
            blocks = [result | ({"is_error": True} if item.is_error else {})]
        else:
            blocks = [text, image] if item.has_image else [text]
        role = {"answer": "assistant", "system": "system"}.get(item.kind, "user")
        if item.kind == "other":
            blocks.append({"type": "container_upload", "file_id": "f"})
        opaque = {"type": "x_block", "k": 1}
        made.append(_strange(item, {"role": role, "content": blocks}, blocks, opaque))
    made = _joined(made, "content")
    for message in [m for m in made if m["role"] == "user"][-marks:] if marks else ():
        message["content"][-1] = message["content"][-1] | {"cache_control": {"type": "ephemeral"}}
    return made


def _bedrock(items: list[Item], marks: int) -> list[Json]:
    made = []
    for item in items:
        image = {"image": {"format": "png", "source": {"bytes": _PNG}}}
        text = {"text": item.text}
        if item.kind == "answer":
            thought = {"reasoningText": {"text": item.thought, "signature": "c2lnbmVk"}}
            blocks: list[Json] = [{"reasoningContent": thought}] if item.thought else []
            blocks += _text_if(item, text)
            for call in item.calls:
                use = {"toolUseId": call.id or "", "name": call.name, "input": call.arguments}
                blocks.append({"toolUse": use})
        elif item.kind == "result":
            content = [text, image] if item.has_image else [text]
            result: Json = {"toolUseId": item.calls[0].id or "", "content": content}
            blocks = [{"toolResult": result | ({"status": "error"} if item.is_error else {})}]
        else:
            blocks = [text, image] if item.has_image else [text]
        role = {"answer": "assistant", "system": "system"}.get(item.kind, "user")
        opaque = {"x_block": {"k": 1}}
        made.append(_strange(item, {"role": role, "content": blocks}, blocks, opaque))
    made = _joined(made, "content")
    for message in [m for m in made if m["role"] == "user"][-marks:] if marks else ():
        message["content"] = [*message["content"], {"cachePoint": {"type": "default"}}]
    return made


def _gemini(items: list[Item], marks: int) -> list[Json]:
    made = []
    for item in items:
        image = {"inlineData": {"mimeType": "image/png", "data": _PNG}}
        text: Json = {"text": item.text}
        if item.kind == "answer":
            thought = {"text": item.thought, "thought": True, "thoughtSignature": "c2lnbmVk"}
            parts = [thought] if item.thought else []
            parts += _text_if(item, text)
            for call in item.calls:
                use: Json = {"name": call.name, "args": call.arguments}
                use |= {"id": call.id} if call.id is not None else {}
                signed = {"thoughtSignature": "c2ln"} if item.thought else {}
                parts.append({"functionCall": use, **signed})
        elif item.kind == "result":
            call = item.calls[0]
            kind = "error" if item.is_error else "output"
            result: Json = {"name": call.name, "response": {kind: item.text}}
            result |= {"id": call.id} if call.id is not None else {}
            parts = [{"functionResponse": result}, *([image] if item.has_image else [])]
        else:
            parts = [text, image] if item.has_image else [text]
        role = {"answer": "model", "system": "system"}.get(item.kind, "user")
        opaque = {"executableCode": {"language": "PYTHON", "code": "1"}}
        made.append(_strange(item, {"role": role, "parts": parts}, parts, opaque))
    return _joined(made, "parts")


def _openai_responses(items: list[Item], marks: int) -> list[Json]:
    made: list[Json] = []
    for number, item in enumerate(items):
        image = {"type": "input_image", "image_url": f"data:image/png;base64,{_PNG}"}
        text = {"type": "input_text", "text": item.text}
        before = len(made)
        if item.kind == "answer":
            if item.thought:
                summary = [{"type": "summary_text", "text": item.thought}]
                thought: Json = {"type": "reasoning", "id": f"rs_{number}", "summary": summary}
                made.append(thought | {"encrypted_content": "ZW5j"})
            if item.text or not item.calls:
                content: Any = [{"type": "output_text", "text": item.text}]
                is_plain = len(item.text) % 2
                said = {"role": "assistant", "content": item.text if is_plain else content}
                made.append(said if is_plain else {"type": "message", **said})
            if item.odd == "opaque":
                search = {"type": "search", "query": "x"}
                call: Json = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
                made.append(call | {"action": search})
            for each in item.calls:
                call = {"type": "function_call", "name": each.name}
                call |= {"call_id": each.id or "", "arguments": json.dumps(each.arguments)}
                made.append(call)
        elif item.kind == "result":
            call = {"type": "function_call_output", "call_id": item.calls[0].id or ""}
            made.append(call | {"output": [text, image] if item.has_image else item.text})
        elif item.kind == "other":
            made.append({"type": "x_item", "k": item.text})
        else:
            content = [text, image] if item.has_image else item.text
            role = "developer" if item.kind == "system" else "user"
            made.append({"role": role, "content": content})
        if item.odd in ("message", "block") and len(made) > before:
            made[-1]["x_unknown"] = {"k": 1}
    return made


def _chat(wire: str, items: list[Item], marks: int) -> list[Json]:
    """Return the messages of the wires that are like Chat Completions."""
    made = []
    for item in items:
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{_PNG}"}}
        text: Json = {"type": "text", "text": item.text}
        has_list = item.has_image or item.odd in ("block", "opaque")
        blocks: list[Json] = [text, image] if item.has_image else [text]
        message: Json = {"role": {"answer": "assistant", "result": "tool"}.get(item.kind, "user")}
        opaque = {"type": "x_block", "k": 1}
        if item.kind == "system":
            message["role"] = "system"
        elif item.kind == "other":
            message["role"] = "function" if wire == "openai_chat" else "x_role"
            message["name"] = "f"
        if wire == "ollama":
            message["content"] = item.text
            if item.has_image:
                message["images"] = [_PNG]
            if item.thought:
                message["thinking"] = item.thought
        elif item.kind == "answer" and item.thought and wire in ("mistral", "cohere"):
            thought: Any = item.thought if wire == "cohere" else [{**text, "text": item.thought}]
            blocks = [{"type": "thinking", "thinking": thought}, *_text_if(item, text)]
            message["content"] = blocks
        elif item.kind == "answer" and item.calls and not item.text:
            message["content"] = None
        else:
            message["content"] = blocks if has_list else item.text
        if item.thought and wire == "openai_chat":
            message["reasoning_content"] = item.thought
        calls = []
        for call in item.calls if item.kind == "answer" else ():
            arguments = call.arguments if wire == "ollama" else json.dumps(call.arguments)
            made_call: Json = {"function": {"name": call.name, "arguments": arguments}}
            if wire != "ollama":
                made_call = {"id": call.id or "", "type": "function", **made_call}
            elif call.id is not None and len(call.name) == 1:
                made_call["id"] = call.id
            calls.append(made_call)
        if calls:
            message["tool_calls"] = calls
        if item.kind == "result":
            (call,) = item.calls
            if wire == "ollama":
                message["tool_name"] = call.name
            elif call.id is not None or wire == "openai_chat":
                message["tool_call_id"] = call.id or ""
        made.append(_strange(item, message, blocks if has_list else [], opaque))
    if marks and wire == "openai_chat":
        for message in [m for m in made if m["role"] == "user"][-marks:]:
            said = message["content"]
            blocks = [{"type": "text", "text": said}] if type(said) is str else said
            blocks[-1] = blocks[-1] | {"cache_control": {"type": "ephemeral"}}
            message["content"] = blocks
    return made


# -- what stands around the messages ---------------------------------------------------------------


def _chat_tools(names: list[str]) -> Json:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    return {
        "tools": [
            {"type": "function", "function": {"name": n, "description": "d", "parameters": schema}}
            for n in names
        ]
    }


def _anthropic_tools(names: list[str]) -> Json:
    tools: list[Json] = [{"name": n, "input_schema": {"type": "object"}} for n in names]
    if len(names) == 3:
        tools.append({"type": "web_search_20250305", "name": "web_search"})
    elif len(names) == 2:
        tools[-1]["cache_control"] = {"type": "ephemeral"}
    return {"tools": tools}


def _responses_tools(names: list[str]) -> Json:
    schema = {"type": "object"}
    tools: list[Json] = [{"type": "function", "name": n, "parameters": schema} for n in names]
    return {"tools": [*tools, {"type": "web_search"}] if len(names) == 3 else tools}


def _bedrock_tools(names: list[str]) -> Json:
    schema = {"json": {"type": "object"}}
    tools: list[Json] = [{"toolSpec": {"name": n, "inputSchema": schema}} for n in names]
    if len(names) == 2:
        tools.append({"cachePoint": {"type": "default"}})
    return {"toolConfig": {"tools": tools}}


def _gemini_tools(names: list[str]) -> Json:
    tools: list[Json] = [{"functionDeclarations": [{"name": n} for n in names]}]
    return {"tools": [*tools, {"googleSearch": {}}] if len(names) == 3 else tools}


class _Wire(NamedTuple):
    key: str
    messages: Callable[[list[Item], int], list[Json]]
    tools: Callable[[list[str]], Json]
    system: Callable[[str], Json]
    """The system prompt; without any keys it is a message."""
    parameters: tuple[Json, ...]


_SAMPLING: Final = ({"temperature": 0.5}, {"top_p": 0.9}, {"seed": 7}, {"stream": True})
_CHAT: Final = (*_SAMPLING, {"tool_choice": "auto"}, {"tool_choice": "none"}, {"max_tokens": 99})
_SCHEMA: Final = {"type": "object", "properties": {"a": {"type": "string"}}}
_WIRES: Final[dict[str, _Wire]] = {
    "anthropic": _Wire(
        "messages",
        _anthropic,
        _anthropic_tools,
        lambda text: {"system": text},
        (
            {"temperature": 0.5},
            {"top_k": 5},
            {"stop_sequences": ["END"]},
            {"thinking": {"type": "enabled", "budget_tokens": 2048}},
            {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}},
            {"tool_choice": {"type": "any", "disable_parallel_tool_use": True}},
            {"tool_choice": {"type": "tool", "name": "f"}},
            {"metadata": {"user_id": "u", "messages": [1]}},
            {"system": [{"type": "text", "text": "S", "cache_control": {"type": "ephemeral"}}]},
            {"system": [{"type": "text", "text": "S", "x_unknown": 1}, {"type": "x_block"}]},
            {"cache_control": {"type": "ephemeral"}},
            {"stream": True},
            {"container": "c", "x_top": {"k": 1}},
        ),
    ),
    "openai_chat": _Wire(
        "messages",
        lambda items, marks: _chat("openai_chat", items, marks),
        _chat_tools,
        lambda text: {},
        (
            *_CHAT,
            {"reasoning_effort": "low"},
            {"stop": ["END"], "parallel_tool_calls": False},
            {"metadata": {"messages": "[]"}, "user": "u"},
            {"response_format": {"type": "json_schema", "json_schema": {"name": "n"}}},
            {"response_format": {"type": "json_object"}, "x_top": [1]},
            {"prompt_cache_key": "k", "store": True},
        ),
    ),
    "openai_responses": _Wire(
        "input",
        _openai_responses,
        _responses_tools,
        lambda text: {"instructions": text},
        (
            {"temperature": 0.5},
            {"max_output_tokens": 99},
            {"reasoning": {"effort": "high", "summary": "auto"}, "store": False},
            {"include": ["reasoning.encrypted_content"]},
            {"previous_response_id": "resp_1"},
            {"text": {"format": {"type": "json_schema", "name": "n", "schema": _SCHEMA}}},
            {"tool_choice": "required"},
            {"x_top": {"input": [1]}},
        ),
    ),
    "gemini": _Wire(
        "contents",
        _gemini,
        _gemini_tools,
        lambda text: {"systemInstruction": {"parts": [{"text": text}]}},
        (
            {"generationConfig": {"temperature": 0.5, "maxOutputTokens": 99}},
            {"generationConfig": {"thinkingConfig": {"thinkingBudget": 1024}}},
            {"generationConfig": {"responseMimeType": "application/json"}},
            {"toolConfig": {"functionCallingConfig": {"mode": "ANY"}}},
            {"cachedContent": "cachedContents/x"},
            {"safetySettings": [], "x_top": {"contents": [1]}},
        ),
    ),
    "bedrock": _Wire(
        "messages",
        _bedrock,
        _bedrock_tools,
        lambda text: {"system": [{"text": text}]},
        (
            {"inferenceConfig": {"temperature": 0.5, "maxTokens": 99}},
            {"additionalModelRequestFields": {"thinking": {"type": "enabled"}}},
            {"additionalModelRequestFields": {"top_k": 5}},
            {"system": [{"text": "S"}, {"cachePoint": {"type": "default"}}]},
            {"requestMetadata": {"messages": "[]"}},
            {"x_top": 1},
        ),
    ),
    "mistral": _Wire(
        "messages",
        lambda items, marks: _chat("mistral", items, marks),
        _chat_tools,
        lambda text: {},
        (*_CHAT, {"random_seed": 7}, {"prompt_mode": "reasoning"}, {"x_top": 1}),
    ),
    "cohere": _Wire(
        "messages",
        lambda items, marks: _chat("cohere", items, marks),
        _chat_tools,
        lambda text: {},
        (
            {"temperature": 0.5},
            {"p": 0.9, "k": 5},
            {"thinking": {"type": "enabled"}},
            {"thinking": {"type": "disabled"}},
            {"tool_choice": "REQUIRED"},
            {"strict_tools": True},
            {"documents": ["d"], "citation_options": {"mode": "FAST"}},
            {"x_top": 1},
        ),
    ),
    "ollama": _Wire(
        "messages",
        lambda items, marks: _chat("ollama", items, marks),
        _chat_tools,
        lambda text: {},
        (
            {"options": {"temperature": 0.5, "num_predict": 9}},
            {"think": True},
            {"think": "low"},
            {"format": "json"},
            {"format": _SCHEMA},
            {"stream": False, "x_top": 1},
        ),
    ),
}
_MODELS: Final = (
    *(None, None, None, "m", "claude-3-5-haiku-20241022", "claude-sonnet-4-5", "claude-opus-5"),
    *("o1-mini", "o4-mini", "gpt-4", "gpt-5.6", "gpt-6-astra", "gemma-3-27b-it", "gemini-2.5-pro"),
    *(
        "gemini-3-pro-preview",
        "us.amazon.nova-pro-v1:0",
        "mistral-small-2603",
        "magistral-small-2507",
    ),
)
_TAKES: Final = (
    *(None, None, None, None, ANY, Capabilities(system=False), Capabilities(tools=False)),
    Capabilities(sampling="never", efforts=()),
)


class _Style(NamedTuple):
    """How a body is written."""

    indent: int | None
    is_ascii: bool
    is_last: bool
    """Whether the messages come last, or parameters behind them."""
    odd: str
    """What is strange about the key of the messages, or about the text; often nothing."""


class _Envelope(NamedTuple):
    model: str
    system: str
    tools: tuple[str, ...]
    parameters: Json


def body_of(
    wire: str, envelope: _Envelope, items: list[Item], style: _Style, marks: int = 0
) -> bytes:
    """Return the body of a request of a wire."""
    plan = _WIRES[wire]
    said = items
    prompt = plan.system(envelope.system) if envelope.system else {}
    if envelope.system and not prompt:
        said = [Item("system", envelope.system), *items]
    messages = plan.messages(said, marks)
    around: Json = {} if wire in PATHS else {"model": envelope.model}
    if wire == "anthropic":
        around["max_tokens"] = 4096
    around |= prompt
    if envelope.tools:
        around |= plan.tools(list(envelope.tools))
    parameters = envelope.parameters
    if style.is_last:
        body = {**around, **parameters, plan.key: messages}
    else:
        body = {"model": envelope.model} if "model" in around else {}
        body |= {plan.key: messages, **around, **parameters}
    text = json.dumps(body, indent=style.indent, ensure_ascii=style.is_ascii)
    return _spelled(text, plan.key, style).encode(errors="surrogatepass")


def _spelled(text: str, key: str, style: _Style) -> str:
    """Spell the key of the messages in another way."""
    if "\ud800" in text:  # bytes can hold it as an escape only
        text = text.replace("\ud800", "\\ud800")
    escaped = f'"\\u{ord(key[0]):04x}{key[1:]}"'
    if style.odd == "escaped":
        return text.replace(f'"{key}"', escaped, 1)
    if style.odd == "twice":
        return f'{text[:-1].rstrip()}, {escaped}: [{{"role": "user", "content": "x"}}]}}'
    if style.odd == "other":
        at = text.index(f'"{key}"')
        end = text.index("]", at)
        return f'{text[:-1].rstrip()}, "\x7f{key[1:]}": {text[text.index("[", at) : end]}]}}'
    return "\ufeff" + text if style.odd == "bom" else text


# -- requests --------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A request, and the parameters of a translator, and of its `translate`."""

    source: str
    target: str
    body: Any
    translator: tuple[tuple[str, Any], ...]
    path: str | None
    model: str | None
    tenant: str
    keeps_names: bool
    keeps_losses: bool


def requests(
    seed: int, pairs: list[tuple[str, str]] | None = None, most_turns: int = 14
) -> Iterator[Asked]:
    """Yield requests without end: conversations between pairs of wires, one after the other."""
    chance = random.Random(seed)
    while True:
        for source, target in chance.sample(pairs or PAIRS, len(pairs or PAIRS)):
            yield from _conversation(chance, source, target, most_turns)


def _dialect(chance: random.Random, wire: str) -> str:
    dialects = wg.PROVIDERS[wire].DIALECTS
    return chance.choice(dialects) if chance.random() < 0.25 else dialects[0]


def _parameters(chance: random.Random, wire: str) -> Json:
    made: Json = {}
    for each in chance.sample(_WIRES[wire].parameters, chance.choice((0, 0, 1, 2))):
        made |= each
    return made


def _style(chance: random.Random) -> _Style:
    odd = chance.choice(("escaped", "twice", "bom", "other")) if chance.random() < 0.03 else ""
    indent = chance.choice((0, 2)) if chance.random() < 0.1 else None
    return _Style(indent, chance.random() < 0.2, chance.random() < 0.5, odd)


def _conversation(
    chance: random.Random, source: str, target: str, most_turns: int
) -> Iterator[Asked]:
    translator = (
        ("source_dialect", _dialect(chance, source)),
        ("target_dialect", _dialect(chance, target)),
        ("repair", chance.random() < 0.5),
        ("capabilities", chance.choice(_TAKES)),
    )
    envelope = _Envelope(
        chance.choice(("m", "m", "gpt-4.1", "claude-sonnet-4-5")),
        chance.choice(("", "Be brief. " * 150)),
        tuple(chance.sample(_NAMES[:3] if chance.random() < 0.7 else _NAMES, chance.randint(0, 3))),
        _parameters(chance, source),
    )
    style = _style(chance)
    marks = chance.choice((0, 0, 1, 2))
    model = chance.choice(_MODELS)
    tenant = chance.choice(("", "", "other"))
    keeps_names, keeps_losses = chance.random() < 0.5, chance.random() < 0.8
    path = PATHS.get(source)
    thinks = chance.random() < 0.3
    is_tame = chance.random() < 0.4
    items = [Item("user", _text(chance) + "a first question " * chance.choice((1, 120, 120)))]
    for number in range(chance.randint(1, most_turns)):
        said = items if is_tame else _damaged(chance, items)
        body = body_of(source, envelope, said, style, marks)
        yield Asked(
            source,
            target,
            body if is_tame else _data(chance, body),
            translator,
            path,
            model,
            tenant,
            keeps_names,
            keeps_losses,
        )
        items = [*items, *_turn(chance, number, thinks=thinks, is_tame=is_tame)]
        if chance.random() < 0.1:  # back to an earlier place
            items = items[: chance.randint(1, len(items))]
        if chance.random() < 0.2:
            model, path, tenant, keeps_names, keeps_losses, envelope = _changed(
                chance, source, (model, path, tenant, keeps_names, keeps_losses, envelope)
            )


def _changed(chance: random.Random, source: str, state: tuple[Any, ...]) -> tuple[Any, ...]:
    """Change one thing beside the messages."""
    model, path, tenant, keeps_names, keeps_losses, envelope = state
    kind = chance.randrange(8)
    if kind == 0:
        model = chance.choice(_MODELS)
    elif kind == 1 and source in _OTHER_PATHS:
        path = chance.choice((PATHS.get(source), *_OTHER_PATHS[source]))
    elif kind == 2:
        tenant = chance.choice(("", "other"))
    elif kind == 3:
        keeps_names = not keeps_names
    elif kind == 4:
        keeps_losses = not keeps_losses
    elif kind == 5:
        names = chance.sample(_NAMES, chance.randint(0, 3))
        envelope = envelope._replace(tools=tuple(names))
    elif kind == 6:
        envelope = envelope._replace(parameters=_parameters(chance, source))
    else:
        envelope = envelope._replace(tools=envelope.tools[::-1])
    return model, path, tenant, keeps_names, keeps_losses, envelope


def _damaged(chance: random.Random, items: list[Item]) -> list[Item]:
    """Return the items, now and then with one lost, or with two that have changed places."""
    if chance.random() > 0.06 or len(items) < 3:
        return items
    made = list(items)
    at = chance.randrange(1, len(made))
    if chance.random() < 0.6:
        del made[at]
    else:
        made[at - 1], made[at] = made[at], made[at - 1]
    return made


def _data(chance: random.Random, body: bytes) -> Any:
    """Return a body as a caller may hand it over; seldom it is cut, or not JSON."""
    kind = chance.random()
    if kind < 0.94:
        return body
    if kind < 0.95:
        return body[: chance.randrange(len(body))]
    if kind < 0.96:
        return body.replace(b'"content"', b'"content":5,"content"', 1)
    if kind < 0.97:
        return bytearray(body)
    if kind < 0.98:
        return body.decode("utf-8", "replace")
    try:
        return json.loads(body)
    except ValueError:
        return body


# -- comparing -------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """The bytes or the error of a translation, its losses, and its names."""

    sent: bytes | tuple[str, str]
    losses: list[str] | None
    names: Any


def outcome(translate: Callable[..., bytes], asked: Asked, **options: Any) -> Outcome:
    """Return what becomes of a request."""
    losses: list[wg.Loss] | None = [] if asked.keeps_losses else None
    names = wg.ToolNames() if asked.keeps_names else None
    sent: bytes | tuple[str, str]
    try:
        sent = translate(
            asked.body, losses=losses, path=asked.path, model=asked.model, names=names, **options
        )
    except Exception as error:  # noqa: BLE001 - whatever it is, both have to raise the same
        sent = type(error).__name__, str(error)
    told = None if losses is None else [f"{loss}{loss.severe}" for loss in losses]
    return Outcome(sent, told, None if names is None else dict(names))


LARGE: Final = {"most_bytes": 4_000_000, "most_conversations": 50}
SMALL: Final = {"most_bytes": 30_000, "most_conversations": 3, "at_once": True}


class Both:
    """Translators by their parameters, and what they differ in from `translate_request`."""

    def __init__(self, *sizes: dict[str, Any]) -> None:
        self._sizes = sizes or (LARGE, SMALL)
        self._translators: dict[Any, list[wg.RequestTranslator]] = {}
        self.hits = self.misses = 0

    def difference(self, asked: Asked) -> tuple[Outcome, Outcome] | None:
        """Return what should become of a request, and what does, if that is not the same."""
        expected = outcome(
            wg.translate_request,
            asked,
            source=asked.source,
            target=asked.target,
            **dict(asked.translator),
        )
        for translator in self._of(asked):
            hits, misses, _, _ = translator.stats
            found = outcome(translator.translate, asked, tenant=asked.tenant)
            self.hits += translator.stats.hits - hits
            self.misses += translator.stats.misses - misses
            if found != expected:
                return expected, found
        return None

    def _of(self, asked: Asked) -> list[wg.RequestTranslator]:
        options = dict(asked.translator)
        key = (asked.source, asked.target, repr(options))
        if key not in self._translators:
            self._translators[key] = [
                wg.RequestTranslator(asked.source, asked.target, **options, **size)
                for size in self._sizes
            ]
        return self._translators[key]


def _compare(count: int, seed: int, folder: Path) -> int:
    both = Both()
    different = 0
    asked_for = requests(seed)
    for number in range(count):
        asked = next(asked_for)
        found = both.difference(asked)
        if found is None:
            continue
        different += 1
        folder.mkdir(parents=True, exist_ok=True)
        body = asked.body if isinstance(asked.body, bytes) else repr(asked.body).encode()
        (folder / f"{number}.json").write_bytes(body)
        what = "\n\n".join(map(repr, (asked._replace(body=None), *found)))
        (folder / f"{number}.txt").write_text(what, errors="backslashreplace")
    print(f"{count:,} requests, {both.hits:,} hits, {both.misses:,} misses, of two caches")
    print(f"{different:,} differences" + (f", in {folder}" if different else ""))
    return int(different > 0)


# -- recorded sessions -----------------------------------------------------------------------------


class _Recorded(NamedTuple):
    """A recorded request, with the messages that its body has."""

    sample: Any
    messages: list[Any]


def _sessions(folder: Path) -> list[list[_Recorded]]:
    """Return the recorded requests of which one goes on where another ends, the shorter first.

    They are of one wire, and the messages of one are a beginning of those of the other.
    """
    from tests.corpus.exchanges import read_corpus

    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    found: dict[tuple[Any, ...], list[_Recorded]] = {}
    for sample in read_corpus(folder, dialects).samples:
        body = json.loads(sample.data)
        messages = body.get(_WIRES[sample.provider].key)
        if isinstance(messages, list) and messages:
            key = sample.provider, sample.dialect, sample.path
            found.setdefault(key, []).append(_Recorded(sample, messages))
    sessions: list[list[_Recorded]] = []
    for group in found.values():
        begun: dict[str, list[_Recorded]] = {}  # all messages of a request -> its session
        for each in sorted(group, key=lambda each: len(each.messages)):
            texts = [json.dumps(message, sort_keys=True) for message in each.messages]
            known = (begun.get("".join(texts[:count])) for count in range(len(texts), 0, -1))
            session = next((found for found in known if found is not None), None)
            if session is None:
                session = []
                sessions.append(session)
            session.append(each)
            begun["".join(texts)] = session
    return [session for session in sessions if _turns(session) > 1]


def _turns(session: list[_Recorded]) -> int:
    """Return how many lengths a recorded conversation has."""
    return len({len(each.messages) for each in session})


def _replay(folder: Path) -> int:
    """Replay recorded sessions, and print how many hits they have, and how long they take."""
    decode, encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
    sessions = _sessions(folder)
    count = sum(map(len, sessions))
    print(f"{len(sessions)} sessions of {count} requests")
    print(f"{'':34}{'requests':>9}{'bytes each':>12}{'hits':>6}{'as a whole':>12}{'known':>8}")
    for name in wg.PROVIDERS:
        own = [session for session in sessions if session[0].sample.provider == name]
        samples = [each.sample for session in own for each in session]
        rows = {
            "all": samples,
            f"from {_LEAST:,} bytes": [s for s in samples if len(s.data) >= _LEAST],
            "from 3 turns": [each.sample for s in own if _turns(s) > 2 for each in s],
        }
        for kind, chosen in rows.items():
            if not chosen:
                continue
            untyped = _seconds(lambda chosen=chosen: [encode(decode(s.data)) for s in chosen])  # type: ignore[misc]
            whole, _ = _translated(chosen, is_whole=True)
            known, hits = _translated(chosen, is_whole=False)
            size = sum(len(sample.data) for sample in chosen) // len(chosen)
            print(
                f"{f'{name}, {kind}':34}{len(chosen):>9}{size:>12,}{hits / len(chosen):>6.0%}"
                f"{whole / untyped:>12.2f}{known / untyped:>8.2f}"
            )
    print("Times are multiples of msgspec's untyped decode and encode of the same bodies.")
    return 0


_ROUNDS: Final = 5


def _seconds(job: Callable[[], Any], prepare: Callable[[], None] = lambda: None) -> float:
    """Return the processor time of a job, the least of some rounds."""
    times = []
    for _ in range(_ROUNDS):
        prepare()
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return min(times)


def _translated(samples: list[Any], *, is_whole: bool) -> tuple[float, int]:
    """Return the time of translating to another wire, and the number of hits."""
    translators: dict[str, wg.RequestTranslator] = {}
    jobs: list[tuple[Any, Callable[..., bytes]]] = []

    def prepare() -> None:
        translators.update({s.dialect: wg.RequestTranslator(**_wires_of(s)) for s in samples})
        jobs[:] = [
            (s, partial(wg.translate_request, **_wires_of(s)))
            if is_whole
            else (s, translators[s.dialect].translate)
            for s in samples
        ]

    def job() -> None:
        for sample, translate in jobs:
            with contextlib.suppress(wg.WireglotError):
                translate(sample.data, losses=[], path=sample.path, names=wg.ToolNames())

    seconds = _seconds(job, prepare)
    return seconds, sum(translator.stats.hits for translator in translators.values())


def _wires_of(sample: Any) -> dict[str, Any]:
    target = "openai_chat" if sample.provider == "anthropic" else "anthropic"
    return {
        "source": sample.provider,
        "target": target,
        "source_dialect": sample.dialect,
        "repair": True,
    }


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.growing", description=__doc__)
    parser.add_argument("requests", nargs="?", type=int, default=10_000, metavar="REQUESTS")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--recorded", action="store_true", help="replay recorded sessions")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="for bodies that differ")
    options = parser.parse_args()
    if options.recorded:
        from tests.traffic import TRAFFIC

        return _replay(TRAFFIC)
    folder = options.folder or Path(tempfile.gettempdir()) / f"growing-{options.seed}"
    return _compare(options.requests, options.seed, folder)


if __name__ == "__main__":
    sys.exit(main())
