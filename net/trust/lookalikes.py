"""Letters that look like Latin ones: data for `skeleton` in names.py. Unicode's UTS 39 has many more.

Each pair of texts maps letters one by one to their looks. Marks, widths and styles are removed before.
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
    # Latin letters that no other rule covers
    ("ıɩɑɡɪʟɢɴʀʏʙʜɣʋʊⅼ", "iiagllgnrybhyvul"),
    ("łøđħŧþıŋƒƙƥƭǥɓɗɠɨɫɵʉʐ", "lodhtpinfkptgbdgilouz"),
    # Digits, strokes, points and the marks that part a name from what a line says of it
    ("0|1ǀ∣❘Ӏ⏽¦ߊ١۱Ⅰ", "ollllllllllll"),
    ("‘’ʼʻ′`ʹʽʾˈˊˋ˴՚՝‛‵ꞌ“”„‟", "''''''''''''''''''\"\"\"\""),
    ("‐‑‒–—―−ー一˗⁃➖Ⲻ⁄∕╱⟋⧸", "-------------/////"),
    ("·•∙⋅・．ꓸ꘎ː˸։᛬᠃᠉⁚∶ꓽ꞉‚ꓹ❨❲〔﴾❩❳〕﴿", "........::::::::::,,(((())))"),
)
#: The look of a letter.
LOOKS: Final = {ord(letter): like for letters, looks in _PAIRS for letter, like in zip(letters, looks, strict=True)}
#: Pairs of letters that look like one.
PAIRS: Final = (("rn", "m"), ("vv", "w"), ("''", '"'))
