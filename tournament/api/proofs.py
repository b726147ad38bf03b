"""Proofs of the log: checkpoints and other people's signatures under them, the proofs
that lead to them, and audits.
"""

from typing import Annotated

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from msgspec import Meta, Struct
from rest_framework.request import Request

from ledger import notes, times
from ledger.checkpoints import cosigned, find_covering_checkpoint, latest, make, with_cosignatures
from ledger.last_signed import Inconsistent
from ledger.models import Checkpoint
from ledger.notes import BadNote
from ledger.signing import KeyIsAway
from ledger.tree import BrokenTree
from ledger.verify_outside import OutsideText
from scoring.errors import NotationError, RuleViolation
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer, answer_idempotently, build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, Page, PageQuery, page_of
from tournament.integrity.proofs import LARGEST_NOTE, consistency_proof, inclusion_proof
from tournament.integrity.signing_keys import NoFreshKey, load_keyring
from tournament.models import AuditRun, Salon
from tournament.tasks import ask_for_audit

FINDINGS = 100
OR_THE_FIRST = Meta(
    ge=1, le=10**15, description="The checkpoint of this size; none: the first that has the line."
)
OR_THE_NEWEST = Meta(ge=1, le=10**15, description="The checkpoint of this size; none: the newest.")


class CheckpointLine(Struct, frozen=True, kw_only=True):
    """A checkpoint: how many lines it signs, their root in hexadecimal, when it was made
    (microseconds UTC), and the signed note.
    """

    size: int
    root: str
    made_at: int
    note: str


class EntryProof(Struct, frozen=True, kw_only=True):
    """The proof that a line is in the log which a checkpoint signs (RFC 6962); hashes in
    base64.
    """

    origin: str
    position: int
    leaf: str
    size: int
    root: str
    path: list[str]
    checkpoint: str


class ConsistencyProof(Struct, frozen=True, kw_only=True):
    """The proof that the log which a checkpoint signs begins with the first `old` lines;
    `request` is what witnesses ask for.
    """

    origin: str
    old: int
    old_root: str
    size: int
    root: str
    path: list[str]
    checkpoint: str
    request: str


class Finding(Struct, frozen=True, kw_only=True):
    """Something that an audit found to be wrong."""

    kind: str
    table: str
    row: str
    message: str


class AuditLine(Struct, frozen=True, kw_only=True):
    """An audit: when it was asked for (`began_at`), when a worker began it (`taken_at`), how far it
    has come, and in the end what it found; times are microseconds UTC, 0: not yet.

    `proven` is the line up to which a checkpoint kept elsewhere proves the history.
    """

    id: int
    began_at: int
    taken_at: int
    ended_at: int
    done: int
    total: int
    events: int
    count: int
    findings: list[Finding]
    proven: int
    error: str


class NewAudit(Struct, frozen=True, kw_only=True):
    """An audit to begin; `checkpoint` is one that was kept outside, "" for none."""

    checkpoint: str = ""


class Begun(Struct, frozen=True, kw_only=True):
    """An audit that has begun, by its id."""

    id: int


class NewCosignature(Struct, frozen=True, kw_only=True):
    """Another salon's signature under a checkpoint: the line, or the whole note with it, and that
    salon's key.
    """

    note: str
    key: str


class AskedSize(Struct, frozen=True, kw_only=True):
    """The checkpoint that a proof leads to."""

    size: Annotated[int, OR_THE_FIRST] | None = None


class AskedSizes(Struct, frozen=True, kw_only=True):
    """Two sizes of the log."""

    old: Annotated[int, Meta(ge=0, le=10**15, description="How many lines were there before.")] = 0
    size: Annotated[int, OR_THE_NEWEST] | None = None


