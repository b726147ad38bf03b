"""The cut between two stages of an event played by chance: who leaves before it and is passed over,
who leaves after it and makes it be made anew.
"""

from tournament.demo.coming_and_going import leave
from tournament.demo.put_right import reopened
from tournament.demo.tables import STAGE_OVER, Evening
from tournament.domain.tournament.cuts import BeginStage, DropStage, next_stage
from tournament.domain.tournament.entries import Withdraw
from tournament.domain.tournament.lifecycle import BeginSilence

# How often it happens, in a hundred.
GONE_BEFORE, GONE_AFTER, TAKEN_BACK = 5, 20, 15
FEWEST = 2  # who go on


def go_on(evening: Evening) -> bool:
    """Go on to the next stage; whether there is one for which enough are left."""
    number = next_stage(evening.state)
    if number is None:
        return False
    leave(evening, GONE_BEFORE, "left_before_a_cut")
    _heard(evening)
    if not _cut(evening, number):
        evening.happened["stages_not_played"] += 1
        return False
    if evening.goes_wrong(TAKEN_BACK, "stages_taken_back"):
        evening.does(DropStage(stage=number, reason="A result of the last round was wrong."))
        reopened(evening, len(evening.state.rounds))
        _cut(evening, number)
    if evening.goes_wrong(GONE_AFTER):
        _made_anew(evening, number)
    evening.happened["passed_over_at_a_cut"] += len(evening.state.begun[-1].cut.passed)
    evening.tells(STAGE_OVER)
    return True


def _heard(evening: Evening) -> None:
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
        if evening.can(BeginStage(stage=number, top=top), unless=("bad_cut",)):
            evening.happened["cuts_made_smaller"] += top < wanted
            return True
    return False


def _made_anew(evening: Evening, number: int) -> None:
    """Somebody who went on leaves before the stage is drawn, and the next in line moves up."""
    went_on = evening.state.begun[-1].cut.entries
    if len(went_on) <= FEWEST:
        return
    gone = Withdraw(entry=evening.rng.choice(went_on), reason="They had thought they were out.")
    evening.does(gone)
    evening.happened["cuts_made_anew"] += 1
    _cut(evening, number)
