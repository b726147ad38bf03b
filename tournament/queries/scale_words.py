"""The value of a table in a stage, in a sentence: the rule by which results become
points.
"""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.domain.season.rules import BY_PLACE
from tournament.domain.season.rules import State as SeasonState
from tournament.domain.season.table import unit_of
from tournament.domain.standings.scales import bye_points, bye_worth
from tournament.domain.standings.values import DEAL_SCALES, HUNDREDTHS, MATCHPOINTS, Bye, Scale
from tournament.domain.tournament.state import State as TournamentState
from tournament.models import Salon, Tournament
from tournament.queries.number_format import hundredths

BYES = {
    "pairing": gettext_lazy("sits out and gets %(points)s"),
    "full": gettext_lazy("has a full bye and gets %(points)s"),
    "half": gettext_lazy("asked for a half bye and gets %(points)s"),
}
WITHOUT_POINTS = {
    "pairing": gettext_lazy("sits out, which counts as its own mean"),
    "full": gettext_lazy("has a full bye, which counts as its own mean"),
    "half": gettext_lazy("asked for a half bye, which changes no percentage"),
}


def scale_words(scale: Scale) -> str:
    """The rule by which a table's result becomes points, and the points for sitting out."""
    return f"{WORDS[scale.kind](scale)} {_describe_sit_out(scale)}"


def differing_scales(salon: Salon, season: SeasonState) -> list[str]:
    """The scales of a season that adds up standing points, where a point is not the same by all of
    them; [] where it is, and where places count.
    """
    if season.rule.points == BY_PLACE:
        return []
    rows = Tournament.objects.filter(salon=salon, pk__in=season.events)
    scales = {
        unit_of(stage.scale): stage.scale.kind
        for state in rows.values_list("state", flat=True)
        for stage in state.every_stage
        if stage.kind != "knockout"
    }
    return sorted(set(scales.values())) if len(scales) > 1 else []


def points_words(points: int | None, scale: Scale) -> str:
    """Points of the standings with their unit: `1 point`, `2.5 points`, `68.75 %`."""
    if points is None:
        return _("no points yet")
    if scale.kind == MATCHPOINTS:
        return _("%(points)s %%") % {"points": hundredths(points)}
    return amount_words(points)


def bye_words(scale: Scale, bye: Bye) -> str:
    """That an entry has no table in a round, with what that counts."""
    if bye.kind == "zero":
        return _("does not play this round")
    worth = bye_worth(scale, bye)
    if worth is None:
        return str(WITHOUT_POINTS[bye.kind])
    return str(BYES[bye.kind]) % {"points": amount_words(worth) if worth else _("no points")}


def own_bye_words(scale: Scale, bye: Bye) -> str:
    """The same, said to the entry itself."""
    if bye.kind == "zero":
        return _("You don’t play this round.")
    worth = bye_worth(scale, bye)
    if worth is None:
        return _("You sit out; that counts as the mean of what you play.")
    points = amount_words(worth) if worth else _("no points")
    return _("You sit out and get %(points)s.") % {"points": points}


def forfeit_words(scale: Scale, size: int) -> str:
    """Words for the points of those of a table of so many who came when others did not."""
    worth = bye_points(scale, "full" if size == 2 else "pairing")
    if scale.kind in DEAL_SCALES and worth:
        return _("For who came, the round counts as their own mean.")
    if not worth:
        return _("Who came gets no points.")
    return _("Who came gets %(points)s.") % {"points": amount_words(worth)}


def amount_words(worth: int) -> str:
    """`1 point`, `2.5 points`."""
    if worth == HUNDREDTHS:
        return _("1 point")
    return _("%(points)s points") % {"points": hundredths(worth)}


def points_heading(scale: Scale) -> str:
    """The heading of the points in standings."""
    return _("Per cent") if scale.kind == MATCHPOINTS else _("Points")


def points_heading_of(state: TournamentState) -> str:
    """The heading of points in a list that reaches over all stages of a tournament."""
    headings = {points_heading(stage.scale) for stage in state.every_stage}
    return headings.pop() if len(headings) == 1 else _("Points")


def _match(scale: Scale) -> str:
    worth = {name: hundredths(getattr(scale, name)) for name in ("win", "draw", "loss")}
    if scale.opponents:
        return (
            _(
                "At a table the first counts %(win)s and the last %(loss)s, who comes between them "
                "by the share of the others left behind, a tie as half: so tables of every size "
                "count the same."
            )
            % worth
        )
    return _("A win counts %(win)s, a draw %(draw)s, a loss %(loss)s.") % worth


def _margin(scale: Scale) -> str:
    return _(
        "The difference of the scores is shared out as victory points, %(most)s in all between two."
    ) % {"most": 2 * len(scale.steps)}


def _at_one_size(scale: Scale, what: str) -> str:
    """The thing that is counted, as it is or brought to tables of one size."""
    if not scale.opponents:
        return what
    return (
        what
        + " "
        + ngettext(
            "Tables of every size count the same: what was won from each opponent on average, "
            "times %(opponents)d.",
            "Tables of every size count the same: what was won from each opponent on average, "
            "times %(opponents)d.",
            scale.opponents,
        )
        % {"opponents": scale.opponents}
    )


def _describe_sit_out(scale: Scale) -> str:
    if scale.kind in DEAL_SCALES:
        return _("Sitting out counts as the mean of what an entry plays, so it changes nothing.")
    return _("Sitting out counts %(bye)s.") % {"bye": hundredths(scale.bye)}


WORDS: Mapping[str, Callable[[Scale], str]] = {
    "match": _match,
    "margin": _margin,
    "points": lambda scale: _at_one_size(scale, _("Game points are added.")),
    "chips": lambda scale: _at_one_size(scale, _("Chips won are added, chips lost taken off.")),
    "built": lambda _scale: _("The cards built are added."),
    "matchpoints": lambda _scale: _(
        "A result counts by the share of those beaten who held the same seats or cards, a tie as "
        "half: 0 to 100 per cent. The mean of all that was played counts."
    ),
    "imps": lambda _scale: _(
        "A result counts by its distance from the mean of its deal, in IMPs of the stage's table."
    ),
    "victory_points": lambda _scale: _(
        "The IMPs of a round count as a match: 0 to 20 victory points."
    ),
}
