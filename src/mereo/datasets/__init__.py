"""Datasets: what is on disk, in our own form and in the forms of others."""
