"""Web Push: the phones on which somebody asked for it are told what concerns their entry, once a
matter, while the entry's own page is closed.
"""
