"""A tournament of several stages (tournaments.md): each stage as a tournament of its own, the cut
between two of them, and the standings of the whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from scoring.errors import RuleViolation
from tournament.domain.brackets.seeding import cross_qualifiers
from tournament.domain.standings import cutting
from tournament.domain.standings.deal_points import Played, counts_deals, travellers
from tournament.domain.standings.exact import Exact
from tournament.domain.standings.lots import lot
from tournament.domain.standings.ranking import Standing, Standings, exact_points, standings
from tournament.domain.standings.results_by_round import Course, courses, round_terms_of
from tournament.domain.standings.values import Adjustment, Cut, Entry, Stage, Takes, Tournament

LOT_BITS_LEFT_OUT = 11  # a seed of 53 bits is a whole number in every JSON


def current_stage(tournament: Tournament) -> int:
    """The number of the stage that is played: the last that has begun."""
    return max(
        (1, *(each.stage for each in tournament.rounds), *(cut.stage for cut in tournament.cuts))
    )


def rounds_before(tournament: Tournament, number: int) -> int:
    """Return the number of rounds of the stages before stage `number`."""
    return sum(each.stage < number for each in tournament.rounds)


def of_stage(tournament: Tournament, number: int) -> Tournament:
    """The tournament as its stage `number` sees it: its own rounds alone, numbered from 1, and
    those who take part in it, in the order of their seeds.

    Raises RuleViolation `bad_cut` for a cut that can't be made.
    """
    if not tournament.stages:
        return tournament
    before = rounds_before(tournament, number)
    rounds = tuple(replace(each, stage=1) for each in tournament.rounds if each.stage == number)
    last = before + len(rounds) if number < current_stage(tournament) else None
    entries = _entries_of(tournament, number)
    there = {entry.id for entry in entries}
    return replace(
        tournament,
        stage=replace(tournament.stages[number - 1], takes=None, also=()),
        seed=seed_of(tournament.seed, number),
        entries=tuple(
            replace(
                _renumber_rounds(entry, before, last),
                left_out=(1,) if number in entry.left_out else (),
            )
            for entry in entries
        ),
        rounds=rounds,
        adjustments=tuple(
            replace(each, after_round=max(0, each.after_round - before))
            for each in tournament.adjustments
            if each.entry in there and _is_within(each, before, last)
        ),
        stages=(),
        cuts=(),
        play_offs=(),
    )


def seed_of(seed: int, number: int) -> int:
    """Return the seed of the lots of a stage; that of the first is the tournament's."""
    return seed if number == 1 else lot(seed, "stage", number) >> LOT_BITS_LEFT_OUT


def cut_of(
    tournament: Tournament, number: int, *, tops: Sequence[int] | None = None
) -> cutting.CutMade:
    """The cut to stage `number` by the standings of the stages before it as they are now, of so
    many of each source in `tops` or as many as the stage takes.

    The seeds are in the order of the sources, within one in the order of its standings; of two
    directions that were ranked apart so that those of one meet as late as they can. Whoever
    qualifies twice is in by the first source, and the next of the later one moves up.

    Raises RuleViolation `bad_cut` where fewer can go on than it takes, `play_off_missing` where
    those who are level at an edge have still to play it off.
    """
    tournament = _with_tops(tournament, number, tops)
    parts: list[cutting.CutMade] = []
    sources = _sources(tournament, number)
    if sum(takes.top for takes in sources) < 2:
        raise too_few(number, sources[-1], 1)
    for place, takes in enumerate(sources):
        ranked = _rank_for_cut(tournament, number, takes.from_stage)
        already = {entry for part in parts for entry in part.entries}
        order = cutting.settle_order(ranked, takes, already)
        if len(order.able) < takes.top:
            at = place if len(sources) > 1 else None
            raise too_large(number, takes, len(order.able) + takes.first - 1, at)
        if order.missing:
            raise not_played_off(number, order.missing[0])
        part = cutting.make_cut(ranked, takes, already)
        parts.append(replace(part, entries=_cross_sides(part.entries, ranked)))
    if len(parts) == 1:
        return parts[0]
    entries = tuple(entry for part in parts for entry in part.entries)
    return cutting.CutMade(entries=entries, made=parts[-1].made, parts=tuple(parts))


