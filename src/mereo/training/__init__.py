"""Learning: datasets as tensors, one loop, runs that resume, and the zoo of all models. Needs `mereo[train]`."""
