"""Who the players are by name, as far as the log may say it: digests that cover their names, and
that somebody was erased.
"""

from dataclasses import dataclass


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
class CoverNames:
    """Vouch for these names as they are now, and say which texts are gone."""

    names: tuple[tuple[str, str], ...]
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePerson:
    """Tell that a player is erased, and these texts."""

    player: str
    texts: tuple[str, ...]


type Event = NamesCovered | PersonErased
type Command = CoverNames | ErasePerson

SHAPES: dict[tuple[str, int], type[Event]] = {
    ("house.names_covered", 1): NamesCovered,
    ("house.person_erased", 1): PersonErased,
}


def decide_names(command: Command) -> Event:
    """The fact that follows."""
    if isinstance(command, ErasePerson):
        return PersonErased(player=command.player, texts=command.texts)
    return NamesCovered(names=command.names, gone=command.gone)
