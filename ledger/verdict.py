"""Values for verifying signatures and checkpoints: the log beside what was signed of
it, and the outcome.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ledger.findings import Finding
from ledger.models import Checkpoint, Log
from ledger.notes import Verifier


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownKey:
    """A public key of the log as it is stored, and the entries it may have signed: above `after`,
    up to `until` (None: no end).
    """

    number: int
    verifier: Verifier
    after: int
    until: int | None

    def signs(self, size: int) -> bool:
        """Whether a checkpoint of so many entries is this key's."""
        return size > self.after and (self.until is None or size <= self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """A log as it is, beside what was signed of it: the root at each size that is asked for, as far
    as `length` events without a gap.
    """

    log: Log
    origin: str
    keys: Mapping[int, KnownKey]
    rows: Mapping[int, Checkpoint]
    roots: Mapping[int, bytes]
    length: int


@dataclass(slots=True)
class Verdict:
    """Findings, and the part of the history that is proven: up to entry `proven` by the
    checkpoint called `by` ("": by none).

    `remarks` are no faults of the books, but things that weaken what they prove.
    """

    findings: list[Finding] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    proven: int = 0
    by: str = ""

    def add_finding(
        self, kind: str, table: str, row: int | str, message: str, column: str | None = None
    ) -> None:
        """Add a finding."""
        self.findings.append(Finding(kind, table, row, message, column))


def describe_change(held: int, size: int) -> str:
    """Describe where to look when a root of `size` entries is another one, and that of
    `held` entries is right.
    """
    return f"something among lines {held + 1} to {size} is not what it was when it was signed"
