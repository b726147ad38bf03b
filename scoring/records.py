"""A game as a file: salon-record/1 read, decided and written (game-records.md)."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring import shape
from scoring.commands import EndGame, StartGame
from scoring.common_state import GameState
from scoring.errors import NotationError, Refusal
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.left_pots import read_opening_pot, write_opening_pot
from scoring.sheets import HandSheet

FORMAT = "salon-record/1"
KEYS = (
    "format",
    "id",
    "game",
    "players",
    "played_on",
    "table",
    "note",
    "options",
    "opening_pot",
    "hands",
    "ended",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game as read: who sat where, under which rules, and its hands as sheets of that game."""

    game: AnyGame
    start: StartGame
    sheets: tuple[HandSheet, ...]
    ended: EndGame | None


def read_record(value: object) -> Record:
    """The shape of a whole record, before any rule of play. Raises NotationError with the path
    inside the record.
    """
    given = shape.an_object(value, "", keys=KEYS)
    if given.get("format") != FORMAT:
        raise NotationError('format is "%(format)s"', path="format", format=FORMAT)
    identity = shape.a_text(shape.required(given, "id", ""), "id", shortest=1, longest=64)
    game = GAMES[shape.one_of(shape.required(given, "game", ""), GAMES, "game")]
    players = _read_players(shape.required(given, "players", ""), game)
    rules = game.read_rules(given.get("options", {}))
    start = StartGame(
        record=identity,
        players=players,
        rules=rules,
        table=shape.a_text(given["table"], "table", shortest=1, longest=20)
        if "table" in given
        else None,
        played_on=shape.a_date(given["played_on"], "played_on") if "played_on" in given else None,
        note=shape.a_text(given["note"], "note", shortest=1) if "note" in given else None,
        opening_pot=read_opening_pot(given["opening_pot"], game, record=identity)
        if "opening_pot" in given
        else None,
    )
    hands = shape.a_list(shape.required(given, "hands", ""), "hands")
    sheets = tuple(_read_sheet(hand, place, game, start) for place, hand in enumerate(hands))
    return Record(
        game=game,
        start=start,
        sheets=sheets,
        ended=_read_ended(given["ended"]) if "ended" in given else None,
    )


def identity_of(value: object) -> str | None:
    """The id of a record that may be broken elsewhere, None where it has none that can be read."""
    identity = value.get("id") if isinstance(value, Mapping) else None
    return identity if isinstance(identity, str) else None


def _read_players(value: object, game: AnyGame) -> tuple[tuple[str, str], ...]:
    all_seats = max(game.seatings, key=len)
    players = shape.by_seat(
        value,
        "players",
        all_seats,
        lambda name, path: shape.a_text(name, path, shortest=1, longest=80).strip(),
    )
    if tuple(players) not in game.seatings:
        seatings = " or ".join(", ".join(seats) for seats in game.seatings)
        raise NotationError(
            "the seats of this game are %(seatings)s", path="players", seatings=seatings
        )
    twice = [
        seat
        for place, seat in enumerate(players)
        if players[seat] in list(players.values())[:place]
    ]
    if twice:
        raise NotationError(
            "%(players)s sits in two seats; each seat has its own player",
            path=shape.inside("players", twice[0]),
            players=players[twice[0]],
        )
    return tuple(players.items())


def _read_sheet(hand: object, place: int, game: AnyGame, start: StartGame) -> HandSheet:
    try:
        sheet: HandSheet = game.read_sheet(hand, start.rules)
        game.check_seats(sheet, [seat for seat, _ in start.players])
        return sheet
    except Refusal as refusal:
        raise refusal.under(f"hands[{place}]") from None


def _read_ended(value: object) -> EndGame:
    given = shape.an_object(value, "ended", keys=("kind", "by", "reason"))
    return EndGame(
        kind=shape.one_of(given.get("kind"), ("called", "abandoned"), "ended.kind"),
        by=shape.a_text(shape.required(given, "by", "ended"), "ended.by", shortest=1, longest=80),
        reason=shape.a_text(shape.required(given, "reason", "ended"), "ended.reason", shortest=1),
    )


def decide_record(record: Record) -> tuple[list[object], GameState]:
    """All events of a recorded game, and the state they lead to.

    Raises the first Refusal in the order of game-records.md, its path seen from the record.
    """
    game = record.game
    events: list[object] = [*game.decide(record.start, None)]
    state: GameState = game.folded(events)
    for place, sheet in enumerate(record.sheets):
        try:
            decided, state = game.decide_sheet(sheet, state)
        except Refusal as refusal:
            raise refusal.under(f"hands[{place}]") from None
        events += decided
    if record.ended is not None:
        decided = game.decide(record.ended, state)
        state = game.folded(decided, state)
        events += decided
    return events, state


def write_record(game: AnyGame, state: GameState) -> shape.JsonObject:
    """A game as a canonical record: closed hands only, every option spelled out, nothing twice."""
    record: shape.JsonObject = {
        "format": FORMAT,
        "id": state.record,
        "game": game.name,
        "players": dict(state.players),
        "options": game.write_rules(state.rules),
        "hands": game.write_hands(state),
    }
    extras = {
        "played_on": state.played_on,
        "table": state.table,
        "note": state.note,
        "opening_pot": write_opening_pot(state),
    }
    record |= {key: value for key, value in extras.items() if value is not None}
    if state.closed is not None and state.closed.kind != "played":
        record["ended"] = {
            "kind": state.closed.kind,
            "by": state.closed.by,
            "reason": state.closed.reason,
        }
    return record
