"""The time zone and the language of the salon, and the picture beside its name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceSet:
    """From here on pages and prints tell times of this zone, in this language; "" for what the
    server has.
    """

    time_zone: str
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoSet:
    """From here on this picture stands beside the salon's name: `picture` is the SHA-256 of its
    file, "" for none.
    """

    picture: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPlace:
    """Tell times of another zone, or write in another language."""

    time_zone: str
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLogo:
    """Show another picture beside the salon's name, or none."""

    picture: str


type Event = PlaceSet | LogoSet
type Command = SetPlace | SetLogo

SHAPES: dict[tuple[str, int], type[Event]] = {
    ("house.place_set", 1): PlaceSet,
    ("house.logo_set", 1): LogoSet,
}
