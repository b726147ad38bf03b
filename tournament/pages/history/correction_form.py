"""The form of a correction: what it asks for, filled with what is recorded, and read again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import Http404, QueryDict

from scoring import corrections
from scoring.errors import NotationError
from scoring.left_pots import read_opening_pot, write_opening_pot
from scoring.shape import JsonMapping
from tournament.models import Game as GameRow
from tournament.models import Salon
from tournament.pages.common.form_values import Problem, plain_value, read_typed_value
from tournament.pages.table.opening_pots import PotChoice, choices_of, format_pot, parse_pot
from tournament.pages.table.start_form import OptionField, option_fields, read_form
from tournament.queries.closed_hands import RecordedHand, list_hands_as_recorded
from tournament.queries.players import with_known_names
from tournament.queries.table import TableGame
from tournament.recording.corrections import SHEETS, WHATS
from tournament.salons.players import names_of
from tournament.salons.preferences import as_text, option_value
from tournament.salons.public_names import Audience
from tournament.streams.folds import Folded, fold_of

ABOUT_THE_CORRECTION = (
    "step",
    "reason",
    "excused",
    "after",
    "table",
    "keep",
    "first",
    "last",
    "dropped",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionSubject:
    """The subject of a correction: the game, and for a hand, `hand` and `recorded`, the
    hand as recorded.
    """

    what: str
    row: GameRow
    folded: Folded
    hands: Sequence[RecordedHand]
    hand: int = 0
    recorded: JsonMapping | None = None

    @property
    def number(self) -> int:
        """The number by which people know the hand."""
        closed = next((each for each in self.hands if each.hand == self.hand), None)
        return closed.number if closed is not None and closed.number else self.hand

    @property
    def may_be_misdealt(self) -> bool:
        """Whether the hand asked for can turn out to have been a misdeal: the game has to know
        them.
        """
        return self.what in SHEETS and "misdeals" in self.folded.game.acts

    def value_of(self, form: QueryDict) -> dict[str, object]:
        """Read a hand from the form, with the parts it keeps of the recorded one. Raises
        NotationError.
        """
        value = plain_value(_of_the_hand(form))
        recorded = self.recorded or {}
        rulings = list(recorded.get("rulings", ()))
        rulings_kept = [
            ruling for place, ruling in enumerate(rulings) if str(place) in form.getlist("keep")
        ]
        value |= {"at": recorded["at"]} if "at" in recorded else {}  # the form has no field for it
        return self.folded.game.completed(
            value | ({"rulings": rulings_kept} if rulings_kept else {}), dict(recorded)
        )

    def value_as_typed(self, form: QueryDict) -> dict[str, object]:
        """The same as far as it can be read, to be shown again."""
        try:
            return self.value_of(form)
        except NotationError:
            return read_typed_value(_of_the_hand(form))


def _of_the_hand(form: QueryDict) -> QueryDict:
    bare = form.copy()
    for name in ABOUT_THE_CORRECTION:
        bare.pop(name, None)
    return bare


def subject_of(row: GameRow, what: str, query: QueryDict) -> CorrectionSubject:
    """Return the subject of the correction in an address. Raises Http404 if it doesn't
    exist.
    """
    folded = fold_of(row.salon.log_id, row.pk)
    if folded is None or what not in WHATS:
        raise Http404
    asked = CorrectionSubject(
        what=what, row=row, folded=folded, hands=list_hands_as_recorded(row, Audience.SALON)
    )  # whole names: they go back into the record
    if what not in ("hand", "inserted", "removed"):
        return asked
    hand = number(query.get("hand", ""))
    if not 1 <= hand <= len(asked.hands) + (what == "inserted"):
        raise Http404
    return replace(
        asked, hand=hand, recorded=asked.hands[hand - 1].sheet if what != "inserted" else None
    )


def initial_values(asked: CorrectionSubject, query: QueryDict) -> Mapping[str, object]:
    """Return the form's initial values: the hand as recorded, the players at their seats,
    or the options.
    """
    if asked.what == "options":
        return {"options": asked.folded.game.write_rules(asked.folded.state.rules)}
    if asked.what == "pot":
        pot = write_opening_pot(asked.folded.state)
        return {"opening_pot": format_pot(pot["from"], pot["chips"]) if pot else ""}
    if asked.what == "seats":
        names = names_of(asked.row.salon, asked.folded.state.players.values(), Audience.SALON)
        seats = {seat: names[player] for seat, player in asked.folded.state.players.items()}
        turned = list(seats.values())
        return {
            "players": dict(zip(seats, turned[1:] + turned[:1], strict=True))
            if "turned" in query
            else {seat: query.get(f"sat.{seat}", name) for seat, name in seats.items()}
        }
    return asked.recorded or {}


def change_of(
    asked: CorrectionSubject, salon: Salon, form: QueryDict
) -> tuple[dict[str, object], corrections.Change]:
    """Return the form's plain values and the change that it asks for. Raises Refusal, its
    path a field of the form.
    """
    if asked.what == "removed":
        return {}, corrections.RemoveHand(hand=asked.hand)
    if asked.what == "reopened":
        return {}, corrections.ReopenGame()
    if asked.what == "options":
        return _options(asked, form)
    if asked.what == "pot":
        return {"opening_pot": form.get("opening_pot", "")}, _pot(
            asked, form.get("opening_pot", "")
        )
    value = with_known_names(asked.value_of(form), salon)
    if asked.what == "seats":
        return value, _seats(value, form)
    if asked.recorded is not None and value == asked.recorded:
        raise NotationError("this is what is recorded; change what was wrong", path="")
    sheet = asked.folded.game.read_sheet(value, asked.folded.state.rules)
    return value, (corrections.CorrectHand if asked.what == "hand" else corrections.InsertHand)(
        hand=asked.hand, sheet=sheet
    )


def option_fields_of(
    asked: CorrectionSubject, typed: JsonMapping, problem: Problem | None
) -> Sequence[OptionField]:
    """The house rules of the game as they are or were typed, for a correction of them."""
    if asked.what != "options":
        return ()
    form = QueryDict(mutable=True)
    form["game"] = asked.folded.game.name
    chosen = typed.get("options")
    for option in asked.folded.game.options:
        value = chosen.get(option.name) if isinstance(chosen, dict) else None
        form[f"options.{option.name}"] = as_text(value)
    return option_fields(read_form(form, table=""), {problem.field: problem} if problem else {})


def seat_names_of(asked: CorrectionSubject, at: TableGame) -> Mapping[str, str]:
    """Return the names of the players by seat in the game itself."""
    names = names_of(asked.row.salon, asked.folded.state.players.values(), Audience.SALON)
    return {
        seat: names[player] for seat, player in asked.folded.state.players.items()
    } or at.players


def _options(
    asked: CorrectionSubject, form: QueryDict
) -> tuple[dict[str, object], corrections.Change]:
    game = asked.folded.game
    options: dict[str, object] = {}
    for option in game.options:
        try:
            options[option.name] = option_value(
                option, form.get(f"options.{option.name}", "").strip()
            )
        except ValueError:
            raise NotationError(
                "a whole number is expected here", path=f"options.{option.name}", rule=option.rule
            ) from None
    return {"options": options}, corrections.CorrectOptions(rules=game.read_rules(options))


def pots_of(asked: CorrectionSubject) -> list[PotChoice]:
    """The pots that a corrected game may have begun with, the one that it has first; nothing where
    that isn't asked.
    """
    if asked.what != "pot":
        return []
    own = write_opening_pot(asked.folded.state)
    value = format_pot(own["from"], own["chips"]) if own else ""
    mine = [PotChoice(value=value, chips=own["chips"], title=own["from"], table="")] if own else []
    return mine + [
        pot
        for pot in choices_of(asked.row.salon, asked.row.kind)
        if not pot.value.endswith(f" {asked.row.record}")
    ]


def _pot(asked: CorrectionSubject, text: str) -> corrections.Change:
    pot = parse_pot(text)
    game = asked.folded.game
    return corrections.CorrectOpeningPot(
        opening_pot=read_opening_pot(pot, game, record=asked.row.record) if pot else None
    )


def _seats(value: Mapping[str, object], form: QueryDict) -> corrections.Change:
    numbers = {}
    for name in ("first", "last"):
        numbers[name] = number(form.get(name, ""))
        if not numbers[name]:
            raise NotationError("which hands? Two numbers are expected here", path=name)
    players = value.get("players", {})
    if not isinstance(players, dict) or not all(isinstance(name, str) for name in players.values()):
        raise NotationError("who sat where is expected here", path="players")
    return corrections.CorrectSeats(
        first=numbers["first"], last=numbers["last"], players=tuple(players.items())
    )


def number(text: object) -> int:
    """The number above 0 that was typed, 0 for anything else."""
    return (
        int(text)
        if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 7
        else 0
    )
