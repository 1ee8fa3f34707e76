"""A room rebuilt in three dimensions from what was seen of it, so that physics can be run on it.

What was seen of an object is held against shapes of our grammars (`library`), the nearest is taken at the size that
fits (`fitting`), put where the object was seen and brought into contact with what holds it (`standing`), and time runs
(`verdicts`). Shapes come from the families to train on, so none of them is in a picture to be judged on.
"""
