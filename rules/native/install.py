"""The words that install the program: every sentence about it takes them from here.

`quadrille` on the package index is a program of other people. Nothing of ours was released, so nobody holds our name
there, either: people install from the sources, or from a wheel file. The first release changes the constants here.
"""

from typing import Final

#: The name that pip knows (setup.cfg); the command, the package and its folders are called `quadrille`.
DISTRIBUTION: Final = "quadrille-games"
INSTALL: Final = "pip install ."
#: It takes about a minute on two cores (build_engine.py).
COMPILE: Final = f"{INSTALL} --config-settings compile=yes"
UPDATE: Final = f"update it (git pull and {INSTALL} in its sources)"
