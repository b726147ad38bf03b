"""Context of every desk page: its tournament, and the reason that the last form was
not recorded.
"""

from dataclasses import dataclass

from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest
from tournament.domain.tournament.entry_order import ListLine
from tournament.domain.tournament.todo import last_round
from tournament.pages.common.form_values import Problem, new_command, status_of
from tournament.pages.common.tournament_context import context_of
from tournament.pages.desk.calls import queue_context
from tournament.queries.calls import queue_of
from tournament.queries.tournament import TournamentView
from tournament.recording.tables.table_labels import free_labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The reason that nothing was recorded, with the typed values, by field; `report` of a
    list says it line by line.
    """

    problem: Problem | None = None
    typed: JsonObject | None = None
    tried: str = ""
    report: tuple[tuple[ListLine, str], ...] = ()

    @property
    def status(self) -> int:
        """The HTTP status of the page."""
        return 422 if any(refused for _line, refused in self.report) else status_of(self.problem)


NOTHING = Failed()


def desk_context(request: SalonRequest, at: TournamentView, failed: Failed) -> dict[str, object]:
    """The context of a page of the desk."""
    return context_of(request, at) | {
        "command": new_command(),
        "problem": failed.problem,
        "typed": failed.typed or {},
        "tried": failed.tried,
        "report": failed.report,
        "last_round": last_round(at.state),
        "drawn": [each.number for each in at.state.rounds],
        **calls_at(request, at),
        "singles": [(single, at.players[single.player]) for single in at.state.singles],
    }


def calls_at(request: SalonRequest, at: TournamentView) -> JsonObject:
    """The calls that wait at this desk; a tournament that is over has none, and shows none."""
    if at.state.phase not in ("registration", "running"):
        return {}
    return queue_context(request, queue_of(request.visitor.salon, at.row.pk))


def free_tables(request: SalonRequest) -> list[str]:
    """The salon's tables at which nobody plays, in order."""
    return free_labels(request.visitor.salon)
