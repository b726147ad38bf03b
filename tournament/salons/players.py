"""The salon's players by name: a name is known or becomes a new player."""

from collections.abc import Collection, Iterable, Mapping

from django.db import IntegrityError
from django.db.models import QuerySet

from scoring.errors import NotationError
from tournament.domain.names import JOINERS, LONGEST_NAME, plain_name
from tournament.models import GameSeat, Player, Salon, TournamentPlayer
from tournament.salons.public_names import Audience, find_shown_names

type Seated = tuple[tuple[str, str], ...]  # (seat, name or id) pairs


class NameTaken(Exception):
    """Somebody else made a player of the same name a moment ago; now the name is known."""


def plain_names(players: Iterable[tuple[str, str]]) -> Seated:
    """The (seat, name) pairs with plain names.

    Raises NotationError for a name without a visible letter, a name too long, or one that stands at
    two seats.
    """
    seats: dict[str, str] = {}
    for seat, written in players:
        name = plain_name(written)
        if not name.strip(JOINERS) or len(name) > LONGEST_NAME:
            raise NotationError(
                "a name of 1 to %(longest_name)s characters is expected here",
                path=f"players.{seat}",
                longest_name=LONGEST_NAME,
            )
        if name in seats.values():
            raise NotationError(
                "%(name)s sits in two seats; each seat has its own player",
                path=f"players.{seat}",
                name=name,
            )
        seats[seat] = name
    return tuple(seats.items())


class Roster:
    """The players that a command names: those the salon knows, and new ones, who are kept only if
    the command is.
    """

    def __init__(self, salon: Salon) -> None:
        self._salon = salon
        self._ids: dict[str, str] = {}
        self._new: list[Player] = []
        self._again: list[str] = []

    def seated(self, players: Iterable[tuple[str, str]]) -> Seated:
        """The (seat, name) pairs with player ids in place of names. Raises NotationError as
        `plain_names` does.
        """
        pairs = plain_names(players)
        self._look_up({name for _, name in pairs} - self._ids.keys())
        return tuple((seat, self._ids[name]) for seat, name in pairs)

    @property
    def empty(self) -> bool:
        """Whether nobody is new, or named again after a list was taken back."""
        return not self._new and not self._again

    def store(self) -> None:
        """Keep the new players. Raises NameTaken when one of the names has become known in the
        meantime.
        """
        try:
            Player.objects.bulk_create(self._new)
            if self._again:
                Player.objects.filter(pk__in=self._again).update(set_aside=False)
        except IntegrityError as error:
            raise NameTaken from error

    def _look_up(self, names: set[str]) -> None:
        rows = Player.objects.filter(salon=self._salon, name__in=names) if names else ()
        known = {player.name: player.merged_into or player.id for player in rows}
        self._again += [player.id for player in rows if player.set_aside]
        new = [Player(salon=self._salon, name=name) for name in sorted(names - known.keys())]
        self._new += new
        self._ids |= known | {player.name: player.id for player in new}


def keep_players(salon: Salon, names: Collection[str]) -> None:
    """Make players of these names; one whom somebody else made meanwhile stays as it is, and one
    who was set aside is offered again.
    """
    Player.objects.bulk_create(
        [Player(salon=salon, name=name, from_list=True) for name in names], ignore_conflicts=True
    )
    bring_back(Player.objects.filter(salon=salon, name__in=names))


def note_list(salon: Salon, names: Collection[str]) -> None:
    """Note that these players came with a list: with it they can be taken back."""
    Player.objects.filter(salon=salon, name__in=names).update(from_list=True)


def set_aside(players: QuerySet[Player], *, but_in: str = "") -> int:
    """Set aside those of these players who came with a list and are in no game and no tournament
    but this one; how many.
    """
    elsewhere = TournamentPlayer.objects.exclude(stream=but_in).values("player")
    unused = players.filter(from_list=True, set_aside=False).exclude(
        pk__in=GameSeat.objects.values("player")
    )
    return unused.exclude(pk__in=elsewhere).exclude(membership__isnull=False).update(set_aside=True)


def bring_back(players: QuerySet[Player]) -> int:
    """Offer these players again who were set aside; how many."""
    return players.filter(set_aside=True).update(set_aside=False)


def names_of(salon: Salon, ids: Collection[str], audience: Audience) -> Mapping[str, str]:
    """The name of each of these players for this audience; one who is not in the salon any more has
    a name of their own that says so.
    """
    known = find_shown_names(salon, ids, audience)
    return {player: known.get(player, pseudonym(player)) for player in ids}


def nameless(player: str) -> str:
    """Return the name of a player whose name was left out; no other has it."""
    return f"player {player[:12]}"


def pseudonym(player: str) -> str:
    """Return the name of a player who was erased; no other has it."""
    return f"erased {player[:12]}"
