"""Answers that people type: compared exactly, with a third verdict where nothing is certain."""
