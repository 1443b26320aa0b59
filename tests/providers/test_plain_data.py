"""Bodies as plain data: dicts, and bare lists of messages."""

from types import MappingProxyType
from typing import Any

import pytest

import wireglot as wg

_HI = [{"role": "user", "content": "Hi"}]
_BARE: dict[str, list[Any]] = {
    "bedrock": [{"role": "user", "content": [{"text": "Hi"}]}],
    "gemini": [{"role": "user", "parts": [{"text": "Hi"}]}],
}


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_a_bare_list_of_messages_is_a_request_without_a_model(name: str) -> None:
    request = wg.PROVIDERS[name].decode_request(_BARE.get(name, _HI))
    assert request.messages == [wg.UserMessage([wg.TextBlock("Hi")])]
    assert request.model is None


def test_a_bare_list_is_translated() -> None:
    body = b' [{"role":"user","content":"Hi"}]'
    assert wg.translate_request(body, "openai_chat", "gemini") == (
        b'{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}'
    )
    with pytest.raises(wg.DecodeError, match=r"at `\$\[0\]`"):
        wg.translate_request("[1]", "openai_chat", "gemini")


@pytest.mark.parametrize("name", wg.PROVIDERS)
@pytest.mark.parametrize("body", [b'[],"model":"m"', b"[", b"[]]", b"[]x", b"[" * 100_000])
def test_what_only_begins_as_a_list_is_refused(name: str, body: bytes) -> None:
    with pytest.raises(wg.DecodeError):
        wg.PROVIDERS[name].decode_request(body)


