"""The confirmation by the other side at the phone of a table: by the PIN of its
seat, or by a tap alone.
"""

from dataclasses import dataclass

from scoring.errors import NotationError, RuleViolation

PIN, TAP = "pin", "tap"
RULE = "Confirmation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmingSet:
    """From here on a hand is confirmed at a table's phone by `way` of a PIN or a tap; `reason` is a
    digest, "" for none.
    """

    way: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetConfirming:
    """Let hands be confirmed at a table's phone by `way` of a PIN or a tap; `reason` may be ""."""

    way: str
    reason: str


SHAPES: dict[tuple[str, int], type[ConfirmingSet]] = {("house.confirming_set", 1): ConfirmingSet}


def decide_confirming(command: SetConfirming, way: str) -> ConfirmingSet:
    """The fact that follows while `way` holds. Raises NotationError for another way, RuleViolation
    `same_confirming` for the same.
    """
    if command.way not in (PIN, TAP):
        raise NotationError("pin or tap is expected here", path="way")
    if command.way == way:
        raise RuleViolation("same_confirming", "it is so already", rule=RULE, path="way")
    return ConfirmingSet(way=command.way, reason=command.reason)