def play_offs_at(tournament: Tournament, number: int) -> tuple[cutting.LevelAt, ...]:
    """The play-offs that the cut to stage `number` takes by the standings as they are now, those
    with their result among them. Raises RuleViolation `bad_cut`.
    """
    found: dict[cutting.LevelAt, None] = {}
    already: set[str] = set()
    for takes in _sources(tournament, number):
        order = cutting.settle_order(
            _rank_for_cut(tournament, number, takes.from_stage), takes, already
        )
        found |= dict.fromkeys(order.asked)
        already |= {row.entry for row in order.able[: takes.top]}
    return tuple(found)


def standing_above(tournament: Tournament, number: int) -> tuple[str, ...]:
    """Return the entries above all that play in a stage: their places are above the
    first that it takes, and they wait for a later stage.
    """
    if _is_on_top(tournament, number):
        return ()
    found: tuple[str, ...] | None = None
    already: set[str] = set()
    for takes in _sources(tournament, number):
        ranked = _rank_for_cut(tournament, number, takes.from_stage)
        order = cutting.settle_order(ranked, takes, already)
        already |= {row.entry for row in order.able[: takes.top]}
        above = (
            *standing_above(tournament, takes.from_stage),
            *(row.entry for row in order.before),
        )
        found = above if found is None or len(above) < len(found) else found
    there = set(field_of_stage(tournament, number))
    return tuple(entry for entry in found or () if entry not in there)


def _is_on_top(tournament: Tournament, number: int) -> bool:
    """Whether the first place of the first stage is for those who play in this stage."""
    return number == 1 or any(
        takes.first == 1 and _is_on_top(tournament, takes.from_stage)
        for takes in _sources(tournament, number)
    )


def _cross_sides(chosen: Sequence[str], ranked: cutting.StageRanking) -> tuple[str, ...]:
    """Those who go on in the order of their seeds; where two directions were ranked apart, so that
    those of one direction meet as late as they can (F7).
    """
    side = {row.entry: row.side for row in ranked.rows}
    if not any(side[entry] for entry in chosen):
        return tuple(chosen)
    sides = sorted({side[entry] for entry in chosen})
    return cross_qualifiers([[entry for entry in chosen if side[entry] == each] for each in sides])


def with_cuts(tournament: Tournament) -> Tournament:
    """The tournament with the cuts of all stages that have begun written down, and as many taken as
    went on.
    """
    if not tournament.stages:
        return tournament
    begun = range(2, current_stage(tournament) + 1)
    cuts = tuple(Cut(stage=each, entries=field_of_stage(tournament, each)) for each in begun)
    settled_cuts = replace(tournament, cuts=cuts)
    stages = list(tournament.stages)
    for number in begun:
        at = number - 1
        stages[at] = as_taken(stages[at], cut_before(settled_cuts, number))
    return replace(settled_cuts, stages=tuple(stages), stage=stages[current_stage(tournament) - 1])


def as_taken(stage: Stage, cut: cutting.CutMade) -> Stage:
    """A stage that takes as many of each source as went on by a cut; of several sources as before
    where nobody knows how many each gave.
    """
    sources = stage.sources or (Takes(),)
    if len(sources) == 1:
        return replace(stage, takes=replace(sources[0], top=len(cut.entries)))
    if len(sources) != len(cut.parts):
        return stage
    first, *also = (
        replace(takes, top=len(part.entries))
        for takes, part in zip(sources, cut.parts, strict=True)
    )
    return replace(stage, takes=first, also=tuple(also))


