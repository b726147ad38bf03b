"""The salon's own certificate authority, and the certificates that it serves with."""
