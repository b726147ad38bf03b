"""What waits for the director, the next step first."""

from dataclasses import dataclass

from tournament.directing.field import Outcomes, missing
from tournament.directing.state import RoundState, State
from tournament.pairing.berger import rounds_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """One thing to do: `step` names it, `round` the round it is about (0: none), `count` and `names` what it is about.

    `act` is the collection that one tap adds to, "" where it takes more than a tap; `by_hand`: a director changed the draw.
    """

    step: str
    act: str = ""
    round: int = 0
    count: int = 0
    names: tuple[str, ...] = ()
    by_hand: bool = False

    @property
    def round_text(self) -> str:
        """The round's number as text, for an address."""
        return str(self.round)


def todo(state: State, outcomes: Outcomes) -> list[Todo]:
    """The steps that are open now, in the order in which they should be taken."""
    match state.phase:
        case "draft":
            return [Todo(step="open_registration", act="phases")]
        case "registration":
            return [*_at_the_door(state), Todo(step="start", act="phases", count=sum(not entry.is_withdrawn for entry in state.entries))]
        case "running":
            return [*_at_the_door(state), *_in_play(state, outcomes)]
        case "finished":
            return [Todo(step="archive", act="phases")]
        case _:
            return []


def last_round(state: State) -> int:
    """How many rounds the stage has."""
    if state.stage.kind == "round_robin":
        return rounds_of(len(state.entries), double=state.stage.double)
    return state.stage.rounds or 0


def _at_the_door(state: State) -> list[Todo]:
    away = tuple(entry.id for entry in state.entries if not entry.checked_in and not entry.is_withdrawn)
    waiting = tuple(str(single.number) for single in state.singles)
    singles = [Todo(step="singles", count=len(waiting), names=waiting)] if waiting else []
    return [*singles, *([Todo(step="check_in", count=len(away), names=away)] if away and not state.rounds else [])]


def _in_play(state: State, outcomes: Outcomes) -> list[Todo]:
    last = state.last
    earlier = [step for each in state.rounds[:-1] if not each.closed for step in _round_steps(each, state, outcomes)]
    if last is None:
        return [Todo(step="draw", act="draws", round=1)]
    if not last.closed:
        return [*earlier, *_round_steps(last, state, outcomes)]
    if last.number >= last_round(state):
        return [*earlier, Todo(step="finish", act="phases", round=last.number)]
    return [*earlier, Todo(step="draw", act="draws", round=last.number + 1)]


def _round_steps(each: RoundState, state: State, outcomes: Outcomes) -> list[Todo]:
    number = each.number
    if not each.published:
        broken = sum(why.cost for why in each.broken)
        return [Todo(step="publish", act="publications", round=number, count=broken, by_hand=each.drawn is not None)]
    lacking = missing(each, outcomes, state.stage)
    if not lacking:
        return [Todo(step="close", act="closings", round=number)]
    steps = [] if each.clock is not None else [Todo(step="clock", act="clock-starts", round=number)]
    return [*steps, Todo(step="results", round=number, count=len(lacking), names=tuple(str(table.table) for table in lacking))]
