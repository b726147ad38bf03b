"""Tournaments: set up, directed act by act, seen with their entries; whole ones in and out as
salon-tournament/1.
"""

import json
from collections.abc import Sequence
from functools import partial

import django_filters
from django.utils.translation import gettext as _
from msgspec import Struct
from rest_framework.request import Request

from ledger import times
from ledger.drafts import CommandReused
from ledger.reading import events_in
from scoring.errors import RuleViolation
from scoring.games import GAMES
from scoring.options import read_options
from scoring.shape import JsonObject, a_number, one_of
from tournament.accounts.access import table_or_404
from tournament.accounts.permissions import Permission, Visitor
from tournament.api.acts import require_object
from tournament.api.games import FILTERS, Person, find_first_version
from tournament.api.history import Events, events_of
from tournament.api.http.responses import (
    Answer,
    Done,
    answer_to_recording,
    answer_to_write,
    build_struct,
    make_versioned_answer,
)
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, Page, PageQuery, page_of, read_collection
from tournament.domain.standings.reading import GREATEST_SEED, MOST_ROUNDS, read_stage
from tournament.domain.standings.values import Stage
from tournament.domain.standings.writing import write_stage
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.lineups import Players, lineups
from tournament.domain.tournament.stage import ChangeStage
from tournament.domain.tournament.state import PHASES, EntryState
from tournament.domain.tournament.subjects import ACTS
from tournament.exchange.entry_lists import with_known_people
from tournament.models import Game, Tournament
from tournament.projections.registry import resume_all
from tournament.queries.cuts import play_offs_played, play_offs_to_come
from tournament.queries.entrants import entered_as, next_to_play, together
from tournament.queries.tournament import TournamentView, is_silent
from tournament.queries.tournament_visibility import public_or_404
from tournament.recording.door import Recorded
from tournament.recording.tournaments import direct, open_tournament, start_linked_game
from tournament.streams.short_addresses import short_address

MOST_MINUTES = 24 * 60
MOST_PLAYERS = 5
ACT = """The act, in the words of the desk: `phases` {phase, reason?} (to finish a tournament with
matches that were not played takes a reason: `matches_missing`), `entries` {players, rating?, club?,
entry_name?, missed?: half or zero}, `check-ins` {entry}, `all-check-ins` {}, `withdrawals` {entry},
`entry-changes` {entry, entry_name?, club?, rating?, order?: [place, …], reason?} (the order before
its first round, a reason once it sits in one), `hidings` {reason?} of a draft or a practice
tournament and `hiding-cancellations` {},
`settled-leavers` {entry, games: out | count, reason?} (whether the games of an entry that left the
round robin count; a reason if it played half of them or more),
`removals` {entry, reason?} (of an entry that has not played), `removal-cancellations` {entry},
`list-removals` {entries: [entry, …], singles?: [number, …], reason?} (of a whole list, while nobody
on it has played), `list-removal-cancellations` {entries: [entry, …]},
`substitutes` {entry, place, player, from_round?, until_round?}, `byes` {entry, round, kind},
`draws` {round, away?: [entry, …], here?, other_lots?, reason?}, `draw-cancellations` {round,
reason?} (the reason once games have begun: all of them end), `swaps` {round, one, two,
reason?}, `added-tables` {round, entry, other?} (one more table for those who wait: for two of a
Swiss, or for one where everybody plays alone), `added-table-removals` {round, table},
`publications` {round}, `clock-starts` {round, minutes}, `addresses` {address},
`results` {round, table, results: [{score | points}, …], reason?, its_game?}, `forfeits`,
`excuses`, `closings` {round}, `line-ups` {round, entry, players: [name, …]} (kept sealed until
all of the table are handed in), `opened-line-ups` {round, table?}, `changed-line-ups`
{round, entry, players: [name, …], reason} of one that is open, `penalties` and the others.
Where a game goes on at a table, a result, forfeit or excuse says what becomes of it: `its_game` is
`end` (not played, or abandoned once a hand is closed) or `detach` (it goes on and doesn't count),
with a `reason`; else the code is `game_unsettled`. A game without any hand ends unasked. A closed
round takes another result with a `reason`. `detached-games`, `counted-games`, `ended-games` {kind?}
and `accepted-differences` {round, table, reason} are about the game at a table, `ended-round-games`
{round, kind?, reason} about all of a round that still go on (`called`, or `abandoned`; without a
closed hand not played), `freed-tables` {round, reason} about all that
earlier rounds still hold: without it the next round is not published (`tables_held`).
`stage-beginnings` {stage, top?, tops?: one number for each source}; where those who are level play
it off, `play-offs` {stage, order: [entry, …], reason, games?: [game, …]} come first
(`play_off_missing`), the games being those between them alone that decided it, and
`play-off-cancellations` {number, reason} take them back."""


