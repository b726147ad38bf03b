"""The books: what statements, balances and pots say of the transfers behind them."""

from collections import Counter

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.accounts import (
    accounts_of,
    balance_as_of,
    statement,
    statement_of_owners,
    trial_balance,
)
from ledger.drafts import Draft
from ledger.store import append, open_log
from ledger.verify import verify_log
from tests.ledger.writing import account, claim, new_stream, noted, paid, store

KEYS = ("N", "E", "S", "W", "bank", "hand", "accord")


@pytest.fixture
def played(log: int) -> tuple[int, str]:
    """Two antes, a pot paid out and an ante taken back, with an event between that moves
    nothing.
    """
    stream = new_stream()
    store(
        log,
        paid(stream, "N", "hand", 3, at=10),
        paid(stream, "E", "hand", 2, at=20),
        noted(stream, at=30),
        now=1,
    )
    store(log, paid(stream, "hand", "N", 5, at=40), after=3, now=2)
    store(
        log,
        paid(stream, "hand", "E", 2, reverses=2, at=50),
        paid(stream, "S", "hand", 4, at=60),
        after=4,
        now=3,
    )
    return log, stream


def test_a_statement_has_a_line_for_each_transfer_and_a_running_balance(
    played: tuple[int, str],
) -> None:
    log, stream = played

    lines = statement(log, stream=stream, key="hand")

    assert [(line.position, line.counterpart, line.chips, line.balance) for line in lines] == [
        (1, "N", 3, 3),
        (2, "E", 2, 5),
        (4, "N", -5, 0),
        (5, "E", -2, -2),
        (6, "S", 4, 2),
    ]
    assert [line.reverses for line in lines] == [None, None, None, 2, None]
    assert [(line.version, line.occurred_at) for line in lines] == [
        (1, 10),
        (2, 20),
        (4, 40),
        (5, 50),
        (6, 60),
    ]


def test_the_statement_of_a_person_goes_over_all_their_games(played: tuple[int, str]) -> None:
    log, stream = played
    other = new_stream()
    store(log, paid(other, "bank", "N", 7))

    lines = statement_of_owners(log, ["person-N"])

    assert [(line.stream, line.account, line.chips, line.balance) for line in lines] == [
        (stream, "N", -3, -3),
        (stream, "N", 5, 2),
        (other, "N", 7, 9),
    ]
    assert statement_of_owners(log, ["person-unknown"]) == []


def test_chips_between_two_accounts_of_one_person_are_two_lines(log: int) -> None:
    stream = new_stream()
    draft = paid(stream, "N", "S", 3)
    assert draft.transfer
    ours = type(draft.transfer)(
        source=type(account("N"))(key="N", owner="person-1", overdraft=True),
        target=type(account("N"))(key="S", owner="person-1"),
        chips=3,
    )
    store(
        log,
        Draft(
            stream=stream, type=draft.type, schema=1, occurred_at=1, body=draft.body, transfer=ours
        ),
    )

    assert [
        (line.account, line.chips, line.balance) for line in statement_of_owners(log, ["person-1"])
    ] == [("N", -3, -3), ("S", 3, 0)]


@pytest.mark.parametrize(
    ("position", "chips"), [(0, 0), (1, 3), (2, 5), (3, 5), (4, 0), (5, -2), (6, 2), (99, 2)]
)
def test_a_balance_as_of_a_position_knows_nothing_later(
    played: tuple[int, str], position: int, chips: int
) -> None:
    log, stream = played

    assert balance_as_of(log, stream=stream, key="hand", position=position) == chips


@pytest.mark.parametrize(("occurred_at", "chips"), [(9, 0), (10, 3), (39, 5), (40, 0), (60, 2)])
def test_a_balance_as_of_a_time_counts_what_had_occurred_by_then(
    played: tuple[int, str], occurred_at: int, chips: int
) -> None:
    log, stream = played

    assert balance_as_of(log, stream=stream, key="hand", occurred_at=occurred_at) == chips


def test_pots_are_the_accounts_nobody_owns(played: tuple[int, str]) -> None:
    log, stream = played
    store(log, paid(stream, "W", "accord", 1), after=6)

    pots = accounts_of(log, stream=stream, owners=[""])
    assert {pot.key: pot.chips for pot in pots} == {"accord": 1, "hand": 2}


def test_accounts_are_listed_with_their_owner_and_balance(played: tuple[int, str]) -> None:
    log, stream = played

    assert [(a.key, a.owner, a.chips, a.overdraft) for a in accounts_of(log, stream=stream)] == [
        ("E", "person-E", 0, True),
        ("N", "person-N", 2, True),
        ("S", "person-S", -4, True),
        ("hand", "", 2, False),
    ]


def test_another_log_has_books_of_its_own(played: tuple[int, str]) -> None:
    _, stream = played
    other = int(open_log().pk)

    assert accounts_of(other) == []
    assert statement(other, stream=stream, key="hand") == []
    assert trial_balance(other) == 0


transfers = st.lists(
    st.tuples(
        st.sampled_from(KEYS), st.sampled_from(KEYS), st.integers(1, 10**9), st.integers(0, 3)
    ).filter(lambda t: t[0] != t[1]),
    min_size=1,
    max_size=25,
)


def appended(log: int, stream: str, moves: list[tuple[str, str, int, int]]) -> None:
    """Append `moves` in batches; the fourth of each says how many events that move nothing come
    before it.
    """
    drafts = [
        draft
        for source, target, chips, idle in moves
        for draft in (*[noted(stream)] * idle, paid(stream, source, target, chips))
    ]
    for start in range(0, len(drafts), 7):
        lot = [d if d.transfer is None else _unlimited(d) for d in drafts[start : start + 7]]
        append(log, claim(), lot, expected={stream: start}, now=start)


def _unlimited(draft: Draft) -> Draft:
    assert draft.transfer
    source, target = (
        account(ref.key, overdraft=True) for ref in (draft.transfer.source, draft.transfer.target)
    )
    transfer = type(draft.transfer)(source=source, target=target, chips=draft.transfer.chips)
    return Draft(
        stream=draft.stream,
        type=draft.type,
        schema=1,
        occurred_at=1,
        body=draft.body,
        transfer=transfer,
    )


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(moves=transfers)
def test_chips_sum_to_zero_at_every_prefix_and_every_balance_is_the_fold_of_it(
    db: None, moves: list[tuple[str, str, int, int]]
) -> None:
    with transaction.atomic():
        log, stream = int(open_log().pk), new_stream()
        appended(log, stream, moves)

        folded, position = Counter[str](), 0
        for source, target, chips, idle in moves:
            position += idle + 1
            folded[source] -= chips
            folded[target] += chips
            then = {
                key: balance_as_of(log, stream=stream, key=key, position=position) for key in KEYS
            }
            assert sum(then.values()) == 0
            assert {key: chips for key, chips in then.items() if chips} == {
                key: chips for key, chips in folded.items() if chips
            }
        for balance in accounts_of(log, stream=stream):
            lines = statement(log, stream=stream, key=balance.key)
            assert (
                balance.chips
                == folded[balance.key]
                == lines[-1].balance
                == sum(line.chips for line in lines)
            )
            assert balance_as_of(log, stream=stream, key=balance.key) == balance.chips
        assert trial_balance(log) == 0
        assert list(verify_log(log)) == []