def cut_before(tournament: Tournament, number: int) -> cutting.CutMade:
    """The cut to a stage that has begun, as it was made where that is recorded; what decided it is
    told by the standings as they are now.
    """
    recorded = next((cut for cut in tournament.cuts if cut.stage == number), None)
    if recorded is None:
        return cut_of(tournament, number)
    unknown = cutting.CutMade(entries=recorded.entries, made=recorded.entries[-1])
    try:
        now = cut_of(tournament, number, tops=tops_of(tournament, number, len(recorded.entries)))
    except RuleViolation:  # so many could not go on today
        return unknown
    return now if now.entries == recorded.entries else unknown


def tops_of(tournament: Tournament, number: int, size: int) -> tuple[int, ...]:
    """Return the number that each source gives if `size` qualify: as many as the stage
    takes, the last source more or fewer.
    """
    *others, _last = (takes.top for takes in _sources(tournament, number))
    return (*others, size - sum(others))


def too_few(number: int, takes: Takes, there: int) -> RuleViolation:
    """That less than two would go on to a stage."""
    return _bad_cut(
        f"stages[{number - 1}].takes.top",
        "stage %(number)s needs two entries or more, and %(there)s can go on",
        number=number,
        there=there,
    )


def too_large(number: int, takes: Takes, there: int, place: int | None = None) -> RuleViolation:
    """That a stage takes more entries than the `there` of the stage that they come from, or less
    than two, and what would work; `place` is the source's, where there are several.
    """
    at = "" if place is None else f"[{place}]"
    path = f"stages[{number - 1}].takes{at}"
    if takes.first > 1:
        return _bad_cut(
            f"{path}.places",
            "stage %(number)s can't take places %(first)s to %(last)s of stage %(source)s: there "
            "are %(there)s; take places up to %(there)s",
            number=number,
            first=takes.first,
            last=takes.last,
            there=there,
            source=takes.from_stage,
        )
    if place is None:
        if takes.top < 2 or there < 2:
            return too_few(number, takes, there)
        return _bad_cut(
            f"{path}.top",
            "stage %(number)s can't take %(top)s entries: %(there)s can go on; take 2 to %(there)s",
            number=number,
            top=takes.top,
            there=there,
        )
    return _bad_cut(
        f"{path}.top",
        "stage %(number)s can't take %(top)s entries of stage %(source)s: %(there)s can go on from "
        "there; take up to %(there)s",
        number=number,
        top=takes.top,
        there=there,
        source=takes.from_stage,
    )


def not_played_off(number: int, level: cutting.LevelAt) -> RuleViolation:
    """That those who are level at an edge have still to play it off before a stage begins."""
    return RuleViolation(
        "play_off_missing",
        "before stage %(number)s begins, %(entries)s play off for %(places)s of the places from "
        "place %(first)s of stage %(source)s on: they are level there; record how they came out",
        rule="F7",
        path="play_offs",
        number=number,
        entries=", ".join(level.entries),
        places=level.places,
        first=level.first,
        source=level.stage,
    )


def check_cuts(tournament: Tournament) -> None:
    """Raise RuleViolation `bad_cut` where a later stage takes more than the field before it has."""
    made = {cut.stage: len(cut.entries) for cut in tournament.cuts}
    check_sources(tournament.stages, len(tournament.entries), made)


def check_sources(stages: Sequence[Stage], entries: int, made: Mapping[int, int]) -> None:
    """Raise RuleViolation `bad_cut` where a stage takes more than there are in the stages that its
    entries come from; `made` are the sizes of those whose cuts are made, and stay.
    """
    there = {1: entries}
    for number, stage in enumerate(stages[1:], start=2):
        left = entries
        for place, takes in enumerate(stage.sources):
            at = place if stage.also else None
            most = min(there[takes.from_stage], left + takes.first - 1)
            if takes.last > most and number not in made:
                raise too_large(number, takes, most, at)
            left -= takes.top
        there[number] = made.get(number, sum(takes.top for takes in stage.sources))


