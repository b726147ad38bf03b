"""The two ways a record or an act is turned away, each saying where, why and what would be right."""

from typing import Self


class Refusal(Exception):
    """Something that cannot be taken, with the place it was found.

    `code` is one of the codes of salon-record/1, `rule` a number of rules.md or "", `path` the place inside the
    hand, game or file (`hands[2].bids.E`), `message` a sentence that says what is wrong and what would be right.
    """

    def __init__(self, code: str, *, message: str, rule: str = "", path: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.path = path
        self.message = message

    def under(self, prefix: str) -> Self:
        """The same refusal, its path seen from further outside."""
        joint = "." if self.path and not self.path.startswith("[") else ""
        self.path = f"{prefix}{joint}{self.path}"
        return self


class NotationError(Refusal):
    """It cannot be read: wrong shape, type, key, seat, card or option (`bad_record`)."""

    def __init__(self, message: str, *, path: str = "", rule: str = "") -> None:
        super().__init__("bad_record", message=message, rule=rule, path=path)


class RuleViolation(Refusal):
    """It can be read, and a rule of the game forbids it."""
