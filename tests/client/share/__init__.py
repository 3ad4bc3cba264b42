"""`quadrille share`: wheels made again, the parcel, the server, the installer, and two hosts."""
