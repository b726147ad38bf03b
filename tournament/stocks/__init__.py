"""Duplicate stocks of the patience: one order of the cards for everybody, proven fair afterwards."""
