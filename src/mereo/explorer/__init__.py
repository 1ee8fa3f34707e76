"""Datasets, pictures and traces in the browser."""
