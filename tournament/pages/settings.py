"""What the owner sets for the salon: its name, names in public, how long people are remembered, house rules to start with, tasks."""

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from scoring.games import GAMES
from tournament.access import Act, SalonRequest, needs
from tournament.models import NamesShown, Player, Preset, Progress, RetentionRun, Salon
from tournament.projections.background import resume

LONGEST_NAME = 120
LONGEST_PRESET_NAME = 40
MOST_DAYS = 36_500
RUNS_SHOWN = 7
NOT_KEPT = frozenset({"csrfmiddlewaretoken", "command", "preset"})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs(Act.ADMINISTER)
def settings(request: SalonRequest) -> HttpResponse:
    """The settings of the salon; POST changes them."""
    if request.method == "POST":
        problem = _changed(request.visitor.salon, request.POST)
        if problem:
            return _page(request, problem=problem, status=422)
        messages.success(request, _("The settings hold from now on."))
        return redirect("settings")
    return _page(request)


@require_POST
@needs(Act.ADMINISTER)
def presets(request: SalonRequest) -> HttpResponse:
    """Keep the house rules of the start page under a name, in place of those that had it; then the start page with them again."""
    game, name = request.POST.get("game", ""), " ".join(request.POST.get("preset", "").split())[:LONGEST_PRESET_NAME]
    if game not in GAMES:
        raise Http404
    again = QueryDict(mutable=True)
    for key in request.POST:
        if key not in NOT_KEPT:
            again[key] = request.POST[key]
    if name:
        options = QueryDict(mutable=True)
        options["game"] = game
        for option in GAMES[game].options:
            key = f"options.{option.name}"
            if key in request.POST:
                options[key] = request.POST[key]
        Preset.objects.update_or_create(salon=request.visitor.salon, game=game, name=name, defaults={"options": options.urlencode()})
        messages.success(request, _("These house rules are kept as %(name)s.") % {"name": name})
    return redirect(f"{reverse('start')}?{again.urlencode()}")


@require_POST
@needs(Act.ADMINISTER)
def preset_end(request: SalonRequest, preset: int) -> HttpResponse:
    """Forget house rules that were kept."""
    get_object_or_404(Preset, salon=request.visitor.salon, pk=preset).delete()
    return redirect("settings")


@require_POST
@needs(Act.ADMINISTER)
def task_retry(request: SalonRequest, projection: str) -> HttpResponse:
    """Let a computation that stopped at an entry go on."""
    get_object_or_404(Progress, log=request.visitor.salon.log_id, projection=projection)
    resume(request.visitor.salon.log, projection)
    messages.success(request, _("It goes on from where it stopped."))
    return redirect("settings")


@require_POST
@needs(Act.CHOOSE_NAME)
def public_name(request: SalonRequest, player: str) -> HttpResponse:
    """What a player is called in public: chosen by the owner, or by the player's own account."""
    found = get_object_or_404(Player, salon=request.visitor.salon, pk=player)
    chosen = request.POST.get("names_shown", "")
    if chosen and chosen not in NamesShown.values:
        raise Http404
    Player.objects.filter(pk=found.pk).update(names_shown=chosen)
    messages.success(request, _("The name in public is chosen."))
    return redirect("player", player=found.pk)


def _changed(salon: Salon, form: QueryDict) -> str:
    """Change what the form says; what is wrong with it, "" for nothing."""
    name, days = " ".join(form.get("name", "").split()), form.get("forget_players_days", "0").strip()
    if not name or len(name) > LONGEST_NAME:
        return _("The salon needs a name of 1 to 120 characters.")
    if not days.isascii() or not days.isdigit() or int(days[:9]) > MOST_DAYS:
        return _("Days are a whole number, 0 for never.")
    if form.get("names_shown") not in NamesShown.values:
        return _("Choose what the public reads.")
    columns = {"name": name, "names_shown": form["names_shown"], "forget_players_days": int(days)}
    Salon.objects.filter(pk=salon.pk).update(**columns)
    return ""


def _page(request: SalonRequest, *, problem: str = "", status: int = 200) -> HttpResponse:
    salon = request.visitor.salon
    context = {
        "problem": problem,
        "shown": NamesShown.choices,
        "presets": [(each, GAMES[each.game].title) for each in Preset.objects.filter(salon=salon).order_by("game", "name")],
        "tasks": Progress.objects.filter(log=salon.log_id).order_by("projection"),
        "runs": RetentionRun.objects.filter(salon=salon).order_by("-pk")[:RUNS_SHOWN],
    }
    return render(request, "settings.html", context, status=status)
