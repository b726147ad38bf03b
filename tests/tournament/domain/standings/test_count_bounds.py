"""How much of a thing there can be behind a table: the limits of typed results against everything
that a few hands of each game can come to, and the same answer in a file, at the desk and through
the API.
"""

import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from scoring.errors import Refusal
from scoring.precedence.score import audit
from tests.tournament.domain.tournament.desk import Desk
from tournament.domain.standings.formats import most_opponents
from tournament.domain.standings.reading import read_stage, read_tournament
from tournament.domain.standings.result_bounds import wrong_with
from tournament.domain.standings.values import Result, Scale, SeatedTable, Stage
from tournament.domain.standings.writing import write_stage
from tournament.domain.tournament.deals import UseStocks
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckInAll
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.subjects import ACTS

POINTS = Scale(kind="points")


def of(game: str, *results: Result, scale: Scale = POINTS, **more: Any) -> str:
    """Why a table of these results is refused, "" where it is not."""
    entries = tuple(map(str, range(1, len(results) + 1)))
    table = SeatedTable(table=1, entries=entries, results=results, **more)
    wrong = wrong_with(scale, table, game=game)
    return "" if wrong is None else str(wrong.message)


def sides_of_hands(hands: int) -> Iterator[tuple[Result, Result]]:
    """Everything that two sides can reach in so many hands of Precedence: Excess as left after
    audits, and as all that was gathered, by either way of counting on after an audit (P19).
    """
    a_hand = [
        (tricks, over, others)
        for tricks in range(14)
        for over in range(tricks + 1)
        for others in range(14 - tricks)
    ]
    sampled = a_hand if hands == 1 else random.Random(hands).sample(a_hand, 20)
    for played, carry in product(product(sampled, repeat=hands), (False, True)):
        sides = []
        for side in (0, 1):
            tricks = sum(each[0] if side == 0 else 13 - each[0] for each in played)
            left = audits = gathered = 0
            for each in played:
                over = each[1] if side == 0 else each[2]
                more, left = audit(left + over, carry=carry)
                audits, gathered = audits + more, gathered + over
            sides.append((tricks, audits, left, gathered))
        (tricks, audits, left, gathered), (tricks_2, audits_2, left_2, gathered_2) = sides
        yield (
            Result(score=0, tricks=tricks, audits=audits, excess=left),
            Result(score=0, tricks=tricks_2, audits=audits_2, excess=left_2),
        )
        yield Result(score=0, excess=gathered), Result(score=0, excess=gathered_2)


@pytest.mark.parametrize("hands", [1, 2])
def test_all_that_hands_of_precedence_can_come_to_is_taken_and_no_more(hands: int) -> None:
    reached = set(sides_of_hands(hands))
    for one, two in reached:
        for way in ({"hands": hands}, {"deals": tuple(range(1, hands + 1))}):
            assert not of("precedence", one, two, **way), (one, two)
    for field in ("tricks", "audits", "excess"):
        most = max(getattr(one, field) or 0 for one, _two in sides_of_hands(hands))
        most = 13 * hands if field != "audits" else most  # more than a sample finds
        beyond = Result(score=0, **{field: most + 1})
        assert of("precedence", beyond, Result(score=0), hands=hands)
        assert of("precedence", beyond, Result(score=0), deals=tuple(range(1, hands + 1)))


@pytest.mark.parametrize(
    ("one", "two", "more", "words"),
    [
        ({"excess": 14}, {}, {"deals": (1,)}, "1 deals bring 13 at most"),
        ({"audits": 2}, {}, {"deals": (4,)}, "1 deals bring 1 at most"),
        ({}, {}, {"deals": (1, 2), "hands": 3}, "the table has 2 deals"),
        ({"excess": 9}, {"excess": 9}, {"hands": 1}, "need 18 tricks above the contracts"),
        ({"excess": 8, "tricks": 7}, {"tricks": 6}, {"hands": 1}, "of 7 tricks"),
        ({"built": 20}, {}, {"hands": 1}, "Precedence counts no cards built"),
    ],
)
def test_what_deals_and_hands_of_precedence_cannot_bring_is_refused(
    one: dict[str, int], two: dict[str, int], more: dict[str, Any], words: str
) -> None:
    scored = [Result(score=0, **one), Result(score=0, **two)]
    assert words in of("precedence", *scored, **more)


