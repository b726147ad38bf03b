"""What each format asks besides rounds, scale and tie-breaks: read from a file or a form, written
again, and held against the game it is for (tournaments.md).
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict

from scoring.errors import NotationError, RuleViolation, sentence
from scoring.games import GAMES
from scoring.shape import JsonObject, a_list, a_number, kind_of, one_of
from tournament.domain.brackets.values import Knockout
from tournament.domain.standings.values import (
    BUILT,
    BY_RATING,
    BY_SCORE,
    DOUBLE,
    HOWELL,
    IMPS,
    IN_ORDER,
    MATCHPOINTS,
    MITCHELL,
    PLANNED,
    SCALE_KINDS,
    SINGLE,
    VICTORY_POINTS,
    Duplicate,
    Movement,
    Pods,
    Rotating,
    Stage,
)

type Given = Mapping[str, object]
type Own = Rotating | Pods | Movement | Knockout | Duplicate

SITTINGS = (1, 3)  # games before the players move
BEST_OF = (1, 3, 5, 7)
# What a single table can be won by: a lead that moves no victory point would be a drawn game.
KNOCKOUT_SCALES = ("match", "points", "chips", "built")
# What deals are compared by where everybody plays the same; the IMPs of a round may be a match.
DUPLICATE_SCALES: Mapping[str, tuple[str, ...]] = {
    MATCHPOINTS: (MATCHPOINTS,),
    IMPS: (IMPS, VICTORY_POINTS),
    BUILT: (BUILT,),
}
# What needs deals that several tables play. Matchpoints don't: whoever had the same seats in a
# round is compared, whatever was dealt.
DEAL_BY_DEAL = (IMPS, VICTORY_POINTS)
MOST_DEALS_A_ROUND = 40
MOST_DEALS = 200
PODS = (3, 4, 5)


def read_own(kind: str, given: Given, path: str, game: str) -> Own:
    """What a stage of this kind asks besides. Raises NotationError."""
    return READ[kind](given, path, game)


def write_own(stage: Stage) -> JsonObject:
    """The same as a file holds it; nothing for a format that asks nothing."""
    if stage.kind not in READ:
        return {}
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in asdict(getattr(stage, stage.kind)).items()
    }


def sizes_for(game: str) -> tuple[int, ...]:
    """The sizes of tables at which everybody plays for themselves in a game, the greatest first."""
    if game not in GAMES or GAMES[game].teams:
        return ()
    return tuple(
        sorted((len(seats) for seats in GAMES[game].seatings if len(seats) in PODS), reverse=True)
    )


def plays_alone(stage: Stage, game: str) -> bool:
    """Whether everybody in a stage of this game plays the deals at a table of their own."""
    return stage.kind == "duplicate" and game in GAMES and max(map(len, GAMES[game].seatings)) == 1


def most_opponents(kind: str, own: Own | None) -> int:
    """To how many opponents results at tables of different size are brought."""
    return max(own.sizes) - 1 if kind == "pods" and isinstance(own, Pods) and own.sizes else 0


def usual_scale(own: Own | None) -> str:
    """The scale of a stage where none is named; where everybody plays the same deals it is what
    they are compared by.
    """
    return own.scoring if isinstance(own, Duplicate) else "match"


def scales_for(stage: Stage, game: str) -> tuple[str, ...]:
    """The scales that a stage of this kind can count by, of what a result of the game holds."""
    alone = BUILT in GAMES[game].limits
    counted = [scale for scale in SCALE_KINDS if scale != ("chips" if alone else BUILT)]
    if stage.kind == "duplicate":
        possible: tuple[str, ...] = DUPLICATE_SCALES[stage.duplicate.scoring]
    elif stage.kind == "knockout":
        possible = KNOCKOUT_SCALES
    elif stage.plays_same_deals:
        possible = SCALE_KINDS
    else:
        possible = tuple(scale for scale in SCALE_KINDS if scale not in DEAL_BY_DEAL)
    return tuple(scale for scale in counted if scale in possible)


def check_scale(stage: Stage, game: str, path: str = "stage") -> None:
    """Raise RuleViolation `no_format` where a stage can't count by its scale, so that nothing would
    come of its results.
    """
    possible = scales_for(stage, game)
    if not possible:
        raise RuleViolation(
            "no_format",
            "%(title)s has no cards built; its deals are compared by matchpoints or imps",
            rule="tournaments",
            path=f"{path}.scoring",
            title=GAMES[game].title,
        )
    if stage.scale.kind not in possible:
        raise RuleViolation(
            "no_format",
            "%(title)s in this format counts by %(scales)s, not by %(scale)s",
            rule="tournaments",
            path=f"{path}.scale.kind",
            title=GAMES[game].title,
            scales=", ".join(possible),
            scale=stage.scale.kind,
        )


def check_format(stage: Stage, game: str, path: str = "stage") -> None:
    """Raise RuleViolation `no_format` where a game can't be played in this format."""
    chosen = GAMES[game]
    alone = max(map(len, chosen.seatings)) == 1
    wrong = None
    if stage.kind == "pods" and not sizes_for(game):
        wrong = sentence("pods are for games in which three to five play for themselves")
    elif stage.kind in ("rotating", "movement") and not chosen.teams:
        wrong = sentence("partners change or pairs move in games with partners only")
    elif stage.kind == "knockout" and not chosen.teams and not alone:
        wrong = sentence("two meet at a table of this format, and this game seats more than two")
    elif stage.kind == "duplicate" and not alone and not chosen.teams:
        wrong = sentence("this game has no deals that can be played again")
    if wrong is not None:
        raise RuleViolation("no_format", wrong, rule="tournaments", path=f"{path}.kind")
    if stage.kind == "knockout" and stage.scale.kind not in KNOCKOUT_SCALES:
        raise RuleViolation(
            "no_format",
            "a match of a knock-out has a winner: it counts by %(scales)s, not by %(scale)s",
            rule="tournaments",
            path=f"{path}.scale.kind",
            scales=", ".join(KNOCKOUT_SCALES),
            scale=stage.scale.kind,
        )
    strange = [size for size in stage.pods.sizes if size not in sizes_for(game)]
    if stage.kind == "pods" and strange:
        raise RuleViolation(
            "no_format",
            "%(title)s is played at tables of %(sizes)s, not of %(size)s",
            rule="tournaments",
            path=f"{path}.sizes",
            title=chosen.title,
            sizes=", ".join(map(str, sorted(sizes_for(game)))),
            size=strange[0],
        )


