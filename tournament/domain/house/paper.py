"""On which paper the house prints."""

from dataclasses import dataclass

from scoring.errors import NotationError, RuleViolation

A4 = "a4"
LETTER = "letter"
PAPERS = (A4, LETTER)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSet:
    """From here on what is printed is made for this paper, one of PAPERS."""

    paper: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPaper:
    """Print on another paper."""

    paper: str


type Event = PaperSet
type Command = SetPaper

SHAPES: dict[tuple[str, int], type[Event]] = {("house.paper_set", 1): PaperSet}


def decide_paper(command: SetPaper, paper: str) -> PaperSet:
    """The fact that follows from a command, where the house prints on `paper`.

    Raises NotationError for a paper that is none, RuleViolation `same_place` where nothing changes.
    """
    if command.paper not in PAPERS:
        raise NotationError(
            "%(paper)s is no paper that is printed on here; choose a4 or letter",
            path="paper",
            paper=command.paper[:20] or "-",
        )
    if command.paper == paper:
        raise RuleViolation("same_place", "it is printed on this paper already", path="paper")
    return PaperSet(paper=command.paper)
