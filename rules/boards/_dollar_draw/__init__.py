"""The board of Dollar Draw as a learned evaluation sees it: rules/boards/dollar_draw.py has the rules."""
