"""What a table is worth in a stage, in a sentence: the rule by which results become points."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.domain.standings.values import Scale
from tournament.queries.number_format import hundredths


def scale_words(scale: Scale) -> str:
    """How points come of what is reached at a table, and what sitting out brings."""
    return f"{WORDS[scale.kind](scale)} {_sitting_out(scale)}"


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
    """What is counted, as it is or brought to tables of one size."""
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


def _sitting_out(scale: Scale) -> str:
    return _("Sitting out counts %(bye)s.") % {"bye": hundredths(scale.bye)}


WORDS: Mapping[str, Callable[[Scale], str]] = {
    "match": _match,
    "margin": _margin,
    "points": lambda scale: _at_one_size(scale, _("Game points are added.")),
    "chips": lambda scale: _at_one_size(scale, _("Chips won are added, chips lost taken off.")),
    "built": lambda _scale: _("The cards built are added."),
    "matchpoints": lambda _scale: _(
        "A result counts by the share of those beaten who held the same seats or cards, a tie as "
        "half: 0 to 100."
    ),
    "imps": lambda _scale: _(
        "A result counts by its distance from the mean of its deal, in IMPs of the stage's table."
    ),
    "victory_points": lambda _scale: _(
        "The IMPs of a round count as a match: 0 to 20 victory points."
    ),
}
