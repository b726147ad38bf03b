"""Who is behind the actor that an event carries, in words."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournament.models import Membership, Salon, Table
from tournament.table_links import actor_at


def actors_in_words(salon: Salon, actors: Iterable[str]) -> dict[str, str]:
    """Each actor by its name: a person's, `Table 4's phone`, or what is left to say of one who is gone."""
    wanted = set(actors)
    users = {actor.removeprefix("user:") for actor in wanted if actor.startswith("user:")}
    named = {f"user:{user.pk}": _name(user) for user in User.objects.filter(pk__in=[user for user in users if user.isdigit()])}
    phones = _phones(salon) if any(actor.startswith("table:") for actor in wanted) else {}
    return {actor: named.get(actor) or phones.get(actor) or _gone(actor) for actor in wanted}


def known_actors(salon: Salon) -> dict[str, str]:
    """Everybody who may record in the salon now: its members by name, then its tables' phones."""
    members = Membership.objects.filter(salon=salon).select_related("user").order_by("pk")
    return {f"user:{member.user_id}": _name(member.user) for member in members} | _phones(salon)


def _phones(salon: Salon) -> dict[str, str]:
    tables = Table.objects.filter(salon=salon).order_by("pk")
    return {actor_at(table): _("Table %(table)s's phone") % {"table": table.label} for table in tables}


def _name(user: User) -> str:
    return user.first_name or _("A member without a name")


def _gone(actor: str) -> str:
    if actor.startswith("table:"):
        return _("A table's phone, by an earlier link")
    return _("Somebody who has left") if actor.startswith("user:") else _("The command line")
