"""A director's rulings: the form for the open hand, and what a refusal could be excused by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from scoring.errors import NotationError
from scoring.forms import ABOUT_THE_FORM
from scoring.game import AnyGame
from scoring.rulings import EXCUSES, FOLLOWING
from scoring.shape import JsonMapping
from tournament.accounts.access import SalonRequest, requires, table_or_404
from tournament.accounts.permissions import Permission
from tournament.pages.common.form_values import Problem, new_command, read_game_id
from tournament.pages.table.refused_act import NOTHING, NotRecorded
from tournament.queries.table import TableGame, game_at
from tournament.recording.rulings import RULINGS, name_of

OPENINGS, SHEET = "hands", "sheet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """The ruling that would admit what was refused: `kind` `accept_play` with trick, seat and card,
    or `accept_hand` with a code.

    It is posted to `collection` with what was `sent` before; at a `late` one the hand has to be
    opened again first.
    """

    kind: str
    collection: str
    code: str = ""
    trick: int = 0
    seat: str = ""
    card: str = ""
    cards: str = ""
    sent: Sequence[tuple[str, str]] = ()
    late: bool = False


@never_cache
@require_GET
@requires(Permission.RULE)
def ruling(request: SalonRequest, label: str) -> HttpResponse:
    """The form of a ruling in the open hand of a table."""
    at = game_at(request.visitor, label, game=read_game_id(request))
    if at is None or at.table["hand"] is None or at.game.rulings is None:
        table_or_404(request.visitor, label)
        return redirect("pad", label=label)
    return ruling_page(request, label, at)


def ruling_page(
    request: SalonRequest, label: str, at: TableGame, *, failed: NotRecorded = NOTHING
) -> HttpResponse:
    """The form around what was typed and refused."""
    context = {
        "here": "tables",
        "label": label,
        "row": at.row,
        "table": at.table,
        "players": at.players,
        "command": new_command(),
        **choices(at.game, list(at.players)),
    }
    return render(request, "rulings/ruling.html", context | failed.context, status=failed.status)


def choices(game: AnyGame, seats: Sequence[str]) -> dict[str, object]:
    """Return the possible subjects of a ruling in this game: its kinds, sides, and the
    places that chips move from and to.
    """
    if game.rulings is None:
        return {"kinds": (), "sides": (), "places": ()}
    kinds = [kind for kind in game.rulings.kinds if kind != "accept_play"]
    pots = [(pot, _(game.pot_names[pot])) for pot in game.rulings.pots]
    return {
        "kinds": kinds,
        "sides": list(game.teams or seats),
        "places": [*((seat, "") for seat in seats), *pots],
    }


def sign_rulings(request: SalonRequest, value: Mapping[str, object]) -> dict[str, object]:
    """Return a form's values, each of its rulings with the name of the visitor. Raises
    PermissionDenied unless the visitor can give rulings.
    """
    rulings = value.get(RULINGS)
    if not isinstance(rulings, list):
        return dict(value)
    return {**value, RULINGS: [sign_ruling(request, each) for each in rulings]}


def sign_ruling(request: SalonRequest, value: object) -> dict[str, object]:
    """Return one ruling with the name of the visitor. Raises PermissionDenied unless the
    visitor can give rulings, NotationError if it isn't a ruling.
    """
    if not request.visitor.may(Permission.RULE):
        raise PermissionDenied(_("Only the owner of the salon can do that."))
    if not isinstance(value, dict):
        raise NotationError("a ruling is expected here", path=RULINGS)
    named = {"by": name_of(request.visitor)}
    return {key: part for key, part in value.items() if part != ""} | named


def admission(
    at: TableGame,
    problem: Problem | None,
    *,
    tried: str,
    form: QueryDict,
    offer: JsonMapping | None,
    cards: Sequence[str],
) -> Admission | None:
    """The ruling that would admit what was refused: a card in `cards` that may not follow, or an
    opening; None where none would.
    """
    if problem is None or at.game.rulings is None:
        return None
    hand = at.table["hand"]
    may_stand = problem.code in FOLLOWING and "accept_play" in at.game.rulings.kinds
    if may_stand and offer is not None and hand is not None:
        laid = len(offer["drafted"])
        if laid >= len(cards) or laid >= len(offer["order"]):
            return None
        tricks = {
            "trick": hand["trick"],
            "seat": offer["order"][laid],
            "card": cards[laid],
            "cards": ",".join(cards),
        }
        return Admission(kind="accept_play", collection=RULINGS, code=problem.code, **tricks)
    if problem.code not in EXCUSES:
        return None
    if tried == OPENINGS and hand is None:
        sent = _list_refused_fields(form)
        return Admission(kind="accept_hand", collection=OPENINGS, code=problem.code, sent=sent)
    return Admission(kind="accept_hand", collection="", code=problem.code, late=hand is not None)


def _list_refused_fields(form: QueryDict) -> list[tuple[str, str]]:
    """The fields of a refused form, to be sent again."""
    said = {
        name: texts
        for name, texts in form.lists()
        if name not in ABOUT_THE_FORM and not name.startswith(RULINGS)
    }
    return [(name, str(text)) for name, texts in said.items() for text in texts]
