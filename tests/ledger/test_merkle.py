"""Roots and proofs are those of RFC 6962: its definition, written out in `trees`, and the vectors
of Certificate Transparency.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import merkle
from tests.ledger.trees import (
    audit_path,
    consistency_proof,
    leaf_hash,
    root_by_inclusion,
    tree_hash,
)

# The entries and roots that implementations of RFC 6962 are tested with
# (google/certificate-transparency).
ENTRIES = [b"", b"\x00", b"\x10", b" !", b"01", b"@ABC", b"PQRSTUVW", b"`abcdefghijklmno"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LEAVES = [leaf_hash(str(number).encode()) for number in range(70)]


def nodes(leaves: list[bytes]) -> merkle.Node:
    return lambda level, index: merkle.folded(leaves[index << level : (index + 1) << level])


NODE = nodes(LEAVES)


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_are_those_that_certificate_transparency_publishes(size: int) -> None:
    leaves = [leaf_hash(entry) for entry in ENTRIES[:size]]

    assert merkle.root(size, nodes(leaves)).hex() == ROOTS[size - 1]


def test_every_root_up_to_seventy_leaves_is_that_of_the_definition() -> None:
    frontier = merkle.Frontier()
    for size in range(len(LEAVES) + 1):
        assert merkle.root(size, NODE) == frontier.root() == tree_hash(LEAVES[:size])
        if size < len(LEAVES):
            frontier.append(LEAVES[size])


@given(st.integers(1, 70), st.data())
def test_every_leaf_proves_to_be_in_the_tree(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    path = merkle.inclusion(index, size, NODE)

    assert path == audit_path(index, LEAVES[:size])
    assert root_by_inclusion(LEAVES[index], index, size, path) == tree_hash(LEAVES[:size])


@given(st.integers(0, 70), st.data())
def test_every_earlier_tree_proves_to_be_the_beginning(new: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(0, new))
    proof = merkle.consistency(old, new, NODE)

    assert proof == (consistency_proof(old, LEAVES[:new]) if old else [])
    assert merkle.is_consistent(old, new, tree_hash(LEAVES[:old]), tree_hash(LEAVES[:new]), proof)


@given(st.integers(1, 70), st.data())
def test_another_leaf_or_place_or_path_leads_to_another_root(
    size: int, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, size - 1))
    path = merkle.inclusion(index, size, NODE)
    root = tree_hash(LEAVES[:size])

    assert root_by_inclusion(bytes(32), index, size, path) != root
    for place in range(size):
        if place != index and len(audit_path(place, LEAVES[:size])) == len(path):
            assert root_by_inclusion(LEAVES[index], place, size, path) != root
    for broken in range(len(path)):
        changed = [*path[:broken], bytes(32), *path[broken + 1 :]]
        assert root_by_inclusion(LEAVES[index], index, size, changed) != root
    for wrong in (path[:-1], [*path, bytes(32)]):
        if len(wrong) != len(path):
            with pytest.raises(ValueError, match="too"):
                root_by_inclusion(LEAVES[index], index, size, wrong)


@given(st.integers(2, 70), st.data())
def test_no_other_history_proves_to_be_the_beginning(new: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, new))
    proof, before, after = (
        merkle.consistency(old, new, NODE),
        tree_hash(LEAVES[:old]),
        tree_hash(LEAVES[:new]),
    )

    assert not merkle.is_consistent(old, new, bytes(32), after, proof)
    assert not merkle.is_consistent(old, new, before, bytes(32), proof)
    assert not merkle.is_consistent(old, new, before, after, [*proof, bytes(32)])
    assert not merkle.is_consistent(new, old, after, before, proof) or old == new
    for broken in range(len(proof)):
        assert not merkle.is_consistent(
            old, new, before, after, [*proof[:broken], bytes(32), *proof[broken + 1 :]]
        )
        assert not merkle.is_consistent(old, new, before, after, proof[:broken])


def test_an_empty_tree_begins_every_tree_and_needs_no_proof() -> None:
    assert merkle.root(0, NODE) == merkle.EMPTY
    assert merkle.is_consistent(0, 7, merkle.EMPTY, tree_hash(LEAVES[:7]), [])
    assert not merkle.is_consistent(0, 7, bytes(32), tree_hash(LEAVES[:7]), [])


def test_a_place_outside_the_tree_is_refused() -> None:
    for index, size in ((-1, 3), (3, 3), (0, 0)):
        with pytest.raises(ValueError, match="no leaf"):
            merkle.inclusion(index, size, NODE)
        with pytest.raises(ValueError, match="no leaf"):
            root_by_inclusion(LEAVES[0], index, size, [])
    with pytest.raises(ValueError, match="does not begin"):
        merkle.consistency(4, 3, NODE)


def test_a_growing_tree_tells_every_tile_it_completes() -> None:
    leaves = [leaf_hash(str(number).encode()) for number in range(3 * 256 + 5)]
    frontier = merkle.Frontier()
    for leaf in leaves:
        frontier.append(leaf)

    assert frontier.tiles == [
        (1, number, tree_hash(leaves[number * 256 : (number + 1) * 256])) for number in range(3)
    ]
    assert frontier.root() == tree_hash(leaves)
