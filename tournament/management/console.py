"""The output of commands: JSON lines for machines, tables for people, progress
beside either.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

import orjson
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from scoring.errors import Refusal
from scoring.game import ResultTable

STDOUT = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
STDERR = Console(stderr=True, highlight=False)
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def as_json(value: object) -> str:
    """One line of JSON."""
    return orjson.dumps(value).decode()


def print_line(text: str) -> None:
    """Print to standard output; what a terminal would obey is written out."""
    print(UNPRINTABLE.sub(lambda found: f"\\x{ord(found[0]):02x}", text))


def print_json(**values: object) -> None:
    """Print one line of JSON: an object of these, in this order."""
    print_line(as_json(values))


@contextmanager
def terminal_output() -> Iterator[None]:
    """Write out what the terminal can't show; stop quietly with exit status 1 when nobody reads on
    (`manage.py export | head`).
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered would be written, and fail, when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def refused(identity: str | None, refusal: Refusal) -> dict[str, object]:
    """The line that stands for a game that was refused (game-records.md)."""
    path, message = _encodable(refusal.path), _encodable(refusal.message)
    error = {
        "code": refusal.code,
        "rule": refusal.rule or None,
        "path": path or None,
        "message": message,
    }
    return {"id": None if identity is None else _encodable(identity), "error": error}


def explain_refusal(where: str, identity: str | None, refusal: Refusal) -> str:
    """The same for people: which game, where in it, what is wrong and by which rule."""
    game = f" {identity}" if identity else ""
    place = f" at {refusal.path}" if refusal.path else ""
    rule = f" ({refusal.rule})" if refusal.rule else ""
    return f"{where}:{game} refused{place}: {refusal.message}{rule} [{refusal.code}]"


def result_table(title: str, result: ResultTable) -> Table:
    """A game's result as a table for a terminal."""
    table = Table(
        title=title,
        box=SIMPLE_HEAD,
        title_justify="left",
        caption="\n".join(result.sums),
        caption_justify="left",
    )
    for column in result.columns:
        table.add_column(column, justify="right")
    for row in result.rows:
        table.add_row(*row)
    return table


@contextmanager
def reading(files: Sequence[Path]) -> Iterator[Callable[[int], None]]:
    """Show how many bytes of these files have been read; what it gives is told each piece."""
    total = sum(map(_size_of, files))
    with _bar(
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    ) as progress:
        task = progress.add_task("reading", total=total)
        yield lambda size: progress.advance(task, size)


@contextmanager
def show_progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `total` are done; what it gives is told how many are done by now."""
    with _bar(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    ) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.update(task, completed=done)


def write_lines(file: BinaryIO, lines: Iterable[bytes], progress: Callable[[int], None]) -> None:
    """Write these lines, and tell now and then how many are done."""
    for done, line in enumerate(lines):
        file.write(line)
        if not done % 1000:
            progress(done)


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:  # Reading it will say why.
        return 0


def _encodable(text: str) -> str:
    """The text with halves of characters written out: JSON in UTF-8 has no place for them."""
    return text.encode("utf-8", "backslashreplace").decode()


def _bar(*columns: ProgressColumn) -> Progress:
    return Progress(*columns, console=STDERR, transient=True, disable=not STDERR.is_terminal)
