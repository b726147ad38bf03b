"""A cut in words: who went on, and what parted the last who did from the first who didn't."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.domain.standings.cutting import (
    BY_LOT,
    BY_PLACE,
    BY_POINTS,
    CutMade,
    LevelAt,
)
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import BY_PLAY_OFF, Stage, Takes
from tournament.queries.number_format import hundredths
from tournament.queries.word_lists import list_words

PASSED = gettext_lazy("Withdrawn, so that the next moved up: %(names)s.")
DOUBLED = gettext_lazy("In already by an earlier source, so that the next moved up: %(names)s.")


def cut_words(cut: CutMade, names: Mapping[str, str]) -> list[str]:
    """Sentences about a cut, source by source: how many went on, what decided at its edges, who was
    passed over.
    """
    several = bool(cut.parts)
    return [sentence for part in cut.sources for sentence in _words(part, names, several=several)]


def source_words(takes: Takes) -> str:
    """One source of a stage's entries, as part of a list: `the first 4 of stage 1`."""
    values = {"top": takes.top, "first": takes.first, "last": takes.last, "from": takes.from_stage}
    if takes.first > 1:
        return _("places %(first)d to %(last)d of stage %(from)d") % values
    return (
        ngettext("the first of stage %(from)d", "the first %(top)d of stage %(from)d", takes.top)
        % values
    )


def sources_words(stage: Stage) -> str:
    """All sources of a stage's entries."""
    return list_words([source_words(takes) for takes in stage.sources])


def level_words(level: LevelAt, names: Mapping[str, str]) -> str:
    """A sentence on the entries that have to play off, and for which places."""
    return ngettext(
        "After stage %(stage)d these are level and play off for place %(first)d: %(names)s.",
        "After stage %(stage)d these are level and play off for places %(first)d to %(last)d: "
        "%(names)s.",
        level.places,
    ) % {
        "stage": level.stage,
        "first": level.first,
        "last": level.first + level.places - 1,
        "names": ", ".join(names.get(entry, entry) for entry in level.entries),
    }


def _words(cut: CutMade, names: Mapping[str, str], *, several: bool) -> list[str]:
    return [
        _went_on(cut, several=several),
        *([_upper_edge(cut, names)] if cut.above is not None else []),
        *([_edge(cut, names)] if cut.missed is not None else []),
        *([_fill_in_names(cut.passed, names, PASSED)] if cut.passed else []),
        *([_fill_in_names(cut.doubled, names, DOUBLED)] if cut.doubled else []),
    ]


def _went_on(cut: CutMade, *, several: bool) -> str:
    count = len(cut.entries)
    if several or cut.first > 1:
        return _source_went_on(cut, count)
    if cut.missed is None:
        return _("Everybody goes on: %(count)d.") % {"count": count}
    return ngettext("The first %(count)d goes on.", "The first %(count)d go on.", count) % {
        "count": count
    }


def _source_went_on(cut: CutMade, count: int) -> str:
    values = {
        "count": count,
        "stage": cut.from_stage,
        "first": cut.first,
        "last": cut.first + count - 1,
    }
    if cut.first > 1:
        return _("From stage %(stage)d, places %(first)d to %(last)d go on.") % values
    return (
        ngettext(
            "From stage %(stage)d, the first goes on.",
            "From stage %(stage)d, the first %(count)d go on.",
            count,
        )
        % values
    )


def _edge(cut: CutMade, names: Mapping[str, str]) -> str:
    """The criterion between the last entry that made the cut and the first that missed it,
    with both values.
    """
    both = _("%(made)s just made it and %(missed)s just missed it: ") % {
        "made": names.get(cut.made, cut.made),
        "missed": names.get(cut.missed or "", ""),
    }
    return both + _describe_criterion(cut.criterion, cut.values)


def _upper_edge(cut: CutMade, names: Mapping[str, str]) -> str:
    """The criterion between the first of these places and the entry just above it."""
    both = _("%(above)s stands just above place %(first)d: ") % {
        "above": names.get(cut.above or "", ""),
        "first": cut.first,
    }
    return both + _describe_criterion(cut.above_criterion, cut.above_values)


def _describe_criterion(criterion: str, both: Sequence[int]) -> str:
    values = {"one": hundredths(both[0]), "other": hundredths(both[1])}
    if criterion == BY_LOT:
        return _("they were equal, and the lot decided.")
    if criterion == BY_POINTS:
        return _("%(one)s points to %(other)s.") % values
    if criterion == BY_PLACE:
        return _("place %(one)s and place %(other)s.") % values
    if criterion == BY_PLAY_OFF:
        return (
            _("they were level, and the play-off decided: place %(one)s and place %(other)s of it.")
            % values
        )
    values["tie_break"] = _title(criterion)
    return _("the same points, and %(tie_break)s %(one)s to %(other)s.") % values


def _title(criterion: str) -> str:
    return _(TIE_BREAKS[criterion].title) if criterion in TIE_BREAKS else criterion


def _fill_in_names(entries: Sequence[str], names: Mapping[str, str], why: Promise) -> str:
    return str(why) % {"names": ", ".join(names.get(entry, entry) for entry in entries)}
