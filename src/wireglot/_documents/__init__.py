"""Bytes of any wire -> the document in them, another document of it, and its sums.

What the command and the kernels for Arrow have in common.
"""
