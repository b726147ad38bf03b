"""The auditor's page: what the last audit found and how far history is proven; checkpoints, files and keys to check it elsewhere."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ledger.findings import ACCOUNT, CHECKPOINT, EVENT, TRANSFER
from ledger.models import Account, Checkpoint, Cosignature, Event, Log
from ledger.signing import KeyIsAway, keys_of
from ledger.standalone import verify_export
from ledger.verify_outside import Outside
from tournament import audit_runs, tasks
from tournament.access import Act, SalonRequest, game_or_404, needs
from tournament.auditors_file import auditors_file, file_name
from tournament.models import AuditRun, Game, Salon, Tournament
from tournament.pages.told import at_time
from tournament.signing_keys import keyring

SHOWN = 100  # findings and runs
CHECKPOINTS_SHOWN = 12
LARGEST_NOTE = 20_000  # characters of a checkpoint that is handed in


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A finding with the page that shows what it is about, if there is one."""

    kind: str
    table: str
    row: str
    message: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An audit as the page shows it."""

    row: AuditRun
    began: datetime
    ended: datetime | None
    running: bool
    findings: Sequence[Shown]
    remarks: Sequence[str]

    @property
    def unproven(self) -> int:
        """Entries after the last that is proven."""
        return self.row.events - self.row.proven

    @property
    def percent(self) -> int:
        """How much is done."""
        return min(99, 100 * self.row.done // self.row.total) if self.row.total else 0


@never_cache
@require_safe
@needs(Act.AUDIT)
def audit(request: SalonRequest) -> HttpResponse:
    """The page; asked by htmx, the last audit alone."""
    salon = request.visitor.salon
    rows = list(AuditRun.objects.filter(salon=salon).order_by("-pk")[:6])
    newest = shown_run(salon, rows[0]) if rows else None
    context = {
        "here": "ledger",
        "run": newest,
        "earlier": [shown_run(salon, row, with_findings=False) for row in rows[1:]],
        "checkpoints": [_with_time(row) for row in Checkpoint.objects.filter(log=salon.log_id).order_by("-size")[:CHECKPOINTS_SHOWN]],
        "cosigned": set(Cosignature.objects.filter(log=salon.log_id).values_list("size", flat=True)),
        "head": Log.objects.values_list("position", flat=True).get(pk=salon.log_id),
        "keys": keys_of(salon.log_id),
        "may_sign": request.visitor.may(Act.SIGN),
    }
    return render(request, "audit.html#run" if request.headers.get("HX-Request") else "audit.html", context)


@require_POST
@needs(Act.AUDIT)
def audits(request: SalonRequest) -> HttpResponse:
    """Begin an audit, with a checkpoint that somebody kept outside where one is handed in."""
    text = request.POST.get("checkpoint", "").replace("\r\n", "\n")
    if len(text) > LARGEST_NOTE:
        messages.error(request, _("That is too long for a checkpoint: it has three lines and a signature or two."))
        return redirect("audit")
    outside = [Outside(name=_("the checkpoint handed in"), text=text.strip("\n") + "\n")] if text.strip() else []
    run = audit_runs.begin(request.visitor.salon, asked_by=request.visitor.actor, outside=outside)
    if run is None:
        messages.info(request, _("An audit is running already; its result appears here."))
    else:
        tasks.start_audit(run)
    return redirect("audit")


@require_safe
@needs(Act.AUDIT)
def salon_file(request: SalonRequest) -> StreamingHttpResponse | HttpResponse:
    """The whole salon as a file for auditors; `?names=no` leaves names and words out."""
    return _file(request, request.visitor.salon, None)


@require_safe
@needs(Act.AUDIT)
def game_file(request: SalonRequest, game: str) -> StreamingHttpResponse | HttpResponse:
    """One game as a file for auditors."""
    row = game_or_404(request.visitor, game)
    return _file(request, row.salon, row)


@require_safe
@needs(Act.AUDIT)
def tournament_file(request: SalonRequest, tournament: str) -> StreamingHttpResponse | HttpResponse:
    """A tournament, with every game that ever counted in it, as a file for auditors."""
    row = get_object_or_404(Tournament.objects.select_related("salon"), salon=request.visitor.salon, pk=tournament)
    return _file(request, row.salon, row)


@require_safe
@needs(Act.SEE_SALON)
def verifier(request: SalonRequest) -> HttpResponse:
    """The script that checks such a file with nothing of this program."""
    answer = HttpResponse(Path(verify_export.__file__).read_bytes(), content_type="text/x-python; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="verify_export.py"'
    return answer


def shown_run(salon: Salon, row: AuditRun, *, with_findings: bool = True) -> Run:
    """A run with its findings, each with its page."""
    findings = json.loads(row.findings)[:SHOWN] if with_findings else []
    return Run(
        row=row,
        began=at_time(row.began_at),
        ended=at_time(row.ended_at) if row.ended_at else None,
        running=audit_runs.is_running(row),
        findings=[
            Shown(kind=each["kind"], table=each["table"], row=str(each["row"]), message=each["message"], url=_page_of(salon, each))
            for each in findings
        ],
        remarks=json.loads(row.remarks),
    )


def _page_of(salon: Salon, finding: Mapping[str, Any]) -> str:
    """The page that shows what a finding is about; "" where there is none."""
    table, row = finding["table"], str(finding["row"])
    if table in (EVENT, TRANSFER) and row.isdigit():
        found = Event.objects.filter(log=salon.log_id, position=int(row)).values_list("stream", "version").first()
        return _history_of(salon, *found) if found else ""
    if table == ACCOUNT:
        stream = Account.objects.filter(pk=int(row)).values_list("stream", flat=True).first() if row.isdigit() else row.partition("/")[0]
        return reverse("game_ledger", args=[stream]) if stream and _has(salon, stream) else ""
    if table == CHECKPOINT and row.isdigit() and Checkpoint.objects.filter(log=salon.log_id, size=int(row)).exists():
        return reverse("checkpoint", args=[int(row)])
    stream = row.partition("/")[0]
    return reverse("board", args=[stream]) if _has(salon, stream) else ""


def _history_of(salon: Salon, stream: str, version: int) -> str:
    return f"{reverse('game_history', args=[stream])}?at={version}" if _has(salon, stream) else ""


def _has(salon: Salon, stream: str) -> bool:
    return Game.objects.filter(salon=salon, pk=stream).exists()


def _with_time(row: Checkpoint) -> tuple[Checkpoint, datetime]:
    return row, at_time(row.made_at)


def _file(request: SalonRequest, salon: Salon, part: Game | Tournament | None) -> StreamingHttpResponse | HttpResponse:
    stream, redacted = part.pk if part is not None else None, request.GET.get("names") == "no"
    lines = auditors_file(salon, keyring(), stream=stream, redacted=redacted)
    try:
        first = next(lines)
    except KeyIsAway:
        messages.error(request, _("No file can be made: the private key of the salon is not on this machine."))
        return redirect("audit")
    except StopIteration:
        raise Http404 from None

    def content() -> Any:
        yield first
        yield from lines

    answer = StreamingHttpResponse(content(), content_type="application/jsonl; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{file_name(salon, part.record if part is not None else None)}"'
    return answer
