"""The link of an event: a phone that opened it and gave its PIN records at the tables where the
event's games are played.

It lets do nothing else: no game is begun with it, no other table is reached, and it ends with the
event or when a director ends it.
"""

import hashlib

from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.models import EventLink, Game, Salon, Tournament, TournamentGame, new_id, new_pin

LINK = "event_link"
UNDER_WAY = ("registration", "running")
OVER = ("finished", "archived")


def open_link(event: Tournament) -> EventLink:
    """The link of an event, made anew when there was one: every browser that used the old one stops
    acting.
    """
    fresh = {"salon": event.salon, "token": new_id(), "pin": new_pin()}
    return EventLink.objects.update_or_create(tournament=event.pk, defaults=fresh)[0]


def end_link(event: Tournament) -> None:
    """End the link of an event, if it has one."""
    EventLink.objects.filter(tournament=event.pk, salon=event.salon_id).delete()


def holds(link: EventLink) -> bool:
    """Whether its event is under way."""
    event = Tournament.objects.filter(pk=link.tournament, salon=link.salon_id)
    return event.filter(phase__in=UNDER_WAY).exists()


def use(session: SessionBase, link: EventLink) -> None:
    """Let this browser act at the tables of the event until it signs out or the link ends."""
    session.cycle_key()
    session[LINK] = {"link": link.pk, "seal": _seal(link)}


def find_used_link(session: SessionBase) -> EventLink | None:
    """The link by which this browser acts, if any holds."""
    kept = session.get(LINK)
    if not kept:
        return None
    link = EventLink.objects.select_related("salon").filter(pk=kept["link"]).first()
    if link is None or not constant_time_compare(kept["seal"], _seal(link)) or not holds(link):
        return None
    return link


def tables_of(link: EventLink) -> frozenset[str]:
    """The tables whose game now is one of the event's: the open one, else the one that
    ended last.
    """
    counting = TournamentGame.objects.filter(stream=link.tournament)
    games = set(counting.values_list("game", flat=True))
    at_tables = Game.objects.filter(pk__in=games).exclude(table="")
    labels = set(at_tables.values_list("table", flat=True))
    rows = Game.objects.filter(salon=link.salon_id, table__in=labels)
    rows = rows.order_by("finished", "-started_position")
    last: dict[str, str] = {}
    for label, game in rows.values_list("table", "pk"):
        last.setdefault(label, game)
    return frozenset(label for label, game in last.items() if game in games)


def actor_of(link: EventLink) -> str:
    """Return the actor of events recorded through this link: "table:" and 32 digits that
    don't reveal the link.
    """
    return "table:" + hashlib.sha256(f"accord event actor {link.token}".encode()).hexdigest()[:32]


def phones_in_words(salon: Salon, words: str) -> dict[str, str]:
    """Return the names of actors with the links of the salon's events: `words` with each
    event's name as `event`.
    """
    links = list(EventLink.objects.filter(salon=salon))
    events = Tournament.objects.filter(salon=salon, pk__in=[link.tournament for link in links])
    names = dict(events.values_list("pk", "name"))
    return {actor_of(link): words % {"event": names.get(link.tournament, "")} for link in links}


def _seal(link: EventLink) -> str:
    return salted_hmac(
        "tournament.event_links", f"{link.token} {link.pin}", algorithm="sha256"
    ).hexdigest()
