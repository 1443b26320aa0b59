"""A body with one element -> the conversation that an API takes: calls for results, turns between.

The types say what a body may hold, not that a result needs its call before it, and a call its
result after it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .values import MODEL, SCHEMA

Json = Any
_HI = "Hello there."
_DATA = {"image", "image_url", "document", "document_url", "file", "input_audio", "video_url"}


def _functions() -> list[Json]:
    """Return two, so that it matters which one is chosen."""
    return [
        {"type": "function", "function": {"name": name, "parameters": SCHEMA}}
        for name in ("zqname", "zqother")
    ]


def _user(content: Json = _HI) -> Json:
    return {"role": "user", "content": content}


def _kinds(content: Json) -> set[str]:
    blocks = content if isinstance(content, list) else ()
    return {block.get("type", "text") for block in blocks if isinstance(block, dict)}


# -- Anthropic ---------------------------------------------------------------------------------

_OF_USERS = {"text", "image", "document", "tool_result", "search_result", "container_upload"}
_OF_USERS |= {"browser_state", "tool_reference", "mid_conv_system", "tool_addition"}
_OF_USERS |= {"tool_removal", "input_audio"}


def server_call(block: Json) -> list[Json]:
    """Return the call of a server's tool whose result `block` is."""
    kind = block.get("type", "")
    if kind == "tool_result" or not kind.endswith("_tool_result"):
        return []
    name = kind.removesuffix("_tool_result")
    call = {"type": "server_tool_use", "id": block.get("tool_use_id"), "input": {}}
    if name == "mcp":
        return [{**call, "type": "mcp_tool_use", "name": "zqname", "server_name": "zqserver"}]
    return [{**call, "name": {"tool_search": "tool_search_tool_bm25"}.get(name, name)}]


def _anthropic(body: Json) -> Json:
    done: list[Json] = []
    for message in body.get("messages") or ():
        role, content = message.get("role"), message.get("content")
        blocks = content if isinstance(content, list) else []
        if role != "system" and blocks:
            role = "user" if _kinds(blocks) <= _OF_USERS else "assistant"
            content = [each for block in blocks for each in (*server_call(block), block)]
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if results:
            keys = ("toolset_name",)
            uses = [
                {"type": "tool_use", "id": r["tool_use_id"], "name": "zqtool", "input": {}}
                | {key: r[key] for key in keys if key in r}
                for r in results
            ]
            done += [_user(), {"role": "assistant", "content": uses}]
        elif role in ("assistant", "system") or (blocks and "text" not in _kinds(blocks)):
            done += [_user()]
            if role == "user":
                done += [{"role": "assistant", "content": "Ok."}]
        done.append({**message, "role": role, "content": content})
        if role == "assistant":
            calls = [block for block in blocks if block.get("type") == "tool_use"]
            results = [
                {"type": "tool_result", "tool_use_id": c.get("id"), "content": "Done."}
                for c in calls
            ]
            done.append(_user(results or "Go on."))
    choice = body.get("tool_choice")
    if choice and "tools" not in body:
        names = (choice.get("name", "zqname"), "zqother")
        body = {**body, "tools": [{"name": name, "input_schema": SCHEMA} for name in names]}
    return {**body, "messages": done}


# -- Chat Completions, Mistral, Cohere, Ollama -------------------------------------------------


def _chat(body: Json) -> Json:
    done: list[Json] = []
    for message in body.get("messages") or [_user()]:
        role, kinds = message["role"], _kinds(message.get("content"))
        if role == "user" and kinds & {"thinking", "reference"}:  # Mistral: one type for all roles
            role = "assistant"
        elif role not in ("user", "tool") and kinds & _DATA:
            role = "user"
        message = {**message, "role": role}
        said = {"content", "tool_calls", "function_call", "audio", "refusal"}
        if role == "assistant" and not said & {k for k, v in message.items() if v is not None}:
            message["content"] = "Zq content."
        done += _before(message, kinds, first=not done)
        done.append(message)
        if role == "assistant":
            for call in message.get("tool_calls") or ():
                result = {"role": "tool", "tool_call_id": call.get("id", "zqid")}
                done.append({**result, "content": "Done."})
            if message.get("function_call"):
                name = message["function_call"].get("name", "zqname")
                done.append({"role": "function", "name": name, "content": "Done."})
        if role in ("assistant", "system", "developer"):
            done.append(_user("Go on."))
    return _with_tools({"model": MODEL, **body, "messages": done})


def _before(message: Json, kinds: set[str], *, first: bool) -> list[Json]:
    role = message["role"]
    function = {"name": message.get("name") or "zqtool", "arguments": "{}"}
    if role == "tool":
        call = {"id": message.get("tool_call_id"), "type": "function"}
        call["function"] = {**function, "name": "zqtool"}
        return [_user(), {"role": "assistant", "tool_calls": [call]}]
    if role == "function":
        return [_user(), {"role": "assistant", "function_call": function}]
    if role == "assistant":
        return [_user()]
    alone = first and kinds and "text" not in kinds
    return [_user(), {"role": "assistant", "content": "Ok."}] if alone else []


