"""The Merkle tree over a log's events: the event's hash is its leaf. Proofs read a few hundred rows
however long the log is.

Tiles are stored so that nothing has to be hashed twice; an audit hashes them again from the events.
"""

from functools import lru_cache

from django.db import IntegrityError, transaction

from ledger.merkle import TILE, TILE_LEVELS, Node, folded
from ledger.models import Tile
from ledger.reading import fetch_all

BLOCKS_KEPT = 64
TILES_A_WRITE = 64
_LEAVES = (
    "SELECT hash FROM ledger_event WHERE log_id = %s AND position > %s AND position "
    "<= %s ORDER BY position"
)
_TILES = (
    "SELECT hash FROM ledger_tile WHERE log_id = %s AND level = %s AND number >= %s "
    "AND number < %s ORDER BY number"
)
_GROWN = "SELECT coalesce(max(number), -1) + 1 FROM ledger_tile WHERE log_id = %s AND level = %s"


class BrokenTree(LookupError):
    """Events that the tree needs are missing, or a hash of them is none."""


def nodes_of(log: int) -> Node:
    """The complete subtrees of a log's tree, remembered as long as the answer is used.

    It raises BrokenTree where an event is missing.
    """

    @lru_cache(maxsize=BLOCKS_KEPT)
    def block_of(level: int, number: int, count: int) -> list[bytes]:
        return _block(log, level, number, count)

    @lru_cache(maxsize=BLOCKS_KEPT * TILE_LEVELS)
    def node(level: int, index: int) -> bytes:
        tile_level, height = divmod(level, TILE_LEVELS)
        block, offset = divmod(index << height, TILE)
        # No more of a block than this subtree needs: the log may end there.
        end = offset + (1 << height)
        return folded(block_of(tile_level, block, end)[offset:])

    return node


def grow(log: int, size: int) -> None:
    """Store every tile that the first `size` events complete. Anyone may do it again at any time.
    Raises BrokenTree.
    """
    level, below = 1, size
    while below >= TILE:
        below //= TILE
        _store(log, level, below)
        level += 1


def _store(log: int, level: int, count: int) -> None:
    ((grown,),) = fetch_all(_GROWN, [log, level])
    for first in range(grown, count, TILES_A_WRITE):
        numbers = range(first, min(first + TILES_A_WRITE, count))
        rows = [
            Tile(log_id=log, level=level, number=number, hash=_tile(log, level, number).hex())
            for number in numbers
        ]
        try:
            with transaction.atomic():
                Tile.objects.bulk_create(rows)
        except IntegrityError:  # Somebody else is storing the same tiles.
            return


def _block(log: int, level: int, number: int, count: int) -> list[bytes]:
    """The first `count` hashes of the `number`-th block of 256 at this level: of tiles, at level 0
    of events.
    """
    first = number * TILE
    if level:
        stored = fetch_all(_TILES, [log, level, first, first + count])
        whole = len(stored) == count
        if whole:
            return [_hash(each) for (each,) in stored]
        return [_tile(log, level, tile) for tile in range(first, first + count)]
    leaves = fetch_all(_LEAVES, [log, first, first + count])
    if len(leaves) != count:
        raise BrokenTree(f"of the {count} events after {first} only {len(leaves)} are there")
    return [_hash(each) for (each,) in leaves]


def _tile(log: int, level: int, number: int) -> bytes:
    """A tile worked out from what is below it."""
    return folded(_block(log, level - 1, number, TILE))


def _hash(stored: str) -> bytes:
    try:
        return bytes.fromhex(stored)
    except (ValueError, TypeError) as error:
        raise BrokenTree(f"{stored!r} is no hash") from error
