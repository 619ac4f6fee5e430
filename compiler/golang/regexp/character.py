"""Sets of characters in Go's regular expressions: ASCII groups, Unicode categories, simple case folding.

Source: Go 1.26 standard library, regexp/syntax; the Unicode data is Python's.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

Range: TypeAlias = tuple[int, int]
"""First and last code point."""

MAX_CODE: Final = 0x10FFFF
EVERYTHING: Final[tuple[Range, ...]] = ((0, MAX_CODE),)

_DIGIT: Final = ((0x30, 0x39),)
_LOWER: Final = ((0x61, 0x7A),)
_UPPER: Final = ((0x41, 0x5A),)
_WORD: Final = (*_DIGIT, *_UPPER, (0x5F, 0x5F), *_LOWER)

PERL: Final[dict[str, tuple[Range, ...]]] = {
    "d": _DIGIT,
    "s": ((0x09, 0x0A), (0x0C, 0x0D), (0x20, 0x20)),
    "w": _WORD,
}
"""What stands behind a backslash; the upper-case letter is the complement."""

POSIX: Final[dict[str, tuple[Range, ...]]] = {
    "alnum": (*_DIGIT, *_UPPER, *_LOWER),
    "alpha": (*_UPPER, *_LOWER),
    "ascii": ((0x00, 0x7F),),
    "blank": ((0x09, 0x09), (0x20, 0x20)),
    "cntrl": ((0x00, 0x1F), (0x7F, 0x7F)),
    "digit": _DIGIT,
    "graph": ((0x21, 0x7E),),
    "lower": _LOWER,
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": ((0x09, 0x0D), (0x20, 0x20)),
    "upper": _UPPER,
    "word": _WORD,
    "xdigit": (*_DIGIT, (0x41, 0x46), (0x61, 0x66)),
}
"""What stands in ``[:…:]``."""

_CATEGORIES: Final[dict[str, tuple[str, ...]]] = {
    **{name: (name,) for name in ("C", "Cc", "Cf", "Cn", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc")},
    **{name: (name,) for name in ("Me", "Mn", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps")},
    **{name: (name,) for name in ("S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp", "Zs")},
    "Lc": ("Lu", "Ll", "Lt"),
}
"""Canonical names to the beginnings of the categories they mean."""

_ALIASES: Final = {
    "Casedletter": "Lc",
    "Closepunctuation": "Pe",
    "Cntrl": "Cc",
    "Combiningmark": "M",
    "Connectorpunctuation": "Pc",
    "Control": "Cc",
    "Currencysymbol": "Sc",
    "Dashpunctuation": "Pd",
    "Decimalnumber": "Nd",
    "Digit": "Nd",
    "Enclosingmark": "Me",
    "Finalpunctuation": "Pf",
    "Format": "Cf",
    "Initialpunctuation": "Pi",
    "Letter": "L",
    "Letternumber": "Nl",
    "Lineseparator": "Zl",
    "Lowercaseletter": "Ll",
    "Mark": "M",
    "Mathsymbol": "Sm",
    "Modifierletter": "Lm",
    "Modifiersymbol": "Sk",
    "Nonspacingmark": "Mn",
    "Number": "N",
    "Openpunctuation": "Ps",
    "Other": "C",
    "Otherletter": "Lo",
    "Othernumber": "No",
    "Otherpunctuation": "Po",
    "Othersymbol": "So",
    "Paragraphseparator": "Zp",
    "Privateuse": "Co",
    "Punct": "P",
    "Punctuation": "P",
    "Separator": "Z",
    "Spaceseparator": "Zs",
    "Spacingmark": "Mc",
    "Surrogate": "Cs",
    "Symbol": "S",
    "Titlecaseletter": "Lt",
    "Unassigned": "Cn",
    "Uppercaseletter": "Lu",
}

# Python does not know the scripts of characters, only their names are needed: see Chars.unknown.
_SCRIPT_NAMES: Final = """
    Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo
    Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common
    Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs
    Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul
    Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi
    Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki
    Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean
    Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi
    Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong
    Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian
    Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi
    Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo
    Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana
    Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square
