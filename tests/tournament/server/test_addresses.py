"""Where the salon can be reached."""

import socket
from contextlib import closing

import pytest

from tournament.server.environment.addresses import is_free, next_free_port
from tournament.server.process import banner
from tournament.server.process.banner import Addresses, addresses, code


def test_a_port_somebody_listens_at_is_not_free_and_the_next_one_is_taken_instead() -> None:
    with closing(socket.socket()) as door:
        # As another server of this kind listens: two of them must not share a port unnoticed.
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        door.bind(("0.0.0.0", 0))
        door.listen()
        taken = door.getsockname()[1]

        assert not is_free("0.0.0.0", taken)
        found = next_free_port("0.0.0.0", taken)

    assert found is not None
    assert found > taken


def test_a_server_that_listens_everywhere_has_an_address_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(banner, "network_address", lambda: "192.0.2.7")

    assert addresses("0.0.0.0", 8000) == Addresses(
        here="http://localhost:8000/", others="http://192.0.2.7:8000/"
    )


def test_without_a_network_only_this_machine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(banner, "network_address", lambda: None)

    assert addresses("0.0.0.0", 8000).others == ""
    assert addresses("127.0.0.1", 8000) == Addresses(here="http://127.0.0.1:8000/", others="")


def test_the_code_for_the_phone_is_square_and_its_lines_are_equally_long() -> None:
    lines = code("http://192.0.2.7:8000/")

    assert len({len(line) for line in lines}) == 1
    assert len(lines) == (len(lines[0]) + 1) // 2
    assert set(lines[0]) == {"█"}
