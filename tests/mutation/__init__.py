"""Mutation testing: a changed module goes in, and whether a test notices comes out."""
