"""Confirming in the salon: each by the own link or PIN, the director's ruling, a second entry, and
the end of the period.
"""

import json
import time
from typing import Any

import pytest
from django.test import Client

from ledger.models import Event, Transfer
from ledger.verify import verify_log
from scoring.commands import EndGame, Undo
from scoring.corrections import CorrectHand, Correction, RemoveHand
from scoring.errors import RuleViolation
from scoring.games import GAMES
from tests.tournament.helpers.playing import PRECEDENCE, a_command, a_game, about, say, tap, told
from tests.tournament.helpers.salons import member, owner_of, scorer_at, seated
from tournament.accounts.seat_links import links_of, renew_seat
from tournament.models import Game, Hand, Salon, SeatLink
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.recording.confirmations import ended_at, finalise_when_due
from tournament.recording.corrections import record_correction
from tournament.recording.door import record_acts, record_sheet, start_game
from tournament.streams.correction_period import HOUR
from tournament.tasks import make_final

BIDS = {"W": 2, "N": 4, "E": 3, "S": 3}


@pytest.fixture
def game(salon: Salon) -> Game:
    """Two hands at table 4, entered by the table's scorer."""
    game = a_game(salon)
    for dealer in "SW":
        played(game, dealer)
    return game


def done(game: Game, collection: str, **value: Any) -> None:
    """One act, entered by a scorer."""
    game.refresh_from_db()
    act = PRECEDENCE.acts[collection](value, PRECEDENCE.read_rules({}))
    record_acts(
        game.salon, game.pk, [act], actor="table:4", command=a_command(), version=game.version
    )


def played(game: Game, dealer: str, tricks: tuple[int, int] = (8, 5)) -> None:
    done(game, "hands", dealer=dealer)
    seats = "NESW"["NESW".index(dealer) + 1 :] + "NESW"[: "NESW".index(dealer) + 1]
    for seat in seats:
        done(game, "bids", seat=seat, tricks=BIDS[seat])
    done(game, "totals", NS=tricks[0], EW=tricks[1])


def states(game: Game) -> dict[str, str]:
    game.refresh_from_db()
    said = game.confirmation if game.confirmation else {"hands": {}}
    return {number: hand["state"] for number, hand in said["hands"].items()}


def test_each_team_confirms_by_its_own_phone(game: Game) -> None:
    north, east = seated(game, "N"), seated(game, "E")
    assert "Asha Renn, is hand 1 right?" in told(north.get(f"/games/{game.pk}/confirmation/"))

    assert say(north, game, "confirmations", number=1).status_code == 303
    assert states(game) == {"1": "entered"}
    assert say(east, game, "confirmations", number=1).status_code == 303
    assert states(game) == {"1": "confirmed"}

    assert "Asha Renn, is hand 2 right?" in told(north.get(f"/games/{game.pk}/confirmation/"))
    assert say(north, game, "confirmations").status_code == 303
    assert say(east, game, "confirmations").status_code == 303
    assert states(game) == {"1": "confirmed", "2": "confirmed"}
    page = told(Client().get(f"/games/{game.pk}/confirmation/"))
    assert "Confirmed by Asha Renn (own phone), Ilse Marrow (own phone)." in page
    assert "Confirmed" in told(Client().get(f"/games/{game.pk}/"))


def test_confirming_moves_no_chips_and_changes_no_state_of_the_game(game: Game) -> None:
    before, chips = Game.objects.get(pk=game.pk).state, Transfer.objects.count()
    say(seated(game, "N"), game, "confirmations")
    say(seated(game, "E"), game, "disputes", number=2, reason="Six tricks")

    game.refresh_from_db()
    assert game.state == before
    assert Transfer.objects.count() == chips
    assert list(differences(game.salon, mend=False, progress=lambda done: None)) == []


