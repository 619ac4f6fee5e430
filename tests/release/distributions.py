"""Builds the wheel and the source distribution of a checkout: the same bytes from the same commit, on any day.

Usage: ``python tests/release/distributions.py FOLDER``, from the root of the checkout.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path


def build(into: Path) -> None:
    """Build both from the files of the checkout, dated as its newest commit.

    If the project has an address, the metadata links to it: `with_address` changes two files during the build.

    Raises:
        subprocess.CalledProcessError: Git or the build failed; it has said why.
    """
    date = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], check=True, capture_output=True, text=True
    ).stdout.strip()
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(into)]
    version = Path("compiler/diagnostics/address.py").read_text(encoding="utf-8")
    address = re.findall(r'^ADDRESS = "(.*)"$', version, re.MULTILINE)[0]
    texts = {name: Path(name).read_text(encoding="utf-8") for name in ("pyproject.toml", "README.md")}
    try:
        for name, text in with_address(texts, address).items():
            Path(name).write_text(text, encoding="utf-8")
        subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": date})
    finally:
        for name, text in texts.items():
            Path(name).write_text(text, encoding="utf-8")
    for archive in into.glob("*.tar.gz"):
        archive.write_bytes(normalize(archive.read_bytes(), int(date)))


def with_address(texts: dict[str, str], address: str) -> dict[str, str]:
    """Return ``pyproject.toml`` and ``README.md`` with the address of the project, or unchanged if it is empty.

    The address becomes a URL of the package. Links of the README that are relative to the checkout, which a package
    index cannot follow, lead to the pages of the site.
    """
    if not address:
        return texts
    urls = f'\n[project.urls]\nDocumentation = "{address}"\n'
    readme = re.sub(
        r"\]\((?!https?:|#)(?:docs/)?([^)\s#]+)",
        lambda link: f"]({address}{re.sub(r'(index)?[.]md$', lambda page: '' if page[1] else '/', link[1])}",
        texts["README.md"],
    )
    return {"pyproject.toml": texts["pyproject.toml"] + urls, "README.md": readme}


def normalize(archive: bytes, date: int) -> bytes:
    """Return a source distribution whose bytes depend on its files alone: setuptools writes times, users and an order.

    Args:
        archive: The ``.tar.gz``.
        date: Seconds since 1970, written as the time of each file.
    """
    plain, packed = io.BytesIO(), io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive)) as source,
        tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as target,
    ):
        for member in sorted(source.getmembers(), key=lambda member: member.name):
            mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            changed = member.replace(mtime=date, mode=mode, uid=0, gid=0, uname="", gname="", deep=False)
            changed.pax_headers = {}
            target.addfile(changed, source.extractfile(member) if member.isfile() else None)
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=date) as stream:
        stream.write(plain.getvalue())
    return packed.getvalue()


if __name__ == "__main__":
    build(Path(sys.argv[1]))
