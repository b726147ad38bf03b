"""Someone who taps on a pad."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import AT_EASE

SEAT_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}


class Scorer:
    """Somebody who taps on a pad; `taps` counts every tap."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self.last = ""

    def tap(self, selector: str, then: str = "") -> None:
        """Tap once, and wait for the question that follows."""
        if selector == self.last:
            self.page.wait_for_timeout(AT_EASE)
        self.page.locator(selector).first.click()
        self.taps, self.last = self.taps + 1, selector
        if then:
            expect(self.page.locator("#ask")).to_have_text(then)

    def bid(self, **bids: int) -> None:
        """Bid for all four, in turn; then the first trick is asked."""
        following = [*[f"{SEAT_NAMES[seat]} bids" for seat in bids][1:], "Who won trick 1?"]
        for tricks, question in zip(bids.values(), following, strict=True):
            self.tap(f'[name="tricks:number"][value="{tricks}"]', question)

    def scores(self) -> list[str]:
        return self.page.locator(".padstate .score").all_inner_texts()
