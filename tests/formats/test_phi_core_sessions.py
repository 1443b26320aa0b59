"""phi-core's session files: their JSON, literally, and what is asked of a session."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

import wireglot as wg
from wireglot.formats import phi_core as phi

TIME = "2026-08-01T12:00:00.5Z"
USAGE = '{"input":1,"output":2,"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":3}'
USER = '{"role":"user","content":[{"type":"text","text":"Hi"}],"timestamp":5}'
ANSWER = (
    '{"role":"assistant","content":[{"type":"text","text":"Hello"}],"stopReason":"stop",'
    f'"model":"m","provider":"p","usage":{USAGE},"timestamp":6}}'
)
TURN = (
    '{"turn_id":{"loopId":"s.c.1","turnIndex":0},"triggered_by":"User",'
    f'"usage":{USAGE},"input_messages":[{USER}],"output_message":{ANSWER},"tool_results":[],'
    f'"started_at":"{TIME}","ended_at":"2026-08-01T12:00:02Z"}}'
)
LOOP = (
    '{"loop_id":"s.c.1","session_id":"s","agent_id":"a","parent_loop_id":null,'
    f'"continuation_kind":"Initial","started_at":"{TIME}","ended_at":null,"status":"Running",'
    '"rejection":null,"config":{"model":"m","provider":"p","config_id":"c"},'
    f'"messages":[{USER},{ANSWER}],"turns":[{TURN}],"usage":{USAGE},"metadata":null,'
    '"events":[{"sequence":0,"event":{"type":"TurnStart","loop_id":"s.c.1","turn_index":0,'
    f'"timestamp":"{TIME}","triggered_by":"User"}}}}],"children_loop_ids":["s.c.2"],'
    '"child_loop_refs":[],"parallel_group":null}'
)
FULL = (
    '{"loop_id":"s.c.2","session_id":"s","agent_id":"a","parent_loop_id":"s.c.1",'
    '"continuation_kind":{"Rerun":{"tag":"t"}},"started_at":"t","ended_at":"t",'
    '"status":"Completed","rejection":"no","config":null,"messages":[],"turns":[],'
    f'"usage":{USAGE},"metadata":{{"k":1}},"events":[],"children_loop_ids":[],'
    '"child_loop_refs":[{"tool_call_id":"c1","tool_name":"t","child_loop_id":"x.c.1",'
    '"child_session_id":"x"}],"parallel_group":{"all_loop_ids":["s.c.2","s.c.3"],'
    f'"selected_loop_id":"s.c.2","selected_config_index":0,"evaluation_usage":{USAGE},'
    '"is_selected":true},"compaction_block":{"keep_first":{"startTurn":0,"endTurn":1},'
    f'"keep_recent":{{"range":{{"startTurn":2,"endTurn":3}},"messages":[{USER}]}},'
    '"createdAt":"t"}}'
)
THIRD = FULL.replace('"loop_id":"s.c.2"', '"loop_id":"s.c.3"').replace(
    '"parent_loop_id":"s.c.1"', '"parent_loop_id":"other.c.1"'
)
SESSION = (
    f'{{"session_id":"s","agent_id":"a","created_at":"{TIME}","last_active_at":"{TIME}",'
    f'"formation":{{"FirstLoop":{{"timestamp":"{TIME}"}}}},"parent_spawn_ref":null,'
    f'"scope":"ephemeral","loops":[{LOOP},{FULL},{THIRD}]}}'
)
OTHERS = [
    (phi.SessionFormation, '{"Explicit":{"timestamp":"t"}}'),
    (
        phi.SessionFormation,
        '{"InactivityTimeout":{"threshold_secs":60,"previous_session_id":null,"timestamp":"t"}}',
    ),
    (
        phi.SpawnRef,
        '{"parent_session_id":"p","parent_loop_id":"p.c.1","tool_call_id":"c","tool_name":"t"}',
    ),
]


def _session() -> Any:
    return phi.decode(SESSION, phi.Session)


def test_a_session_both_ways() -> None:
    assert phi.encode(_session()).decode() == SESSION


def test_a_session_with_indentation_is_the_same() -> None:
    assert phi.decode(msgspec.json.format(SESSION), phi.Session) == _session()


@pytest.mark.parametrize(("kind", "text"), OTHERS)
def test_a_part_of_a_session_both_ways(kind: Any, text: str) -> None:
    assert phi.encode(phi.decode(text, kind)).decode() == text


def test_what_older_files_do_not_have_is_filled_in() -> None:
    text = SESSION.replace('"scope":"ephemeral",', "").replace(
        '"continuation_kind":"Initial",', '"continuation_kind":null,'
    )
    session = phi.decode(text.replace(f'"turns":[{TURN}],', ""), phi.Session)
    assert session.scope == "ephemeral"
    assert session.loops[0].continuation_kind == "Initial"
    assert session.loops[0].turn_count() == 0
    assert session.loops[0].get_turn(0) is None


def test_a_session_is_formed_in_one_way() -> None:
    for text in ("{}", '{"Explicit":{"timestamp":"t"},"FirstLoop":{"timestamp":"t"}}'):
        with pytest.raises(wg.DecodeError, match="several or none of `Explicit`"):
            phi.decode(text, phi.SessionFormation)


def test_the_counts_of_all_loops_are_added() -> None:
    assert _session().total_usage() == phi.Usage(3, 6, 0, 0, 0, 9)
    empty = phi.Session(
        session_id="s",
        agent_id="a",
        created_at="t",
        last_active_at="t",
        formation=phi.SessionFormation(explicit=phi.Formed("t")),
        loops=[],
    )
    assert empty.total_usage() == phi.Usage(0, 0)


def _ids(loops: list[phi.LoopRecord]) -> list[str]:
    return [loop.loop_id for loop in loops]


def test_the_tree_of_loops() -> None:
    session = _session()
    assert _ids(session.root_loops()) == ["s.c.1", "s.c.3"]
    assert _ids(session.children_of("s.c.1")) == ["s.c.2"]
    assert session.children_of("no") == []
    assert _ids(session.parallel_siblings("s.c.2")) == ["s.c.2", "s.c.3"]
    assert session.parallel_siblings("s.c.1") == []
    assert session.get_loop("s.c.2").parent_loop_id == "s.c.1"
    assert session.get_loop("no") is None
    assert session.loop_chain_to("s.c.2") == ["s.c.1", "s.c.2"]
    assert session.loop_chain_to("s.c.3") == ["other.c.1", "s.c.3"]
    assert session.loop_chain_to("no") == ["no"]


def test_a_loop_that_leads_to_itself_ends_the_chain() -> None:
    session = _session()
    session.loops[0].parent_loop_id = "s.c.2"
    assert session.loop_chain_to("s.c.2") == ["s.c.1", "s.c.2"]


def test_a_turn() -> None:
    turn = _session().loops[0].get_turn(0)
    assert turn.index() == 0
    assert turn.duration() == timedelta(seconds=1.5)
    assert not turn.has_tool_calls()
    assert [message.role for message in turn.all_messages()] == ["user", "assistant"]


def test_as_printed_the_messages_of_a_session_are_sorted() -> None:
    loop = phi.decode(LOOP, phi.LoopRecord)
    assert (
        phi.encode(loop, as_printed=True).count(b'{"content":[{"text":"Hi","type":"text"}],') == 2
    )
