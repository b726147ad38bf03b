"""A rover chosen on the form: the preview, the draw, the papers and everybody's own plan say who it
is and in whose place it plays.
"""

import re

import pytest
from django.test import Client

from tests.tournament.helpers.evenings import does, here
from tests.tournament.helpers.forms import fields_sent
from tests.tournament.helpers.playing import told
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Tournament
from tournament.streams.tournament_rows import state_of

IN_THE_PLACE = re.compile(
    r"(Asha \d+ & Cato \d+), the rover, plays in the place of (Asha \d+ & Cato \d+)"
)


def set_up(owner: Client, pairs: int, rover: str = "yes") -> Tournament:
    """A Mitchell set up on the form, with so many pairs in registration."""
    sent = fields_sent(owner.get("/tournaments/new/").text)
    chosen = {"name": "Cup", "format": "movement", "rounds": "", "movement.rover": rover}
    assert owner.post("/tournaments/new/", sent | chosen).status_code == 302
    entries = [
        MakeEntry(players=(("1", f"Asha {number}"), ("2", f"Cato {number}")))
        for number in range(1, pairs + 1)
    ]
    return does(Tournament.objects.get(), EnterPhase(phase="registration"), *entries)


def begun(row: Tournament) -> Tournament:
    """The same with round 1 published."""
    return does(
        row, *here(row), EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1)
    )


def plan_of(client: Client, row: Tournament, query: str = "") -> str:
    return told(client.get(f"/tournaments/{row.pk}/plan/{query}"))


@pytest.mark.parametrize("pairs", [9, 11, 13])
def test_the_preview_names_the_rover_and_whom_it_displaces_in_every_round(
    owner: Client, pairs: int
) -> None:
    page = plan_of(owner, set_up(owner, pairs))

    rover = re.search(r"The rover is (Asha \d+ & Cato \d+)", page)
    displaced = IN_THE_PLACE.findall(page)
    assert rover is not None
    assert {name for name, _other in displaced} == {rover[1]}
    others = [other for _name, other in displaced]
    out = re.findall(r"– sits out (Asha \d+ & Cato \d+) sits out", page)
    assert len(others) == len(set(others))
    assert [name for name in out if name != rover[1]] == others
    assert f"mitchell {pairs} rover" in page


@pytest.mark.parametrize(("pairs", "rover"), [(9, "no"), (10, "yes")])
def test_without_one_and_where_the_pairs_are_even_nobody_is_told_of_a_rover(
    owner: Client, pairs: int, rover: str
) -> None:
    assert "rover" not in plan_of(owner, set_up(owner, pairs, rover))


def test_where_no_rover_works_the_desk_says_so_and_what_does(owner: Client) -> None:
    row = set_up(owner, 7)
    desk = told(owner.get(f"/tournaments/{row.pk}/desk/"))
    stage = f"/tournaments/{row.pk}/desk/stage/"

    assert "no way through 3 rounds at 3 tables; with a round less it has" in desk
    sent = fields_sent(owner.get(stage).text)
    assert sent["movement.rover"] == "yes"
    assert owner.post(stage, sent | {"rounds": "2"}).status_code == 302
    assert "The rover is" in plan_of(owner, row)


def test_what_is_drawn_what_is_printed_and_ones_own_plan_say_it_too(owner: Client) -> None:
    row = begun(set_up(owner, 13))
    room = Client()
    rover, displaced = IN_THE_PLACE.findall(plan_of(room, row))[0]
    drawn = state_of(row).rounds[0]
    (bye,) = drawn.byes

    why = told(room.get(f"/tournaments/{row.pk}/rounds/1/why/"))
    assert why.count("Number 13 is the rover, and plays in the place of number") == 2
    assert f"{rover}, the rover, plays in the place of {displaced}" in plan_of(
        room, row, f"?entry={bye.entry}"
    )
    of_the_rover = next(
        table.entries[1] for table in drawn.tables if any(one.tier == "rover" for one in table.why)
    )
    assert len(IN_THE_PLACE.findall(plan_of(room, row, f"?entry={of_the_rover}"))) == 5
    csv = room.get(f"/tournaments/{row.pk}/files/plan.csv").content.decode("utf-8-sig")
    assert f"sit out: {displaced} ({rover}, the rover, plays in the place of {displaced})" in csv
    assert room.get(f"/tournaments/{row.pk}/files/plan.pdf").content[:5] == b"%PDF-"


def test_when_the_rover_has_left_nobody_sits_out_any_more(owner: Client) -> None:
    row = begun(set_up(owner, 13))
    rover = next(
        table.entries[1]
        for table in state_of(row).rounds[0].tables
        if any(one.tier == "rover" for one in table.why)
    )

    page = plan_of(owner, does(row, Withdraw(entry=rover, reason=None)))

    assert "The rover is" not in page
    assert "free seat" not in page
    assert page.count("– sits out") == 1, "in the round that is drawn"
