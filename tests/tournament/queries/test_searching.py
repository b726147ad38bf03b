"""Whatever of the history is asked for: its pages together are all acts that it is true of, each
once, however little one search reads.
"""

from typing import Any

import pytest

from ledger.models import Event
from tests.benchmarks.long_salons import fill
from tests.tournament.helpers.tables import a_salon, everything, recorded
from tournament.models import Game, Salon
from tournament.queries.event_search import FoundEvent
from tournament.queries.history import KINDS, HistoryFilter, _search, acts_of
from tournament.streams.acts import every_act, moments_of

NOTHING: dict[str, Any] = {
    "kind": "",
    "actor": "",
    "table": "",
    "player": "",
    "since": None,
    "until": None,
    "before": None,
}


@pytest.fixture
def salon(db: None, monkeypatch: pytest.MonkeyPatch) -> Salon:
    """A salon with games of tonight, and one that was written down later and played at
    other times.
    """
    for name, most in (
        ("event_search.LOOKED_AT", 60),
        ("event_search.FIRST_PORTION", 7),
        ("history.ENTRIES_OF_A_PAGE", 90),
    ):
        monkeypatch.setattr(f"tournament.queries.{name}", most)
    salon = a_salon("long")
    fill(salon, 1_200, hands=1)
    recorded(salon, everything())
    recorded(salon, everything() | {"id": "again", "table": "3"})
    return salon


def questions(salon: Salon) -> list[dict[str, Any]]:
    """What may be asked: each kind, actor, table, player and time, and some of them together."""
    times = sorted(Event.objects.filter(log=salon.log_id).values_list("occurred_at", flat=True))
    middle, late = times[len(times) // 2], times[-len(times) // 10]
    (seats,) = Game.objects.filter(salon=salon, record="again").values_list("seats", flat=True)
    player = next(iter(seats.values()))
    return [
        *({"kind": kind} for kind in KINDS),
        {"actor": "user:1"},
        {"actor": "test", "kind": "scores"},
        {"actor": "user:1", "kind": "corrections"},
        {"table": "3"},
        {"table": "3", "kind": "chips"},
        {"player": player},
        {"player": player, "table": "3", "actor": "test"},
        {"until": middle},
        {"since": middle},
        {"since": middle, "until": late},
        {"until": times[0]},
        {"until": late, "kind": "confirmations"},
        {"since": late, "actor": "test"},
        {"until": times[0] - 1},
        {"actor": "nobody"},
    ]


@pytest.mark.long
def test_the_pages_of_whatever_is_asked_for_are_all_of_it_once(salon: Salon) -> None:
    told = 0
    for asked in questions(salon):
        found = pages(salon, asked)
        assert found == true_of(salon, asked), asked
        told += len(found)
    assert told > 1_500


def pages(salon: Salon, asked: dict[str, object]) -> list[int]:
    """The entries of all acts, a page after the other."""
    found: list[int] = []
    before = None
    while True:
        moments, earlier = acts_of(salon, HistoryFilter(**NOTHING | asked | {"before": before}), 5)
        found += [moment.entry.stored.position for moment in moments]
        if earlier is None:
            return found
        assert before is None or earlier < before
        before = earlier


def true_of(salon: Salon, asked: dict[str, object]) -> list[int]:
    """The same, by looking at every entry of the log."""
    search = _search(salon, HistoryFilter(**NOTHING | asked))
    columns = ("position", "stream", "version", "type", "actor", "occurred_at")
    rows = Event.objects.filter(log=salon.log_id).order_by("position").values_list(*columns)
    wanted = {found.position for found in map(FoundEvent._make, rows) if search.wants(found)}
    streams = dict.fromkeys(
        Event.objects.filter(log=salon.log_id, version=1)
        .order_by("position")
        .values_list("stream", flat=True)
    )
    acts = [moment for stream in streams for moment in moments_of(salon.log_id, stream)]
    entries = {
        act.entry.stored.position: [
            each for one in every_act([act]) for each in (one.entry, *one.chips)
        ]
        for act in acts
    }
    return sorted(
        (
            place
            for place, those in entries.items()
            if any(each.stored.position in wanted for each in those)
        ),
        reverse=True,
    )