class TournamentLine(Struct, frozen=True, kw_only=True):
    """A tournament in a list: its phase is draft, registration, running, finished or archived, its
    rounds those drawn so far.
    """

    id: str
    record: str
    name: str
    game: str
    phase: str
    rounds: int
    version: int
    started_position: int


class LineupLine(Struct, frozen=True, kw_only=True):
    """Who plays for an entry from round `from_round` to round `until_round`, null: to the end."""

    from_round: int
    until_round: int | None
    players: list[Person]


class EntryLine(Struct, frozen=True, kw_only=True):
    """Who takes part: `withdrawn_after` is the last round it plays, null while it plays on.

    `players` play in the round that it has not begun to play, `lineups` say who plays in which.
    `name` is the entry's own name (`entry_name`, "" for none), else those who play then;
    `entered_as` has those it was entered with, "" where they still play. `half_for` are the rounds
    before it joined for which it has half.
    """

    id: str
    name: str
    entry_name: str
    entered_as: str
    players: list[Person]
    lineups: list[LineupLine]
    rating: int | None
    club: str | None
    joined_in: int
    withdrawn_after: int | None
    checked_in: bool
    half_for: list[int]


class PlayOffLine(Struct, frozen=True, kw_only=True):
    """A play-off after stage `stage` of `entries`: who came out first and so on, where its result
    is in, with its `number` and the recorded `games` that decided it; before, number 0, who has to
    play it.
    """

    number: int
    stage: int
    entries: list[str]
    words: str
    games: list[str]


class RemovedLine(Struct, frozen=True, kw_only=True):
    """An entry that was removed before it played, and can be taken in again."""

    id: str
    name: str


class TournamentDetail(Struct, frozen=True, kw_only=True):
    """A tournament with its stage as a file holds it, the rounds that this visitor may see, and its
    entries.

    `address` is the short one under which pages have it: `/e/lantern-cup`. `play_offs` are those
    that the next cut takes and whose result is not in, then those that were played.
    """

    id: str
    record: str
    address: str
    name: str
    game: str
    phase: str
    version: int
    seed: int
    stage: JsonObject
    options: JsonObject
    rated: bool
    minutes: int
    rounds: list[int]
    next_round: int
    silent_from: int | None
    entries: list[EntryLine]
    stage_number: int
    stages: list[JsonObject]
    play_offs: list[PlayOffLine]
    removed: list[RemovedLine]


class NewTournament(Struct, frozen=True, kw_only=True):
    """A tournament to set up as a draft: `stage` as in a file of the form salon-tournament/1,
    `options` the games' house rules.
    """

    name: str
    game: str
    stage: JsonObject
    players: int | None = None
    options: JsonObject = {}
    rated: bool = True
    minutes: int = 60
    silent_from: int | None = None
    seed: int | None = None
    later_stages: list[JsonObject] = []


class NewStage(Struct, frozen=True, kw_only=True):
    """What a tournament is to be instead, before its first round is drawn."""

    name: str
    stage: JsonObject
    players: int | None = None
    options: JsonObject = {}
    minutes: int = 60
    later_stages: list[JsonObject] = []


class LinkedGame(Struct, frozen=True, kw_only=True):
    """The game of a table of a round, to be begun at the table of the salon with this label."""

    round: int
    table: int
    label: str


class TournamentFilter(django_filters.FilterSet):
    """Which tournaments."""

    game = django_filters.ChoiceFilter(
        choices=[(name, game.title) for name, game in GAMES.items()], label="Of this game."
    )
    phase = django_filters.ChoiceFilter(
        choices=[(phase, phase) for phase in PHASES], label="In this phase."
    )
    hidden = django_filters.BooleanFilter(
        label="Those that a director hid, or those that none did; without it the latter."
    )


