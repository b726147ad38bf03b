"""A log's tree is that of its events' hashes; checkpoints sign it, keys follow one another, proofs
lead to them.
"""

import threading

import pytest
from django.db import DatabaseError, connection, transaction

from ledger import checkpoints, merkle, notes, signing, tree
from ledger.last_signed import Inconsistent
from ledger.models import Checkpoint, Cosignature, Event, Log, SigningKey, Tile
from ledger.notes import BadNote
from ledger.signing import KeyIsAway
from tests.ledger.signing import Pocket
from tests.ledger.trees import audit_path, consistency_proof, root_by_inclusion, tree_hash
from tests.ledger.writing import filled, run
from tests.tournament.helpers.tables import unguard

POCKET = Pocket()


def leaves(log: Log) -> list[bytes]:
    return [
        bytes.fromhex(each)
        for each in Event.objects.filter(log=log)
        .order_by("position")
        .values_list("hash", flat=True)
    ]


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles over four leaves, so that a short log has tiles over tiles over tiles."""
    for module in ("ledger.tree", "ledger.merkle"):
        monkeypatch.setattr(f"{module}.TILE_LEVELS", 2)
        monkeypatch.setattr(f"{module}.TILE", 4)


@pytest.mark.parametrize("grown", [0, 30, 90])
def test_the_tree_of_a_log_is_that_of_its_events_hashes_however_many_tiles_are_stored(
    log: int, narrow: None, grown: int
) -> None:
    place = filled(log, 90)
    tree.grow(log, grown)
    found, node = leaves(place), tree.nodes_of(log)

    for size in range(91):
        assert merkle.root(size, node) == tree_hash(found[:size])
    assert all(merkle.inclusion(index, 90, node) == audit_path(index, found) for index in range(90))
    assert all(
        merkle.consistency(old, 90, node) == consistency_proof(old, found) for old in range(1, 91)
    )


def test_the_tiles_of_a_log_are_those_a_growing_tree_completes(log: int, narrow: None) -> None:
    place = filled(log, 90)
    for size in (3, 17, 18, 90, 90):
        tree.grow(log, size)
    frontier = merkle.Frontier()
    for leaf in leaves(place):
        frontier.append(leaf)

    stored = set(Tile.objects.filter(log=log).values_list("level", "number", "hash"))
    assert stored == {(level, number, found.hex()) for level, number, found in frontier.tiles}
    assert {level for level, _, _ in stored} == {1, 2, 3}


def test_tiles_are_over_256_events(log: int) -> None:
    found = leaves(filled(log, 600))
    tree.grow(log, 600)

    assert [tile.hash for tile in Tile.objects.order_by("number")] == [
        tree_hash(found[:256]).hex(),
        tree_hash(found[256:512]).hex(),
    ]
    assert merkle.root(600, tree.nodes_of(log)) == tree_hash(found)


def test_a_checkpoint_signs_the_root_over_all_events(log: int) -> None:
    place = filled(log, 7)
    signed = checkpoints.make(place, POCKET, now=5_000_000)
    assert signed is not None

    note = notes.read_note(signed.note)
    said = notes.read_checkpoint(note.text)
    (key,) = signing.keys_of(log)
    assert (said.origin, said.size, said.root) == (
        f"accord/{place.key}",
        7,
        tree_hash(leaves(place)),
    )
    assert (signed.size, signed.root, signed.key) == (7, said.root.hex(), 1)
    assert notes.is_signed(note, key.verifier)
    assert (key.number, key.after) == (1, 0)


def test_an_empty_log_has_no_checkpoint_and_one_that_did_not_move_keeps_its_own(log: int) -> None:
    assert checkpoints.make(Log.objects.get(pk=log), POCKET, now=1) is None
    assert SigningKey.objects.count() == 0

    place = filled(log, 3)
    assert checkpoints.make(place, POCKET, now=1) == checkpoints.make(place, POCKET, now=2)
    assert Checkpoint.objects.count() == 1


def test_a_log_that_does_not_hold_what_was_signed_is_not_signed_again(log: int) -> None:
    place = filled(log, 5)
    checkpoints.make(place, POCKET, now=1)
    unguard()
    run("UPDATE ledger_event SET hash = %s WHERE position = 2", ["ab" * 32])
    filled(log, 1)

    with pytest.raises(Inconsistent):
        checkpoints.make(place, POCKET, now=2)
    assert Checkpoint.objects.count() == 1


def test_a_log_with_a_gap_is_not_signed(log: int) -> None:
    place = filled(log, 5)
    unguard()
    run("DELETE FROM ledger_event WHERE position = 2")

    with pytest.raises(tree.BrokenTree):
        checkpoints.make(place, POCKET, now=2)


def test_a_new_key_is_announced_by_the_one_before_it_and_signs_what_comes_after(log: int) -> None:
    place, pocket = filled(log, 5), Pocket("b")
    checkpoints.make(place, pocket, now=1)
    signing.renew(place, pocket, now=2_500_000)
    first, second = signing.keys_of(log)
    filled(log, 2)
    signed = checkpoints.make(place, pocket, now=3)
    assert signed is not None

    announced = notes.read_note(second.announcement)
    assert announced.text == signing.announcement(
        f"accord/{place.key}", 2, second.verifier, after=5, made_at=2_500_000
    )
    assert notes.is_signed(announced, first.verifier)
    assert notes.is_signed(announced, second.verifier)
    assert (signed.key, signed.size, second.after) == (2, 7, 5)
    assert notes.is_signed(notes.read_note(signed.note), second.verifier)
    assert not notes.is_signed(notes.read_note(signed.note), first.verifier)


def test_an_announcement_is_never_taken_for_a_checkpoint(log: int) -> None:
    place = filled(log, 1)
    signing.signer(place, Pocket("c"), now=1)
    (key,) = signing.keys_of(log)

    with pytest.raises(BadNote):
        notes.read_checkpoint(notes.read_note(key.announcement).text)


def test_without_the_private_key_nothing_is_signed_and_no_other_key_slips_in(log: int) -> None:
    place = filled(log, 5)
    checkpoints.make(place, Pocket("d"), now=1)
    filled(log, 1)

    with pytest.raises(KeyIsAway):
        checkpoints.make(place, Pocket("elsewhere"), now=2)
    with pytest.raises(KeyIsAway):
        signing.renew(place, Pocket("elsewhere"), now=2)
    assert len(signing.keys_of(log)) == 1


def test_a_lost_key_is_followed_by_one_that_only_announces_itself(log: int) -> None:
    place = filled(log, 5)
    checkpoints.make(place, Pocket("d"), now=1)
    signing.renew(place, Pocket("new"), now=2, lost=True)

    first, second = signing.keys_of(log)
    assert notes.is_signed(notes.read_note(second.announcement), second.verifier)
    assert not notes.is_signed(notes.read_note(second.announcement), first.verifier)


def test_every_event_and_every_earlier_checkpoint_leads_to_a_checkpoint(
    log: int, narrow: None
) -> None:
    place = filled(log, 21)
    checkpoints.make(place, POCKET, now=1)
    place = filled(log, 12)
    signed = checkpoints.make(place, POCKET, now=2)
    assert signed is not None

    for position in range(1, 34):
        proof = checkpoints.inclusion(log, position, 33)
        assert (
            root_by_inclusion(proof.leaf, position - 1, 33, proof.path).hex()
            == signed.root
            == proof.root.hex()
        )
    between = checkpoints.consistency(log, 21, 33)
    assert merkle.is_consistent(21, 33, between.old_root, between.new_root, between.path)
    assert [row.root for row in Checkpoint.objects.order_by("size")] == [
        between.old_root.hex(),
        between.new_root.hex(),
    ]
    first, second = (
        checkpoints.find_covering_checkpoint(log, 21),
        checkpoints.find_covering_checkpoint(log, 22),
    )
    assert (first and first.size, second and second.size) == (21, 33)
    assert checkpoints.find_covering_checkpoint(log, 34) is None


@pytest.mark.parametrize(("position", "size"), [(0, 5), (6, 6), (5, 4)])
def test_there_is_no_proof_for_an_event_outside_the_tree(
    log: int, position: int, size: int
) -> None:
    filled(log, 5)
    with pytest.raises(LookupError):
        checkpoints.inclusion(log, position, size)


@pytest.mark.parametrize(("old", "new"), [(-1, 5), (5, 4), (3, 6)])
def test_there_is_no_proof_between_trees_that_are_not_there(log: int, old: int, new: int) -> None:
    filled(log, 5)
    with pytest.raises(LookupError):
        checkpoints.consistency(log, old, new)


def test_another_salons_signature_under_a_checkpoint_is_kept_once_and_only_when_it_holds(
    log: int,
) -> None:
    place, witness = filled(log, 5), Pocket("w").new("w", frozenset())
    signed = checkpoints.make(place, POCKET, now=1)
    assert signed is not None
    text, key = (
        notes.read_note(signed.note).text,
        notes.verifier(witness, "witness.example/w").cosigner,
    )
    line = notes.cosign(text, witness, "witness.example/w", seconds=9).line

    kept = checkpoints.cosigned(signed, line, key)
    assert checkpoints.cosigned(signed, line, key) == kept
    assert notes.holds(
        notes.read_note(checkpoints.with_cosignatures(signed)).signatures[2], text, key
    )
    for wrong in (
        notes.cosign("other\n", witness, "witness.example/w", seconds=9).line,
        "\u2014 witness.example/w AAAAAAAAAAAA",
        "none",
    ):
        with pytest.raises(BadNote):
            checkpoints.cosigned(signed, wrong, key)
    assert Cosignature.objects.count() == 1


def test_an_old_checkpoint_cannot_be_put_in_again(log: int) -> None:
    place = filled(log, 5)
    signed = checkpoints.make(place, POCKET, now=1)
    assert signed is not None
    for previous, size in ((0, 5), (0, 4), (4, 5), (5, 5), (5, 6), (0, 6)):
        with pytest.raises(DatabaseError), transaction.atomic():
            Checkpoint.objects.create(
                log=place,
                previous=previous,
                size=size,
                root=signed.root,
                key=1,
                note=signed.note,
                made_at=2,
            )


def test_many_who_sign_at_once_make_one_key_and_one_checkpoint(own_log: int) -> None:
    place, pocket = filled(own_log, 300), Pocket("many")

    def sign() -> None:
        checkpoints.make(place, pocket, now=1)
        connection.close()

    threads = [threading.Thread(target=sign) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert Checkpoint.objects.count() == SigningKey.objects.count() == Tile.objects.count() == 1
