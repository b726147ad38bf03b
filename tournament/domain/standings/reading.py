"""A tournament as a file: salon-tournament/1 read into its values (tournaments.md). What the rules
forbid is for `checks`.

A table that plays deals of several tables has them as `boards`, those left out that were not
played: `{"deal": 3, "scores": {"1": 90, "2": -90}, "version": 2}`, the scores by entry; instead of
scores, or beside them, `"awarded": {"1": 60, "2": 40}` in per cent of a top. `version` (1 where
left out) tells the forms of a fouled deal apart: only the same form is compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

from scoring.errors import NotationError
from scoring.games import GAMES
from scoring.shape import a_list, a_number, a_text, an_object, kind_of
from tournament.domain.names import JOINERS, LONGEST_NAME, plain_name
from tournament.domain.standings import values
from tournament.domain.standings.board_checks import with_totals
from tournament.domain.standings.checks import check_tournament
from tournament.domain.standings.entry_sizes import check_entry_sizes, check_stages
from tournament.domain.standings.file_objects import (
    FileObject,
    Reader,
    a_number_of,
    a_text_of,
    a_truth,
    file_object,
    one_from,
    several,
)
from tournament.domain.standings.formats import (
    DUPLICATE_SCALES,
    Own,
    most_opponents,
    read_own,
    usual_scale,
)
from tournament.domain.standings.line_ups import with_line_ups
from tournament.domain.standings.scales import DEFAULT_STEPS, draw_points
from tournament.domain.standings.sequence import in_sequence
from tournament.domain.standings.team_matches import join_matches
from tournament.domain.standings.tie_breaks import TIE_BREAKS

FORMAT = "salon-tournament/1"
KEYS = (
    *("format", "id", "name", "game", "seed", "stage", "stages", "entries", "rounds"),
    *("cuts", "play_offs", "adjustments", "draw"),
)
STAGE_KEYS = (
    *("kind", "rounds", "scale", "tie_breaks", "clubs_apart", "double"),
    *("bye_to", "seeding", "accelerated", "takes", "line_up", "tables_a_match"),
)
# What a stage of one kind is asked besides.
OWN_KEYS: Mapping[str, tuple[str, ...]] = {
    "rotating": ("games_a_sitting",),
    "pods": ("sizes", "seating"),
    "movement": ("movement", "deals_a_round", "winners", "rover", "small_groups"),
    "knockout": ("elimination", "third_place", "reseed", "best_of", "seeds"),
    "duplicate": ("deals", "scoring", "small_groups"),
}
ENTRY_KEYS = (
    *("id", "name", "players", "rating", "club"),
    *("joined_in", "withdrawn_after", "left_out", "away", "entered", "earlier", "entry_name"),
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
BYES: Mapping[str, int] = dict.fromkeys(values.SCALE_KINDS, 0) | {
    "match": 100,
    "margin": 1200,
    "matchpoints": 5000,
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
AN_ID = a_text_of(1, LONGEST_ID)
A_SEED = a_number_of(0, GREATEST_SEED)
A_ROUND, A_ROUND_OR_0 = a_number_of(1, MOST_ROUNDS), a_number_of(0, MOST_ROUNDS)
A_DEAL = a_number_of(1, MOST_DEALS)


def read_tournament(value: object) -> values.Tournament:
    """A tournament as its file says. Raises NotationError for what can't be read, RuleViolation for
    what can't be.
    """
    given = file_object(value, "", KEYS)
    draw = file_object(given.values.get("draw", {}), "draw", ("engine", "seed"))
    if given.values.get("format") != FORMAT:
        raise NotationError('format is "%(format)s"', path="format", format=FORMAT)
    game = given.needed("game", one_from(GAMES))
    stages = _read_stages(given, game)
    rounds = given.usual("rounds", several(partial(_read_round, stages=stages), MOST_ROUNDS), [])
    cuts = given.usual("cuts", several(_read_cut, MOST_STAGES), [])
    played = max((1, *(each.stage for each in rounds), *(cut.stage for cut in cuts)))
    most = values.MOST_MEMBERS if any(each.line_up for each in stages) else MOST_SEATS
    tournament = values.Tournament(
        id=given.needed("id", AN_ID),
        name=given.usual("name", a_text_of(1, LONGEST_NAME), given.values["id"]),
        game=game,
        seed=given.usual("seed", A_SEED, 0),
        stage=stages[min(played, len(stages)) - 1],
        entries=given.needed("entries", several(partial(_read_entry, most=most), MOST_ENTRIES)),
        rounds=rounds,
        adjustments=given.usual("adjustments", several(_read_adjustment, MOST_ENTRIES), []),
        engine=draw.usual("engine", one_from(values.ENGINES), values.ENGINES[-1]),
        draw_seed=draw.perhaps("seed", A_SEED),
        stages=stages if len(stages) > 1 else (),
        cuts=cuts,
        play_offs=given.usual("play_offs", several(_read_play_off, MOST_PLAY_OFFS), []),
    )
    tournament = with_line_ups(tournament, given.values.get("rounds", []))
    check_tournament(tournament)
    check_entry_sizes(tournament.entries, stages, game)
    return join_matches(tournament)


def _read_stages(given: FileObject, game: str) -> tuple[values.Stage, ...]:
    """The stages in order: the only one, or several, each with a cut before it but the first."""
    if "stages" not in given.values:
        stage = given.needed("stage", partial(read_stage, game=game))
        check_stages((stage,), game, ("stage",))
        return (stage,)
    if "stage" in given.values:
        raise NotationError("`stage` or `stages` is expected, not both", path="stages")
    found = given.needed("stages", several(lambda each, path: (each, path), MOST_STAGES))
    stages = tuple(
        read_stage(each, path, game, number=number)
        for number, (each, path) in enumerate(found, start=1)
    )
    if not stages:
        raise NotationError("a tournament has a stage or more", path="stages")
    check_stages(in_sequence(stages), game, [f"stages[{place}]" for place in range(len(stages))])
    return stages


def _read_takes(value: object, path: str, number: int) -> tuple[values.Takes, ...]:
    """Read the sources of the entries of stage `number`: one source, or a list of
    several.
    """
    if not isinstance(value, list):
        return (_read_source(value, path, number, least=2),)
    if not value:
        raise NotationError("a source or more is expected here", path=path)
    least = 2 if len(value) == 1 else 1
    return several(partial(_read_source, number=number, least=least), MOST_SOURCES)(value, path)


def _read_source(value: object, path: str, number: int, least: int) -> values.Takes:
    """The first so many of a stage, or those from one place to another; of the stage before, where
    it isn't said.
    """
    given = file_object(value, path, ("from", "top", "places", "ties"))
    from_stage = given.usual("from", a_number_of(1, MOST_STAGES), max(1, number - 1))
    ties = given.usual("ties", one_from(values.TIES), values.BY_TIE_BREAKS)
    if "places" not in given.values:
        top = given.needed("top", a_number_of(least, MOST_ENTRIES))
        return values.Takes(from_stage=from_stage, top=top, ties=ties)
    if "top" in given.values:
        raise NotationError("`top` or `places` is expected, not both", path=f"{path}.places")
    places = given.needed("places", a_list)
    if len(places) != 2:
        raise NotationError(
            "the first and the last place are expected here: [5, 12]", path=f"{path}.places"
        )
    first = a_number(places[0], f"{path}.places[0]", least=1, most=MOST_ENTRIES)
    last = a_number(places[1], f"{path}.places[1]", least=first + least - 1, most=MOST_ENTRIES)
    return values.Takes(from_stage=from_stage, top=last - first + 1, ties=ties, first=first)


def _read_play_off(value: object, path: str) -> values.PlayOff:
    given = file_object(value, path, ("stage", "order", "reason"))
    return values.PlayOff(
        stage=given.needed("stage", a_number_of(1, MOST_STAGES)),
        order=given.needed("order", several(AN_ID, MOST_ENTRIES)),
        reason=given.usual("reason", a_text, ""),
    )


def _read_cut(value: object, path: str) -> values.Cut:
    given = file_object(value, path, ("stage", "entries"))
    return values.Cut(
        stage=given.needed("stage", a_number_of(2, MOST_STAGES)),
        entries=given.needed("entries", several(AN_ID, MOST_ENTRIES)),
    )


def read_stage(value: object, path: str, game: str, *, number: int = 2) -> values.Stage:
    """A stage of this game as a file says it, the one of this number. Raises NotationError."""
    kind = value.get("kind") if isinstance(value, dict) else ""
    given = file_object(value, path, (*STAGE_KEYS, *OWN_KEYS.get(str(kind), ())))
    kind = given.needed("kind", one_from(values.STAGE_KINDS))
    names = given.usual("tie_breaks", several(one_from(TIE_BREAKS), len(TIE_BREAKS)), [])
    twice = [place for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise NotationError(
            "%(tie_break)s stands twice; each tie-break counts once",
            path=f"{path}.tie_breaks[{twice[0]}]",
            tie_break=names[twice[0]],
        )
    sources = given.perhaps("takes", partial(_read_takes, number=number)) or ()
    own: dict[str, Any] = (
        {kind: read_own(kind, given.values, path, game)} if kind in OWN_KEYS else {}
    )  # one field, of the kind's name
    most_accelerated = MOST_ROUNDS if kind == "swiss" else 0
    return values.Stage(
        kind=kind,
        rounds=given.perhaps("rounds", A_ROUND),
        scale=scale_of(kind, given.values.get("scale"), f"{path}.scale", own.get(kind)),
        tie_breaks=names,
        clubs_apart=given.usual("clubs_apart", a_truth, False),
        double=given.usual("double", a_truth, False),
        bye_to=given.usual("bye_to", one_from(values.BYES_TO), values.BYES_TO[0]),
        seeding=given.usual("seeding", one_from(values.SEEDINGS[kind]), values.BY_LOT),
        accelerated=given.usual("accelerated", a_number_of(0, most_accelerated), 0),
        takes=sources[0] if sources else None,
        also=sources[1:],
        line_up=given.usual("line_up", a_number_of(0, MOST_SEATS), 0),
        tables_a_match=given.usual("tables_a_match", a_number_of(1, values.MOST_MEMBERS), 1),
        **own,
    )


def scale_of(kind: str, value: object, path: str, own: Own | None) -> values.Scale:
    """The scale of a stage; where everybody sits out in turn that is worth a draw unless the file
    says what. Raises NotationError.
    """
    usual = usual_scale(own)
    value = {"kind": usual} if value is None else value
    bye = 0 if kind == "round_robin" else None
    scale = read_scale(value, path, bye=bye, opponents=most_opponents(kind, own))
    says_bye = isinstance(value, dict) and "bye" in value
    if isinstance(own, values.Duplicate) and scale.kind not in DUPLICATE_SCALES[own.scoring]:
        raise NotationError(
            "the deals of this stage are compared by %(scoring)s, and so is its scale",
            path=f"{path}.kind",
            scoring=usual,
        )
    return replace(scale, bye=draw_points(scale)) if kind in OWN_KEYS and not says_bye else scale


def read_scale(
    value: object, path: str, *, bye: int | None = None, opponents: int = 0
) -> values.Scale:
    """Read the scale of a file or a form.

    `bye` is the worth of sitting out and `opponents` the number to which results are
    brought, if the scale does not say. Raises NotationError.
    """
    given = file_object(value, path, ("kind", "win", "draw", "loss", "bye", "steps", "opponents"))
    opponents = given.usual("opponents", a_number_of(0, MOST_SEATS - 1), opponents)
    kind = given.needed("kind", one_from(values.SCALE_KINDS))
    an_object(value, path, keys=SCALE_KEYS[kind])
    points = {
        key: given.needed(key, hundredths)
        for key in ("win", "draw", "loss", "bye")
        if key in given.values
    }
    win = points.get("win", 100)
    if kind == "match" and not points.get("loss", 0) <= points.get("draw", win // 2) <= win:
        raise NotationError("a loss is worth at most a draw, and a draw at most a win", path=path)
    if kind != "match":
        usual = BYES[kind] if bye is None else bye
        return values.Scale(
            kind=kind,
            bye=points.get("bye", usual),
            steps=_read_steps(given, kind) if "steps" in SCALE_KEYS[kind] else (),
            opponents=opponents,
        )
    return values.Scale(
        win=win,
        draw=points.get("draw", win // 2),
        loss=points.get("loss", 0),
        bye=points.get("bye", win if bye is None else bye),
        opponents=opponents,
    )


def _read_steps(given: FileObject, kind: str) -> tuple[int, ...]:
    if "steps" not in given.values:
        return DEFAULT_STEPS if kind == "margin" else ()
    steps = given.needed("steps", several(hundredths, 100))
    if not steps or steps[0] <= 0 or list(steps) != sorted(set(steps)):
        raise NotationError(
            "differences of score above 0 are expected here, each greater than the one before",
            path=f"{given.path}.steps",
        )
    return steps


def _read_entry(value: object, path: str, *, most: int) -> values.Entry:
    given = file_object(value, path, ENTRY_KEYS)
    read_names = several(_a_name, most)
    identity = given.needed("id", AN_ID)
    longest = 2 * LONGEST_NAME if most <= MOST_SEATS else most * (LONGEST_NAME + len(" & "))
    name = given.usual("name", a_text_of(1, longest), identity)
    players = given.usual("players", read_names, [name])
    if not players:
        raise NotationError("an entry has a player or more", path=f"{path}.players")
    read_earlier = several(partial(_read_earlier, read_names=read_names), MOST_ROUNDS)
    return values.Entry(
        id=identity,
        name=name,
        players=players,
        rating=given.perhaps("rating", a_number_of(0, 10_000)),
        club=given.perhaps("club", a_text_of(1, LONGEST_NAME)),
        joined_in=given.usual("joined_in", A_ROUND, 1),
        withdrawn_after=given.perhaps("withdrawn_after", A_ROUND_OR_0),
        left_out=given.usual("left_out", several(a_number_of(1, MOST_STAGES), MOST_STAGES), []),
        away=given.usual("away", several(A_ROUND, MOST_ROUNDS), []),
        entered=given.usual("entered", read_names, []),
        entry_name=given.perhaps("entry_name", a_text_of(1, LONGEST_NAME)) or "",
        earlier=given.usual("earlier", read_earlier, []),
    )


def _read_earlier(
    value: object, path: str, *, read_names: Reader[tuple[str, ...]]
) -> tuple[int, tuple[str, ...]]:
    """Read the players of an entry up to a round."""
    given = file_object(value, path, ("until", "players"))
    return given.needed("until", A_ROUND), given.needed("players", read_names)


def _read_round(value: object, path: str, *, stages: Sequence[values.Stage]) -> values.Round:
    given = file_object(value, path, ("tables", "byes", "stage"))
    stage = given.usual("stage", a_number_of(1, len(stages)), 1)
    read_table = partial(_read_table, partners=stages[stage - 1].kind == "rotating")
    return values.Round(
        tables=given.usual("tables", several(read_table, MOST_ENTRIES), []),
        byes=given.usual("byes", several(_read_bye, MOST_ENTRIES), []),
        stage=stage,
    )


def _read_table(value: object, path: str, *, partners: bool) -> values.SeatedTable:
    given = file_object(value, path, TABLE_KEYS)
    entries = given.needed("entries", several(AN_ID, MOST_SEATS))
    if not entries:
        raise NotationError("a table has an entry or more", path=f"{path}.entries")
    read_board = partial(_read_board, entries=entries)
    table = values.SeatedTable(
        table=given.needed("table", a_number_of(1, MOST_ENTRIES)),
        entries=entries,
        results=given.perhaps("result", partial(_read_results, entries=entries)) or (),
        forfeit=given.usual("forfeit", a_truth, False),
        excused=given.usual("excused", a_truth, False),
        hands=given.perhaps("hands", a_number_of(1, 1_000)),
        dealer=given.perhaps("dealer", a_text_of(1, 1)),
        partners=partners and len(entries) == 4,
        deals=given.usual("deals", several(A_DEAL, MOST_DEALS), []),
        match=given.perhaps("match", a_number_of(1, 2 * MOST_ENTRIES)),
        bracket=given.perhaps("bracket", one_from(values.BRACKETS)),
        boards=given.usual("boards", several(read_board, MOST_DEALS), []),
    )
    return with_totals(table)


def _read_board(value: object, path: str, *, entries: tuple[str, ...]) -> values.BoardResult:
    given = file_object(value, path, ("deal", "scores", "awarded", "version"))

    def by_entry(name: str, read: Reader[int]) -> tuple[int, ...]:
        each = file_object(given.values.get(name, {}), f"{path}.{name}", entries)
        return tuple(each.needed(entry, read) for entry in (entries if each.values else ()))

    return values.BoardResult(
        deal=given.needed("deal", A_DEAL),
        scores=by_entry("scores", hundredths),
        awarded=by_entry("awarded", a_number_of(0, 100)),
        version=given.usual("version", a_number_of(1, 9), 1),
    )


def _read_results(value: object, path: str, entries: tuple[str, ...]) -> tuple[values.Result, ...]:
    given = file_object(value, path, entries)
    return tuple(given.needed(entry, _read_result) for entry in entries)


def _read_result(value: object, path: str) -> values.Result:
    given = file_object(value, path, RESULT_KEYS)
    halves = {key: given.perhaps(key, hundredths) for key in RESULT_KEYS[:2]}
    whole = {
        key: given.perhaps(key, a_number_of(0 if key != "chips" else -(10**9), 10**9))
        for key in RESULT_KEYS[2:]
    }
    return values.Result(**halves, **whole)


def _read_bye(value: object, path: str) -> values.Bye:
    given = file_object(value, path, ("entry", "kind", "points"))
    return values.Bye(
        entry=given.needed("entry", AN_ID),
        kind=given.usual("kind", one_from(values.BYE_KINDS), "pairing"),
        points=given.perhaps("points", hundredths),
    )


def _read_adjustment(value: object, path: str) -> values.Adjustment:
    given = file_object(value, path, ("entry", "points", "reason", "by", "after_round"))
    return values.Adjustment(
        entry=given.needed("entry", AN_ID),
        points=given.needed("points", hundredths),
        reason=given.needed("reason", partial(a_text, shortest=1)),
        by=given.needed("by", a_text_of(1, LONGEST_NAME)),
        after_round=given.usual("after_round", A_ROUND_OR_0, 0),
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


def _a_name(value: object, path: str) -> str:
    name = plain_name(a_text(value, path, shortest=1, longest=LONGEST_NAME))
    if not name.strip(JOINERS):
        raise NotationError(
            "a name of 1 to %(longest_name)s characters is expected here",
            path=path,
            longest_name=LONGEST_NAME,
        )
    return name
