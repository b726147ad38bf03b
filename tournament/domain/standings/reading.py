"""A tournament as a file: salon-tournament/1 read into its values (tournaments.md). What the rules
forbid is for `checks`.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal

from scoring.errors import NotationError
from scoring.games import GAMES
from scoring.shape import a_list, a_number, a_text, an_object, inside, kind_of, one_of, required
from tournament.domain.names import JOINERS, LONGEST_NAME, plain_name
from tournament.domain.standings.checks import check_tournament
from tournament.domain.standings.scales import DEFAULT_STEPS
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import (
    BY_LOT,
    BYE_KINDS,
    BYES_TO,
    ENGINES,
    SCALE_KINDS,
    SEEDINGS,
    STAGE_KINDS,
    Adjustment,
    Bye,
    Entry,
    Result,
    Round,
    Scale,
    SeatedTable,
    Stage,
    Tournament,
)

FORMAT = "salon-tournament/1"
KEYS = ("format", "id", "name", "game", "seed", "stage", "entries", "rounds", "adjustments", "draw")
STAGE_KEYS = ("kind", "rounds", "scale", "tie_breaks", "clubs_apart", "double", "bye_to", "seeding")
ENTRY_KEYS = (
    "id",
    "name",
    "players",
    "rating",
    "club",
    "joined_in",
    "withdrawn_after",
    "away",
    "entered",
    "earlier",
)
TABLE_KEYS = ("table", "entries", "result", "forfeit", "excused", "hands", "dealer")
RESULT_KEYS = ("points", "score", "chips", "tricks", "audits", "excess", "built")
SCALE_KEYS: Mapping[str, tuple[str, ...]] = {
    "match": ("kind", "win", "draw", "loss", "bye"),
    "margin": ("kind", "bye", "steps"),
    **{kind: ("kind", "bye") for kind in SCALE_KINDS if kind not in ("match", "margin")},
}
# What the odd one out of a Swiss gets when the file doesn't say: a win, twelve of twenty victory
# points, half of what can be matched. Sitting out of a round robin is worth nothing then.
BYES: Mapping[str, int] = {
    "match": 100,
    "margin": 1200,
    "points": 0,
    "chips": 0,
    "built": 0,
    "matchpoints": 5000,
}
LONGEST_ID = 64
MOST_ENTRIES = 5_000
MOST_ROUNDS = 200
MOST_SEATS = 5
MOST_POINTS = 1_000_000
GREATEST_SEED = 2**53 - 1


def read_tournament(value: object) -> Tournament:
    """A tournament as its file says. Raises NotationError for what can't be read, RuleViolation for
    what can't be.
    """
    given = an_object(value, "", keys=KEYS)
    draw = an_object(given.get("draw", {}), "draw", keys=("engine", "seed"))
    if given.get("format") != FORMAT:
        raise NotationError('format is "%(format)s"', path="format", format=FORMAT)
    tournament = Tournament(
        id=a_text(required(given, "id", ""), "id", shortest=1, longest=LONGEST_ID),
        name=a_text(given.get("name", given["id"]), "name", shortest=1, longest=LONGEST_NAME),
        game=one_of(required(given, "game", ""), GAMES, "game"),
        seed=a_number(given.get("seed", 0), "seed", least=0, most=GREATEST_SEED),
        stage=read_stage(required(given, "stage", ""), "stage"),
        entries=_each(required(given, "entries", ""), "entries", _read_entry, most=MOST_ENTRIES),
        rounds=_each(given.get("rounds", []), "rounds", _read_round, most=MOST_ROUNDS),
        adjustments=_each(
            given.get("adjustments", []), "adjustments", _read_adjustment, most=MOST_ENTRIES
        ),
        engine=one_of(draw.get("engine", ENGINES[-1]), ENGINES, "draw.engine"),
        draw_seed=_number_or_none(draw, "seed", "draw", least=0, most=GREATEST_SEED),
    )
    check_tournament(tournament)
    return tournament


def read_stage(value: object, path: str) -> Stage:
    """A stage as a file says it. Raises NotationError."""
    given = an_object(value, path, keys=STAGE_KEYS)
    names = _each(
        given.get("tie_breaks", []),
        f"{path}.tie_breaks",
        lambda name, place: one_of(name, TIE_BREAKS, place),
        most=len(TIE_BREAKS),
    )
    twice = [place for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise NotationError(
            "%(tie_break)s stands twice; each tie-break counts once",
            path=f"{path}.tie_breaks[{twice[0]}]",
            tie_break=names[twice[0]],
        )
    kind = one_of(required(given, "kind", path), STAGE_KINDS, f"{path}.kind")
    return Stage(
        kind=kind,
        rounds=a_number(given["rounds"], f"{path}.rounds", least=1, most=MOST_ROUNDS)
        if given.get("rounds") is not None
        else None,
        scale=read_scale(
            given.get("scale", {"kind": "match"}),
            f"{path}.scale",
            bye=0 if kind == "round_robin" else None,
        ),
        tie_breaks=names,
        clubs_apart=_a_truth(given.get("clubs_apart", False), f"{path}.clubs_apart"),
        double=_a_truth(given.get("double", False), f"{path}.double"),
        bye_to=one_of(given.get("bye_to", BYES_TO[0]), BYES_TO, f"{path}.bye_to"),
        seeding=one_of(
            given.get("seeding", BY_LOT), SEEDINGS.get(kind, (BY_LOT,)), f"{path}.seeding"
        ),
    )


def read_scale(value: object, path: str, *, bye: int | None = None) -> Scale:
    """How a file's or a form's scale counts; `bye` is what sitting out brings where that isn't
    said. Raises NotationError.
    """
    given = an_object(value, path, keys=("kind", "win", "draw", "loss", "bye", "steps"))
    kind = one_of(required(given, "kind", path), SCALE_KINDS, f"{path}.kind")
    an_object(value, path, keys=SCALE_KEYS[kind])
    points = {
        key: hundredths(given[key], f"{path}.{key}")
        for key in ("win", "draw", "loss", "bye")
        if key in given
    }
    win = points.get("win", 100)
    if kind == "match" and not points.get("loss", 0) <= points.get("draw", win // 2) <= win:
        raise NotationError("a loss is worth at most a draw, and a draw at most a win", path=path)
    if kind != "match":
        usual = BYES[kind] if bye is None else bye
        return Scale(
            kind=kind,
            bye=points.get("bye", usual),
            steps=_read_steps(given, path) if kind == "margin" else (),
        )
    return Scale(
        win=win,
        draw=points.get("draw", win // 2),
        loss=points.get("loss", 0),
        bye=points.get("bye", win if bye is None else bye),
    )


def _read_steps(given: Mapping[str, object], path: str) -> tuple[int, ...]:
    if "steps" not in given:
        return DEFAULT_STEPS
    steps = _each(given["steps"], f"{path}.steps", hundredths, most=100)
    if not steps or steps[0] <= 0 or list(steps) != sorted(set(steps)):
        raise NotationError(
            "differences of score above 0 are expected here, each greater than the one before",
            path=f"{path}.steps",
        )
    return steps


def _read_entry(value: object, path: str) -> Entry:
    given = an_object(value, path, keys=ENTRY_KEYS)
    identity = _an_id(required(given, "id", path), f"{path}.id")
    name = a_text(given.get("name", identity), f"{path}.name", shortest=1, longest=2 * LONGEST_NAME)
    players = _each(given.get("players", [name]), f"{path}.players", _a_name, most=MOST_SEATS)
    if not players:
        raise NotationError("an entry has a player or more", path=f"{path}.players")
    return Entry(
        id=identity,
        name=name,
        players=players,
        rating=_number_or_none(given, "rating", path, least=0, most=10_000),
        club=a_text(given["club"], f"{path}.club", shortest=1, longest=LONGEST_NAME)
        if given.get("club") is not None
        else None,
        joined_in=a_number(
            given.get("joined_in", 1), f"{path}.joined_in", least=1, most=MOST_ROUNDS
        ),
        withdrawn_after=_number_or_none(given, "withdrawn_after", path, least=0, most=MOST_ROUNDS),
        away=_each(
            given.get("away", []),
            f"{path}.away",
            lambda each, place: a_number(each, place, least=1, most=MOST_ROUNDS),
            most=MOST_ROUNDS,
        ),
        entered=_each(given.get("entered", []), f"{path}.entered", _a_name, most=MOST_SEATS),
        earlier=_each(given.get("earlier", []), f"{path}.earlier", _read_earlier, most=MOST_ROUNDS),
    )


def _read_earlier(value: object, path: str) -> tuple[int, tuple[str, ...]]:
    """Who played for an entry up to a round."""
    given = an_object(value, path, keys=("until", "players"))
    until = a_number(required(given, "until", path), f"{path}.until", least=1, most=MOST_ROUNDS)
    return until, _each(
        required(given, "players", path), f"{path}.players", _a_name, most=MOST_SEATS
    )


def _read_round(value: object, path: str) -> Round:
    given = an_object(value, path, keys=("tables", "byes"))
    return Round(
        tables=_each(given.get("tables", []), f"{path}.tables", _read_table, most=MOST_ENTRIES),
        byes=_each(given.get("byes", []), f"{path}.byes", _read_bye, most=MOST_ENTRIES),
    )


def _read_table(value: object, path: str) -> SeatedTable:
    given = an_object(value, path, keys=TABLE_KEYS)
    entries = _each(required(given, "entries", path), f"{path}.entries", _an_id, most=MOST_SEATS)
    if not entries:
        raise NotationError("a table has an entry or more", path=f"{path}.entries")
    return SeatedTable(
        table=a_number(required(given, "table", path), f"{path}.table", least=1, most=MOST_ENTRIES),
        entries=entries,
        results=_read_results(given["result"], f"{path}.result", entries)
        if given.get("result") is not None
        else (),
        forfeit=_a_truth(given.get("forfeit", False), f"{path}.forfeit"),
        excused=_a_truth(given.get("excused", False), f"{path}.excused"),
        hands=_number_or_none(given, "hands", path, least=1, most=1_000),
        dealer=a_text(given["dealer"], f"{path}.dealer", shortest=1, longest=1)
        if given.get("dealer") is not None
        else None,
    )


def _read_results(value: object, path: str, entries: tuple[str, ...]) -> tuple[Result, ...]:
    given = an_object(value, path, keys=entries)
    return tuple(
        _read_result(required(given, entry, path), inside(path, entry)) for entry in entries
    )


def _read_result(value: object, path: str) -> Result:
    given = an_object(value, path, keys=RESULT_KEYS)
    halves = {
        key: hundredths(given[key], f"{path}.{key}")
        for key in ("points", "score")
        if given.get(key) is not None
    }
    whole = {
        key: _number_or_none(given, key, path, least=0 if key != "chips" else -(10**9), most=10**9)
        for key in RESULT_KEYS[2:]
    }
    return Result(points=halves.get("points"), score=halves.get("score"), **whole)


def _read_bye(value: object, path: str) -> Bye:
    given = an_object(value, path, keys=("entry", "kind", "points"))
    return Bye(
        entry=_an_id(required(given, "entry", path), f"{path}.entry"),
        kind=one_of(given.get("kind", "pairing"), BYE_KINDS, f"{path}.kind"),
        points=hundredths(given["points"], f"{path}.points")
        if given.get("points") is not None
        else None,
    )


def _read_adjustment(value: object, path: str) -> Adjustment:
    given = an_object(value, path, keys=("entry", "points", "reason", "by", "after_round"))
    return Adjustment(
        entry=_an_id(required(given, "entry", path), f"{path}.entry"),
        points=hundredths(required(given, "points", path), f"{path}.points"),
        reason=a_text(required(given, "reason", path), f"{path}.reason", shortest=1),
        by=a_text(required(given, "by", path), f"{path}.by", shortest=1, longest=LONGEST_NAME),
        after_round=a_number(
            given.get("after_round", 0), f"{path}.after_round", least=0, most=MOST_ROUNDS
        ),
    )


def hundredths(value: object, path: str) -> int:
    """A number with at most two digits after the point, as whole hundredths."""
    if type(value) is int:
        return 100 * a_number(value, path, least=-MOST_POINTS, most=MOST_POINTS)
    if type(value) is not float:
        raise NotationError(
            "a number is expected here, not %(value)s", path=path, value=kind_of(value)
        )
    exact = 100 * Decimal(repr(value))
    if (
        not exact.is_finite()
        or abs(exact) > 100 * MOST_POINTS
        or exact != exact.to_integral_value()
    ):
        raise NotationError(
            "a number with two digits after the point at most is expected here, not %(value)s",
            path=path,
            value=f"{value:g}",
        )
    return int(exact)


def _each[T](
    value: object, path: str, read: Callable[[object, str], T], *, most: int
) -> tuple[T, ...]:
    items = a_list(value, path)
    if len(items) > most:
        raise NotationError(
            "at most %(most)s are expected here, not %(items)s",
            path=path,
            most=most,
            items=len(items),
        )
    return tuple(read(item, f"{path}[{place}]") for place, item in enumerate(items))


def _an_id(value: object, path: str) -> str:
    return a_text(value, path, shortest=1, longest=LONGEST_ID)


def _a_name(value: object, path: str) -> str:
    name = plain_name(a_text(value, path, shortest=1, longest=LONGEST_NAME))
    if not name.strip(JOINERS):
        raise NotationError(
            "a name of 1 to %(longest_name)s characters is expected here",
            path=path,
            longest_name=LONGEST_NAME,
        )
    return name


def _a_truth(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise NotationError(
            "true or false is expected here, not %(value)s", path=path, value=kind_of(value)
        )
    return value


def _number_or_none(
    given: Mapping[str, object], key: str, path: str, *, least: int, most: int
) -> int | None:
    return (
        None
        if given.get(key) is None
        else a_number(given[key], f"{path}.{key}", least=least, most=most)
    )
