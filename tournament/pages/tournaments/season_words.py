"""The rule of a season in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.domain.season.rules import BY_PLACE, SeasonRule
from tournament.domain.standings.values import HUNDREDTHS


def rule_in_words(rule: SeasonRule) -> str:
    """Describe the scoring of a season in a sentence or two."""
    if rule.points == BY_PLACE:
        points = " – ".join(f"{each / HUNDREDTHS:g}" for each in rule.places)
        first = _("A tournament is worth, from the first place down: %(points)s.") % {
            "points": points
        }
    else:
        first = _("A tournament is worth its standing points.")
    if rule.best is not None:
        return f"{first} " + ngettext(
            "The best result counts.", "The best %(count)d results count.", rule.best
        ) % {"count": rule.best}
    if rule.worst is not None:
        second = ngettext(
            "The worst result is left out.", "The worst %(count)d results are left out.", rule.worst
        )
        return f"{first} {second % {'count': rule.worst}}"
    return f"{first} {_('All results count.')}"
