"""All that decides what a board shows to a browser, read in one look-up: an answer
stays right while this stays the same.

It is read from the database each time, so a change by any process, worker or
command counts at once.
"""

from dataclasses import dataclass

from django.db import connection
from django.utils import timezone

from ledger.reading import fetch_all
from tournament.accounts.two_factor import NEED_IT

type Row = tuple[object, ...]

# Of the game: what stays while it is played, then what moves. The hash is that of the event that
# came last: a game put back to an earlier one is not taken for what it was.
_LASTING = (
    "g.salon_id, g.table, CAST(g.seats AS text), g.kind, "
    "(SELECT min(id) FROM tournament_salon), "
    "EXISTS (SELECT 1 FROM tournament_membership WHERE role = 'owner'), "
    "tg.stream_id, tg.round, tg.silent, t.phase"
).replace("g.table", 'g."table"')
_MOVING = (
    "g.version, e.hash, t.version, s.slug, s.names_shown, s.time_zone, s.language, "
    "p.id, p.name, p.names_shown, (SELECT max(id) FROM tournament_erasure), "
    # Renamed and merged players: the house tells of them.
    "(SELECT max(version) FROM tournament_house h WHERE h.salon_id = g.salon_id)"
)
_OF_THE_GAME = """
  FROM tournament_game g
  JOIN tournament_salon s ON s.id = g.salon_id
  LEFT JOIN ledger_event e ON e.log_id = s.log_id AND e.position = g.position
  LEFT JOIN tournament_gameseat gs ON gs.game_id = g.id
  LEFT JOIN tournament_player p ON p.id = gs.player_id
  LEFT JOIN tournament_tournamentgame tg ON tg.game = g.id
  LEFT JOIN tournament_tournament t ON t.id = tg.stream_id
"""
_NEED_IT = ", ".join(f"'{role}'" for role in sorted(NEED_IT))
_VISITING = f"""ds.session_data, u.password, u.is_active, m.role, m.player_id, m.since,
 (SELECT count(*) FROM tournament_membership WHERE user_id = u.id),
 (SELECT min(id) FROM tournament_membership WHERE user_id = u.id),
 (SELECT min(since) FROM tournament_membership WHERE user_id = u.id AND role IN ({_NEED_IT})),
 EXISTS (SELECT 1 FROM mfa_authenticator WHERE user_id = u.id AND type = 'totp'),
 tb.salon_id, tb.label, tb.token, tb.pin, tb.retired, sl.salon_id, sl.game, sl.seat, sl.token,
 sl.pin"""  # noqa: S608 - roles of our own
_OF_THE_VISITOR = """
  LEFT JOIN django_session ds ON ds.session_key = %s AND ds.expire_date > %s
  LEFT JOIN auth_user u ON u.id = %s
  LEFT JOIN tournament_membership m ON m.user_id = u.id AND m.salon_id = g.salon_id
  LEFT JOIN tournament_table tb ON tb.id = %s
  LEFT JOIN tournament_seatlink sl ON sl.id = %s
"""
_WHERE = " WHERE g.id = %s ORDER BY gs.id, tg.id"
_ANYONE = f"SELECT {_LASTING}, {_MOVING} {_OF_THE_GAME} {_WHERE}"
_SOMEBODY = f"SELECT {_LASTING}, {_MOVING}, {_VISITING} {_OF_THE_GAME} {_OF_THE_VISITOR} {_WHERE}"
_LASTS = 10
_MOVES = 22


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserSession:
    """The session of a browser: its key, and the account, table and seat that it names; ""
    and None for none.
    """

    session: str = ""
    account: int | None = None
    table: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardState:
    """All that a board depends on but the time: of the game what stays while it is played
    (`lasting`) and the rest (`moving`), and who the visitor is that `came` so.
    """

    came: BrowserSession
    lasting: tuple[Row, ...]
    moving: tuple[Row, ...]
    visitor: Row

    @property
    def game(self) -> tuple[object, object]:
        """The part of the state that the board depends on for every viewer."""
        return self.lasting, self.moving


def board_state(game: str, came: BrowserSession) -> BoardState | None:
    """The state of this game's board for a browser that came so; None for no such game."""
    rows = fetch_all(*_state_query(game, came))
    if not rows:
        return None
    return BoardState(
        came=came,
        lasting=tuple(tuple(row[:_LASTS]) for row in rows),
        moving=tuple(tuple(row[_LASTS:_MOVES]) for row in rows),
        visitor=tuple(rows[0][_MOVES:]),
    )


def _state_query(game: str, came: BrowserSession) -> tuple[str, list[object]]:
    if not came.session:
        return _ANYONE, [game]
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    return _SOMEBODY, [came.session, now, came.account, came.table, came.seat, game]