class TournamentViewSet(ApiViewSet):
    """Tournaments: set up, directed act by act, seen with their entries."""

    act = Permission.DIRECT
    filterset_class = TournamentFilter

    @document_action(Permission.SEE_SALON, query=PageQuery, filters=TournamentFilter)
    def list_tournaments(self, request: Request) -> Page[TournamentLine]:
        """The tournaments of the salon, the latest first; drafts are the director's alone."""
        rows = Tournament.objects.filter(salon=self.salon).defer("state")
        if not self.visitor.may(Permission.DIRECT):
            rows = rows.exclude(phase="draft").filter(hidden=False)
        elif "hidden" not in request.query_params:
            rows = rows.filter(hidden=False)
        found = FILTERS.filter_queryset(request, rows, self)
        return page_of(request, found).with_shape(partial(build_struct, TournamentLine))

    @document_action(body=NewTournament)
    def create_tournament(self, request: Request) -> Answer[Done]:
        """Set up a tournament as a draft; the key of this write, without dashes, is its id."""
        new, visitor = self.body(NewTournament), self.visitor
        replayed = Tournament.objects.filter(pk=self.command, salon=visitor.salon).exists()
        row = open_tournament(
            visitor.salon,
            **self.by,
            name=" ".join(new.name.split()),
            game=one_of(new.game, GAMES, "game"),
            stage=read_stage(new.stage, "stage", one_of(new.game, GAMES, "game")),
            later=_later(new.later_stages, new.game),
            conditions=_conditions(new, new.game),
            rated=new.rated,
            silent_from=_perhaps(new.silent_from, "silent_from", least=1, most=MOST_ROUNDS),
            seed=_perhaps(new.seed, "seed", least=0, most=GREATEST_SEED),
        )
        return answer_to_write(
            row.pk, find_first_version(row.salon, row.pk, self.command), replayed=replayed
        )

    @document_action(body=NewStage, version=True)
    def set_stage(self, request: Request, tournament: str) -> Answer[Done]:
        """Set name, stage and conditions of a tournament anew, before its first round is drawn."""
        at, new = public_or_404(self.visitor, tournament), self.body(NewStage)
        change = ChangeStage(
            name=" ".join(new.name.split()),
            stage=read_stage(new.stage, "stage", at.row.game),
            later=_later(new.later_stages, at.row.game),
            conditions=_conditions(new, at.row.game),
        )
        return answer_to_recording(
            direct(self.salon, at.row.pk, [change], **self.by, version=self.version)
        )

    @document_action(Permission.SEE_SALON)
    def read_tournament(self, request: Request, tournament: str) -> Answer[TournamentDetail]:
        """A tournament with its entries. Its ETag begins with its version: what an act sends as
        If-Match.
        """
        at = public_or_404(self.visitor, tournament)
        state = at.state
        shown = self.visitor.may(Permission.DIRECT)
        detail = build_struct(
            TournamentDetail,
            at.row,
            id=at.row.pk,
            address=short_address(at.row),
            seed=state.seed,
            stage=write_stage(state.stage),
            options=dict(state.conditions.options),
            rated=state.rated,
            minutes=state.conditions.minutes,
            rounds=[each.number for each in state.rounds if each.published or shown],
            next_round=state.next_round,
            silent_from=state.silent_from,
            entries=[entry_line(at, entry) for entry in state.entries],
            stage_number=state.stage_number,
            stages=[write_stage(stage) for stage in state.every_stage],
            play_offs=_play_offs(at, self.visitor),
            removed=[RemovedLine(id=key, name=name) for key, name in at.removed.items()],
        )
        return make_versioned_answer(detail, at.row.version)

    @document_action(body=ACT, version=True)
    def direct_tournament(self, request: Request, tournament: str, collection: str) -> Answer[Done]:
        """Record one act of the director on top of the version that If-Match names."""
        at, visitor = public_or_404(self.visitor, tournament), self.visitor
        read = read_collection(ACTS, collection)

        def record_at(moment: int) -> Recorded:
            act = with_known_people(
                visitor.salon, read(require_object(request.data), moment), actor=visitor.actor
            )
            return direct(visitor.salon, at.row.pk, [act], **self.by, version=self.version)

        now = _find_recorded_time(self, at) or times.now()
        try:
            return answer_to_recording(record_at(now))
        except CommandReused:
            then = _find_recorded_time(self, at)
            if then in (None, now):
                raise
            # The same act was sent a moment before, and says its own time.
            return answer_to_recording(record_at(then))

    @document_action(body=LinkedGame, version=True)
    def start_tournament_game(self, request: Request, tournament: str) -> Answer[Done]:
        """Begin the game of a round's table at one of the salon's tables; its result counts here.
        The answer is about the game.
        """
        at, new = public_or_404(self.visitor, tournament), self.body(LinkedGame)
        table_or_404(self.visitor, new.label)
        if Game.is_open_at(self.salon, new.label, but=self.command):
            words = _("Choose a table of the salon at which nobody plays.")
            raise RuleViolation("table_taken", words, path="label")
        replayed = Game.objects.filter(pk=self.command, salon=self.salon).exists()
        row = start_linked_game(
            self.salon,
            at.row.pk,
            round=a_number(new.round, "round", least=1),
            table=a_number(new.table, "table", least=1),
            label=new.label,
            **self.by,
            version=self.version,
        )
        return answer_to_write(
            row.pk, find_first_version(row.salon, row.pk, self.command), replayed=replayed
        )

    @document_action(Permission.READ_HISTORY, query=PageQuery)
    def list_tournament_events(self, request: Request, tournament: str) -> Answer[Events]:
        """Every event of a tournament in order; the cursor is a version of it."""
        return events_of(self, public_or_404(self.visitor, tournament).row)

    def resume_standings(self, request: Request, tournament: str) -> None:
        """Let standings that could not be computed be computed again."""
        self.row(Tournament, tournament)
        resume_all(self.salon.log)


