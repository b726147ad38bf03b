"""The rules of the games as pure functions: what happened goes in, facts and scores come out."""
