"""What a change of places by hand would come to: decided and explained as if it were recorded, and
recorded nowhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.domain.tournament.decide import decide
from tournament.domain.tournament.evolve import evolve
from tournament.domain.tournament.state import RoundState
from tournament.domain.tournament.swaps import SwapEntries
from tournament.queries.round_reasons import Why, why_of
from tournament.queries.tournament import Directed

ALARMING = ("rematch", "bye_again", "bye_above", "bye_place", "same_club", "berger")


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapPreview:
    """The round after a swap that nobody has made yet: the tables and byes that change, before and
    after.

    `breaks` are the aims that are kept now and would not be, as (table or None, words).
    """

    each: RoundState
    changed: Sequence[tuple[Why, Why]]
    breaks: Sequence[tuple[int | None, str]]
    mended: bool


def preview_swap(at: Directed, command: SwapEntries) -> SwapPreview:
    """Raises RuleViolation as the swap itself would."""
    before = at.state
    for event in decide(replace(command, outcomes=tuple(at.outcomes.values())), before):
        at = replace(at, state=evolve(at.state, event))
    now, then = before.rounds[command.round - 1], at.state.rounds[command.round - 1]
    told_now, told_then = why_of(replace(at, state=before), now), why_of(at, then)
    tables = [
        (told_now.tables[number], why)
        for number, why in told_then.tables.items()
        if why.entries != told_now.tables[number].entries
    ]
    byes = [
        (one, two)
        for one, two in zip(told_now.byes, told_then.byes, strict=True)
        if one.entries != two.entries
    ]
    changed = [*tables, *byes]
    return SwapPreview(
        each=then,
        changed=changed,
        breaks=[
            (why.table, line.words)
            for _, why in changed
            for line in why.lines
            if line.tier in ALARMING and not line.kept
        ],
        mended=then.drawn is None and now.drawn is not None,
    )
