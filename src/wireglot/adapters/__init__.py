"""The model's types where other libraries expect their own.

Pydantic, FastAPI, Hypothesis and Jupyter find what they need by themselves: nothing has to be
imported. The others have a module each, which is imported like any other: `litestar`, `psycopg`,
`sqlalchemy`. Install the library itself; no adapter needs an extra of wireglot.
"""
