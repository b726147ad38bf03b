"""The next game at a table, begun by a phone that hears of nobody: the same people, at the same
seats or at others, by the same house rules.

Which ids the next games have, and whom each draws to deal first, is said beforehand by the game
before them, so that nobody can draw until it suits; two phones that begin the next game begin the
same. At other seats it has another id, and so its own draw.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Never

from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from scoring.commands import StartGame
from scoring.errors import NotationError, RuleViolation
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.shape import JsonObject, an_object, one_of
from tournament.accounts.access import SalonRequest
from tournament.accounts.permissions import Permission
from tournament.models import Game, TournamentGame
from tournament.pages.common.form_values import TableForm
from tournament.queries.first_dealer import draw_first_dealer
from tournament.queries.table import TableGame
from tournament.recording import door
from tournament.recording.door import Recorded
from tournament.recording.tables.table_labels import is_retired
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience
from tournament.streams.codec import encode, find_stored_name
from tournament.streams.folds import require_fold

GAMES_BEGUN = "games"  # the collection of an outbox to which a new game is added
MOST_GAMES = 12  # one after the other, without the server
SAME_SEATS, OTHER_SEATS = "next game", "next game at other seats"


def game_again(request: SalonRequest, at: TableGame) -> JsonObject | None:
    """The next game as it begins: `games`, each with its id and who deals first, `moved` the same
    at other seats; `table` before its first hand; `facts` by which it begins. None where this
    visitor begins none here, or a draw does.
    """
    label = at.row.table
    if not request.visitor.may(Permission.START_GAME, table=label):
        return None
    if TournamentGame.objects.filter(game=at.row).exists():
        return None
    facts = first_facts(at.game, at.row, rules_of(request, at.row))
    state = None
    for fact in facts:
        state = at.game.evolve(state, fact)
    return {
        "games": _games_after(at, SAME_SEATS),
        "moved": _games_after(at, OTHER_SEATS),
        "table": at.game.table(state),
        "facts": [(*find_stored_name(fact), json.loads(encode(fact))) for fact in facts],
    }


def _games_after(at: TableGame, how: str) -> list[tuple[str, str]]:
    """The ids of the games that can still be begun after this one without the server, each with
    the seat that is drawn to deal first, "" where nobody deals.
    """
    ids = [
        salted_hmac(how, f"{at.row.pk} {place}", algorithm="sha256").hexdigest()[:32]
        for place in range(MOST_GAMES)
    ]
    known = set(Game.objects.filter(pk__in=ids).values_list("pk", flat=True))
    seats = list(at.players)
    return [
        (pk, draw_first_dealer(seats, pk) if at.game.has_dealer else "")
        for pk in ids
        if pk not in known
    ]


def rules_of(request: SalonRequest, row: Game) -> object:
    """The house rules of a game."""
    return require_fold(request.visitor.salon.log_id, row.pk, version=row.version).state.rules


def first_facts(game: AnyGame, row: Game, rules: object) -> Sequence[object]:
    """The facts by which these people, at the seats of this row, begin a game by these rules."""
    started = StartGame(record=f"{row.kind}-again", players=_list_seats(row), rules=rules)
    facts: Sequence[object] = game.decide(started, None)
    return facts


def _list_seats(row: Game) -> tuple[tuple[str, str], ...]:
    """The players' ids by seat, in the order of play."""
    seats = GAMES[row.kind].seat_names
    return tuple((seat, row.seats[seat]) for seat in seats if seat in row.seats)


def begin_again(request: SalonRequest, label: str, form: TableForm) -> Recorded:
    """Begin the game that a form says, after the one at this table that it `follows`, with those
    who change `seats`; the command's id is the game's.

    Raises Refusal: nobody plays two games at one table. CommandReused.
    """
    visitor = request.visitor
    visitor.demand(Permission.START_GAME, table=label)
    before = Game.objects.filter(
        salon=visitor.salon, table=label, pk=str(form.value.get("follows", ""))
    ).first()
    if before is None or form.game != form.command:
        raise NotationError(
            _("a game is begun after one that was played at this table"), path="follows"
        )
    before.salon = visitor.salon
    came_from = seats_before(before, form.value.get("seats", {}))
    seats = {seat: before.seats[origin] for seat, origin in came_from.items()}
    known = Game.objects.filter(salon=visitor.salon, pk=form.game).first()
    if known is None:
        _check_free(before)
    elif known.seats != seats:
        _refuse_other_seats(label)
    options = asdict(rules_of(request, before))  # type: ignore[call-overload]
    names = names_of(visitor.salon, set(before.seats.values()), Audience.SALON)
    row = door.start_game(
        visitor.salon,
        actor=visitor.actor,
        command=form.command,
        kind=before.kind,
        players={seat: names[player] for seat, player in seats.items()},
        options={name: value for name, value in options.items() if value is not None},
        table=label,
        played_on=_day_of(form.occurred_at),
        occurred_at=form.occurred_at,
        handed_over=form.handed_over,
    )
    return Recorded(
        game=row.pk,
        version=door.version_after(visitor.salon, row.pk, form.command),
        repeated=known is not None,
    )


def seats_before(before: Game, said: object) -> dict[str, str]:
    """Return the seats in this game of the next game's players, by their new seat; the
    same seats if `said` is empty. Raises NotationError unless they are the same people,
    each at one seat.
    """
    seats = [seat for seat, _ in _list_seats(before)]
    if said == {}:
        return dict(zip(seats, seats, strict=True))
    given = an_object(said, "seats", keys=seats)
    came_from = {seat: one_of(given.get(seat), seats, f"seats.{seat}") for seat in seats}
    if len(set(came_from.values())) < len(seats):
        raise NotationError(
            _("each player of the game before it sits at one seat, and nobody is left out"),
            path="seats",
        )
    return came_from


def _refuse_other_seats(label: str) -> Never:
    words = _(
        "Another phone began the next game at table %(table)s meanwhile, with people at other "
        "seats. Drop yours, and go on with that one."
    )
    raise RuleViolation("table_taken", words % {"table": label}, path="seats")


def _check_free(before: Game) -> None:
    """Raise RuleViolation `table_retired`, or `table_taken` while a game is played there."""
    label = before.table
    if is_retired(before.salon, label):
        words = _("Table %(table)s is retired. Choose another table.") % {"table": label}
        raise RuleViolation("table_retired", words, path="table")
    playing = Game.objects.filter(salon=before.salon, table=label, finished=False).first()
    if playing is None:
        return
    if playing.pk == before.pk:
        words = _(
            "The game before it is still open at table %(table)s. Finish it, then send this again."
        )
    else:
        words = _(
            "Another game was begun at table %(table)s meanwhile. Once that is over, send this "
            "again: everything behind it stays kept."
        )
    raise RuleViolation("table_taken", words % {"table": label}, path="table")


def _day_of(occurred_at: int | None) -> str:
    at = timezone.now() if occurred_at is None else datetime.fromtimestamp(occurred_at / 1e6, UTC)
    return timezone.localdate(at).isoformat()
