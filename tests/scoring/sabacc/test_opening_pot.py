"""What a game leaves in its Ante Pot is there for the next one to begin with (S13)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.commands import EndGame, GivePotBack, TakePot, Undo
from scoring.correcting import decide_correction
from scoring.corrections import Correction, CorrectOpeningPot, CorrectOptions
from scoring.effective_history import course_of
from scoring.ending import decide_end
from scoring.errors import NotationError, RuleViolation
from scoring.events import OpeningPot
from scoring.games import GAMES
from scoring.records import decide_record, read_record, write_record

SABACC = GAMES["contract_sabacc"]
VOID: dict[str, Any] = {"declarer": None, "contract": None}
SLAM: dict[str, Any] = {
    "declarer": "B",
    "contract": "take",
    "points": 91,
    "bonus": {"kind": "grand_slam", "seat": "B"},
}


def a_record(**changes: Any) -> dict[str, Any]:
    """Three players, three void hands: nine chips are left in the Ante Pot."""
    hands = [{"dealer": "A", **VOID}, VOID, VOID]
    players = {"A": "Asha", "B": "Brin", "C": "Cato"}
    record = {
        "format": "salon-record/1",
        "id": "second",
        "game": "contract_sabacc",
        "players": players,
        "hands": hands,
    }
    return record | {"options": {"ante_pot_end": "leave"}} | changes


def played(record: dict[str, Any]) -> tuple[list[Any], Any]:
    return decide_record(read_record(record))


def test_a_record_that_begins_with_a_pot_counts_its_chips() -> None:
    _, state = played(a_record(opening_pot={"from": "first", "chips": 12}))

    result = SABACC.result(state)
    assert [hand["ante_pot"] for hand in result["hands"]] == [15, 18, 21]
    assert result["pots"] == {"ante": 21}
    assert result["chips"] == {"A": -3, "B": -3, "C": -3}


def test_a_bonus_is_a_part_of_the_whole_pot_and_what_is_left_is_shared() -> None:
    slam = {
        "dealer": "A",
        "declarer": "B",
        "contract": "take",
        "points": 91,
        "bonus": {"kind": "grand_slam", "seat": "B"},
    }
    _, state = played(
        a_record(
            opening_pot={"from": "first", "chips": 12},
            options={},
            hands=[slam],
            ended={"kind": "called", "by": "D", "reason": "time"},
        )
    )

    assert SABACC.result(state)["hands"][0]["bonus"]["chips"] == 15
    assert SABACC.result(state)["pots"] == {"ante": 0}
    assert sum(SABACC.result(state)["chips"].values()) == 12


def test_the_pot_comes_back_in_the_canonical_record_and_none_where_there_was_none() -> None:
    given = a_record(opening_pot={"from": "first", "chips": 12})
    _, state = played(given)
    written = write_record(SABACC, state)

    assert written["opening_pot"] == {"from": "first", "chips": 12}
    assert write_record(SABACC, played(written)[1]) == written
    assert "opening_pot" not in write_record(SABACC, played(a_record())[1])


@pytest.mark.parametrize(
    ("pot", "path"),
    [
        ({"from": "first", "chips": 0}, "opening_pot.chips"),
        ({"from": "first", "chips": -3}, "opening_pot.chips"),
        ({"from": "first", "chips": 2.5}, "opening_pot.chips"),
        ({"from": "first"}, "opening_pot.chips"),
        ({"chips": 3}, "opening_pot.from"),
        ({"from": "", "chips": 3}, "opening_pot.from"),
        ({"from": "second", "chips": 3}, "opening_pot.from"),
        ({"from": "first", "chips": 3, "to": "x"}, "opening_pot.to"),
        (12, "opening_pot"),
        (None, "opening_pot"),
    ],
)
def test_a_pot_that_cannot_be_is_named_with_its_place(pot: object, path: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_record(a_record(opening_pot=pot))

    assert (refused.value.code, refused.value.path) == ("bad_record", path)


@pytest.mark.parametrize("game", [name for name in GAMES if name != "contract_sabacc"])
def test_no_other_game_begins_with_a_pot(game: str) -> None:
    players = {seat: f"Player {seat}" for seat in GAMES[game].seatings[0]}
    with pytest.raises(NotationError) as refused:
        read_record(
            a_record(
                game=game,
                players=players,
                options={},
                hands=[],
                opening_pot={"from": "first", "chips": 12},
            )
        )

    assert (refused.value.code, refused.value.path) == ("bad_record", "opening_pot")


def on(state: Any, *acts: Any) -> Any:
    for act in acts:
        for event in SABACC.decide(act, state):
            state = SABACC.evolve(state, event)
    return state


def test_a_pot_is_taken_once_and_whole_when_the_game_is_over() -> None:
    _, over = played(a_record())

    taken = on(over, TakePot(game="third", chips=9))
    assert (taken.balances["ante"], taken.balances["later"], sum(taken.balances.values())) == (
        0,
        9,
        0,
    )
    assert SABACC.result(taken) == SABACC.result(over)
    assert write_record(SABACC, taken) == write_record(SABACC, over)

    open_game = played(a_record(hands=[{"dealer": "A", **VOID}]))[1]
    for state, chips, code in (
        (open_game, 3, "out_of_turn"),
        (over, 10, "no_chips"),
        (over, 8, "bad_total"),
        (taken, 9, "pot_taken"),
    ):
        with pytest.raises(RuleViolation) as refused:
            SABACC.decide(TakePot(game="fourth", chips=chips), state)
        assert (refused.value.code, refused.value.rule) == (code, "S13")


def test_a_pot_given_back_is_as_if_it_had_not_been_taken() -> None:
    _, over = played(a_record())

    back = on(over, TakePot(game="third", chips=9), GivePotBack())

    assert back._replace(version=over.version, balances=over.balances) == over
    assert {key: chips for key, chips in back.balances.items() if chips} == over.balances


def test_an_end_is_not_undone_while_another_game_has_the_pot() -> None:
    _, over = played(a_record())
    undo = Undo(version=SABACC.table(over)["undo"]["version"])
    taken = on(over, TakePot(game="third", chips=9))

    assert SABACC.table(taken)["undo"] is None
    with pytest.raises(RuleViolation, match="game third began with the 9 chips") as refused:
        SABACC.decide(undo, taken)
    assert refused.value.code == "pot_taken"
    assert on(taken, GivePotBack(), undo).hand is not None


def test_a_game_that_was_not_played_holds_no_pot_and_every_chip_went_back() -> None:
    _, state = played(a_record(opening_pot={"from": "first", "chips": 12}, hands=[]))
    for event in decide_end(
        SABACC, EndGame(kind="not_played", by="D", reason="called away"), state
    ):
        state = SABACC.evolve(state, event)

    assert SABACC.opening_pot is not None
    assert SABACC.opening_pot(state) is None
    assert not any(state.balances.values())


def corrected(events: list[Any], change: Any) -> Any:
    course = course_of(SABACC, enumerate(events, 1))
    return decide_correction(
        SABACC, course, len(events), Correction(change=change, by="D", reason="seen"), lenient=True
    )


@pytest.mark.parametrize(
    ("was", "pot"),
    [
        ({}, 12),
        ({"opening_pot": {"from": "first", "chips": 12}}, None),
        ({"opening_pot": {"from": "first", "chips": 12}}, 5),
    ],
)
def test_a_corrected_pot_comes_to_a_game_that_began_with_it(
    was: dict[str, Any], pot: int | None
) -> None:
    slam = {
        "dealer": "A",
        "declarer": "B",
        "contract": "take",
        "points": 91,
        "bonus": {"kind": "grand_slam", "seat": "B"},
    }
    hands = [slam, VOID, VOID]
    events, _ = played(a_record(hands=hands, options={"opening_chips": 50}, **was))

    done = corrected(
        events, CorrectOpeningPot(opening_pot=OpeningPot(game="first", chips=pot) if pot else None)
    )

    right = played(
        a_record(
            hands=hands,
            options={"opening_chips": 50},
            **({"opening_pot": {"from": "first", "chips": pot}} if pot else {}),
        )
    )[1]
    assert SABACC.result(done.state) == SABACC.result(right)
    assert {key: chips for key, chips in done.state.balances.items() if chips} == {
        key: chips for key, chips in right.balances.items() if chips
    }


def test_a_correction_leaves_a_taken_pot_as_it_is_or_is_refused_with_the_way_on() -> None:
    events, over = played(a_record())
    taken = [*events, *SABACC.decide(TakePot(game="third", chips=9), over)]

    same = corrected(
        taken,
        CorrectOptions(
            rules=SABACC.read_rules({"ante_pot_end": "leave", "first_caller": "right", "hands": 3})
        ),
    )
    assert (same.state.taken.game, same.state.balances["later"]) == ("third", 9)

    for options in (
        {"ante_pot_end": "split"},
        {"ante_pot_end": "leave", "ante": 2},
        {"ante_pot_end": "leave", "hands": 6},
    ):
        with pytest.raises(RuleViolation, match="game third began with the 9 chips") as refused:
            corrected(taken, CorrectOptions(rules=SABACC.read_rules(options)))
        assert refused.value.code == "pot_taken"


GAME = st.tuples(
    st.sampled_from((3, 4, 5)),
    st.integers(0, 4),
    st.lists(st.booleans(), min_size=5, max_size=5),
    st.booleans(),
)


@given(st.lists(GAME, min_size=1, max_size=6))
def test_over_a_chain_of_games_no_chip_is_made_or_lost(
    games: list[tuple[int, int, list[bool], bool]],
) -> None:
    """Counted apart: the antes of every hand, a pot won by a Grand Slam, and what the next game
    begins with.
    """
    pot, left_by = 0, ""
    states: list[Any] = []
    for place, (many, ante, slams, takes_it) in enumerate(games):
        begins = pot if takes_it else 0
        brought = {"opening_pot": {"from": left_by, "chips": begins}} if begins else {}
        hands = [SLAM if slam else VOID for slam in slams[:many]]
        players = {seat: f"Player {seat}" for seat in "ABCDE"[:many]}
        options = {"ante_pot_end": "leave", "ante": ante}
        record = a_record(
            id=f"game-{place}",
            players=players,
            options=options,
            hands=[{"dealer": "A"} | hands[0], *hands[1:]],
            **brought,
        )
        _, state = played(record)
        if begins:
            states[-1] = on(states[-1], TakePot(game=f"game-{place}", chips=begins))
        left = begins
        for slam in slams[:many]:
            left = 0 if slam else left + many * ante
        assert SABACC.result(state)["pots"] == {"ante": left}
        assert sum(SABACC.result(state)["chips"].values()) == begins - left
        states, pot, left_by = [*states, state], left, f"game-{place}"

    assert all(sum(state.balances.values()) == 0 for state in states)
    assert (
        sum(state.balances.get("earlier", 0) + state.balances.get("later", 0) for state in states)
        == 0
    )
