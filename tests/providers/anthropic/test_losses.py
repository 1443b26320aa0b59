"""What Anthropic's wire cannot carry: each row of the table of losses has a case that provokes it.

With `losses=None` the case is a `LossError` with the path; with a list the fallback goes out, and
the list says once what was lost and where.
"""

import pytest

import wireglot as wg
from tests.field.test_models import ROWS as MODELS
from tests.providers.anthropic.lossy_fields import IN_FIELDS, IN_PROMPT
from tests.providers.anthropic.lossy_messages import IN_MESSAGES
from tests.providers.anthropic.wire import CALL_A, HI, RESULT_A, body, check_request
from tests.providers.conversation import answer, call, own, request, user
from tests.providers.test_common_losses import FOR_ALL, reason, told
from wireglot.providers.losses import losses_of

TABLE = losses_of("anthropic")
STEP = "pass a list as `losses`, and read it"
CASES = {
    **{
        f"{what}, {how}": (what, path, request(*messages), body(*expected))
        for what, how, messages, path, expected in IN_MESSAGES
    },
    **{
        f"{what}, {how}": (what, path, request(user("hi"), **fields), body(HI, head=head))
        for what, how, fields, path, head in IN_FIELDS
    },
    **{
        f"{what}, {how}": (
            what,
            path,
            request(*prompt, user("hi")),
            body(HI, head=f'"max_tokens":8,"system":{expected}'),
        )
        for what, how, prompt, path, expected in IN_PROMPT
    },
    "thinking midway": (
        "thinking midway",
        "$.thinking",
        request(
            *(user("hi"), own(call("a")), answer("a")),
            max_tokens=2048,
            thinking=wg.Thinking(budget_tokens=1024),
        ),
        body(HI, CALL_A, RESULT_A, head='"max_tokens":2048,"thinking":{"type":"disabled"}'),
    ),
}


SEVERE = {
    "audio, without a transcript",
    "system content, an image on the way",
    "system content, a sound on the way",
    "tool result content, a sound",
    "tool result content, a result in a result",
    "tool result content, an error",
    "video, without a transcript",
    "system content, an image",
}
"""Cases of rows that are not always severe, but are so here."""


@pytest.mark.parametrize(
    ("case", "what", "path", "given", "expected"),
    [(case, *row) for case, row in CASES.items()],
    ids=CASES,
)
def test_a_loss(case: str, what: str, path: str, given: wg.Request, expected: bytes) -> None:
    losses: list[wg.Loss] = []
    encoded = wg.providers.anthropic.encode_request(given, losses=losses)
    check_request(encoded)
    assert encoded == expected
    assert losses == [told(what, path, TABLE, severe=case in SEVERE or None)]


@pytest.mark.parametrize(("what", "path", "given", "expected"), CASES.values(), ids=CASES)
def test_a_loss_that_nobody_allowed(
    what: str, path: str, given: wg.Request, expected: bytes
) -> None:
    with pytest.raises(wg.LossError) as caught:
        wg.providers.anthropic.encode_request(given)
    assert str(caught.value) == f"anthropic: {what}: {reason(what, TABLE)}; {STEP} - at `{path}`"
    assert caught.value.path == path


def test_every_case_has_its_own_name() -> None:
    assert len(CASES) == len(IN_MESSAGES) + len(IN_FIELDS) + len(IN_PROMPT) + 1


def test_every_row_of_the_table_has_a_case() -> None:
    in_requests = {what for what, *_ in CASES.values()}
    in_answers = {"signature", "stop reason"}  # test_response.py has these
    elsewhere = MODELS["anthropic"] - in_requests  # tests/field/test_models.py
    elsewhere |= {"host block", "host key", "host tool", "media url"}  # test_hosts.py
    elsewhere |= {"strict tool"}  # test_hosts.py
    elsewhere |= {"user id"}  # tests/field/test_schemas.py
    elsewhere |= {"annotation detail", "web search"}  # tests/field/test_search.py
    assert in_requests == set(TABLE) - FOR_ALL - in_answers - elsewhere
