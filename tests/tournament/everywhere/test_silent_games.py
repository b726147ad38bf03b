"""A game that counts in a silent round: whoever may not see how it stands sees who sits there,
whatever they ask.
"""

import uuid
from dataclasses import dataclass

import pytest
from django.core.cache import cache
from django.test import Client

from scoring.commands import AdjustPoints, EndGame
from scoring.precedence.commands import OpenHand
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.evenings import does, here, registered
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.reading import body
from tests.tournament.helpers.salons import member, opened_salon, scorer_at, seated
from tests.tournament.helpers.sweeping import every_address, says
from tests.tournament.helpers.webhooks import hook_to
from tournament.accounts.api_tokens import give_table_token
from tournament.accounts.event_links import open_link
from tournament.accounts.permissions import Permission, Role, Visitor
from tournament.accounts.seat_links import links_of
from tournament.accounts.silent_rounds import SightOf
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import (
    Delivery,
    Game,
    Hand,
    HandSide,
    Player,
    Salon,
    Table,
    Tournament,
    TournamentGame,
)
from tournament.models.games import CONTENT
from tournament.models.visibility import SilentGame, use_visibility
from tournament.projections.background import catch_up
from tournament.projections.difference import Difference
from tournament.projections.rebuild import differences
from tournament.recording import stocks
from tournament.recording.door import start_game
from tournament.recording.tournaments import start_linked_game
from tournament.tasks import PROJECTIONS

