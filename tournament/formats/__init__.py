"""Files of other programs that a tournament hands out and a salon takes in: sheets,
TRF16, paper, lists of players.
"""
