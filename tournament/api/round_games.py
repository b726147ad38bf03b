"""The games of a whole round, begun at once."""

from msgspec import Struct
from rest_framework.request import Request

from scoring.shape import a_number
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer, answer_idempotently
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.queries.refusal_text import in_words
from tournament.queries.tournament_visibility import public_or_404
from tournament.recording.tables.start_games import (
    BegunGame,
    StartedRound,
    StartRequest,
    start_round,
)


class RoundToBegin(Struct, frozen=True, kw_only=True):
    """The round whose games are to begin, and whether the salon gets tables wherever none
    is free.
    """

    round: int
    new_tables: bool = False


class TableLeft(Struct, frozen=True, kw_only=True):
    """A table of the round that has no game, and why."""

    table: int
    why: str


class BegunGames(Struct, frozen=True, kw_only=True):
    """The games that were begun, the tables that have none, and the labels of tables that the salon
    had not before.
    """

    begun: list[BegunGame]
    left: list[TableLeft]
    new_tables: list[str]


class RoundGameViewSet(ApiViewSet):
    """The games of a whole round, begun at once."""

    act = Permission.DIRECT

    @document_action(body=RoundToBegin, version=True)
    def start_round_games(self, request: Request, tournament: str) -> Answer[BegunGames]:
        """Begin a game at every table of a round that has neither game nor result, and say of the
        others why they have none.

        With `new_tables` the salon gets tables where none is free; without it only as many as the
        round has more than the salon.
        """
        at, new = public_or_404(self.visitor, tournament), self.body(RoundToBegin)
        if new.new_tables:
            self.visitor.demand(Permission.MANAGE_TABLES)
        lacking = "lacking" if self.visitor.may(Permission.MANAGE_TABLES) else "none"
        wish = StartRequest(
            round=a_number(new.round, "round", least=1),
            **self.by,
            version=self.version,
            tables="all" if new.new_tables else lacking,
        )
        return answer_idempotently(
            self,
            ["round-games", at.row.pk, self.version],
            lambda: _build_begun_games(start_round(self.salon, at.row.pk, wish)),
        )


def _build_begun_games(came: StartedRound) -> BegunGames:
    return BegunGames(
        begun=list(came.begun),
        left=[TableLeft(table=each.table, why=in_words(each.why)) for each in came.left],
        new_tables=list(came.made),
    )
