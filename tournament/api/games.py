"""Games: listed, begun, and seen as their boards show them."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django_filters.rest_framework import DjangoFilterBackend
from msgspec import Struct
from rest_framework.request import Request

from ledger.models import Account
from ledger.reading import events_in
from scoring.errors import RuleViolation
from scoring.games import GAMES
from scoring.options import Choice
from scoring.shape import JsonObject, a_date, a_text, one_of
from tournament.accounts.access import game_or_404, seats_of_game_or_404
from tournament.accounts.permissions import Permission, Visitor
from tournament.api.http.responses import (
    Answer,
    Done,
    answer_to_write,
    build_struct,
    make_versioned_answer,
)
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, Page, PageQuery, page_of
from tournament.exchange.game_records import export_game
from tournament.models import Game, GameSeat, Hand, Player, Salon
from tournament.queries.confirmation_rows import confirmed
from tournament.queries.players import match_names
from tournament.queries.table import unpack_game
from tournament.recording import door
from tournament.recording.rulings import in_words
from tournament.recording.tables.table_labels import is_retired
from tournament.salons.persons import find_offered_persons, ids_of_person
from tournament.salons.players import names_of
from tournament.server.http.problem_details import ProblemDetails
from tournament.streams.folds import fold_of


class Person(Struct, frozen=True, kw_only=True):
    """A player: an id that never changes, and the name."""

    id: str
    name: str


class GameHead(Struct, frozen=True, kw_only=True):
    """What is played where and by whom."""

    id: str
    record: str
    game: str
    table: str
    played_on: str
    finished: bool
    version: int
    started_position: int
    position: int
    players: dict[str, Person]


class GameLine(GameHead, frozen=True, kw_only=True):
    """A game in a list: what is played where and by whom, and how it stands.

    `silent`: it counts in a silent round and is hidden from this visitor but for who plays; its
    score is empty.
    """

    score: JsonObject
    silent: bool


class Board(GameHead, frozen=True, kw_only=True):
    """A game as its board shows it: `state` is the table in the game's own words, `hands` the
    closed ones with why they scored so.

    `in_the_hand` are those who sit in the open hand, where that differs from `players`;
    `confirmation` is the state of the whole game, `corrected` are the hands that were corrected.
    `silent`: it counts in a silent round and is hidden from this visitor but for who plays;
    options, state and hands are empty.
    """

    in_the_hand: dict[str, Person]
    options: JsonObject
    state: JsonObject
    hands: list[JsonObject]
    confirmation: str
    corrected: list[int]
    silent: bool


class NewGame(Struct, frozen=True, kw_only=True):
    """A game to begin: `players` by name (a new name is a new player), `options` those that differ
    from the usual.

    `opening_pot` is what an earlier game of the salon left in its pot, all of it: `from` is that
    game's record, `chips` how many.
    """

    game: str
    players: dict[str, str]
    table: str = ""
    options: JsonObject = {}
    played_on: str | None = None
    note: str | None = None
    opening_pot: JsonObject | None = None


class OptionLine(Struct, frozen=True, kw_only=True):
    """A house rule: one of `choices`, or where there are none a whole number from `least` to
    `most`, null where `optional`.
    """

    name: str
    rule: str
    default: Choice
    title: str
    sense: str
    choices: list[Choice]
    least: int
    most: int
    optional: bool


class GameRules(Struct, frozen=True, kw_only=True):
    """A game that can be played: the sets of seats it is played at, the collections its acts are
    added to, its house rules.
    """

    game: str
    title: str
    seatings: Sequence[Sequence[str]]
    acts: list[str]
    options: list[OptionLine]


FILTERS = DjangoFilterBackend()


class GameFilter(django_filters.FilterSet):
    """Which games."""

    game = django_filters.ChoiceFilter(
        field_name="kind",
        choices=[(name, game.title) for name, game in GAMES.items()],
        label="Of this kind.",
    )
    table = django_filters.CharFilter(label="At the table with this label.")
    finished = django_filters.BooleanFilter(label="Over, or still played.")
    played_on = django_filters.CharFilter(
        method="of_a_day", label="Played on this day (2026-11-21)."
    )
    player = django_filters.CharFilter(
        method="of_player", label="In which this player (an id) sat or stood in."
    )

    def of_a_day(self, rows: QuerySet[Game], name: str, day: str) -> QuerySet[Game]:
        """The games that were played on a day; none on what is no day."""
        try:
            return rows.filter(played_on=date.fromisoformat(day))
        except ValueError:
            return rows.none()

    def of_player(self, rows: QuerySet[Game], name: str, player: str) -> QuerySet[Game]:
        """The games of one player."""
        found = Player.objects.select_related("salon").filter(pk=player).first()
        known = ids_of_person(found.salon, player) if found is not None else [player]
        sat = GameSeat.objects.filter(player__in=known).values_list("game", flat=True)
        stood_in = Account.objects.filter(owner__in=known).values_list("stream", flat=True)
        # Two looks of their own: see `games_of_player.games_with`.
        return rows.filter(pk__in=[*sat, *stood_in])


class GameViewSet(ApiViewSet):
    """Games: listed, begun, and seen as their boards show them."""

    act = Permission.SEE_SALON
    filterset_class = GameFilter

    def list_rules(self, request: Request) -> list[GameRules]:
        """The games that can be played: their seats, and the house rules that each lets a salon
        choose.
        """
        return [
            build_struct(
                GameRules,
                game,
                game=game.name,
                acts=list(game.acts),
                options=[
                    build_struct(
                        OptionLine, option, choices=[value for value, _label in option.choices]
                    )
                    for option in game.options
                ],
            )
            for game in GAMES.values()
        ]

    @document_action(query=PageQuery, filters=GameFilter)
    def list_games(self, request: Request) -> Page[GameLine]:
        """The games of the salon, the latest first."""
        rows = Game.objects.filter(salon=self.salon)
        page = page_of(request, FILTERS.filter_queryset(request, rows, self))
        names = names_of(
            self.salon,
            {player for row in page.items for player in row.seats.values()},
            self.visitor.audience,
        )
        return page.with_shape(lambda row: _line(row, _people(row.seats, names)))

    @document_action(Permission.START_GAME, body=NewGame)
    def start_game(self, request: Request) -> Answer[Done]:
        """Begin a game; the key of this write, without dashes, is its id.

        A table plays one game at a time. A scorer of a table begins games there alone.
        """
        new = self.body(NewGame)
        self.visitor.demand(Permission.START_GAME, table=new.table)
        _check_free(self, new.table)
        known = list(find_offered_persons(self.salon).values_list("name", flat=True))
        replayed = Game.objects.filter(pk=self.command, salon=self.salon).exists()
        row = door.start_game(
            self.salon,
            **self.by,
            kind=one_of(new.game, GAMES, "game"),
            players=dict(match_names(new.players.items(), known)),
            options=new.options,
            table=a_text(new.table, "table", longest=20),
            played_on=a_date(new.played_on, "played_on") if new.played_on else None,
            note=a_text(new.note, "note") if new.note else None,
            opening_pot=new.opening_pot,
        )
        return answer_to_write(
            row.pk, find_first_version(row.salon, row.pk, self.command), replayed=replayed
        )

    def read_game(self, request: Request, game: str) -> Answer[Board]:
        """A game as its board shows it. Its ETag begins with its version: what an act sends as
        If-Match.
        """
        row = seats_of_game_or_404(self.visitor, game)
        return make_versioned_answer(board_of(self.visitor, row), row.version)

    @document_action(Permission.READ_HISTORY, answers={422: ProblemDetails})
    def export_record(self, request: Request, game: str) -> dict[str, Any]:
        """The game as a file of the form salon-record/1: its closed hands, with names and words. Of
        one that was not played there is none.
        """
        row = game_or_404(self.visitor, game)
        if row.not_played:
            raise RuleViolation(
                "not_played",
                rule="Called games",
                message=_("This game was not played; there is no record of it."),
            )
        return export_game(self.salon, row.pk, self.visitor.audience)


def board_of(visitor: Visitor, row: Game) -> Board:
    """The board of a game; of one in a silent round that this visitor may not see, who plays."""
    if row.is_silent:
        return _seats_alone(visitor, row)
    at = unpack_game(visitor, row)
    folded = fold_of(row.salon.log_id, row.pk)
    assert folded is not None
    closed = Hand.objects.filter(game=row).order_by("number").values_list("result", flat=True)
    state, hands = in_words(
        row.salon, at.table | {"hand": in_words(row.salon, at.table["hand"])[0]}, list(closed)
    )
    here = (at.table["hand"] or {}).get("players") or {}
    names = names_of(row.salon, {*row.seats.values(), *here.values()}, visitor.audience)
    line = _line(row, _people(row.seats, names))
    return build_struct(
        Board,
        line,
        in_the_hand=_people(here, names),
        options=folded.game.write_rules(folded.state.rules),
        state=state,
        hands=hands,
        confirmation=confirmed(at).state,
        corrected=row.marks["corrected"] if row.marks else [],
    )


def _seats_alone(visitor: Visitor, row: Game) -> Board:
    names = names_of(row.salon, set(row.seats.values()), visitor.audience)
    line = _line(row, _people(row.seats, names))
    return build_struct(
        Board, line, in_the_hand={}, options={}, state={}, hands=[], confirmation="", corrected=[]
    )


def find_first_version(salon: Salon, stream: str, command: str) -> int:
    """Return the version that a stream had after the command that began it."""
    events = events_in(salon.log_id, [stream]).filter(command=command)
    return events.order_by("-version").values_list("version", flat=True)[0]


def _line(row: Game, players: dict[str, Person]) -> GameLine:
    return build_struct(
        GameLine,
        row,
        id=row.pk,
        game=row.kind,
        played_on=row.played_on.isoformat() if row.played_on else "",
        players=players,
        score={} if row.is_silent else row.state.get("score", {}),
        silent=row.is_silent,
    )


def _people(seats: Mapping[str, str], names: Mapping[str, str]) -> dict[str, Person]:
    return {seat: Person(id=player, name=names.get(player, "")) for seat, player in seats.items()}


def _check_free(view: ApiViewSet, label: str) -> None:
    """Raise RuleViolation `table_taken` while another game is played at this table, `table_retired`
    where none is played any more.
    """
    if is_retired(view.salon, label):
        words = _("Table %(table)s is retired. Choose another table.") % {"table": label}
        raise RuleViolation("table_retired", words, path="table")
    if Game.is_open_at(view.salon, label, but=view.command):
        words = _(
            "Table %(table)s is still playing. Finish that game first, or choose another table."
        ) % {"table": label}
        raise RuleViolation("table_taken", words, path="table")
