"""The form that starts a game, as somebody filled it in: read, checked, and laid out for its
template.

A field's name is the path at which a refusal names it (`players.N`, `options.ante`), so each error
finds its field.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.errors import Refusal
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.left_pots import PATH
from scoring.options import Choice, Option
from tournament.pages.common.form_values import Problem, problem_of, read_command_id
from tournament.queries.game_templates import team_mark
from tournament.queries.number_format import number
from tournament.salons.preferences import as_text, option_value

DRAWN = "drawn"
WHOLE = re.compile(r"[0-9]{1,9}")
TENS = 50  # an option this big changes by ten at a tap


@dataclass(frozen=True, slots=True, kw_only=True)
class StartForm:
    """The typed form: the game, the table and players, the first dealer, and every option
    as text.

    `stock` is the duplicate stock that the first deal has, `opening_pot` the one that
    an earlier game left for it, "" for none.
    """

    command: str
    game: AnyGame
    table: str
    players: Mapping[str, str]
    dealer: str
    options: Mapping[str, str]
    note: str
    stock: str
    opening_pot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatField:
    """The field of one seat, as the game calls it, with its team's mark ("" where everybody plays
    alone).

    `needed` when somebody has to sit there; `elsewhere` are the tables at which the player sits
    now.
    """

    seat: str
    title: str
    team: str
    needed: bool
    name: str
    player: str
    elsewhere: Sequence[str]
    problem: Problem | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """The control of one option: `choices` are (text, label) pairs, empty for a number; `by` what a
    tap changes.
    """

    option: Option
    name: str
    value: str
    choices: tuple[tuple[str, str], ...]
    by: int
    changed: bool
    problem: Problem | None


def read_form(sent: QueryDict, *, table: str) -> StartForm:
    """The form as sent, or a fresh one with every default; `table` stands where nothing is
    written.
    """
    game = GAMES.get(sent.get("game", ""), next(iter(GAMES.values())))
    return StartForm(
        command=read_command_id(sent),
        game=game,
        table=" ".join(sent.get("table", table).split()),
        players={
            seat: " ".join(sent.get(f"players.{seat}", "").split()) for seat in game.seat_names
        },
        dealer=sent.get("dealer", DRAWN),
        options={
            option.name: sent.get(f"options.{option.name}", as_text(option.default))
            for option in game.options
        },
        note=sent.get("note", "").strip(),
        stock=sent.get("stock", "") if game.duplicates is not None else "",
        opening_pot=sent.get("opening_pot", "") if game.opening_pot is not None else "",
    )


def problems(written: StartForm) -> dict[str, Problem]:
    """Return the errors that need no rules to find, by field; empty if there are none."""
    found = {
        f"players.{seat}": problem
        for seat in written.players
        if (problem := _seat_problem(written, seat))
    }
    found |= {
        f"options.{option.name}": problem
        for option in written.game.options
        if (problem := _option_problem(written, option))
    }
    if not written.table:
        found["table"] = Problem(message=_("At which table is it played? Choose one."))
    dealers = {DRAWN, *list_seated_players(written), *_find_needed_seats(written)}
    if written.game.has_dealer and written.dealer not in dealers:
        words = _("Who deals first? Choose a seat, or let the dealer be drawn.")
        found["dealer"] = Problem(message=words)
    return found


def read_options(written: StartForm) -> dict[str, Choice]:
    """Return the options as values, only those that differ from their defaults. The form
    must have no problems.
    """
    values = [
        (option, option_value(option, written.options[option.name]))
        for option in written.game.options
    ]
    return {option.name: value for option, value in values if value != option.default}


def refusal_problems(refusal: Refusal) -> dict[str, Problem]:
    """A refusal at the field its path names."""
    # One field says both which game and how many chips.
    path = PATH if refusal.path.startswith(PATH) else refusal.path
    return {path: problem_of(refusal)}


def seat_fields(
    written: StartForm, found: Mapping[str, Problem], playing: Mapping[str, Sequence[str]]
) -> list[SeatField]:
    """The seats in the order of play; `playing` are the tables at which each player sits now, by
    name.
    """
    needed = _find_needed_seats(written)
    return [
        SeatField(
            seat=seat,
            title=_seat(written, seat),
            team=team_mark(written.game, seat),
            needed=seat in needed,
            name=f"players.{seat}",
            player=player,
            elsewhere=playing.get(player, ()),
            problem=found.get(f"players.{seat}"),
        )
        for seat, player in written.players.items()
    ]


def list_seated_players(written: StartForm) -> dict[str, str]:
    """Return the players by seat; empty seats are left out."""
    return {seat: player for seat, player in written.players.items() if player}


def _find_needed_seats(written: StartForm) -> tuple[str, ...]:
    """Return the seats that must be taken: those of the smallest game, and all before a
    taken one.
    """
    taken = list_seated_players(written)
    return min((seats for seats in written.game.seatings if taken.keys() <= set(seats)), key=len)


def option_fields(written: StartForm, found: Mapping[str, Problem]) -> list[OptionField]:
    """The house rules in the order the game offers them."""
    return [
        OptionField(
            option=option,
            name=f"options.{option.name}",
            value=written.options[option.name],
            choices=tuple((as_text(value), label) for value, label in option.choices),
            by=10 if isinstance(option.default, int) and option.default >= TENS else 1,
            changed=written.options[option.name] != as_text(option.default),
            problem=found.get(f"options.{option.name}"),
        )
        for option in written.game.options
    ]


def _seat_problem(written: StartForm, seat: str) -> Problem | None:
    name, seats = written.players[seat], list(written.players)
    if not name and seat not in _find_needed_seats(written):
        return None
    if not name:
        words = _(
            "%(seat)s is not seated yet: type a name, or its beginning, and choose the player."
        )
        return Problem(message=words % {"seat": _seat(written, seat)})
    before = seats[: seats.index(seat)]
    twice = next(
        (other for other in before if written.players[other].casefold() == name.casefold()), None
    )
    if twice:
        said = {"name": name, "seat": _seat(written, twice)}
        words = _("%(name)s already sits at %(seat)s: each seat has its own player.")
        return Problem(message=words % said)
    return None


def _seat(written: StartForm, seat: str) -> str:
    return _(written.game.seat_names[seat])


def _option_problem(written: StartForm, option: Option) -> Problem | None:
    text = written.options[option.name]
    if option.choices or (option.optional and not text):
        return None
    if WHOLE.fullmatch(text) and option.least <= int(text) <= option.most:
        return None
    said = {
        "title": _(option.title),
        "least": number(option.least),
        "most": number(option.most),
        "text": text,
    }
    words = _("%(title)s is a whole number from %(least)s to %(most)s, not “%(text)s”.")
    return Problem(message=words % said, rule=option.rule)
