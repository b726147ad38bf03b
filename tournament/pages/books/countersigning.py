"""Countersign another salon's checkpoint, after its log has been shown to begin with what was
countersigned before.
"""

import time

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ledger import notes, witness
from ledger.last_signed import Inconsistent
from ledger.models import Witnessed
from ledger.notes import BadNote
from ledger.signing import KeyIsAway, keys_of
from ledger.witness import NotWitnessed
from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.integrity.signing_keys import NoFreshKey, keyring
from tournament.queries.history_lines import at_time

SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Act.SIGN)
def countersigning(request: SalonRequest) -> HttpResponse:
    """The form, the signature that came of it, and what was countersigned so far."""
    log, problem, signed = request.visitor.salon.log, "", None
    given, vkey = request.POST.get("request", ""), request.POST.get("key", "").strip()
    if request.method == "POST":
        try:
            key = notes.read_vkey(vkey) if vkey else None
            signed = witness.countersign(
                log, witness.read_request(given), key, keyring(), now=time.time_ns() // 1000
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
