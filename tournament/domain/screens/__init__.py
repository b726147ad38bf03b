"""Screens on the wall: what each shows in turn, and what is held there. Pure: standard library and
values only.
"""
