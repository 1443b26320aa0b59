"""Reports of the trackers of other translators and agents: a log, and cases that are run."""
