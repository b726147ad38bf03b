"""Audit a salon as a whole: the guards, the log, the chips, what was signed, and every row against
a fresh fold.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from django.db import connection

from ledger import triggers
from ledger.findings import EVENT, LOG, Finding
from ledger.last_signed import verify_last_signed
from ledger.models import Log
from ledger.reading import any_text, head_of
from ledger.signing import origin_of
from ledger.verdict import Verdict
from ledger.verify import verify_log
from ledger.verify_checkpoints import verify_checkpoints
from ledger.verify_outside import OutsideText
from tournament.integrity import audit_process
from tournament.integrity.audit_process import Beside, Count
from tournament.integrity.signing_keys import accepted, open_signed_last
from tournament.models import Salon
from tournament.projections.audit import audit as rows_of
from tournament.streams.correction_period import house_of

MOST = 10_000  # findings kept of each part; what is beyond is counted as more
BESIDE_FROM = 50_000  # events from which on hashing in a second process is worth starting one
PASSES = 3  # each event is read by so many parts: folds, signatures, log

type Progress = Callable[[int, int], None]
type Found = tuple[list[Finding], Verdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainCheck:
    """Log to hash again, and the checkpoints kept outside to check it against; these keys
    need no announcement.
    """

    log: int
    outside: Sequence[OutsideText]
    keys: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Result of an audit: `events` in the log, findings (with `more` there were others),
    and how far history is proven.
    """

    events: int
    findings: Sequence[Finding]
    more: bool
    remarks: Sequence[str]
    proven: int
    by: str

    @property
    def unproven(self) -> int:
        """Number of the latest events that no checkpoint kept outside covers."""
        return self.events - self.proven


def audit(
    salon: Salon,
    outside: Sequence[OutsideText] = (),
    *,
    keys: Collection[str] = (),
    beside: bool = False,
    progress: Progress = lambda done, total: None,
) -> Report:
    """Everything that is not as it was recorded. `progress` is told steps done and in all; nothing
    is changed.

    `keys` are believed although no key before them announced them, besides those accepted on this
    machine. With `beside` a long log is hashed again by a second process, which must be able to see
    what is committed.
    """
    events = head_of(salon.log_id).position
    total, long = events * PASSES, beside and events >= BESIDE_FROM
    asked = ChainCheck(log=salon.log_id, outside=outside, keys=accepted() | set(keys))
    with (
        any_text(),
        audit_process.in_own_process(_verify_chain_in_process, asked)
        if long
        else _here(asked) as hashed,
    ):
        remarks: list[str] = []
        rows = _limit_findings(
            rows_of(
                salon,
                remarks=remarks,
                progress=lambda done: progress(done + hashed.by_now(), total),
            )
        )
        chain, verdict = hashed.result(lambda done: progress(events + done, total))
    progress(total, total)
    older, rolled_back = verify_last_signed(salon.log, origin_of(salon.log), open_signed_last())
    verdict.remarks += [*rolled_back, *remarks]
    about = [list(_guard_findings()), list(_check_closed(salon)), older]
    return _report(events, verdict, [*about, chain, verdict.findings, rows])


@contextmanager
def _here(asked: ChainCheck) -> Iterator[Beside[Found]]:
    yield Beside(by_now=lambda: 0, result=lambda progress: _verify_chain(asked, progress))


def _verify_chain(asked: ChainCheck, progress: Count) -> Found:
    """The findings of the log, and what its checkpoints tell; `progress` is told the events read so
    far, each twice in all.
    """
    verdict = verify_checkpoints(
        asked.log, asked.outside, accepted=asked.keys, progress=lambda done, _: progress(done)
    )
    found = verify_log(asked.log, progress=lambda done, total: progress(total + done))
    return _limit_findings(found), verdict


def _verify_chain_in_process(asked: ChainCheck) -> Found:
    with any_text():
        found = _verify_chain(asked, audit_process.tell_progress)
    connection.close()
    return found


def _guard_findings() -> Iterator[Finding]:
    for name in triggers.missing():
        message = f"The guard {name} of the database is missing: rows could be changed."
        yield Finding("guard", EVENT, name, message)


def _check_closed(salon: Salon) -> Iterator[Finding]:
    """A log takes no further events exactly while its house says that the salon has moved."""
    closed = Log.objects.values_list("closed", flat=True).get(pk=salon.log_id)
    place = house_of(salon).moved_to
    if closed != bool(place):
        says = f"that it has moved to {place}" if place else "nothing of a move"
        message = f"The log is {'closed' if closed else 'open'}, and its house says {says}."
        yield Finding("head", LOG, salon.log_id, message, "closed")


def _limit_findings(findings: Iterator[Finding]) -> list[Finding]:
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
