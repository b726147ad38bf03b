"""Typesets one sheet of paper and ends: a program of its own, since what typesets never gives its
memory back.

Reads `{"template": …, "shown": …}` as JSON from its input, writes the PDF to its output. A template
is told which letters of it are in no font, of its own or of the system. Nothing of Accord is
imported here.
"""

import json
import os
import re
import resource
import sys

CPU_SECONDS = 120
OWN_FONTS_END = "\u024f"  # up to here every font of the program has all letters
IN_NO_FONT = "\U0010fffd"
MAX_LETTERS = 2_000  # that are looked for
A_GLYPH = re.compile(rb'href="#(g[0-9A-F]+)"')


def main() -> None:
    """Typeset what is asked for."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    os.nice(5)  # a page that somebody waits for goes first
    import typst

    asked = json.load(sys.stdin.buffer)
    inputs = {"shown": asked["shown"], "missing": find_missing_letters(asked["shown"])}
    made = typst.compile(asked["template"].encode(), sys_inputs=inputs)
    sys.stdout.buffer.write(made)


def find_missing_letters(text: str) -> str:
    """The letters of a text that no font here has: those drawn with the sign for none."""
    import typst

    letters = sorted({each for each in text if each > OWN_FONTS_END and each.isprintable()})
    if not letters:
        return ""
    asked = [IN_NO_FONT, *letters[:MAX_LETTERS]]
    pages = "\n#pagebreak()\n".join(f'#text("{each}")' for each in asked)
    drawn = typst.compile(f"#set page(width: auto, height: auto)\n{pages}".encode(), format="svg")
    glyphs: list[set[bytes]] = (
        [set(A_GLYPH.findall(page)) for page in drawn] if isinstance(drawn, list) else []
    )
    if len(glyphs) != len(asked):
        return ""
    return "".join(
        letter for letter, own in zip(asked[1:], glyphs[1:], strict=True) if own & glyphs[0]
    )


if __name__ == "__main__":
    main()
