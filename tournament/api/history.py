"""Events of one game or of the whole log in order, and explanations of numbers."""

import json
from collections.abc import Iterable
from copy import replace
from itertools import islice
from typing import Annotated

from django.http import Http404
from msgspec import Meta, Struct
from rest_framework.request import Request

from ledger.chain import Stored
from ledger.reading import head_of, read_log, read_stream
from scoring.shape import JsonObject
from tournament.accounts.access import game_or_404
from tournament.accounts.actor_names import actors_in_words
from tournament.accounts.permissions import Permission, Visitor
from tournament.accounts.silent_rounds import Hidden, read_hidden, withheld
from tournament.api.games import Person
from tournament.api.http.responses import Answer, build_struct, make_versioned_answer
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import LIMIT, USUAL, ApiViewSet, Page, PageQuery, make_page
from tournament.models import Call, Game, House, Screen, Season, Stock, Tournament
from tournament.models.visibility import unseen_games
from tournament.queries.number_explanations import COUNTED, NumberPart, explained
from tournament.salons.players import names_of
from tournament.streams.acts import moments_of
from tournament.streams.entries import entries_of
from tournament.streams.texts import digests_in, words_of

OPAQUE = 32  # characters of an id
AFTER = Meta(ge=0, le=10**15, description="The position of the last event seen; 0 for none.")
AT = Meta(ge=1, le=10**9, description="As of this version of the game.")


class EventLine(Struct, frozen=True, kw_only=True):
    """An event as it is stored, times in microseconds UTC, `body` with ids for people and digests
    for words.

    `who` is the actor in words; `taken_back` the position of the line that took it back, null
    while it stands. `withheld` are the fields of `body` that are left out: what tells results of a
    silent round, until the tournament is over, and all of a game that counts in one; and a draw,
    until it is published.
    """

    position: int
    stream: str
    version: int
    type: str
    schema: int
    occurred_at: int
    recorded_at: int
    actor: str
    who: str
    body: JsonObject
    prev_hash: str
    hash: str
    taken_back: int | None = None
    withheld: list[str] = []


class Events(Struct, frozen=True, kw_only=True):
    """A page of events in order, the people and words that they name, and the position of the log's
    last event.

    `next_cursor` is where the next page begins, null at the end.
    """

    items: list[EventLine]
    people: dict[str, Person]
    words: dict[str, str]
    head: int
    next_cursor: int | None


class Since(Struct, frozen=True, kw_only=True):
    """The feed: events after a position, of one kind of stream or one stream."""

    after: Annotated[int, AFTER] = 0
    limit: Annotated[int, LIMIT] = USUAL


class AtVersion(Struct, frozen=True, kw_only=True):
    """A version of the game; none: as it is now."""

    at: Annotated[int, AT] | None = None


class NumberLine(Struct, frozen=True, kw_only=True):
    """A number of a board by its code (`score.NS`), with its value now."""

    code: str
    value: int


class Term(Struct, frozen=True, kw_only=True):
    """One amount of a number: what it is for, its rule, and the positions of the events
    behind it.
    """

    amount: int
    words: str
    rule: str
    events: list[int]


class HandOfNumber(Struct, frozen=True, kw_only=True):
    """The amounts of one hand (0: the start or the end of the game), and what the number came to
    after them.
    """

    hand: int
    terms: list[Term]
    total: int


class Explanation(Struct, frozen=True, kw_only=True):
    """How a number came to be: its name, its value, and hand by hand what it adds up from."""

    code: str
    title: str
    total: int
    hands: list[HandOfNumber]


