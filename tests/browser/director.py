"""A director at a screen, who takes what the page offers; what the service answers is kept, and a
page that leads nowhere is no page.
"""

from playwright.sync_api import Page, Response, expect

from tests.browser.looking import fits
from tournament.domain.tournament.state import State
from tournament.models import Tournament
from tournament.streams.tournament_rows import state_of

REFUSED = (409, 422)  # with words beside the field
ON = "main :is(button:enabled, a.btn)"


class Director:
    """What a director does with an event at a screen: `refusals` are the acts that were answered
    with what is missing.
    """

    def __init__(self, page: Page, row: Tournament) -> None:
        self.page = page
        self.row = row
        self.refusals: list[str] = []
        self.failures: list[str] = []
        page.on("response", self._answered)
        page.on(
            "console",
            lambda message: (
                self.failures.append(message.text)
                if _is_a_fault(message.type, message.text)
                else None
            ),
        )

    def _answered(self, response: Response) -> None:
        if response.status in REFUSED and response.request.method == "POST":
            self.refusals.append(response.url)
        elif response.status >= 400:
            self.failures.append(f"{response.status} {response.url}")

    @property
    def state(self) -> State:
        """The event as it stands."""
        self.row.refresh_from_db()
        return state_of(self.row)

    def at(self, place: str = "") -> Page:
        """Go to a page of the event's desk: "", `entries/`, `rounds/2/`."""
        self.page.goto(f"/tournaments/{self.row.pk}/desk/{place}")
        self.is_led_on()
        return self.page

    def press(self, name: str, within: str = "main") -> None:
        """Press the first button of this name there, and be led on by the page that follows."""
        with self.page.expect_navigation():
            self.page.locator(within).get_by_role("button", name=name).first.click()
        self.is_led_on()

    def refused(self, name: str, words: str, within: str = "main") -> None:
        """Press it, and be told what is missing."""
        before = len(self.refusals)
        self.press(name, within)
        assert len(self.refusals) == before + 1
        expect(self.page.get_by_role("alert").first).to_contain_text(words)

    def takes(self, name: str) -> None:
        """Take what the list of what is to be done offers under this name: a link that
        leads there.
        """
        self.at()
        with self.page.expect_navigation():
            self.page.locator(".todo").get_by_role("link", name=name).first.click()
        self.is_led_on()

    def is_to_do(self, words: str) -> None:
        """The desk says that this is to be done."""
        expect(self.at().locator(".todo")).to_contain_text(words)

    def is_led_on(self) -> None:
        """The page offers something to do, nothing is wider than the screen, and nothing went wrong
        on the way.
        """
        assert self.page.locator(ON).count(), self.page.url
        assert fits(self.page), self.page.url
        if "/desk/" in self.page.url and self.page.locator("#todo").count():
            step = self.page.locator(".todo li :is(button:enabled, a.btn):visible").first
            expect(step).to_be_visible()
        assert self.failures == []

    def unfold(self, words: str, within: str = "main") -> None:
        """Open what is folded under these words."""
        self.page.locator(within).locator(
            f'details:not([open]) > summary:has-text("{words}")'
        ).first.click()

    def type_scores(self, table: int, one: int, two: int, form: str = "r") -> None:
        """Type both scores of a table: in the round's form (`r`), or in the table's own (`c`)."""
        for place, score in enumerate((one, two)):
            self.page.locator(f"#{form}-{table}-{place}-0").fill(str(score))


def _is_a_fault(kind: str, words: str) -> bool:
    return kind == "error" and not words.startswith("Failed to load resource")
