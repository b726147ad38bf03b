"""What a tournament hands out and a salon takes in as files of other programs: sheets, TRF16,
paper, lists of players.
"""
