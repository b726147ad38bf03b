"""`uv run python -m tests.benchmarks.load [--tables 100 --boards 200 --seconds 60]`: a full room on
one machine.

A `serve` of its own in a scratch folder, by default as everybody starts it. Every table records an
act each five seconds by its pad's own forms, boards wait for news as live.js does, or look again
every two seconds; visitors and server share the machine's cores. Before, with nobody else there, it
is measured what the server spends on one request of each kind, as a multiple of a bare `/healthz`:
seconds of CPU of all its processes, so that others on the same cores count little. With
DATABASE_URL that PostgreSQL server makes a database for the run; `--processes` goes to `serve`.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from rich.console import Console
from rich.table import Table

from tests.benchmarks.__main__ import _machine, fresh
from tests.benchmarks.load_room import Room, Spent, opened, seconds_of
from tests.benchmarks.load_visitors import HTMX, Board, Browser, Phone, Refused

SECONDS_BETWEEN_ACTS = 5.0
SECONDS_BETWEEN_LOOKS = 2.0
SECONDS_TO_WAIT = 6.0  # as live.js says it would
IN_A_ROW = 5  # tables whose acts and boards follow each other
REQUESTS = 300  # of each kind, for its CPU
QUIET, MOST_READINGS = 0.05, 10  # cores, and so often it is looked whether they are idle
VIEWERS = 2  # of each board, as in the room
PORT = 8199
HEALTH = "/healthz"
GOALS = {
    "unchanged board": "≤ 1.3",
    "changed board, each of two viewers": "≤ 4",
    "act": "≤ 10",
    "home": "≤ 8",
}


@dataclass(slots=True)
class Seen:
    """What the room saw: seconds of acts, how old boards were, and what was asked."""

    acts: list[float] = field(default_factory=list)
    behind: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)


def main() -> None:
    """Measure and print one table, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument(
        "--wait", type=float, default=SECONDS_TO_WAIT, help="of boards, for news; 0: they poll"
    )
    parser.add_argument("--requests", type=int, default=REQUESTS, help="of each kind, for its CPU")
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--processes", type=int, help="as `serve` has it")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    arguments = ["--processes", str(asked.processes)] if asked.processes else []
    with (
        fresh(os.environ.get("DATABASE_URL", "")) as environment,
        opened(environment, port=asked.port, tables=asked.tables, arguments=arguments) as room,
    ):
        figures = asyncio.run(_measured(room, asked))
    if asked.json:
        print(json.dumps(figures))
        return
    _print(figures)


async def _measured(room: Room, asked: argparse.Namespace) -> dict[str, object]:
    phones = [Phone(seated, Browser(room.port)) for seated in room.tables]
    for phone in phones:
        await phone.come()
    cost = await _cost(room, phones[:IN_A_ROW], asked.requests) if asked.requests else {}
    alone = [(await phones[0].act()).seconds for _ in range(20)]
    seen, began, before = Seen(), time.perf_counter(), seconds_of(room.process)
    await _evening(phones, asked, room.port, seen)
    taken, after = time.perf_counter() - began, seconds_of(room.process)
    acts = sorted(seen.acts)
    if not acts:
        raise SystemExit(f"Nobody could record: {dict(seen.refused)}")
    return {
        "machine": _machine(),
        "tables": asked.tables,
        "boards": asked.boards,
        "seconds": round(taken, 1),
        "act_alone_ms": round(statistics.median(alone) * 1000, 1),
        "acts": len(acts),
        "act_p50_ms": round(_share(acts, 0.5) * 1000, 1),
        "act_p95_ms": round(_share(acts, 0.95) * 1000, 1),
        "act_max_ms": round(acts[-1] * 1000, 1),
        "oldest_board_s": round(max(seen.behind, default=0.0), 2),
        "requests_a_second": round(seen.answers.total() / taken, 1),
        "answers": dict(seen.answers),
        "refused": dict(seen.refused),
        "board_kb": round(statistics.mean(seen.sizes) / 1000, 2) if seen.sizes else 0,
        "server_cores": round((after - before).pages / taken, 2),
        "background_cores": round((after - before).background / taken, 2),
        "cost": cost,
    }


async def _evening(
    phones: Sequence[Phone], asked: argparse.Namespace, port: int, seen: Seen
) -> None:
    """Everybody does what they do until the time is over; nobody begins at the same moment."""
    began, chance = time.perf_counter(), Random(1)
    ends = began + asked.seconds
    boards = [Board(phones[number % len(phones)], Browser(port)) for number in range(asked.boards)]

    async def record(phone: Phone) -> None:
        answer = await phone.act()
        seen.acts.append(answer.seconds)
        seen.answers["act"] += 1

    async def look(board: Board) -> bool:
        """Whether to look again at once: the server had this visitor wait."""
        answer, behind = await board.look(wait=min(asked.wait, ends - time.perf_counter()))
        seen.behind.append(behind)
        seen.answers["board" if answer.status == 200 else "unchanged board"] += 1
        if answer.status == 200:
            seen.sizes.append(answer.size)
        return "preference-applied" in answer.headers

    async def again(every: float, step: Callable[[], Awaitable[bool | None]]) -> None:
        due = began + chance.random() * every
        while due < ends:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            at_once: bool | None = False
            try:
                at_once = await step()
            except (Refused, TimeoutError, OSError) as failed:
                seen.refused[f"{type(failed).__name__}: {failed}"[:80]] += 1
            due = max(due + every, time.perf_counter()) if not at_once else time.perf_counter()

    await asyncio.gather(
        *(again(SECONDS_BETWEEN_ACTS, partial(record, phone)) for phone in phones),
        *(again(SECONDS_BETWEEN_LOOKS, partial(look, board)) for board in boards),
    )


