"""Values of the model as a person reads them, in the command's output and in notebooks."""
