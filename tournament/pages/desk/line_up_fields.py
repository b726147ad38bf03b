"""The fields of a line-up, at the desk and on a captain's phone, with what was refused beside the
field it was said of.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pages.common.form_values import Problem
from tournament.queries.line_ups import TeamToSeat

PLAYERS = "players"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUpField:
    """A place of a line-up: what it is called ("" for a mere number), who was chosen, and what was
    wrong with that.
    """

    name: str
    seat: str
    chosen: str = ""
    problem: Problem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUpForm:
    """The places of a team's line-up in order; `problem` is of all of them together."""

    fields: tuple[LineUpField, ...]
    problem: Problem | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether it says why it was refused."""
        return self.problem is not None or any(field.problem for field in self.fields)


def is_of_a_line_up(problem: Problem | None) -> bool:
    """Whether something was refused because of who stands in a line-up."""
    return problem is not None and problem.field.partition(".")[0] == PLAYERS


def line_up_form(
    team: TeamToSeat, typed: object = (), problem: Problem | None = None
) -> LineUpForm:
    """The form of a team's line-up, with what was `typed` and why it was refused."""
    chosen: Sequence[object] = typed if isinstance(typed, list | tuple) else ()
    names = [f"{PLAYERS}.{place}" for place in range(len(team.seats))]
    wrong = problem if is_of_a_line_up(problem) else None
    return LineUpForm(
        fields=tuple(
            LineUpField(
                name=name,
                seat=seat,
                chosen=str(chosen[place]) if place < len(chosen) else "",
                problem=wrong if wrong is not None and wrong.field == name else None,
            )
            for place, (name, seat) in enumerate(zip(names, team.seats, strict=True))
        ),
        problem=wrong if wrong is not None and wrong.field not in names else None,
    )
