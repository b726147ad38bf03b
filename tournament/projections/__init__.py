"""Rows that are folded from the log and can be folded again."""