def whole_standings(tournament: Tournament, *, after_round: int | None = None) -> Standings:
    """Return the standings of all stages together, after a round of the whole, the last
    by default.

    An entry that played in the last stage that has a result is above all that missed
    its cut, and so on; but below those whose places are above all that it takes. Each
    row counts the points, tie-breaks and games of the stage it comes from.
    """
    if not tournament.stages:
        return standings(tournament, after_round=after_round)
    seen = replace(
        tournament, rounds=tournament.rounds[:after_round], cuts=_cuts_at(tournament, after_round)
    )
    found = [(number, stage_standings(seen, number)) for number in stages_begun(seen)]
    counted = [(number, table) for number, table in found if number == 1 or table.after_round]
    last, table = counted[-1]
    return Standings(
        after_round=rounds_before(seen, last) + table.after_round,
        rows=_together(seen, [(number, table.rows) for number, table in counted]),
        missing=tuple(
            (rounds_before(seen, number) + round_number, at)
            for number, table in counted
            for round_number, at in table.missing
        ),
    )


def whole_points(tournament: Tournament) -> dict[str, Exact | None]:
    """The points that the rows of `whole_standings` have rounded, as they are ranked."""
    if not tournament.stages:
        return exact_points(tournament)
    found: dict[str, Exact | None] = {}
    for number in stages_begun(tournament):
        stage = of_stage(tournament, number)
        if number == 1 or standings(stage).after_round:
            found |= exact_points(stage)
    return found


def stages_begun(tournament: Tournament) -> range:
    """The numbers of the stages that have begun."""
    return range(1, current_stage(tournament) + 1)


def stage_standings(tournament: Tournament, number: int) -> Standings:
    """Return the standings of one stage; its rounds are numbered from 1."""
    return standings(of_stage(tournament, number))


def _cuts_at(tournament: Tournament, after_round: int | None) -> tuple[Cut, ...]:
    """The cuts whose stages have begun by the end of a round."""
    if after_round is None:
        return tournament.cuts
    begun = {each.stage for each in tournament.rounds[:after_round]}
    return tuple(cut for cut in tournament.cuts if cut.stage in begun)


def _together(
    seen: Tournament, tables: Sequence[tuple[int, Sequence[Standing]]]
) -> tuple[Standing, ...]:
    """The rows of all stages, each entry once, ranked on: those of a later stage before the others,
    below those who stand above it.
    """
    rows: list[tuple[int, Standing]] = []
    for number, table in tables:
        there, above = {row.entry for row in table}, set(standing_above(seen, number))
        before = [each for each in rows if each[1].entry not in there]
        rows = [
            *(each for each in before if each[1].entry in above),
            *((number, row) for row in table),
            *(each for each in before if each[1].entry not in above),
        ]
    ranked: list[Standing] = []
    for _stage_and_rank, group in groupby(rows, key=lambda each: (each[0], each[1].rank)):
        rank = len(ranked) + 1
        ranked += [replace(row, rank=rank) for _number, row in group]
    return tuple(ranked)


def _entries_of(tournament: Tournament, number: int) -> tuple[Entry, ...]:
    if number == 1:
        return tournament.entries
    known = {entry.id: entry for entry in tournament.entries}
    return tuple(known[entry] for entry in field_of_stage(tournament, number))


def field_of_stage(tournament: Tournament, number: int) -> tuple[str, ...]:
    """Return the entries of a stage: those that qualified when the cut was made, or
    would by the standings.
    """
    if number == 1:
        return tuple(entry.id for entry in tournament.entries)
    recorded = next((cut.entries for cut in tournament.cuts if cut.stage == number), None)
    return cut_of(tournament, number).entries if recorded is None else recorded


