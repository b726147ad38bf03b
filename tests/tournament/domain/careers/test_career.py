"""What a player's finished games come to."""

from typing import Any

from tournament.domain.careers.career import (
    FinishedGame,
    PlayedGame,
    career_of,
    opponents_of,
    partners_of,
    split_by_player,
)

SEATS = (("N", "asha"), ("E", "brin"), ("S", "cato"), ("W", "dara"))


def precedence(
    place: int, hands: list[dict[str, Any]], winners: list[str], score: tuple[int, int]
) -> FinishedGame:
    """A game of two teams; North–South win as many chips as East–West lose."""
    chips = {"N": 3, "E": -4, "S": 5, "W": -4}
    return FinishedGame(
        game=f"game-{place}",
        kind="precedence",
        place=place,
        played_on="2026-11-21",
        seats=SEATS,
        table={"score": {"NS": score[0], "EW": score[1]}, "winners": winners, "chips": chips},
        result={"hands": hands},
    )


def a_hand(
    number: int, ns: int, ew: int, *, met: tuple[bool, bool] = (True, True), audits: int = 0
) -> dict[str, Any]:
    return {
        "number": number,
        "points": {"NS": ns, "EW": ew},
        "tricks": {"NS": 7, "EW": 6},
        "met": {"NS": met[0], "EW": met[1]},
        "audits": {"NS": audits, "EW": 0},
    }


def of(player: str, *games: FinishedGame) -> list[PlayedGame]:
    return [played for game in games for who, played in split_by_player(game) if who == player]


THREE = (
    precedence(1, [a_hand(1, 80, 40), a_hand(2, 90, -20, met=(True, False))], ["NS"], (170, 20)),
    precedence(2, [a_hand(1, 90, 40, audits=1)], ["NS"], (90, 40)),
    precedence(9, [a_hand(1, 10, 95, met=(False, True))], ["EW"], (10, 95)),
)


def test_games_won_and_lost_hands_and_contracts_are_counted_by_side() -> None:
    asha, brin = (career_of(of(player, *THREE)) for player in ("asha", "brin"))

    assert (asha.games, asha.won, asha.drawn, asha.lost, asha.hands) == (3, 2, 0, 1, 4)
    assert (brin.won, brin.lost) == (1, 2)
    assert (asha.contracts, asha.met, brin.met) == (4, 3, 3)
    assert (asha.tricks, brin.tricks, asha.audits, brin.audits) == (28, 24, 1, 0)


def test_the_best_are_the_first_to_reach_them_and_say_where() -> None:
    career = career_of(reversed(of("cato", *THREE)))

    assert career.best is not None
    assert (career.best.game, career.best.best_hand, career.best.best) == ("game-1", 2, 90)
    assert career.highest is not None
    assert (career.highest.own, career.highest.game) == (170, "game-1")
    assert career.widest is not None
    assert (career.widest.own, career.widest.other) == (170, 20)
    assert career.streak == 2


def test_who_has_won_nothing_has_no_widest_win_and_no_chips_won() -> None:
    career = career_of(of("dara", *THREE[:2]))

    assert (career.widest, career.most_chips, career.streak, career.chips) == (None, None, 0, -8)
    assert career_of([]).games == 0


def test_partners_and_opponents_are_met_as_often_as_they_sat_there() -> None:
    asha = of("asha", *THREE)

    assert [(met.player, met.games, met.won) for met in partners_of(asha)] == [("cato", 3, 2)]
    assert [(met.player, met.games, met.won) for met in opponents_of(asha)] == [
        ("brin", 3, 2),
        ("dara", 3, 2),
    ]


def test_chips_are_won_from_each_other() -> None:
    everybody = [career_of(of(player, *THREE)).chips for _seat, player in SEATS]

    assert sum(everybody) == 0


def test_two_winners_share_a_draw_and_alone_nobody_wins() -> None:
    drawn = precedence(1, [a_hand(1, 50, 50)], ["NS", "EW"], (50, 50))
    patience = FinishedGame(
        game="p", kind="order_of_precedence", place=1, played_on="", seats=(("A", "asha"),),
        table={"score": {"A": 54}, "winners": []},
        result={"hands": [{"number": 1, "built": 54, "won": False}]},
    )  # fmt: skip

    assert {played.outcome for _player, played in split_by_player(drawn)} == {"drawn"}
    ((_player, alone),) = split_by_player(patience)
    assert (alone.outcome, alone.other, alone.best, alone.best_hand) == ("played", None, 54, 1)
