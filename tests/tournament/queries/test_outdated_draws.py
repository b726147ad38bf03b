"""After a correction that changes results, whatever was drawn from them says so: the desk, the
round, the preview, the history, the API.
"""

from typing import Any

from django.test import Client

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.correction_forms import fields, words
from tests.tournament.helpers.evenings import PAIRS, after_round_1, does, in_round_1, result
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import member, owner_of
from tests.tournament.helpers.tables import bids, recorded, simple
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.games import LinkGame
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.results import ClearTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound, ReopenRound
from tournament.models import Game, Salon, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

HANDS = [
    {"dealer": dealer, "bids": bids("2424"), "tricks": {"NS": 3, "EW": 10}} for dealer in "NES"
]
TURNED = {"tricks.NS:number": ["12"], "tricks.EW:number": ["1"]}


def with_a_game(salon: Salon, *, drawn: bool = True) -> tuple[Tournament, Game]:
    """Round 1 with a finished game at table 1, a typed result at table 2; round 2 drawn from them
    and published.
    """
    row = in_round_1(salon)
    table = state_of(row).rounds[0].tables[0]
    (north, south), (east, west) = (PAIRS[int(entry) - 1] for entry in table.entries)
    players = {"N": north, "E": east, "S": south, "W": west}
    recorded(salon, simple("evening", hands=HANDS, players=players, options={"hands_limit": 3}))
    game = Game.objects.get(salon=salon)
    row = does(row, LinkGame(round=1, table=1, game=game.pk), result(2, 255, 180))
    row = does(row, CloseRound(round=1))
    if drawn:
        row = does(row, DrawRound(round=2), PublishRound(round=2))
    catch_up(salon.log, PROJECTIONS)
    return row, game


def preview(owner: Client, game: Game, hand: int, **changes: Any) -> Any:
    address = f"/games/{game.pk}/corrections/hand/?hand={hand}"
    return owner.post(
        address, fields(owner.get(address).text) | (changes or TURNED) | {"step": ["preview"]}
    )


def turn_round(owner: Client, game: Game) -> None:
    """Correct the hands so that the other side has won."""
    for hand in (1, 2, 3):
        seen = preview(owner, game, hand)
        address = f"/games/{game.pk}/corrections/hand/?hand={hand}"
        answer = owner.post(
            address, fields(seen.text) | {"reason": ["counted wrong"], "step": ["record"]}
        )
        assert answer.status_code == 302


def test_nothing_is_said_while_the_results_are_those_that_were_drawn_from(salon: Salon) -> None:
    row, _game = with_a_game(salon)
    owner = owner_of(salon)

    assert "was drawn before" not in told(owner.get(f"/tournaments/{row.pk}/desk/"))
    assert "was drawn before" not in told(owner.get(f"/tournaments/{row.pk}/desk/rounds/2/"))
    assert owner_calls(salon).get(f"tournaments/{row.pk}/rounds/2/").value["changed_since"] == []
    does(row, MakeEntry(players=(("1", "Una Frey"), ("2", "Vito Lark"))))
    assert "was drawn before" not in told(owner.get(f"/tournaments/{row.pk}/desk/"))


def test_the_preview_of_a_correction_says_where_the_game_counts_and_what_was_drawn_before(
    salon: Salon,
) -> None:
    row, game = with_a_game(salon)
    owner = owner_of(salon)
    turned = [preview(owner, game, hand) for hand in (1,)]

    said = words(turned[0].text)
    assert f"This game is round 1, table 1 of {row.name}" in said
    assert "Round 2 was drawn before; its draw stays as it is." in said


def test_a_preview_tells_a_change_of_the_score_from_one_of_the_winner(salon: Salon) -> None:
    _row, game = with_a_game(salon)
    owner = owner_of(salon)
    score = preview(owner, game, 1, **{"tricks.NS:number": ["4"], "tricks.EW:number": ["9"]})

    assert "its score changes, its winner stays" in words(score.text)
    turn_round(owner, game)
    game.refresh_from_db()
    address = f"/games/{game.pk}/corrections/reopened/"
    open_again = owner.post(address, fields(owner.get(address).text) | {"step": ["preview"]})
    if open_again.status_code == 200:
        assert "it has no result then" in words(open_again.text)


