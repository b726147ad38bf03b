"""An operation of the API: who may do it, what it reads and what it answers. Views and schema are
made of these values.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django_filters import FilterSet
from rest_framework.request import Request

from tournament.accounts.permissions import Act, Visitor


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request as an operation sees it: who asks, what was sent, under which key (a command's
    id) and on which version.
    """

    request: Request
    visitor: Visitor
    body: Any
    query: Any
    command: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What can be done at an address.

    `act` says who may, None: whoever asks. `body` is the shape it reads (`object`: any JSON,
    described by `reads`), `query` and `filters` what stands after `?`; `answers` the shape it
    answers, or a media type or several; `on_version` that it builds on one.
    """

    name: str
    does: Callable[..., Any]
    act: Act | None
    status: int
    answers: Any
    body: Any
    reads: str
    query: Any
    filters: type[FilterSet] | None
    on_version: bool
    keyed: bool
    problems: tuple[int, ...]


def operation(
    act: Act | None,
    *,
    answers: object,
    status: int = 200,
    body: object = None,
    reads: str = "",
    query: object = None,
    filters: type[FilterSet] | None = None,
    on_version: bool = False,
    keyed: bool = False,
    problems: tuple[int, ...] = (),
) -> Callable[[Callable[..., object]], Operation]:
    """The function below as an operation; its name and docstring become those of the operation."""

    def made(does: Callable[..., object]) -> Operation:
        return Operation(
            name=does.__name__,
            does=does,
            act=act,
            status=status,
            answers=answers,
            body=body,
            reads=reads,
            query=query,
            filters=filters,
            on_version=on_version,
            keyed=keyed or on_version,
            problems=problems,
        )

    return made