def _rotating(given: Given, path: str, _game: str) -> Rotating:
    games = a_number(given.get("games_a_sitting", 1), f"{path}.games_a_sitting", least=1, most=3)
    if games not in SITTINGS:
        raise NotationError(
            "one game a sitting is expected here, or three", path=f"{path}.games_a_sitting"
        )
    return Rotating(games_a_sitting=games)


def _pods(given: Given, path: str, game: str) -> Pods:
    sizes = [
        a_number(size, f"{path}.sizes[{place}]", least=PODS[0], most=PODS[-1])
        for place, size in enumerate(a_list(given.get("sizes", []), f"{path}.sizes"))
    ]
    if len(set(sizes)) < len(sizes):
        raise NotationError("a size stands twice in the list", path=f"{path}.sizes")
    return Pods(
        sizes=tuple(sizes) or sizes_for(game),
        seating=one_of(given.get("seating", PLANNED), (PLANNED, BY_SCORE), f"{path}.seating"),
    )


def _movement(given: Given, path: str, _game: str) -> Movement:
    return Movement(
        movement=one_of(given.get("movement", MITCHELL), (MITCHELL, HOWELL), f"{path}.movement"),
        deals_a_round=a_number(
            given.get("deals_a_round", 2), f"{path}.deals_a_round", least=1, most=MOST_DEALS_A_ROUND
        ),
        winners=a_number(given.get("winners", 1), f"{path}.winners", least=1, most=2),
    )


def _knockout(given: Given, path: str, _game: str) -> Knockout:
    best_of = a_number(given.get("best_of", 1), f"{path}.best_of", least=1, most=BEST_OF[-1])
    if best_of not in BEST_OF:
        raise NotationError("an odd number of games is expected here", path=f"{path}.best_of")
    elimination = one_of(given.get("elimination", SINGLE), (SINGLE, DOUBLE), f"{path}.elimination")
    third = a_truth(given.get("third_place", False), f"{path}.third_place")
    reseed = a_truth(given.get("reseed", False), f"{path}.reseed")
    if elimination == DOUBLE and (third or reseed):
        raise NotationError(
            "in double elimination the lower bracket decides the third place, and nobody is "
            "seeded anew",
            path=f"{path}.{'third_place' if third else 'reseed'}",
        )
    return Knockout(
        elimination="double" if elimination == DOUBLE else "single",
        third_place=third,
        reseed=reseed,
        best_of=best_of,
        seeds=one_of(given.get("seeds", IN_ORDER), (IN_ORDER, BY_RATING), f"{path}.seeds"),
    )


def _duplicate(given: Given, path: str, game: str) -> Duplicate:
    alone = game in GAMES and not GAMES[game].teams
    usual = BUILT if alone else MATCHPOINTS
    return Duplicate(
        deals=a_number(given.get("deals", 12), f"{path}.deals", least=1, most=MOST_DEALS),
        scoring=one_of(given.get("scoring", usual), (MATCHPOINTS, IMPS, BUILT), f"{path}.scoring"),
    )


def a_truth(value: object, path: str) -> bool:
    """The value if it is true or false. Raises NotationError."""
    if not isinstance(value, bool):
        raise NotationError(
            "true or false is expected here, not %(value)s", path=path, value=kind_of(value)
        )
    return value


READ: Mapping[str, Callable[[Given, str, str], Own]] = {
    "rotating": _rotating,
    "pods": _pods,
    "movement": _movement,
    "knockout": _knockout,
    "duplicate": _duplicate,
}
