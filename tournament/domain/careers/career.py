"""A finished game as each of its players saw it, and what a player's games come to: won and lost,
with and against whom, and the best of it all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.shape import JsonMapping
from tournament.domain.same_fields import build_from


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """One game of a player that is over. `place` is the entry of the log at which it began, so that
    games have an order.

    `outcome` is won, drawn, lost, or played where nobody was against. `own` and `other` are the
    scores of the own side and of the best other one (None: there is none), `chips` what the player
    won or, below 0, lost. `best` is what the best hand brought the own side, `best_hand` its number
    (0: no hand has such a number). `contracts` were `met` so often by the own side; `tricks` and
    `audits` are those of the own side in all hands.
    """

    game: str
    kind: str
    place: int
    played_on: str
    outcome: str
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    own: int
    other: int | None
    chips: int
    hands: int
    best: int = 0
    best_hand: int = 0
    tricks: int = 0
    audits: int = 0
    contracts: int = 0
    met: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedGame:
    """A game that is over, as it is told apart and by what it came to.

    `seats` are (seat, player) pairs, `table` and `result` what a game's own functions of these
    names give.
    """

    game: str
    kind: str
    place: int
    played_on: str
    seats: tuple[tuple[str, str], ...]
    table: JsonMapping
    result: JsonMapping


def split_by_player(finished: FinishedGame) -> Iterator[tuple[str, PlayedGame]]:
    """The game as each of its players saw it, by player; who holds several seats sees it from the
    first.
    """
    seen: set[str] = set()
    for seat, player in finished.seats:
        if player not in seen:
            seen.add(player)
            yield player, _read_player_game(finished, seat, player)


def _read_player_game(finished: FinishedGame, seat: str, player: str) -> PlayedGame:
    score, seats = finished.table["score"], dict(finished.seats)
    side = next(side for side in score if seat in side)
    hands: Sequence[JsonMapping] = finished.result["hands"]
    best, best_hand = _best(hands, side, seat)
    partners = tuple(seats[other] for other in seats if other in side and seats[other] != player)
    opponents = tuple(seats[other] for other in seats if other not in side)
    return build_from(
        PlayedGame,
        finished,
        outcome=_outcome(finished.table["winners"], side) if opponents else "played",
        partners=partners,
        opponents=opponents,
        own=score[side],
        other=max((points for other, points in score.items() if other != side), default=None),
        chips=(finished.table.get("chips") or finished.result.get("chips") or {}).get(seat, 0),
        hands=len(hands),
        best=best,
        best_hand=best_hand,
        tricks=_sum(hands, "tricks", side),
        audits=_sum(hands, "audits", side),
        contracts=sum(side in _of(hand, "met") for hand in hands),
        met=_sum(hands, "met", side),
    )


def _outcome(winners: Sequence[str], side: str) -> str:
    if side not in winners:
        return "lost"
    return "won" if len(winners) == 1 else "drawn"


def _best(hands: Sequence[JsonMapping], side: str, seat: str) -> tuple[int, int]:
    """Return the best value of a hand and the number of that hand: points if a hand has
    them, else cards built, else chips.
    """
    brought = [(_find_hand_value(hand, side, seat), -hand["number"]) for hand in hands]
    best, number = max(brought, default=(0, 0))
    return best, -number


def _find_hand_value(hand: JsonMapping, side: str, seat: str) -> int:
    if "points" in hand and isinstance(hand["points"], Mapping):
        return int(hand["points"].get(side, 0))
    return int(hand["built"]) if "built" in hand else int(_of(hand, "chips").get(seat, 0))


def _sum(hands: Sequence[JsonMapping], what: str, side: str) -> int:
    return sum(int(_of(hand, what).get(side, 0)) for hand in hands)


def _of(hand: JsonMapping, what: str) -> JsonMapping:
    """Return the entries of a hand under `what`, by side or seat; empty if they are not
    given by side or seat.
    """
    value = hand.get(what)
    return value if isinstance(value, Mapping) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """Somebody a player sat with or against: in how many games, and how many of them the player
    won.
    """

    player: str
    games: int
    won: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """All finished games of a player of one kind (or of every kind) added up.

    `best` has the best hand and `highest` the highest own score; `widest` was won by the most
    points; None: there is none. `streak` is the longest row of games won, one straight after the
    other.
    """

    games: int
    won: int
    drawn: int
    lost: int
    hands: int
    chips: int
    tricks: int
    audits: int
    contracts: int
    met: int
    streak: int
    best: PlayedGame | None
    highest: PlayedGame | None
    widest: PlayedGame | None
    most_chips: PlayedGame | None


def career_of(games: Iterable[PlayedGame]) -> Career:
    """Return the totals of these games of one player; of equal bests the earlier one is
    kept.
    """
    played = sorted(games, key=lambda each: (each.place, each.game))
    won = [each for each in played if each.outcome == "won"]
    return Career(
        games=len(played),
        won=len(won),
        drawn=sum(each.outcome == "drawn" for each in played),
        lost=sum(each.outcome == "lost" for each in played),
        hands=sum(each.hands for each in played),
        chips=sum(each.chips for each in played),
        tricks=sum(each.tricks for each in played),
        audits=sum(each.audits for each in played),
        contracts=sum(each.contracts for each in played),
        met=sum(each.met for each in played),
        streak=_longest_streak(played),
        best=_first_highest([each for each in played if each.best_hand], lambda each: each.best),
        highest=_first_highest(played, lambda each: each.own),
        widest=_first_highest([each for each in won if each.other is not None], _lead),
        most_chips=_first_highest(
            [each for each in played if each.chips > 0], lambda each: each.chips
        ),
    )


def partners_of(games: Iterable[PlayedGame]) -> list[Companion]:
    """Those a player sat with, the most frequent first."""
    return _companions(games, lambda each: each.partners)


def opponents_of(games: Iterable[PlayedGame]) -> list[Companion]:
    """Those a player sat against, the most frequent first."""
    return _companions(games, lambda each: each.opponents)


def _companions(
    games: Iterable[PlayedGame], others: Callable[[PlayedGame], Sequence[str]]
) -> list[Companion]:
    count: dict[str, int] = {}
    won: dict[str, int] = {}
    for each in games:
        for other in others(each) if each.opponents else ():
            count[other] = count.get(other, 0) + 1
            won[other] = won.get(other, 0) + (each.outcome == "won")
    companions = (
        Companion(player=other, games=times, won=won[other]) for other, times in count.items()
    )
    return sorted(companions, key=lambda each: (-each.games, each.player))


def _lead(each: PlayedGame) -> int:
    return each.own - (each.other or 0)


def _first_highest(
    games: Sequence[PlayedGame], value: Callable[[PlayedGame], int]
) -> PlayedGame | None:
    return max(games, key=value, default=None)


def _longest_streak(played: Sequence[PlayedGame]) -> int:
    longest = now = 0
    for each in played:
        now = now + 1 if each.outcome == "won" else 0
        longest = max(longest, now)
    return longest
