"""Components as their templates draw them."""

import re

import pytest
from django.template import Context, Template

from tests.tournament.helpers.playing import flat

LIBRARY = "{% load accord %}"


def drawn(source: str, **context: object) -> str:
    return Template(LIBRARY + source).render(Context(context))


@pytest.mark.parametrize(
    ("excess", "notches", "warning"),
    [(0, 0, ""), (7, 7, ""), (8, 8, "Two from the audit"), (9, 9, "One from the audit")],
)
def test_the_gauge_warns_when_the_audit_is_near(excess: int, notches: int, warning: str) -> None:
    gauge = drawn('{% include "precedence/gauge.html" %}', excess=excess)

    assert gauge.count('<i class="on">') == notches
    assert gauge.count("<i") == 9
    assert ("#seal-idle" in gauge) is not bool(warning)
    assert warning in gauge
    assert f"<b>{excess}</b> of 10" in gauge


@pytest.mark.parametrize(
    ("tricks", "contract", "inside", "over"),
    [(8, 7, 7, 1), (3, 5, 3, 0), (13, 0, 0, 13), (0, 13, 0, 0)],
)
def test_the_meter_has_thirteen_places_and_shows_what_is_above_the_contract(
    tricks: int, contract: int, inside: int, over: int
) -> None:
    meter = drawn('{% include "precedence/meter.html" %}', tricks=tricks, contract=contract)

    assert len(re.findall(r"<i[ >]", meter)) == 14  # thirteen places and the post
    assert meter.count('class="in on"') == inside
    assert meter.count('class="over"') == over
    assert (f"{over} over" in meter) is (over > 0)


def test_a_card_is_named_in_full_for_those_who_do_not_see_it() -> None:
    card = '{% include "precedence/card.html" %}'

    assert 'aria-label="Commander of Core, winning"' in drawn(
        card, code="CC", mark="win", said="winning"
    )
    assert 'aria-label="Voidpilot of Border"' in drawn(card, code="PB", variant="void")
    assert ">10<" in drawn(card, code="TF")


def test_an_icon_is_for_the_eye_only_unless_it_has_a_name() -> None:
    assert 'aria-hidden="true"' in drawn('{% icon "undo" %}')
    assert 'role="img" aria-label="Core is trump"' in drawn(
        '{% suit "core" label="Core is trump" %}'
    )


def test_what_somebody_wrote_is_never_taken_for_markup() -> None:
    name = "<b>Asha</b>"

    assert name not in drawn(
        '{% include "components/field.html" with id="n" name="n" label="Name" value=name only %}',
        name=name,
    )
    assert name not in drawn('{% suit "void" label=name %}', name=name)


def test_an_error_stands_beside_its_field_and_is_tied_to_it() -> None:
    error = {"message": "At most 13.", "rule": "P11"}
    field = drawn(
        (
            '{% include "components/field.html" with id="bid" name="bid" label="Bid" '
            'value="14" error=error only %}'
        ),
        error=error,
    )

    assert 'aria-invalid="true" aria-describedby="bid-error"' in flat(field)
    assert 'id="bid-error"' in field
    assert ">P11<" in field
