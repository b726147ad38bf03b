"""The game at a table, read from its row; nothing here knows which game it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.models import Event
from scoring.commands import EndGame
from scoring.ending import KINDS, read_end
from scoring.events import NOT_PLAYED
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.shape import JsonMapping, JsonObject
from tournament.accounts.permissions import Permission, Visitor
from tournament.models import Game as GameRow
from tournament.models import Hand, Salon
from tournament.models.lru_cache import RecentValues, new_token
from tournament.models.written_json import JSONText, json_value, select_list
from tournament.recording.rulings import name_of
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience

# An undo of these leaves closed hands as they are.
ENDS_NO_HAND = frozenset({"hand.misdealt", "game.closed"})
PLAYED_ENDS = tuple(kind for kind in KINDS if kind != NOT_PLAYED)
STILL_SHOWN = timedelta(hours=12)  # so long a finished game stays on the pad of its table
MOST_OF_THE_LAST = 6  # hands stand on the pad itself
REMEMBERED = 1024  # results of hands, of some 10 kB: each tap asks for the same again
# Every tap asks it: as a query set it takes three times as long. `other` is open at the same table.
_AT_TABLE = f"""
SELECT {select_list(GameRow, "g")},
  EXISTS (SELECT 1 FROM tournament_tournamentgame WHERE game = g.id) AS counts,
  (SELECT o.id FROM tournament_game o
    WHERE o.salon_id = g.salon_id AND o."table" = g."table" AND NOT o.finished AND o.id <> g.id
    ORDER BY o.started_position DESC LIMIT 1) AS other
  FROM tournament_game g WHERE g.salon_id = %s AND g."table" = %s"""  # noqa: S608 - columns of ours
_ONE_GAME = f"{_AT_TABLE} AND g.id = %s"
_OPEN_OR_LAST = f"{_AT_TABLE} ORDER BY g.finished, g.started_position DESC LIMIT 1"

_RESULT = Hand._meta.get_field("result")
_results = RecentValues[str, tuple[int, JsonObject]](REMEMBERED)  # each with a number of its own


class HandResults(list[JsonObject]):
    """Results of hands and why they are so, never changed: the same are `known_by` the same."""

    __slots__ = ("known_by",)

    def __init__(self, texts: Iterable[str]) -> None:
        known = [_read_result(text) for text in texts]
        super().__init__(result for _number, result in known)
        self.known_by = tuple(number for number, _result in known)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame:
    """A game with its rules, the table as `Game.table` gives it, and who sits at which seat, by id
    and by name.
    """

    row: GameRow
    game: AnyGame
    table: JsonObject
    seats: Mapping[str, str]
    players: Mapping[str, str]

    @property
    def other(self) -> str:
        """The id of another game that is open at the same table, "" where there is none: of a game
        that was asked for by its table.
        """
        return getattr(self.row, "other", None) or ""

    @property
    def called(self) -> dict[str, str]:
        """The players by the names that a refusal uses for the seats; empty if a table itself
        goes by its seats, North to West.
        """
        if self.game.teams:
            return {}
        named = {seat: name for seat, name in self.players.items() if name}
        return named | {str(self.game.seat_names[seat]): name for seat, name in named.items()}


def game_at(
    visitor: Visitor, label: str, *, game: str = "", before: TableGame | None = None
) -> TableGame | None:
    """The `game` of this table that is meant by its id, where it is played there or ended there not
    long ago; else the open one, else the one that ended last, else None. Names are taken from what
    this visitor was shown `before`, where the same people sit there still.
    """
    at_table = [visitor.salon.pk, label]
    row = _read_first(_ONE_GAME, [*at_table, game]) if game else None
    if row is None or (row.finished and not _is_fresh(row)):
        row = _read_first(_OPEN_OR_LAST, at_table)
    if row is None or (row.finished and not _is_fresh(row)):
        return None
    return unpack_game(visitor, row, before)


def _read_first(sql: str, values: Sequence[object]) -> GameRow | None:
    for row in GameRow.objects.raw(sql, values):
        vars(row)["counts"] = bool(vars(row)["counts"])  # a number in SQLite
        return row
    return None


def game_after(
    visitor: Visitor, label: str, before: TableGame, columns: JsonMapping | None
) -> TableGame:
    """The game of this table once something was recorded in the one that was there `before`, which
    wrote these `columns` of its row: while that goes on, nothing is asked again.
    """
    if columns is None or columns["finished"]:
        now = game_at(visitor, label, game=before.row.pk, before=before)
        assert now is not None
        return now
    row = GameRow.__new__(GameRow)  # as it was read, but for these
    vars(row).update(vars(before.row))
    for name, value in columns.items():
        setattr(row, name, json_value(value) if isinstance(value, JSONText) else value)
    return unpack_game(visitor, row, before)


def unpack_game(visitor: Visitor, row: GameRow, before: TableGame | None = None) -> TableGame:
    """A game of the visitor's salon unpacked; whoever sits in another's seat in the open hand is
    named there.
    """
    assert row.salon_id == visitor.salon.pk
    row.salon = visitor.salon  # nobody asks for it again
    game, table = GAMES[row.kind], _without_confirmed(row, row.state)
    seats = row.seats | ((table["hand"] or {}).get("players") or {})
    names = (
        before.players
        if before is not None and before.row.pk == row.pk and before.seats == seats
        else _names_at(visitor.salon, game, seats, visitor.audience)
    )
    return TableGame(row=row, game=game, table=table, seats=seats, players=names)


def list_seats(row: GameRow, audience: Audience) -> list[tuple[str, str]]:
    """The players in the seats of a game, as (seat, name) in words, with names for this
    audience.
    """
    game = GAMES[row.kind]
    return [
        (str(game.seat_names[seat]), name)
        for seat, name in _names_at(row.salon, game, row.seats, audience).items()
    ]


def _names_at(
    salon: Salon, game: AnyGame, seats: Mapping[str, str], audience: Audience
) -> dict[str, str]:
    names = names_of(salon, set(seats.values()), audience)
    return {seat: names.get(seats[seat], "") for seat in game.seat_names if seat in seats}


def _without_confirmed(row: GameRow, table: JsonObject) -> JsonObject:
    """The table without an undo that would take back a closed hand somebody has confirmed."""
    if not row.confirmation or table["hand"] is not None or not table["undo"]:
        return table
    said = row.confirmation
    last = said["hands"].get(str(table["hands"]), {})
    stays = table["undo"]["act"]["type"] in ENDS_NO_HAND
    confirmed = last.get("confirmed_by") or last.get("ruling") or last.get("second")
    return table if not said["final"] and (stays or not confirmed) else table | {"undo": None}


def last_hands(row: GameRow) -> list[JsonObject]:
    """The results of the hands that closed last and why they are so, at most MOST_OF_THE_LAST, in
    the order played.
    """
    if row.is_silent:
        return []
    # Of all, also of silent games: the row was looked at.
    hands = Hand._base_manager.filter(game=row.pk).order_by("-number")
    latest_first = hands.values_list("result__text", flat=True)[:MOST_OF_THE_LAST]
    return HandResults(list(latest_first)[::-1])


def _read_result(text: str) -> tuple[int, JsonObject]:
    """A result as its row holds it, read once as long as it says the same, and its number."""
    known = _results.get(text)
    if known is None:
        known = new_token(), _RESULT.from_db_value(text)
        _results.put(text, known)
    return known


def read_closed_hands(row: GameRow) -> list[dict[str, object]]:
    """The results of all its closed hands and why they are so, in the order played; none of a game
    of which whoever is answered now sees the seats alone.
    """
    if row.is_silent:
        return []
    hands = Hand._base_manager.filter(game=row.pk).order_by("number")
    return list(hands.values_list("result", flat=True))


def may_end(visitor: Visitor, at: TableGame) -> bool:
    """Whether this visitor, who may record here, may end the game before its rules do, or because
    they never do.
    """
    return visitor.may(Permission.END_GAME) or not at.game.ends_itself


def kinds_of_end(visitor: Visitor, at: TableGame) -> tuple[str, ...]:
    """The ways in which this visitor may end the game now: after a closed hand it is
    called or abandoned, before one it was not played.
    """
    if at.row.finished or not may_end(visitor, at):
        return ()
    if at.table["hands"]:
        return PLAYED_ENDS
    return (NOT_PLAYED,) if visitor.may(Permission.END_GAME) else ()


def read_allowed_end(visitor: Visitor, value: object) -> EndGame:
    """The end of a game as it was sent. Raises NotationError for what can't be read,
    PermissionDenied for what isn't the visitor's.
    """
    end = read_end(value, by=name_of(visitor))
    if end.kind == NOT_PLAYED and not visitor.may(Permission.END_GAME):
        raise PermissionDenied(_("Only the owner of the salon can do that."))
    return end


def began_at(row: GameRow) -> datetime:
    """When a game was begun."""
    return timezone.localtime(_find_recording_time(row, row.started_position))


def days_begun(rows: Sequence[GameRow]) -> dict[str, date]:
    """The days on which games of one salon were begun, by their ids."""
    if not rows:
        return {}
    positions = {row.started_position: row.pk for row in rows}
    events = Event.objects.filter(log=rows[0].salon.log_id, position__in=positions)
    return {
        positions[position]: timezone.localtime(_at(recorded_at)).date()
        for position, recorded_at in events.values_list("position", "recorded_at")
    }


def _is_fresh(row: GameRow) -> bool:
    return abs(timezone.now() - _find_recording_time(row, row.position)) < STILL_SHOWN


def _find_recording_time(row: GameRow, position: int) -> datetime:
    event = Event.objects.filter(log=row.salon.log_id, position=position)
    recorded_at = event.values_list("recorded_at", flat=True).get()
    return _at(recorded_at)


def _at(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC)
