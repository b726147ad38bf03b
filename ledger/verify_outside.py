"""Hold a log against checkpoints that were kept outside its database, where whoever has the
database can't change them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ledger import notes
from ledger.findings import CHECKPOINT, WITNESSED, Finding
from ledger.models import Cosignature, Witnessed
from ledger.notes import BadNote, Note
from ledger.verdict import Signed, Verdict, describe_change


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideText:
    """A checkpoint that somebody kept outside the database: where it comes from, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideCheckpoint:
    """The same, read."""

    name: str
    note: Note
    said: notes.Checkpoint


def readable(outside: Sequence[OutsideText], verdict: Verdict) -> Iterator[OutsideCheckpoint]:
    """Those that are checkpoints; a finding for each that is none."""
    for each in outside:
        try:
            note = notes.read_note(each.text)
            yield OutsideCheckpoint(
                name=each.name, note=note, said=notes.read_checkpoint(note.text)
            )
        except BadNote as fault:
            message = f"{each.name} is no checkpoint: {fault}."
            verdict.add_finding("outside", CHECKPOINT, each.name, message)


def check_outside(
    signed: Signed, checkpoints: Sequence[OutsideCheckpoint], verdict: Verdict
) -> None:
    """Check the log against each checkpoint, the shortest first; the longest that holds
    says how far the history is proven.
    """
    for each in sorted(checkpoints, key=lambda one: one.said.size):
        own = each.said.origin == signed.origin
        what = _own_faults(signed, each, verdict) if own else _other_faults(signed, each)
        table, row = (CHECKPOINT, each.said.size) if own else (WITNESSED, each.said.origin)
        verdict.findings += [
            Finding("outside", table, row, f"{each.name}: {fault}.") for fault in what
        ]


def _own_faults(signed: Signed, checkpoint: OutsideCheckpoint, verdict: Verdict) -> Iterator[str]:
    """Does the log still begin with what this checkpoint says, and is it still known here?"""
    said, note = checkpoint.said, checkpoint.note
    if not any(
        key.signs(said.size) and notes.is_signed(note, key.verifier) for key in signed.keys.values()
    ):
        yield f"this checkpoint of {said.size} lines is not signed by the key the log has for it"
        return
    if said.size > signed.length:
        yield (
            f"{said.size} lines were signed and the log has {signed.length} without a gap: "
            f"what came after is gone"
        )
        return
    if signed.roots[said.size] != said.root:
        yield describe_change(verdict.proven, said.size)
        return
    verdict.proven, verdict.by = said.size, checkpoint.name
    if said.size not in signed.rows:
        yield (
            f"the checkpoint of {said.size} lines holds, and is not among the checkpoints "
            f"of the log any more"
        )
    lines = set(
        Cosignature.objects.filter(log=signed.log, size=said.size).values_list("line", flat=True)
    )
    own = [form for key in signed.keys.values() for form in (key.verifier, key.verifier.cosigner)]
    for each in note.signatures:
        if each.name == signed.origin and not any(notes.holds(each, note.text, key) for key in own):
            yield "a signature of the log under it does not hold"
        elif each.name != signed.origin and each.line not in lines:
            yield f"the signature of {each.name} under it is not among those of the log"


def _other_faults(signed: Signed, checkpoint: OutsideCheckpoint) -> Iterator[str]:
    """A checkpoint of another log that this one countersigned must be remembered here."""
    said = checkpoint.said
    if not any(
        notes.is_signed(checkpoint.note, key.verifier.cosigner) for key in signed.keys.values()
    ):
        yield f"this is a checkpoint of {said.origin}, another log, and was not countersigned here"
    elif not Witnessed.objects.filter(
        log=signed.log, origin=said.origin, size=said.size, root=said.root.hex()
    ).exists():
        yield (
            f"{said.size} lines of {said.origin} were countersigned here, and that is not "
            f"remembered any more"
        )