async def _cost(room: Room, phones: Sequence[Phone], count: int) -> dict[str, dict[str, float]]:
    """Milliseconds of CPU of the server for one request of each kind, of these in the background,
    and all as a multiple of a bare `/healthz`: kinds in turns, so that none has the quieter minute,
    and several of a kind in a row, so that none alone finds the core asleep.
    """
    kinds = await _kinds(room, phones)
    idle, spent = await _idle(room), dict.fromkeys(kinds, Spent())
    turns = 10
    for turn in range(turns + 1):
        for name, (prepare, ask, asked) in kinds.items():
            for _ in range(max(1, count // turns // asked)):
                await prepare()
                before, began = seconds_of(room.process), time.perf_counter()
                await ask()
                cost = seconds_of(room.process) - before
                cost -= idle * (time.perf_counter() - began)
                if turn:  # the first turn warms up
                    spent[name] += cost * (1 / asked / max(1, count // turns // asked) / turns)
    return {
        name: {
            "ms": round(cost.in_all * 1000, 3),
            "background_ms": round(cost.background * 1000, 3),
            "times": round(cost.in_all / spent[HEALTH].in_all, 2),
        }
        for name, cost in spent.items()
    }


type Step = Callable[[], Awaitable[None]]


async def _kinds(room: Room, phones: Sequence[Phone]) -> dict[str, tuple[Step, Step, int]]:
    """What is asked, by name: a step before that isn't counted, the step that is, and how many
    requests that makes.
    """
    browser, table, owner = Browser(room.port), Browser(room.port), Browser(room.port)
    owner.cookies["sessionid"] = room.owner
    phone, tables = phones[0], len(phones)
    table.cookies |= phone.browser.cookies
    boards = [Board(phone, Browser(room.port)) for phone in phones]
    others = [Board(phone, Browser(room.port)) for phone in phones for _ in range(VIEWERS - 1)]
    member = Board(phone, owner)

    async def nothing() -> None:
        """Before requests that need no preparation."""

    def times(ask: Callable[[], Awaitable[object]], count: int) -> Step:
        async def asked() -> None:
            for _ in range(count):
                await ask()

        return asked

    def page(visitor: Browser, path: str, **headers: str) -> Callable[[], Awaitable[object]]:
        async def asked() -> None:
            answer = await visitor.get(path, **headers)
            if answer.status != 200:
                raise Refused(f"{path}: {answer.status}")

        return asked

    async def look() -> None:
        for board in boards:
            await board.look()

    async def look_all() -> None:
        await look()
        for board in others:
            await board.look()

    async def tap() -> None:
        for each in phones:
            await each.act()

    async def act() -> None:
        await tap()
        await asyncio.sleep(0.02)  # what acts set off behind them isn't counted with what follows

    return {
        HEALTH: (nothing, times(page(browser, HEALTH), 20), 20),
        "unchanged board": (times(boards[0].look, 2), times(boards[0].look, 20), 20),
        "unchanged board, the owner's": (times(member.look, 2), times(member.look, 20), 20),
        "changed board, alone": (act, look, tables),
        "changed board, each of two viewers": (act, look_all, tables * VIEWERS),
        "act": (nothing, tap, tables),
        "pad": (nothing, times(page(table, f"/tables/{phone.label}/"), 5), 5),
        "board, whole page": (nothing, times(page(browser, boards[0].path), 5), 5),
        "game by the API": (
            nothing,
            times(page(browser, f"/api/v1/salons/a-full-room{boards[0].path}"), 5),
            5,
        ),
        "home": (nothing, times(page(owner, "/"), 2), 2),
        "home looking again": (nothing, times(page(browser, "/", **HTMX), 2), 2),
    }


async def _idle(room: Room) -> Spent:
    """Cores that the server takes while nobody asks; all its processes have begun by then, and done
    what the making of the room left to do.
    """
    readings = list[Spent]()
    while len(readings) < 2 or (readings[-1].in_all > QUIET and len(readings) < MOST_READINGS):
        before, began = seconds_of(room.process), time.perf_counter()
        await asyncio.sleep(4)
        spent = seconds_of(room.process) - before
        readings.append(spent * (1 / (time.perf_counter() - began)))
    return readings[-1]


def _share(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def _print(figures: dict[str, object]) -> None:
    console = Console(width=120, file=sys.stdout)
    title = (
        f"{figures['machine']}, {time.strftime('%Y-%m-%d')}: {figures['tables']} tables, "
        f"{figures['boards']} boards, {figures['seconds']} s"
    )
    room = Table(title=title, title_justify="left")
    room.add_column("what")
    room.add_column("measured", justify="right")
    for name, value in figures.items():
        if name not in ("machine", "tables", "boards", "seconds", "cost"):
            room.add_row(name.replace("_", " "), str(value))
    console.print(room)
    cost = figures["cost"]
    assert isinstance(cost, dict)
    spent = Table(title="CPU of the server for one request", title_justify="left")
    for column in ("kind", "ms", "in the background", f"× {HEALTH}", "goal"):
        spent.add_column(column, justify="left" if column == "kind" else "right")
    for kind, each in cost.items():
        figures_of = (each["ms"], each["background_ms"], each["times"])
        spent.add_row(kind, *(f"{figure:.2f}" for figure in figures_of), GOALS.get(kind, ""))
    console.print(spent)


if __name__ == "__main__":
    main()
