"""Pictures of positions and of whole games: SVG, and pages that step through a record.

patches.py and glyphs.py take a scene apart into drawings, and layout.py places them. page.py draws one
position, and with film.py a match by its changes. Everything is drawn from scenes (rules/scene.py), so a new game needs
no line in this room.
"""
