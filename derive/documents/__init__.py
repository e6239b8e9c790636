"""Whole documents made of many cells."""
