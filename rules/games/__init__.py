"""The games, a folder each. The registry lists this folder."""

from typing import Final

#: The game that people ask for again comes first on menus; a game that is not named here follows them.
MENU: Final = ("coin-isolation", "maze", "dollar-draw", "barons", "dotter")
