"""The matches of a knock-out in words: who meets whom, or where they come from, and what came
of it.
"""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from tournament.domain.brackets.progress import Absent, MatchState, Occupant
from tournament.domain.brackets.values import BracketName, Match, Source


def number_words(match: int) -> str:
    """The short number of a match, by which others name it: `M3`."""
    return gettext("M%(number)d") % {"number": match}


def names_of_match(
    state: MatchState, names: Mapping[str, str], origins: Sequence[str] = ()
) -> tuple[str, str]:
    """The names of the two sides of a match, or where they will come from: `winner of M3`.
    `origins` name the sources of the seeds that aren't known yet, the first seed's
    first.
    """
    return names_at(state.match, state.entries, names, origins)


def names_at(
    match: Match,
    entries: tuple[Occupant, Occupant],
    names: Mapping[str, str],
    origins: Sequence[str] = (),
) -> tuple[str, str]:
    """The same of these entries."""
    one, two = (
        names[entry] if isinstance(entry, str) else _from(entry, place, origins)
        for entry, place in zip(entries, match.places, strict=True)
    )
    return one, two


def _from(entry: Absent, place: Source, origins: Sequence[str]) -> str:
    """The words for a place without an entry."""
    if entry is Absent.NOBODY:
        return gettext("nobody")
    if place.kind == "seed":
        return origins[place.number - 1]
    if place.kind == "survivor":
        return gettext("no. %(number)d of those left") % {"number": place.number}
    sentence = (
        gettext("winner of %(match)s") if place.kind == "winner" else gettext("loser of %(match)s")
    )
    return sentence % {"match": number_words(place.number)}


def has_bye_before(match: Match, place: int) -> bool:
    """Whether who stands in this place of a match (0 or 1) had no match before it."""
    return match.places[place].kind == "seed" and match.round > 1


def match_state_words(state: MatchState, sides: Sequence[str]) -> str:
    """A match in a sentence."""
    values = {"one": sides[0], "two": sides[1]}
    if isinstance(state.winner, str):
        values["winner"] = sides[state.entries.index(state.winner)]
    sentence = {
        "waits": gettext("%(one)s against %(two)s"),
        "ready": gettext("%(one)s against %(two)s: to be played"),
        "decided": gettext("%(one)s against %(two)s: %(winner)s won"),
        "walk_over": gettext("%(one)s against %(two)s: %(winner)s goes on without playing")
        if "winner" in values
        else gettext("%(one)s against %(two)s: nobody goes on"),
        "not_needed": gettext("not needed"),
    }[state.status] % values
    if not state.wrong:
        return sentence
    return gettext("%(match)s (it was played on a wrong premise)") % {"match": sentence}


def last_rounds(matches: Iterable[Match]) -> dict[BracketName, int]:
    """The last round of each bracket that there is."""
    last: dict[BracketName, int] = {}
    for match in matches:
        last[match.bracket] = max(match.round, last.get(match.bracket, 0))
    return last


def round_name(bracket: BracketName, number: int, last: Mapping[BracketName, int]) -> str:
    """The name of a round of a bracket, by how many rounds it is before the last of it: so
    none is taken for a round of the evening, of which an earlier stage may have had
    some.
    """
    if bracket == "winners" and "losers" in last:
        return _name_round(_WINNERS, last[bracket] - number, gettext("Winners’ last %(count)d"))
    if bracket == "winners":
        return _name_round(_ROUNDS, last["final"] - number, gettext("Last %(count)d"))
    if bracket == "losers" and number == last[bracket]:
        return gettext("Losers’ final")
    names_of_others = {
        "losers": gettext("Losers’ round %(number)d"),
        "final": gettext("Final"),
        "reset": gettext("Second final"),
        "third": gettext("Third place"),
    }
    return names_of_others[bracket] % {"number": number}


def _name_round(names: Sequence[str | Promise], left: int, of_many: str) -> str:
    """The round with so many after it: by its name, or by how many are still in it."""
    return str(names[left]) if left < len(names) else of_many % {"count": 2 ** (left + 1)}


_ROUNDS = (gettext_lazy("Final"), gettext_lazy("Semi-final"), gettext_lazy("Quarter-final"))
_WINNERS = (
    gettext_lazy("Winners’ final"),
    gettext_lazy("Winners’ semi-final"),
    gettext_lazy("Winners’ quarter-final"),
)


def status_words(state: MatchState) -> str:
    """The status of a match in words, apart from its winner."""
    if state.wrong:
        return gettext("played on a wrong premise")
    return {
        "waits": gettext("waits"),
        "ready": gettext("to be played"),
        "decided": "",
        "walk_over": gettext("without a game"),
        "not_needed": gettext("not needed"),
    }[state.status]
