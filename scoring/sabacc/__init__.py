"""Contract Sabacc: three to five players, one against the others, 78 cards (rules S1 to S13)."""
