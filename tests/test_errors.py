"""Errors travel: between processes and threads they keep what they say."""

import copy
import pickle
from collections.abc import Callable

import pytest

import wireglot as wg

ERRORS: list[wg.WireglotError] = [
    kind("what, expected what", wire="json", path="$.messages[3].content")
    for kind in (
        wg.WireglotError,
        wg.EncodeError,
        wg.LossError,
        wg.DecodeError,
        wg.StreamError,
        wg.LimitError,
    )
]
ERRORS.append(
    wg.ProviderError(
        "rate_limit",
        "Slow down.",
        status=429,
        code="rate_limit_error",
        retry_after=7.0,
        wire="anthropic",
        body=b"{}",
    )
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(
    "travel",
    [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy],
    ids=["pickled", "copied", "copied deeply"],
)
def test_an_error_that_travelled_says_the_same(
    error: wg.WireglotError, travel: Callable[[wg.WireglotError], wg.WireglotError]
) -> None:
    again = travel(error)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert again.args == error.args
    assert vars(again) == vars(error)


def test_what_errors_say() -> None:
    assert str(ERRORS[3]) == "json: what, expected what - at `$.messages[3].content`"
    assert str(ERRORS[-1]) == "anthropic: rate_limit (429): Slow down."
    assert str(wg.DecodeError("what")) == "what - at `$`"
    assert str(wg.ProviderError("server", "Oh.")) == "server: Oh."


def test_a_loss_never_changes_and_can_stand_in_a_set() -> None:
    loss = wg.Loss("$.messages[3]", "audio", "left out")
    with pytest.raises(AttributeError, match="immutable"):
        loss.path = "$"  # type: ignore[misc]
    assert {loss, wg.Loss("$.messages[3]", "audio", "left out")} == {loss}
    assert str(loss) == "audio: left out - at `$.messages[3]`"


def test_what_was_assigned_to_a_field_that_does_not_take_it_is_the_callers_fault() -> None:
    message = wg.AssistantMessage([wg.ToolCallBlock("c1", "f", {})])
    message.usage = {"input": 1}  # type: ignore[assignment]
    for name in ("pyagenity", "ravi", "operator_use"):
        with pytest.raises(wg.EncodeError):
            wg.FORMATS[name].encode([message])
    with pytest.raises(wg.EncodeError) as caught:
        wg.json.encode(message, check=True)
    assert str(caught.value) == "json: expected `Usage`, got `dict` - at `$.usage`"


VIDEO = wg.VideoBlock(url="https://x/v.mp4", thumbnail={"url": "u"})  # type: ignore[arg-type]
NO_USAGE = wg.AssistantMessage(
    [wg.TextBlock("Hi")],
    usage={"input": 1},  # type: ignore[arg-type]
)
NO_CITATION = wg.AssistantMessage(
    [wg.TextBlock("Hi", annotations=[{"url": "u"}])]  # type: ignore[list-item]
)
NO_BLOCKS = wg.UserMessage(content={"type": "text"})  # type: ignore[arg-type]
NO_BLOCK = wg.UserMessage([{"type": "text", "text": "Hi"}])  # type: ignore[list-item]


@pytest.mark.parametrize("name", list(wg.FORMATS))
@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (NO_USAGE, "expected `Usage`, got `dict` - at `$[0].usage`"),
        (
            NO_CITATION,
            "expected `AnnotationRef`, got `dict` - at `$[0].content[0].annotations[0]`",
        ),
        (
            wg.UserMessage([VIDEO]),
            "expected `ImageBlock`, got `dict` - at `$[0].content[0].thumbnail`",
        ),
        (NO_BLOCKS, "expected `array`, got `object` - at `$[0].content`"),
        (NO_BLOCK, "`dict`, expected a content block - at `$[0].content[0]`"),
    ],
    ids=["usage", "citation", "thumbnail", "a dict as content", "a dict as block"],
)
def test_a_value_of_a_wrong_type_is_the_callers_fault_in_every_format(
    name: str, message: wg.Message, reason: str
) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.FORMATS[name].encode([message], losses=[])
    assert str(caught.value) == f"{name}: {reason}"


@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "cohere"])
def test_a_dict_as_content_is_the_callers_fault_at_every_provider(name: str) -> None:
    with pytest.raises(
        wg.EncodeError, match=r"expected `array`, got `object` - at `\$.messages\[0\].content`"
    ):
        wg.PROVIDERS[name].encode_request(wg.Request([NO_BLOCKS], model="m"), losses=[])


def test_a_value_from_outside_is_cut_and_on_one_line() -> None:
    long = "x" * 10_000
    with pytest.raises(wg.DecodeError) as caught:
        wg.json.decode(b'[{"role":"%b\\n"}]' % long.encode())
    assert f"unknown role `{'x' * 57}...`" in str(caught.value)
    with pytest.raises(wg.DecodeError) as caught:
        wg.json.decode(
            b'{"role":"user","content":[],"a\\n":1,"cache":{"ttl":"%b"}}' % long.encode()
        )
    assert len(str(caught.value)) < 400
    with pytest.raises(wg.EncodeError) as refused:
        wg.translate_request(b"{}", "a\nb\ud83d", "gemini")
    assert str(refused.value).startswith("translate: unknown provider `a\\nb\\ud83d`, expected")
    error = wg.DecodeError("what", path="$." + long)
    assert str(error) == f"what - at `$.{'x' * 295}...`"
    assert error.path == "$." + long


@pytest.mark.parametrize("target", ["anthropic", "typo"])
def test_a_request_for_an_unknown_api_is_refused(target: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.providers.openai_chat.decode_request(b'{"messages":[]}', target=target)
    reason = caught.value.reason
    assert reason.startswith(f"unknown target `{target}`, expected one of `anthropic-messages`, ")
    assert reason.endswith("; did you mean `anthropic-messages`?") is (target == "anthropic")


def test_a_message_whose_parts_are_missing_is_a_decode_error() -> None:
    message = wg.FORMATS["pydantic_ai"].decode(b'[{"kind":"request","parts":[]}]')
    (own,) = wg.FORMATS["pydantic_ai"].from_canonical(message)
    own.parts = None
    with pytest.raises(wg.DecodeError, match=r"^pydantic_ai: value of a wrong type"):
        wg.FORMATS["pydantic_ai"].to_canonical([own])
