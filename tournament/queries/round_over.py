"""Whether the round in which a game is played is over, so that its table takes no more of it."""

from dataclasses import dataclass

from django.urls import reverse

from scoring.errors import RuleViolation, sentence
from tournament.accounts.permissions import Permission, Visitor
from tournament.models import Game, TournamentGame, TournamentRound
from tournament.streams.tournament_rows import round_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOver:
    """A round that is over, in which a game was played: of the tournament with this id and name."""

    tournament: str
    name: str
    number: int

    @property
    def address(self) -> str:
        """The page on which everyone sees where they sit next."""
        return reverse("tournament", args=[self.tournament])


def round_over(row: Game) -> RoundOver | None:
    """The round of this game once it is over: closed, or a later one is published. None while it is
    played, or for a game of none.

    A game that goes on without counting may do so until its table is needed.
    """
    if _counts_nowhere(row):
        return None
    linked = (
        TournamentGame.objects.filter(game=row.pk)
        .select_related("stream")
        .defer("stream__state")
        .order_by("pk")
        .first()
    )
    if linked is None:
        return None
    each = round_of(linked.stream_id, linked.round)
    table = each.table(linked.table) if each is not None else None
    counts_on = table is not None and table.detached
    if each is None or not (
        (each.closed and not counts_on) or _is_published(linked.stream_id, after=linked.round)
    ):
        return None
    return RoundOver(tournament=linked.stream_id, name=linked.stream.name, number=linked.round)


def _counts_nowhere(row: Game) -> bool:
    """Whether the row was asked for with whether its game counts (`counts`), and it doesn't."""
    return vars(row).get("counts") is False


def check_round_goes_on(visitor: Visitor, row: Game) -> None:
    """Raise RuleViolation `round_over` for who records at a table whose round is over; a director
    still may.
    """
    over = None if visitor.may(Permission.DIRECT) else round_over(row)
    if over is not None:
        message = sentence(
            "round %(number)s of %(name)s is over, and nothing more is recorded here; look "
            "where you sit next, or ask the director",
            number=over.number,
            name=over.name,
        )
        raise RuleViolation("round_over", message)


def _is_published(stream: str, *, after: int) -> bool:
    later = TournamentRound.objects.filter(stream=stream, number__gt=after).order_by("-number")
    rounds = (round_of(stream, number) for number in later.values_list("number", flat=True))
    return any(each is not None and each.published for each in rounds)
