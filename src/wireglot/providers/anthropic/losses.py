"""What Anthropic Messages cannot carry, and why: what -> reason, the fallback taken included."""

from __future__ import annotations

from typing import Final

LOSSES: Final = {
    "answer content": "answers hold text, thinking and tool calls; left out",
    "annotation": "citations are written only by the API that made them; left out",
    "arguments": "tool input must be a JSON object; the model's text goes as `raw_arguments`",
    "audio": "there is no audio block; its transcript goes as text, if it has one",
    "cache mark": "at most four cache breakpoints, and none on thinking; left out",
    "cache ttl": "a breakpoint of an hour may not follow one of five minutes; five minutes",
    "candidates": "one answer per request; left out",
    "data": "there is no block for data of other kinds; left out",
    "document": "documents are PDF or plain text, inline, by http URL or file id; left out",
    "document source": "a document has one source; its text is taken",
    "error": "there is no error block; its message goes as text",
    "frequency_penalty": "there is no such parameter; left out",
    "image": "images are JPEG, PNG, GIF or WEBP, inline, by http URL or file id; left out",
    "json mode": "there is no JSON mode without a schema; left out",
    "logprobs": "there is no such parameter; left out",
    "max_tokens": "must exceed the thinking budget; the budget is lowered, or thinking disabled",
    "metadata": "request metadata holds a user id alone; left out",
    "name": "messages have no participant name; left out",
    "redacted thinking": "redacted thinking has no text on the wire; the text is left out",
    "presence_penalty": "there is no such parameter; left out",
    "seed": "there is no such parameter; left out",
    "service_tier": "`auto` and `standard_only` are the tiers; left out",
    "signature": "a signature is valid at the API that made it alone; left out",
    "stop reason": "there is no such stop reason; it ends as `end_turn`",
    "system place": "stands after a user turn and before an answer; moved, or sent as a user's",
    "system content": "system prompts are text; left out",
    "temperature": "must lie in 0 to 1, and be 1 while thinking; brought into range",
    "thinking": "thinking goes back only with the signature of this API; left out",
    "thinking budget": "a budget has at least 1,024 tokens; raised to that",
    "thinking level": "efforts are low, medium, high, xhigh and max; the nearest is taken",
    "tool call": "calls stand in assistant messages; left out",
    "tool choice": "a forced call cannot be had with a thinking budget; thinking is disabled",
    "tool choice unused": "a call cannot be forced where there are no tools; left out",
    "tool choice allowed": "a choice cannot be narrowed to some of the tools; left out",
    "tool name": "names have the form [a-zA-Z0-9_-]{1,128}; others become `_`, with a hash",
    "tool result": "results stand in user messages; left out",
    "tool result content": "results hold text, images and documents; left out",
    "top_logprobs": "there is no such parameter; left out",
    "trailing space": "the last assistant text must not end in white space; stripped",
    "video": "there is no video block; its transcript goes as text, if it has one",
}
"""What -> why, and what happens instead."""
