"""The contract of the store, the same on every database."""

import hashlib
import json

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from ledger import chain
from ledger.chain import Stored
from ledger.drafts import CommandReused, Draft, Overdrawn, StreamMoved
from ledger.models import Account, Command, Event, Log, Transfer
from ledger.reading import (
    head_of,
    read_log,
    read_stream,
    read_streams,
    version_of,
    versions_in,
)
from ledger.store import answer_to, append, open_log
from tests.ledger.writing import account, canonical, claim, new_stream, noted, paid, store


def balances(stream: str) -> dict[str, int]:
    return {a.key: a.credits - a.debits for a in Account.objects.filter(stream=stream)}


def test_events_come_back_as_they_were_given(log: int) -> None:
    stream, sent = new_stream(), claim(b"record it", actor="person-7")
    text = 'it\'s 100 % "quoted" \\ \x01 – Ärger 🂡 %s {}'

    append(
        log,
        sent,
        [noted(stream, text, at=5), noted(stream, "second", at=4)],
        expected={stream: 0},
        now=9,
    )

    first, second = read_log(log)
    assert (first.stream, first.version, first.type, first.schema) == (stream, 1, "table.noted", 1)
    assert (first.occurred_at, first.recorded_at, first.actor, first.command) == (
        5,
        9,
        "person-7",
        sent.id,
    )
    assert first.body.encode() == canonical({"text": text})
    assert (second.position, second.version, second.occurred_at) == (2, 2, 4)


def test_positions_and_versions_have_no_gaps_across_streams(log: int) -> None:
    red, blue = new_stream(), new_stream()

    append(log, claim(), [noted(red), noted(blue), noted(red)], expected={red: 0, blue: 0}, now=1)
    answer = append(log, claim(), [noted(blue), noted(red)], expected={red: 2, blue: 1}, now=1)

    assert [(e.position, e.stream, e.version) for e in read_log(log)] == [
        (1, red, 1),
        (2, blue, 1),
        (3, red, 2),
        (4, blue, 2),
        (5, red, 3),
    ]
    assert (answer.first, answer.last, answer.repeated) == (4, 5, False)
    assert answer.versions == {red: 3, blue: 2}


def test_two_logs_count_their_positions_apart(log: int) -> None:
    other = open_log().pk
    store(log, noted(new_stream()))

    assert store(other, noted(new_stream())).first == 1


def test_a_stream_belongs_to_one_log(log: int) -> None:
    stream = new_stream()
    store(log, noted(stream))

    with pytest.raises(IntegrityError):
        store(open_log().pk, noted(stream), after=1)


def test_the_hash_is_the_leaf_hash_of_the_canonical_metadata(log: int) -> None:
    """Worked out here with the standard library alone."""
    stream = new_stream()
    store(log, noted(stream, "é"), paid(stream, "N", "hand", 3))
    first, second = read_log(log)
    row = Log.objects.get(pk=log)

    assert (
        first.prev_hash
        == hashlib.sha256(f"accord log 1\n{row.key}\n{row.command_key}".encode()).hexdigest()
    )
    assert second.prev_hash == first.hash
    assert second.hash == row.hash
    entry = {
        "actor": "person-1",
        "body": hashlib.sha256(second.body.encode()).hexdigest(),
        "command": second.command,
        "command_digest": Command.objects.get(key=second.command).digest,
        "log": row.key,
        "occurred_at": 1_000,
        "position": 2,
        "prev": first.hash,
        "recorded_at": 2_000,
        "schema": 1,
        "stream": stream,
        "transfer": {
            "source": "N",
            "source_owner": "person-N",
            "source_overdraft": 1,
            "target": "hand",
            "target_owner": "",
            "target_overdraft": 0,
            "chips": 3,
            "reverses": None,
        },
        "type": "chips.moved",
        "version": 2,
    }
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"))
    assert second.hash == hashlib.sha256(b"\x00" + text.encode()).hexdigest()


def test_the_empty_log_has_a_hash_that_depends_on_both_its_keys() -> None:
    assert len({chain.genesis("a", "b"), chain.genesis("a", "c"), chain.genesis("b", "b")}) == 3


