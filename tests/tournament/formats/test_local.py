"""Time zone, language and logo of a salon: chosen in the settings as facts of the house, and seen
on every page and print.
"""

import json
import struct
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone, translation

from ledger.models import Event
from scoring.errors import NotationError
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.evenings import registered
from tests.tournament.helpers.pictures import a_png, chunk
from tests.tournament.helpers.playing import a_command, a_game, flat, told
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tournament.formats.local.dates import date_text
from tournament.formats.local.languages import languages_in
from tournament.formats.local.pictures import MOST_BYTES, PNG, read_picture
from tournament.models import Logo, Salon
from tournament.privacy import retention
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences

SETTINGS = {"name": "Salon at Border Gate", "names_shown": "whole", "forget_players_days": "0"}


def a_webp(width: int = 3, height: int = 2, *, more: bytes = b"") -> bytes:
    """The frame of a lossless picture."""
    data = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14) + b"\0" * 5
    body = b"VP8L" + struct.pack("<I", len(data)) + data + more
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def sends(client: Client, content: bytes, name: str = "logo.png") -> Answer:
    return client.post(
        "/settings/logo/", {"command": a_command(), "logo": SimpleUploadedFile(name, content)}
    )


def test_times_are_those_of_the_salon_on_every_page(salon: Salon, owner: Client) -> None:
    a_game(salon, table="4")
    at = Event.objects.order_by("-position").values_list("recorded_at", flat=True)[0]
    moment = datetime.fromtimestamp(at / 1_000_000, UTC)

    answer = owner.post(
        "/settings/", SETTINGS | {"time_zone": "Asia/Kathmandu", "language": "en-gb"}
    )

    assert answer.status_code == 302
    there = timezone.localtime(moment, ZoneInfo("Asia/Kathmandu"))
    assert f"{there:%H:%M:%S}" in told(owner.get("/history/"))
    assert "from here on times are those of Asia/Kathmandu" in told(owner.get("/house/"))
    assert Salon.objects.get().time_zone == "Asia/Kathmandu"
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    assert list(audit(salon)) == []


def test_the_next_request_of_another_salon_has_its_own_time(salon: Salon, owner: Client) -> None:
    other = opened_salon("Harbour Salon", "nela@example.org")
    owner.post("/settings/", SETTINGS | {"time_zone": "Asia/Kathmandu"})
    owner.get("/")
    assert timezone.get_current_timezone_name() == "Asia/Kathmandu"

    owner_of(other).get("/")

    assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("time_zone", "Mars/Olympus"),
        ("time_zone", "../etc/passwd"),
        ("language", "tlh"),
        ("paper", "a3"),
        ("paper", ""),
    ],
)
def test_a_zone_a_language_or_a_paper_that_is_none_is_refused_beside_its_field(
    salon: Salon, owner: Client, field: str, value: str
) -> None:
    answer = owner.post("/settings/", SETTINGS | {"name": "Otherwise", field: value})

    assert answer.status_code == 422
    said = {"paper": "Ask for a4 or letter"}
    assert said.get(field, "from the list") in told(answer)
    assert 'aria-invalid="true"' in answer.text
    assert Salon.objects.get().name == "Salon at Border Gate"
    assert not Event.objects.exists()


def test_settings_without_a_change_of_place_record_nothing(salon: Salon, owner: Client) -> None:
    owner.post("/settings/", SETTINGS | {"time_zone": "", "language": ""})

    assert not Event.objects.exists()


def test_british_and_american_english_write_dates_in_their_own_order(
    salon: Salon, owner: Client
) -> None:
    day, moment = date(2026, 11, 22), datetime(2026, 11, 22, 18, 5, tzinfo=UTC)
    with translation.override("en-gb"):
        assert (date_text(day), date_text(moment, "j F Y, H:i")) == (
            "22 November 2026",
            "22 November 2026, 18:05",
        )
    with translation.override("en-us"):
        assert (date_text(day), date_text(moment, "j F Y, H:i")) == (
            "November 22, 2026",
            "November 22, 2026, 6:05 PM",
        )

    assert '<html lang="en-gb">' in owner.get("/").text
    owner.post("/settings/", SETTINGS | {"language": "en-us"})
    page = owner.get("/").text
    assert '<html lang="en-us">' in flat(page)
    assert f"{timezone.localdate():%B} {timezone.localdate().day}" in page
    assert '<html lang="en-us">' in Client().get("/sign-in/").text


def test_a_folder_in_locale_puts_its_language_on_offer(tmp_path: Path) -> None:
    for code in ("pt_BR", "fr"):
        (tmp_path / code / "LC_MESSAGES").mkdir(parents=True)
    (tmp_path / "pt_BR" / "LC_MESSAGES" / "django.mo").write_bytes(b"")

    assert languages_in(tmp_path) == [
        ("en-gb", "British English"),
        ("en-us", "American English"),
        ("pt-br", "Português brasileiro"),
    ]
    assert [code for code, _name in languages_in(tmp_path / "nothing")] == ["en-gb", "en-us"]


def test_the_night_is_that_of_the_salon(salon: Salon) -> None:
    later = datetime(2027, 3, 1, 3, 0, tzinfo=UTC)
    assert retention.is_due(salon, later)

    salon.time_zone = "America/Los_Angeles"

    assert not retention.is_due(salon, later)
    assert retention.is_due(salon, later.replace(hour=11))


