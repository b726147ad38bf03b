"""Settings that differ from place to place: time zone, language, date formats, and the
salon's own picture.
"""
