"""The tables of a salon: which there are, how they are kept, and games begun at all of them."""