class EventViewSet(ApiViewSet):
    """What happened, as it is stored, and why a number is what it is."""

    act = Permission.READ_HISTORY

    @document_action(query=PageQuery)
    def list_game_events(self, request: Request, game: str) -> Answer[Events]:
        """Every event of a game in order, those taken back too; the cursor is a version of the
        game.
        """
        row = game_or_404(self.visitor, game)
        return events_of(self, row)

    @document_action(query=Since)
    def list_events(self, request: Request) -> Events:
        """The feed: all events of the salon after a position, in order. Ask again with `after` the
        last position seen.

        Sent with the ETag of the answer before, it answers 304 while nothing happened.
        """
        query = self.query(Since)
        log, after_position, limit = self.salon.log_id, query.after, query.limit
        found = list(islice(read_log(log, after=after_position, page=limit + 1), limit + 1))
        lines = [(event.position, _line(event, None)) for event in found]
        return _events(self.visitor, make_page(lines, limit))

    @document_action(Permission.SEE_SALON)
    def list_numbers(self, request: Request, game: str) -> Answer[list[NumberLine]]:
        """Every number of a board that can be explained."""
        row = game_or_404(self.visitor, game)
        found = [
            NumberLine(code=f"{which}.{key}", value=value)
            for which in COUNTED
            for key, value in row.state.get(which, {}).items()
        ]
        return make_versioned_answer(found, row.version)

    @document_action(Permission.SEE_SALON, query=AtVersion)
    def explain_number(self, request: Request, game: str, code: str) -> Explanation:
        """How a number came to be: its rule, its arithmetic, and for those who may read the history
        the events behind it.
        """
        row = game_or_404(self.visitor, game)
        reads_history = self.visitor.may(Permission.READ_HISTORY)
        at = self.query(AtVersion).at if reads_history else None
        moments = [
            each
            for each in moments_of(row.salon.log_id, row.pk)
            if at is None or each.first.version <= at
        ]
        if not moments or (at or 0) > row.version:
            raise Http404
        found = explained(row, moments, code, self.visitor.audience, linked=reads_history)
        return build_struct(
            Explanation, found, hands=[_hand(part) for part in reversed(found.parts)]
        )


def events_of(
    view: ApiViewSet, row: Call | Game | House | Screen | Season | Stock | Tournament
) -> Answer[Events]:
    """The events of a stream, a page at a time by its versions."""
    query = view.query(PageQuery)
    entries = entries_of(list(read_stream(row.salon.log_id, row.pk)))
    lines = [(entry.stored.version, _line(entry.stored, entry.taken_back)) for entry in entries]
    later = [each for each in lines if each[0] > (query.cursor or 0)]
    page = make_page(later[: query.limit + 1], query.limit)
    return make_versioned_answer(_events(view.visitor, page), row.version)


def _events(visitor: Visitor, page: Page[EventLine]) -> Events:
    """These events with who and what they name, without what is hidden from this visitor."""
    salon, hidden = visitor.salon, read_hidden({line.stream for line in page.items})
    lines = [_visible_line(line, hidden.get(line.stream)) for line in page.items]
    actors = actors_in_words(salon, {line.actor for line in lines}, visitor.audience)
    names = names_of(
        salon, {player for line in lines for player in _ids(line.body)}, visitor.audience
    )
    return Events(
        items=[replace(line, who=actors[line.actor]) for line in lines],
        people={player: Person(id=player, name=name) for player, name in names.items()},
        words=words_of(salon, {digest for line in lines for digest in digests_in(line.body)}),
        head=head_of(salon.log_id).position,
        next_cursor=page.next_cursor,
    )


def _line(event: Stored, taken_back: int | None) -> EventLine:
    body = json.loads(event.body)
    return build_struct(EventLine, event, who="", body=body, taken_back=taken_back, withheld=[])


def _visible_line(line: EventLine, hidden: Hidden | None) -> EventLine:
    if line.stream in unseen_games():
        return replace(line, body={}, withheld=list(line.body))
    body, without = withheld(line.type, line.body, hidden)
    return replace(line, body=body, withheld=without) if without else line


def _ids(body: JsonObject) -> Iterable[str]:
    """The players whom an event names: who sits where."""
    for _seat, player in body.get("players", ()):
        if isinstance(player, str) and len(player) == OPAQUE:
            yield player


def _hand(part: NumberPart) -> HandOfNumber:
    terms = [
        build_struct(Term, line, events=[fact.position for fact in line.facts])
        for line in part.lines
    ]
    return build_struct(HandOfNumber, part, terms=terms)
