"""The tree of RFC 6962 as its section 2.1 defines it, word for word and slowly: what the ledger's
trees are held against.
"""

import hashlib
from collections.abc import Sequence

from ledger.merkle import node_hash


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\0" + entry).digest()


def tree_hash(leaves: Sequence[bytes]) -> bytes:
    """MTH(D[n]), of leaves that are hashed already."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return hashlib.sha256(b"\1" + tree_hash(leaves[:k]) + tree_hash(leaves[k:])).digest()


def audit_path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH(m, D[n])."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*audit_path(m, leaves[:k]), tree_hash(leaves[k:])]
    return [*audit_path(m - k, leaves[k:]), tree_hash(leaves[:k])]


def consistency_proof(m: int, leaves: Sequence[bytes], whole: bool = True) -> list[bytes]:
    """SUBPROOF(m, D[n], b)."""
    if m == len(leaves):
        return [] if whole else [tree_hash(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*consistency_proof(m, leaves[:k], whole), tree_hash(leaves[k:])]
    return [*consistency_proof(m - k, leaves[k:], False), tree_hash(leaves[:k])]


def split(n: int) -> int:
    """The largest power of two smaller than n."""
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def root_by_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root that a leaf and its audit path come to. Raises ValueError for a path of another
    length than it must have.
    """
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    here, last, found = index, size - 1, leaf
    for sibling in path:
        if not last:
            raise ValueError("the path is too long")
        if here & 1 or here == last:
            found = node_hash(sibling, found)
            while not here & 1 and here:
                here, last = here >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        here, last = here >> 1, last >> 1
    if last:
        raise ValueError("the path is too short")
    return found
