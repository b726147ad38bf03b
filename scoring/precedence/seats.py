"""Seats and teams: N E S W clockwise, partners opposite (P1)."""

SEATS = ("N", "E", "S", "W")
TEAMS = ("NS", "EW")
SEAT_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}
TEAM_NAMES = {"NS": "North–South", "EW": "East–West"}
TEAM = {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}
INDEX = {"N": 0, "E": 1, "S": 2, "W": 3}
LEFT = {"N": "E", "E": "S", "S": "W", "W": "N"}
PARTNER = {"N": "S", "S": "N", "E": "W", "W": "E"}
# The four seats clockwise from each.
ROUND = {seat: SEATS[place:] + SEATS[:place] for place, seat in enumerate(SEATS)}
