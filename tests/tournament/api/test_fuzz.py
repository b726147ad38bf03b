"""Whatever is sent to the API by whoever: no fault of our own, no status and no shape that the
document doesn't name.

Cases are made by schemathesis from the document; ids, versions and bodies are taken from a salon in
the middle of an evening where chance has it so, so that many requests get as far as the rules.
"""

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.db.models import Model
from django.test import override_settings
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from schemathesis import checks

from tests.tournament.api.calling import Caller, caller, owner_calls, version_of
from tests.tournament.api.walk import walked
from tests.tournament.helpers.salons import opened_salon
from tournament.api.http.schema import examples
from tournament.models import (
    Call,
    Delivery,
    Game,
    Invitation,
    Membership,
    Player,
    Preset,
    Salon,
    Screen,
    Season,
    Stock,
    Tournament,
    Webhook,
)

ROLES = (
    "owner",
    "director",
    "scorer",
    "auditor",
    "player",
    "scorer here",
    "anyone",
    "narrow token",
)
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
CASES_OF_AN_OPERATION = 40  # times 105 operations and 8 roles: more than 30,000
PLACES: dict[str, tuple[type[Model], str]] = {
    "game": (Game, "salon"),
    "tournament": (Tournament, "salon"),
    "stock": (Stock, "salon"),
    "player": (Player, "salon"),
    "season": (Season, "salon"),
    "call": (Call, "salon"),
    "screen": (Screen, "salon"),
    "hook": (Webhook, "salon"),
    "delivery": (Delivery, "webhook__salon"),
    "member": (Membership, "salon"),
    "invitation": (Invitation, "salon"),
    "preset": (Preset, "salon"),
}


@dataclass(slots=True)
class Evening:
    """A salon with something of everything in it, and who asks there."""

    salon: Salon
    client: Caller
    tried: int = 0
    statuses: dict[int, int] = field(default_factory=dict)


@pytest.fixture(scope="module")
def evening(stored_once: None) -> Iterator[Salon]:
    """A salon in the middle of an evening, for all tests here."""
    rates = {"token": "1000000/min", "address": "1000000/min"}
    with override_settings(API_RATES=rates, CELERY_TASK_ALWAYS_EAGER=False, WEBHOOKS_WITHIN=True):
        cache.clear()
        found = opened_salon()
        walked(found)
        yield found
        cache.clear()


@pytest.fixture
def salon(evening: Salon, undone: None) -> Iterator[Salon]:
    cache.clear()
    for signal in (
        request_started,
        request_finished,
    ):  # as Django's own test client does: the test's transaction goes on
        signal.disconnect(close_old_connections)
    yield Salon.objects.get(pk=evening.pk)
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def document() -> Any:
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # drf-spectacular has no types for it
    found = schemathesis.openapi.from_dict(json.loads(json.dumps(schema)))
    found.app = WSGIHandler()
    return found


def tried(document: Any, evening: Evening, *, cases: int, number: int) -> None:
    """So many cases of every operation."""
    for result in document.get_all_operations():
        operation = result.ok()

        @seed(number)
        @hypothesis_settings(
            max_examples=cases,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), data=st.data())
        def send(case: Any, data: st.DataObject) -> None:
            aimed(case, evening, data)
            (case.headers or {}).pop("Authorization", None)
            response = case.call(
                headers={"Authorization": f"Bearer {evening.client.token}"}
                if evening.client.token
                else {}
            )
            evening.tried += 1
            evening.statuses[response.status_code] = (
                evening.statuses.get(response.status_code, 0) + 1
            )
            case.validate_response(response, checks=CHECKS)

        send()


def aimed(case: Any, evening: Evening, data: st.DataObject) -> None:
    """Let the case be about something that is there, three times out of four."""
    if not data.draw(st.integers(0, 3)):
        return
    place = case.path_parameters
    place["salon"] = evening.salon.slug
    for name, (model, path) in PLACES.items():
        ids = (
            list(
                model._default_manager.filter(**{path: evening.salon})
                .order_by("pk")
                .values_list("pk", flat=True)
            )
            if name in place
            else []
        )
        if ids:
            place[name] = data.draw(st.sampled_from(ids))
    example = examples()[case.operation.definition.raw["operationId"]]
    place.update(
        {
            name: value
            for name, value in example["parameters"].items()
            if name in place and name not in PLACES and name != "salon"
        }
    )
    if "Idempotency-Key" in (case.headers or {}):
        case.headers["Idempotency-Key"] = str(uuid.UUID(int=data.draw(st.integers(0, 2**128 - 1))))
    if "If-Match" in (case.headers or {}) or case.operation.method.upper() == "POST":
        case.headers["If-Match"] = f'"{_version(place)}"'
    if example["request"] is not None and data.draw(st.booleans()):
        case.body = example["request"]


def _version(place: dict[str, Any]) -> int:
    if "game" in place:
        return version_of(place["game"])
    if "season" in place:
        return Season.objects.get(pk=place["season"]).version
    return Tournament.objects.get(pk=place["tournament"]).version if "tournament" in place else 0


@pytest.mark.long
def test_no_request_breaks_the_document(salon: Salon, document: Any) -> None:
    evening = Evening(salon, caller(salon, "owner"))

    tried(document, evening, cases=1, number=7)

    assert evening.tried > 60
    assert not any(status >= 500 for status in evening.statuses)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("role", ROLES)
def test_no_request_of_twenty_thousand_breaks_the_document(
    salon: Salon,
    document: Any,
    role: str,
    part: int,
    record_property: Callable[[str, object], None],
) -> None:
    evening = Evening(salon, caller(salon, role))

    tried(document, evening, cases=CASES_OF_AN_OPERATION // 10, number=part)

    record_property("cases", evening.tried)  # for whoever counts them: `--junit-xml`
    assert evening.tried * len(ROLES) * 10 > 20_000


def test_what_an_answer_leads_to_is_there(salon: Salon, document: Any) -> None:
    """The links of the document, followed from answer to answer."""
    token = owner_calls(salon).token
    machine = document.as_state_machine()

    class Signed(machine):  # type: ignore[misc, valid-type]  # the class is made from the schema
        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            case.path_parameters["salon"] = salon.slug
            return {"headers": {"Authorization": f"Bearer {token}"}}

        def validate_response(self, response: Any, case: Any, **about: Any) -> None:
            case.validate_response(response, checks=CHECKS)

    Signed.run(
        settings=hypothesis_settings(
            max_examples=8,
            stateful_step_count=6,
            database=None,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
    )
