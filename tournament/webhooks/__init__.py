"""Webhooks: what happens in the salon is told to addresses that its owner names, signed, in order
of the log, again until it arrives.
"""
