"""What verification reports: a finding names the table, the row and, where it is known, the column."""

from dataclasses import dataclass

EVENT = "ledger_event"
COMMAND = "ledger_command"
TRANSFER = "ledger_transfer"
ACCOUNT = "ledger_account"
LOG = "ledger_log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something stored that is not as it was recorded.

    `row` is a position (events, transfers), a command's key, or an id (accounts, logs). `kind` is one of head, gap,
    link, hash, type, order, canonical, command, transfer, reversal, account, known.
    """

    kind: str
    table: str
    row: int | str
    message: str
    column: str | None = None
