"""Checks of a tournament of several stages: rounds out of order, cuts that can't be
made, entries seated in a stage that they didn't qualify for.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from scoring.errors import RuleViolation
from tournament.domain.standings.stages import (
    check_cuts,
    current_stage,
    field_of_stage,
    rounds_before,
)
from tournament.domain.standings.values import BY_PLAY_OFF, PlayOff, Round, Stage, Tournament


def parts_of(tournament: Tournament) -> Iterator[tuple[Tournament, int]]:
    """The rounds of each stage with what that stage asks, and how many rounds come before them."""
    if not tournament.stages:
        yield tournament, 0
        return
    for number, stage in enumerate(tournament.stages, start=1):
        rounds = tuple(each for each in tournament.rounds if each.stage == number)
        yield (replace(tournament, stage=stage, rounds=rounds), rounds_before(tournament, number))


def check_sequence(tournament: Tournament, known: Set[str]) -> None:
    """Raise RuleViolation where rounds or cuts are not in the order of the stages."""
    so_far = 1
    for place, each in enumerate(tournament.rounds):
        if each.stage not in (so_far, so_far + (place > 0)):
            raise RuleViolation(
                "bad_stage",
                "round %(round)s can be of stage %(so_far)s or the one after it, not of %(stage)s",
                path=f"rounds[{place}].stage",
                round=place + 1,
                so_far=so_far,
                stage=each.stage,
            )
        so_far = each.stage
    for place, cut in enumerate(tournament.cuts):
        path = f"cuts[{place}]"
        if cut.stage != place + 2 or cut.stage > len(tournament.stages):
            raise RuleViolation(
                "bad_cut",
                "the cuts to stages 2 to %(stages)s stand here in order",
                rule="F7",
                path=f"{path}.stage",
                stages=len(tournament.stages),
            )
        if len(set(cut.entries)) < max(len(cut.entries), 2) or not known >= set(cut.entries):
            raise RuleViolation(
                "bad_cut",
                "two entries or more go on to a stage, each of the tournament's and once",
                rule="F7",
                path=f"{path}.entries",
            )


def _check_play_off(tournament: Tournament, play_off: PlayOff, path: str) -> None:
    """Two entries or more played off, each once, after a stage that was played, at an edge that is
    parted so.
    """
    if play_off.stage not in find_play_off_stages(tournament.stages):
        raise _bad_play_off(
            f"{path}.stage",
            "no stage takes entries from stage %(stage)s with a play-off",
            stage=play_off.stage,
        )
    if play_off.stage > current_stage(tournament) or not any(
        each.stage == play_off.stage for each in tournament.rounds
    ):
        raise _bad_play_off(
            f"{path}.stage",
            "stage %(stage)s is not played yet; those who are level play off after it",
            stage=play_off.stage,
        )
    there = set(field_of_stage(tournament, play_off.stage))
    if not is_order(play_off.order, there):
        raise _bad_play_off(
            f"{path}.order",
            "two entries or more of stage %(stage)s play off, each once",
            stage=play_off.stage,
        )


def find_play_off_stages(stages: Sequence[Stage]) -> set[int]:
    """The stages at an edge of which those who are level play it off."""
    return {
        takes.from_stage for each in stages for takes in each.sources if takes.ties == BY_PLAY_OFF
    }


def is_order(order: Sequence[str], there: Set[str]) -> bool:
    """Whether two or more of these came out in an order, each once."""
    return len(set(order)) == len(order) > 1 and there >= set(order)


def check_fields(tournament: Tournament) -> None:
    """Raise RuleViolation `bad_cut` for a cut larger than its field once rounds are there,
    `bad_play_off` for one that nobody had to play, `not_qualified` for who is seated in a stage
    that it didn't go on to.
    """
    for place, play_off in enumerate(tournament.play_offs):
        _check_play_off(tournament, play_off, f"play_offs[{place}]")
    if not tournament.rounds:
        return
    check_cuts(tournament)
    for number in range(2, current_stage(tournament) + 1):
        there = set(field_of_stage(tournament, number))
        for place, each in enumerate(tournament.rounds):
            strange = [
                entry for entry in _list_seated(each) if each.stage == number and entry not in there
            ]
            if strange:
                raise RuleViolation(
                    "not_qualified",
                    "%(entry)s didn't go on to stage %(stage)s and can't be in round %(round)s",
                    rule="F7",
                    path=f"rounds[{place}]",
                    entry=strange[0],
                    stage=number,
                    round=place + 1,
                )


def _list_seated(each: Round) -> Iterator[str]:
    for table in each.tables:
        yield from table.entries
    yield from (bye.entry for bye in each.byes)


def _bad_play_off(path: str, message: str, **values: object) -> RuleViolation:
    return RuleViolation("bad_play_off", message, rule="F7", path=path, **values)
