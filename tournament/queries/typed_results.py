"""Results of a person that were typed at a desk: nothing of them was recorded hand by hand, so they
are in no record and no chips.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tournament.accounts.permissions import Visitor
from tournament.domain.standings.scales import NEEDED
from tournament.domain.standings.values import Scale
from tournament.domain.tournament.state import EntryState, RoundState
from tournament.models import Player, Tournament
from tournament.queries.number_format import hundredths
from tournament.queries.tournament import (
    SeatedEntry,
    TournamentView,
    is_silent,
    list_tables,
    load_tournament,
)
from tournament.queries.word_lists import list_words
from tournament.salons.persons import ids_of_person

TYPED = "typed"
MOST_TOURNAMENTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedResult:
    """A table of a tournament at which this person played, by its typed result. `outcome` is `won`,
    `lost`, `drawn`, or `played` where nobody was against; `score` the scores, own first.
    """

    tournament: str
    name: str
    round: int
    table: int
    with_names: str
    against_names: str
    score: str
    outcome: str


def typed_results(visitor: Visitor, person: Player) -> list[TypedResult]:
    """The typed results of a person in the latest tournaments, the latest first, as far as this
    visitor may see them.
    """
    known = set(ids_of_person(visitor.salon, person.pk))
    rows = (
        Tournament.objects.filter(tournamentplayer__player__in=known, practice=False, hidden=False)
        .exclude(phase__in=["draft", "registration"])
        .select_related("salon")
        .order_by("-started_position")[:MOST_TOURNAMENTS]
    )
    return [
        result
        for row in rows
        for at in (load_tournament(row, visitor.audience),)
        for each in reversed(at.state.rounds)
        if each.published and not is_silent(at, visitor, each.number)
        for result in _in_round(at, each, known)
    ]


def _in_round(
    at: TournamentView, each: RoundState, person: Collection[str]
) -> Iterator[TypedResult]:
    for entry in at.state.entries:
        if any(player in person for _place, player in entry.players_in(each.number)):
            yield from _of_entry(at, each, entry, person)


def _of_entry(
    at: TournamentView, each: RoundState, entry: EntryState, person: Collection[str]
) -> Iterator[TypedResult]:
    """The typed results of an entry at the tables where this person sat."""
    for shown in list_tables(at, each, entry=entry.id):
        there = [player for _, player in at.state.players_at(each.number, shown.table, entry.id)]
        if shown.counts != TYPED or not any(player in person for player in there):
            continue
        partners = [player for player in there if player not in person]
        own = next(seat for seat in shown.seated if seat.entry == entry.id)
        others = [seat for seat in shown.seated if seat.entry != entry.id]
        yield TypedResult(
            tournament=at.row.pk,
            name=at.row.name,
            round=each.number,
            table=shown.table.table,
            with_names=list_words([at.players[player] for player in partners]),
            against_names=list_words([seat.name for seat in others]),
            score=" : ".join(filter(None, map(_score, (own, *others)))),
            outcome=_outcome(at.state.stage_in(each.number).scale, own, others),
        )


def _amount_of(scale: Scale, seat: SeatedEntry) -> int:
    if seat.points is not None or seat.result is None:
        return seat.points or 0
    return getattr(seat.result, NEEDED[scale.kind]) or 0


def _score(seat: SeatedEntry) -> str:
    score = seat.result.score if seat.result is not None else None
    return hundredths(score) if score is not None else ""


def _outcome(scale: Scale, own: SeatedEntry, others: Collection[SeatedEntry]) -> str:
    """The outcome of a table by its points; for one of several tables of a match, which
    has none of its own, by what the scale counts.
    """
    best = max((_amount_of(scale, seat) for seat in others), default=None)
    if best is None:
        return "played"
    points = _amount_of(scale, own)
    return "won" if points > best else "drawn" if points == best else "lost"
