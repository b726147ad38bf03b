"""Finite fields, small: what plans by construction count in.

An element is a number below the order. Written to the base of the characteristic, its digits are
the coefficients of a polynomial, the lowest first; so 0 and 1 are what they are called, and in a
field of prime order everything is as among whole numbers modulo that prime.
"""

from dataclasses import dataclass
from functools import cache, lru_cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of `order` elements: `powers` are those of a primitive element from 1 on, so all but
    0 in turn; `exponents` says where in it each element stands (0 stands nowhere: -1).
    """

    order: int
    characteristic: int
    powers: tuple[int, ...]
    exponents: tuple[int, ...]

    def add(self, one: int, other: int) -> int:
        """The sum of two elements."""
        return _add(one, other, self.characteristic)

    def subtract(self, one: int, other: int) -> int:
        """Return the element that added to `other` makes `one`."""
        return _add(
            one, _times(self.characteristic - 1, other, self.characteristic), self.characteristic
        )

    def multiply(self, one: int, other: int) -> int:
        """The product of two elements."""
        if not one or not other:
            return 0
        return self.power(self.exponents[one] + self.exponents[other])

    def power(self, exponent: int) -> int:
        """The primitive element to the power of any whole number."""
        return self.powers[exponent % (self.order - 1)]


@cache
def field(order: int) -> Field:
    """The field of `order` elements, a prime power; always the same one."""
    assert is_prime_power(order)
    characteristic = _least_prime(order)
    powers = next(
        found
        for replacement in range(1, order)
        if len(found := _powers_of_x(order, characteristic, replacement)) == order - 1
    )
    exponents = [-1] * order
    for exponent, element in enumerate(powers):
        exponents[element] = exponent
    return Field(
        order=order, characteristic=characteristic, powers=powers, exponents=tuple(exponents)
    )


@lru_cache(maxsize=1024)  # every sum and product in a plan of several groups asks for them
def prime_powers(number: int) -> tuple[int, ...]:
    """The prime powers a number from 1 on is the product of, one of each prime, by prime:
    (8, 3, 5) for 120.
    """
    parts = []
    while number > 1:
        prime, part = _least_prime(number), 1
        while number % prime == 0:
            number, part = number // prime, part * prime
        parts.append(part)
    return tuple(parts)


def is_prime_power(number: int) -> bool:
    """Whether there is a field of this order."""
    return number > 1 and len(prime_powers(number)) == 1


def _least_prime(number: int) -> int:
    return next(divisor for divisor in range(2, number + 1) if number % divisor == 0)


def _powers_of_x(order: int, characteristic: int, replacement: int) -> tuple[int, ...]:
    """The powers of x from 1 to where they first come back to one that was there, in polynomials
    whose leading x to the degree of the field is `replacement`. (Of degree 1, x is a number.)
    """
    found: dict[int, None] = {}
    power = 1
    while power and power not in found:
        found[power] = None
        leading, rest = divmod(power * characteristic, order)
        power = _add(rest, _times(leading, replacement, characteristic), characteristic)
    return tuple(found)


def _add(one: int, other: int, base: int) -> int:
    """The sum digit by digit, nothing carried."""
    total, place = 0, 1
    while one or other:
        total += (one + other) % base * place
        one, other, place = one // base, other // base, place * base
    return total


def _times(times: int, element: int, base: int) -> int:
    total, place = 0, 1
    while element:
        total += times * element % base * place
        element, place = element // base, place * base
    return total
