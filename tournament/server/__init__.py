"""The running server: its addresses, its files, its background worker and what it says when it
starts.
"""
