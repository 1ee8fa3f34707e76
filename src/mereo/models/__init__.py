"""Networks, as small parts that are put together: words, sight, reasoners, parsers, perception. Needs `mereo[train]`.

Nothing here knows where data comes from or how it is learned from: a network takes tensors and gives tensors.
"""