@pytest.mark.parametrize("before", [b" " * 100, b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_a_bare_list_may_have_something_before_it(before: bytes) -> None:
    request = wg.providers.openai_chat.decode_request(before + b'[{"role":"user","content":"Hi"}]')
    assert request.messages == [wg.UserMessage([wg.TextBlock("Hi")])]


def test_half_a_character_in_a_bare_list_is_a_loss() -> None:
    body = rb'[{"role":"user","content":"\ud800"}]'
    with pytest.raises(wg.DecodeError, match="lone surrogate"):
        wg.providers.openai_chat.decode_request(body)
    losses: list[wg.Loss] = []
    request = wg.providers.openai_chat.decode_request(body, losses=losses)
    assert request.messages == [wg.UserMessage([wg.TextBlock("\ufffd")])]
    assert [loss.what for loss in losses] == ["lone surrogate"]


@pytest.mark.parametrize(
    ("name", "body", "path"),
    [
        ("anthropic", '[{"role":"user","content":[]},{"role":"user","content":5}]', "$[1].content"),
        ("openai_responses", '[{"role":"user","content":5}]', "$[0].content"),
        ("gemini", '[{"role":"user"},{"role":"user","parts":5}]', "$[1].parts"),
        ("bedrock", '[{"role":"user","content":[{"text":5}]}]', "$[0].content[0].text"),
        ("ollama", '[{"role":"user","content":"Hi"},5]', "$[1]"),
    ],
)
def test_a_fault_in_a_bare_list_has_its_place_in_the_list(name: str, body: str, path: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        wg.PROVIDERS[name].decode_request(body)
    assert caught.value.path == path


def test_a_bare_list_that_was_cut_is_said_to_be() -> None:
    with pytest.raises(wg.DecodeError) as caught:
        wg.providers.mistral.decode_request(b'[{"role":"user","content":"Hi"')
    assert str(caught.value) == "mistral: input data was truncated - at `$`"


def test_keys_beside_the_body_of_another_sdk_are_kept() -> None:
    body = {"model": "m", "messages": _HI, "parsed": 1, "ResponseMetadata": 2}
    request = wg.providers.openai_chat.decode_request(body)
    assert request.extras == {"openai-chat": wg.Extra({"parsed": 1, "ResponseMetadata": 2})}


def test_arguments_in_a_dict_keep_their_spelling() -> None:
    body = {"model": "m", "messages": _HI, "x": wg.RawJson("1e2"), "y": wg.Arguments('{"a":1e2}')}
    extras = wg.providers.openai_chat.decode_request(body).extras
    assert extras is not None
    assert extras["openai-chat"].keys.text == b'{"x":1e2,"y":{"a":1e2}}'


def test_parameters_of_boto3_are_a_request() -> None:
    asked: dict[str, Any] = {
        "modelId": "amazon.nova-lite-v1:0",
        "messages": [
            {"role": "user", "content": [{"image": {"format": "png", "source": {"bytes": b"PNG"}}}]}
        ],
    }
    request = wg.providers.bedrock.decode_request(asked)
    assert request.model == "amazon.nova-lite-v1:0"
    assert request.extras is None
    (block,) = request.messages[0].content
    assert block.type == "image"
    assert block.data is not None
    assert block.data.to_bytes() == b"PNG"
    with pytest.raises(wg.DecodeError, match=r"modelId`"):
        wg.providers.bedrock.decode_request({**asked, "modelId": 1})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (3, "body of type `int`, expected bytes, text, a dict or an object of the API's SDK"),
        (iter([]), "a stream's events go to `StreamDecoder.feed_event` one by one"),
        (open, "body of type `builtin_function_or_method`, expected bytes"),
    ],
)
def test_any_other_object_is_a_type_error_that_says_what_to_pass(data: Any, said: str) -> None:
    with pytest.raises(TypeError) as caught:
        wg.providers.openai_chat.decode_response(data)
    assert said in str(caught.value)


def test_an_http_response_is_told_apart() -> None:
    class Answer:
        content = b"{}"

    with pytest.raises(TypeError, match="of an HTTP response pass its `content`"):
        wg.providers.openai_chat.decode_response(Answer())
    with pytest.raises(TypeError, match="event of type `list`, expected an object"):
        wg.providers.openai_chat.StreamDecoder().feed_event([])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"a": float("nan")}, "`nan`, expected a finite number"),
        ({"a": MappingProxyType({"b": [float("nan")]})}, "`nan`, expected a finite number"),
        ({"a": object()}, "`object`, expected a value that JSON has"),
        ({"a": "\ud800"}, "text holds a lone surrogate"),
    ],
)
def test_data_that_json_cannot_express_are_refused(data: Any, said: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.providers.openai_chat.decode_response(data)
    assert str(caught.value) == f"openai_chat: {said} - at `$`"


def test_an_error_of_the_api_in_a_dict_is_that_error() -> None:
    with pytest.raises(wg.ProviderError, match="Slow down"):
        wg.providers.openai_responses.decode_response(
            {"error": {"message": "Slow down", "type": "rate_limit_error"}}
        )


class _Model:
    """An object of an SDK, whose models are pydantic's."""

    def __init__(self, **plain: Any) -> None:
        self.plain = plain

    def model_dump(self, *, exclude: Any, **_: Any) -> dict[str, Any]:
        assert exclude["choices"]["__all__"]["message"]["parsed"] is True
        return dict(self.plain)


class CompletionEvent(_Model):
    """As Mistral's SDK names it."""


@pytest.mark.parametrize("name", ["mistral", "openai_chat"])
def test_an_event_of_mistrals_sdk_is_read_on_any_wire(name: str) -> None:
    chunk = {"id": "a", "model": "m", "choices": [{"index": 0, "delta": {"content": "Hi"}}]}
    decoder = wg.PROVIDERS[name].StreamDecoder(losses=[])
    events = decoder.feed_event(CompletionEvent(data=chunk))
    assert [type(event).__name__ for event in events] == ["StreamStart", "BlockStart", "TextDelta"]
    for odd in ({}, {"data": "x"}, {"data": [1]}):
        with pytest.raises(TypeError, match="event of type `CompletionEvent`, expected an object"):
            wg.PROVIDERS[name].StreamDecoder(losses=[]).feed_event(CompletionEvent(**odd))


@pytest.mark.parametrize("name", ["cohere", "gemini", "openai_responses"])
def test_what_an_sdk_has_beside_an_answer_is_left_out_on_any_wire(name: str) -> None:
    found: list[dict[str, Any]] = []

    class Answer(_Model):
        def model_dump(self, *, exclude: Any, **more: Any) -> dict[str, Any]:
            found.append(exclude)
            return super().model_dump(exclude=exclude, **more)

    body = {"message": {"role": "assistant", "content": [{"type": "text", "text": "Hi"}]}}
    answer = Answer(**body, id="a", finish_reason="COMPLETE", sdkHttpResponse={"headers": 1})
    response = wg.providers.cohere.decode_response(answer)
    assert response.extras is None
    assert sorted(found[0]) == ["choices", "content", "output"]
    with pytest.raises(wg.WireglotError):
        wg.PROVIDERS[name].decode_response(Answer(nothing=1))
    assert sorted(found[1]) == ["choices", "content", "output"]
