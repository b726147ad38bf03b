"""The page of an entry's own people: where they sit now and next, what waits for them, how they
stand; what decides what it shows, so that it stays while that does; and their rounds for a
calendar.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from ledger.reading import fetch_all
from scoring.confirmation import side_of
from scoring.errors import RuleViolation
from scoring.games import GAMES
from tournament.accounts.permissions import Visitor
from tournament.domain.standings.ranking import Standing
from tournament.domain.standings.values import Scale
from tournament.domain.tournament.state import MICROSECONDS, EntryState, RoundState, TableState
from tournament.formats.ical import Appointment
from tournament.models import Game
from tournament.projections.standings import STANDINGS
from tournament.queries.brackets import EntryMatch, entry_matches, format_places
from tournament.queries.confirmation_rows import read_confirmation
from tournament.queries.entry_paths import Step, company_at, company_words, path_of, seat_at
from tournament.queries.plans import OwnStep, is_shown, own_plan, read_plan
from tournament.queries.result_feeds import recorded_at
from tournament.queries.round_clocks import ShownClock, clock_of
from tournament.queries.stage_views import at_stage, scale_of_entry
from tournament.queries.tournament import TournamentView, list_tables, silent_from
from tournament.queries.tournament_visibility import read_visible_standings

# The entry's own games move with every act at its table, the rest of the tournament with its
# version and with the standings; of other tables' games the page tells nothing.
_STATE = """
SELECT l.id, t.version, t.phase, s.id, s.slug, s.time_zone, s.language,
 (SELECT max(position) FROM tournament_reckoning
   WHERE log_id = s.log_id AND projection = %s AND subject = t.id),
 (SELECT max(id) FROM tournament_erasure),
 (SELECT max(version) FROM tournament_house h WHERE h.salon_id = s.id),
 (SELECT max(position) FROM tournament_game WHERE id IN ({games})),
 (SELECT max(version) FROM tournament_call WHERE salon_id = s.id AND tournament = t.id
   AND game IN ({games}) AND ended_at IS NULL)
  FROM tournament_personallink l
  JOIN tournament_tournament t ON t.id = l.tournament
  JOIN tournament_salon s ON s.id = l.salon_id
 WHERE l.token = %s AND NOT l.ended
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSeat:
    """An entry's seat in the round that is on: the step of its path, with whom and against whom in
    words, the clock of its table (None: not started), and the table of the salon where the game is
    played if that has another number. `calls_from` is the table of the salon from which it calls
    the director, "" where no game is played there.
    """

    step: Step
    company: str
    clock: ShownClock | None
    salon_table: str = ""
    calls_from: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToConfirm:
    """Closed hands of a game that wait for the entry's side, by number."""

    round: int
    table: int
    game: str
    hands: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPage:
    """All that stands on the page. `now` is None between rounds; `following` is the next round of
    a plan, None where it isn't known yet. The `standing` counts the rounds up to `after_round`;
    results are hidden from round `silent_from` on.
    """

    entry: EntryState
    name: str
    now: OwnSeat | None
    following: OwnStep | None
    to_confirm: Sequence[ToConfirm]
    path: Sequence[Step]
    matches: Sequence[EntryMatch]
    standing: Standing | None
    place: str
    after_round: int
    silent_from: int | None
    scale: Scale

    @property
    def results(self) -> list[Step]:
        """The rounds of the path, the one that is on as soon as its result is in."""
        return [
            step
            for step in self.path
            if self.now is None or step is not self.now.step or step.points is not None
        ]


def own_page(at: TournamentView, visitor: Visitor, entry: EntryState) -> OwnPage:
    """The page of this entry as it stands, with what this visitor may see."""
    path = path_of(at, visitor, entry.id)
    table, _hidden = read_visible_standings(at, visitor)
    return OwnPage(
        entry=entry,
        name=at.name_next(entry.id),
        now=_now(at, path, entry.id),
        following=_following(at, visitor, entry.id),
        to_confirm=list(to_confirm(at, entry)),
        path=path,
        matches=entry_matches(at, visitor, entry.id),
        standing=next((row for row in table.rows if row.entry == entry.id), None)
        if table is not None and table.after_round
        else None,
        place=format_places(at, visitor, table).get(entry.id, ""),
        after_round=table.after_round if table is not None else 0,
        silent_from=silent_from(at, visitor),
        scale=scale_of_entry(at, entry.id),
    )


def _table_of_game(game: str) -> str:
    """The salon's table at which a game is played; "" where it is over or there is none."""
    row = Game.objects.filter(pk=game, finished=False).values_list("table", flat=True).first()
    return row or ""


def own_games(at: TournamentView, entry: str) -> list[str]:
    """The games (their streams) that the page tells of: those at the tables of the entry."""
    return [game for _round, _table, game in _list_games(at, entry)]