def test_a_player_confirms_at_another_phone_by_the_pin_of_the_seat(
    salon: Salon, game: Game
) -> None:
    table = scorer_at(salon, "4")
    links = links_of(game, "NESW")
    assert say(table, game, "confirmations", number=1).status_code == 400
    assert say(table, game, "confirmations", number=1, seat="N", pin="x").status_code == 422
    assert states(game) == {}

    assert (
        say(table, game, "confirmations", number=1, seat="N", pin=links["N"].pin).status_code == 303
    )
    assert say(table, game, "confirmations", seat="W", pin=links["W"].pin).status_code == 303

    assert states(game) == {"1": "confirmed", "2": "entered"}
    assert (
        Event.objects.filter(type="hand.confirmed")
        .order_by("position")
        .values_list("actor", flat=True)[0]
        .startswith("seat:")
    )
    assert "Asha Renn" in told(owner_of(salon).get(f"/games/{game.pk}/history/?show=confirmations"))


def test_wrong_pins_are_counted(salon: Salon, game: Game) -> None:
    table = scorer_at(salon, "4")
    wrong = f"{(int(links_of(game, 'N')['N'].pin) + 1) % 10_000:04}"
    for _try in range(12):
        say(table, game, "confirmations", number=1, seat="N", pin=wrong)

    answer = say(table, game, "confirmations", number=1, seat="N", pin=links_of(game, "N")["N"].pin)

    assert answer.status_code == 422
    assert "Too many wrong tries" in told(answer)


def test_a_stolen_link_can_do_no_more_than_confirm_or_dispute_for_that_seat_at_that_game(
    salon: Salon, game: Game
) -> None:
    other = a_game(salon, table="5")
    played(other, "S")
    thief = seated(game, "N")
    before = Event.objects.count()

    for collection in ("confirmations", "disputes"):
        assert say(thief, other, collection, number=1, reason="x").status_code == 403
        assert (
            say(
                thief,
                other,
                collection,
                number=1,
                reason="x",
                seat="E",
                pin=links_of(other, "E")["E"].pin,
            ).status_code
            == 403
        )
    for collection in ("dispute-rulings", "finals"):
        assert say(thief, game, collection, number=1, reason="x").status_code == 403
    assert thief.get("/tables/4/").status_code == 403
    assert thief.post("/tables/4/hands/", {}).status_code == 403
    assert thief.get("/tables/4/seats/").status_code == 403
    assert thief.get(f"/games/{game.pk}/hands/1/second-entry/").status_code == 403
    assert thief.get("/history/").status_code == 403
    assert thief.get("/ledger/").status_code == 403
    assert Event.objects.count() == before
    assert say(thief, game, "confirmations", number=1, seat="E").status_code == 303
    assert json.loads(Event.objects.get(type="hand.confirmed").body) == {
        "hand": 1,
        "how": "own_phone",
        "pin": False,
        "seat": "N",
    }

    renew_seat(SeatLink.objects.get(game=game.pk, seat="N"))
    assert say(thief, game, "confirmations", number=2).status_code == 403


def test_nobody_without_a_link_says_anything(game: Game) -> None:
    assert say(Client(), game, "confirmations", number=1).status_code == 403
    assert "Confirm hand" not in Client().get(f"/games/{game.pk}/confirmation/").text


def test_a_dispute_waits_for_the_director_who_rules(
    salon: Salon, owner: Client, game: Game
) -> None:
    east = seated(game, "E")
    assert say(east, game, "disputes", number=1).status_code == 400
    assert say(east, game, "disputes", number=1, reason="We took six").status_code == 303
    assert states(game) == {"1": "disputed"}
    assert (
        f"/games/{game.pk}/corrections/hand/?hand=1"
        in owner.get(f"/games/{game.pk}/confirmation/").content.decode()
    )
    home = told(owner.get("/"))
    assert "Hand 1 is disputed" in home
    assert "We took six" in home
    assert say(seated(game, "N"), game, "confirmations", number=1).status_code == 422

    assert (
        say(
            scorer_at(salon, "4"), game, "dispute-rulings", number=1, reason="counted again"
        ).status_code
        == 403
    )
    assert (
        say(owner, game, "dispute-rulings", number=1, reason="Counted again together.").status_code
        == 303
    )

    assert states(game) == {"1": "ruled"}
    page = told(Client().get(f"/games/{game.pk}/confirmation/"))
    assert "Ilse Marrow disputes it: “We took six”" in page
    assert "The director ruled that it stands: “Counted again together.” Mara Ilves" in page
    assert "Hand 1 is disputed" not in told(owner.get("/"))


