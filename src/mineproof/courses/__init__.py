"""Courses: an assignment as data, and the grader of a class.

>>> from mineproof.courses import Course, course_names
>>> course_names()
('cs50', 'csp', 'obscured', 'resolution', 'rutgers', 'tornado', 'uci')
>>> Course.named("cs50").title
'Knowledge: an AI that plays Minesweeper'
"""

from mineproof.courses.pack import Course, course_names

__all__ = ["Course", "course_names"]
