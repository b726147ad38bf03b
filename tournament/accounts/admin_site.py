"""The admin site: for the owners of a salon, who see the books of their own salon there and no
other's.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.apps import AdminConfig
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from tournament.accounts.access import SalonRequest


class OwnersSite(AdminSite):
    """Shows only what says to which salon its rows belong: what other packages would show here
    belongs to none.
    """

    site_title = site_header = _("Accord")

    def register[M: Model](
        self,
        model_or_iterable: type[M] | Iterable[type[M]],
        admin_class: "type[ModelAdmin[M]] | None" = None,
        **options: object,
    ) -> None:
        """Take a page that is bound to a salon, and leave every other one out."""
        if hasattr(admin_class, "salon_path"):
            super().register(model_or_iterable, admin_class, **options)

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the visitor administers the salon in which this address is."""
        from tournament.accounts.access import visitor_of
        from tournament.accounts.permissions import Permission

        known = cast("SalonRequest", request)
        if not hasattr(known, "visitor"):
            known.visitor = visitor_of(request)
        return known.visitor.may(Permission.ADMINISTER)


class OwnersConfig(AdminConfig):
    """Django's admin, with this site as its default."""

    default_site = "tournament.accounts.admin_site.OwnersSite"
