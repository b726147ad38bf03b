"""The OpenAPI document: valid, whole, with an example for everything, and every answer of an
evening as it says.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.tournament.api.calling import actions
from tests.tournament.api.walk import walked
from tests.tournament.helpers.salons import opened_salon
from tournament.api.http.schema import EXAMPLES

WRITE = "ACCORD_WRITE_EXAMPLES"


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call, no-any-return]  # drf-spectacular has no types for it


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for methods in schema["paths"].values():
        for each in methods.values():
            yield each["operationId"], each


def shape_of_success(operation: dict[str, Any]) -> dict[str, Any] | None:
    """The media type of what is answered when all went well; None for no content."""
    (answer,) = [
        answer for status, answer in operation["responses"].items() if status.startswith("2")
    ]
    content = list(answer.get("content", {}).values())
    return content[0] if content else None


def faults(schema: dict[str, Any], shape: dict[str, Any], value: object) -> list[str]:
    """What is wrong with a value of this shape."""
    registry = Registry().with_resource("urn:document", DRAFT202012.create_resource(schema))
    rooted = json.loads(json.dumps(shape).replace('"#/components', '"urn:document#/components'))
    return [error.message for error in OAS31Validator(rooted, registry=registry).iter_errors(value)]


def test_the_document_is_valid_and_has_every_operation(schema: dict[str, Any]) -> None:
    validate(schema)

    here = {operation.name for operation in actions()}
    assert {name for name, _operation in operations(schema)} == here
    assert schema["openapi"].startswith("3.1")


def test_every_operation_says_what_it_does_and_how_it_fails(schema: dict[str, Any]) -> None:
    for name, operation in operations(schema):
        assert operation["summary"], name
        assert {"400", "401", "404", "429"} <= operation["responses"].keys(), name
        assert all(parameter["description"] for parameter in operation["parameters"]), name


def test_every_operation_has_an_example_that_is_as_its_shape_says(schema: dict[str, Any]) -> None:
    for name, operation in operations(schema):
        answer = shape_of_success(operation)
        if answer is not None:
            assert faults(schema, answer["schema"], answer["example"]) == [], name
        if "requestBody" in operation and name not in {"sign_checkpoint"}:
            body = operation["requestBody"]["content"]["application/json"]
            assert faults(schema, body["schema"], body["example"]) == [], name


def test_every_answer_of_an_evening_is_as_the_document_says(
    db: None, schema: dict[str, Any]
) -> None:
    known = dict(operations(schema))

    kept = walked(opened_salon())

    assert kept.keys() == known.keys()
    for name, exchange in kept.items():
        assert str(exchange["status"]) in known[name]["responses"], name
        answer = shape_of_success(known[name])
        if answer is not None:
            assert faults(schema, answer["schema"], exchange["response"]) == [], name
    if os.environ.get(WRITE):
        EXAMPLES.write_text(json.dumps(kept, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
