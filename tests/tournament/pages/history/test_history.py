"""The history: every act in plain words, the board as of any of them, and what the chain says."""

import re
from collections.abc import Iterator

import pytest
from django.template.loader import select_template
from django.test import Client

from ledger.models import Event
from scoring.commands import AdjustPoints, Undo
from scoring.games import GAMES
from scoring.precedence.commands import (
    CallMisdeal,
    DeclareMeld,
    MakeBid,
    OpenHand,
    PlayTrick,
    TakeTrick,
)
from tests.tournament.helpers.evenings import in_round_1
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.playing import scores
from tests.tournament.helpers.reading import entries, words
from tests.tournament.helpers.salons import opened_salon, owner_of, scorer_at
from tournament.accounts.table_links import actor_at
from tournament.models import Game, Progress, Salon, Table, Text
from tournament.projections.background import catch_up
from tournament.recording.house_rules import set_correction_hours
from tournament.streams.acts import moments_of
from tournament.streams.entries import event_name
from tournament.tasks import PROJECTIONS


@pytest.fixture
def browser(salon: Salon) -> Client:
    return owner_of(salon)


@pytest.fixture
def game(salon: Salon) -> Game:
    return game_at(salon)


def walked(browser: Client, address: str) -> Iterator[list[int]]:
    """The entries of a history, page after page by its link to the earlier ones."""
    query: str | None = ""
    while query is not None:
        page = browser.get(f"{address}{query}").text
        yield entries(page)
        found = re.search(r'href="(\?[^"]*before=\d+)">Earlier', page)
        query = found.group(1).replace("&amp;", "&") if found else None


def test_a_new_salon_says_what_will_stand_here(browser: Client) -> None:
    page = browser.get("/history/").text

    assert "Nothing has been recorded yet" in page
    assert "All 0 lines follow" in words(page)


def test_an_act_is_told_with_its_chips_who_entered_it_and_its_place(
    browser: Client, salon: Salon, game: Game
) -> None:
    owner = f"user:{salon.membership_set.get().user_id}"
    record(
        game,
        OpenHand(dealer="N"),
        MakeBid(seat="E", tricks=3),
        actor=owner,
        at="2026-10-31T19:41:50+00:00",
    )

    page = words(browser.get("/history/").text)

    assert (
        "East bids 3 East pays 3 chips to the Hand Pot P12 Mara Ilves , 31 Oct 19:41:50 "
        ", line 11 , table 4, hand 1"
    ) in page
    assert (
        "Hand 1: North deals, Void is trump North, East, South and West pay 1 chip each "
        "to the Hand Pot P4"
    ) in page


def test_a_phone_is_named_by_its_table_as_long_as_its_link_holds(
    browser: Client, salon: Salon, game: Game
) -> None:
    table = Table.objects.get(salon=salon, label="4")
    record(game, OpenHand(dealer="N"), actor=actor_at(table))
    assert "Table 4's phone" in words(browser.get("/history/").text)

    table.token = "0" * 32
    table.save()

    assert "A table's phone, by an earlier link" in words(browser.get("/history/").text)


def test_every_event_of_every_game_has_its_sentence() -> None:
    for game in GAMES.values():
        for stored_type, _schema in game.shapes:
            if stored_type != "chips.moved":
                name = event_name(stored_type)
                select_template(
                    [f"{game.name}/history/events.html#{name}", f"history/events.html#{name}"]
                )


def test_cards_melds_and_winners_are_told(browser: Client, game: Game) -> None:
    meld = DeclareMeld(seat="E", kind="triad", cards=("EV", "EF", "EB"))
    bids = [MakeBid(seat=seat, tricks=1) for seat in "ESWN"]
    record(
        game,
        OpenHand(dealer="N"),
        meld,
        *bids,
        PlayTrick(cards=("EV", "2V", "TV", "4V")),
        TakeTrick(seat="S"),
    )

    page = words(browser.get(f"/games/{game.pk}/history/").text)

    assert "East shows a triad: Emperor of Void E Emperor of Frontier E Emperor of Border E" in page
    assert (
        "Trick 1, East leads: Emperor of Void E 2 of Void 2 10 of Void 10 4 of Void 4 . East wins"
        in page
    )
    assert "South wins trick 2" in page


def test_what_was_taken_back_stays_and_says_so(browser: Client, game: Game) -> None:
    record(game, OpenHand(dealer="N"), MakeBid(seat="E", tricks=3))
    record(game, Undo(version=11), MakeBid(seat="E", tricks=4))

    text = browser.get("/history/").text
    page = words(text)

    assert "East bids 4" in page
    assert "Taken back: East bids 3 The Hand Pot pays 3 chips to East P12" in page
    assert "East bids 3 Taken back East pays 3 chips" in page
    assert text.count("<del>") == 2


