"""A game that was not played: a director says so at its pad or by the API, its table is free, and
it counts nowhere.
"""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from scoring.corrections import Correction, ReopenGame
from scoring.games import GAMES
from tests.tournament.api.calling import Answered, owner_calls
from tests.tournament.helpers.playing import SEATED, a_command, about, flat, state_of, tap, told
from tests.tournament.helpers.salons import member, scorer_at
from tournament.models import Game, Player, Salon
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.careers import career_games
from tournament.projections.rebuild import differences
from tournament.recording.confirmations import finalise_when_due
from tournament.recording.corrections import record_correction
from tournament.recording.door import start_game
from tournament.tasks import PROJECTIONS

NAMES = ("Asha Renn", "Ilse Marrow", "Cato Liss", "Juno Dray")
WORDS = {"kind": "not_played", "reason": "Two were called away"}
LATER = 10**18  # long after every correction period, in microseconds


def begun(salon: Salon, kind: str = "precedence") -> Game:
    """A game at table 4 of which nothing is recorded but its start."""
    seats = next(seats for seats in reversed(GAMES[kind].seatings) if len(seats) <= len(NAMES))
    players = dict(zip(seats, NAMES, strict=False))
    options = {"opening_chips": 100} if kind == "precedence" else {}
    return start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind=kind,
        players=players,
        options=options,
        table="4",
    )


def is_sound(salon: Salon) -> bool:
    catch_up(salon.log, PROJECTIONS)
    return not list(differences(salon, mend=False, progress=lambda done: None)) and not list(
        audit(salon)
    )


@pytest.mark.parametrize(
    "kind", ["precedence", "preference", "contract_sabacc", "order_of_precedence"]
)
@pytest.mark.parametrize("open_hand", [False, True])
def test_a_director_says_it_at_the_pad_and_the_table_is_free(
    salon: Salon, owner: Client, kind: str, open_hand: bool
) -> None:
    game = begun(salon, kind)
    if open_hand:
        dealer = (
            {}
            if kind == "order_of_precedence"
            else {"dealer": "N" if kind == "precedence" else "A"}
        )
        assert tap(owner, "hands", **dealer).status_code == 303

    assert "This game was not played" in told(owner.get("/tables/4/"))
    assert tap(owner, "endings", **WORDS).status_code == 303

    assert (state_of(game)["closed"], game.finished) == ("not_played", True)
    assert set(state_of(game).get("chips", {}).values()) <= {0}
    pad = told(owner.get("/tables/4/"))
    assert "It has no result, and every chip went back. The table is free." in pad
    assert "Start another game" in pad
    assert begun(salon, kind).table == "4"
    assert is_sound(salon)


def test_without_a_reason_it_is_asked_for_beside_the_field(salon: Salon, owner: Client) -> None:
    game = begun(salon)

    refused = tap(owner, "endings", kind="not_played", reason="")

    assert refused.status_code == 400
    assert 'id="end-reason" name="reason" maxlength="2000" value="" aria-invalid="true"' in flat(
        refused.text
    )
    assert not state_of(game)["closed"]


def test_only_a_director_says_it_of_a_patience_too(salon: Salon) -> None:
    game = begun(salon, "order_of_precedence")
    scorer = scorer_at(salon, "4")

    assert "This game was not played" not in told(scorer.get("/tables/4/"))
    assert (
        scorer.post("/tables/4/endings/", about(scorer.get("/tables/4/")) | WORDS).status_code
        == 403
    )
    director = member(salon, "director")
    assert tap(director, "endings", **WORDS).status_code == 303
    assert state_of(game)["closed"] == "not_played"


