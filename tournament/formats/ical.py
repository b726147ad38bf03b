"""Calendars that other programs subscribe to, as iCalendar has them (RFC 5545)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

OCTETS_A_LINE = 75  # without its end (RFC 5545, 3.1)
PRODUCT = "-//Accord//Rounds//EN"
# What a text may not have as it stands (3.3.11); of control characters it has none at all.
ESCAPED = str.maketrans(
    {"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"}
    | {chr(code): "" for code in (*range(10), *range(11, 32), 127)}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """Something that has a time. `uid` is the same for ever; `changed` is when what stands here was
    recorded.
    """

    uid: str
    begins: datetime
    ends: datetime
    changed: datetime
    title: str
    place: str
    text: str
    address: str


def as_ical(name: str, appointments: Sequence[Appointment]) -> bytes:
    """A calendar called `name`: lines end with CRLF, none has over 75 octets, times are UTC."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{PRODUCT}", f"X-WR-CALNAME:{_text(name)}"]
    for each in appointments:
        lines += _event(each)
    lines.append("END:VCALENDAR")
    return b"".join(_fold_line(line) for line in lines)


def _event(each: Appointment) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{each.uid}"
    yield f"DTSTAMP:{_moment(each.changed)}"
    yield f"DTSTART:{_moment(each.begins)}"
    yield f"DTEND:{_moment(each.ends)}"
    yield f"SUMMARY:{_text(each.title)}"
    yield f"LOCATION:{_text(each.place)}"
    yield f"DESCRIPTION:{_text(each.text)}"
    yield f"URL:{each.address}"
    yield "END:VEVENT"


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    return text.replace("\r\n", "\n").translate(ESCAPED)


def _fold_line(line: str) -> bytes:
    """A line as it is sent: broken where it is too long, never within a character; what goes on
    begins with a space, which counts.
    """
    pieces, piece = list[bytes](), b""
    for letter in line:
        octets = letter.encode()
        if len(piece) + len(octets) > OCTETS_A_LINE:
            pieces.append(piece)
            piece = b" "
        piece += octets
    return b"\r\n".join([*pieces, piece]) + b"\r\n"
