"""However long the log is, rebuilding, verifying and archiving it takes the same memory: a game, or
a page of events, at a time.
"""

import gc
import tracemalloc
import uuid
from collections.abc import Callable, Iterable

import pytest

from ledger.reading import read_log
from ledger.verify import verify_log
from tests.benchmarks import evening
from tests.tournament.helpers.tables import a_salon
from tournament.exchange.game_records import record_file
from tournament.exchange.salon_archive.write import archive_of
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Game, Hand, Salon
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences

HANDS = evening.sheets(2, seed=3)
# bytes: a longer log may take a little more, for what is kept of each game; its events take six
# times that
SPARE = 250_000
FEW, MANY = 3, 18  # games of some 70 events


def rebuilt(salon: Salon) -> Iterable[object]:
    """The rows made anew. They are deleted in the database alone: to delete them one by one Django
    would read them all first.
    """
    for model in (Hand, Game):
        model.objects.all()._raw_delete(model.objects.db)
    return differences(salon, mend=True, progress=lambda done: None)


READERS: dict[str, Callable[[Salon], Iterable[object]]] = {
    "rebuild": rebuilt,
    "verify": lambda salon: verify_log(salon.log_id),
    "audit": audit,
    "archive": lambda salon: archive_of(salon, load_keyring()),
}


def play(salon: Salon, games: int) -> None:
    for _ in range(games):
        record_file(salon, evening.record(HANDS, uuid.uuid4().hex), actor="user:1")


def peak(reader: Callable[[Salon], Iterable[object]], salon: Salon) -> int:
    """The most bytes that were held at once while everything was read; what is found is counted and
    let go.

    Garbage is cleared away as it arises, and before: else when that happens, and so the peak,
    depends on the tests before.
    """
    gc.collect()
    # what was there before is not looked through again: garbage is no part of what is held
    gc.freeze()
    tracemalloc.start()
    try:
        for _found in reader(salon):
            gc.collect()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()


@pytest.mark.long
def test_memory_does_not_grow_with_the_log(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ledger.reading", "ledger.verify", "ledger.verify_chips", "ledger.exporting"):
        monkeypatch.setattr(f"{module}.PAGE", 100)
    assert read_log.__kwdefaults__ is not None
    monkeypatch.setitem(read_log.__kwdefaults__, "page", 100)
    monkeypatch.setattr("tournament.projections.rebuild.EVENTS_AT_ONCE", 100)
    salon = a_salon()
    play(salon, FEW)
    for reader in READERS.values():
        peak(reader, salon)  # Whatever is made once and kept is made here.
    few = {name: peak(reader, salon) for name, reader in READERS.items()}
    play(salon, MANY - FEW)

    many = {name: peak(reader, salon) for name, reader in READERS.items()}

    assert {
        name: many[name] - few[name] for name in READERS if many[name] > few[name] + SPARE
    } == {}
