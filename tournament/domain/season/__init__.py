"""Seasons: several tournaments added up, the worst left out. Pure: standard library and values
only.
"""
