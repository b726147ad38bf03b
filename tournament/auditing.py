"""Audit a salon as a whole: the guards, the log, the chips, what was signed, and every row against a fresh fold."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

import django
from django.db import connection

from ledger import triggers
from ledger.findings import EVENT, Finding
from ledger.reading import any_text, head_of
from ledger.verdict import Verdict
from ledger.verify import verify_log
from ledger.verify_checkpoints import verify_checkpoints
from ledger.verify_outside import Outside
from tournament.models import Salon
from tournament.projections.audit import audit as rows_of

MOST = 10_000  # findings kept of each part; what is beyond is counted as more
BESIDE_FROM = 50_000  # events from which on hashing in a second process is worth starting one
PASSES = 3  # each event is read by so many parts: log, signatures, folds

type Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an audit found: `events` in the log, findings (with `more` there were others), and how far history is proven."""

    events: int
    findings: Sequence[Finding]
    more: bool
    remarks: Sequence[str]
    proven: int
    by: str

    @property
    def unproven(self) -> int:
        """How many of the latest events no checkpoint kept outside speaks for."""
        return self.events - self.proven


def audit(salon: Salon, outside: Sequence[Outside] = (), *, beside: bool = False, progress: Progress = lambda done, total: None) -> Report:
    """Everything that is not as it was recorded. `progress` is told steps done and in all; nothing is changed.

    With `beside` a long log is hashed again by a second process, which must be able to see what is committed.
    """
    log, events = salon.log_id, head_of(salon.log_id).position
    total = events * PASSES
    with any_text(), _log_findings(log, beside=beside and events >= BESIDE_FROM) as log_findings:
        verdict = verify_checkpoints(log, outside, progress=lambda done, _: progress(done, total))
        rows = _listed(rows_of(salon, progress=lambda done: progress(events + done, total)))
        chain = log_findings(lambda done, _: progress(2 * events + done, total))
    progress(total, total)
    return _report(events, verdict, [list(_guard_findings()), chain, verdict.findings, rows])


@contextmanager
def _log_findings(log: int, *, beside: bool) -> Iterator[Callable[[Progress], list[Finding]]]:
    """What gives the findings of the log: worked out when asked for, or by a second process from now on."""
    if not beside:
        yield lambda progress: _listed(verify_log(log, progress=progress))
        return
    # A fresh process, since a forked one would share this one's connection to the database.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=django.setup) as pool:
        found: Future[list[Finding]] = pool.submit(_verified_beside, log)
        yield lambda progress: found.result()


def _verified_beside(log: int) -> list[Finding]:
    with any_text():
        found = _listed(verify_log(log))
    connection.close()
    return found


def _guard_findings() -> Iterator[Finding]:
    for name in triggers.missing():
        yield Finding(kind="guard", table=EVENT, row=name, message=f"The guard {name} of the database is missing: rows could be changed.")


def _listed(findings: Iterator[Finding]) -> list[Finding]:
    """The first of them, and one more where there are more."""
    return list(islice(findings, MOST + 1))


def _report(events: int, verdict: Verdict, parts: Sequence[Sequence[Finding]]) -> Report:
    return Report(
        events=events,
        findings=[finding for part in parts for finding in part[:MOST]],
        more=any(len(part) > MOST for part in parts),
        remarks=verdict.remarks,
        proven=verdict.proven,
        by=verdict.by,
    )
