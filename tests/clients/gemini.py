"""The client `google-genai`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of what the client imports
    from google import genai
    from google.genai import types

from tests.clients.seen import QUESTION, TOOL, Call, Seen

__all__ = ["Client"]


class Client:
    model = "m"
    STREAM = "text/event-stream"
    CALLS = "STOP"
    ENDS = "STOP"

    def __init__(self, url: str) -> None:
        options = types.HttpOptions(
            base_url=url, retry_options=types.HttpRetryOptions(attempts=1), timeout=60_000
        )
        self._client = genai.Client(api_key="x", http_options=options)
        self._history: list[Any] = []

    def ask(self, *, streamed: bool, image: bytes | None = None) -> Seen:
        parts = [types.Part(text=QUESTION)]
        if image is not None:
            parts.append(types.Part.from_bytes(data=image, mime_type="image/png"))
        self._history = [types.Content(role="user", parts=parts)]
        return self._send(streamed)

    def tell(self, results: Sequence[str]) -> Seen:
        parts = self._history[-1].parts
        calls = [part.function_call for part in parts if part.function_call]
        told = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=call.id, name=call.name, response={"output": result}
                )
            )
            for call, result in zip(calls, results, strict=True)
        ]
        self._history.append(types.Content(role="user", parts=told))
        return self._send(False)

    def _send(self, streamed: bool) -> Seen:
        function = types.FunctionDeclaration(
            name=TOOL["name"], parameters_json_schema=TOOL["parameters"]
        )
        off = types.AutomaticFunctionCallingConfig(disable=True)
        config = types.GenerateContentConfig(
            tools=[types.Tool(function_declarations=[function])], automatic_function_calling=off
        )
        asked: dict[str, Any] = {"model": self.model, "contents": self._history, "config": config}
        if streamed:
            chunks: Iterable[Any] = list(self._client.models.generate_content_stream(**asked))
        else:
            chunks = [self._client.models.generate_content(**asked)]
        seen, parts = _seen(chunks)
        self._history.append(types.Content(role="model", parts=parts))
        if not streamed:
            (answer,) = chunks
            answer.sdk_http_response = None
            seen.whole = answer.model_dump(mode="json", exclude_none=True)
        return seen


def _seen(chunks: Iterable[Any]) -> tuple[Seen, list[Any]]:
    seen, parts = Seen(), []
    for chunk in chunks:
        for candidate in chunk.candidates or ():
            if candidate.index:
                continue
            parts += (candidate.content and candidate.content.parts) or ()
            seen.stop = candidate.finish_reason.value if candidate.finish_reason else seen.stop
        usage = chunk.usage_metadata
        if usage is not None:
            out = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
            seen.tokens = (usage.prompt_token_count or 0, out)
    for part in parts:
        if part.function_call:
            call = part.function_call
            seen.calls.append(Call(call.id, call.name, call.args))
        elif part.thought:
            seen.thinking += part.text or ""
        else:
            seen.text += part.text or ""
    return seen, parts
