"""Template context shared by every page of a tournament: its name, its phase, its
rounds and its links.
"""

from tournament.accounts.access import SalonRequest
from tournament.accounts.permissions import Permission
from tournament.domain.tournament.state import State
from tournament.pages.common.qr import link_to
from tournament.queries.plans import is_shown
from tournament.queries.stage_views import (
    at_stage,
    bracket_stages,
    is_planned,
    plays_same_deals,
    stages_shown,
)
from tournament.queries.tournament import PHASE_WORDS, TournamentView, format_words
from tournament.streams.short_addresses import short_address

PHASE_KINDS = {
    "draft": "wait",
    "registration": "wait",
    "running": "live",
    "finished": "ok",
    "archived": "ok",
}


def context_of(request: SalonRequest, at: TournamentView) -> dict[str, object]:
    """Return the context that every page of a tournament shows."""
    return {
        "here": "tournaments",
        "row": at.row,
        "state": at.state,
        "names": at.entries,
        "phase": PHASE_WORDS[at.state.phase],
        "phase_kind": PHASE_KINDS[at.state.phase],
        "format": format_words(at.state),
        "went_on": len(at.state.begun[-1].cut.entries) if at.state.begun else 0,
        "is_over": is_over(at.state),
        "published": [each.number for each in at.state.rounds if each.published],
        "phones": link_to(request, at.row.salon, "short_event", short_address(at.row)),
        "has_plan": any(
            is_shown(at_stage(at, number), request.visitor)
            for number in stages_shown(at, is_planned)
        ),
        "bracket_tab": bool(bracket_stages(at)),
        "deals_tab": bool(stages_shown(at, plays_same_deals)),
        "may_direct": request.visitor.may(Permission.DIRECT),
        "may_read_history": request.visitor.may(Permission.READ_HISTORY),
    }


def is_over(state: State) -> bool:
    """Whether an event that was played has come to its end."""
    return state.phase in ("finished", "archived") and bool(state.rounds)
