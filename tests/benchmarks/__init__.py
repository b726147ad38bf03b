"""Speed as ratios: `uv run python -m tests.benchmarks` measures against a peer in one run and
prints a table.
"""
