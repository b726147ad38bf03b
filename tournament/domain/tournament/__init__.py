"""A tournament as its director runs it: facts, acts, and what they come to. Pure: standard library
and values only.
"""
