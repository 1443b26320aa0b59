"""The places in documents that a text cites: what one API says of them -> what another one has.

A text of another API gets them as if it had come over the wire that it goes to, which writes what
came so.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ...model import Extra, RawJson, TextBlock
from .._state.facts import Facts, facts_of

_ODD: Final = (msgspec.DecodeError, UnicodeError, RecursionError)


def cited(block: Any, api: str | None, target: Facts) -> Any:
    """Return a text that cites documents as one of the API that it goes to.

    It stays as it is if one of its sources has no place there, or has been changed.
    """
    if type(block) is not TextBlock or not block.annotations or block.extras is None:
        return block
    if api == target.api:
        return block
    source, form = facts_of(api).documents, target.documents
    extra = block.extras.get(api or "")
    if source is None or form is None or extra is None or extra.spelling is None:
        return block
    try:
        found = source.read(extra.spelling.text, block.text)
    except _ODD:
        return block
    refs = block.annotations
    told = [(ref.title, ref.cited_text or "", ref.extras) for ref in refs]
    if found is None or told != [(each.title, each.cited_text, None) for each in found]:
        return block
    spelling = RawJson(encode(form.write(block.text, found)))
    extras = {**block.extras, target.api: Extra(RawJson(b"{}"), spelling=spelling)}
    return replace(block, extras=extras)
