"""Whether the games of an entry that left a round robin count: those of one that played less than
half are usually left out of the standings.
"""

from dataclasses import dataclass, replace

from scoring.shape import one_of
from tournament.domain.pairing.berger import rounds_of
from tournament.domain.same_fields import build_from
from tournament.domain.tournament.counting import Outcomes, results_of
from tournament.domain.tournament.lookups import an_entry, entry_refused, need_reason, need_running
from tournament.domain.tournament.outcomes import Outcome, by_stream
from tournament.domain.tournament.reading import Given, a_key, a_reason, reads
from tournament.domain.tournament.state import EntryState, State
from tournament.domain.tournament.subject import Command, Event, OfEntry, Subject, on_entry

OUT, COUNT = "out", "count"
GAMES = (OUT, COUNT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleLeaver(OfEntry, Command):
    """Leave the games of an entry that has withdrawn from a round robin `out` of the standings, or
    `count` them; to leave out half of them or more takes a reason.
    """

    games: str
    reason: str | None = None
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaverSettled(OfEntry, Event):
    """The games of an entry that left stage `stage` are left `out` of the standings, or `count`."""

    stage: int
    games: str
    reason: str | None = None


def games_played(state: State, entry: str, outcomes: Outcomes) -> tuple[int, int]:
    """Count the results of an entry in the stage that is played, and those it would have had."""
    rounds = [each for each in state.rounds if each.stage == state.stage_number]
    seated = [[table for table in each.tables if entry in table.entries] for each in rounds]
    played = sum(
        bool(tables) and all(results_of(table, outcomes, state.stage) for table in tables)
        for tables in seated
    )
    entries = (
        len(state.begun[-1].cut.entries)
        if state.begun
        else sum(each.joined_in == 1 for each in state.entries)
    )
    meetings = rounds_of(entries, double=state.stage.double)
    if entries % 2:
        meetings -= 2 if state.stage.double else 1
    return played, max(meetings, played)


def list_unsettled_leavers(state: State, outcomes: Outcomes) -> list[str]:
    """The entries that left the round robin that is played after less than half of their games,
    while nobody has said whether those count.
    """
    if state.stage.kind != "round_robin":
        return []
    found = []
    for entry in state.entries:
        if entry.is_withdrawn and state.stage_number not in dict(entry.leaver):
            played, meetings = games_played(state, entry.id, outcomes)
            found += [entry.id] if played > 0 and 2 * played < meetings else []
    return found


def list_left_out(state: State, stage: int) -> set[str]:
    """The entries whose games are left out of a stage."""
    return {entry.id for entry in state.entries if dict(entry.leaver).get(stage) == OUT}


def counts_again(entry: EntryState, stage: int) -> list[Event]:
    """The fact that the games of an entry count, where they were left out of this stage."""
    if dict(entry.leaver).get(stage) != OUT:
        return []
    return [LeaverSettled(entry=entry.id, stage=stage, games=COUNT)]


def _settle(command: SettleLeaver, state: State) -> list[Event]:
    need_running(state, "whether games count is settled while it runs; it is in %(phase)s")
    entry = an_entry(state, command.entry)
    if state.stage.kind != "round_robin":
        raise entry_refused(
            "bad_entry",
            "only a round robin leaves games out; those of entry %(entry)s count in this format",
            entry,
        )
    if not entry.is_withdrawn:
        raise entry_refused(
            "withdrawn", "entry %(entry)s has not withdrawn, so its games count", entry
        )
    if dict(entry.leaver).get(state.stage_number, "") == command.games:
        raise entry_refused("unchanged", "that is settled for entry %(entry)s already", entry)
    played, meetings = games_played(state, entry.id, by_stream(command.outcomes))
    if command.games == OUT and 2 * played >= meetings:
        need_reason(
            command.reason,
            "entry %(entry)s played %(played)s of %(meetings)s games, and such games usually "
            "count; say why they are left out",
            entry=entry.id,
            played=played,
            meetings=meetings,
        )
    return [build_from(LeaverSettled, command, stage=state.stage_number)]


def _apply_leaver_settled(entry: EntryState, event: LeaverSettled) -> EntryState:
    others = tuple(each for each in entry.leaver if each[0] != event.stage)
    return replace(entry, leaver=(*others, (event.stage, event.games)))


def _read_games(given: Given, name: str) -> str:
    return one_of(given.get(name) or OUT, GAMES, name)


SUBJECT = Subject(
    decisions={SettleLeaver: _settle},
    changes={LeaverSettled: on_entry(_apply_leaver_settled)},
    shapes={("tournament.leaver_settled", 1): LeaverSettled},
    readers={
        "settled-leavers": reads(SettleLeaver, entry=a_key, games=_read_games, reason=a_reason)
    },
)
