"""A tournament as a file: salon-tournament/1 read into its values (tournaments.md). What the rules
forbid is for `checks`.

A table that plays deals of several tables has them as `boards`, those left out that were not
played: `{"deal": 3, "scores": {"1": 90, "2": -90}, "version": 2}`, the scores by entry; instead of
scores, or beside them, `"awarded": {"1": 60, "2": 40}` in per cent of a top. `version` (1 where
left out) tells the forms of a fouled deal apart: only the same form is compared.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

from scoring.errors import NotationError
from scoring.games import GAMES
from scoring.shape import a_list, a_number, a_text, an_object, inside, kind_of, one_of, required
from tournament.domain.names import JOINERS, LONGEST_NAME, plain_name
from tournament.domain.standings.board_checks import with_totals
from tournament.domain.standings.checks import check_tournament
from tournament.domain.standings.formats import (
    DUPLICATE_SCALES,
    Own,
    a_truth,
    most_opponents,
    read_own,
    usual_scale,
)
from tournament.domain.standings.line_ups import with_line_ups
from tournament.domain.standings.scales import DEFAULT_STEPS, draw_points
from tournament.domain.standings.sequence import in_sequence
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import (
    BRACKETS,
    BY_LOT,
    BY_TIE_BREAKS,
    BYE_KINDS,
    BYES_TO,
    ENGINES,
    MOST_MEMBERS,
    SCALE_KINDS,
    SEEDINGS,
    STAGE_KINDS,
    TIES,
    Adjustment,
    BoardResult,
    Bye,
    Cut,
    Duplicate,
    Entry,
    PlayOff,
    Result,
    Round,
    Scale,
    SeatedTable,
    Stage,
    Takes,
    Tournament,
)

FORMAT = "salon-tournament/1"
KEYS = (
    *("format", "id", "name", "game", "seed", "stage", "stages", "entries", "rounds"),
    *("cuts", "play_offs", "adjustments", "draw"),
)
STAGE_KEYS = (
    "kind",
    "rounds",
    "scale",
    "tie_breaks",
    "clubs_apart",
    "double",
    "bye_to",
    "seeding",
    "accelerated",
    "takes",
    "line_up",
)
# What a stage of one kind is asked besides.
OWN_KEYS: Mapping[str, tuple[str, ...]] = {
    "rotating": ("games_a_sitting",),
    "pods": ("sizes", "seating"),
    "movement": ("movement", "deals_a_round", "winners"),
    "knockout": ("elimination", "third_place", "reseed", "best_of", "seeds"),
    "duplicate": ("deals", "scoring"),
}
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
TABLE_KEYS = (
    *("table", "entries", "result", "forfeit", "excused", "hands", "dealer"),
    *("deals", "match", "bracket", "boards", "line_ups"),
)
RESULT_KEYS = ("points", "score", "chips", "tricks", "audits", "excess", "built")
SCALE_KEYS: Mapping[str, tuple[str, ...]] = {
    "match": ("kind", "win", "draw", "loss", "bye", "opponents"),
    "margin": ("kind", "bye", "steps"),
    "points": ("kind", "bye", "opponents"),
    "chips": ("kind", "bye", "opponents"),
    "built": ("kind", "bye"),
    "matchpoints": ("kind", "bye"),
    "imps": ("kind", "bye", "steps"),
    "victory_points": ("kind", "bye", "steps"),
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
    "imps": 0,
    "victory_points": 1200,
}
LONGEST_ID = 64
MOST_ENTRIES = 5_000
MOST_ROUNDS = 200
MOST_SEATS = 5
MOST_STAGES = 5
MOST_SOURCES = 8
MOST_PLAY_OFFS = 50
MOST_DEALS = 1_000
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
    game = one_of(required(given, "game", ""), GAMES, "game")
    stages = _read_stages(given, game)
    rounds = _each(
        given.get("rounds", []), "rounds", partial(_read_round, stages=stages), most=MOST_ROUNDS
    )
    cuts = _each(given.get("cuts", []), "cuts", _read_cut, most=MOST_STAGES)
    played = max((1, *(each.stage for each in rounds), *(cut.stage for cut in cuts)))
    tournament = Tournament(
        id=a_text(required(given, "id", ""), "id", shortest=1, longest=LONGEST_ID),
        name=a_text(given.get("name", given["id"]), "name", shortest=1, longest=LONGEST_NAME),
        game=game,
        seed=a_number(given.get("seed", 0), "seed", least=0, most=GREATEST_SEED),
        stage=stages[min(played, len(stages)) - 1],
        entries=_each(
            required(given, "entries", ""),
            "entries",
            partial(
                _read_entry,
                most=MOST_MEMBERS if any(each.line_up for each in stages) else MOST_SEATS,
            ),
            most=MOST_ENTRIES,
        ),
        rounds=rounds,
        adjustments=_each(
            given.get("adjustments", []), "adjustments", _read_adjustment, most=MOST_ENTRIES
        ),
        engine=one_of(draw.get("engine", ENGINES[-1]), ENGINES, "draw.engine"),
        draw_seed=_number_or_none(draw, "seed", "draw", least=0, most=GREATEST_SEED),
        stages=stages if len(stages) > 1 else (),
        cuts=cuts,
        play_offs=_each(
            given.get("play_offs", []), "play_offs", _read_play_off, most=MOST_PLAY_OFFS
        ),
    )
    tournament = with_line_ups(tournament, given.get("rounds", []))
    check_tournament(tournament)
    return tournament


def _read_stages(given: Mapping[str, object], game: str) -> tuple[Stage, ...]:
    """The stages in order: the only one, or several, each with a cut before it but the first."""
    if "stages" not in given:
        return (read_stage(required(given, "stage", ""), "stage", game),)
    if "stage" in given:
        raise NotationError("`stage` or `stages` is expected, not both", path="stages")
    found = _each(given["stages"], "stages", lambda each, path: (each, path), most=MOST_STAGES)
    stages = tuple(
        read_stage(each, path, game, number=number)
        for number, (each, path) in enumerate(found, start=1)
    )
    if not stages:
        raise NotationError("a tournament has a stage or more", path="stages")
    return in_sequence(stages)


def _read_takes(value: object, path: str, number: int) -> tuple[Takes, ...]:
    """Where the entries of stage `number` come from: one source, or a list of several."""
    if not isinstance(value, list):
        return (_read_source(value, path, number, least=2),)
    if not value:
        raise NotationError("a source or more is expected here", path=path)
    least = 2 if len(value) == 1 else 1
    return _each(value, path, partial(_read_source, number=number, least=least), most=MOST_SOURCES)


def _read_source(value: object, path: str, number: int, least: int) -> Takes:
    """The first so many of a stage, or those from one place to another; of the stage before, where
    it isn't said.
    """
    given = an_object(value, path, keys=("from", "top", "places", "ties"))
    from_stage = a_number(
        given.get("from", max(1, number - 1)), f"{path}.from", least=1, most=MOST_STAGES
    )
    ties = one_of(given.get("ties", BY_TIE_BREAKS), TIES, f"{path}.ties")
    if "places" not in given:
        top = a_number(required(given, "top", path), f"{path}.top", least=least, most=MOST_ENTRIES)
        return Takes(from_stage=from_stage, top=top, ties=ties)
    if "top" in given:
        raise NotationError("`top` or `places` is expected, not both", path=f"{path}.places")
    places = a_list(given["places"], f"{path}.places")
    if len(places) != 2:
        raise NotationError(
            "the first and the last place are expected here: [5, 12]", path=f"{path}.places"
        )
    first = a_number(places[0], f"{path}.places[0]", least=1, most=MOST_ENTRIES)
    last = a_number(places[1], f"{path}.places[1]", least=first + least - 1, most=MOST_ENTRIES)
    return Takes(from_stage=from_stage, top=last - first + 1, ties=ties, first=first)


def _read_play_off(value: object, path: str) -> PlayOff:
    given = an_object(value, path, keys=("stage", "order", "reason"))
    return PlayOff(
        stage=a_number(required(given, "stage", path), f"{path}.stage", least=1, most=MOST_STAGES),
        order=_each(required(given, "order", path), f"{path}.order", _an_id, most=MOST_ENTRIES),
        reason=a_text(given.get("reason", ""), f"{path}.reason"),
    )


def _read_cut(value: object, path: str) -> Cut:
    given = an_object(value, path, keys=("stage", "entries"))
    return Cut(
        stage=a_number(required(given, "stage", path), f"{path}.stage", least=2, most=MOST_STAGES),
        entries=_each(
            required(given, "entries", path), f"{path}.entries", _an_id, most=MOST_ENTRIES
        ),
    )


def read_stage(value: object, path: str, game: str, *, number: int = 2) -> Stage:
    """A stage of this game as a file says it, the one of this number. Raises NotationError."""
    kind = value.get("kind") if isinstance(value, dict) else ""
    given = an_object(value, path, keys=(*STAGE_KEYS, *OWN_KEYS.get(str(kind), ())))
    kind = one_of(required(given, "kind", path), STAGE_KINDS, f"{path}.kind")
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
    takes = given.get("takes")
    sources = () if takes is None else _read_takes(takes, f"{path}.takes", number)
    own: dict[str, Any] = (
        {kind: read_own(kind, given, path, game)} if kind in OWN_KEYS else {}
    )  # one field, of the kind's name
    return Stage(
        kind=kind,
        rounds=a_number(given["rounds"], f"{path}.rounds", least=1, most=MOST_ROUNDS)
        if given.get("rounds") is not None
        else None,
        scale=scale_of(kind, given.get("scale"), f"{path}.scale", own.get(kind)),
        tie_breaks=names,
        clubs_apart=a_truth(given.get("clubs_apart", False), f"{path}.clubs_apart"),
        double=a_truth(given.get("double", False), f"{path}.double"),
        bye_to=one_of(given.get("bye_to", BYES_TO[0]), BYES_TO, f"{path}.bye_to"),
        seeding=one_of(given.get("seeding", BY_LOT), SEEDINGS[kind], f"{path}.seeding"),
        accelerated=a_number(
            given.get("accelerated", 0),
            f"{path}.accelerated",
            least=0,
            most=MOST_ROUNDS if kind == "swiss" else 0,
        ),
        takes=sources[0] if sources else None,
        also=sources[1:],
        line_up=a_number(given.get("line_up", 0), f"{path}.line_up", least=0, most=MOST_SEATS),
        **own,
    )


def scale_of(kind: str, value: object, path: str, own: Own | None) -> Scale:
    """The scale of a stage; where everybody sits out in turn that is worth a draw unless the file
    says what. Raises NotationError.
    """
    usual = usual_scale(own)
    value = {"kind": usual} if value is None else value
    bye = 0 if kind == "round_robin" else None
    scale = read_scale(value, path, bye=bye, opponents=most_opponents(kind, own))
    said = isinstance(value, dict) and "bye" in value
    if isinstance(own, Duplicate) and scale.kind not in DUPLICATE_SCALES[own.scoring]:
        raise NotationError(
            "the deals of this stage are compared by %(scoring)s, and so is its scale",
            path=f"{path}.kind",
            scoring=usual,
        )
    return replace(scale, bye=draw_points(scale)) if kind in OWN_KEYS and not said else scale


def read_scale(value: object, path: str, *, bye: int | None = None, opponents: int = 0) -> Scale:
    """How a file's or a form's scale counts; `bye` is what sitting out brings and `opponents` to
    how many results are brought where that isn't said. Raises NotationError.
    """
    given = an_object(
        value, path, keys=("kind", "win", "draw", "loss", "bye", "steps", "opponents")
    )
    opponents = a_number(
        given.get("opponents", opponents), f"{path}.opponents", least=0, most=MOST_SEATS - 1
    )
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
            steps=_read_steps(given, path, kind) if "steps" in SCALE_KEYS[kind] else (),
            opponents=opponents,
        )
    return Scale(
        win=win,
        draw=points.get("draw", win // 2),
        loss=points.get("loss", 0),
        bye=points.get("bye", win if bye is None else bye),
        opponents=opponents,
    )


def _read_steps(given: Mapping[str, object], path: str, kind: str) -> tuple[int, ...]:
    if "steps" not in given:
        return DEFAULT_STEPS if kind == "margin" else ()
    steps = _each(given["steps"], f"{path}.steps", hundredths, most=100)
    if not steps or steps[0] <= 0 or list(steps) != sorted(set(steps)):
        raise NotationError(
            "differences of score above 0 are expected here, each greater than the one before",
            path=f"{path}.steps",
        )
    return steps


def _read_entry(value: object, path: str, *, most: int) -> Entry:
    read_earlier = partial(_read_earlier, most=most)
    given = an_object(value, path, keys=ENTRY_KEYS)
    identity = _an_id(required(given, "id", path), f"{path}.id")
    name = a_text(given.get("name", identity), f"{path}.name", shortest=1, longest=2 * LONGEST_NAME)
    players = _each(given.get("players", [name]), f"{path}.players", _a_name, most=most)
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
        entered=_each(given.get("entered", []), f"{path}.entered", _a_name, most=most),
        earlier=_each(given.get("earlier", []), f"{path}.earlier", read_earlier, most=MOST_ROUNDS),
    )


def _read_earlier(value: object, path: str, *, most: int) -> tuple[int, tuple[str, ...]]:
    """Who played for an entry up to a round."""
    given = an_object(value, path, keys=("until", "players"))
    until = a_number(required(given, "until", path), f"{path}.until", least=1, most=MOST_ROUNDS)
    return until, _each(required(given, "players", path), f"{path}.players", _a_name, most=most)


def _read_round(value: object, path: str, *, stages: Sequence[Stage]) -> Round:
    given = an_object(value, path, keys=("tables", "byes", "stage"))
    stage = a_number(given.get("stage", 1), f"{path}.stage", least=1, most=len(stages))
    partners = stages[stage - 1].kind == "rotating"
    return Round(
        tables=_each(
            given.get("tables", []),
            f"{path}.tables",
            partial(_read_table, partners=partners),
            most=MOST_ENTRIES,
        ),
        byes=_each(given.get("byes", []), f"{path}.byes", _read_bye, most=MOST_ENTRIES),
        stage=stage,
    )


def _read_table(value: object, path: str, *, partners: bool) -> SeatedTable:
    given = an_object(value, path, keys=TABLE_KEYS)
    entries = _each(required(given, "entries", path), f"{path}.entries", _an_id, most=MOST_SEATS)
    if not entries:
        raise NotationError("a table has an entry or more", path=f"{path}.entries")
    table = SeatedTable(
        table=a_number(required(given, "table", path), f"{path}.table", least=1, most=MOST_ENTRIES),
        entries=entries,
        results=_read_results(given["result"], f"{path}.result", entries)
        if given.get("result") is not None
        else (),
        forfeit=a_truth(given.get("forfeit", False), f"{path}.forfeit"),
        excused=a_truth(given.get("excused", False), f"{path}.excused"),
        hands=_number_or_none(given, "hands", path, least=1, most=1_000),
        dealer=a_text(given["dealer"], f"{path}.dealer", shortest=1, longest=1)
        if given.get("dealer") is not None
        else None,
        partners=partners and len(entries) == 4,
        deals=_each(
            given.get("deals", []),
            f"{path}.deals",
            lambda each, place: a_number(each, place, least=1, most=MOST_DEALS),
            most=MOST_DEALS,
        ),
        match=_number_or_none(given, "match", path, least=1, most=2 * MOST_ENTRIES),
        bracket=one_of(given["bracket"], BRACKETS, f"{path}.bracket")
        if given.get("bracket") is not None
        else None,
        boards=_each(
            given.get("boards", []),
            f"{path}.boards",
            partial(_read_board, entries=entries),
            most=MOST_DEALS,
        ),
    )
    return with_totals(table)


def _read_board(value: object, path: str, *, entries: tuple[str, ...]) -> BoardResult:
    given = an_object(value, path, keys=("deal", "scores", "awarded", "version"))

    def by_entry(name: str, read: Callable[[object, str], int]) -> tuple[int, ...]:
        each = an_object(given.get(name, {}), f"{path}.{name}", keys=entries)
        return tuple(
            read(required(each, entry, f"{path}.{name}"), inside(f"{path}.{name}", entry))
            for entry in (entries if each else ())
        )

    return BoardResult(
        deal=a_number(required(given, "deal", path), f"{path}.deal", least=1, most=MOST_DEALS),
        scores=by_entry("scores", hundredths),
        awarded=by_entry("awarded", partial(a_number, least=0, most=100)),
        version=a_number(given.get("version", 1), f"{path}.version", least=1, most=9),
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


def _number_or_none(
    given: Mapping[str, object], key: str, path: str, *, least: int, most: int
) -> int | None:
    return (
        None
        if given.get(key) is None
        else a_number(given[key], f"{path}.{key}", least=least, most=most)
    )
