"""What a round was drawn from is kept, gives the digest of the draw whatever happened since, and
can be drawn again from a file.
"""

import json
from pathlib import Path

import pytest
from django.test import Client

from ledger.store import open_log
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import after_round_1, does, result
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import owner_of
from tournament.demo.evening import play_evening_of_pairs
from tournament.domain.pairing.draw import draw
from tournament.domain.tournament.draws import DrawRound, DropRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.results import ClearTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound, ReopenRound
from tournament.models import Progress, Reckoning, Salon, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.standings_as_of import SNAPSHOTS, digest_of, snapshot_of
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS


def test_every_draw_of_an_evening_can_be_made_again_from_what_was_kept_of_it(db: None) -> None:
    """Corrections of games that were over came after some of these draws."""
    salon = Salon.objects.create(slug="played", name="Played", log=open_log())
    stream = play_evening_of_pairs(
        salon, entries=9, rounds=4, seed=2, hands=1, actor="simulation", progress=lambda done: None
    ).stream
    catch_up(salon.log, PROJECTIONS)

    for each in state_of(Tournament.objects.get(pk=stream)).rounds:
        kept = snapshot_of(salon, stream, each.number)
        assert kept is not None
        again = draw(kept, each.number)
        assert again.digest == digest_of(kept) == each.digest
        assert [table.entries for table in again.tables] == [table.entries for table in each.tables]
        assert again.byes == tuple(bye.entry for bye in each.byes if bye.kind == "pairing")
    assert list(audit(salon)) == []


def test_what_happens_later_changes_nothing_of_it(salon: Salon) -> None:
    row = does(after_round_1(salon), DrawRound(round=2), PublishRound(round=2))
    catch_up(salon.log, PROJECTIONS)
    before = Reckoning.objects.get(projection=SNAPSHOTS.name, about="2").state
    digest = state_of(row).rounds[1].digest

    does(
        row,
        MakeEntry(players=(("1", "Una Frey"), ("2", "Vito Lark"))),
        GivePenalty(entry="1", points=-50, after_round=1, reason="Late.", by="Mara"),
    )
    does(
        row,
        ReopenRound(round=1, reason="Seats were swapped."),
        ClearTable(round=1, table=1),
        result(1, 100, 250),
        CloseRound(round=1),
    )
    Reckoning.objects.all().delete()
    Progress.objects.all().delete()
    catch_up(salon.log, PROJECTIONS)

    kept = snapshot_of(salon, row.pk, 2)
    assert Reckoning.objects.get(projection=SNAPSHOTS.name, about="2").state == before
    assert kept is not None
    assert digest_of(kept) == digest


def test_a_draw_that_was_taken_back_leaves_nothing_and_one_drawn_anew_its_own(salon: Salon) -> None:
    row = does(after_round_1(salon), DrawRound(round=2), DropRound(round=2))
    catch_up(salon.log, PROJECTIONS)
    assert snapshot_of(salon, row.pk, 2) is None
    does(
        row,
        DrawRound(round=2),
        GivePenalty(entry="1", points=-100, after_round=1, reason="Late.", by="Mara"),
        DrawRound(round=2),
    )
    catch_up(salon.log, PROJECTIONS)

    kept = snapshot_of(salon, row.pk, 2)
    assert kept is not None
    assert len(kept.adjustments) == 1
    assert digest_of(kept) == state_of(row).rounds[1].digest


def test_the_page_shows_it_with_the_proof_and_its_file_is_drawn_again(
    salon: Salon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = does(after_round_1(salon), DrawRound(round=2))
    address, owner = f"/tournaments/{row.pk}/rounds/2/snapshot/", owner_of(salon)
    assert "Not stored yet" in told(owner.get(address))
    assert owner.get(f"{address}file/").status_code == 404
    catch_up(salon.log, PROJECTIONS)

    page = owner.get(address)
    each = state_of(row).rounds[1]
    assert "It gives the digest of the draw" in told(page)
    assert each.digest in told(page)
    assert address in owner.get(f"/tournaments/{row.pk}/desk/rounds/2/").text
    (tmp_path / "file").write_bytes(owner.get(f"{address}file/").content)
    ran = run(capsys, "pair", tmp_path / "file", "--json")

    assert ran.lines[0]["digest"] == each.digest
    assert [table["entries"] for table in ran.lines[0]["tables"]] == [
        list(table.entries) for table in each.tables
    ]
    assert "Asha Renn" in json.dumps(json.loads((tmp_path / "file").read_text()))
    Reckoning.objects.filter(projection=SNAPSHOTS.name, about="2").update(
        state=Reckoning.objects.get(about="1").state
    )
    assert "This does not give the digest" in told(owner.get(address))


def test_it_is_for_those_who_may_read_the_history(salon: Salon) -> None:
    row = does(after_round_1(salon), DrawRound(round=2))

    assert Client().get(f"/tournaments/{row.pk}/rounds/2/snapshot/").status_code == 302
    assert owner_of(salon).get(f"/tournaments/{row.pk}/rounds/9/snapshot/").status_code == 404
