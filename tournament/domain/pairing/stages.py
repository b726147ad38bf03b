"""The draw of the next round in a tournament of several stages: in the stage that is played, or in
the next one once that is over.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.errors import Refusal, RuleViolation
from tournament.domain.brackets.places import is_over as is_decided
from tournament.domain.pairing.berger import rounds_of
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.planned import PLANS, planned
from tournament.domain.pairing.seeding import robin_numbers
from tournament.domain.pairing.values import Draw, Reason
from tournament.domain.standings import stages
from tournament.domain.standings.knockout import knockout_so_far
from tournament.domain.standings.values import Cut, Tournament

MOST_TRIED = 12  # sizes above the one asked for that are tried


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound:
    """The place of the next round: the `stage` by its number, as a tournament of its
    own, after `before` rounds of the stages before it.
    """

    stage: int
    before: int
    seen: Tournament


def is_over(stage: Tournament) -> bool:
    """Whether all rounds of a stage have been played, or its last match is decided."""
    if not stage.rounds:
        return False
    if any(not (table.results or table.excused) for each in stage.rounds for table in each.tables):
        return False
    if stage.stage.kind == "knockout":
        return is_decided(knockout_so_far(stage))
    there = rounds_there_are(stage)
    return 0 < there <= len(stage.rounds)


def rounds_there_are(stage: Tournament) -> int:
    """Return the number of rounds of a stage: its own setting, or that of its plan; 0
    if not known yet.

    Raises RuleViolation if there is no plan for its entries.
    """
    if stage.stage.kind == "round_robin":
        return rounds_of(len(robin_numbers(stage)), double=stage.stage.double)
    if stage.stage.rounds is None and stage.stage.kind in PLANS and stage.stage.is_planned:
        return len(planned(stage).plan.rounds)
    return stage.stage.rounds or 0


def next_round(tournament: Tournament) -> NextRound:
    """The stage of the next round: that which is played, or the next one if that is over.

    Raises RuleViolation `bad_cut` for a cut that can't be made.
    """
    if not tournament.stages:
        return NextRound(stage=1, before=0, seen=tournament)
    stages.check_cuts(tournament)
    number = stages.current_stage(tournament)
    seen = stages.of_stage(tournament, number)
    if number < len(tournament.stages) and is_over(seen):
        number += 1
        seen = stages.of_stage(tournament, number)
    return NextRound(stage=number, before=stages.rounds_before(tournament, number), seen=seen)


def draw_next(tournament: Tournament) -> Draw:
    """The draw of the next round, numbered on through all stages. Raises RuleViolation as `draw`
    does, and `bad_cut`.
    """
    at = next_round(tournament)
    return renumber_draw(draw(at.seen), at.before)


def renumber_draw(drawn: Draw, before: int) -> Draw:
    """A draw of a stage with the numbers that rounds have in the whole, after `before` of earlier
    stages.
    """
    if not before:
        return drawn
    return replace(
        drawn,
        round=drawn.round + before,
        tables=tuple(
            replace(table, why=reasons_numbered_on(table.why, before)) for table in drawn.tables
        ),
    )


def reasons_numbered_on(reasons: Iterable[Reason], before: int) -> tuple[Reason, ...]:
    """Reasons with the rounds that they name numbered on."""
    return tuple(_renumber_reason(reason, before) for reason in reasons)


def _renumber_reason(reason: Reason, before: int) -> Reason:
    """A rematch names the rounds in which two met; a plan its own round, which stays as it is."""
    if reason.tier != "rematch" or not before:
        return reason
    often, *rounds = reason.numbers
    return replace(reason, numbers=(often, *(each + before for each in rounds)))


def check_drawable(tournament: Tournament, number: int, size: int) -> None:
    """Raise RuleViolation `bad_cut` where stage `number` can't be drawn for so many entries, with
    the nearest numbers for which it can.
    """
    works = sizes_that_work(tournament, number, size)
    if size not in works:
        raise RuleViolation(
            "bad_cut",
            "stage %(number)s can't be drawn for %(size)s entries; it can for %(works)s",
            rule="tournaments",
            path="top",
            number=number,
            size=size,
            works=", ".join(map(str, works)) or 0,
        )


def sizes_that_work(tournament: Tournament, number: int, wanted: int) -> tuple[int, ...]:
    """For how many entries a stage can be drawn: `wanted` alone if for so many, else the nearest
    numbers below and above it for which there are entries.
    """
    if _can_be_drawn(tournament, number, wanted):
        return (wanted,)
    there = len(tournament.entries)
    below = (size for size in range(wanted - 1, 1, -1) if _can_be_drawn(tournament, number, size))
    above = (
        size
        for size in range(wanted + 1, min(there, wanted + MOST_TRIED) + 1)
        if _can_be_drawn(tournament, number, size)
    )
    return tuple(size for size in (next(below, None), next(above, None)) if size is not None)


def _can_be_drawn(tournament: Tournament, number: int, size: int) -> bool:
    """Whether the first round of a stage can be drawn for its first `size` entries."""
    try:
        tops = stages.tops_of(tournament, number, size)
        cut = Cut(stage=number, entries=stages.cut_of(tournament, number, tops=tops).entries)
        draw(stages.of_stage(replace(tournament, cuts=(*tournament.cuts, cut)), number), 1)
    except Refusal:
        return False
    return True
