"""Captains of teams: the link and PIN by which one hands in its line-ups, and what a browser keeps
of them.

Whoever holds one can say who of that team plays in the rounds to come, and does nothing else.
"""

import hashlib
from collections.abc import Iterable, Mapping

from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.models import CaptainLink, Salon, Tournament, new_id, new_pin

CAPTAIN = "captain_links"
ACTOR = "captain:"
MOST = 8  # teams that a browser keeps the PIN of


def links_of(event: Tournament, entries: Iterable[str]) -> Mapping[str, CaptainLink]:
    """The captain's link of each of these entries; those that there weren't yet are made."""
    wanted = list(entries)
    found = _links_by_entry(event)
    missing = [
        CaptainLink(salon=event.salon, tournament=event.pk, entry=entry, pin=new_pin())
        for entry in wanted
        if entry not in found
    ]
    if missing:
        CaptainLink.objects.bulk_create(missing, ignore_conflicts=True)
        found = _links_by_entry(event)
    return {entry: found[entry] for entry in wanted}


def renew(link: CaptainLink) -> None:
    """Give the captain another link and PIN; every browser that used the old ones stops acting."""
    link.token, link.pin = new_id(), new_pin()
    link.save(update_fields=["token", "pin"])


def use(session: SessionBase, link: CaptainLink) -> None:
    """Let this browser hand in line-ups of the team, until it signs out or the link is renewed."""
    session.cycle_key()
    kept = list((session.get(CAPTAIN) or {}).items())
    session[CAPTAIN] = dict([*kept, (str(link.pk), _seal(link))][-MOST:])


def may_hand_in(session: SessionBase, link: CaptainLink) -> bool:
    """Whether this browser has given the PIN of this link."""
    seal = (session.get(CAPTAIN) or {}).get(str(link.pk), "")
    return constant_time_compare(seal, _seal(link))


def actor_for(link: CaptainLink) -> str:
    """Return the actor of events recorded through this link: "captain:" and 32 digits that
    don't reveal the link.
    """
    return ACTOR + hashlib.sha256(f"accord captain actor {link.token}".encode()).hexdigest()[:32]


def captains_in_words(salon: Salon, actors: Iterable[str], words: str) -> dict[str, str]:
    """Return the names of actors with captains' links that are still valid: `words` with
    the `entry` and its `event`.
    """
    wanted = {actor for actor in actors if actor.startswith(ACTOR)}
    if not wanted:
        return {}
    links = {
        actor: link
        for link in CaptainLink.objects.filter(salon=salon)
        if (actor := actor_for(link)) in wanted
    }
    events = Tournament.objects.filter(
        salon=salon, pk__in=[link.tournament for link in links.values()]
    )
    names = dict(events.values_list("pk", "name"))
    return {
        actor: words % {"entry": link.entry, "event": names.get(link.tournament, "")}
        for actor, link in links.items()
    }


def _links_by_entry(event: Tournament) -> dict[str, CaptainLink]:
    return {
        link.entry: link
        for link in CaptainLink.objects.filter(tournament=event.pk, salon=event.salon)
    }


def _seal(link: CaptainLink) -> str:
    return salted_hmac(
        "tournament.captain_links", f"{link.token} {link.pin}", algorithm="sha256"
    ).hexdigest()