MARK, ENDED_MARK = 7_654_321, 8_765_432  # points that nothing else comes to
KNOW_NOTHING = ("anyone",)
KNOW_NOTHING_EITHER = ("other table", "player", "other seat", "narrow token", "other table's token")
QUERIES = {
    "history": (
        "?show=scores",
        "?show=corrections",
        "?table=4",
        "?table=5",
        "?as_of=23:59&clock=played",
    ),
    "events": ("?after=0&limit=200",),
    "comparison": ("?one=2&other=9",),
    "as-of": ("?as_of=23:59", "?version=9"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """A silent round of four pairs with two games: one that is played at table 4, one that is over
    at table 5.
    """

    row: Tournament
    played: Game
    over: Game
    marks: tuple[int, ...]

    @property
    def salon(self) -> Salon:
        return self.row.salon

    def addresses(self) -> list[str]:
        """Every address about these games, this round, their players, tables and links, asked in
        other ways, too.
        """
        seats = [game.seats["N"] for game in (self.played, self.over)]
        known: dict[str, list[str]] = {
            "game": [self.played.pk, self.over.pk],
            "player": seats,
            "tournament": [self.row.pk],
            "salon": [self.salon.slug],
            "label": ["4", "5"],
            "token": [
                *(
                    link.token
                    for game in (self.played, self.over)
                    for link in links_of(game, ["N"]).values()
                ),
                open_link(self.row).token,
                Table.objects.get(salon=self.salon, label="4").token,
            ],
        }
        return [each + query for each in every_address(known) for query in ("", *_queries(each))]


def _queries(address: str) -> tuple[str, ...]:
    return next((queries for part, queries in QUERIES.items() if f"/{part}/" in address), ())


@pytest.fixture
def evening(db: None) -> Evening:
    cache.clear()
    salon = opened_salon()
    row = registered(salon)
    row = does(
        row,
        *here(row),
        EnterPhase(phase="running"),
        BeginSilence(from_round=1),
        DrawRound(round=1),
        PublishRound(round=1),
    )
    hook_to(salon, "https://example.org/told")
    played, over = (_game(row, table, label) for table, label in ((1, "4"), (2, "5")))
    _scored(played, MARK)
    _scored(over, ENDED_MARK)
    record(over, EndGame(kind="called", by="Elder", reason="the evening is over"))
    catch_up(salon.log, PROJECTIONS)
    scores = [abs(game.state["score"]["NS"]) for game in (played, over)]
    return Evening(row=row, played=played, over=over, marks=(MARK, ENDED_MARK, *scores))


def _game(row: Tournament, table: int, label: str) -> Game:
    row.refresh_from_db()
    command = uuid.uuid4().hex
    return start_linked_game(
        row.salon,
        row.pk,
        round=1,
        table=table,
        label=label,
        actor="user:1",
        command=command,
        version=row.version,
    )


def _scored(game: Game, points: int) -> None:
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    record(
        game,
        OpenHand(dealer="E"),
        AdjustPoints(side="NS", points=-points, by="Elder", reason="A card was seen."),
    )
    record(game, *hand("E", (4, 3, 3, 4), (9, 4))[1:])


def browser(evening: Evening, role: str) -> Client:
    """A browser of somebody who neither directs nor audits, nor records or plays at these tables;
    or of one who does.
    """
    match role:
        case "anyone":
            return Client()
        case "other table":
            return scorer_at(evening.salon, "6")
        case "its table":
            return scorer_at(evening.salon, "4")
        case "other seat":
            return seated(game_at(evening.salon, "8"), "E")
        case "its seat":
            return seated(evening.played, "E")
        case "player":
            return member(
                evening.salon,
                "player",
                Player.objects.create(salon=evening.salon, name="Nobody There"),
            )
        case "its player":
            return member(
                evening.salon,
                "player",
                Player.objects.get(pk=evening.played.seats["N"]),
            )
        case "narrow token":
            return _bearing(
                owner_calls(
                    evening.salon,
                    Permission.SEE_SALON,
                    Permission.READ_HISTORY,
                    Permission.READ_LEDGER,
                    Permission.CONFIRM,
                ).token
            )
        case "other table's token":
            return _bearing(give_table_token(Table.objects.get(salon=evening.salon, label="6"))[1])
        case _:
            return member(evening.salon, role)


def _bearing(token: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {token}"})


def telling(evening: Evening, client: Client) -> dict[str, int]:
    """The addresses whose answers tell a marked score to this browser, each with its status."""
    found = {}
    for address in evening.addresses():
        cache.clear()
        answer = client.get(address)
        text = body(answer)
        assert answer.status_code < 500, address
        if any(says(text, mark) for mark in evening.marks):
            found[address] = answer.status_code
    return found


@pytest.mark.parametrize(
    "role",
    [*KNOW_NOTHING, *(pytest.param(role, marks=pytest.mark.long) for role in KNOW_NOTHING_EITHER)],
)
def test_nothing_tells_how_a_game_of_a_silent_round_stands_to_those_who_may_not_see_it(
    evening: Evening, role: str
) -> None:
    assert telling(evening, browser(evening, role)) == {}
    assert not any(
        says(body, mark)
        for body in Delivery.objects.values_list("body", flat=True)
        for mark in evening.marks
    )


@pytest.mark.long
def test_the_same_addresses_tell_it_to_a_director(evening: Evening) -> None:
    told, game, api = (
        telling(evening, browser(evening, "director")),
        evening.over.pk,
        f"/api/v1/salons/{evening.salon.slug}",
    )

    assert {
        "/",
        f"/games/{game}/",
        f"/games/{game}/history/",
        f"/games/{game}/numbers/score.NS/",
        "/history/?show=scores",
    } <= set(told)
    assert {
        f"{api}/games/",
        f"{api}/games/{game}/",
        f"{api}/games/{game}/events/",
        f"{api}/events/?after=0&limit=200",
    } <= set(told)


@pytest.mark.long
def test_the_same_are_told_to_anyone_when_the_tournament_is_over(evening: Evening) -> None:
    does(evening.row, BeginSilence(from_round=None))

    assert {
        "/",
        f"/games/{evening.over.pk}/",
        f"/players/{evening.over.seats['N']}/",
    } <= set(telling(evening, Client()))


def test_a_table_sees_its_own_game_and_no_other(evening: Evening) -> None:
    scorer = browser(evening, "its table")

    assert says(scorer.get("/tables/4/").text, MARK) or says(
        scorer.get("/tables/4/").text, evening.marks[2]
    )
    assert scorer.get(f"/games/{evening.played.pk}/history/").status_code == 200
    assert scorer.get(f"/games/{evening.over.pk}/history/").status_code == 403


@pytest.mark.parametrize("role", ["its seat", "its player"])
def test_who_plays_in_it_sees_what_there_is_to_confirm_and_no_other_game(
    evening: Evening, role: str
) -> None:
    client = browser(evening, role)

    assert client.get(f"/games/{evening.played.pk}/confirmation/").status_code == 200
    assert client.get(f"/games/{evening.over.pk}/confirmation/").status_code == 403


def test_its_board_says_who_sits_there_and_why_nothing_else_is_shown(evening: Evening) -> None:
    answer = Client().get(f"/games/{evening.played.pk}/")

    assert answer.status_code == 200
    assert "This game counts in a silent round" in answer.text
    sitting = Player.objects.filter(pk__in=evening.played.seats.values()).values_list(
        "name", flat=True
    )
    assert all(name in answer.text for name in sitting)
    assert "silent round" in Client().get("/").text
    assert "silent round" in Client().get("/tables/").text


@pytest.mark.parametrize("page", ["", "history/", "numbers/score.NS/"])
def test_who_sits_there_is_called_in_public_as_the_salon_chose(evening: Evening, page: str) -> None:
    Salon.objects.filter(pk=evening.salon.pk).update(names_shown="first")
    name = Player.objects.get(pk=evening.played.seats["N"]).name
    address = f"/games/{evening.played.pk}/{page}"

    assert name in browser(evening, "other table").get(address).text
    answers = [
        Client().get(each, follow=True)
        for each in (address, f"/api/v1/salons/{evening.salon.slug}{address}")
    ]
    assert not any(name.split()[1] in answer.text for answer in answers)


def test_the_api_says_that_it_is_silent(evening: Evening) -> None:
    api = f"/api/v1/salons/{evening.salon.slug}/games/"
    board, refused = (
        Client().get(f"{api}{evening.played.pk}/").json(),
        Client().get(f"{api}{evening.played.pk}/hands/"),
    )
    lines = {line["id"]: line for line in Client().get(api).json()["items"]}

    assert (board["silent"], board["state"], board["hands"], board["confirmation"]) == (
        True,
        {},
        [],
        "",
    )
    assert len(board["players"]) == 4
    assert (lines[evening.over.pk]["silent"], lines[evening.over.pk]["score"]) == (True, {})
    assert (refused.status_code, refused.json()["code"]) == (403, "silent")


def test_a_page_that_asks_for_the_content_all_the_same_is_refused(evening: Evening) -> None:
    with use_visibility(SightOf(Visitor(salon=evening.salon, role=Role.ANYONE))):
        row = Game.objects.get(pk=evening.played.pk)
        for name in CONTENT:
            with pytest.raises(SilentGame):
                getattr(row, name)
        assert not Hand.objects.filter(game=row).exists()
    assert Hand.objects.filter(game=row).exists()
    assert row.state


def test_rows_of_silent_games_are_compared_whole_whoever_is_answered(evening: Evening) -> None:
    def found() -> list[Difference]:
        return list(differences(evening.salon, mend=False, progress=lambda _done: None))

    with use_visibility(SightOf(Visitor(salon=evening.salon, role=Role.ANYONE))):
        assert not HandSide.objects.filter(game=evening.played).exists()
        assert found() == []
    assert found() == []


def test_a_row_that_says_nothing_of_silence_is_named_and_mended(evening: Evening) -> None:
    TournamentGame.objects.update(silent=False)

    found = list(differences(evening.salon, mend=True, progress=lambda _done: None))

    assert {(each.table, each.column) for each in found} == {
        ("tournament_tournamentgame", "silent")
    }
    assert TournamentGame.objects.filter(silent=True).count() == 2


def test_a_deal_from_a_stock_in_a_silent_game_stands_on_no_page(evening: Evening) -> None:
    salon = evening.salon
    stock = stocks.draw(salon, name="Stock", actor="user:1", command=uuid.uuid4().hex)
    game = start_game(
        salon,
        actor="user:1",
        command=uuid.uuid4().hex,
        kind="order_of_precedence",
        players={"A": "Ash"},
        options={},
    )
    stocks.open_deal(salon, game, stock, actor="user:1", command=uuid.uuid4().hex, version=1)
    assert game.pk in Client().get(f"/stocks/{stock.pk}/").text

    TournamentGame.objects.create(
        pk="there", stream=evening.row, game=game.pk, round=1, table=9, silent=True
    )

    assert game.pk not in Client().get(f"/stocks/{stock.pk}/").text
    assert game.pk in browser(evening, "director").get(f"/stocks/{stock.pk}/").text