def test_recorded_time_never_goes_back_in_a_log(log: int) -> None:
    stream = new_stream()
    store(log, noted(stream), now=50)
    store(log, noted(stream), after=1, now=20)
    store(log, noted(stream), after=2, now=60)

    assert [e.recorded_at for e in read_log(log)] == [50, 50, 60]


def test_a_repeated_command_gets_its_first_answer_and_stores_nothing(log: int) -> None:
    stream, other, sent = new_stream(), new_stream(), claim(b"once")
    drafts = [noted(stream), paid(stream, "N", "hand", 2), noted(other)]
    first = append(log, sent, drafts, expected={stream: 0, other: 0}, now=1)
    store(log, noted(stream), after=2)

    again = append(log, sent, drafts, expected={stream: 0, other: 0}, now=99)

    assert (again.first, again.last, again.versions) == (first.first, first.last, first.versions)
    assert (first.repeated, again.repeated) == (False, True)
    assert answer_to(log, sent) == again
    assert head_of(log).position == 4
    assert balances(stream) == {"N": -2, "hand": 2}


def test_a_command_id_with_other_content_is_refused(log: int) -> None:
    stream, sent = new_stream(), claim(b"one thing")
    append(log, sent, [noted(stream)], expected={stream: 0}, now=1)
    other = claim(b"another thing", command=sent.id)

    with pytest.raises(CommandReused):
        append(log, other, [noted(stream)], expected={stream: 1}, now=1)
    with pytest.raises(CommandReused):
        answer_to(log, other)


def test_a_command_never_taken_has_no_answer(log: int) -> None:
    assert answer_to(log, claim()) is None


def test_the_same_command_id_may_be_used_in_another_log(log: int) -> None:
    other, sent = open_log().pk, claim(b"one thing")
    red, blue = new_stream(), new_stream()
    append(log, sent, [noted(red)], expected={red: 0}, now=1)

    assert not append(other, sent, [noted(blue)], expected={blue: 0}, now=1).repeated


def test_a_command_is_kept_as_a_keyed_digest_and_not_as_content(log: int) -> None:
    secret = b'{"name":"somebody"}'
    append(log, claim(secret), [noted(stream := new_stream())], expected={stream: 0}, now=1)

    (command,) = Command.objects.values()
    assert command["digest"] != hashlib.sha256(secret).hexdigest()
    assert "somebody" not in str(command)


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_a_stream_at_another_version_than_expected_has_moved(log: int, expected: int) -> None:
    stream = new_stream()
    store(log, noted(stream), noted(stream))

    with pytest.raises(StreamMoved) as moved:
        store(log, noted(stream), after=expected)

    assert (moved.value.stream, moved.value.expected, moved.value.actual) == (stream, expected, 2)
    assert head_of(log).position == 2


def test_a_stream_relied_on_but_not_written_must_not_have_moved(log: int) -> None:
    read, written = new_stream(), new_stream()
    store(log, noted(read))

    with pytest.raises(StreamMoved):
        append(log, claim(), [noted(written)], expected={written: 0, read: 0}, now=1)
    append(log, claim(), [noted(written)], expected={written: 0, read: 1}, now=1)


def test_the_projection_sees_the_stored_events_in_the_same_transaction(log: int) -> None:
    stream, seen = new_stream(), list[Stored]()
    append(
        log,
        claim(),
        [noted(stream, "a"), noted(stream, "b")],
        expected={stream: 0},
        now=1,
        project=seen.extend,
    )

    assert seen == list(read_log(log))


def test_a_projection_that_fails_leaves_nothing_behind(log: int) -> None:
    stream, sent = new_stream(), claim()

    def fails(stored: object) -> None:
        raise RuntimeError("projection")

    with pytest.raises(RuntimeError):
        append(
            log, sent, [paid(stream, "N", "hand", 1)], expected={stream: 0}, now=1, project=fails
        )

    assert head_of(log).position == 0
    assert [model.objects.count() for model in (Event, Command, Account, Transfer)] == [0, 0, 0, 0]
    assert answer_to(log, sent) is None


