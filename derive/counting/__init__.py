"""Counting: parameters, FLOPs, bytes; formulas in letters, numbers put in, thresholds."""

from derive.counting.answers import CountVerdict, check_count
from derive.counting.count import count
from derive.counting.spec import make

__all__ = ["CountVerdict", "check_count", "count", "make"]
