"""Child processes: one way to start them, to talk to them and to end them for certain.

The laboratory's workers, the coach's tasks and the agents of strangers all run in them.
"""
