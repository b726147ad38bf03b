"""Three encoders that know nothing of each other agree on canonical JSON."""

import json
import re
from typing import Any

import orjson
import pytest
import rfc8785
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.canonical import are_canonical, encode_independently, fault_of
from ledger.chain import Posted, Stored, encode, metadata

keys = st.text(st.characters(min_codepoint=0, max_codepoint=127), max_size=8)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
integers = st.integers(-(2**53) + 1, 2**53 - 1)
scalars = st.none() | st.booleans() | integers | texts
bodies = st.dictionaries(
    keys,
    st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    ),
    max_size=5,
)

EVENT = Stored(1, 1, "s", 1, "t", 1, 1, 1, "a", "c", "{}", "", "")
POSTED = Posted("N", "", 0, "hand", "", 0, 1, None)

QUIET = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # a busy machine is no fault


@QUIET
@given(value=bodies)
def test_what_the_store_writes_is_canonical_to_both_other_encoders(value: dict[str, Any]) -> None:
    written = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)

    assert written == rfc8785.dumps(value)
    assert fault_of(written.decode()) is None


flags, whole = st.integers(0, 1), st.integers(1, 2**53 - 1)
events = st.builds(
    Stored._make,
    st.tuples(
        whole,
        whole,
        texts,
        whole,
        texts,
        whole,
        integers,
        integers,
        texts,
        texts,
        texts,
        texts,
        texts,
    ),
)
transfers = st.none() | st.builds(
    Posted, texts, texts, flags, texts, texts, flags, whole, st.none() | whole
)


@QUIET
@given(event=events, posted=transfers, key=texts, digest=texts)
def test_metadata_encodes_the_same_for_store_and_verifier(
    event: Stored, posted: Posted | None, key: str, digest: str
) -> None:
    entry: dict[str, Any] = metadata(event, log_key=key, digest=digest, posted=posted)

    written = encode_independently(event, log_key=key, digest=digest, posted=posted)
    assert written == encode(entry) == rfc8785.dumps(entry)


@QUIET
@given(value=bodies)
def test_the_same_value_in_any_other_form_is_not_canonical(value: dict[str, object]) -> None:
    written = orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    for other in (
        json.dumps(value, indent=1),
        json.dumps(dict(sorted(value.items(), reverse=True)), separators=(",", ":")),
        written + " ",
    ):
        assert other == written or fault_of(other)


@pytest.mark.parametrize("number", [2**53, -(2**53), 10**30])
def test_an_integer_beyond_two_to_the_53rd_is_a_fault(number: int) -> None:
    assert fault_of(f'{{"a":{number}}}')
    with pytest.raises(ValueError, match="beyond"):
        encode_independently(EVENT._replace(recorded_at=number), log_key="", digest="", posted=None)
    with pytest.raises(ValueError, match="below"):
        encode_independently(EVENT, log_key="", digest="", posted=POSTED._replace(chips=number))


def test_a_long_number_within_bounds_is_not_a_fault() -> None:
    assert fault_of(f'{{"a":{2**53 - 1}}}') is None


@pytest.mark.parametrize(
    "body",
    [
        "[" * 100_000,
        '{"a":NaN}',
        '{"a":-0.0}',
        '{"a":-0}',
        '{"a":1E400}',
        "",
        '{"\\ud800":1}',
        '["\\ud800"]',
    ],
)
def test_what_is_not_canonical_json_is_a_fault_and_not_an_error(body: str) -> None:
    assert fault_of(body)


@pytest.mark.parametrize("number", [1.0, True, "1", "null", None])
def test_chips_that_are_no_whole_number_are_not_encoded(number: object) -> None:
    with pytest.raises(ValueError, match="not an integer"):
        encode_independently(EVENT, log_key="", digest="", posted=POSTED._replace(chips=number))  # type: ignore[arg-type]  # no integer, on purpose


@QUIET
@given(
    values=st.lists(bodies, min_size=1, max_size=6),
    wrong=st.sampled_from(["", " ", '{"b":1,"a":2}', "1.5", '"\\u0041"', "{}{}", "]"]),
)
def test_many_bodies_at_once_are_canonical_when_each_of_them_is(
    values: list[dict[str, object]], wrong: str
) -> None:
    written = [orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode() for value in values]

    if all(map(str.isascii, written)):
        assert are_canonical(written) or any(
            len(number) > 15 for number in re.findall(r"\d+", "".join(written))
        )
    assert not are_canonical([*written, wrong])
    assert not are_canonical([wrong, *written])


@pytest.mark.parametrize(
    "parts",
    [
        ["1,2", "[3", "4]"],
        ["[1", "2]"],
        ['{"a":[{}', "{}]}", "{},{}"],
        ["1,2"],
        ['"', '"'],
        ["", "1,1"],
        ["[1],[2]"],
    ],
)
def test_bodies_that_only_together_are_canonical_are_not(parts: list[str]) -> None:
    assert not are_canonical(parts)
