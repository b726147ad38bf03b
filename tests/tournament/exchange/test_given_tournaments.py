"""Tournaments that others played go in as files, come out the same, and have the same standings and
next round in the salon.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.store import open_log
from tests.material import files, text_of
from tests.tournament.domain.standings.events import (
    TOURNAMENTS,
    carrom_event,
    round_robin_event,
    swiss_event,
)
from tests.tournament.helpers.commanding import run
from tournament.domain.pairing.draw import draw
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.values import Tournament
from tournament.domain.standings.writing import write_tournament
from tournament.models import Salon
from tournament.models import Tournament as TournamentRow
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.standings import read_computed_standings
from tournament.tasks import PROJECTIONS

EVERY_TIME = ("gen_011", "gen_016", "event_07", "uzchess_cup")


def given() -> Iterator[object]:
    """Every Swiss and round robin: a few of them every time, the others among the long tests."""
    for pattern in ("swiss/*.trf", "uzchess_cup.json", "carrom/*.json"):
        for path in files(TOURNAMENTS, pattern):
            yield pytest.param(
                path, id=path.stem, marks=() if path.stem in EVERY_TIME else pytest.mark.long
            )


def tournament_in(path: Path) -> Tournament:
    """The tournament of a file, under a name of its own and as long as it was."""
    if path.suffix == ".trf":
        tournament = swiss_event(text_of(path))
    elif path.parent.name == "carrom":
        tournament, _ranked, _stored = carrom_event(path)
    else:
        tournament, _published = round_robin_event(path)
    rounds = len(tournament.rounds) if tournament.stage.kind == "swiss" else None
    return replace(tournament, id=path.stem, stage=replace(tournament.stage, rounds=rounds))


@pytest.mark.parametrize("path", list(given()))
def test_a_given_tournament_is_imported_exported_ranked_and_drawn_the_same(
    db: None, path: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    salon = Salon.objects.create(slug="given", name="Given", log=open_log())
    tournament = tournament_in(path)
    file = tmp_path / "file.json"
    file.write_text(json.dumps(write_tournament(tournament)))

    assert [
        line["outcome"] for line in run(capfd, "tournament", "import", file, "--json").lines
    ] == ["recorded"]
    assert [
        line["outcome"] for line in run(capfd, "tournament", "import", file, "--json").lines
    ] == ["unchanged"]
    (out,) = run(capfd, "tournament", "export", tournament.id).lines
    ranked = run(capfd, "standings", file, "--json").lines[0]
    row = TournamentRow.objects.get()
    catch_up(salon.log, PROJECTIONS)
    computed, _reached = read_computed_standings(row)

    assert out == json.loads(json.dumps(write_tournament(tournament)))
    assert computed == standings(tournament)
    assert [(each["rank"], each["entry"], each["points"]) for each in ranked["rows"]] == [
        (each.rank, each.entry, (each.points or 0) / 100) for each in standings(tournament).rows
    ]
    assert list(audit(salon)) == []
    check_next_round(tournament, file, capfd)


def check_next_round(tournament: Tournament, file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One round more: of a Swiss the best draw there is, and it says which aims gave way; of a
    round robin there is none.
    """
    longer = replace(tournament, stage=replace(tournament.stage, rounds=None))
    file.write_text(json.dumps(write_tournament(longer)))
    (answer,) = run(capfd, "pair", file, "--json").lines
    if tournament.stage.kind == "round_robin":
        assert answer["error"]["code"] == "game_over"
        return
    drawn = draw(longer)
    assert answer["digest"] == drawn.digest
    assert [table["entries"] for table in answer["tables"]] == [
        list(table.entries) for table in drawn.tables
    ]
    met = {
        frozenset(table.entries)
        for each in tournament.rounds
        for table in each.tables
        if not table.forfeit
    }
    again = sum(frozenset(table.entries) in met for table in drawn.tables)
    assert again == sum(reason.cost for reason in drawn.broken if reason.tier == "rematch")
