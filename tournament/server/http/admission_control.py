"""Admission control: limits on requests, bodies and answers at once, by address and in
all. Requests over a limit are refused, not queued. And fair queueing for the
threads: addresses take turns, and one address never holds all threads.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

BYTES_OF_ONE = 16 * 1024 * 1024  # bodies that one address has in memory
BYTES_IN_ALL = 64 * 1024 * 1024
KEPT_FOR_OTHERS = 2  # threads that one address leaves to the rest
QUICK_AT_ONCE = 2  # requests that begin together
SECONDS_QUICK = 0.1  # after which one lets others begin beside it


class OneTooMany(Exception):
    """This address asks for too much at once."""


class Full(Exception):
    """The server has as much to do as it takes on."""


@dataclass(slots=True)
class Admission:
    """Counts what is admitted, in one event loop: up to `of_one` requests of an address at
    once, `in_all` of all addresses, and the limits in bytes; 0 means no limit.
    """

    of_one: int
    in_all: int
    bytes_of_one: int = BYTES_OF_ONE
    bytes_in_all: int = BYTES_IN_ALL
    requests: Counter[str] = field(default_factory=Counter)
    sizes: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def entered(self, address: str) -> Iterator[None]:
        """Be counted until the end of the block. Raises OneTooMany, Full."""
        if self.of_one and self.requests[address] >= self.of_one:
            raise OneTooMany
        if self.in_all and self.requests.total() >= self.in_all:
            raise Full
        self.requests[address] += 1
        try:
            yield
        finally:
            _less(self.requests, address, 1)

    @contextmanager
    def holding(self, address: str, count: int = 0) -> Iterator["Place"]:
        """A place whose bytes are counted until the end of the block, `count` of them at once.
        Raises OneTooMany, Full.
        """
        place = Place(self, address)
        try:
            place.grow(count)
            yield place
        finally:
            _less(place.crowd.sizes, address, place.size)

    def check_room(self, address: str, count: int) -> None:
        """Raise OneTooMany, Full if there is no room for this many bytes more. An address that
        holds nothing has room for one thing, however full it is.
        """
        if not (held := self.sizes[address]):
            return
        if self.bytes_of_one and held + count > self.bytes_of_one:
            raise OneTooMany
        if self.bytes_in_all and self.sizes.total() + count > self.bytes_in_all:
            raise Full


@dataclass(slots=True)
class Place:
    """The bytes held for a request or an answer."""

    crowd: Admission
    address: str
    size: int = 0

    def grow(self, count: int) -> None:
        """Count this many bytes more. Raises OneTooMany, Full."""
        self.crowd.check_room(self.address, count)
        self.size += count
        self.crowd.sizes[self.address] += count

    def move_to(self, crowd: Admission) -> None:
        """Count what is held there from now on. Raises OneTooMany, Full."""
        crowd.check_room(self.address, self.size)
        _less(self.crowd.sizes, self.address, self.size)
        crowd.sizes[self.address] += self.size
        self.crowd = crowd


def _less(counted: Counter[str], address: str, count: int) -> None:
    counted[address] -= count
    if counted[address] <= 0:
        del counted[address]


@dataclass(slots=True)
class _Line:
    """The waiting requests of an address: those that record are let in before those that
    read.
    """

    recording: deque[asyncio.Future[None]] = field(default_factory=deque)
    reading: deque[asyncio.Future[None]] = field(default_factory=deque)

    def next(self) -> asyncio.Future[None]:
        return (self.recording or self.reading).popleft()

    def __bool__(self) -> bool:
        return bool(self.recording or self.reading)


class FairQueue:
    """A queue for `threads` places: waiting requests are let in address by address, of
    each those that record before those that read, in the order they came. For one event
    loop.

    The interpreter runs one thread at a time, so that many at once only make each other
    late: at most `QUICK_AT_ONCE` begin together. A request that takes longer, as a
    download, lets others begin beside it. With all threads at once an act in a full
    room took 25 ms where it takes 20 (95 of 100), and a room too full was served half
    as fast.
    """

    def __init__(self, threads: int) -> None:
        self._free = threads
        self._quick = QUICK_AT_ONCE
        self._most = max(1, threads - KEPT_FOR_OTHERS)
        self._running: dict[str, int] = {}
        self._waiting: OrderedDict[str, _Line] = OrderedDict()

    def place_for(self, address: str, *, records: bool = False) -> "Turn":
        """Wait for a place, hold it until the end of an `async with`."""
        return Turn(self, address, records=records)

    async def wait_for_place(self, address: str, *, records: bool) -> None:
        """Wait until there is a place; `give_back` returns it."""
        if self._free and self._quick and self._may(address) and address not in self._waiting:
            self._take(address)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._waiting.setdefault(address, _Line())
        (line.recording if records else line.reading).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # It was let in just when it gave up.
                self.give_back(address)
            raise

    def let_others_begin(self) -> None:
        """Let others begin, because a request that holds a place takes longer."""
        self._quick += 1
        self._let_in()

    def give_back(self, address: str, *, quick: bool = True) -> None:
        """A place is free again; `quick` where nobody began in its stead meanwhile."""
        self._quick += quick
        self._free += 1
        self._running[address] -= 1
        if not self._running[address]:
            del self._running[address]
        self._let_in()

    def _let_in(self) -> None:
        """Give every free place to the address whose turn it is; it then waits behind the
        others.
        """
        while self._free and self._quick:
            address = next((each for each in self._waiting if self._may(each)), None)
            if address is None:
                return
            line = self._waiting.pop(address)
            turn = line.next()
            if line:
                self._waiting[address] = line
            if not turn.done():
                self._take(address)
                turn.set_result(None)

    def _may(self, address: str) -> bool:
        return self._running.get(address, 0) < self._most

    def _take(self, address: str) -> None:
        self._quick -= 1
        self._free -= 1
        self._running[address] = self._running.get(address, 0) + 1


class Turn:
    """The place of one request: waited for when the block begins, given back when it ends."""

    __slots__ = ("address", "quick", "records", "slow", "turns")

    def __init__(self, turns: FairQueue, address: str, *, records: bool) -> None:
        self.turns, self.address, self.records = turns, address, records
        self.quick = True

    async def __aenter__(self) -> None:
        await self.turns.wait_for_place(self.address, records=self.records)
        self.slow = asyncio.get_running_loop().call_later(SECONDS_QUICK, self._goes_on)

    async def __aexit__(self, *_failed: object) -> None:
        self.slow.cancel()
        self.turns.give_back(self.address, quick=self.quick)

    def _goes_on(self) -> None:
        self.quick = False
        self.turns.let_others_begin()
