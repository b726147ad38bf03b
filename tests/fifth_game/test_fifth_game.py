"""A fifth game goes the whole way by one module, one template and one line: form, pad, sheet, file,
board, history, books, checks.
"""

import json
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from scoring.commands import EndGame, Undo
from scoring.correcting import decide_correction
from scoring.corrections import CorrectHand, Correction
from scoring.effective_history import course_of
from scoring.errors import RuleViolation
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.records import decide_record, read_record, write_record
from scoring.second_entry import second_entry_of
from scoring.trick_states import DealtState
from tests.fifth_game.whist import CARDS, SEATS, PlayTrick, score_of
from tests.fifth_game.whist_record import LEADS_HEARTS, RECORD, is_sound
from tests.tournament.helpers.playing import SEATED, a_command, about, tap, told
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.tables import recorded
from tests.tournament.helpers.tables import told as facts_of
from tournament.exchange.game_records import Outcome, export_game
from tournament.models import Game as GameRow
from tournament.models import Hand, Salon
from tournament.salons.public_names import Audience


@pytest.fixture
def salon(db: None) -> Salon:
    return opened_salon()


@pytest.fixture
def owner(salon: Salon) -> Client:
    return owner_of(salon)


def table_of(game: GameRow) -> dict[str, Any]:
    game.refresh_from_db()
    state: dict[str, Any] = game.state
    return state


def started(owner: Client, **changes: str) -> GameRow:
    sent = {f"players.{seat}": name for seat, name in SEATED.items()} | {
        "game": "whist",
        "table": "4",
        "dealer": "N",
        "options.target": "3",
    }
    answer = owner.post(
        "/games/new/", {**sent, "options.target": "3", "command": a_command(), **changes}
    )
    assert (answer.status_code, answer["Location"]) == (302, "/tables/4/?dealer=N")
    return GameRow.objects.get(table="4")


def test_the_form_offers_it_with_its_seats_and_house_rules(owner: Client) -> None:
    page = owner.get("/games/new/?game=whist&table=4")

    assert all(
        word in told(page)
        for word in ("Whist", "four, in two pairs", "North", "West", "Stake", "Target")
    )
    assert 'class="side__n ns"' in page.text
    assert "tests/" not in page.text


def test_it_goes_from_the_form_by_pad_and_sheet_to_its_end_and_through_every_page(
    salon: Salon, owner: Client
) -> None:
    game = started(owner)
    assert tap(owner, "hands", dealer="N", trump="S").status_code == 303
    assert tap(owner, "tricks", **{"cards:list": LEADS_HEARTS}).status_code == 303
    refused = tap(owner, "tricks", **{"cards:list": "2S 3S 8H 4S"})
    assert (refused.status_code, "did not follow Hearts before" in told(refused)) == (422, True)
    assert 'href="/rules/whist/#W4"' in refused.text
    assert tap(owner, "totals", fields="NS:number=8&EW:number=5").status_code == 303
    assert "Undo: the tricks in all" in told(owner.get("/tables/4/"))

    sheet = owner.get("/tables/4/sheet/")
    hand = {"trump": "H", "tricks.NS:number": "5", "tricks.EW:number": "8"}
    assert (
        told(owner.post("/tables/4/sheet/preview/", about(sheet) | hand)).count("East–West 2") == 1
    )
    assert owner.post("/tables/4/sheet/", about(sheet) | hand).status_code == 303
    assert tap(owner, "hands", trump="C").status_code == 303
    assert tap(owner, "totals", fields="NS:number=7&EW:number=6").status_code == 303

    table = table_of(game)
    assert (table["stage"], table["winners"], table["score"]) == (
        "over",
        ["NS"],
        {"NS": 3, "EW": 2},
    )
    assert table["chips"] == {"N": 5, "E": -5, "S": 5, "W": -5}
    shown = f"/games/{game.pk}/"
    assert "North–South 3" in told(owner.get(shown))
    history = told(owner.get(f"{shown}history/?at=9"))
    assert "did not" not in history
    assert all(
        words in history
        for words in (
            "North Asha Renn",
            "Hand 1 closed: North–South 8, East–West 5",
            "King of Hearts",
        )
    )
    assert "Share of the pot" in told(owner.get(f"/ledger/games/{game.pk}/pot/"))
    assert all(
        owner.get(path).status_code == 200
        for path in ("/", "/tables/", "/history/", "/ledger/", "/rules/whist/")
    )
    exported = export_game(salon, game.pk, Audience.SALON)
    assert [
        {**hand, "note": "by the window"} if "plays" in hand else hand for hand in exported["hands"]
    ] == RECORD["hands"]
    assert is_sound(salon)