class ProofViewSet(ApiViewSet):
    """Checkpoints, proofs that lead there, and audits."""

    act = Permission.SEE_SALON

    @document_action(query=PageQuery)
    def list_checkpoints(self, request: Request) -> Page[CheckpointLine]:
        """The checkpoints of the salon, the latest first."""
        rows = Checkpoint.objects.filter(log=self.salon.log_id)
        return page_of(request, rows, "-size").with_shape(_line)

    @document_action(Permission.SIGN)
    def sign_checkpoint(self, request: Request) -> Answer[CheckpointLine]:
        """Sign what the log holds now; where nothing came since the last checkpoint, that one."""
        return answer_idempotently(
            self, ["checkpoint"], lambda: _line(_sign_checkpoint(self.salon))
        )

    def read_checkpoint(self, request: Request, size: int) -> CheckpointLine:
        """One checkpoint with every signature under it."""
        return _line(_checkpoint(self.salon, size))

    @document_action(Permission.SIGN, body=NewCosignature)
    def add_cosignature(self, request: Request, size: int) -> Answer[CheckpointLine]:
        """Keep another salon's signature under a checkpoint."""
        row, given = _checkpoint(self.salon, size), self.body(NewCosignature)

        def keep_cosignature() -> CheckpointLine:
            try:
                key = notes.read_vkey(given.key)
                cosigned(row, notes.line_of(given.note.replace("\r\n", "\n").strip("\n"), key), key)
            except BadNote as fault:
                raise NotationError(str(fault), path="note") from None
            return _line(row)

        return answer_idempotently(self, ["cosignature", size], keep_cosignature)

    @document_action(query=AskedSize)
    def prove_entry(self, request: Request, position: int) -> EntryProof:
        """The proof that a line is in the log that a checkpoint signs. 404 while no checkpoint
        has it.
        """
        salon, size = self.salon, self.query(AskedSize).size
        row = (
            find_covering_checkpoint(salon.log_id, position)
            if size is None
            else _checkpoint(salon, size)
        )
        if row is None or position < 1:
            raise Http404
        try:
            return EntryProof(**inclusion_proof(salon.log, position, row))
        except LookupError:
            raise Http404 from None

    @document_action(query=AskedSizes)
    def prove_consistency(self, request: Request) -> ConsistencyProof:
        """The proof that the log begins with what it held before."""
        query = self.query(AskedSizes)
        salon, size = self.salon, query.size
        row = latest(salon.log_id) if size is None else _checkpoint(salon, size)
        if row is None:
            raise Http404
        try:
            return ConsistencyProof(**consistency_proof(salon.log, query.old, row))
        except LookupError:
            raise Http404 from None

    @document_action(Permission.AUDIT)
    def list_audits(self, request: Request) -> list[AuditLine]:
        """The latest audits of the salon with their findings, the newest first."""
        rows = AuditRun.objects.filter(salon=self.salon).order_by("-pk")[:6]
        return [_audit(row) for row in rows]

    @document_action(Permission.AUDIT)
    def read_audit(self, request: Request, run: int) -> AuditLine:
        """One audit with all its findings that were kept."""
        return _audit(self.row(AuditRun, run), most=None)

    @document_action(Permission.AUDIT, body=NewAudit)
    def begin_audit(self, request: Request) -> Answer[Begun]:
        """Begin an audit, with a checkpoint that somebody kept outside where one is handed in."""
        text = self.body(NewAudit).checkpoint.replace("\r\n", "\n").strip("\n")
        if len(text) > LARGEST_NOTE:
            raise NotationError(
                _("that is too long for a checkpoint: it has three lines and a signature or two"),
                path="checkpoint",
            )

        def start_audit() -> Begun:
            kept = OutsideText(name=_("the checkpoint handed in"), text=f"{text}\n")
            outside = [kept] if text.strip() else []
            run = ask_for_audit(self.salon, asked_by=self.visitor.actor, outside=outside)
            if run is None:
                raise RuleViolation(
                    "running", _("An audit is running already; its result appears when it ends.")
                )
            return Begun(id=run.pk)

        return answer_idempotently(self, ["audit"], start_audit)


def _sign_checkpoint(salon: Salon) -> Checkpoint:
    """Sign a new checkpoint. Raises RuleViolation if it can't be signed."""
    try:
        row = make(salon.log, load_keyring(), now=times.now())
    except (KeyIsAway, NoFreshKey, ValueError):
        raise RuleViolation(
            "key_away", _("The private key of the salon is not on this machine.")
        ) from None
    except (Inconsistent, BrokenTree):
        words = _("The log does not hold any more what was signed before. Run an audit.")
        raise RuleViolation("inconsistent", words) from None
    if row is None:
        raise RuleViolation("empty", _("Nothing has been recorded yet: there is nothing to sign."))
    return row


def _checkpoint(salon: Salon, size: int) -> Checkpoint:
    return get_object_or_404(Checkpoint, log=salon.log_id, size=size)


def _line(row: Checkpoint) -> CheckpointLine:
    return build_struct(CheckpointLine, row, note=with_cosignatures(row))


def _audit(row: AuditRun, *, most: int | None = FINDINGS) -> AuditLine:
    findings = [
        Finding(
            kind=each["kind"], table=each["table"], row=str(each["row"]), message=each["message"]
        )
        for each in row.findings[:most]
    ]
    return build_struct(AuditLine, row, findings=findings)
