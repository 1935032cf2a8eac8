"""Other people's packages: written into a test's folder, and installed as far as Python can tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from games.discovery import GROUP


def install(site: Path, package: str, files: Mapping[str, str], named: str = "", target: str = "") -> Path:
    """Write a distribution with these files (by their paths in the package); returns the package's folder.

    `named` is the name of the entry point, `target` what it points to; both default to the package.
    """
    folder = site / package
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    project = re.sub("_", "-", package)
    info = site / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n", encoding="utf-8"
    )
    points = f"[{GROUP}]\n{named or package} = {target or package}\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    return folder