def _now(at: TournamentView, path: Sequence[Step], entry: str) -> OwnSeat | None:
    """The seat in the round published last, until it is closed."""
    last = at.state.last_published
    step = path[-1] if path else None
    if last is None or last.closed or step is None or step.round != last.number:
        return None
    shown = next(iter(list_tables(at, last, entry=entry)), None)
    return OwnSeat(
        step=step,
        company=company_words(
            [name for _entry, name in step.partners],
            [name for _entry, name in step.opponents],
            deals=step.deals,
        ),
        clock=clock_of(last, step.table),
        salon_table=shown.salon_table if shown is not None else "",
        calls_from=_table_of_game(step.game),
    )


def _following(at: TournamentView, visitor: Visitor, entry: str) -> OwnStep | None:
    """The next round of a plan that everybody sees; None where there is none."""
    if at.state.phase != "running" or not is_shown(at, visitor):
        return None
    try:
        plan = read_plan(at, visitor)
    except RuleViolation:  # no plan fits those who are here now: the director is told on the desk
        return None
    published = sum(each.published for each in at.state.rounds)
    return next((step for step in own_plan(plan, entry) if step.number == published + 1), None)


def to_confirm(at: TournamentView, entry: EntryState) -> Iterator[ToConfirm]:
    """The games of the entry in which hands wait for its side, in order; none that is silent."""
    played = list(_list_games(at, entry.id))
    rows = Game.objects.select_related("salon").in_bulk([game for _round, _table, game in played])
    for each, table, game in played:
        row = rows.get(game)
        if row is None or row.is_silent:
            continue
        hands = _list_hands_to_confirm(
            row, {player for _place, player in entry.players_in(each.number)}
        )
        if hands:
            yield ToConfirm(round=each.number, table=table, game=game, hands=hands)


def _list_games(at: TournamentView, entry: str) -> Iterator[tuple[RoundState, int, str]]:
    for each in at.state.rounds:
        for table in each.tables:
            if each.published and entry in table.entries and table.game is not None:
                yield each, table.table, table.game


def _list_hands_to_confirm(row: Game, players: set[str]) -> list[int]:
    """The closed hands of a game that wait for the side of these players."""
    seats: Mapping[str, str] = row.seats
    own = {side_of(GAMES[row.kind], seat) for seat, player in seats.items() if player in players}
    said = read_confirmation(row, list(seats), closed=row.state["hands"])
    return [hand.number for hand in said.list_hands_waiting_for(*own)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTimes:
    """From when to when the clock of a round runs, as it runs now."""

    begins: datetime
    ends: datetime


def own_appointments(at: TournamentView, entry: str, address: str) -> Iterator[Appointment]:
    """The published rounds in which the entry sits at a table and whose clock runs or ran until the
    round was closed; one whose clock stands has no end, so it isn't among them. `address` is the
    page of the entry.
    """
    changed = recorded_at(at.row, at.row.version)
    for each in at.state.rounds:
        table = next((table for table in each.tables if entry in table.entries), None)
        time = read_clock_times(each, table) if table is not None and each.published else None
        if table is None or time is None:
            continue
        sits = seat_at(at_stage(at, each.stage), table, entry)
        against = company_at(at, each.number, table, sits)
        words = {
            "event": at.row.name,
            "salon": at.row.salon.name,
            "number": each.number,
            "table": ", ".join(str(part.table) for part in at.state.match_of(each.number, table)),
            "seat": sits.seat,
        }
        yield Appointment(
            uid=f"{at.row.pk}-entry-{entry}-round-{each.number}@accord.invalid",
            begins=time.begins,
            ends=time.ends,
            changed=changed,
            title=_("%(event)s, round %(number)d: table %(table)s, %(seat)s") % words
            if sits.seat
            else _("%(event)s, round %(number)d: table %(table)s") % words,
            place=_("%(salon)s, table %(table)s") % words,
            text=f"{at.name_in(each.number, entry)}\n{against}".strip(),
            address=address,
        )


def read_clock_times(each: RoundState, table: TableState) -> ClockTimes | None:
    """When the clock of a round began to run, its pauses taken off, and when it is over for this
    table; None while it has none that runs.
    """
    clock = each.clock
    if clock is None or clock.since is None or not clock.seconds:
        return None
    begins = clock.since - clock.spent
    ends = begins + max(clock.seconds + table.extension, 0) * MICROSECONDS
    return ClockTimes(begins=_at(begins), ends=_at(ends))


def _at(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds // MICROSECONDS, UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnState:
    """The version of the tournament, and an `etag` that changes with whatever the page shows."""

    version: int
    etag: str


def own_state(token: str, games: Sequence[str]) -> OwnState | None:
    """The state of the page behind this token, of an entry that plays these games; None where the
    link holds no longer.
    """
    asked = _STATE.format(games=", ".join(["%s"] * len(games)) or "NULL")
    rows = fetch_all(asked, [STANDINGS.name, *games, *games, token])
    if not rows:
        return None
    digest = hashlib.sha256(repr(tuple(rows[0])).encode()).hexdigest()[:32]
    return OwnState(version=int(str(rows[0][1])), etag=f'"{digest}"')
