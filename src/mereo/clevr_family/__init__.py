"""CLEVR's family: the files, words, functions and stage that CLEVR and its descendants share."""
