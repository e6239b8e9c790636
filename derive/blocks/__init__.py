"""Wiring: which operation reads which matrix.  No mathematics of its own."""

from derive.blocks.whole import build

__all__ = ["build"]