def test_a_closed_hand_explains_each_number_by_its_rule(browser: Client, game: Game) -> None:
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))

    page = words(browser.get("/history/").text)

    assert "Hand 1 closed: N–S +72, E–W −70" in page
    assert "N–S 72 · +70: contract of 7 made P16 · +2: 2 tricks above it, as Excess P16 P18" in page
    assert (
        "E–W −70 · −70: contract of 7 failed with 4 P17 The Hand Pot pays 9 chips each "
        "to South and North P22"
    ) in page


def test_an_audit_is_explained_where_it_happened(browser: Client, game: Game) -> None:
    record(game, *hand("N", (2, 3, 1, 0), (13, 0)))

    page = words(browser.get(f"/games/{game.pk}/history/").text)

    assert "−100: Imperial Audit at 10 Excess, 0 left P19" in page
    assert "Why hand 1 counts so" in page
    assert "After hand 1 −60" in page


def test_what_is_shown_can_be_narrowed(browser: Client, salon: Salon, game: Game) -> None:
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)), actor="user:0")
    record(game, OpenHand(dealer="E"), CallMisdeal())
    ruling = AdjustPoints(side="NS", points=-10, by="The director", reason="A card was seen.")
    other = game_at(salon, "5", actor="command-line")
    record(other, OpenHand(dealer="N"), ruling, actor="command-line")

    assert "bids" not in words(browser.get("/history/?show=scores").text)
    assert words(browser.get("/history/?show=scores").text).count("closed:") == 1
    corrections = words(browser.get("/history/?show=corrections").text)
    assert "Misdeal:" in corrections
    assert "Ruling: −10 points for North–South. “A card was seen.” The director." in corrections
    assert "Hand 1: North deals" not in corrections
    assert "Hand 1 closed" not in words(browser.get("/history/?table=5").text)
    assert "Ruling:" in words(browser.get("/history/?table=5").text)
    assert "Hand 1 closed" not in words(browser.get("/history/?by=command-line").text)
    assert "Nothing of this kind" in browser.get("/history/?table=7").text
    assert browser.get("/history/?show=rumours").status_code == 404
    assert browser.get("/history/?before=yesterday").status_code == 404


def test_words_that_were_erased_say_so(browser: Client, game: Game) -> None:
    record(
        game,
        OpenHand(dealer="N"),
        AdjustPoints(side="NS", points=-10, by="The director", reason="A card was seen."),
    )
    Text.objects.all().delete()

    assert "The reason was erased." in words(browser.get("/history/").text)


@pytest.mark.parametrize("address", ["/history/", "/games/{game}/history/"])
def test_the_pages_show_every_act_once(
    browser: Client, salon: Salon, game: Game, address: str
) -> None:
    for dealer in "NESWNESWNESW":
        record(game, *hand(dealer, (1, 1, 1, 1), (7, 6)))

    pages = list(walked(browser, address.format(game=game.pk)))

    positions = [moment.entry.stored.position for moment in moments_of(salon.log_id, game.pk)]
    assert [position for page in pages for position in page] == sorted(positions, reverse=True)
    assert len(pages) > 1


@pytest.mark.parametrize("shown", [3, pytest.param(2, marks=pytest.mark.long), 40])
@pytest.mark.parametrize("address", ["/history/?show=chips", "/games/{game}/history/?show=chips"])
def test_the_pages_of_chips_show_every_act_that_moved_some_once(
    browser: Client,
    salon: Salon,
    game: Game,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    shown: int,
) -> None:
    monkeypatch.setattr("tournament.pages.history.history.SHOWN", shown)
    monkeypatch.setattr("tournament.pages.history.game_history.SHOWN", shown)
    for dealer in "NESWNESWNESW" if shown > 20 else "NESW":
        record(game, *hand(dealer, (1, 0, 1, 0), (7, 6)))

    path, _mark, query = address.format(game=game.pk).partition("?")
    first = browser.get(f"{path}?{query}").text
    told = first[first.index("<ol") : first.index("</ol>")]
    assert "bids 1" in told
    assert "bids 0" not in told

    found, text = entries(first), first
    while earlier := re.search(r'href="\?([^"]*before=\d+)">Earlier', text):
        text = browser.get(f"{path}?{earlier.group(1).replace('&amp;', '&')}").text
        found += entries(text)
    moved = [
        moment.entry.stored.position for moment in moments_of(salon.log_id, game.pk) if moment.chips
    ]
    assert found == sorted(moved, reverse=True)


def test_the_board_is_shown_as_of_a_step(browser: Client, game: Game) -> None:
    first = record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    record(game, *hand("E", (2, 3, 2, 3), (6, 7)))

    now = browser.get(f"/games/{game.pk}/history/").text
    then = browser.get(f"/games/{game.pk}/history/?at={first}").text

    assert scores(now) == ["114", "−9"]
    assert scores(then) == ["72", "−70"]
    assert "Why hand 1 counts so" in words(then)
    assert "Why hand 2 counts so" in words(now)
    assert then.count(' class=" later"') + then.count(' class="hand later"') == 4
    assert ' later"' not in now


