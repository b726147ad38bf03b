"""Preview of acts that another phone kept, in the words of the rules: the record each
would make if it were sent now. Nothing is recorded, and the other phone's own
description of them isn't used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, QueryDict
from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.translation import gettext as _

from ledger import times
from ledger.chain import Stored
from scoring.errors import Refusal
from scoring.openings import read_acts
from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest
from tournament.models import Game
from tournament.pages.common.form_values import plain_value, problem_of
from tournament.pages.table.acts import reader
from tournament.pages.table.next_game import GAMES_BEGUN, first_facts, seats_before
from tournament.pages.table.rulings import SHEET, sign_rulings
from tournament.queries.history_lines import HistoryLine, history_lines
from tournament.queries.players import with_known_names
from tournament.queries.table import TableGame, game_at, unpack_game
from tournament.recording.door import decide_and_fold
from tournament.recording.private_data import PrivateData
from tournament.streams.acts import moments_to_come
from tournament.streams.drafts import drafts_of
from tournament.streams.folds import Folded, require_fold

OF_THE_FORM = frozenset({"game", "command", "version", "hand", "trick", "pin"})


@dataclass(slots=True)
class _Coming:
    """A game of the table with the acts that would be recorded in it one after the other."""

    at: TableGame
    folded: Folded
    stored: list[Stored] = field(default_factory=list)


def acts_in_words(
    request: SalonRequest, label: str, acts: Sequence[tuple[str, str, QueryDict]]
) -> list[str]:
    """Words for what each of these acts, (command, collection, fields) in their order, would record
    at this table; what the rules refuse is said, and what no game of the table has is shown as it
    stands.
    """
    games: dict[str, _Coming] = {}
    words: dict[str, str] = {}
    for command, collection, body in acts:
        words[command] = as_fields(collection, body)
        begins = collection == GAMES_BEGUN
        coming = _game(request, label, body.get("follows" if begins else "game", ""), games)
        if coming is None:
            continue
        try:
            if begins:
                games[command] = _game_after(request, coming, command, body)
            else:
                _record(request, coming, command, collection, body)
        except Refusal as refused:
            problem = problem_of(refused, coming.at.called, unread=400)
            words[command] = _("%(act)s (would be refused: %(why)s)") % {
                "act": words[command],
                "why": problem.message,
            }
        except (Http404, PermissionDenied):
            continue
    for coming in games.values():
        words |= {command: "; ".join(lines) for command, lines in _lines(request, coming).items()}
    return [words[command] for command, _collection, _body in acts]


def as_fields(collection: str, body: QueryDict) -> str:
    """An act as its form says it."""
    said = [
        f"{name.partition(':')[0]} {value}"
        for name, values in body.lists()
        if name not in OF_THE_FORM
        for value in values
    ]
    return f"{collection}: {', '.join(said)}" if said else collection


def line_in_words(line: HistoryLine) -> str:
    """A line of the history as plain text."""
    text = render_to_string(list(line.templates), {"act": line, "fact": line.fact})
    return " ".join(strip_tags(text).split())


def _game(
    request: SalonRequest, label: str, game: str, games: dict[str, _Coming]
) -> _Coming | None:
    if game not in games:
        at = game_at(request.visitor, label, game=game)
        if at is None or at.row.pk != game or at.row.is_silent:
            return None
        log = request.visitor.salon.log_id
        games[game] = _Coming(at, require_fold(log, game, version=at.row.version))
    return games[game]


def _record(
    request: SalonRequest, coming: _Coming, command: str, collection: str, body: QueryDict
) -> None:
    """Put an act behind the others of its game. Raises Refusal, Http404, PermissionDenied."""
    salon, state = request.visitor.salon, coming.folded.state
    value = with_known_names(sign_rulings(request, _read_fields(body)), salon)
    private, game = PrivateData(salon), coming.at.game
    events: list[Any] = []
    if collection == SHEET:
        sheet = game.read_sheet(value, state.rules)
        events, state = game.decide_sheet(private.seat(sheet), state)
    else:
        read = reader(request, collection, coming.at)
        for act in read_acts(value, state, read=read, read_opening=game.acts["hands"]):
            new, state = decide_and_fold(game, private.prepare(act), state)
            events += new
    _put_behind(request, coming, command, events, state)


def _game_after(request: SalonRequest, before: _Coming, command: str, body: QueryDict) -> _Coming:
    """The game that an act would begin after this one. Raises Refusal."""
    visitor, ended, game = request.visitor, before.at.row, before.at.game
    sat = seats_before(ended, _read_fields(body).get("seats", {}))
    row = Game(
        pk=command,
        salon=visitor.salon,
        kind=ended.kind,
        table=ended.table,
        seats={seat: ended.seats[origin] for seat, origin in sat.items()},
    )
    facts = first_facts(game, row, before.folded.state.rules)
    state = None
    for fact in facts:
        state = game.evolve(state, fact)
    row.state = game.table(state)
    coming = _Coming(unpack_game(visitor, row), Folded(kind=game, version=0, state=None))
    _put_behind(request, coming, command, facts, state)
    return coming


def _read_fields(body: QueryDict) -> JsonObject:
    """The fields of an act, without those that every form has."""
    fields = QueryDict(mutable=True)
    for name, values in body.lists():
        if name not in OF_THE_FORM:
            fields.setlist(name, values)
    value: JsonObject = plain_value(fields)
    return value


def _put_behind(
    request: SalonRequest,
    coming: _Coming,
    command: str,
    facts: Sequence[object],
    state: Any,  # noqa: ANN401 - of the type that its game folds into
) -> None:
    """Put these facts, which lead to this state, behind those of their game."""
    version = coming.folded.version
    coming.folded = coming.folded._replace(version=state.version, state=state)
    drafts = drafts_of(coming.at.row.pk, coming.folded, facts, now=times.now())
    coming.stored += [
        Stored(
            request.visitor.salon.log_id,
            0,
            draft.stream,
            version + place,
            draft.type,
            draft.schema,
            draft.occurred_at,
            draft.occurred_at,
            request.visitor.actor,
            command,
            draft.body.decode(),
            "",
            "",
        )
        for place, draft in enumerate(drafts, 1)
    ]


def _lines(request: SalonRequest, coming: _Coming) -> Mapping[str, list[str]]:
    """The words of what would be recorded in a game, by command."""
    row, salon = coming.at.row, request.visitor.salon
    found: dict[str, list[str]] = {}
    if coming.stored:
        moments = moments_to_come(salon.log_id, row.pk, coming.stored)
        lines = history_lines(salon, {row.pk: row}, moments, request.visitor.audience)
        for line in lines:
            found.setdefault(line.moment.entry.stored.command, []).append(line_in_words(line))
    return found
