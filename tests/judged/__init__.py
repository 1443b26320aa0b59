"""A judge of translations: made-up requests to a random wire, host and model, and their fakes.

`python -m tests.judged` makes them, and says what an API would refuse of which no loss tells.
"""
