"""Bounds of what a result counts, by the hands, deals and games behind a table.

A file's results and those typed at the desk are checked alike.
"""

from collections.abc import Iterator
from typing import NamedTuple

from scoring.errors import Sentence, sentence
from scoring.game import AnyGame
from scoring.games import GAMES
from tournament.domain.standings.values import BUILT, HUNDREDTHS, SeatedTable

COUNTED = ("tricks", "audits", "excess", "built")
AUDITS, EXCESS, TRICKS, CHIPS, SCORE = "audits", "excess", "tricks", "chips", "score"
# What people call it.
NOUNS = {"built": "cards built", "excess": "Excess", "chips": "chips"}
LIMITS = {field: limit for game in GAMES.values() for field, limit in game.limits.items()}


class Wrong(NamedTuple):
    """An error in a result: its code and rule, the entry (its place, None: the table)
    and the field.
    """

    code: str
    message: Sentence
    rule: str = ""
    place: int | None = None
    field: str = ""


def wrong_counts(game: str, table: SeatedTable) -> Iterator[Wrong]:
    """Everything that the game of a table can't have counted there; "" is whichever game."""
    chosen = GAMES.get(game)
    yield from _wrong_hands(table)
    if chosen is not None:
        yield from _not_counted(chosen, table)
        yield from _wrong_tricks(chosen, table)
    yield from _too_many(chosen, table)
    if chosen is not None and EXCESS in chosen.limits:
        yield from _wrong_excess(chosen, table)
    if chosen is not None:
        yield from _wrong_scores(chosen, table)


def most_hands(table: SeatedTable) -> int | None:
    """The most hands that a table can have played: as said, else one a deal; None: nobody knows."""
    played = sum(bool(board.scores) for board in table.boards)
    return table.hands or played or len(table.deals) or None


def is_counted_by_chips(game: AnyGame) -> bool:
    """Whether the score of a game is the chips that were won and lost."""
    return not game.teams and BUILT not in game.limits


def counts_field(game: AnyGame, field: str) -> bool:
    """Whether results of a game can hold this."""
    if field == TRICKS:
        return any(game.tricks(len(seats)) is not None for seats in game.seatings)
    if field == CHIPS:
        return BUILT not in game.limits
    return field in game.limits or field not in COUNTED


def _wrong_hands(table: SeatedTable) -> Iterator[Wrong]:
    """One hand is played of each deal."""
    if table.hands is None or not table.deals:
        return
    played = sum(bool(board.scores) for board in table.boards)
    if table.hands > len(table.deals):
        message = sentence(
            "%(hands)s hands can't have been played: the table has %(deals)s deals, and each is "
            "one hand",
            hands=table.hands,
            deals=len(table.deals),
        )
        yield Wrong("bad_total", message, field="hands")
    elif table.hands < played:
        message = sentence(
            "%(played)s deals have a score, so %(played)s hands were played, not %(hands)s",
            played=played,
            hands=table.hands,
        )
        yield Wrong("bad_total", message, field="hands")


def _not_counted(game: AnyGame, table: SeatedTable) -> Iterator[Wrong]:
    for place, result in enumerate(table.results):
        for field in (*COUNTED, CHIPS):
            if getattr(result, field) and not counts_field(game, field):
                message = sentence(
                    "%(game)s counts no %(field)s; leave the %(given)s of entry %(entry)s out",
                    game=game.title,
                    field=NOUNS.get(field, field),
                    given=getattr(result, field),
                    entry=table.entries[place],
                )
                yield Wrong("bad_total", message, place=place, field=field)


def _wrong_tricks(game: AnyGame, table: SeatedTable) -> Iterator[Wrong]:
    """All tricks of all hands, where everybody's are given; nobody has more than there are. A hand
    that players for themselves threw in has none.
    """
    results = table.results[:2] if table.partners else table.results
    a_hand = game.tricks(len(results))
    given = [result.tricks for result in results if result.tricks is not None]
    if a_hand is None or not given:
        return
    hands = most_hands(table) or 1
    there, complete = a_hand * hands, len(given) == len(results)
    is_exact = bool(game.teams) and (table.hands is not None or not table.deals)
    if max(given) <= there and not (
        complete
        and (sum(given) > there or sum(given) % a_hand or (is_exact and sum(given) != there))
    ):
        return
    message = sentence(
        "%(numbers)s tricks are %(sum)s; %(hands)s hands have %(all)s; if more or fewer were "
        "played, enter how many",
        numbers=" + ".join(map(str, given)),
        sum=sum(given),
        hands=hands,
        all=there,
    )
    if hands == 1:
        message = sentence(
            "%(numbers)s tricks are %(sum)s; one hand has %(all)s; if more were played, enter how "
            "many",
            numbers=" + ".join(map(str, given)),
            sum=sum(given),
            all=there,
        )
    yield Wrong("bad_total", message, field=TRICKS)


