"""Acts of a game one by one, as a table's pad sends them: what may come next, and one more act."""

from collections.abc import Callable, Mapping
from typing import Annotated

from django.http import Http404
from django.utils.translation import gettext as _
from msgspec import Meta, Struct
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from scoring.commands import Opening
from scoring.common_state import GameState, read_undo
from scoring.errors import NotationError
from scoring.legal import LegalNext
from scoring.shape import JsonObject
from tournament.accounts.access import game_or_404
from tournament.accounts.permissions import Permission, Visitor
from tournament.api.http.responses import Answer, Done, answer_to_recording, make_versioned_answer
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, read_collection
from tournament.models import Game, Salon
from tournament.queries.players import with_known_names
from tournament.queries.round_over import check_round_goes_on, round_over
from tournament.queries.table import TableGame, kinds_of_end, may_end, read_allowed_end, unpack_game
from tournament.recording import door
from tournament.recording.duplicate_deals import check_no_stock_due
from tournament.recording.rulings import RULINGS, name_of, read_ruling
from tournament.server.http.problem_details import ProblemDetails
from tournament.streams.folds import fold_of

RETRACTIONS, ENDINGS = "retractions", "endings"
ACT = """The act, in the words of the pad. In Precedence: `hands` {dealer?, trump?, players?,
buy_ins?}, `bids` {seat, tricks} or by house rule `contracts` {side, tricks}, `melds` {seat, kind,
cards}, `deals`, `tricks` {cards}, `winners` {seat}, `totals` {NS, EW}, `misdeals` {}; the other
games have their own. In every game: `retractions` {version} takes back the act that `state.undo`
names, `endings` {kind, reason} ends the game before its rules do (`called` or `abandoned` after a
closed hand, `not_played` before the first; an open hand is taken back), `rulings` {kind, reason, …}
are the director's."""

DRAFTED = Meta(
    max_length=60,
    description="Cards laid down for the open trick and not yet recorded, as `EV,7V`.",
)


class Drafted(Struct, frozen=True, kw_only=True):
    """The cards drafted for the open trick."""

    cards: Annotated[str, DRAFTED] = ""


class Offered(Struct, frozen=True, kw_only=True):
    """What may come next: the collections an act can be added to now, and of an open trick whose
    turn it is and which cards may lie there.

    `acts` are the forms of the acts that the rules take next, by collection: an act is recorded
    exactly when each of its fields is one of a form, in the set that stands there. A list holds the
    values there are, null among them if the field may be left out; `{least, most, step}` are
    numbers; `{cards, of, without, with, apart_from}` so many different cards; `{run}` and `{rank}`
    those of a meld; `{trick}` cards of which each is in `offer` after those before it; `{fields}`
    an object; `{each}` a list with one number of each set; `{pack}` so many cards in any order.
    `optional` fields may be left out, `sums` bind numbers together. `stage` is what the table is
    at; `undo` the act that can be taken back, null where there is none.
    """

    version: int
    stage: str
    collections: list[str]
    acts: dict[str, list[JsonObject]]
    next: JsonObject
    offer: JsonObject | None
    undo: JsonObject | None


