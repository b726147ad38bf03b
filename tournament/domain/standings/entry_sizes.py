"""Limits that a game sets to the stages of a tournament: their formats and scales,
and the number of people in an entry.

Forms, files and commands all use these.
"""

from collections.abc import Sequence

from scoring.errors import RuleViolation, sentence
from scoring.games import GAMES
from tournament.domain.standings.fitting_tie_breaks import check_tie_breaks
from tournament.domain.standings.formats import check_format, check_scale
from tournament.domain.standings.values import MOST_MEMBERS, Entry, Stage

TEAM_MATCHES = ("swiss", "round_robin", "knockout")  # formats in which two teams meet


def check_stages(
    stages: Sequence[Stage], game: str, paths: Sequence[str], kept: Sequence[Stage] = ()
) -> None:
    """Raise RuleViolation `no_format` for the first stage that a game can't have: its format, its
    scale or its line-up, or entries of a size that an earlier stage doesn't have; `no_tie_break`
    for a tie-break that parts nobody there, unless the stage has it already (`kept`). `paths` say
    where each stage is written.
    """
    for place, (stage, path) in enumerate(zip(stages, paths, strict=True)):
        check_format(stage, game, path)
        check_scale(stage, game, path)
        had = kept[place].tie_breaks if place < len(kept) else ()
        check_tie_breaks(stage, game, path, kept=had)
        _check_line_up(stage, game, path)
        if not find_common_sizes(stages[: place + 1], game):
            before = find_common_sizes(stages[:place], game)
            raise RuleViolation(
                "no_format",
                "an entry has %(before)s players in the stages before, and %(here)s in this one",
                rule="tournaments",
                path=f"{path}.line_up" if stage.line_up else f"{path}.kind",
                before=" or ".join(map(str, before)),
                here=" or ".join(map(str, find_entry_sizes(stage, game))),
            )


def check_entry_sizes(entries: Sequence[Entry], stages: Sequence[Stage], game: str) -> None:
    """Raise RuleViolation `bad_entry` for an entry with more or fewer people than its stages
    seat.
    """
    allowed = find_common_sizes(stages, game)
    for place, entry in enumerate(entries):
        if len(entry.players) not in allowed:
            message = sentence(
                "an entry of this tournament has %(allowed)s players, not %(players)s",
                allowed=" or ".join(map(str, allowed)),
                players=len(entry.players),
            )
            raise RuleViolation("bad_entry", message, path=f"entries[{place}].players")


def find_common_sizes(stages: Sequence[Stage], game: str) -> tuple[int, ...]:
    """Return the numbers of people in an entry that every one of these stages allows."""
    first, *later = (find_entry_sizes(stage, game) for stage in stages)
    return tuple(size for size in first if all(size in each for each in later))


def find_entry_sizes(stage: Stage, game: str) -> tuple[int, ...]:
    """Return the numbers of people that an entry can have in a stage of this game: as
    many as sit down, or a team large enough for its line-up.
    """
    if stage.line_up:
        return tuple(range(stage.players_a_match, MOST_MEMBERS + 1))
    return find_seated_sizes(stage, game)


def find_seated_sizes(stage: Stage, game: str) -> tuple[int, ...]:
    """Return the numbers of people of an entry that can sit at a table of this game:
    one, or a side if sides meet.
    """
    if stage.kind in ("pods", "rotating"):
        return (1,)
    return tuple(sorted({1, *map(len, GAMES[game].teams)}))


def _check_line_up(stage: Stage, game: str, path: str) -> None:
    """Raise RuleViolation `no_format` if not so many of a team can sit down together."""
    sitting = find_seated_sizes(stage, game)
    if stage.line_up and stage.line_up not in sitting:
        raise RuleViolation(
            "no_format",
            "%(sitting)s of a team play at a table of this game and format, not %(line_up)s",
            path=f"{path}.line_up",
            sitting=" or ".join(map(str, sitting)),
            line_up=stage.line_up,
        )
    most = MOST_MEMBERS // stage.line_up if stage.line_up else 1
    if stage.tables_a_match > 1 and stage.kind not in TEAM_MATCHES:
        raise _no_match(
            path,
            "in this format two teams meet at one table; several tables a match are for a Swiss, "
            "a round robin or a knock-out",
        )
    if stage.tables_a_match > 1 and not stage.line_up:
        raise _no_match(
            path,
            "several tables a match are for teams; say how many of a team play at a table",
        )
    if stage.tables_a_match > most:
        raise _no_match(
            path,
            "a team has up to %(members)s players, %(line_up)s of them at a table, so a match has "
            "up to %(most)s tables, not %(tables)s",
            members=MOST_MEMBERS,
            line_up=stage.line_up,
            most=most,
            tables=stage.tables_a_match,
        )


def _no_match(path: str, message: str, **values: object) -> RuleViolation:
    """That the matches of a stage can't have so many tables."""
    where = f"{path}.tables_a_match"
    return RuleViolation("no_format", message, rule="F10", path=where, **values)
