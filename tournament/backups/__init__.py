"""Backups: one file that holds a whole server at one moment, and the way back from it."""
