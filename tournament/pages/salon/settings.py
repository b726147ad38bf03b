"""The salon's settings: its name, public names, how long people are remembered,
notifications, default house rules, tasks.
"""

from django.conf import settings as django_settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.errors import NotationError
from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.formats.local.pictures import MOST_BYTES
from tournament.models import Logo, NamesShown, Player, Preset, Progress, RetentionRun, Salon
from tournament.pages.common.form_values import (
    NOT_RECORDED,
    Problem,
    new_command,
    read_command_id,
    status_of,
    why_not,
)
from tournament.pages.common.qr import link_to
from tournament.pages.salon.backups import backups_shown
from tournament.projections.background import resume
from tournament.projections.earlier_rows import REBUILD, made_by
from tournament.pushes.subscriptions import phones_told
from tournament.queries.stopped_projections import work_of
from tournament.recording.house_rules import remove_logo, set_logo, set_paper, set_place
from tournament.salons.paper_sizes import papers
from tournament.salons.preferences import change_settings, choose_public_name, keep_preset
from tournament.salons.time_zones import OFTEN, languages, time_zones

RUNS_SHOWN = 7
TELLS = {"yes": True, "no": False}
NOT_KEPT = frozenset({"csrfmiddlewaretoken", "command", "preset"})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.ADMINISTER)
def settings(request: SalonRequest) -> HttpResponse:
    """The settings of the salon; POST changes them."""
    if request.method == "POST":
        try:
            _change(request)
        except NOT_RECORDED as failure:
            words = _("Somebody else changed the house first; try again.")
            return _page(request, why_not(failure, words, field="name"))
        messages.success(request, _("The settings are saved."))
        return redirect("settings")
    return _page(request)


@require_POST
@requires(Permission.ADMINISTER)
def presets(request: SalonRequest) -> HttpResponse:
    """Keep the house rules of the start page under a name, in place of those that had it; then the
    start page with them again.
    """
    game = request.POST.get("game", "")
    if game not in GAMES:
        raise Http404
    again = QueryDict(mutable=True)
    for key in request.POST:
        if key not in NOT_KEPT:
            again[key] = request.POST[key]
    options = {
        key.removeprefix("options."): request.POST[key]
        for key in request.POST
        if key.startswith("options.")
    }
    kept = keep_preset(request.visitor.salon, game, request.POST.get("preset", ""), options)
    if kept is not None:
        messages.success(
            request, _("These house rules are kept as %(name)s.") % {"name": kept.name}
        )
    return redirect(f"{reverse('start')}?{again.urlencode()}")


@require_POST
@requires(Permission.ADMINISTER)
def preset_end(request: SalonRequest, preset: int) -> HttpResponse:
    """Forget house rules that were kept."""
    get_object_or_404(Preset, salon=request.visitor.salon, pk=preset).delete()
    return redirect("settings")


@require_POST
@requires(Permission.ADMINISTER)
def task_retry(request: SalonRequest, projection: str) -> HttpResponse:
    """Let a computation that stopped at an entry go on."""
    get_object_or_404(Progress, log=request.visitor.salon.log_id, projection=projection)
    resume(request.visitor.salon.log, projection)
    messages.success(request, _("It goes on from where it stopped."))
    return redirect("settings")


@require_POST
@requires(Permission.CHOOSE_NAME)
def public_name(request: SalonRequest, player: str) -> HttpResponse:
    """Set a player's public name: chosen by the owner, or by the player's own account."""
    found = get_object_or_404(Player, salon=request.visitor.salon, pk=player)
    try:
        choose_public_name(found, request.POST.get("names_shown", ""))
    except NotationError:
        raise Http404 from None
    messages.success(request, _("The name in public is chosen."))
    return redirect("player", player=found.pk)


@require_POST
@requires(Permission.ADMINISTER)
def logo_change(request: SalonRequest) -> HttpResponse:
    """Take another logo, or with `what=remove` show none any more."""
    salon = request.visitor.salon
    claim = {"actor": request.visitor.actor, "command": read_command_id(request.POST)}
    try:
        if request.POST.get("what") == "remove":
            remove_logo(salon, **claim)
        else:
            set_logo(salon, _read_logo(request), **claim)
    except NOT_RECORDED as failure:
        words = _("Somebody else changed the house first, and yours was not recorded.")
        return _page(request, why_not(failure, words, field="logo"))
    messages.success(request, _("The settings are saved."))
    return redirect("settings")


@require_safe
@requires(Permission.SEE_SALON)
def logo(request: SalonRequest, digest: str) -> HttpResponse:
    """The salon's logo as it is kept; its address tells its content, so that a browser fetches it
    once.
    """
    kept = get_object_or_404(Logo, salon=request.visitor.salon, digest=digest)
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(bytes(kept.content), content_type=kept.media_type, headers=headers)


def _read_logo(request: SalonRequest) -> bytes:
    """Read the uploaded picture, up to the size limit of a logo. Raises NotationError."""
    sent = request.FILES.get("logo")
    if sent is None:
        raise NotationError(_("Choose a picture first."), path="logo")
    if sent.size is None or sent.size > MOST_BYTES:
        raise NotationError(_("A picture of 200 kB at most is expected here."), path="logo")
    return bytes(sent.read(MOST_BYTES + 1))


def _change(request: SalonRequest) -> None:
    """Set what the form says. Raises Refusal."""
    salon, form = request.visitor.salon, request.POST
    place = {
        "time_zone": form.get("time_zone", salon.time_zone),
        "language": form.get("language", salon.language),
    }
    with transaction.atomic():
        _set_from_form(salon, form)
        actor, command = request.visitor.actor, read_command_id(request.POST)
        set_place(salon, **place, actor=actor, command=command)
        set_paper(salon, form.get("paper", salon.paper), actor=actor, command=command)


def _set_from_form(salon: Salon, form: QueryDict) -> None:
    """Raises Refusal."""
    written = form.get("forget_players_days", "0").strip()
    days = int(written) if written.isascii() and written.isdecimal() and len(written) < 10 else -1
    change_settings(
        salon,
        name=form.get("name", ""),
        names_shown=form.get("names_shown", ""),
        forget_players_days=days,
        tells_phones=TELLS.get(form.get("tells_phones", "")),
        address=form.get("address"),
    )


def _page(request: SalonRequest, problem: Problem | None = None) -> HttpResponse:
    salon = request.visitor.salon
    tells = "yes" if salon.tells_phones else "no"
    context: dict[str, object] = {
        "errors": {problem.field: problem} if problem else {},
        "typed": request.POST if problem else salon,
        "shown": NamesShown.choices,
        "telling": [("yes", _("what concerns them")), ("no", _("nothing"))],
        "tells": request.POST.get("tells_phones", "") if problem else tells,
        "phones": phones_told(salon),
        "command": new_command(),
        "zones": time_zones(),
        "often": OFTEN,
        "found_address": link_to(request, salon, "home").typed_address,
        "languages": languages(),
        "papers": papers(),
        "servers_zone": django_settings.TIME_ZONE,
        "most_kilobytes": MOST_BYTES // 1000,
        "presets": [
            (each, GAMES[each.game].title)
            for each in Preset.objects.filter(salon=salon).order_by("game", "name")
        ],
        "made_by": made_by(salon),
        "rebuild": REBUILD,
        "tasks": work_of(salon, salon.log.position),
        "runs": RetentionRun.objects.filter(salon=salon).order_by("-pk")[:RUNS_SHOWN],
    }
    return render(
        request, "settings.html", context | backups_shown(request), status=status_of(problem)
    )
