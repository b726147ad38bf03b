"""A whole salon out of one server and into another, its chain intact."""
