"""Findings of the verification: each names the table, the row and, if it is known, the
column.
"""

from dataclasses import dataclass

EVENT = "ledger_event"
COMMAND = "ledger_command"
TRANSFER = "ledger_transfer"
ACCOUNT = "ledger_account"
LOG = "ledger_log"
TILE = "ledger_tile"
SIGNING_KEY = "ledger_signingkey"
CHECKPOINT = "ledger_checkpoint"
COSIGNATURE = "ledger_cosignature"
WITNESSED = "ledger_witnessed"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something stored that is not as it was recorded.

    `row` is a position (events, transfers), a command's key, a size (checkpoints), a number (keys),
    level/number (tiles), or an id. `kind` is one of head, gap, link, hash, type, order, canonical,
    command, transfer, reversal, account, known; of what is signed: tree, tile, key, checkpoint,
    cosignature, witnessed, outside (what a checkpoint kept outside tells), rolled_back (the log
    lacks what was signed here).
    """

    kind: str
    table: str
    row: int | str
    message: str
    column: str | None = None
