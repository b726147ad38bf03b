"""How strong players are, from the tables they played at. Pure but for openskill's numbers: no Django, no clock, no chance."""
