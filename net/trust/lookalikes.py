"""Letters that look like Latin ones: data for `skeleton` in names.py. Unicode's UTS 39 has many more of them.

Each text pairs letters one by one with what they look like. Marks, widths and styles are taken off before.
"""

from typing import Final

_PAIRS: Final = (
    # Cyrillic
    ("АВЕЗІЈКМНОРСТУХЅҮԌԚԜҺӀ", "abe3ljkmhopctyxsygqwhl"),
    ("авезіјкмнорстухѕүԍԛԝһӏӕԁѵѡбгпиӊө", "abe3ijkmhopctyxsygqwhlædvw6rnuhe"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳΥϺ", "abezhlkmnoptyxcjym"),
    ("αβεικνορτυχωηγϲϳσςμ", "abeiknoptuxwnycjocu"),
    # Armenian, Cherokee, Hebrew, Arabic, Georgian
    ("օոսհցզյաԼՏՍՕ", "onuhgqjulsuo"),
    ("ᎪᏴᏟᎠᎬᎳᎻᎫᏦᏞᎷᏀᏢᎡᏚᎢᏙᎽᏃᎥ", "abcdewhjklmgprstvyzi"),
    ("סוןהەا", "ollool"),
    ("ოჿ", "oo"),
    # Lisu and Coptic
    ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "abcdefghljklmnoprstuvwxyz"),
    ("ⲁⲃⲉⲍⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭⲱ", "abezhikmnopctyxw"),
    # Latin letters that no other rule brings home
    ("ıɩɑɡɪʟɢɴʀʏʙʜɣʋʊⅼ", "iiagllgnrybhyvul"),
    ("łøđħŧþıŋƒƙƥƭǥɓɗɠɨɫɵʉʐ", "lodhtpinfkptgbdgilouz"),
    # Digits, strokes and points
    ("0|1ǀ∣❘Ӏ⏽¦ߊ١۱Ⅰ", "ollllllllllll"),
    ("‘’ʼʻ′`", "''''''"),
    ("‐‑‒–—―−ー一", "---------"),
    ("·•∙⋅・．", "......"),
)
#: What a letter looks like.
LOOKS: Final = {ord(letter): like for letters, looks in _PAIRS for letter, like in zip(letters, looks, strict=True)}
#: Letters side by side that look like one.
PAIRS: Final = (("rn", "m"), ("vv", "w"))