def test_a_logo_stands_on_pages_and_prints_and_can_be_taken_away(
    salon: Salon, owner: Client
) -> None:
    assert sends(owner, a_png()).status_code == 302

    kept = Logo.objects.get()
    for client in (owner, Client()):
        assert (
            f'src="/logo/{kept.digest}"' in client.get("/").text
            or f'src="/logo/{kept.digest}/"' in client.get("/").text
        )
        answer = client.get(f"/logo/{kept.digest}/")
        assert (answer.status_code, answer["Content-Type"], answer["X-Content-Type-Options"]) == (
            200,
            "image/png",
            "nosniff",
        )
        assert "immutable" in answer["Cache-Control"]
        assert answer.content == bytes(kept.content)
    row = registered(salon)
    plain = len(b"".join(owner.get(f"/tournaments/{row.pk}/files/standings.pdf")))
    assert "A new logo stands beside the salon's name" in told(owner.get("/house/"))

    assert (
        owner.post("/settings/logo/", {"command": a_command(), "what": "remove"}).status_code == 302
    )

    assert not Logo.objects.exists()
    assert "/logo/" not in Client().get("/").text
    assert "The logo was taken away." in told(owner.get("/house/"))
    assert len(b"".join(owner.get(f"/tournaments/{row.pk}/files/standings.pdf"))) < plain
    assert list(audit(salon)) == []


def test_another_logo_takes_the_place_of_the_first(salon: Salon, owner: Client) -> None:
    sends(owner, a_png())
    sends(owner, a_webp(), "logo.webp")

    assert Logo.objects.get().media_type == "image/webp"
    assert Salon.objects.get().logo == Logo.objects.get().digest


def test_nothing_but_the_picture_is_kept() -> None:
    place = (
        chunk(b"eXIf", b"where it was taken")
        + chunk(b"tEXt", b"Author\0somebody")
        + chunk(b"acTL", b"\0" * 8)
    )
    webp = b"EXIF" + struct.pack("<I", 18) + b"where it was taken"

    assert read_picture(a_png(more=place)).content == a_png()
    assert read_picture(a_png() + b"<script>").content == a_png()
    assert read_picture(a_webp(more=webp)).content == a_webp()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
        b"GIF89a",
        PNG,
        a_png()[:-20],
        a_png(width=2001),
        a_png(pixels=b"\0" * 10_000_000),
        a_png(pixels=b"\0"),
        a_png().replace(b"IHDR", b"IHDX"),
        b"RIFF\x04\0\0\0WEBP",
        a_webp(height=2001),
        b"RIFF\xff\xff\0\0WEBPVP8L",
        a_png() + b"\0" * MOST_BYTES,
    ],
)
def test_what_is_no_picture_of_modest_size_is_refused(content: bytes) -> None:
    with pytest.raises(NotationError):
        read_picture(content)


@pytest.mark.parametrize("content", [b"<svg/>", b"\0" * (MOST_BYTES + 1)])
def test_a_logo_that_is_refused_says_so_beside_its_field(
    salon: Salon, owner: Client, content: bytes
) -> None:
    answer = sends(owner, content)

    assert answer.status_code == 422
    assert 'id="logo-error"' in answer.text
    assert not Logo.objects.exists()
    assert not Event.objects.exists()


def test_nobody_but_the_owner_changes_the_logo(salon: Salon) -> None:
    assert sends(member(salon, "director"), a_png()).status_code == 403


def test_a_logo_of_another_salon_is_not_served_here(salon: Salon, owner: Client) -> None:
    sends(owner, a_png())
    other = opened_salon("Harbour Salon", "nela@example.org")

    assert owner_of(other).get(f"/logo/{Logo.objects.get().digest}/").status_code == 404


def test_the_settings_show_what_holds(salon: Salon, owner: Client) -> None:
    owner.post("/settings/", SETTINGS | {"time_zone": "Europe/Lisbon", "language": "en-us"})

    page = owner.get("/settings/").text

    assert "<option selected>Europe/Lisbon</option>" in page
    assert '<option value="en-us" selected lang="en-us">American English</option>' in flat(page)


def test_the_api_sets_them_too(salon: Salon) -> None:
    from base64 import b64encode

    from tests.tournament.api.calling import owner_calls

    caller = owner_calls(salon)
    sent = {
        "name": "Salon",
        "names_shown": "whole",
        "time_zone": "Europe/Lisbon",
        "language": "en-us",
    }
    assert caller.post("settings/", sent).value["time_zone"] == "Europe/Lisbon"
    assert (
        caller.post("settings/", {"name": "Salon", "names_shown": "whole"}).value["language"]
        == "en-us"
    )
    assert (
        caller.post("settings/", sent | {"time_zone": "Mars/Olympus"}).value["path"] == "time_zone"
    )
    assert (
        caller.post("logo/", {"logo": b64encode(a_png()).decode()}).value["logo"]
        == Logo.objects.get().digest
    )
    assert caller.post("logo/", {"logo": "no base64"}).status == 400
    assert caller.delete("logo/").status == 204
    assert json.dumps(caller.get("settings/").value).count('"logo": ""') == 1
