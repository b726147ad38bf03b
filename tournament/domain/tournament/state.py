"""The state of a tournament: immutable values that `evolve` makes anew with each
fact, and that rows hold as JSON.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from tournament.domain.pairing.values import DrawnTable, NextBest, PlanCounts, Reason
from tournament.domain.standings.cutting import CutMade
from tournament.domain.standings.values import (
    Adjustment,
    BoardResult,
    Bye,
    Result,
    Seats,
    Stage,
    share_of,
)
from tournament.domain.tournament.conditions import Conditions

PHASES = ("draft", "registration", "running", "finished", "archived")
MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryState:
    """A participant, from when to when; `asked` are (round, kind) pairs of byes asked for, `absent`
    rounds it was away.

    `players` play for it in the end; `earlier` are (last round, players) pairs of those who do
    before somebody is replaced. `entered` are those it was entered with, () where they are the
    first who play or nobody knows any more. `gone`: after the first draw somebody said that it
    isn't here. `out` are (after, until) pairs of rounds: it didn't go on to the stage that began
    after the one, and is in again after the other (None: not until the end). `line_ups` are (round,
    places) pairs: whose places of a team play, in the order of the seats and of the tables of its
    match. `entry_name` is the
    digest of a name of its own, None where it is called by its players. `leaver` are (stage, games)
    pairs: whether its games count (`count`) in a round robin that it left, or are left `out`.
    """

    id: str
    players: tuple[tuple[str, str], ...]
    rating: int | None = None
    club: str | None = None
    joined_in: int = 1
    withdrawn_after: int | None = None
    absent: tuple[int, ...] = ()
    asked: tuple[tuple[int, str], ...] = ()
    checked_in: bool = False
    gone: bool = False
    earlier: tuple[tuple[int, tuple[tuple[str, str], ...]], ...] = ()
    entered: tuple[tuple[str, str], ...] = ()
    out: tuple[tuple[int, int | None], ...] = ()
    line_ups: tuple[tuple[int, tuple[str, ...]], ...] = ()
    entry_name: str | None = None
    leaver: tuple[tuple[int, str], ...] = ()

    @property
    def regular(self) -> tuple[tuple[str, str], ...]:
        """Those it was entered with if they ever play, else the first who do."""
        return self.entered or self.members_in(self.joined_in)

    def members_in(self, number: int) -> tuple[tuple[str, str], ...]:
        """Return the players who can play for it in round `number`: all of a team, and its
        substitutes.
        """
        return next((players for last, players in self.earlier if number <= last), self.players)

    def players_in(self, number: int) -> tuple[tuple[str, str], ...]:
        """Return the players who play for it in round `number`: the line-up of a team once
        it is open.
        """
        members = self.members_in(number)
        places = dict(self.line_ups).get(number)
        if places is None:
            return members
        return tuple((place, dict(members)[place]) for place in places)

    def players_at(self, number: int, place: int, tables: int) -> tuple[tuple[str, str], ...]:
        """Return the players at one table of a match in round `number`: the one at this
        place, from 0 on, of `tables`; all who can play before its line-up is open.
        """
        players = self.players_in(number)
        return share_of(players, place, tables) if number in dict(self.line_ups) else players

    @property
    def everybody(self) -> set[str]:
        """All who have ever played for it, or were to."""
        return {
            player
            for players in (self.players, *dict(self.earlier).values())
            for _place, player in players
        }

    @property
    def is_withdrawn(self) -> bool:
        """Whether it has withdrawn, at once or after a later round."""
        return self.withdrawn_after is not None

    def has_left(self, number: int) -> bool:
        """Whether it has withdrawn and is no longer there in round `number`."""
        return self.withdrawn_after is not None and number > self.withdrawn_after

    def missed(self, number: int) -> str | None:
        """The bye that it has in a round before it joined; None where it has none."""
        return dict(self.asked).get(number) if number < self.joined_in else None

    def plays_in(self, number: int) -> bool:
        """Whether it is to be seated in round `number`."""
        out = any(
            after < number and (until is None or number <= until) for after, until in self.out
        )
        return (
            self.joined_in <= number
            and not self.has_left(number)
            and not out
            and number not in self.absent
            and number not in dict(self.asked)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """Somebody who waits for a partner."""

    number: int
    player: str
    rating: int | None = None
    club: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The clock of a round: it may run for `seconds`, has run for `spent` microseconds, and runs on
    since `since` (None: it stands).
    """

    seconds: int
    spent: int = 0
    since: int | None = None
    last_hand: bool = False

    def seconds_left(self, at: int, extension: int = 0) -> int:
        """The seconds left at `at`, below 0 when time is over; `extension` is what one table has
        more.
        """
        running = at - self.since if self.since is not None else 0
        return self.seconds + extension - (self.spent + running) // MICROSECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState(Seats):
    """A table of a round: who sits there in the order of the seats, why (`instead`: the next best),
    and what is known of its result.

    `by_hand`: a director changed who sits here, so that it isn't as it was drawn. Its `game` does
    not count while it is `detached`; one that was abandoned counts when the director has said so
    (`counted`). `accepted` is what the game came to when the director accepted that something else
    counts. `deals`, `match` and `bracket` are as the draw has them; `boards` are the scores typed
    deal by deal, `awards` (deal, per cent of each side) pairs of what was awarded instead. `waited`
    are (entry, why) pairs of those for whom it was added to the round.
    """

    why: tuple[Reason, ...] = ()
    instead: NextBest | None = None
    by_hand: bool = False
    results: tuple[Result, ...] = ()
    hands: int | None = None
    absent: tuple[str, ...] = ()
    forfeit: bool = False
    excused: bool = False
    game: str | None = None
    detached: bool = False
    counted: bool = False
    accepted: tuple[Result, ...] = ()
    boards: tuple[BoardResult, ...] = ()
    awards: tuple[tuple[int, tuple[int, ...]], ...] = ()
    extension: int = 0
    waited: tuple[tuple[str, str], ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether its result was typed, forfeited or excused; a linked game may have finished
        besides.
        """
        return bool(self.results or self.absent) or self.excused or self.is_awarded

    @property
    def is_awarded(self) -> bool:
        """Whether every deal of it has an artificial score."""
        return bool(self.deals) and set(self.deals) <= dict(self.awards).keys()

    @property
    def has_started(self) -> bool:
        """Whether something happened here that a new draw would lose."""
        return self.is_settled or self.game is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Two entries that changed places by hand; `reason` is a digest."""

    one: str
    two: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AsDrawn:
    """The result of a draw, kept while the round is changed by hand."""

    tables: tuple[DrawnTable, ...]
    byes: tuple[Bye, ...]
    byes_why: tuple[tuple[Reason, ...], ...]
    broken: tuple[Reason, ...]
    totals: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundState:
    """A round as drawn; `digest` and `engine` say from what and by which engine, `seed` with which
    lots (None: the tournament's), `construction` of which plan, and `counted` what the verifier
    counted in it. It is of stage `stage`.

    `drawn` is what it was before `swaps` changed it; nothing once everybody sits again where the
    draw had them. `manual`: it is being paired by hand; `manual_reason` is the digest of why it was
    last. `sealed` are (entry, commitment) pairs of line-ups handed in.
    """

    number: int
    tables: tuple[TableState, ...]
    byes: tuple[Bye, ...]
    engine: str
    digest: str
    broken: tuple[Reason, ...] = ()
    byes_why: tuple[tuple[Reason, ...], ...] = ()
    totals: tuple[Reason, ...] = ()
    seed: int | None = None
    reason: str | None = None
    construction: str = ""
    counted: PlanCounts | None = None
    drawn: AsDrawn | None = None
    swaps: tuple[Swap, ...] = ()
    manual: bool = False
    manual_reason: str | None = None
    sealed: tuple[tuple[str, str], ...] = ()
    published: bool = False
    closed: bool = False
    clock: Clock | None = None
    stage: int = 1

    @property
    def is_open(self) -> bool:
        """Whether results come in: it is published and not closed."""
        return self.published and not self.closed

    def table(self, number: int) -> TableState | None:
        """The table with this number."""
        return next((table for table in self.tables if table.table == number), None)

    def with_table(self, number: int, change: Callable[[TableState], TableState]) -> "RoundState":
        """The round with the table of this number changed."""
        tables = (change(table) if table.table == number else table for table in self.tables)
        return replace(self, tables=tuple(tables))

    @property
    def has_started(self) -> bool:
        """Whether a table has a game or a result, or the clock has run."""
        return self.clock is not None or any(table.has_started for table in self.tables)

    @property
    def seated(self) -> Iterator[str]:
        """Everybody in the round, each once: at its tables, then with a bye."""
        at_tables = (entry for table in self.tables for entry in table.entries)
        yield from dict.fromkeys([*at_tables, *(bye.entry for bye in self.byes)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty(Adjustment):
    """Points (hundredths) given or taken by the director; `reason` and `by` are digests."""

    number: int
    cancelled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunStage:
    """A stage that began after a cut: who went on, in the order of their seeds, and what decided it
    as it was then.
    """

    stage: int
    after_round: int
    cut: CutMade


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOffState:
    """A play-off of those who were level at an edge of stage `stage`, in the `order` in which they
    came out; `reason` is a digest, `games` the games (their streams) that decided it. It counts no
    longer once it is `cancelled`.
    """

    number: int
    stage: int
    order: tuple[str, ...]
    reason: str
    cancelled: bool = False
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A tournament after `version` events; `singles` are those who wait for a partner,
    `singles_noted` how many ever did.

    `stage` is the one that is played, of several `stages`; `begun` are those after the first that
    have begun, `play_offs` what was played off after them. `removed` are entries taken out before
    they played, each with the place it had. `rated` says whether it counts for
    ratings, `practice` that it counts for nothing at all, `hidden` that it is in no list.
    `claims` are its short addresses, the one it has now last, each with the version of the event by
    which it has it. `stocks` are the duplicate stocks (their streams) that everybody plays, deal
    by deal; the deals of pairs follow from a seed with `deals_commitment`, and `deals_seed` is that
    seed once it is known.
    """

    version: int
    record: str
    name: str
    game: str
    seed: int
    stage: Stage
    phase: str = "draft"
    entries: tuple[EntryState, ...] = ()
    removed: tuple[tuple[int, EntryState], ...] = ()
    rounds: tuple[RoundState, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    silent_from: int | None = None
    conditions: Conditions = field(default_factory=Conditions)
    singles: tuple[Single, ...] = ()
    singles_noted: int = 0
    rated: bool = True
    practice: bool = False
    hidden: bool = False
    claims: tuple[tuple[str, int], ...] = ()
    stocks: tuple[str, ...] = ()
    deals_commitment: str = ""
    deals_seed: str = ""
    stages: tuple[Stage, ...] = ()
    begun: tuple[BegunStage, ...] = ()
    play_offs: tuple[PlayOffState, ...] = ()

    def entry(self, key: str) -> EntryState | None:
        """The entry with this id."""
        return next((entry for entry in self.entries if entry.id == key), None)

    def find_known_entry(self, key: str) -> EntryState | None:
        """The entry with this id, also one that was removed."""
        removed = (entry for _place, entry in self.removed if entry.id == key)
        return self.entry(key) or next(removed, None)

    def round(self, number: int) -> RoundState | None:
        """The round with this number, None before it is drawn."""
        return next((each for each in self.rounds if each.number == number), None)

    def with_round(self, number: int, change: Callable[[RoundState], RoundState]) -> "State":
        """The tournament with the round of this number changed."""
        rounds = (change(each) if each.number == number else each for each in self.rounds)
        return replace(self, rounds=tuple(rounds))

    def with_entry(self, key: str, change: Callable[[EntryState], EntryState]) -> "State":
        """The tournament with the entry of this id changed."""
        entries = (change(entry) if entry.id == key else entry for entry in self.entries)
        return replace(self, entries=tuple(entries))

    @property
    def last(self) -> RoundState | None:
        """The round drawn last."""
        return self.rounds[-1] if self.rounds else None

    @property
    def last_published(self) -> RoundState | None:
        """The round published last, None before the first."""
        return next((each for each in reversed(self.rounds) if each.published), None)

    @property
    def next_round(self) -> int:
        """The number of the next round to be drawn."""
        return len(self.rounds) + 1

    @property
    def every_stage(self) -> tuple[Stage, ...]:
        """All stages, or the only one."""
        return self.stages or (self.stage,)

    @property
    def stage_number(self) -> int:
        """The number of the stage that is played."""
        return len(self.begun) + 1

    @property
    def rounds_of_stage(self) -> int:
        """The number of drawn rounds of the current stage."""
        return sum(each.stage == self.stage_number for each in self.rounds)

    def stage_in(self, number: int) -> Stage:
        """The stage that round `number` is of, the present one for a round to come."""
        if not self.stages or number > len(self.rounds):
            return self.stage
        return self.stages[self.rounds[number - 1].stage - 1]

    @property
    def silence(self) -> int | None:
        """The first round whose results are hidden for now, None where none are: silent rounds end
        with the tournament, and with their stage, for who goes on to the next tells them.
        """
        begun = self.silent_from
        before = self.begun[-1].after_round if self.begun else 0
        return begun if begun is not None and begun > before and self.phase == "running" else None

    def match_of(self, number: int, table: TableState) -> tuple[TableState, ...]:
        """The tables of round `number` at which those of this table meet, in order: itself alone
        but where a match has several (F10).
        """
        if self.stage_in(number).tables_a_match == 1:
            return (table,)
        those = set(table.entries)
        return tuple(each for each in self.rounds[number - 1].tables if set(each.entries) == those)

    def players_at(self, number: int, table: TableState, key: str) -> tuple[tuple[str, str], ...]:
        """Return the players of an entry at a table of round `number`; all who can play
        before its line-up is open.
        """
        entry = self.entry(key)
        if entry is None:
            return ()
        match = [each.table for each in self.match_of(number, table)]
        return entry.players_at(number, match.index(table.table), len(match))

    def is_silent(self, number: int) -> bool:
        """Whether the results of round `number` are hidden for now."""
        return self.silence is not None and number >= self.silence

    def next_to_play(self, entry: str) -> int:
        """The first round in which this entry has not begun to play: the last one drawn while it is
        open, else the next.
        """
        last = self.last
        if (
            last is None
            or last.closed
            or any(table.has_started for table in last.tables if entry in table.entries)
        ):
            return self.next_round
        return last.number
