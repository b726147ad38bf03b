"""No page, no address of the API and no job asks more of the database because the log is longer: it
never reads the whole of it.
"""

import uuid
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.db.models import Max
from django.test import Client
from django.urls import get_resolver

from ledger.models import Account
from ledger.reading import events_in
from scoring.precedence.commands import MakeBid, OpenHand
from tests.benchmarks.long_salons import fill, lengthened, with_owner
from tests.tournament.helpers.played import game_at, record
from tests.tournament.helpers.reading import body
from tests.tournament.helpers.sweeping import OTHERS, PARAMETER, routes
from tests.tournament.helpers.tables import a_salon
from tests.tournament.helpers.whole_log import Work, analyzed, worked
from tournament.models import Game, Player, Salon, Tournament, TournamentGame
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.recording.confirmations import finalise_when_due
from tournament.streams import game_results
from tournament.streams.folds import MEMORY
from tournament.tasks import PROJECTIONS

SHORT, LONG = 3_000, 20_000  # entries
TIMES, SPARE = 1.5, 1_500  # steps, or rows looked at: a page may show other games than it did

# What reads everything because that is what it is for, by the beginning of its address below the
# salon.
WHOLE = {
    "archive/": "the whole salon as a file",
    "settings/salon.jsonl": "the whole salon as a file",
    "log/": "the whole log as a file",
    "audit/log.jsonl": "the whole log as a file",
}
# What looks at a short row of each game or account, so many steps a row, and at nothing of each
# entry.
STEPS_A_ROW = 25
ADDED_UP = {
    "ledger/": "the books: every account is added up, so that anybody sees whether they balance",
    "players/": "what was computed about a player is found by a short row a game",
}
# How much a page may be filled with, so that the short log fills it too.
PAGES = {
    "tournament.queries.event_search.LOOKED_AT": 100,
    "tournament.queries.history.ENTRIES_OF_A_PAGE": 200,
    "tournament.pages.salon.home.LATEST": 15,
    "tournament.queries.recorded_results.LATEST_GAMES": 15,
}
PAGES_OF_HISTORY = (
    *(
        {"show": kind}
        for kind in (
            "scores",
            "chips",
            "corrections",
            "rulings",
            "confirmations",
            "games",
            "tournaments",
            "house",
        )
    ),
    {"by": "table:3.copies"},
    {"by": "nobody"},
    {"by": "nobody", "show": "scores"},
    {"by": "user:1", "show": "corrections"},
    {"until": "2001-01-01T00:00"},
    {"until": "2001-01-01T00:00", "show": "chips", "by": "user:1"},
    {"since": "2200-01-01T00:00"},
    {"since": "2200-01-01T00:00", "show": "confirmations"},
    {"table": "4"},
    {"table": "nowhere"},
    {"player": "{player}"},
    {"player": "nobody", "show": "rulings"},
    {"before": "900"},
)
MOMENTS = ({"as_of": "700"}, {"as_of": "23:59", "clock": "played"}, {"as_of": "23:59"})
# What an address is asked besides nothing, by the end of its route.
ASKED: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "history/": PAGES_OF_HISTORY,
    "<str:tournament>/history/": MOMENTS,
    "<str:tournament>/comparison/": ({"one": "300", "two": "700"},),
    "<str:tournament>/as-of/": ({"as_of": "700"},),
    "players/<str:player>/": ({"before": "900"}, {"as_of": "23:59"}, {"as_of": "900"}),
    "events/": ({"after": "900"},),
    "games/": ({"player": "{player}"}, {"table": "4", "limit": "3"}, {"finished": "false"}),
}


@pytest.fixture
def salon(db: None) -> Salon:
    salon = a_salon("long")
    fill(salon, SHORT, hands=1)
    return salon