def _with_tools(body: Json) -> Json:
    choice = body.get("tool_choice") or body.get("parallel_tool_calls")
    if body.get("function_call") and "functions" not in body:
        return {**body, "functions": [tool["function"] for tool in _functions()]}
    if choice is None or "tools" in body or "functions" in body:
        return body
    if isinstance(choice, dict) and choice.get("type") == "custom":
        custom = {"type": "custom", "custom": {"name": "zqname"}}
        return {**body, "tools": [custom, _functions()[1]]}
    return {**body, "tools": _functions()}


def _ollama(body: Json) -> Json:
    done: list[Json] = []
    for message in body.get("messages") or [_user()]:
        role = message.get("role")
        if message.keys() & {"tool_calls", "thinking"}:
            role = "assistant"
        elif "tool_name" in message or role not in ("user", "assistant", "system", "tool"):
            role = "tool" if "tool_name" in message else "user"
        if role == "tool":
            call = {"function": {"name": message.get("tool_name", "zqtool"), "arguments": {}}}
            done += [_user(), {"role": "assistant", "content": "", "tool_calls": [call]}]
        elif role == "assistant":
            done.append(_user())
        done.append({"content": "Zq content.", **message, "role": role})
        if role == "assistant":
            for call in message.get("tool_calls") or ():
                name = call["function"]["name"]
                done.append({"role": "tool", "tool_name": name, "content": "ok"})
            done.append(_user("Go on."))
    return {**body, "messages": done}


# -- Responses ---------------------------------------------------------------------------------

