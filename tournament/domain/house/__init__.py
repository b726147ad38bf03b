"""The settings of the salon for all its games, as facts: a pure part, without
Django.
"""
