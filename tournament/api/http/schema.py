"""The OpenAPI document: what each action takes and answers, with what all share: keys,
versions, problems, and an example from a played evening.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

import django_filters
import msgspec
from django.http.response import HttpResponseBase
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiParameter, extend_schema

from scoring.shape import JsonMapping, JsonObject
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer
from tournament.api.http.viewsets import act_of, requires
from tournament.server.http.problem_details import MEDIA_TYPE, ProblemDetails

JSON = "application/json"
REF = "#/components/schemas/{name}"
EXAMPLES = Path(__file__).parent / "examples.json"
WORDS = {
    204: "Nothing more to say.",
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
OF_A_READ = (304, 400, 401, 403, 404, 429, 503)
OF_A_WRITE = (400, 401, 403, 404, 409, 413, 415, 422, 429, 503, 507)
OF_AN_END = (400, 401, 403, 404, 429, 503, 507)
A_NUMBER = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
A_SLUG = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}
AN_ID = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
PATHS: dict[str, tuple[str, JsonObject]] = {
    "salon": ("The salon's slug.", {"type": "string", "pattern": "^[-a-zA-Z0-9_]{1,64}$"}),
    "label": ("A table's label.", {"type": "string", "minLength": 1, "maxLength": 20}),
    "position": ("The place of a line in the log, from 1.", A_NUMBER),
    "size": ("How many lines of the log a checkpoint signs.", A_NUMBER),
    "number": ("A round's number, from 1.", A_NUMBER),
    "hand": ("A closed hand's number, from 1.", A_NUMBER),
    "run": ("The number of an audit.", A_NUMBER),
    "collection": ("The noun that the act adds to.", A_SLUG),
    "code": (
        "A number of the board, as `score.NS`.",
        {"type": "string", "pattern": "^[A-Za-z0-9_.]{1,40}$"},
    ),
    "account": (
        "An account of a game, as `N` or `hand`.",
        {"type": "string", "pattern": "^[A-Za-z0-9_:]{1,64}$"},
    ),
    "seat": ("A seat of a game.", {"type": "string", "pattern": "^[A-Z]{1,4}$"}),
    "member": ("A member's number, as `people/` has it.", A_NUMBER),
    "invitation": ("An invitation's number.", A_NUMBER),
    "preset": ("The number of kept house rules.", A_NUMBER),
    "projection": ("A computation, as `work/` names it.", A_SLUG),
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
IF_MATCH = OpenApiParameter(
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


class ApiSchema(AutoSchema):
    """The document's entry for an action: the input in `document_action`, and the answer
    in its return type.
    """

    view: Any

    def get_operation_id(self) -> str:
        """The name of the action."""
        return str(self.view.action)

    def get_tags(self) -> list[str]:
        """The module in which it stands."""
        return [type(self.view).__module__.rpartition(".")[2]]

    def get_summary(self) -> str:
        """The first paragraph of its docstring."""
        return self._words[0]

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        """Return the text after the summary; if there is none, the summary again."""
        return self._words[1] or self._words[0]

    def get_auth(self) -> list[Any]:
        """A token; or nothing where anybody may ask."""
        token: JsonObject = {"token": []}
        return [token] if act_of(self.view, self.view.action) is not None else [token, {}]

    def get_override_parameters(self) -> list[Any]:
        """The header that every read or write takes."""
        if self.method == "POST" and self.view.action not in self.view.without_key:
            return [KEY]
        return [SEEN] if self.method != "DELETE" else []

    def get_request_serializer(self) -> Any:
        """None but where the action takes one."""
        return None

    def get_response_serializers(self) -> Any:
        """None but files and refusals that the action names."""
        return {}

    @property
    def _words(self) -> tuple[str, str]:
        first, _line, more = (getattr(self.view, self.view.action).__doc__ or "").partition("\n\n")
        return " ".join(first.split()), " ".join(more.split())

    @property
    def _answers_by_status(self) -> dict[int, Any]:
        """The successful answers of the action, by status; none for a file."""
        shape = getattr(self.view, self.view.action).__annotations__["return"]
        if isinstance(shape, type) and issubclass(shape, HttpResponseBase):
            return {}
        writes = self.method == "POST" and self.view.action not in self.view.without_key
        status = 204 if shape is None else 201 if writes else 200
        return {status: get_args(shape)[0] if get_origin(shape) is Answer else shape}

    def _get_request_for_media_type(
        self, serializer: Any, direction: Any = "request"
    ) -> tuple[JsonObject | None, bool]:
        if not isinstance(serializer, str):
            return (self._shape(serializer, JSON) if serializer is not None else None), True
        words = {"description": serializer, "additionalProperties": True}
        return {"type": "object"} | words, True

    def _get_response_bodies(self, direction: Any = "response") -> JsonObject:
        usual = {"GET": OF_A_READ, "POST": OF_A_WRITE, "DELETE": OF_AN_END}[self.method]
        more = (428,) if IF_MATCH in self.get_override_parameters() else ()
        said: Any = self._answers_by_status | self.get_response_serializers()
        found: JsonObject = {}
        for named, shape in (dict.fromkeys((*usual, *more), ProblemDetails) | said).items():
            status, *media = named if isinstance(named, tuple) else (named, *_media(named))
            found[str(status)] = {"description": WORDS.get(status, "Done.")}
            if shape is not None and status != 304:
                content = {each: {"schema": self._shape(shape, each)} for each in media}
                found[str(status)]["content"] = content
        return dict(sorted(found.items()))

    def _shape(self, shape: Any, media: str) -> JsonObject:
        if shape is bytes:
            return {"type": "object" if media == JSON else "string"}
        (schema,), parts = msgspec.json.schema_components([shape], ref_template=REF)
        for name, part in parts.items():
            plain = {key: value for key, value in part.items() if key != "title"}
            for each in plain.get("properties", {}).values():
                if isinstance(each.get("default"), list | dict):
                    del each["default"]  # who leaves it out says nothing of it
            found = ResolvedComponent(name, ResolvedComponent.SCHEMA, plain, name)  # type: ignore[no-untyped-call]
            self.registry.register_on_missing(found)
        return schema


def document_action[A: Callable[..., object]](
    act: Permission | None = None,
    *,
    body: Any = None,
    query: Any = None,
    filters: type[django_filters.FilterSet] | None = None,
    version: bool = False,
    answers: Any = None,
) -> Callable[[A], A]:
    """Mark what an action takes: the `act` that it is, None for that of its view set; the shape of
    its `body`, or words on what any object holds; what may stand after `?`, the fields of `query`
    and the `filters`; and whether it builds on a `version`. `answers` are files, and refusals of
    its own.
    """

    def mark(action: A) -> A:
        parameters = [
            *(_of_query(query) if query is not None else ()),
            *(_of_filters(filters) if filters is not None else ()),
            *((IF_MATCH,) if version else ()),
        ]
        said = extend_schema(request=body, responses=answers or {}, parameters=parameters)(action)
        return requires(act)(said) if act is not None else said

    return mark


def completed(result: JsonObject, **about: Any) -> JsonObject:
    """The document with the words on what stands in addresses, with examples and with links."""
    for methods in result["paths"].values():
        for each in methods.values():
            _describe_paths(each)
            _add_examples(each)
    _add_links(result["paths"])
    return result


@cache
def examples() -> JsonMapping:
    """Return the requests and answers of a played evening, by operation."""
    return json.loads(EXAMPLES.read_text()) if EXAMPLES.exists() else {}


def _media(status: int) -> tuple[str]:
    return (MEDIA_TYPE if status >= 400 else JSON,)


def _of_query(shape: Any) -> Iterator[OpenApiParameter]:
    (schema,), _components = msgspec.json.schema_components([shape], ref_template=REF)
    properties = _components[schema["$ref"].rpartition("/")[2]]["properties"]
    for name in shape.__struct_fields__:
        found = dict(_without_null(properties[name]))
        default = found.pop("default", None)
        words = found.pop("description", "")
        if default not in (None, ""):
            found["default"] = default
        yield OpenApiParameter(
            name, found, OpenApiParameter.QUERY, required=False, description=words
        )


def _without_null(schema: JsonObject) -> JsonObject:
    """The schema of a value that a query leaves out instead of saying null."""
    some = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    if not some:
        return schema
    more = {key: part for key, part in schema.items() if key not in ("anyOf", "default")}
    return {**some[0], **more}


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


def _describe_paths(each: JsonObject) -> None:
    for parameter in each.get("parameters", ()):
        if parameter["in"] == "path":
            words, schema = PATHS.get(
                parameter["name"], (f"The id of a {parameter['name']}.", AN_ID)
            )
            parameter["schema"], parameter["description"] = dict(schema), words


def _add_examples(each: JsonObject) -> None:
    example = examples().get(each["operationId"])
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
    if any(part["name"] == IF_MATCH.name for part in each["parameters"]):
        parameters[f"header.{IF_MATCH.name}"] = '"{$response.body#/version}"'
    return {"operationId": each["operationId"], "parameters": parameters}
