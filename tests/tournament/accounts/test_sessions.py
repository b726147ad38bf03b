"""What a session says is read once while its row says the same, and never believed unsigned."""

from secrets import token_hex
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import override_settings

from tournament.accounts.sessions import LONGEST, SessionStore

pytestmark = pytest.mark.django_db


def begun(**content: object) -> str:
    session = SessionStore()
    session.update(content)
    session.create()
    assert session.session_key
    return session.session_key


def found(key: str) -> dict[str, object]:
    return dict(SessionStore(key).items())


def test_a_session_is_read_once_while_its_row_says_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = begun(table={"label": "4"}, hands=[1, 2])
    assert found(key) == {"table": {"label": "4"}, "hands": [1, 2]}

    monkeypatch.setattr(signing, "loads", lambda *_, **__: pytest.fail("it was read again"))

    assert found(key) == {"table": {"label": "4"}, "hands": [1, 2]}


def test_a_long_session_takes_no_room_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    words = token_hex(LONGEST)  # which no signing makes short
    key = begun(typed=words)
    reads: list[object] = []
    loads = signing.loads

    def counted(*given: Any, **named: Any) -> Any:
        reads.append(given)
        return loads(*given, **named)

    monkeypatch.setattr(signing, "loads", counted)

    assert [found(key), found(key)] == [{"typed": words}] * 2
    assert len(reads) == 2


def test_what_one_request_changes_of_a_session_is_no_others_until_it_is_saved() -> None:
    key = begun(table={"label": "4"})
    first = SessionStore(key)

    first["table"]["label"] = "5"

    assert found(key) == {"table": {"label": "4"}}
    first.modified = True
    first.save()
    assert found(key) == {"table": {"label": "5"}}


def test_a_session_that_was_ended_is_over_though_what_it_said_is_known() -> None:
    key = begun(table={"label": "4"})
    assert found(key)

    SessionStore(key).flush()

    assert found(key) == {}


def test_a_row_that_somebody_wrote_without_the_key_says_nothing() -> None:
    key = begun(table={"label": "4"})
    assert found(key)
    row = Session.objects.get(pk=key)
    row.session_data = row.session_data[:-1] + ("A" if row.session_data[-1] != "A" else "B")
    row.save()

    assert found(key) == {}


def test_with_another_key_nothing_signed_before_is_believed() -> None:
    key = begun(table={"label": "4"})
    assert found(key)

    with override_settings(SECRET_KEY="another key", SECRET_KEY_FALLBACKS=[]):
        assert found(key) == {}