@pytest.mark.long
def test_no_address_asks_more_of_the_database_because_the_log_is_longer(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, most in PAGES.items():
        monkeypatch.setattr(name, most)
    asked = list(addresses(salon))
    short = looked(salon, asked)
    lengthened(salon, LONG, crowd=2)

    long = looked(salon, asked)

    grown = [
        told(address, short[address], long[address])
        for address in asked
        if is_more(short[address], long[address], address)
    ]
    assert len(asked) > 250
    assert grown == [], "\n".join(grown)


def test_neither_a_bid_nor_the_jobs_after_it_ask_more_because_the_log_is_longer(
    salon: Salon,
) -> None:
    acts: dict[str, Callable[[], object]] = {
        "game": lambda: game_at(salon, uuid.uuid4().hex[:8]),
        "bid": lambda: record(last_game(salon), OpenHand(dealer="N"), MakeBid(seat="E", tricks=3)),
        "jobs": lambda: catch_up(salon.log, PROJECTIONS),
        "final": lambda: finalise_when_due(salon),
    }
    analyzed()
    short = {name: worked_for(act) for name, act in acts.items()}
    lengthened(salon, LONG, crowd=2)

    analyzed()
    long = {name: worked_for(act) for name, act in acts.items()}

    grown = [
        told(name, short[name], long[name])
        for name in acts
        if is_more(short[name], long[name], name)
    ]
    assert grown == [], "\n".join(grown)


def test_the_long_logs_are_as_salons_have_them(salon: Salon) -> None:
    assert list(audit(salon)) == []


def test_the_streams_of_a_tournament_are_found_by_their_streams(salon: Salon) -> None:
    games = list(
        Game.objects.filter(salon=salon)
        .order_by("started_position")
        .values_list("pk", flat=True)[:20]
    )
    plan = events_in(salon.log_id, games).values("stream").annotate(Max("version")).explain()

    assert "stream" in plan
    assert "(log_id=?" not in plan
    assert "Index Cond: (log_id" not in plan


def last_game(salon: Salon) -> Game:
    return Game.objects.filter(salon=salon).order_by("-started_position")[0]


def worked_for(act: Callable[[], object]) -> Work:
    forget()
    with worked() as work:
        act()
    return work


def looked(salon: Salon, asked: list[str]) -> dict[str, Work]:
    """What the database did for each address, nothing being remembered before it."""
    client = Client()
    client.force_login(with_owner(salon))
    analyzed()
    found = {}
    for address in asked:
        forget()
        with worked() as work:
            answer = client.get(address)
            body(answer)
        assert answer.status_code < 500, address
        found[address] = work
    return found


def forget() -> None:
    """Let nothing be remembered."""
    cache.clear()
    MEMORY._folds.clear()
    game_results.forget()


def is_more(short: Work, long: Work, address: str) -> bool:
    """Whether so much more was asked that it can only come from the length of the log."""
    below = address.partition("/salons/long/")[2] or address.removeprefix("/")
    rows = (
        Game.objects.count() + Account.objects.count() if below.startswith(tuple(ADDED_UP)) else 0
    )
    return long.total() > TIMES * short.total() + SPARE + STEPS_A_ROW * rows


def told(what: str, short: Work, long: Work) -> str:
    """What was asked, how much more, and by which query the most."""
    ((sql, more),) = (long - short).most_common(1)
    return f"{what}: {short.total()}, then {long.total()}; {more} by {sql[:600]}"


def addresses(salon: Salon) -> Iterator[str]:
    """Every address that can be read, the admin's lists apart, also as it is asked to narrow what
    it shows.
    """
    ids = ids_of(salon)
    for route in sorted(routes(get_resolver().url_patterns)):
        below = route.partition("salons/<slug:salon>/")[2] or route
        if "(" in route or route.startswith("admin/") or below in WHOLE:
            continue
        address = "/" + PARAMETER.sub(
            lambda found: ids.get(found[1], OTHERS.get(found[1], "1")), route
        )
        yield address
        for end, queries in ASKED.items():
            if below == end or (route.endswith(end) and end.startswith(("<", "players/"))):
                yield from (
                    f"{address}?{urlencode(query).replace('%7Bplayer%7D', ids['player'])}"
                    for query in queries
                )


def ids_of(salon: Salon) -> Mapping[str, str]:
    """What addresses name: the salon, and in it a tournament, a game that counts nowhere, and a
    player of it.
    """
    linked = TournamentGame.objects.order_by("pk").values_list("game", flat=True)
    return {
        "slug": salon.slug,
        "salon": salon.slug,
        "game": Game.objects.filter(salon=salon)
        .exclude(pk__in=linked)
        .order_by("started_position")[0]
        .pk,
        "tournament": Tournament.objects.get(salon=salon).pk,
        "player": Player.objects.filter(salon=salon, name__startswith="Guest 1.")
        .order_by("pk")[0]
        .pk,
    }
