"""Network chunks of any size -> frames, and frames -> bytes. No JSON is parsed here.

Every `Decoder` has `feed(chunk)`, which returns the frames that are complete now, and `close()`,
which returns those that only the end of the stream completes. It buffers at most one frame.

The frames do not depend on how the stream is cut into chunks, nor do the frames before an error.
The error is raised at once if its chunk completes no frame, otherwise by the next call, and then by
every later call. That `close` finds the stream cut is such an error, too.
"""