class ActViewSet(ApiViewSet):
    """Acts of a game one by one, as a table's pad sends them."""

    act = Permission.SEE_SALON

    @document_action(answers={422: ProblemDetails}, query=Drafted)
    def read_offer(self, request: Request, game: str) -> Answer[Offered]:
        """What may come next in a game; with `?cards=` after these cards of the open trick."""
        row = game_or_404(self.visitor, game)
        at = unpack_game(self.visitor, row)
        legal = at.game.legal_next(at.table)
        offered = Offered(
            version=row.version,
            stage=at.table["stage"],
            collections=_collections(self.visitor, at, legal),
            acts=legal,
            next=at.table["next"],
            offer=_offer(at, self.query(Drafted).cards.replace(",", " ").split()),
            undo=at.table["undo"],
        )
        return make_versioned_answer(offered, row.version)

    @document_action(Permission.RECORD, body=ACT, version=True)
    def record_act(self, request: Request, game: str, collection: str) -> Answer[Done]:
        """Record one act on top of the version that If-Match names, as a table's pad does."""
        row = game_or_404(self.visitor, game)
        self.visitor.demand(Permission.RECORD, table=row.table)
        check_round_goes_on(self.visitor, row)
        read = _reader(self.visitor, row, collection)
        rules = state_with(row.salon, row, self.version).rules
        value = with_known_names(
            sign_rulings(self.visitor, require_object(request.data)), row.salon
        )
        act = read(value, rules)
        if isinstance(act, Opening):
            check_no_stock_due(row)
        done = door.record_acts(
            row.salon,
            row.pk,
            [act],
            **self.by,
            version=self.version,
            seat=self.visitor.seat_in(row),
        )
        return answer_to_recording(done)


def require_object(body: object) -> dict[str, object]:
    """Return the body if it is an object. Raises NotationError."""
    if not isinstance(body, dict):
        raise NotationError("an object is expected here")
    return body


def sign_rulings(visitor: Visitor, value: Mapping[str, object]) -> dict[str, object]:
    """Return the body, each of its rulings with the name of the visitor. Raises
    PermissionDenied unless the visitor can give rulings.
    """
    rulings = value.get(RULINGS)
    if not isinstance(rulings, list):
        return dict(value)
    return {**value, RULINGS: [_sign_ruling(visitor, each) for each in rulings]}


def state_with(salon: Salon, row: Game, version: int) -> GameState:
    """The state by which something sent for this version of a game is read."""
    folded = fold_of(salon.log_id, row.pk, version=version)
    assert folded is not None
    state: GameState = folded.state
    return state


def _collections(visitor: Visitor, at: TableGame, legal: LegalNext) -> list[str]:
    """Return the collections to which this visitor can add an act now."""
    if at.row.finished or not visitor.may(Permission.RECORD, table=at.row.table):
        return []
    if not visitor.may(Permission.DIRECT) and round_over(at.row) is not None:
        return []
    between = at.table["hand"] is None
    retractions = [RETRACTIONS] if at.table["undo"] else []
    endings = [ENDINGS] if kinds_of_end(visitor, at) else []
    rulings = (
        [RULINGS]
        if not between and at.game.rulings is not None and visitor.may(Permission.RULE)
        else []
    )
    return [*legal, *retractions, *endings, *rulings]


def _offer(at: TableGame, cards: list[str]) -> dict[str, object] | None:
    """Raises RuleViolation for a card that may not lie there, NotationError for one that is
    none.
    """
    if at.table["stage"] != "play":
        return None
    try:
        return at.game.offer(at.table, cards)
    except ValueError as unknown:
        raise NotationError(str(unknown), path="cards") from None


def _reader(visitor: Visitor, row: Game, collection: str) -> Callable[[object, object], object]:
    """Return the function that reads an act of this collection. Raises Http404 for one
    that the game hasn't got, PermissionDenied.
    """
    at = unpack_game(visitor, row)
    if collection == RETRACTIONS:
        return lambda value, rules: read_undo(value)
    if collection == ENDINGS:
        if not may_end(visitor, at):
            raise PermissionDenied(_("Only the owner of the salon can do that."))
        return lambda value, rules: read_allowed_end(visitor, value)
    if collection == RULINGS:
        if at.game.rulings is None:
            raise Http404
        return lambda value, rules: read_ruling(at.game, _sign_ruling(visitor, value))
    return read_collection(at.game.acts, collection)


def _sign_ruling(visitor: Visitor, value: object) -> dict[str, object]:
    visitor.demand(Permission.RULE)
    if not isinstance(value, dict):
        raise NotationError("a ruling is expected here", path=RULINGS)
    return value | {"by": name_of(visitor)}
