"""What every function of a wire is handed: the state of an encoding or a decoding, its rules."""
