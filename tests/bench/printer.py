"""How every benchmark prints: one line per measurement, the same columns, a ratio where there is a floor."""

from __future__ import annotations

from collections.abc import Sequence


def title(words: str) -> None:
    print(f"\n{words}\n{'':36}{'p50':>9}{'p95':>9}{'max':>9}{'':4}times the floor", flush=True)


def line(name: str, milliseconds: Sequence[float], floor: Sequence[float] | None = None) -> None:
    """Print a row of milliseconds, and the ratio of its median to the floor's."""
    ratio = f"{quantile(milliseconds, 0.5) / quantile(floor, 0.5):.1f}" if floor else ""
    columns = "".join(f"{quantile(milliseconds, q):9.2f}" for q in (0.5, 0.95, 1.0))
    print(f"  {name:34}{columns}{'':4}{ratio:>6}", flush=True)


def figure(name: str, value: float, unit: str, aim: str = "") -> None:
    """Print a single number with its unit, and its target."""
    print(f"  {name:34}{value:9,.0f} {unit}{f'   (aim: {aim})' if aim else ''}", flush=True)


def quantile(values: Sequence[float], q: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]
