"""`manage.py simulate`: a whole tournament played by chance, through the same commands a director,
captains and tables use.
"""

import sys
import time
import uuid
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count
from django.utils.text import slugify

from ledger.models import Event
from ledger.reading import head_of
from ledger.store import open_log
from scoring.errors import Refusal
from scoring.games import GAMES
from tournament.demo.evening import count_names, play_evening_of_pairs
from tournament.demo.practice import open_practice
from tournament.demo.tables import Evening
from tournament.demo.whole_event import play_event
from tournament.domain.tournament.state import State
from tournament.exchange.tournament_records import with_names
from tournament.integrity.audit import audit
from tournament.management.console import print_json, print_line, show_progress, terminal_output
from tournament.management.event_arguments import ROUNDS, add_event_arguments, event_asked
from tournament.management.salon_argument import database_in_words, ready_database, the_salon
from tournament.models import Salon
from tournament.projections.background import catch_up
from tournament.queries.cut_words import cut_words
from tournament.salons.public_names import Audience
from tournament.tasks import PROJECTIONS

ACTOR = "simulation"
MOST_ENTRIES = 800
FEWEST_ENTRIES = 4
MOST_OFTEN = 20.0


class Command(BaseCommand):
    """Exit status 0 when the audit at the end finds nothing, 1 with the findings otherwise."""

    help = (
        "Play a whole event by chance in a salon of its own, then audit it: a Swiss of Precedence "
        "pairs, or any other format, or several with cuts between them."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the size, which of all possible evenings it is, and the salon."""
        parser.add_argument(
            "--entries", type=int, default=32, help="how many pairs, players or teams; 32 without"
        )
        parser.add_argument(
            "--rounds", type=int, help="how many rounds; 5 without it, or as the format has them"
        )
        parser.add_argument(
            "--seed", type=int, default=1, help="another number gives another evening"
        )
        parser.add_argument(
            "--hands", type=int, default=3, help="hands a game before time is up; 3 without it"
        )
        parser.add_argument(
            "--trouble",
            type=float,
            default=1,
            help="how often something goes wrong, against an ordinary evening; with --stage",
        )
        parser.add_argument(
            "--salon",
            metavar="SLUG",
            default="",
            help="the new salon's slug; simulation-SEED without it",
        )
        parser.add_argument("--game", choices=GAMES, default="precedence", help="what is played")
        add_event_arguments(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object")
        parser.add_argument(
            "--practice",
            action="store_true",
            help="set up a practice evening for a director, in a salon that exists",
        )

    @terminal_output()
    @database_in_words()
    def handle(self, *, salon: str, practice: bool, seed: int, json: bool, **options: Any) -> None:  # noqa: ANN401 - an argument each
        """Play it, say what happened and how long it took, and audit it; or set up the practice,
        and say where it is.
        """
        if practice:
            _set_up_practice(salon)
            return
        play, event = _choose_event(seed=seed, **options)
        ready_database()
        place = _new_salon(slugify(salon) or f"simulation-{seed}")
        began = time.monotonic()
        try:
            with show_progress(
                "playing", options["entries"] // 2 * (options["rounds"] or ROUNDS)
            ) as on:
                evening = play(place, seed=seed, actor=ACTOR, progress=on)
        except Refusal as refusal:
            raise CommandError(f"{refusal.path}: {refusal.message}") from None
        took = time.monotonic() - began
        events = head_of(place.log_id).position
        findings = _findings(place, events)
        say_all = _as_json if json else _in_words
        say_all(evening, event=event, events=events, took=took, findings=findings)
        if findings:
            sys.exit(1)


def _choose_event(
    *,
    entries: int,
    rounds: int | None,
    seed: int,
    hands: int,
    trouble: float,
    stage: str | None,
    **asked: Any,  # noqa: ANN401 - what a format asks
) -> tuple[Callable[..., Evening], str]:
    """Return the function that plays the event of these arguments, and its entries in
    words.
    """
    fewest = FEWEST_ENTRIES if stage is None else 2
    wrong = not fewest <= entries <= MOST_ENTRIES or not 1 <= hands <= 40 or seed < 0
    if wrong or (stage is None and not 1 <= (ROUNDS if rounds is None else rounds) < entries):
        pairs = f"{fewest} to {MOST_ENTRIES} pairs, fewer rounds than pairs"
        raise CommandError(f"{pairs}, 1 to 40 hands and a seed from 0 are expected.")
    if not 0 <= trouble <= MOST_OFTEN:
        raise CommandError(f"--trouble: 0 (nothing goes wrong) to {MOST_OFTEN:g} is expected.")
    if stage is None and (asked["then"] or asked["cut"] or asked["line_up"]):
        raise CommandError("--then, --cut and --line-up: say with --stage what is played first.")
    if stage is None:
        play = partial(play_evening_of_pairs, entries=entries, rounds=rounds or ROUNDS, hands=hands)
        return play, f"{entries} pairs"
    try:
        event = event_asked(stage=stage, rounds=rounds, entries=entries, seed=seed, **asked)
    except Refusal as refusal:
        raise CommandError(f"{refusal.path}: {refusal.message}") from None
    most = count_names() * 4 // 5 // event.players  # the others may come late
    if entries > most:
        raise CommandError(
            f"--entries: there are names for {most} entries of {event.players} players."
        )
    return partial(
        play_event,
        stages=event.stages,
        game=event.game,
        players=event.players,
        entries=entries,
        hands=hands,
        often=trouble,
    ), event.words


def _set_up_practice(salon: str) -> None:
    ready_database()
    row = open_practice(
        the_salon(salon or None), name="Practice evening", actor=ACTOR, command=uuid.uuid4().hex
    )
    print_line(
        f"A practice evening is set up at /tournaments/{row.pk}/desk/; its tables play "
        f"while the server runs."
    )


def _findings(place: Salon, events: int) -> list[str]:
    """Return the findings of the audit."""
    catch_up(place.log, PROJECTIONS)
    with show_progress("auditing", events) as progress:
        report = audit(place, progress=lambda done, total: progress(done * events // max(total, 1)))
    return [f"{each.table} {each.row}: {each.message}" for each in report.findings]


def _as_json(
    evening: Evening, *, event: str, events: int, took: float, findings: list[str]
) -> None:
    """One object: what was played, what happened how often, every cut with what decided it, and
    what the audit found.
    """
    state = evening.state
    names = _names(evening.salon, state)
    print_json(
        salon=evening.salon.slug,
        played=event,
        rounds=len(state.rounds),
        events=events,
        seconds=round(took, 1),
        happened=dict(sorted((+evening.happened).items())),
        recorded=_count_events(evening.salon),
        cuts=[
            {
                "stage": each.stage,
                "after_round": each.after_round,
                **asdict(each.cut),
                "words": cut_words(each.cut, names),
            }
            for each in state.begun
        ],
        findings=findings,
    )


def _in_words(
    evening: Evening, *, event: str, events: int, took: float, findings: list[str]
) -> None:
    """The same for people, a line each."""
    slug, state = evening.salon.slug, evening.state
    print_line(
        f"{slug}: {event}, {len(state.rounds)} rounds, {events} events in {took:.0f} "
        f"s, {events / took:.0f} events/s"
    )
    names = _names(evening.salon, state)
    for each in state.begun:
        print_line(f"{slug}: stage {each.stage}: {' '.join(cut_words(each.cut, names))}")
    happened = sorted((+evening.happened).items())
    if happened:
        print_line(f"{slug}: {', '.join(f'{_plain(name)} {times}' for name, times in happened)}")
    for finding in findings:
        print_line(f"{slug}: {finding}")
    print_line(f"{slug}: audit {'with findings' if findings else 'clean'}")


def _plain(name: str) -> str:
    return name.replace("line_up", "line-up").replace("_", " ")


def _count_events(place: Salon) -> dict[str, int]:
    """Return the number of events of each kind in the log."""
    events = Event.objects.filter(log=place.log_id).values("type").annotate(times=Count("type"))
    return dict(sorted(events.values_list("type", "times")))


def _names(place: Salon, state: State) -> dict[str, str]:
    """Return the name of every entry by its id."""
    return {each.id: each.name for each in with_names(place, state, Audience.SALON).entries}


def _new_salon(slug: str) -> Salon:
    if Salon.objects.filter(slug=slug).exists():
        raise CommandError(f"There is a salon {slug!r} already; choose another with --salon.")
    return Salon.objects.create(slug=slug, name=f"Simulation {slug}", log=open_log())
