"""A whole event of any format, or of several stages with cuts, played by chance through the
director's own commands, with all that can go wrong.

Entries come late, are away, don't show up, leave and return, are stood in for; captains hand in
line-ups late or never; rounds are drawn anew and paired by hand; tables only tell their totals or
have deals that can't be scored; games are called or abandoned, disputed and corrected, some of them
after the round was closed or the next one drawn from it.
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log2
from random import Random

from tournament.demo.attendance import between_rounds, leave, people_who_stand_in
from tournament.demo.captains import hand_in, line_ups_of
from tournament.demo.corrections import count_misplaced, make_corrections, reopened
from tournament.demo.drawn_rounds import draw_and_publish
from tournament.demo.evening import invent_pairs
from tournament.demo.table_results import comes_to_nothing, played
from tournament.demo.tables import STAGE_OVER, Evening, Watching
from tournament.domain.standings.entry_sizes import find_common_sizes
from tournament.domain.standings.formats import plays_alone
from tournament.domain.standings.stages import play_offs_at
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.cuts import BeginStage, DropStage, next_stage
from tournament.domain.tournament.deals import deals_by_seed
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.play_offs import RecordPlayOff
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.rounds import CloseRound
from tournament.domain.tournament.standings_view import field_of
from tournament.models import Salon
from tournament.recording.duplicate_deals import draw_deals, reveal_deals
from tournament.recording.tournaments import open_tournament
from tournament.streams.game_results import outcomes_of

# How often it happens, in a hundred: at the beginning and end, and at the cut between two stages.
LATE, FINISHED_TOO_SOON = 8, 20
GONE_BEFORE, GONE_AFTER, TAKEN_BACK = 5, 20, 15
FEWEST = 2  # who go on


def play_event(
    salon: Salon,
    *,
    stages: Sequence[Stage],
    game: str,
    players: int,
    entries: int,
    seed: int,
    hands: int,
    actor: str,
    progress: Callable[[int], None],
    often: float = 1,
    watching: Watching | None = None,
) -> Evening:
    """Play stages of a game from the first entry to the end, with `players` in an entry, or up to
    so many in a team of which some play; what has happened. So many `entries` begin, and some more
    come late. `progress` is told how many tables are done; what goes wrong does `often` times as
    often as usual, and who is `watching` is told of each round drawn and stage played.

    Raises RuleViolation where the format can't have so many entries or rounds.
    """
    teams = any(stage.line_up for stage in stages)
    row = open_tournament(
        salon,
        actor=actor,
        command=uuid.uuid4().hex,
        name=f"Simulated {' and '.join(stage.kind for stage in stages)} {seed}",
        game=game,
        stage=stages[0],
        later=stages[1:],
        conditions=Conditions(players=None if teams else players),
        seed=seed,
    )
    evening = Evening(
        salon=salon,
        rng=Random(seed),  # noqa: S311 - nothing is kept secret by it
        actor=actor,
        hands=hands,
        stream=row.pk,
        version=row.version,
        often=often,
        watching=watching,
    )
    _register(evening, entries, players)
    done = 0
    while True:
        done = _stage_played(evening, entries, done, progress)
        evening.happened["played_on_a_wrong_premise"] += count_misplaced(evening)
        evening.tells_watchers(STAGE_OVER)
        if not go_on(evening):
            break
    _finish_event(evening)
    return evening


def _stage_played(
    evening: Evening, entries: int, done: int, progress: Callable[[int], None]
) -> int:
    """Play the rounds of a stage until no more can be drawn; how many tables are done by then, of
    those `done` before it.
    """
    state = evening.state
    _deal(evening)
    begins = len(state.rounds) + 1
    troubled_until = begins - 1 + _rounds_with_trouble(state.stage, entries)
    number = begins
    while True:
        troubled = evening.often > 0 and number <= troubled_until
        if number > 1:
            between_rounds(evening, number, troubled=troubled)
            if troubled:
                make_corrections(evening, number)
        if not draw_and_publish(evening, number, troubled=troubled):
            return done
        for table in hand_in(evening, number, troubled=troubled):
            _at_table(evening, number, table.table, troubled=troubled)
            done += 1
            progress(done)
        evening.does(CloseRound(round=number))
        number += 1


def _at_table(evening: Evening, number: int, label: int, *, troubled: bool) -> None:
    table = evening.state.rounds[number - 1].table(label)
    assert table is not None
    if table.is_settled:  # with another table of its match, to which nobody came
        return
    if troubled and comes_to_nothing(evening, number, table):
        return
    if evening.state.stage.line_up:
        line_ups_of(evening, number, table, troubled=troubled)
    played(evening, number, table, troubled=troubled)


def _rounds_with_trouble(stage: Stage, entries: int) -> int:
    """Up to which of its rounds things go wrong: matches of a knock-out that are never decided
    would keep it from ending.
    """
    if stage.kind != "knockout":
        return stage.rounds or 2 * entries
    return 2 * stage.knockout.best_of * (int(log2(entries)) + 2)


def _register(evening: Evening, entries: int, players: int) -> None:
    late = sum(evening.goes_wrong(LATE) for _ in range(entries))
    everybody = invent_pairs(evening.rng, entries + late, players=players)
    if evening.state.stage.line_up:
        everybody = [_of_a_team(evening, each) for each in everybody]
    evening.waiting = everybody[entries:]
    evening.stand_ins = people_who_stand_in(evening)
    evening.does(EnterPhase(phase="registration"), *everybody[:entries])
    evening.does(*(CheckIn(entry=entry.id) for entry in evening.state.entries))
    evening.does(EnterPhase(phase="running"))


def _of_a_team(evening: Evening, team: MakeEntry) -> MakeEntry:
    """A team with as many members as it happens to have, as many as play or more."""
    fewest = min(find_common_sizes(evening.state.every_stage, evening.state.game))
    members = evening.rng.randint(fewest, len(team.players))
    return replace(team, players=team.players[:members])


def _deal(evening: Evening) -> None:
    """Fix the deals where everybody plays the same ones."""
    state = evening.state
    if plays_alone(state.stage, state.game) or deals_by_seed(state):
        draw_deals(evening.salon, evening.stream, **evening.claim(), version=evening.version)
        evening.catches_up()


def _finish_event(evening: Evening) -> None:
    """The end; now and then it was too soon, and a result is put right."""
    state = evening.state
    is_early = state.stage_number < len(state.every_stage)
    reason = "Too few were left for the next stage." if is_early else None
    evening.does(EnterPhase(phase="finished", reason=reason))
    if evening.goes_wrong(FINISHED_TOO_SOON, "finished_too_soon"):
        evening.does(EnterPhase(phase="running", reason="A slip lay under a table."))
        reopened(evening, len(evening.state.rounds))
        evening.does(EnterPhase(phase="finished", reason=reason))
    if evening.state.stocks or evening.state.deals_commitment:
        reveal_deals(evening.salon, evening.stream, **evening.claim())
        evening.catches_up()


def go_on(evening: Evening) -> bool:
    """Go on to the next stage; whether there is one for which enough are left."""
    number = next_stage(evening.state)
    if number is None:
        return False
    leave(evening, GONE_BEFORE, "left_before_a_cut")
    _end_silence(evening)
    if not _cut(evening, number):
        evening.happened["stages_not_played"] += 1
        return False
    if evening.goes_wrong(TAKEN_BACK, "stages_taken_back"):
        evening.does(DropStage(stage=number, reason="A result of the last round was wrong."))
        reopened(evening, len(evening.state.rounds))
        _cut(evening, number)
    if evening.goes_wrong(GONE_AFTER):
        _remake_cut(evening, number)
    evening.happened["passed_over_at_a_cut"] += len(evening.state.begun[-1].cut.passed)
    evening.tells_watchers(STAGE_OVER)
    return True


def _end_silence(evening: Evening) -> None:
    """Results that were silent are shown: who goes on would give them away."""
    if evening.state.is_silent(len(evening.state.rounds)):
        evening.does(BeginSilence(from_round=None))


def _cut(evening: Evening, number: int) -> bool:
    """Make the cut with as many as the stage takes, or with the most with which it can be drawn;
    whether there are enough.
    """
    takes = evening.state.stages[number - 1].takes
    wanted = takes.top if takes is not None else FEWEST
    for top in range(wanted, FEWEST - 1, -1):
        _play_off(evening, number)
        if evening.can(BeginStage(stage=number, top=top), unless=("bad_cut", "play_off_missing")):
            evening.happened["cuts_made_smaller"] += top < wanted
            return True
    return False


def _play_off(evening: Evening, number: int) -> None:
    """Those who are level at an edge play off where that decides who goes on."""
    seen = field_of(evening.state, outcomes_of(evening.salon, evening.state))
    for level in play_offs_at(seen, number):
        if not level.order:
            order = evening.rng.sample(level.entries, len(level.entries))
            evening.does(
                RecordPlayOff(stage=level.stage, order=tuple(order), reason="They played a hand.")
            )
            evening.happened["play_offs"] += 1


def _remake_cut(evening: Evening, number: int) -> None:
    """Somebody who went on leaves before the stage is drawn, and the next in line moves up."""
    went_on = evening.state.begun[-1].cut.entries
    if len(went_on) <= FEWEST:
        return
    gone = Withdraw(entry=evening.rng.choice(went_on), reason="They had thought they were out.")
    evening.does(gone)
    evening.happened["cuts_made_anew"] += 1
    _cut(evening, number)
