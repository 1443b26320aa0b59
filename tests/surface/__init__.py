"""The types of the official SDKs, element by element -> what becomes of each on eight wires.

An element is a field of an object, a member of a union or a value of an enumeration. `python -m
tests.surface` prints the table.
"""
