"""What a tournament's facts need in words: its entries by name, and the reasons of its draws."""

from collections.abc import Mapping
from datetime import date

from django import template
from django.db.models import Max, Q
from django.utils.formats import date_format

from ledger.models import Event
from tournament.draw_words import broken_words, next_best_words, reason_words
from tournament.models import Game, Tournament, TournamentGame
from tournament.pages.season_words import rule_in_words
from tournament.pairing.values import NextBest
from tournament.people import names_of
from tournament.seasons.rules import SeasonRule
from tournament.tournament_rows import state_of

register = template.Library()
register.filter("reason_words", reason_words)
register.filter("broken_words", broken_words)


@register.simple_tag
def entry_name(row: Tournament, key: str) -> str:
    """The people of an entry: `Asha & Cato`; they are looked up once for each row."""
    names: dict[str, str] | None = getattr(row, "_entry_names", None)
    if names is None:
        names = _names(row)
        row._entry_names = names  # type: ignore[attr-defined]
    return names.get(key, key)


@register.simple_tag
def next_best(best: NextBest, names: Mapping[str, str]) -> str:
    """Who would meet instead, and what that would keep worse."""
    return f"{' – '.join(names.get(key, key) for key in best.entries)}: {next_best_words(best)}"


@register.simple_tag
def events_of(row: Game) -> list[TournamentGame]:
    """Where a game counts: tournament, round and table, with the tournament."""
    return list(TournamentGame.objects.filter(game=row.pk).select_related("stream"))


@register.simple_tag
def last_entry(row: Tournament) -> int:
    """The last entry of the log that is about a tournament or about a game that counts in it."""
    games = TournamentGame.objects.filter(stream=row.pk).values("game")
    events = Event.objects.filter(Q(stream=row.pk) | Q(stream__in=games), log=row.salon.log_id)
    return events.aggregate(last=Max("position"))["last"] or 0


def _names(row: Tournament) -> dict[str, str]:
    entries = state_of(row).entries
    players = names_of(row.salon, {player for entry in entries for _place, player in entry.players})
    return {entry.id: " & ".join(players[player] for _place, player in entry.players) for entry in entries}


@register.filter
def day(written: str) -> str:
    """A day as records hold it (`2026-10-31`) as it is shown: `31 October 2026`; "" for none."""
    return date_format(date.fromisoformat(written), "j F Y") if written else ""


@register.simple_tag
def tournament_name(stream: str) -> str:
    """The name of a tournament."""
    return Tournament.objects.filter(pk=stream).values_list("name", flat=True).first() or ""


@register.simple_tag
def season_rule(rule: SeasonRule) -> str:
    """How a season adds up, in words."""
    return rule_in_words(rule)
