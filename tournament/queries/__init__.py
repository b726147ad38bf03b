"""Read models for pages and the API: one module a question, answered from rows and
logs for one visitor; nothing here writes.
"""
