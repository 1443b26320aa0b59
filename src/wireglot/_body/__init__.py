"""One JSON body: decoded into a wire's types, encoded, and what went wrong named with its place."""
