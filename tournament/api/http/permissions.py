"""Who may do an action of the API: what the table of grants says of its act."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from tournament.accounts.access import ABOUT_ONE
from tournament.accounts.permissions import Act, Role, Visitor, refusal


class MayAct(BasePermission):
    """Lets on whom the act of the action is granted to, or whoever asks where it is None."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """True. Raises NotAuthenticated, PermissionDenied with what is missing."""
        act = act_of(view, view.action)
        if act is None:
            return True
        visitor: Visitor = view.visitor
        place = view.kwargs
        if visitor.may(
            act, **{name: place[key] for key, name in ABOUT_ONE.items() if key in place}
        ):
            return True
        if visitor.role is Role.ANYONE:
            raise NotAuthenticated(_("This is for members of the salon: send a token."))
        raise PermissionDenied(refusal(visitor, act))


def requires[A: Callable[..., object]](act: Act | None) -> Callable[[A], A]:
    """Mark an action as one for whoever may do this, other than the rest of its view set."""

    def marked(action: A) -> A:
        action.act = act  # type: ignore[attr-defined]
        return action

    return marked


def act_of(view: Any, action: str) -> Act | None:
    """The act that an action of a view set is: its own, or the one that all have there."""
    act: Act | None = getattr(getattr(view, action), "act", view.act)
    return act
