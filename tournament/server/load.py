"""How much is being read and answered at once, by address and in all: what is over the measure is
turned away, not queued.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

BYTES_OF_ONE = 16 * 1024 * 1024  # bodies that one address has in memory
BYTES_IN_ALL = 64 * 1024 * 1024


class OneTooMany(Exception):
    """This address asks for too much at once."""


class Full(Exception):
    """The server has as much to do as it takes on."""


@dataclass(slots=True)
class Crowd:
    """Who is inside. For one event loop: `of_one` requests of an address at once, `in_all` of all
    addresses; 0 means any number.
    """

    of_one: int
    in_all: int
    requests: Counter[str] = field(default_factory=Counter)
    sizes: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def entered(self, address: str) -> Iterator["Place"]:
        """Be counted until the end of the block. Raises OneTooMany, Full."""
        if self.of_one and self.requests[address] >= self.of_one:
            raise OneTooMany
        if self.in_all and self.requests.total() >= self.in_all:
            raise Full
        self.requests[address] += 1
        place = Place(self, address)
        try:
            yield place
        finally:
            _less(self.requests, address, 1)
            _less(self.sizes, address, place.size)


@dataclass(slots=True)
class Place:
    """One request inside, and how many bytes of it are held."""

    crowd: Crowd
    address: str
    size: int = 0

    def grow(self, count: int) -> None:
        """So many bytes more came. Raises OneTooMany, Full."""
        self.size += count
        self.crowd.sizes[self.address] += count
        if self.crowd.sizes[self.address] > BYTES_OF_ONE:
            raise OneTooMany
        if self.crowd.sizes.total() > BYTES_IN_ALL:
            raise Full


def _less(counted: Counter[str], address: str, count: int) -> None:
    counted[address] -= count
    if counted[address] <= 0:
        del counted[address]
