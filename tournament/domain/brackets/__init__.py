"""Knock-outs: who meets whom in which match, what results make of it, and where it is drawn.
Entries are keys and seeds are numbers from 1; standard library only.
"""
