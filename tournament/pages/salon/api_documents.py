"""The API on a page: every operation with what it reads and answers, made of the same document that
programs read.
"""

import json
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.shape import JsonMapping
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission

METHODS = ("get", "post", "delete")
KIND_OF_DOCUMENT = "application/vnd.oai.openapi+json"
OF_A_SALON = "/api/v1/salons/{salon}/"
LONGEST_EXAMPLE = 4_000  # characters
_making = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A part of an address, a query or a header; `kind` in a few words."""

    name: str
    place: str
    kind: str
    required: bool
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationText:
    """An operation as the page shows it; the examples are JSON texts, "" for none. `shape` is the
    name of what it answers.
    """

    name: str
    method: str
    path: str
    summary: str
    words: str
    parameters: Sequence[Parameter]
    sent: str
    answered: str
    shape: str
    statuses: Sequence[tuple[str, str]]


@require_safe
def api_schema(request: HttpRequest) -> HttpResponse:
    """The document as JSON: made once in a process, as it costs a second."""
    return HttpResponse(
        _document_as_json(),
        content_type=KIND_OF_DOCUMENT,
        headers={"Content-Disposition": 'inline; filename="Accord.json"'},
    )


@require_safe
@requires(Permission.SEE_SALON)
def api_documents(request: SalonRequest) -> HttpResponse:
    """Every operation of the API, by what it is about."""
    context = {
        "groups": list(_groups().items()),
        "may_give": request.visitor.may(Permission.GIVE_TOKENS),
        "may_administer": request.visitor.may(Permission.ADMINISTER),
    }
    return render(request, "api/documents.html", context)


def api_document() -> JsonMapping:
    """The OpenAPI document. What makes it is loaded when it is first asked for: no command waits
    for it. One thread makes it, since its library loads its parts twice for two at once.
    """
    with _making:
        return _document()


@cache
def _document() -> JsonMapping:
    from drf_spectacular.generators import SchemaGenerator

    return SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call, no-any-return]


@cache
def _document_as_json() -> bytes:
    from drf_spectacular.renderers import OpenApiJsonRenderer

    return OpenApiJsonRenderer().render(api_document())


@cache
def _groups() -> Mapping[str, list[OperationText]]:
    found: dict[str, list[OperationText]] = defaultdict(list)
    for path, methods in api_document()["paths"].items():
        for method in METHODS:
            if method in methods:
                found[methods[method]["tags"][0]].append(
                    _operation_text(path, method, methods[method])
                )
    return dict(found)


def _operation_text(path: str, method: str, operation: JsonMapping) -> OperationText:
    done = next(
        answer for status, answer in operation["responses"].items() if status.startswith("2")
    )
    content: JsonMapping = next(iter(done.get("content", {}).values()), {})
    sent = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return OperationText(
        name=operation["operationId"],
        method=method.upper(),
        path=path.removeprefix(OF_A_SALON),
        summary=operation["summary"],
        words=operation.get("description", "")
        if operation.get("description") != operation["summary"]
        else "",
        parameters=[
            _parameter(each) for each in operation["parameters"] if each["name"] != "salon"
        ],
        sent=_json(sent.get("example")),
        answered=_json(content.get("example")),
        shape=str(content.get("schema", {}).get("$ref", "")).rpartition("/")[2],
        statuses=[
            (status, answer["description"]) for status, answer in operation["responses"].items()
        ],
    )


def _parameter(each: JsonMapping) -> Parameter:
    schema = each.get("schema", {})
    kind = (
        ", ".join(map(str, schema["enum"]))
        if "enum" in schema
        else str(schema.get("format") or schema.get("type", ""))
    )
    return Parameter(
        name=each["name"],
        place=each["in"],
        kind=kind,
        required=each.get("required", False),
        words=each.get("description", ""),
    )


def _json(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return text if len(text) <= LONGEST_EXAMPLE else f"{text[:LONGEST_EXAMPLE]}\n…"
