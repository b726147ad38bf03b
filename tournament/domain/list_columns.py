"""Lists of people as other programs write them: which column holds what, and names that are written
surname first or numbered.
"""

import re
from collections.abc import Sequence

from tournament.domain.names import folded

PLAYERS, FIRST, LAST, CLUB, RATING, UNUSED = "players", "first", "last", "club", "rating", "unused"
ROLES = (PLAYERS, FIRST, LAST, CLUB, RATING, UNUSED)
NAMES = frozenset({PLAYERS, FIRST, LAST})
# The heading of a column in the languages of the lists seen, letters alone, without accents.
HEADINGS = {
    PLAYERS: "name names player players fullname playername pair pairs partner members spieler "
    "spielerin spielername paar partnerin teilnehmer teilnehmerin joueur joueurs joueuse paire nom "
    "jugador jugadores pareja nombre giocatore giocatori coppia nome speler spelers naam",
    FIRST: "first firstname forename forenames given givenname vorname vornamen prenom voornaam",
    LAST: "last lastname surname family familyname nachname familienname zuname nomdefamille "
    "apellido apellidos cognome achternaam",
    CLUB: "club clubname klub verein vereinsname circolo societa vereniging cercle",
    RATING: "rating ratings elo eloratings elorating fideelo fiderating rtg dwz nwz wertung "
    "wertungszahl classement punteggio",
    UNUSED: "no nr num number nummer id fideid snr sno start startnr rank rang place platz titel "
    "title land country fed federation born birthday geburtsdatum geburtsjahr jahrgang year sex "
    "geschlecht email mail phone telefon remark bemerkung",
}
ROLE_BY_HEADING = {word: role for role, words in HEADINGS.items() for word in words.split()}
OF_A_PLAYER = ("player", "partner", "spieler")  # before another heading
NUMBERED = re.compile(r"\s*[#(]?[0-9]{1,4}[.):]\s+(?=\S)")
# Small words before a surname of one word: van der Berg, de la Cruz, D' Arcy.
SURNAME = re.compile(r"(?:[^\W\d_]{1,3}['’]?\s+|(?:von|van|della|delle|dalla|zum|zur)\s+){0,3}\S+")
MOST_GIVEN_NAMES = 3
ROWS_LOOKED_AT = 40


def heading_role(heading: str) -> str:
    """Return the role of a column with this heading, "" if it is not known."""
    plain = "".join(letter for letter in folded(heading) if letter.isalpha())
    return ROLE_BY_HEADING.get(plain) or ROLE_BY_HEADING.get(_of_a_player(plain), "")


def _of_a_player(heading: str) -> str:
    start = next((start for start in OF_A_PLAYER if heading.startswith(start)), "")
    return heading.removeprefix(start)


def roles_of_headings(fields: Sequence[str]) -> tuple[str, ...]:
    """Return the role of each column if these are headings, else ().

    "Name" beside a first name is a surname, beside a surname a first name.
    """
    roles = [heading_role(field) for field in fields]
    if not NAMES.intersection(roles) or any(field.isdecimal() for field in fields):
        return ()
    known = [role for field, role in zip(fields, roles, strict=True) if field]
    if not all(known) and sum(map(bool, known)) < 2:
        return ()
    other = LAST if FIRST in roles and LAST not in roles else ""
    other = other or (FIRST if LAST in roles and FIRST not in roles else PLAYERS)
    return tuple(other if role == PLAYERS else role or UNUSED for role in roles)


def are_surnames_first(rows: Sequence[Sequence[str]]) -> bool:
    """Whether most of these rows, split at commas, are one name each: a surname, then given names.

    Clubs come again from row to row; given names seldom do.
    """
    rows = [row for row in rows[:ROWS_LOOKED_AT] if len(row) > 1]
    alike = [row for row in rows if _is_surname_first(row)]
    given = {row[1] for row in alike}
    return len(alike) * 2 > len(rows) and (len(alike) < 4 or len(given) * 2 > len(alike))


def _is_surname_first(row: Sequence[str]) -> bool:
    given = row[1].split()
    return (
        len(row) == 2
        and SURNAME.fullmatch(row[0]) is not None
        and 0 < len(given) <= MOST_GIVEN_NAMES
        and not any(letter.isdigit() for field in row for letter in field)
    )


def without_number(name: str) -> str:
    """A name without the number of the line that stands before it: `1. Pat One`."""
    found = NUMBERED.match(name)
    return name[found.end() :] if found is not None else name


def turn_name(name: str) -> str:
    """`Casadei, Mara` as Mara Casadei; a name without exactly one comma as it is."""
    last, comma, first = name.partition(",")
    if not comma or "," in first or not first.strip() or not last.strip():
        return name
    return f"{first.strip()} {last.strip()}"
