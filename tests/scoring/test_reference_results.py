"""Whole recorded games against results that others computed.

They lie in `tests/material`; its README says where they are from.
"""

import json
from typing import Any

import pytest

from scoring.errors import Refusal
from scoring.precedence.seats import SEATS
from scoring.precedence.sheet import Sheet
from scoring.precedence.whole_hand import decide_sheet
from scoring.records import decide_record, read_record, write_record
from tests.scoring.lone_defenders import breach_of
from tests.scoring.sample_games import GAMES, accepted, games_of, given
from tests.scoring.table import game

# Where a defender who plays alone first leaves the soloist's lead, though a later card shows that
# it could have been headed.
LEFT_ALONE = {
    "sim-preference-003": "hands[7].plays[2][1]",
    "sim-preference-006": "hands[4].plays[0][1]",
    "sim-preference-015": "hands[11].plays[0][1]",
    "sim-preference-025": "hands[6].plays[5][1]",
    "sim-preference-026": "hands[0].plays[0][1]",
    "sim-preference-028": "hands[8].plays[4][1]",
    "sim-preference-034": "hands[2].plays[3][1]",
    "sim-preference-036": "hands[3].plays[1][1]",
    "sim-preference-040": "hands[0].plays[0][1]",
    "sim-preference-045": "hands[2].plays[0][1]",
    "sim-preference-048": "hands[6].plays[0][1]",
    "sim-preference-052": "hands[9].plays[0][1]",
    "sim-preference-053": "hands[3].plays[3][1]",
}
# The bridge and spades names of suits and ranks in OpenSpiel's hands, in the words of Precedence.
OF_SPADES = str.maketrans(
    {"S": "V", "H": "F", "D": "B", "C": "C", "A": "E", "K": "P", "Q": "C", "J": "O"}
)


def test_r12_a_lone_defender_who_left_the_soloists_lead_is_refused_at_that_play() -> None:
    breaches = {record["id"]: breach_of(record) for record in given("preference_simulated")}

    assert {game: breach.path for game, breach in breaches.items() if breach} == LEFT_ALONE
    assert all(
        "can head the trick and must" in str(breach) for breach in breaches.values() if breach
    )


def test_r12_only_those_plays_need_a_ruling() -> None:
    changed = {
        record["id"]
        for record, ruled in zip(
            given("preference_simulated"), accepted("preference_simulated"), strict=True
        )
        if record != ruled
    }

    assert changed == {*LEFT_ALONE}


@pytest.mark.parametrize(
    "each", [pytest.param(4, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_has_the_result_of_the_independent_reference(name: str, each: int) -> None:
    for record, expected in list(games_of(name))[::each]:
        read = read_record(record)
        assert read.game.result(decide_record(read)[1]) == expected


@pytest.mark.parametrize(
    "each", [pytest.param(8, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_is_written_and_read_again_as_the_same_game(name: str, each: int) -> None:
    for record in accepted(name)[::each]:
        read = read_record(record)
        events, state = decide_record(read)
        written = write_record(read.game, state)
        again, same = decide_record(read_record(json.loads(json.dumps(written))))
        assert (again, same) == (events, state)
        assert write_record(read.game, same) == written


def test_a_record_that_must_be_refused_is_refused_with_its_code() -> None:
    for each in given("precedence_refused"):
        with pytest.raises(Refusal) as caught:
            decide_record(read_record(each["record"]))
        assert caught.value.code == each["code"], each["why"]
        assert caught.value.path.startswith("hands[")


def test_a_hand_of_spades_scores_as_openspiel_scores_it() -> None:
    """P13 and P16 to P19 without melds: bags are Excess under `carry`, each hand from the score and
    bags before it.
    """
    before = game(excess_reset="carry", trump="declared", target_score=1_000_000)
    for hand in given("spades_openspiel"):
        read = read_record({**EMPTY, "hands": [in_our_words(hand)]})
        (sheet,) = read.sheets
        assert isinstance(sheet, Sheet)
        state = before._replace(
            score=tuple(hand["score_before"]), excess=tuple(hand["bags_before"])
        )
        _, after = decide_sheet(sheet, state)
        closed = after.done[0]
        gained = {
            team: now - then
            for team, now, then in zip(("NS", "EW"), after.score, state.score, strict=True)
        }
        assert list(closed.hand.play.winners) == hand["winners"]
        assert gained == hand["hand_score"]
        assert (list(after.score), list(after.excess)) == (hand["score_after"], hand["bags_after"])


EMPTY = {
    "format": "salon-record/1",
    "id": "spades",
    "game": "precedence",
    "players": {seat: seat for seat in SEATS},
    "options": {"trump": "declared"},
}


def in_our_words(hand: dict[str, Any]) -> dict[str, Any]:
    """A hand of spades as a Precedence hand; the player left of our dealer leads."""
    return {
        "dealer": SEATS[SEATS.index(hand["leader"]) - 1],
        "trump": ours(hand["trump"] + "A")[1],
        "bids": hand["bids"],
        "deal": {seat: [ours(card) for card in cards] for seat, cards in hand["hands"].items()},
        "plays": [[ours(card) for card in trick] for trick in hand["tricks"]],
        "winners": hand["winners"],
    }


def ours(card: str) -> str:
    """`SA`, the ace of spades, is `EV`."""
    suit, rank = tuple(card)
    return rank.translate(OF_SPADES) + suit.translate(OF_SPADES)
