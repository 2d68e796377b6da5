"""Child processes: how they are started, spoken to, confined and ended for certain.

The laboratory's workers, the coach's tasks and users' agents all run in them.
"""
