"""The effect of an entry that is made now, in words, before it is made."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.errors import RuleViolation
from tournament.domain.tournament.entries import check_open
from tournament.domain.tournament.late_entries import (
    AT_ONCE,
    IN_TURN,
    MORE_TABLE,
    OWN_TABLE,
    WAITS,
    LateEntry,
    what_becomes,
)
from tournament.queries.refusal_text import refusal_words
from tournament.queries.tournament import TournamentView
from tournament.queries.word_lists import list_words


def late_words(at: TournamentView) -> tuple[bool, str]:
    """Whether anybody can enter now, and what becomes of them, or why nobody can; "" before the
    first draw.
    """
    try:
        check_open(at.state)
        late = what_becomes(at.state, at.outcomes)
    except RuleViolation as refusal:
        return False, refusal_words(refusal)
    return True, "" if late is None else _words(late, at)


def _words(late: LateEntry, at: TournamentView) -> str:
    said = {"round": late.round, "name": at.entries.get(late.other, "")}
    match late.kind:
        case kind if kind == OWN_TABLE:
            return _("Whoever enters now plays round %(round)d at a table of their own.") % said
        case kind if kind == AT_ONCE:
            return (
                _(
                    "Whoever enters now plays round %(round)d at one more table against %(name)s, "
                    "who would sit out."
                )
                % said
            )
        case kind if kind == MORE_TABLE:
            return (
                _(
                    "Whoever enters now plays from round %(round)d on. %(name)s sits out of the "
                    "round before: on its page you can seat the two at one more table."
                )
                % said
            )
        case kind if kind == IN_TURN:
            rounds = ngettext("round %(rounds)s", "rounds %(rounds)s", len(late.plays)) % {
                "rounds": list_words([str(number) for number in late.plays])
            }
            return _(
                "Every place is taken. Whoever enters now sits out in turn with the others, and "
                "plays in %(rounds)s if nobody else comes or leaves."
            ) % {"rounds": rounds}
        case kind if kind == WAITS:
            return (
                _(
                    "Every place is taken. Whoever enters now sits out from round %(round)d on, "
                    "until someone leaves."
                )
                % said
            )
        case _:
            return _("Whoever enters now plays from round %(round)d on.") % said
