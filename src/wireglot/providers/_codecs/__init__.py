"""The machines that drive a wire's own functions: requests, responses, streams, transcripts."""
