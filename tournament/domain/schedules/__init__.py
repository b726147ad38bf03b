"""Whole plans of who sits where in which round, made by construction and counted before they are
offered. Players are numbers from 0; standard library only.
"""
