"""What several tests use."""

from __future__ import annotations

from pathlib import Path

import pytest

#: Real files. They are not part of the project, and tests that read them are skipped where they are absent.
CORPUS = Path(__file__).parents[4] / "shared" / "corpus"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with three files: four games, one of them cut."""
    (tmp_path / "a.sgf").write_text("(;GM[1]SZ[19]PB[Shusaku]BR[4d]RE[B+2]DT[1846-09-11];B[qd];W[dc])(;PB[Shuei]RE[W+R];B[dd])")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.sgf").write_text("(;PB[Dosaku]KM[6.5];B[dd];W[p")
    (tmp_path / "d.sgf").write_text("(;GM[11]SZ[11];B[a1])")
    return tmp_path


@pytest.fixture(scope="session")
def corpus() -> Path:
    if not CORPUS.is_dir():
        pytest.skip(f"{CORPUS} is not there")
    return CORPUS
