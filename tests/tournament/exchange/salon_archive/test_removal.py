"""A salon that was taken out of one server and into another is what it was, and goes on
from there.
"""

from pathlib import Path
from random import Random

import pytest

from ledger import checkpoints, merkle, notes
from ledger.verify_outside import OutsideText
from tests.conftest import OwnDatabase
from tests.tournament.exchange.salon_archive.conftest import Server
from tests.tournament.exchange.salon_archive.salons import (
    differing,
    kept,
    played_salon,
    sign,
    strangers,
)
from tests.tournament.exchange.salon_archive.taking_in import taken, written
from tests.tournament.helpers.tables import recorded, simple
from tournament.integrity.audit import audit
from tournament.models import Salon
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.tasks import PROJECTIONS

SEEDS_OF_THE_LONG_RUN = range(1, 41)


def check_removal(path: Path, another_server: Server, seed: int) -> None:
    """Whatever happened in the salon: rows, proofs and what comes of it are equal on both sides,
    and what comes later continues it.
    """
    chance, salon = Random(seed), played_salon(seed)
    first, before = sign(salon), kept(salon)
    archive = written(salon, path / f"{seed}.jsonl")
    with another_server():
        strangers(chance.randint(0, 3))
        assert taken(archive).outcome == "imported"
        there = Salon.objects.get()
        catch_up(there.log, PROJECTIONS)
        assert list(differing(before, kept(there))) == []
        assert audit(there).findings == []
        assert list(differences(there, mend=False, progress=lambda done: None)) == []
        recorded(there, simple("later"))
        second = sign(there, now=9_000_000)
        check_that_one_continues_the_other(there, first, second)
        report = audit(there, [OutsideText(name="kept", text=first)])
        assert (report.findings, report.proven) == ([], _read(first).size)
    assert list(differing(before, kept(salon))) == []


def check_that_one_continues_the_other(salon: Salon, first: str, second: str) -> None:
    old, new = _read(first), _read(second)
    proof = checkpoints.consistency(salon.log_id, old.size, new.size)
    assert old.size < new.size
    assert merkle.is_consistent(old.size, new.size, old.root, new.root, proof.path)


def _read(note: str) -> notes.Checkpoint:
    return notes.read_checkpoint(notes.read_note(note).text)


def test_a_salon_elsewhere_is_what_it_was_and_goes_on(
    own_database: OwnDatabase, another_server: Server, tmp_path: Path
) -> None:
    check_removal(tmp_path, another_server, 0)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS_OF_THE_LONG_RUN)
def test_whatever_happened_in_a_salon_it_is_the_same_elsewhere(
    own_database: OwnDatabase, another_server: Server, tmp_path: Path, seed: int
) -> None:
    check_removal(tmp_path, another_server, seed)
