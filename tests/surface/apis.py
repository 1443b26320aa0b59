"""The APIs, and the types of their newest SDKs: the roots of what is walked."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from typing import Any, NamedTuple

from .tree import List, Node, Obj, of, of_shape


class Root(NamedTuple):
    """One direction of an API: `part` is `request`, `answer` or `stream`."""

    api: str
    part: str
    node: Node

    @property
    def wire(self) -> str:
        return self.api.split()[0]

    @property
    def dialect(self) -> str | None:
        """The service whose SDK it is, if that is not the wire's own."""
        name = self.api.partition(" ")[2]
        return None if name in ("", "beta") else name


def roots() -> Iterator[Root]:
    """Yield the roots of each API; those of a service beside its wire."""
    for api, nodes in {
        "anthropic": _anthropic,
        "anthropic beta": _anthropic_beta,
        "openai_chat": _openai_chat,
        "openai_chat groq": _groq,
        "openai_chat openrouter": _openrouter_chat,
        "openai_responses": _openai_responses,
        "openai_responses openrouter": _openrouter_responses,
        "gemini": _gemini,
        "bedrock": _bedrock,
        "mistral": _mistral,
        "cohere": _cohere,
        "ollama": _ollama,
    }.items():
        for part, node in zip(("request", "answer", "stream"), nodes(), strict=False):
            yield Root(api, part, node)


def versions() -> dict[str, str]:
    """Return the versions of the SDKs, by the name of the distribution."""
    from importlib.metadata import version

    names = "anthropic openai google-genai botocore mistralai cohere ollama groq openrouter"
    return {name: version(name) for name in names.split()}


def _anthropic() -> list[Node]:
    import anthropic.types as t

    request = t.message_create_params.MessageCreateParamsNonStreaming
    return [of(request), of(t.Message), of(t.RawMessageStreamEvent)]


def _anthropic_beta() -> list[Node]:
    import anthropic.types.beta as t

    request = t.message_create_params.MessageCreateParamsNonStreaming
    return [of(request), of(t.BetaMessage), of(t.BetaRawMessageStreamEvent)]


def _openai_chat() -> list[Node]:
    import openai.types.chat as t

    request = t.completion_create_params.CompletionCreateParamsNonStreaming
    return [of(request), of(t.ChatCompletion), of(t.ChatCompletionChunk)]


def _groq() -> list[Node]:
    import groq.types.chat as t

    request = t.completion_create_params.CompletionCreateParams
    return [of(request), of(t.ChatCompletion), of(t.ChatCompletionChunk)]


def _openrouter_chat() -> list[Node]:
    import openrouter.components as t

    return [of(t.ChatRequest), of(t.ChatResult), of(t.ChatStreamChunk)]


def _openai_responses() -> list[Node]:
    import openai.types.responses as t

    request = t.response_create_params.ResponseCreateParamsNonStreaming
    return [of(request), of(t.Response), of(t.ResponseStreamEvent)]


def _openrouter_responses() -> list[Node]:
    import openrouter.components as t

    return [of(t.ResponsesRequest), of(t.OpenResponsesResult)]


_BESIDE_CONFIG = {"tools", "tool_config", "safety_settings", "cached_content", "labels"}
_BESIDE_CONFIG |= {"service_tier", "model_armor_config", "store", "continuation_token"}
_BESIDE_CONFIG |= {"automatic_continuation", "generation_output_config"}
_OF_THE_SDK = {"http_options", "should_return_http_response", "automatic_function_calling"}
_OF_THE_SDK |= {"sdkHttpResponse", "automaticFunctionCallingHistory", "parsed"}


def _gemini() -> list[Node]:
    """Lay out the body as the SDK's own converter does: which key of the config goes where."""
    import google.genai.types as t

    top: dict[str, Any] = {"contents": (List(of(t.Content)), True)}
    inner: dict[str, Any] = {}
    config = of(t.GenerateContentConfig)
    assert isinstance(config, Obj)
    for key, field in config.fields.items():
        snake = re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), key)
        if snake == "system_instruction":
            top[key] = of(t.Content), False
        elif snake == "tools":
            top[key] = List(of(t.Tool)), False
        elif snake == "response_schema":
            inner[key] = of(t.Schema), False
        elif snake not in _OF_THE_SDK:
            (top if snake in _BESIDE_CONFIG else inner)[key] = field
    top["generationConfig"] = Obj("GenerationConfig", lambda: inner), False
    whole = of(t.GenerateContentResponse)
    assert isinstance(whole, Obj)
    told = {key: field for key, field in whole.fields.items() if key not in _OF_THE_SDK}
    answer = Obj("GenerateContentResponse", lambda: told)
    return [Obj("GenerateContentRequest", lambda: top), answer, answer]


def _bedrock() -> list[Node]:
    import botocore.session

    model = botocore.session.get_session().get_service_model("bedrock-runtime")
    whole = model.operation_model("Converse")
    stream = of_shape(model.operation_model("ConverseStream").output_shape)
    assert isinstance(stream, Obj)
    return [of_shape(whole.input_shape), of_shape(whole.output_shape), stream.fields["stream"][0]]


def _mistral() -> list[Node]:
    import mistralai.client.models as t

    return [of(t.ChatCompletionRequest), of(t.ChatCompletionResponse), of(t.CompletionChunk)]


def _cohere() -> list[Node]:
    from cohere import ClientV2

    hints = typing.get_type_hints(ClientV2.chat, include_extras=True)
    answer = of(hints.pop("return"))
    del hints["request_options"]
    request = {key: (of(hint), key in ("model", "messages")) for key, hint in hints.items()}
    stream = typing.get_type_hints(ClientV2.chat_stream, include_extras=True)["return"]
    return [Obj("V2ChatRequest", lambda: request), answer, of(typing.get_args(stream)[0])]


def _ollama() -> list[Node]:
    import ollama._types as t

    return [of(t.ChatRequest), of(t.ChatResponse), of(t.ChatResponse)]
