"""What goes to a push service: encrypted as RFC 8291 has it in its own example, and signed as RFC
8292 asks, checked by other means than ours.
"""

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    derive_private_key,
    generate_private_key,
)
from pytest_django.fixtures import Settings

from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.vapid import checked
from tests.tournament.pushes.receiving import Browser, opened
from tournament.pushes.encryption import BadKeys, base64url, encrypt_notice, read_keys, unwritten
from tournament.pushes.vapid import authorization, key_of, public_key_of

# RFC 8291, section 5 and appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
RECEIVER_PUBLIC = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
    "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulc"
    "y4a-fN"
)
ENDPOINT = "https://push.example.net/send/abc?x=1"


def test_the_example_of_rfc_8291_comes_out_byte_for_byte() -> None:
    own = derive_private_key(int.from_bytes(unwritten(SENDER)), SECP256R1())
    keys = read_keys(RECEIVER_PUBLIC, SECRET)

    assert base64url(encrypt_notice(PLAIN, keys, salt=unwritten(SALT), own=own)) == BODY


def test_the_reader_of_these_tests_reads_the_example_of_rfc_8291() -> None:
    private = derive_private_key(int.from_bytes(unwritten(RECEIVER)), SECP256R1())

    assert opened(unwritten(BODY), private, unwritten(SECRET)) == PLAIN


def test_a_notice_is_read_by_its_browser_and_by_no_other() -> None:
    one, two = Browser.new(), Browser.new()
    own = generate_private_key(SECP256R1())
    body = encrypt_notice(PLAIN, read_keys(one.p256dh, one.auth), salt=bytes(16), own=own)

    assert opened(body, one.private, one.secret) == PLAIN
    assert PLAIN not in body
    with pytest.raises(InvalidTag):
        opened(body, two.private, two.secret)


@pytest.mark.parametrize(
    ("public", "secret"),
    [
        ("", SECRET),
        ("not base64url!", SECRET),
        ("ü" * 87, SECRET),
        (base64url(b"\x04" + bytes(64)), SECRET),  # no point of the curve
        (base64url(b"\x00"), SECRET),  # the point at infinity
        (RECEIVER_PUBLIC, ""),
        (RECEIVER_PUBLIC, base64url(bytes(15))),
        (RECEIVER_PUBLIC, base64url(bytes(17))),
    ],
)
def test_keys_that_are_none_are_refused(public: str, secret: str) -> None:
    with pytest.raises(BadKeys):
        read_keys(public, secret)


def test_a_push_service_is_told_who_sends_and_for_how_long() -> None:
    key = generate_private_key(SECP256R1())
    header = authorization(ENDPOINT, key=key, contact="mailto:salon@example.org", seconds=1_000)

    assert checked(header) == (
        {"typ": "JWT", "alg": "ES256"},
        {
            "aud": "https://push.example.net",
            "exp": 1_000 + 12 * 3600,
            "sub": "mailto:salon@example.org",
        },
    )
    begins, _dot, rest = header.partition(".")
    with pytest.raises(InvalidSignature):
        checked(f"{begins}.{rest[:10]}{'A' if rest[10] != 'A' else 'B'}{rest[11:]}")


@pytest.mark.django_db
def test_each_salon_has_a_key_that_stays_while_the_server_s_secret_does(
    settings: Settings,
) -> None:
    one, two = opened_salon(), opened_salon("Salon at Low Bridge", "nils@example.org")

    assert public_key_of(one) == public_key_of(one)
    assert public_key_of(one) != public_key_of(two)
    assert len(unwritten(public_key_of(one))) == 65
    before = public_key_of(one)
    settings.SECRET_KEY = "another" * 8
    assert public_key_of(one) != before
    assert key_of(one).curve.name == "secp256r1"
