"""The event that `manage.py simulate` is asked for: its stages as a file would say them, and
whether all of them can be drawn.
"""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.errors import NotationError
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.stages import check_drawable
from tournament.domain.standings.duplicate import SMALL_GROUPS
from tournament.domain.standings.entry_sizes import find_common_sizes, find_entry_sizes
from tournament.domain.standings.fitting_tie_breaks import usual_tie_breaks
from tournament.domain.standings.reading import read_stage
from tournament.domain.standings.sequence import in_sequence
from tournament.domain.standings.stages import check_cuts, cut_of, of_stage
from tournament.domain.standings.values import (
    BY_LOTS,
    BY_PLAY_OFF,
    BY_SCORE,
    IMPS,
    MATCHPOINTS,
    PLANNED,
    SAME_DEALS,
    SEEDINGS,
    STAGE_KINDS,
    TIES,
    Cut,
    Entry,
    Stage,
    Tournament,
)
from tournament.domain.tournament.stage import OpenTournament, open_tournament

ROUNDS = 5
ROUNDS_SAID = ("swiss", "pods")  # formats that are asked how many rounds they have
RESERVES = 2  # members of a team beside those who play


@dataclass(frozen=True, slots=True, kw_only=True)
class EventAsked:
    """Stages of a game, with so many `players` in an entry; of a team with line-ups up to so
    many.
    """

    stages: tuple[Stage, ...]
    game: str
    players: int
    entries: int

    @property
    def words(self) -> str:
        """The event in words: `swiss, then knockout of precedence, 32 pairs`."""
        teams = any(stage.line_up for stage in self.stages)
        whose = "teams" if teams else "pairs" if self.players > 1 else "players"
        kinds = ", then ".join(stage.kind for stage in self.stages)
        return f"{kinds} of {self.game}, {self.entries} {whose}"


def add_event_arguments(parser: ArgumentParser) -> None:
    """Which stages are played, and what each asks; an option is for all stages that ask it."""
    parser.add_argument(
        "--stage",
        choices=STAGE_KINDS,
        help="the format of an event with all that can go wrong; a Swiss of pairs without it",
    )
    parser.add_argument(
        "--then",
        choices=STAGE_KINDS,
        action="append",
        default=[],
        help="one more stage after a cut; can be said again",
    )
    parser.add_argument(
        "--cut",
        type=int,
        action="append",
        default=[],
        help="how many go on, for each --then; half of them without it",
    )
    parser.add_argument("--ties", choices=TIES, default=TIES[0], help="what parts equals at a cut")
    parser.add_argument("--players", type=int, help="how many an entry has; as usual without it")
    parser.add_argument(
        "--line-up", type=int, default=0, help="teams, of whom so many play at a table"
    )
    parser.add_argument(
        "--tables-a-match", type=int, default=1, help="tables at which two teams meet at once"
    )
    _add_own(parser)


def _add_own(parser: ArgumentParser) -> None:
    """Add the options that only one kind of stage has."""
    parser.add_argument("--sizes", help="the sizes of tables in pods, the best first: 4,3")
    parser.add_argument(
        "--double", action="store_true", help="double elimination, or a double round robin"
    )
    parser.add_argument("--best-of", type=int, default=1, help="games of a knock-out's match")
    parser.add_argument(
        "--games-a-sitting", type=int, default=1, help="before single players move: 1 or 3"
    )
    parser.add_argument("--deals", type=int, help="deals of a duplicate stage; as many as fit")
    parser.add_argument(
        "--scoring", choices=(MATCHPOINTS, IMPS), default=MATCHPOINTS, help="of the same deals"
    )
    parser.add_argument(
        "--seating", choices=(PLANNED, BY_SCORE), default=PLANNED, help="who sits together in pods"
    )
    parser.add_argument(
        "--howell", action="store_true", help="a Howell movement; a Mitchell without it"
    )
    parser.add_argument(
        "--winners", type=int, default=1, help="2: a winner in each direction of a Mitchell"
    )
    parser.add_argument(
        "--rover", action="store_true", help="the odd pair of a Mitchell displaces another"
    )
    parser.add_argument(
        "--small-groups",
        choices=SMALL_GROUPS,
        default=SMALL_GROUPS[0],
        help="how three results or fewer of a fouled deal count",
    )
    parser.add_argument(
        "--seeding",
        choices=sorted({each for seedings in SEEDINGS.values() for each in seedings}),
        help="how a first round is seeded, in stages that know it; a knock-out by rating too",
    )
    parser.add_argument(
        "--accelerated", type=int, default=0, help="so many first rounds of a Swiss are accelerated"
    )


def event_asked(
    *,
    stage: str,
    then: Sequence[str],
    cut: Sequence[int],
    entries: int,
    seed: int,
    **asked: Any,  # noqa: ANN401 - what a format asks
) -> EventAsked:
    """The event that these arguments ask for. Raises Refusal where it can't be: what is asked of a
    stage, or that one of them can't be drawn for so many.
    """
    if len(cut) > len(then):
        raise NotationError(
            "a cut is made before a later stage: say --then before each --cut", path="--cut"
        )
    game, fields = str(asked["game"]), _fields(entries, cut, len(then))
    stages = tuple(
        _stage(kind, number, size, {"then": then, **asked})
        for number, (kind, size) in enumerate(zip((stage, *then), fields, strict=True), start=1)
    )
    players = _players(stages, game, asked["players"])
    event = EventAsked(stages=in_sequence(stages), game=game, players=players, entries=entries)
    _check(event, seed)
    return event


