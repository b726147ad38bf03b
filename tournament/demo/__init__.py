"""A season to look around in: players who don't exist, and games that they could have played."""
