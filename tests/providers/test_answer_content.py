"""What an answer holds beside its text -> whether each wire carries it, or which loss it is."""

import pytest

import wireglot as wg

URL = "https://x.org/a"
BLOCKS: dict[str, wg.Content] = {
    "image": wg.ImageBlock(url=URL),
    "audio": wg.AudioBlock(url=URL),
    "video": wg.VideoBlock(url=URL),
    "document": wg.DocumentBlock(url=URL),
    "data": wg.DataBlock(url=URL),
    "result": wg.ToolResultBlock("c", "n", [wg.TextBlock("r")]),
    "annotation": wg.AnnotationBlock("citation"),
    "error": wg.ErrorBlock("oops"),
    "opaque": wg.OpaqueBlock("another", wg.RawJson("{}")),
}
_NONE = dict.fromkeys(BLOCKS, "answer content") | {"error": "error", "opaque": "opaque block"}
_ROWS = {kind: kind for kind in BLOCKS} | {"result": "tool result", "opaque": "opaque block"}
LOSSES: dict[str, dict[str, str | None]] = {
    "anthropic": {kind: kind for kind in BLOCKS}
    | {"result": "tool result", "opaque": "opaque block"},
    "openai_chat": _ROWS,
    "openai_responses": _ROWS,
    "cohere": _ROWS,
    "ollama": _ROWS,
    "bedrock": _ROWS,
    "gemini": _NONE
    | dict.fromkeys(("image", "audio", "video", "document", "data"))
    | {"annotation": "annotation", "result": "tool result"},
    "mistral": _ROWS | dict.fromkeys(("image", "audio", "document")),
}


@pytest.mark.parametrize("kind", BLOCKS)
@pytest.mark.parametrize("name", LOSSES)
def test_what_is_no_text_is_carried_or_told(name: str, kind: str) -> None:
    content = [wg.TextBlock("a"), BLOCKS[kind]]
    message = wg.AssistantMessage(content, wg.StopReason.STOP, api="another", model="m")
    losses: list[wg.Loss] = []
    made = wg.PROVIDERS[name].encode_response(wg.Response(message), losses)
    what = LOSSES[name][kind]
    told = [("$.message.content[1]", what)] if what is not None else []
    assert [(loss.path, loss.what) for loss in losses] == told
    assert (URL.encode() in made, b"oops" in made) == (what is None, kind == "error")
