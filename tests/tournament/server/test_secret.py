"""Secrets lie in files that only their owner reads, and everybody who asks gets the same one."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tournament.server.environment.secret_file import read_or_create_secret, write_secret


def test_a_secret_once_made_stays_the_same(tmp_path: Path) -> None:
    path = tmp_path / "data" / "secret-key"

    assert read_or_create_secret(path) == read_or_create_secret(path)
    assert len(read_or_create_secret(path)) >= 64


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "data" / "secret-key"
    read_or_create_secret(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_many_who_start_at_once_agree_on_one(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        secrets = set(pool.map(read_or_create_secret, [tmp_path / "secret-key"] * 64))

    assert len(secrets) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_keeping_something_else_replaces_it_whole(tmp_path: Path) -> None:
    write_secret(tmp_path / "key", "one")
    write_secret(tmp_path / "key", "two")

    assert (tmp_path / "key").read_text() == "two"
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
