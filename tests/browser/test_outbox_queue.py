"""The queue of a phone against a list: whatever is kept, sent, refused, put again, given up or
handed over, in any order, what waits is the list.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from playwright.sync_api import Page

from tournament.models import Salon

pytestmark = pytest.mark.browser
STREAM = st.sampled_from(["one", "two"])
PLACE = st.integers(0, 5)
CALL = "([name, given]) => outboxStore[name](...given)"


@dataclass(slots=True, kw_only=True)
class Waiting:
    """An entry as the list has it."""

    command: str
    words: str
    after: str | None
    version: int


@dataclass(slots=True, kw_only=True)
class Model:
    """What waits, by stream, and the commands that are over, those that were sent among them."""

    streams: dict[str, list[Waiting]] = field(default_factory=lambda: {"one": [], "two": []})
    over: list[str] = field(default_factory=list)
    sent: set[str] = field(default_factory=set)


class Queue(RuleBasedStateMachine):
    """The store in a page, and the list beside it."""

    page: Page

    @initialize()
    def begin(self) -> None:
        self.model, self.count = Model(), 0
        for stream in ("one", "two"):
            self.ask("wiped", stream)

    def ask(self, name: str, *given: object) -> Any:
        return self.page.evaluate(CALL, [name, given])

    @rule(stream=STREAM, version=st.integers(1, 9), place=PLACE)
    def keeps(self, stream: str, version: int, place: int) -> None:
        """One that was made after what is over by now, or after nothing of this phone."""
        self.count += 1
        words = f"act {self.count}"
        behind = self.model.over[-place - 1] if place < len(self.model.over) else None
        entry = {"stream": stream, "version": version, "words": words, "body": "", "address": "/"}
        made = self.ask("keep", {**entry, "behind": behind})
        assert "behind" not in made
        waiting = self.model.streams[stream]
        sent = behind if behind in self.model.sent else None
        after = waiting[-1].command if waiting else sent
        waiting.append(Waiting(command=made["command"], words=words, after=after, version=version))

    @rule(stream=STREAM)
    def sends_the_first(self, stream: str) -> None:
        if self.model.streams[stream]:
            first = self.model.streams[stream].pop(0)
            self.ask("dropped", first.command, "sent")
            self.model.over.append(first.command)
            self.model.sent.add(first.command)

    @rule(stream=STREAM, place=PLACE)
    def gives_one_up(self, stream: str, place: int) -> None:
        waiting = self.model.streams[stream]
        if place < len(waiting):
            gone = waiting.pop(place)
            self.ask("dropped", gone.command, "given up")
            self.model.over.append(gone.command)
            for each in waiting:
                if each.after == gone.command:
                    each.after = gone.after
                    each.version = each.version if gone.after else gone.version

    @rule(stream=STREAM, version=st.integers(10, 19))
    def puts_the_first_after_theirs(self, stream: str, version: int) -> None:
        waiting = self.model.streams[stream]
        if waiting:
            first = waiting[0]
            made = self.ask("replaced", first.command, {"version": version, "place": {}})
            self.model.over.append(first.command)
            for each in waiting:
                if each.after == first.command:
                    each.after = made["command"]
            first.command, first.after, first.version = made["command"], None, version

    @rule(stream=STREAM)
    def reads_its_own_entries_from_another_phone(self, stream: str) -> None:
        assert self.ask("adopt", self.ask("kept", stream)) == 0

    @rule(place=PLACE)
    def reads_what_is_over_from_another_phone(self, place: int) -> None:
        if place < len(self.model.over):
            command = self.model.over[place]
            assert self.ask("adopt", [{"command": command, "stream": "one", "seq": 1}]) == 0

    @rule(stream=STREAM, words=st.text("abc", min_size=1, max_size=3))
    def takes_over_from_another_phone(self, stream: str, words: str) -> None:
        self.count += 1
        command = f"{self.count:032x}"
        other = {"command": command, "stream": stream, "seq": 1, "after": None, "version": 5}
        assert self.ask("adopt", [{**other, "words": words}]) == 1
        self.model.streams[stream].append(
            Waiting(command=command, words=words, after=None, version=5)
        )

    @invariant()
    def what_waits_is_the_list(self) -> None:
        for stream, waiting in self.model.streams.items():
            kept = self.ask("kept", stream)
            assert [(each["command"], each["words"], each["after"]) for each in kept] == [
                (each.command, each.words, each.after) for each in waiting
            ]
            firsts = [each["version"] for each in kept if each["after"] is None]
            assert firsts == [each.version for each in waiting if each.after is None]
            assert [each["seq"] for each in kept] == sorted({each["seq"] for each in kept})


def walk(phone: Page, *, walks: int, steps: int) -> None:
    phone.goto("/sign-in/")
    phone.evaluate(
        "() => new Promise(done => { const script = document.createElement('script');"
        " script.src = '/static/accord/outbox-store.js'; script.onload = done;"
        " document.head.append(script); })"
    )
    Queue.page = phone
    quick = settings(
        max_examples=walks,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run: Callable[..., None] = run_state_machine_as_test
    run(Queue, settings=quick)


def test_the_queue_is_the_list_whatever_happens_to_it(phone: Page, salon: Salon) -> None:
    walk(phone, walks=8, steps=12)


@pytest.mark.long
def test_the_queue_is_the_list_in_a_thousand_walks(phone: Page, salon: Salon) -> None:
    walk(phone, walks=1_000, steps=20)
