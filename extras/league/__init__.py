"""The league: ladders, tuning, rarer formats, and tournaments on many machines (README.md)."""