def test_steps_lead_first_back_forth_and_last(browser: Client, game: Game) -> None:
    record(game, OpenHand(dealer="N"), MakeBid(seat="E", tricks=3), MakeBid(seat="S", tricks=2))

    page = browser.get(f"/games/{game.pk}/history/?at=9").text

    found = re.findall(
        r'href="\?at=(\d+)" aria-label="(To the first line|One line back|One line forward|To now)"',
        page,
    )
    assert found == [
        ("5", "To the first line"),
        ("5", "One line back"),
        ("12", "One line forward"),
        ("14", "To now"),
    ]
    last = browser.get(f"/games/{game.pk}/history/").text
    assert re.findall(r'disabled aria-label="([^"]+)"', last) == ["One line forward", "To now"]


def test_a_step_that_the_game_never_had_is_not_found(browser: Client, game: Game) -> None:
    assert browser.get(f"/games/{game.pk}/history/?at={game.version}").status_code == 200
    for at in (str(game.version + 1), "0", "x", "9" * 30):
        assert browser.get(f"/games/{game.pk}/history/?at={at}").status_code == 404


def test_an_explanation_counts_what_stood_at_that_time(browser: Client, game: Game) -> None:
    closed = record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    record(game, Undo(version=closed - 3))

    then = words(browser.get(f"/games/{game.pk}/history/?at={closed}").text)
    now = words(browser.get(f"/games/{game.pk}/history/").text)

    assert (
        "From these lines: East bids 3 , South bids 3 , West bids 4 , North bids 4 , hand 1 closed"
        in then
    )
    assert "Why hand 1 counts so" not in now


def test_an_explanation_leaves_out_what_was_taken_back(browser: Client, game: Game) -> None:
    acts = hand("N", (4, 3, 3, 4), (9, 4))
    record(game, acts[0], MakeBid(seat="E", tricks=6), Undo(version=11), *acts[1:])

    page = words(browser.get(f"/games/{game.pk}/history/").text)

    assert (
        "From these lines: East bids 3 , South bids 3 , West bids 4 , North bids 4 , hand 1 closed"
        in page
    )


def test_the_hash_of_an_entry_is_shown(browser: Client, game: Game) -> None:
    page = browser.get(f"/games/{game.pk}/history/").text

    for stored in Event.objects.filter(stream=game.pk):
        assert stored.hash in page
    assert Event.objects.get(stream=game.pk, version=1).prev_hash in page


def test_how_far_the_chain_has_been_checked_is_said(
    browser: Client, salon: Salon, game: Game
) -> None:
    assert "0 of 5 lines of the chain have been checked so far" in words(
        browser.get("/history/").text
    )

    catch_up(salon.log, PROJECTIONS)
    assert "Chain checked All 5 lines follow from one another." in words(
        browser.get("/history/").text
    )

    Progress.objects.update(error="Event 3 is not what was recorded.", position=2)
    page = words(browser.get(f"/games/{game.pk}/history/").text)
    assert "The check of the log stopped after line 2. Event 3 is not what was recorded." in page


def test_a_scorer_may_read_it_and_nobody_another_salons(
    salon: Salon, browser: Client, game: Game
) -> None:
    elsewhere = game_at(opened_salon("Elsewhere", "oskar@example.org"))

    assert scorer_at(salon, "4").get("/history/").status_code == 200
    assert browser.get(f"/games/{elsewhere.pk}/history/").status_code == 404
    assert len(entries(owner_of(elsewhere.salon).get("/history/").text)) == 1
    for dealer in "NESWNESW":
        record(elsewhere, *hand(dealer, (1, 1, 1, 1), (7, 6)))
    assert len(entries(browser.get("/history/").text)) == 1


def test_the_salons_history_shows_tournaments_and_the_house_apart(
    browser: Client, salon: Salon, game: Game
) -> None:
    cup = in_round_1(salon)
    set_correction_hours(
        salon, 48, reason="League night", actor="user:1", command="b" * 32, version=0
    )

    events, house, everything = (
        words(browser.get(f"/history/?show={kind}").text) for kind in ("tournaments", "house", "")
    )

    assert "Round 1 is published" in events
    assert "Correction period" not in events
    assert "48 hours" in house
    assert "Round 1 is published" not in house
    assert "Round 1 is published" in everything
    assert "48 hours" in everything
    assert "show=tournaments" not in browser.get(f"/games/{game.pk}/history/").text
    assert f"/tournaments/{cup.pk}/history/?at=" in browser.get("/history/?show=tournaments").text
