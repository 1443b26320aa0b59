"""Literal pieces of Anthropic's wire, and the frame around them that is the same in many tests."""

from tests.oracles.anthropic import check_request as check_request

HI = '{"role":"user","content":[{"type":"text","text":"hi"}]}'
CALL_A = '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}'
CALL_AB = (
    '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},'
    '{"type":"tool_use","id":"b","name":"f","input":{}}]}'
)
RESULT_A = '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}'


def said(*blocks: str) -> str:
    return '{"role":"user","content":[' + ",".join(blocks) + "]}"


def answered(*blocks: str) -> str:
    return '{"role":"assistant","content":[' + ",".join(blocks) + "]}"


def body(*messages: str, head: str = '"max_tokens":8') -> bytes:
    """Return the body of a request to model `m`; `head` is what stands before the messages."""
    return f'{{"model":"m",{head},"messages":[{",".join(messages)}]}}'.encode()
