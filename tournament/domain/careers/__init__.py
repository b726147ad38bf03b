"""What players have behind them: each finished game as one of its players saw it, and what all of
these come to. Pure.
"""
