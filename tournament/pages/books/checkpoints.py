"""A checkpoint on a page, to be kept, printed or countersigned; the proofs that lead to it, as a
page, JSON or text; and another salon's, countersigned here.
"""

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ledger import notes, times, witness
from ledger.checkpoints import cosigned, find_covering_checkpoint, latest, make, with_cosignatures
from ledger.last_signed import Inconsistent
from ledger.models import Checkpoint, Cosignature, Witnessed
from ledger.notes import BadNote
from ledger.signing import KeyIsAway, keys_of
from ledger.tree import BrokenTree
from ledger.witness import NotWitnessed
from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.integrity.proofs import consistency_proof, inclusion_proof
from tournament.integrity.signing_keys import NoFreshKey, load_keyring
from tournament.models import Salon
from tournament.pages.common.paper import attachment
from tournament.pages.history.history import number
from tournament.queries.history_lines import at_time
from tournament.queries.printed_checkpoint import picture_of

SHOWN = 20


@require_POST
@requires(Permission.SIGN)
def checkpoints(request: SalonRequest) -> HttpResponse:
    """Sign what the log holds now."""
    try:
        signed = make(request.visitor.salon.log, load_keyring(), now=times.now())
    except (KeyIsAway, NoFreshKey, ValueError):
        messages.error(
            request,
            _("Nothing could be signed: the private key of the salon is not on this machine."),
        )
    except (Inconsistent, BrokenTree):
        messages.error(
            request,
            _(
                "Nothing was signed: the log does not hold any more what was signed before. Run "
                "an audit."
            ),
        )
    else:
        if signed is not None:
            return redirect("checkpoint", size=signed.size)
        messages.info(request, _("Nothing has been recorded yet: there is nothing to sign."))
    return redirect("audit")


@require_safe
@requires(Permission.SEE_SALON)
def checkpoint(request: SalonRequest, size: int) -> HttpResponse:
    """One checkpoint; `?format=txt` is the note alone."""
    return _page(request, _checkpoint_or_404(request.visitor.salon, size))


@require_POST
@requires(Permission.SIGN)
def cosignatures(request: SalonRequest, size: int) -> HttpResponse:
    """Keep another salon's signature under a checkpoint: the line, or the whole note with it, and
    that salon's key.
    """
    row = _checkpoint_or_404(request.visitor.salon, size)
    given = request.POST.get("note", "").replace("\r\n", "\n").strip("\n")
    vkey = request.POST.get("key", "")
    try:
        key = notes.read_vkey(vkey)
        kept = cosigned(row, notes.line_of(given, key), key)
    except BadNote as fault:
        return _page(request, row, note=given, key=vkey, problem=str(fault))
    messages.success(
        request, _("The signature of %(name)s is kept.") % {"name": kept.vkey.partition("+")[0]}
    )
    return redirect("checkpoint", size=row.size)


@require_safe
@requires(Permission.SEE_SALON)
def entry_proof(request: SalonRequest, position: int) -> HttpResponse:
    """The proof that an entry is in the log a checkpoint signs: the first one that has it, or that
    of `?size=`.
    """
    salon, size = request.visitor.salon, number(request, "size")
    row = (
        find_covering_checkpoint(salon.log_id, position)
        if size is None
        else _checkpoint_or_404(salon, size)
    )
    if row is None:
        if position > 0 and position <= salon.log.position:
            return render(
                request, "proof.html", {"here": "history", "position": position, "proof": None}
            )
        raise Http404
    try:
        return _proof(request, inclusion_proof(salon.log, position, row), {"position": position})
    except LookupError as none:
        raise Http404 from none


@require_safe
@requires(Permission.SEE_SALON)
def consistency(request: SalonRequest) -> HttpResponse:
    """The proof that a checkpoint (the newest, or of `?size=`) begins with the first `?old=`
    entries; txt is what witnesses ask for.
    """
    salon, old, size = request.visitor.salon, number(request, "old") or 0, number(request, "size")
    row = latest(salon.log_id) if size is None else _checkpoint_or_404(salon, size)
    if row is None:
        raise Http404
    try:
        return _proof(request, consistency_proof(salon.log, old, row), {"old": old})
    except LookupError as none:
        raise Http404 from none


def _page(request: SalonRequest, row: Checkpoint, **typed: str) -> HttpResponse:
    note = with_cosignatures(row)
    if request.GET.get("format") == "txt":
        name = f"{request.visitor.salon.slug}-{row.size}.checkpoint.txt"
        return attachment(note, "text/plain; charset=utf-8", name)
    context = {
        "here": "ledger",
        "row": row,
        "note": note,
        "made": at_time(row.made_at),
        "picture": picture_of(row.note),
        "cosigned": [
            (each.vkey.partition("+")[0], at_time(each.signed_at) if each.signed_at else None)
            for each in Cosignature.objects.filter(log=row.log_id, size=row.size).order_by("pk")
        ],
        "key": next(
            (key.verifier.vkey for key in keys_of(row.log_id) if key.number == row.key), ""
        ),
        "may_sign": request.visitor.may(Permission.SIGN),
        "may_audit": request.visitor.may(Permission.AUDIT),
        "typed": typed,
    }
    return render(request, "checkpoint.html", context, status=422 if typed else 200)


def _proof(request: SalonRequest, proof: JsonObject, about: JsonObject) -> HttpResponse:
    match request.GET.get("format"):
        case "json":
            return JsonResponse(proof)
        case "txt":
            text = proof.get("request") or "\n".join(
                [str(proof["position"]), *proof["path"], "", proof["checkpoint"]]
            )
            return HttpResponse(text, content_type="text/plain; charset=utf-8")
        case _:
            return render(request, "proof.html", {"here": "history", "proof": proof, **about})


def _checkpoint_or_404(salon: Salon, size: int) -> Checkpoint:
    return get_object_or_404(Checkpoint, log=salon.log_id, size=size)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.SIGN)
def countersign(request: SalonRequest) -> HttpResponse:
    """The form, the signature that came of it, and what was countersigned so far."""
    log, problem, signed = request.visitor.salon.log, "", None
    given, vkey = request.POST.get("request", ""), request.POST.get("key", "").strip()
    if request.method == "POST":
        try:
            key = notes.read_vkey(vkey) if vkey else None
            signed = witness.countersign(
                log, witness.read_request(given), key, load_keyring(), now=times.now()
            )
        except (BadNote, NotWitnessed) as refused:
            problem = str(refused)
        except (KeyIsAway, NoFreshKey, ValueError):
            problem = _("The private key of the salon is not on this machine.")
        except Inconsistent:
            problem = _("Nothing is signed: this database is older than what was signed here.")
    seen = Witnessed.objects.filter(log=log).order_by("-pk")[:SHOWN]
    context = {
        "here": "ledger",
        "given": "" if signed else given,
        "key": "" if signed else vkey,
        "problem": problem,
        "signed": signed,
        "line": signed.note.rstrip("\n").rpartition("\n")[2] if signed else "",
        "own_key": keys_of(log.pk)[-1].verifier.cosigner.vkey if keys_of(log.pk) else "",
        "seen": [(row, at_time(row.seen_at)) for row in seen],
    }
    return render(request, "countersigning.html", context, status=422 if problem else 200)
