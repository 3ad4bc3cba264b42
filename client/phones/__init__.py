"""Seats on phones: a browser in the same network is the screen, and the host's machine plays for it.

A phone's seat is a guest's, and one of the seats of the host's program.
docs/protocols/phones.md specifies the messages between page and program.
"""

import os

# Set before the library is imported, which reads its limits of a request's headers once: bytes of a line, and lines.
os.environ.setdefault("WEBSOCKETS_MAX_LINE_LENGTH", "1024")
os.environ.setdefault("WEBSOCKETS_MAX_NUM_HEADERS", "48")
