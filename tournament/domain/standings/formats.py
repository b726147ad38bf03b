"""The options of each format besides rounds, scale and tie-breaks.

They are read from a file or a form, written again, and checked against the game
(tournaments.md).
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict

from scoring.errors import NotationError, RuleViolation, Sentence, sentence
from scoring.games import GAMES
from scoring.shape import JsonObject, a_list
from tournament.domain.brackets.values import Knockout
from tournament.domain.standings.duplicate import SMALL_GROUPS, SmallGroups
from tournament.domain.standings.file_objects import FileObject, a_number_of, a_truth, one_from
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
# How a game is played at a table, and with it the formats that it can be played in, the usual one
# first.
PARTNERS, EACH_ALONE, SOLITARY = "partners", "each alone", "solitary"
FORMATS: Mapping[str, tuple[str, ...]] = {
    PARTNERS: ("swiss", "round_robin", "movement", "rotating", "duplicate", "knockout"),
    EACH_ALONE: ("pods",),
    SOLITARY: ("duplicate", "swiss", "round_robin", "knockout"),
}
FORMAT_TITLES: Mapping[str, Sentence] = {
    "swiss": sentence("Swiss"),
    "round_robin": sentence("round robin"),
    "pods": sentence("tables of three to five"),
    "rotating": sentence("single players who change partners"),
    "movement": sentence("pairs that play the same deals"),
    "knockout": sentence("knock-out"),
    "duplicate": sentence("the same deals for everyone"),
}
# Results of these tables are compared, whatever was played there.
COMPARED = ("swiss", "round_robin", "knockout")
# What a file says only where it is otherwise: files and digests from before these could be chosen
# stay what they were.
UNSAID: Mapping[str, object] = {"rover": False, "small_groups": SMALL_GROUPS[0]}


def read_own(kind: str, given: Given, path: str, game: str) -> Own:
    """Read the options of a stage of this kind. Raises NotationError."""
    return READ[kind](FileObject(given, path), game)


def write_own(stage: Stage) -> JsonObject:
    """The same as a file holds it; nothing for a format that asks nothing."""
    return {
        key: value
        for key, value in whole_own(stage).items()
        if key not in UNSAID or value != UNSAID[key]
    }


def whole_own(stage: Stage) -> JsonObject:
    """The same with what a file need not say."""
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


def formats_for(game: str) -> tuple[str, ...]:
    """The formats that a game can be played in, the usual one first."""
    return FORMATS[_manner_of(game)]


def is_typed_only(kind: str, game: str, players: int | None = None) -> bool:
    """Whether no game can be begun at a table of this format, so that results can only be typed:
    where two compare what each did alone, or where entries of `players` don't fill the seats of a
    side.
    """
    if kind not in COMPARED:
        return False
    sides = {len(side) for side in GAMES[game].teams}
    return not sides or (players is not None and players not in sides)


def _manner_of(game: str) -> str:
    """Return the way a game is played at a table: by partners, each alone, or solitary."""
    if GAMES[game].teams:
        return PARTNERS
    return EACH_ALONE if sizes_for(game) else SOLITARY


def plays_alone(stage: Stage, game: str) -> bool:
    """Whether everybody in a stage of this game plays the deals at a table of their own."""
    return stage.kind == "duplicate" and game in GAMES and _manner_of(game) == SOLITARY


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
        raise _no_format(
            f"{path}.scoring",
            "%(title)s has no cards built; its deals are compared by matchpoints or imps",
            title=GAMES[game].title,
        )
    if stage.scale.kind not in possible:
        raise _no_format(
            f"{path}.scale.kind",
            "%(title)s in this format counts by %(scales)s, not by %(scale)s",
            title=GAMES[game].title,
            scales=", ".join(possible),
            scale=stage.scale.kind,
        )


def check_format(stage: Stage, game: str, path: str = "stage") -> None:
    """Raise RuleViolation `no_format` where a game can't be played in this format, naming those
    that it can be played in.
    """
    fitting = formats_for(game)
    if stage.kind not in fitting:
        raise _no_format(
            f"{path}.kind",
            "%(title)s can't be played in the format “%(format)s”; it can be in: %(formats)s",
            title=GAMES[game].title,
            format=FORMAT_TITLES.get(stage.kind, stage.kind),
            formats=tuple(FORMAT_TITLES[kind] for kind in fitting),
        )
    if stage.kind == "knockout" and stage.scale.kind not in KNOCKOUT_SCALES:
        raise _no_format(
            f"{path}.scale.kind",
            "a match of a knock-out has a winner: it counts by %(scales)s, not by %(scale)s",
            scales=", ".join(KNOCKOUT_SCALES),
            scale=stage.scale.kind,
        )
    strange = [size for size in stage.pods.sizes if size not in sizes_for(game)]
    if stage.kind == "pods" and strange:
        raise _no_format(
            f"{path}.sizes",
            "%(title)s is played at tables of %(sizes)s, not of %(size)s",
            title=GAMES[game].title,
            sizes=", ".join(map(str, sorted(sizes_for(game)))),
            size=strange[0],
        )


def check_drawable_format(stage: Stage, game: str) -> None:
    """Raise RuleViolation `no_format` where no tables can be made for a game in this format.

    Two could meet in a Swiss or a round robin of every game before `check_format` refused that;
    what was set up so is drawn on.
    """
    if stage.kind not in ("swiss", "round_robin"):
        check_format(stage, game)


def _read_rotating(given: FileObject, _game: str) -> Rotating:
    games = given.usual("games_a_sitting", a_number_of(1, 3), 1)
    if games not in SITTINGS:
        raise NotationError(
            "one game a sitting is expected here, or three", path=f"{given.path}.games_a_sitting"
        )
    return Rotating(games_a_sitting=games)


def _pods(given: FileObject, game: str) -> Pods:
    read_size = a_number_of(PODS[0], PODS[-1])
    listed = given.usual("sizes", a_list, [])
    sizes = tuple(
        read_size(size, f"{given.path}.sizes[{place}]") for place, size in enumerate(listed)
    )
    if len(set(sizes)) < len(sizes):
        raise NotationError("a size stands twice in the list", path=f"{given.path}.sizes")
    return Pods(
        sizes=sizes or sizes_for(game),
        seating=given.usual("seating", one_from((PLANNED, BY_SCORE)), PLANNED),
    )


def _movement(given: FileObject, _game: str) -> Movement:
    movement = given.usual("movement", one_from((MITCHELL, HOWELL)), MITCHELL)
    rover = given.usual("rover", a_truth, False)
    if rover and movement == HOWELL:
        raise NotationError(
            "a rover is the odd pair of a Mitchell; in a Howell one pair sits out each round",
            path=f"{given.path}.rover",
        )
    return Movement(
        movement=movement,
        deals_a_round=given.usual("deals_a_round", a_number_of(1, MOST_DEALS_A_ROUND), 2),
        winners=given.usual("winners", a_number_of(1, 2), 1),
        rover=rover,
        small_groups=_small_groups(given),
    )


def _knockout(given: FileObject, _game: str) -> Knockout:
    path = given.path
    best_of = given.usual("best_of", a_number_of(1, BEST_OF[-1]), 1)
    if best_of not in BEST_OF:
        raise NotationError("an odd number of games is expected here", path=f"{path}.best_of")
    elimination = given.usual("elimination", one_from((SINGLE, DOUBLE)), SINGLE)
    third = given.usual("third_place", a_truth, False)
    reseed = given.usual("reseed", a_truth, False)
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
        seeds=given.usual("seeds", one_from((IN_ORDER, BY_RATING)), IN_ORDER),
    )


def _duplicate(given: FileObject, game: str) -> Duplicate:
    alone = game in GAMES and not GAMES[game].teams
    return Duplicate(
        deals=given.usual("deals", a_number_of(1, MOST_DEALS), 12),
        scoring=given.usual(
            "scoring", one_from((MATCHPOINTS, IMPS, BUILT)), BUILT if alone else MATCHPOINTS
        ),
        small_groups=_small_groups(given),
    )


def _small_groups(given: FileObject) -> SmallGroups:
    chosen = given.usual("small_groups", one_from(SMALL_GROUPS), SMALL_GROUPS[0])
    return next(each for each in SMALL_GROUPS if each == chosen)


READ: Mapping[str, Callable[[FileObject, str], Own]] = {
    "rotating": _read_rotating,
    "pods": _pods,
    "movement": _movement,
    "knockout": _knockout,
    "duplicate": _duplicate,
}


def _no_format(path: str, message: str | Sentence, **values: object) -> RuleViolation:
    return RuleViolation("no_format", message, rule="tournaments", path=path, **values)
