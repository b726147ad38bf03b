"""Backups of the server, for its owner: which there are, one more, one to keep elsewhere; what the
last drill said. And the whole salon as a file for another server.
"""

import shutil
from collections.abc import Callable
from functools import wraps
from typing import Concatenate

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.accounts.two_factor import has_second_step
from tournament.backups import requests
from tournament.backups.database_copy import bytes_of_database
from tournament.backups.folder import backups_in, is_at_work, read_outcome, the_folder
from tournament.exchange.salon_archive.write import archive_name, archive_of
from tournament.integrity.signing_keys import load_keyring
from tournament.integrity.work_requests import is_kept_waiting, is_waiting
from tournament.pages.common.signed_file import serve_signed_file
from tournament.queries.history_lines import at_time
from tournament.tasks import ask_for_backup

SHOWN = 12


def owns_the_server(request: SalonRequest) -> bool:
    """Whether this account is the one that opened the server: a backup holds all salons, and their
    keys.
    """
    return bool(request.user.is_authenticated and request.user.is_superuser)


def backups_shown(request: SalonRequest) -> dict[str, object]:
    """Return the backups for the settings page; empty for everyone but the owner of the
    server.
    """
    if not owns_the_server(request):
        return {}
    folder, (days, weeks) = the_folder(), settings.BACKUP_KEEP
    found = backups_in(folder)
    here = folder if folder.is_dir() else settings.DATA_DIR
    at_work, asked = is_at_work(folder), requests.newest()
    shown = {
        "folder": folder,
        "rows": found[:SHOWN],
        "more": max(len(found) - SHOWN, 0),
        "at_work": at_work,
        "asked_at": at_time(asked.began_at) if asked else None,
        "waiting": not at_work and asked is not None and is_waiting(asked),
        "kept_waiting": not at_work and asked is not None and is_kept_waiting(asked),
        "refused": asked.error if asked else "",
        "broken_off": not at_work and asked is not None and requests.has_broken_off(asked),
        "last": read_outcome(folder, "backup"),
        "drill": read_outcome(folder, "drill"),
        "days": days,
        "weeks": weeks,
        "tight": shutil.disk_usage(here).free < 2 * bytes_of_database(),
        "second_step": has_second_step(request.user),
    }
    return {"backups": shown}


def _dear[**P](
    view: Callable[Concatenate[SalonRequest, P], HttpResponseBase],
) -> Callable[Concatenate[SalonRequest, P], HttpResponseBase]:
    """For the owner of the server alone, whose account has a second step of signing in."""

    @wraps(view)
    def guard(request: SalonRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not owns_the_server(request):
            raise PermissionDenied(_("Only the owner of the server does that."))
        if not has_second_step(request.user):
            messages.error(
                request,
                _(
                    "Set up the second step of signing in first: a backup holds all that the "
                    "salons keep to themselves."
                ),
            )
            return redirect("mfa_activate_totp")
        return view(request, *args, **kwargs)

    return guard


@require_POST
@requires(Permission.ADMINISTER)
@_dear
def backups(request: SalonRequest) -> HttpResponse:
    """Have one more made."""
    if ask_for_backup(asked_by=request.visitor.actor):
        messages.success(request, _("A backup is asked for; it appears here when it is whole."))
    else:
        messages.info(request, _("A backup is asked for already."))
    return redirect(reverse("settings") + "#backups")


@never_cache
@require_safe
@requires(Permission.ADMINISTER)
@_dear
def backup_file(request: SalonRequest, name: str) -> HttpResponseBase:
    """One of them, to be kept elsewhere."""
    found = next((each for each in backups_in(the_folder()) if each.name == name), None)
    if found is None:
        raise Http404
    return FileResponse(
        found.path.open("rb"),
        as_attachment=True,
        filename=found.name,
        content_type="application/octet-stream",
    )


@never_cache
@require_safe
@requires(Permission.TAKE_ALONG)
def archive_file(request: SalonRequest) -> StreamingHttpResponse | HttpResponse:
    """The file; `?names=no` leaves names, addresses and words out."""
    salon = request.visitor.salon
    lines = archive_of(salon, load_keyring(), names=request.GET.get("names") != "no")
    return serve_signed_file(request, lines, archive_name(salon), page="settings")
