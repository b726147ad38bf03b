"""Typesets one sheet of paper and ends: a program of its own, since what typesets never gives its
memory back.

Reads `{"template": …, "shown": …}` as JSON from its input, writes the PDF to its output. Nothing of
Accord is imported here.
"""

import json
import os
import resource
import sys

CPU_SECONDS = 120


def main() -> None:
    """Typeset what is asked for."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    os.nice(5)  # a page that somebody waits for goes first
    import typst

    asked = json.load(sys.stdin.buffer)
    made = typst.compile(
        asked["template"].encode(), sys_inputs={"shown": asked["shown"]}, ignore_system_fonts=True
    )
    sys.stdout.buffer.write(made)


if __name__ == "__main__":
    main()
