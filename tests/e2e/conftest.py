"""Fixtures that most end-to-end tests use. A test file that needs another `home` defines its own."""

import pytest
from support.program import Home
from support.terminal import Terminal


@pytest.fixture
def home():
    """An empty home folder, and so no session."""
    with Home() as h:
        yield h


@pytest.fixture
def prompt(home):
    """The prompt in a terminal, ready for input."""
    with Terminal(home) as t:
        yield t
