"""Who really plays can be said after the fact: a line-up that is open is changed with a reason, and
a substitute who is named after the start is told to the game.
"""

import pytest
from django.test import Client

from scoring.commands import EndGame
from scoring.corrections import Correction, CorrectSeats
from scoring.errors import RuleViolation
from tests.tournament.helpers.evenings import does, in_round_1, of_teams, result
from tests.tournament.helpers.played import PLAYERS, game_at, hand, record
from tests.tournament.helpers.playing import a_command, told
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.domain.tournament.team_line_ups import ChangeLineUp, OpenLineUps
from tournament.models import Player, Salon
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.careers import career_games
from tournament.recording.corrections import record_correction
from tournament.recording.tournaments import start_linked_game
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS


def test_an_open_line_up_is_changed_with_a_reason_also_after_a_result(
    owner: Client, salon: Salon
) -> None:
    row = does(of_teams(salon), OpenLineUps(round=1), result(1, 250, 180))
    page = f"/tournaments/{row.pk}/desk/rounds/1/"
    assert "Change the line-up" in told(owner.get(page))

    fields = {"players.0": "Asha Renn", "players.1": "Cato Liss"}
    sent = {"round:number": "1", "entry": "1", "version": str(row.version)} | fields
    address = f"/tournaments/{row.pk}/acts/changed-line-ups/?page=round-1"
    refused = owner.post(address, sent | {"command": a_command()})
    assert refused.status_code == 422
    done = owner.post(address, sent | {"command": a_command(), "reason": "Bruno was late"})

    assert done.status_code == 302
    row.refresh_from_db()
    assert dict(state_of(row).entries[0].line_ups)[1] == ("1", "3")
    assert "The line-up of entry 1 in round 1 is changed: Asha Renn & Cato Liss play" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )
    entry = told(owner.get(f"/tournaments/{row.pk}/entries/1/"))
    assert "Cato Liss in round 1" in entry
    assert "Bruno Sol not played yet" in entry
    assert list(audit(salon)) == []


def test_a_sealed_line_up_is_not_changed_but_handed_in_again(salon: Salon) -> None:
    change = ChangeLineUp(round=1, entry="1", members=("Asha Renn", "Cato Liss"), reason="late")
    with pytest.raises(RuleViolation, match="is not open"):
        does(of_teams(salon), change)


def test_a_substitute_named_after_the_start_is_told_to_the_game(
    owner: Client, salon: Salon
) -> None:
    row = in_round_1(salon)
    game = start_linked_game(
        salon,
        row.pk,
        round=1,
        table=1,
        label="1",
        actor="user:1",
        command=a_command(),
        version=row.version,
    )
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    entry = state_of(row).rounds[0].table(1)
    assert entry is not None
    key = entry.entries[0]
    gone = game.seats["N"]
    name = Player.objects.get(pk=gone).name
    entry_page = owner.get(f"/tournaments/{row.pk}/desk/entries/{key}/").text
    assert "<option selected>1</option>" in entry_page
    page = f"/tournaments/{row.pk}/desk/rounds/1/"
    assert "by the game" not in told(owner.get(page))

    does(row, ReplacePlayer(entry=key, players=(("1", "Sue Kint"),), from_round=1, until_round=1))

    shown = owner.get(page)
    assert f"North: {name} by the game, Sue Kint by the tournament." in told(shown)
    address = f"/games/{game.pk}/corrections/seats/"
    assert f"{address}?sat.N=Sue+Kint" in shown.text.replace("%20", "+")
    form = owner.get(f"{address}?sat.N=Sue+Kint")
    assert 'value="Sue Kint"' in form.text


def test_whoever_sat_through_a_whole_game_has_it_in_their_records(
    owner: Client, salon: Salon
) -> None:

    game = game_at(salon)
    record(
        game,
        *hand("N", (4, 3, 3, 4), (9, 4)),
        EndGame(kind="called", by="Mara", reason="Time was up."),
    )
    change = CorrectSeats(first=1, last=1, players=tuple((PLAYERS | {"N": "Sue Kint"}).items()))
    record_correction(
        salon,
        game.pk,
        Correction(change=change, by="Mara", reason="Sue played"),
        actor="user:1",
        command=a_command(),
        version=game.version,
    )
    catch_up(salon.log, PROJECTIONS)

    sue, otter = (Player.objects.get(name=each).pk for each in ("Sue Kint", "Brass Otter"))
    assert len(career_games(salon, sue)) == 1
    assert career_games(salon, otter) == []
    assert list(audit(salon)) == []
