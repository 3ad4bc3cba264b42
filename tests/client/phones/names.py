"""Names in ten scripts, as people write them."""

from typing import Final

#: Latin with accents, Cyrillic, Greek, Hebrew, Persian with a non-joiner, Devanagari with a joiner, Thai, Chinese,
#: Korean, and a family in one picture.
TEN: Final = (
    "Zoë Ångström", "Дора Ли", "Γιώργος", "דנה 3", "علی\u200cرضا", "क्\u200dषमा", "น้ำทิพย์", "李小龍", "김철수",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
)  # fmt: skip
