"""A salon that has one of everything, and every name and text in it marked, so that a test sees
where it gets out.
"""

import uuid
from dataclasses import dataclass

from scoring.commands import AdjustPoints
from scoring.precedence.commands import OpenHand
from tests.ledger.signing import sign
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.salons import opened_salon
from tournament.accounts.seat_links import links_of
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.subject import Command
from tournament.integrity.audit_runs import begin
from tournament.models import Game, Player, Salon, SeatLink, Stock, Table, Tournament
from tournament.projections.background import catch_up
from tournament.recording import stocks
from tournament.recording.door import start_game
from tournament.recording.tournaments import direct, open_tournament, start_linked_game
from tournament.tasks import PROJECTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class FullSalon:
    """The salon, and the word that stands in every name and text of it and in nothing else."""

    salon: Salon
    mark: str

    @property
    def ids(self) -> dict[str, list[str]]:
        """What addresses may name of it, by the parameter that takes it."""
        tables = list(
            Table.objects.filter(salon=self.salon)
            .order_by("pk")[:1]
            .values_list("token", flat=True)
        )
        seats = list(
            SeatLink.objects.filter(salon=self.salon)
            .order_by("pk")[:1]
            .values_list("token", flat=True)
        )
        return {
            "game": list(
                Game.objects.filter(salon=self.salon)
                .order_by("pk")
                .values_list("pk", flat=True)[:2]
            ),
            "tournament": list(
                Tournament.objects.filter(salon=self.salon).values_list("pk", flat=True)
            ),
            "stock": list(Stock.objects.filter(salon=self.salon).values_list("pk", flat=True)),
            "player": list(
                Player.objects.filter(salon=self.salon)
                .order_by("pk")
                .values_list("pk", flat=True)[:1]
            ),
            "token": tables + seats,
        }


def full_salon(mark: str) -> FullSalon:
    """A salon with a corrected and ruled game, a duplicate stock, a running event, seats' links, a
    checkpoint and an audit.
    """
    salon = opened_salon(f"Salon {mark}", f"owner@{mark.lower()}.example")
    game = game_at(salon)
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    record(
        game,
        OpenHand(dealer="E"),
        AdjustPoints(side="NS", points=-10, by=mark, reason=f"A card of {mark} was seen."),
    )
    links_of(game, ["N", "E", "S", "W"])
    names = list(Player.objects.filter(salon=salon).order_by("pk").values_list("name", flat=True))
    _a_duplicate_deal(salon, mark, names[0])
    _an_event(salon, mark, names)
    for player in Player.objects.filter(salon=salon):
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} {mark}")
    catch_up(salon.log, PROJECTIONS)
    sign(salon.log_id)
    assert begin(salon)
    return FullSalon(salon=salon, mark=mark)


def _a_duplicate_deal(salon: Salon, mark: str, name: str) -> None:
    stock = stocks.draw(salon, name=f"Stock {mark}", actor="user:1", command=uuid.uuid4().hex)
    game = start_game(
        salon,
        actor="user:1",
        command=uuid.uuid4().hex,
        kind="order_of_precedence",
        players={"A": name},
        options={},
        table="8",
    )
    stocks.open_deal(salon, game, stock, actor="user:1", command=uuid.uuid4().hex, version=1)


def _an_event(salon: Salon, mark: str, names: list[str]) -> None:
    stage = Stage(kind="swiss", rounds=3)
    row = open_tournament(
        salon,
        actor="user:1",
        command=uuid.uuid4().hex,
        name=f"{mark} Cup",
        game="precedence",
        stage=stage,
    )
    entries = [
        MakeEntry(players=(("1", names[0]), ("2", names[1]))),
        MakeEntry(players=(("1", names[2]), ("2", names[3]))),
    ]
    acts: list[Command] = [
        EnterPhase(phase="registration"),
        *entries,
        EnterPhase(phase="running"),
        DrawRound(round=1),
        PublishRound(round=1),
    ]
    version = direct(
        salon, row.pk, acts, actor="user:1", command=uuid.uuid4().hex, version=1
    ).version
    start_linked_game(
        salon,
        row.pk,
        round=1,
        table=1,
        label="7",
        actor="user:1",
        command=uuid.uuid4().hex,
        version=version,
    )
