"""Counting: parameters, FLOPs, bytes; formulas in letters, numbers put in, thresholds."""
