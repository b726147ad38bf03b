"""Sheets for print, typeset in a process of their own and kept for a while."""
