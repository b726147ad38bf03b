"""A screen on the wall as facts: which parts it shows in turn, each for how long, and which one is
held there now. Each screen is a stream of its own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.deciding import Decisions
from scoring.errors import NotationError, RuleViolation, Sentence, sentence
from scoring.folding import Changes
from scoring.shape import one_of
from tournament.domain.checks import check_length

RULE = "Screens"
LONGEST_NAME = 40
LONGEST_ADDRESS = 40
LONGEST_NOTE = 200  # characters, as many as fit on a screen at their size
MOST_PARTS = 16
SHORTEST, LONGEST = 5, 600  # seconds of one screenful
ADDRESS = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SEATING, NAMES, CLOCK, TABLES, STANDINGS, BRACKET, PODIUM, SEASON, TEXT = KINDS = (
    "seating",
    "names",
    "clock",
    "tables",
    "standings",
    "bracket",
    "podium",
    "season",
    "text",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a screen: one of KINDS, each of its screenfuls shown for `seconds`.

    `of` is the stream of a tournament, or of a season for `season`; "" is whichever is
    on. `note` is the text to show (a digest where it is stored), "" for the other
    kinds.
    """

    kind: str
    seconds: int = 15
    of: str = ""
    note: str = ""


# What has nothing to show is passed over.
USUAL = tuple(Part(kind=kind) for kind in (SEATING, CLOCK, TABLES, STANDINGS, BRACKET, PODIUM))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddScreen:
    """Set up a screen: its name for the desk, and the address under which it is opened."""

    name: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangeScreen:
    """Set name and parts anew, in the order in which they are shown."""

    name: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldPart:
    """Show this and nothing else, from now on."""

    part: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class LetGoOn:
    """Show the parts in turn again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetireScreen:
    """Put the screen away: its address shows nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BringBackScreen:
    """Take a retired screen into use again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenAdded:
    """A screen was set up, with what it shows at first."""

    name: str
    address: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenArranged:
    """Name and parts were set anew."""

    name: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartHeld:
    """From now on the screen shows this and nothing else."""

    part: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenGoesOn:
    """The screen shows its parts in turn again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenRetired:
    """The screen was put away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenBroughtBack:
    """A retired screen is in use again."""


type Keeping = ArrangeScreen | HoldPart | LetGoOn | RetireScreen | BringBackScreen
type Command = AddScreen | Keeping
type Event = (
    ScreenAdded | ScreenArranged | PartHeld | ScreenGoesOn | ScreenRetired | ScreenBroughtBack
)

# The stored names, written out: a class may be renamed, a stored name never.
SHAPES: dict[tuple[str, int], type[Event]] = {
    ("screen.added", 1): ScreenAdded,
    ("screen.arranged", 1): ScreenArranged,
    ("screen.part_held", 1): PartHeld,
    ("screen.goes_on", 1): ScreenGoesOn,
    ("screen.retired", 1): ScreenRetired,
    ("screen.brought_back", 1): ScreenBroughtBack,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A screen after `version` events; `held` is what it shows alone, None while its parts take
    turns.
    """

    version: int
    name: str
    address: str
    parts: tuple[Part, ...]
    held: Part | None = None
    retired: bool = False


def decide(command: Command, state: State | None) -> list[Event]:
    """The fact that follows from a command.

    Raises NotationError for a name, an address or a part that can't be, RuleViolation
    `screen_retired` for what is done with a retired one, `unchanged` for what is so already.
    """
    if state is None:
        return [_add_screen(command)]
    if state.retired and not isinstance(command, BringBackScreen):
        raise _refused("screen_retired", sentence("this screen is retired; bring it back first"))
    if isinstance(command, AddScreen):
        raise _refused("screen_there", sentence("this screen is set up already"))
    return [*DECISIONS[type(command)](command, state)]


