"""The OpenAPI document, made of the operations: what each reads and answers, its problems, and an
example from a played evening.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import django_filters
import msgspec
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request

from scoring.shape import JsonMapping, JsonObject
from tournament.api.http.operations import Operation
from tournament.server.problem_details import MEDIA_TYPE, ProblemDetails

JSON = "application/json"
REF = "#/components/schemas/{name}"
EXAMPLES = Path(__file__).parent / "examples.json"
WORDS = {
    304: "What was seen before (`If-None-Match`) is what there is.",
    400: "It can't be read; `path` says where.",
    401: "Send a token.",
    403: "This visitor or this token may not do it.",
    404: "There is no such thing in this salon.",
    409: "Somebody else was first; `current` has what is there now.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    422: "A rule forbids it, or the key was used for something else.",
    428: "An act says on which version it builds (`If-Match`).",
    429: "Too many requests; `Retry-After` says when to come again.",
    503: "Not just now; `Retry-After` says when to come again, with the same key for a write.",
    507: "The disk is full: nothing was recorded.",
}
ENDED = (400, 401, 403, 404, 429, 503, 507)
READ, WRITE = (
    (304, 400, 401, 403, 404, 429, 503),
    (400, 401, 403, 404, 409, 413, 415, 422, 429, 503, 507),
)
PATHS: dict[str, tuple[str, JsonObject]] = {
    "salon": ("The salon's slug.", {"type": "string", "pattern": "^[-a-zA-Z0-9_]{1,64}$"}),
    "label": ("A table's label.", {"type": "string", "minLength": 1, "maxLength": 20}),
    "position": (
        "The place of an entry in the log, from 1.",
        {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
    ),
    "size": (
        "How many entries a checkpoint signs.",
        {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
    ),
    "number": (
        "A round's number, from 1.",
        {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
    ),
    "hand": (
        "A closed hand's number, from 1.",
        {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
    ),
    "version": (
        "A version of the stream, from 1.",
        {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
    ),
    "run": ("The number of an audit.", {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}),
    "collection": (
        "The noun that the act adds to.",
        {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    ),
    "code": (
        "A number of the board, as `score.NS`.",
        {"type": "string", "pattern": "^[A-Za-z0-9_.]{1,40}$"},
    ),
    "account": (
        "An account of a game, as `N` or `hand`.",
        {"type": "string", "pattern": "^[A-Za-z0-9_:]{1,64}$"},
    ),
    "seat": ("A seat of a game.", {"type": "string", "pattern": "^[A-Z]{1,4}$"}),
    "member": (
        "A member's number, as `people/` has it.",
        {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
    ),
    "invitation": (
        "An invitation's number.",
        {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
    ),
    "preset": (
        "The number of kept house rules.",
        {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
    ),
    "projection": (
        "A computation, as `work/` names it.",
        {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    ),
    "what": (
        "What stands in the file.",
        {"type": "string", "enum": ["standings", "results", "seats", "report"]},
    ),
    "ending": (
        "The format of the file; a report is `trf`.",
        {"type": "string", "enum": ["csv", "json", "xlsx", "pdf", "trf"]},
    ),
    "entry": (
        "An entry of a tournament.",
        {"type": "string", "pattern": "^[^/\\x00-\\x1f]{1,64}$"},
    ),
}
AN_ID = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"},
    OpenApiParameter.HEADER,
    required=True,
    description=(
        "A UUID of this write. Sent again with the same content it gets the same answer "
        "and nothing is done twice."
    ),
)
ON_VERSION = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": '^"[0-9]{1,9}(-[0-9a-f]+)?"$'},
    OpenApiParameter.HEADER,
    required=False,
    description=(
        'The ETag of what the act builds on, or its version in quotes (`"12"`); without '
        "it the answer is 428."
    ),
)
SEEN = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="The ETag of what was seen before."
)
# What an operation makes, by the name under which the addresses of other operations have its id.
MAKES = {
    "start_game": "game",
    "create_tournament": "tournament",
    "draw_stock": "stock",
    "begin_season": "season",
    "start_tournament_game": "game",
    "begin_practice": "tournament",
}
_SHAPES: JsonObject = {}


def described(each: Operation, handler: Callable[..., Any]) -> Callable[..., Any]:
    """The handler of an operation with what the document says of it."""
    handler.__doc__, handler.__name__ = each.does.__doc__, each.name
    summary, _line, more = (each.does.__doc__ or "").strip().partition("\n")
    return extend_schema(
        operation_id=each.name,
        summary=summary,
        description=" ".join(more.split()) or None,
        tags=[each.does.__module__.rpartition(".")[2]],
        parameters=list(_parameters(each)),
        request={JSON: _body(each)} if each.body is not None else None,
        responses=_responses(each),
        auth=[{"token": []}] if each.act is not None else [{"token": []}, {}],  # type: ignore[list-item]
    )(handler)


def completed(
    result: JsonObject, generator: Any, request: Request | None, public: bool
) -> JsonObject:
    """The document with every shape, the paths' parameters described, the way to sign in, and the
    examples.
    """
    del generator, request, public
    _refs, shapes = msgspec.json.schema_components(list(_SHAPES.values()), ref_template=REF)
    components = result.setdefault("components", {})
    components["schemas"] = dict(sorted((name, _plain(shape)) for name, shape in shapes.items()))
    components["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token given by the salon's owner.",
        }
    }
    for methods in result["paths"].values():
        for each in methods.values():
            _describe_paths(each)
            _add_examples(each)
    _add_links(result["paths"])
    return result


@cache
def examples() -> JsonMapping:
    """What was sent and answered in a played evening, by operation."""
    return json.loads(EXAMPLES.read_text()) if EXAMPLES.exists() else {}


def _parameters(each: Operation) -> Iterator[OpenApiParameter]:
    if each.keyed:
        yield KEY
    if each.on_version:
        yield ON_VERSION
    if each.status == 200 and not each.keyed:
        yield SEEN
    if each.query is not None:
        yield from _of_query(each.query)
    if each.filters is not None:
        yield from _of_filters(each.filters)


def _of_query(shape: Any) -> Iterator[OpenApiParameter]:
    (schema,), _components = msgspec.json.schema_components([shape], ref_template=REF)
    properties = _components[schema["$ref"].rpartition("/")[2]]["properties"]
    for field in fields(shape):
        found = dict(_without_null(properties[field.name]))
        default = found.pop("default", None)
        words = found.pop("description", "")
        if default not in (None, ""):
            found["default"] = default
        yield OpenApiParameter(
            field.name, found, OpenApiParameter.QUERY, required=False, description=words
        )


def _without_null(schema: JsonObject) -> JsonObject:
    """The schema of a value that a query leaves out instead of saying null."""
    some = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    return (
        schema
        if not some
        else {
            **some[0],
            **{key: part for key, part in schema.items() if key not in ("anyOf", "default")},
        }
    )


def _of_filters(filters: type[django_filters.FilterSet]) -> Iterator[OpenApiParameter]:
    for name, each in filters.base_filters.items():
        schema: JsonObject = {"type": "string"}
        if isinstance(each, django_filters.BooleanFilter):
            schema = {"type": "boolean"}
        elif isinstance(each, django_filters.ChoiceFilter):
            schema = {
                "type": "string",
                "enum": [str(value) for value, _words in each.extra["choices"]],
            }
        elif isinstance(each, django_filters.NumberFilter):
            schema = {"type": "integer", "minimum": 0, "maximum": 10**15}
        yield OpenApiParameter(name, schema, OpenApiParameter.QUERY, description=str(each.label))


def _body(each: Operation) -> JsonObject:
    if each.body is Any:
        return {"type": "object", "description": each.reads, "additionalProperties": True}
    return _ref(each.body)


def _responses(each: Operation) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    if each.answers is None:
        found[each.status] = OpenApiResponse(description="Nothing more to say.")
    elif isinstance(each.answers, (str, tuple)):
        media = (each.answers,) if isinstance(each.answers, str) else each.answers
        found |= {
            (each.status, one): {"type": "object" if one == JSON else "string"} for one in media
        }
    else:
        found[each.status, JSON] = _ref(each.answers)
    usual = WRITE if each.keyed or each.body is not None else READ if each.status == 200 else ENDED
    more = (428,) if each.on_version else ()
    for status in sorted({*usual, *more, *each.problems}):
        found[status, MEDIA_TYPE] = _ref(ProblemDetails) if status != 304 else None
    return found


def _ref(shape: Any) -> JsonObject:
    _SHAPES[str(shape)] = shape
    (schema,), _components = msgspec.json.schema_components([shape], ref_template=REF)
    return schema


def _plain(shape: JsonObject) -> JsonObject:
    return {key: part for key, part in shape.items() if key != "title"}


def _describe_paths(each: JsonObject) -> None:
    for parameter in each.get("parameters", ()):
        if parameter["in"] == "path":
            words, schema = PATHS.get(
                parameter["name"], (f"The id of a {parameter['name']}.", AN_ID)
            )
            parameter["schema"], parameter["description"] = dict(schema), words


def _add_examples(each: JsonObject) -> None:
    if "requestBody" in each:
        each["requestBody"]["required"] = True
    example = examples().get(each["operationId"])
    for status, answer in each["responses"].items():
        answer["description"] = WORDS.get(int(status), answer.get("description") or "Done.")
    if example is None:
        return
    if "requestBody" in each and example.get("request") is not None:
        each["requestBody"]["content"][JSON]["example"] = example["request"]
    for status, answer in each["responses"].items():
        if status.startswith("2"):
            for content in list(answer.get("content", {}).values())[:1]:
                content["example"] = example["response"]
    for parameter in each.get("parameters", ()):
        if parameter["name"] in example.get("parameters", {}):
            parameter["example"] = example["parameters"][parameter["name"]]


def _add_links(paths: JsonObject) -> None:
    """Say of what was made which operations are about it, on the version that it has."""
    operations = [each for methods in paths.values() for each in methods.values()]
    for maker in (each for each in operations if each["operationId"] in MAKES):
        made = MAKES[maker["operationId"]]
        about = (
            each
            for each in operations
            if any(part["in"] == "path" and part["name"] == made for part in each["parameters"])
        )
        maker["responses"]["201"]["links"] = {
            each["operationId"]: _link(each, made) for each in about
        }


def _link(each: JsonObject, made: str) -> JsonObject:
    parameters = {f"path.{made}": "$response.body#/stream", "path.salon": "$request.path.salon"}
    if any(part["name"] == ON_VERSION.name for part in each["parameters"]):
        parameters[f"header.{ON_VERSION.name}"] = '"{$response.body#/version}"'
    return {"operationId": each["operationId"], "parameters": parameters}