def test_tricks_of_preference_are_those_of_hands_that_were_played() -> None:
    compositions: list[tuple[int, ...]] = [
        (one, two, 10 - one - two) for one in range(11) for two in range(11) if one + two <= 10
    ]
    for tricks in [(0, 0, 0), *compositions]:  # a hand that was thrown in has none
        assert not of("preference", *(Result(score=0, tricks=each) for each in tricks), hands=1)
    for counted in product(range(12), repeat=3):
        if counted not in {*compositions, (0, 0, 0)}:
            assert of("preference", *(Result(score=0, tricks=each) for each in counted), hands=1)


@pytest.mark.parametrize("deals", [1, 2, 3, 12])
def test_the_patience_builds_up_to_a_pack_twice_in_each_deal(deals: int) -> None:
    built = Scale(kind="built")
    there = tuple(range(1, deals + 1))
    for cards, is_possible in ((0, True), (104 * deals, True), (104 * deals + 1, False)):
        for way in ({"hands": deals}, {"deals": there}):
            result = Result(built=cards, score=100 * cards)
            assert bool(of("order_of_precedence", result, scale=built, **way)) != is_possible
    assert of("order_of_precedence", Result(built=3, score=400), scale=built, deals=there)


def test_a_score_that_is_chips_is_as_many_of_them() -> None:
    for game in ("preference", "contract_sabacc"):
        assert not of(game, *(Result(score=each) for each in (500, -300, -200)))
        assert "a score of 4, not 5" in of(
            game,
            *(Result(score=score, chips=chips) for score, chips in ((500, 4), (-500, -5), (0, 1))),
        )


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("opponents", [0, 4])
def test_given_points_of_a_table_of_many_are_those_of_some_order(size: int, opponents: int) -> None:
    scale = Scale(opponents=opponents)
    taken = {
        tuple(sorted(points))
        for points in combinations_with_replacement(sorted(_shares(size, opponents)), size)
        if not of("contract_sabacc", *(Result(points=each) for each in points), scale=scale)
    }
    assert taken == {tuple(sorted(_by_hand(scores, opponents))) for scores in _orders(size)}


def _orders(size: int) -> Iterator[tuple[int, ...]]:
    return product(range(size), repeat=size)


def _by_hand(scores: tuple[int, ...], opponents: int) -> list[int]:
    others = len(scores) - 1
    if opponents:
        behind = [sum((o < s) + (o == s) / 2 for o in scores) - 0.5 for s in scores]
        return [int(100 * each / others + 0.5) for each in behind]
    best = max(scores)
    first = 100 if scores.count(best) == 1 else 50
    return [first if each == best else 0 for each in scores]


def _shares(size: int, opponents: int) -> set[int]:
    return {points for scores in _orders(size) for points in _by_hand(scores, opponents)} | {77}


# An event of each kind, with how many single players or pairs sit at a table and its deals.
EVENTS: list[tuple[str, dict[str, Any], int, int]] = [
    ("precedence", {"kind": "swiss", "rounds": 2, "scale": {"kind": "points"}}, 2, 2),
    ("precedence", {"kind": "round_robin", "scale": {"kind": "chips"}}, 2, 2),
    ("precedence", {"kind": "knockout", "scale": {"kind": "match"}}, 2, 2),
    ("precedence", {"kind": "rotating", "rounds": 2}, 4, 1),
    ("precedence", {"kind": "movement", "movement": "howell", "deals_a_round": 2}, 4, 2),
    ("preference", {"kind": "pods", "rounds": 2, "sizes": [3]}, 3, 1),
    ("contract_sabacc", {"kind": "pods", "rounds": 2, "sizes": [4]}, 4, 1),
    ("order_of_precedence", {"kind": "duplicate", "deals": 2, "scoring": "built"}, 2, 1),
    ("order_of_precedence", {"kind": "duplicate", "deals": 2, "scoring": "matchpoints"}, 2, 1),
]


def a_desk(game: str, stage: Stage, entries: int, players: int) -> Desk:
    """Round 1 of an event, published."""
    opening = OpenTournament(record="made", name="Made", game=game, seed=7, stage=stage)
    desk = Desk(opening=opening).does(EnterPhase(phase="registration"))
    for number in range(1, entries + 1):
        names = tuple((str(place), f"p{number} {place}") for place in range(1, players + 1))
        desk.does(MakeEntry(players=names))
    desk.does(CheckInAll(), EnterPhase(phase="running"))
    if stage.kind == "duplicate":
        desk.does(UseStocks(stocks=tuple(f"s{deal}" for deal in range(stage.duplicate.deals))))
    return desk.does(DrawRound(round=1), PublishRound(round=1))