def test_undo_takes_back_the_end_with_its_chips(owner: Client) -> None:
    game = started(owner, **{"options.target": "1"})
    tap(owner, "hands", dealer="N", trump="S")
    tap(owner, "totals", fields="NS:number=7&EW:number=6")
    over = table_of(game)

    tap(owner, "retractions", **{"version:number": str(over["undo"]["version"])})

    assert (over["stage"], over["pots"]) == ("over", {"pot": 0})
    assert (table_of(game)["stage"], table_of(game)["pots"]) == ("play", {"pot": 20})


def test_a_file_is_stored_once_and_comes_out_as_it_went_in(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    assert recorded(salon, RECORD) == Outcome.RECORDED
    assert recorded(salon, RECORD) == Outcome.UNCHANGED
    call_command("export")
    exported = json.loads(capsys.readouterr().out)

    assert exported == RECORD
    assert Hand.objects.get(number=1).result["result"]["tricks"] == {"NS": 8, "EW": 5}
    assert is_sound(salon)
    call_command("rebuild")
    call_command("verify")


def test_score_prints_its_result_without_a_database(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "whist.json"
    file.write_text(json.dumps(RECORD))

    call_command("score", str(file), "--json")

    result = json.loads(capsys.readouterr().out)
    assert (result["finished"], result["winners"], result["score"]) == (
        True,
        ["NS"],
        {"NS": 3, "EW": 2},
    )
    assert sum(result["chips"].values()) + sum(result["pots"].values()) == 0


def test_live_and_file_store_the_same_facts(salon: Salon, owner: Client) -> None:
    recorded(
        salon,
        RECORD
        | {"table": "9", "hands": RECORD["hands"][1:2], "options": {"stake": 5, "target": 2}}
        | {"id": "filed"},
    )
    game = started(owner, **{"options.target": "2"})
    tap(owner, "hands", dealer="E", trump="H")
    tap(owner, "totals", fields="NS:number=5&EW:number=8")
    filed = GameRow.objects.exclude(pk=game.pk).get()

    assert facts_of(salon, game.pk)[1:] == facts_of(salon, filed.pk)[1:]


@pytest.mark.parametrize("seed", range(6))
def test_every_card_it_offers_is_taken_and_every_other_refused_until_the_hand_is_over(
    seed: int, whist: AnyGame
) -> None:
    """A table that plays what each seat holds: holdings are never offered against, and what isn't
    offered is refused.
    """
    rng = Random(seed)
    pack = rng.sample(CARDS, len(CARDS))
    held = {seat: set(pack[place::4]) for place, seat in enumerate(SEATS)}
    _, state = decide_record(read_record(RECORD | {"hands": []}))
    state = folded(
        whist,
        state,
        whist.acts["hands"]({"dealer": rng.choice(SEATS), "trump": rng.choice("SHDC")}, None),
    )
    while state.hand is not None:
        drafted: list[str] = []
        for _ in SEATS:
            offer = whist.offer(json.loads(json.dumps(whist.table(state))), drafted)
            led = drafted[0][1] if drafted else ""
            may = [card for card in held[offer["seat"]] if card[1] == led] or list(
                held[offer["seat"]]
            )
            assert set(may) <= set(offer["legal"])
            drafted.append(rng.choice(sorted(may)))
        for place in range(len(SEATS)):
            legal = whist.offer(whist.table(state), drafted[:place])["legal"]
            refused = [card for card in CARDS if card not in legal]
            for card in rng.sample(refused, min(3, len(refused))):
                with pytest.raises(RuleViolation):
                    whist.decide(
                        PlayTrick(cards=(*drafted[:place], card, *drafted[place + 1 :])), state
                    )
        for seat, card in zip(offer["order"], drafted, strict=True):
            held[seat].remove(card)
        state = folded(whist, state, PlayTrick(cards=tuple(drafted)))
    assert sum(state.done[0].tricks) == 13
    assert sum(state.balances.values()) == 0
    assert write_record(whist, state)["hands"][0]["plays"][0][0] in CARDS


def folded(game: AnyGame, state: Any, act: Any) -> Any:
    for event in game.decide(act, state):
        state = game.evolve(state, event)
    return state


def test_it_can_be_called_after_a_hand_and_the_pot_is_shared_in_a_draw() -> None:
    ended = {"kind": "called", "by": "Elder", "reason": "the house closes"}
    hands = [RECORD["hands"][0], {**RECORD["hands"][1]}]
    _, state = decide_record(read_record(RECORD | {"hands": hands, "ended": ended}))
    assert isinstance(state, DealtState)

    assert (score_of(state.done), state.balances["pot"], state.balances["N"]) == ((2, 2), 0, 0)
    with pytest.raises(RuleViolation, match="after a closed hand"):
        GAMES["whist"].decide(EndGame(kind="called", by="Elder", reason="again"), state)
    assert GAMES["whist"].decide(Undo(version=state.trail[-1].version + 1), state)


def test_a_director_says_that_it_was_not_played_and_every_stake_goes_back(
    salon: Salon, owner: Client
) -> None:
    game = started(owner)
    tap(owner, "hands", dealer="N", trump="S")

    assert tap(owner, "endings", kind="not_played", reason="The light went out").status_code == 303

    table = table_of(game)
    assert (table["stage"], table["closed"], table["winners"], table["pots"]) == (
        "over",
        "not_played",
        [],
        {"pot": 0},
    )
    assert set(table["chips"].values()) == {0}
    assert "This game was not played" in told(owner.get("/tables/4/"))
    assert "Back, for the game was not played" in told(owner.get(f"/ledger/games/{game.pk}/pot/"))
    assert is_sound(salon)


def test_a_second_entry_of_a_hand_is_compared_with_the_first(whist: AnyGame) -> None:
    _, before = decide_record(read_record(RECORD | {"hands": []}))
    first = RECORD["hands"][0]

    assert second_entry_of(
        whist, before, first, {"dealer": "N", "trump": "S", "tricks": {"NS": 8, "EW": 5}}
    )[1]
    assert not second_entry_of(
        whist, before, first, {"dealer": "N", "trump": "S", "tricks": {"NS": 7, "EW": 6}}
    )[1]


def test_a_corrected_hand_gives_the_game_and_its_pot_to_the_other_team(whist: AnyGame) -> None:
    events, state = decide_record(read_record(RECORD))
    course = course_of(whist, enumerate(events, 1))
    sheet = whist.read_sheet(
        {"dealer": "S", "trump": "C", "tricks": {"NS": 6, "EW": 7}}, state.rules
    )

    change = CorrectHand(hand=3, sheet=sheet)
    corrected = decide_correction(
        whist, course, len(events), Correction(change=change, by="Elder", reason="miscounted")
    )

    assert isinstance(state, DealtState)
    assert isinstance(corrected.state, DealtState)
    assert (score_of(state.done), state.balances["E"]) == ((3, 2), -5)
    assert (score_of(corrected.state.done), corrected.state.balances["E"]) == ((2, 3), 5)
