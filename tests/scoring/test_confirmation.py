"""Who must confirm a hand, and what no path of words can do: laws of the states over all sides, and
over corrections.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.attestations import DisputeRuled, HandConfirmed, HandDisputed, HandEntered
from scoring.confirmation import (
    NOTHING_SAID,
    UNSAID,
    Command,
    Confirmation,
    ConfirmHands,
    DisputeHand,
    FinaliseGame,
    MakeSeatLink,
    MakeSecondEntry,
    RuleDispute,
    check_undo,
    cut,
    decide,
    evolve_confirmation,
    game_state,
    hand_state,
    sides_of,
    waits_for,
)
from scoring.corrections import CorrectHand, RemoveHand
from scoring.effective_history import confirmation_of, course_of
from scoring.errors import Refusal, RuleViolation
from scoring.events import GameClosed
from scoring.games import GAMES
from scoring.records import decide_record, read_record
from scoring.trick_states import DealtState
from tests.scoring.corrected import Corrected, Intended

PRECEDENCE, PREFERENCE, SABACC, PATIENCE = (
    GAMES[name] for name in ("precedence", "preference", "contract_sabacc", "order_of_precedence")
)
TREES = {"N": "Ash", "E": "Birch", "S": "Cedar", "W": "Dogwood"}


class Closed(NamedTuple):
    """A hand that is over, of which confirming asks nothing."""

    hand: None = None


type Table = DealtState[None, None, Closed]


def at(seats: str, *, played: int = 3, closed: bool = False) -> Table:
    """A game in which so many hands are over."""
    return DealtState(
        version=1,
        hand=None,
        act=None,
        trail=(),
        balances={},
        moves=(),
        record="game-1",
        rules=None,
        players=dict.fromkeys(seats, "somebody"),
        table=None,
        played_on=None,
        note=None,
        bought={},
        done=(Closed(),) * played,
        closed=GameClosed(kind="played") if closed else None,
    )


def said(
    game: Any, table: Table, *commands: Command, before: Confirmation = NOTHING_SAID
) -> Confirmation:
    confirmation = before
    for command in commands:
        for fact in decide(command, game, table, confirmation):
            confirmation = evolve_confirmation(confirmation, fact)
    return confirmation


def confirm(seat: str, *hands: int) -> ConfirmHands:
    return ConfirmHands(hands=hands or (1,), seat=seat)


def dispute(seat: str, hand: int = 1) -> DisputeHand:
    return DisputeHand(hand=hand, seat=seat, reason="six tricks")


RULING = RuleDispute(hand=1, by="Director", reason="seen")


def state(game: Any, table: Table, confirmation: Confirmation, hand: int = 1) -> str:
    return hand_state(game, list(table.players), confirmation.hands.get(hand, UNSAID))


def test_a_hand_of_precedence_that_a_scorer_entered_is_confirmed_by_one_of_each_team() -> None:
    table = at("NESW")
    one = said(PRECEDENCE, table, confirm("N"))
    assert state(PRECEDENCE, table, one) == "entered"
    assert waits_for(PRECEDENCE, list(table.players), one.hands[1]) == ("EW",)
    assert (
        state(PRECEDENCE, table, said(PRECEDENCE, table, confirm("W"), before=one)) == "confirmed"
    )


def test_a_team_that_entered_a_hand_does_not_confirm_it() -> None:
    table = at("NESW")
    entered = evolve_confirmation(NOTHING_SAID, HandEntered(hand=1, seat="S"))
    with pytest.raises(RuleViolation, match="the other one confirms"):
        said(PRECEDENCE, table, confirm("N"), before=entered)
    assert (
        state(PRECEDENCE, table, said(PRECEDENCE, table, confirm("E"), before=entered))
        == "confirmed"
    )


@pytest.mark.parametrize(("game", "seats"), [(PREFERENCE, "ABC"), (SABACC, "ABCD")])
def test_where_everybody_plays_alone_every_other_player_confirms(game: Any, seats: str) -> None:
    table = at(seats)
    confirmation = evolve_confirmation(NOTHING_SAID, HandEntered(hand=1, seat="A"))
    for seat in seats[1:]:
        assert state(game, table, confirmation) == "entered"
        confirmation = said(game, table, confirm(seat), before=confirmation)
    assert state(game, table, confirmation) == "confirmed"


def test_the_director_confirms_a_patience_and_nobody_else_does() -> None:
    table = at("A")
    with pytest.raises(RuleViolation):
        said(PATIENCE, table, confirm("A"))
    assert state(PATIENCE, table, said(PATIENCE, table, confirm(""))) == "confirmed"


def test_the_director_does_not_confirm_for_players() -> None:
    with pytest.raises(RuleViolation, match="doesn't wait"):
        said(PRECEDENCE, at("NESW"), confirm(""))


def test_a_disputed_hand_waits_for_the_director() -> None:
    table = at("NESW")
    disputed = said(PRECEDENCE, table, confirm("N"), dispute("E"))
    assert state(PRECEDENCE, table, disputed) == "disputed"
    with pytest.raises(RuleViolation, match="the director rules first"):
        said(PRECEDENCE, table, confirm("W"), before=disputed)
    ruled = said(PRECEDENCE, table, RULING, before=disputed)
    assert state(PRECEDENCE, table, ruled) == "ruled"
    for command in (confirm("E"), dispute("E"), RULING):
        with pytest.raises(RuleViolation):
            said(PRECEDENCE, table, command, before=ruled)


def test_a_second_entry_that_agrees_confirms_and_one_that_differs_disputes() -> None:
    table = at("NESW")
    agreed = said(PRECEDENCE, table, MakeSecondEntry(hand=1, entry="{}", agrees=True))
    assert state(PRECEDENCE, table, agreed) == "confirmed"
    differs = said(PRECEDENCE, table, MakeSecondEntry(hand=1, entry="{}", agrees=False))
    assert state(PRECEDENCE, table, differs) == "disputed"
    assert state(PRECEDENCE, table, said(PRECEDENCE, table, RULING, before=differs)) == "ruled"
    with pytest.raises(RuleViolation, match="twice already"):
        said(PRECEDENCE, table, MakeSecondEntry(hand=1, entry="{}", agrees=True), before=agreed)


def test_a_game_is_final_only_once_it_is_over_and_nothing_is_disputed() -> None:
    final = FinaliseGame(by="Director", reason="all agree")
    with pytest.raises(RuleViolation, match="not over"):
        said(PRECEDENCE, at("NESW"), final)
    over = at("NESW", closed=True)
    with pytest.raises(RuleViolation, match="hand 1 is disputed"):
        said(PRECEDENCE, over, dispute("E"), final)
    done = said(PRECEDENCE, over, final)
    assert game_state(PRECEDENCE, list("NESW"), 3, done) == "final"
    for command in (
        confirm("N"),
        dispute("E"),
        RULING,
        final,
        MakeSecondEntry(hand=1, entry="{}", agrees=True),
    ):
        with pytest.raises(RuleViolation, match="the game is final"):
            said(PRECEDENCE, over, command, before=done)


@pytest.mark.parametrize("hand", [0, 4, -1])
def test_a_hand_that_is_not_closed_is_neither_confirmed_nor_disputed(hand: int) -> None:
    for command in (
        confirm("N", hand),
        dispute("N", hand),
        MakeSecondEntry(hand=hand, entry="{}", agrees=True),
    ):
        with pytest.raises(Refusal):
            said(PRECEDENCE, at("NESW"), command)


def test_what_somebody_confirmed_is_not_taken_back() -> None:
    confirmed = said(PRECEDENCE, at("NESW"), confirm("N", 3))
    with pytest.raises(RuleViolation, match="corrected by a director"):
        check_undo(at("NESW"), at("NESW", played=2), confirmed)
    check_undo(at("NESW"), at("NESW"), confirmed)
    check_undo(at("NESW"), at("NESW", played=2), cut(confirmed, 2))
    disputed = said(PRECEDENCE, at("NESW"), dispute("N", 3))
    check_undo(at("NESW"), at("NESW", played=2), disputed)


SEATED = [(PRECEDENCE, "NESW"), (PREFERENCE, "ABC"), (SABACC, "ABCDE"), (PATIENCE, "A")]
WORDS = st.tuples(
    st.sampled_from(("confirm", "dispute", "rule", "second", "differ", "final")),
    st.integers(1, 3),
    st.integers(0, 5),
)


def spoken(word: tuple[str, int, int], seats: str) -> Command:
    what, hand, who = word
    seat = (*seats, "", "")[min(who, len(seats))]
    commands: dict[str, Command] = {
        "confirm": ConfirmHands(hands=(hand,), seat=seat),
        "dispute": DisputeHand(hand=hand, seat=seat, reason="wrong"),
        "rule": RuleDispute(hand=hand, by="Director", reason="seen"),
        "second": MakeSecondEntry(hand=hand, entry="{}", agrees=True),
        "differ": MakeSecondEntry(hand=hand, entry="{}", agrees=False),
        "final": FinaliseGame(by="Director", reason="late"),
    }
    return commands[what]


@pytest.mark.parametrize(("game", "seats"), SEATED)
@given(words=st.lists(WORDS, max_size=14), entered=st.integers(0, 5))
def test_no_path_confirms_without_every_side_that_must(
    game: Any, seats: str, words: Sequence[tuple[str, int, int]], entered: int
) -> None:
    """An oracle of its own: sets of seats that spoke, and whether the director or a second entry
    settled the hand.
    """
    table = at(seats, closed=True)
    by = seats[entered] if entered < len(seats) and len(seats) > 1 else ""
    confirmation = (
        evolve_confirmation(NOTHING_SAID, HandEntered(hand=1, seat=by)) if by else NOTHING_SAID
    )
    heard: list[Command] = []
    for word in words:
        command = spoken(word, seats)
        try:
            confirmation = said(game, table, command, before=confirmation)
            heard.append(command)
        except RuleViolation:
            continue
    for hand in (1, 2, 3):
        about = [
            each
            for each in heard
            if getattr(each, "hand", None) == hand or hand in getattr(each, "hands", ())
        ]
        seats_heard = {each.seat for each in about if isinstance(each, ConfirmHands)} | (
            {by} if hand == 1 and by else set()
        )
        every_side = all(
            any(seat in side if side else seat == "" for seat in seats_heard)
            for side in sides_of(game, list(seats))
        )
        agreed = any(isinstance(each, MakeSecondEntry) and each.agrees for each in about)
        ruled = any(isinstance(each, RuleDispute) for each in about)
        disputed = any(
            isinstance(each, DisputeHand) or (isinstance(each, MakeSecondEntry) and not each.agrees)
            for each in about
        )
        expected = (
            "ruled"
            if ruled
            else "disputed"
            if disputed
            else "confirmed"
            if every_side or agreed
            else "entered"
        )
        assert state(game, table, confirmation, hand) == expected


def recorded() -> Corrected:
    """A game of Precedence with three closed hands, each of them confirmed by both teams, the
    second one disputed and ruled.
    """
    hand = {"bids": {"N": 2, "E": 4, "S": 2, "W": 4}, "tricks": {"NS": 7, "EW": 6}}
    hands = tuple({"dealer": dealer, **hand} for dealer in "NES")
    record = {
        "format": "salon-record/1",
        "id": "game",
        "game": "precedence",
        "players": TREES,
        "options": {},
    }
    intended = Intended(record=record, options={}, hands=hands)
    game = Corrected(game=PRECEDENCE, intended=intended)
    events, _state = decide_record(read_record({**record, "hands": list(hands)}))
    game.add(events)
    for number, seat in product((1, 2, 3), "NE"):
        game.facts.append(HandConfirmed(hand=number, seat=seat))
    game.facts += [
        HandDisputed(hand=2, seat="N", reason="x"),
        DisputeRuled(hand=2, by="y", reason="z"),
    ]
    game.state = game.state._replace(version=len(game.facts))
    return game


def confirmation(game: Corrected) -> Confirmation:
    return confirmation_of(game.course, closed=False)


def sheet(hand: int, tricks: int) -> Any:
    value = {
        "dealer": "NES"[hand - 1],
        "bids": {"N": 2, "E": 4, "S": 2, "W": 4},
        "tricks": {"NS": tricks, "EW": 13 - tricks},
    }
    return PRECEDENCE.read_sheet(value, PRECEDENCE.read_rules({}))


@pytest.mark.parametrize("hand", [1, 2, 3])
def test_a_correction_takes_the_confirmation_of_its_own_hand_and_no_other(hand: int) -> None:
    game = recorded()
    before = confirmation(game)
    assert set(before.hands) == {1, 2, 3}

    game.correct(CorrectHand(hand=hand, sheet=sheet(hand, 5)), game.intended)

    after = confirmation(game)
    assert after.hands == {number: each for number, each in before.hands.items() if number != hand}


def test_removing_a_hand_moves_what_was_said_of_later_ones_with_them() -> None:
    game = recorded()
    before = confirmation(game)

    game.correct(RemoveHand(hand=1), game.intended)

    assert confirmation(game).hands == {1: before.hands[2], 2: before.hands[3]}


def test_the_course_says_the_same_as_facts_folded_one_by_one() -> None:
    game = recorded()
    one_by_one = NOTHING_SAID
    for fact in game.facts:
        if isinstance(fact, HandConfirmed | HandDisputed | DisputeRuled):
            one_by_one = evolve_confirmation(one_by_one, fact)
    assert (
        confirmation_of(course_of(PRECEDENCE, enumerate(game.facts, 1)), closed=False) == one_by_one
    )


def link_made(seat: str, at_phone: str, *, before: Confirmation = NOTHING_SAID) -> Confirmation:
    return said(PRECEDENCE, at("NESW"), MakeSeatLink(seat=seat, place=at_phone), before=before)


def how_of(confirmation: Confirmation, hand: int = 1) -> list[tuple[str, bool]]:
    return list(confirmation.hands[hand].confirmed_how)


@pytest.mark.parametrize(
    ("made_at", "how"),
    [
        ("table_phone", "link_made_at_table"),
        ("scorer", "link_made_at_table"),
        ("director", "own_phone"),
    ],
)
def test_a_link_made_at_the_table_is_never_told_as_a_players_own_phone(
    made_at: str, how: str
) -> None:
    mine = ConfirmHands(hands=(1,), seat="N", how="own_phone", link=True)

    assert how_of(said(PRECEDENCE, at("NESW"), mine, before=link_made("N", made_at))) == [
        (how, False)
    ]
    assert how_of(said(PRECEDENCE, at("NESW"), mine, before=link_made("E", made_at))) == [
        ("own_phone", False)
    ]
    by_account = ConfirmHands(hands=(1,), seat="N", how="own_phone")
    told = said(PRECEDENCE, at("NESW"), by_account, before=link_made("N", made_at))
    assert how_of(told) == [("own_phone", False)]


def test_once_a_seat_has_confirmed_by_its_link_only_a_director_makes_another() -> None:
    mine = ConfirmHands(hands=(1,), seat="N", how="own_phone", link=True)
    tapped = ConfirmHands(hands=(1,), seat="N", how="table_phone")
    confirmed = said(PRECEDENCE, at("NESW"), mine)

    for at_phone in ("table_phone", "scorer"):
        with pytest.raises(RuleViolation, match="only a director makes another one"):
            link_made("N", at_phone, before=confirmed)
        assert link_made("E", at_phone, before=confirmed).links == {"E": at_phone}
        tap = said(PRECEDENCE, at("NESW"), tapped)
        assert link_made("N", at_phone, before=tap).links == {"N": at_phone}
    assert link_made("N", "director", before=confirmed).links == {"N": "director"}
    with pytest.raises(RuleViolation, match="nobody sits at X"):
        link_made("X", "director")


def test_links_that_were_made_outlast_undo_corrections_and_the_end_of_a_game() -> None:
    made = link_made("N", "table_phone")
    final = said(PRECEDENCE, at("NESW", closed=True), FinaliseGame(), before=made)

    assert cut(final, 0).links == {"N": "table_phone"}
    director = MakeSeatLink(seat="N", place="director")
    later = said(PRECEDENCE, at("NESW", closed=True), director, before=final)
    assert (later.final, later.links) == (True, {"N": "director"})
