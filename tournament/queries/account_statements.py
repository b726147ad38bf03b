"""Lines of chip accounts in words: what each was for, its hand, its rule and its entry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import Http404
from django.template.loader import render_to_string

from ledger.accounts import Line
from scoring.chips import EARLIER, LATER
from scoring.games import GAMES
from tournament.models import Game
from tournament.queries.accounts import account_title, seats_of
from tournament.queries.game_templates import build_chips_context, words_of_chips
from tournament.queries.history_lines import at_time
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience
from tournament.streams.acts import Moment, every_act, moments_of
from tournament.streams.entries import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class LineInWords:
    """One line of a statement in words; `version` leads to it in its game's history, `other` is the
    game whose pot it was.
    """

    line: Line
    game: Game
    at: datetime
    what: str
    hand: int
    rule: str
    account: str
    counterpart: str
    other: Game | None

    @property
    def version(self) -> int:
        """Its step in the game."""
        return self.line.version


def title_of(row: Game, account: str, audience: Audience) -> str:
    """An account of a game as the books call it. Raises Http404 for one that the game can't
    have.
    """
    game, seats = GAMES[row.kind], seats_of(row)
    names = names_of(row.salon, [*seats.values(), account.partition(":")[2]], audience)
    try:
        return account_title(game, account, names, seats)
    except KeyError:
        raise Http404 from None


def lines_in_words(log: int, lines: Sequence[Line], audience: Audience) -> list[LineInWords]:
    """These lines in words, in their order."""
    rows = Game.objects.select_related("salon").in_bulk({line.stream for line in lines})
    moments = {stream: _by_version(moments_of(log, stream)) for stream in rows}
    people = [player for row in rows.values() for player in seats_of(row).values()]
    keys = [key for line in lines for key in (line.account, line.counterpart)]
    salon = next(iter(rows.values())).salon if rows else None
    names = (
        names_of(salon, [*people, *(key.partition(":")[2] for key in keys)], audience)
        if salon
        else {}
    )
    return [_describe_line(line, rows[line.stream], moments[line.stream], names) for line in lines]


# By stream version: chips that moved, and the act they moved with.
type Moves = Mapping[int, tuple[Moment, Entry]]


def _by_version(moments: Sequence[Moment]) -> Moves:
    return {
        entry.stored.version: (moment, entry)
        for moment in every_act(moments)
        for entry in moment.chips
    }


def _describe_line(line: Line, row: Game, moves: Moves, names: Mapping[str, str]) -> LineInWords:
    moment, entry = moves[line.version]
    seats, back = seats_of(row), entry.fact.reverses
    # What is taken back is called what it was.
    act, move = moves[back] if back is not None else (moment, entry)
    told = build_chips_context(act, move.fact, back=back is not None)
    pot = getattr(act.entry.fact, "opening_pot", None) or act.entry.fact
    is_between = {line.account, line.counterpart} & {EARLIER, LATER}
    return LineInWords(
        line=line,
        game=row,
        at=at_time(line.occurred_at),
        what=" ".join(render_to_string(words_of_chips(row.kind, move.fact.why), told).split()),
        hand=act.hand,
        rule=entry.fact.rule,
        account=account_title(entry.game, line.account, names, seats),
        counterpart=account_title(entry.game, line.counterpart, names, seats),
        other=Game.objects.filter(salon=row.salon, record=pot.game).first()
        if is_between and hasattr(pot, "game")
        else None,
    )
