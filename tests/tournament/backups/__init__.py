"""Backups: made while the server runs, restored whole or not at all."""