def test_a_correction_takes_its_own_hands_confirmation_and_no_other(
    owner: Client, game: Game
) -> None:
    for seat in "NE":
        say(seated(game, seat), game, "confirmations")
    assert states(game) == {"1": "confirmed", "2": "confirmed"}

    sheet = PRECEDENCE.read_sheet(
        {"dealer": "S", "bids": BIDS, "tricks": {"NS": 7, "EW": 6}}, PRECEDENCE.read_rules({})
    )
    game.refresh_from_db()
    wrong = Correction(change=CorrectHand(hand=1, sheet=sheet), by="Elder", reason="seen later")
    record_correction(
        game.salon, game.pk, wrong, actor="user:1", command=a_command(), version=game.version
    )

    assert states(game) == {"2": "confirmed"}
    game.refresh_from_db()
    twice = Correction(
        change=RemoveHand(hand=1),
        by="Elder",
        reason="twice",
        excused=((1, ("bad_dealer", "bad_trump")),),
    )
    record_correction(
        game.salon, game.pk, twice, actor="user:1", command=a_command(), version=game.version
    )
    assert states(game) == {"1": "confirmed"}
    assert list(audit(game.salon)) == []
    assert list(verify_log(game.salon.log_id)) == []


def test_an_undo_ends_when_somebody_confirms(owner: Client, game: Game) -> None:
    assert "Undo the totals" in told(owner.get("/tables/4/"))
    undo = Game.objects.get(pk=game.pk).state["undo"]["version"]
    say(seated(game, "N"), game, "confirmations", number=2)

    assert "Undo the totals" not in told(owner.get("/tables/4/"))
    game.refresh_from_db()
    with pytest.raises(RuleViolation, match="hand 2 has been confirmed"):
        record_acts(
            game.salon,
            game.pk,
            [Undo(version=undo)],
            actor="user:1",
            command=a_command(),
            version=game.version,
        )


def test_a_disputed_hand_may_still_be_taken_back_and_its_dispute_goes_with_it(
    owner: Client, game: Game
) -> None:
    say(seated(game, "E"), game, "disputes", number=2, reason="No")
    assert (
        tap(
            owner,
            "retractions",
            **{"version:number": str(Game.objects.get(pk=game.pk).state["undo"]["version"])},
        ).status_code
        == 303
    )

    assert states(game) == {}
    done(game, "totals", NS=7, EW=6)
    assert states(game) == {}
    assert list(audit(game.salon)) == []


def test_a_hand_that_a_player_entered_at_the_tables_phone_waits_for_the_other_team(
    salon: Salon,
) -> None:
    game = a_game(salon)
    link = links_of(game, "N")["N"]
    table = scorer_at(salon, "4")
    table.post(f"/c/{link.token}/", {"pin": link.pin})
    tap(table, "hands", dealer="S")
    for seat in "WNES":
        tap(table, "bids", seat=seat, **{"tricks:number": "2"})
    tap(table, "totals", **{"NS:number": "7", "EW:number": "6"})

    said = Game.objects.get(pk=game.pk).confirmation["hands"]["1"]
    assert said["entered_by"] == "N"
    assert said["waits_for"] == ["EW"]
    assert say(table, game, "confirmations", number=1).status_code == 422
    assert say(seated(game, "W"), game, "confirmations", number=1).status_code == 303
    assert states(game) == {"1": "confirmed"}


def second(client: Client, game: Game, *, tricks: tuple[int, int] = (8, 5)) -> Any:
    page = client.get(f"/games/{game.pk}/hands/1/second-entry/")
    assert page.status_code == 200
    typed = {f"bids.{seat}:number": str(count) for seat, count in BIDS.items()} | {"dealer": "S"}
    form = (
        about(page)
        | typed
        | {"tricks.NS:number": str(tricks[0]), "tricks.EW:number": str(tricks[1])}
    )
    return client.post(f"/games/{game.pk}/hands/1/second-entry/", form)


