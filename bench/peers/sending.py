"""An official SDK's `create` -> the bytes that it would send; nothing is sent.

The parameters are complete when the resource calls `_post`. What the SDK then does for the body
(copy or transform, then its own JSON encoder) is done here too. URL, headers and the HTTP client
are left out, in the SDK's favour.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

__all__ = ["answered", "anthropic_bytes", "finished", "openai_bytes", "streamed"]


def answered(resource: Any, *, is_async: bool = True) -> None:
    """Make this resource's `create` return the body's parameters."""

    async def later(path: str, *, body: Any, **rest: Any) -> Any:
        return body

    def now(path: str, *, body: Any, **rest: Any) -> Any:
        return body

    resource._post = later if is_async else now


def finished(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of a coroutine that waits for nothing: no event loop is timed."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError(f"{coroutine} waits for something")


def anthropic_bytes() -> Callable[[Any], bytes]:
    """Return the step from parameters to bytes of the installed Anthropic SDK."""
    from anthropic._utils._json import openapi_dumps

    try:
        from anthropic._utils._prepare import prepare_request_data
    except ImportError:  # this version transforms the parameters in `create`
        return openapi_dumps

    return lambda data: openapi_dumps(prepare_request_data(data, location="body"))


def openai_bytes() -> Callable[[Any], bytes]:
    """Return the step from parameters to bytes of the OpenAI SDK."""
    from openai._utils._json import openapi_dumps

    return openapi_dumps


def streamed(http: Any, url: str, chunks: list[bytes], *, is_async: bool = False) -> Any:
    """Return an HTTP response of the SDK's HTTP library whose network chunks are these."""
    request = http.Request("POST", url)
    headers = {"content-type": "text/event-stream"}
    content = _later(chunks) if is_async else iter(chunks)
    return http.Response(200, headers=headers, content=content, request=request)


async def _later(chunks: list[bytes]) -> Any:
    for chunk in chunks:
        yield chunk
