"""Lessons: a person plays the positions before own mistakes again, spaced out over days.

Pure: no sentence, no file, no clock. The sentences are in client/words/lessons.py, the files in client/kept/.
"""