_SHELL = {"stdout": "ok", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
_SCREEN = {"type": "computer_screenshot", "file_id": "file-1"}
_PATCH = {"type": "delete_file", "path": "a"}
_CALLS: dict[str, tuple[Json, Json]] = {
    "function_call": ({"name": "zqtool", "arguments": "{}"}, {"output": "ok"}),
    "custom_tool_call": ({"name": "zqtool", "input": "zq"}, {"output": "ok"}),
    "computer_call": (
        {"id": "cu_1", "status": "completed", "pending_safety_checks": []}
        | {"action": {"type": "wait"}},
        {"output": _SCREEN},
    ),
    "local_shell_call": (
        {"id": "ls_1", "status": "completed"}
        | {"action": {"type": "exec", "command": ["ls"], "env": {}}},
        {"output": "ok"},
    ),
    "shell_call": ({"action": {"commands": ["ls"]}}, {"output": [_SHELL]}),
    "apply_patch_call": (
        {"status": "completed", "operation": _PATCH},
        {"output": "ok", "status": "completed"},
    ),
}
"""The kind of a call -> the rest of a call, and of its result."""


def _responses(body: Json) -> Json:
    body = {"model": MODEL, "input": [_user()], **body}
    if isinstance(body["input"], list):
        done = [_user()]
        for item in body["input"]:
            kind = item.get("type") or ""
            call = kind.removesuffix("_output")
            key = "id" if call == "local_shell_call" else "call_id"
            if kind != call and call in _CALLS:
                same = {k: item[k] for k in ("name", "namespace") if k in item}
                made = {**_CALLS[call][0], "type": call, "call_id": item.get(key, "zqcallid")}
                done.append(made | (same if "name" in made else {}))
            done.append(item)
            if kind in _CALLS and "call_id" in item:
                done.append({"type": kind + "_output", key: item["call_id"], **_CALLS[kind][1]})
            elif kind == "reasoning":
                done.append({"role": "assistant", "content": "Zq answer."})
        body["input"] = [*done, _user("Go on.")]
    choice = body.get("tool_choice") or body.get("parallel_tool_calls")
    if choice is None or "tools" in body:
        return body
    tool: Json = {"type": "function", "name": "zqname", "parameters": SCHEMA, "strict": True}
    if isinstance(choice, dict) and choice.get("type") not in ("function", "allowed_tools"):
        label = {"server_label": choice.get("server_label"), "server_url": "https://e.org/mcp"}
        more: Json = {"custom": {"name": "zqname"}, "mcp": label}.get(choice["type"], {})
        tool = {"type": choice["type"], **more}
    second = {"type": "function", "name": "zqother", "parameters": SCHEMA, "strict": True}
    return {**body, "tools": [tool, second]}


# -- Gemini ------------------------------------------------------------------------------------

_OF_MODELS = {"functionCall", "executableCode", "codeExecutionResult", "thought"}
_OF_MODELS |= {"thoughtSignature", "toolCall", "toolResponse"}


def _gemini(body: Json) -> Json:
    done: list[Json] = []
    for content in body.get("contents") or [{"parts": [{"text": _HI}]}]:
        parts = content.get("parts") or []
        role = "model" if any(part.keys() & _OF_MODELS for part in parts) else "user"
        role = role if role == "model" else content.get("role", "user")
        results = [part["functionResponse"] for part in parts if "functionResponse" in part]
        calls = [part["functionCall"] for part in parts if "functionCall" in part]
        if results:
            made = [{"functionCall": {"args": {}, **_same(r)}} for r in results]
            done += [_contents("user"), {"role": "model", "parts": made}]
        elif role == "model":
            done.append(_contents("user"))
        elif not any("text" in part for part in parts):
            done += [_contents("user"), _contents("model")]
        done.append({**content, "role": role})
        if role == "model":
            made = [{"functionResponse": {**_same(c), "response": {"output": "ok"}}} for c in calls]
            done.append({"role": "user", "parts": made} if made else _contents("user"))
    body = {key: value for key, value in body.items() if key != "contents"}
    if "functionCallingConfig" in body.get("toolConfig", {}) and "tools" not in body:
        body["tools"] = [{"functionDeclarations": [{"name": "zqname"}, {"name": "zqother"}]}]
    return {**body, "contents": done}


def _same(part: Json) -> Json:
    return {"name": "zqname"} | {key: part[key] for key in ("id", "name") if key in part}


def _contents(role: str) -> Json:
    return {"role": role, "parts": [{"text": _HI}]}


# -- Bedrock -----------------------------------------------------------------------------------


def _bedrock(body: Json) -> Json:
    done: list[Json] = []
    said = [{"text": _HI}]
    for message in body.get("messages") or [_user(said)]:
        blocks = message.get("content") or []
        keys = {key for block in blocks for key in block}
        role = message.get("role")
        results = [block["toolResult"] for block in blocks if "toolResult" in block]
        of_server = any("type" in result for result in results)
        if results and not of_server:
            role = "user"
            calls = [
                {"toolUse": {"toolUseId": r["toolUseId"], "name": "zqtool", "input": {}}}
                for r in results
            ]
            done += [_user(said), {"role": "assistant", "content": calls}]
        elif of_server or keys & {"toolUse", "reasoningContent", "citationsContent"}:
            role = "assistant"
        if role in ("assistant", "system"):
            done.append(_user(said))
        elif not results and "text" not in keys:
            done += [_user(said), {"role": "assistant", "content": [{"text": "Ok."}]}]
        before = [{"text": "Zq before."}] if keys & {"cachePoint", "document"} else []
        done.append({**message, "role": role, "content": before + blocks})
        if role == "assistant":
            made = [
                {"toolResult": {"toolUseId": b["toolUse"]["toolUseId"], "content": said}}
                for b in blocks
                if "toolUse" in b and "type" not in b["toolUse"]
            ]
            done.append(_user(made or said))
    made = {key: value for key, value in body.items() if key != "modelId"} | {"messages": done}
    config = made.get("toolConfig")
    if '"toolUse"' in json.dumps(done) and not config:
        made["toolConfig"] = {"tools": [_spec("zqtool"), _spec("zqname")]}
    elif config and any("cachePoint" in tool for tool in config.get("tools", ())):
        made["toolConfig"] = {**config, "tools": [_spec("zqother"), *config["tools"]]}
    return made


def _spec(name: str) -> Json:
    return {"toolSpec": {"name": name, "inputSchema": {"json": SCHEMA}}}


REQUESTS: dict[str, Callable[[Json], Json]] = {
    "anthropic": _anthropic,
    "openai_chat": _chat,
    "openai_responses": _responses,
    "gemini": _gemini,
    "bedrock": _bedrock,
    "mistral": _chat,
    "cohere": _chat,
    "ollama": _ollama,
}


# -- answers -----------------------------------------------------------------------------------


def _answer_anthropic(body: Json) -> Json:
    blocks = body.get("content") or ()
    return {**body, "content": [each for b in blocks for each in (*server_call(b), b)]}


def _answer_chat(body: Json) -> Json:
    for choice in body.get("choices") or ():
        _saying(choice.get("message"), "tool_calls", "refusal", "audio", "function_call")
    return body


def _answer_ollama(body: Json) -> Json:
    _saying(body.get("message"))
    return body


def _answer_bedrock(body: Json) -> Json:
    if message := (body.get("output") or {}).get("message"):
        message["role"] = "assistant"
    return body


def _saying(message: Json, *instead: str) -> None:
    """Give a message of an answer its role, and something to say."""
    if message is not None:
        message["role"] = "assistant"
        if not message.keys() & {"content", *instead}:
            message["content"] = "Zq content."


ANSWERS: dict[str, Callable[[Json], Json]] = {
    "anthropic": _answer_anthropic,
    "openai_chat": _answer_chat,
    "bedrock": _answer_bedrock,
    "mistral": _answer_chat,
    "ollama": _answer_ollama,
}
