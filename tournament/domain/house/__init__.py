"""What the house has laid down for all its games, as facts: a pure part, without Django."""
