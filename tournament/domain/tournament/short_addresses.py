"""The short address of a tournament, `lantern-cup`: made from its name, or chosen by its director;
the old ones go on leading there.
"""

import re
import unicodedata
from dataclasses import dataclass, replace

from scoring.errors import NotationError, sentence
from scoring.shape import a_text, required
from tournament.domain.tournament.lookups import refused
from tournament.domain.tournament.reading import Given, reads
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command, Event, Subject

LONGEST_ADDRESS = 40
ADDRESS = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TOKEN = re.compile(r"[0-9a-f]{32}")  # what a link of an event looks like, and its stream
UNCOMPOSED = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"}
)


NAMELESS = "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseAddress(Command):
    """Give the tournament another short address."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChosen(Event):
    """From now on this is the tournament's short address; those it had before lead there too."""

    address: str


def short_name(name: str) -> str:
    """`Lantern Cup, Łódź` → lantern-cup-lodz: what somebody can read aloud and type; `event` where
    nothing of the name can.
    """
    plain = unicodedata.normalize("NFKD", name.casefold().translate(UNCOMPOSED))
    words = re.findall(
        r"[a-z0-9]+", "".join(letter for letter in plain if not unicodedata.combining(letter))
    )
    found = "-".join(words)[:LONGEST_ADDRESS].strip("-")
    return found if found and not TOKEN.fullmatch(found) else NAMELESS


def _choose_address(command: ChooseAddress, state: State) -> list[Event]:
    """Raises NotationError for what is no address, RuleViolation `same_address`."""
    if (
        not ADDRESS.fullmatch(command.address)
        or len(command.address) > LONGEST_ADDRESS
        or TOKEN.fullmatch(command.address)
    ):
        message = sentence(
            "an address is 1 to %(most)s small letters and digits, with single dashes between",
            most=LONGEST_ADDRESS,
        )
        raise NotationError(message, path="address")
    if command.address == state.claims[-1][0]:
        raise refused("same_address", "that is its address already", "address")
    return [AddressChosen(address=command.address)]


def claim_address(state: State, address: str) -> State:
    """The state with one more address that leads to the tournament, by the event that comes
    next.
    """
    if state.claims and state.claims[-1][0] == address:
        return state
    return replace(state, claims=(*state.claims, (address, state.version + 1)))


def _read_address(given: Given, name: str) -> str:
    return a_text(required(given, name, ""), name, shortest=1).strip().lower()


SUBJECT = Subject(
    decisions={ChooseAddress: _choose_address},
    changes={AddressChosen: lambda state, event: claim_address(state, event.address)},
    shapes={("tournament.address_chosen", 1): AddressChosen},
    readers={"addresses": reads(ChooseAddress, address=_read_address)},
)
