"""The auditor's page: what the last audit found and how far history is proven; checkpoints, files
and keys to check it elsewhere.
"""

from pathlib import Path

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ledger.models import Checkpoint, Cosignature, Log
from ledger.signing import keys_of
from ledger.standalone import verify_export
from ledger.verify_outside import OutsideText
from tournament.accounts.access import SalonRequest, game_or_404, requires
from tournament.accounts.permissions import Permission
from tournament.integrity import audit_runs
from tournament.integrity.auditors_export import auditors_file, file_name
from tournament.integrity.proofs import LARGEST_NOTE
from tournament.integrity.signing_keys import load_keyring, older_than_signed
from tournament.models import AuditRun, Game, Progress, Salon, Tournament
from tournament.pages.books.findings import describe_run, describe_runs
from tournament.pages.common.paper import attachment
from tournament.pages.common.signed_file import serve_signed_file
from tournament.projections.background import resume
from tournament.projections.earlier_rows import REBUILD, made_by
from tournament.queries.history_lines import at_time
from tournament.queries.stopped_projections import work_of
from tournament.recording.wake_workers import hint
from tournament.streams.covered_names import count_uncovered_names
from tournament.tasks import ask_for_audit

RUNS_SHOWN = 6
CHECKPOINTS_SHOWN = 12


@never_cache
@require_safe
@requires(Permission.AUDIT)
def audit(request: SalonRequest) -> HttpResponse:
    """The page; asked by htmx, the last audit alone."""
    salon, audience = request.visitor.salon, request.visitor.audience
    runs = AuditRun.objects.filter(salon=salon).order_by("-pk")
    rows = list(runs[:RUNS_SHOWN])
    night = runs.filter(asked_by="", ended_at__gt=0).first()
    head = Log.objects.values_list("position", flat=True).get(pk=salon.log_id)
    context = {
        "here": "ledger",
        "run": describe_run(salon, rows[0], audience) if rows else None,
        "night": describe_run(salon, night, audience, most=0)
        if night is not None and night.pk != rows[0].pk
        else None,
        "earlier": describe_runs(salon, rows[1:], audience),
        "checkpoints": [
            (row, at_time(row.made_at))
            for row in Checkpoint.objects.filter(log=salon.log_id).order_by("-size")[
                :CHECKPOINTS_SHOWN
            ]
        ],
        "cosigned": set(
            Cosignature.objects.filter(log=salon.log_id).values_list("size", flat=True)
        ),
        "head": head,
        "work": work_of(salon, head),
        "keys": keys_of(salon.log_id),
        "uncovered": count_uncovered_names(salon),
        "older": older_than_signed(salon.log),
        "made_by": made_by(salon),
        "rebuild": REBUILD,
        "may_sign": request.visitor.may(Permission.SIGN),
        "may_direct": request.visitor.may(Permission.DIRECT),
    }
    return render(
        request, "audit.html#run" if request.headers.get("HX-Request") else "audit.html", context
    )


@never_cache
@require_safe
@requires(Permission.AUDIT)
def audit_run(request: SalonRequest, run: int) -> HttpResponse:
    """One audit that was kept, with all that it found."""
    salon = request.visitor.salon
    row = get_object_or_404(AuditRun, salon=salon, pk=run)
    return render(
        request,
        "audit_run.html",
        {
            "here": "ledger",
            "run": describe_run(salon, row, request.visitor.audience, most=audit_runs.LISTED),
        },
    )


@require_POST
@requires(Permission.DIRECT)
def resume_projection(request: SalonRequest, projection: str) -> HttpResponse:
    """Let a stopped projection continue from where it stopped."""
    log = request.visitor.salon.log
    get_object_or_404(Progress, log=log, projection=projection)
    resume(log, projection)
    hint(log.pk)
    messages.info(request, _("It tries again from where it stopped."))
    return redirect(reverse("audit") + "#work")


@require_POST
@requires(Permission.AUDIT)
def audits(request: SalonRequest) -> HttpResponse:
    """Begin an audit, with a checkpoint that somebody kept outside where one is handed in."""
    text = request.POST.get("checkpoint", "").replace("\r\n", "\n")
    if len(text) > LARGEST_NOTE:
        messages.error(
            request,
            _("That is too long for a checkpoint: it has three lines and a signature or two."),
        )
        return redirect("audit")
    outside = (
        [OutsideText(name=_("the checkpoint handed in"), text=text.strip("\n") + "\n")]
        if text.strip()
        else []
    )
    run = ask_for_audit(request.visitor.salon, asked_by=request.visitor.actor, outside=outside)
    if run is None:
        messages.info(request, _("An audit is running already; its result appears here."))
    return redirect("audit")


@require_safe
@requires(Permission.AUDIT)
def salon_file(request: SalonRequest) -> StreamingHttpResponse | HttpResponse:
    """The whole salon as a file for auditors; `?names=no` leaves names and words out."""
    return _file(request, request.visitor.salon, None)


@require_safe
@requires(Permission.AUDIT)
def game_file(request: SalonRequest, game: str) -> StreamingHttpResponse | HttpResponse:
    """One game as a file for auditors."""
    row = game_or_404(request.visitor, game)
    return _file(request, row.salon, row)


@require_safe
@requires(Permission.AUDIT)
def tournament_file(request: SalonRequest, tournament: str) -> StreamingHttpResponse | HttpResponse:
    """A tournament, with every game that ever counted in it, as a file for auditors."""
    row = get_object_or_404(
        Tournament.objects.select_related("salon"), salon=request.visitor.salon, pk=tournament
    )
    return _file(request, row.salon, row)


@require_safe
@requires(Permission.SEE_SALON)
def verifier(request: SalonRequest) -> HttpResponse:
    """The script that checks such a file with nothing of this program."""
    script = Path(verify_export.__file__).read_bytes()
    return attachment(script, "text/x-python; charset=utf-8", "verify_export.py")


def _file(
    request: SalonRequest, salon: Salon, part: Game | Tournament | None
) -> StreamingHttpResponse | HttpResponse:
    stream, redacted = part.pk if part is not None else None, request.GET.get("names") == "no"
    lines = auditors_file(salon, load_keyring(), stream=stream, redacted=redacted)
    name = file_name(salon, part.record if part is not None else None)
    return serve_signed_file(request, lines, name, page="audit")