def test_transfers_raise_the_counters_of_both_accounts(log: int) -> None:
    stream = new_stream()
    store(
        log,
        paid(stream, "N", "hand", 3),
        paid(stream, "E", "hand", 2),
        paid(stream, "hand", "N", 5),
    )
    store(log, paid(stream, "N", "accord", 1), after=3)

    assert balances(stream) == {"N": 1, "E": -2, "hand": 0, "accord": 1}
    north = Account.objects.get(stream=stream, key="N")
    assert (north.debits, north.credits, north.owner, north.overdraft) == (4, 5, "person-N", True)
    assert list(Transfer.objects.order_by("position").values_list("position", "chips")) == [
        (1, 3),
        (2, 2),
        (3, 5),
        (4, 1),
    ]


def test_the_same_account_key_in_two_streams_is_two_accounts(log: int) -> None:
    red, blue = new_stream(), new_stream()
    append(
        log,
        claim(),
        [paid(red, "N", "hand", 3), paid(blue, "N", "hand", 4)],
        expected={red: 0, blue: 0},
        now=1,
    )

    assert (balances(red)["N"], balances(blue)["N"]) == (-3, -4)


def test_an_account_without_overdraft_cannot_end_below_zero(log: int) -> None:
    stream = new_stream()
    store(log, paid(stream, "N", "hand", 3))

    with pytest.raises(Overdrawn):
        store(log, paid(stream, "hand", "N", 4), after=1)
    assert balances(stream) == {"N": -3, "hand": 3}
    assert head_of(log).position == 1


def test_overdraft_is_judged_on_the_net_of_the_whole_append(log: int) -> None:
    stream = new_stream()

    store(log, paid(stream, "hand", "N", 4), paid(stream, "E", "hand", 4))

    assert balances(stream) == {"hand": 0, "N": 4, "E": -4}


def test_an_account_keeps_its_owner(log: int) -> None:
    stream = new_stream()
    store(log, paid(stream, "N", "hand", 3))
    stranger = paid(stream, "N", "hand", 1)
    assert stranger.transfer
    draft = Draft(
        stream=stream,
        type=stranger.type,
        schema=1,
        occurred_at=1,
        body=stranger.body,
        transfer=type(stranger.transfer)(
            source=type(account("N"))(key="N", owner="person-else", overdraft=True),
            target=account("hand"),
            chips=1,
        ),
    )

    with pytest.raises(IntegrityError), transaction.atomic():
        store(log, draft, after=1)
    assert balances(stream) == {"N": -3, "hand": 3}


def test_a_reversal_takes_back_one_transfer_exactly_and_only_once(log: int) -> None:
    stream = new_stream()
    store(log, paid(stream, "N", "hand", 3), paid(stream, "hand", "N", 3, reverses=1))

    assert balances(stream) == {"N": 0, "hand": 0}
    assert Transfer.objects.get(position=2).reverses == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        store(log, paid(stream, "E", "hand", 3), paid(stream, "hand", "N", 3, reverses=1), after=2)


@pytest.mark.parametrize(
    "wrong",
    [("hand", "N", 2), ("N", "hand", 3), ("hand", "E", 3)],
    ids=["other chips", "same direction", "another account"],
)
def test_a_reversal_that_is_not_exact_is_refused(log: int, wrong: tuple[str, str, int]) -> None:
    stream = new_stream()
    store(log, paid(stream, "N", "hand", 3), paid(stream, "E", "hand", 3))

    with pytest.raises(IntegrityError), transaction.atomic():
        store(log, paid(stream, *wrong, reverses=1), after=2)


def test_only_a_transfer_can_be_reversed(log: int) -> None:
    stream = new_stream()
    store(log, noted(stream), paid(stream, "N", "hand", 3))

    with pytest.raises(IntegrityError), transaction.atomic():
        store(log, paid(stream, "hand", "N", 3, reverses=1), after=2)
    with pytest.raises(ValueError, match="no version 9"):
        store(log, paid(stream, "hand", "N", 3, reverses=9), after=2)