def entry_line(at: TournamentView, entry: EntryState) -> EntryLine:
    """An entry with its names."""
    number, own_name = next_to_play(at.state, entry), at.titles.get(entry.id, "")
    return build_struct(
        EntryLine,
        entry,
        name=own_name or together(entry.members_in(number), at.players),
        entry_name=own_name,
        entered_as=entered_as(entry, number, at.players),
        players=_people(at, entry.players_in(number)),
        lineups=[
            LineupLine(
                from_round=lineup.first,
                until_round=lineup.last,
                players=_people(at, lineup.players),
            )
            for lineup in lineups(entry)
        ],
        half_for=[
            number for number in range(1, entry.joined_in) if entry.missed(number) is not None
        ],
    )


def _people(at: TournamentView, players: Players) -> list[Person]:
    return [Person(id=player, name=at.players[player]) for _place, player in players]


def _play_offs(at: TournamentView, visitor: Visitor) -> list[PlayOffLine]:
    """Those to come, unless they would give silent results away, and those played."""
    hidden = is_silent(at, visitor, len(at.state.rounds))
    return [
        PlayOffLine(
            number=each.number,
            stage=each.stage,
            entries=[entry for entry, _name in each.entries],
            words=each.words or each.reason,
            games=[game.game for game in each.games],
        )
        for each in (*(() if hidden else play_offs_to_come(at)), *play_offs_played(at))
    ]


def _later(given: Sequence[object], game: str) -> tuple[Stage, ...]:
    """The stages after the first as a file has them. Raises NotationError."""
    return tuple(
        read_stage(each, f"later_stages[{place}]", game, number=place + 2)
        for place, each in enumerate(given)
    )


def _conditions(new: NewTournament | NewStage, kind: str) -> Conditions:
    """Raises NotationError."""
    game = GAMES[one_of(kind, GAMES, "game")]
    chosen = read_options(new.options, game.options)
    game.read_rules(new.options)
    differing = [
        (option.name, chosen[option.name])
        for option in game.options
        if chosen[option.name] != option.default
    ]
    return Conditions(
        players=_perhaps(new.players, "players", least=1, most=MOST_PLAYERS),
        options=tuple(differing),
        minutes=a_number(new.minutes, "minutes", least=1, most=MOST_MINUTES),
    )


def _perhaps(value: int | None, path: str, *, least: int, most: int) -> int | None:
    """Raises NotationError."""
    return None if value is None else a_number(value, path, least=least, most=most)


def _find_recorded_time(view: ApiViewSet, at: TournamentView) -> int | None:
    """Return the time (microseconds UTC) at which this same write was recorded, so that
    sending it again keeps the time; None before.
    """
    events = events_in(view.salon.log_id, [at.row.pk]).filter(command=view.command)
    body = events.order_by("version").values_list("body", flat=True).first()
    said = json.loads(body).get("at") if body else None
    return said if isinstance(said, int) else None
