"""Frameworks for agents, each a module with the models that it is tried with, by their names.

A module has `MODELS`, functions of the gateway's address and of a model's name, and `run`, which
gives one of these a prompt and the tools, and returns the text of its last answer.
"""