@pytest.mark.parametrize("chips", [0, -1])
def test_a_transfer_moves_at_least_one_chip(log: int, chips: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        store(log, paid(new_stream(), "N", "E", chips))


def test_nobody_pays_themselves(log: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        store(log, paid(new_stream(), "N", "N", 1))


def test_an_event_has_a_transfer_exactly_when_it_is_a_chip_event(log: int) -> None:
    stream = new_stream()
    with_chips, without = paid(stream, "N", "hand", 1), noted(stream)
    for kind, transfer in (("chips.moved", None), ("table.noted", with_chips.transfer)):
        draft = Draft(
            stream=stream, type=kind, schema=1, occurred_at=1, body=without.body, transfer=transfer
        )
        with pytest.raises(ValueError, match=r"exactly when its type is chips\.moved"):
            store(log, draft)


def test_drafts_no_log_could_hold_are_refused_before_the_database(log: int) -> None:
    stream = new_stream()
    draft = noted(stream)
    with pytest.raises(ValueError, match="at least one event"):
        append(log, claim(), [], expected={}, now=1)
    with pytest.raises(ValueError, match="command id"):
        append(log, claim(command="x" * 37), [draft], expected={stream: 0}, now=1)
    with pytest.raises(ValueError, match="actor"):
        append(log, claim(actor=""), [draft], expected={stream: 0}, now=1)
    with pytest.raises(ValueError, match="expected version"):
        append(log, claim(), [draft], expected={}, now=1)
    with pytest.raises(ValueError, match="a type 1 to 64"):
        append(
            log,
            claim(),
            [Draft(stream=stream, type="", schema=1, occurred_at=1, body=b"{}")],
            expected={stream: 0},
            now=1,
        )


def test_a_log_that_does_not_exist_takes_nothing(db: None) -> None:
    with pytest.raises(Log.DoesNotExist):
        store(404, noted(new_stream()))
    with pytest.raises(LookupError):
        head_of(404)


def test_reading_goes_on_after_a_position_and_stops_at_one(log: int) -> None:
    stream = new_stream()
    store(log, *(noted(stream, str(n)) for n in range(10)))

    assert [e.position for e in read_log(log, after=3, until=8, page=2)] == [4, 5, 6, 7, 8]
    assert [e.position for e in read_log(log, page=5)] == list(range(1, 11))
    assert [e.version for e in read_stream(log, stream, after=7)] == [8, 9, 10]
    assert version_of(log, stream) == 10
    assert version_of(log, new_stream()) == 0


@pytest.mark.parametrize("count", [1, 3])
def test_several_streams_are_read_one_after_the_other_each_in_order(log: int, count: int) -> None:
    streams = [new_stream() for _ in range(count)]
    for stream in streams * 2:
        store(log, *(noted(stream) for _ in range(3)), after=version_of(log, stream))
    elsewhere = open_log().pk
    store(elsewhere, noted(stranger := new_stream()))

    read = {stream: [e.version for e in events] for stream, events in read_streams(log, streams)}

    assert read == {stream: [1, 2, 3, 4, 5, 6] for stream in streams}
    both = read_streams(log, [stranger, streams[0]])
    assert [[(e.position, e.version, e.body) for e in events] for _, events in both] == [
        [(e.position, e.version, e.body) for e in read_stream(log, streams[0])]
    ]


def test_the_versions_of_several_streams_are_those_of_each_in_this_log(log: int) -> None:
    streams = [new_stream() for _ in range(4)]
    for place, stream in enumerate(streams):
        store(log, *(noted(stream) for _ in range(place + 1)))
    elsewhere = open_log().pk
    store(elsewhere, noted(stranger := new_stream()))

    found = versions_in(log, [*reversed(streams), *streams, stranger, new_stream()])

    assert list(found.items()) == [(each, version_of(log, each)) for each in sorted(streams)]
    assert versions_in(elsewhere, [stranger, *streams]) == {stranger: 1}
    assert versions_in(log, iter(())) == {}


def test_a_long_stream_is_read_a_page_at_a_time(log: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = new_stream()
    monkeypatch.setattr("ledger.reading.PAGE", 4)
    store(log, *(noted(stream) for _ in range(9)))

    with CaptureQueriesContext(connection) as queries:
        assert [e.version for e in read_stream(log, stream)] == list(range(1, 10))
    assert len(queries) == 3
