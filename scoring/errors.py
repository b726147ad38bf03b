"""The two ways a record or an act is turned away, each saying where, why and what would be
right.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

# The places in a sentence where a seat stands, by its letter or its name.
SEATS = frozenset({"seat", "other_seat", "due", "declarer", "dealer", "expected", "given"})

# Values that are words of the game or of the desk and not somebody's own: by the name of their
# place in a sentence.
TERMS = frozenset(
    {
        "seat",
        "other_seat",
        "partner",
        "suit",
        "other_suit",
        "contract",
        "other_contract",
        "bonus",
        "phase",
        "phases",
        "needed",
        "value",
    }
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in English with places for values, as `round %(round)s is not drawn`. Whoever
    shows it may say it in another language.

    A value is text, a number, a sentence again, or a tuple of words.
    """

    template: str
    values: Mapping[str, object] = field(default_factory=dict)

    def name_players(self, players: Mapping[str, str]) -> Self:
        """The same sentence with players in the place of their seats."""
        return replace(
            self,
            values={name: _name_value(name, value, players) for name, value in self.values.items()},
        )

    def __str__(self) -> str:
        if not self.values:
            return self.template
        return self.template % {name: _plain(value) for name, value in self.values.items()}


def sentence(template: str, **values: object) -> Sentence:
    """A sentence for a refusal; `template` is a literal, so that translators find it."""
    return Sentence(template, values)


def _name_value(name: str, value: object, players: Mapping[str, str]) -> object:
    if isinstance(value, Sentence):
        return value.name_players(players)
    return players.get(value, value) if name in SEATS and isinstance(value, str) else value


def _plain(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value


def in_words(said: Sentence, translated: Callable[[str], str]) -> str:
    """A sentence with its values, each part that is text of this program as `translated` gives it;
    what that doesn't know stays English.
    """
    words = translated(said.template) if said.template else ""
    if not said.values:
        return words
    return words % {
        name: _value_in_words(name, value, translated) for name, value in said.values.items()
    }


def _value_in_words(name: str, value: object, translated: Callable[[str], str]) -> object:
    if isinstance(value, Sentence):
        return in_words(value, translated)
    if isinstance(value, tuple):
        return ", ".join(str(_value_in_words(name, each, translated)) for each in value)
    return translated(value) if name in TERMS and isinstance(value, str) and value else value


class Refusal(Exception):
    """Something that cannot be taken, with the place it was found.

    `code` is one of the codes of salon-record/1, `rule` a number of rules.md or "", `path` the
    place inside the hand, game or file (`hands[2].bids.E`), `message` a sentence that says what is
    wrong and what would be right: a literal with its `values` as in `sentence`, or what that made.
    """

    def __init__(
        self,
        code: str,
        message: str | Sentence,
        *,
        rule: str = "",
        path: str = "",
        **values: object,
    ) -> None:
        self.sentence = message if isinstance(message, Sentence) else Sentence(message, values)
        super().__init__(self.message)
        self.code = code
        self.rule = rule
        self.path = path

    @property
    def message(self) -> str:
        """The sentence in English."""
        return str(self.sentence)

    def name_players(self, players: Mapping[str, str]) -> Self:
        """The same refusal, with players in the place of their seats, by letter and by name."""
        self.sentence = self.sentence.name_players(players)
        return self

    def under(self, prefix: str) -> Self:
        """The same refusal, its path seen from further outside."""
        joint = "." if self.path and not self.path.startswith("[") else ""
        self.path = f"{prefix}{joint}{self.path}"
        return self


class NotationError(Refusal):
    """It cannot be read: wrong shape, type, key, seat, card or option (`bad_record`)."""

    def __init__(
        self, message: str | Sentence, *, path: str = "", rule: str = "", **values: object
    ) -> None:
        super().__init__("bad_record", message, rule=rule, path=path, **values)


class RuleViolation(Refusal):
    """It can be read, and a rule of the game forbids it."""
