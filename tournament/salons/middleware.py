"""What stands around every answer: a middleware here is one step, told who answers next and what is
asked.
"""

from collections.abc import Callable
from functools import partial, wraps

from django.http import HttpRequest
from django.http.response import HttpResponseBase

type Answer = Callable[[HttpRequest], HttpResponseBase]


def middleware(
    step: Callable[[Answer, HttpRequest], HttpResponseBase],
) -> Callable[[Answer], Answer]:
    """The middleware that takes this step, as the settings name it."""

    @wraps(step)
    def around(answer: Answer) -> Answer:
        return partial(step, answer)

    return around
