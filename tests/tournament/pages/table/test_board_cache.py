"""Boards that look again: what is kept of an answer is what the view would answer, for everybody
and after every change, and costs one look-up.
"""

import gzip
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.commands import EndGame, Undo
from tests.conftest import OwnDatabase
from tests.tournament.helpers.evenings import does, in_round_1, start_first_table
from tests.tournament.helpers.playing import a_command, bidding, done, playing
from tests.tournament.helpers.running import PATIENCE, running
from tests.tournament.helpers.salons import member, opened_salon, owner_of, scorer_at, seated
from tournament.accounts.access import seats_of_game_or_404
from tournament.accounts.permissions import Visitor
from tournament.accounts.seat_links import renew_seat
from tournament.accounts.table_links import renew
from tournament.domain.tournament.clock import PauseClock, StartClock
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.state import MICROSECONDS
from tournament.models import Game, Membership, Player, Salon, SeatLink, Table, Tournament
from tournament.pages.table import board_cache
from tournament.privacy.erasure import erase
from tournament.queries import round_clocks
from tournament.recording.door import record_acts
from tournament.salons.preferences import change_settings, choose_public_name
from tournament.salons.public_names import Audience
from tournament.server.http.response_cache import SharedAnswers, code_of

AGAIN = {"HX-Request": "true"}
NOW = 1_700_000_000 * MICROSECONDS
ROLES = (
    "anyone", "another", "owner", "director", "scorer", "auditor", "player", "table", "other table",
    "seat", "seat at the table",
)  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing, in this process or for others, at a moment at which the clock of a round stands for
    this test.
    """
    monkeypatch.setattr(round_clocks, "time_ns", lambda: NOW * 1000)
    shared = SharedAnswers(tmp_path / "answers.sqlite3", "these processes")
    monkeypatch.setattr(board_cache, "shared_answers", lambda: shared)
    board_cache.forget()


@pytest.fixture
def game(salon: Salon) -> Game:
    """A game of a tournament, at table 4, in its second hand."""
    row = in_round_1(salon)
    game = start_first_table(salon, row)
    done(game, "hands", dealer="S")
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3), ("S", 3)):
        done(game, "bids", seat=seat, tricks=tricks)
    done(game, "totals", NS=8, EW=5)
    return done(game, "hands")


@pytest.fixture
def visitors(salon: Salon, game: Game) -> dict[str, Client]:
    """A browser of every kind."""
    player = Player.objects.get(pk=next(iter(game.seats.values())))
    both = seated(game, "E")
    table = Table.objects.get(salon=salon, label="4")
    both.post(f"/t/{table.token}/", {"pin": table.pin})
    return {
        "anyone": Client(),
        "another": Client(),
        "table": scorer_at(salon, "4"),
        "other table": scorer_at(salon, "5"),
        "seat": seated(game, "N"),
        "seat at the table": both,
        **{role: member(salon, role) for role in ("owner", "director", "scorer", "auditor")},
        "player": member(salon, "player", player),
    }


def look(client: Client, game: Game, etag: str = "", query: str = "") -> Any:
    known = {"If-None-Match": etag} if etag else {}
    return client.get(f"/games/{game.pk}/{query}", headers=AGAIN | known)


def said(answer: Any) -> tuple[int, bytes, dict[str, str]]:
    return answer.status_code, answer.content, {k.lower(): v for k, v in answer.items()}


def role_of(salon: Salon, role: str) -> Membership:
    return Membership.objects.get(salon=salon, role=role)


def changes(salon: Salon, game: Game) -> dict[str, Callable[[], object]]:
    """Whatever changes what somebody sees of a board, or whether they do."""
    row = Tournament.objects.get(salon=salon)
    player = Player.objects.get(pk=next(iter(game.seats.values())))

    def linked(which: str, **columns: object) -> Callable[[], object]:
        return lambda: Membership.objects.filter(salon=salon, role=which).update(**columns)

    def of_salon(**columns: object) -> Callable[[], object]:
        return lambda: Salon.objects.filter(pk=salon.pk).update(**columns)

    def account(**columns: object) -> Callable[[], object]:
        return lambda: User.objects.filter(membership__role="director").update(**columns)

    return {
        "nothing": lambda: None,
        "an act": lambda: done(game, "bids", seat="N", tricks=4),
        "an undo": lambda: record(game, Undo(version=game.state["undo"]["version"])),
        "the end": lambda: record(game, EndGame(kind="called", by="Mara", reason="late")),
        "silence": lambda: does(row, BeginSilence(from_round=1)),
        "a clock": lambda: does(row, StartClock(round=1, at=NOW, seconds=3000)),
        "a clock that stands": lambda: does(
            row, StartClock(round=1, at=NOW, seconds=3000), PauseClock(round=1, at=NOW)
        ),
        "an erasure": lambda: erase(player, actor="user:1"),
        "names in public": lambda: change_settings(
            salon, name=salon.name, names_shown="pseudonym", forget_players_days=0
        ),
        "a public name": lambda: choose_public_name(player, "first"),
        "the time zone": of_salon(time_zone="Asia/Tokyo"),
        "the salon's address": of_salon(slug="elsewhere"),
        "a role": linked("director", role="auditor"),
        "another role": linked("scorer", role="director"),
        "nobody of the salon": lambda: role_of(salon, "auditor").delete(),
        "no owner": lambda: role_of(salon, "owner").delete(),
        "the second step": linked("director", since=timezone.now() - timedelta(days=99)),
        "another password": account(password="another"),
        "an account that is closed": account(is_active=False),
        "the table's link": lambda: renew(Table.objects.get(salon=salon, label="4")),
        "the table's end": lambda: Table.objects.filter(label="4").update(retired=True),
        "the table's name": lambda: Table.objects.filter(label="5").update(label="55"),
        "the seat's link": renew_all,
        "sessions that end": lambda: Session.objects.update(expire_date=timezone.now()),
    }


def renew_all() -> None:
    for each in SeatLink.objects.all():
        renew_seat(each)


def record(game: Game, act: object) -> None:
    game.refresh_from_db()
    record_acts(
        game.salon, game.pk, [act], actor="user:1", command=a_command(), version=game.version
    )


CHANGES = ("an act", "silence", "an erasure", "a role", "the table's link", "sessions that end")
OTHER_CHANGES = (
    "nothing", "an undo", "the end", "a clock", "a clock that stands", "names in public",
    "a public name", "the time zone", "the salon's address", "another role", "nobody of the salon",
    "no owner", "the second step", "another password", "an account that is closed",
    "the table's end", "the table's name", "the seat's link",
)  # fmt: skip


@pytest.mark.parametrize(
    "change", [*CHANGES, *(pytest.param(each, marks=pytest.mark.long) for each in OTHER_CHANGES)]
)
def test_after_every_change_everybody_is_answered_as_if_nothing_had_been_kept(
    change: str, salon: Salon, game: Game, visitors: dict[str, Client]
) -> None:
    known = {role: look(browser, game)["ETag"] for role, browser in visitors.items()}
    for role, browser in visitors.items():  # twice: a session is known from the first look on
        assert look(browser, game, known[role]).status_code == 304
        assert look(browser, game, known[role]).status_code == 304
        look(browser, game)

    changes(salon, game)[change]()

    kept = {
        (role, etag): said(look(browser, game, etag))
        for role, browser in visitors.items()
        for etag in (known[role], "", known[role])
    }
    for (role, etag), answer in kept.items():
        board_cache.forget_bodies()
        elsewhere = said(look(visitors[role], game, etag))
        assert elsewhere[:2] == answer[:2], (role, etag)
    for (role, etag), answer in kept.items():
        board_cache.forget()
        alone = said(look(visitors[role], game, etag))
        assert answer[:2] == alone[:2], (role, etag)
        assert answer[2].get("etag") == alone[2].get("etag")


@pytest.mark.parametrize("role", ROLES)
def test_a_board_that_is_the_same_is_answered_by_one_look_up_alone(
    role: str, game: Game, visitors: dict[str, Client]
) -> None:
    browser = visitors[role]
    etag = look(browser, game)["ETag"]
    first = look(browser, game, etag)
    look(browser, game, etag)

    with CaptureQueriesContext(connection) as asked:
        again = look(browser, game, etag)

    assert (again.status_code, again.content) == (304, b"")
    assert len(asked) == 1
    guards = ("content-security-policy", "x-frame-options", "x-content-type-options", "vary")
    assert {name: again.get(name) for name in guards} == {name: first[name] for name in guards}


def test_a_board_that_changed_is_made_once_for_all_who_see_the_same(
    game: Game, visitors: dict[str, Client]
) -> None:
    for browser in visitors.values():
        look(browser, game)
        look(browser, game)
    done(game, "bids", seat="N", tricks=4)

    made = []
    for role, browser in visitors.items():
        with CaptureQueriesContext(connection) as asked:
            assert look(browser, game).status_code == 200
        if len(asked) > 1:
            made.append(role)

    # the public; who records here; who sees whole names; who may not read the history; who may
    # correct as well
    assert made == ["anyone", "table", "other table", "seat", "owner"]


def test_a_board_that_another_process_made_is_not_made_again(
    game: Game, visitors: dict[str, Client]
) -> None:
    etags = {role: look(browser, game)["ETag"] for role, browser in visitors.items()}
    for role, browser in visitors.items():
        for _ in range(2):
            look(browser, game)
        board_cache.forget_bodies()
        with CaptureQueriesContext(connection) as asked:
            fresh, same = look(browser, game), look(browser, game, etags[role])

        assert (fresh.status_code, same.status_code) == (200, 304)
        assert len(asked) == 2
        board_cache.forget()
        assert look(browser, game).content == fresh.content


def test_what_processes_share_is_found_under_all_that_it_was_made_of_alone(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite3"
    these, others = SharedAnswers(path, "these"), SharedAnswers(path, "others")
    made_of: list[tuple[object, ...]] = [
        ("a", 1), ("a", True), ("a", "1"), ("a", None), ("a", b"1"), ("a", (1,)), (("a", 1),),
        ("a", 1.0), ("a", 1, ()), ("a", ((), 1)), ("a", 1, None), ("a", 2**70), ("a" * 300, 1),
    ]  # fmt: skip
    names = [each.name_of(values) for each in (these, others) for values in made_of]
    assert None not in names
    assert len(set(names)) == len(names)
    for unknown in (object(), Audience.PUBLIC, timezone.now()):
        assert these.name_of(("a", unknown)) is None
    text = "".join(["f", "our"])  # the same, wherever it came from
    assert these.name_of((text, text)) == these.name_of(("four", "four"))

    name = these.name_of(("a", 1))
    assert name is not None
    these.put(name, b"answer", seconds=60)
    assert SharedAnswers(path, "these").get(name) == b"answer"
    these.put(name, b"answer", seconds=-1)
    assert these.get(name) is None


def test_where_the_shared_file_is_broken_every_board_is_made_as_without_it(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.sqlite3"
    broken.write_bytes(b"no database at all" * 1000)
    shared = SharedAnswers(broken, "these processes")
    monkeypatch.setattr(board_cache, "shared_answers", lambda: shared)
    for _ in range(3):
        board_cache.forget_bodies()
        assert look(Client(), game).status_code == 200


def test_other_code_is_told_from_this(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    page = tmp_path / "templates" / "board.html"
    page.write_text("one")
    before = code_of(tmp_path)
    assert code_of(tmp_path) == before

    page.write_text("another")

    assert code_of(tmp_path) != before


def test_a_kept_board_goes_out_compressed_to_who_reads_that(
    game: Game, visitors: dict[str, Client]
) -> None:
    plain = look(visitors["anyone"], game)
    for _ in range(2):  # as made, and as kept
        packed = visitors["another"].get(
            f"/games/{game.pk}/", headers=AGAIN | {"Accept-Encoding": "gzip, br"}
        )

        assert packed["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.content) == plain.content
        assert packed["Content-Length"] == str(len(packed.content))
        assert packed["ETag"] == plain["ETag"]
        assert "Accept-Encoding" in packed["Vary"]
    assert "Content-Encoding" not in plain
    assert b"csrf" not in plain.content


def test_each_hand_that_is_chosen_is_a_board_of_its_own(
    game: Game, visitors: dict[str, Client]
) -> None:
    browser = visitors["anyone"]
    for _ in range(2):
        assert "Hand 1, explained" in look(browser, game, query="?hand=1").text
        assert "Hand 1, explained" not in look(browser, game).text


def test_a_clock_that_runs_is_told_anew_each_second(
    salon: Salon, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    does(Tournament.objects.get(salon=salon), StartClock(round=1, at=NOW, seconds=3000))
    now = 1000.0
    clock = SimpleNamespace(monotonic=lambda: now, time=lambda: now)
    monkeypatch.setattr(board_cache, "time", clock)
    look(Client(), game)

    with CaptureQueriesContext(connection) as at_once:
        look(Client(), game)
        look(Client(), game)
    now += 1.5
    with CaptureQueriesContext(connection) as later:
        look(Client(), game)

    assert len(at_once) == 2
    assert len(later) > 1


def test_after_a_minute_the_view_is_asked_once_more(
    game: Game, visitors: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    clock = SimpleNamespace(monotonic=lambda: now, time=lambda: now)
    monkeypatch.setattr(board_cache, "time", clock)
    browser = visitors["anyone"]
    etag = look(browser, game)["ETag"]
    for _ in range(3):
        counts = []
        now += board_cache.SECONDS_KEPT + 1
        for _look in range(3):
            with CaptureQueriesContext(connection) as asked:
                assert look(browser, game, etag).status_code == 304
            counts.append(len(asked))

        assert counts[0] > 1
        assert counts[1:] == [1, 1]


@pytest.mark.long
def test_what_another_process_recorded_is_seen_by_the_next_look(
    own_database: OwnDatabase, tmp_path: Path
) -> None:
    game = playing(opened_salon())
    with running(tmp_path / "data", own_database.environment) as service:

        def served(etag: str) -> tuple[int, str]:
            request = urllib.request.Request(
                f"{service.url}games/{game.pk}/", headers=AGAIN | {"If-None-Match": etag}
            )
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    return answer.status, answer.headers["ETag"]
            except urllib.error.HTTPError as answer:
                return answer.code, answer.headers["ETag"]

        _status, etag = served("")
        for trick in range(5):
            for _ in range(4):
                assert served(etag) == (304, etag)
            done(game, "winners", seat="NESW"[trick % 4])

            status, now = served(etag)
            assert (status, now) == (200, f'"{game.version}p"')
            etag = now


@pytest.mark.parametrize("who", ["this connection", "another"])
def test_what_was_made_while_something_changed_is_kept_for_nobody(
    own_database: OwnDatabase, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    game, client, kept = playing(opened_salon()), Client(), list[object]()
    look(client, game)
    found_by = "tournament.pages.table.board.seats_of_game_or_404"
    monkeypatch.setattr(board_cache, "_share", lambda key, *_answer, **_time: kept.append(key))

    def act_and_leave() -> None:
        done(game, "winners", seat="E")
        connection.close()

    def find_after_another_act(visitor: Visitor, id: str) -> Game:
        monkeypatch.setattr(found_by, seats_of_game_or_404)
        if who == "another":
            with ThreadPoolExecutor(1) as pool:
                pool.submit(act_and_leave).result()
        else:
            done(game, "winners", seat="E")
        return seats_of_game_or_404(visitor, id)

    done(game, "winners", seat="N")
    monkeypatch.setattr(found_by, find_after_another_act)
    etag = look(client, game)["ETag"]

    game.refresh_from_db()
    assert etag == f'"{game.version}p"'
    assert kept == []
    assert look(client, game)["ETag"] == etag
    assert len(kept) == 1


def test_a_game_of_another_salon_is_not_there_under_this_one_s_address(salon: Salon) -> None:
    game = bidding(salon)
    other = opened_salon("Another", "other@example.org")
    browser = owner_of(salon)
    for _ in range(3):
        assert look(browser, game).status_code == 200
        path = f"/salons/{other.slug}/games/{game.pk}/"
        assert browser.get(path, headers=AGAIN).status_code == 404