def test_a_second_entry_that_says_the_same_confirms(owner: Client, game: Game) -> None:
    chips = Transfer.objects.count()
    assert second(owner, game).status_code == 303

    assert states(game) == {"1": "confirmed"}
    assert Transfer.objects.count() == chips
    assert "did not see the first, and both say the same" in told(
        owner.get(f"/games/{game.pk}/confirmation/")
    )
    assert owner.get(f"/games/{game.pk}/hands/1/second-entry/").status_code == 404


def test_a_second_entry_that_differs_goes_side_by_side_to_the_director(
    salon: Salon, owner: Client, game: Game
) -> None:
    assert second(owner, game, tricks=(7, 6)).status_code == 303

    assert states(game) == {"1": "disputed"}
    page = told(owner.get(f"/games/{game.pk}/confirmation/"))
    assert "differs North–South 8 , East–West 5 North–South 7 , East–West 6" in page
    assert "Bids" not in page[page.index("entered twice") :]
    assert "It was entered twice, and not the same." in told(owner.get("/"))
    assert "differs NS" not in told(seated(game, "N").get(f"/games/{game.pk}/confirmation/"))
    assert (
        say(
            owner, game, "dispute-rulings", number=1, reason="The cards were still there."
        ).status_code
        == 303
    )
    assert states(game) == {"1": "ruled"}


def test_a_second_entry_is_made_by_somebody_else_and_shows_nothing_of_the_first(
    salon: Salon,
) -> None:
    game = a_game(salon)
    table = scorer_at(salon, "4")
    tap(table, "hands", dealer="S")
    for seat in "WNES":
        tap(table, "bids", seat=seat, **{"tricks:number": "2"})
    tap(table, "totals", **{"NS:number": "7", "EW:number": "6"})

    address = f"/games/{game.pk}/hands/1/second-entry/"
    assert table.get(address).status_code == 403
    own, others = (each.get(f"/games/{game.pk}/confirmation/") for each in (table, owner_of(salon)))
    assert address not in own.text
    assert "somebody else can enter it a second time" in own.text
    assert address in others.text
    page = owner_of(salon).get(address).text
    assert 'value="2"' not in page
    assert 'value="7"' not in page


def test_a_director_makes_a_game_final_and_then_only_a_correction_changes_it(
    owner: Client, game: Game
) -> None:
    assert say(owner, game, "finals", reason="early").status_code == 422
    game.refresh_from_db()
    end = EndGame(kind="called", by="Elder", reason="late")
    record_acts(
        game.salon, game.pk, [end], actor="user:1", command=a_command(), version=game.version
    )
    assert "2 hands are not confirmed" in told(owner.get("/"))
    assert say(owner, game, "finals", reason="Nobody objects.").status_code == 303

    assert Game.objects.get(pk=game.pk).confirmation["state"] == "final"
    assert "Undo" not in told(owner.get("/tables/4/"))
    assert say(seated(game, "N"), game, "confirmations", number=1).status_code == 422
    assert "not confirmed" not in told(owner.get("/"))
    assert "The game is final" in told(owner.get(f"/games/{game.pk}/history/"))


