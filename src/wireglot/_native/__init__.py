"""The machine behind `json` and `msgpack`: the tolerant reader, types of a caller, checks."""
