"""A key that only another type of object of the same wire knows is kept there, and lost elsewhere.

Several types of an API share a Struct here, so that such a key could be read and then forgotten.
"""

import pytest

import wireglot as wg

# The object that gets the key, and a value that its sibling would have under it.
ITEMS = {
    "message": '{"role":"user","content":"hi"%s}',
    "function_call": '{"type":"function_call","call_id":"c","name":"f","arguments":"{}"%s}',
    "function_call_output": '{"type":"function_call_output","call_id":"c","output":"r"%s}',
    "reasoning": '{"type":"reasoning","id":"rs_1","summary":[]%s}',
}
KEYS_OF_ITEMS = {
    "message": ("name", "input", "call_id", "output", "arguments", "encrypted_content"),
    "function_call": ("content", "output", "role", "encrypted_content"),
    "function_call_output": ("content", "arguments", "role", "encrypted_content"),
    "reasoning": ("name", "input", "role", "output", "arguments"),
}
PARTS = {
    "input_text": '{"type":"input_text","text":"hi"%s}',
    "input_image": '{"type":"input_image","image_url":"https://x.org/a.png"%s}',
    "input_file": '{"type":"input_file","file_id":"file-1"%s}',
}
KEYS_OF_PARTS = {
    "input_text": ("image_url", "file_data", "file_id", "filename", "detail"),
    "input_image": ("text", "file_data", "filename", "annotations"),
    "input_file": ("text", "image_url", "annotations"),
}
CALL = ITEMS["function_call"] % ""
RESULT = ITEMS["function_call_output"] % ""


def _responses(*items: str) -> bytes:
    return b'{"model":"gpt-5","input":[%b]}' % ",".join(items).encode()


def _item(kind: str, key: str) -> bytes:
    item = ITEMS[kind] % f',"{key}":"canary"'
    asked = ITEMS["message"] % ""
    if kind == "function_call":
        return _responses(asked, item, RESULT)
    if kind == "function_call_output":
        return _responses(asked, CALL, item)
    if kind == "reasoning":
        return _responses(asked, item, '{"role":"assistant","content":"yes"}', asked)
    return _responses(item)


def _part(kind: str, key: str) -> bytes:
    part = PARTS[kind] % f',"{key}":"canary"'
    return _responses(f'{{"role":"user","content":[{part}]}}')


BODIES = {
    **{
        f"{key} of {kind}": ("openai_responses", _item(kind, key))
        for kind, keys in KEYS_OF_ITEMS.items()
        for key in keys
    },
    **{
        f"{key} of {kind}": ("openai_responses", _part(kind, key))
        for kind, keys in KEYS_OF_PARTS.items()
        for key in keys
    },
    "id beside a call of Gemini": (
        "gemini",
        b'{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":['
        b'{"functionCall":{"name":"f","args":{}},"id":"canary"}]},{"role":"user","parts":['
        b'{"functionResponse":{"name":"f","response":{}}}]}]}',
    ),
    "custom of a function's call of Chat": (
        "openai_chat",
        b'{"model":"gpt-5","messages":[{"role":"user","content":"hi"},{"role":"assistant",'
        b'"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},'
        b'"custom":{"name":"canary","input":"x"}}]},{"role":"tool","tool_call_id":"c","content":"r"}]}',
    ),
}


@pytest.mark.parametrize("case", BODIES)
def test_a_key_that_another_type_knows_goes_back_to_its_own_api(case: str) -> None:
    wire, body = BODIES[case]
    made = wg.translate_request(body, wire, wire, losses=[])
    assert made.count(b"canary") == 1


# What is left out elsewhere as a whole is a loss, or none by design, with all of its keys.
WITH_A_PLACE = [case for case in BODIES if not case.endswith(("reasoning", "_image", "_file"))]


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock", "ollama"])
@pytest.mark.parametrize("case", WITH_A_PLACE)
def test_a_key_that_another_type_knows_is_a_loss_elsewhere(case: str, target: str) -> None:
    wire, body = BODIES[case]
    losses: list[wg.Loss] = []
    made = wg.translate_request(body, wire, target, losses=losses, model="claude-sonnet-4-5")
    assert b"canary" in made or "extras" in {loss.what for loss in losses}
