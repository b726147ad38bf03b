"""House rules as values: what a game lets a salon choose, and how a choice is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

from scoring.errors import NotationError, sentence
from scoring.shape import Fields, format_number, kind_of

MOST = 1_000_000

type Choice = str | int | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One house rule: its name and rule number, its default, what may be chosen, and its sense in
    plain words.

    `choices` are (value, label) pairs; an option without them is a whole number from `least` to
    `most`, or None where `optional`.
    """

    name: str
    rule: str
    default: Choice
    title: str
    sense: str
    choices: tuple[tuple[Choice, str], ...] = ()
    least: int = 0
    most: int = MOST
    optional: bool = False


YES_NO: tuple[tuple[Choice, str], ...] = ((False, "No"), (True, "Yes"))
OPENING_CHIPS = Option(
    name="opening_chips",
    rule="Chips",
    default=None,
    title="Chips at the start",
    sense=(
        "Every player is given this many and nobody can pay what they don't have. "
        "Empty: chips are counted from 0 and may go below."
    ),
    optional=True,
)


def read_options(
    given: object, offered: tuple[Option, ...], *, path: str = "options"
) -> dict[str, Choice]:
    """Every option with its value, the default where nothing is given.

    Raises NotationError for what is no object, an unknown name, or a value that the option doesn't
    offer.
    """
    if not isinstance(given, Mapping):
        raise NotationError("options are an object of house rules by name", path=path)
    known = {option.name: option for option in offered}
    for name in given:
        if name not in known:
            raise NotationError(
                "there is no option %(name)s; the options are %(known)s",
                path=f"{path}.{name}",
                name=repr(name),
                known=", ".join(known),
            )
    return {
        name: read_choice(given[name], option, path=path) if name in given else option.default
        for name, option in known.items()
    }


def rules_reader[Rules](
    shape: Callable[..., Rules], offered: tuple[Option, ...]
) -> Callable[[object], Rules]:
    """The `read_rules` of a game: its rules from options, defaults where nothing is given. Raises
    NotationError.
    """

    def read_rules(given: object) -> Rules:
        return shape(**read_options(given, offered))

    return read_rules


def read_choice(value: object, option: Option, *, path: str = "options") -> Choice:
    """The value if the option offers it. Raises NotationError otherwise."""
    place = f"{path}.{option.name}"
    if option.choices:
        for choice, _ in option.choices:
            if type(value) is type(choice) and value == choice:
                return choice
        allowed = ", ".join(_value_text(choice) for choice, _ in option.choices)
        raise NotationError(
            "%(name)s is one of %(allowed)s, not %(shown)s",
            path=place,
            rule=option.rule,
            name=option.name,
            allowed=allowed,
            shown=_value_text(value),
        )
    if value is None and option.optional:
        return None
    if type(value) is not int or not option.least <= value <= option.most:
        or_none = sentence(" or null") if option.optional else ""
        message = sentence(
            "%(name)s is a whole number from %(least)s to %(most)s%(or_none)s, not %(shown)s",
            name=option.name,
            least=option.least,
            most=option.most,
            or_none=or_none,
            shown=_value_text(value),
        )
        raise NotationError(message, path=place, rule=option.rule)
    return value


def rules_as_options(rules: Fields) -> dict[str, Choice]:
    """Every option of a game's rules by name; what has no value is left out, as in a canonical
    record.
    """
    named = ((field.name, getattr(rules, field.name)) for field in fields(rules))
    return {name: value for name, value in named if value is not None}


def changed(rules: Mapping[str, Choice], offered: tuple[Option, ...]) -> dict[str, Choice]:
    """The options that differ from their defaults, in the order offered."""
    return {
        option.name: rules[option.name]
        for option in offered
        if rules[option.name] != option.default
    }


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, str):
        return f'"{value[:40]}"'
    if isinstance(value, int):
        return format_number(value)
    return kind_of(value)