def a_case(chance: random.Random, entries: int, deals: tuple[int, ...]) -> dict[str, Any]:
    """A result as the API takes it, with whatever numbers: about half of them can be."""
    case: dict[str, Any] = {}
    zero_sum = [chance.randint(-30, 30) for _ in range(entries - 1)]
    chips = [*zero_sum, -sum(zero_sum) + chance.choice((0, 0, 0, 1))]
    tricks = [chance.choice((3, 7, 10, 13)) for _ in range(entries)]
    if entries == 2 and chance.random() < 0.7:
        tricks[1] = 13 - tricks[0]
    fields = chance.sample(("chips", "tricks", "audits", "excess", "built", "score"), 2)
    scores = chance.choice((chips, chips, [chance.choice((40, 104)) for _ in range(entries)]))
    results: list[dict[str, Any]] = [{} for _ in range(entries)]
    for place, each in enumerate(results):
        for field in {*fields, "score"}:
            each[field] = {
                "chips": chips[place],
                "tricks": tricks[place],
                "audits": chance.choice((0, 1, 2)),
                "excess": chance.choice((0, 3, 9, 14)),
                "built": chance.choice((0, 40, 104, 105, 208, 209)),
                "score": scores[place],
            }[field]
    if not deals or chance.random() < 0.5:
        case["results"] = results
    else:
        case["boards"] = [
            {"deal": deal, "scores": [chance.choice((0, 40, 104, 105, -1)) for _ in range(entries)]}
            for deal in deals
        ]
    if chance.random() < 0.6:
        case["hands"] = chance.choice((1, 2, 3))
    return case


def as_file(
    game: str, stage: Stage, desk: Desk, case: dict[str, Any], deals: tuple[int, ...]
) -> dict[str, Any]:
    """The same result in a file."""
    (first, *_others) = desk.now.rounds[0].tables
    table: dict[str, Any] = {"table": 1, "entries": list(first.entries), "deals": list(deals)}
    if "results" in case:
        table["result"] = dict(zip(first.entries, case["results"], strict=True))
    if "boards" in case:
        table["boards"] = [
            board | {"scores": dict(zip(first.entries, board["scores"], strict=True))}
            for board in case["boards"]
        ]
    table |= {key: case[key] for key in ("hands",) if key in case}
    if first.match is not None:
        table |= {"match": first.match}
    return {
        "format": "salon-tournament/1",
        "id": "made",
        "game": game,
        "stage": write_stage(stage),
        "entries": [
            {
                "id": entry.id,
                "players": [f"{entry.id} {name}" for name in "ab"[: len(entry.players)]],
            }
            for entry in desk.now.entries
        ],
        "rounds": [{"tables": [table]}],
    }


@pytest.mark.parametrize(("game", "said", "entries", "players"), EVENTS)
def test_a_result_is_taken_or_refused_alike_in_a_file_at_the_desk_and_by_the_api(
    game: str, said: dict[str, Any], entries: int, players: int
) -> None:
    stage = read_stage(said, "stage", game)
    assert stage.scale.opponents == most_opponents(stage.kind, stage.pods)
    desk = a_desk(game, stage, entries, players)
    table = desk.now.rounds[0].tables[0]
    chance, answers = random.Random(f"{game} {stage.kind}"), set()
    for _number in range(120):
        case = a_case(chance, len(table.entries), table.deals)
        there = _refusal(lambda case=case: desk_takes(desk, {"round": 1, "table": 1, **case}))
        written = _refusal(
            lambda case=case: read_tournament(as_file(game, stage, desk, case, table.deals))
        )
        assert bool(there) == bool(written), (case, there, written)
        assert not there or "table 1" in there, there
        answers.add(bool(there))
    assert answers == {True, False}


def desk_takes(desk: Desk, sent: dict[str, Any]) -> None:
    before, events = desk.state, list(desk.events)
    try:
        desk.does(ACTS["results"](sent, 0))
    finally:
        desk.state, desk.events = before, events


def _refusal(act: Any) -> str:
    try:
        act()
    except Refusal as refusal:
        return str(refusal.message)
    return ""
