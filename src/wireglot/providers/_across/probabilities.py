"""How probable the tokens of an answer are: what one API says of them -> what another one has.

Chat, Mistral, Responses and Ollama describe a token alike, in different places. An answer of
another API gets them as unknown keys of the wire that it goes to, which writes such keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import is_not
from typing import Any, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ...model import Content, Extra, Extras, RawJson, Response, TextBlock
from .._state.facts import Facts, LogprobsForm, TokenLogprob, facts_of

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_objects = msgspec.json.Decoder(list[dict[str, Raw]]).decode
_tokens = msgspec.json.Decoder(list[TokenLogprob]).decode
_ODD: Final = (msgspec.DecodeError, msgspec.ValidationError, UnicodeError, RecursionError)


# -- the places -------------------------------------------------------------------------------


def _in_list(keys: dict[str, Raw]) -> list[TokenLogprob] | None:
    found = keys.pop("logprobs", None)
    return _tokens(found) if found is not None else None


def _as_list(tokens: list[TokenLogprob]) -> dict[str, Any]:
    return {"logprobs": tokens}


def _in_choice(keys: dict[str, Raw]) -> list[TokenLogprob] | None:
    """Take them from the first choice; those of others, or of a refusal, stay."""
    choices = _objects(keys.get("choices", b"[]"))
    given = _keys(choices[0].pop("logprobs", b"{}")) if choices else {}
    others = {key for key in given if key != "content" and bytes(given[key]) not in _NOTHING}
    if others or bytes(given.get("content", b"null")) == b"null":
        return None
    tokens = _tokens(given["content"])
    keys.pop("choices")
    if any(choices):
        keys["choices"] = Raw(encode(choices))
    return tokens


_NOTHING: Final = (b"null", b"[]")


def _as_chat_choice(tokens: list[TokenLogprob]) -> dict[str, Any]:
    return {"choices": [{"logprobs": {"content": tokens, "refusal": None}}]}


CHAT: Final = LogprobsForm(_in_choice, _as_chat_choice)
MISTRAL: Final = LogprobsForm(_in_choice, None)
"""Its SDK (mistralai 3.7) refuses a token without `token_id`, which no other API has."""
OLLAMA: Final = LogprobsForm(_in_list, _as_list)
RESPONSES: Final = LogprobsForm(_in_list, _as_list, in_text=True)


# -- from one to another ----------------------------------------------------------------------


def carried(response: Response, target: Facts, *, is_stream: bool = False) -> Response:
    """Return an answer with its probabilities as keys of the API that it goes to.

    It stays as it is if that API has no place for them: in a stream that is so if it has them with
    the text, which has been told before they are known.
    """
    api = response.message.api
    source, form = facts_of(api).logprobs, target.logprobs
    if api is None or api == target.api or source is None or form is None or form.write is None:
        return response
    content = response.message.content
    texts = [block for block in content if type(block) is TextBlock]
    if form.in_text and (is_stream or len(texts) != 1):
        return response
    found: list[TokenLogprob] = []
    if source.in_text:
        content = [_without(block, api, source, found) for block in content]
    extras = response.extras
    if not source.in_text and extras is not None and api in extras:
        extras = _without_keys(extras, api, source, found)
    if found:
        keys = {target.api: Extra(RawJson(encode(form.write([*map(_whole, found)]))))}
        if form.in_text:
            content = [_with(each, keys) if type(each) is TextBlock else each for each in content]
        else:
            extras = {**(extras or {}), **keys}
    return changed(response, content, extras)


def changed(response: Response, content: list[Content], extras: Extras | None) -> Response:
    """Return an answer with this content and these extras, itself if they are its own.

    Losses name the parts of the very message that is encoded.
    """
    message = response.message
    if any(map(is_not, content, message.content)):
        response = replace(response, message=replace(message, content=content))
    return response if extras is response.extras else replace(response, extras=extras)


def left(block: Any, api: str | None, target: Facts) -> Any:
    """Return a block without the probabilities that the end of a stream tells."""
    source, form = facts_of(api).logprobs, target.logprobs
    if api is None or api == target.api or source is None or form is None or form.write is None:
        return block
    return _without(block, api, source, []) if source.in_text and not form.in_text else block


def _without(block: Any, api: str, form: LogprobsForm, found: list[TokenLogprob]) -> Content:
    extras = block.extras
    if type(block) is not TextBlock or extras is None or api not in extras:
        return block  # type: ignore[no-any-return]
    without = _without_keys(extras, api, form, found)
    return block if without is extras else replace(block, extras=without)


def _without_keys(
    extras: Extras, api: str, form: LogprobsForm, found: list[TokenLogprob]
) -> Extras:
    """Return extras without the probabilities in them, which `found` gets."""
    extra = extras[api]
    try:
        keys = _keys(extra.keys.text)
        tokens = form.read(keys)
    except _ODD:  # another form, which stays a key that only this API understands
        return extras
    if tokens is None:
        return extras
    found += tokens
    return {**extras, api: replace(extra, keys=RawJson(encode(keys)))}


def _with(block: TextBlock, keys: Extras) -> TextBlock:
    return replace(block, extras={**(block.extras or {}), **keys})


def _whole(token: TokenLogprob) -> TokenLogprob:
    """Return a token with all that Chat says of one, and its alternatives."""
    return replace(
        token,
        bytes=_bytes(token) if token.bytes is None else token.bytes,
        top_logprobs=[
            replace(top, bytes=_bytes(top), token_id=None) for top in token.top_logprobs or ()
        ],
        token_id=None,
    )


def _bytes(token: TokenLogprob) -> list[int]:
    given: Iterable[int] | None = token.bytes
    return [*(token.token.encode("utf-8", "surrogatepass") if given is None else given)]
