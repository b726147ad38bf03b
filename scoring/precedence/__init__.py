"""Precedence: four players in two teams, melds, bids and trumps (rules P1 to P25)."""
