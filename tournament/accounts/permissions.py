"""The one table of permissions by role, from which the page about them and the tests
are made.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournament.models import Game, Salon
from tournament.salons.public_names import Audience


class Role(StrEnum):
    """A visitor's role in a salon: those with an account, those with a link, and anyone."""

    OWNER = "owner"
    DIRECTOR = "director"
    SCORER = "scorer"
    AUDITOR = "auditor"  # reads all, changes nothing
    PLAYER = "player"  # sees and confirms their own
    TABLE_LINK = (
        "table link"  # records at a table, or at the tables of an event, without an account
    )
    SEAT_LINK = "seat link"  # confirms for one seat at one game
    ANYONE = "anyone"


class Permission(StrEnum):
    """A permission: an act that roles can be granted in a salon."""

    SEE_SALON = "see the salon"
    READ_HISTORY = "read the history"
    READ_LEDGER = "read the ledger"
    START_GAME = "start a game"
    RECORD = "record at a table"
    END_GAME = "end a game before its time"
    CONFIRM = "confirm or dispute a hand"
    RULE = "give a ruling"
    CORRECT = "correct what was recorded"
    MANAGE_TABLES = "manage the tables"
    DIRECT = "direct an event"
    CALL = "call the director to a table"
    AUDIT = "audit the salon"
    SIGN = "sign for the salon"
    INVITE = "invite people"
    CHOOSE_NAME = "choose what a player is called in public"
    ADMINISTER = "administer the salon"
    KEEP_HOUSE = "lay down what holds in the house"
    TAKE_ALONG = "take the whole salon to another server"
    READ_PERSON = "read all that is held of a person"
    ERASE_PERSON = "erase a person"
    GIVE_TOKENS = "give tokens for the API"


