"""Finite fields: the laws of arithmetic hold in every one that a plan may need."""

from itertools import combinations
from math import gcd, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.domain.schedules.galois_field import Field, field, is_prime_power, prime_powers

PRIMES = [number for number in range(2, 130) if all(number % each for each in range(2, number))]
POWERS = sorted(prime**degree for prime in PRIMES for degree in range(1, 8) if prime**degree <= 128)
ORDERS = st.sampled_from(POWERS)


@st.composite
def a_field_and_three(draw: st.DrawFn) -> tuple[Field, int, int, int]:
    order = draw(ORDERS)
    element = st.integers(0, order - 1)
    return field(order), draw(element), draw(element), draw(element)


@given(a_field_and_three())
def test_sums_and_products_may_be_taken_in_any_order(given: tuple[Field, int, int, int]) -> None:
    of, a, b, c = given

    assert of.add(a, b) == of.add(b, a)
    assert of.multiply(a, b) == of.multiply(b, a)
    assert of.add(of.add(a, b), c) == of.add(a, of.add(b, c))
    assert of.multiply(of.multiply(a, b), c) == of.multiply(a, of.multiply(b, c))


@given(a_field_and_three())
def test_products_are_spread_over_sums(given: tuple[Field, int, int, int]) -> None:
    of, a, b, c = given

    assert of.multiply(a, of.add(b, c)) == of.add(of.multiply(a, b), of.multiply(a, c))


@given(a_field_and_three())
def test_nothing_added_one_multiplied_and_what_was_added_taken_away_change_nothing(
    given: tuple[Field, int, int, int],
) -> None:
    of, a, b, _ = given

    assert of.add(a, 0) == of.multiply(a, 1) == a
    assert of.subtract(of.add(a, b), b) == of.add(of.subtract(a, b), b) == a
    assert 0 <= of.add(a, b) < of.order
    assert 0 <= of.multiply(a, b) < of.order


@pytest.mark.parametrize("order", POWERS)
def test_the_powers_of_the_primitive_element_are_everything_but_nothing(order: int) -> None:
    of = field(order)

    assert sorted(of.powers) == list(range(1, order))
    assert of.powers[0] == of.power(order - 1) == 1
    assert all(
        of.multiply(one, of.power(1)) == other
        for one, other in zip(of.powers, (*of.powers[1:], 1), strict=True)
    )
    assert all(of.power(of.exponents[element]) == element for element in range(1, order))
    assert all(of.multiply(of.power(each), of.power(-each)) == 1 for each in range(order))


@given(st.sampled_from(PRIMES), st.data())
def test_a_field_of_prime_order_counts_as_whole_numbers_do(prime: int, data: st.DataObject) -> None:
    of = field(prime)
    a, b = (data.draw(st.integers(0, prime - 1)) for _ in range(2))

    assert of.add(a, b) == (a + b) % prime
    assert of.subtract(a, b) == (a - b) % prime
    assert of.multiply(a, b) == a * b % prime


@given(st.integers(1, 5000))
def test_a_number_is_the_product_of_its_prime_powers_which_share_no_divisor(number: int) -> None:
    parts = prime_powers(number)

    assert prod(parts) == number
    assert all(is_prime_power(part) for part in parts)
    assert is_prime_power(number) == (parts == (number,))
    assert all(gcd(one, other) == 1 for one, other in combinations(parts, 2))


def test_the_orders_of_fields_are_the_prime_powers() -> None:
    assert [number for number in range(130) if is_prime_power(number)] == POWERS
