"""Judging: predictions against a dataset, with counts and intervals, beside baselines and oracles."""
