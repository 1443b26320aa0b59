"""Append each message of an agent's conversation to a file of JSON Lines as soon as it is there."""

import sys
from pathlib import Path

import wireglot as wg

# The provider is played by its recorded answers.
ANSWERS = [
    b"""{"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
    "stop_reason": "tool_use", "stop_sequence": null, "content": [
      {"type": "text", "text": "I will look."},
      {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Oslo"}}],
    "usage": {"input_tokens": 412, "output_tokens": 38}}""",
    b"""{"id": "msg_2", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
    "stop_reason": "end_turn", "stop_sequence": null, "content": [
      {"type": "text", "text": "It is 21 degrees in Oslo."}],
    "usage": {"input_tokens": 62, "cache_read_input_tokens": 400, "output_tokens": 12}}""",
]
TIMES = iter(range(1_790_000_000_000, 1_790_000_060_000, 2_000))  # in place of `wg.now_ms()`


class Log:
    """A conversation, and the file that it is kept in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.conversation: list[wg.Message] = []

    def append(self, message: wg.Message) -> None:
        """Add a message; its line is in the file when this returns."""
        message.timestamp = next(TIMES)
        self.conversation.append(message)
        with self.path.open("ab") as file:
            file.writelines(wg.json.encode_lines([message]))


log = Log(Path(sys.argv[1] if len(sys.argv) > 1 else "session.jsonl"))
log.append(wg.UserMessage.from_text("How warm is it in Oslo?"))
for recorded in ANSWERS:
    request = wg.Request(log.conversation, model="claude-sonnet-4-5")
    wg.providers.anthropic.encode_request(request)  # what a real program sends
    answer = wg.providers.anthropic.decode_response(recorded).message
    log.append(answer)
    for call in answer.tool_calls():
        log.append(wg.ToolResultMessage.from_text(call.id, "21 °C"))

for entry in wg.json.decode_lines(log.path.read_bytes()):
    print(entry.role)
