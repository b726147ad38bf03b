"""Addresses that are none: said as problem details, as everything else here."""

from django.http import Http404
from rest_framework.request import Request
from rest_framework.views import APIView


class Nowhere(APIView):
    """Below /api/ and nothing of the API; it stands in no schema."""

    schema = None

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Raise Http404 whatever is asked."""
        raise Http404


nowhere = Nowhere.as_view()
