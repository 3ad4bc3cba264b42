"""Pictures of positions and of whole games: SVG, and pages that step through a record.

A scene is taken apart (patches.py, glyphs.py: what is to be seen), laid out (layout.py: where), and drawn as one
position (svg.py) or as a match of which is told what changes (film.py, page.py). All is drawn from scenes
(rules/scene.py): a game that was added yesterday has its pictures without a line in here.
"""
