"""Duplicate stocks: one order of the cards for everybody, proven fair afterwards."""
