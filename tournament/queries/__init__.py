"""What pages and the API read: one module a question, answered from rows and logs for who asks;
nothing here writes.
"""