def _fields(entries: int, cut: Sequence[int], later: int) -> list[int]:
    """Return the number of entries in each stage."""
    fields = [entries]
    for place in range(later):
        fields.append(cut[place] if place < len(cut) else fields[-1] // 2)
    return fields


def _players(stages: Sequence[Stage], game: str, asked: int | None) -> int:
    """Return the number of people in an entry: as asked, or as many as sit down and two
    more in a team.
    """
    allowed = find_common_sizes(stages, game)
    line_up = stages[0].players_a_match
    if not allowed:
        raise NotationError(
            "an entry of the first stage has %(first)s players, which a later stage can't seat",
            path="--then",
            first=" or ".join(map(str, find_entry_sizes(stages[0], game))),
        )
    usual = min(line_up + RESERVES, max(allowed)) if line_up else max(allowed)
    chosen = usual if asked is None else asked
    if chosen not in allowed:
        raise NotationError(
            "an entry has %(allowed)s players here",
            path="--players",
            allowed=" or ".join(map(str, allowed)),
        )
    return chosen


def _check(event: EventAsked, seed: int) -> None:
    """Raise Refusal where a stage can't be drawn for those who would be in it: as the first round
    of each would be, before a salon is opened.
    """
    seen = Tournament(
        id="simulation",
        name="Simulation",
        game=event.game,
        seed=seed,
        stage=event.stages[0],
        stages=tuple(map(_by_lots, event.stages)) if len(event.stages) > 1 else (),
        entries=tuple(
            Entry(
                id=str(number),
                name=str(number),
                players=tuple(f"{number}.{place}" for place in range(event.players)),
            )
            for number in range(1, event.entries + 1)
        ),
    )
    open_tournament(
        OpenTournament(
            record=seen.id,
            name=seen.name,
            game=event.game,
            seed=seed,
            stage=event.stages[0],
            later=event.stages[1:],
        )
    )
    check_cuts(seen)
    draw(of_stage(seen, 1))
    for number, stage in enumerate(event.stages[1:], start=2):
        top = stage.takes.top if stage.takes is not None else 0
        check_drawable(seen, number, top)
        went_on = Cut(stage=number, entries=cut_of(seen, number).entries)
        seen = replace(seen, cuts=(*seen.cuts, went_on))


def _by_lots(stage: Stage) -> Stage:
    """The stage with equals parted by lot, for before anybody has played nothing can be played
    off.
    """
    if stage.takes is None or stage.takes.ties != BY_PLAY_OFF:
        return stage
    return replace(stage, takes=replace(stage.takes, ties=BY_LOTS))


def _stage(kind: str, number: int, entries: int, asked: Mapping[str, Any]) -> Stage:
    """A stage for so many entries as a file would say it. Raises NotationError."""
    game = str(asked["game"])
    alone = max(map(len, GAMES[game].seatings)) == 1
    scoring = asked["scoring"] if kind in SAME_DEALS else "match"
    said: dict[str, Any] = {
        "kind": kind,
        "rounds": _rounds(kind, asked),
        "scale": {"kind": "built" if alone else scoring},
        "line_up": asked["line_up"],
        "tables_a_match": asked["tables_a_match"],
        "accelerated": asked["accelerated"] if kind == "swiss" else 0,
        "seeding": asked["seeding"] if asked["seeding"] in SEEDINGS[kind] else SEEDINGS[kind][0],
    }
    if number > 1:
        said["takes"] = {"from": number - 1, "top": entries, "ties": asked["ties"]}
    path = f"stages[{number - 1}]" if number > 1 else "stage"
    stage = read_stage(said | _own(kind, entries, asked, alone=alone), path, game)
    return replace(stage, tie_breaks=usual_tie_breaks(stage, game))


def _rounds(kind: str, asked: Mapping[str, Any]) -> int | None:
    """Return the number of rounds of a stage of this kind; beside others a knock-out
    has as many as its results make it.
    """
    if kind == "knockout" and asked["then"]:
        return None
    rounds: int | None = asked["rounds"]
    return rounds or (ROUNDS if kind in ROUNDS_SAID else None)


def _own(kind: str, entries: int, asked: Mapping[str, Any], *, alone: bool) -> JsonObject:
    """Return the options of a stage of this kind."""
    sizes = [_size(each.strip()) for each in asked["sizes"].split(",")] if asked["sizes"] else []
    own: dict[str, JsonObject] = {
        "round_robin": {"double": asked["double"]},
        "pods": {"sizes": sizes, "seating": asked["seating"]},
        "rotating": {"games_a_sitting": asked["games_a_sitting"]},
        "duplicate": {
            "deals": asked["deals"] or max(6, entries // 2),
            "scoring": "built" if alone else asked["scoring"],
            "small_groups": asked["small_groups"],
        },
        "movement": {
            "movement": "howell" if asked["howell"] else "mitchell",
            "winners": asked["winners"],
            "rover": asked["rover"],
            "small_groups": asked["small_groups"],
        },
        "knockout": {
            "elimination": "double" if asked["double"] else "single",
            "third_place": not asked["double"],
            "best_of": asked["best_of"],
            "seeds": "rating" if asked["seeding"] == "rating" else "order",
        },
    }
    return own.get(kind, {})


def _size(typed: str) -> int | str:
    """The size of a table; what is no number stays as it was typed, and is refused as in a file."""
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) <= 4 else typed
