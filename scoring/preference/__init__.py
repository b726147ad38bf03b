"""Preference: three players, each for themselves, an auction, a soloist against two defenders
(rules R1 to R17).
"""