def _too_many(game: AnyGame | None, table: SeatedTable) -> Iterator[Wrong]:
    """Nobody has more of a thing than the game brings in so many hands; where nobody said how many,
    in many.
    """
    limits = LIMITS if game is None else game.limits
    hands = most_hands(table)
    for place, result in enumerate(table.results):
        for field, limit in limits.items():
            most = limit.most(hands)
            if (getattr(result, field) or 0) > most:
                yield Wrong(
                    "bad_total",
                    _too_many_words(table, place, field, most, hands or limit.unsaid),
                    rule=limit.rule,
                    place=place,
                    field=field,
                )


def _too_many_words(table: SeatedTable, place: int, field: str, most: int, hands: int) -> Sentence:
    entry, given = table.entries[place], getattr(table.results[place], field)
    noun = NOUNS.get(field, field)
    if table.deals:
        return sentence(
            "entry %(entry)s can't have %(given)s %(field)s; %(hands)s deals bring %(most)s at "
            "most",
            entry=entry,
            given=given,
            field=noun,
            most=most,
            hands=hands,
        )
    if hands == 1:
        return sentence(
            "entry %(entry)s can't have %(given)s %(field)s; one hand brings %(most)s at most; "
            "if more were played, enter how many",
            entry=entry,
            given=given,
            field=noun,
            most=most,
        )
    return sentence(
        "entry %(entry)s can't have %(given)s %(field)s; %(hands)s hands bring %(most)s at most; "
        "if more were played, enter how many",
        entry=entry,
        given=given,
        field=noun,
        most=most,
        hands=hands,
    )


def _wrong_excess(game: AnyGame, table: SeatedTable) -> Iterator[Wrong]:
    """Excess is tricks that were taken: no side has more than its tricks, and all sides together no
    more than there are in the hands; an audit needs as many as bring one (P18, P19).

    A result may hold the Excess that is left after the audits, as pads have it, or all of it.
    """
    sides = table.results[:2] if table.partners else table.results
    excess, audits = game.limits[EXCESS], game.limits[AUDITS]
    gathered = []
    for place, result in enumerate(sides):
        needed = _least_excess(result.excess or 0, result.audits or 0, audits.one_in)
        gathered.append(needed)
        if result.tricks is not None and needed > result.tricks:
            message = sentence(
                "entry %(entry)s can't have %(needed)s tricks above its contracts, as its Excess "
                "and audits need, of %(tricks)s tricks",
                entry=table.entries[place],
                needed=needed,
                tricks=result.tricks,
            )
            yield Wrong("bad_total", message, rule=excess.rule, place=place, field=EXCESS)
    hands = most_hands(table)
    if sum(gathered) > excess.most(hands):
        message = sentence(
            "the Excess and audits of the table need %(needed)s tricks above the contracts; "
            "%(hands)s hands have %(most)s tricks",
            needed=sum(gathered),
            hands=hands or excess.unsaid,
            most=excess.most(hands),
        )
        yield Wrong("bad_total", message, rule=excess.rule, place=len(gathered) - 1, field=EXCESS)


def _least_excess(excess: int, audits: int, audit_at: int) -> int:
    """The fewest tricks above the contracts that bring so much Excess and so many audits."""
    is_left_over = excess < audit_at
    return audits * audit_at + excess if is_left_over else max(excess, audits * audit_at)


def _wrong_scores(game: AnyGame, table: SeatedTable) -> Iterator[Wrong]:
    """A score that is nothing but chips, or cards built, is as many of them."""
    counts: str = BUILT if BUILT in game.limits else CHIPS if is_counted_by_chips(game) else ""
    if not counts:
        return
    for place, result in enumerate(table.results):
        if result.score is None:
            continue
        given = getattr(result, counts)
        if given is not None and result.score != HUNDREDTHS * given:
            message = sentence(
                "entry %(entry)s has %(given)s %(field)s, and so a score of %(given)s, not "
                "%(score)s",
                entry=table.entries[place],
                given=given,
                field=NOUNS[counts],
                score=f"{result.score / HUNDREDTHS:g}",
            )
            yield Wrong("bad_total", message, place=place, field=SCORE)
    if counts == BUILT:
        yield from _wrong_built_scores(game, table)


def _wrong_built_scores(game: AnyGame, table: SeatedTable) -> Iterator[Wrong]:
    limit = game.limits[BUILT]
    most = limit.most(most_hands(table))
    for place, result in enumerate(table.results):
        score = result.score
        if score is not None and (score % HUNDREDTHS or not 0 <= score <= HUNDREDTHS * most):
            message = sentence(
                "entry %(entry)s can't have a score of %(score)s; it is the cards built, 0 to "
                "%(most)s of them",
                entry=table.entries[place],
                score=f"{score / HUNDREDTHS:g}",
                most=most,
            )
            yield Wrong("bad_total", message, rule=limit.rule, place=place, field=SCORE)
