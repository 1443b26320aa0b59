"""A fault in the Python of a page is found, by both type checkers, under its page and line."""

import re
from pathlib import Path

from tests.typed_pages import errors

_PAGE = """\
# A page

```python
count: int = 1
```

Some text, and then

```python
count = {}
```
"""


def test_a_fault_is_reported_under_the_page_and_its_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(_PAGE.format('"one"'))
    found = "\n".join(errors([page]))
    assert f"{page}:10: error: Incompatible types in assignment" in found
    assert f"{page}:10:9 - error: " in found


def test_a_page_without_a_fault_gives_no_error(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(_PAGE.format("2"))
    assert errors([page]) == []


_ACCEPTED = """\
from typing import assert_never, assert_type
import wireglot as wg
texts: list[wg.TextBlock] = [wg.TextBlock("a")]
user = wg.UserMessage(texts)
assert_type(user.content, list[wg.Content])
call = wg.ToolCallBlock("1", "f", {"a": 1})
call.arguments = "{}"
assert_type(call.arguments, wg.Arguments)
assert_type(wg.ImageBlock(b"").data, wg.Media | None)
request = wg.Request([wg.LlmMessage(user)], stop=("a",))
assert_type(request.messages, list[wg.Message])
def narrowed(block: wg.Content, message: wg.Message, event: wg.StreamEvent) -> None:
    if block.type == "text":
        assert_type(block, wg.TextBlock)
    if message.role == "assistant":
        assert_type(message, wg.AssistantMessage)
    if event.type == "textDelta":
        assert_type(event, wg.TextDelta)
def told(entry: wg.AgentMessage) -> str:
    if entry.role == "assistant":
        assert_type(entry, wg.AssistantMessage)
    if entry.role == "extension":
        assert_type(entry, wg.ExtensionMessage)
    match entry.role:
        case "system" | "user" | "assistant" | "toolResult" | "tool":
            return "a message"
        case "custom" | "branchSummary" | "compactionSummary" | "extension":
            return "no LLM sees it"
def shown(entry: wg.AgentMessage) -> str:
    match entry:
        case wg.SystemMessage() | wg.UserMessage() | wg.ToolMessage() | wg.ToolResultMessage():
            return entry.text()
        case wg.AssistantMessage(model=model):
            return model or ""
        case wg.CustomMessage() | wg.ExtensionMessage():
            return entry.role
        case wg.BranchSummaryMessage() | wg.CompactionSummaryMessage():
            return entry.summary
        case _:
            assert_never(entry)
session: list[wg.AgentMessage] = [*request.messages, wg.CustomMessage("x")]
assert_type(wg.json.decode(b"[]"), list[wg.AgentMessage])
placed = wg.UserMessage(texts, turn_id=wg.model.TurnId("l", 0))
assert_type(placed.with_turn_id(None), wg.UserMessage)
assert_type(wg.LlmMessage(user).message, wg.Message)
"""
_REFUSED = """\
import wireglot as wg
wg.ToolCallBlock("1", "f", 3)
wg.UserMessage("text")
wg.UserMessage([3])
wg.ImageBlock(3)
wg.Request(["x"])
wg.UserMessage()
wg.LlmMessage(wg.CustomMessage("x"))
wg.Request([wg.AssistantMessage([])]).messages.append(wg.ExtensionMessage("k", 1))
"""


def test_constructors_and_tags_have_the_types_that_they_have_at_run_time(tmp_path: Path) -> None:
    (tmp_path / "accepted.py").write_text(_ACCEPTED)
    assert errors([], tmp_path / "accepted.py") == []


def test_what_a_constructor_does_not_take_is_an_error_on_its_line(tmp_path: Path) -> None:
    path = tmp_path / "refused.py"
    path.write_text(_REFUSED)
    found = [line for line in errors([], path) if "error" in line]
    for line in range(2, 10):
        assert any(f"refused.py:{line}: error" in each for each in found), line  # mypy
        assert any(re.search(rf"refused\.py:{line}:\d+ - error", each) for each in found), line
