"""Calls for the director: made at a table, answered at the desk. Pure: standard library and values
only.
"""
