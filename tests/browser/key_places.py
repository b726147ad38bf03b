"""The places at which a page has the keys of each question."""

from collections import defaultdict

from playwright.sync_api import Page, expect

HAIR = 2  # pixels
# Every key of the question that stands there, with its kind and its own name, and where it lies.
KEYS = """() => [
  ...document.querySelectorAll("#packacts :is(.key, .seg span, .choices span)"),
].flatMap((key) => {
  const box = key.getBoundingClientRect();
  const kind = key.closest("[data-question]")?.dataset.kind;
  const name = key.dataset.card ?? (key.name ? `${key.name}=${key.value}` : key.textContent.trim());
  return box.width && kind ? [[kind, name, [box.x, box.y + scrollY, box.width, box.height]]] : [];
})"""


def ask(page: Page, words: str) -> None:
    expect(page.locator("#packacts .ask")).to_have_text(words)


class Places:
    """The places of the keys at each question that was looked at."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._places: dict[tuple[str, str], set[tuple[float, ...]]] = defaultdict(set)

    def look(self, question: str = "") -> None:
        """Note where the keys lie once this is asked."""
        if question:
            ask(self.page, question)
        for kind, name, place in self.page.evaluate(KEYS):
            self._places[kind, name].add(tuple(place))

    def moved(self) -> dict[tuple[str, str], set[tuple[float, ...]]]:
        """The keys that lay in places more than a hair apart."""
        return {
            key: places
            for key, places in self._places.items()
            if any(max(side) - min(side) > HAIR for side in zip(*places, strict=True))
        }
