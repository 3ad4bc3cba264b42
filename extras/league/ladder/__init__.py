"""Ladders: for each game sample bots whose strength is known, and the place of any bot among them.

| file | what is in it |
| --- | --- |
| `ladders.toml`, `ratings/` | the games and their samples, by hand; their ratings, by `tools/ladder` |
| `samples.py` | the sample bots of our own |
| `ladders.py` | both files, read and checked |
| `workshop.py` | the samples' files and programs, laid into a folder |
| `place.py` | the rating of a bot from its games against samples, and the ratings of samples from theirs |
"""
