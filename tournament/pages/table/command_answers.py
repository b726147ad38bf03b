"""An answer says which command it is the answer to, so that a phone never takes another's page, as
that of a guest network, for one.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate

from django.http import HttpResponse

from tournament.accounts.access import SalonRequest
from tournament.accounts.phone_names import remember_phone
from tournament.pages.common.form_values import COMMAND

ACCORD_COMMAND = "Accord-Command"


def says_its_command[**P](
    view: Callable[Concatenate[SalonRequest, P], HttpResponse],
) -> Callable[Concatenate[SalonRequest, P], HttpResponse]:
    """A view whose answer to a form names the form's command, whether it was recorded or
    refused.
    """

    @wraps(view)
    def answer(request: SalonRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = view(request, *args, **kwargs)
        command = request.POST.get("command", "")
        if COMMAND.fullmatch(command):
            response[ACCORD_COMMAND] = command
            remember_phone(request, request.visitor.salon, [command])
        return response

    return answer
