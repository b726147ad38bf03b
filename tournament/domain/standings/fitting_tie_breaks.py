"""Which tie-breaks can part anybody in a stage of a game: the others count what its results don't
hold, or say what the points say already. Forms, files and commands ask here alike.
"""

from collections.abc import Mapping, Sequence

from scoring.errors import RuleViolation
from scoring.games import GAMES
from tournament.domain.standings.formats import plays_alone, scales_for
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import DEAL_SCALES, Stage

# What a result must hold for a tie-break to count anything.
OF_A_LIMIT = {"fewest_audits": "audits", "fewest_excess": "excess"}
OF_OPPONENTS = (
    "buchholz",
    "buchholz_cut_1",
    "median_buchholz",
    "sonneborn_berger",
    "direct_encounter",
    "koya",
    "wins",
    "score_difference",
    "average_opponent_rating",
)
# What says nothing beside the points of a scale: the same again, or scores of different deals.
NOTHING_BY: Mapping[str, tuple[str, ...]] = {
    "points": ("score_total",),
    "built": ("score_total",),
    "chips": ("wins", "score_difference", "score_total", "chips"),
    **dict.fromkeys(DEAL_SCALES, ("wins", "score_difference", "score_total")),
}
USUAL_TIE_BREAKS: Mapping[str, tuple[str, ...]] = {
    "swiss": ("buchholz_cut_1", "buchholz", "sonneborn_berger", "score_difference"),
    "round_robin": ("direct_encounter", "sonneborn_berger", "wins", "score_difference"),
    **dict.fromkeys(("pods", "rotating"), ("wins", "score_difference", "score_total")),
    "movement": ("wins", "score_difference"),
    "knockout": (),
    "duplicate": ("wins", "score_total"),
}


def tie_breaks_for(stage: Stage, game: str) -> tuple[str, ...]:
    """The tie-breaks that a stage of a game can use, by its format, its scale and what results
    hold; none parts those who share a place in a knock-out.
    """
    return tuple(name for name in TIE_BREAKS if _fits(name, stage, game))


def usual_tie_breaks(stage: Stage, game: str) -> tuple[str, ...]:
    """Those of them that are usual for the format, in order."""
    return tuple(name for name in USUAL_TIE_BREAKS[stage.kind] if _fits(name, stage, game))


def check_tie_breaks(
    stage: Stage, game: str, path: str = "stage", *, kept: Sequence[str] = ()
) -> None:
    """Raise RuleViolation `no_tie_break` for a tie-break that can part nobody in a stage, naming
    those that can; those that a stage has (`kept`) may stay.
    """
    strange = [
        name for name in stage.tie_breaks if name not in kept and not _fits(name, stage, game)
    ]
    if not strange:
        return
    fitting = tie_breaks_for(stage, game)
    if not fitting:
        raise RuleViolation(
            "no_tie_break",
            "a knock-out has places, which no tie-break parts; leave %(tie_break)s out",
            rule="tournaments",
            path=f"{path}.tie_breaks",
            tie_break=strange[0],
        )
    raise RuleViolation(
        "no_tie_break",
        "%(tie_break)s parts nobody in this format by this scale; there are: %(tie_breaks)s",
        rule="tournaments",
        path=f"{path}.tie_breaks",
        tie_break=strange[0],
        tie_breaks=", ".join(fitting),
    )


def _fits(name: str, stage: Stage, game: str) -> bool:
    chosen = GAMES[game]
    if stage.kind == "knockout" or name in NOTHING_BY.get(stage.scale.kind, ()):
        return False
    if name in OF_A_LIMIT:
        return OF_A_LIMIT[name] in chosen.limits
    if name in OF_OPPONENTS:
        return not plays_alone(stage, game)
    if name == "tricks":
        return any(chosen.tricks(len(seats)) is not None for seats in chosen.seatings)
    if name == "chips":
        return "chips" in scales_for(Stage(), game)
    return True
