"""The examples of the docstrings are programs that run."""

import doctest
import importlib

import pytest

MODULES = ["sgf_stream", "sgf_stream._tables", "sgf_stream._find", "sgf_stream._positions", "sgf_stream._texts"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0
    assert results.attempted > 0 or name == "sgf_stream"
