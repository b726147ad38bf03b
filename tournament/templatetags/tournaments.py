"""Template tags that put a tournament's facts in words: its entries by name, and the
reasons of its draws.
"""

from collections.abc import Mapping
from datetime import date

from django import template
from django.db.models import Max

from ledger.reading import events_in
from tournament.domain.pairing.values import NextBest
from tournament.domain.tournament.state import EntryState
from tournament.formats.local.dates import date_text
from tournament.models import Game, Tournament, TournamentGame
from tournament.pages.tournaments.season_words import rule_in_words
from tournament.queries.confirmation_rows import list_disputed_hands
from tournament.queries.draw_reasons import broken_words, next_best_words, reason_words
from tournament.queries.entrants import name_entry_in_round
from tournament.queries.history_lines import HistoryLine
from tournament.queries.scale_words import (
    bye_words,
    forfeit_words,
    points_heading,
    points_heading_of,
    points_words,
)
from tournament.salons.players import names_of
from tournament.streams.tournament_rows import state_of

register = template.Library()
register.filter("reason_words", reason_words)
register.filter("broken_words", broken_words)
register.simple_tag(rule_in_words, name="season_rule")


@register.simple_tag
def entry_name(act: HistoryLine, key: str) -> str:
    """The people of an entry as a fact about it was recorded: those who play in its round, else in
    the entry's next one.
    """
    state, fact = act.moment.state, act.fact
    entry = state.find_known_entry(key)
    number = (
        getattr(fact, "round", None)
        or getattr(fact, "after_round", None)
        or state.next_to_play(key)
    )
    return name_entry_in_round(entry, number, _names(act, entry)) if entry is not None else key


@register.simple_tag
def missed_round(act: HistoryLine) -> bool:
    """Whether a fact is about a round before its entry joined."""
    entry = act.moment.state.entry(act.fact.entry)
    return entry is not None and act.fact.round < entry.joined_in


@register.simple_tag
def replaced_name(act: HistoryLine) -> str:
    """Return the player whom a substitute replaces; "" if that isn't known."""
    before, fact = act.moment.entry.before, act.fact
    entry = before.entry(fact.entry)
    number = fact.from_round or before.next_to_play(fact.entry)
    player = dict(entry.members_in(number)).get(fact.players[0][0], "")
    return _names(act, entry).get(player, "")


@register.simple_tag
def next_best(best: NextBest, names: Mapping[str, str]) -> str:
    """Describe the next best pairing, and what it would keep worse."""
    return f"{' – '.join(names.get(key, key) for key in best.entries)}: {next_best_words(best)}"


@register.filter
def disputed_place(row: Game) -> str:
    """The place of the first disputed hand of a game on its page of confirmations, as the end of
    that page's address; "" where none is disputed.
    """
    return next((f"#hand-{hand}" for hand in list_disputed_hands(row)), "")


@register.simple_tag
def events_of(row: Game) -> list[TournamentGame]:
    """List the tournament games of a game: tournament, round and table, with the
    tournament.
    """
    counts = TournamentGame.objects.filter(game=row.pk)
    return list(counts.select_related("stream").defer("stream__state"))


@register.simple_tag
def last_entry(row: Tournament) -> int:
    """The last entry of the log that is about a tournament or about a game that counts in it."""
    games = TournamentGame.objects.filter(stream=row.pk).values_list("game", flat=True)
    return (
        events_in(row.salon.log_id, [row.pk, *games]).aggregate(last=Max("position"))["last"] or 0
    )


def _names(act: HistoryLine, entry: EntryState) -> dict[str, str]:
    """The names of an entry's people among others; looked up once for each row, and again for
    somebody who is in it no longer.
    """
    row = act.row
    names: dict[str, str] = getattr(row, "_names_of_people", {})
    if not entry.everybody <= names.keys():
        state = state_of(row)
        removed = (each for _place, each in state.removed)
        everybody = {player for each in (*state.entries, *removed) for player in each.everybody}
        names |= names_of(row.salon, everybody | entry.everybody, act.audience)
        row._names_of_people = names
    return names


register.simple_tag(bye_words)
register.simple_tag(forfeit_words)
register.filter("points_words", points_words)
register.filter("points_heading", points_heading)
register.filter("points_heading_of", points_heading_of)


@register.filter
def place(found: object, at: int) -> object:
    """Return the value at a place of a list, counted from 0; "" if there is none."""
    return found[at] if isinstance(found, list) and at < len(found) else ""


@register.filter
def day(written: str) -> str:
    """A day as records hold it (`2026-10-31`) as it is shown: `31 October 2026`; "" for none."""
    return date_text(date.fromisoformat(written)) if written else ""


@register.simple_tag
def tournament_name(stream: str) -> str:
    """The name of a tournament."""
    return Tournament.objects.filter(pk=stream).values_list("name", flat=True).first() or ""
