"""The rules with fixable findings, listed without importing the fixes."""

from __future__ import annotations

from typing import Final

FIXABLE: Final = frozenset(
    {
        *("ADM001", "ADM002", "ADM003", "ADM004", "ADM005", "ADM022", "ADM030", "ADM032", "ADM033"),
        *("CAT002", "CAT003", "CAT007", "CAT008"),
        *("FIL001", "FIL002", "FIL011", "FIL020", "FIL030"),
        *("PRM001", "PRM002", "PRM020"),
        *("REG002", "REG003", "REG004", "REG007", "REG017"),
        *(
            "RUN001",
            "RUN003",
            "RUN006",
            "RUN011",
            "RUN013",
            "RUN021",
            "RUN025",
            "RUN040",
            "RUN041",
            "RUN044",
            "RUN047",
            "RUN053",
            "RUN055",
        ),
        *("SYN006", "SYN008"),
        *("WRK001", "WRK004", "WRK009", "WRK010", "WRK030"),
    }
)
"""Fixable rules. Every check with findings reads this list; a test compares it with the fixes."""
