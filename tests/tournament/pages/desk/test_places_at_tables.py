"""Somebody missing from a table of many, or coming after all, on the desk's page of a round."""

from tests.tournament.helpers.evenings import does, send
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import owner_of
from tournament.domain.standings.values import Pods, Scale, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckInAll
from tournament.domain.tournament.results import ExcuseTable
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Salon, Tournament
from tournament.recording.tournaments import open_tournament
from tournament.streams.tournament_rows import state_of


def eight_in_fours(salon: Salon) -> Tournament:
    """Round 1 of eight players at two tables of four, published."""
    stage = Stage(
        kind="pods", rounds=3, scale=Scale(kind="chips", opponents=3), pods=Pods(sizes=(4, 3))
    )
    row = open_tournament(
        salon,
        actor="user:1",
        command=a_command(),
        name="Sabacc Night",
        game="contract_sabacc",
        stage=stage,
        seed=7,
    )
    names = ("Asha", "Cato", "Ilse", "Juno", "Orla", "Pim", "Rhea", "Tomas")
    entries = [MakeEntry(players=(("1", f"{name} Venn"),)) for name in names]
    phases = EnterPhase(phase="registration"), EnterPhase(phase="running")
    does(row, phases[0], *entries, CheckInAll(), phases[1])
    return does(row, DrawRound(round=1), PublishRound(round=1))


def test_a_table_plays_without_who_is_missing_until_they_sit_down_after_all(salon: Salon) -> None:
    row, owner = eight_in_fours(salon), owner_of(salon)
    first, second = state_of(row).rounds[0].tables
    gone = first.entries[0]
    page = f"/tournaments/{row.pk}/desk/rounds/1/"
    answer = send(
        owner,
        row,
        "left-places",
        "round-1",
        round__number="1",
        fields=f"table:number=1&entry={gone}",
        reason="Missed the train.",
    )

    assert answer.status_code == 302
    row.refresh_from_db()
    assert state_of(row).rounds[0].tables[0].entries == first.entries[1:]
    assert "Table 1 plays without" in told(owner.get(f"/tournaments/{row.pk}/history/"))
    assert "does not play this round" in told(owner.get(page))

    send(
        owner,
        row,
        "taken-places",
        "round-1",
        round__number="1",
        table__number="2",
        entry=gone,
    )
    row.refresh_from_db()
    assert state_of(row).rounds[0].tables[1].entries == (*second.entries, gone)


def test_a_full_table_says_so_beside_the_form_and_nothing_is_lost(salon: Salon) -> None:
    row, owner = eight_in_fours(salon), owner_of(salon)
    state = state_of(row)
    before = row.version
    answer = send(
        owner,
        row,
        "taken-places",
        "round-1",
        round__number="1",
        table__number="1",
        entry=state.rounds[0].tables[1].entries[0],
    )

    assert answer.status_code == 422
    assert "does not sit round 1 out" in told(answer)
    row.refresh_from_db()
    assert row.version == before


def test_once_every_table_has_begun_the_page_says_why_nobody_can_change_places(
    salon: Salon,
) -> None:
    row, owner = eight_in_fours(salon), owner_of(salon)
    page = f"/tournaments/{row.pk}/desk/rounds/1/"
    assert "Play without" in told(owner.get(page))
    begun = "Every table has its game or its result already"
    assert begun not in told(owner.get(page))

    does(row, *(ExcuseTable(round=1, table=table, reason="Late") for table in (1, 2)))

    shown = told(owner.get(page))
    assert (begun in shown, "Play without" in shown) == (True, False)
