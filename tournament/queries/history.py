"""The acts of a salon's log, newest first, narrowed to what is asked for: a kind, a person, a
table, a player, a time.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from django.utils import timezone
from django.utils.translation import gettext_lazy
from msgspec import Struct

from ledger.drafts import CHIPS_MOVED
from scoring.attestations import ATTESTATION_SHAPES
from tournament.models import Game, Salon
from tournament.models.visibility import unseen_games
from tournament.queries.event_search import EventSearch, FoundEvent, search_events
from tournament.queries.history_lines import at_time
from tournament.salons.persons import games_with
from tournament.streams.acts import (
    CORRECTED,
    GAME_CLOSED,
    HAND_CLOSED,
    HANDED_OVER,
    MISDEALT,
    RETRACTED,
    RULINGS,
    Moment,
    every_act,
    moments_of,
)
from tournament.streams.codec import list_stored_names
from tournament.streams.types import CALL, HOUSE, SCREEN, STOCK, TOURNAMENT

# An act has at most so many entries of chips: enough are read to fill a page with whole acts.
CHIPS_OF_AN_ACT = 12
# An act is told from its whole stream: a page of acts of many streams ends before it has read more
# entries than these.
ENTRIES_OF_A_PAGE = 1_000
KINDS = {
    "": gettext_lazy("Everything"),
    "scores": gettext_lazy("Scores"),
    "chips": gettext_lazy("Chips"),
    "corrections": gettext_lazy("Corrections"),
    "rulings": gettext_lazy("Rulings"),
    "confirmations": gettext_lazy("Confirmations"),
    "games": gettext_lazy("Beginnings and ends"),
    "tournaments": gettext_lazy("Tournaments"),
    "house": gettext_lazy("The house"),
    "calls": gettext_lazy("Calls for the director"),
}
OF_A_GAME = {
    kind: words for kind, words in KINDS.items() if kind not in ("tournaments", "house", "calls")
}
STARTED = ".game_started"
SAID = [name for name, _schema in ATTESTATION_SHAPES if name != HANDED_OVER]
_OF_KIND: Mapping[str, Callable[[str], bool]] = {
    "": lambda name: name not in (CHIPS_MOVED, HANDED_OVER),
    "scores": lambda name: name in (HAND_CLOSED, GAME_CLOSED),
    "chips": lambda name: name == CHIPS_MOVED,
    "corrections": lambda name: (
        name in (RETRACTED, MISDEALT, CORRECTED) or name.startswith(RULINGS)
    ),
    "rulings": lambda name: name.startswith(RULINGS),
    "confirmations": lambda name: name in SAID,
    "games": lambda name: name == GAME_CLOSED or name.endswith(STARTED),
    "tournaments": lambda name: name.startswith(f"{TOURNAMENT.name}."),
    "house": lambda name: name.startswith((f"{HOUSE.name}.", f"{STOCK.name}.", f"{SCREEN.name}.")),
    "calls": lambda name: name.startswith(f"{CALL.name}."),
}
OFTEN = ("", "scores", "chips")  # of these one actor has fewer than there are


class HistoryFilter(Struct, frozen=True, kw_only=True):
    """A filter of the history: a kind of entry, one actor ("" everyone's), one table's
    label ("" all), one player's games ("" all).

    `since` and `until` are times in microseconds UTC; `before` is a position.
    """

    kind: str
    actor: str
    table: str
    player: str
    since: int | None
    until: int | None
    before: int | None

    @property
    def since_typed(self) -> str:
        """The time from which on, as a form writes it."""
        return _format_time(self.since)

    @property
    def until_typed(self) -> str:
        """The time up to which, as a form writes it."""
        return _format_time(self.until)

    @property
    def is_narrow(self) -> bool:
        """Whether anything is left out."""
        times = (self.since, self.until, self.before)
        return bool(self.kind or self.actor or self.table or self.player) or any(
            each is not None for each in times
        )


def is_wanted(moment: Moment, wanted: HistoryFilter) -> bool:
    """Whether an act of a game is what is asked for, by its kind, by who entered it and when."""
    return is_by(moment, wanted) and is_of_kind(moment, wanted.kind)


def is_by(moment: Moment, wanted: HistoryFilter) -> bool:
    """Whether an act was entered by whom, and happened when, it is asked for."""
    stored = moment.entry.stored
    too_early = wanted.since is not None and stored.occurred_at < wanted.since
    too_late = wanted.until is not None and stored.occurred_at > wanted.until
    return wanted.actor in ("", stored.actor) and not too_early and not too_late


def is_of_kind(moment: Moment, kind: str) -> bool:
    """Whether an act belongs to what is shown under this kind."""
    if kind == "chips":
        return bool(moment.chips)
    return not kind or _OF_KIND[kind](moment.entry.stored.type)


def acts_of(salon: Salon, wanted: HistoryFilter, most: int) -> tuple[list[Moment], int | None]:
    """At most so many acts, newest first, and the entry before which there may be earlier ones;
    None: there are none.

    Fewer may come although there are earlier ones, even none: so much of the log is looked through
    at once, and no more.
    """
    limit = most * CHIPS_OF_AN_ACT if wanted.kind == "chips" else most + 1
    found, on = search_events(_search(salon, wanted), wanted.before, limit)
    moments, whole = _acts_of(salon, found, wanted)
    if len(moments) <= most and whole and on is None:
        return moments, None
    shown = moments[:most]
    return shown, shown[-1].entry.stored.position if shown else on


def _acts_of(
    salon: Salon, found: Sequence[FoundEvent], wanted: HistoryFilter
) -> tuple[list[Moment], bool]:
    """The acts of these entries, newest first, and whether they are all; as many as are told from
    `ENTRIES_OF_A_PAGE`, one at least.
    """
    versions: dict[str, set[int]] = defaultdict(set)
    for each in found:
        versions[each.stream].add(each.version)
    acts: list[Moment] = []
    told, read = 0, 0
    for stream, asked in versions.items():
        if read >= ENTRIES_OF_A_PAGE and _before(acts, wanted):
            break
        moments = moments_of(salon.log_id, stream, whole=False)
        acts += [
            moment
            for moment in moments
            if not asked.isdisjoint(
                entry.stored.version
                for act in every_act([moment])
                for entry in (act.entry, *act.chips)
            )
        ]
        told, read = told + 1, read + moments[-1].last.version
    here, whole = _before(acts, wanted), told == len(versions)
    if not whole:  # Nothing is shown that lies before an entry that isn't.
        left_out = next(each.position for each in found if each.stream not in list(versions)[:told])
        here = [act for act in here if act.entry.stored.position > left_out]
    return sorted(here, key=lambda act: act.entry.stored.position, reverse=True), whole


def _before(acts: Sequence[Moment], wanted: HistoryFilter) -> list[Moment]:
    # A payment just before its hand's close belongs to an act that the page before has shown.
    return [
        act for act in acts if wanted.before is None or act.entry.stored.position < wanted.before
    ]


def _search(salon: Salon, wanted: HistoryFilter) -> EventSearch:
    is_of_kind = _OF_KIND[wanted.kind]
    by_type = wanted.kind != "" and not (wanted.actor and wanted.kind in OFTEN)
    return EventSearch(
        log=salon.log_id,
        unseen=unseen_games(),
        is_of_kind=is_of_kind,
        types=[name for name in list_stored_names() if is_of_kind(name)] if by_type else [],
        actor=wanted.actor,
        streams=_games_of(salon, wanted) if wanted.player or wanted.table else None,
        since=wanted.since,
        until=wanted.until,
    )


def _games_of(salon: Salon, wanted: HistoryFilter) -> dict[str, int]:
    """The games in which a player sat, or played for somebody, and those at a table: each with its
    last entry.
    """
    those = (
        {"pk__in": games_with(salon, wanted.player)}
        if wanted.player
        else {"salon": salon, "table": wanted.table}
    )
    games = Game.objects.filter(**those).values_list("pk", "position", "table")
    return {stream: position for stream, position, table in games if wanted.table in ("", table)}


def _format_time(microseconds: int | None) -> str:
    if microseconds is None:
        return ""
    return f"{timezone.localtime(at_time(microseconds)):%Y-%m-%dT%H:%M}"
