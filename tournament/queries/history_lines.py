"""Moments of games and other streams as the history page shows them: in words, with who, when and
the chips that moved.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from typing import Any

from django.urls import reverse

from ledger import times
from ledger.models import Event
from scoring.attestations import ATTESTATIONS
from scoring.events import GameCorrected
from scoring.game import Game
from tournament.accounts.actor_names import actors_in_words
from tournament.accounts.silent_rounds import Hidden, conceal, read_hidden
from tournament.domain.house.covered_names import PersonRenamed
from tournament.domain.house.persons import PersonsMerged, PersonsSeparated
from tournament.models import Call, House, Salon, Screen, Season, Stock
from tournament.models import Game as GameRow
from tournament.models.visibility import unseen_games
from tournament.queries.accounts import Payment, payments
from tournament.queries.game_templates import events_of
from tournament.queries.seats_as_of import called, sitting
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience
from tournament.streams import acts
from tournament.streams.codec import Unread, decode
from tournament.streams.entries import Entry
from tournament.streams.texts import WRITTEN, words_of
from tournament.streams.types import STREAM_TYPES, StreamType

KEPT_FROM, KEPT_UNTIL = 60_000_000, 12 * 3600 * 1_000_000  # microseconds that a phone kept an act

type StreamRow = House | Call | Screen | Season | Stock


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """The correction that took an act out, at entry `position`: why and by whom, "" where that was
    erased.
    """

    position: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One moment ready for its template: the first of `templates` that there is says what happened.

    `row` is the game's, or the head row of another stream, None where a stream has none. `names`
    are players by id, as the `audience` reads them; `called` is what each seat of a game was called
    by who sat there, `words` what was written by field ("" when erased). `kind` is the timeline's
    mark. `withdrawn` where a correction took it out.
    """

    moment: acts.Moment
    row: Any
    templates: tuple[str, str, str]
    who: str
    actor: str
    at: datetime
    kind: str
    audience: Audience
    names: Mapping[str, str]
    called: Mapping[str, str]
    words: Mapping[str, str]
    payments: Sequence[Payment]
    undone: "HistoryLine | None"
    withdrawn: "Withdrawal | None"

    @property
    def fact(self) -> Any:  # noqa: ANN401 - of the kind that its name says
        """The event itself."""
        return self.moment.entry.fact

    @property
    def moved_to(self) -> str:
        """The table at which a game goes on after a correction, "" where it stays at its own."""
        before, after = self.moment.entry.before.table, self.moment.state.table
        return after if after != before else ""

    @property
    def seated(self) -> list[tuple[str, str]]:
        """The (seat, name) pairs of an event that has them."""
        return [
            (seat, self.names.get(player, "")) for seat, player in getattr(self.fact, "players", ())
        ]

    @property
    def person(self) -> str:
        """The name of the player whom a fact of the house is about, "" for none."""
        return next((self.names.get(player, "") for player in _person(self.fact)), "")

    @property
    def address(self) -> str:
        """The page that tells the whole stream."""
        kind = self.moment.entry.kind
        if isinstance(self.fact, Unread):
            # Its stream's own pages can't read it either.
            return reverse("entry_proof", args=[self.position])
        if not isinstance(kind, StreamType):
            return reverse("game_history", args=[self.row.pk])
        return reverse(kind.page, args=[] if kind.only else [self.row.pk])

    @property
    def position(self) -> int:
        """The entry's number in the salon's log."""
        return self.moment.entry.stored.position

    @property
    def version(self) -> int:
        """The step of the game after which the board shows this moment."""
        return self.moment.last.version

    @property
    def arrived(self) -> datetime | None:
        """When it was recorded, where a phone had kept it for a while before; None else, and for
        what was told much later, as a game from a file.
        """
        stored = self.moment.entry.stored
        between = stored.recorded_at - stored.occurred_at
        return at_time(stored.recorded_at) if KEPT_FROM <= between <= KEPT_UNTIL else None

    @property
    def is_taken_back(self) -> bool:
        """Whether a later entry took it back."""
        return self.moment.entry.taken_back is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineWording:
    """The names and texts that moments need in words for an audience: players by id, texts
    by digest, actors, and withdrawals by position.
    """

    audience: Audience
    names: Mapping[str, str]
    words: Mapping[str, str]
    actors: Mapping[str, str]
    withdrawals: Mapping[int, Withdrawal]


def rows_of(streams: Set[str]) -> dict[str, Any]:
    """The row of each of these streams: a game's, or the head row of another kind."""
    rows: dict[str, Any] = dict(GameRow.objects.in_bulk(streams))
    for kind in STREAM_TYPES.values():
        rows |= kind.head._default_manager.in_bulk(streams - rows.keys())
    return rows