def evolve(state: State | None, event: Event) -> State:
    """The screen after one more fact; `None` is the screen before the first."""
    if state is None:
        assert isinstance(event, ScreenAdded)
        return State(version=1, name=event.name, address=event.address, parts=event.parts)
    return replace(CHANGES[type(event)](state, event), version=state.version + 1)


def check_note(part: Part, path: str) -> None:
    """Raises NotationError for words that are missing, too long, or on what has none; before they
    are made a digest.
    """
    if part.kind == TEXT and not 0 < len(part.note) <= LONGEST_NOTE:
        raise NotationError(
            "a text of 1 to %(most)s characters is expected here",
            path=f"{path}.note",
            most=LONGEST_NOTE,
        )
    if part.kind != TEXT and part.note:
        raise NotationError("only a text says something of its own", path=f"{path}.note")


def _add_screen(command: Command) -> ScreenAdded:
    if not isinstance(command, AddScreen):
        raise _refused("screen_missing", sentence("there is no such screen"))
    check_length(command.name.strip(), LONGEST_NAME)
    if not ADDRESS.fullmatch(command.address) or len(command.address) > LONGEST_ADDRESS:
        raise NotationError(
            "an address is 1 to %(most)s small letters and digits, with single dashes between",
            path="address",
            most=LONGEST_ADDRESS,
        )
    return ScreenAdded(name=command.name, address=command.address, parts=USUAL)


def _arrange_screen(command: ArrangeScreen, state: State) -> list[Event]:
    check_length(command.name.strip(), LONGEST_NAME)
    _check_parts(command.parts)
    if (command.name, command.parts) == (state.name, state.parts):
        raise _refused("unchanged", sentence("that is how it is already"))
    return [ScreenArranged(name=command.name, parts=command.parts)]


def _hold_part(command: HoldPart, state: State) -> list[Event]:
    _check_part(command.part, "part")
    if command.part == state.held:
        raise _refused("unchanged", sentence("the screen shows just that"))
    return [PartHeld(part=command.part)]


def _let_go_on(_command: LetGoOn, state: State) -> list[Event]:
    if state.held is None:
        raise _refused("unchanged", sentence("the screen shows its parts in turn already"))
    return [ScreenGoesOn()]


def _bring_back(_command: BringBackScreen, state: State) -> list[Event]:
    if not state.retired:
        raise _refused("unchanged", sentence("this screen is in use already"))
    return [ScreenBroughtBack()]


def _check_parts(parts: Sequence[Part]) -> None:
    if not 0 < len(parts) <= MOST_PARTS:
        raise NotationError(
            "a screen shows 1 to %(most)s parts in turn", path="parts", most=MOST_PARTS
        )
    for place, part in enumerate(parts):
        _check_part(part, f"parts[{place}]")


def _check_part(part: Part, path: str) -> None:
    one_of(part.kind, KINDS, f"{path}.kind")
    if not SHORTEST <= part.seconds <= LONGEST:
        raise NotationError(
            "a screenful is shown for %(shortest)s to %(longest)s seconds",
            path=f"{path}.seconds",
            shortest=SHORTEST,
            longest=LONGEST,
        )
    if (part.kind == TEXT) != bool(part.note):
        raise NotationError("a text says something, and nothing else does", path=f"{path}.note")


def _refused(code: str, message: Sentence) -> RuleViolation:
    return RuleViolation(code, message, rule=RULE)


DECISIONS: Decisions[State, Event] = {
    ArrangeScreen: _arrange_screen,
    HoldPart: _hold_part,
    LetGoOn: _let_go_on,
    RetireScreen: lambda _command, _state: [ScreenRetired()],
    BringBackScreen: _bring_back,
}
CHANGES: Changes[State] = {
    ScreenArranged: lambda state, event: replace(state, name=event.name, parts=event.parts),
    PartHeld: lambda state, event: replace(state, held=event.part),
    ScreenGoesOn: lambda state, _event: replace(state, held=None),
    ScreenRetired: lambda state, _event: replace(state, retired=True),
    ScreenBroughtBack: lambda state, _event: replace(state, retired=False),
}
