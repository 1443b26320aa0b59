"""A law: no key and no value vanishes without a loss or a sentence of the docs."""
