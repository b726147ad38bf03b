"""Who meets whom in the next round, and why. Pure but for the matching of rustworkx: no Django, no
clock, no chance.
"""
