"""Of a tournament that is over no page of the desk offers what can't be done: every form that it
shows is one that the tournament takes in this phase.
"""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from django.http import QueryDict
from django.test import Client

from scoring.errors import Refusal
from tests.tournament.helpers.evenings import does, of_teams, result
from tests.tournament.helpers.every_format import plays, running
from tests.tournament.helpers.forms import fields_sent
from tests.tournament.helpers.salons import owner_of
from tournament.accounts.captain_links import links_of
from tournament.domain.tournament.entries import Withdraw
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.rounds import CloseRound
from tournament.domain.tournament.subjects import ACTS, decide
from tournament.domain.tournament.team_line_ups import OpenLineUps
from tournament.models import Salon, Tournament
from tournament.pages.common.form_values import plain_value
from tournament.streams.tournament_rows import state_of

FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
ACTION = re.compile(r'\b(?:form)?action="([^"]*)"')
FORMATS = ("swiss", "round robin", "pods", "movement", "knockout", "the same patience", "teams")

OF_SOME = ("plan/", "bracket/", "desk/entries/3/", "entries/1/points/")


def teams(salon: Salon) -> Tournament:
    """Two teams that have met once, as their line-ups were opened."""
    row = of_teams(salon)
    return does(row, OpenLineUps(round=1), result(1, 250, 180), CloseRound(round=1))


def forms_on(owner: Client, row: Tournament, path: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The acts that a page offers: the collection of each form and what it would send."""
    answer = owner.get(f"/tournaments/{row.pk}/{path}")
    assert answer.status_code in ((200, 404) if path in OF_SOME else (200,)), path
    for form in FORM.findall(answer.text):
        sent = fields_sent(form)
        for name in ("reason", "entry_name", "player", "address"):
            if name in sent and not sent[name]:
                sent[name] = "autumn"
        for action in ACTION.findall(form):
            found = re.search(r"/acts/([a-z-]+)/", unescape(action))
            if found:
                yield found[1], sent


def refused(row: Tournament, collection: str, sent: dict[str, str]) -> str:
    """Why a tournament doesn't take what a form sends in its phase, "" where it is another
    matter.
    """
    form = QueryDict(mutable=True)
    form.update(sent)
    try:
        command = ACTS[collection](plain_value(form), 0)
        decide(command, state_of(row))
    except Refusal as refusal:
        return str(refusal) if refusal.code == "wrong_phase" else ""
    return ""


@pytest.mark.parametrize("name", FORMATS)
def test_what_the_desk_offers_after_the_end_can_be_done(salon: Salon, name: str) -> None:
    row = teams(salon) if name == "teams" else plays(running(salon, name), 1)
    penalty = GivePenalty(
        entry="1", points=-50, after_round=1, by="Mara", reason="ten minutes late"
    )
    row = does(row, penalty, Withdraw(entry="2"))
    owner, found = owner_of(salon), []
    for phase in ("finished", "archived"):
        does(row, EnterPhase(phase=phase, reason="The evening is over."))
        row.refresh_from_db()
        pages = ("desk/", "desk/entries/", *(f"desk/entries/{key}/" for key in "123"))
        rounds = ("desk/rounds/1/", "desk/rounds/1/result-rows/", "rounds/1/")
        public = (
            "",
            "plan/",
            "bracket/",
            "standings/",
            "entries/1/",
            "entries/1/points/",
            "history/",
        )
        for path in (*pages, "desk/slips/", "desk/stage/", *rounds, *public):
            for collection, sent in forms_on(owner, row, path):
                why = refused(row, collection, sent)
                if why:
                    found.append(f"{phase} {path} {collection}: {why}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("phase", ["running", "finished", "archived"])
def test_how_it_is_played_is_no_form_once_a_round_is_drawn(salon: Salon, phase: str) -> None:
    row = plays(running(salon, "swiss"), 1)
    for reached in ("finished", "archived")[: ("running", "finished", "archived").index(phase)]:
        row = does(row, EnterPhase(phase=reached, reason="The evening is over."))
    answer = owner_of(salon).get(f"/tournaments/{row.pk}/desk/stage/")

    assert answer.status_code == 200
    assert 'data-narrows="' not in answer.text
    assert "can be dropped at the desk" in answer.text


def test_a_captains_page_takes_no_line_up_after_the_end(salon: Salon) -> None:
    row = teams(salon)
    link, captain = links_of(row, ["1"])["1"], Client()
    page = f"/captains/{link.token}/"
    captain.post(page, {"pin": link.pin})
    assert captain.get(page).status_code == 200
    does(row, EnterPhase(phase="finished", reason="The evening is over."))

    assert 'method="post"' not in captain.get(page).text
