"""`uv run python -m tests.benchmarks [--events 100000]`: every figure on SQLite and, where one
answers, PostgreSQL.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from rich.console import Console
from rich.table import Table

POSTGRESQL = "postgresql://postgres@127.0.0.1:5432/postgres"
# What each figure should reach: the ratio to the peer, or events, hands or milliseconds.
GOALS = {
    ("hands", "postgresql"): "≥ 0.5",
    ("hands", "sqlite"): "≥ 0.33",
    ("bids", "postgresql"): "≥ 0.6",
    ("bids", "sqlite"): "≥ 0.25",
    "pad": "< 20 ms",
    "score": "≥ 3 000",
    "score preference": "≥ 3 000",
    "score contract_sabacc": "≥ 1 500",
    "score order_of_precedence": "≥ 500",
    "rebuild": "≥ 30 000",
    "verify --fast": "≥ 60 000",
    "verify": "≥ 12 000",
}


def main() -> None:
    """Measure one database after the other and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--events",
        type=int,
        default=100_000,
        help="how long the log is for rebuild and verify, besides 10 000",
    )
    events = parser.parse_args().events
    table = Table(title=f"{_machine()}, {time.strftime('%Y-%m-%d')}", title_justify="left")
    for column in (
        "what",
        "database",
        "ours",
        "the eventsourcing library",
        "ratio",
        "goal",
        "peak MB",
    ):
        table.add_column(column, justify="left" if column in ("what", "database") else "right")
    for url in _databases():
        with fresh(url) as environment:
            for figures in _measured(environment, events):
                table.add_row(*_row(figures))
    Console(width=140).print(table)


def _databases() -> Iterator[str]:
    yield ""
    url = os.environ.get("DATABASE_URL") or POSTGRESQL
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        print("PostgreSQL doesn't answer, so only SQLite is measured.", file=sys.stderr)
        return
    yield url


@contextmanager
def fresh(url: str) -> Iterator[dict[str, str]]:
    """The environment of a database that is made for this run and dropped after it."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "ACCORD_DATA": folder,
            "DJANGO_SETTINGS_MODULE": "tournament.settings",
            "DATABASE_URL": "",
        }
        if not url:
            yield environment
            return
        name = f"accord_bench_{uuid.uuid4().hex[:8]}"
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f'CREATE DATABASE "{name}"')
            try:
                yield {**environment, "DATABASE_URL": f"{url.rpartition('/')[0]}/{name}"}
            finally:
                server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _measured(environment: dict[str, str], events: int) -> Iterator[dict[str, float | str]]:
    command = [sys.executable, "-m", "tests.benchmarks.measure", str(events)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line.rstrip(), file=sys.stderr)
            yield json.loads(line)
    if process.returncode:
        sys.exit(process.returncode)


def _row(figures: dict[str, float | str]) -> tuple[str, ...]:
    name, database = str(figures["name"]), str(figures["database"])
    goal = GOALS.get((name, database)) or GOALS.get(name, "")
    ours = figures.get("ours") or figures.get("events_a_second") or figures.get("hands_a_second")
    shown = f"{figures['milliseconds']:.1f} ms" if "milliseconds" in figures else f"{ours:,.0f} /s"
    what = f"{name}, {figures['events']:,} events" if "events" in figures else name
    peer = f"{figures['peer']:,.0f} /s" if "peer" in figures else ""
    ratio = f"{figures['ratio']:.2f}" if "ratio" in figures else ""
    return what, database, shown, peer, ratio, goal, str(figures.get("peak_megabytes", ""))


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")),
        platform.machine(),
    )
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
