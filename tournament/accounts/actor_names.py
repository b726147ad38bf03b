"""Names, in words, for the actors of events."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.accounts.actors import account_behind, actor_of_account
from tournament.accounts.captain_links import captains_in_words
from tournament.accounts.event_links import phones_in_words
from tournament.accounts.seat_links import players_at
from tournament.accounts.table_links import actor_at
from tournament.models import EarlierActor, Membership, Salon, Table
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience

NOBODY = {
    "period": gettext_lazy("The correction period"),
    "practice": gettext_lazy("The tables of a practice evening"),
    "names": gettext_lazy("The server"),  # which covers names before it signs
    "retention": gettext_lazy("The salon's own retention"),
}


def actors_in_words(salon: Salon, actors: Iterable[str], audience: Audience) -> dict[str, str]:
    """Each actor by its name for this audience: a person's, `Table 4's phone`, or what is left to
    say of one who is gone.
    """
    wanted = set(actors)
    accounts = {
        account: actor for actor in wanted if (account := account_behind(salon, actor)) is not None
    }
    named = {accounts[user.pk]: _name(user) for user in User.objects.filter(pk__in=accounts)}
    named |= captains_in_words(salon, wanted, _("The captain of entry %(entry)s, %(event)s"))
    named |= _phones(salon) if any(actor.startswith("table:") for actor in wanted) else {}
    named |= _players(salon, wanted, audience) | _on_servers_before(salon, wanted, audience)
    return {actor: named.get(actor) or _former_actor(actor) for actor in wanted}


def list_known_actors(salon: Salon) -> dict[str, str]:
    """Return the actors who can record in the salon now: its members by name, then its
    tables' phones.
    """
    members = Membership.objects.filter(salon=salon).select_related("user").order_by("pk")
    return {
        actor_of_account(salon, member.user_id): _name(member.user) for member in members
    } | _phones(salon)


def _phones(salon: Salon) -> dict[str, str]:
    tables = Table.objects.filter(salon=salon).order_by("pk")
    by_table = {
        actor_at(table): _("Table %(table)s's phone") % {"table": table.label} for table in tables
    }
    return by_table | phones_in_words(salon, _("A phone of %(event)s"))


def _players(salon: Salon, actors: Iterable[str], audience: Audience) -> dict[str, str]:
    """Those who act by the link of a seat, by the name of who sits there."""
    players = players_at(salon, actors)
    names = names_of(salon, set(players.values()), audience)
    return {actor: names[player] for actor, player in players.items()}


def _on_servers_before(salon: Salon, actors: set[str], audience: Audience) -> dict[str, str]:
    """Those who acted before the salon came to this server, by the names they had or have as
    players.
    """
    if not salon.moves:
        return {}
    rows = list(EarlierActor.objects.filter(salon=salon, actor__in=actors))
    players = names_of(salon, [row.player_id for row in rows if row.player_id], audience)
    said = {row.actor: players.get(row.player_id or "", "") or row.name for row in rows}
    return {actor: name for actor, name in said.items() if name}


def _name(user: User) -> str:
    return user.first_name or _("A member without a name")


def _former_actor(actor: str) -> str:
    if actor.startswith("table:"):
        return _("A table's phone, by an earlier link")
    if actor.startswith("seat:"):
        return _("A player, by an earlier link")
    if actor.startswith("entry:"):
        return _("A player, by their own page")
    if actor.startswith("captain:"):
        return _("A captain, by an earlier link")
    if actor in NOBODY:
        return str(NOBODY[actor])
    return _("Somebody who has left") if actor.startswith("user:") else _("The command line")
