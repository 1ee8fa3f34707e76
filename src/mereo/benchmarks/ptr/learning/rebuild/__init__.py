"""A room rebuilt in three dimensions from what was seen of it, so that its parts tell axes, and physics what falls.

What was seen of an object is held against shapes of our grammars (`library`), the nearest is taken at the size that
fits (`fitting`), put where the object was seen and brought into contact with what holds it (`standing`), and time runs
(`verdicts`). Its parts lie to each other as those of the shape do (`straight`). Shapes come from the families to train
on, so none of them is in a picture to be judged on.
"""
