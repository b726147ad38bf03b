"""Who is behind the actor that an event carries, in words."""

import json
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.event_links import phones_in_words
from tournament.models import Game, Membership, Salon, Table
from tournament.people import names_of
from tournament.seat_links import seats_in_words
from tournament.table_links import actor_at

NOBODY = {"period": gettext_lazy("The correction period"), "practice": gettext_lazy("The tables of a practice evening")}


def actors_in_words(salon: Salon, actors: Iterable[str]) -> dict[str, str]:
    """Each actor by its name: a person's, `Table 4's phone`, or what is left to say of one who is gone."""
    wanted = set(actors)
    users = {actor.removeprefix("user:") for actor in wanted if actor.startswith("user:")}
    named = {f"user:{user.pk}": _name(user) for user in User.objects.filter(pk__in=[user for user in users if user.isdigit()])}
    phones = _phones(salon) if any(actor.startswith("table:") for actor in wanted) else {}
    named |= phones | _players(salon, wanted)
    return {actor: named.get(actor) or _gone(actor) for actor in wanted}


def known_actors(salon: Salon) -> dict[str, str]:
    """Everybody who may record in the salon now: its members by name, then its tables' phones."""
    members = Membership.objects.filter(salon=salon).select_related("user").order_by("pk")
    return {f"user:{member.user_id}": _name(member.user) for member in members} | _phones(salon)


def _phones(salon: Salon) -> dict[str, str]:
    tables = Table.objects.filter(salon=salon).order_by("pk")
    by_table = {actor_at(table): _("Table %(table)s's phone") % {"table": table.label} for table in tables}
    return by_table | phones_in_words(salon, _("A phone of %(event)s"))


def _players(salon: Salon, actors: Iterable[str]) -> dict[str, str]:
    """Those who act by the link of a seat, by the name of who sits there."""
    links = seats_in_words(salon, actors)
    seats = {game.pk: json.loads(game.seats) for game in Game.objects.filter(pk__in={link.game for link in links.values()})}
    names = names_of(salon, [player for seated in seats.values() for player in seated.values()])
    said = {actor: names.get(seats.get(link.game, {}).get(link.seat, "")) for actor, link in links.items()}
    return {actor: name for actor, name in said.items() if name}


def _name(user: User) -> str:
    return user.first_name or _("A member without a name")


def _gone(actor: str) -> str:
    if actor.startswith("table:"):
        return _("A table's phone, by an earlier link")
    if actor.startswith("seat:"):
        return _("A player, by an earlier link")
    if actor in NOBODY:
        return str(NOBODY[actor])
    return _("Somebody who has left") if actor.startswith("user:") else _("The command line")
