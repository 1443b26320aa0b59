"""Requests that are made to cost much, or to crash: each is read or refused, in a short time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import wireglot as wg

_MANY = 16_000
_SECONDS = 3
"""Each took more than 5 seconds, or more than 20, in proportion to the square of its size."""
_CLAUDE = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"


def _took(job: Callable[[], Any]) -> float:
    start = time.process_time()
    job()
    return time.process_time() - start


def test_a_long_url_of_bedrock_is_refused_at_once() -> None:
    body = b'{"messages":[{"role":"user","content":[{"text":"hi"}]}]}'

    def read() -> None:
        with pytest.raises(wg.DecodeError, match="of another call"):
            wg.providers.bedrock.decode_request(body, "/model/arn:x" * _MANY)

    assert _took(read) < _SECONDS


def test_a_long_url_of_a_host_of_anthropic_names_no_model() -> None:
    body = b'{"max_tokens":9,"messages":[{"role":"user","content":"hi"}]}'

    def read() -> None:
        path = "/models/arn:x" * _MANY
        request = wg.providers.anthropic.decode_request(body, path, dialect="vertex")
        assert request.model is None

    assert _took(read) < _SECONDS


@pytest.mark.parametrize(
    ("path", "model"),
    [
        (
            "/model/arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.x-v1:0/converse",
            "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.x-v1:0",
        ),
        (
            "https://h/model/arn:aws:bedrock:us-east-1:1:provisioned-model/ab/converse?x=1",
            "arn:aws:bedrock:us-east-1:1:provisioned-model/ab",
        ),
    ],
    ids=["an inference profile", "provisioned throughput"],
)
def test_an_arn_with_slashes_is_the_model(path: str, model: str) -> None:
    body = b'{"messages":[{"role":"user","content":[{"text":"hi"}]}]}'
    assert wg.providers.bedrock.decode_request(body, path).model == model


def test_many_documents_that_no_cache_point_may_follow_are_each_looked_at_once() -> None:
    document = wg.DocumentBlock.from_text("x")
    document.cache = wg.CacheMark()
    request = wg.Request([wg.UserMessage([document] * 8000)], _CLAUDE)
    losses: list[wg.Loss] = []
    assert _took(lambda: wg.providers.bedrock.encode_request(request, losses=losses)) < _SECONDS
    assert {loss.what for loss in losses} == {"cache mark"}


@pytest.mark.parametrize("level", ['["HIGH"]', "{}", "7", "null", '"OTHER"', "1e999", "9" * 5000])
def test_a_resolution_of_another_type_stays_as_it_came(level: str) -> None:
    body = (
        '{"contents":[{"role":"user","parts":[{"mediaResolution":{"level":'
        + level
        + '},"inlineData":{"data":"iVBORw0KGgo=","mimeType":"image/png"}}]}]}'
    )
    path = "/v1beta/models/gemini-3-pro-preview:generateContent"
    request = wg.providers.gemini.decode_request(body.encode(), path)
    assert wg.providers.gemini.encode_request(request) == body.encode()
