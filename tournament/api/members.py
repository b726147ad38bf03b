"""The people of a salon with accounts: who is what, changed or ended by an owner; and invitations
to become one of them.

Passwords and second steps are given back on the pages alone: a token that was lost must not open
accounts.
"""

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from msgspec import Struct
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from scoring.errors import NotationError, RuleViolation
from scoring.shape import one_of
from tournament.accounts.invitations import (
    INVITES,
    Invitee,
    invite,
    mail_invitation,
    open_invitations,
    problems_of,
)
from tournament.accounts.members import change_role, end_membership
from tournament.accounts.permissions import GRANTS, Permission, Role, Visitor
from tournament.accounts.two_factor import with_second_step
from tournament.accounts.verified_email import with_verified
from tournament.api.games import Person
from tournament.api.http.responses import Answer, answer_idempotently, build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.models import Invitation, Membership, Player, Salon
from tournament.salons.prefix import address_in
from tournament.server.http.problem_details import ProblemDetails


class MemberLine(Struct, frozen=True, kw_only=True):
    """Somebody with an account: what they are here since when (ISO), and which of the players
    (null: none).

    `email_verified` is whether a link that was sent to the address was used.
    """

    id: int
    name: str
    email: str
    email_verified: bool
    role: str
    player: Person | None
    second_step: bool
    since: str


class NewRole(Struct, frozen=True, kw_only=True):
    """What a member is to be: a role, and the id of the player whom the account belongs to ("" for
    none).
    """

    role: str
    player: str = ""


class InvitationLine(Struct, frozen=True, kw_only=True):
    """An invitation that nobody has used: into which role, as which player, until when (ISO)."""

    id: int
    role: str
    email: str
    player: Person | None
    expires_at: str


class NewInvitation(Struct, frozen=True, kw_only=True):
    """Somebody to be invited: into a role, as the player with this id ("" for none), by mail where
    an address is given.
    """

    role: str
    player: str = ""
    email: str = ""


class MadeInvitation(Struct, frozen=True, kw_only=True):
    """An invitation just made, and whether it was mailed. Its link is said this once: sent again,
    the write answers without it.
    """

    id: int
    role: str
    expires_at: str
    mailed: bool
    address: str


class MemberViewSet(ApiViewSet):
    """The people of a salon with accounts, and invitations to become one."""

    act = Permission.INVITE

    def list_members(self, request: Request) -> list[MemberLine]:
        """Everybody with an account in the salon, in the order in which they came."""
        return [_member(row) for row in _members(self).order_by("since", "pk")]

    @document_action(Permission.ADMINISTER, body=NewRole)
    def set_role(self, request: Request, member: int) -> Answer[MemberLine]:
        """Make a member something else from now on. A salon keeps one owner at least."""
        given = self.body(NewRole)
        found = get_object_or_404(_members(self), pk=member)
        wanted = _check_invitee(self.visitor, given.role, given.player, "")

        def keep_role() -> MemberLine:
            change_role(found, wanted.role, wanted.player)
            return _member(get_object_or_404(_members(self), pk=member))

        return answer_idempotently(self, ["role", found.pk], keep_role)

    @document_action(Permission.ADMINISTER, answers={422: ProblemDetails})
    def end_member(self, request: Request, member: int) -> None:
        """End what somebody is in the salon; what they recorded stays. A salon keeps one owner at
        least.
        """
        end_membership(self.row(Membership, member))

    def list_invitations(self, request: Request) -> list[InvitationLine]:
        """The invitations that somebody can still use, the latest first."""
        return [_invitation(row) for row in _open(self.salon).order_by("-made_at", "-pk")]

    @document_action(body=NewInvitation)
    def invite_somebody(self, request: Request) -> Answer[MadeInvitation]:
        """Invite one person: the link opens the salon once, within a week."""
        new, visitor = self.body(NewInvitation), self.visitor
        if one_of(new.role, Membership.Role.values, "role") not in INVITES.get(visitor.role, ()):
            raise PermissionDenied(_("Only an owner invites owners and directors."))
        wanted = _check_invitee(visitor, new.role, new.player, new.email)

        def make_invitation() -> MadeInvitation:
            row, token = invite(
                visitor.salon, wanted, by=User.objects.get(pk=visitor.actor.removeprefix("user:"))
            )
            url = request.build_absolute_uri(address_in(visitor.salon, "invitation", token))
            until = row.expires_at.isoformat()
            return build_struct(
                MadeInvitation, row, expires_at=until, mailed=mail_invitation(row, url), address=url
            )

        return answer_idempotently(self, ["invitation"], make_invitation, unsaid="address")

    def withdraw_invitation(self, request: Request, invitation: int) -> None:
        """Withdraw an invitation: its link no longer opens anything."""
        found = get_object_or_404(_open(self.salon), pk=invitation)
        if found.role not in INVITES.get(self.visitor.role, ()):
            raise PermissionDenied(_("Only an owner invites owners and directors."))
        found.delete()


def _check_invitee(visitor: Visitor, role: str, player: str, email: str) -> Invitee:
    """Return the person to invite. Raises NotationError, and RuleViolation for a role with
    more rights than this token: it would open more than it is for.
    """
    known = Player.objects.filter(salon=visitor.salon, pk=player).first() if player else None
    if player and known is None:
        raise NotationError(_("The salon has no such player."), path="player")
    wanted = Invitee(
        role=one_of(role, Membership.Role.values, "role"), player=known, email=email.strip().lower()
    )
    for path, message in problems_of(wanted).items():
        raise NotationError(message, path=path)
    beyond = [
        act
        for act in Permission
        if Role(role) in GRANTS[act] and visitor.scopes is not None and act not in visitor.scopes
    ]
    if beyond:
        words = _("You can't give what you may not do yourself: %(act)s.") % {"act": beyond[0]}
        raise RuleViolation("not_allowed", words, path="role")
    return wanted


def _members(view: ApiViewSet) -> QuerySet[Membership]:
    found = with_verified(with_second_step(Membership.objects.filter(salon=view.salon)))
    return found.select_related("user", "player", "salon")


def _open(salon: Salon) -> QuerySet[Invitation]:
    return open_invitations().filter(salon=salon).select_related("player")


def _member(row: Membership) -> MemberLine:
    return build_struct(
        MemberLine,
        row,
        name=row.user.first_name,
        email=row.user.email or row.user.username,
        email_verified=getattr(row, "has_verified", False),
        player=_person(row.player),
        second_step=getattr(row, "has_second_step", False),
        since=row.since.isoformat(),
    )


def _invitation(row: Invitation) -> InvitationLine:
    until = row.expires_at.isoformat()
    return build_struct(InvitationLine, row, player=_person(row.player), expires_at=until)


def _person(player: Player | None) -> Person | None:
    return Person(id=player.pk, name=player.name) if player is not None else None
