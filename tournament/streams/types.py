"""The types of streams in a salon's log besides games: one line in a table, found by
its first event's type.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from django.db.models import Model

from scoring.shape import JsonMapping
from tournament.domain import stock
from tournament.domain.calls import rules as calls
from tournament.domain.house import rules
from tournament.domain.screens import rules as screens
from tournament.domain.season import rules as seasons
from tournament.domain.tournament import subjects as directing
from tournament.domain.tournament.state import State as Directed
from tournament.domain.tournament.subject import Command as TournamentCommand
from tournament.domain.tournament.subject import Event as TournamentEvent
from tournament.domain.tournament.subjects import SHAPES as TOURNAMENT_SHAPES
from tournament.domain.tournament.subjects import UPCASTERS as TOURNAMENT_UPCASTERS
from tournament.domain.tournament.subjects import evolve as directed
from tournament.models import Call, House, Screen, Season, SeasonEvent, Stock, StockDeal, Tournament
from tournament.models.written_json import json_text
from tournament.streams.house_rows import keep_in_step, out_of_step
from tournament.streams.tournament_rows import columns_of, tournament_rows

type Columns = JsonMapping
# By model and primary key what each row holds.
type Rows = Mapping[type[Model], Mapping[str, Columns]]


class StreamState(Protocol):
    """The state of a stream after `version` events."""

    @property
    def version(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamType[State: StreamState, Command, Event]:
    """One type of stream: `State` is what its events fold into, `Command` what is done with it,
    `Event` a fact.
    """

    name: str
    """What the stored names of its facts begin with; `<name>/history/events.html` tells them."""
    shapes: Mapping[tuple[str, int], type]
    """The events by stored name and schema, the latest of each name last."""
    upcasters: Mapping[tuple[str, int], Callable[[Any], Event]] = field(default_factory=dict)
    """How a fact of an older shape is read as one of the next, by the name and schema of
    the older.
    """
    decide: Callable[[Command, State | None], list[Event]]
    """The events of a command. Raises a Refusal."""
    evolve: Callable[[State | None, Event], State]
    """The state after one more event."""
    head: type[Model]
    """The model of which a stream has one row, whose key is the stream."""
    rows: Callable[[str, State], Rows]
    """What the rows of a stream in this state hold: in `head`, and in other models any number with
    a `stream` that leads to it.
    """
    page: str
    """The name of the address that shows the history of a stream."""
    only: bool = False
    """Whether a salon has one stream of this type, or many."""
    keep_in_step: Callable[[int, State], None] | None = None
    """Brings in step what rows beside those of the stream say by a state, in the salon with this
    key.
    """
    out_of_step: Callable[[int, State], Iterable[tuple[str, str, str, str]]] | None = None
    """Tells where those rows differ: table, key, column and message."""


# One of the types of stream, whichever it is.
type AnyStreamType = StreamType[Any, Any, Any]


def _stock_rows(stream: str, state: stock.State) -> Rows:
    return {
        Stock: {
            stream: columns_of(state, "name", "commitment")
            | {"drawn_on": date.fromisoformat(state.drawn_on), "seed": state.seed or ""}
        },
        StockDeal: {
            f"{stream}-{place}": {"stream_id": stream, "game": deal.game, "number": deal.number}
            for place, deal in enumerate(state.deals, 1)
        },
    }


STOCK: StreamType[stock.State, stock.Command, stock.Event] = StreamType(
    name="stock",
    shapes=stock.SHAPES,
    decide=stock.decide,
    evolve=stock.evolve,
    head=Stock,
    rows=_stock_rows,
    page="stock",
)


def _house_rows(stream: str, state: rules.State) -> Rows:
    return {House: {stream: columns_of(state, "correction_hours", "moved_to", "confirming")}}


HOUSE: StreamType[rules.State, rules.Command, rules.Event] = StreamType(
    name="house",
    shapes=rules.SHAPES,
    decide=rules.decide,
    evolve=rules.evolve,
    head=House,
    rows=_house_rows,
    page="house",
    only=True,
    keep_in_step=keep_in_step,
    out_of_step=out_of_step,
)
TOURNAMENT: StreamType[Directed, TournamentCommand, TournamentEvent] = StreamType(
    name="tournament",
    shapes=TOURNAMENT_SHAPES,
    decide=directing.decide,
    evolve=directed,
    head=Tournament,
    rows=tournament_rows,
    page="tournament_history",
    upcasters=TOURNAMENT_UPCASTERS,
)


def _season_rows(stream: str, state: seasons.State) -> Rows:
    return {
        Season: {stream: columns_of(state, "name", "closed") | {"state": json_text(state)}},
        SeasonEvent: {
            f"{stream}-{event}": {"stream_id": stream, "tournament": event, "number": number}
            for number, event in enumerate(state.events, 1)
        },
    }


SEASON: StreamType[seasons.State, seasons.Command, seasons.Event] = StreamType(
    name="season",
    shapes=seasons.SHAPES,
    decide=seasons.decide,
    evolve=seasons.evolve,
    head=Season,
    rows=_season_rows,
    page="season_history",
)


def _call_rows(stream: str, state: calls.State) -> Rows:
    about = ("table", "reason", "game", "tournament", "round", "number")
    made = {name: getattr(state.made, name) for name in about} | {"made_at": state.made.at}
    became = columns_of(state, "taken_up_at", "ended_at", "ending")
    return {Call: {stream: made | became}}


CALL: StreamType[calls.State, calls.Command, calls.Event] = StreamType(
    name="call",
    shapes=calls.SHAPES,
    decide=calls.decide,
    evolve=calls.evolve,
    head=Call,
    rows=_call_rows,
    page="call",
)


def _screen_rows(stream: str, state: screens.State) -> Rows:
    columns = columns_of(state, "name", "address", "retired")
    return {Screen: {stream: columns | {"state": json_text(state)}}}


SCREEN: StreamType[screens.State, screens.Command, screens.Event] = StreamType(
    name="screen",
    shapes=screens.SHAPES,
    decide=screens.decide,
    evolve=screens.evolve,
    head=Screen,
    rows=_screen_rows,
    page="screen_history",
)
STREAM_TYPES: dict[str, AnyStreamType] = {
    each.name: each for each in (STOCK, HOUSE, TOURNAMENT, SEASON, CALL, SCREEN)
}
