"""Three encoders that know nothing of each other agree on canonical JSON."""

import json

import orjson
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from ledger.canonical import encode_independently, fault_of
from ledger.chain import encode

keys = st.text(st.characters(min_codepoint=0, max_codepoint=127), max_size=8)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
integers = st.integers(-(2**53) + 1, 2**53 - 1)
scalars = st.none() | st.booleans() | integers | texts
bodies = st.dictionaries(
    keys, st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4)), max_size=5
)


@given(value=bodies)
def test_what_the_store_writes_is_canonical_to_both_other_encoders(value: dict[str, object]) -> None:
    written = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)

    assert written == rfc8785.dumps(value)
    assert fault_of(written.decode()) is None


@given(entry=st.dictionaries(keys, integers | texts, max_size=6))
def test_metadata_encodes_the_same_for_store_and_verifier(entry: dict[str, int | str]) -> None:
    assert encode(dict(entry)) == encode_independently(dict(entry)) == rfc8785.dumps(entry)


@given(value=bodies)
def test_the_same_value_in_any_other_form_is_not_canonical(value: dict[str, object]) -> None:
    written = orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    for other in (json.dumps(value, indent=1), json.dumps(dict(sorted(value.items(), reverse=True)), separators=(",", ":")), written + " "):
        assert other == written or fault_of(other)


@pytest.mark.parametrize("number", [2**53, -(2**53), 10**30])
def test_an_integer_beyond_two_to_the_53rd_is_a_fault(number: int) -> None:
    assert fault_of(f'{{"a":{number}}}')
    with pytest.raises(ValueError, match="beyond"):
        encode_independently({"a": number})


def test_a_long_number_within_bounds_is_not_a_fault() -> None:
    assert fault_of(f'{{"a":{2**53 - 1}}}') is None


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":NaN}', '{"a":-0.0}', '{"a":-0}', '{"a":1E400}', "", '{"\\ud800":1}', '["\\ud800"]'])
def test_what_is_not_canonical_json_is_a_fault_and_not_an_error(body: str) -> None:
    assert fault_of(body)