def _renumber_rounds(entry: Entry, before: int, last: int | None) -> Entry:
    """An entry with its rounds counted from the first of a stage; who left when the stage was over
    played all of it.
    """
    left = entry.withdrawn_after
    stays = left is None or (last is not None and left >= last)
    players, earlier = entry.players, entry.earlier
    if last is not None:
        players = entry.members_in(max(last, 1))
        earlier = tuple(each for each in earlier if each[0] < last)
    earlier = tuple((until - before, those) for until, those in earlier if until > before)
    theirs = (players, *dict(earlier).values())
    return replace(
        entry,
        players=players,
        earlier=earlier,
        entered=entry.entered if entry.entered in theirs else (),
        joined_in=max(1, entry.joined_in - before),
        withdrawn_after=None if left is None or stays else max(0, left - before),
        away=tuple(
            each - before for each in entry.away if each > before and (last is None or each <= last)
        ),
        line_ups=tuple(
            (each - before, those)
            for each, those in entry.line_ups
            if each > before and (last is None or each <= last)
        ),
    )


def _is_within(adjustment: Adjustment, before: int, last: int | None) -> bool:
    """Whether points were given or taken in a stage: after one of its rounds, in the first after
    none too.
    """
    begun = adjustment.after_round > before or before == 0
    return begun and (last is None or adjustment.after_round <= last)


def _sources(tournament: Tournament, number: int) -> tuple[Takes, ...]:
    stage = tournament.stages[number - 1] if 1 < number <= len(tournament.stages) else None
    if stage is None or not stage.sources:
        raise _bad_cut(
            "stages",
            "there is no stage %(number)s after a cut; there are %(stages)s stages",
            number=number,
            stages=len(tournament.stages) or 1,
        )
    return stage.sources


def _with_tops(tournament: Tournament, number: int, tops: Sequence[int] | None) -> Tournament:
    """The tournament with so many taken of each source of a stage. Raises RuleViolation `bad_cut`
    for as many numbers as there are no sources.
    """
    sources = _sources(tournament, number)
    if tops is None:
        return tournament
    if len(tops) != len(sources):
        raise _bad_cut(
            "tops",
            "stage %(number)s takes entries from %(sources)s sources; say how many of each",
            number=number,
            sources=len(sources),
        )
    for place, top in enumerate(tops):
        if top < 1:
            at = place if len(sources) > 1 else None
            raise too_large(number, replace(sources[place], top=top), 1, at)
    first, *also = (replace(takes, top=top) for takes, top in zip(sources, tops, strict=True))
    stages = list(tournament.stages)
    stages[number - 1] = replace(stages[number - 1], takes=first, also=tuple(also))
    return replace(tournament, stages=tuple(stages))


def _before_cut(tournament: Tournament, number: int) -> Tournament:
    """The tournament without stage `number` and all after it."""
    return replace(
        tournament,
        rounds=tuple(each for each in tournament.rounds if each.stage < number),
        cuts=tuple(cut for cut in tournament.cuts if cut.stage < number),
    )


def _find_withdrawn_before(tournament: Tournament, number: int) -> set[str]:
    """Return the entries that had withdrawn before a stage began."""
    before = rounds_before(tournament, number)
    return {
        entry.id
        for entry in tournament.entries
        if entry.withdrawn_after is not None and entry.withdrawn_after <= before
    }


def _rank_for_cut(tournament: Tournament, number: int, source: int) -> cutting.StageRanking:
    """The standings of stage `source` as the cut to stage `number` sees them."""
    before = _before_cut(tournament, number)
    stage = of_stage(before, source)
    rows = standings(stage).rows
    lots = {row.entry: lot(tournament.seed, "cut", source + 1, row.entry) for row in rows}
    ordered = sorted(rows, key=lambda row: (row.rank, lots[row.entry]))

    def parted_by(one: str, other: str) -> cutting.Criterion:
        return _find_deciding_tie_break(stage, one, other)

    return cutting.StageRanking(
        stage=source,
        rows=cutting.by_turns(ordered) if any(row.side for row in rows) else tuple(ordered),
        is_knockout=stage.stage.kind == "knockout",
        gone=_find_withdrawn_before(tournament, number),
        edges=cutting.edges_of(
            takes
            for each in tournament.stages
            for takes in each.sources
            if takes.from_stage == source
        ),
        lots=lots,
        parted_by=parted_by,
        points=exact_points(stage),
        play_offs=tuple(each.order for each in tournament.play_offs if each.stage == source),
    )