def test_a_game_with_a_closed_hand_was_played(salon: Salon, owner: Client) -> None:
    begun(salon)
    tap(owner, "hands", dealer="S")
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3), ("S", 3)):
        tap(owner, "bids", seat=seat, **{"tricks:number": str(tricks)})
    tap(owner, "totals", fields="NS:number=7&EW:number=6")
    between = told(owner.get("/tables/4/"))
    assert ("This game was not played" in between, "End the game" in between) == (False, True)
    assert "a hand of this game was played" in told(tap(owner, "endings", **WORDS))

    tap(owner, "hands")
    in_the_hand = told(owner.get("/tables/4/"))
    assert "The open hand is taken back first" in in_the_hand
    assert tap(owner, "endings", kind="called", reason="Time").status_code == 303

    over = state_of(Game.objects.get())
    assert (over["closed"], over["hands"], over["hand"]) == ("called", 1, None)
    assert is_sound(salon)


def test_it_goes_on_by_an_undo_and_later_by_a_correction(salon: Salon, owner: Client) -> None:
    game = begun(salon)
    before = state_of(game)
    tap(owner, "endings", **WORDS)
    undo = state_of(game)["undo"]["version"]
    assert "the end of the game" in told(owner.get("/tables/4/"))
    tap(owner, "retractions", **{"version:number": str(undo)})
    assert state_of(game) == before

    tap(owner, "endings", **WORDS)
    game.refresh_from_db()
    correction = Correction(change=ReopenGame(), by="Mara", reason="They came after all")
    record_correction(
        salon, game.pk, correction, actor="user:1", command=a_command(), version=game.version
    )

    again = state_of(game)
    assert {**again, "undo": None} == {**before, "undo": None}
    assert is_sound(salon)


def test_it_counts_nowhere_and_nobody_confirms_it(salon: Salon, owner: Client) -> None:
    game = begun(salon)
    tap(owner, "hands", dealer="S")
    tap(owner, "endings", **WORDS)
    catch_up(salon.log, PROJECTIONS)

    asha = Player.objects.get(salon=salon, name="Asha Renn")
    assert career_games(salon, asha.pk) == []
    assert game.pk not in owner.get(f"/players/{asha.pk}/").text
    assert "Games that are over" not in told(owner.get("/"))
    assert finalise_when_due(salon, now=LATER) == 0
    assert is_sound(salon)


def test_history_board_and_books_tell_it_with_reason_and_who(salon: Salon, owner: Client) -> None:
    game = begun(salon)
    tap(owner, "hands", dealer="S")
    tap(owner, "endings", **WORDS)

    history = told(owner.get(f"/games/{game.pk}/history/"))
    assert "The game was not played: “Two were called away” Mara Ilves" in history
    assert "This game was not played." in history
    assert "This game was not played." in told(owner.get(f"/games/{game.pk}/"))
    assert "Back, for the game was not played" in told(
        owner.get(f"/ledger/games/{game.pk}/accord/")
    )


def ended(salon: Salon, game: Game) -> Answered:
    return owner_calls(salon).post(f"games/{game.pk}/acts/endings/", WORDS, version=game.version)


def test_a_program_says_it_and_is_told_that_it_may(salon: Salon) -> None:
    game = begun(salon)
    caller = owner_calls(salon)
    assert "endings" in caller.get(f"games/{game.pk}/acts/").value["collections"]

    assert ended(salon, game).status == 201

    game.refresh_from_db()
    told_of = caller.get(f"games/{game.pk}/").value
    assert (told_of["finished"], told_of["state"]["closed"], told_of["state"]["winners"]) == (
        True,
        "not_played",
        [],
    )
    refused = caller.get(f"games/{game.pk}/record/")
    assert (refused.status, refused.value["code"]) == (422, "not_played")


def test_there_is_no_record_of_it_in_files(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    game = begun(salon)
    assert ended(salon, game).status == 201

    call_command("export")
    assert not capsys.readouterr().out
    with pytest.raises(CommandError, match="was not played"):
        call_command("export", game.record)
    assert owner_calls(salon).get("game-records/").value["items"] == []


def test_the_names_of_the_seats_are_kept_for_the_next_game(salon: Salon, owner: Client) -> None:
    begun(salon)
    tap(owner, "endings", **WORDS)

    assert f"players.N={SEATED['N'].replace(' ', '%20')}" in owner.get("/tables/4/").text.replace(
        "+", "%20"
    )
