"""The proof of a round counts what was drawn and what is planned, as they stand by now: after a
swap, a withdrawal and a late entry. A swap says beforehand who meets more often by it.
"""

import json
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from django.test import Client

from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import does
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.singles import entered
from tournament.domain.pairing.forecast import meetings_in
from tournament.domain.standings.values import Pods, Scale, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckInAll
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.swaps import SwapEntries
from tournament.models import Salon, Tournament
from tournament.queries.plans import whole_plan
from tournament.queries.tournament import load_tournament
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of

PODS = Stage(kind="pods", rounds=4, pods=Pods(sizes=(3,)), scale=Scale(kind="chips", bye=0))


@pytest.fixture
def row(salon: Salon) -> Tournament:
    """Nine at tables of three, who meet everybody once in four rounds; round 1 is published."""
    row = entered(salon, 9, PODS, game="preference")
    return does(
        row, CheckInAll(), EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1)
    )


def seated(row: Tournament) -> list[tuple[str, ...]]:
    return [table.entries for table in state_of(row).rounds[0].tables]


def meetings(row: Tournament) -> Counter[int]:
    """The number of pairs by how often they meet in the whole plan, counted by hand."""
    whole = whole_plan(load_tournament(Tournament.objects.get(pk=row.pk), Audience.SALON))
    met = Counter(
        pair
        for tables, _out in whole.rounds
        for table in tables
        for pair in combinations(sorted(table.entries), 2)
    )
    assert met == meetings_in(whole)
    there = {entry for tables, _out in whole.rounds for table in tables for entry in table.entries}
    return Counter(met[pair] for pair in combinations(sorted(there), 2))


def proof(owner: Client, row: Tournament) -> str:
    page = told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))
    found = re.search(r"Meetings.{0,200}", page)
    assert found is not None
    return found[0]


def test_the_proof_of_a_round_is_counted_anew_after_a_swap_and_names_who_meets_again(
    owner: Client, row: Tournament
) -> None:
    assert meetings(row) == {1: 36}
    assert "36 pairs once" in proof(owner, row)
    one, two = seated(row)[0][0], seated(row)[1][0]
    preview = told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/swap/?one={one}&two={two}"))

    assert "Over all rounds of the plan these meet more often:" in preview
    assert "Nobody meets again" not in preview
    does(row, SwapEntries(round=1, one=one, two=two))

    now = meetings(row)
    assert now != {1: 36}
    assert f"{now[1]} pairs once" in proof(owner, row)
    assert preview.count(": 2 times") == now[2]


def test_the_proof_is_counted_anew_after_a_withdrawal_and_a_late_entry(
    owner: Client, row: Tournament
) -> None:
    does(row, Withdraw(entry="9"))
    now = meetings(row)
    assert f"{now[1]} pairs once" in proof(owner, row)

    does(row, MakeEntry(players=(("1", "Late Lena"),)))
    now = meetings(row)
    assert f"{now[1]} pairs once" in proof(owner, row)


def test_the_command_counts_the_same_of_a_file(
    owner: Client, row: Tournament, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = seated(row)[0][0], seated(row)[1][0]
    does(row, SwapEntries(round=1, one=one, two=two))
    (written,) = run(capsys, "tournament", "export", row.pk).lines
    path = tmp_path / "pods.json"
    path.write_text(json.dumps(written))

    (answer,) = run(capsys, "schedule", path, "--json").lines

    counted = {int(times): pairs for times, pairs in answer["proof"]["meetings"].items()}
    assert counted == {times: pairs for times, pairs in meetings(row).items() if times or pairs}
