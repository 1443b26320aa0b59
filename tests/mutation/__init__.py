"""Mutation testing: a changed module -> whether a test notices the change."""
