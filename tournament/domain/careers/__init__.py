"""The careers of players: each finished game as one of its players saw it, and the
totals of these. Pure.
"""
