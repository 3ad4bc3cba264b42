"""One position as a self-contained SVG document: no font, no script, no link."""

from dataclasses import replace
from html import escape

from quadrille.client.picture.film import FilmedMatch, patches, position
from quadrille.client.picture.glyphs import definitions, sheet
from quadrille.client.picture.layout import Layout, LayoutPlan
from quadrille.client.picture.patches import Patches
from quadrille.client.reports import many
from quadrille.rules.scene import Scene


def picture(one: FilmedMatch, number: int, *, within: bool = False) -> str:
    """Draw a match after that many entries; `within` a page that has the style sheet and the symbols."""
    ply = one.match.before(number).ply
    over = one.match.over if number == len(one.match.entries) else None
    when = "at the end" if over else f"after {many(ply, 'move')}" if ply else "at the start"
    scene = position(one, number).scene()
    if over:
        scene = replace(scene, panels=tuple(sorted(scene.panels, key=lambda panel: over.places[panel.seat])))
    return drawing(scene, f"{one.title}, {when}", patches(one, number).patches, within=within)


def drawing(scene: Scene, title: str, patches: Patches, *, within: bool = False) -> str:
    """Draw a scene from its patches."""
    plan = LayoutPlan(scene)
    plan.take(patches.items())
    layout = plan.layout()
    if within:  # the page has other pictures, and names are unique in it
        symbols = ""
        head = f'role="img">\n<title>{escape(title)}</title>\n<desc>{escape(in_words(layout, patches))}</desc>'
    else:
        symbols = definitions([layout.under, *(patch.drawn for patch in patches.values())]) + "\n"
        head = f'role="img" aria-labelledby="title desc">\n{labels(title, in_words(layout, patches))}\n'
        head += f"<style>{sheet('picture.css')}</style>"
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" {frame(layout)} {head}
{symbols}{inside(layout, patches)}
</svg>
"""


def frame(layout: Layout) -> str:
    """Return the size of a picture as attributes."""
    return f'viewBox="0 0 {layout.width} {layout.height}"'


def labels(title: str, words: str) -> str:
    """Return the title and description for screen readers."""
    return f'<title id="title">{escape(title)}</title>\n<desc id="desc">{escape(words)}</desc>'


def inside(layout: Layout, patches: Patches) -> str:
    """Return all drawings in their places."""
    paper = f'<rect width="{layout.width}" height="{layout.height}" rx="10" class="paper"/>'
    rows = [paper, layout.under]
    for spot, place in layout.places.items():
        patch = patches.get(spot)
        drawn = patch.drawn if patch else ""
        rows.append(f'<g transform="translate({place.x:g} {place.y:g})">{drawn}</g>')
    return "\n".join(rows)


def in_words(layout: Layout, patches: Patches) -> str:
    """Return the picture as a list in words: each place and its content."""
    said = ((place.called, patches[spot].words) for spot, place in layout.places.items() if spot in patches)
    return "; ".join(f"{called}: {words}" if called else words for called, words in said if words)
