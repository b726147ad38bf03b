"""What a stream of a salon's log can be besides a game: one line in a table, found by its first event's type."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.db.models import Model

from tournament.directing import decide as directing
from tournament.directing.events import SHAPES as TOURNAMENT_SHAPES
from tournament.directing.events import UPCASTERS as TOURNAMENT_UPCASTERS
from tournament.directing.evolve import evolve as directed
from tournament.house import rules
from tournament.models import House, Season, SeasonEvent, Stock, StockDeal, Tournament
from tournament.seasons import rules as seasons
from tournament.stocks import dealing
from tournament.tables.beside import keep_in_step, out_of_step
from tournament.tournament_rows import tournament_rows

type Columns = Mapping[str, Any]
type Rows = Mapping[type[Model], Mapping[str, Columns]]  # by model and primary key what each row holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of stream.

    `name` is what the stored names of its facts begin with; `shapes`, `decide` and `evolve` are as in `scoring.game.Game`,
    `upcasters` read a fact of an older shape as one of the next, and a state has a `version`. `rows` gives what the rows of a
    stream in this state hold: in `head` one whose key is the stream, in other models any number, each with a `stream` that
    leads to it. `page` is the name of the address that shows the history of a stream; its facts are told by
    `<name>/history/events.html`. A salon has one `only` stream of a kind, or many. What rows beside those of the stream say by a
    state is brought in step by `keep_in_step` (of a salon), and told by `out_of_step` where it differs.
    """

    name: str
    shapes: Mapping[tuple[str, int], type]
    decide: Callable[[Any, Any], list[Any]]
    evolve: Callable[[Any, Any], Any]
    head: type[Model]
    rows: Callable[[str, Any], Rows]
    page: str
    only: bool = False
    keep_in_step: Callable[[int, Any], None] | None = None
    out_of_step: Callable[[int, Any], Iterable[tuple[str, str, str, str]]] | None = None
    upcasters: Mapping[tuple[str, int], Callable[[Any], Any]] = field(default_factory=dict)


def _stock_rows(stream: str, state: dealing.State) -> Rows:
    return {
        Stock: {
            stream: {"name": state.name, "drawn_on": state.drawn_on, "commitment": state.commitment, "seed": state.seed or ""}
            | {"version": state.version}
        },
        StockDeal: {
            f"{stream}-{place}": {"stream_id": stream, "game": deal.game, "number": deal.number}
            for place, deal in enumerate(state.deals, 1)
        },
    }


STOCK = Kind(
    name="stock",
    shapes=dealing.SHAPES,
    decide=dealing.decide,
    evolve=dealing.evolve,
    head=Stock,
    rows=_stock_rows,
    page="stock",
)


def _house_rows(stream: str, state: rules.State) -> Rows:
    columns = {"correction_hours": state.correction_hours, "moved_to": state.moved_to, "confirming": state.confirming}
    return {House: {stream: columns | {"version": state.version}}}


HOUSE = Kind(
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
TOURNAMENT = Kind(
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
        Season: {
            stream: {"name": state.name, "closed": state.closed, "version": state.version}
            | {"state": msgspec.json.encode(state, order="sorted").decode()}
        },
        SeasonEvent: {
            f"{stream}-{event}": {"stream_id": stream, "tournament": event, "number": number}
            for number, event in enumerate(state.events, 1)
        },
    }


SEASON = Kind(
    name="season",
    shapes=seasons.SHAPES,
    decide=seasons.decide,
    evolve=seasons.evolve,
    head=Season,
    rows=_season_rows,
    page="season_history",
)
KINDS: dict[str, Kind] = {kind.name: kind for kind in (STOCK, HOUSE, TOURNAMENT, SEASON)}
