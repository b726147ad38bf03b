"""Seats that players confirm hands for: the link and PIN of each seat of a game, and what a browser
keeps of them.

Whoever holds one can confirm or dispute hands for that seat at that game, and nothing else.
"""

import hashlib
from collections.abc import Iterable, Mapping

from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.models import Game, Salon, SeatLink, new_id, new_pin

SEAT = "seat_link"
ACTOR = "seat:"


def links_of(game: Game, seats: Iterable[str]) -> Mapping[str, SeatLink]:
    """The link of each seat of a game; those that there weren't yet are made."""
    found = {link.seat: link for link in SeatLink.objects.filter(game=game.pk)}
    missing = [
        SeatLink(salon=game.salon, game=game.pk, seat=seat, pin=new_pin())
        for seat in seats
        if seat not in found
    ]
    if missing:
        SeatLink.objects.bulk_create(missing, ignore_conflicts=True)
        found = {link.seat: link for link in SeatLink.objects.filter(game=game.pk)}
    return {seat: found[seat] for seat in seats}


def renew_seat(link: SeatLink) -> None:
    """Give the seat another link and PIN; every browser that used the old ones stops acting
    for it.
    """
    link.token, link.pin = new_id(), new_pin()
    link.save(update_fields=["token", "pin"])


def take_seat(session: SessionBase, link: SeatLink) -> None:
    """Let this browser confirm for the seat, until it signs out or the link is renewed."""
    session.cycle_key()
    session[SEAT] = {"link": link.pk, "seal": _seal(link)}


def find_taken_seat(session: SessionBase) -> SeatLink | None:
    """Return the seat this browser can confirm for, if any."""
    kept = session.get(SEAT)
    if not kept:
        return None
    link = SeatLink.objects.select_related("salon").filter(pk=kept["link"]).first()
    if link is None or not constant_time_compare(kept["seal"], _seal(link)):
        return None
    return link


def actor_for(link: SeatLink) -> str:
    """Return the actor of events recorded through this link: "seat:" and 32 digits that
    don't reveal the link.
    """
    return ACTOR + hashlib.sha256(f"accord seat actor {link.token}".encode()).hexdigest()[:32]


def seats_in_words(salon: Salon, actors: Iterable[str]) -> dict[str, SeatLink]:
    """The link behind each of these actors that still holds."""
    wanted = {actor for actor in actors if actor.startswith(ACTOR)}
    if not wanted:
        return {}
    return {
        actor: link
        for link in SeatLink.objects.filter(salon=salon)
        if (actor := actor_for(link)) in wanted
    }


def players_at(salon: Salon, actors: Iterable[str]) -> dict[str, str]:
    """The player who sits where each of these actors acts by the link of a seat that still
    holds.
    """
    links = seats_in_words(salon, actors)
    seats = {
        game.pk: game.seats
        for game in Game.objects.filter(pk__in={link.game for link in links.values()})
    }
    sitting = {actor: seats.get(link.game, {}).get(link.seat, "") for actor, link in links.items()}
    return {actor: player for actor, player in sitting.items() if player}


def _seal(link: SeatLink) -> str:
    return salted_hmac(
        "tournament.seat_links", f"{link.token} {link.pin}", algorithm="sha256"
    ).hexdigest()