def test_desk_round_and_history_say_it_after_the_correction(salon: Salon) -> None:
    row, game = with_a_game(salon)
    owner = owner_of(salon)
    turn_round(owner, game)
    catch_up(salon.log, PROJECTIONS)
    desk, each = (
        told(owner.get(f"/tournaments/{row.pk}/desk/{part}")) for part in ("", "rounds/2/")
    )

    assert "Round 2 was drawn before a result changed" in desk
    for page in (desk, each):
        assert "Round 1, table 1: its winner changed" in page
        assert "No table has begun: it can be drawn anew, or kept as it is." in page
    assert "Draw it anew" in each
    history = told(owner.get(f"/tournaments/{row.pk}/history/"))
    assert "Round 1, table 1: its game was corrected," in history
    assert "Round 2 was drawn before." in history
    assert owner_calls(salon).get(f"tournaments/{row.pk}/rounds/2/").value["changed_since"] == [
        {"round": 1, "table": 1, "change": "winner"}
    ]
    assert list(audit(salon)) == []


def test_once_a_table_has_begun_the_draw_stays_and_nothing_is_wrong(salon: Salon) -> None:
    row, game = with_a_game(salon)
    turn_round(owner_of(salon), game)
    does(row, result(1, 260, 100, round=2))

    assert "Nothing is wrong with the draw: it stays, and the standings are right." in told(
        owner_of(salon).get(f"/tournaments/{row.pk}/desk/rounds/2/")
    )


def test_drawn_anew_it_says_nothing_any_more(salon: Salon) -> None:
    row, game = with_a_game(salon)
    turn_round(owner_of(salon), game)
    does(row, DrawRound(round=2))
    catch_up(salon.log, PROJECTIONS)

    assert "was drawn before" not in told(owner_of(salon).get(f"/tournaments/{row.pk}/desk/"))
    assert "Same standings, same draw" in told(
        owner_of(salon).get(f"/tournaments/{row.pk}/desk/rounds/2/")
    )


def test_a_typed_result_and_a_penalty_are_told_alike(salon: Salon) -> None:
    row = does(after_round_1(salon), DrawRound(round=2), PublishRound(round=2))
    catch_up(salon.log, PROJECTIONS)
    does(row, ReopenRound(round=1, reason="Swapped."), ClearTable(round=1, table=1))
    owner = owner_of(salon)
    assert "Round 1, table 1: its result is missing now" in told(
        owner.get(f"/tournaments/{row.pk}/desk/")
    )
    does(
        row,
        result(1, 100, 250),
        CloseRound(round=1),
        GivePenalty(entry="2", points=-50, after_round=1, reason="Late.", by="Mara"),
    )
    page = told(owner.get(f"/tournaments/{row.pk}/desk/"))

    assert "Round 1, table 1: its winner changed" in page
    assert "other points were given to Ilse Marrow & Juno Dray" in page
    assert "Round 2 was drawn from these results." in told(
        owner.get(f"/tournaments/{row.pk}/desk/rounds/1/")
    )


def test_the_history_tells_what_a_game_came_to_once_and_not_while_it_is_silent(
    salon: Salon,
) -> None:
    row = in_round_1(salon)
    table = state_of(row).rounds[0].tables[0]
    (north, south), (east, west) = (PAIRS[int(entry) - 1] for entry in table.entries)
    recorded(
        salon,
        simple(
            "evening",
            hands=HANDS,
            players={"N": north, "E": east, "S": south, "W": west},
            options={"hands_limit": 3},
        ),
    )
    game = Game.objects.get(salon=salon)
    does(row, LinkGame(round=1, table=1, game=game.pk), BeginSilence(from_round=1))
    turn_round(owner_of(salon), game)
    catch_up(salon.log, PROJECTIONS)
    known, unknown = (
        told(each.get(f"/tournaments/{row.pk}/history/"))
        for each in (owner_of(salon), member(salon, "scorer"))
    )

    assert "its game was corrected" in known
    assert "its game was corrected" not in unknown
    assert "its game came to a result; it is shown when the tournament is over" in unknown


def test_a_program_sees_in_the_preview_where_the_game_counts(salon: Salon) -> None:
    row, game = with_a_game(salon)
    new = {"what": "hand", "hand": 1, "sheet": {**HANDS[0], "tricks": {"NS": 4, "EW": 9}}}
    seen = owner_calls(salon).post(f"games/{game.pk}/correction-previews/", new).value

    assert seen["tournaments"] == [
        {
            "tournament": row.pk,
            "name": row.name,
            "round": 1,
            "table": 1,
            "change": "score",
            "drawn": [2],
        }
    ]
