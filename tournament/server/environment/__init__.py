"""The surroundings of a salon: addresses, database, secrets, mail, the first owner."""
