"""The games inside other frameworks: one adapter per file, each with the extra that it needs (setup.cfg).

`play.py` (a game played by the actions of extras/lab/actions.py) needs no other package; `openspiel.py`,
`pettingzoo.py` and `gymnasium.py` are the adapters.
"""
