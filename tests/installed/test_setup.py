"""What `make` sets up first: a virtual environment, with whatever Python there is that is new enough."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "venv"
FAKE = """#!/bin/sh
[ "$1" = -c ] && exec {real} -c "import sys; sys.version_info = {version}; $2"
echo "$0 $*" >>{said}
[ "$1" != -m ]
"""


@pytest.fixture
def machine(tmp_path):
    """Runs the script where these Pythons are installed, by name; what it said, and what it had them do."""

    def run(**pythons):
        said = tmp_path / "said"
        said.touch()
        for name, version in pythons.items():
            fake = tmp_path / name.replace("_", ".")
            fake.write_text(FAKE.format(real=sys.executable, version=version, said=said))
            fake.chmod(0o755)
        for tool in ("sh", "cat", "cksum", "rm"):
            (tmp_path / tool).symlink_to(
                next(Path(place, tool) for place in ("/bin", "/usr/bin") if Path(place, tool).exists())
            )
        (tmp_path / "lock.txt").write_text("")
        done = subprocess.run(
            ["sh", SCRIPT, "lock.txt"],
            cwd=tmp_path,
            env={**os.environ, "PATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done, said.read_text()

    return run


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 14, 2), (3, 15, 0), (4, 0, 0)])
def test_any_python_that_is_new_enough_will_do(machine, version):
    done, asked = machine(python3=version)
    assert "Installing the libraries of lock.txt" in done.stderr
    assert "python3 -m venv --clear .venv" in asked


def test_one_that_is_known_to_work_goes_before_the_newest(machine):
    _done, asked = machine(python3=(3, 16, 0), python3_13=(3, 13, 0))
    assert "python3.13 -m venv" in asked


@pytest.mark.parametrize("pythons", [{}, {"python3": (3, 10, 9)}, {"python3": (2, 7, 18)}])
def test_without_one_a_sentence_says_what_is_needed(machine, pythons):
    done, asked = machine(**pythons)
    assert done.returncode == 1
    assert done.stderr.startswith("Roundtable needs Python 3.11 or newer with its venv module")
    assert asked == ""
