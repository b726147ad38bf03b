"""The salon's tournaments, and the form that sets up another one."""

from dataclasses import dataclass, replace

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import NotationError, Refusal
from scoring.games import GAMES
from scoring.shape import a_number
from tournament.access import Act, SalonRequest, needs
from tournament.desk import open_tournament
from tournament.models import Tournament
from tournament.pages.form_values import COMMAND, Problem, new_command, problem_of
from tournament.standings.scales import DEFAULT_STEPS
from tournament.standings.tie_breaks import TIE_BREAKS
from tournament.standings.values import Scale, Stage

PHASE_WORDS = {
    "draft": gettext_lazy("Draft"),
    "registration": gettext_lazy("Registration"),
    "running": gettext_lazy("Running"),
    "finished": gettext_lazy("Finished"),
    "archived": gettext_lazy("Archived"),
}
PHASE_KINDS = {"draft": "wait", "registration": "wait", "running": "live", "finished": "ok", "archived": "ok"}
FORMATS = (("swiss", gettext_lazy("Swiss")), ("round_robin", gettext_lazy("Round robin")), ("double", gettext_lazy("Twice round")))
SCALES = (
    ("match", gettext_lazy("Win, draw, loss")),
    ("margin", gettext_lazy("20–0 by difference")),
    ("points", gettext_lazy("Game points")),
)
USUAL_TIE_BREAKS = {
    "swiss": ("buchholz_cut_1", "buchholz", "sonneborn_berger", "score_difference"),
    "round_robin": ("direct_encounter", "sonneborn_berger", "wins", "score_difference"),
}
SCALE_VALUES = {
    "match": Scale(),
    "margin": Scale(kind="margin", bye=1200, steps=DEFAULT_STEPS),
    "points": Scale(kind="points", bye=20000),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the form of a new tournament says."""

    command: str
    name: str
    game: str
    format: str
    rounds: str
    scale: str
    clubs_apart: bool


@never_cache
@require_GET
@needs(Act.SEE_SALON)
def tournaments(request: SalonRequest) -> HttpResponse:
    """The tournaments, the latest first; drafts are the director's alone."""
    rows = Tournament.objects.filter(salon=request.visitor.salon).order_by("-started_position")
    may_direct = request.visitor.may(Act.DIRECT)
    if not may_direct:
        rows = rows.exclude(phase="draft")
    listed = [(row, PHASE_WORDS[row.phase], PHASE_KINDS[row.phase]) for row in rows]
    return render(request, "tournaments/list.html", {"here": "tournaments", "tournaments": listed, "may_direct": may_direct})


@never_cache
@require_http_methods(["GET", "POST"])
@needs(Act.DIRECT)
def new_tournament(request: SalonRequest) -> HttpResponse:
    """The form, and the draft set up by it; what was wrong stands beside its field and nothing typed is lost."""
    written = _read(request.POST)
    if request.method == "GET":
        return _shown(request, written, None)
    visitor = request.visitor
    try:
        row = open_tournament(
            visitor.salon, actor=visitor.actor, command=written.command, name=written.name, game=written.game, stage=_stage(written)
        )
    except Refusal as refusal:
        return _shown(request, written, problem_of(refusal))
    except (StreamMoved, CommandReused):
        return _shown(request, replace(written, command=new_command()), Problem(message=_("This form was sent before. Send it again.")))
    messages.success(request, _("%(name)s is set up.") % {"name": row.name})
    return redirect("desk", tournament=row.pk)


def _read(form: QueryDict) -> Written:
    command = form.get("command", "")
    return Written(
        command=command if COMMAND.fullmatch(command) else new_command(),
        name=" ".join(form.get("name", "").split()),
        game=form.get("game", "precedence"),
        format=form.get("format", "swiss"),
        rounds=form.get("rounds", "5").strip(),
        scale=form.get("scale", "match"),
        clubs_apart=form.get("clubs_apart") == "yes",
    )


def _stage(written: Written) -> Stage:
    """Raises NotationError."""
    if not written.rounds.isdecimal():
        raise NotationError(_("a whole number of rounds is expected here"), path="stage.rounds")
    if written.scale not in SCALE_VALUES or written.format not in dict(FORMATS):
        raise NotationError(_("Choose a format and a scale from the list."), path="stage.kind")
    kind = "swiss" if written.format == "swiss" else "round_robin"
    return Stage(
        kind=kind,
        rounds=a_number(int(written.rounds[:6]), "stage.rounds", least=1, most=99) if kind == "swiss" else None,
        scale=SCALE_VALUES[written.scale],
        tie_breaks=USUAL_TIE_BREAKS[kind],
        clubs_apart=written.clubs_apart,
        double=written.format == "double",
    )


def _shown(request: SalonRequest, written: Written, problem: Problem | None) -> HttpResponse:
    context = {
        "here": "tournaments",
        "written": written,
        "problem": problem,
        "games": [(game.name, game.title) for game in GAMES.values() if game.teams],
        "formats": FORMATS,
        "scales": SCALES,
        "tie_breaks": {kind: [TIE_BREAKS[name] for name in names] for kind, names in USUAL_TIE_BREAKS.items()},
    }
    return render(request, "tournaments/new.html", context, status=422 if problem else 200)
