"""The losses of a translated stream: in one order, however the stream is cut."""

import pytest

import wireglot as wg
from tests.clients.turn import STREAMS
from tests.providers.streams import chunked


def _with_losses(name: str) -> bytes:
    """Return a stream with half characters in many frames, and keys that only its API knows."""
    data = STREAMS[name]
    if name != "bedrock":
        data = data.replace(b"Let", b"Let\\ud83d").replace(b"look", b"look\\ud83d")
    data = data.replace(b'"index":0', b'"index":0,"zz":1')
    return data.replace(b'"model":"m"', b'"model":"m","yy":1')


@pytest.mark.parametrize("target", list(wg.PROVIDERS))
@pytest.mark.parametrize("source", list(wg.PROVIDERS))
def test_the_losses_of_a_stream_have_one_order_however_it_is_cut(source: str, target: str) -> None:
    data = _with_losses(source)
    found = []
    for size in (len(data), 1, 2, 7, 64, 300):
        losses: list[wg.Loss] = []
        translator = wg.StreamTranslator(source, target, losses=losses)
        for chunk in chunked(data, size):
            translator.feed(chunk)
        translator.close()
        found.append(losses)
    assert found[1:] == found[:1] * 5
    if source in ("anthropic", "openai_chat") and target != source:
        assert {loss.what for loss in found[0]} >= {"lone surrogate", "extras"}


def test_what_a_decoder_loses_before_an_error_is_told() -> None:
    data = _with_losses("anthropic") + b"data: {oops\n\n"
    data = data.replace(b'event: message_stop\ndata: {"type":"message_stop"}\n\n', b"")
    found = []
    for size in (len(data), 1, 64):
        losses: list[wg.Loss] = []
        translator = wg.StreamTranslator("anthropic", "openai_chat", losses=losses)
        with pytest.raises(wg.StreamError):  # noqa: PT012 -- either may raise
            for chunk in chunked(data, size):
                translator.feed(chunk)
            translator.close()
        found.append(losses)
    assert "lone surrogate" in {loss.what for loss in found[0]}
    assert found[1:] == found[:1] * 2