"""
_SCRIPTS: Final = frozenset(_SCRIPT_NAMES.split())


@dataclass(frozen=True, slots=True)
class Category:
    """The characters of some Unicode categories, or all the others."""

    prefixes: tuple[str, ...]
    negated: bool = False

    def contains(self, chars: tuple[str, ...]) -> bool:
        """Return whether one of ``chars``, which differ in case only, belongs to the category."""
        return any(unicodedata.category(char).startswith(self.prefixes) for char in chars) != self.negated


@dataclass(frozen=True, slots=True)
class Chars:
    """A set of characters.

    Attributes:
        ranges: Code points.
        categories: Further characters.
        negated: Everything else is meant.
        fold: Case does not matter.
        unknown: A script takes part, so that nobody here can tell what belongs to the set.
    """

    ranges: tuple[Range, ...] = ()
    categories: tuple[Category, ...] = ()
    negated: bool = False
    fold: bool = False
    unknown: bool = False

    def contains(self, char: str) -> bool:
        """Return whether ``char`` belongs to the set."""
        chars = same_but_case(char) if self.fold else (char,)
        codes = [ord(each) for each in chars]
        inside = any(first <= code <= last for first, last in self.ranges for code in codes)
        return (inside or any(category.contains(chars) for category in self.categories)) != self.negated


def complement(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """Return all code points outside of ``ranges``, which are sorted."""
    out = []
    start = 0
    for first, last in ranges:
        if start < first:
            out.append((start, first - 1))
        start = max(start, last + 1)
    return (*out, (start, MAX_CODE)) if start <= MAX_CODE else tuple(out)


def folded_group(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """Return ``ranges``, which are within ASCII, with the characters that differ in case only, sorted."""
    codes = {
        ord(same) for first, last in ranges for code in range(first, last + 1) for same in same_but_case(chr(code))
    }
    return tuple((code, code) for code in sorted(codes))


def unicode_class(name: str) -> Chars | None:
    r"""Return the set behind ``\p{name}``, or ``None`` where Go knows no such name.

    Names of scripts are accepted in the spelling of old and of new versions of Go.
    """
    canonical = re.sub("[ _-]", "", name).capitalize()
    if not name.isascii():
        return None
    if canonical == "Any":
        return Chars(EVERYTHING)
    if canonical == "Ascii":
        return Chars(POSIX["ascii"])
    if canonical == "Assigned":
        return Chars(categories=(Category(("Cn",), negated=True),))
    prefixes = _CATEGORIES.get(_ALIASES.get(canonical, canonical))
    if prefixes is not None:
        return Chars(categories=(Category(prefixes),))
    return Chars(unknown=True) if name in _SCRIPTS or canonical in _SCRIPTS else None


def same_but_case(char: str) -> tuple[str, ...]:
    """Return ``char`` and all characters that differ from it in case only."""
    if not char.isascii():
        return _orbits().get(char, (char,))
    if not char.isalpha():
        return (char,)
    return _WIDER.get(char.lower(), (char.lower(), char.upper()))


# The long s and the Kelvin sign are letters of ASCII in another case.
_WIDER: Final = {"s": ("s", "S", "\u017f"), "k": ("k", "K", "\u212a")}


# The blocks that hold characters with case, so that not all of Unicode is gone through.
_CASED: Final = (
    *((0x41, 0x5A), (0x61, 0x7A), (0xB5, 0x587), (0x10A0, 0x10FF), (0x13A0, 0x13FF), (0x1C80, 0x1CBF)),
    *((0x1D79, 0x1D8E), (0x1E00, 0x1FFF), (0x2126, 0x2188), (0x24B6, 0x24E9), (0x2C00, 0x2D2D), (0xA640, 0xA7FF)),
    *((0xAB30, 0xABBF), (0xFF21, 0xFF5A), (0x10400, 0x105BC), (0x10C80, 0x10D85), (0x118A0, 0x118DF)),
    *((0x16E40, 0x16ED3), (0x1E900, 0x1E943)),
)


@lru_cache(maxsize=1)
def _orbits() -> dict[str, tuple[str, ...]]:
    """Group the characters that differ in case only; the work of some milliseconds, done when it is needed."""
    groups: dict[str, list[str]] = {}
    for first, last in _CASED:
        for code in range(first, last + 1):
            char = chr(code)
            groups.setdefault(_folded(char), []).append(char)
    return {char: tuple(group) for group in groups.values() if len(group) > 1 for char in group}


def _folded(char: str) -> str:
    """Return the one character that stands for all that differ from ``char`` in case only (simple case folding)."""
    folded = char.casefold()
    if len(folded) > 1:
        folded = char.lower()
    return folded if len(folded) == 1 else char
