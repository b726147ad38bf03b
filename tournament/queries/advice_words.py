"""A format that fits, in words: what it is, what it has, and what to say to the room."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.domain.pairing.advice import Offer
from tournament.domain.standings.values import BY_SCORE, HOWELL
from tournament.queries.plan_words import moves_words


def title_words(offer: Offer) -> str:
    """The name of a format."""
    match offer.kind:
        case "movement" if offer.own["movement"] == HOWELL:
            return _("Howell: everybody meets everybody, over the same deals")
        case "movement":
            return _("Mitchell: N–S stay, E–W and the deals move")
        case "rotating" if offer.own["games_a_sitting"] == "3":
            return _("Changing partners, three games a sitting")
        case "rotating":
            return _("Changing partners, another table after each game")
        case "pods" if offer.own["seating"] == BY_SCORE:
            return _("Tables of %(sizes)s by score") % {"sizes": _sizes(offer)}
        case "pods":
            return _("Tables of %(sizes)s by a plan") % {"sizes": _sizes(offer)}
        case "round_robin":
            return _("Round robin")
        case "swiss":
            return _("Swiss")
        case "duplicate":
            return _("The same deals for everyone")
        case _:
            return _("Knock-out")


def rounds_words(offer: Offer) -> str:
    """The number of rounds that are played, and of how many."""
    rounds = ngettext("%(count)d round", "%(count)d rounds", offer.rounds) % {"count": offer.rounds}
    if offer.possible is None or offer.rounds >= offer.possible:
        return rounds
    return _("%(rounds)s of the %(possible)d there are") % {
        "rounds": rounds,
        "possible": offer.possible,
    }


def out_words(offer: Offer) -> str:
    """The number of entries without a table."""
    if not offer.out_a_round:
        return _("Nobody sits out")
    if offer.kind == "knockout":
        return ngettext(
            "%(count)d goes through round 1 without a match",
            "%(count)d go through round 1 without a match",
            offer.out_a_round,
        ) % {"count": offer.out_a_round}
    return ngettext(
        "%(count)d sits out each round", "%(count)d sit out each round", offer.out_a_round
    ) % {"count": offer.out_a_round}


def again_words(offer: Offer) -> str:
    """The number of repeated meetings or partnerships; "" if the results decide."""
    if offer.again is None:
        return ""
    if offer.kind == "rotating":
        if not offer.again:
            return _("Nobody has the same partner twice")
        return ngettext(
            "%(count)d partnership comes again", "%(count)d partnerships come again", offer.again
        ) % {"count": offer.again}
    if not offer.again:
        return _("Nobody meets twice")
    return ngettext(
        "%(count)d meeting is a repeat", "%(count)d meetings are repeats", offer.again
    ) % {"count": offer.again}


def apart_words(offer: Offer) -> str:
    """The number of pairs that never meet; "" if the results decide."""
    if offer.apart is None:
        return ""
    if not offer.apart:
        return _("Everybody meets everybody")
    return ngettext(
        "%(count)d pair never shares a table", "%(count)d pairs never share a table", offer.apart
    ) % {"count": offer.apart}


def describe_result_entry(offer: Offer) -> str:
    """That no game can be recorded at its tables; "" if games can be."""
    return _("Results can only be typed") if offer.typed_only else ""


def room_words(offer: Offer) -> str:
    """The sentence for the room."""
    if moves := moves_words(offer.moves):
        return moves
    match offer.kind:
        case "movement":
            return _("After each round everybody looks up the next table and deals on the plan.")
        case "rotating" if offer.own["games_a_sitting"] == "3":
            return _(
                "Sit down once, play three games, one with each partner; then look up the next "
                "table."
            )
        case "rotating" | "round_robin":
            return _("After each game everybody looks up the next table and seat on the plan.")
        case "pods" if offer.own["seating"] != BY_SCORE:
            return _("After each round everybody looks up the next table on the plan.")
        case "duplicate":
            return _("Everyone plays the same deals, each at a table of their own.")
        case "knockout":
            return _("Whoever loses is out; the winners look for their next match.")
        case _:
            return _("After each round the next one is drawn from the scores and put up.")


def _sizes(offer: Offer) -> str:
    return _(" or ").join(offer.own["sizes"].split(","))