OWNERS = frozenset({Role.OWNER})
DIRECTORS = OWNERS | {Role.DIRECTOR}
SCORERS = DIRECTORS | {Role.SCORER, Role.TABLE_LINK}
GRANTS: Mapping[Permission, frozenset[Role]] = {
    Permission.SEE_SALON: frozenset(Role),
    Permission.READ_HISTORY: SCORERS | {Role.AUDITOR, Role.PLAYER},
    Permission.READ_LEDGER: DIRECTORS | {Role.AUDITOR, Role.PLAYER},
    Permission.START_GAME: SCORERS,
    Permission.RECORD: SCORERS,
    Permission.END_GAME: DIRECTORS,
    Permission.CONFIRM: SCORERS | {Role.PLAYER, Role.SEAT_LINK},
    Permission.RULE: DIRECTORS,
    Permission.CORRECT: DIRECTORS,
    Permission.MANAGE_TABLES: DIRECTORS,
    Permission.DIRECT: DIRECTORS,
    Permission.CALL: SCORERS | {Role.PLAYER, Role.SEAT_LINK},
    Permission.AUDIT: DIRECTORS | {Role.AUDITOR},
    Permission.SIGN: OWNERS,
    Permission.INVITE: DIRECTORS,
    Permission.CHOOSE_NAME: OWNERS | {Role.PLAYER},
    Permission.ADMINISTER: OWNERS,
    Permission.KEEP_HOUSE: OWNERS,
    Permission.TAKE_ALONG: OWNERS,
    Permission.READ_PERSON: OWNERS | {Role.PLAYER},
    Permission.ERASE_PERSON: OWNERS,
    Permission.GIVE_TOKENS: DIRECTORS,
}
# What a role may do at its own tables, or of its own games and chips, and nowhere else.
AT_OWN_TABLES: Mapping[Permission, frozenset[Role]] = {
    Permission.START_GAME: frozenset({Role.TABLE_LINK}),
    Permission.RECORD: frozenset({Role.TABLE_LINK}),
    Permission.CALL: frozenset({Role.TABLE_LINK, Role.PLAYER, Role.SEAT_LINK}),
}
OF_ITS_OWN: Mapping[Permission, frozenset[Role]] = {
    act: frozenset({Role.PLAYER})
    for act in (
        Permission.READ_HISTORY,
        Permission.READ_LEDGER,
        Permission.READ_PERSON,
        Permission.CHOOSE_NAME,
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """The visitor of a request. `actor` is the one in events: "user:<id>",
    "table:<opaque>", "seat:<opaque>", or "" for a visitor who can record nothing.

    `tables` are the labels at which a link allows acts, `table` the only one if it is
    for one. `player` is the id of the account's player, `players` all ids under which
    that person sits in games. `game` and `seat` are those that a seat's link confirms
    for, at a table's phone those for whom it records. `due` says that the account has
    the rights of anyone until its second step of signing in is set up. `scopes` are the
    acts of a token, None if it isn't narrowed.
    """

    salon: Salon
    role: Role
    actor: str = ""
    table: str = ""
    tables: frozenset[str] = frozenset()
    player: str = ""
    players: frozenset[str] = frozenset()
    game: str = ""
    seat: str = ""
    due: bool = False
    scopes: frozenset[Permission] | None = None

    @property
    def audience(self) -> Audience:
        """The audience for whom names are shown to this visitor: the public for a visitor who
        is anyone.
        """
        return Audience.PUBLIC if self.role is Role.ANYONE else Audience.SALON

    def may(
        self,
        act: Permission,
        *,
        table: str | None = None,
        game: str | None = None,
        player: str | None = None,
    ) -> bool:
        """Whether this visitor may do `act`: at the table with this label, of this game or this
        player where it is about one.

        Without `table` it says whether there is a table at which they may. What is bound to one's
        own is refused unless a game or a player is named.
        """
        if self.role not in GRANTS[act] or (self.scopes is not None and act not in self.scopes):
            return False
        if self.role in AT_OWN_TABLES.get(act, ()):
            # The link of an event: its director begins its games.
            begins_none = act is Permission.START_GAME and not self.table
            if self.role is not Role.TABLE_LINK:
                return table is None or self._sits_at(table)
            return not begins_none and (table is None or table in self.tables)
        if self.role in OF_ITS_OWN.get(act, ()):
            return self._is_own(game, player)
        return True

    def is_led_to(self, act: Permission, *, game: str | None = None) -> bool:
        """Whether a link to what needs `act` leads somewhere: who is anyone yet is asked to sign
        in.
        """
        return self.role is Role.ANYONE or self.may(act, game=game)

    def demand(self, act: Permission, *, table: str | None = None) -> None:
        """Raise PermissionDenied (403) unless the visitor may: for views that know the table only
        after reading.
        """
        if not self.may(act, table=table):
            raise PermissionDenied(refusal(self, act))

    def seat_in(self, game: Game) -> str:
        """The seat this visitor acts for in a game, "" for none."""
        if self.game == game.pk:
            return self.seat
        if not self.player:
            return ""
        return next((seat for seat, player in game.seats.items() if player in self.players), "")

    def _sits_at(self, table: str) -> bool:
        """Whether this visitor sits at the game that is played at a table, or was played there
        last.
        """
        games = Game.objects.filter(salon=self.salon, table=table)
        last = games.order_by("finished", "-started_position").values_list("pk", "seats").first()
        if last is None:
            return False
        game, seats = last
        if self.role is Role.SEAT_LINK:
            return game == self.game
        return not self.players.isdisjoint(seats.values())

    def _is_own(self, game: str | None, player: str | None) -> bool:
        if not self.player:
            return False
        if player is not None:
            return player in self.players
        return game is not None and own_games(self).filter(pk=game).exists()


def own_games(visitor: Visitor) -> QuerySet[Game]:
    """The games in which the visitor's player sits; none for one who is no player."""
    if not visitor.player:
        return Game.objects.none()
    return Game.objects.filter(salon=visitor.salon, gameseat__player__in=visitor.players)


def refusal(visitor: Visitor, act: Permission) -> str:
    """Return the reason for a refusal."""
    if visitor.due:
        return _("Set up the second step of signing in first.")
    if visitor.role in GRANTS[act] and visitor.scopes is not None and act not in visitor.scopes:
        return _("This token is not for that: %(act)s.") % {"act": act}
    if visitor.role in GRANTS[act] and visitor.role in AT_OWN_TABLES.get(act, ()):
        if visitor.role is not Role.TABLE_LINK:
            return _("You sit at another table, or at none.")
        if visitor.table:
            return _("This browser records at table %(table)s only.") % {"table": visitor.table}
        return _("This browser records at the tables of its tournament only.")
    if visitor.role in GRANTS[act]:
        return _("This account sees its own games and chips only.")
    if GRANTS[act] == OWNERS:
        return _("Only the owner of the salon can do that.")
    if GRANTS[act] == DIRECTORS:
        return _("Only the owner or a director of the salon can do that.")
    return _("Your role in this salon does not let you do that.")