def history_lines(
    salon: Salon, rows: Mapping[str, Any], moments: Sequence[acts.Moment], audience: Audience
) -> list[HistoryLine]:
    """These moments in words, in their order, but for what whoever is answered now may not see;
    `rows` are those of their streams.

    A few queries for all.
    """
    moments = _visible_moments(moments)
    entries = [
        entry
        for moment in moments
        for entry in (moment.entry, *moment.chips, *([moment.undoes] if moment.undoes else []))
    ]
    players = {
        player for entry in entries for player in (*_players(entry.fact), *_seats(entry).values())
    }
    names = names_of(salon, players, audience)
    corrections = _corrections(
        salon, {entry.taken_back for entry in entries if entry.taken_back is not None}
    )
    facts = [*(entry.fact for entry in entries), *corrections.values()]
    words = words_of(
        salon, {digest for fact in facts for digest in _digests_by_field(fact).values()}
    )
    withdrawals = {
        at: Withdrawal(position=at, reason=words.get(fact.reason, ""), by=words.get(fact.by, ""))
        for at, fact in corrections.items()
    }
    actors = actors_in_words(salon, {entry.stored.actor for entry in entries}, audience)
    known = LineWording(
        audience=audience, names=names, words=words, actors=actors, withdrawals=withdrawals
    )
    return [_line(moment, rows.get(moment.entry.stored.stream), known) for moment in moments]


def lines_of_stream(salon: Salon, row: StreamRow, audience: Audience) -> list[HistoryLine]:
    """Everything that was recorded of what this row is about, newest first."""
    moments = list(reversed(acts.moments_of(salon.log_id, row.pk)))
    return history_lines(salon, {row.pk: row}, moments, audience)


def _visible_moments(moments: Sequence[acts.Moment]) -> list[acts.Moment]:
    """The moments that may be seen now: no silent games, no draws that are not yet
    published, no silent results.
    """
    unseen = unseen_games()
    hidden = read_hidden({moment.entry.stored.stream for moment in moments})
    found = [
        _conceal(moment, hidden.get(moment.entry.stored.stream))
        for moment in moments
        if moment.entry.stored.stream not in unseen
    ]
    return [moment for moment in found if moment is not None]


def _conceal(moment: acts.Moment, hidden: Hidden | None) -> acts.Moment | None:
    fact = conceal(moment.entry.fact, hidden)
    return replace(moment, entry=replace(moment.entry, fact=fact)) if fact is not None else None


def at_time(microseconds: int) -> datetime:
    """A stored time."""
    return times.moment(microseconds)


def _corrections(salon: Salon, positions: Set[int]) -> dict[int, GameCorrected]:
    """Those of the entries at these positions that are corrections; the others take back what
    somebody had just entered.
    """
    found = Event.objects.filter(
        log=salon.log_id, position__in=positions, type=acts.CORRECTED
    ).values_list("position", "schema", "body")
    return {position: decode(acts.CORRECTED, schema, body) for position, schema, body in found}


def _line(moment: acts.Moment, row: object, known: LineWording) -> HistoryLine:
    stored, kind = moment.entry.stored, moment.entry.kind
    undone = acts.Moment(entry=moment.undoes, chips=(), undoes=None) if moment.undoes else None
    return HistoryLine(
        moment=moment,
        row=row,
        templates=events_of(kind.name if kind is not None else "", moment.entry.name),
        who=known.actors[stored.actor],
        actor=stored.actor,
        at=at_time(stored.occurred_at),
        kind=_kind(stored.type),
        audience=known.audience,
        names=known.names,
        called=called(moment.entry.game, _seats(moment.entry), known.names)
        if isinstance(kind, Game)
        else {},
        words={
            field: known.words.get(digest, "")
            for field, digest in _digests_by_field(moment.entry.fact).items()
        },
        payments=payments(moment.chips, known.names),
        undone=_line(undone, row, known) if undone else None,
        withdrawn=known.withdrawals.get(moment.entry.taken_back or 0),
    )


def _kind(stored_type: str) -> str:
    if stored_type in (acts.HAND_CLOSED, acts.GAME_CLOSED):
        return "hand"
    if stored_type in (acts.RETRACTED, acts.MISDEALT, acts.CORRECTED) or stored_type.startswith(
        acts.RULINGS
    ):
        return "fix"
    return ""


def _players(fact: object) -> Iterable[str]:
    """The players an event names: those who sit, and substitutes by their account."""
    yield from (player for _seat, player in getattr(fact, "players", ()))
    yield from _person(fact)
    for account in (getattr(fact, "source", None), getattr(fact, "target", None)):
        if isinstance(account, str) and ":" in account:
            yield account.partition(":")[2]


def _person(fact: object) -> Iterable[str]:
    """The player whom a fact of the house is about."""
    if isinstance(fact, PersonRenamed | PersonsMerged):
        yield fact.player
    elif isinstance(fact, PersonsSeparated):
        yield fact.merged


def _seats(entry: Entry) -> dict[str, str]:
    """The player at each seat in the hand that an entry of a game is about; empty for
    other entries.
    """
    if not isinstance(entry.kind, Game) or entry.after is None:
        return {}
    return sitting(
        entry.after,
        entry.fact.hand
        if type(entry.fact) in ATTESTATIONS and hasattr(entry.fact, "hand")
        else None,
    )


def _digests_by_field(fact: object) -> dict[str, str]:
    """The digests of what somebody wrote, by field."""
    if not is_dataclass(fact):
        return {}
    values = {
        field.name: getattr(fact, field.name) for field in fields(fact) if field.name in WRITTEN
    }
    return {name: value for name, value in values.items() if isinstance(value, str)}
