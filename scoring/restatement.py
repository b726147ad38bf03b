"""State a corrected course: what no longer holds goes, what differs is stated anew, and chips that
are right stay.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.common_state import reversal
from scoring.effective_history import Part
from scoring.events import (
    ChipsMoved,
    ChipsStayed,
    PartInserted,
    PartRestated,
    PartSetAside,
    PartVoided,
)


class CorrectionFact(NamedTuple):
    """A fact of a correction; it occurred when the fact at stream version `like` did, None: as it
    is recorded.
    """

    fact: object
    like: int | None = None


class Redone(NamedTuple):
    """A part of the course before the correction (None: it was forgotten) and its facts after it.

    `facts` are None where it doesn't count: then it is `surplus` or gone. `corrected` when the
    correction is about it.
    """

    part: Part | None
    facts: Sequence[object] | None
    surplus: bool = False
    corrected: bool = False

    @property
    def is_unchanged(self) -> bool:
        """Whether it is as it was."""
        if self.part is None:
            return False
        if self.facts is None:
            return self.surplus and self.part.surplus
        return not self.part.surplus and [fact for _, fact in self.part.facts] == list(self.facts)


def restate(course: Iterable[Redone], version: int) -> list[CorrectionFact]:
    """The facts that make the course of a stream at `version` what it should be; none when it is
    that already.

    The first of them will have version `version` + 2: what was corrected is said before.
    """
    redone = list(course)
    restated = {
        each.part.opened: _facts_to_state(each)
        for each in redone
        if each.part is not None and each.facts is not None and not each.is_unchanged
    }
    correction = [
        CorrectionFact(fact)
        for each in reversed(redone)
        if not each.is_unchanged
        for fact in _reversals(each.part, restated)
    ]
    before, played = 0, 0
    for each in redone:
        opened = version + len(correction) + 3
        if each.is_unchanged:
            assert each.part is not None
            before, played = each.part.opened, each.part.facts[-1][0]
        elif each.part is None:
            assert each.facts is not None
            correction += [
                CorrectionFact(PartInserted(after=before, facts=len(each.facts))),
                *(CorrectionFact(fact, played) for fact in each.facts),
            ]
            before = opened
        elif each.facts is not None:
            correction += _restate_part(each, each.part, restated[each.part.opened])
            before, played = opened, each.part.facts[-1][0]
        elif not each.part.surplus or not each.surplus:
            correction.append(
                CorrectionFact(
                    (PartSetAside if each.surplus else PartVoided)(opened=each.part.opened)
                )
            )
    return correction


def _restate_part(each: Redone, part: Part, facts: Sequence[object]) -> list[CorrectionFact]:
    """The part stated anew, played when it was played."""
    head = PartRestated(opened=part.opened, facts=len(facts), corrected=each.corrected)
    return [
        CorrectionFact(head),
        CorrectionFact(facts[0], part.opened),
        *(CorrectionFact(fact, part.facts[-1][0]) for fact in facts[1:]),
    ]


def _facts_to_state(each: Redone) -> list[object]:
    """The part's facts, with a note in the place of each move of chips that was made already and
    stays.
    """
    assert each.part is not None
    assert each.facts is not None
    made: dict[ChipsMoved, list[int]] = {}
    for at, fact in () if each.part.surplus else each.part.facts:
        if isinstance(fact, ChipsMoved):
            made.setdefault(fact, []).append(at)
    return [
        ChipsStayed(version=made[fact].pop(0))
        if isinstance(fact, ChipsMoved) and made.get(fact)
        else fact
        for fact in each.facts
    ]


def _reversals(part: Part | None, restated: dict[int, list[object]]) -> list[ChipsMoved]:
    """The moves that take back the chips which no longer move so, the last first; those of a
    surplus hand are back already.
    """
    if part is None or part.surplus:
        return []
    staying = {
        fact.version for fact in restated.get(part.opened, ()) if isinstance(fact, ChipsStayed)
    }
    return [
        reversal(fact, at, why="correction")
        for at, fact in reversed(part.facts)
        if isinstance(fact, ChipsMoved) and at not in staying
    ]
