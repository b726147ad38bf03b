"""What is otherwise in every place: time zone, language, how dates are written, and the salon's own
picture.
"""
