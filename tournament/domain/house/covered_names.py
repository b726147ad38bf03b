"""The names of the players, as far as the log may say them.

Digests that cover their names, that someone was renamed, and that someone was
erased.
"""

from dataclasses import dataclass

from tournament.domain.same_fields import build_from


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesCovered:
    """From here on these players are called what gives these digests: `names` are (player, SHA-256
    of salt, line feed and name) pairs.

    `gone` are the digests of texts whose words were not there any more by then: of people erased
    before this was told.
    """

    names: tuple[tuple[str, str], ...]
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonErased:
    """The name of a player was erased, and with it the words behind the digests `texts`."""

    player: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRenamed:
    """A player has another name from here on: the one that gives this digest, SHA-256 of salt, line
    feed and name. `earlier_name` is the digest of the text that keeps the name before, `reason` a
    digest, "" for none.
    """

    player: str
    digest: str
    earlier_name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RenamePerson:
    """Vouch for another name of a player; `earlier_name` and `reason` in words, the reason may be
    "".
    """

    player: str
    digest: str
    earlier_name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverNames:
    """Vouch for these names as they are now, and say which texts are gone."""

    names: tuple[tuple[str, str], ...]
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePerson:
    """Tell that a player is erased, and these texts."""

    player: str
    texts: tuple[str, ...]


type Event = NamesCovered | PersonErased | PersonRenamed
type Command = CoverNames | ErasePerson | RenamePerson

SHAPES: dict[tuple[str, int], type[Event]] = {
    ("house.names_covered", 1): NamesCovered,
    ("house.person_erased", 1): PersonErased,
    ("house.person_renamed", 1): PersonRenamed,
}


def decide_names(command: Command) -> Event:
    """The fact that follows."""
    if isinstance(command, RenamePerson):
        return build_from(PersonRenamed, command)
    if isinstance(command, ErasePerson):
        return PersonErased(player=command.player, texts=command.texts)
    return NamesCovered(names=command.names, gone=command.gone)