def test_a_game_becomes_final_when_its_correction_period_has_passed_and_nobody_disputes(
    salon: Salon, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(seated(game, "E"), game, "disputes", number=1, reason="No")
    game.refresh_from_db()
    end = EndGame(kind="called", by="Elder", reason="late")
    record_acts(
        game.salon, game.pk, [end], actor="user:1", command=a_command(), version=game.version
    )
    game.refresh_from_db()
    later = (ended_at(game) or 0) + 24 * HOUR

    assert finalise_when_due(salon, now=later - 1) == 0
    assert finalise_when_due(salon, now=later) == 0
    say(owner_of(salon), game, "dispute-rulings", number=1, reason="It stands.")
    game.refresh_from_db()
    later = (ended_at(game) or 0) + 24 * HOUR
    assert finalise_when_due(salon, now=later - 1) == 0
    monkeypatch.setattr(time, "time_ns", lambda: 1000 * later)
    assert finalise_when_due(salon) == 1
    assert finalise_when_due(salon) == 0
    make_final()

    assert Game.objects.get(pk=game.pk).confirmation["final"] is True
    assert list(audit(salon)) == []


@pytest.mark.parametrize(("kind", "seats"), [("preference", "ABC"), ("contract_sabacc", "ABC")])
def test_every_other_player_confirms_where_everybody_plays_alone(
    salon: Salon, kind: str, seats: str
) -> None:
    players = dict(zip(seats, ("Asha Renn", "Ilse Marrow", "Cato Liss"), strict=True))
    game = start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind=kind,
        players=players,
        options={},
        table="4",
    )
    sheet = (
        {"dealer": "A", "soloist": None, "contract": None}
        if kind == "preference"
        else {"dealer": "A", "declarer": None, "contract": None}
    )
    acts = GAMES[kind].read_sheet(sheet, GAMES[kind].read_rules({}))
    record_sheet(salon, game.pk, acts, actor="user:1", command=a_command(), version=game.version)
    assert Hand.objects.filter(game=game).count() == 1
    for seat in "AB":
        say(seated(game, seat), game, "confirmations")
        assert states(game) == {"1": "entered"}
    say(seated(game, "C"), game, "confirmations")
    assert states(game) == {"1": "confirmed"}


def test_the_slips_of_the_seats_are_shown_to_a_director(
    salon: Salon, owner: Client, game: Game
) -> None:
    page = told(owner.get("/tables/4/seats/"))
    link = links_of(game, "N")["N"]
    assert "Asha Renn North" in page
    assert link.pin in page
    assert scorer_at(salon, "5").get("/tables/4/seats/").status_code == 403
    owner.post("/tables/4/seats/", {"seat": "N"})
    link.refresh_from_db()
    assert link.pin not in page or link.token not in page
    assert Client().get("/c/nothing/").status_code == 404
    assert Client().post(f"/c/{link.token}/", {"pin": "x"}).status_code == 422


def pins_on(page: str, game: Game) -> set[str]:
    """The seats whose link and PIN stand on a page."""
    return {
        seat
        for seat, link in links_of(game, "NESW").items()
        if link.token in page or f">{link.pin}<" in page
    }


@pytest.mark.parametrize("role", ["the table's phone", "scorer"])
def test_whoever_records_sees_a_pin_once_when_it_is_made(
    salon: Salon, game: Game, role: str
) -> None:
    client = scorer_at(salon, "4") if role == "the table's phone" else member(salon, role)
    assert pins_on(client.get("/tables/4/seats/").text, game) == set()
    north, east = seated(game, "N"), seated(game, "E")

    made = client.post("/tables/4/seats/", {"seat": "N"})

    assert pins_on(made.text, game) == {"N"}
    assert pins_on(client.get("/tables/4/seats/").text, game) == set()
    assert (
        say(north, game, "confirmations", number=1).status_code == 403
    )  # who was spoken for notices
    assert say(east, game, "confirmations", number=1).status_code == 303
    assert pins_on(client.post("/tables/4/seats/", {"seat": "X"}).text, game) == set()


@pytest.mark.parametrize("by", ["page", "api"])
def test_links_that_a_table_makes_for_both_sides_are_told_and_say_so(
    salon: Salon, owner: Client, game: Game, by: str
) -> None:
    """Opened in browsers of its own, as if they were the players' phones."""
    table = scorer_at(salon, "4")
    for seat in "NE":
        if by == "page":
            table.post("/tables/4/seats/", {"seat": seat})
        else:
            made = table.post(
                f"/api/v1/salons/{salon.slug}/games/{game.pk}/seats/{seat}/link/",
                content_type="application/json",
                headers={"Idempotency-Key": a_command()},
            )
            assert made.status_code in (200, 201), made.content
        assert say(seated(game, seat), game, "confirmations", number=1).status_code == 303

    game.refresh_from_db()
    assert [each["how"] for each in game.confirmation["hands"]["1"]["confirmed_how"]] == [
        "link_made_at_table"
    ] * 2
    page = told(Client().get(f"/games/{game.pk}/confirmation/"))
    assert "Asha Renn (link made at the table), Ilse Marrow (link made at the table)" in page
    history = told(owner.get(f"/games/{game.pk}/history/?show=confirmations"))
    assert history.count("were made at the table : on the table's phone") == 2
    assert history.count("link made at the table") == 2
    assert list(audit(salon)) == []
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []


