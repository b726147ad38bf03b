"""What is played in the salon that later versions are tried on: every game, and whatever has rows
of its own.
"""

from pathlib import Path

from scoring.commands import EndGame
from scoring.confirmation import Command, ConfirmHands, DisputeHand, FinaliseGame
from scoring.precedence.commands import MakeBid, OpenHand
from tests.material import lines_of
from tests.scoring.lone_defenders import with_rulings
from tests.tournament.exchange.salon_archive.salons import played_salon
from tests.tournament.helpers.evenings import after_round_1, does
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.tables import new_command, recorded
from tournament.demo.practice import open_practice
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Game, Salon, Stock
from tournament.projections.background import catch_up
from tournament.recording import stocks
from tournament.recording.confirmations import record_attestation
from tournament.recording.door import start_game
from tournament.recording.name_digests import cover_names
from tournament.recording.tournaments import start_linked_game
from tournament.tasks import PROJECTIONS

GAMES = Path(__file__).parents[2] / "scoring" / "samples"


def play() -> Salon:
    """A salon of all games: corrected, final, disputed, not played, in silent and in practice
    rounds, and all that is no game.
    """
    salon = played_salon(1)
    for path in sorted(GAMES.glob("*.expected.jsonl")):
        recorded(
            salon, with_rulings(lines_of(path.with_name(path.name.replace(".expected", "")))[0])
        )
    _confirmed(salon)
    _silent(salon)
    _from_a_stock(salon)
    open_practice(salon, name="To try", actor="user:1", command=new_command(), seed=1)
    cover_names(salon)
    catch_up(salon.log, PROJECTIONS)
    return salon


def _confirmed(salon: Salon) -> None:
    """A game in which a hand is disputed, one that is final, one that has just begun and one that
    was not played.
    """
    disputed, final, _new = (
        game_at(salon, "4"),
        Game.objects.get(salon=salon, record="everything"),
        game_at(salon, "5"),
    )
    record(game_at(salon, "6"), EndGame(kind="not_played", by="Elder", reason="nobody came"))
    record(
        disputed,
        *hand("N", (4, 3, 3, 4), (9, 4)),
        OpenHand(dealer="E"),
        MakeBid(seat="S", tricks=2),
    )
    _said(
        disputed,
        ConfirmHands(seat="E", hands=(1,)),
        DisputeHand(seat="W", hand=1, reason="nine, not eight"),
    )
    _said(final, FinaliseGame(by="Elder", reason="all have gone home"))


def _said(game: Game, *said: Command) -> None:
    for each in said:
        game.refresh_from_db()
        record_attestation(
            game.salon, game.pk, each, actor="user:1", command=new_command(), version=game.version
        )


def _silent(salon: Salon) -> None:
    """A tournament in its second round, which is silent: one table has a game, the other nothing
    yet.
    """
    row = does(
        after_round_1(salon), DrawRound(round=2), BeginSilence(from_round=2), PublishRound(round=2)
    )
    start_linked_game(
        salon,
        row.pk,
        round=2,
        table=1,
        label="7",
        actor="user:1",
        command=new_command(),
        version=row.version,
    )


def _from_a_stock(salon: Salon) -> None:
    game = start_game(
        salon,
        actor="user:1",
        command=new_command(),
        kind="order_of_precedence",
        players={"A": "Asha"},
        options={},
        table="8",
    )
    stocks.open_deal(
        salon,
        game,
        Stock.objects.get(salon=salon),
        actor="user:1",
        command=new_command(),
        version=1,
    )
