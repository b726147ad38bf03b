"""Public pages of the rules in force: the permissions of each role, as the program has
them, and the rules of a game in plain sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET, require_safe

from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import AT_OWN_TABLES, GRANTS, OF_ITS_OWN, Permission, Role
from tournament.pages.salon.promises import PROMISES

WHAT_A_ROLE_IS = {
    Role.OWNER: gettext_noop(
        "opened the salon or was made an owner; invites everybody and looks after the salon"
    ),
    Role.DIRECTOR: gettext_noop(
        "runs tournaments, rules, corrects, confirms for the house; invites scorers, players "
        "and auditors"
    ),
    Role.SCORER: gettext_noop("has an account and records at every table"),
    Role.AUDITOR: gettext_noop("has an account, reads everything and changes nothing"),
    Role.PLAYER: gettext_noop(
        "has an account that belongs to a player; sees and confirms their own games"
    ),
    Role.TABLE_LINK: gettext_noop(
        "opened the link of a table, or of the tables of a tournament, and gave its PIN; no account"
    ),
    Role.SEAT_LINK: gettext_noop(
        "opened the link of a seat at one game and gave its PIN; no account"
    ),
    Role.ANYONE: gettext_noop(
        "everybody else who can reach the server; with the code on a slip they read the page of "
        "its entry and may have their phone told what concerns it"
    ),
}
YES, OWN_TABLES, OWN, NO = "yes", "tables", "own", ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRow:
    """An act, and for each role in order: `yes`, `tables` (at the own tables), `own` (of the own
    games) or "" for never.
    """

    act: Permission
    roles: Sequence[tuple[Role, str]]


@require_safe
@requires(Permission.SEE_SALON)
def permissions(request: SalonRequest) -> HttpResponse:
    """The table of permissions, what each role is, and what is promised against whom."""
    shown = {
        "roles": WHAT_A_ROLE_IS.items(),
        "permissions": permissions_now(),
        "promises": PROMISES,
    }
    return render(request, "permissions.html", shown)


def permissions_now() -> list[PermissionRow]:
    """Every act with what each role may do of it."""
    return [
        PermissionRow(act=act, roles=[(role, extent(act, role)) for role in Role])
        for act in Permission
    ]


def extent(act: Permission, role: Role) -> str:
    """Return the extent of a role's permission for an act."""
    if role not in GRANTS[act]:
        return NO
    if role in AT_OWN_TABLES.get(act, ()):
        return OWN_TABLES
    return OWN if role in OF_ITS_OWN.get(act, ()) else YES


@require_GET
@requires(Permission.SEE_SALON)
def general_rules(request: SalonRequest) -> HttpResponse:
    """The rules that hold in every game and at the desk, and the way to those of each game."""
    games = [(game.name, _(game.title)) for game in GAMES.values()]
    return render(request, "general_rules.html", {"here": "tables", "games": games})


@require_GET
@requires(Permission.SEE_SALON)
def rules(request: SalonRequest, kind: str) -> HttpResponse:
    """Every rule of the game with its number."""
    if kind not in GAMES:
        raise Http404
    game = GAMES[kind]
    return render(request, "rules.html", {"here": "tables", "game": game, "title": _(game.title)})
