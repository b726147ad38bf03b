"""What a player's finished games come to: won and lost, with and against whom, and the best of it
all.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tournament.domain.careers.played import PlayedGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
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
    """What these games of one player come to; of equal bests the earlier one stands."""
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


def partners_of(games: Iterable[PlayedGame]) -> list[Met]:
    """Those a player sat with, the most frequent first."""
    return _met(games, lambda each: each.partners)


def opponents_of(games: Iterable[PlayedGame]) -> list[Met]:
    """Those a player sat against, the most frequent first."""
    return _met(games, lambda each: each.opponents)


def _met(games: Iterable[PlayedGame], who: Callable[[PlayedGame], Sequence[str]]) -> list[Met]:
    count: dict[str, int] = {}
    won: dict[str, int] = {}
    for each in games:
        for other in who(each) if each.opponents else ():
            count[other] = count.get(other, 0) + 1
            won[other] = won.get(other, 0) + (each.outcome == "won")
    met = (Met(player=other, games=times, won=won[other]) for other, times in count.items())
    return sorted(met, key=lambda each: (-each.games, each.player))


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
