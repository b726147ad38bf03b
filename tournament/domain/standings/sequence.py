"""Which stages can follow each other: each but the first takes its entries from earlier ones."""

from collections.abc import Sequence

from scoring.errors import NotationError
from tournament.domain.standings.values import Stage, Takes


def in_sequence(stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """Stages as a tournament can have them: each but the first takes entries of earlier ones, no
    place twice, and an edge that two of them make is parted for both alike. One of them at most
    plays the same deals at several tables: a tournament has one set of them.

    Raises NotationError.
    """
    _check_deals(stages)
    ties_at: dict[tuple[int, int], tuple[int, str]] = {}
    for place, stage in enumerate(stages):
        path = f"stages[{place}].takes"
        if place == 0 and stage.sources:
            raise NotationError("the first stage takes everybody", path=path)
        if place and not stage.sources:
            raise NotationError(
                "a later stage says how many of the stage before go on to it: "
                '{"from": %(before)s, "top": 8}',
                path=path,
                before=place,
            )
        for at, takes in enumerate(stage.sources):
            source = f"{path}[{at}]" if stage.also else path
            _check_earlier(takes, place, source)
            _check_once(stage.sources[:at], takes, source)
            _check_ties(ties_at, takes, place + 1, source)
    return stages


def _check_deals(stages: Sequence[Stage]) -> None:
    """Raise NotationError where deals of one stage would be known in another."""
    with_deals = [number for number, stage in enumerate(stages, start=1) if stage.plays_same_deals]
    if len(with_deals) > 1:
        raise NotationError(
            "stage %(stage)s plays the same deals at several tables, and so does stage %(other)s; "
            "one stage of a tournament can",
            path=f"stages[{with_deals[1] - 1}].kind",
            stage=with_deals[1],
            other=with_deals[0],
        )


def _check_earlier(takes: Takes, before: int, path: str) -> None:
    """Raise NotationError for a source that isn't played before the stage."""
    if takes.from_stage <= before:
        return
    if before == 1:
        raise NotationError(
            "stage %(stage)s takes entries from stage %(before)s, the one before it",
            path=f"{path}.from",
            stage=2,
            before=1,
        )
    raise NotationError(
        "stage %(stage)s takes entries from an earlier stage, 1 to %(before)s",
        path=f"{path}.from",
        stage=before + 1,
        before=before,
    )


def _check_once(earlier: Sequence[Takes], takes: Takes, path: str) -> None:
    """Raise NotationError where a stage takes a place twice."""
    for other in earlier:
        twice = range(max(takes.first, other.first), min(takes.last, other.last) + 1)
        if other.from_stage == takes.from_stage and twice:
            raise NotationError(
                "place %(place)s of stage %(source)s is taken twice; take places from %(free)s on",
                path=f"{path}.{'places' if takes.first > 1 else 'top'}",
                place=twice[0],
                source=takes.from_stage,
                free=max(each.last for each in earlier if each.from_stage == takes.from_stage) + 1,
            )


def _check_ties(
    ties_at: dict[tuple[int, int], tuple[int, str]], takes: Takes, number: int, path: str
) -> None:
    """Raise NotationError where equals at one edge are to be parted in two ways."""
    for place in takes.edges:
        stage, ties = ties_at.setdefault((takes.from_stage, place), (number, takes.ties))
        if ties != takes.ties:
            raise NotationError(
                "equals at place %(place)s of stage %(source)s are parted for stage %(stage)s "
                "by %(ties)s; say the same here",
                path=f"{path}.ties",
                place=place,
                source=takes.from_stage,
                stage=stage,
                ties=ties,
            )
