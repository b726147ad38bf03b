"""Order of Precedence: a patience of two packs and eight foundations (rules O1 to O7)."""
