"""`python -m quadrille` is the command `quadrille`."""

import sys

from quadrille.client.cli import main

sys.exit(main())
