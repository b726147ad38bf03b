"""The audit holds the deals of pairs to their commitment: the seed in the log, and the seed kept
apart (O7).
"""

import json

import pytest

from ledger.models import Event
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.tables import unguard
from tournament.domain.deals import commitment
from tournament.domain.standings.values import Duplicate, Scale, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.results import ExcuseTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.subject import Command
from tournament.models import Salon, StockSeed, Tournament
from tournament.projections.audit import audit
from tournament.recording import duplicate_deals
from tournament.recording.tournaments import direct, open_tournament

SEED = StockSeed._meta.db_table
STAGE = Stage(
    kind="duplicate", rounds=2, scale=Scale(kind="matchpoints"), duplicate=Duplicate(deals=2)
)
PAIRS = (("Asha", "Cato"), ("Mira", "Oren"), ("Tane", "Ulla"), ("Vero", "Wim"))


def does(row: Tournament, *commands: Command) -> None:
    row.refresh_from_db()
    direct(row.salon, row.pk, commands, actor="user:1", command=a_command(), version=row.version)
    row.refresh_from_db()


def committed(salon: Salon, *, known: bool) -> Tournament:
    """A tournament of four pairs whose deals are fixed, and made known after it or not."""
    row = open_tournament(
        salon,
        actor="user:1",
        command=a_command(),
        name="Same cards",
        game="precedence",
        stage=STAGE,
    )
    does(row, EnterPhase(phase="registration"))
    does(row, *(MakeEntry(players=(("1", one), ("2", two))) for one, two in PAIRS))
    duplicate_deals.draw_deals(
        salon, row.pk, actor="user:1", command=a_command(), version=row.version
    )
    if known:
        does(row, EnterPhase(phase="running"))
        for each in (1, 2):
            does(row, DrawRound(round=each), PublishRound(round=each))
            does(row, *(ExcuseTable(round=each, table=at, reason="no lamp") for at in (1, 2)))
            does(row, CloseRound(round=each))
        does(row, EnterPhase(phase="finished"))
        duplicate_deals.reveal_deals(salon, row.pk, actor="user:1", command=a_command())
    row.refresh_from_db()
    return row


def found(salon: Salon) -> set[tuple[str, str | int, str | None]]:
    return {(each.table, each.row, each.column) for each in audit(salon) if each.kind == "stock"}


@pytest.mark.parametrize("known", [False, True])
def test_deals_that_were_committed_and_made_known_have_no_findings(
    salon: Salon, known: bool
) -> None:
    committed(salon, known=known)

    assert list(audit(salon)) == []


def test_a_seed_of_deals_made_known_that_does_not_give_the_commitment_is_named(
    salon: Salon,
) -> None:
    """What `decide` refuses stands in the log where somebody wrote it there."""
    row = committed(salon, known=True)
    known = Event.objects.get(type="tournament.deals_revealed")
    unguard()
    Event.objects.filter(pk=known.pk).update(body=json.dumps({"seed": "5e" * 32}))

    assert found(salon) == {("ledger_event", known.position, "body"), (SEED, row.pk, "seed")}


@pytest.mark.parametrize("known", [False, True])
def test_a_kept_seed_of_deals_that_was_exchanged_is_named(salon: Salon, known: bool) -> None:
    """Nobody may deal other cards than those that were fixed, nor say afterwards they were."""
    row = committed(salon, known=known)
    StockSeed.objects.filter(pk=row.pk).update(seed="5e" * 32)

    assert found(salon) == {(SEED, row.pk, "seed")}


def test_a_commitment_exchanged_with_its_kept_seed_is_given_away_by_the_seed_made_known(
    salon: Salon,
) -> None:
    row = committed(salon, known=True)
    StockSeed.objects.filter(pk=row.pk).update(seed="5e" * 32)
    unguard()
    Event.objects.filter(type="tournament.deals_committed").update(
        body=json.dumps({"commitment": commitment("5e" * 32)})
    )
    known = Event.objects.get(type="tournament.deals_revealed")

    assert ("ledger_event", known.position, "body") in found(salon)
    assert (SEED, row.pk, "seed") in found(salon)


def test_a_seed_of_deals_that_is_missing_is_named(salon: Salon) -> None:
    row = committed(salon, known=False)
    StockSeed.objects.filter(pk=row.pk).delete()

    assert found(salon) == {(SEED, row.pk, None)}
