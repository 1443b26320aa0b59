"""Append each message of a conversation to a file of JSON Lines as soon as the message exists.

A second run appends the same messages to the same file again.
"""

import sys
from pathlib import Path

import wireglot as wg

# Recorded answers, in place of a provider.
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
# Invented times, so that every run prints the same. A real program uses `wg.model.now_ms()`.
TIMES = iter(range(1_790_000_000_000, 1_790_000_060_000, 2_000))


class Log:
    """A conversation, in memory and in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.conversation: list[wg.Message] = []

    def append(self, message: wg.Message) -> None:
        """Add a message, and write its line to the file."""
        message.timestamp = next(TIMES)
        self.conversation.append(message)
        with self.path.open("ab") as file:
            file.writelines(wg.json.encode_lines([message]))


log = Log(Path(sys.argv[1] if len(sys.argv) > 1 else "session.jsonl"))
log.append(wg.UserMessage.from_text("How warm is it in Oslo?"))
for recorded in ANSWERS:
    request = wg.Request(log.conversation, model="claude-sonnet-4-5")
    wg.providers.anthropic.encode_request(request)  # a real program sends this
    answer = wg.providers.anthropic.decode_response(recorded).message
    log.append(answer)
    for call in answer.tool_calls():
        log.append(wg.ToolResultMessage.from_text(call.id, "21 °C"))

for entry in wg.json.decode_lines(log.path.read_bytes()):
    print(entry.role)
