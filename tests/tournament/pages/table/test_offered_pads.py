"""Pads offer nothing that would be refused because somebody can't pay or because of what was ruled
(Chips, Infractions).
"""

import re
from typing import Any

from django.test import Client

from scoring.commands import AdjustTricks
from scoring.games import GAMES
from tests.tournament.helpers.playing import a_command, flat, told
from tournament.models import Game, Salon
from tournament.recording.door import record_acts, start_game

NAMES = {
    "A": "Asha Renn",
    "B": "Ilse Marrow",
    "C": "Cato Liss",
    "D": "Juno Dray",
    "N": "Asha Renn",
    "E": "Ilse Marrow",
    "S": "Cato Liss",
}
BIDDEN = [("hands", {"dealer": "N"}), *(("bids", {"seat": seat, "tricks": 3}) for seat in "ESWN")]


def at_table(
    salon: Salon, kind: str, seats: str, acts: list[tuple[str, Any]], **options: Any
) -> Game:
    """A game at table 4 in which these acts were recorded; one without a collection is the act
    itself.
    """
    players = {seat: NAMES.get(seat, "Juno Dray") for seat in seats}
    begun: dict[str, Any] = {
        "players": players,
        "options": options,
        "table": "4",
        "played_on": "2026-11-21",
    }
    game = start_game(salon, actor="user:1", command=a_command(), kind=kind, **begun)
    for collection, value in acts:
        game.refresh_from_db()
        act = (
            GAMES[kind].acts[collection](value, GAMES[kind].read_rules(options))
            if collection
            else value
        )
        record_acts(
            salon, game.pk, [act], actor="user:1", command=a_command(), version=game.version
        )
    return game


def open_keys(page: str, name: str) -> list[str]:
    """The values of the buttons of this name that can be tapped."""
    buttons = re.findall(r"<button[^>]*>", page)
    return [
        re.findall(r' value="([^"]*)"', each)[0]
        for each in buttons
        if f'name="{name}"' in each and " disabled" not in each
    ]


def test_a_bid_is_offered_as_high_as_the_bidder_can_pay(salon: Salon, owner: Client) -> None:
    at_table(salon, "precedence", "NESW", [("hands", {"dealer": "N"})], opening_chips=9)

    page = owner.get("/tables/4/")

    assert open_keys(page.text, "tricks:number") == ["0", "1", "2", "3"]
    assert "East has the chips for 3." in told(page)
    assert "above 13" not in told(page)


def test_who_lacks_the_ante_is_named_with_the_chips_that_are_missing(
    salon: Salon, owner: Client
) -> None:
    at_table(
        salon, "precedence", "NESW", [*BIDDEN, ("totals", {"NS": 7, "EW": 6})], opening_chips=9
    )

    page = owner.get("/tables/4/")

    assert "Ilse Marrow needs 1 more chip for the ante." in told(page)
    assert re.search(r'id="buy_ins.E" name="buy_ins.E:number" value="1"', flat(page.text))
    assert re.search(r'id="buy_ins.N" name="buy_ins.N:number" value=""', flat(page.text))


def test_the_last_trick_is_offered_to_nobody_who_can_t_win_it_after_a_ruling(
    salon: Salon, owner: Client
) -> None:
    ruling = AdjustTricks(source=None, target="NS", tricks=1, by="Mara", reason="a revoke")
    at_table(
        salon, "precedence", "NESW", [*BIDDEN, *[("winners", {"seat": "N"})] * 12, ("", ruling)]
    )

    page = owner.get("/tables/4/?by=winners")

    assert sorted(open_keys(page.text, "seat")) == ["E", "W"]
    assert "The ruling leaves North–South with 14 tricks" in told(page)
    assert open_keys(owner.get("/tables/4/?by=totals").text, "fields") == [
        "NS:number=12&amp;EW:number=1"
    ]


def test_tricks_are_offered_so_that_everybody_can_pay_at_the_end(
    salon: Salon, owner: Client
) -> None:
    acts = [
        ("hands", {"dealer": "A"}),
        ("contracts", {"soloist": "B", "contract": "one"}),
        ("defences", {}),
    ]
    at_table(
        salon,
        "preference",
        "ABC",
        [*acts, *(("winners", {"seat": seat}) for seat in "BBBBBAACC")],
        opening_chips=25,
    )

    winners, totals = owner.get("/tables/4/?by=winners"), owner.get("/tables/4/?by=totals")

    assert open_keys(winners.text, "seat") == ["B"]
    assert "must pay 20" in told(winners)
    assert re.findall(r"by=totals&amp;sol=(\d+)", totals.text) == ["6"]


def test_a_call_is_offered_only_where_its_stake_can_be_paid(salon: Salon, owner: Client) -> None:
    calls = [
        ("calls", {"seat": seat, "call": call})
        for seat, call in (("A", "guard_without"), ("D", "pass"), ("C", "pass"))
    ]
    at_table(
        salon, "contract_sabacc", "ABCD", [("hands", {"dealer": "D"}), *calls], opening_chips=8
    )

    assert open_keys(owner.get("/tables/4/").text, "call") == ["guard_against"]


def test_a_pile_that_the_tricks_on_the_table_rule_out_is_not_offered_and_says_why(
    salon: Salon, owner: Client
) -> None:
    named = [
        ("hands", {"dealer": "D"}),
        ("contracts", {"declarer": "A", "contract": "guard_against"}),
    ]
    at_table(
        salon, "contract_sabacc", "ABCD", [*named, ("tricks", {"cards": ["2C", "3C", "14C", "4C"]})]
    )

    none = owner.get("/tables/4/?by=pile&pile.tricks:number=0")
    one = owner.get("/tables/4/?by=pile&pile.tricks:number=1&pile.honours:number=1")

    assert "by what is recorded it is 1 to 18" in told(none)
    assert re.search(r"<button[^>]*disabled>Record hand 1", flat(none.text))
    assert re.search(r'<button class="btn btn--act btn--wide">Record hand 1', flat(one.text))