@pytest.mark.parametrize("by", ["page", "api"])
def test_a_link_that_a_player_confirmed_by_is_renewed_by_a_director_alone(
    salon: Salon, owner: Client, game: Game, by: str
) -> None:
    north = seated(game, "N")
    assert say(north, game, "confirmations", number=1).status_code == 303
    address = f"/api/v1/salons/{salon.slug}/games/{game.pk}/seats/N/link/"

    def renew(client: Client) -> Any:
        if by == "page":
            return client.post("/tables/4/seats/", {"seat": "N"})
        return client.post(
            address, content_type="application/json", headers={"Idempotency-Key": a_command()}
        )

    for client in (scorer_at(salon, "4"), member(salon, "scorer")):
        refused = renew(client)
        assert refused.status_code == 422
        assert "only a director makes another one" in refused.text
        assert pins_on(refused.text, game) == set()
    assert say(north, game, "confirmations", number=2).status_code == 303
    assert renew(owner).status_code in (200, 201, 302)
    assert say(north, game, "disputes", number=2, reason="Six").status_code == 403
    assert "The director made another link and PIN for" in told(
        owner.get(f"/games/{game.pk}/history/?show=confirmations")
    )


@pytest.mark.parametrize("seats", ["NE", "WS"])
def test_what_the_tables_phone_says_for_a_seat_is_never_told_as_the_players_own_phone(
    salon: Salon, game: Game, seats: str
) -> None:
    """By the PIN typed there, and by the link of the seat opened there."""
    table = scorer_at(salon, "4")
    for seat in seats:
        table.post("/tables/4/seats/", {"seat": seat})
        link = links_of(game, seat)[seat]
        if seats == "NE":
            table.post(f"/c/{link.token}/", {"pin": link.pin})
            said = say(table, game, "confirmations", number=1)
        else:
            said = say(table, game, "confirmations", number=1, seat=seat, pin=link.pin)
        assert said.status_code == 303

    bodies = [
        json.loads(each)
        for each in Event.objects.filter(type="hand.confirmed").values_list("body", flat=True)
    ]
    assert [(body["how"], body["pin"]) for body in bodies] == [("table_phone", True)] * 2
    owner = owner_of(salon)
    assert (
        told(Client().get(f"/games/{game.pk}/confirmation/")).count("(PIN on the table's phone)")
        == 2
    )
    assert (
        told(owner.get(f"/games/{game.pk}/history/?show=confirmations")).count(
            "PIN on the table's phone"
        )
        == 2
    )


def test_a_dispute_shows_on_the_pad_is_acknowledged_and_opens_at_its_hand(
    owner: Client, game: Game
) -> None:
    east = seated(game, "E")
    before = owner.get("/tables/4/").content.decode()
    assert "is disputed" not in before

    say(east, game, "disputes", number=1, reason="We took six")

    place = f"/games/{game.pk}/confirmation/#hand-1"
    assert "hand 1 is disputed" in told(east.get(f"/games/{game.pk}/confirmation/"))
    pad = owner.get("/tables/4/").content.decode()
    assert f'href="{place}"' in pad
    assert "Hand 1 is disputed" in pad
    assert f'href="{place}"' in owner.get("/").content.decode()


def test_a_confirmed_hand_is_said_to_be_confirmed(game: Game) -> None:
    east = seated(game, "E")

    say(east, game, "confirmations", number=1)

    assert "Hand 1 confirmed" in told(east.get(f"/games/{game.pk}/confirmation/"))
