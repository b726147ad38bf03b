"""Put right who a person is: another name, two records that are one person, and that they are two
after all.
"""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.errors import NotationError
from scoring.shape import a_text
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.names import in_alphabet, note_of, plain_name, without_note
from tournament.models import Player, Salon
from tournament.pages.common.form_values import (
    NOT_RECORDED,
    Claim,
    Problem,
    claim_of,
    new_command,
    status_of,
    why_not,
)
from tournament.queries.players import all_names
from tournament.recording.people import (
    merge_persons,
    needs_reason,
    rename_person,
    separate_persons,
)
from tournament.streams.covered_names import earlier_names

LISTED = 400


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.DIRECT)
def person_correction(request: SalonRequest, player: str) -> HttpResponse:
    """The forms; POST does what one of them says, and what was refused is said there."""
    salon = request.visitor.salon
    found = get_object_or_404(Player.objects.select_related("salon"), salon=salon, pk=player)
    if found.merged_into:
        return redirect("person_correction", player=found.merged_into)
    if request.method != "POST":
        return _page(request, found)
    try:
        messages.success(request, _apply_correction(found, request.POST, claim_of(request)))
    except NOT_RECORDED as failure:
        return _page(request, found, why_not(failure))
    return redirect("person_correction", player=found.pk)


def _apply_correction(player: Player, form: QueryDict, claim: Claim) -> str:
    """Apply the correction in a form and return a message. Raises Refusal, StreamMoved,
    CommandReused.
    """
    reason = a_text(" ".join(form.get("reason", "").split()), "reason")
    match form.get("what", ""):
        case "merge":
            other = _find_player(player.salon, form.get("other", ""))
            merge_persons(player, other, reason=reason, **claim)
            return _("%(other)s is %(name)s now, with all that was played.") % {
                "other": other.name,
                "name": player.name,
            }
        case "separate":
            other = _find_merged(player, form.get("other", ""))
            separate_persons(other, reason=reason, **claim)
            return _("%(other)s is a person of their own again.") % {"other": other.name}
        case "tell_apart":
            note = " ".join(form.get("note", "").split())
            if not note or "(" in note or ")" in note:
                raise NotationError(
                    _("Write a few words, without brackets: a club or a town."), path="note"
                )
            written = f"{without_note(player.name)} ({note})"
        case _:
            written = form.get("name", "")
    named = rename_person(player, written, reason=reason, **claim)
    return _("The name is %(name)s now, everywhere.") % {"name": named.name}


def _find_player(salon: Salon, written: str) -> Player:
    """The person of this name. Raises NotationError."""
    people = Player.objects.select_related("salon").filter(salon=salon)
    found = people.filter(name=plain_name(written)).first()
    if found is None:
        raise NotationError(_("The salon has no player of this name."), path="other")
    return found


def _find_merged(player: Player, key: str) -> Player:
    """The player of this id that is merged into one. Raises NotationError."""
    people = Player.objects.select_related("salon").filter(salon=player.salon)
    found = people.filter(merged_into=player.pk, pk=key).first()
    if found is None:
        raise NotationError(_("The salon has no player of this name."), path="other")
    return found


def _page(request: SalonRequest, player: Player, problem: Problem | None = None) -> HttpResponse:
    name = without_note(player.name)
    names = all_names(player.salon)
    context = {
        "here": "home",
        "player": player,
        "problem": problem,
        "typed": request.POST,
        "command": new_command(),
        "needs_reason": needs_reason(player),
        "earlier_names": earlier_names(player.salon, player.pk),
        "namesakes": [each for each in names if without_note(each) == name != player.name != each],
        "note": note_of(player.name),
        "merged": sorted(
            Player.objects.filter(salon=player.salon, merged_into=player.pk),
            key=lambda merged: in_alphabet(merged.name),
        ),
        "listed": [each for each in names if each != player.name][:LISTED],
    }
    return render(request, "people/correction.html", context, status=status_of(problem))
