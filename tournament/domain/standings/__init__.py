"""The standings: the values of a tournament, scales, tie-breaks and ranks. Pure: no
Django, no clock, no chance.
"""
