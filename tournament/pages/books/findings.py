"""The findings of an audit for pages: each with the page that shows its subject."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from ledger.findings import ACCOUNT, CHECKPOINT, EVENT, TRANSFER
from ledger.models import Account, Checkpoint, Event
from scoring.shape import JsonMapping
from tournament.accounts.actor_names import actors_in_words
from tournament.integrity import audit_runs
from tournament.integrity.work_requests import is_kept_waiting, is_waiting
from tournament.models import AuditRun, Game, Player, Progress, Salon
from tournament.queries.history_lines import at_time
from tournament.salons.public_names import Audience
from tournament.streams.types import STREAM_TYPES

SHOWN = 100
PLAYER, PROGRESS = Player._meta.db_table, Progress._meta.db_table


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFinding:
    """A finding with the page that shows what it is about, if there is one."""

    kind: str
    table: str
    row: str
    message: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An audit as the page shows it; `who` asked for it, "" for the one of a night. Of its findings
    some may not be shown.
    """

    row: AuditRun
    who: str
    began: datetime
    ended: datetime | None
    waiting: bool
    kept_waiting: bool
    running: bool
    findings: Sequence[ShownFinding]
    remarks: Sequence[str]

    @property
    def unproven(self) -> int:
        """Entries after the last that is proven."""
        return self.row.events - self.row.proven

    @property
    def percent(self) -> int:
        """The share that is done, in percent."""
        return min(99, 100 * self.row.done // self.row.total) if self.row.total else 0


def describe_runs(salon: Salon, rows: Sequence[AuditRun], audience: Audience) -> list[Run]:
    """Runs without their findings."""
    who = actors_in_words(salon, {row.asked_by for row in rows if row.asked_by}, audience)
    return [_run(row, who, []) for row in rows]


def describe_run(salon: Salon, row: AuditRun, audience: Audience, *, most: int = SHOWN) -> Run:
    """A run with its findings, each with its page."""
    who = actors_in_words(salon, [row.asked_by], audience) if row.asked_by else {}
    return _run(row, who, [_finding(salon, each) for each in row.findings[:most]])


def _run(row: AuditRun, who: Mapping[str, str], findings: Sequence[ShownFinding]) -> Run:
    return Run(
        row=row,
        who=who.get(row.asked_by, ""),
        began=at_time(row.began_at),
        ended=at_time(row.ended_at) if row.ended_at else None,
        waiting=is_waiting(row),
        kept_waiting=is_kept_waiting(row),
        running=audit_runs.is_running(row),
        findings=findings,
        remarks=row.remarks,
    )


def _finding(salon: Salon, each: JsonMapping) -> ShownFinding:
    return ShownFinding(
        kind=each["kind"],
        table=each["table"],
        row=str(each["row"]),
        message=each["message"],
        url=_page_of(salon, each),
    )


def _page_of(salon: Salon, finding: JsonMapping) -> str:
    """The page that shows what a finding is about; "" where there is none."""
    table, row = finding["table"], str(finding["row"])
    if table in (EVENT, TRANSFER) and row.isdigit():
        found = (
            Event.objects.filter(log=salon.log_id, position=int(row))
            .values_list("stream", "version")
            .first()
        )
        return _history_of(salon, *found) if found else ""
    if table == ACCOUNT:
        stream = (
            Account.objects.filter(pk=int(row)).values_list("stream", flat=True).first()
            if row.isdigit()
            else row.partition("/")[0]
        )
        return reverse("game_ledger", args=[stream]) if stream and _is_game(salon, stream) else ""
    if (
        table == CHECKPOINT
        and row.isdigit()
        and Checkpoint.objects.filter(log=salon.log_id, size=int(row)).exists()
    ):
        return reverse("checkpoint", args=[int(row)])
    if table == PROGRESS:
        return reverse("audit") + "#work"
    if table == PLAYER:
        return (
            reverse("player", args=[row])
            if Player.objects.filter(salon=salon, pk=row).exists()
            else ""
        )
    return _board_of(salon, row.partition("/")[0].partition("-")[0])


def _history_of(salon: Salon, stream: str, version: int) -> str:
    """The history of a stream as of this version, where a row leads to it."""
    if _is_game(salon, stream):
        return f"{reverse('game_history', args=[stream])}?at={version}"
    page = _page_of_kind(salon, stream)
    return f"{page}?at={version}" if page else ""


def _board_of(salon: Salon, stream: str) -> str:
    return (
        reverse("board", args=[stream]) if _is_game(salon, stream) else _page_of_kind(salon, stream)
    )


def _page_of_kind(salon: Salon, stream: str) -> str:
    """The page of a stream that is no game; "" for none of this salon."""
    for kind in STREAM_TYPES.values():
        if kind.head._default_manager.filter(salon=salon, pk=stream).exists():
            return reverse(kind.page, args=[] if kind.only else [stream])
    return ""


def _is_game(salon: Salon, stream: str) -> bool:
    return Game.objects.filter(salon=salon, pk=stream).exists()
