"""The Merkle tree of RFC 6962, section 2.1: roots, inclusion and consistency proofs, and what they
prove.

A tree is given by its complete subtrees: `node(level, index)` is the hash over the 2**level leaves
from index · 2**level on. Proofs then need about 2 · log2(size) of them, however long the log is.
"""

import hashlib
from collections.abc import Callable, Sequence

type Node = Callable[[int, int], bytes]

TILE_LEVELS = 8  # a tile is the hash over 2**8 leaves, or over as many tiles
TILE = 1 << TILE_LEVELS
EMPTY = hashlib.sha256(b"").digest()
_INNER = b"\x01"


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash over two subtrees side by side."""
    return hashlib.sha256(_INNER + left + right).digest()


def root(size: int, node: Node) -> bytes:
    """The root over the first `size` leaves."""
    return _span(0, size, node) if size else EMPTY


def inclusion(index: int, size: int, node: Node) -> list[bytes]:
    """The audit path of the leaf `index` (from 0) in the tree of `size` leaves, from the leaf up.

    Raises ValueError for a leaf that this tree does not have.
    """
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    return _path(index, 0, size, node)


def consistency(old: int, new: int, node: Node) -> list[bytes]:
    """The proof that the tree of `new` leaves begins with the tree of `old` leaves; empty where
    nothing is to prove.

    Raises ValueError when the older tree is the larger one.
    """
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} leaves does not begin with one of {old}")
    return _subproof(old, 0, new, True, node) if 0 < old < new else []


def is_consistent(
    old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether `proof` shows that the tree of `new` leaves with `new_root` begins with that of `old`
    leaves with `old_root`.
    """
    if not 0 <= old <= new:
        return False
    if not old or old == new:
        return not proof and old_root == (new_root if old else EMPTY)
    path = list(proof) if old & (old - 1) else [old_root, *proof]
    if not path:
        return False
    here, last = old - 1, new - 1
    while here & 1:
        here, last = here >> 1, last >> 1
    older = newer = path[0]
    for sibling in path[1:]:
        if not last:
            return False
        if here & 1 or here == last:
            older, newer = node_hash(sibling, older), node_hash(sibling, newer)
            while not here & 1 and here:
                here, last = here >> 1, last >> 1
        else:
            newer = node_hash(newer, sibling)
        here, last = here >> 1, last >> 1
    return not last and older == old_root and newer == new_root


class Frontier:
    """A tree that only grows, kept as the roots of its complete subtrees: its root at any moment,
    in memory of log2(size).

    `tiles` gathers each complete subtree of 256, 65,536 … leaves as (1, 2 …; its index; its hash);
    whoever reads empties it.
    """

    __slots__ = ("_roots", "size", "tiles")

    def __init__(self) -> None:
        self.size = 0
        self.tiles: list[tuple[int, int, bytes]] = []
        self._roots: list[bytes] = []

    def append(self, leaf: bytes) -> None:
        """Add one more leaf."""
        index, found, level = self.size, leaf, 0
        while index & 1:
            found = hashlib.sha256(_INNER + self._roots.pop() + found).digest()
            index, level = index >> 1, level + 1
            if not level % TILE_LEVELS:
                self.tiles.append((level // TILE_LEVELS, index, found))
        self._roots.append(found)
        self.size += 1

    def root(self) -> bytes:
        """The root over all leaves so far."""
        if not self._roots:
            return EMPTY
        *rest, found = self._roots
        for left in reversed(rest):
            found = node_hash(left, found)
        return found


def folded(hashes: Sequence[bytes]) -> bytes:
    """The hash over 1, 2, 4, 8 … subtrees of one size, side by side."""
    level = list(hashes)
    while len(level) > 1:
        level = [
            node_hash(left, right) for left, right in zip(level[::2], level[1::2], strict=True)
        ]
    return level[0]


def _span(first: int, end: int, node: Node) -> bytes:
    """The hash over the leaves from `first` up to `end`; `first` is a multiple of the power of two
    that holds them all.
    """
    count = end - first
    if not count & (count - 1):
        level = count.bit_length() - 1
        return node(level, first >> level)
    middle = first + _below(count)
    return node_hash(_span(first, middle, node), _span(middle, end, node))


def _path(index: int, first: int, end: int, node: Node) -> list[bytes]:
    if end - first == 1:
        return []
    middle = first + _below(end - first)
    if index < middle:
        return [*_path(index, first, middle, node), _span(middle, end, node)]
    return [*_path(index, middle, end, node), _span(first, middle, node)]


def _subproof(old: int, first: int, end: int, known: bool, node: Node) -> list[bytes]:
    """SUBPROOF of section 2.1.2; `known` says that the verifier has the root over the leaves from
    `first` to `old`.
    """
    if old == end:
        return [] if known else [_span(first, end, node)]
    middle = first + _below(end - first)
    if old <= middle:
        return [*_subproof(old, first, middle, known, node), _span(middle, end, node)]
    return [*_subproof(old, middle, end, False, node), _span(first, middle, node)]


def _below(count: int) -> int:
    """The largest power of two below `count`."""
    return 1 << ((count - 1).bit_length() - 1)
