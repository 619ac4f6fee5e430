"""How often what was compared with what: the counts that ``docs/conformance.md`` shows."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

COUNTS = Path(__file__).resolve().parents[1] / "conformance" / "counts.json"


def read() -> dict[str, dict[str, Any]]:
    """Return all counts: by section, and by what was compared."""
    found: dict[str, dict[str, Any]] = json.loads(COUNTS.read_text("utf-8"))
    return found


def record(section: str, name: str, numbers: Any) -> None:
    """Keep counts where ``MCPCFG_REWRITE`` asks for it."""
    if "MCPCFG_REWRITE" in os.environ:
        kept = read()
        kept.setdefault(section, {})[name] = numbers
        COUNTS.write_text(json.dumps(kept, indent=2, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
