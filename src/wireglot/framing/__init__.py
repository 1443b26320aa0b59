"""Network chunks of any size -> frames, and frames -> bytes. No JSON is read in here.

Every `Decoder` has `feed(chunk)`, the frames that are complete now, and `close()`, those that only
the end of the stream completes. It keeps the bytes of one frame, and no more.

However a stream is cut into chunks, the frames are the same, those before an error too: the error
is raised at once if its chunk completes no frame, otherwise by the next call, and by every later
one.
"""
