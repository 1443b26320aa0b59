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
NOTHING: dict[str, str | None] = {
    **{kind: kind for kind in BLOCKS},
    "result": "tool result",
    "opaque": "opaque block",
}
CARRIED = {
    "gemini": ("image", "audio", "video", "document", "data"),
    "mistral": ("image", "audio", "document"),
}
NAMED = {"openai_chat"}
"""The wires that say who answers."""
LOSSES = {name: NOTHING | dict.fromkeys(CARRIED.get(name, ())) for name in wg.PROVIDERS}


@pytest.mark.parametrize("kind", BLOCKS)
@pytest.mark.parametrize("name", LOSSES)
def test_what_is_no_text_is_carried_or_told(name: str, kind: str) -> None:
    content = [wg.TextBlock("a"), BLOCKS[kind]]
    message = wg.AssistantMessage(content, wg.StopReason.STOP, api="another", model="m")
    losses: list[wg.Loss] = []
    made = wg.PROVIDERS[name].encode_response(wg.Response(message), losses=losses)
    what = LOSSES[name][kind]
    told = [("$.message.content[1]", what)] if what is not None else []
    assert [(loss.path, loss.what) for loss in losses] == told
    assert (URL.encode() in made, b"oops" in made) == (what is None, kind == "error")


@pytest.mark.parametrize("name", [name for name in wg.PROVIDERS if name not in NAMED])
def test_the_name_of_who_answers_is_a_loss(name: str) -> None:
    message = wg.AssistantMessage([], wg.StopReason.STOP, name="Ann", api="another", model="m")
    losses: list[wg.Loss] = []
    wg.PROVIDERS[name].encode_response(wg.Response(message), losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [("$.message", "name")]
    losses.clear()
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=losses)
    encoder.encode(wg.StreamStart(wg.Response(message)))
    encoder.encode(wg.StreamEnd(wg.Response(message)))
    assert [loss.what for loss in losses] == ["name"]
    with pytest.raises(wg.LossError, match="name"):
        wg.PROVIDERS[name].encode_response(wg.Response(message))


def test_chat_writes_the_name_of_who_answers() -> None:
    message = wg.AssistantMessage([], wg.StopReason.STOP, name="Ann", model="m")
    chat = wg.PROVIDERS["openai_chat"]
    assert b'"name":"Ann"' in chat.encode_response(wg.Response(message))
    encoder = chat.StreamEncoder()
    made = encoder.encode(wg.StreamStart(wg.Response(message)))
    made += encoder.encode(wg.StreamEnd(wg.Response(message)))
    assert b'"name":"Ann"' in made
