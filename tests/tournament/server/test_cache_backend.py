"""What processes share is read as JSON: whoever can write it makes nobody run anything."""

import pickle

import pytest

from tournament.server.http.cache_backend import OPTIONS, JSONInRedis


@pytest.mark.parametrize("value", [0, 7, 1.5, "a", True, None, [1, "b"], {"until": 3.5}])
def test_what_is_remembered_comes_back_as_it_was(value: object) -> None:
    kept = JSONInRedis().dumps(value)

    assert JSONInRedis().loads(str(kept).encode() if isinstance(kept, int) else kept) == value


def test_a_number_is_kept_as_one_that_redis_counts() -> None:
    assert JSONInRedis().dumps(7) == 7
    assert isinstance(JSONInRedis().dumps(True), bytes)


@pytest.mark.parametrize(
    "planted", [pickle.dumps({"a": 1}), pickle.dumps("closed"), b"\xff", b"", b"[" * 200_000]
)
def test_what_is_no_json_counts_as_forgotten(planted: bytes) -> None:
    assert JSONInRedis().loads(planted) is None


def test_redis_is_read_by_it() -> None:
    assert OPTIONS["serializer"] is JSONInRedis
