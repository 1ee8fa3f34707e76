"""Benchmarks: one seed, one folder. Adding one needs no change outside its folder."""
