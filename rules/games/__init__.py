"""The games, a folder each. The registry lists this folder."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import Any, Literal, Protocol, overload

    from quadrille.rules.core import Game
    from quadrille.rules.games.barons.game import Barons
    from quadrille.rules.games.coin_isolation.game import CoinIsolation
    from quadrille.rules.games.dollar_draw.game import DollarDraw
    from quadrille.rules.games.dotter.game import Dotter
    from quadrille.rules.games.maze.game import Maze

    class Find(Protocol):
        """`registry.game`, so that moves and options of a game that is named outright have their own types."""

        @overload
        def __call__(self, key: Literal["barons"]) -> Barons: ...
        @overload
        def __call__(self, key: Literal["coin-isolation"]) -> CoinIsolation: ...
        @overload
        def __call__(self, key: Literal["dollar-draw"]) -> DollarDraw: ...
        @overload
        def __call__(self, key: Literal["dotter"]) -> Dotter: ...
        @overload
        def __call__(self, key: Literal["maze"]) -> Maze: ...
        @overload
        def __call__(self, key: object) -> Game[Any, Any]: ...


#: The game that people ask for again comes first on menus; a game that is not named here follows them.
MENU: Final = ("coin-isolation", "maze", "dollar-draw", "barons", "dotter")
