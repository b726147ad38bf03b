"""The pairing of the next round, with reasons.

Pure but for the matching of rustworkx: no Django, no clock, no chance.
"""