def _find_deciding_tie_break(
    stage: Tournament, one: str, other: str
) -> tuple[str, tuple[int, ...]]:
    """The first tie-break of a stage by which two of the same points have different ranks, and
    what both have there.
    """
    names = stage.stage.tie_breaks
    for count in range(1, len(names) + 1):
        fewer = replace(stage, stage=replace(stage.stage, tie_breaks=names[:count]))
        rows = {row.entry: row for row in standings(fewer).rows}
        if rows[one].rank != rows[other].rank:
            break
    name = names[count - 1]
    return name, (dict(rows[one].tie_breaks)[name], dict(rows[other].tie_breaks)[name])


def courses_of_stages(tournament: Tournament) -> dict[str, Course]:
    """Return the results of every entry round by round, by the scale of its stage;
    rounds numbered through all stages.
    """
    if not tournament.stages:
        return courses(tournament)
    found: dict[str, Course] = {entry.id: () for entry in tournament.entries}
    for number in stages_begun(tournament):
        before = rounds_before(tournament, number)
        for entry, course in courses(of_stage(tournament, number)).items():
            found[entry] = (
                *found[entry],
                *(replace(line, round=line.round + before) for line in course),
            )
    return found


def terms_of_rounds(tournament: Tournament) -> dict[str, dict[int, Exact]]:
    """The share of every round in the points of every entry in the stage it is of; rounds numbered
    through all stages.
    """
    found: dict[str, dict[int, Exact]] = {entry.id: {} for entry in tournament.entries}
    for number in stages_begun(tournament):
        before, part = rounds_before(tournament, number), of_stage(tournament, number)
        for entry, course in courses(part).items():
            terms = round_terms_of(part.stage.scale, course)
            found[entry] |= {
                line.round + before: term for line, term in zip(course, terms, strict=True)
            }
    return found


def deals_compared(tournament: Tournament) -> dict[int, list[Played]]:
    """The deals of the stage that compares them, by number, with the rounds of the whole; {} where
    none does.
    """
    for number in stages_begun(tournament):
        part = of_stage(tournament, number)
        if counts_deals(part.stage):
            before = rounds_before(tournament, number)
            return {
                deal: [replace(line, round=line.round + before) for line in lines]
                for deal, lines in travellers(part).items()
            }
    return {}


def stage_that_counts(tournament: Tournament, entry: str, *, last: int) -> tuple[Tournament, int]:
    """The stage that an entry's row of the standings after round `last` comes from, as a tournament
    of its own, and how many rounds come before it.
    """
    seen = replace(tournament, rounds=tournament.rounds[:last], cuts=_cuts_at(tournament, last))
    for number in reversed(stages_begun(seen)):
        played = number == 1 or stage_standings(seen, number).after_round
        if played and entry in field_of_stage(seen, number):
            return of_stage(seen, number), rounds_before(seen, number)
    return replace(seen, rounds=()), 0


def tie_breaks_of(tournament: Tournament) -> tuple[str, ...]:
    """The tie-breaks of all stages that have begun, those of the last stage first."""
    if not tournament.stages:
        return tournament.stage.tie_breaks
    begun = reversed(stages_begun(tournament))
    names = (name for number in begun for name in tournament.stages[number - 1].tie_breaks)
    return tuple(dict.fromkeys(names))


def _bad_cut(path: str, message: str, **values: object) -> RuleViolation:
    return RuleViolation("bad_cut", message, rule="F7", path=path, **values)
