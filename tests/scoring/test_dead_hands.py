"""Hands that count for nothing, alike in every game: what they hold is checked as in other hands,
kept and written again (rules.md).
"""

from collections.abc import Sequence
from typing import Any

import pytest

from scoring.errors import Refusal
from scoring.precedence.sheet import complete_sheet
from scoring.records import decide_record, read_record, write_record
from tests.scoring.dead_hands import CARDS, DEAD, PASSES, SEATS, a_record
from tests.scoring.table import DIRECTOR

BESIDE = {"preference": "widow", "contract_sabacc": "talon"}
POTS = {"precedence": "hand", "preference": "pot", "contract_sabacc": "ante"}
BY_CALLS = [pytest.param(name, [], id=name) for name in DEAD] + [
    pytest.param(name, calls, id=f"{name} by calls") for name, calls in PASSES.items()
]


def dealt(name: str) -> dict[str, Any]:
    """The whole pack as it was dealt, in the order of a canonical record."""
    cards, size = CARDS[name]
    holdings = {seat: list(cards[size * place :][:size]) for place, seat in enumerate(SEATS[name])}
    rest = list(cards[size * len(SEATS[name]) :])
    return {"deal": holdings} | ({BESIDE[name]: rest} if rest else {})


def written(name: str, *hands: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
    """The hands as they are written after they were read and decided."""
    read = read_record(a_record(name, *hands, **options))
    record: list[dict[str, Any]] = write_record(read.game, decide_record(read)[1])["hands"]
    return record


@pytest.mark.parametrize(("name", "calls"), BY_CALLS)
def test_what_was_dealt_is_kept_and_written_again(name: str, calls: Sequence[Any]) -> None:
    dead = DEAD[name] | dealt(name) | ({"calls": calls} if calls else {})

    assert written(name, dead) == [dead]


@pytest.mark.parametrize(("name", "calls"), BY_CALLS)
def test_chips_that_a_director_moved_stay_moved(name: str, calls: Sequence[Any]) -> None:
    first, second = tuple(SEATS[name][:2])
    moved = {"kind": "move_chips", "from": first, "to": second, "chips": 3, **DIRECTOR}
    paid = {"kind": "move_chips", "from": first, "to": POTS[name], "chips": 2, **DIRECTOR}
    dead = DEAD[name] | {"rulings": [moved, paid]} | ({"calls": calls} if calls else {})
    _, state = decide_record(read_record(a_record(name, dead)))
    _, plain = decide_record(read_record(a_record(name, DEAD[name])))

    gained = {
        account: chips - plain.balances.get(account, 0) for account, chips in state.balances.items()
    }
    assert {account: chips for account, chips in gained.items() if chips} == {
        first: -5,
        second: 3,
        POTS[name]: 2,
    }
    assert written(name, dead) == [dead]


@pytest.mark.parametrize("name", DEAD)
@pytest.mark.parametrize("kind", ["adjust_tricks", "accept_play"])
def test_there_are_no_tricks_to_rule_on(name: str, kind: str) -> None:
    seat = SEATS[name][0]
    more = (
        {"to": "NS" if name == "precedence" else seat, "tricks": 1}
        if kind == "adjust_tricks"
        else {"trick": 1, "seat": seat}
    )
    check_refused(
        name,
        DEAD[name] | {"rulings": [{"kind": kind, **more, **DIRECTOR}]},
        "bad_record",
        "rulings[0].kind",
    )


@pytest.mark.parametrize("name", DEAD)
def test_each_card_of_the_pack_is_dealt_once(name: str) -> None:
    twice = dealt(name)
    first, second = tuple(SEATS[name][:2])
    twice["deal"][second][0] = twice["deal"][first][0]
    check_refused(name, DEAD[name] | twice, "bad_total", f"deal.{second}[0]")


@pytest.mark.parametrize("name", DEAD)
def test_everybody_is_dealt_as_many_as_the_rules_say(name: str) -> None:
    short = dealt(name)
    seat = SEATS[name][0]
    short["deal"][seat].pop()
    check_refused(name, DEAD[name] | short, "bad_total", f"deal.{seat}")


@pytest.mark.parametrize("name", BESIDE)
def test_widow_and_talon_have_their_number_of_cards_and_none_that_was_dealt(name: str) -> None:
    whole, key = dealt(name), BESIDE[name]
    check_refused(name, DEAD[name] | {key: whole[key][:-1]}, "bad_total", key)
    owned = whole["deal"]["A"][0]
    check_refused(
        name, DEAD[name] | whole | {key: [owned, *whole[key][1:]]}, "bad_total", f"{key}[0]"
    )


@pytest.mark.parametrize(
    ("name", "key"),
    [("precedence", "plays"), ("preference", "discards"), ("contract_sabacc", "aside")],
)
def test_nothing_was_played_or_thrown_away(name: str, key: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_record(a_record(name, DEAD[name] | {key: [list(CARDS[name][0][:2])]}))
    assert (caught.value.code, caught.value.path) == ("bad_record", f"hands[0].{key}")


def test_a_misdeal_keeps_what_was_shown_and_bid_and_gives_back_what_that_cost() -> None:
    meld = {"seat": "E", "kind": "triad", "cards": ["2V", "2F", "2B"]}
    dead = DEAD["precedence"] | {"melds": [meld], "bids": {"E": 3, "S": 2}}
    _, state = decide_record(read_record(a_record("precedence", dead)))

    assert written("precedence", dead) == [dead]
    assert state.balances == dict.fromkeys("NESW", -6) | {"accord": 20, "hand": 4}
    check_refused("precedence", DEAD["precedence"] | {"bids": {"S": 2}}, "out_of_turn", "bids.S")


@pytest.mark.parametrize("name", DEAD)
def test_what_was_dealt_can_be_written_down_at_the_table_before_the_hand_comes_to_nothing(
    name: str,
) -> None:
    game = read_record(a_record(name)).game
    _, state = decide_record(read_record(a_record(name)))
    whole = dealt(name)
    acts: list[tuple[str, Any]] = [("hands", {"dealer": DEAD[name]["dealer"]})]
    if name == "precedence":
        acts += [("deals", whole["deal"]), ("misdeals", {})]
    elif name == "preference":
        acts += [("deals", whole), ("throw-ins", {})]
    else:
        acts += [("deals", whole["deal"]), ("talons", {"cards": whole["talon"]}), ("contracts", {})]
    for collection, act in acts:
        for event in game.decide(game.acts[collection](act, state.rules), state):
            state = game.evolve(state, event)

    assert game.write_hands(state) == [DEAD[name] | whole]


def check_refused(name: str, hand: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(Refusal) as caught:
        written(name, hand)
    assert (caught.value.code, caught.value.path) == (code, f"hands[0].{path}")


def test_a_misdeal_that_is_corrected_keeps_what_happened_before_it_was_seen() -> None:
    moved = {"kind": "move_chips", "from": "N", "to": "E", "chips": 3, **DIRECTOR}
    adjusted = {"kind": "adjust_points", "side": "NS", "points": 3, **DIRECTOR}
    recorded = DEAD["precedence"] | {"bids": {"E": 3}, "rulings": [moved]}
    form = {
        "dealer": "S",
        "misdeal": True,
        "rulings": [moved, adjusted],
        "tricks": {"NS": 6, "EW": 7},
    }

    assert complete_sheet(form, recorded) == {
        "dealer": "S",
        "misdeal": True,
        "bids": {"E": 3},
        "rulings": [moved],
    }
    assert complete_sheet(form, {"bids": {"E": 3}}) == {
        "dealer": "S",
        "misdeal": True,
        "rulings": [moved],
    }
